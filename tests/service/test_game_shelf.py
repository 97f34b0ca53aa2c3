"""Games out of files and pasted texts, for the robot."""

import pytest

from firmware_host.board import NAMES
from firmware_host.errors import RecordError
from firmware_host.record import psq, renlib
from firmware_host.record.game import GameRecord
from firmware_host.record.positions import read
from firmware_host.service.game_shelf import MOST_GAMES, read_shelf

SGF = b"(;GM[4]FF[4]SZ[15]PB[Anna]PW[Ben]EV[Club];B[hh];W[ig];B[])"


def points(turns: tuple) -> list[str]:
    return ["pass" if point is None else NAMES[point] for _, point in turns]


def record(text: str) -> GameRecord:
    return read(text)[0]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("", b"h8 i9 j10"),
        ("", b"\xef\xbb\xbfH8I9J10\n"),
        ("game.txt", b"h8, i9, j10"),
        ("game.psq", psq.write(record("h8 i9 j10")).encode()),
        ("", psq.write(record("h8 i9 j10")).encode()),
        ("GAME.LIB", renlib.write(record("h8 i9 j10"))),
        ("", renlib.write(record("h8 i9 j10"))),
        ("", b'{"moves": ["H8", "I9", "J10"]}'),
    ],
)
def test_a_game_is_read_from_what_it_looks_like_or_is_called(name: str, data: bytes) -> None:
    shelf = read_shelf(name, data)
    assert [points(game.turns) for game in shelf.games] == [["H8", "I9", "J10"]]


def test_a_game_is_called_by_its_players_and_event() -> None:
    game = read_shelf("", SGF).games[0]
    assert game.title == "Anna – Ben, Club"
    assert points(game.turns) == ["H8", "I9", "pass"]
    assert read_shelf("", b"h8").games[0].title == ""


def test_what_cannot_be_read_among_others_is_said() -> None:
    shelf = read_shelf("", b"h8 i9\nh8 h8\na1\n")
    assert [points(game.turns) for game in shelf.games] == [["H8", "I9"], ["A1"]]
    assert shelf.notes == ("line 2: move 2: H8 is occupied",)


def test_no_more_games_are_taken_than_anybody_steps_through() -> None:
    assert len(read_shelf("", b"h8 i9\n" * (MOST_GAMES + 5)).games) == MOST_GAMES


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("", b"", "there is no game in it (read as moves)"),
        ("", b"-", "there is no game in it (read as moves)"),
        ("", b"h8 p16", "line 1: move 2: 'p16' is not a point; allowed: A1 to O15, pass"),
        ("x.psq", b"\xff", "byte 1 is not UTF-8, as a file of psq must be"),
        ("x.sgf", b"(", ""),
        ("x.lib", b"\xffRenLib\xff", ""),
        ("x.json", b"{", ""),
    ],
)
def test_what_is_no_game_is_one_sentence(name: str, data: bytes, sentence: str) -> None:
    with pytest.raises(RecordError) as told:
        read_shelf(name, data)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)
