"""The files of a game in its event's folder: score sheets, JSON, SGF; each is replaced as a whole."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.record.drawing import Drawing
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.record.json_format import to_json
from firmware_host.record.svg import to_svg
from firmware_host.service.config import Config, journal_path
from firmware_host.service.pdf import NoPdf, Pdf
from firmware_host.service.safe_files import remove_file, replace_files, safe_name
from firmware_host.service.sheets import pages_of, players_copy

NO_EVENT: Final = "games"
COPIES: Final = ("arbiter", "players")


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
    make_pdf: Callable[[Sequence[Drawing]], Pdf],
    *,
    language: str = "en",
    address: str = "",
) -> Filed:
    """Write every file of a game, number `number` of its journal; raises RecordError naming the file.

    Each is synced by itself: a sync of all the machine's files would hold up the journal. Where no PDF can be
    made the sheets are SVG, and the reason is a note; a sheet in the other form is an earlier one, and goes.
    The arbiter's JSON comes last: it says of which record all of them are.
    """
    from firmware_host.record import sgf  # at the end of a game, not at the start of a daemon

    place, name = event_folder(folder, arbiter.header), game_name(arbiter.header, number)
    files: list[Path] = []
    notes: list[str] = []

    def put(end: str, data: bytes) -> None:
        files.extend(replace_files(place, [(f"{name}{end}", data)]))

    put(".sgf", sgf.write(public))
    for copy, record in zip(COPIES, (arbiter, players_copy(public)), strict=True):
        drawings = pages_of(record, language=language, address=address)
        try:
            made = make_pdf(drawings)
            notes += made.notes
            form, data, other = "pdf", made.data, "svg"
        except NoPdf as error:
            notes.append(f"score sheets are SVG: {error}")
            form, data, other = "svg", to_svg(drawings[0]).encode(), "pdf"
        put(f"-{copy}.{form}", data)
        remove_file(place / f"{name}-{copy}.{other}")
    put("-arbiter.json", to_json(arbiter).encode())
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
