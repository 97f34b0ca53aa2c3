"""Forbidden moves of Black: overline, double four, double three (docs/rules.md, "Forbidden moves").

`_verdict` judges one point: it is the definition itself, on one view of each line through it. For the
whole board `_sieve`, a few operations on whole-board bit sets, first throws out the points that cannot be
forbidden; it never decides anything.
Source: competition rules 2.19; general rules 5 and note 3 (five beats every forbidden move).
"""

import struct
from typing import Final, Literal

from firmware_host.board import NAMES, POINTS, SIZE, Point, Position
from firmware_host.errors import IllegalMove
from firmware_host.rules.lines import DIRECTIONS, EXTENSIONS, FIVE, FOUR, NOTHING, OVERLINE, THREE, VIEWS

ForbiddenKind = Literal["overline", "double-four", "double-three"]
Verdict = Literal["legal", "five"] | ForbiddenKind


def forbidden_at(position: Position, p: Point) -> ForbiddenKind | None:
    """Why Black may not play on the empty point `p`, None if he may; raises IllegalMove on a stone.

    The kind is the first of overline, double-four, double-three that holds. A stone that makes exactly five
    in any line is never forbidden.
    """
    if position.cells[p]:
        raise IllegalMove(f"{NAMES[p]} is occupied")
    verdict = _verdict(position.cells, p)
    return None if verdict == "legal" or verdict == "five" else verdict


def forbidden_points(position: Position) -> dict[Point, ForbiddenKind]:
    """Every empty point where Black may not play, with the kind, in point order (A1, B1 .. O15)."""
    found: dict[Point, ForbiddenKind] = {}
    left = _sieve(position.cells)
    while left:
        bit = left.bit_length() - 1
        left ^= 1 << bit
        p = _POINT_OF_BIT[bit]
        verdict = _verdict(position.cells, p)
        if verdict != "legal" and verdict != "five":
            found[p] = verdict
    return found


def _verdict(cells: bytes, p: Point) -> Verdict:
    """What a black stone on the empty point `p` would be.

    A three counts only if one of its extensions is legal with the stone down. That is this very question on
    a board with one empty point less: so it ends.
    """
    overline = False
    fours = 0
    threes: list[tuple[int, int]] = []
    for step, line, shapes in VIEWS[p]:
        shape = shapes[cells[line]]
        if shape == NOTHING:
            continue
        if shape >= THREE:
            threes.append((step, shape))
        elif shape == FIVE:
            return "five"
        elif shape == OVERLINE:
            overline = True
        else:
            fours += 1 if shape == FOUR else 2
    if overline:
        return "overline"
    if fours >= 2:
        return "double-four"
    if len(threes) >= 2:
        after = cells[:p] + b"\1" + cells[p + 1 :]
        spare = len(threes) - 2
        for step, shape in threes:
            if all(_verdict(after, p + step * steps) != "legal" for steps in EXTENSIONS[shape]):
                spare -= 1
                if spare < 0:
                    return "legal"
        return "double-three"
    return "legal"


_WIDTH: Final = SIZE + 1
_STEPS: Final = tuple(up * _WIDTH + across for across, up in DIRECTIONS)
_rows = struct.Struct(f"{SIZE}s" * SIZE).unpack
_BLACK: Final = bytes.maketrans(b"\0\1\2", b"010")
_OPEN: Final = bytes.maketrans(b"\0\1\2", b"110")
_POINT_OF_BIT: Final = {SIZE * _WIDTH - 2 - (p // SIZE * _WIDTH + p % SIZE): p for p in range(POINTS)}


def _sieve(cells: bytes) -> int:
    """The points, as bits, that could be forbidden: a superset by three necessary conditions.

    Overlines and fours lie in windows of five cells without white that hold three or more black stones: an
    overline in one with four or more, a double four in two. A double three lies in two directions, each with
    a window of four without white, two or more black stones in it and an empty cell on either side.

    The board is read as a binary number with A1 at its highest bit and a 0 between two rows, which keeps
    lines from going round the edge; neighbours in a line are the same step apart everywhere.
    """
    rows = b"\2".join(_rows(cells))
    black = int(rows.translate(_BLACK), 2)
    open_ = int(rows.translate(_OPEN), 2)
    empty = open_ ^ black
    in_three = in_threes = in_four = in_fours = in_five = 0
    for step in _STEPS:
        # Bit i of each number speaks of the cells from i on: of two of them, then of four, then of five.
        next_ = black >> step
        one, both = black ^ next_, black & next_
        one_, both_ = one >> 2 * step, both >> 2 * step
        open2 = open_ & open_ >> step
        open4 = open2 & open2 >> 2 * step
        two_of_4 = open4 & (both | both_ | one & one_)
        if not two_of_4:
            continue
        three = two_of_4 & empty << step & empty >> 4 * step
        if three:
            three |= three << step
            three |= three << 2 * step
            in_threes |= in_three & three
            in_three |= three
        fifth = black >> 4 * step
        three_of_4 = both & (one_ | both_) | one & both_
        four = (three_of_4 | two_of_4 & fifth) & open4 & open_ >> 4 * step
        if four:
            five = four & (both & both_ | three_of_4 & fifth)
            for _ in range(5):
                in_fours |= in_four & four
                in_four |= four
                in_five |= five
                four <<= step
                five <<= step
    return empty & (in_threes | in_fours | in_five)
