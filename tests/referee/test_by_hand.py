"""What the arbiter puts right, accepts or enters by hand (competition rules 4.2, 8.8)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, parse_point, point_name
from firmware_host.referee.rulings import (
    Moved,
    Over,
    Restored,
    Told,
)
from firmware_host.sensing.events import Cleared, Fault
from tests.referee.hands import Table

THREE = "bH8 n wI9 f bJ10 n"


def codes(table: Table) -> list[str]:
    return [told.code for told in table.of(Told)]


def test_a_scattered_board_can_be_accepted_as_it_is() -> None:
    table = Table()
    table.do(THREE)
    table.scatter("H8")
    table.say("accept_board")
    assert [r.accepted for r in table.of(Restored)] == [True]
    table.say("resume")
    table.do("wA1 f")
    assert table.moves == "H8 I9 J10 A1"


def test_a_moved_stone_can_be_let_stand() -> None:
    table = Table()
    table.do(THREE + " -bH8 bG8")
    assert codes(table) == ["lifted", "moved"]
    table.say("pause")
    table.say("moved", decision="stands")
    assert table.moves == "G8 I9 J10"
    table.say("resume")
    assert table.referee.phase == "playing"


@pytest.mark.parametrize(
    ("decision", "fields", "winner"),
    [("draw", {}, None), ("loss", {"side": "black"}, WHITE)],
)
def test_other_decisions_about_moved_stones_end_the_game(
    decision: str, fields: dict[str, Any], winner: object
) -> None:
    table = Table()
    table.do(THREE)
    table.say("moved", decision=decision, **fields)
    (over,) = table.of(Over)
    assert over.winner is winner
    assert sum(over.result.values()) == 1


def test_letting_stand_needs_one_stone_that_moved() -> None:
    table = Table()
    table.do(THREE)
    assert [r.do for r in table.say("moved", decision="stands")] == ["moved"]


def test_a_stone_of_the_wrong_side_is_tolerated_but_no_move() -> None:
    table = Table()
    table.do("bH8 n")
    table.say("pause")
    table.do("bI9")
    table.say("accept_board")
    table.say("resume")
    assert table.moves == "H8"


def test_a_move_made_while_the_power_was_off_counts_when_it_is_accepted() -> None:
    table = Table()
    table.do(THREE)
    table.say("restore", reason="restart")
    table.see(X="H8 J10", O="I9 A1")
    table.say("accept_board")
    assert table.moves == "H8 I9 J10 A1"


def test_a_faulty_point_is_told_and_the_stone_is_entered_by_hand() -> None:
    table = Table()
    table.do("bH8 n")
    table.give(Fault(t_ns=table.t_ns, kind="dead", line="12"))
    assert parse_point("C12") in table.referee.masked
    table.do("f bJ10 n")
    assert table.moves == "H8 - J10"
    table.say("place", point="C12")
    assert table.moves == "H8 C12 J10"
    assert [(m.n, m.missing) for m in table.of(Moved)] == [(1, False), (2, True), (3, False), (2, False)]
    assert table.irregular == []
    table.give(Cleared(t_ns=table.t_ns, line="12"))
    assert not table.referee.masked


def test_a_masked_stone_before_its_press() -> None:
    table = Table()
    table.say("mask", point="C12")
    table.say("place", point="C12")
    table.do("n wI9 f")
    assert (table.moves, table.irregular) == ("C12 I9", [])


def test_a_masked_stone_after_its_press_is_no_clock_first() -> None:
    table = Table()
    table.do("n")
    table.say("place", point="C12", colour="black")
    table.do("wI9 f")
    assert (table.moves, table.irregular) == ("C12 I9", [])


def test_the_last_move_can_be_taken_off_the_record_by_the_arbiter() -> None:
    table = Table()
    table.do(THREE)
    assert [r.do for r in table.say("remove", point="H8")] == ["remove"]
    table.say("remove", point="J10")
    assert table.moves == "H8 I9"
    assert table.referee.time_of is BLACK


REFUSED: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "occupied": (THREE, "place", {"point": "H8"}, "there is a stone on that point already"),
    "not his turn": (THREE, "place", {"point": "A1", "colour": "black"}, "it is white's turn, and no black"),
    "nothing to remove": (THREE, "remove", {"point": "A1"}, "there is no stone on A1"),
    "out of turn": (THREE + " bA1", "place", {"point": "A1"}, "the stone on A1 is out of turn: waive that"),
    "a loss for nobody": (THREE, "moved", {"decision": "loss"}, "a loss needs the side that loses"),
}


@pytest.mark.parametrize(("script", "do", "fields", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_entered_is_refused(script: str, do: str, fields: dict[str, Any], why: str) -> None:
    table = Table()
    table.do(script)
    (refused,) = table.say(do, **fields)
    assert why in refused.why
    assert table.moves == "H8 I9 J10"


def test_the_set_up_can_be_entered_and_taken_back_by_hand() -> None:
    table = Table(opening="designated")
    for point, colour in (("H8", "black"), ("I9", "white"), ("A1", "black")):
        table.say("place", point=point, colour=colour)
        assert table.kinds() == ["told"]
    table.say("remove", point="A1")
    table.say("place", point="J8", colour="black")
    table.do("n")
    assert table.moves == "H8 I9 J8"


def test_an_offer_on_a_masked_point_is_removed_by_hand() -> None:
    table = Table(opening="designated", offers=2)
    table.say("mask", point="G10")
    table.do("bH8 wI9 bJ8 n wI7 f bH6")
    table.say("place", point="G10", colour="black")
    table.do("n wK9")
    assert table.moves == "H8 I9 J8 I7"
    table.say("remove", point="G10")
    table.do("f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9", [])


def test_an_open_fifth_move_waits_for_the_removal_and_is_not_filled_by_the_next_stone_entered() -> None:
    table = Table(opening="designated", offers=2)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 n wK9 f")
    table.say("place", point="A1", colour="black")
    assert table.moves == "H8 I9 J8 I7 - K9 A1"


def test_a_stone_that_is_not_of_the_record_can_be_said_to_be_gone() -> None:
    table = Table()
    table.do("bH8 n bA1")
    table.say("remove", point="A1")
    table.do("wI9 f")
    assert table.moves == "H8 I9"


def test_moved_stones_go_back_under_the_guide() -> None:
    table = Table()
    table.do(THREE + " -bH8 bG8")
    table.say("moved", decision="back")
    assert table.differences() == ["G8", "H8"]
    table.do("-bG8 bH8")
    table.say("resume")
    assert table.referee.phase == "playing"


def test_unmasking_ends_a_fault_too() -> None:
    table = Table()
    table.give(Fault(t_ns=table.t_ns, kind="dead", point=112))
    table.say("unmask", point="H8")
    assert not table.referee.masked


def test_a_stone_of_a_set_up_is_not_entered_twice_nor_an_offer() -> None:
    table = Table(opening="designated", offers=2)
    table.do("bH8 wI9 bJ8")
    assert [r.do for r in table.say("place", point="J8", colour="white")] == ["place"]
    table.do("n wI7 f bG10 bH6 n -bG10")
    table.say("place", point="G10")
    table.do("wK9 -bH6 f")
    assert table.moves == "H8 I9 J8 I7 G10 K9"


def test_a_stone_that_was_awaited_counts_when_the_board_is_accepted() -> None:
    table = Table()
    table.do("n")
    table.say("pause")
    table.do("bH8")
    table.say("accept_board")
    assert (table.moves, table.irregular) == ("H8", [])


def test_a_stone_of_a_set_up_is_no_move_when_the_board_is_accepted() -> None:
    table = Table(opening="designated")
    table.do("bH8 n")
    table.say("accept_board")
    assert table.moves == ""
    table.do("wI9 bJ8 n")
    assert table.moves == "H8 I9 J8"


def test_the_last_stone_of_a_set_up_that_was_pressed_for_completes_it_when_accepted() -> None:
    table = Table(opening="designated")
    table.do("bH8 wI9 n")
    table.say("pause")
    table.do("bJ8")
    table.say("accept_board")
    assert table.moves == "H8 I9 J8"


@pytest.mark.parametrize("colour", ["w", "?"])
def test_a_stone_that_surely_lies_elsewhere_is_taken_into_the_record_with_the_board(colour: str) -> None:
    table = Table()
    table.do(f"bH8 n {colour}C4>D4>E4 f")
    table.say("claim", side="black", code="slide", point="C4")
    table.say("uphold")
    assert table.moves == "H8 C4"
    table.say("accept_board")
    assert [(r.points, r.correction) for r in table.of(Restored)] == [((), "refused")]
    assert (table.moves, table.irregular, table.differences()) == ("H8 E4", [("slide", "C4")], [])
    table.say("resume")
    table.do("bA1 n")
    assert table.moves == "H8 E4 A1"


def test_what_is_not_clear_when_the_board_is_accepted_is_left_as_it_is_seen() -> None:
    table = Table()
    table.do("bH8 n wI9 f bJ10 n wA1 f")
    table.say("pause")
    table.do("-bH8 -bJ10 bK11 bL12 -wA1 wB2")
    table.say("accept_board")
    assert table.moves == "H8 I9 J10 B2"
    names = {point_name(p) for p, _, _ in table.of(Restored)[-1].points}
    assert names == {"H8", "J10", "K11", "L12"}
    assert table.differences() == []


def test_a_stone_that_was_held_back_is_entered_once_and_nothing_new_when_it_is_seen() -> None:
    table = Table()
    table.do("?H8 n ?H9 f n")
    table.say("place", point="J8")
    assert table.kinds() == ["move", "press"]
    assert table.do("?J8") == []
    table.do("?I8 f ?G7 n")
    assert (table.moves, table.irregular) == ("H8 H9 J8 I8 G7", [])
