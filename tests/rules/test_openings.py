import pytest

from firmware_host.board import (
    BLACK,
    NAMES,
    SYMMETRIES,
    TENGEN,
    WHITE,
    Position,
    parse_moves,
    parse_point,
)
from firmware_host.rules import CENTRAL, OPENINGS, TOUCHING, Opening, opening_of


def stones(white2: int, black3: int, black1: int = TENGEN) -> Position:
    return Position.from_stones({black1: BLACK, white2: WHITE, black3: BLACK})


def test_there_are_thirteen_direct_and_thirteen_indirect() -> None:
    assert [o.code for o in OPENINGS] == [f"{way}{n}" for way in "DI" for n in range(1, 14)]
    for names in ("zh", "ja", "romaji"):
        assert len({getattr(o, names) for o in OPENINGS}) == 26


@pytest.mark.parametrize("opening", OPENINGS, ids=[o.code for o in OPENINGS])
def test_every_image_has_the_same_name(opening: Opening) -> None:
    for image in SYMMETRIES:
        assert opening_of(stones(image[opening.white2], image[opening.black3])) is opening


def test_every_legal_set_up_has_a_name_and_no_other_has() -> None:
    named = {
        (white2, black3)
        for white2 in CENTRAL[9]
        for black3 in CENTRAL[9]
        if len({white2, black3, TENGEN}) == 3 and opening_of(stones(white2, black3))
    }
    assert named == {(w, b) for w in TOUCHING for b in CENTRAL[5] if len({w, b, TENGEN}) == 3}
    assert len(named) == 8 * 23


@pytest.mark.parametrize(
    ("moves", "code", "zh", "ja", "romaji"),
    [
        ("h8 h9 i9", "D4", "花月", "花月", "Kagetsu"),
        ("h8 i8 i9", "D4", "花月", "花月", "Kagetsu"),
        ("h8 h9 i10", "D2", "溪月", "渓月", "Keigetsu"),
        ("h8 i9 i7", "I7", "浦月", "浦月", "Hogetsu"),
        ("h8 g7 j10", "I13", "彗星", "彗星", "Suisei"),
        ("h8 g7 f6", "I1", "长星", "長星", "Chosei"),
    ],
)
def test_names(moves: str, code: str, zh: str, ja: str, romaji: str) -> None:
    opening = opening_of(Position.from_moves(parse_moves(moves)))
    assert opening is not None
    assert (opening.code, opening.zh, opening.ja, opening.romaji) == (code, zh, ja, romaji)


@pytest.mark.parametrize(
    "moves",
    ["", "h8", "h8 h9", "h8 h9 i9 i10", "h8 h10 i9", "h8 h9 k8", "h9 h8 i9", "g8 h8 i8", "h9 i9 g8"],
)
def test_no_name_for_anything_else(moves: str) -> None:
    assert opening_of(Position.from_moves(parse_moves(moves))) is None


def test_the_stone_on_tengen_is_black_one_whichever_came_first() -> None:
    late_tengen = Position.from_moves(parse_moves("i9 h9 h8"))
    opening = opening_of(late_tengen)
    assert opening is not None
    assert opening.code == "D4"


def test_the_squares_that_procedures_name() -> None:
    assert {side: len(points) for side, points in CENTRAL.items()} == {1: 1, 3: 9, 5: 25, 7: 49, 9: 81}
    assert CENTRAL[1] == {parse_point("H8")}
    assert {NAMES[min(CENTRAL[9])], NAMES[max(CENTRAL[9])]} == {"D4", "L12"}
    assert sorted(NAMES[p] for p in TOUCHING) == ["G7", "G8", "G9", "H7", "H9", "I7", "I8", "I9"]
