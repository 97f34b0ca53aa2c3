"""The list of moves of a score sheet: number, point, time used, time left, in ruled columns.

Black's odd numbers stand in a ring and White's are plain [competition rules 7]. There are three grids, and
the widest that holds the game is taken: a short game has large rows, 225 moves still fit.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from firmware_host.board import BLACK, NAMES
from firmware_host.record.drawing import (
    CAPITALS,
    HAIR,
    INK,
    SOFT,
    Box,
    Command,
    Line,
    Text,
    shorten,
    text_width,
)
from firmware_host.record.game import GameRecord
from firmware_host.record.values import Move

HEAD: Final = 4.6
"""Room for the words above the columns, in mm."""

GAP: Final = 4.0
"""Between two columns, in mm."""


class Grid(NamedTuple):
    """How many moves fit: columns and rows; a rule after every so many rows.

    `pitch` is that of the diagram that goes with it, across, in mm.
    """

    columns: int
    rows: int
    rules: int
    pitch: float


GRIDS: Final = (Grid(4, 15, 1, 7.68), Grid(5, 24, 1, 7.2), Grid(6, 38, 2, 6.72))


def grid_of(moves: int) -> Grid:
    """The grid that holds so many moves."""
    return next((grid for grid in GRIDS if grid.columns * grid.rows >= moves), GRIDS[-1])


def time_text(ms: int | None, *, up: bool = False) -> str:
    """`4:07` or `1:04:07`; rounded up for what is left, as on the faces, and down for what is used."""
    if ms is None:
        return ""
    seconds = -(-ms // 1000) if up else ms // 1000
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def draw_list(
    record: GameRecord,
    words: Mapping[str, str],
    box: tuple[float, float, float, float],
    grid: Grid,
    *,
    blank: bool = False,
) -> Iterator[Command]:
    """The list in a box of x, y, width and height; `blank`: the numbers alone, to be written beside."""
    x, y, w, h = box
    wide = (w - GAP * (grid.columns - 1)) / grid.columns
    step = (h - HEAD) / grid.rows
    size = min(3.3, step * 0.81)
    moves: dict[int, Move | None] = {move.n: move for move in record.moves}
    if blank:
        moves = dict.fromkeys(range(1, grid.columns * grid.rows + 1))
    changed = {change.n for change in record.corrections}
    for column in range(grid.columns):
        left = x + column * (wide + GAP)
        yield from _head(words, left, wide, y)
        yield Line(left, y + HEAD, left + wide, y + HEAD, 0.3, SOFT)
        for row in range(grid.rules, grid.rows + 1, grid.rules):
            low = y + HEAD + row * step
            yield Line(left, low, left + wide, low, 0.1, HAIR)
    for i, (n, move) in enumerate(moves.items()):
        column, row = divmod(i, grid.rows)
        if column >= grid.columns:
            break
        left = x + column * (wide + GAP)
        middle = y + HEAD + (row + 0.5) * step
        black = move.colour is BLACK if move else n % 2 == 1
        yield from _number(n, black, left, middle, size, step)
        if move:
            yield from _row(move, words, left, wide, middle, size, mark="*" if n in changed else "")


def _places(left: float, wide: float) -> tuple[float, float, float]:
    """Where the point begins, and where the times end."""
    return left + wide * 0.225, left + wide * 0.69, left + wide


def _head(words: Mapping[str, str], left: float, wide: float, y: float) -> Iterator[Command]:
    point, used, right = _places(left, wide)
    size, low = 2.0, y + HEAD - 1.4
    yield Text(x=left, y=low, text=shorten(words["sheet.no"], size, wide * 0.21), size=size, colour=SOFT)
    yield Text(x=point, y=low, text=shorten(words["sheet.point"], size, wide * 0.24), size=size, colour=SOFT)
    for at, key in ((used, "sheet.used"), (right, "sheet.left")):
        text = shorten(words[key], size, wide * 0.3)
        yield Text(x=at, y=low, text=text, size=size, anchor="end", colour=SOFT)


def _number(n: int, black: bool, left: float, middle: float, size: float, step: float) -> Iterator[Command]:
    text = str(n)
    high = min(step * 0.84, size * 1.36)
    wide = max(high, text_width(text, size * 0.9) + high * 0.42)
    centre = left + max(high, text_width("225", size * 0.9) + high * 0.42) / 2
    if black:
        corner = centre - wide / 2, middle - high / 2
        yield Box(x=corner[0], y=corner[1], w=wide, h=high, round=high / 2, width=0.16)
    small = size * 0.9
    yield Text(x=centre, y=middle + small * CAPITALS / 2, text=text, size=small, anchor="middle")


def _row(
    move: Move, words: Mapping[str, str], left: float, wide: float, middle: float, size: float, mark: str
) -> Iterator[Command]:
    point, used, right = _places(left, wide)
    low = middle + size * CAPITALS / 2
    if move.point is not None:
        yield Text(x=point, y=low, text=NAMES[move.point] + mark, size=size)
    else:
        text = words["sheet.unseen" if move.missing else "sheet.pass"] + mark
        yield Text(x=point, y=low, text=shorten(text, size * 0.9, wide * 0.27), size=size * 0.9)
    for at, text in ((used, time_text(move.used_ms)), (right, time_text(move.left_ms, up=True))):
        if text:
            colour = SOFT if at == right else INK
            yield Text(x=at, y=low, text=text, size=size * 0.9, anchor="end", colour=colour)
