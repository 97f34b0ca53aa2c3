"""The commands as a person calls them: what they print, and one sentence and exit code 2 for bad input."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host import wire
from firmware_host.board import BLACK, parse_point
from firmware_host.record.header import Header
from firmware_host.referee.inputs import Command
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import MatchSettings, match_settings
from firmware_host.sensing.events import Placed
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal
from tests.programs import started

ROOT = Path(__file__).parents[1]
TRACES = Path(__file__).parent / "traces"


def call(*arguments: str, given: bytes = b"", **environ: str) -> tuple[int, str, str]:
    """Exit code, output and errors of `renju-board ...`."""
    done = subprocess.run(
        [sys.executable, "-m", "firmware_host.cli", *arguments],
        input=given,
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ},
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def refused(*arguments: str, given: bytes = b"") -> str:
    """The one sentence with which a call is refused."""
    code, _, errors = call(*arguments, given=given)
    assert code == 2, errors
    assert errors.startswith("renju-board: ")
    assert errors.count("\n") == 1
    return errors


def test_forbidden_reads_positions_and_move_lists() -> None:
    moves = "h8 a1 i8 a3 g7 a5 g6 a7"
    code, output, errors = call("forbidden", "--json", given=f"{moves}\n{'.' * 225}\n".encode())
    assert (code, errors) == (0, "")
    lines = [json.loads(line)["forbidden"] for line in output.splitlines()]
    assert lines[0] == {"G8": "double-three"}
    assert lines[1] == {}


def test_forbidden_names_the_line_and_the_point_and_keeps_what_came_before() -> None:
    code, output, errors = call("forbidden", "--json", given=b"h8 i9\nh8 P16\n")
    assert code == 2
    assert output == '{"forbidden": {}}\n'
    assert errors == "renju-board: line 2: 'P16' is not a point; allowed: A1 to O15\n"
    assert "line 1" in refused("forbidden", given=b"\xff\n")
    assert "224" in refused("forbidden", given=b"." * 224)


def test_replay_ends_with_final(tmp_path: Path) -> None:
    code, output, errors = call("replay", str(TRACES / "switch-slide-long-1.trace.gz"), "--json")
    assert (code, errors) == (0, "")
    lines = [json.loads(line) for line in output.splitlines()]
    assert lines[-1]["final"]["irregular"] == [{"code": "slide", "point": "C4"}]
    assert all(line["audience"] in ("arbiter", "players", "public") for line in lines if "ruling" in line)
    code, words, _ = call("replay", str(TRACES / "switch-slide-long-1.trace.gz"))
    assert code == 0
    assert words.endswith(
        "moves: H8 H9 J10 F4\nirregular actions: slide C4\nresult: not over\ntime left: no limit\n"
    )
    assert "slid                 path C4 D4 E4 F4\n" in words
    assert not re.search(r"[\[{']|None|True|False", words)


def test_replay_tells_people_who_won_and_what_time_is_left(tmp_path: Path) -> None:
    trace = tmp_path / "resigned.trace"
    trace.write_text(
        '{"format":"renju-board-trace","version":1,"sensors":"switch","rate_hz":200,"match":{"time":"5m"}}\n'
        '{"t_us": 0, "command": {"do": "start"}}\n'
        '{"t_us": 1500000, "command": {"do": "resign", "side": "black"}}\n'
    )
    code, words, errors = call("replay", str(trace))
    assert (code, errors) == (0, "")
    assert words.endswith(
        "moves: none\nirregular actions: none\nresult: white wins, black 0, white 1, resignation\n"
        "time left: black 298.5 s, white 300 s\n"
    )
    assert not re.search(r"[\[{']|None|True|False", words)


def test_replay_refuses_settings_and_files_that_cannot_be(tmp_path: Path) -> None:
    trace = str(TRACES / "switch-game-1.trace.gz")
    assert "match.opening = 'fre'" in refused("replay", trace, "--set", "match.opening=fre")
    assert "match.openings" in refused("replay", trace, "--set", "match.openings=free")
    assert "no-such" in refused("replay", str(tmp_path / "no-such.trace.gz"))
    header = '{"format":"renju-board-trace","version":1,"sensors":"switch","rate_hz":200,"match":{}}\n'
    broken = tmp_path / "broken.trace.gz"
    broken.write_text(f'{header}{{"t_us": 0, "key": "middle"}}\n')
    assert "line 2: key = 'middle' does not exist; allowed: near, far" in refused("replay", str(broken))
    broken.write_text(header.replace('"match":{}', '"match":{"komi": 7}'))
    assert "match.komi = 7" in refused("replay", str(broken))


def test_replay_takes_only_match_settings_and_names_a_file_once(tmp_path: Path) -> None:
    trace = str(TRACES / "switch-game-1.trace.gz")
    sentence = (
        "renju-board: --set '{}' is not possible; allowed: match.KEY=VALUE, such as match.opening=free\n"
    )
    for text in ("x", "match", "web.port=1"):
        assert refused("replay", trace, "--set", text) == sentence.format(text)
    assert "allowed: match.opening=VALUE, where VALUE is: free, " in refused(
        "replay", trace, "--set", "match.opening"
    )
    assert refused("replay", "/nonexistent") == (
        "renju-board: /nonexistent cannot be read: No such file or directory\n"
    )
    plain = tmp_path / "plain.txt"
    plain.write_text("h8 i9\n")
    assert refused("replay", str(plain)).startswith(f"renju-board: {plain}: line 1: no trace header")


@pytest.mark.parametrize(
    "arguments", [("replay", str(TRACES / "switch-game-1.trace.gz"), "--json"), ("check",), ("forbidden",)]
)
def test_a_reader_that_goes_away_ends_a_command_quietly(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "firmware_host.cli", *arguments],
        input=b"h8\n",
        stdout=writer,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        timeout=60,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.mark.parametrize("pace", ["-1", "0", "0.09", "61", "nan", "inf"])
def test_a_pace_that_no_robot_has_is_refused_with_the_range(pace: str) -> None:
    assert refused("demo", "--pace", pace).endswith("is not possible; allowed: 0.1 to 60 seconds\n")


def demo_says(journal: Path, *arguments: str) -> str:
    """What a demo prints between its start and its end."""
    settings = [f"--set=journal.path={journal}", "--set=web.port=0"]
    command = [sys.executable, "-m", "firmware_host.cli", "demo", *settings, *arguments]
    with started(command, cwd=ROOT) as demo:
        assert demo.stdout is not None
        begun = next(line for line in demo.stdout if line.startswith("journal "))
        demo.send_signal(signal.SIGTERM)
        return begun + demo.stdout.read()


def test_a_demo_that_goes_on_says_which_settings_it_did_not_take(tmp_path: Path) -> None:
    journal = tmp_path / "j.db"
    asked = ("--set=match.time=5m+3s", "--set=table.black=Ono")
    assert "settings" not in demo_says(journal, "--set=match.opening=free")
    assert (
        'that game keeps its own settings: table.black = "" (asked: "Ono"), match.opening = "free" (asked: '
        '"designated"), match.time = "15m" (asked: "5m+3s"); ARGS=--new (the option --new) begins another'
    ) in demo_says(journal, *asked)
    assert "settings" not in demo_says(journal, *asked, "--new")
    assert "settings" not in demo_says(journal, *asked)


def test_the_readme_names_every_option_of_demo_and_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    help_text = call("demo", "--help")[1]
    options = set(re.findall(r"--[a-z-]+", help_text)) - {"--help", "--config"}
    assert not {option for option in options if option not in readme}
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "systemd" / "README.md"]
    unlinked = {page.name for page in pages if f"]({page.relative_to(ROOT)})" not in readme}
    assert not unlinked


def test_check_says_what_a_configuration_means_or_what_is_wrong(tmp_path: Path) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[match]\nopening = "free"\ntime = "5m+3s"\n')
    code, output, _ = call("check", "--config", str(config))
    assert code == 0
    assert 'opening = "free"' in output
    config.write_text('[match]\ntimes = "5m+3s"\n')
    assert "match.times" in refused("check", "--config", str(config))
    config.write_text("[scanner]\nrate_hz = 5000\n")
    assert "scanner.rate_hz = 5000 is not possible; allowed: a whole number from 50 to 400" in refused(
        "check", "--config", str(config)
    )


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with one game of one move that Black resigned after."""
    path = tmp_path / "journal.db"
    writer = Journal.open(path)
    settings = match_settings({"opening": "free"})
    writer.begin_game(
        header=Header(table="3"), settings=settings, sensors="linear", rules_version=RULES_VERSION
    )
    referee = Referee(settings)
    for given in (
        Command(t_ns=0, do="start"),
        Placed(t_ns=1_000_000_000, point=parse_point("H8"), colour=BLACK),
        Command(t_ns=2_000_000_000, do="resign", side=BLACK),
    ):
        writer.append(given, referee.rule(given))
    writer.close()
    return path


