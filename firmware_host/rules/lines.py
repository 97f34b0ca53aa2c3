"""What one line through a point holds: five, overline, fours, a three (docs/rules.md, "Shapes").

Two views of the board serve the rules. A *padded board* is 432 cells, `0` empty, `1` black, `2` white or off
the board: 16 cells a row (the last is always off the board), six rows off the board before and after. Every
line is then a slice with one of the four `STEPS`. A *window* is the 11 cells of a line about a point, five on
each side: whatever lies further cannot touch a five, four or three that the stone in the middle belongs to.
"""

import struct
from typing import Final, Literal

from firmware_host.board import POINTS, SIZE, Point, Position, col_row, point

DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""Columns and rows from a point to its neighbour: along a row, up a column, rising and falling diagonal."""

WIDTH: Final = SIZE + 1
STEPS: Final = tuple(up * WIDTH + across for across, up in DIRECTIONS)
"""The same steps in a padded board."""

EMPTY: Final = 0
BLACK: Final = 1
OFF: Final = b"\2"

_PAD: Final = OFF * (6 * WIDTH)
CELL_OF: Final = tuple(len(_PAD) + p // SIZE * WIDTH + p % SIZE for p in range(POINTS))
"""Where each point lies in the padded board."""

_rows = struct.Struct(f"{SIZE}s" * SIZE).unpack

Shape = int
NOTHING: Final[Shape] = 0
FIVE: Final[Shape] = 1
OVERLINE: Final[Shape] = 2
FOUR: Final[Shape] = 3
TWO_FOURS: Final[Shape] = 4
THREE: Final[Shape] = 5
"""A three is `THREE` and more: what is more tells its extensions, see `EXTENSIONS`."""

EXTENSIONS: Final[tuple[tuple[int, ...], ...]] = (
    *((),) * THREE,
    *((a,) for a in (-3, -2, -1, 1, 2, 3)),
    (-3, 1),
    (-2, 2),
    (-1, 3),
)
"""By shape, the places (steps from the middle) where one more stone makes the three a straight four."""

MIDDLE: Final = 5


def joined(position: Position) -> bytes:
    """The 15 rows with a cell off the board between each two: 239 cells."""
    return OFF.join(_rows(position.cells))


def padded(rows: bytes) -> bytes:
    """The padded board of rows joined by `joined`."""
    return _PAD + rows + OFF + _PAD


def shape_of(window: bytes) -> Shape:
    """What a black stone in the middle of an 11-cell window makes in this line; the middle cell is ignored.

    Fours are counted as sets of four stones: a straight four is one four although two points complete it, and
    `X.XXX.X` holds two. One line never holds two threes, nor a four and a three, with the same new stone: see
    docs/rules.md. Source: competition rules 2.4-2.8, 2.19.
    """
    line = bytearray(window)
    line[MIDDLE] = BLACK
    first, last = _run(line)
    if last - first >= 4:
        return FIVE if last - first == 4 else OVERLINE
    completions: list[int] = []
    extensions: list[int] = []
    for at in (first - 1, last + 1):  # only the nearest empty cells can join the middle's run
        if line[at] != EMPTY:
            continue
        line[at] = BLACK
        start, end = _run(line)
        if end - start == 4:
            completions.append(at)
        elif end - start == 3 and _makes_five(line, start - 1) and _makes_five(line, end + 1):
            extensions.append(at - MIDDLE)
        line[at] = EMPTY
    if completions:
        return TWO_FOURS if len(completions) == 2 and last - first < 3 else FOUR
    return EXTENSIONS.index(tuple(extensions), THREE) if extensions else NOTHING


def _run(line: bytearray) -> tuple[int, int]:
    """First and last cell of the run of black stones through the middle."""
    first = last = MIDDLE
    while first > 0 and line[first - 1] == BLACK:
        first -= 1
    while last < 2 * MIDDLE and line[last + 1] == BLACK:
        last += 1
    return first, last


def _makes_five(line: bytearray, at: int) -> bool:
    """Whether a stone on the empty end `at` of a run of four makes exactly five."""
    if line[at] != EMPTY:
        return False
    line[at] = BLACK
    first, last = _run(line)
    line[at] = EMPTY
    return last - first == 4


class _Shapes(dict[bytes, Shape]):
    """Memo of `shape_of`. Only windows about an empty cell are asked: at most 3 ** 10 of them, 6 MB."""

    def __missing__(self, window: bytes) -> Shape:
        shape = self[window] = shape_of(window)
        return shape


SHAPES: Final = _Shapes()


def five_line(
    position: Position, p: Point, overline: Literal["exact", "wins"] | None = None
) -> tuple[Point, ...] | None:
    """The row that wins by the stone that lies on `p`, whole and in point order; None if there is none.

    `overline` says whether more than five in a row wins too ("wins") or only five does ("exact"); None is
    renju: exact for Black, wins for White. An empty `p` has no row.
    Source: competition rules 2.7, 2.8; general rules, preface and 2.
    """
    cells = position.cells
    cell = cells[p]
    if not cell:
        return None
    longest = 5 if (overline or ("exact" if cell == BLACK else "wins")) == "exact" else SIZE
    for step in DIRECTIONS:
        row = [p]
        for across, up in (step, (-step[0], -step[1])):
            col, line = col_row(p)
            col, line = col + across, line + up
            while 0 <= col < SIZE and 0 <= line < SIZE and cells[point(col, line)] == cell:
                row.append(point(col, line))
                col, line = col + across, line + up
        if 5 <= len(row) <= longest:
            return tuple(sorted(row))
    return None
