"""The diagram of a score sheet: the board to its proportions, numbered stones, offers as dashed circles.

The pitch of the board is 24 mm across and 25 mm along [competition rules 1.1], and so is the diagram's.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from firmware_host.board import BLACK, LETTERS, SIZE, STARS, TENGEN, Point, col_row
from firmware_host.record.drawing import CAPITALS, INK, PAPER, SOFT, Circle, Command, Line, Text
from firmware_host.record.game import GameRecord
from firmware_host.record.values import Move

ALONG: Final = 25 / 24
STONE: Final = 0.93
"""The diameter of a stone over the pitch across; 20 to 23 mm at a pitch of 24 mm [competition rules 1.2]."""

NUMBERS: Final = 4.4
"""Room for the numbers at the left and the letters below, in mm."""

DIGITS: Final = (0.56, 0.56, 0.5, 0.4)
"""The size of a move's number over the stone's diameter, by its count of digits."""


class Diagram(msgspec.Struct, frozen=True, kw_only=True):
    """Where a diagram stands: the upper left corner of all of it, and its pitch across, in mm."""

    x: float
    y: float
    pitch: float

    @property
    def width(self) -> float:
        """All of it, with the numbers at its left."""
        return NUMBERS + SIZE * self.pitch

    @property
    def height(self) -> float:
        """All of it, with the letters below."""
        return NUMBERS + SIZE * self.pitch * ALONG

    def at(self, p: Point) -> tuple[float, float]:
        """The middle of a point; A1 is the lower left."""
        col, row = col_row(p)
        along = self.pitch * ALONG
        return self.x + NUMBERS + (col + 0.5) * self.pitch, self.y + (SIZE - 1 - row + 0.5) * along


def pitch_of(width: float) -> float:
    """The pitch across of a diagram that is `width` mm wide."""
    return (width - NUMBERS) / SIZE


def letter(i: int) -> str:
    """The letter of offer `i` from 0: a to z, then aa, ab and so on."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[i] if i < len(letters) else letter(i // len(letters) - 1) + letters[i % len(letters)]


def draw_board(diagram: Diagram) -> Iterator[Command]:
    """Lines, star points, letters and numbers."""
    for i in range(SIZE):
        width = 0.4 if i in (0, SIZE - 1) else 0.15
        x, low = diagram.at(i)
        _, high = diagram.at(SIZE * (SIZE - 1) + i)
        yield Line(x, low, x, high, width)
        left, y = diagram.at(SIZE * i)
        right, _ = diagram.at(SIZE * i + SIZE - 1)
        yield Line(left, y, right, y, width)
    for p in (TENGEN, *STARS):
        x, y = diagram.at(p)
        yield Circle(x=x, y=y, r=diagram.pitch * 0.07, width=0, fill=INK)
    size = min(2.7, diagram.pitch * 0.4)
    for i in range(SIZE):
        x, _ = diagram.at(i)
        low = diagram.y + diagram.height - 0.9
        yield Text(x=x, y=low, text=LETTERS[i], size=size, anchor="middle", colour=SOFT)
        _, y = diagram.at(SIZE * i)
        middle = y + size * CAPITALS / 2
        yield Text(x=diagram.x + 3.4, y=middle, text=str(i + 1), size=size, anchor="end", colour=SOFT)


def draw_stones(diagram: Diagram, record: GameRecord, first: int = 1, last: int = 225) -> Iterator[Command]:
    """The stones up to move `last`, with their numbers from move `first` on; earlier ones are plain."""
    for move in record.moves:
        if move.point is not None and move.n <= last:
            yield from _stone(diagram, move, move.point, numbered=move.n >= first)
    if first <= record.fifth <= last:
        yield from _offers(diagram, record)


def _stone(diagram: Diagram, move: Move, p: Point, *, numbered: bool) -> Iterator[Command]:
    x, y = diagram.at(p)
    diameter = diagram.pitch * STONE
    black = move.colour is BLACK
    yield Circle(x=x, y=y, r=diameter / 2 - 0.1, width=0.2, fill=INK if black else PAPER)
    if numbered:
        text = str(move.n)
        size = diameter * DIGITS[min(len(text), 3)]
        yield Text(
            x=x,
            y=y + size * CAPITALS / 2,
            text=text,
            size=size,
            anchor="middle",
            weight="bold" if black else "regular",
            colour=PAPER if black else INK,
        )


def _offers(diagram: Diagram, record: GameRecord) -> Iterator[Command]:
    """The fifth stones on offer that did not stay, or all of them while none is chosen."""
    taken = {move.point for move in record.moves}
    for i, p in enumerate(record.offers):
        if p in taken:
            continue
        x, y = diagram.at(p)
        diameter = diagram.pitch * STONE
        size = diameter * 0.54
        yield Circle(x=x, y=y, r=diameter / 2 - 0.1, width=0.25, fill=PAPER, dashed=True)
        low = y + size * 0.27
        yield Text(x=x, y=low, text=letter(i), size=size, anchor="middle")
