"""Linear sensors under all that is not a sound stone on a sound sensor."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import POINTS, parse_point
from firmware_host.sensing.events import Cleared, Fault, FramesLost, Interference, Lifted, Placed, Slid
from firmware_host.sensing.watcher import BoardWatcher
from tests.sensing.watched import MS, SECOND, Play, RawFrame, brief, points, told, watch

H8 = parse_point("H8")


Signal = np.ndarray[tuple[int], np.dtype[np.float64]]


def readings(signal: Signal, seed: int = 1, at: int = H8) -> list[RawFrame]:
    """Frames at 200 Hz of a quiet board on which one sensor reads `signal`, one value a frame."""
    return several({at: signal}, seed)


def several(signals: Mapping[int, Signal], seed: int = 1, noise: float = 1.2) -> list[RawFrame]:
    """The same with several sensors and signals, all of one length."""
    rng = np.random.default_rng(seed)
    zeros = rng.normal(0, 2, POINTS)
    frames = []
    for k in range(len(next(iter(signals.values())))):
        frame = zeros + rng.normal(0, noise, POINTS)
        for p, signal in signals.items():
            frame[p] += signal[k]
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
    play.table.set_up(dict.fromkeys(("C12", "C1", "O12", "O1", "H8"), "white"))
    play.table.fault(play.now, "stuck", line=line, value=value, until_ns=play.now + 2 * SECOND)
    onset = play.now
    play.wait(5000)
    play.place("G7")
    watcher = BoardWatcher("linear")
    events = watch(play.frames(), watcher)
    assert brief(events) == ["seen 5", f"fault dead {line}", f"cleared {line}", "placed G7 black"]
    fault = next(e for e in events if isinstance(e, Fault))
    assert onset <= fault.t_ns <= onset + 600 * MS
    assert watcher.occupancy.count("O") == 5


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


def test_at_a_high_rate_a_weak_stone_under_a_field_is_dated_to_its_contact() -> None:
    play = Play(seed=8, rate_hz=1000)
    phone = play.table.phone(play.now, 1800, over="G6", height_mm=90, strength=400)
    act = play.table.place(phone.touch_ns + 200 * MS, "K9", "white", strength=0.52)
    events = watch(play.frames(tail_ms=200), BoardWatcher("linear"))
    placed = next(e for e in events if isinstance(e, Placed))
    assert abs(placed.t_ns - act.touch_ns) < 60 * MS


@pytest.mark.parametrize(("rate_hz", "seed", "over"), [(50, 3, "B8"), (200, 3, "L4"), (200, 12, "L4")])
def test_what_sensors_read_under_a_field_does_not_keep_it_alive(rate_hz: int, seed: int, over: str) -> None:
    play = Play(seed=seed, rate_hz=rate_hz)
    phone = play.table.phone(play.now, 3000, over=over)
    play.now = phone.end_ns
    events = play.events()
    assert brief(events) == ["interference", "cleared field"]
    assert events[1].t_ns <= phone.end_ns + 500 * MS


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


@cache
def dying(line: str, value: int) -> tuple[list[RawFrame], int]:
    """Frames of a board with a line that dies, where three stones lie and a fourth comes later; the onset."""
    play = Play(seed=6, rate_hz=200)
    play.table.set_up({"C12": "white", "O12": "black", "C1": "black"})
    play.wait(500)
    play.table.fault(play.now, "stuck", line=line, value=value)
    onset = play.now
    play.wait(1500)
    play.place("G7")
    return list(play.frames()), onset


@pytest.mark.parametrize("line", ["12", "C"])
@pytest.mark.parametrize("value", [0, 127, -127, 60])
@pytest.mark.parametrize("lost", [0, 2, 40])
def test_a_line_that_dies_while_frames_are_lost_keeps_its_stones(line: str, value: int, lost: int) -> None:
    frames, onset = dying(line, value)
    events = watch(without(frames, onset - 5 * MS, lost), BoardWatcher("linear"))
    words = [w for w in brief(events) if not w.startswith("lost")]
    assert words == ["seen 3", f"fault dead {line}", "placed G7 black"]


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


TOUCH_NS = 62 * 5 * MS
FADES: dict[str, Callable[[float], float]] = {
    "even": lambda off: 1 - off,
    "narrow": lambda off: max(0.0, 1 - 1.25 * off),
    "wide": lambda off: 1 - off**1.5,
}
"""What its own sensor reads of a stone, by the share of the way to the next one that it is off."""


def faded(
    path: tuple[int, ...], frames: int, fade: Callable[[float], float], *, rest: int = 20, far: float = 1.0
) -> dict[int, Signal]:
    """A stone touches at `TOUCH_NS` and is pushed along `path`, so many frames a step and at rest after it.

    It goes as far of each way; if that is less than 1, it comes back.
    """
    rows = [{path[0]: value} for value in (*[0.0] * 60, 25.0, 60.0, *[92.0] * 30)]
    for p, q in pairwise(path):
        ways = [far * (k + 1) / frames for k in range(frames)]
        back = [] if far == 1.0 else [*ways[-2::-1], 0.0]
        rows += [{p: 92 * fade(u), q: 92 * fade(1 - u)} for u in (*ways, *back)]
        rows += [{p if back else q: 92.0}] * rest
    rows += rows[-1:] * 200
    return {p: np.array([row.get(p, 0.0) for row in rows]) for p in path}


@pytest.mark.parametrize("fade", FADES)
@pytest.mark.parametrize("frames", [1, 6, 15, 30, 60])
@pytest.mark.parametrize(
    ("where", "rest", "noise"), [("C4 D4 E4", 20, 0.0), ("C4 D4 E4", 0, 1.2), ("C4 D5 E4", 20, 1.2)]
)
def test_a_slide_that_two_sensors_see_at_once_is_one(
    where: str, rest: int, noise: float, frames: int, fade: str
) -> None:
    frames_at_rest = max(rest, 6 if frames == 1 else 0)
    signals = faded(points(where), frames, FADES[fade], rest=frames_at_rest)
    events = watch(several(signals, noise=noise), BoardWatcher("linear"))
    words = brief(events)[1:]
    whole = "slid " + where.replace(" ", "-")
    assert words[-1] == whole
    assert set(words) <= {"placed C4 black", whole[:-3], whole}
    slid = events[-1]
    assert isinstance(slid, Slid)
    assert abs(slid.first_contact_ns - TOUCH_NS) <= 25 * MS


@pytest.mark.parametrize("far", [0.6, 0.7])
@pytest.mark.parametrize("frames", [6, 12, 30])
def test_a_stone_nudged_towards_the_next_point_and_back_is_not_slid(frames: int, far: float) -> None:
    signals = faded(points("C4 D4"), frames, FADES["even"], far=far)
    events = watch(several(signals), BoardWatcher("linear"))
    assert [w for w in brief(events)[1:] if w != "adjusted C4 black"] == ["placed C4 black"]


def stay(since: int, until: int, value: float = 92) -> Signal:
    """A stone comes down at one frame and is taken away by another."""
    edge = [0.3 * value, 0.7 * value]
    whole = [0.0] * since + edge + [value] * (until - since - 4) + edge[::-1]
    return np.array(whole + [0.0] * (500 - until))


@pytest.mark.parametrize("apart", [-20, -6, -2, 0, 2, 6, 20])
def test_the_other_colour_put_beside_a_stone_that_is_taken_is_no_slide(apart: int) -> None:
    c4, d4 = points("C4 D4")
    signals = {c4: stay(60, 200), d4: stay(200 + apart, 500, -92)}
    words = brief(watch(several(signals), BoardWatcher("linear")))[1:]
    assert sorted(words) == ["lifted C4 black", "placed C4 black", "placed D4 white"]


def test_a_stone_put_beside_one_that_is_taken_later_is_no_slide() -> None:
    """Both sensors read a whole stone for a while: there are two."""
    c4, d4 = points("C4 D4")
    signals = {c4: stay(60, 200), d4: stay(185, 500)}
    words = brief(watch(several(signals), BoardWatcher("linear")))[1:]
    assert words == ["placed C4 black", "placed D4 black", "lifted C4 black"]


def test_a_stone_put_beside_one_that_is_adjusted_meanwhile_is_no_slide() -> None:
    c4, d4 = points("C4 D4")
    adjusted = stay(60, 500)
    adjusted[200:209] = [70, 30, 8, 0, 0, 0, 30, 70, 90]
    words = brief(watch(several({c4: adjusted, d4: stay(201, 500)}), BoardWatcher("linear")))[1:]
    assert [w for w in words if w != "adjusted C4 black"] == ["placed C4 black", "placed D4 black"]
