"""Claims that win the game: a five, a flag, a forbidden move (docs/rules.md, sections 4 to 6)."""

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.referee.rulings import (
    Over,
    Revealed,
)
from tests.referee.hands import DOUBLE_THREE, FIVE, Table


def test_an_upheld_forbidden_move_loses_whichever_kind_is_named() -> None:
    table = Table()
    table.do(DOUBLE_THREE)
    table.say("claim", side="white", code="overline", point="G8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, "forbidden")]


@pytest.mark.parametrize("setting", ["automatic", "claim"])
def test_the_flag(setting: str) -> None:
    table = Table(time="1s", flag=setting)
    table.do("bH8 n +1500")
    assert ([o.reason for o in table.of(Over)] == ["time"]) == (setting == "automatic")
    if setting == "claim":
        table.say("claim", side="black", code="flag")
        table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "time")]


def test_of_two_fallen_flags_the_first_loses() -> None:
    table = Table(time="1s", flag="claim")
    table.do("+500 bH8 n wA1 +2000 f +3000")
    table.say("uphold", code="flag")
    assert [o.winner for o in table.of(Over)] == [BLACK]


@pytest.mark.parametrize(("setting", "over"), [("ends", True), ("claim", False)])
def test_an_unnoticed_five(setting: str, over: bool) -> None:
    table = Table(five=setting)
    table.do(FIVE)
    assert bool(table.of(Over)) is over
    if setting == "claim":
        table.do("wA9 f bC3 n")
        table.say("claim", side="black", code="five", point="L8")
        table.say("uphold")
        assert [(o.winner, o.reason, len(o.line)) for o in table.of(Over)] == [(BLACK, "five", 5)]


def test_a_sixth_stone_does_not_undo_a_five_that_was_made_before() -> None:
    table = Table(five="claim")
    table.do(FIVE + " wA9 f bM8 n")
    assert [x.kind for x in table.referee.claimable] == ["overline"]
    table.say("claim", side="black", code="five", point="M8")
    assert "M8 is in no five" in table.say("uphold")[0].why
    table.say("reject")
    table.say("claim", side="black", code="five", point="H8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


def test_a_second_six_after_an_unnoticed_five_is_white_s_to_claim() -> None:
    table = Table(five="claim")
    table.do(FIVE + " wA9 f bM8 n")
    table.say("claim", side="white", code="overline", point="M8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, "forbidden")]


def test_of_two_unnoticed_fives_the_first_wins() -> None:
    table = Table(five="claim")
    table.do("bH8 n wA1 f bI8 n wA2 f bJ8 n wA3 f bK8 n wA4 f bL8 n wA5 f")
    table.say("uphold", code="five")
    assert [o.winner for o in table.of(Over)] == [BLACK]


def test_a_five_under_an_open_action_is_not_claimed_past_it() -> None:
    table = Table()
    table.do("bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bK8 n wA7 f bM8>L8 n")
    table.say("claim", side="black", code="five", point="L8")
    assert "slide of the five's last stone can still be claimed" in table.say("uphold")[0].why
    table.say("waive", code="slide")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


OVERLINE = "bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bL8 n wA7 f bM8 n wA9 f bK8 n"


@pytest.mark.parametrize(("setting", "lapsed"), [("at-once", True), ("any-time", False)])
def test_an_overline_lapses_or_may_be_claimed_at_any_time(setting: str, lapsed: bool) -> None:
    table = Table(overline_claim=setting)
    table.do(OVERLINE + " wC9 f bC3 n wD5 f")
    assert bool(table.of(Revealed)) is lapsed, "until the end nobody else may know"
    refused = [type(r).__name__ for r in table.say("uphold", code="overline", point="K8")] == ["Refused"]
    assert refused is lapsed
    assert bool(table.of(Over)) is not lapsed


@pytest.mark.parametrize("point", [None, "A9"])
def test_a_claim_of_a_forbidden_move_that_never_was_one_stops_the_clocks_whatever_lapsed_before(
    point: str | None,
) -> None:
    table = Table()
    table.do(DOUBLE_THREE + " wA9 f bO1 n")
    table.say("claim", side="white", code="double-three", **({"point": "O1"} if point else {}))
    assert table.referee.paused
