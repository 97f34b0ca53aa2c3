"""Every row of the referee's tables is shown by a scenario."""

from tests.scenarios.rows import ROWS, come_through, run, wanted
from tests.scenarios.script import parse
from tests.scenarios.test_scenarios import CASES, FILES


def test_every_row_is_declared_by_a_scenario() -> None:
    declared = {row for file in FILES for row in parse(file.read_text("utf-8")).shows}
    assert set(ROWS) - declared == set()


def test_some_game_comes_through_every_phase_step_and_ruling() -> None:
    been = {row for file, sensors in CASES for row in come_through(run(file, sensors))}
    assert wanted() - been == set()
