"""Corrections: the game goes on by the next act in turn (docs/rules.md, section 5)."""

import pytest

from firmware_host.board import BLACK, WHITE, point_name
from firmware_host.referee.rulings import Restored, Resumed
from tests.referee.hands import Table

SLID = "bH8 n wE5>E6 f"


def corrected(script: str, code: str, *, put_right: str = "", **settings: str) -> Table:
    """A table where `code` was upheld and the board put right."""
    table = Table(**settings)
    table.do(script)
    table.say("uphold", code=code)
    table.do(put_right)
    return table


def resumed_at(table: Table) -> list[int]:
    return [ruling.t_ns for ruling in table.of(Resumed)]


@pytest.mark.parametrize("act", ["bA1", "bA1>A2"])
def test_after_a_correction_the_stone_in_turn_resumes_at_its_instant_and_is_the_move(act: str) -> None:
    table = corrected(SLID, "slide", put_right="-wE6 wE5", time="5m")
    left = table.left()
    table.do("+5000")
    assert table.left() == left, "the time of the correction is nobody's"
    table.do(act)
    assert (table.referee.phase, resumed_at(table)) == ("playing", [table.t_ns])
    assert table.moves == f"H8 E5 {act[-2:]}"
    table.do("+1000 n")
    assert table.left()[0] == left[0] - 1100


def test_after_a_correction_the_press_that_is_owed_resumes_at_its_instant() -> None:
    table = corrected("bH8 n wE5>E6", "slide", put_right="-wE6 wE5", time="5m")
    table.do("n")
    assert table.kinds() == ["told"], "it is White's time"
    table.do("f")
    assert table.kinds() == ["resumed", "press"]
    assert table.referee.time_of is BLACK


STILL_STOPPED: dict[str, tuple[Table, str]] = {
    "the board is not right yet": (corrected(SLID, "slide", put_right="-wE6"), "bA1"),
    "a stone of the other side": (corrected(SLID, "slide", put_right="-wE6 wE5"), "wA1"),
    "a press of the other side": (corrected(SLID, "slide", put_right="-wE6 wE5"), "f"),
    "a stone is taken up": (corrected(SLID, "slide", put_right="-wE6 wE5"), "-bH8 bA1"),
}


@pytest.mark.parametrize(("table", "act"), STILL_STOPPED.values(), ids=STILL_STOPPED)
def test_nothing_else_resumes_a_correction(table: Table, act: str) -> None:
    table.do(act)
    assert table.referee.paused
    assert (table.moves, resumed_at(table)) == ("H8 E5", [])


def test_a_claim_that_waits_keeps_a_correction_stopped() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 wJ9 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("uphold", code="double-move", point="J9")
    table.do("-wJ9 bA1")
    assert (table.referee.paused, table.moves) == (True, "H8 E6")


@pytest.mark.parametrize("stop", ["pause", "adjourn", "call", "restore"])
def test_every_other_stop_needs_its_word(stop: str) -> None:
    table = Table()
    table.do("bH8 n")
    table.say(stop, **({"side": "white"} if stop == "call" else {}))
    table.do("wI9 f")
    assert (table.referee.paused, table.moves) == (True, "H8")


def test_a_pause_after_a_correction_needs_the_arbiter_again() -> None:
    table = corrected(SLID, "slide", put_right="-wE6 wE5")
    table.say("adjourn")
    table.do("bA1 n")
    assert (table.referee.paused, table.moves) == (True, "H8 E5")


def test_offers_put_right_are_pressed_for_without_a_word_of_the_arbiter() -> None:
    table = Table(opening="designated", offers=3)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 n")
    table.say("uphold", code="offers-wrong")
    table.do("bK11 n -bG10 -bK11 wK9 f")
    assert (table.moves, table.referee.phase) == ("H8 I9 J8 I7 H6 K9", "playing")


def test_a_removal_put_right_is_pressed_for_without_a_word_of_the_arbiter() -> None:
    table = Table(opening="designated", offers=3)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 bK11 n -bG10 wK9 f")
    table.say("uphold", code="wrong-removal")
    table.do("-bK11 f bA1 n")
    assert table.moves == "H8 I9 J8 I7 H6 K9 A1"


def test_a_set_up_put_right_is_pressed_for_without_a_word_of_the_arbiter() -> None:
    table = Table(opening="designated")
    table.do("bH8 wJ10 bJ8 n")
    table.say("uphold", code="not-an-opening")
    table.do("-wJ10 wI9 n")
    assert table.moves == "H8 I9 J8"


def test_the_dropped_stone_goes_anywhere() -> None:
    table = Table()
    table.do("bH8 n wA1")
    table.say("claim", side="black", code="drop", point="A1")
    table.say("uphold")
    table.do("-wA1 wB2 f bI9 n")
    assert table.moves == "H8 B2 I9"


def test_without_colours_the_next_stone_is_of_the_side_in_turn() -> None:
    table = corrected("?H8 n ?E5>E6 f", "slide", put_right="-?E6 ?E5")
    table.do("?A1 n")
    assert table.moves == "H8 E5 A1"
    assert table.referee.to_move is WHITE


# -- only in part, or refused [6.3]


@pytest.mark.parametrize(
    ("put_right", "left", "correction", "stands"),
    [
        ("-wE6 wE5", [], "whole", "E5"),
        ("-wE6", ["E5"], "part", "E5"),
        ("", [], "refused", "E6"),
        ("wA1", ["A1", "E5", "E6"], "refused", "E5"),
    ],
)
def test_a_correction_that_is_ended_early_is_recorded_as_what_it_was(
    put_right: str, left: list[str], correction: str, stands: str
) -> None:
    table = corrected(SLID, "slide", put_right=put_right)
    if correction != "whole":
        table.say("accept_board")
    (restored,) = table.of(Restored)
    assert {point_name(p) for p, _, _ in restored.points} == set(left)
    accepted = correction != "whole"
    assert (restored.correction, restored.accepted, restored.audience) == (correction, accepted, "arbiter")
    assert table.moves == f"H8 {stands}"


def test_what_is_accepted_as_it_is_goes_on_by_the_next_act_too() -> None:
    table = corrected(SLID, "slide")
    table.say("accept_board")
    table.say("violation", side="white", reason="refuses to correct")
    table.do("bA1 n")
    assert (table.moves, table.referee.phase) == ("H8 E6 A1", "playing")


def test_a_refused_drop_is_the_move_that_lies_there() -> None:
    table = Table()
    table.do("bH8 n wA1")
    table.say("claim", side="black", code="drop", point="A1")
    table.say("uphold")
    table.say("accept_board")
    assert table.moves == "H8 A1"


@pytest.mark.parametrize("why", ["scattered", "arbiter"])
def test_a_board_that_is_no_correction_is_accepted_without_a_word_about_one(why: str) -> None:
    table = Table()
    table.do("bH8 n wI9 f bJ10 n")
    if why == "scattered":
        table.scatter("H8")
    else:
        table.say("restore")
        table.do("-bH8")
    table.say("accept_board")
    assert [r.correction for r in table.of(Restored)][-1] is None
