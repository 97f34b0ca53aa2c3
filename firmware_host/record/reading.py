"""What reading a file of games gives, whatever its format: games and errors, one after the other.

A game that cannot be read is a value in the row of the others, so that those after it are read all the same.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from firmware_host.board import NAMES, Colour, Point
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord
from firmware_host.record.values import Move


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a file: `line` (from 1) is where it begins.

    `notes` say in sentences what the file left open and how it was taken, and what of it was not read.
    """

    line: int
    record: GameRecord
    notes: tuple[str, ...] = ()


Games = Iterator[Game | RecordError]
"""The games of a file in their order; an error, with its line, stands where a game would."""


def whole(games: Iterable[Game | RecordError]) -> tuple[Game, ...]:
    """All games; raises the first error among them."""
    read: list[Game] = []
    for game in games:
        if isinstance(game, RecordError):
            raise game
        read.append(game)
    return tuple(read)


def records(games: Iterable[Game | RecordError]) -> tuple[GameRecord, ...]:
    """The records of all games; raises the first error among them."""
    return tuple(game.record for game in whole(games))


def all_at_once(
    read: Callable[[Any], tuple[tuple[GameRecord, ...], tuple[str, ...]]],
) -> Callable[[Any], Games]:
    """The games of a format whose reader gives all records of a file and what is to be said of them."""

    def games(data: Any) -> Games:
        try:
            found, notes = read(data)
        except RecordError as error:
            yield error
            return
        for n, record in enumerate(found):
            yield Game(line=1, record=record, notes=() if n else notes)

    return games


def placed(turns: Iterable[tuple[Colour, Point | None]], missing: Iterable[int] = ()) -> tuple[Move, ...]:
    """Moves without times, numbered from 1; raises RecordError with the move where a point is occupied.

    `missing` are the numbers of those without a point that are no passes: nobody saw the stone.
    """
    unseen = frozenset(missing)
    taken: set[Point] = set()
    moves: list[Move] = []
    for n, (colour, p) in enumerate(turns, 1):
        if p in taken:
            raise RecordError(f"{NAMES[p]} is occupied", move=n)
        if p is not None:
            taken.add(p)
        moves.append(Move(n=n, point=p, colour=colour, t_ns=0, missing=n in unseen))
    return tuple(moves)


def short(value: object) -> str:
    """A value of a file in an error: plain characters, at most 40."""
    shown = ascii(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."
