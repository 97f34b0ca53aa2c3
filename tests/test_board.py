import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board import (
    BLACK,
    NAMES,
    POINTS,
    STARS,
    SYMMETRIES,
    TENGEN,
    WHITE,
    Position,
    col_row,
    parse_moves,
    parse_point,
    point,
    point_name,
)
from firmware_host.errors import BoardError, IllegalMove, NotationError

cells = st.binary(min_size=POINTS, max_size=POINTS).map(lambda raw: bytes(byte % 3 for byte in raw))


def test_names_of_points() -> None:
    assert [NAMES[p] for p in (0, 1, 14, 15, 112, 224)] == ["A1", "B1", "O1", "A2", "H8", "O15"]
    assert NAMES[TENGEN] == "H8"
    assert sorted(NAMES[p] for p in STARS) == ["D12", "D4", "L12", "L4"]
    assert "I9" in NAMES


@pytest.mark.parametrize("p", range(POINTS))
def test_a_name_and_its_place_give_the_point_back(p: int) -> None:
    assert parse_point(point_name(p)) == parse_point(point_name(p).lower()) == point(*col_row(p)) == p


@pytest.mark.parametrize(
    "text", ["P16", "H0", "H16", "H08", "8H", "HH8", "", "H", "8", "H8 I9", "Ｈ8", "H８", "H-1"]
)
def test_what_is_no_point_is_named_with_what_is_allowed(text: str) -> None:
    with pytest.raises(NotationError) as wrong:
        parse_point(text)
    assert repr(text) in str(wrong.value)
    assert "A1 to O15" in str(wrong.value)


@pytest.mark.parametrize(("col", "row"), [(-1, 0), (15, 0), (0, -1), (0, 15)])
def test_no_point_outside_the_board(col: int, row: int) -> None:
    with pytest.raises(NotationError, match=f"column {col}, row {row}"):
        point(col, row)


@pytest.mark.parametrize("text", ["h8 i9 j10", "h8i9j10", "H8,I9, j10", " h8\ti9 j10 "])
def test_move_lists(text: str) -> None:
    assert [NAMES[p] for p in parse_moves(text)] == ["H8", "I9", "J10"]


@pytest.mark.parametrize(
    ("text", "names"), [("h8 zz", "'zz' at character 4"), ("h8 p9", "'p9'"), ("h8 i", "'i'"), ("8", "'8'")]
)
def test_a_wrong_move_list_says_where(text: str, names: str) -> None:
    with pytest.raises(NotationError) as wrong:
        parse_moves(text)
    assert names in str(wrong.value)
    assert "A1 to O15" in str(wrong.value)


@given(cells)
def test_a_position_is_its_text(raw: bytes) -> None:
    position = Position(raw)
    assert Position.from_text(position.text()) == position
    assert hash(Position.from_text(position.text())) == hash(position)
    assert Position.from_stones(dict(position.stones())) == position
    assert position.count(BLACK) + position.count(WHITE) == sum(1 for _ in position.stones())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("." * 224, "225 characters, this one has 224"),
        ("." * 226, "225 characters, this one has 226"),
        ("." * 7 + "x" + "." * 217, "character 8 of the position is 'x'"),
        ("." * 224 + "0", "character 225 of the position is '0'"),
        ("黑" + "." * 224, "character 1 of the position is '黑'"),
    ],
)
def test_a_wrong_position_says_what_and_where(text: str, says: str) -> None:
    with pytest.raises(NotationError) as wrong:
        Position.from_text(text)
    assert says in str(wrong.value)


@pytest.mark.parametrize("raw", [b"", bytes(224), bytes(226), bytes(224) + b"\3"])
def test_wrong_cells_are_refused(raw: bytes) -> None:
    with pytest.raises(NotationError, match=f"225 cells.*{len(raw)} cells"):
        Position(raw)


def test_moves_alternate_and_a_pass_is_a_turn() -> None:
    position = Position.from_moves([*parse_moves("h8 i9"), None, *parse_moves("h9")])
    assert {NAMES[p]: colour for p, colour in position.stones()} == {"H8": BLACK, "I9": WHITE, "H9": WHITE}


def test_a_move_on_a_stone_is_illegal() -> None:
    with pytest.raises(IllegalMove, match="move 3: H8 is occupied"):
        Position.from_moves(parse_moves("h8 i9 h8"))


def test_putting_and_taking_leave_the_position_as_it_was() -> None:
    empty = Position()
    one = empty.put(TENGEN, BLACK)
    assert (empty[TENGEN], one[TENGEN], one.take(TENGEN)) == (None, BLACK, empty)
    with pytest.raises(IllegalMove, match="H8 is occupied"):
        one.put(TENGEN, WHITE)
    with pytest.raises(IllegalMove, match="H8 is empty"):
        empty.take(TENGEN)


def test_errors_are_those_of_the_package_and_of_python() -> None:
    assert issubclass(NotationError, BoardError)
    assert issubclass(NotationError, ValueError)


def test_the_diagram_shows_the_board_as_black_sees_it() -> None:
    lines = Position.from_moves(parse_moves("a1 o1 b15")).diagram({TENGEN: "*"}).split("\n")
    assert lines[0] == "15 . X . . . . . . . . . . . . ."
    assert lines[7] == " 8 . . . . . . . * . . . . . . ."
    assert lines[14] == " 1 X . . . . . . . . . . . . . O"
    assert lines[15] == "   A B C D E F G H I J K L M N O"


def test_the_symmetries_are_the_eight_isometries_about_tengen() -> None:
    assert SYMMETRIES[0] == tuple(range(POINTS))
    assert len(set(SYMMETRIES)) == 8
    for image in SYMMETRIES:
        assert sorted(image) == list(range(POINTS))
        assert image[TENGEN] == TENGEN
        assert {image[p] for p in STARS} == set(STARS)
        for p in range(POINTS - 1):
            (ax, ay), (bx, by) = col_row(p), col_row(p + 1)
            (cx, cy), (dx, dy) = col_row(image[p]), col_row(image[p + 1])
            assert (ax - bx) ** 2 + (ay - by) ** 2 == (cx - dx) ** 2 + (cy - dy) ** 2
    for first in SYMMETRIES:  # a group: one after another is one of them
        for second in SYMMETRIES:
            assert tuple(second[p] for p in first) in SYMMETRIES
