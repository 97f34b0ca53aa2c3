"""The daemon as a process: a game through hand movements, killed in the middle, restarted, finished."""

import contextlib
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from firmware_host.cli.common import pick_game
from firmware_host.errors import ConfigError
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.game import RULES_VERSION, record_of
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.replay import replay
from firmware_host.service.web_server import listen
from tests.daemon_process import Daemon, Follower
from tests.patience import LONG_S

FREE = ("match.opening=free", "match.time=5m+3s")
GAME = ["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8"]
SEATS = ("near", "far")
COLOURS = ("black", "white")


Start = Callable[..., Daemon]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start daemons; those that still run at the end of a test are killed."""
    daemons: list[Daemon] = []

    def start_one(folder: Path, *settings: str, options: Sequence[str] = ()) -> Daemon:
        daemons.append(Daemon(folder, *settings, options=options))
        return daemons[-1]

    yield start_one
    for daemon in daemons:
        daemon.kill()


def play(daemon: Daemon, n: int) -> None:
    """Move `n`, from 0, of GAME: the stone, then the key."""
    daemon.hand("place", point=GAME[n], colour=COLOURS[n % 2])
    daemon.reach()
    daemon.hand("press", key=SEATS[n % 2])


def points(snapshot: dict) -> list[str]:
    return [move["point"] for move in snapshot["moves"]]


def test_a_game_is_killed_in_the_middle_and_finished_after_the_restart(tmp_path: Path, start: Start) -> None:
    daemon = start(tmp_path, *FREE)
    follower = Follower(daemon)
    for n in range(4):
        play(daemon, n)
    daemon.wait_for("four moves", "/game.json", moves=4)
    follower.wait_for_moves(4)
    asked_ns = time.monotonic_ns()
    before = daemon.ask("/game.json")
    daemon.kill()
    passed_ms = (time.monotonic_ns() - asked_ns) // 1_000_000 + 2  # the clocks are rounded
    follower.close()
    assert points(follower.messages[-1][1]) == GAME[:4]
    assert [number for number, _ in follower.messages] == sorted({number for number, _ in follower.messages})

    daemon = start(tmp_path, *FREE)
    after = daemon.wait_for("restored", phase="paused", differences=[])
    assert points(after) == GAME[:4]
    assert after["clock"]["running"] is None
    for side in COLOURS:
        lost = before["clock"][side]["remaining_ms"] - after["clock"][side]["remaining_ms"]
        assert -1000 - passed_ms <= lost <= passed_ms, (
            f"{side}: more than a heartbeat between what was shown and restored"
        )
    assert [r["ruling"] for r in daemon.command("resume")] == ["resumed"]

    follower = Follower(daemon)
    for n in range(4, 9):
        play(daemon, n)
    final = daemon.wait_for("the five", "/game.json", phase="over")
    assert daemon.stop() == (0, "")
    follower.close()
    assert points(final) == GAME
    assert final["result"] == {
        "winner": "black",
        "black": 1.0,
        "white": 0.0,
        "reason": "five",
        "line": GAME[::2],
    }
    newest = follower.messages[-1][1]
    assert (newest["kind"], final["kind"], newest["seq"]) == ("end", "snapshot", final["seq"])
    assert newest == final | {key: newest[key] for key in ("kind", "ply", "released_at")}
    with JournalReader.open(tmp_path / "journal.db") as reader:
        game = pick_game(reader, None)
        record = record_of(game, reader.entries(game))
    assert [move.colour for move in record.moves] == [m["colour"] for m in final["moves"]]
    assert record.result is not None
    assert record.result.reason == "five"


def test_a_stone_that_comes_while_the_clocks_stand_is_a_difference_and_no_move(
    tmp_path: Path, start: Start
) -> None:
    daemon = start(tmp_path, *FREE)
    play(daemon, 0)
    daemon.wait_for("one move", "/game.json", moves=1)
    daemon.kill()
    daemon = start(tmp_path, *FREE)
    daemon.wait_for("restored", phase="paused", differences=[])
    daemon.hand("place", point="H9", colour="white")
    state = daemon.wait_for("a difference", differences=1)
    assert points(state) == ["H8"]
    refused = daemon.command("resume")
    assert refused[0]["ruling"] == "refused"
    assert "H9" in refused[0]["why"]
    daemon.command("accept_board")
    daemon.command("resume")
    assert points(daemon.wait_for("accepted", "/game.json", moves=2)) == ["H8", "H9"]
    daemon.stop()


def test_a_taken_port_and_a_second_daemon_are_told_in_one_sentence(tmp_path: Path, start: Start) -> None:
    daemon = start(tmp_path, *FREE)
    try:
        for settings, words in (
            ([f"web.port={daemon.port}"], "in use"),
            ([], "another"),
        ):
            second = _fails(tmp_path, *settings)
            assert second[0] == 2
            assert words in second[1]
            assert "Traceback" not in second[1]
            assert second[1].count("\n") == 1
    finally:
        assert daemon.stop()[0] == 0


@pytest.mark.parametrize("host", ["203.0.113.9", "127.0.0.300", "zz:", "a..b"])
def test_a_host_that_cannot_be_bound_is_blamed_on_the_host(host: str) -> None:
    with pytest.raises(ConfigError) as refused, listen(host, 0):
        pass
    assert str(refused.value).startswith(
        f"web.host = '{host}' is not possible; allowed: an address or a name"
    )


def test_a_taken_port_is_blamed_on_the_port_and_says_how_to_take_another() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError) as refused, listen("127.0.0.1", port):
            pass
    assert str(refused.value).startswith(f"web.port = {port} is not possible")
    assert 'make demo ARGS="--set web.port=0"' in str(refused.value)


def _fails(folder: Path, *settings: str) -> tuple[int, str]:
    given = ["web.port=0", f"journal.path={folder}/journal.db", *settings]
    arguments = [arg for setting in given for arg in ("--set", setting)]
    done = subprocess.run(
        [sys.executable, "-m", "firmware_host.cli", "run", *arguments],
        capture_output=True,
        text=True,
        timeout=LONG_S,
    )
    return done.returncode, done.stderr


def test_more_connections_than_the_process_may_open_do_not_end_the_game(tmp_path: Path, start: Start) -> None:
    daemon = start(tmp_path, *FREE)
    play(daemon, 0)
    _, most = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (40, most))
    with contextlib.ExitStack() as crowd:
        for _ in range(60):
            crowd.enter_context(socket.create_connection(("127.0.0.1", daemon.port)))
        # The refusal is logged as soon as it is known: then the daemon lives with it, or has ended.
        assert daemon.process.stderr is not None
        assert "out of system resource" in daemon.process.stderr.readline()
    play(daemon, 1)
    assert points(daemon.wait_for("the game goes on", "/game.json", moves=2)) == GAME[:2]
    assert daemon.stop()[0] == 0


def test_with_a_pin_set_this_machine_is_asked_for_it_too(tmp_path: Path, start: Start) -> None:
    daemon = start(tmp_path, *FREE, "web.arbiter_pin=4711")
    for path, given in (("/arbiter.json", None), ("/command", {"do": "pause"})):
        with pytest.raises(AssertionError, match=r"401 .*sign in with the PIN"):
            daemon.ask(path, given)
    assert daemon.ask("/arbiter/sign-in", {"pin": "4711"}) == {"done": True, "role": "arbiter"}
    assert daemon.ask("/game.json")["moves"] == []
    assert daemon.stop() == (0, "")


def test_a_console_that_is_off_takes_no_orders(tmp_path: Path, start: Start) -> None:
    daemon = start(tmp_path, *FREE, "web.console=off")
    with pytest.raises(AssertionError, match=r"403 .*web\.console = off"):
        daemon.command("pause")


def test_the_recorded_trace_replays_to_the_same_game(tmp_path: Path, start: Start) -> None:
    trace = tmp_path / "table.trace.gz"
    daemon = start(tmp_path, *FREE, options=("--record-trace", str(trace)))
    for n in range(3):
        play(daemon, n)
    daemon.hand("place", point="J8", colour="white")
    daemon.hand("slide", **{"from": "J8", "to": "J10"})
    live = daemon.wait_for("the slide", path="/arbiter.json", irregular=1)
    assert daemon.stop() == (0, "")
    final = list(replay(trace))[-1]["final"]
    assert final["moves"] == points(live) == ["H8", "H9", "I8", "J10"]
    assert final["irregular"] == [{"code": "slide", "point": "J8"}]


def test_a_game_without_an_entry_keeps_no_table_closed(tmp_path: Path, start: Start) -> None:
    """A journal in which a game was begun with settings that cannot be played."""
    journal = Journal.open(tmp_path / "journal.db")
    wrong = MatchSettings(opening="rif-classic", offers=3)
    journal.begin_game(settings=wrong, sensors="linear", rules_version=RULES_VERSION)
    journal.close()
    daemon = start(tmp_path, *FREE)
    daemon.wait_for("a game of its own", phase="playing")
    assert daemon.stop() == (0, "")
