"""SGF of other programs, and of nobody: what is read, what is refused, and with which word."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import NAMES
from firmware_host.errors import RecordError
from firmware_host.record import sgf
from firmware_host.record.game import GameRecord
from firmware_host.record.reading import Game

DATA = Path(__file__).parents[1] / "data" / "sgf"
READINGS: dict[str, list[dict[str, Any]]] = json.loads((DATA / "readings.json").read_text("utf-8"))


def as_told(game: Game | RecordError, asked: dict[str, Any]) -> dict[str, Any]:
    """What a reading tells, by the keys that were asked for; moves, result, remarks and notes always."""
    assert isinstance(game, Game), game
    record, result = game.record, game.record.result
    header, settings = record.header, record.settings
    everything = {
        "moves": " ".join("pass" if move.point is None else NAMES[move.point] for move in record.moves),
        "result": None if result is None else [result.winner, result.black, result.white, result.reason],
        "remarks": [[remark.after, remark.text] for remark in record.remarks],
        "notes": sorted(game.notes),
        "line": game.line,
        "first": header.first.name,
        "second": header.second.name,
        "titles": [header.first.title, header.second.title],
        "left_ms": [move.left_ms for move in record.moves],
        **{key: getattr(header, key) for key in ("id", "event", "round", "place", "date")},
        **{key: getattr(settings, key) for key in ("opening", "forbidden", "overline", "time")},
    }
    return {key: everything[key] for key in ("moves", "result", "remarks", "notes", *asked)}


def test_there_is_a_reading_of_each_file_and_a_line_in_the_page() -> None:
    files = {path.name for path in DATA.glob("*.sgf")}
    assert files == set(READINGS)
    page = (DATA / "README.md").read_text("utf-8")
    assert files == {row.split("`")[1] for row in page.splitlines() if row.startswith("| `")}


@pytest.mark.parametrize("name", sorted(READINGS))
def test_a_file_of_another_program(name: str) -> None:
    read = list(sgf.games((DATA / name).read_bytes()))
    wanted = [{"remarks": [], "notes": [], **reading} for reading in READINGS[name]]
    assert [as_told(game, reading) for game, reading in zip(read, wanted, strict=True)] == wanted


@pytest.mark.parametrize("name", sorted(READINGS))
def test_what_was_read_is_written_and_read_the_same(name: str) -> None:
    for record in sgf.read((DATA / name).read_bytes()):
        assert sgf.read(sgf.write(record)) == (sgf.holdable(record),)
        assert sgf.holdable(record).moves == record.moves
        assert sgf.holdable(record).remarks == record.remarks


def read(text: str) -> GameRecord:
    (record,) = sgf.read(text.encode())
    return record


def notes(text: str) -> tuple[str, ...]:
    (game,) = sgf.games(text.encode())
    assert isinstance(game, Game), game
    return game.notes


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("B+", ("black", 1, 0, "arbiter")),
        ("w+resign", ("white", 0, 1, "resignation")),
        ("B+R", ("black", 1, 0, "resignation")),
        ("W+Time", ("white", 0, 1, "time")),
        ("B+F", ("black", 1, 0, "arbiter")),
        ("W+12.5", ("white", 0, 1, "arbiter")),
        ("0", (None, 0.5, 0.5, "agreement")),
        ("Draw", (None, 0.5, 0.5, "agreement")),
        ("和棋", (None, 0.5, 0.5, "agreement")),
        ("白胜", ("white", 0, 1, "arbiter")),
        ("黒中押し勝ち", ("black", 1, 0, "resignation")),
        ("Void", None),
        ("?", None),
        ("", None),
    ],
)
def test_results_of_other_programs(value: str, told: tuple[Any, ...] | None) -> None:
    result = read(f"(;GM[4]RE[{value}];B[hh])").result
    assert (result and (result.winner, result.black, result.white, result.reason)) == told


def test_what_is_not_understood_is_said_and_the_game_is_read() -> None:
    assert notes("(;GM[4]RE[maybe])") == (
        "RE = 'maybe' is not known, and not read; allowed: B+, W+, B+R, W+T, B+F, 0, Draw, Void, ?",
    )
    assert notes("(;GM[4]RU[Pente])") == (
        "RU = 'Pente' is not known: the rules are taken for those of renju",
    )
    assert notes("(;GM[4]TM[soon]OT[later])") == (
        "TM = 'soon', OT = 'later': the time is not understood, and not read",
    )
    assert notes("(;GM[4]\n;B[hh]BL[x])") == ("line 2: BL = 'x' is no time, and not read",)
    assert notes("(;GM[4];B[hh](;W[hg])(;W[gg]))") == ("1 variation is not read, the main line is the game",)
    assert notes("(;SZ[15];B[hh])") == (
        "there is no GM, which means Go; by the board of 15 x 15 it is read as gomoku or renju",
    )
    assert notes("(;GM[4];B[hh])") == ()


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("TM[900]", "15m"),
        ("TM[0]", "none"),
        ("TM[1800.0]OT[3x30 byo-yomi]", "30m + 3x30s byo-yomi"),
        ("OT[5x60 byoyomi]", "5x1m byo-yomi"),
        ("TM[600]OT[25/300 Canadian]", "10m then 25 moves/5m repeating"),
        ("TM[300]OT[10 fischer]", "5m+10s"),
    ],
)
def test_times_of_other_programs(text: str, time: str) -> None:
    assert read(f"(;GM[4]{text})").settings.time == time
    assert notes(f"(;GM[4]{text})") == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "there is no game; an SGF game begins with (;"),
        ("hello (world)", "there is no game"),
        ("(;GM[4]\n;B[hh]\n;W[pp])", "line 3: move 2: 'pp' is not a point; allowed: aa to oo, and nothing"),
        ("(;GM[4]\n;B[hh]\n\n;W[hh])", "line 4: move 2: H8 is occupied"),
        ("(;GM[4];B[h16])", "line 1: move 1: 'h16' is not a point"),
        ("(;GM[4];B[HH])", "line 1: move 1: 'HH' is not a point"),
        ("(;GM[2])", "line 1: GM = '2' is another game; allowed: 4 (gomoku, renju), or 1 with SZ[15]"),
        ("(;GM[four])", "line 1: GM = 'four' is another game"),
        ("(;GM[4]SZ[19])", "line 1: SZ = '19' is another board; allowed: 15"),
        ("(;GM[1])", "line 1: GM = 1: Go, on 19 x 19; allowed: GM[4], or SZ[15]"),
        ("(;B[hh])", "line 1: there is no GM, which means 1: Go, on 19 x 19; allowed: GM[4], or SZ[15]"),
        ("(;FF[5]GM[4])", "line 1: FF = '5' is not known; allowed: 1 to 4"),
        ("(;GM[4];B[hh];AB[gg])", "line 1: AB or AW after a move: stones that are no moves"),
        ("(;GM[4]AB[hh][gg][ff]AW[ff])", "line 1: 3 black and 1 white stones are set up; allowed: as many"),
        ("(;GM[4]AB[aa:cc])", "line 1: move 1: 'aa:cc' is not a point"),
        ("(;GM[4]AE[hh])", "line 1: AE takes stones off the board"),
        ("(;GM[4]\n;B[hh]\n;W", "line 3: character 3: the file ends within the game that begins in line 1"),
        ("(;GM[4];C[hh", "line 1: character 10: the value that begins here has no end"),
        ("(;GM[4]\n C[a\\]", "line 2: character 3: the value that begins here has no end"),
        ("(;GM[4]", "line 1: character 8: the file ends within the game that begins in line 1"),
        ("(;GM[4] 7)", "line 1: character 9: '7' has no meaning here; allowed: ; ( ) [ and names"),
        ("(;[4])", "line 1: character 4: a value without a property"),
        ("(;GM;B[hh])", "line 1: character 5: the property 'GM' has no value"),
        ("(;GM)", "line 1: character 5: the property 'GM' has no value"),
        ("(;GM[4](;B[hh]);W[hg])", "line 1: character 16: a node after a variation; allowed: ( or )"),
        ("(;GM[4]())", "line 1: character 9: a game or a variation without a node"),
        ("(;GM[4](B[hh]))", "line 1: character 9: 'B' outside of a node; allowed: ; ( )"),
        ("(;GM[4]CA[klingon])", "CA = 'klingon' is not known; allowed: UTF-8, GBK, Shift_JIS, EUC-KR"),
    ],
)
def test_what_is_refused_and_where(text: str, wrong: str) -> None:
    with pytest.raises(RecordError) as refused:
        sgf.read(text.encode())
    assert str(refused.value).startswith(wrong), str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"(;GM[4]CA[UTF-8]\n\nPB[\xff])", "line 3: byte 22 is not utf-8, which CA[UTF-8] names"),
        (b"(;GM[4]CA[gb_2312]PB[\xff\xff])", "line 1: byte 22 is not gb18030, which CA[gb_2312] names"),
        (b"(;GM[4]CA[us-ascii]PB[\xe9])", "line 1: byte 23 is not ascii, which CA[us-ascii] names"),
        ("(;GM[4])".encode("utf-16"), "the file is in UTF-16; allowed: UTF-8, and what CA names"),
    ],
)
def test_a_wrong_encoding_is_refused_with_its_place(data: bytes, wrong: str) -> None:
    with pytest.raises(RecordError) as refused:
        sgf.read(data)
    assert str(refused.value).startswith(wrong), str(refused.value)


def test_a_byte_order_mark_and_a_comment_that_speaks_of_an_encoding() -> None:
    (record,) = sgf.read(b"\xef\xbb\xbf (;GM[4]C[ CA[latin-1\\] ]PB[\xe7\x8e\x8b])")
    assert (record.header.first.name, record.remarks[0].text) == ("王", " CA[latin-1] ")


def test_the_games_after_a_wrong_one_are_read_until_the_form_breaks() -> None:
    games = list(sgf.games(b"(;GM[4];B[hh];W[hh])\n(;GM[4];B[hh])\n(;GM[3])(;GM[4]\n(;GM[4])"))
    assert [type(game).__name__ for game in games] == ["RecordError", "Game", "RecordError", "RecordError"]
    assert [game.line for game in games] == [1, 2, 3, 4]


HOSTILE: dict[str, bytes] = {
    "nodes": b"(" + b";" * 4_000_000,
    "variations": b"(;GM[4]" + b"(;B[hh]" * 1_000_000,
    "closed variations": b"(;GM[4]" + b"(;)" * 510_000 + b")",
    "brackets": b"(" * 4_000_000,
    "brackets and spaces": b"( " * 2_000_000,
    "an open value": b"(;GM[4]C[" + b"\\]" * 2_000_000,
    "backslashes": b"(;GM[4]C[" + b"\\" * 2_000_001,
    "a long name": b"(;" + b"A" * 4_000_000 + b"[]",
    "open games": b"(;GM[4]" * 1_000_000,
    "values": b"(;GM[4]LB" + b"[]" * 50_001 + b")",
    "values of variations": b"(;GM[4](;)(;LB" + b"[]" * 1_000_001 + b"))",
    "games": b"(;)" * 30_000,
    "passes": b"(;GM[4]" + b"B[]" * 1001 + b")",
    "too many bytes": b"(;GM[4]C[" + b"a" * (16 << 20),
    "zeros": bytes(4_000_000),
    "a huge number": b"(;GM[" + b"4" * 10_000 + b"])",
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_a_hostile_file_is_refused(kind: str) -> None:
    with pytest.raises(RecordError) as refused:
        sgf.read(HOSTILE[kind])
    assert len(str(refused.value)) < 200


def test_a_library_of_variations_within_the_limits_is_read() -> None:
    tree = b"(;GM[4]SZ[15];B[hh]" + b"(;W[hg]" * 5000 + b")" * 5000 + b"(;W[gg])" * 5000 + b")"
    with pytest.raises(RecordError, match=r"line 1: character .*: more than 1000 nodes in one line"):
        sgf.read(tree)
    (game,) = sgf.games(b"(;GM[4];B[hh](;W[hg])" + b"(;W[gg](;B[aa])" * 5000 + b")" * 5000 + b")")
    assert isinstance(game, Game)
    assert game.notes == ("10000 variations are not read, the main line is the game",)


SNIPPETS = st.sampled_from(
    re.findall(
        r"\S+",
        r"( ) ; [ ] \ B[hh] W[gg] AB[aa] GM[4] SZ[15] FF[4] C[a\] RE[B+] RO[3(x)] TM[1] LB[aa:a] 王 B w"
        r" BL[1.5] AP[renju-board:1] CA[GBK] BR[1,2] OT[3x5_byo-yomi] RU[Renju,_offers_3]"
        r" GC[Result:_black_1-0_five_H8] N[stone_not_seen]",
    )
)
FILES = st.lists(SNIPPETS, max_size=20).map(lambda parts: "".join(parts).replace("_", " "))


@given(FILES.map(lambda text: f"(;GM[4]{text})".encode()) | st.binary())
@settings(max_examples=200, deadline=None)
def test_no_bytes_are_an_accident(data: bytes) -> None:
    for game in sgf.games(data):
        if isinstance(game, Game):
            assert sgf.read(sgf.write(game.record)) == (sgf.holdable(game.record),)
        else:
            assert "\n" not in str(game)
