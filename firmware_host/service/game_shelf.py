"""Games out of a file or a pasted text, for the robot at the simulated table."""

from itertools import islice
from typing import Final

import msgspec

from firmware_host.board import BLACK, WHITE, Colour, Point
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord

MOST_GAMES: Final = 300
"""So many games of a file are taken; nobody steps through more."""

Turn = tuple[Colour, Point | None]
"""One move: its colour and point, None for a pass."""


class ShelfGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that can be played through: what it is called, and its moves."""

    title: str
    turns: tuple[Turn, ...]


class Shelf(msgspec.Struct, frozen=True, kw_only=True):
    """The games of one file; `notes` are sentences about what could not be read, or was taken otherwise."""

    games: tuple[ShelfGame, ...] = ()
    notes: tuple[str, ...] = ()


def read_shelf(name: str, data: bytes) -> Shelf:
    """The games of a file, by the end of its name or as it looks; raises RecordError if there is none."""
    from firmware_host.record.formats import FORMATS, format_of  # few daemons ever read a file

    form = format_of(name, data)
    row = FORMATS[form]
    try:
        given = data if row.binary else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start + 1} is not UTF-8, as a file of {form} must be") from error
    assert row.games is not None  # noqa: S101 - `format_of` gives none that cannot be read
    games: list[ShelfGame] = []
    notes: list[str] = []
    for read in islice(row.games(given), MOST_GAMES):
        if isinstance(read, RecordError):
            notes.append(str(read))
            continue
        notes += read.notes
        turns = _turns(read.record)
        if turns:
            games.append(ShelfGame(title=_title(read.record), turns=turns))
    if not games:
        raise RecordError(notes[0] if notes else f"there is no game in it (read as {form})")
    return Shelf(games=tuple(games), notes=tuple(dict.fromkeys(notes)))


def _turns(record: GameRecord) -> tuple[Turn, ...]:
    """The moves up to the first whose stone nobody saw: what comes after it does not follow from these."""
    turns: list[Turn] = []
    for move in record.moves:
        if move.missing:
            break
        turns.append((move.colour, move.point))
    return tuple(turns)


def _title(record: GameRecord) -> str:
    """Who played, in which event and when; empty where the file tells nothing."""
    players = " – ".join(filter(None, (record.name(BLACK), record.name(WHITE))))
    return ", ".join(filter(None, (players, record.header.event, record.header.date)))
