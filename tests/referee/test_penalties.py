"""Commands about clocks, penalties and results (docs/rules.md, sections 5 to 7)."""

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.clock import MS, Player
from firmware_host.referee.rulings import (
    ClockSet,
    Decided,
    FlagFallen,
    Over,
    Penalised,
    Pressed,
    Refused,
    Told,
)
from tests.referee.hands import Table


def test_set_clock_and_add_time_are_entries() -> None:
    table = Table(time="5m")
    table.say("set_clock", side="white", ms=60_000, reason="record corrected")
    table.say("add_time", side="white", ms=-10_000)
    assert [(c.added_ms, c.remaining_ms, c.reason) for c in table.of(ClockSet)] == [
        (-240_000, 60_000, "record corrected"),
        (-10_000, 50_000, "add_time"),
    ]
    assert table.referee.clock.at(table.t_ns).books.balanced


def test_a_replaced_clock_is_set_to_the_time_used() -> None:
    table = Table(time="5m")
    table.do("bH8 n +10000")
    table.say("pause")
    used_ms = table.referee.clock.used_ns(Player.SECOND, table.t_ns) // MS
    table.say("set_used", side="white", ms=100_000, reason="it stood still")
    (told,) = table.of(ClockSet)
    assert (told.added_ms, told.remaining_ms, told.reason) == (used_ms - 100_000, 200_000, "it stood still")
    table.say("compensate", entry=1)
    assert table.referee.clock.remaining_ns(Player.SECOND, table.t_ns) == 300_000 * MS - used_ms * MS
    assert table.referee.clock.used_ns(Player.SECOND, table.t_ns) == used_ms * MS
    assert table.referee.clock.at(table.t_ns).books.balanced


def test_what_a_replaced_clock_had_used_is_no_part_of_the_move_at_hand() -> None:
    table = Table(time="5m")
    table.say("set_used", side="black", ms=250_000)
    table.do("+3000 bH8 n")
    assert [ruling.used_ms for ruling in table.log if isinstance(ruling, Pressed)] == [3300]


def test_a_used_time_that_leaves_nothing_is_the_flag_and_is_undone_whole() -> None:
    table = Table(time="2m + 2x30s")
    table.say("set_used", side="white", ms=600_000)
    assert [o.reason for o in table.of(Over)] == ["time"]
    table.say("compensate", entry=1)
    clock = table.referee.clock.at(table.t_ns)
    assert clock.remaining_ns(Player.SECOND, table.t_ns) == 120_000 * MS
    assert clock.periods_left(Player.SECOND, table.t_ns) == 2
    assert clock.used_ns(Player.SECOND, table.t_ns) == 0
    assert clock.books.balanced


@pytest.mark.parametrize(("time", "why"), [("5m", "a side cannot have used -1 ms; allowed: 0 or more")])
def test_no_time_below_nothing_was_used(time: str, why: str) -> None:
    assert [r.why for r in Table(time=time).say("set_used", side="white", ms=-1)] == [why]


def test_two_used_times_are_undone_in_any_order() -> None:
    table = Table(time="10m")
    table.do("+9900")
    table.say("pause")
    used_ns = table.referee.clock.used_ns(Player.FIRST, table.t_ns)
    table.say("set_used", side="black", ms=100_000)
    table.say("set_used", side="black", ms=20_000)
    table.say("compensate", entry=1)
    table.say("compensate", entry=2)
    assert table.referee.clock.used_ns(Player.FIRST, table.t_ns) == used_ns
    assert table.referee.clock.remaining_ns(Player.FIRST, table.t_ns) == 600_000 * MS - used_ns


@pytest.mark.parametrize(
    ("time", "before", "why"),
    [
        ("3x30s", [], "periods are renewed now"),
        ("5s", [("set_clock", {"side": "black", "ms": 0})], "the flag has fallen"),
    ],
)
def test_where_the_used_time_does_not_say_what_is_left_it_is_refused(
    time: str, before: list[tuple[str, dict[str, object]]], why: str
) -> None:
    table = Table(time=time, flag="claim")
    for do, fields in before:
        table.say(do, **fields)
    (refused,) = [r for r in table.say("set_used", side="black", ms=1000) if isinstance(r, Refused)]
    assert refused.why == f"{why}: the time used does not say what is left; set the time left"


def test_after_a_restart_with_colours_put_right_nothing_has_been_used() -> None:
    table = Table(time="15m")
    table.do("+100000")
    table.say("colours", decision="restart")
    assert table.referee.clock.used_ns(Player.FIRST, table.t_ns) == 0
    table.say("set_used", side="black", ms=60_000)
    player = table.referee.player_of(BLACK)
    assert table.referee.clock.remaining_ns(player, table.t_ns) == 840_000 * MS


def test_a_penalty_over_a_period_is_undone_whole() -> None:
    table = Table(time="10s + 3x30s")
    table.say("penalty", side="white", kind="time", ms=45_000)
    table.say("compensate", entry=1)
    clock = table.referee.clock
    assert clock.remaining_ns(Player.SECOND, table.t_ns) == 10_000 * MS
    assert clock.periods_left(Player.SECOND, table.t_ns) == 3


def test_a_change_of_a_shared_limit_is_told_of_both_sides_and_undone_once() -> None:
    table = Table(time="shared 10m")
    table.say("add_time", side="black", ms=60_000)
    assert [c.side for c in table.of(ClockSet)] == [BLACK, WHITE]
    table.say("compensate", entry=1)
    left = {p: table.referee.clock.remaining_ns(p, table.t_ns) for p in Player}
    assert left == dict.fromkeys(Player, 600_000 * MS - table.t_ns + 100 * MS)


