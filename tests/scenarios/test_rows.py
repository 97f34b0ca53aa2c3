"""Every row of the referee's tables is shown by a scenario, and every scenario shows what it declares."""

from functools import cache
from pathlib import Path

import pytest

from tests.scenarios.rows import ROWS, come_through, run, wanted
from tests.scenarios.script import parse
from tests.scenarios.test_scenarios import CASES, FILES

DECLARED = {file: parse(file.read_text("utf-8")).shows for file in FILES}


@pytest.mark.parametrize("row", ROWS)
def test_a_scenario_declares_the_row(row: str) -> None:
    assert [file.stem for file, rows in DECLARED.items() if row in rows]


@pytest.mark.parametrize(
    ("file", "sensors"),
    [case for case in CASES if DECLARED[case[0]]],
    ids=[f"{file.stem}-{sensors}" for file, sensors in CASES if DECLARED[file]],
)
def test_what_a_scenario_declares_was_ruled(file: Path, sensors: str) -> None:
    assert set(DECLARED[file]) <= set(ROWS)
    played = run(file, sensors)
    assert [row for row in DECLARED[file] if not ROWS[row](played)] == []


@cache
def been() -> frozenset[str]:
    return frozenset(row for file, sensors in CASES for row in come_through(run(file, sensors)))


@pytest.mark.parametrize("row", sorted(wanted()))
def test_some_game_comes_through_the_row(row: str) -> None:
    assert row in been()
