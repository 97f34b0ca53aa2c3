"""The settings of a match."""

from typing import Any

import pytest

from firmware_host.errors import ConfigError
from firmware_host.referee.settings import CHOICES, MatchSettings, match_settings


@pytest.mark.parametrize("key", CHOICES)
def test_every_choice_has_its_default_among_what_is_allowed(key: str) -> None:
    assert getattr(MatchSettings(), key) in CHOICES[key]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown": ({"komi": 7}, r"match\.komi = 7 .*a setting among opening, offers"),
    "word": ({"forbidden": "maybe"}, r"match\.forbidden = 'maybe' .*claim, automatic, off"),
    "offers": ({"offers": 0}, r"match\.offers = 0 .*1 to 221"),
    "offers true": ({"offers": True}, r"match\.offers = True"),
    "time": ({"time": 5}, r"match\.time = 5 .*a text such as 15m"),
}


@pytest.mark.parametrize(("given", "why"), WRONG.values(), ids=WRONG)
def test_what_is_not_possible_is_refused_with_key_value_and_what_is_allowed(
    given: dict[str, Any], why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        match_settings(given)
