"""Commands about the round, the clocks, results and penalties (docs/rules.md, sections 4, 6 and 7)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.referee.rulings import (
    Arrived,
    Called,
    ClockSet,
    DrawOffer,
    FlagFallen,
    Over,
    Penalised,
    PeriodUsed,
    Told,
)
from tests.referee.hands import Table

SIX = "bH8 n wI9 f bJ10 n wA1 f bA3 n"


def test_black_s_clock_runs_from_the_start() -> None:
    table = Table(time="5m", start=False)
    table.do("+4000")
    table.say("start")
    table.do("+1000")
    assert table.left() == (299_000, 300_000)
    assert [r.do for r in table.say("start")] == ["start"]


def test_pause_and_resume() -> None:
    table = Table(time="5m")
    table.do("bH8 n +1000")
    table.say("pause")
    table.do("+5000")
    table.say("resume")
    table.do("+1000")
    assert table.left() == (300_000 - 200, 300_000 - 2_100)


def test_the_arbiter_s_key_pauses_and_resumes() -> None:
    table = Table()
    table.do("ak")
    assert table.referee.phase == "paused"
    table.do("ak")
    assert table.referee.phase == "playing"


@pytest.mark.parametrize("key", ["nc", "fc"])
def test_a_call_key_stops_the_clocks(key: str) -> None:
    table = Table(time="5m")
    table.do(f"{key} +1000")
    assert [c.side for c in table.of(Called)] == [BLACK if key == "nc" else WHITE]
    assert table.left() == (299_900, 300_000)


def test_set_clock_and_add_time_are_entries() -> None:
    table = Table(time="5m")
    table.say("set_clock", side="white", ms=60_000, reason="record corrected")
    table.say("add_time", side="white", ms=-10_000)
    assert [(c.added_ms, c.remaining_ms, c.reason) for c in table.of(ClockSet)] == [
        (-240_000, 60_000, "record corrected"),
        (-10_000, 50_000, "add_time"),
    ]
    assert table.referee.clock.at(table.t_ns).books.balanced


def test_a_clock_set_to_nothing_falls_there_and_then() -> None:
    table = Table(time="5m")
    table.say("set_clock", side="white", ms=0)
    assert [(f.side, f.t_ns) for f in table.of(FlagFallen)] == [(WHITE, table.t_ns)]
    assert [o.winner for o in table.of(Over)] == [BLACK]


def test_a_match_without_a_limit_has_no_clock_to_set() -> None:
    table = Table()
    assert [r.why for r in table.say("set_clock", side="white", ms=5)] == ["this match has no time limit"]


@pytest.mark.parametrize("tick", [500, 999, 20_000])
def test_a_flag_falls_at_its_instant_however_rarely_anybody_looks(tick: int) -> None:
    table = Table(time="10s")
    for _ in range(0, 20_000, tick):
        table.do(f"+{tick}")
    assert [f.t_ns for f in table.of(FlagFallen)] == [100_000_000 + 10_000_000_000]
    assert [(o.t_ns, o.winner) for o in table.of(Over)] == [(10_100_000_000, WHITE)]


@pytest.mark.parametrize(("ms", "ended"), [(9_899, False), (9_900, True)])
def test_at_the_deadline_a_press_is_out_and_before_it_in_time(ms: int, ended: bool) -> None:
    table = Table(time="10s")
    table.do(f"bH8 +{ms - 100} n")
    assert bool(table.of(Over)) == ended


def test_a_five_that_touched_before_the_deadline_wins() -> None:
    table = Table(time="10s")
    table.do("bH8 n wH9 f bI8 n wI9 f bJ8 n wJ9 f bK8 n wK9 f +8900 bL8 +5000")
    assert [o.reason for o in table.of(Over)] == ["five"]


def test_byo_yomi_periods_are_used_up_one_by_one() -> None:
    table = Table(time="1s + 2x5s")
    table.do("+7000")
    assert [(p.left, p.t_ns // 1_000_000) for p in table.of(PeriodUsed)] == [(2, 1_100), (1, 6_100)]
    table.do("bH8 n")
    assert table.left() == (5_000, 1_000)
    table.do("wI9 f +5000")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, "time")]


def test_fischer_adds_after_the_press_from_move_1() -> None:
    table = Table(time="1m+2s")
    table.do("bH8 n wI9 f")
    assert table.left() == (60_000 - 200 + 2_000, 60_000 - 200 + 2_000)


def test_a_second_stone_in_a_row_earns_no_second_increment() -> None:
    table = Table(time="1m+2s")
    table.do("bH8 bI9 n")
    assert table.left()[0] == 60_000 - 300 + 2_000


def test_two_passes_are_a_draw_and_hand_the_clock_over() -> None:
    table = Table(time="5m+3s")
    table.do(SIX)
    left = table.left()
    table.say("pass", side="white")
    assert table.moves.endswith("A3 -")
    assert table.left() == (left[0], left[1] - 100 + 3_000)
    assert table.referee.time_of is BLACK
    table.say("pass", side="black")
    assert [(o.winner, o.reason, o.result) for o in table.of(Over)] == [
        (None, "passes", {BLACK: 0.5, WHITE: 0.5})
    ]


def test_a_pass_is_for_the_side_to_move() -> None:
    table = Table()
    table.do(SIX)
    assert [r.why for r in table.say("pass", side="black")] == ["it is white's turn"]


def test_a_pass_before_move_6_is_refused_and_an_irregular_action() -> None:
    table = Table()
    table.say("pass", side="black")
    assert table.kinds() == ["irregular", "refused"]
    assert table.irregular == [("early-pass", None)]
    assert table.moves == ""


@pytest.mark.parametrize(("do", "reason"), [("resign", "resignation"), ("left", "left")])
def test_giving_up(do: str, reason: str) -> None:
    table = Table()
    table.say(do, side="black")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, reason)]


def test_a_draw_is_offered_on_one_s_own_time_and_agreed() -> None:
    table = Table()
    table.do("bH8")
    table.say("draw", side="black", answer="offer")
    table.do("n")
    table.say("draw", side="white", answer="accept")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(None, "agreement")]


def test_playing_on_refuses_a_draw() -> None:
    table = Table()
    table.do("bH8")
    table.say("draw", side="black", answer="offer")
    table.do("n wI9")
    assert [(d.side, d.answer) for d in table.of(DrawOffer)] == [(BLACK, "offer"), (WHITE, "refuse")]
    assert [r.do for r in table.say("draw", side="white", answer="accept")] == ["draw"]


def test_a_draw_offered_on_the_other_s_time_is_irregular() -> None:
    table = Table()
    table.do("bH8 n")
    table.say("draw", side="black", answer="offer")
    assert table.kinds() == ["irregular", "refused"]
    assert table.irregular == [("bad-draw-offer", None)]


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
    assert table.kinds() == ["penalty", "over"]


def test_after_the_end_commands_are_answered_and_none_ends_the_game_again() -> None:
    table = Table()
    table.say("resign", side="black")
    for do, fields in {
        "result": {"black": 1, "white": 0},
        "resign": {"side": "white"},
        "pause": {},
        "place": {"point": "H8"},
    }.items():
        assert [r.why for r in table.say(do, **fields)] == [f"{do} is not possible: the game is over"]
    table.say("note", text="an appeal")
    table.say("penalty", side="white", kind="loss")
    table.say("finish")
    assert [(t.code, t.text) for t in table.of(Told)] == [("note", "an appeal"), ("finished", None)]
    assert len(table.of(Over)) == 1


# -- who is there (competition rules 8.5)


def away(*sides: Any, **settings: Any) -> Table:
    return Table(time="1h", absent=frozenset(sides), **settings)


def test_an_absent_white_s_clock_runs_even_in_black_s_turn() -> None:
    table = away(WHITE)
    table.do("bH8 n +1000")
    assert table.left() == (3_600_000, 3_600_000 - 1_200)
    table.say("arrive", side="white")
    assert [a.side for a in table.of(Arrived)] == [WHITE]
    assert table.referee.time_of is WHITE


def test_a_press_is_an_arrival_too() -> None:
    table = away(BLACK)
    table.do("+1000 bH8 n")
    assert [a.side for a in table.of(Arrived)] == [BLACK]
    assert (table.moves, table.referee.time_of) == ("H8", WHITE)


@pytest.mark.parametrize("first", [BLACK, WHITE])
def test_with_both_late_each_loses_his_own_lateness(first: Any) -> None:
    table = away(BLACK, WHITE)
    table.do("+9900")
    table.say("arrive", side=first)
    table.do("+9900")
    table.say("arrive", side=first.other)
    left = dict(zip((BLACK, WHITE), table.left(), strict=True))
    assert left[first] == 3_600_000 - 10_000
    assert left[first.other] == 3_600_000 - 20_000
    assert table.referee.clock.running is not None


@pytest.mark.parametrize(
    ("sides", "result"),
    [
        ((WHITE,), {BLACK: 1, WHITE: 0}),
        ((BLACK,), {BLACK: 0, WHITE: 1}),
        ((BLACK, WHITE), {BLACK: 0, WHITE: 0}),
    ],
)
def test_beyond_the_limit_the_game_is_forfeited(sides: tuple[Any, ...], result: object) -> None:
    table = away(*sides, late="10m")
    table.do("+600000")
    assert not table.of(Over)
    table.do("+1")
    (over,) = table.of(Over)
    assert (over.reason, over.result, over.t_ns) == ("absence", result, 100_000_000 + 600_000_000_000)


def test_arriving_twice_is_refused() -> None:
    assert [r.why for r in Table().say("arrive", side="black")] == ["black is at the table already"]


@pytest.mark.parametrize("decision", ["restart", "stands"])
def test_wrong_colours(decision: str) -> None:
    table = Table()
    table.say("colours", decision=decision)
    assert table.kinds() == (["told"] if decision == "stands" else ["refused"])


@pytest.mark.parametrize(("do", "fields"), [("choose", {"branch": "offers"}), ("compensate", {"entry": 1})])
def test_what_this_version_knows_by_name_only_is_refused(do: str, fields: dict[str, Any]) -> None:
    assert [r.why for r in Table().say(do, **fields)] == [f"{do} is not supported in this version"]


def test_players_speak_for_themselves_and_not_for_the_arbiter() -> None:
    table = Table(black_sits="far")
    assert [r.why for r in table.say("pause", by="near")] == ["near (white) cannot give this command"]
    assert [r.why for r in table.say("resign", by="near", side="black")] == [
        "near is white and speaks for nobody else"
    ]
    table.say("resign", by="near")
    assert [o.winner for o in table.of(Over)] == [BLACK]
