"""Moved stones and scattered boards: every decision of the article (competition rules 4.2)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, Position
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.referee.rulings import Decided, Moved, Over, Penalised, Restarted, Told
from tests.referee.hands import Table

THREE = "bH8 n wI9 f bJ10 n"
FIVE = THREE + " wK11 f bL12 n"


def moved(script: str, **settings: Any) -> Table:
    """A game whose stones have moved, the clocks stopped."""
    table = Table(**settings)
    table.do(THREE)
    table.say("pause")
    table.do(script)
    return table


STANDS: dict[str, tuple[str, str]] = {
    "one stone": ("-bH8 bG8", "G8 I9 J10"),
    "one of each colour": ("-bH8 -wI9 wC3 bG8", "G8 C3 J10"),
    "two of a colour, pushed": ("bH8>G8 bJ10>K10", "G8 I9 K10"),
    "pushed twice": ("bH8>G8 bG8>F8 bJ10>K10", "F8 I9 K10"),
    "one onto the place of the other": ("bH8>G8 -wI9 wH8", "G8 H8 J10"),
    "of two, one was pushed and one put": ("bH8>G8 -bJ10 bO1", "G8 I9 O1"),
}


@pytest.mark.parametrize(("script", "record"), STANDS.values(), ids=STANDS)
def test_stones_that_moved_are_let_stand(script: str, record: str) -> None:
    table = moved(script)
    table.say("moved", decision="stands")
    assert (table.moves, table.differences()) == (record, [])
    table.say("resume")
    table.do("wA1 f")
    assert table.moves == record + " A1"


UNCLEAR: dict[str, tuple[str, str]] = {
    "nothing moved": ("", "off their points none, elsewhere none"),
    "two of a colour": ("-bH8 -bJ10 bA1 bB2", "off their points H8, J10, elsewhere A1, B2"),
    "one is gone": ("-bH8 -bJ10 bA1", "off their points H8, J10, elsewhere A1"),
    "one is more": ("-bH8 bA1 bB2", "off their points H8, elsewhere A1, B2"),
    "another colour": ("-bH8 wA1", "off their points H8, elsewhere A1"),
}


@pytest.mark.parametrize(("script", "points"), UNCLEAR.values(), ids=UNCLEAR)
def test_stones_whose_ways_are_not_clear_are_refused_by_their_points(script: str, points: str) -> None:
    table = moved(script)
    (refused,) = table.say("moved", decision="stands")
    assert points in refused.why
    assert table.moves == "H8 I9 J10"


def test_without_colours_one_stone_that_moved_stands() -> None:
    table = Table()
    table.do("?H8 n ?I9 f")
    table.say("pause")
    table.do("-?H8 ?G8")
    table.say("moved", decision="stands")
    assert table.moves == "G8 I9"


def test_a_stone_moved_into_a_five_wins_when_it_stands() -> None:
    table = Table()
    table.do("bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bK8 n wA7 f bC3 n")
    table.say("pause")
    table.do("-bC3 bL8")
    table.say("moved", decision="stands")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


def test_a_forbidden_move_is_judged_by_the_last_stone_alone() -> None:
    table = Table()
    table.do("bG8 n wA1 f bI8 n wA3 f bH9 n wA5 f bH10 n wA7 f bC3 n wA9 f")
    table.say("pause")
    table.do("-bC3 bH8")
    table.say("moved", decision="stands")
    assert not table.referee.claimable, "nobody played the stone to H8"


def test_who_decided_and_the_position_before_and_after_are_told() -> None:
    table = moved("-bH8 bG8")
    table.say("moved", decision="stands", by="chief")
    (decided,) = table.of(Decided)
    assert (decided.do, decided.what, decided.by) == ("moved", "stands", "chief")
    before = Position.from_stones({112: BLACK, 128: WHITE, 144: BLACK})
    assert decided.before == before.text()
    assert decided.after == table.referee.position.text()
    table.say("moved", decision="back")
    assert table.of(Decided)[-1].before == table.of(Decided)[-1].after


# -- what caused it

CAUSES: dict[str, tuple[dict[str, str], list[str]]] = {
    "by itself": ({"decision": "back"}, []),
    "from outside": ({"decision": "back", "kind": "outside"}, []),
    "by accident": ({"decision": "back", "kind": "accident", "side": "white"}, ["violation"]),
    "by accident, and it stands": (
        {"decision": "stands", "kind": "accident", "side": "white"},
        ["violation"],
    ),
    "cannot be rebuilt": ({"decision": "loss", "kind": "accident", "side": "white"}, ["loss"]),
    "on purpose": ({"decision": "loss", "kind": "purpose", "side": "white"}, ["loss"]),
}


@pytest.mark.parametrize(("fields", "penalties"), CAUSES.values(), ids=CAUSES)
def test_what_caused_it_decides_what_it_costs(fields: dict[str, str], penalties: list[str]) -> None:
    table = moved("-bH8 bG8")
    table.say("moved", **fields)
    assert [(p.side, p.kind) for p in table.of(Penalised)] == [(WHITE, kind) for kind in penalties]
    assert [(o.winner, o.reason) for o in table.of(Over)] == (
        [(BLACK, "penalty")] if fields["decision"] == "loss" else []
    )


NOT_BY_THE_ARTICLE: dict[str, tuple[dict[str, str], str]] = {
    "a loss for nobody": ({"decision": "loss"}, "a loss needs the side that loses"),
    "nobody's accident": ({"decision": "back", "kind": "accident"}, "accident needs the side that did it"),
    "purpose, back": ({"decision": "back", "kind": "purpose", "side": "white"}, "allowed with purpose: loss"),
    "outside, loss": ({"decision": "loss", "kind": "outside", "side": "white"}, "allowed with outside: back"),
    "accident, draw": (
        {"decision": "draw", "kind": "accident", "side": "white"},
        "allowed with accident: back",
    ),
}


@pytest.mark.parametrize(("fields", "why"), NOT_BY_THE_ARTICLE.values(), ids=NOT_BY_THE_ARTICLE)
def test_a_decision_that_the_article_does_not_know_is_refused(fields: dict[str, str], why: str) -> None:
    table = moved("-bH8 bG8")
    (refused,) = table.say("moved", **fields)
    assert why in refused.why
    assert (table.referee.phase, table.of(Penalised)) == ("paused", [])


def test_who_is_named_for_a_scattered_board_that_is_rebuilt_was_careless() -> None:
    table = Table()
    table.do(FIVE)
    table.scatter("H8", "I9", "J10")
    table.say("moved", decision="back", side="black")
    assert [(p.side, p.kind) for p in table.of(Penalised)] == [(BLACK, "violation")]
    assert (table.referee.phase, table.referee.why) == ("restoring", "scattered")
    table.do("bH8 wI9 bJ10")
    table.say("resume")
    table.do("wA1 f")
    assert table.moves == "H8 I9 J10 K11 L12 A1"


@pytest.mark.parametrize(("by", "told"), [("arbiter", True), ("chief", False)])
def test_a_draw_is_the_chief_arbiter_s_to_give_and_it_is_recorded_who_did(by: str, told: bool) -> None:
    table = moved("-bH8")
    table.say("moved", decision="draw", by=by)
    assert [(o.winner, o.reason, o.result) for o in table.of(Over)] == [
        (None, "arbiter", {BLACK: 0.5, WHITE: 0.5})
    ]
    assert ("whose-decision" in [t.code for t in table.of(Told)]) is told


# -- beginning again


def test_a_game_that_is_replayed_begins_again_with_the_clocks_reset() -> None:
    table = Table(time="5m")
    table.do(FIVE + " +5000")
    table.scatter("H8", "I9")
    table.say("moved", decision="replay", by="chief")
    assert (table.moves, table.left(), table.referee.phase) == ("", (300_000, 300_000), "restoring")
    assert table.differences() == ["J10", "K11", "L12"]
    table.do("-bJ10 -wK11 -bL12")
    table.say("resume")
    table.do("bG7 n wH8 f")
    assert table.moves == "G7 H8"
    assert table.referee.clock.at(table.t_ns).books.balanced
    assert [r.why for r in table.of(Restarted)] == ["replay"]


def test_a_replayed_game_begins_with_the_colours_of_its_beginning() -> None:
    table = Table(opening="designated", offers=1)
    table.do("bH8 wI9 bJ8 n")
    table.say("swap", side="white")
    assert table.referee.black_seat == "far"
    table.say("moved", decision="replay", by="chief")
    assert (table.referee.black_seat, table.referee.step.do) == ("near", "set-up")


def test_what_was_found_before_a_replay_can_be_claimed_no_more() -> None:
    table = Table()
    table.do("bH8 n wE5>E6")
    table.say("moved", decision="replay")
    assert [x.standing for x in table.referee.matters] == ["lapsed"]
    assert table.irregular == [("slide", "E5")]


def test_wrong_colours_are_put_right_and_the_game_begins_again() -> None:
    table = Table(time="5m")
    table.do(THREE)
    table.say("colours", decision="restart")
    assert (table.moves, table.left(), table.referee.black_seat) == ("", (300_000, 300_000), "far")
    table.do("-bH8 -wI9 -bJ10")
    table.say("resume")
    table.do("bH8 f wG7 n")
    assert (table.moves, table.irregular) == ("H8 G7", [])
    assert [(r.why, r.traded) for r in table.of(Restarted)] == [("colours", True)]


def test_players_who_changed_seats_keep_black_s_side_of_the_board() -> None:
    table = Table(swap="seats")
    table.do(THREE)
    table.say("colours", decision="restart")
    assert table.referee.black_seat == "near"


def test_wrong_colours_are_put_right_before_the_round_begins() -> None:
    table = Table(start=False)
    table.say("colours", decision="restart")
    table.say("start")
    table.do("bH8 f")
    assert (table.moves, table.irregular) == ("H8", [])


def test_wrong_colours_stand_after_fifteen_minutes() -> None:
    table = Table()
    table.do("bH8 n +899700")
    table.say("colours", decision="restart")
    assert table.kinds() == ["refused"]
    table = Table()
    table.do("bH8 n +899600")
    table.say("colours", decision="restart")
    assert table.of(Restarted)


def test_a_restart_can_be_undone() -> None:
    table = Table(time="5m")
    table.do(THREE)
    left = table.left()
    table.say("colours", decision="restart")
    table.say("compensate", entry=1)
    assert (table.moves, table.referee.black_seat) == ("H8 I9 J10", "near")
    assert table.left() == (left[0], left[1] - 100)
    assert [r.traded for r in table.of(Restarted)] == [True, True]


@pytest.mark.parametrize("how", ["scattered", "decided", "moved"])
def test_the_next_act_goes_on_once_moved_stones_are_back(how: str) -> None:
    table = Table()
    table.do("bH8 n wI9 f")
    if how == "moved":
        table.do("-bH8 bK11")
        table.say("moved", decision="back")
        table.do("-bK11 bH8")
    else:
        table.scatter("H8", "I9")
        if how == "decided":
            table.say("moved", decision="back")
        table.do("bH8 wI9")
    assert table.referee.paused
    table.do("bJ10 n")
    assert (table.moves, table.referee.paused, table.irregular) == ("H8 I9 J10", False, [])


def test_stones_that_go_back_in_an_arbiter_s_pause_wait_for_his_word() -> None:
    table = Table()
    table.do("bH8 n wI9 f -bH8 bK11")
    table.say("pause")
    table.say("moved", decision="back")
    table.do("-bK11 bH8 bJ10 n")
    assert (table.moves, table.referee.paused) == ("H8 I9", True)


def test_a_corrected_move_keeps_its_time_and_the_correction_has_its_own_instant() -> None:
    table = Table(time="5m")
    table.do("+4900 bH8 +900 n wI9 f bJ10 n +60000")
    table.say("pause")
    table.do("-bH8 bG8")
    instants = []
    for do, fields in (("moved", {"decision": "stands"}), ("compensate", {"entry": 1})):
        table.do("+30000")
        told = table.say(do, **fields)
        instants.append(table.t_ns)
        assert [(r.n, r.used_ms) for r in told if isinstance(r, Moved)] == [(1, 6_000)]
    record = GameRecord.new(Header(), table.referee.settings).fold_all(table.log)
    assert [c.t_ns for c in record.corrections] == instants


def test_a_stone_that_is_entered_late_keeps_the_time_of_its_press() -> None:
    table = Table(time="5m")
    table.do("+4900 n wI9 f +20000")
    (told,) = (r for r in table.say("place", point="H8", colour="black") if isinstance(r, Moved))
    assert (told.n, told.used_ms, told.corrected_ns) == (1, 5_000, table.t_ns)


def test_a_stone_that_lies_in_the_place_of_another_one_is_not_two_moves_on_a_point() -> None:
    table = Table()
    table.do("bJ8 n wI8 f")
    table.say("pause")
    table.do("-bJ8 -wI8 wJ8")
    table.say("accept_board")
    assert table.moves == "J8 I8"
    assert table.differences() == []
