import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, NAMES, POINTS, SYMMETRIES, WHITE, Position, parse_moves, parse_point
from firmware_host.errors import IllegalMove
from firmware_host.rules import five_line, forbidden_at, forbidden_points
from tests.rules import corpus, slow_definition

DATA = Path(__file__).parent.parent / "data"
TRICKY = [json.loads(line) for line in (DATA / "forbidden-tricky.jsonl").read_text().splitlines()]


def named(position: Position) -> dict[str, str]:
    return {NAMES[p]: kind for p, kind in forbidden_points(position).items()}


def black(names: str, white: str = "") -> Position:
    return Position.from_stones(
        dict.fromkeys(parse_moves(names), BLACK) | dict.fromkeys(parse_moves(white), WHITE)
    )


@pytest.mark.parametrize("case", TRICKY, ids=[case["name"] for case in TRICKY])
def test_tricky_positions(case: dict[str, object]) -> None:
    assert named(Position.from_text(str(case["position"]))) == case["forbidden"]


def test_a_thousand_positions_on_which_reference_programs_agree() -> None:
    with gzip.open(DATA / "forbidden-1k.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines]
    kinds: Counter[str] = Counter()
    for case in cases:
        found = named(Position.from_text(case["position"]))
        assert found == case["forbidden"], case["position"]
        assert list(found) == list(case["forbidden"])
        kinds.update(found.values())
    assert kinds == {"double-three": 633, "double-four": 1238, "overline": 815}


@pytest.mark.parametrize(
    ("position", "point", "kind"),
    [
        (black("f8 i8 h9 h10 g4 g5 g6 g7"), "H8", None),
        (black("f8 i8 h9 h10 g4 g5 g6 g7"), "H7", "double-three"),
        (Position.from_moves(parse_moves("h8g6f6g5f7g4h7g3g2a1")), "G7", "double-three"),
        # five beats everything that the same stone makes
        (black("d8 e8 f8 g8 h5 h6 h7 i9 j10 k11"), "H8", None),
        (black("d8 e8 f8 g8 h3 h4 h5 h6 h7"), "H8", None),
        # overline beats the fours and threes that the same stone makes
        (black("c8 d8 e8 f8 g8 h6 h7 i9 j10"), "H8", "overline"),
        (black("c8 d8 e8 f8 g8 h5 h6 h7 i9 j10 k11"), "H8", "overline"),
        # two fours, crossing, in one line, and a four beside a straight four
        (black("e8 f8 g8 h5 h6 h7", "d8 h4"), "H8", "double-four"),
        (black("g8 i8 e8 k8", "d8 l8"), "H8", "double-four"),
        (black("e8 f8 i8 j8 l8", ""), "H8", None),
        # a four and a three
        (black("e8 f8 g8 h9 h10", "d8"), "H8", None),
        # threes at the edge have no room
        (black("h2 h3 i1 j1", ""), "H1", None),
        (black("h3 h4 i2 j2", ""), "H2", "double-three"),
        (black("i9 j9 h10 h11", "g9 k9"), "H9", None),
    ],
)
def test_single_points(position: Position, point: str, kind: str | None) -> None:
    assert forbidden_at(position, parse_point(point)) == kind
    assert forbidden_points(position).get(parse_point(point)) == kind


def test_an_occupied_point_is_no_question() -> None:
    with pytest.raises(IllegalMove, match="H8 is occupied"):
        forbidden_at(black("h8"), parse_point("h8"))


@pytest.mark.parametrize("cell", [0, 1, 2])
def test_boards_of_one_kind_of_cell(cell: int) -> None:
    assert forbidden_points(Position(bytes([cell]) * POINTS)) == {}


def test_one_hole_in_a_black_board_is_an_overline() -> None:
    assert named(Position(bytes([1]) * 112 + b"\0" + bytes([1]) * 112)) == {"H8": "overline"}


def test_the_forbidden_points_of_a_fixed_corpus_are_counted() -> None:
    """Like perft: one number that a slip anywhere changes. `slow_definition` counts the same."""
    counted: dict[str, Counter[str]] = {name: Counter() for name in corpus.KINDS}
    for n, position in enumerate(corpus.corpus(400)):
        counted[corpus.KINDS[n % len(corpus.KINDS)]].update(forbidden_points(position).values())
    assert counted == {
        "nested": {"double-three": 931, "double-four": 527, "overline": 112},
        "thin": {"double-three": 908, "double-four": 483, "overline": 92},
        "edge": {"double-three": 355, "double-four": 451, "overline": 189},
        "dense": {"double-three": 202, "double-four": 1877, "overline": 1035},
        "full": {"double-four": 270, "overline": 1746},
    }


def test_the_forbidden_points_of_games_are_counted() -> None:
    kinds: Counter[str] = Counter()
    boards = 0
    for game in (DATA / "forbidden-games.txt").read_text().splitlines():
        moves = parse_moves(game)
        for n in range(len(moves)):
            kinds.update(forbidden_points(Position.from_moves(moves[:n])).values())
            boards += 1
    assert (boards, kinds) == (2096, {"double-three": 161, "double-four": 7})


@st.composite
def crowds(draw: st.DrawFn) -> Position:
    """Boards of every kind: thin and crowded, in one corner and all over, with few and with many whites."""
    side = draw(st.sampled_from((6, 7, 8, 9, 11, 15)))
    left, low = draw(st.integers(0, 15 - side)), draw(st.integers(0, 15 - side))
    mix = draw(
        st.sampled_from(("...X", "..X", "...XO", "......XXO", ".X", ".....XXXXO", ".XO", "..........XXX"))
    )
    inside = draw(st.lists(st.sampled_from(mix), min_size=side * side, max_size=side * side))
    return corpus.crowd(left, low, side, "".join(inside))


@st.composite
def nested(draw: st.DrawFn) -> Position:
    """Threes whose points are forbidden or not by other threes, some of them ended by a white stone."""
    threes = st.lists(
        st.tuples(st.sampled_from(corpus.WAYS[:4]), st.sampled_from(corpus.PAIRS)), min_size=2, max_size=3
    )
    link = st.tuples(st.sampled_from(corpus.WAYS), st.integers(1, 3), threes)
    start = draw(st.tuples(st.integers(0, 14), st.integers(0, 14)))
    position = corpus.nested(start, draw(st.lists(link, min_size=2, max_size=7)))
    for p in draw(st.lists(st.integers(0, POINTS - 1), max_size=4)):
        position = position if position.cells[p] else position.put(p, WHITE)
    return position


def positions() -> st.SearchStrategy[Position]:
    return st.one_of(crowds(), nested())


@settings(max_examples=50, deadline=None)
@given(positions())
def test_the_definition_says_the_same(position: Position) -> None:
    assert list(named(position).items()) == list(slow_definition.forbidden(position.text()).items())


@settings(max_examples=50, deadline=None)
@given(positions())
def test_one_point_and_the_whole_board_say_the_same(position: Position) -> None:
    one_by_one = {p: forbidden_at(position, p) for p in range(POINTS) if not position.cells[p]}
    assert forbidden_points(position) == {p: kind for p, kind in one_by_one.items() if kind}


@settings(max_examples=50, deadline=None)
@given(positions(), st.sampled_from(SYMMETRIES))
def test_turning_the_board_turns_the_answers(position: Position, image: tuple[int, ...]) -> None:
    turned = Position.from_stones({image[p]: colour for p, colour in position.stones()})
    assert forbidden_points(turned) == {image[p]: kind for p, kind in forbidden_points(position).items()}


@settings(max_examples=50, deadline=None)
@given(positions())
def test_a_forbidden_stone_makes_no_five(position: Position) -> None:
    for p, kind in forbidden_points(position).items():
        after = position.put(p, BLACK)
        assert five_line(after, p) is None
        assert (five_line(after, p, overline="wins") is not None) == (kind == "overline")
