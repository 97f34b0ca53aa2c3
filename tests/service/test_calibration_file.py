"""The file of a calibration: kept whole, refused in one sentence, and never in the way of a game."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import POINTS
from firmware_host.errors import RecordError
from firmware_host.service.calibration_file import (
    CalibrationFile,
    board_name,
    calibration_path,
    load,
    save,
    stored_calibration,
)
from firmware_host.service.config import Config, load_config


def kept(**other: Any) -> CalibrationFile:
    given: dict[str, Any] = {
        "board": "simulator, seed 1",
        "measured": "2026-05-01 14:03:07 UTC",
        "synchronised": True,
        "temperature_c": 31.5,
        "zero": (1.25,) * POINTS,
        "gain": (88.0,) * 224 + (0.0,),
        "noise": (2.0,) * POINTS,
    }
    return CalibrationFile(**{**given, **other})


def config(folder: Path, *more: str) -> Config:
    return load_config(None, [f"journal.path={folder / 'journal.db'}", *more])


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = calibration_path(config(tmp_path))
    assert path == tmp_path / "calibration.json"
    save(path, kept())
    save(path, kept(temperature_c=None))
    assert load(path) == kept(temperature_c=None)
    assert [entry.name for entry in tmp_path.iterdir()] == ["calibration.json"]
    assert json.loads(path.read_text())["format"] == "renju-board-calibration"


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    save(path, kept())
    (tmp_path / "calibration.json.new").mkdir()
    with pytest.raises(RecordError, match="cannot be written"):
        save(path, kept(temperature_c=1.0))
    assert load(path) == kept()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not a calibration"),
        ("{", "is not a calibration"),
        ("[]", "is not a calibration"),
        ('{"format": "x"}', "is not a calibration"),
        ("\x00\xff", "is not a calibration"),
        ("[" * 5000, "is not a calibration"),
        (" " * 100_001, "is longer than a calibration"),
        ({"zero": [0.0] * 10}, "calibration.zero = '10 numbers' is not possible"),
        ({"gain": [500.0] * POINTS}, "calibration.gain = 500.0 is not possible"),
        ({"zero": ["x"] * POINTS}, "is not a calibration"),
        ({"version": 2}, "version 2; allowed"),
    ],
)
def test_a_damaged_file_is_as_good_as_none_and_the_reason_is_told(
    tmp_path: Path, content: str | dict[str, Any], said: str
) -> None:
    at = config(tmp_path)
    path = calibration_path(at)
    if isinstance(content, dict):
        save(path, kept())
        content = json.dumps({**json.loads(path.read_text()), **content})
    path.write_text(content, encoding="latin-1")
    with pytest.raises(RecordError) as refused:
        load(path)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    stored, trouble = stored_calibration(at)
    assert stored is None
    assert trouble.startswith("the board is not calibrated: ")
    assert str(path) in trouble


def test_none_is_no_trouble_and_one_of_another_board_is_told(tmp_path: Path) -> None:
    at = config(tmp_path)
    assert stored_calibration(at) == (None, "")
    save(calibration_path(at), kept())
    stored, trouble = stored_calibration(at)
    assert stored is not None
    assert (stored.gain[0], stored.zero[0], trouble) == (88.0, 1.25, "")
    stored, trouble = stored_calibration(config(tmp_path, "simulator.seed=2"))
    assert stored is None
    assert "is of another one (simulator, seed 1, not simulator, seed 2)" in trouble
    assert board_name(at) == "simulator, seed 1"
