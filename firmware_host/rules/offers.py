"""Fifth-move offers of the same shape (docs/rules.md, "Openings"). Source: competition rules 2.10."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from firmware_host.board import Point, Position, col_row

_TURNS: Final = (
    (1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0),
    (-1, 0, 0, 1), (1, 0, 0, -1), (0, 1, 1, 0), (0, -1, -1, 0),
)  # fmt: skip
"""The four turns and the four mirrorings of the grid about its origin, (a, b, c, d): (ax + by, cx + dy)."""


def offers_symmetric(position: Position, points: Sequence[Point]) -> tuple[Point, Point] | None:
    """The first two of the offered points that are the same shape, None if all differ.

    `position` holds the stones before the offers: four, in the procedures that have offers; one at least.
    Two offers are the same if an isometry of the grid (a turn or mirroring about any centre or axis, through
    points or between them) takes the stones onto themselves, colour by colour, and one offer onto the other.
    The board's edge plays no part, but an image off the board is no point.
    """
    images = list(_isometries(position))
    for first, second in combinations(points, 2):
        if any(image(col_row(first)) == col_row(second) for image in images):
            return first, second
    return None


Place = tuple[int, int]


def _isometries(position: Position) -> Iterator[Callable[[Place], Place]]:
    """The isometries of the grid under which the stones look the same."""
    stones = {col_row(p): colour for p, colour in position.stones()}
    n = len(stones)
    sum_x, sum_y = (sum(axis) for axis in zip(*stones, strict=True))
    for a, b, c, d in _TURNS:
        # The stones' centre of gravity is fixed, so there is one shift at most that fits a turn.
        shift_x, left_x = divmod(sum_x - a * sum_x - b * sum_y, n)
        shift_y, left_y = divmod(sum_y - c * sum_x - d * sum_y, n)
        if left_x or left_y:
            continue

        def image(place: Place, m: tuple[int, ...] = (a, b, shift_x, c, d, shift_y)) -> Place:
            x, y = place
            return m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]

        if {image(place): colour for place, colour in stones.items()} == stones:
            yield image
