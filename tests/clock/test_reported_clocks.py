"""What people have reported of tournament clocks, each with its right answer, at the referee and its clock.

Those that are seen at faces, sounds and pages are in `tests/service/test_reported_times.py`.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.announce import due
from firmware_host.clock import MS, SECOND, Clock, Player, TimeControl
from firmware_host.faces import clock_text, face_text
from firmware_host.feed import ClockView
from firmware_host.referee.final import final
from firmware_host.referee.rulings import FlagFallen
from tests.clock.controls import CONTROLS
from tests.referee.hands import Table

FIRST, OTHER = Player


@settings(max_examples=100, deadline=None, derandomize=True)
@given(CONTROLS, st.lists(st.tuples(st.integers(-300, 300), st.integers(0, 200)), max_size=8))
def test_a_clock_that_passed_zero_showed_a_negative_time(
    control: TimeControl, taken: list[tuple[int, int]]
) -> None:
    """A flag that is only told runs on, and an arbiter may take more than there is: all shows nought."""
    clock, now_ns = Clock.new(control).run(FIRST, 0), 0
    for s, wait_s in taken:
        now_ns += wait_s * SECOND + 1
        clock = clock.add(OTHER if s % 2 else FIRST, s * SECOND, now_ns, "arbiter")
        view = ClockView.of(clock, FIRST, now_ns)
        for player, side in zip(Player, (view.black, view.white), strict=True):
            left_ns = clock.remaining_ns(player, now_ns)
            assert left_ns is None or left_ns >= 0
            assert "-" not in face_text(clock, player, now_ns).chars + clock_text(clock, player, now_ns)
            assert side.remaining_ns == left_ns
            out = left_ns == 0
            assert out is (side.text == "0:00" and left_ns is not None)
            assert not out or face_text(clock, player, now_ns).chars in ("F000", "0000", "F.000")


def test_a_negative_time_was_in_the_result() -> None:
    table = Table(time="5s", flag="claim")
    table.do("bH8 +60000 n wI9 +70000")
    assert final(table.referee, table.t_ns)["remaining_ms"] == {"black": 0, "white": 0}
    assert [clock.books.balanced for clock in [table.referee.clock.at(table.t_ns)]] == [True]


def test_moves_were_not_counted_while_the_clock_was_paused() -> None:
    """Stone, pause, press: a press counts when time runs again, and then once."""
    table = Table(time="2 moves/60s then 90s")

    def to_make() -> int | None:
        return table.referee.clock.to_make(FIRST, table.t_ns)

    table.do("bH8")
    table.say("pause")
    table.do("n +60000")
    assert to_make() == 2
    table.say("resume")
    table.do("n")
    assert to_make() == 1
    table.do("n wI9 f bJ8")
    table.say("call", side="white")
    table.do("+60000")
    table.say("resume")
    table.do("n")
    assert to_make() is None
    used_ns = table.referee.clock.used_ns(FIRST, table.t_ns)
    assert table.referee.clock.remaining_ns(FIRST, table.t_ns) == 150 * SECOND - used_ns


def test_a_stone_that_the_sensors_missed_and_the_arbiter_entered_was_counted_twice() -> None:
    table = Table(time="2 moves/60s then 90s")
    table.do("n")
    assert table.referee.clock.to_make(FIRST, table.t_ns) == 1
    table.say("pause")
    table.say("place", point="H8", colour="black")
    table.say("resume")
    assert table.referee.clock.to_make(FIRST, table.t_ns) == 1


def test_byo_yomi_was_reset_by_a_press_without_a_move_of_his_own() -> None:
    """A press on the other's time renews nothing."""
    table = Table(time="3x5s byo-yomi")
    table.do("bH8 n +3000 n n")
    assert table.referee.clock.remaining_ns(OTHER, table.t_ns) == 1_800 * MS


@pytest.mark.parametrize("step_ms", [13, 110, 401, 997, 2_003])
def test_the_beeps_were_not_those_of_the_table(step_ms: int) -> None:
    """Over presses, and looked at now and then: each mark of each period once, the flag at its instant."""
    table = Table(time="2s + 2x15s byo-yomi")
    heard: list[tuple[int, str]] = []
    due_: list[tuple[int, str]] = []
    looked_ns = turn_ns = table.t_ns
    main_ns, periods = [2 * SECOND, 2 * SECOND], [2, 2]

    def look(until_ns: int) -> None:
        nonlocal looked_ns
        found = due(table.referee.clock, looked_ns, until_ns)
        heard.extend((s.at_ns, s.kind if s.seconds_left is None else str(s.seconds_left)) for s in found)
        looked_ns = until_ns

    for n, wait_ms in enumerate([7_900, 400, 15_300, 1_000, 9_950, 14_750, 20_000, 4_000, 40_000]):
        for left_ms in range(wait_ms, 0, -step_ms):
            table.do(f"+{min(step_ms, left_ms)}")
            look(table.t_ns)
        if wait_ms < 40_000:
            table.do(f"{'bw'[n % 2]}{'HIJKLMNO'[n // 2]}{8 + n % 2}")
            look(table.t_ns + 100 * MS)
            table.do("nf"[n % 2])
        at_ns, side = turn_ns, n % 2
        while periods[side]:
            left_ns = main_ns[side] or 15 * SECOND
            if main_ns[side] == 0:
                marks = [(at_ns + left_ns - s * SECOND, str(s)) for s in (10, 4, 3, 2, 1)]
                due_ += [mark for mark in marks if at_ns < mark[0] <= table.t_ns]
            if at_ns + left_ns > table.t_ns:
                main_ns[side] = max(0, left_ns - table.t_ns + at_ns) if main_ns[side] else 0
                break
            at_ns += left_ns
            kind = "main" if main_ns[side] else "period" if periods[side] > 1 else "flag"
            periods[side] -= kind != "main"
            main_ns[side] = 0
            due_.append((at_ns, kind))
        turn_ns = table.t_ns
    assert heard == due_
    assert [at_ns for at_ns, kind in heard if kind == "flag"] == [flag.t_ns for flag in table.of(FlagFallen)]
    assert [kind for _, kind in heard].count("flag") == 1
