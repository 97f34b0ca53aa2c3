"""Small files of the board's own that hold one JSON object, with `format` and `version` in it."""

from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from firmware_host.errors import RecordError


class SmallFile(Protocol):
    """What such a file holds."""

    @property
    def format(self) -> str:
        """Which of them it is."""

    @property
    def version(self) -> int:
        """How it is written."""


F = TypeVar("F", bound=SmallFile)


def read_small_file(path: Path, kind: type[F], what: str, most: int, form: tuple[str, int]) -> F:
    """What a file holds; raises RecordError, which names the file and what is wrong in it.

    `what` it should be, in words: `a calibration`; `most`: its bytes; `form`: format and version.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(raw) > most:
        raise RecordError(f"{path} is longer than {what}; allowed: {most} bytes")
    try:
        read = msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"{path} is not {what}: {error}") from error
    if (read.format, read.version) != form:
        raise RecordError(
            f"{path} is {read.format!r}, version {read.version}; allowed: {form[0]!r}, version {form[1]}"
        )
    return read
