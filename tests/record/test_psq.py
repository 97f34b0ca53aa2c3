from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, NAMES, WHITE
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.psq import games, holdable, read, write
from firmware_host.record.reading import Game
from tests.record.arbitrary_records import HEADERS, LONG_GAMES, RESULTS, move_lists, moves_of

DATA = Path(__file__).parents[1] / "data" / "records"
HEAD = "Piskvorky 15x15, 11:11, 0\n"


def arbitrary_games() -> st.SearchStrategy[GameRecord]:
    moves = move_lists() | LONG_GAMES
    return st.builds(GameRecord, header=HEADERS, moves=moves, result=st.none() | RESULTS)


def of_file(name: str) -> tuple[GameRecord, tuple[str, ...]]:
    (game,) = games((DATA / name).read_bytes())
    assert isinstance(game, Game)
    return game.record, game.notes


def points(record: GameRecord) -> str:
    return " ".join(NAMES[move.point] for move in record.moves if move.point is not None)


@given(arbitrary_games())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_what_the_format_holds_comes_back(record: GameRecord) -> None:
    text = write(record)
    assert read(text) == (holdable(record),)
    assert read(text.encode()) == (holdable(record),)
    assert holdable(holdable(record)) == holdable(record)


def test_a_full_board_comes_back() -> None:
    record = GameRecord(moves=moves_of(*range(224, -1, -1)))
    assert read(write(record)) == (holdable(record),)
    assert len(holdable(record).moves) == 225


def test_h8_and_the_corners_as_other_programs_write_them() -> None:
    record = GameRecord(
        header=Header(first=Person(name="Anna"), second=Person(name="王")),
        moves=moves_of("H8", "A1", "O15", "H9"),
    )
    assert write(record) == HEAD + "8,8,0\n1,15,0\n15,1,0\n8,7,0\nAnna\n王\n0\n"


def test_the_file_of_a_game_at_piskvork() -> None:
    record, said = of_file("piskvork.psq")
    assert points(record) == "H8 H9 I8 J8 A1"
    assert [move.used_ms for move in record.moves] == [1200, 30, 950, None, 2000]
    assert (record.name(BLACK), record.name(WHITE)) == ("", "pbrain-alphabeta.exe")
    assert record.result is None
    assert said == ("coordinates count from 1: line 6 has a 15",)


def test_where_the_second_player_begins_the_second_name_is_blacks() -> None:
    record, _ = of_file("second-begins.psq")
    assert (record.name(BLACK), record.name(WHITE)) == ("", "pbrain-alphabeta.exe")


def test_gomocup_counts_the_winner_by_the_draw_of_the_players() -> None:
    """Three stones of an opening: player 1 is White, and the second of the names."""
    record, _ = of_file("gomocup.psq")
    assert (record.name(BLACK), record.name(WHITE)) == ("FIRST.zip", "SECOND.zip")
    assert record.result is not None
    assert (record.result.winner, record.result.white, record.result.reason) == (WHITE, 1, "arbiter")
    text = (DATA / "gomocup.psq").read_text().replace("10,6,0", "10,6,5")
    (even,) = read(text)
    assert even.result is not None
    assert even.result.winner is BLACK


def test_a_file_that_counts_from_0_is_told_by_its_edge() -> None:
    record, said = of_file("from-zero.psq")
    assert points(record) == "H8 I9 A1"
    assert said == ("coordinates count from 0: line 4 has a 0",)
    assert record.result is not None
    assert (record.result.winner, record.result.black) == (None, 0.5)


def test_where_no_edge_tells_1_is_taken_and_said() -> None:
    record, said = of_file("no-edge.psq")
    assert points(record) == "H8 I9"
    assert said == ("coordinates are taken to count from 1: no move lies on an edge that would tell",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: not a PSQ file; allowed: Piskvorky 15x15, 11:11, 0"),
        ("Piskvorky 20x20, 11:11, 0\n", "line 1: a board of 20x20 is not known; allowed: 15x15"),
        ("Piskvorky 15x15, 11:11, 7\n", "line 1: 7 begins; allowed: 0 .*, 1 "),
        (HEAD + "8,8,0\n8,8,1\n-1\n", "line 3: move 2: H8 is occupied"),
        (HEAD + "0,8,0\n15,8,0\n-1\n", "line 2: a coordinate 0, but 15 in line 3"),
        (HEAD + "16,8,0\n-1\n", "line 2: 16,8 is not on the board; allowed: 1 to 15 each"),
        (HEAD + "0,8,0\n-3,8,0\n-1\n", "line 3: -3,8 is not on the board; allowed: 0 to 14 each"),
        (HEAD + "8,8,0\n8,1", "line 3: the text ends in the middle of a move"),
        (HEAD + "8,8,0\nA\n9,9,0\n", "line 4: not a name: '9,9,0'; allowed: a move x,y,ms or a name"),
        (HEAD + "8,8,0\n" + "x" * 201, "line 3: not a name: 'x+'"),
        (HEAD + "1,1,0\n" * 601, "line 602: more than 600 moves; allowed: 225"),
        ("x" * 65_537, "65537 bytes are too many for one game; allowed: 65536"),
        (b"\xff\xfeP\x00", "not UTF-8 at byte 1"),
        (HEAD.encode() + b"8,8,0\nPi\x9akvork\n", "not UTF-8 at byte 35"),
    ],
)
def test_what_is_no_such_file_is_refused_with_place_and_reason(text: str | bytes, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        read(text)


def test_cut_at_any_byte_it_is_refused_or_a_shorter_game() -> None:
    """No cut makes a move of its own: what reads is the beginning of the game."""
    whole = (DATA / "piskvork.psq").read_bytes()
    (record,) = read(whole)
    refused = 0
    for end in range(len(whole)):
        (game,) = games(whole[:end])
        try:
            (cut,) = read(whole[:end])
        except RecordError:
            refused += 1
            continue
        assert [move.point for move in cut.moves] == [move.point for move in record.moves[: len(cut.moves)]]
        assert isinstance(game, Game)
        assert game.notes[-1].endswith("it may have been cut off") or len(cut.moves) == len(record.moves)
    assert refused > 20


@given(st.binary(max_size=60) | st.binary(max_size=60).map(lambda rest: HEAD.encode() + rest))
@settings(max_examples=200)
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        (record,) = read(data)
    except RecordError:
        return
    assert read(write(record)) == (holdable(record),)
