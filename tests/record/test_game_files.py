import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board import BLACK, NAMES, WHITE, parse_point
from firmware_host.record.game import GameRecord
from firmware_host.record.game_files import Malformed, Played, Turn, read_games
from firmware_host.record.header import Header, Person
from firmware_host.record.json_format import to_json
from firmware_host.referee.rulings import Moved, Over
from firmware_host.referee.settings import MatchSettings


def names(game: Played | Malformed) -> str:
    assert isinstance(game, Played), game
    return " ".join("pass" if turn.point is None else NAMES[turn.point] for turn in game.turns)


def told(text: str, form: str) -> list[tuple[int, int, str | int | None]]:
    """Line, number, and the moves or the number of the wrong one."""
    return [
        (game.line, game.game, names(game) if isinstance(game, Played) else game.move)
        for game in read_games(text, form)
    ]


def only(text: str, form: str = "json") -> Played | Malformed:
    (game,) = read_games(text, form)
    return game


def reason(text: str, form: str = "json") -> str:
    game = only(text, form)
    assert isinstance(game, Malformed), game
    return f"{game.move}: {game.reason}"


def record() -> GameRecord:
    """H8, I9, a pass, and Black has left."""
    rulings = [
        Moved(t_ns=1, n=1, point=parse_point("H8"), colour=BLACK),
        Moved(t_ns=2, n=2, point=parse_point("I9"), colour=WHITE),
        Moved(t_ns=3, n=3, point=None, colour=BLACK),
        Moved(t_ns=4, n=4, point=None, colour=WHITE, missing=True),
        Over(t_ns=5, winner=WHITE, result={BLACK: 0, WHITE: 1}, reason="left"),
    ]
    settings = MatchSettings(opening="free", forbidden="off", overline="nothing")
    return GameRecord.new(Header(first=Person(name="甲")), settings).fold_all(rulings)


@pytest.mark.parametrize("line", ["h8 I9 j10", "h8i9J10", " H8, i9,j10 \r", "\th8\ti9 j10"])
def test_a_move_list_in_all_its_forms(line: str) -> None:
    game = only(line, "moves")
    assert names(game) == "H8 I9 J10"
    assert isinstance(game, Played)
    assert [turn.colour for turn in game.turns] == [BLACK, WHITE, BLACK]


def test_lines_are_games_and_empty_ones_are_not() -> None:
    assert told("h8\n\n \r\ni9 pass PASS j10\n", "moves") == [(1, 1, "H8"), (4, 2, "I9 pass pass J10")]
    assert told("", "moves") == told("\n\n", "moves") == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("h8 i9 h8", "3: H8 is occupied"),
        ("h8 p16", "2: 'p16' is not a point; allowed: A1 to O15, pass"),
        ("h8i9q1j10", "3: 'q1' is not a point; allowed: A1 to O15, pass"),
        ("h8 h16", "2: 'h16' is not a point; allowed: A1 to O15, pass"),
        ("h8 a0", "2: 'a0' is not a point; allowed: A1 to O15, pass"),
        ("h8 hello i9", "2: 'hello' is not a point; allowed: A1 to O15, pass"),
        ("h8 1.i9", "2: '1.' is not a point; allowed: A1 to O15, pass"),
        ("五子棋", r"1: '\u4e94\u5b50\u68cb' is not a point; allowed: A1 to O15, pass"),
        ("h8 " + "x" * 500, "2: '" + "x" * 36 + "... is not a point; allowed: A1 to O15, pass"),
    ],
)
def test_a_wrong_move_is_named_by_its_number(line: str, wrong: str) -> None:
    assert reason(line, "moves") == wrong


def test_the_games_after_a_wrong_one_are_read() -> None:
    assert told("h8\nh8 h8\n\ni9\n", "moves") == [(1, 1, "H8"), (2, 2, 2), (4, 3, "I9")]


def test_a_record_as_this_program_writes_it() -> None:
    game = only(to_json(record()))
    assert names(game) == "H8 I9 pass pass"
    assert isinstance(game, Played)
    assert [turn.seen for turn in game.turns] == [True, True, True, False]
    assert game.recorded == (WHITE, "left")
    assert game.rules == {"forbidden": "off", "overline": "nothing", "five": "ends"}


