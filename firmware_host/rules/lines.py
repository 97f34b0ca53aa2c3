"""What a stone makes in one line: five, overline, fours, a three (docs/rules.md, "Lines and shapes").

A *view* is the part of a line that matters to a stone in it: up to five cells on each side, less where the
board ends. Whatever lies further cannot touch a five, a four or a three that the stone belongs to. `VIEWS`
has the views of each point as slices of `Position.cells`: one step reads a line, and a memo knows its shape.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from firmware_host.board import POINTS, SIZE, Point, Position, col_row

DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""Columns and rows from a point to its neighbour: along a row, up a column, rising and falling diagonal."""

REACH: Final = 5

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2

Shape = int
NOTHING: Final[Shape] = 0
FIVE: Final[Shape] = 1
OVERLINE: Final[Shape] = 2
FOUR: Final[Shape] = 3
TWO_FOURS: Final[Shape] = 4
THREE: Final[Shape] = 5
"""A three is `THREE` or more: which number tells its extensions."""

EXTENSIONS: Final[tuple[tuple[int, ...], ...]] = (
    *((),) * THREE,
    *((steps,) for steps in (-3, -2, -1, 1, 2, 3)),
    *((steps, steps + 4) for steps in (-3, -2, -1)),
)
"""By shape, how many steps from the new stone one more makes the three a straight four."""


def shape_of(line: bytes, new: int) -> Shape:
    """What a black stone on the cell `new` makes in a line of cells (0 empty, 1 black, 2 white).

    Fours are counted as sets of four stones: a straight four is one, although two points complete it, and
    `X.XXX.X` holds two. One line never holds two threes, nor a four and a three, with the same new stone.
    Source: competition rules 2.4 to 2.8, 2.19.
    """
    cells = bytearray(line)
    cells[new] = BLACK
    first, last = _row(cells, new)
    length = last - first + 1
    if length >= 5:
        return FIVE if length == 5 else OVERLINE
    fives: list[int] = []
    extensions: list[int] = []
    for end in (first - 1, last + 1):  # a further stone joins the new one's row only there
        if not _is_empty(cells, end):
            continue
        cells[end] = BLACK
        start, stop = _row(cells, new)
        if stop - start + 1 == 5:
            fives.append(end)
        elif stop - start + 1 == 4 and _makes_five(cells, start - 1) and _makes_five(cells, stop + 1):
            extensions.append(end - new)
        cells[end] = EMPTY
    if fives:
        return TWO_FOURS if len(fives) == 2 and length < 4 else FOUR
    return EXTENSIONS.index(tuple(extensions), THREE) if extensions else NOTHING


def _row(cells: bytearray, at: int) -> tuple[int, int]:
    """First and last cell of the unbroken black row through `at`."""
    first = last = at
    while first > 0 and cells[first - 1] == BLACK:
        first -= 1
    while last < len(cells) - 1 and cells[last + 1] == BLACK:
        last += 1
    return first, last


def _is_empty(cells: bytearray, at: int) -> bool:
    return 0 <= at < len(cells) and cells[at] == EMPTY


def _makes_five(cells: bytearray, at: int) -> bool:
    """Whether a stone on `at` makes exactly five."""
    if not _is_empty(cells, at):
        return False
    first, last = _row(cells, at)
    return last - first + 1 == 5


class Shapes(dict[bytes, Shape]):
    """Memo of `shape_of` for lines with so many cells before the new stone; that cell itself is empty.

    There are 132,354 such lines for all memos together: 13 MB at most. Thousands of games hold a fifth. White
    ends a line, so those with white take their shape from the part between: `shape_of` is asked 4,000 times
    at most.
    """

    def __init__(self, before: int) -> None:
        self.before = before

    def __missing__(self, line: bytes) -> Shape:
        first = line.rfind(WHITE, 0, self.before) + 1
        stop = line.find(WHITE, self.before)
        between = line[first : stop if stop >= 0 else len(line)]
        if len(between) < 5:
            shape = NOTHING
        elif len(between) < len(line):
            shape = SHAPES[self.before - first][between]
        else:
            shape = shape_of(line, self.before)
        self[line] = shape
        return shape


SHAPES: Final = tuple(Shapes(before) for before in range(REACH + 1))


class View(NamedTuple):
    """One line through a point: the distance of its cells in `Position.cells`, where they are, the memo."""

    step: int
    cells: slice
    shapes: Shapes


def _views(p: Point) -> Iterator[View]:
    for across, up in DIRECTIONS:
        step = up * SIZE + across
        before, after = _cells_beyond(p, -across, -up), _cells_beyond(p, across, up)
        if before + 1 + after >= 5:
            yield View(step, slice(p - before * step, p + after * step + 1, step), SHAPES[before])


def _cells_beyond(p: Point, across: int, up: int) -> int:
    """How many points lie beyond `p` in one direction, counted up to REACH."""
    col, row = col_row(p)
    return next(
        n
        for n in range(REACH + 1)
        if n == REACH or not (0 <= col + (n + 1) * across < SIZE and 0 <= row + (n + 1) * up < SIZE)
    )


VIEWS: Final = tuple(tuple(_views(p)) for p in range(POINTS))
"""By point, the lines through it that have room for five."""


def five_line(
    position: Position, p: Point, overline: Literal["exact", "wins"] | None = None
) -> tuple[Point, ...] | None:
    """The row that wins by the stone that lies on `p`, whole and in point order; None if there is none.

    `overline` says whether more than five in a row wins too ("wins") or only five does ("exact"); None is
    renju: exact for Black, wins for White. An empty `p` has no row.
    Source: competition rules 2.7, 2.8; general rules, preface and 2.
    """
    cell = position.cells[p]
    if not cell:
        return None
    longest = 5 if (overline or ("exact" if cell == BLACK else "wins")) == "exact" else SIZE
    for across, up in DIRECTIONS:
        row = [p, *_alike(position, p, across, up), *_alike(position, p, -across, -up)]
        if 5 <= len(row) <= longest:
            return tuple(sorted(row))
    return None


def _alike(position: Position, p: Point, across: int, up: int) -> Iterator[Point]:
    """The unbroken row of stones of the same colour that goes on from `p` in one direction."""
    col, row = col_row(p)
    col, row = col + across, row + up
    while 0 <= col < SIZE and 0 <= row < SIZE and position.cells[row * SIZE + col] == position.cells[p]:
        yield row * SIZE + col
        col, row = col + across, row + up
