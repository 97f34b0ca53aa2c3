"""docs/rules.md says what the tables of the package say."""

import re
from pathlib import Path

import pytest

from firmware_host.board import NAMES
from firmware_host.referee.irregular import IRREGULAR
from firmware_host.referee.settings import CHOICES, MatchSettings
from firmware_host.rules import OPENINGS

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:1] == "|"
]


def row_of(name: str, columns: int) -> list[str]:
    found = [row for row in ROWS if row[0] == f"`{name}`" and len(row) == columns]
    assert len(found) == 1, f"{name} has {len(found)} rows"
    return found[0]


@pytest.mark.parametrize("setting", MatchSettings.__struct_fields__)
def test_every_setting_has_its_row_with_what_is_allowed_and_the_default(setting: str) -> None:
    _, allowed, default, _ = row_of(setting, 4)
    value = getattr(MatchSettings(), setting)
    assert default == ("not named" if value is None else f"`{value}`")
    if setting in CHOICES:
        assert re.findall("`([^`]+)`", allowed) == list(CHOICES[setting])


@pytest.mark.parametrize("code", IRREGULAR)
def test_every_irregular_action_has_its_row_with_the_article(code: str) -> None:
    assert row_of(code, 5)[3] == IRREGULAR[code].article


def test_the_openings_of_the_page_are_those_of_the_package() -> None:
    rows = [row for row in ROWS if len(row) == 10 and re.fullmatch(r"D\d+", row[0])]
    printed = [row[:5] for row in rows] + [row[5:] for row in rows]
    assert printed == [[o.code, NAMES[o.black3], o.zh, o.ja, o.romaji] for o in OPENINGS]
