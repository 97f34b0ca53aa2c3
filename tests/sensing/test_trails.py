"""The shape of a magnet's coming and going: computed from the dipole, and what is read from it."""

from itertools import pairwise

import pytest

from firmware_host.sensing.facts import Departure, Settled
from firmware_host.sensing.trails import Trail, came, edge_ns, jumped, pushed, touched_ns
from tests.sensing.watched import MS

STEP_NS = 5 * MS


def share(aside_mm: float, height_mm: float, gap_mm: float = 10.0) -> float:
    """Reading of a magnet beside and above its sensor, as a share of that at rest."""
    z2, r2 = (gap_mm + height_mm) ** 2, aside_mm**2
    return gap_mm**3 * (2 * z2 - r2) / 2 / (z2 + r2) ** 2.5


def descent(ms: float, level: float = 90.0, rest_ms: float = 100.0) -> Trail:
    """Straight down from 40 mm at even speed, then at rest; contact at `ms`."""
    return [
        (t, level * share(0, max(0.0, 40 * (1 - t / (ms * MS)))))
        for t in range(0, int((ms + rest_ms) * MS), STEP_NS)
    ]


def crossing(pitch_mm: float, speed: float, gap_mm: float) -> tuple[Trail, Trail]:
    """A magnet at rest, pushed to the next sensor at even speed, at rest: what the two sensors read."""
    took = pitch_mm / speed * 1000 * MS
    there, here = [], []
    for t in range(0, int(took) + 200 * MS, STEP_NS):
        x = min(pitch_mm, max(0.0, pitch_mm * (t - 100 * MS) / took))
        there.append((t, 90 * share(x, 0, gap_mm)))
        here.append((t, 80 * share(pitch_mm - x, 0, gap_mm)))
    return there, here


def half(trail: Trail, level: float, *, rising: bool) -> int:
    """The first instant on the other side of half the level."""
    return next(
        b[0] for a, b in pairwise(trail) if (b[1] >= level / 2) == rising and (a[1] >= level / 2) != rising
    )


@pytest.mark.parametrize("ms", [80, 150, 300])
def test_contact_is_where_the_reading_stops_climbing(ms: int) -> None:
    trail = descent(ms)
    start = came(trail, -1, 1, 90.0)
    assert trail[start][1] == pytest.approx(60, abs=16)
    assert touched_ns(trail, start, 1, 90.0, 0.5) == pytest.approx(ms * MS, abs=10 * MS)


def test_a_bounce_is_no_second_coming() -> None:
    trail = descent(100)
    bounced = [(t, v * (0.3 if 130 * MS <= t < 160 * MS else 1)) for t, v in trail]
    assert came(bounced, -1, 1, 90.0) == came(trail, -1, 1, 90.0)
    assert bounced[came(bounced, 160 * MS, 1, 90.0)][0] > 160 * MS


def test_a_stone_takes_more_than_one_step() -> None:
    trail = descent(80)
    start = came(trail, -1, 1, 90.0)
    assert not jumped(trail, start, 1, 90.0, (-STEP_NS, 0.0), STEP_NS, 1.0)


@pytest.mark.parametrize(("step_ns", "filter_ns"), [(5 * MS, 5 * MS), (1 * MS, 15 * MS), (20 * MS, 15 * MS)])
def test_a_broken_sensor_goes_from_nothing_to_all_in_one_step(step_ns: int, filter_ns: int) -> None:
    filtered, value = [], 0.0
    for t in range(0, 120 * MS, step_ns):
        value += ((90.0 if t >= 20 * MS else 0.0) - value) * step_ns / (step_ns + filter_ns)
        filtered.append((t, value))
    found = jumped(filtered, came(filtered, -1, 1, 90.0), 1, 90.0, (-step_ns, 0.0), filter_ns, 1.0)
    assert found == (20 * MS, step_ns), "at the frame itself, before the filter has followed"


@pytest.mark.parametrize("gap_mm", [8.0, 10.0, 12.5])
@pytest.mark.parametrize("speed", [40.0, 100.0, 250.0, 500.0])
@pytest.mark.parametrize("pitch_mm", [24.0, 25.0, 34.7])
def test_a_magnet_pushed_to_the_point_beside(gap_mm: float, speed: float, pitch_mm: float) -> None:
    there, here = crossing(pitch_mm, speed, gap_mm)
    point = 113 if pitch_mm < 30 else 128
    left = Departure(112, half(there, 90, rising=False), 1.0, 90.0)
    fact = Settled(point, 1, 0, half(here, 80, rising=True), 0.9, 80.0)
    assert pushed(left, there, fact, here, 200 * MS, STEP_NS)


@pytest.mark.parametrize("air_ms", [250, 400, 900])
def test_a_magnet_carried_through_the_air(air_ms: int) -> None:
    fall = [(t, 90 * share(0, 40 * t / (60 * MS))) for t in range(0, 60 * MS, STEP_NS)]
    dark = [(t, 0.0) for t in range(60 * MS, (60 + air_ms) * MS, STEP_NS)]
    there = [*fall, *dark]
    rise = [(t + (60 + air_ms) * MS, v) for t, v in descent(80)]
    here = [*[(t, 0.0) for t, _ in there], *rise]
    left = Departure(112, half(there, 90, rising=False), 1.0, 90.0)
    fact = Settled(113, 1, 0, half(here, 90, rising=True), 1.0, 90.0)
    assert not pushed(left, there, fact, here, 200 * MS, STEP_NS)


@pytest.mark.parametrize("later_ms", [-120, -90, 0, 50])
def test_two_magnets_that_both_read_whole_are_two(later_ms: int) -> None:
    there, here = crossing(24.0, 250.0, 10.0)
    moved = [(t + later_ms * MS, v) for t, v in here]
    left = Departure(112, half(there, 90, rising=False), 1.0, 90.0)
    fact = Settled(113, 1, 0, half(moved, 80, rising=True), 0.9, 80.0)
    assert pushed(left, there, fact, moved, 200 * MS, STEP_NS) == (later_ms >= 0)


@pytest.mark.parametrize("wide", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("ms", [30, 150])
def test_a_wide_magnet_is_seen_by_both_sensors_at_once(ms: int, wide: float) -> None:
    """The field of one rises while that of the other falls, without a gap."""
    ways = [(t, min(1.0, max(0.0, t / MS / ms - 1))) for t in range(0, 4 * ms * MS, STEP_NS)]
    there, here = (
        [(t, 90 * (1 - u**wide)) for t, u in ways],
        [(t, 80 * (1 - (1 - u) ** wide)) for t, u in ways],
    )
    left = Departure(112, half(there, 90, rising=False), 1.0, 90.0)
    fact = Settled(113, 1, 0, half(here, 80, rising=True), 0.9, 80.0)
    assert pushed(left, there, fact, here, 200 * MS, STEP_NS)
    back = [(t, max(v, 45.0 * (t > 3 * ms * MS))) for t, v in there]
    assert not pushed(left, back, fact, here, 200 * MS, STEP_NS), "the first magnet is there again"


def test_edges() -> None:
    trail = [(k * MS, float(k)) for k in range(101)]
    assert edge_ns(trail, 50 * MS, 100.0) == 72 * MS
    falling = [(t, 100.0 - v) for t, v in trail]
    assert edge_ns(falling[::-1], 50 * MS, 100.0) == 72 * MS
