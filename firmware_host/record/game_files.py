"""Files of games as a judge of them needs them: moves, and the result and the rules that a file tells.

Every format of the table with moves is read (`record/formats.py`). A game that cannot be read is a value and
no exception, so that the games after it are read all the same.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Self

import msgspec

from firmware_host.board import NAMES, Colour, Point
from firmware_host.errors import RecordError
from firmware_host.record.formats import FORMATS
from firmware_host.record.reading import Game

Outcome = tuple[Colour | None, str]
"""The winner, None for a draw or when nobody won, and the reason."""


class Turn(msgspec.Struct, frozen=True):
    """One move: `point` None is a pass, or with `seen` false a stone that no sensor saw."""

    colour: Colour
    point: Point | None
    seen: bool = True


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a file: `line` (from 1) is where it begins, `game` counts the games of the file from 1.

    `recorded` is the result that the file tells, `rules` the settings `forbidden`, `overline` and `five`.
    `notes` are what was to be said of its reading.
    """

    line: int
    game: int
    turns: tuple[Turn, ...]
    recorded: Outcome | None = None
    rules: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, read: Game, number: int) -> Self:
        """What a judge needs of a game; raises RecordError with the move where a point is occupied."""
        record = read.record
        taken: set[Point] = set()
        for move in record.moves:
            if move.point in taken:
                raise RecordError(f"{NAMES[move.point]} is occupied", move=move.n)
            if move.point is not None:
                taken.add(move.point)
        result, settings = record.result, record.settings
        return cls(
            line=read.line,
            game=number,
            turns=tuple(Turn(move.colour, move.point, not move.missing) for move in record.moves),
            recorded=None if result is None else (result.winner, result.reason),
            rules={key: getattr(settings, key) for key in ("forbidden", "overline", "five")},
            notes=read.notes,
        )


class Malformed(msgspec.Struct, frozen=True, kw_only=True):
    """A game that cannot be read, and why; `move` counts from 1, None when it is no move that is wrong."""

    line: int
    game: int
    reason: str
    move: int | None = None


def read_games(data: Any, form: str) -> Iterator[Played | Malformed]:
    """The games of a file in their order; `form` is a key of `FORMATS`, `data` what it takes."""
    games = FORMATS[form].games
    if games is None:
        raise RecordError(f"the format {form} has no moves that could be read")
    for number, read in enumerate(games(data), 1):
        line = read.line or 1
        try:
            if isinstance(read, RecordError):
                raise read
            yield Played.of(read, number)
        except RecordError as error:
            yield Malformed(line=line, game=number, reason=error.reason, move=error.move)
