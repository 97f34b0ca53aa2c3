"""Points, colours, positions and symmetries of the 15 x 15 board.

A `Point` is an index 0..224 = row * 15 + column; column 0 is A and row 0 is 1, so 0 is A1, the corner at
Black's lower left at the start, 14 is O1, 112 is H8 (tengen), 224 is O15. All letters A..O are used, I
included. Source: competition rules 1.1.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final, Self

from firmware_host.errors import IllegalMove, NotationError

SIZE: Final = 15
POINTS: Final = SIZE * SIZE
LETTERS: Final = "ABCDEFGHIJKLMNO"

Point = int

TENGEN: Final[Point] = 112
STARS: Final[tuple[Point, ...]] = (48, 56, 168, 176)  # D4, L4, D12, L12

_POINT = re.compile(r"([A-Oa-o])([1-9][0-9]?)")
_MOVES = re.compile(r"([A-Za-z])([0-9]+)")
_WRONG: Final = 3
_CELLS = bytes({ord("."): 0, ord("X"): 1, ord("O"): 2}.get(char, _WRONG) for char in range(256))
_TEXT = bytes.maketrans(b"\0\1\2", b".XO")


class Colour(StrEnum):
    """The colour of a stone, and of the side that plays it."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> "Colour":
        """The opponent's colour."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK


BLACK: Final = Colour.BLACK
WHITE: Final = Colour.WHITE


def point(col: int, row: int) -> Point:
    """The point at column and row, each 0..14; raises NotationError outside."""
    if not (0 <= col < SIZE and 0 <= row < SIZE):
        raise NotationError(f"column {col}, row {row} is not on the board; allowed: 0 to 14 each")
    return row * SIZE + col


def col_row(p: Point) -> tuple[int, int]:
    """Column and row of a point, each 0..14."""
    return p % SIZE, p // SIZE


def parse_point(text: str) -> Point:
    """The point of a name such as `H8` or `h8`; raises NotationError."""
    found = _POINT.fullmatch(text.strip())
    if found is None or int(found[2]) > SIZE:
        raise NotationError(f"{text!r} is not a point; allowed: A1 to O15")
    return (int(found[2]) - 1) * SIZE + LETTERS.index(found[1].upper())


def point_name(p: Point) -> str:
    """The name of a point, upper case: 112 -> `H8`."""
    return f"{LETTERS[p % SIZE]}{p // SIZE + 1}"


NAMES: Final[tuple[str, ...]] = tuple(point_name(p) for p in range(POINTS))


def parse_moves(text: str) -> list[Point]:
    """The points of a move list, `h8 i9 j10` or `h8i9j10`, in order; raises NotationError.

    Points may repeat here: whether a move list can be played is for `Position.from_moves`.
    """
    points: list[Point] = []
    at = 0
    text = text.strip()
    while at < len(text):
        if text[at] in " ,\t":
            at += 1
            continue
        found = _MOVES.match(text, at)
        if found is None:
            raise NotationError(
                f"{text[at : at + 8]!r} at character {at + 1} is not a point; allowed: A1 to O15"
            )
        points.append(parse_point(found[0]))
        at = found.end()
    return points


class Position:
    """An immutable set-up of stones: 225 cells, 0 empty, 1 black, 2 white, in point order."""

    __slots__ = ("cells",)
    cells: bytes

    def __init__(self, cells: bytes = bytes(POINTS)) -> None:
        if len(cells) != POINTS or cells.translate(None, b"\0\1\2"):
            raise NotationError(
                f"a position has {POINTS} cells, each 0, 1 or 2; these are {len(cells)} cells"
            )
        self.cells = cells

    @classmethod
    def _of(cls, cells: bytes) -> Self:
        """From cells that are known to be right."""
        position = cls.__new__(cls)
        position.cells = cells
        return position

    @classmethod
    def from_text(cls, text: str) -> Self:
        """From 225 characters, `.` empty, `X` black, `O` white, in point order; raises NotationError."""
        if len(text) != POINTS:
            raise NotationError(f"a position has {POINTS} characters, this one has {len(text)}")
        cells = text.encode("utf-8", "replace").translate(_CELLS)
        if _WRONG in cells:
            n, wrong = next((n, char) for n, char in enumerate(text, 1) if char not in ".XO")
            raise NotationError(
                f"character {n} of the position is {wrong!r}; allowed: . (empty), X (black), O (white)"
            )
        return cls._of(cells)

    @classmethod
    def from_moves(cls, moves: Iterable[Point | None]) -> Self:
        """Black first, alternately; None is a pass. Raises IllegalMove for a point already occupied."""
        cells = bytearray(POINTS)
        for n, p in enumerate(moves):
            if p is None:
                continue
            if cells[p]:
                raise IllegalMove(f"move {n + 1}: {NAMES[p]} is occupied")
            cells[p] = 1 + n % 2
        return cls._of(bytes(cells))

    @classmethod
    def from_stones(cls, stones: Mapping[Point, Colour]) -> Self:
        """From a mapping of point to colour."""
        cells = bytearray(POINTS)
        for p, colour in stones.items():
            cells[p] = 1 if colour is BLACK else 2
        return cls._of(bytes(cells))

    def __getitem__(self, p: Point) -> Colour | None:
        return (None, BLACK, WHITE)[self.cells[p]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash(self.cells)

    def __repr__(self) -> str:
        return f"Position.from_text({self.text()!r})"

    def put(self, p: Point, colour: Colour) -> "Position":
        """With a stone more; raises IllegalMove where one lies already."""
        if self.cells[p]:
            raise IllegalMove(f"{NAMES[p]} is occupied")
        return self._with(p, 1 if colour is BLACK else 2)

    def take(self, p: Point) -> "Position":
        """With the stone on `p` taken away; raises IllegalMove where there is none."""
        if not self.cells[p]:
            raise IllegalMove(f"{NAMES[p]} is empty")
        return self._with(p, 0)

    def _with(self, p: Point, cell: int) -> "Position":
        return self._of(self.cells[:p] + (b"\0", b"\1", b"\2")[cell] + self.cells[p + 1 :])

    def stones(self) -> Iterator[tuple[Point, Colour]]:
        """Each stone with its point, in point order."""
        for p, cell in enumerate(self.cells):
            if cell:
                yield p, BLACK if cell == 1 else WHITE

    def count(self, colour: Colour) -> int:
        """How many stones of a colour lie on the board."""
        return self.cells.count(1 if colour is BLACK else 2)

    def text(self) -> str:
        """225 characters `.XO` in point order; the inverse of `from_text`."""
        return self.cells.translate(_TEXT).decode()

    def diagram(self, marks: Mapping[Point, str] | None = None) -> str:
        """The board as text, row 15 on top, for people; `marks` puts one character on a point."""
        text = self.text()
        lines = []
        for row in reversed(range(SIZE)):
            cells = ((marks or {}).get(row * SIZE + col) or text[row * SIZE + col] for col in range(SIZE))
            lines.append(f"{row + 1:2} {' '.join(cells)}")
        lines.append(f"   {' '.join(LETTERS)}")
        return "\n".join(lines)


def _symmetry(k: int) -> tuple[Point, ...]:
    """Table of the k-th symmetry about tengen: bit 0 mirrors left-right, bits 1-2 turn by quarters."""
    table = []
    for p in range(POINTS):
        col, row = col_row(p)
        if k & 1:
            col = SIZE - 1 - col
        for _ in range(k >> 1):
            col, row = SIZE - 1 - row, col
        table.append(row * SIZE + col)
    return tuple(table)


SYMMETRIES: Final[tuple[tuple[Point, ...], ...]] = tuple(_symmetry(k) for k in range(8))
"""The eight symmetries of the board about H8: `SYMMETRIES[k][p]` is the image of `p`, k = 0 is identity."""
