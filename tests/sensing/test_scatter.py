"""An arm over the board, and what is not one."""

from collections.abc import Callable

import numpy as np
import pytest

from firmware_host.board import NAMES, POINTS, parse_point
from firmware_host.sensing.events import Lifted, Placed, Scattered, Seen, Slid
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from tests.sensing.watched import MS, SECOND, Play, RawFrame, brief, watch

BOTH = pytest.mark.parametrize("sensors", ["linear", "switch"])


def board(sensors: Sensors, seed: int) -> tuple[Play, list[str]]:
    """Eighteen stones about the middle, some on neighbouring points."""
    play = Play(sensors, seed, rate_hz=200)
    names = [
        NAMES[row * 15 + col]
        for row in range(5, 11)
        for col in range(4, 12)
        if (row * 3 + col * 5 + seed) % 8 < 3
    ]
    play.table.set_up({name: ("black", "white")[k % 2] for k, name in enumerate(names)})  # type: ignore[misc]
    play.wait(1500)
    return play, names


@BOTH
@pytest.mark.parametrize("seed", range(5))
def test_an_arm_over_the_board(sensors: Sensors, seed: int) -> None:
    play, names = board(sensors, seed)
    swept = names[: 6 + seed]
    act = play.table.sweep(play.now, swept, toward=(1.0, 0.2 * seed - 0.4), speed_mm_s=400 + 100 * seed)
    play.wait(2000)
    watcher = BoardWatcher(sensors)
    events = watch(play.frames(), watcher)
    scattered = {p for e in events if isinstance(e, Scattered) for p in e.points}
    true = {parse_point(name) for name in swept}
    assert len(scattered & true) >= 0.8 * len(true)
    assert len(scattered - true) <= 2
    assert all(abs(e.t_ns - act.end_ns) < 800 * MS for e in events if isinstance(e, Scattered))
    assert isinstance(events[-1], Seen)
    assert events[-1].t_ns < act.end_ns + 1500 * MS
    assert not [e for e in events if isinstance(e, Placed | Lifted)]
    assert watcher.occupancy == events[-1].stones


@BOTH
def test_stones_are_put_back_one_by_one(sensors: Sensors) -> None:
    play, names = board(sensors, 2)
    play.table.sweep(play.now, names[:8], toward=(0.3, 1.0))
    play.wait(2000)
    start = play.now
    lying = play.table.lying(start)
    free = next(p for p in range(225) if lying[p] == "." and p % 15 in (1, 13))
    play.place(NAMES[free])
    events = [e for e in watch(play.frames(), BoardWatcher(sensors)) if e.t_ns > start]
    assert brief(events) == [f"placed {NAMES[free]} {'black' if sensors == 'linear' else '?'}"]


@BOTH
@pytest.mark.parametrize("every_ms", [120, 400])
def test_a_board_that_is_cleared_is_lifted_stone_by_stone(sensors: Sensors, every_ms: int) -> None:
    play, names = board(sensors, 1)
    play.table.clear(play.now, every_ms=every_ms)
    play.wait(1000)
    events = watch(play.frames(), BoardWatcher(sensors))[1:]
    assert sorted(NAMES[e.point] for e in events if isinstance(e, Lifted)) == sorted(names)
    assert len(events) == len(names)


@BOTH
def test_three_stones_that_slide_are_three_slides(sensors: Sensors) -> None:
    play = Play(sensors, 3, rate_hz=200)
    play.table.set_up({"C3": "black", "H8": "white", "M12": "black"})
    play.wait(1500)
    for path in (("C3", "D3"), ("H8", "H9"), ("M12", "N13")):
        play.table.slide(play.now, path)
    play.wait(1000)
    events = watch(play.frames(), BoardWatcher(sensors))[1:]
    assert sorted(w for w in brief(events)) == ["slid C3-D3", "slid H8-H9", "slid M12-N13"]
    assert all(isinstance(e, Slid) and e.t_ns < play.now + SECOND for e in events)


Reading = Callable[[float], float]


