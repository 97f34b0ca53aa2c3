import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import POINTS, Position, parse_point
from firmware_host.errors import RecordError
from firmware_host.record import positions
from firmware_host.record.game import GameRecord
from firmware_host.record.reading import Game
from tests.record.arbitrary_records import moves_of, records


@given(records())
@settings(max_examples=25, deadline=None)
def test_a_game_comes_back_with_all_that_a_line_can_hold(record: GameRecord) -> None:
    held = positions.holdable(record)
    text = positions.write(record)
    assert text.count("\n") == 1
    assert positions.read(text) == (held,)
    assert positions.holdable(held) == held


def test_how_a_line_is_written() -> None:
    assert positions.write(GameRecord(moves=moves_of("H8", "I9", "J10"))) == "h8i9j10\n"
    assert positions.write(GameRecord(moves=moves_of("H8", None, "J10"))) == "h8 pass j10\n"
    assert positions.write(GameRecord()) == "-\n"
    assert positions.read("-\n\n - \n") == (GameRecord(), GameRecord())


@pytest.mark.parametrize("line", ["h8i9j10", "H8I9J10", "h8 I9,j10", "  h8\ti9  J10 \r"])
def test_any_case_and_any_spaces(line: str) -> None:
    (record,) = positions.read(line)
    assert record.moves == moves_of("H8", "I9", "J10")


def test_a_wrong_game_is_named_and_those_after_it_are_read() -> None:
    games = list(positions.games("h8i9\n\nh8h8\ni9"))
    assert [game.line for game in games] == [1, 3, 4]
    assert [type(game) for game in games] == [Game, RecordError, Game]
    with pytest.raises(RecordError, match=r"^line 3: move 2: H8 is occupied$"):
        positions.read("h8i9\n\nh8h8\ni9")
    with pytest.raises(RecordError, match=r"^line 1: move 1001: more than 1000 moves are no game$"):
        positions.read("pass " * 100_000)


@given(st.lists(st.sampled_from([0, 1, 2]), min_size=POINTS, max_size=POINTS).map(bytes))
@settings(max_examples=30, deadline=None)
def test_a_diagram_is_read_back(cells: bytes) -> None:
    position = Position(cells)
    assert positions.read_diagram(position.diagram()) == position
    assert positions.read_diagram("\n" + position.diagram().replace("  ", " ") + "\n\n") == position


def test_the_diagram_of_a_game_and_one_without_spaces() -> None:
    record = GameRecord(moves=moves_of("H8", "I9"))
    text = positions.write_diagram(record)
    assert positions.read_diagram(text) == record.position
    close = "\n".join(f"{n} " + "." * 15 for n in range(15, 1, -1)) + "\n1 " + "." * 14 + "X"
    assert positions.read_diagram(close)[parse_point("O1")] == "black"


EMPTY = Position().diagram()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "no diagram; allowed"),
        ("\n \n", "no diagram; allowed"),
        (EMPTY.replace("12 ", "13 "), "line 4: '13 .*' is not row 12 of a diagram; allowed: 12 and"),
        (EMPTY.replace(".", "?", 1), "line 1: '15 .*' is not row 15"),
        (EMPTY.replace(" 3 . .", " 3 .", 1), "line 13: '3 . . .*' is not row 3"),
        ("\n".join(EMPTY.split("\n")[:9]), "the diagram ends after row 7; allowed: rows 15 to 1"),
        (EMPTY + "\nwhite to play", "line 17: 'white to play' after the diagram; allowed: the letters"),
        ("x" * 1_000_000, "line 1: 'xxx.* is not row 15"),
        ("15 " + " " * 1_000_000, "line 1: '15' is not row 15"),
    ],
)  # fmt: skip
def test_what_is_no_diagram_is_told(text: str, wrong: str) -> None:
    said = wrong.replace(".*", "\0").replace(".", r"\.").replace("?", r"\?").replace("\0", ".*")
    with pytest.raises(RecordError, match=f"^{said}"):
        positions.read_diagram(text)