def test_records_one_after_the_other_in_lines_and_in_an_array_are_the_same_games() -> None:
    whole = to_json(record())
    one_line = json.dumps(json.loads(whole))
    for text in (
        whole + whole,
        f"{one_line}\n{one_line}\n",
        f"[{whole},\n{whole}]",
        f"\n{one_line}\n\n{whole}",
    ):
        games = list(read_games(text, "json"))
        assert [game.game for game in games] == [1, 2]
        assert [names(game) for game in games] == ["H8 I9 pass pass"] * 2
    assert [line for line, *_ in told(whole + whole, "json")] == [1, 1 + whole.count("\n")]


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_one_object_with_any_indent(indent: int | None) -> None:
    game = {"moves": [{"point": "h8"}, {"point": None}], "settings": {}, "result": None}
    assert told(json.dumps(game, indent=indent), "json") == [(1, 1, "H8 pass")]


def test_colours_are_the_records_own() -> None:
    game = only('{"moves": [{"point": "H8", "colour": "black"}, {"point": "I9", "colour": "black"}, "J10"]}')
    assert isinstance(game, Played)
    assert game.turns == tuple(Turn(BLACK, parse_point(name)) for name in ("H8", "I9", "J10"))


def test_broken_objects_are_named_and_the_rest_goes_on() -> None:
    good = '{"moves": ["H8"]}'
    assert told(f"{good}\n{{broken\n{good}\n", "json") == [(1, 1, "H8"), (2, 2, None), (3, 3, "H8")]
    assert told(f"{good}\nrubbish\n\n3\n{good}", "json") == [
        (1, 1, "H8"), (2, 2, None), (4, 3, None), (5, 4, "H8"),
    ]  # fmt: skip
    assert told(f"rubbish\n{good}", "json") == [(1, 1, None), (2, 2, "H8")]
    cut = to_json(record())[:200]
    assert [game[2] for game in told(cut + "\n" + to_json(record()), "json")] == [None, "H8 I9 pass pass"]
    assert told('[{"moves": ["H8"]}, 3, {"moves": ["I9"]}]', "json") == [
        (1, 1, "H8"),
        (1, 2, None),
        (1, 3, "I9"),
    ]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", "None: not JSON: Expecting property name enclosed in double quotes (line 1)"),
        ('{"moves":\n[,]}', "None: not JSON: Expecting value (line 2)"),
        ('{"moves": [' + "9" * 5000 + "]}", "None: not JSON"),
        ("[" * 100_000, "None: not JSON"),
        ('{"moves": 3}', 'None: not a game; allowed: an object with "moves": [..]'),
        ("[3]", 'None: not a game; allowed: an object with "moves": [..]'),
        ('{"moves": ["H8", "H8"]}', "2: H8 is occupied"),
        ('{"moves": ["H8", "P1"]}', "2: 'P1' is not a point; allowed: A1 to O15, null for a pass"),
        ('{"moves": [["H8"]]}', "1: ['H8'] is not a point; allowed: A1 to O15, null for a pass"),
        ('{"moves": ["H8", {"n": 2}]}', '2: the move has no "point"; allowed: A1 to O15, null for a pass'),
        ('{"moves": [{"point": "H8", "colour": ["red"]}]}', "1: colour = ['red'] is not possible; "),
        ('{"moves": [], "result": {"winner": "red", "reason": "five"}}', "None: result = {'winner': 'red', "),
        ('{"moves": [], "result": {"winner": null, "reason": "x"}}', "None: result = {'winner': None, 'reas"),
        ('{"moves": [], "result": 1}', "None: result = 1 is not possible; allowed: null, or a winner"),
        ('{"moves": [], "settings": {"forbidden": []}}', "None: forbidden = [] is not possible; "),
    ],
)  # fmt: skip
def test_what_is_no_game_is_told_in_one_sentence(text: str, wrong: str) -> None:
    said = reason(text)
    assert said.startswith(wrong)
    assert "\n" not in said


@given(st.text() | st.text(alphabet='{}[]",:h8 i9\nmovespass'), st.sampled_from(["json", "moves"]))
def test_no_text_is_an_error(text: str, form: str) -> None:
    for game in read_games(text, form):
        assert isinstance(game, Played | Malformed)
        assert 1 <= game.line <= text.count("\n") + 1