def test_journal_lists_shows_and_verifies(journal: Path) -> None:
    code, output, _ = call("journal", "list", "--journal", str(journal))
    assert code == 0
    assert "table 3" in output
    assert "1 moves  0-1 resignation" in output
    code, output, _ = call("journal", "show", "--json", "--journal", str(journal))
    lines = [json.loads(line) for line in output.splitlines()]
    assert [line["input"]["event"] for line in lines] == ["command", "placed", "command"]
    assert wire.input_from_wire(lines[1]["input"]).t_ns == 1_000_000_000
    code, output, _ = call("journal", "verify", "--journal", str(journal))
    assert code == 0
    assert re.fullmatch(r"game 1: 3 entries, head( [0-9a-f]{4}){4}\n", output)


def test_who_looks_for_the_journal_of_a_demo_is_told_where_it_is(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "renju-board"
    folder.mkdir()
    demo = journal.rename(folder / "demo.db")
    for command in (("journal", "list"), ("export",)):
        code, output, errors = call(*command, XDG_STATE_HOME=str(tmp_path), STATE_DIRECTORY="")
        assert (code, output) == (2, "")
        assert errors == (
            f"renju-board: {folder / 'journal.db'}: there is no such journal;"
            f" to read the demo's add --journal {demo}\n"
        )


def test_export_prints_the_game(journal: Path) -> None:
    code, output, _ = call("export", "--journal", str(journal))
    assert code == 0
    assert "①" in output
    code, output, _ = call("export", "--format", "json", "--journal", str(journal), "1")
    assert code == 0
    assert json.loads(output)
    assert "game 7 is not in the journal; allowed: 1 to 1" in refused(
        "export", "--journal", str(journal), "7"
    )


def test_closed_input_and_text_that_is_no_text_are_told_in_one_sentence() -> None:
    command = f"{sys.executable} -m firmware_host.cli forbidden <&-"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=ROOT, timeout=60)  # noqa: S602
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"renju-board: standard input is closed")
    done = subprocess.run(
        [sys.executable, "-m", "firmware_host.cli", "check", "--set", b"table.name=\xff"],
        capture_output=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.returncode == 2
    assert b"allowed: UTF-8 text" in done.stderr
    assert b"Traceback" not in done.stderr


def test_verify_names_a_game_that_it_cannot_rule_and_goes_on(journal: Path) -> None:
    writer = Journal.open(journal)
    wrong = MatchSettings(opening="rif-classic", offers=3)
    writer.begin_game(settings=wrong, sensors="linear", rules_version=RULES_VERSION)
    writer.close()
    code, output, _ = call("journal", "verify", "--journal", str(journal))
    assert code == 1
    assert "\nwrong: game 2: cannot be ruled by this version: match.offers = 3" in output


def test_a_journal_of_another_version_or_none_is_refused_and_untouched(tmp_path: Path) -> None:
    other = tmp_path / "notes.db"
    other.write_text("not a journal")
    for command in (["journal", "list"], ["export"], ["journal", "verify"]):
        assert "notes.db" in refused(*command, "--journal", str(other))
    assert "notes.db" in refused("run", "--set", "web.port=0", "--set", f"journal.path={other}")
    assert other.read_text() == "not a journal"
    assert "no-such" in refused("journal", "list", "--journal", str(tmp_path / "no-such.db"))


def test_a_small_place_is_enough(tmp_path: Path) -> None:
    """No home, no UTF-8, a folder that cannot be written."""
    code, output, _ = call(
        "forbidden", "--json", given=b"h8\n", LC_ALL="C", HOME="/nonexistent", PYTHONUTF8="0"
    )
    assert (code, output) == (0, '{"forbidden": {}}\n')
    code, output, errors = call("check", LC_ALL="C", HOME="/nonexistent", PYTHONUTF8="0")
    assert code == 0, errors


def test_settings_that_cannot_be_played_leave_no_game_behind(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    at = ("--set", "web.port=0", "--set", f"journal.path={path}", "--set", "match.opening=rif-classic")
    at += ("--set", "match.offers=3")
    assert "match.offers = 3" in refused("run", *at)
    assert "match.offers = 3" in refused("check", *at)
    assert not path.exists()
