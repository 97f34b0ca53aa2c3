"""Files that are replaced as a whole, and names for them made of what people wrote."""

import os
import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware_host.errors import RecordError
from firmware_host.service.journal_file import sync

NAME_BYTES: Final = 120
"""The longest name; file systems take 255 bytes."""

MOST_BYTES: Final = 255
"""The longest name that file systems take."""

BATCH: Final = 200
"""So many files are brought to the disk together."""

FEW: Final = 8
"""Up to so many are brought there one by one, which leaves everything else on the machine alone."""


def safe_name(text: str, other: str, most: int = NAME_BYTES) -> str:
    """A text as the name of a file: letters and digits of any script, else `-`; `other` if none is left.

    `most`: its bytes.
    """
    words = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFC", text)).strip("-_")
    while len(words.encode("utf-8", "replace")) > most:
        words = words[:-1]
    return words.strip("-_") or other


def replace_file(path: Path, data: bytes) -> Path:
    """Write a file so that at every instant the old or the new one is there, whole; raises RecordError."""
    return replace_files(path.parent, [(path.name, data)])[0]


def replace_private(path: Path, data: bytes) -> None:
    """`replace_file` for what its owner alone may read: mode 0600 from the first byte on.

    The owner is the folder's when root writes: a secret that the daemon's user cannot read is none to it.
    """
    new = _beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
        new.unlink(missing_ok=True)
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "wb") as file:
            if os.geteuid() == 0:
                folder = path.parent.stat()
                os.fchown(file.fileno(), folder.st_uid, folder.st_gid)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        sync(path.parent)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from error


def remove_file(path: Path) -> None:
    """Remove a file if it is there; raises RecordError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise RecordError(f"{path} cannot be removed: {error.strerror or error}") from error


def replace_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[Path]:
    """Write files of a folder, made if need be, each replaced as a whole; raises RecordError naming one.

    They come to the disk in batches before they take the place of the old ones.
    """
    waiting: list[tuple[Path, Path]] = []
    done: list[Path] = []
    path = folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files:
            path = folder / name
            if path.exists() and not (path.is_file() or path.is_dir()):
                raise RecordError(f"{path} is a device or a pipe; allowed: a file, or none yet")
            new = _beside(path)
            waiting.append((new, path))
            new.write_bytes(data)
            if len(waiting) == BATCH:
                done += _settle(waiting)
        done += _settle(waiting)
        path = folder
        sync(folder)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        for new, _ in waiting:
            with suppress(OSError):  # what could not be written cannot always be taken away
                new.unlink()
    return done


def _beside(path: Path) -> Path:
    """Where a file is written before it takes its place; its name is no longer than a file's may be."""
    name = os.fsencode(path.name)[: MOST_BYTES - len("..new")]
    return path.with_name(f".{os.fsdecode(name)}.new")


def _settle(waiting: list[tuple[Path, Path]]) -> list[Path]:
    """Bring what was written to the disk, then put it in place."""
    if len(waiting) > FEW:
        os.sync()
    else:
        for new, _ in waiting:
            sync(new)
    placed = []
    while waiting:
        new, path = waiting[0]
        new.replace(path)
        del waiting[0]
        placed.append(path)
    return placed
