"""Fifth-move offers of the same shape (docs/rules.md, "Openings"). Source: competition rules 2.10."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from firmware_host.board import Point, Position, col_row

_TURNS: Final = (
    (1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0),
    (-1, 0, 0, 1), (1, 0, 0, -1), (0, 1, 1, 0), (0, -1, -1, 0),
)  # fmt: skip
"""The four turns and the four mirrorings about A1: (a, b, c, d) takes (x, y) to (ax + by, cx + dy)."""

_Place = tuple[int, int]
_Isometry = tuple[int, int, int, int, int, int]


def offers_symmetric(position: Position, points: Sequence[Point]) -> tuple[Point, Point] | None:
    """The first two of the offered points that are the same shape, None if all differ.

    `position` holds the stones before the offers: four, in the procedures that have offers; one at least.
    Two offers are the same if an isometry of the grid (a turn or mirroring about any centre or axis, through
    points or between them) takes the stones onto themselves, colour by colour, and one offer onto the other.
    The board's edge plays no part, but an image off the board is no point.
    """
    stones = {col_row(p): colour for p, colour in position.stones()}
    isometries = [
        isometry
        for isometry in _keeping_the_middle(list(stones))
        if {_image(isometry, place): colour for place, colour in stones.items()} == stones
    ]
    for first, second in combinations(points, 2):
        if any(_image(isometry, col_row(first)) == col_row(second) for isometry in isometries):
            return first, second
    return None


def _keeping_the_middle(places: list[_Place]) -> list[_Isometry]:
    """By turn, the one shift that could take the places onto themselves: it keeps their centre of gravity."""
    n = len(places)
    x, y = (sum(axis) for axis in zip(*places, strict=True))
    return [(a, b, (x - a * x - b * y) // n, c, d, (y - c * x - d * y) // n) for a, b, c, d in _TURNS]


def _image(isometry: _Isometry, place: _Place) -> _Place:
    a, b, right, c, d, up = isometry
    x, y = place
    return a * x + b * y + right, c * x + d * y + up
