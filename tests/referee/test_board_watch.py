"""The sensed board apart from the record: scattered stones, restoring, faults (competition rules 4.2)."""

from typing import Any

import pytest

from firmware_host.board import BLACK
from firmware_host.referee.rulings import (
    Differs,
    Paused,
    Restored,
    Told,
)
from firmware_host.sensing.events import Cleared, Fault, FramesLost, Interference, Placed, Weak
from tests.referee.hands import Table

THREE = "bH8 n wI9 f bJ10 n"


def codes(table: Table) -> list[str]:
    return [told.code for told in table.of(Told)]


def test_a_scattered_board_is_told_with_what_belongs_where_and_no_stone_is_a_move() -> None:
    table = Table(time="5m")
    table.do(THREE + " +1000")
    table.scatter("H8", "J10")
    assert [p.why for p in table.of(Paused)] == ["scattered"]
    assert [d.points for d in table.of(Differs)] == [((112, BLACK, None), (144, BLACK, None))]
    before = table.left()
    table.see(X="G8", O="I9 L10")
    assert [p[0] for p in table.of(Differs)[-1].points] == [111, 112, 144, 146]
    table.do("-bG8 bH8 -wL10 bJ10 +60000")
    assert [r.accepted for r in table.of(Restored)] == [False]
    assert (table.moves, table.irregular) == ("H8 I9 J10", [])
    assert table.left() == before
    assert table.referee.phase == "paused"
    table.say("resume")
    table.do("wA1 f")
    assert table.moves == "H8 I9 J10 A1"


def test_differences_are_told_once_for_each_change() -> None:
    table = Table()
    table.do(THREE)
    table.scatter("H8")
    table.see(X="J10", O="I9")
    table.see(X="J10", O="I9")
    assert len(table.of(Differs)) == 1


@pytest.mark.parametrize("stop", ["pause", "call"])
def test_a_stone_put_down_while_the_clocks_stand_is_told_and_no_move_until_accepted(stop: str) -> None:
    table = Table()
    table.do("bH8 n")
    table.say(stop, **({"side": "black"} if stop == "call" else {}))
    table.do("wI9 n")
    assert codes(table) == ["board-while-stopped", "press-while-stopped"]
    (refused,) = table.say("resume")
    assert "I9" in refused.why
    table.say("accept_board")
    assert table.moves == "H8 I9"
    table.say("resume")
    table.do("f bJ10 n")
    assert (table.moves, table.irregular) == ("H8 I9 J10", [])


def test_a_stone_before_the_start_is_told_and_no_move() -> None:
    table = Table(start=False)
    table.do("bH8 n")
    assert codes(table) == ["before-start", "before-start"]
    table.say("start")
    assert table.moves == ""
    assert codes(table)[-1] == "stones-at-start"


def test_after_a_restart_nothing_is_a_move_until_the_board_was_seen_and_equals_the_record() -> None:
    table = Table(time="5m")
    table.do(THREE)
    left = table.left()
    table.say("restore", reason="restart")
    assert table.referee.phase == "restoring"
    assert not table.of(Restored)
    (refused,) = table.say("resume")
    assert refused.why.startswith("the board has not been seen")
    table.see(X="H8", O="I9")
    assert [d.why for d in table.of(Differs)] == ["restart"]
    table.do("wA1 bJ10 -wA1")
    assert len(table.of(Restored)) == 1
    table.say("resume")
    assert table.left() == (left[0], left[1] - 100)
    assert table.moves == "H8 I9 J10"


def test_a_masked_point_never_differs() -> None:
    table = Table()
    table.do(THREE)
    table.say("mask", point="H8")
    table.say("restore", reason="restart")
    table.see(X="J10", O="I9")
    assert len(table.of(Restored)) == 1


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Interference(t_ns=0), "interference"),
        (Cleared(t_ns=0), "cleared"),
        (Weak(t_ns=0, point=112), "weak"),
        (FramesLost(t_ns=0, count=7), "frames-lost"),
        (Fault(t_ns=0, kind="stuck", point=3), "fault"),
        (Fault(t_ns=0, kind="dead", line="O"), "fault"),
    ],
)
def test_what_ails_the_sensors_is_told_to_the_arbiter_and_the_game_goes_on(event: Any, code: str) -> None:
    table = Table()
    assert [(r.code, r.audience) for r in table.give(event)] == [(code, "arbiter")]
    table.do("bH8 n wI9 f")
    assert table.moves == "H8 I9"


def test_no_one_is_accused_of_straightening_under_a_field_from_outside() -> None:
    table = Table()
    table.do("bH8 n")
    table.give(Interference(t_ns=table.t_ns))
    table.do("~bH8")
    assert table.irregular == []
    table.give(Cleared(t_ns=table.t_ns))
    table.do("~bH8")
    assert table.irregular == [("bad-adjust", "H8")]


def test_a_view_of_the_whole_board_in_play_that_differs_is_told_and_stops_nothing() -> None:
    table = Table()
    table.do(THREE)
    table.see(X="H8 J10 K1", O="I9")
    assert [d.why for d in table.of(Differs)] == ["seen"]
    assert table.referee.phase == "playing"


def test_the_same_stone_told_twice_is_one_stone() -> None:
    table = Table()
    table.do("bH8")
    table.give(Placed(t_ns=table.t_ns, point=112, colour=BLACK))
    assert (table.moves, table.irregular) == ("H8", [])
