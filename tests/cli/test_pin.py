"""`renju-board pin`: made or chosen, said once, kept where the journal is."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.service.pins import Pins


def pin(folder: Path, *options: str, typed: str = "", fails: bool = False) -> str:
    """Run the command for the journal of a folder; gives what it says."""
    done = CliRunner().invoke(main, ["pin", "--journal", f"{folder}/journal.db", *options], input=typed)
    assert (done.exit_code != 0) is fails, done.output
    return done.output


def test_a_pin_is_made_said_once_and_holds(tmp_path: Path) -> None:
    said = pin(tmp_path)
    found = re.match(r"arbiter's PIN    (\d{4}) (\d{4})\nshown this once; its hash is in (.*)\n", said)
    assert found is not None
    assert found[3] == f"{tmp_path}/pins.json"
    pins = Pins(path=tmp_path / "pins.json")
    assert pins.role_of(found[1] + found[2]) == "arbiter"
    pin(tmp_path)
    assert pins.role_of(found[1] + found[2]) is None


def test_a_pin_is_chosen_without_being_shown(tmp_path: Path) -> None:
    said = pin(tmp_path, "--choose", typed="48217735\n48217735\n")
    assert "48217735" not in said
    assert Pins(path=tmp_path / "pins.json").role_of("48217735") == "arbiter"


@pytest.mark.parametrize("typed", ["1234\n1234\n", "11111111\n11111111\n"])
def test_a_pin_that_is_too_easy_is_one_sentence(tmp_path: Path, typed: str) -> None:
    said = pin(tmp_path, "--choose", typed=typed, fails=True)
    assert "this is no PIN; allowed: 6 to 12 digits, three of them different" in said
    assert not (tmp_path / "pins.json").exists()


def test_the_arbiter_comes_before_the_operator(tmp_path: Path) -> None:
    assert "the arbiter has no PIN yet" in pin(tmp_path, "--operator", fails=True)
    pin(tmp_path, "--choose", typed="48217735\n48217735\n")
    said = pin(tmp_path, "--operator", "--choose", typed="48217735\n48217735\n", fails=True)
    assert "this is the other role's PIN" in said
    pin(tmp_path, "--operator", "--choose", typed="22113344\n22113344\n")
    pins = Pins(path=tmp_path / "pins.json")
    assert [pins.role_of(each) for each in ("48217735", "22113344")] == ["arbiter", "operator"]


def test_a_pin_of_the_configuration_is_changed_there(tmp_path: Path) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[web]\narbiter_pin = "48217735"\n')
    said = pin(tmp_path, "--config", str(config), fails=True)
    assert "web.arbiter_pin = **** is not possible; allowed: not set" in said
    assert "48217735" not in said
    pin(tmp_path, "--config", str(config), "--operator")
