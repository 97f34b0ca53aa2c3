"""`renju-board journal`: what people read, what programs read, and the exit codes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.cli.journal import stones_in_words
from firmware_host.referee.inputs import Command
from firmware_host.referee.match import Referee
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal
from tests.service.journals import FREE, change, rows_of, write_games


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two games that are over and one that is adjourned."""
    path = tmp_path / "journal.db"
    write_games(path, 2)
    with Journal.open(path) as journal:
        journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
        referee = Referee(FREE)
        for given in (Command(t_ns=0, do="start"), Command(t_ns=1_500_000_000, do="adjourn", reason="a\nb")):
            journal.append(given, referee.rule(given))
    return path


def call(path: Path, command: str, *arguments: str, given: str | None = None) -> Result:
    done = CliRunner().invoke(main, ["journal", command, "--journal", str(path), *arguments], input=given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_list_is_a_line_a_game_with_result_or_state(path: Path) -> None:
    done = call(path, "list")
    assert done.exit_code == 0
    first, second, third = done.output.splitlines()
    assert first.startswith("   1  20")
    assert first.endswith("  round 1  table 7  林 ✓ - White  1 moves  1-0 resignation")
    assert "round 2" in second
    assert third.endswith("  table 1  Black - White  0 moves  adjourned")


def test_list_for_programs(path: Path) -> None:
    games = [json.loads(line) for line in call(path, "list", "--json").output.splitlines()]
    assert [(game["number"], game["state"], game["entries"]) for game in games] == [
        (1, "over", 6),
        (2, "over", 6),
        (3, "adjourned", 2),
    ]
    assert games[0]["header"]["first"] == {
        "name": "林 ✓", "id": "8", "federation": "", "rating": 2310, "title": "",
    }  # fmt: skip
    assert games[0]["result"]["reason"] == "resignation"
    assert len(games[0]["head"]) == 64


def test_a_game_that_cannot_be_read_keeps_no_other_from_the_list(path: Path) -> None:
    change(path, "UPDATE entries SET input = '{' WHERE game = 2 AND seq = 3")
    first, second, third = call(path, "list").output.splitlines()
    assert first.endswith("1-0 resignation")
    assert second.endswith("? moves  damaged")
    assert third.endswith("adjourned")


def test_show_says_what_came_and_what_was_ruled(path: Path) -> None:
    lines = call(path, "show", "1").output.splitlines()
    assert lines[0].startswith("1  20")
    assert lines[1].startswith("head ")
    assert lines[2] == "     0.000      1  command   do start  by arbiter"
    assert "     1.000      2  placed    point H8  colour black" in lines
    assert any(line.strip().startswith("-> move n 1  point H8  colour black") for line in lines)
    assert all(len(line) < 200 for line in lines)
    assert "a b" in call(path, "show").output


def test_what_lies_on_the_board_is_said_by_points() -> None:
    assert stones_in_words("." * 225) == "none"
    assert stones_in_words("X." + "." * 221 + "O?") == "X A1, O N15, ? O15"


def test_show_for_programs(path: Path) -> None:
    lines = [json.loads(line) for line in call(path, "show", "--json", "1").output.splitlines()]
    assert [line["seq"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert {"input", "rulings", "wall_ns", "synchronised", "boot_id", "late_ns", "hash"} < set(lines[0])
    stored = [row[-1] for row in rows_of(path) if isinstance(row[1], int) and row[0] == 1]
    assert [line["hash"] for line in lines] == stored


def test_verify_says_so_in_one_sentence_each_and_by_its_exit_code(path: Path) -> None:
    done = call(path, "verify")
    assert done.exit_code == 0
    assert "wrong" not in done.output
    head = done.output.splitlines()[0].rpartition("head ")[2]
    done = call(path, "verify", "--head", head)
    assert done.exit_code == 0
    assert f"hash {head} is that of entry 5 of game 1" in done.output
    change(path, "DELETE FROM entries WHERE game = 2 AND seq = 3")
    done = call(path, "verify", "--head", "0123456789abcdef")
    assert done.exit_code == 1
    assert [line for line in done.output.splitlines() if line.startswith("wrong: ")] == [
        "wrong: game 2: entry 3 is missing",
        "wrong: game 2: what comes after entry 2 was not ruled again",
        "wrong: hash 0123 4567 89ab cdef is not in this journal",
    ]
    assert call(path, "verify", "--head", "xyz").exit_code == 2


def test_repair_says_what_is_missing_and_how_to_go_on(path: Path) -> None:
    before = path.read_bytes()
    raw = bytearray(before)
    at = raw.rindex(b'"do":"resign"')  # of game 1: a page is filled from its end
    raw[at : at + 5] = b"\xff" * 5
    path.write_bytes(raw)
    done = call(path, "repair")
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert "wrong: game 1: entry 5 is missing" in lines
    new = path.with_name("journal.repaired.db")
    assert f"written: {new}; {path} is as it was" in lines
    assert f"--set journal.path={new}" in lines[-1]
    assert path.read_bytes() == raw
    assert call(new, "verify").exit_code == 1
    with Journal.open(new) as journal:
        assert journal.game is not None
        assert journal.game.number == 3
    assert call(path, "repair").exit_code == 2
    path.write_bytes(before)
    assert call(path, "repair", "--to", str(path.with_name("other.db"))).exit_code == 0


def test_what_a_daemon_has_is_neither_repaired_nor_pruned(path: Path) -> None:
    with Journal.open(path):
        for order in (["repair"], ["prune", "1", "--yes"]):
            done = call(path, *order)
            assert done.exit_code == 2
            assert "is being written by another renju-board" in done.output


def test_prune_says_what_it_removes_and_asks(path: Path) -> None:
    done = call(path, "prune")
    assert done.exit_code == 2
    assert "prune needs to know what: --older-than DAYS, --down-to MB, or numbers of games" in done.output
    done = call(path, "prune", "1", "3", given="n\n")
    assert done.exit_code == 0
    assert "game 3 is adjourned; it stays as it is" in done.output
    assert "1-0 resignation  0.0 MB" in done.output
    assert "remove the entries of 1 game for good? [y/N]: n" in done.output
    assert done.output.endswith("nothing was removed\n")
    assert len(rows_of(path)) == 3 + 14
    done = call(path, "prune", "1", "3", given="y\n")
    assert f"removed: 1 game; {path} was " in done.output
    assert call(path, "list").output.splitlines()[0].endswith("1 moves  1-0 resignation, pruned")
    assert call(path, "verify").exit_code == 0
    done = call(path, "show", "1")
    assert done.exit_code == 2
    assert "the 6 entries of game 1 were pruned on 20" in done.output
    assert call(path, "prune", "--older-than", "1").output.endswith("nothing to remove\n")


def test_a_pruned_game_is_not_exported_as_an_empty_one(path: Path) -> None:
    assert call(path, "prune", "1", "--yes").exit_code == 0
    done = CliRunner().invoke(main, ["export", "--journal", str(path), "1"])
    assert done.exit_code == 2
    assert "entries of game 1 were pruned" in done.output
