"""Which points lie beside which, and the lines that share a wire."""

from typing import Final

from firmware_host.board import LETTERS, POINTS, SIZE, Point, col_row

Line = tuple[str, tuple[Point, ...]]


def _near(reach: int) -> tuple[tuple[Point, ...], ...]:
    """For each point the others at most `reach` columns and ranks away."""
    table = []
    for p in range(POINTS):
        col, row = col_row(p)
        table.append(
            tuple(
                r * SIZE + c
                for r in range(max(0, row - reach), min(SIZE, row + reach + 1))
                for c in range(max(0, col - reach), min(SIZE, col + reach + 1))
                if (c, r) != (col, row)
            )
        )
    return tuple(table)


NEIGHBOURS: Final = _near(1)
"""The 3, 5 or 8 points beside a point, diagonal ones too."""

LINES: Final[tuple[Line, ...]] = (
    *((str(row + 1), tuple(row * SIZE + col for col in range(SIZE))) for row in range(SIZE)),
    *((LETTERS[col], tuple(row * SIZE + col for row in range(SIZE))) for col in range(SIZE)),
)
"""Ranks `1`..`15`, then files `A`..`O`, each with its 15 points."""

LINE_POINTS: Final[dict[str, tuple[Point, ...]]] = dict(LINES)


def between(p: Point, q: Point) -> Point | None:
    """The point halfway from `p` to `q` where they are two steps apart in a straight line, else None."""
    (a, b), (c, d) = col_row(p), col_row(q)
    if max(abs(a - c), abs(b - d)) == 2 and (a - c) % 2 == 0 and (b - d) % 2 == 0:
        return (b + d) // 2 * SIZE + (a + c) // 2
    return None