def readings(sensors: Sensors, points: dict[str, Reading], seconds: float = 4.0) -> list[RawFrame]:
    """Frames at 200 Hz of a board on which these points read so much of a stone at that second."""
    rng = np.random.default_rng(1)
    frames = []
    for k in range(int(200 * seconds)):
        signal = np.zeros(POINTS)
        for name, reading in points.items():
            signal[parse_point(name)] = reading(k / 200)
        if sensors == "linear":
            signal = np.rint(90 * signal + rng.normal(0, 1.2, POINTS))
        else:
            signal = np.abs(signal) > 0.5
        frames.append((k * 5 * MS, signal.astype(np.int8).tobytes(), 0))
    return frames


def until(second: float) -> Reading:
    """A stone that lies there from the start and is gone 60 ms after this second."""
    return lambda t: min(1.0, max(0.0, 1 - (t - second) / 0.06))


def crossing(second: float, ms: float, height: float = 0.8) -> Reading:
    """A stone goes by at this second and is seen for so long."""
    return lambda t: height * max(0.0, 1 - abs(t - second) / (ms / 1000)) ** 0.25


STONES = ("C3", "E3", "G3", "I3", "K3", "M3")


def test_a_stone_that_another_crosses_is_not_one_of_those_that_left() -> None:
    points = {name: until(2 + 0.02 * k) for k, name in enumerate(STONES)}
    points |= {"C6": crossing(2.1, 40), "G6": crossing(2.1, 40)}
    points["K10"] = lambda t: 1.0 if abs(t - 2.2) > 0.06 else -0.2
    events = watch(readings("linear", points), BoardWatcher("linear"))
    assert brief(events) == ["seen 7", "scattered " + " ".join(STONES), "seen 1"]


@BOTH
def test_four_hands_that_carry_stones_low_over_the_board_do_not_scatter_it(sensors: Sensors) -> None:
    points = {name: until(2 + 0.15 * k) for k, name in enumerate(STONES[:4])}
    points |= {"D6": crossing(2.1, 20), "H6": crossing(2.4, 20)}
    colour = "black" if sensors == "linear" else "?"
    events = watch(readings(sensors, points), BoardWatcher(sensors))
    assert brief(events) == ["seen 4", *(f"lifted {name} {colour}" for name in STONES[:4])]


@BOTH
def test_a_stone_that_crosses_a_point_slowly_is_not_placed_there(sensors: Sensors) -> None:
    points = {name: until(2 + 0.06 * k) for k, name in enumerate(STONES)}
    points |= {"C9": crossing(2.17, 60), "G9": crossing(2.3, 60), "K9": crossing(2.45, 60)}
    events = watch(readings(sensors, points), BoardWatcher(sensors))
    assert brief(events) == ["seen 6", "scattered " + " ".join(STONES), "seen 0"]


@BOTH
@pytest.mark.parametrize(("count", "gap"), [(4, 0.07), (5, 0.1), (6, 0.11)])
def test_a_slow_scatter_is_one(sensors: Sensors, count: int, gap: float) -> None:
    points = {name: until(2 + gap * k) for k, name in enumerate(STONES[:count])}
    points |= {"D6": crossing(2.1, 20), "H6": crossing(2.25, 20)}
    events = watch(readings(sensors, points), BoardWatcher(sensors))
    words = ["seen " + str(count), "scattered " + " ".join(STONES[:count]), "seen 0"]
    assert brief(events) == words


@BOTH
def test_a_stone_that_crosses_an_emptied_point_does_not_fill_it(sensors: Sensors) -> None:
    points = {name: until(2 + 0.05 * k) for k, name in enumerate(STONES[:4])}
    points |= {"D6": crossing(2.1, 20), "H6": crossing(2.2, 20)}
    points["C3"] = lambda t: until(2)(t) + crossing(2.13, 20)(t)
    events = watch(readings(sensors, points), BoardWatcher(sensors))
    assert brief(events) == ["seen 4", "scattered " + " ".join(STONES[:4]), "seen 0"]
