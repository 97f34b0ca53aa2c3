"""Frames that stay away for long: what lies on the board is taken up again, nothing is invented."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from firmware_host.board import NAMES, POINTS, parse_point
from firmware_host.sensing.events import Fault, Interference, Placed, Seen
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from tests.sensing.watched import MS, SECOND, Play, RawFrame, brief, watch

PERIOD_NS = 5 * MS
GAPS_S = [1, 10, 60, 150, 600]
SENSORS: list[Sensors] = ["linear", "switch"]
DRIFT_COUNTS = 4.0
"""Each zero wanders by up to twice as much within 150 s."""


def table(sensors: Sensors, seed: int = 1, drift_counts: float = DRIFT_COUNTS) -> Play:
    return Play(sensors, seed, **({"drift_counts": drift_counts} if sensors == "linear" else {}))


def scanned(play: Play, until_ns: int, slow: Sequence[tuple[int, int, int]]) -> Iterator[RawFrame]:
    """Frames at 200 Hz; within each of `slow` (from, until, period in ns) only one a period."""
    t_ns = 0
    while t_ns < until_ns:
        yield t_ns, play.table.readings(t_ns), 0
        step_ns = next((p for since, until, p in slow if since <= t_ns < until), PERIOD_NS)
        t_ns += step_ns


def seen(play: Play, slow: Sequence[tuple[int, int, int]], more_ns: int = 2 * SECOND) -> list[str]:
    """What is told of it, without `seen` and without words about weak magnets."""
    end_ns = max(play.now, play.table.quiet_ns, *(until for _, until, _ in slow)) + more_ns
    events = watch(scanned(play, end_ns, slow), BoardWatcher(play.sensors))
    return [w for w in brief(events) if not w.startswith(("seen", "weak"))]


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("gap_s", GAPS_S)
@pytest.mark.parametrize("sensors", SENSORS)
def test_stones_laid_before_during_and_after_a_gap_are_seen_and_no_others(
    sensors: Sensors, gap_s: int, seed: int
) -> None:
    play = table(sensors, seed)
    play.place("C4")
    play.place("D12", "white")
    gap = (play.now, play.now + gap_s * SECOND, gap_s * SECOND)
    play.now += gap_s * SECOND // 8
    play.place("K9") if gap_s > 1 else None
    play.now = gap[1] + SECOND
    play.place("L5", "white")
    play.place("H8")
    assert seen(play, [gap]) == play.truth


@pytest.mark.parametrize("gap_s", GAPS_S)
@pytest.mark.parametrize("sensors", SENSORS)
def test_stones_taken_away_in_a_gap_are_lifted(sensors: Sensors, gap_s: int) -> None:
    play = table(sensors)
    for point in ("C4", "D12", "M2"):
        play.place(point)
    gap = (play.now, play.now + gap_s * SECOND, gap_s * SECOND)
    play.now += SECOND // 4
    play.lift("D12")
    play.now = gap[1] + SECOND
    play.lift("M2")
    assert seen(play, [gap]) == play.truth


@pytest.mark.parametrize("period_ms", [200, 500, 1000, 1500, 5000])
@pytest.mark.parametrize("sensors", SENSORS)
def test_a_slow_scanner_invents_nothing_and_sees_what_stays(sensors: Sensors, period_ms: int) -> None:
    play = table(sensors)
    play.place("C4")
    slow = (play.now, play.now + 300 * SECOND, period_ms * MS)
    play.now += 100 * SECOND
    play.place("D12", "white")
    play.now = slow[1] + 10 * SECOND
    play.place("H8")
    play.lift("C4")
    assert seen(play, [slow]) == play.truth


@pytest.mark.parametrize("sensors", SENSORS)
def test_frames_that_come_in_bunches_are_as_good(sensors: Sensors) -> None:
    play = table(sensors)
    slow = [(s * SECOND, s * SECOND + 1, 5 * SECOND - 30 * MS) for s in range(1, 151, 5)]
    play.now = 160 * SECOND
    play.place("H8")
    assert seen(play, slow) == play.truth


@pytest.mark.parametrize("sensors", SENSORS)
def test_stones_laid_side_by_side_in_a_gap_are_no_field(sensors: Sensors) -> None:
    play = table(sensors)
    gap = (play.now, play.now + 60 * SECOND, 60 * SECOND)
    for point, colour in (("H8", "black"), ("H9", "white"), ("I9", "black")):
        play.now += SECOND
        play.place(point, colour)
    told = seen(play, [gap])
    assert sorted(told) == (sorted(play.truth) if sensors == "linear" else [])


def test_stones_without_colour_of_one_gap_are_told_together() -> None:
    play = table("switch")
    play.place("C4")
    gap = (play.now, play.now + 60 * SECOND, 60 * SECOND)
    for point in ("H8", "L9"):
        play.now += SECOND
        play.place(point)
    events = watch(scanned(play, gap[1] + 2 * SECOND, [gap]), BoardWatcher("switch"))
    (seen,) = (e for e in events if isinstance(e, Seen) and e.since_ns is not None)
    assert gap[1] <= seen.t_ns == seen.since_ns < gap[1] + PERIOD_NS
    assert [NAMES[p] for p, sign in enumerate(seen.stones) if sign == "?"] == ["C4", "H8", "L9"]
    assert [e.point for e in events if isinstance(e, Placed)] == [parse_point("C4")]


def test_a_board_that_grows_warm_in_a_gap_holds_no_stones() -> None:
    play = table("linear", drift_counts=0)
    play.place("C4")
    gap = (play.now, play.now + 600 * SECOND, 600 * SECOND)
    play.now = gap[1] + SECOND
    play.place("H8", "white")
    watcher = BoardWatcher("linear")
    frames = []
    for t_ns, readings, lost in scanned(play, play.now + 2 * SECOND, [gap]):
        warm = np.frombuffer(readings, np.int8).astype(int) + (20 if t_ns >= gap[1] else 0)
        frames.append((t_ns, np.clip(warm, -127, 127).astype(np.int8).tobytes(), lost))
    assert brief(watch(frames, watcher)) == ["seen 0", *play.truth]


def test_a_hand_that_hovers_before_and_after_a_gap_lays_nothing() -> None:
    rng = np.random.default_rng(1)
    frames: list[RawFrame] = []
    at = [k * PERIOD_NS for k in range(240)]
    for t_ns in [*at, *(60 * SECOND + t for t in at)]:
        hover = 60.0 if 1185 * MS < t_ns <= 60 * SECOND + 5 * MS else 0.0
        row = rng.normal(0, 1.5, POINTS)
        row[112] += hover
        frames.append((t_ns, np.rint(row).astype(np.int8).tobytes(), 0))
    events = watch(frames, BoardWatcher("linear"))
    assert not [e for e in events if isinstance(e, Placed | Fault | Interference)]


@pytest.mark.parametrize("sensors", SENSORS)
def test_a_stone_that_came_in_a_gap_may_have_come_at_any_time_in_it(sensors: Sensors) -> None:
    play = table(sensors)
    gap = (play.now, play.now + 60 * SECOND, 60 * SECOND)
    play.now += 30 * SECOND
    play.place("H8")
    events = watch(scanned(play, gap[1] + 2 * SECOND, [gap]), BoardWatcher(sensors))
    placed = [e for e in events if isinstance(e, Placed)]
    assert [(e.t_ns, e.since_ns) for e in placed] == [(gap[1], gap[1])]


@pytest.mark.parametrize("sensors", SENSORS)
def test_nobody_saw_a_stone_pushed_in_a_gap(sensors: Sensors) -> None:
    play = table(sensors)
    play.place("H8")
    gap = (play.now, play.now + 10 * SECOND, 10 * SECOND)
    play.now += SECOND
    play.hop("H8", "H9")
    assert seen(play, [gap]) == play.truth


def test_a_slow_block_takes_no_stone_that_has_gone_for_a_zero() -> None:
    play = table("linear", drift_counts=0)
    slow = (play.now, play.now + 20 * SECOND, 700 * MS)
    for point in ("A1", "C4", "N8"):
        play.now += SECOND
        play.place(point)
        play.now += SECOND
        play.lift(point)
    assert seen(play, [slow]) == play.truth
