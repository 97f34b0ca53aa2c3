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
    "time without a unit": (
        {"time": "300"},
        r"match\.time = .300. .*character 1: 300 has no unit .*: none, 15m",
    ),
    "late": ({"late": "soon"}, r"match\.late = .soon. .*character 1: .soon. is not a time; .*15m, 1h30m"),
    "late with an increment": ({"late": "15m+3s"}, r"match\.late = '15m\+3s'"),
    "yes or no": ({"designated_swap": 1.5}, r"match\.designated_swap = 1\.5 .*yes, no"),
    "true for a word": ({"forbidden": True}, r"match\.forbidden = True"),
}


@pytest.mark.parametrize(("given", "why"), WRONG.values(), ids=WRONG)
def test_what_is_not_possible_is_refused_with_key_value_and_what_is_allowed(
    given: dict[str, Any], why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        match_settings(given)


@pytest.mark.parametrize(
    ("given", "meant"), [(True, "yes"), (False, "no"), ("true", "yes"), ("false", "no"), ("no", "no")]
)
def test_yes_and_no_may_be_booleans(given: object, meant: str) -> None:
    assert match_settings({"designated_swap": given}).designated_swap == meant


def test_no_offers_is_the_same_as_none_given() -> None:
    assert match_settings({"offers": None}) == MatchSettings()


@pytest.mark.parametrize(
    ("given", "forbidden"),
    [
        ({"opening": "swap2"}, "off"),
        ({"opening": "swap2", "forbidden": "claim"}, "claim"),
        ({"opening": "free"}, "claim"),
        ({}, "claim"),
    ],
)
def test_swap2_has_no_forbidden_moves_unless_they_are_given(given: dict[str, str], forbidden: str) -> None:
    assert match_settings(given).forbidden == forbidden
