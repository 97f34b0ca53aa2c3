"""The grammar of the scenarios: every phrase is in the page for arbiters, and some scenario says it."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.scenarios.rows import ROWS
from tests.scenarios.script import PHRASES, SHOWS, Line, ScenarioError, parse
from tests.scenarios.stage import AUDIENCES, CHECKS
from tests.scenarios.test_scenarios import FILES

PAGE = (Path(__file__).parent / "README.md").read_text("utf-8")
EXAMPLES = [
    text for row in PAGE.splitlines() if row.startswith("|") for text in re.findall(r"`([^`]+)`", row)
]

Form = tuple[str, str, str]
"""A form of the grammar: an actor, a verb, and a field that may be left out, or nothing."""


def forms() -> Iterator[Form]:
    for who, verb, pattern in PHRASES:
        for actor in who.split("|"):
            yield actor, verb, ""
        for field in re.findall(r"\?P<([a-z]+)>", pattern):
            yield "", verb, field


def said(lines: Iterator[Line]) -> set[Form]:
    found: set[Form] = set()
    for line in lines:
        for act in line.acts:
            found.add((act.actor, act.verb, ""))
            found.update(("", act.verb, field) for field in act.words)
    return found


def read(text: str) -> Iterator[Line]:
    try:
        yield from parse(f"free\n{text}").lines
    except ScenarioError:
        return


IN_THE_PAGE = said(line for text in EXAMPLES for line in read(text))
IN_SCENARIOS = said(line for file in FILES for line in parse(file.read_text("utf-8")).lines)
EITHER = {"black": "white", "white": "black", "chief": "arbiter", "organiser": "arbiter"}
"""Who stands for whom in the page: it shows one of two players, and says that others may decide too."""


def missing(there: set[Form]) -> set[Form]:
    stands_for = {
        (actor, verb, field): (EITHER.get(actor, actor), verb, field) for actor, verb, field in forms()
    }
    return {form for form, other in stands_for.items() if form not in there and other not in there}


def test_every_form_is_in_the_page() -> None:
    assert missing(IN_THE_PAGE) == set()


def test_every_form_is_said_in_a_scenario() -> None:
    assert missing(IN_SCENARIOS) == set()


def checks(expected: Iterator[str]) -> set[str]:
    texts = list(expected)
    plain = {pattern for pattern, _ in CHECKS if any(re.fullmatch(pattern, text) for text in texts)}
    return plain | {ending for ending in AUDIENCES if any(text.endswith(ending) for text in texts)}


def test_every_expectation_is_in_the_page_and_in_a_scenario() -> None:
    wanted = {*(pattern for pattern, _ in CHECKS), *AUDIENCES}
    page = checks(text.removeprefix("expect ") for text in EXAMPLES)
    assert wanted - page - set(AUDIENCES) == set()
    assert all(ending.strip() in PAGE for ending in AUDIENCES)
    assert wanted - checks(li.expect for f in FILES for li in parse(f.read_text("utf-8")).lines) == set()


def test_the_first_lines_of_the_page_can_be_read() -> None:
    section = PAGE[PAGE.index("## The match") : PAGE.index("## What happens")]
    shown = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)))
    for text in shown:
        parse(text)
    assert len(shown) > 20


def test_the_rows_of_the_page_are_rows() -> None:
    section = PAGE[PAGE.index("## Rows") :]
    shown = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)))
    assert set(shown) <= set(ROWS)
    assert SHOWS.strip() in PAGE
