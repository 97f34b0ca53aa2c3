"""`renju-board adjudicate` on real files: what it prints, what it refuses, what it shows on a terminal."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIVE = "h8 h9 i8 i9 j8 j9 k8 k9 l8"
FORBIDDEN = "h8g6f6g5f7g4h7g3g2a1g7"
RECORD = {
    "moves": [{"n": n, "point": p.upper()} for n, p in enumerate(FIVE.split(), 1)],
    "settings": {"forbidden": "off"},
    "result": {"winner": "white", "reason": "time"},
}


def call(*arguments: str, given: bytes = b"") -> tuple[int, str, list[str]]:
    """Exit code, output, and the sentences on standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "firmware_host.cli", "adjudicate", *arguments],
        input=given,
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    errors = done.stderr.decode().splitlines()
    assert all(line.startswith("renju-board: ") for line in errors), errors
    return done.returncode, done.stdout.decode(), [line.removeprefix("renju-board: ") for line in errors]


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.txt"
    path.write_text(f"{FIVE}\nh8 h9 h8\n\n{FORBIDDEN} a15\n")
    return str(path)


def test_json_has_a_line_a_game_and_goes_on_after_a_malformed_one(games: str) -> None:
    code, output, errors = call("--json", games)
    first, wrong, last = [json.loads(line) for line in output.splitlines()]
    assert code == 2
    assert errors == [f"{games}: line 2, game 2, move 3: H8 is occupied"]
    assert wrong == {"file": games, "line": 2, "game": 2, "reason": "H8 is occupied", "move": 3}
    assert first == {
        "file": games,
        "line": 1,
        "game": 1,
        "moves": 9,
        "opening": {"code": "D6", "zh": "雨月", "romaji": "Ugetsu"},
        "forbidden": [],
        "unclaimed": None,
        "result": {"winner": "black", "reason": "five", "n": 9, "if_claimed": False},
        "recorded": None,
        "contradicts": False,
    }
    assert (last["line"], last["game"], last["result"]) == (4, 3, None)
    assert last["forbidden"] == [{"n": 11, "point": "G7", "kind": "double-three"}]
    assert last["unclaimed"] == {"n": 11, "point": "G7", "winner": "white", "reason": "double-three"}


def test_the_table_for_people(games: str) -> None:
    code, output, errors = call(games)
    rows = [line.split() for line in output.splitlines()]
    assert code == 2
    assert len(errors) == 1
    assert rows[0][:3] == ["file:line", "moves", "opening"]
    assert rows[1] == ["games.txt:1", "9", "D6", "Ugetsu", "black,", "five", "9", "-", "-"]
    assert rows[2][:6] == ["games.txt:4", "12", "-", "open", "white:", "11"]


def test_standard_input_rules_and_a_record_that_contradicts() -> None:
    code, output, errors = call("--json", "-", given=json.dumps(RECORD).encode())
    found = json.loads(output)
    assert (code, errors) == (0, [])
    assert found["recorded"] == {"winner": "white", "reason": "time"}
    assert found["contradicts"] is True
    code, output, _ = call("--forbidden", "automatic", "-", given=f"{FORBIDDEN} a15".encode())
    assert code == 0
    assert "white, forbidden 11" in output
    code, output, _ = call(
        "--forbidden", "off", "--five", "claim", "--overline", "nothing", "-", given=FIVE.encode()
    )
    assert "black, five 9 if claimed" in output
    code, output, _ = call("-", given=json.dumps(RECORD).encode())
    assert "white, time (recorded) (contradicts!)" in output


def test_files_that_cannot_be_read_are_named_and_the_others_are_judged(games: str, tmp_path: Path) -> None:
    latin, empty = tmp_path / "latin.txt", tmp_path / "empty.txt"
    latin.write_bytes(b"h8 \xff")
    empty.write_bytes(b"\n")
    none = str(tmp_path / "none.txt")
    code, output, errors = call("--json", none, str(latin), str(tmp_path), str(empty), games)
    assert code == 2
    assert len(output.splitlines()) == 3
    assert errors[:4] == [
        f"{none} cannot be read: No such file or directory",
        f"{latin} cannot be read: byte 4 is not UTF-8",
        f"{tmp_path} cannot be read: Is a directory",
        f"{empty} holds no game",
    ]


def test_games_of_other_programs_are_judged_and_what_was_left_open_is_said(tmp_path: Path) -> None:
    sgf = ROOT / "tests" / "data" / "sgf"
    code, output, errors = call("--json", str(sgf / "collection.sgf"))
    assert (code, errors) == (0, [])
    first, second = [json.loads(line) for line in output.splitlines()]
    assert (first["line"], first["moves"], first["recorded"]) == (4, 2, None)
    assert second["result"] == {"winner": "black", "reason": "five", "n": 9, "if_claimed": False}
    assert (second["recorded"], second["contradicts"]) == ({"winner": "black", "reason": "five"}, False)

    code, output, errors = call(str(sgf / "named-for-go.sgf"))
    assert code == 0
    assert "named-for-go.sgf:1    4      D5 Zangetsu        black, resignation (recorded)" in output
    assert [error.partition(": line 1, game 1: ")[2] for error in errors] == [
        "GM[1] means Go; by the board of 15 x 15 it is read as gomoku or renju",
        "4 variations are not read, the main line is the game",
    ]

    broken = tmp_path / "broken"
    broken.write_bytes(b"(;GM[4];B[hh];W[hh])\n(;GM[4];B[hh]\n")
    code, output, errors = call("--json", str(broken))
    assert code == 2
    assert [json.loads(line)["move"] for line in output.splitlines()] == [2, None]
    assert errors == [
        f"{broken}: line 1, game 1, move 2: H8 is occupied",
        f"{broken}: line 3, game 2: character 1: the file ends within the game that begins in line 2",
    ]


def test_a_byte_order_mark_and_lines_of_other_systems(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(b"\xef\xbb\xbfh8 i9\r\n\r\nh8\r\n")
    code, output, errors = call("--json", str(path))
    assert (code, errors) == (0, [])
    assert [json.loads(line)["moves"] for line in output.splitlines()] == [2, 1]


def test_an_exported_game_is_judged(tmp_path: Path) -> None:
    from firmware_host.record.game import GameRecord
    from firmware_host.record.header import Header
    from firmware_host.record.json_format import to_json
    from firmware_host.referee.settings import MatchSettings

    path = tmp_path / "game.json"
    path.write_text(to_json(GameRecord.new(Header(), MatchSettings())))
    code, output, errors = call("--json", str(path))
    assert (code, errors) == (0, [])
    assert json.loads(output)["moves"] == 0


def test_a_bar_is_shown_on_a_terminal_and_nowhere_else(games: str) -> None:
    shown = on_a_terminal("--json", games)
    assert "games.txt" in shown
    assert "━" in shown
    assert "\x1b[" in shown
    assert "move 3: H8 is occupied" in shown
    assert '"unclaimed"' not in shown


def on_a_terminal(*arguments: str) -> str:
    """What standard error shows if that is a terminal and standard output is not."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware_host.cli", "adjudicate", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "200"},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait(60) == 2
    return shown.decode()
