"""The files of a game in its event's folder: score sheets, JSON, SGF; each is replaced as a whole."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.errors import RecordError
from firmware_host.record import sgf
from firmware_host.record.drawing import Drawing
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.record.json_format import to_json
from firmware_host.record.svg import to_svg
from firmware_host.service.config import Config, journal_path
from firmware_host.service.journal_file import sync
from firmware_host.service.pdf import Pdf
from firmware_host.service.sheets import players_copy, sheet_of

NO_EVENT: Final = "games"
COPIES: Final = ("arbiter", "players")
NAME_BYTES: Final = 120
"""The longest name of an event's folder; file systems take 255 bytes."""


class Filed(NamedTuple):
    """What was written, and sentences about what is not as it should be."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def records_folder(config: Config) -> Path:
    """Where the events' folders are."""
    if config.records.folder:
        return Path(config.records.folder).absolute()
    return journal_path(config).parent / "records"


def event_folder(folder: Path, header: Header) -> Path:
    """The folder of the event of a game."""
    return folder / safe_name(header.event, NO_EVENT)


def safe_name(text: str, other: str) -> str:
    """A text as the name of a file: letters and digits of any script, else `-`; `other` if none is left."""
    words = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFC", text)).strip("-_")
    while len(words.encode()) > NAME_BYTES:
        words = words[:-1]
    return words.strip("-_") or other


def game_name(header: Header, number: int) -> str:
    """`round-2-table-4-game-17-3f9a1c2b`: what the files of a game begin with, no two games alike."""
    parts = [] if header.round is None else [f"round-{header.round}"]
    parts += [f"table-{safe_name(header.table, 'x')}", f"game-{number}", safe_name(header.id, "")[:8]]
    return "-".join(part for part in parts if part)


def file_game(
    folder: Path,
    number: int,
    arbiter: GameRecord,
    public: GameRecord,
    make_pdf: Callable[[Sequence[Drawing]], Pdf] | None = None,
    *,
    language: str = "en",
    address: str = "",
) -> Filed:
    """Write every file of a game, number `number` of its journal; raises RecordError naming the file.

    Where no PDF can be made the sheets are SVG, and the reason is a note.
    """
    place = event_folder(folder, arbiter.header)
    stem = place / game_name(arbiter.header, number)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"{place} cannot be made: {error.strerror or error}") from error
    files = [
        replace_file(Path(f"{stem}-arbiter.json"), to_json(arbiter).encode()),
        replace_file(Path(f"{stem}.sgf"), sgf.write(public)),
    ]
    notes: list[str] = []
    for copy, record in zip(COPIES, (arbiter, players_copy(public)), strict=True):
        drawing = sheet_of(record, language=language, address=address)
        data, suffix = to_svg(drawing).encode(), "svg"
        if make_pdf is not None:
            try:
                made = make_pdf([drawing])
                data, suffix = made.data, "pdf"
                notes += made.notes
            except RecordError as error:
                notes.append(f"score sheets are SVG: {error}")
        files.append(replace_file(Path(f"{stem}-{copy}.{suffix}"), data))
    return Filed(tuple(files), tuple(dict.fromkeys(notes)))


def is_filed(folder: Path, number: int, arbiter: GameRecord) -> bool:
    """Whether all the files of a game are there, made of this record."""
    stem = event_folder(folder, arbiter.header) / game_name(arbiter.header, number)
    there = all(any(Path(f"{stem}-{copy}.{form}").exists() for form in ("pdf", "svg")) for copy in COPIES)
    there = there and Path(f"{stem}.sgf").exists()
    try:
        return there and Path(f"{stem}-arbiter.json").read_bytes() == to_json(arbiter).encode()
    except OSError:
        return False


def replace_file(path: Path, data: bytes) -> Path:
    """Write a file so that at every instant the old or the new one is there, whole; raises RecordError."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_bytes(data)
        sync(new)
        new.rename(path)
        sync(path.parent)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise RecordError(f"{path} is not written: {error.strerror or error}") from error
    return path
