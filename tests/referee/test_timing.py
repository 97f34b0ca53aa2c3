"""The clock in the course of the game, and who is there (competition rules 8)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.record.text_format import to_text
from firmware_host.referee.rulings import (
    Arrived,
    ClockSet,
    FlagFallen,
    Moved,
    Over,
    PeriodUsed,
    Pressed,
    PressWithoutStone,
)
from tests.referee.hands import Table


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


SWAP = {"do": "swap", "side": "white"}
UNDONE = {"do": "remove", "point": "J8"}
ONE_INCREMENT: dict[str, tuple[str, list[str | dict[str, str]], int, int]] = {
    "a press that was pressed back": ("free", ["n f bH8 n wI9 f"], 1, 1),
    "of a set-up": ("designated", ["bH8 wI9 n f bJ8 n"], 1, 0),
    "of offers": ("rif-classic", ["bH8 wI9 bJ8 n wI7 f n f bJ9 bF10 n"], 2, 1),
    "of a removal": ("rif-classic", ["bH8 wI9 bJ8 n wI7 f bJ9 bF10 n -bF10 f n wA1 f"], 2, 2),
    "of a swap": ("designated", ["bH8 wI9 bJ8 n f n", SWAP], 1, 1),
    "a swap that is undone with its set-up": (
        "designated",
        ["bH8 wI9 bJ8 n", SWAP, UNDONE, "bJ8 n", SWAP],
        1,
        1,
    ),
}
"""What is done -> how often the first player and the second one have earned their increment [8.3]."""


@pytest.mark.parametrize(("opening", "script", "first", "second"), ONE_INCREMENT.values(), ids=ONE_INCREMENT)
def test_a_move_earns_one_increment(
    opening: str, script: list[str | dict[str, str]], first: int, second: int
) -> None:
    table = Table(opening=opening, time="1m+2s")
    for act in script:
        table.do(act) if isinstance(act, str) else table.say(**act)
    books = table.referee.clock.books
    earned = [sum(e.ns for e in side.entries) // 1_000_000 for side in (books.first, books.second)]
    assert earned == [first * 2_000, second * 2_000]


def away(*sides: Any, **settings: Any) -> Table:
    return Table(time="1h", absent=frozenset(sides), **settings)


def test_an_absent_white_s_clock_runs_even_in_black_s_turn() -> None:
    table = away(WHITE)
    table.do("bH8 n +1000")
    assert table.left() == (3_600_000, 3_600_000 - 1_200)
    table.say("arrive", side="white")
    assert [a.side for a in table.of(Arrived)] == [WHITE]
    assert table.referee.time_of is WHITE


def test_a_press_in_black_s_turn_by_an_absent_white_is_his_arrival_and_not_out_of_turn() -> None:
    table = away(WHITE)
    table.do("+1000 f +500 bH8 n wI9 f")
    assert [a.side for a in table.of(Arrived)] == [WHITE]
    first = table.of(Pressed)[0]
    assert (first.side, first.running, first.n) == (WHITE, BLACK, None)
    assert (table.moves, table.irregular) == ("H8 I9", [])
    assert table.left() == (3_600_000 - 700, 3_600_000 - 1_100 - 200)


def test_the_next_press_in_black_s_turn_is_out_of_turn() -> None:
    table = away(WHITE)
    table.do("f f")
    assert table.irregular == [("out-of-turn", None)]


@pytest.mark.parametrize("sides", [(BLACK, WHITE), (WHITE,)])
def test_a_press_without_a_stone_in_one_s_turn_is_that_while_the_other_is_absent_too(sides: Any) -> None:
    table = away(*sides)
    table.do("n")
    assert [p.side for p in table.of(PressWithoutStone)] == [BLACK]
    assert (table.irregular, table.referee.time_of) == ([], WHITE)


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
    assert [(c.side, c.added_ms, c.reason) for c in table.of(ClockSet)] == [(WHITE, -10_000, "late")]
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
    assert sum(table.left()) == 2 * 3_600_000 - 600_000, "nothing after the limit is charged"
    assert table.referee.clock.books.balanced


def test_while_the_clocks_stand_an_absent_player_grows_no_later() -> None:
    table = away(WHITE, late="10m")
    table.do("+300000")
    table.say("pause")
    table.do("+900000")
    table.say("resume")
    table.do("+299900")
    assert not table.of(Over)
    table.do("+1")
    assert [o.reason for o in table.of(Over)] == ["absence"]
    assert table.left() == (3_600_000, 3_000_000)


@pytest.mark.parametrize("first", [BLACK, WHITE])
def test_of_a_shared_limit_no_lateness_is_taken_twice(first: Any) -> None:
    table = Table(time="shared 1h", absent=frozenset((BLACK, WHITE)))
    table.do("+9900")
    table.say("arrive", side=first)
    table.do("+9900")
    table.say("arrive", side=first.other)
    assert table.of(ClockSet) == []
    assert table.left() == (3_600_000 - 20_000, 3_600_000 - 20_000)


FIVE_MOVES = "bH8 n wA1 f bI10 n wC1 f bE3 n"


@pytest.mark.parametrize(
    ("time", "left_ms"), [("5m+3s", 300_000 + 3 * 3_000 - 200 - 200 - 20_100), ("none", None)]
)
def test_a_pass_has_the_time_that_it_took_and_what_is_left(time: str, left_ms: int | None) -> None:
    table = Table(time=time)
    table.do(FIVE_MOVES + " +20000")
    table.say("pass", side="white")
    table.do("bG7 n wC5 f")
    record = GameRecord.new(Header(), table.referee.settings, "public").fold_all(table.log)
    passed = record.move(6)
    assert passed is not None
    assert (passed.pressed_ns, passed.used_ms, passed.left_ms) == (passed.t_ns, 20_100, left_ms)
    assert [m.used_ms for m in record.moves if m.n in (5, 7, 8)] == [200, 200, 200]


def test_a_pass_keeps_its_times_when_a_decision_after_it_is_undone() -> None:
    table = Table(time="5m")
    table.do(FIVE_MOVES + " +20000")
    table.say("pass", side="white")
    table.say("moved", decision="replay")
    table.say("compensate", entry=1)
    told = table.of(Moved)[-1]
    assert (told.n, told.used_ms, told.left_ms) == (6, 20_100, 300_000 - 200 - 200 - 20_100)


def test_a_swap_and_a_keep_that_end_a_turn_have_their_time_too() -> None:
    table = Table(opening="tarannikov", time="5m+3s")
    table.do("bH8 n +4900")
    table.say("swap", side="white")
    table.do("wI9 n +2900")
    table.say("keep", side="black")
    table.do("bI10 f")
    record = GameRecord.new(Header(), table.referee.settings).fold_all(table.log)
    swap = record.choices[0]
    assert (swap.after, swap.used_ms, swap.left_ms) == (1, 5_000, 298_000)
    assert "After move 1: the players swapped colours, used 0:05.0, left 4:58.0" in to_text(record)
    keep = record.choices[1]
    assert (keep.swap, keep.used_ms, keep.left_ms) == (False, None, None)
    assert record.moves[2].used_ms == 3_200


def test_how_long_the_board_was_off_is_a_line_of_the_arbiter_s_record() -> None:
    table = Table(time="5m")
    table.do("bH8 n")
    table.say("restore", reason="restart", ms=95_250)
    table.say("restore")
    for audience, lines in (("arbiter", 1), ("public", 0)):
        record = GameRecord.new(Header(), table.referee.settings, audience).fold_all(table.log)
        assert to_text(record).count("0:00.3  the board was off: 95.2 s\n") == lines
