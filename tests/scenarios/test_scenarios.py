"""Every scenario file, at the simulated table, on each kind of sensors that it names."""

from pathlib import Path

import pytest

from tests.scenarios.rows import ROWS, run
from tests.scenarios.script import ScenarioError, parse
from tests.scenarios.stage import Stage

FILES = sorted(Path(__file__).parent.glob("*.scenario"))
CASES = [(file, sensors) for file in FILES for sensors in parse(file.read_text("utf-8")).sensors]


@pytest.mark.parametrize(
    ("file", "sensors"), CASES, ids=[f"{file.stem}-{sensors}" for file, sensors in CASES]
)
def test_scenario(file: Path, sensors: str) -> None:
    played = run(file, sensors)
    shows = played.scenario.shows
    assert set(shows) <= set(ROWS)
    assert [row for row in shows if not ROWS[row](played)] == []


BROKEN = {
    "no match": ("; nothing\n", "line 1: a scenario begins with the match"),
    "no setting": ("komi\n", "line 1: 'komi' is no setting of a match"),
    "no phrase": ("free\nblack dances\n", "line 2: nothing is known of 'black dances'"),
    "not his to do": ("free\n\nblack pauses\n", "line 3: nothing is known of 'black pauses'"),
    "no such point": ("free\nblack places P16\n", "line 2: nothing is known of 'black places P16'"),
}


@pytest.mark.parametrize(("text", "why"), BROKEN.values(), ids=BROKEN)
def test_a_line_that_cannot_be_read_is_named(text: str, why: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse(text)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("free, switch\nblack places H8\nexpect move 1 H9", "line 3: expect move 1 H9: it was not told"),
        (
            "free, switch\nblack places H8\nexpect move missing",
            "line 3: expect move missing: it was not told",
        ),
        ("free, switch\nwhite resigns\nexpect over white", "line 3: expect over white: it was not told"),
        ("free, switch\nblack places H8\nexpect record H9", "line 3: expect record H9: it is H8"),
        ("free, switch\nblack lifts H8", "line 2: black lifts H8: there is no stone on H8"),
    ],
)
def test_what_does_not_come_out_as_expected_fails_with_its_line(text: str, why: str) -> None:
    with pytest.raises(ScenarioError) as failed:
        Stage(parse(text), "switch").play()
    assert str(failed.value).startswith(why)
