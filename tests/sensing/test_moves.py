"""What hands do at the simulated table is told as what it was: placed, lifted, slid, adjusted."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from firmware_host.board import NAMES, col_row, point
from firmware_host.sensing.events import Adjusted, Lifted, Placed, Slid
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from hw.simulator.sensors import LinearSensors
from hw.simulator.table import SimulatedTable
from tests.sensing.watched import MS, Play, brief, points, told, watch

BOTH = pytest.mark.parametrize("sensors", ["linear", "switch"])
SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=6, deadline=None, derandomize=True)


@given(SEEDS, st.lists(st.integers(0, 224), min_size=4, max_size=4, unique=True))
@FEW
def test_stones_anywhere(seed: int, where: list[int]) -> None:
    play = Play(seed=seed)
    for k, p in enumerate(where):
        play.place(NAMES[p], ("black", "white")[k % 2])
    assert told(play.events()) == play.truth


@given(SEEDS, st.sampled_from(["A1", "O1", "A15", "O15", "H1", "A8"]))
@FEW
def test_edges_and_corners(seed: int, where: str) -> None:
    play = Play(seed=seed)
    play.place(where)
    play.lift(where)
    assert told(play.events()) == play.truth


@given(SEEDS)
@FEW
def test_beside_stones_of_both_colours(seed: int) -> None:
    play = Play(seed=seed)
    beside = {
        "G7": "white",
        "H7": "black",
        "I7": "white",
        "G8": "white",
        "I8": "white",
        "G9": "black",
        "I9": "white",
    }
    play.table.set_up(beside)  # type: ignore[arg-type]
    play.place("H8")
    play.lift("H8")
    play.place("H8", "white")
    assert told(play.events()) == play.truth


@given(
    SEEDS, st.integers(-1, 1), st.integers(-1, 1), st.integers(1, 4), st.floats(130, 450), st.floats(60, 300)
)
@settings(max_examples=10, deadline=None, derandomize=True)
def test_slides_of_every_direction(
    seed: int, dx: int, dy: int, steps: int, speed: float, rest_ms: float
) -> None:
    if dx == dy == 0:
        dx = 1
    play = Play(seed=seed, rate_hz=200)
    play.place("A8", "white")
    path = [NAMES[point(7 + k * dx, 7 + k * dy)] for k in range(steps + 1)]
    play.place_sliding(*path, speed=speed, rest_ms=rest_ms)
    assert told(play.events()) == play.truth


@BOTH
def test_the_parts_of_a_slide_and_its_instants(sensors: Sensors) -> None:
    play = Play(sensors, 2, rate_hz=200)
    play.place_sliding("C4", "D4", "E4", speed=250)
    slides = [e for e in play.events() if isinstance(e, Slid)]
    assert slides[-1].path == points("C4 D4 E4")
    assert abs(slides[-1].first_contact_ns - play.touched[0]) < 60 * MS
    assert slides[-1].t_ns == pytest.approx(slides[-1].first_contact_ns + 292 * MS, abs=60 * MS)
    assert all(e.path == slides[-1].path[: len(e.path)] for e in slides)


@BOTH
def test_a_slide_that_rests_on_the_way_is_told_with_the_longer_path(sensors: Sensors) -> None:
    play = Play(sensors, 3, rate_hz=200)
    play.place_sliding("C4", "D4", speed=250)
    play.slide("D4", "E4")
    assert [e.path for e in play.events() if isinstance(e, Slid)] == [points("C4 D4"), points("C4 D4 E4")]


@BOTH
def test_a_stone_that_lay_for_long_is_slid_too(sensors: Sensors) -> None:
    play = Play(sensors, 4, rate_hz=200)
    play.place("H8")
    play.wait(2000)
    play.slide("H8", "I8", "J8")
    events = play.events()
    assert isinstance(events[0], Placed)
    assert told(events) == ["slid H8-I8-J8"]


def test_a_path_begins_anew_after_a_long_rest() -> None:
    play = Play(seed=5)
    play.place_sliding("C4", "D4")
    play.wait(11_000)
    play.slide("D4", "E4")
    slides = [e for e in play.events() if isinstance(e, Slid)]
    assert [e.path for e in slides] == [points("C4 D4"), points("D4 E4")]


def test_a_slow_slide_is_one_where_switches_see_a_lift() -> None:
    words = []
    for sensors in ("linear", "switch"):
        play = Play(sensors, 6, rate_hz=200)  # type: ignore[arg-type]
        play.place_sliding("C4", "D4", speed=45)
        words.append(told(play.events()))
    assert words == [["slid C4-D4"], ["placed C4 ?", "lifted C4 ?", "placed D4 ?"]]


@given(SEEDS, st.sampled_from([(1, 0), (0, 1), (1, 1), (-1, 1)]), st.floats(120, 500))
@FEW
def test_a_hop_through_the_air_to_the_point_beside_is_no_slide(
    seed: int, step: tuple[int, int], carry_ms: float
) -> None:
    for sensors in ("linear", "switch"):
        play = Play(sensors, seed, rate_hz=200)  # type: ignore[arg-type]
        play.place("H8", "white")
        play.hop("H8", NAMES[point(7 + step[0], 7 + step[1])], "white", carry_ms)
        assert told(play.events()) == play.truth


@BOTH
def test_adjusted_is_never_two_moves(sensors: Sensors) -> None:
    play = Play(sensors, 7, rate_hz=200)
    play.place("H8")
    play.table.adjust(play.now, "H8", hold_ms=100)
    play.wait(800)
    events = play.events()
    assert [type(e) for e in events] == [Placed, Adjusted]
    assert 0 <= events[1].t_ns - (play.touched[0] + 500 * MS) < 300 * MS


def test_a_nudge_tells_of_no_lift_and_no_stone() -> None:
    for seed in range(4):
        play = Play(seed=seed)
        play.place("H8")
        play.table.nudge(play.now, "H8")
        play.wait(800)
        assert [e for e in play.events()[1:] if isinstance(e, Placed | Lifted | Slid)] == []


@given(SEEDS)
@FEW
def test_three_stones_within_a_fifth_of_a_second(seed: int) -> None:
    play = Play(seed=seed, rate_hz=200)
    start = play.now
    touches = []
    for k, (name, colour) in enumerate([("H8", "black"), ("I8", "white"), ("I9", "black")]):
        act = play.table.place(start + 90 * k * MS, name, colour)  # type: ignore[arg-type]
        touches.append((act.touch_ns, f"placed {name} {colour}"))
    play.wait(600)
    touches.sort()
    assume(all(b[0] - a[0] > 25 * MS for a, b in pairwise(touches)))
    assert told(play.events()) == [words for _, words in touches]


def test_the_other_colour_on_a_point_just_left() -> None:
    play = Play(seed=8, rate_hz=200)
    play.place("H8")
    start = play.now
    play.table.lift(start, "H8")
    play.table.place(start + 150 * MS, "H8", "white")
    play.wait(600)
    assert brief(play.events()) == ["placed H8 black", "lifted H8 black", "placed H8 white"]


def test_the_other_colour_beside_a_point_just_left_is_no_slide() -> None:
    play = Play(seed=9, rate_hz=200)
    play.place("H8")
    start = play.now
    play.table.lift(start, "H8")
    play.table.place(start + 60 * MS, "H9", "white")
    play.wait(600)
    assert told(play.events()) == ["placed H8 black", "lifted H8 black", "placed H9 white"]


def test_a_weak_stone_is_placed_and_named_once() -> None:
    play = Play(seed=10)
    play.place("H8", strength=0.4)
    play.lift("H8")
    play.place("H8", strength=0.4)
    assert brief(play.events()).count("weak H8") == 1
    assert told(play.events()) == play.truth


def test_no_sound_stone_is_called_weak_by_a_sensor_that_is_not_sensitive() -> None:
    play = Play(seed=1)
    play.table = SimulatedTable(seed=1)  # hands that put stones down up to 3 mm beside
    for name in ("K6", "G9", "O13", "B14") * 4:
        play.place(name)
        play.lift(name)
    assert brief(play.events()) == play.truth


def test_a_weak_magnet_is_named_by_the_most_sensitive_sensors_too() -> None:
    play = Play(seed=2)
    play.table = SimulatedTable(seed=2)
    reads = list(LinearSensors(2).read(0, np.full(225, 15.0)))
    sensitive = {NAMES[p] for p in sorted(range(225), key=lambda p: -reads[p])[:9]}
    for name in sorted(sensitive):
        play.place(name, strength=0.4)
    assert {w.removeprefix("weak ") for w in brief(play.events()) if w.startswith("weak ")} == sensitive


def test_stones_end_where_the_truth_has_them() -> None:
    play = Play(seed=11)
    play.place("H8")
    play.place_sliding("C4", "D5", colour="white")
    play.hop("H8", "K8")
    lying = play.table.lying(play.table.quiet_ns)
    watcher = BoardWatcher("linear")
    watch(play.frames(), watcher)
    assert watcher.occupancy == lying
    assert [col_row(p) for p, c in enumerate(lying) if c != "."] == [(3, 4), (10, 7)]


def test_a_slide_over_a_point_just_left_hides_no_lift() -> None:
    play = Play(seed=12, rate_hz=200)
    play.place("D4")
    play.place("C4")
    play.wait(1500)
    start = play.now
    play.table.lift(start, "D4")
    play.table.slide(start + 180 * MS, ("C4", "D4", "E4"), speed_mm_s=400)
    play.wait(800)
    words = told(play.events())
    assert sorted(words) == ["lifted D4 black", "placed D4 black", "slid C4-D4-E4"]


def test_a_lift_lasts_until_the_stone_is_no_longer_seen() -> None:
    play = Play(seed=5, rate_hz=200)
    play.place("H8")
    act = play.table.lift(play.now, "H8")
    play.wait(500)
    lifted = play.events()[-1]
    assert isinstance(lifted, Lifted)
    assert act.touch_ns + 0.25 * (act.end_ns - act.touch_ns) < lifted.t_ns < act.end_ns
