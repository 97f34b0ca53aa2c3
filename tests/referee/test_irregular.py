"""The table of irregular actions, and each row in play: found, claimable by whom, lapsed, accepted."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import WHITE
from firmware_host.referee.irregular import IRREGULAR, LOSS, claimable_until, remedy_of
from firmware_host.referee.rulings import DrawOffer
from firmware_host.referee.settings import MatchSettings
from tests.referee.hands import Table

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")

OPENING = {"opening": "designated"}
OFFERS = {"opening": "designated", "offers": 3}

# code -> settings, what leads to it, the act by which the opponent plays on
FOUND: dict[str, tuple[dict[str, Any], str, str]] = {
    "first-not-tengen": (OPENING, "bG8 wI9 bJ8 n", "wA1"),
    "not-an-opening": (OPENING, "bH8 wJ10 bJ8 n", "wA1"),
    "offers-wrong": (OFFERS, "bH8 wI9 bJ8 n wI7 f bG10 bH6 n", "wA1"),
    "wrong-removal": (OFFERS, "bH8 wI9 bJ8 n wI7 f bG10 bH6 bK11 n -bG10 wK9 f", "bA1"),
    "out-of-turn": ({}, "bH8 n bJ9", "wA1"),
    "double-move": ({}, "bH8 n wI9 wJ9 f", "bA1"),
    "slide": ({}, "bE5>E6 n", "wA1"),
    "replace": ({}, "bI9 -bI9 bH10 n", "wA1"),
    "clock-first": ({}, "n bH8", "wA1"),
    "bad-adjust": ({}, "bH8 n wI9 f ~wI9", "bA1"),
    "occupied": ({}, "bH8 n wI9 f wH8", "bA1"),
    "wrong-colour": (OFFERS, "bH8 wI9 bJ8 n wI7 f bG10 wK10 bH6 bK11 n", "wA1"),
}


@pytest.mark.parametrize("code", FOUND)
def test_a_row_is_found_once_and_claimed_by_the_opponent(code: str) -> None:
    settings, script, _ = FOUND[code]
    table = Table(**settings)
    table.do(script)
    (matter,) = table.referee.claimable
    assert (matter.code, matter.standing) == (code, "open")
    side = matter.side.other
    table.say("claim", side=side.value, code=code)
    assert table.referee.paused
    assert "upheld" in [r.__struct_config__.tag for r in table.say("uphold")]
    assert [x.standing for x in table.referee.matters if x.code == code] == ["upheld"]


@pytest.mark.parametrize("code", FOUND)
def test_a_row_lapses_when_the_opponent_plays_on(code: str) -> None:
    settings, script, plays_on = FOUND[code]
    table = Table(**settings)
    table.do(f"{script} {plays_on}")
    assert [x.standing for x in table.referee.matters if x.code == code] == ["lapsed"]
    (refused,) = table.say("uphold", code=code)
    assert refused.why.endswith("has lapsed and can no longer be claimed")


@pytest.mark.parametrize("code", FOUND)
def test_a_row_does_not_lapse_by_a_press_or_by_time(code: str) -> None:
    settings, script, plays_on = FOUND[code]
    table = Table(**settings)
    table.do(f"{script} {'f' if plays_on.startswith('b') else 'n'} +60000")
    assert code in [x.code for x in table.referee.claimable]


@pytest.mark.parametrize("code", FOUND)
def test_a_row_is_accepted_by_the_opponent_and_not_by_who_did_it(code: str) -> None:
    settings, script, _ = FOUND[code]
    table = Table(**settings)
    table.do(script)
    (matter,) = table.referee.claimable
    assert [r.do for r in table.say("waive", side=matter.side.value, code=code)] == ["waive"]
    table.say("waive", side=matter.side.other.value, code=code)
    assert matter.standing == "waived"
    assert not table.referee.paused


@pytest.mark.parametrize("code", ["drop", "wrong-hand"])
def test_what_nobody_senses_enters_when_it_is_upheld(code: str) -> None:
    table = Table()
    table.do("bH8 n wI9 f")
    table.say("claim", side="black", code=code, point="I9")
    assert table.irregular == []
    table.say("uphold")
    assert table.irregular == [(code, "I9")]
    assert [x.standing for x in table.referee.matters] == ["upheld"]


def test_a_pass_before_move_6_is_refused_and_recorded_and_can_be_claimed() -> None:
    table = Table()
    table.do("bH8 n")
    (found, refused) = table.say("pass", side="white")
    assert (found.code, refused.why) == ("early-pass", "a pass is possible from move 6 on")
    assert [x.code for x in table.referee.claimable] == ["early-pass"]
    table.do("wI9 f bJ10 n wA1 f bC3 n")
    assert [x.standing for x in table.referee.matters] == ["lapsed"]
    table.say("pass", side="white")
    assert table.moves.endswith("-")


def test_a_draw_offered_on_the_other_s_time_is_recorded_and_waits_for_an_answer() -> None:
    table = Table()
    table.do("bH8 n")
    (found, offer) = table.say("draw", side="black", answer="offer")
    assert (found.code, found.audience, offer.answer) == ("bad-draw-offer", "arbiter", "offer")
    table.do("wI9")
    assert [(d.side, d.answer) for d in table.of(DrawOffer)][-1] == (WHITE, "refuse")


def test_every_sensed_row_is_found_in_some_test() -> None:
    entered = {"early-pass", "bad-draw-offer"}
    assert {code for code, row in IRREGULAR.items() if row.sensed} == set(FOUND) | entered


def test_the_page_of_rules_has_the_rows_of_the_table() -> None:
    section = PAGE[PAGE.index("## 5. ") : PAGE.index("## 6. ")]
    rows = dict(re.findall(r"^\| `([a-z-]+)` \|.*\| ([0-9.]+) \| [a-z, ]+ \|", section, re.MULTILINE))
    assert rows == {code: row.article for code, row in IRREGULAR.items()}


def test_settings_change_remedies_and_how_long_a_claim_waits() -> None:
    sheet = MatchSettings(drop="loss", replace="loss", overline_claim="any-time")
    assert [remedy_of(sheet, code) for code in ("drop", "replace")] == [LOSS, LOSS]
    assert remedy_of(sheet, "slide") == IRREGULAR["slide"].remedy
    assert claimable_until(sheet, "forbidden", "overline") == "the game is over"
    assert claimable_until(sheet, "forbidden", "double-three") == "White plays on"
    assert claimable_until(MatchSettings(), "occupied", None).endswith("or the stone is taken away")
