import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board import NAMES, POINTS, SYMMETRIES, Position, parse_moves
from firmware_host.rules import offers_symmetric


def same(moves: str, offers: str) -> str | None:
    found = offers_symmetric(Position.from_moves(parse_moves(moves)), parse_moves(offers))
    return found and " ".join(NAMES[p] for p in found)


@pytest.mark.parametrize(
    ("moves", "offers", "pair"),
    [
        # four stones without any symmetry: nothing is the same
        ("h8 h9 i10 g6", "j9 f10", None),
        # all four on the column H: mirrored about it
        ("h8 h9 h10 h5", "g8 i8", "G8 I8"),
        ("h8 h9 h10 h5", "g8 i9", None),
        ("h8 h9 h10 h5", "g8 f9 k4 i8", "G8 I8"),
        ("h8 h9 h10 h5", "h7 h11", None),
        # a diagonal axis, colours kept
        ("h8 i9 j10 g7", "h9 i8", "H9 I8"),
        ("h8 i9 j10 k11", "h9 i8", "H9 I8"),
        # the axis lies between two columns, far from H8
        ("g8 f4 h8 i4", "a1 n1", "A1 N1"),
        ("g8 f4 h8 i4", "a1 o1", None),
        # a diagonal axis, with the offers on it and off it
        ("b2 d5 c3 e4", "a1 g7", None),
        ("b3 e6 c2 f5", "a3 c1", "A3 C1"),
        # diagonal axes that do not pass through H8, falling and rising
        ("b2 c2 f6 f5", "a2 f7", "A2 F7"),
        ("b2 c5 a3 d4", "h8 g9", "H8 G9"),
        # a half turn about a point, about the middle of an edge, about the middle of a square
        ("h8 g7 j10 k11", "h10 j8", "H10 J8"),
        ("h8 f6 i8 k10", "h10 i6", "H10 I6"),
        ("h8 g6 i9 j11", "g8 j9", "G8 J9"),
        # a quarter turn would have to change the colours: a half turn does not
        ("h8 i8 i9 h9", "g8 j9", "G8 J9"),
        ("h8 i8 i9 h9", "g8 h7", "G8 H7"),
        ("h8 i8 i9 h9", "g8 i7", None),
        # mirrored shapes with the colours changed are not the same
        ("h8 i8 f8 k8", "h9 i9", None),
        # an image off the board equals nothing
        ("a1 a3 a2 a5", "b2 c4", None),
        ("b1 b3 b2 b5", "a4 c4", "A4 C4"),
    ],
)
def test_shapes_of_offers(moves: str, offers: str, pair: str | None) -> None:
    assert same(moves, offers) == pair


def test_fewer_than_two_offers_have_no_pair() -> None:
    assert same("h8 h9 h10 h5", "") is None
    assert same("h8 h9 h10 h5", "g8") is None


offered = st.lists(st.integers(0, POINTS - 1), min_size=6, max_size=12, unique=True)


@given(offered, st.sampled_from(SYMMETRIES))
def test_turning_the_board_turns_the_answer(points: list[int], image: tuple[int, ...]) -> None:
    before = offers_symmetric(Position.from_moves(points[:4]), points[4:])
    turned = [image[p] for p in points]
    after = offers_symmetric(Position.from_moves(turned[:4]), turned[4:])
    assert after == (before and tuple(image[p] for p in before))


def distances(stones: list[int], p: int) -> list[int]:
    return [(p % 15 - s % 15) ** 2 + (p // 15 - s // 15) ** 2 for s in stones]


@given(st.lists(st.integers(0, 24), min_size=6, max_size=6, unique=True))
def test_the_same_shape_means_the_same_distances(cells: list[int]) -> None:
    """Independent judge: some pairing of the stones, colours kept, keeps every distance."""
    stones, offers = (
        [5 + c % 5 + (5 + c // 5) * 15 for c in cells[:4]],
        [5 + c % 5 + (5 + c // 5) * 15 for c in cells[4:]],
    )
    b1, w1, b2, w2 = stones
    pairings = [[b1, w1, b2, w2], [b2, w1, b1, w2], [b1, w2, b2, w1], [b2, w2, b1, w1]]
    between = [distances(stones, s) for s in stones]
    expected = any(
        [distances(image, s) for s in image] == between
        and distances(image, offers[1]) == distances(stones, offers[0])
        for image in pairings
    )
    assert (offers_symmetric(Position.from_moves(stones), offers) is not None) == expected
