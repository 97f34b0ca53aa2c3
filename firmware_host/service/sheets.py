"""Score sheets with what they need of this machine: the catalogue of a language, the QR code, the version."""

import functools
import json
from importlib import resources
from typing import Final

from msgspec.structs import replace

from firmware_host import __version__
from firmware_host.record.drawing import Drawing
from firmware_host.record.game import GameRecord

LANGUAGES: Final = ("en", "zh", "ja")


@functools.cache
def catalogue(language: str) -> dict[str, str]:
    """The words of a language."""
    file = resources.files("firmware_host").joinpath(f"locale/{language}.json")
    words: dict[str, str] = json.loads(file.read_text("utf-8"))
    return words


@functools.lru_cache(8)
def qr_code(address: str) -> tuple[str, ...]:
    """The QR code of an address, rows of `X` and `.`, without a margin; empty for an empty one."""
    if not address:
        return ()
    import segno

    code = segno.make(address, error="m", micro=False)
    return tuple("".join("X" if dark else "." for dark in row) for row in code.matrix)


def pages_of(
    record: GameRecord,
    *,
    language: str = "en",
    address: str = "",
    ranges: bool = False,
    blank: bool = False,
) -> tuple[Drawing, ...]:
    """The score sheet of a record, for the record's audience, and pages of what has no room on it."""
    from firmware_host.record.sheet import Sheet, draw_pages  # a daemon begins without a sheet

    sheet = Sheet(
        words=catalogue(language),
        language=language,
        address=address,
        code=qr_code(address),
        version=__version__,
        ranges=ranges,
        blank=blank,
    )
    return draw_pages(record, sheet)


def players_copy(record: GameRecord) -> GameRecord:
    """A record for the public as the players' copy: they may know no less."""
    if record.audience == "arbiter":
        raise ValueError("the arbiter's record holds what players may not know")
    return replace(record, audience="players")
