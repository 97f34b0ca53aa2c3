from itertools import product
from sys import getsizeof

import pytest

from firmware_host.board import NAMES, POINTS, SYMMETRIES, Colour, Position, parse_moves, parse_point
from firmware_host.rules import five_line
from firmware_host.rules.lines import (
    EXTENSIONS,
    FIVE,
    FOUR,
    NOTHING,
    OVERLINE,
    REACH,
    SHAPES,
    THREE,
    TWO_FOURS,
    shape_of,
)


def window(text: str) -> bytes:
    """The 11 cells about the new stone `*`, `.XO`; what is not written is empty."""
    middle = text.index("*")
    whole = "." * (5 - middle) + text
    whole += "." * (11 - len(whole))
    return whole.replace("*", ".").translate({ord("."): "\0", ord("X"): "\1", ord("O"): "\2"}).encode()


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("XXXX*", FIVE),
        ("XX*XX", FIVE),
        ("OXX*XXO", FIVE),
        ("X.XX*XX.X", FIVE),
        ("XXX*XX", OVERLINE),
        ("XXXXX*", OVERLINE),
        ("XXXXX*XXXXX", OVERLINE),
        ("XXX*", FOUR),
        ("OXXX*", FOUR),
        ("OXXX*O", NOTHING),
        ("XX.*X", FOUR),
        ("OX.XX*O", FOUR),
        ("OXX*X.XO", NOTHING),  # the last stone would make six
        ("X.XX*X.X", NOTHING),  # both ends would make six
        ("X.XX*X", FOUR),  # one end makes six, the other five
        ("X.X*X.X", TWO_FOURS),
        ("XX.*X.XX", TWO_FOURS),
        ("XX.X*.XX", TWO_FOURS),
        ("XXX.*.XXX", TWO_FOURS),
        ("XXX.*.XX", FOUR),  # on the right it would be four stones only
        ("X.X*X.XX", FOUR),  # one more on the right makes six
        ("X.X*X.XO", TWO_FOURS),
        ("OX.X*X.XO", TWO_FOURS),
        ("XX*", THREE),
        ("X*", NOTHING),
        ("OXX*", NOTHING),
        ("OXX*.O", NOTHING),
        ("OXX*..", NOTHING),
        ("O.XX*.O", NOTHING),
        ("O.XX*..O", THREE),
        ("X..XX*..X", NOTHING),
        ("X..XX*...", THREE),
        ("X.XX*..", FOUR),
        ("X.X*", THREE),
        ("O.X.X*.O", THREE),
        ("OX.X*.", NOTHING),
        ("X.X*.X", NOTHING),  # straight at neither place: six at one end,
    ],
)
def test_shapes_in_one_line(text: str, shape: int) -> None:
    for side in (text, text[::-1]):
        found = shape_of(window(side), 5)
        assert min(found, THREE) == shape, side


@pytest.mark.parametrize(
    ("text", "extensions"),
    [
        ("XX*", (-3, 1)),
        ("X*X", (-2, 2)),
        ("OXX*", ()),
        ("O.XX*", (1,)),
        ("XX.*", (-1,)),
        ("X.X*", (-2,)),
        ("X*.X", (1,)),
        ("X..XX*..", (1,)),
    ],
)
def test_where_a_three_becomes_a_straight_four(text: str, extensions: tuple[int, ...]) -> None:
    shape = shape_of(window(text), 5)
    assert (EXTENSIONS[shape] if shape else ()) == extensions


def test_every_window_has_one_answer_that_mirroring_keeps() -> None:
    for cells in product((0, 1, 2), repeat=5):
        for others in ((0, 0, 0, 0, 0), (1, 0, 1, 0, 0), (0, 1, 1, 0, 1), (0, 2, 1, 1, 0)):
            line = bytes((*cells, 0, *others))
            shape, mirrored = shape_of(line, 5), shape_of(line[::-1], 5)
            assert sorted(-way for way in EXTENSIONS[shape]) == list(EXTENSIONS[mirrored])
            assert min(shape, THREE) == min(mirrored, THREE)


def test_the_memo_holds_at_most_all_lines_and_says_of_each_what_shape_of_says() -> None:
    for before, after in product(range(REACH + 1), repeat=2):
        if before + 1 + after < 5:
            continue
        for cells in product((0, 1, 2), repeat=before + after):
            line = bytes((*cells[:before], 0, *cells[before:]))
            assert SHAPES[before][line] == shape_of(line, before)
    assert sum(map(len, SHAPES)) == 132_354
    assert sum(getsizeof(memo) + sum(map(getsizeof, memo)) for memo in SHAPES) <= 16_000_000


def row(names: str, colour: str = "black") -> Position:
    return Position.from_stones(dict.fromkeys(parse_moves(names), Colour(colour)))


@pytest.mark.parametrize(
    ("stones", "on"),
    [
        ("a1 b1 c1 d1 e1", "a1"),
        ("k15 l15 m15 n15 o15", "m15"),
        ("o1 o2 o3 o4 o5", "o5"),
        ("a11 b12 c13 d14 e15", "c13"),
        ("a5 b4 c3 d2 e1", "b4"),
        ("k1 l2 m3 n4 o5", "n4"),
    ],
)
@pytest.mark.parametrize("colour", ["black", "white"])
def test_five_in_every_direction_to_the_edge(stones: str, on: str, colour: str) -> None:
    for image in SYMMETRIES:
        position = Position.from_stones({image[p]: Colour(colour) for p in parse_moves(stones)})
        found = five_line(position, image[parse_point(on)])
        assert found == tuple(sorted(image[p] for p in parse_moves(stones)))


def test_a_row_does_not_go_on_round_the_edge() -> None:
    assert five_line(row("m3 n3 o3 a4 b4"), parse_point("o3")) is None
    assert five_line(row("k12 l13 m14 n15 a1"), parse_point("n15")) is None


def test_four_are_no_five_and_an_empty_point_has_no_row() -> None:
    assert five_line(row("h8 h9 h10 h11"), parse_point("h8")) is None
    assert five_line(row("h8 h9 h10 h11"), parse_point("h12")) is None


@pytest.mark.parametrize("longer", ["c8 d8 e8 f8 g8 h8", "c8 d8 e8 f8 g8 h8 i8 j8 k8"])
def test_who_wins_with_more_than_five(longer: str) -> None:
    whole = tuple(sorted(parse_moves(longer)))
    on = parse_point("f8")
    assert five_line(row(longer), on) is None
    assert five_line(row(longer, "white"), on) == whole
    assert five_line(row(longer), on, overline="wins") == whole
    assert five_line(row(longer, "white"), on, overline="exact") is None


def test_a_five_beside_an_overline_counts() -> None:
    position = row("h4 h5 h6 h7 h8 c8 d8 e8 f8 g8")
    assert [NAMES[p] for p in five_line(position, parse_point("h8")) or ()] == ["H4", "H5", "H6", "H7", "H8"]


def test_the_whole_board_in_one_colour() -> None:
    full = Position(bytes([2]) * POINTS)
    assert len(five_line(full, 0) or ()) == 15
    assert five_line(full, 0, overline="exact") is None
