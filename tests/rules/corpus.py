"""Positions in which much is nearly forbidden: threes about common points, crowds, crowds at the edge.

`nested` sets out a chain of empty points, each a few steps from the last along a line, and about each of
them pairs of black stones that a stone there would make threes: so each hangs on the next.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from firmware_host.board import BLACK, POINTS, SIZE, WHITE, Position

Place = tuple[int, int]

WAYS: Final = ((1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1))
PAIRS: Final = ((1, 2), (-1, 1), (1, 3), (2, 3), (-1, 2), (-2, 1), (-1, -2), (-2, -3))
KINDS: Final = ("nested", "thin", "edge", "dense", "full")


def nested(start: Place, links: Iterable[tuple[Place, int, Iterable[tuple[Place, Place]]]]) -> Position:
    """From `start` each link goes a number of steps along a way, and has ways with a pair of steps each."""
    chain = [start]
    stones: set[Place] = set()
    for way, steps, threes in links:
        x, y = chain[-1]
        for (across, up), pair in threes:
            stones |= {(x + across * n, y + up * n) for n in pair}
        chain.append((x + way[0] * steps, y + way[1] * steps))
    return Position.from_stones(
        {y * SIZE + x: BLACK for x, y in stones - set(chain) if 0 <= x < SIZE and 0 <= y < SIZE}
    )


def crowd(left: int, low: int, side: int, cells: str) -> Position:
    """A square of the board filled with `.XO`, row by row from below, the rest empty."""
    text = ["."] * POINTS
    for i, cell in enumerate(cells[: side * side]):
        text[(low + i // side) * SIZE + left + i % side] = cell
    return Position.from_text("".join(text))


def corpus(each: int) -> Iterator[Position]:
    """The same positions every time, `each` of every kind."""
    chance = Random(15)  # noqa: S311

    def below(n: int) -> int:
        return int(chance.random() * n)

    def mixed(side: int, black: float, white: float) -> str:
        drawn = (chance.random() for _ in range(side * side))
        return "".join("X" if r < black else "O" if r < black + white else "." for r in drawn)

    for n in range(each * len(KINDS)):
        kind = KINDS[n % len(KINDS)]
        if kind == "nested":
            links = [
                (
                    WAYS[below(8)],
                    1 + below(3),
                    [(WAYS[below(4)], PAIRS[below(8)]) for _ in range(2 + below(2))],
                )
                for _ in range(2 + below(6))
            ]
            position = nested((3 + below(9), 3 + below(9)), links)
            for _ in range(below(5)):
                p = below(POINTS)
                position = position if position.cells[p] else position.put(p, WHITE)
            yield position
        elif kind == "thin":
            yield crowd(0, 0, SIZE, mixed(SIZE, 0.1 + 0.1 * chance.random(), 0.1 * chance.random()))
        elif kind == "edge":
            left, low = below(2) * 8, below(2) * 8
            yield crowd(left, low, 7, mixed(7, 0.2 + 0.2 * chance.random(), 0.1 * chance.random()))
        elif kind == "dense":
            yield crowd(0, 0, SIZE, mixed(SIZE, 0.3, 0.1 + 0.2 * chance.random()))
        else:
            yield crowd(0, 0, SIZE, mixed(SIZE, 0.45, 0.4))