def test_without_a_limit_the_used_time_is_set() -> None:
    table = Table()
    table.say("set_used", side="white", ms=90_000)
    assert table.referee.clock.used_ns(Player.SECOND, table.t_ns) == 90_000 * MS
    assert table.of(Over) == []
    assert table.referee.clock.at(table.t_ns).books.balanced


def test_a_clock_set_to_nothing_falls_there_and_then() -> None:
    table = Table(time="5m")
    table.say("set_clock", side="white", ms=0)
    assert [(f.side, f.t_ns) for f in table.of(FlagFallen)] == [(WHITE, table.t_ns)]
    assert [o.winner for o in table.of(Over)] == [BLACK]


def test_a_match_without_a_limit_has_no_clock_to_set() -> None:
    table = Table()
    assert [r.why for r in table.say("set_clock", side="white", ms=5)] == ["this match has no time limit"]


@pytest.mark.parametrize(
    ("black", "white", "winner"), [(1, 0, BLACK), (0.5, 0.5, None), (0, 0, None), (0, 1, WHITE)]
)
def test_the_arbiter_s_decision_is_one_score_a_side(black: float, white: float, winner: object) -> None:
    table = Table()
    table.say("result", black=black, white=white)
    assert [(o.winner, o.result, o.reason) for o in table.of(Over)] == [
        (winner, {BLACK: black, WHITE: white}, "arbiter")
    ]


def test_penalties() -> None:
    table = Table(time="5m")
    table.say("violation", side="black", reason="noise")
    table.say("violation", side="black")
    table.say("penalty", side="white", kind="time", ms=10_000)
    assert [(p.side, p.kind, p.count) for p in table.of(Penalised)] == [
        (BLACK, "violation", 1),
        (BLACK, "violation", 2),
        (WHITE, "time", 0),
    ]
    assert table.left()[1] == 290_000
    assert [r.do for r in table.say("penalty", side="white", kind="time")] == ["penalty"]
    table.say("penalty", side="white", kind="loss")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "penalty")]
    assert table.kinds() == ["told", "penalty", "over", "decided"]


def test_wrong_colours_may_stand() -> None:
    table = Table()
    table.say("colours", decision="stands")
    assert table.kinds() == ["told", "decided"]


def test_a_clock_cannot_be_set_below_nothing() -> None:
    table = Table(time="5m")
    assert [r.why for r in table.say("set_clock", side="white", ms=-1)] == [
        "a clock cannot be set to -1 ms; allowed: 0 or more"
    ]


def test_colours_found_wrong_after_move_4_stand() -> None:
    table = Table()
    table.do("bH8 n wI9 f bJ10 n wA1 f")
    assert [r.why for r in table.say("colours", decision="restart")] == [
        "move 4 lies on the board or 15 minutes have gone: the game stands"
    ]


@pytest.mark.parametrize("kind", ["loss", "disqualification"])
@pytest.mark.parametrize("by", ["arbiter", "chief", "organiser"])
def test_whose_decision_it_is_is_told_and_who_gave_it_recorded(kind: str, by: str) -> None:
    table = Table()
    table.say("penalty", side="white", kind=kind, by=by, reason="noise")
    assert [(p.kind, p.by, p.reason) for p in table.of(Penalised)] == [(kind, by, "noise")]
    assert [(d.by, d.what) for d in table.of(Decided)] == [(by, kind)]
    his = by == "organiser" or (by == "chief" and kind == "loss")
    assert [t.code for t in table.of(Told)] == ([] if his else ["whose-decision"])
    assert [o.winner for o in table.of(Over)] == [BLACK]


def test_players_punish_nobody() -> None:
    table = Table()
    assert [r.do for r in table.say("penalty", by="near", side="white", kind="loss")] == ["penalty"]
    assert not table.of(Over)


AFTER_THE_END: dict[str, tuple[tuple[float, float], str, tuple[float, float], object]] = {
    "the winner": ((1, 0), "black", (0, 0), None),
    "the loser": ((1, 0), "white", (1, 0), BLACK),
    "after a draw": ((0.5, 0.5), "black", (0, 0.5), None),
}


@pytest.mark.parametrize(("scores", "side", "left", "winner"), AFTER_THE_END.values(), ids=AFTER_THE_END)
def test_a_loss_after_the_result_leaves_the_opponent_his_score(
    scores: tuple[float, float], side: str, left: tuple[float, float], winner: object
) -> None:
    table = Table()
    table.say("result", black=scores[0], white=scores[1])
    table.say("penalty", side=side, kind="loss", by="chief")
    over = table.referee.over
    assert over is not None
    assert (over.result[BLACK], over.result[WHITE], over.winner) == (*left, winner)
    assert over.reason == ("arbiter" if scores == left else "penalty")


def test_a_violation_follows_the_player_through_a_swap() -> None:
    table = Table(opening="designated", offers=1)
    table.say("violation", side="black")
    table.do("bH8 wI9 bJ8 n")
    table.say("swap", side="white")
    table.say("violation", side="white")
    assert [(p.side, p.count) for p in table.of(Penalised)] == [(BLACK, 1), (WHITE, 2)]


def test_a_time_penalty_may_end_the_game() -> None:
    table = Table(time="1m")
    table.say("penalty", side="white", kind="time", ms=60_000)
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "time")]
