"""What upholding does to the record, the board and the clocks (docs/rules.md, section 5)."""

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.referee.irregular import IRREGULAR
from firmware_host.referee.rulings import (
    ClockSet,
    Differs,
    Over,
    Restored,
    Unmoved,
    Upheld,
)
from tests.referee.hands import Table


def test_an_upheld_slide_goes_back_to_the_first_contact_and_the_guide_asks_for_it() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("uphold")
    assert table.moves == "H8 E5"
    assert [u.remedy for u in table.of(Upheld)] == [IRREGULAR["slide"].remedy]
    assert [d.points for d in table.of(Differs)] == [((64, WHITE, None), (79, None, WHITE))]
    assert table.referee.phase == "restoring"
    assert [r.do for r in table.say("resume")] == ["resume"]
    table.do("-wE6 wE5")
    assert [r.accepted for r in table.of(Restored)] == [False]
    table.say("resume")
    table.do("bA1 n")
    assert table.moves == "H8 E5 A1"


def test_an_upheld_replacement_goes_back_to_the_first_empty_point() -> None:
    table = Table()
    table.do("bI9 -bI9 bH10 n")
    table.say("uphold", code="replace", point="I9")
    assert table.moves == "I9"
    assert table.differences() == ["I9", "H10"]


def test_an_upheld_double_move_takes_back_the_second_stone() -> None:
    table = Table()
    table.do("bH8 n wI9 wJ9 f")
    table.say("uphold", code="double-move", point="J9")
    assert (table.moves, table.differences()) == ("H8 I9", ["J9"])
    assert [u.n for u in table.of(Unmoved)] == [3]
    table.do("-wJ9")
    table.say("resume")
    assert table.referee.to_move is BLACK


def test_an_upheld_stone_out_of_turn_is_asked_away() -> None:
    table = Table()
    table.do("bH8 n bJ9")
    table.say("uphold", code="out-of-turn", point="J9")
    assert (table.moves, table.differences()) == ("H8", ["J9"])


def test_an_upheld_clock_first_sets_the_clocks_back_to_the_press() -> None:
    table = Table(time="5m")
    table.do("+900 n +2000 bH8 +3000")
    table.say("claim", side="white", code="clock-first", point="H8")
    table.say("uphold")
    assert table.left() == (299_000, 300_000)
    assert [(c.side, c.added_ms) for c in table.of(ClockSet)] == [(BLACK, 0), (WHITE, 5_200)]
    assert table.moves == "H8"
    table.say("resume")
    assert table.referee.time_of is WHITE


def test_a_clock_set_back_keeps_one_increment() -> None:
    table = Table(time="5m+3s")
    table.do("n +2000 bH8")
    table.say("uphold", code="clock-first")
    assert table.left() == (300_000 - 100 + 3000, 300_000)


@pytest.mark.parametrize("code", ["drop", "replace"])
def test_the_professional_sheet_makes_a_loss_of_it(code: str) -> None:
    table = Table(**{code: "loss"})
    table.do("bH8 -bH8 bI9 n" if code == "replace" else "bH8")
    table.say("claim", side="white", code=code, point="H8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, "penalty")]


def test_not_an_opening_upheld_begins_the_set_up_again_from_what_lies_there() -> None:
    table = Table(opening="designated")
    table.do("bH8 wJ10 bJ8 n")
    table.say("claim", side="white", code="not-an-opening")
    table.say("uphold")
    assert (table.moves, table.referee.step.do) == ("", "set-up")
    table.do("-wJ10 wI9")
    table.say("resume")
    table.do("n")
    assert table.moves == "H8 I9 J8"


def test_first_not_tengen_upheld_moves_the_stone_and_judges_the_opening_then() -> None:
    table = Table(opening="designated")
    table.do("bG8 wI9 bJ8 n")
    table.say("uphold", code="first-not-tengen")
    assert table.moves == "H8 I9 J8"
    assert table.irregular == [("first-not-tengen", "H8")]
    table = Table(opening="designated")
    table.do("bG8 wI9 bN8 n")
    table.say("uphold", code="first-not-tengen")
    assert table.irregular == [("first-not-tengen", "H8"), ("not-an-opening", "N8")]


def test_wrong_offers_upheld_are_put_right_and_a_second_press_is_none() -> None:
    table = Table(opening="designated", offers=3)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 n")
    table.say("claim", side="white", code="offers-wrong")
    table.say("uphold")
    assert table.referee.step.do == "offers"
    table.do("bK11")
    table.say("resume")
    assert table.referee.time_of is WHITE
    table.do("n -bG10 -bK11 wK9 f")
    assert table.moves == "H8 I9 J8 I7 H6 K9"
    assert table.irregular == [("offers-wrong", None)]


def test_a_wrong_removal_upheld_is_put_right_and_a_second_press_is_none() -> None:
    table = Table(opening="designated", offers=3)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 bK11 n -bG10 wK9 f")
    table.say("claim", side="black", code="wrong-removal")
    table.say("uphold")
    table.do("-bK11")
    table.say("resume")
    assert table.referee.time_of is BLACK
    table.do("f bA1 n")
    assert table.moves == "H8 I9 J8 I7 H6 K9 A1"


def test_a_five_after_the_press_wins_when_the_clocks_are_set_back() -> None:
    table = Table()
    table.do("bH8 n wH9 f bI8 n wI9 f bJ8 n wJ9 f bK8 n wK9 f n bL8")
    assert not table.of(Over)
    table.say("uphold", code="clock-first")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


def test_three_stones_in_a_row_go_back_to_the_first() -> None:
    table = Table()
    table.do("bH8 n wI9 wJ9 wK9>K10 f")
    table.say("uphold", code="double-move", point="J9")
    assert (table.moves, table.differences()) == ("H8 I9", ["J9", "K10"])
    assert not table.referee.claimable, "what the stones taken back did is gone with them"


@pytest.mark.parametrize("act", ["wJ9", "bJ10 f"])
def test_an_upheld_act_out_of_turn_sets_the_clocks_back_to_it(act: str) -> None:
    table = Table(time="5m")
    table.do("bH8 n wI9 f " + act)
    at_the_act = table.left()
    table.do("+5000")
    table.say("uphold", code="out-of-turn")
    assert table.left() == at_the_act
    assert [c.reason for c in table.of(ClockSet)] == ["out-of-turn", "out-of-turn"]
