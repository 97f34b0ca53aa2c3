"""What a format with nothing but points in turn holds of a game: Black first, alternately, on empty points.

Piskvork's and RenLib's files say where the stones lie and leave their colours to the turn, RenjuNet's too. A
stone out of turn, one that nobody saw, or one on an occupied point would give every later stone the other
colour or no place; so the game is held up to the move before it, and what is held is right.
"""

from typing import Final

from firmware_host.board import BLACK, NAMES, WHITE, Colour, Point
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord, Move

LIMIT_MOVES: Final = 600
"""More moves than a game of 225 points and passes can have; a longer list is no game."""


def colour_of(n: int) -> Colour:
    """Whose turn move `n` is, from 1, where nothing disturbs the order."""
    return BLACK if n % 2 else WHITE


def bare(n: int, point: Point | None, used_ms: int | None = None) -> Move:
    """A move as a file of points gives it: no instants, its colour by the turn."""
    return Move(n=n, point=point, colour=colour_of(n), t_ns=0, used_ms=used_ms)


def in_turn(record: GameRecord, *, passes: bool) -> tuple[Move, ...]:
    """The moves up to the first that such a format cannot hold; `passes`: it has a sign for a pass."""
    held: list[Move] = []
    taken: set[Point] = set()
    for n, move in enumerate(record.moves[:LIMIT_MOVES], 1):
        wrong = move.n != n or move.colour is not colour_of(n) or move.missing or move.point in taken
        if wrong or (move.point is None and not passes):
            break
        if move.point is not None:
            taken.add(move.point)
        held.append(move)
    return tuple(held)


def take(point: Point, taken: set[Point], line: int, move: int) -> None:
    """Add a point to those that are taken; raises RecordError with line and move where it is already."""
    if point in taken:
        raise RecordError(f"{NAMES[point]} is occupied", line=line, move=move)
    taken.add(point)
