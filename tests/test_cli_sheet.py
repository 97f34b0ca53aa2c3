"""`renju-board sheet`: files of every form, copies, and one sentence for what cannot be."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.cli import main
from firmware_host.record.header import Header, Person
from firmware_host.referee.inputs import Command
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Placed
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a game of one move, a note and a resignation."""
    path = tmp_path_factory.mktemp("journal") / "journal.db"
    writer = Journal.open(path)
    settings = match_settings({"opening": "free"})
    header = Header(table="3", event="Example Open", first=Person(name="Player One"))
    writer.begin_game(header=header, settings=settings, sensors="linear", rules_version=RULES_VERSION)
    referee = Referee(settings)
    for given in (
        Command(t_ns=0, do="start"),
        Placed(t_ns=1_000_000_000, point=parse_point("H8"), colour=BLACK),
        Command(t_ns=2_000_000_000, do="note", text="SECRET-NOTE"),
        Command(t_ns=3_000_000_000, do="resign", side=WHITE),
    ):
        writer.append(given, referee.rule(given))
    writer.close()
    return path


def sheet(journal: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["sheet", "--journal", str(journal), *arguments])


def test_a_pdf_of_the_last_game_here(journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = sheet(journal)
    assert (done.exit_code, done.output) == (0, "sheet-1.pdf\n")
    assert (tmp_path / "sheet-1.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(("copy", "secret"), [("arbiter", True), ("players", False), ("public", False)])
def test_whose_copy(journal: Path, tmp_path: Path, copy: str, secret: bool) -> None:
    out = tmp_path / "a.svg"
    assert sheet(journal, "--copy", copy, "--out", str(out), "--lang", "zh", "1").exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert "Example Open" in text
    assert "黑胜" in text
    assert ("SECRET-NOTE" in text) is secret


def test_the_hash_of_a_running_game_is_the_arbiters_alone(tmp_path: Path) -> None:
    """It changes with what only he may know."""
    path = tmp_path / "journal.db"
    settings = match_settings({"opening": "free"})
    with Journal.open(path) as writer:
        header = Header(table="3")
        writer.begin_game(header=header, settings=settings, sensors="linear", rules_version=RULES_VERSION)
        given = Command(t_ns=0, do="start")
        writer.append(given, Referee(settings).rule(given)).result(5)
        head = writer.reader.head(writer.reader.games()[0])
    for copy, shown in (("arbiter", True), ("players", False), ("public", False)):
        out = tmp_path / f"{copy}.svg"
        assert sheet(path, "--copy", copy, "--out", str(out)).exit_code == 0
        assert (head in out.read_text(encoding="utf-8")) is shown


def test_a_configuration_names_language_and_address_and_what_a_blank_sheet_knows(tmp_path: Path) -> None:
    config, out = tmp_path / "board.toml", tmp_path / "blank.svg"
    config.write_text('[table]\nevent = "Known Event"\n[records]\nlanguage = "ja"\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["sheet", "--blank", "--config", str(config), "--out", str(out)])
    assert done.exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert "Known Event" in text
    assert "対局記録" in text
    assert ">60<" in text


def test_a_journal_with_a_name_that_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    done = sheet(tmp_path / ("a" * 300))
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert "File name too long" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--out", "x.png"], "--out = 'x.png' is not possible; allowed: a file that ends with .pdf or .svg"),
        (["9"], "game 9 is not in the journal; allowed: 1 to 1"),
        (["--out", "/proc/nowhere/x.svg"], "/proc/nowhere cannot be written: No such file or directory"),
    ],
)
def test_what_cannot_be_is_one_sentence(journal: Path, arguments: list[str], sentence: str) -> None:
    done = sheet(journal, *arguments)
    assert (done.exit_code, done.stderr) == (2, f"renju-board: {sentence}\n")
