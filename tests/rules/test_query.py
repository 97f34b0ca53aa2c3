import json

import pytest

from firmware_host.board import Position, parse_moves
from firmware_host.errors import NotationError
from firmware_host.rules.query import forbidden_line

MOVES = "h8 a1 i8 c1 h10 e1 h11 g1 j9 i1 k10"


def test_a_move_list_and_its_position_have_the_same_answer() -> None:
    text = Position.from_moves(parse_moves(MOVES)).text()
    assert forbidden_line(MOVES) == forbidden_line(text) == forbidden_line(f" {text}\r\n")
    assert forbidden_line(MOVES) == forbidden_line(MOVES.replace(" ", "").upper())


def test_the_answer_is_json_with_the_points_in_board_order() -> None:
    line = "." * 101 + "X.X" + "." * 8 + "XXX" + "." * 15 + "XX" + "." * 93
    answer = forbidden_line(line)
    found = json.loads(answer)
    assert list(found) == ["forbidden"]
    assert list(found["forbidden"]) == sorted(found["forbidden"], key=lambda name: (int(name[1:]), name[0]))
    assert "\n" not in answer


@pytest.mark.parametrize("empty", ["", "\n", "." * 225])
def test_the_empty_board(empty: str) -> None:
    assert forbidden_line(empty) == '{"forbidden": {}}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("." * 224, "225 characters, this one has 224"),
        ("X" * 226, "225 characters, this one has 226"),
        ("." * 200 + "x" * 25, "character 201 of the position is 'x'; allowed: ."),
        ("h8 p16", "'p16' is not a point; allowed: A1 to O15"),
        ("hello", "'hello' at character 1 is not a point; allowed: A1 to O15"),
        ("h8 i9 h8", "move 3: H8 is occupied"),
    ],
)
def test_what_is_neither_is_told_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(NotationError) as wrong:
        forbidden_line(text)
    assert says in str(wrong.value)
    assert "\n" not in str(wrong.value)
