"""The files of a game: their names, what each holds, and that each is replaced as a whole."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host.errors import RecordError
from firmware_host.record import sgf
from firmware_host.record.header import Header
from firmware_host.record.json_format import from_json
from firmware_host.service import game_folder
from firmware_host.service.config import load_config
from firmware_host.service.game_folder import (
    event_folder,
    file_game,
    game_name,
    is_filed,
    records_folder,
)
from firmware_host.service.pdf import NoPdf, to_pdf
from tests.record.sample_sheets import record

ARBITER, PUBLIC = record(9), record(9, audience="public")


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ("Spring Open 2026", "Spring-Open-2026"),
        ("../../etc", "etc"),
        ("春季/公开赛", "春季-公开赛"),
        ("", "games"),
    ],
)
def test_an_events_folder_has_a_name_that_every_file_system_takes(event: str, name: str) -> None:
    assert event_folder(Path("/r"), Header(event=event)) == Path("/r") / name


def test_no_two_games_have_one_name() -> None:
    assert game_name(ARBITER.header, 17) == "round-2-table-4-game-17-1ee3f3b1"
    assert game_name(Header(table="A 3"), 1) == "table-A-3-game-1"


def test_the_folder_is_beside_the_journal_or_where_it_is_asked_for(tmp_path: Path) -> None:
    beside = load_config(None, [f"journal.path={tmp_path}/j.db"])
    assert records_folder(beside) == tmp_path / "records"
    assert records_folder(load_config(None, [f"records.folder={tmp_path}/x"])) == tmp_path / "x"


def test_what_is_in_the_files(tmp_path: Path) -> None:
    filed = file_game(tmp_path, 3, ARBITER, PUBLIC, to_pdf)
    place = tmp_path / "Example-Open"
    assert sorted(filed.files) == sorted(place.iterdir())
    assert filed.notes == ()
    by_end = {path.name.removeprefix("round-2-table-4-game-3-1ee3f3b1"): path for path in filed.files}
    assert set(by_end) == {"-arbiter.json", "-arbiter.pdf", "-players.pdf", ".sgf"}
    assert sgf.read(by_end[".sgf"].read_bytes()) == (sgf.holdable(PUBLIC),)
    assert "SECRET" not in by_end[".sgf"].read_text("utf-8")
    assert from_json(by_end["-arbiter.json"].read_bytes()) == ARBITER
    assert is_filed(tmp_path, 3, ARBITER)
    assert not is_filed(tmp_path, 3, replace(ARBITER, result=None))
    by_end["-players.pdf"].unlink()
    assert not is_filed(tmp_path, 3, ARBITER)


def test_without_reportlab_sheets_are_svg_and_the_reason_is_told(tmp_path: Path) -> None:
    filed = file_game(tmp_path, 3, ARBITER, PUBLIC, no_pdf)
    assert filed.notes == ("score sheets are SVG: a PDF needs the package reportlab",)
    sheets = {path.name[-11:]: path.read_text("utf-8") for path in filed.files if path.suffix == ".svg"}
    assert set(sheets) == {"arbiter.svg", "players.svg"}
    assert "SECRET" in sheets["arbiter.svg"]
    assert "SECRET" not in sheets["players.svg"]
    assert "Players' copy" in sheets["players.svg"]


def no_pdf(_: object) -> game_folder.Pdf:
    raise NoPdf("a PDF needs the package reportlab")


@pytest.mark.parametrize(("makes", "form"), [((to_pdf, no_pdf), ".svg"), ((no_pdf, to_pdf), ".pdf")])
def test_no_sheet_of_an_earlier_result_stays_in_another_form(
    tmp_path: Path, makes: tuple[Callable[..., game_folder.Pdf], ...], form: str
) -> None:
    for make in makes:
        file_game(tmp_path, 3, ARBITER, PUBLIC, make)
    sheets = [path for path in (tmp_path / "Example-Open").iterdir() if path.suffix in (".pdf", ".svg")]
    assert [path.suffix for path in sheets] == [form, form]


def test_a_game_is_not_filed_before_its_last_file_is_there(tmp_path: Path) -> None:
    """Else a kill between two files would leave the sheets of an earlier result for good."""
    file_game(tmp_path, 3, ARBITER, PUBLIC, to_pdf)
    later = replace(ARBITER, result=None)

    def killed(_: object) -> game_folder.Pdf:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        file_game(tmp_path, 3, later, PUBLIC, killed)
    assert not is_filed(tmp_path, 3, later)


def test_the_arbiters_record_is_nobody_elses(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="what players may not know"):
        file_game(tmp_path, 1, ARBITER, ARBITER, to_pdf)


def test_files_that_cannot_be_written_leave_the_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in file_game(tmp_path, 3, ARBITER, PUBLIC, to_pdf).files}

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    later = replace(ARBITER, result=None), replace(PUBLIC, result=None)
    with pytest.raises(RecordError, match="cannot be written: No space left on device"):
        file_game(tmp_path, 3, *later, to_pdf)
    assert {path: path.read_bytes() for path in (tmp_path / "Example-Open").iterdir()} == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "records").write_text("in the way")
    with pytest.raises(RecordError, match="records/Example-Open cannot be written: Not a directory"):
        file_game(tmp_path / "records", 1, ARBITER, PUBLIC, to_pdf)
