"""An arm over the board, and what is not one."""

import pytest

from firmware_host.board import NAMES, parse_point
from firmware_host.sensing.events import Lifted, Placed, Scattered, Seen, Slid
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from tests.sensing.watched import MS, SECOND, Play, brief, watch

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
