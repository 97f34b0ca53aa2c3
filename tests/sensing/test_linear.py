"""Linear sensors under all that is not a sound stone on a sound sensor."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import POINTS, parse_point
from firmware_host.sensing.events import Cleared, Fault, FramesLost, Interference, Lifted, Placed
from firmware_host.sensing.watcher import BoardWatcher
from tests.sensing.watched import MS, SECOND, Play, RawFrame, brief, told, watch

H8 = parse_point("H8")


def readings(
    signal: "np.ndarray[tuple[int], np.dtype[np.float64]]", seed: int = 1, at: int = H8
) -> list[RawFrame]:
    """Frames at 200 Hz of a quiet board on which one sensor reads `signal`, one value a frame."""
    rng = np.random.default_rng(seed)
    zeros = rng.normal(0, 2, POINTS)
    frames = []
    for k, value in enumerate(signal):
        frame = zeros + rng.normal(0, 1.2, POINTS)
        frame[at] += value
        frames.append((k * 5 * MS, np.clip(np.rint(frame), -127, 127).astype(np.int8).tobytes(), 0))
    return frames


@given(seed=st.integers(0, 1000), middle=st.floats(12, 22), swing=st.floats(2, 4), slow=st.floats(0.02, 0.3))
@settings(max_examples=6, deadline=None, derandomize=True)
def test_a_reading_that_wanders_about_the_threshold_is_one_stone_or_none(
    seed: int, middle: float, swing: float, slow: float
) -> None:
    rng = np.random.default_rng(seed)
    share = 1 / (slow * 200)
    wander = np.zeros(1000)
    for k in range(1, 1000):
        wander[k] = wander[k - 1] * (1 - share) + np.sqrt(2 * share) * rng.normal()
    signal = np.concatenate([np.zeros(200), np.maximum(0, middle + swing * wander), np.zeros(400)])
    words = [w for w in brief(watch(readings(signal, seed), BoardWatcher("linear"))) if "adjusted" not in w]
    assert words[1:] in (
        [],
        ["placed H8 black", "weak H8"],
        ["placed H8 black", "weak H8", "lifted H8 black"],
    )


def test_a_hand_that_hovers_over_a_point_places_nothing() -> None:
    time = np.arange(600) * 0.005
    hover = 33 * (1 + 0.2 * np.sin(2 * np.pi * 5 * time))
    signal = np.concatenate(
        [np.zeros(100), np.linspace(0, 33, 40), hover, np.linspace(33, 0, 40), np.zeros(200)]
    )
    assert brief(watch(readings(signal), BoardWatcher("linear"))) == ["seen 0"]


def test_a_stone_at_the_rail_is_a_stone() -> None:
    rise = 200 / (1 + np.linspace(2, 0, 30)) ** 3
    signal = np.concatenate([np.zeros(200), rise, np.full(600, 200.0), rise[::-1], np.zeros(200)])
    assert brief(watch(readings(signal), BoardWatcher("linear"))) == [
        "seen 0",
        "placed H8 black",
        "lifted H8 black",
    ]


@pytest.mark.parametrize("value", [127, -127, 60])
@pytest.mark.parametrize("rate_hz", [50, 200])
def test_a_sensor_that_gets_stuck_makes_no_stone(value: int, rate_hz: int) -> None:
    play = Play(seed=3, rate_hz=rate_hz)
    play.place("H8")
    play.table.fault(play.now, "stuck", point="C3", value=value)
    onset = play.now
    play.wait(1500)
    play.place("D3", "white")
    events = play.events()
    faults = [e for e in events if isinstance(e, Fault)]
    assert [e.point for e in faults] == [parse_point("C3")]
    assert onset <= faults[0].t_ns <= onset + 1500 * MS
    assert told(e for e in events if not isinstance(e, Fault)) == play.truth


def test_a_noisy_sensor_is_named_makes_no_stone_and_is_believed_again() -> None:
    play = Play(seed=4, rate_hz=200)
    play.table.fault(0, "noisy", point="M12", value=50, until_ns=3 * SECOND)
    play.wait(3000)
    play.place("L12")
    play.wait(2500)
    play.place("M12", "white")
    events = play.events()
    assert brief(events) == ["fault noisy M12", "placed L12 black", "cleared M12", "placed M12 white"]
    assert events[0].t_ns < 2 * SECOND


def test_a_dead_sensor_under_a_stone_keeps_its_stone() -> None:
    play = Play(seed=5, rate_hz=200)
    play.place("H8")
    play.table.fault(play.now, "stuck", point="H8", value=88)
    play.wait(2000)
    watcher = BoardWatcher("linear")
    events = watch(play.frames(), watcher)
    assert [type(e) for e in events[1:]] == [Placed, Fault]
    assert watcher.occupancy[H8] == "X"
    assert watcher.masked == {H8}


@pytest.mark.parametrize("line", ["12", "C", "1", "O"])
@pytest.mark.parametrize("value", [0, 127, -127])
def test_a_dead_line_is_one_fault_and_keeps_its_stones(line: str, value: int) -> None:
    play = Play(seed=6, rate_hz=100)
    stones = ["C12", "C1", "O12", "O1", "H8"]
    for name in stones:
        play.place(name, "white")
    play.table.fault(play.now, "stuck", line=line, value=value, until_ns=play.now + 2 * SECOND)
    onset = play.now
    play.wait(5000)
    play.place("G7")
    watcher = BoardWatcher("linear")
    events = watch(play.frames(), watcher)
    assert brief(events)[1 + len(stones) :] == [f"fault dead {line}", f"cleared {line}", "placed G7 black"]
    fault = next(e for e in events if isinstance(e, Fault))
    assert onset <= fault.t_ns <= onset + 600 * MS
    assert watcher.occupancy.count("O") == len(stones)


def test_drift_is_followed_on_empty_points_and_under_stones() -> None:
    play = Play(seed=7, rate_hz=50)
    play.place("H8")
    play.wait(60_000)
    play.lift("H8")
    play.place("A1", "white")
    frames = []
    for t_ns, frame, _ in play.frames():
        drift = 0.4 * t_ns / SECOND
        moved = np.frombuffer(frame, np.int8).astype(float) + drift
        frames.append((t_ns, np.clip(np.rint(moved), -127, 127).astype(np.int8).tobytes(), 0))
    assert told(watch(frames, BoardWatcher("linear"))[1:]) == play.truth


@pytest.mark.parametrize("rate_hz", [50, 200])
def test_play_goes_on_under_an_outside_field(rate_hz: int) -> None:
    play = Play(seed=8, rate_hz=rate_hz)
    play.place("H8")
    phone = play.table.phone(play.now, 5000, over="G6", height_mm=90, strength=400)
    play.now = phone.touch_ns + 400 * MS
    act = play.table.place(play.now, "K9", "white")
    play.now = phone.end_ns
    play.wait(1000)
    play.place("G7", "white")
    events = play.events()
    assert brief(events) == [
        "placed H8 black", "interference", "placed K9 white", "cleared field", "placed G7 white",
    ]  # fmt: skip
    assert next(e for e in events if isinstance(e, Interference)).t_ns <= phone.touch_ns + SECOND
    assert next(e for e in events if isinstance(e, Cleared)).t_ns <= phone.end_ns + 1500 * MS
    assert abs(events[2].t_ns - act.touch_ns) < 60 * MS


def test_an_old_stone_is_not_lifted_by_a_field_that_opposes_it() -> None:
    play = Play(seed=9)
    play.place("H8", "white")
    play.table.phone(play.now, 5000, over="H8", height_mm=85, strength=420)
    play.wait(1500)
    assert [e for e in play.events()[1:] if isinstance(e, Placed | Lifted)] == []


def test_weak_stones_at_the_start_with_what_should_lie_there() -> None:
    frames = readings(np.full(200, 14.0))
    stones = "." * H8 + "X" + "." * (POINTS - H8 - 1)
    assert brief(watch(frames, BoardWatcher("linear"))) == ["seen 0"]
    assert brief(watch(readings(np.full(200, 24.0)), BoardWatcher("linear", expected=stones))) == ["seen 1"]
    assert brief(watch(readings(np.full(200, 24.0)), BoardWatcher("linear", expected="." * POINTS))) == [
        "seen 0"
    ]


@pytest.mark.parametrize("value", [127, -127, 60])
@pytest.mark.parametrize("rate_hz", [50, 100, 200, 400])
def test_a_sensor_stuck_from_the_start_is_no_stone(value: int, rate_hz: int) -> None:
    play = Play(seed=11, rate_hz=rate_hz)
    play.table.fault(0, "stuck", point="C3", value=value)
    play.place("H8")
    watcher = BoardWatcher("linear")
    events = watch(play.frames(), watcher)
    assert brief(events) == ["seen 0", "fault stuck C3", "placed H8 black"]
    assert events[1].t_ns < SECOND
    assert watcher.occupancy.count(".") == 224


def test_stones_on_a_quiet_board_at_the_start_are_all_seen() -> None:
    """Some of so many read the very same in the first frames, as a dead sensor does."""
    for seed in range(3):
        play = Play(seed=seed, rate_hz=100, noise_counts=0.8)
        play.table.set_up("XO." * 75)
        play.wait(800)
        watcher = BoardWatcher("linear")
        assert brief(watch(play.frames(), watcher)) == ["seen 150"]
        assert watcher.occupancy == "XO." * 75


def without(frames: Iterable[RawFrame], since_ns: int, count: int) -> list[RawFrame]:
    """The frames without `count` of them from `since_ns` on, which are known to be lost."""
    kept, left = [], count
    for t_ns, frame, lost in frames:
        if t_ns >= since_ns and left:
            left -= 1
        else:
            first = left == 0 and bool(kept) and kept[-1][0] < since_ns <= t_ns
            kept.append((t_ns, frame, count if first else lost))
    return kept


@pytest.mark.parametrize("lost", [0, 2, 40])
@pytest.mark.parametrize("value", [0, 127, -127, 60])
@pytest.mark.parametrize("line", ["12", "C"])
def test_a_line_that_dies_while_frames_are_lost_keeps_its_stones(line: str, value: int, lost: int) -> None:
    play = Play(seed=6, rate_hz=200)
    for name, colour in (("C12", "white"), ("O12", "black"), ("C1", "black")):
        play.place(name, colour)
    play.wait(500)
    play.table.fault(play.now, "stuck", line=line, value=value)
    onset = play.now
    play.wait(1500)
    play.place("G7")
    events = watch(without(play.frames(), onset - 5 * MS, lost), BoardWatcher("linear"))
    words = [w for w in brief(events) if not w.startswith("lost")]
    assert words[4:] == [f"fault dead {line}", "placed G7 black"]


@pytest.mark.parametrize("lost", [0, 2, 40])
@pytest.mark.parametrize(("value", "kind"), [(0, "dead"), (-60, "dead")])
def test_a_sensor_that_dies_under_its_stone_lifts_nothing(value: int, kind: str, lost: int) -> None:
    play = Play(seed=5, rate_hz=200)
    play.place("H8")
    play.wait(500)
    play.table.fault(play.now, "stuck", point="H8", value=value)
    onset = play.now
    play.wait(2500)
    watcher = BoardWatcher("linear")
    events = watch(without(play.frames(), onset - 5 * MS, lost), watcher)
    assert [type(e) for e in events if not isinstance(e, FramesLost)][1:] == [Placed, Fault]
    assert watcher.occupancy[H8] == "X"


@pytest.mark.parametrize("lost", [2, 8, 40])
@pytest.mark.parametrize("value", [60, -80])
def test_a_sensor_that_gets_stuck_while_frames_are_lost_makes_no_stone(value: int, lost: int) -> None:
    play = Play(seed=3, rate_hz=200)
    play.place("H8")
    play.table.fault(play.now, "stuck", point="C3", value=value)
    onset = play.now
    play.wait(1500)
    events = watch(without(play.frames(), onset - 5 * MS, lost), BoardWatcher("linear"))
    assert [w for w in brief(events) if not w.startswith("lost")] == [
        "seen 0",
        "placed H8 black",
        "fault stuck C3",
    ]


@pytest.mark.parametrize("height", [80.0, 200.0])
@pytest.mark.parametrize("lost", [8, 40])
def test_a_stone_that_comes_while_frames_are_lost_is_a_stone(height: float, lost: int) -> None:
    signal = np.concatenate([np.zeros(220), np.full(600, height)])
    events = watch(without(readings(signal), 1080 * MS, lost), BoardWatcher("linear"))
    assert [w for w in brief(events) if not w.startswith("lost")] == ["seen 0", "placed H8 black"]
