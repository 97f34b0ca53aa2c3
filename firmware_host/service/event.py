"""A whole event at once: the files of every game, the cross table, all score sheets and games in one file."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.errors import RecordError
from firmware_host.record.cross_table import cross_table
from firmware_host.record.cross_table_page import to_csv, to_html
from firmware_host.record.drawing import Drawing
from firmware_host.record.formats import FORMATS
from firmware_host.referee.rulings import Audience
from firmware_host.service.game_exports import WRITTEN, Names, joined, rendered
from firmware_host.service.game_sources import Complain, Source, from_file, from_journal
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.pdf import to_pdf
from firmware_host.service.safe_files import replace_files
from firmware_host.service.sheets import pages_of

GAMES: Final = "games"
"""The folder of the games' files, within that of the event."""

FORMS: Final = tuple(form for form in WRITTEN if form not in ("moves", "diagram"))
"""What is written for each game: the formats whose files do not look like another's."""

BEST: Final = (".json", ".sgf", ".xml", ".rif", ".psq", ".lib", ".txt")
"""Of files of one name that differ in their ends, the one that holds most is read."""

Done = Callable[[str, int, int], None]
"""Told of the progress: what is done, how many of how many."""


class Made(NamedTuple):
    """What came of an event: the files, how many games and players."""

    files: list[Path]
    games: int
    players: int


def files_of(folder: Path, out: Path, complain: Complain) -> list[str]:
    """The files of games in a folder, also in folders within it; of a game in several formats the fullest.

    What was written to `out` is left out; a folder that cannot be read is told. Raises RecordError for what
    is no folder.
    """
    if not os.path.isdir(folder):  # Path fails where it may not look
        what = (
            "it is a file; give the folder it lies in"
            if os.path.isfile(folder)
            else "there is no such folder"
        )
        raise RecordError(f"{folder}: {what}")

    def closed(error: OSError) -> None:
        complain(f"{Path(error.filename)} cannot be read: {error.strerror}")

    found = [Path(place, name) for place, _, names in os.walk(folder, onerror=closed) for name in names]
    best: dict[Path, Path] = {}
    for path in sorted(found):
        end = path.suffix.lower()
        if end not in BEST or path.name.startswith(".") or not _may_be_file(path) or out in path.parents:
            continue
        stem = path.with_suffix("")
        if stem not in best or BEST.index(end) < BEST.index(best[stem].suffix.lower()):
            best[stem] = path
    return [str(path) for path in best.values()]


def _may_be_file(path: Path) -> bool:
    """Whether it is a file, or nobody lets us see what it is; then reading it tells why."""
    try:
        return path.is_file()
    except OSError:
        return True


def games_of_files(paths: Sequence[str], complain: Complain, done: Done) -> list[Source]:
    """The games of files; what cannot be read is told in one sentence, and the rest goes on."""
    sources: list[Source] = []
    for n, path in enumerate(paths, 1):
        try:
            sources += from_file(path)
        except RecordError as error:
            complain(str(error))
        done("read", n, len(paths))
    return sources


def games_of_journal(path: Path, audience: Audience, complain: Complain, done: Done) -> list[Source]:
    """The games of a journal; what of it cannot be read is told in one sentence, and the rest goes on.

    A game in which nothing was played, and whose place another one took, is none of the event's.
    """
    sources: list[Source] = []
    try:
        with JournalReader.open(path) as reader:
            games = reader.games()
            for n, game in enumerate(games, 1):
                try:
                    (source,) = from_journal(reader, [game], audience)
                    if n == len(games) or source.record.moves or source.record.result is not None:
                        sources.append(source._replace(name=f"{path.name}, {source.name}"))
                except RecordError as error:
                    complain(str(error))
                done(str(path), n, len(games))
    except RecordError as error:
        complain(str(error))
    return sources


def in_order(sources: Iterable[Source]) -> list[Source]:
    """By round, table and date; a game that is there twice (the same id) once, as it went furthest."""
    by_id: dict[object, Source] = {}
    for n, source in enumerate(sources):
        key: object = source.record.header.id or n
        old = by_id.get(key)
        if old is None or _further(source) > _further(old):
            by_id[key] = source
    return sorted(by_id.values(), key=_order)


def _further(source: Source) -> tuple[int, int, int]:
    record = source.record
    return record.latest_ns, len(record.moves), record.audience == "arbiter"


def _order(source: Source) -> tuple[bool, int, int, str, str]:
    header = source.record.header
    number = int(header.table) if header.table.isdecimal() else 0
    return header.round is None, header.round or 0, number, header.table, header.date


def make_event(
    sources: Sequence[Source],
    folder: Path,
    language: str,
    event: str | None,
    done: Done,
    complain: Complain,
) -> Made:
    """Write everything about these games into a folder; raises RecordError naming the file that failed.

    `complain` is told why there are no score sheets, or what could not be drawn on them.
    """
    if not sources:
        raise RecordError("there is no game of which anything could be made")
    table = cross_table((source.record for source in sources), event)
    names = Names()

    def per_game() -> Iterable[tuple[str, bytes]]:
        for n, source in enumerate(sources, 1):
            name = names.of(source.record)
            for form in FORMS:
                yield name + FORMATS[form].suffixes[0], rendered(form, source.record)
            done("games", n, len(sources))

    files = replace_files(folder / GAMES, per_game())
    whole = [
        ("cross-table.html", to_html(table, language).encode("utf-8", "replace")),
        ("cross-table.csv", to_csv(table, language).encode("utf-8", "replace")),
    ]
    whole += [
        (GAMES + FORMATS[form].suffixes[0], joined(form, sources))
        for form in FORMS
        if FORMATS[form].write_all is not None
    ]
    whole += score_sheets(sources, language, done, complain)
    files += replace_files(folder, whole)
    return Made(files, len(sources), len(table.lines))


def score_sheets(
    sources: Sequence[Source], language: str, done: Done, complain: Complain
) -> list[tuple[str, bytes]]:
    """All score sheets in one PDF; none where no PDF can be made, and why is told."""
    drawings: list[Drawing] = []
    for n, source in enumerate(sources, 1):
        drawings.extend(pages_of(source.record, language=language))
        done("sheets", n, len(sources) + 1)
    try:
        made = to_pdf(drawings)
    except RecordError as error:
        complain(f"there are no score sheets: {error}")
        return []
    done("sheets", len(sources) + 1, len(sources) + 1)
    for note in made.notes:
        complain(note)
    return [("score-sheets.pdf", made.data)]
