"""Stones and presses within an opening, by the step at hand (docs/rules.md, section 9)."""

from firmware_host.board import BLACK
from tests.referee.hands import FOUR, SET_UP, designated


def test_a_single_offer_before_the_press_can_be_answered_at_once() -> None:
    table = designated(offers=1)
    table.do(FOUR + " bH6 wK9 n f bA1 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9 A1", [])


def test_white_4_is_still_white_s_while_he_has_not_pressed() -> None:
    table = designated(offers=1)
    table.do(SET_UP + " wI7 -wI7 wI6 f bH6 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I6", [("replace", "I7")])


def test_a_missing_white_4_stays_open_when_black_offers() -> None:
    table = designated(offers=2)
    table.do(SET_UP + " f bG10 bH6 n -bG10 wK9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 - H6 K9", [])


def test_white_gives_the_time_back_when_offers_are_wanting() -> None:
    table = designated(offers=2)
    table.do(FOUR + " n bG10 f")
    assert (table.referee.time_of, table.referee.step.do, table.irregular) == (BLACK, "offers", [])
    table.do("bH6 n -bG10 wK9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9", [])


def test_white_plays_on_when_offers_are_wanting() -> None:
    table = designated(offers=2)
    table.do(FOUR + " n bG10 wK9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G10 K9", [("offers-wrong", None)])


def test_the_first_offer_is_playing_on() -> None:
    table = designated(offers=2)
    table.do(SET_UP + " wI6>I7 f bG10")
    assert table.irregular == [("slide", "I6")]
    assert "lapsed" in [type(r).__struct_config__.tag for r in table.log]
