"""A device's microseconds as host time: never in the future, always growing, not moved by late delivery."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from hw.device_clock import WINDOW_NS, DeviceClock

MS = 1_000_000
SECOND = 1_000_000_000
WRAP = 2**32
LEAST_NS = MS // 2
"""How long the fastest delivery takes in these tests."""


def run(
    seconds: int, *, drift_ppm: int = 0, start_us: int = 0, late_ms: float = 5.0, stall: range = range(0)
) -> list[float]:
    """Errors, in ms, of the stamps of a hundred passes a second, each up to `late_ms` late.

    `stall`: the seconds in which everything comes 400 ms late.
    """
    chance = random.Random(3)  # noqa: S311
    clock = DeviceClock()
    errors = []
    arrival_ns = 0
    for n in range(seconds * 100):
        true_ns = SECOND + n * 10 * MS
        delay_ns = LEAST_NS + int(chance.uniform(0, late_ms) * MS) + (400 * MS if n // 100 in stall else 0)
        arrival_ns = max(arrival_ns + 1000, true_ns + delay_ns)
        device_us = start_us + (true_ns - SECOND) * (1_000_000 + drift_ppm) // 1_000_000 // 1000
        (stamp,) = clock.stamps(arrival_ns, [device_us % WRAP])
        assert stamp <= arrival_ns
        errors.append((stamp - true_ns) / MS)
    return errors


def test_the_fastest_delivery_sets_the_clock() -> None:
    errors = run(20)
    assert max(map(abs, errors[100:])) < 1.1


def test_crystals_drift_both_ways() -> None:
    for drift_ppm in (-100, 100):
        errors = run(120, drift_ppm=drift_ppm)
        assert max(map(abs, errors[200:])) < 1.2, drift_ppm


def test_seconds_of_late_delivery_move_nothing() -> None:
    errors = run(60, stall=range(30, 34))
    assert max(map(abs, errors[100:])) < 2.5


def test_the_counter_goes_round_after_71_minutes() -> None:
    errors = run(20, start_us=WRAP - 10_000_000)
    assert max(map(abs, errors[100:])) < 1.1


def test_a_late_beginning_is_made_good_at_once() -> None:
    """The first pass lay in a buffer for two seconds; the ones behind it did not."""
    clock = DeviceClock()
    assert clock.stamps(10 * SECOND, [8_000_000]) == [10 * SECOND]
    assert clock.stamps(10 * SECOND + 10 * MS, [10_010_000]) == [10 * SECOND + 10 * MS]
    (stamp,) = clock.stamps(10 * SECOND + 25 * MS, [10_020_000])
    assert abs(stamp - (10 * SECOND + 20 * MS)) < MS


def test_what_comes_together_keeps_its_distances() -> None:
    clock = DeviceClock()
    stamps = clock.stamps(SECOND, [100_000, 110_000, 120_000])
    assert stamps == [SECOND - 20 * MS, SECOND - 10 * MS, SECOND]


def test_one_wild_stamp_is_no_measure() -> None:
    clock = DeviceClock()
    for n in range(100):
        clock.stamps(SECOND + n * 10 * MS, [n * 10_000])
    wild = clock.stamps(2 * SECOND, [900_000_000])
    (after,) = clock.stamps(2 * SECOND + 10 * MS, [1_010_000])
    assert wild == [2 * SECOND]
    assert abs(after - (2 * SECOND + 10 * MS)) < MS


def test_a_host_that_slept_or_a_device_that_stood_still_is_believed_in_the_end() -> None:
    for leap_us in (60_000_000, -30_000_000):
        clock = DeviceClock()
        now_ns, device_us = SECOND, 100_000_000
        for n in range(3000):
            now_ns += 10 * MS
            device_us += 10_000
            if n == 1000:
                device_us += leap_us
            (stamp,) = clock.stamps(now_ns, [device_us])
        assert abs(now_ns - stamp) < MS, leap_us
    assert WINDOW_NS < 20 * SECOND


def test_after_a_restart_host_time_goes_on() -> None:
    clock = DeviceClock()
    (before,) = clock.stamps(5 * SECOND, [1000])
    clock.restart()
    (after,) = clock.stamps(5 * SECOND + MS, [77])
    assert (before, after) == (5 * SECOND, 5 * SECOND + MS)
    assert clock.stamps(6 * SECOND, []) == []


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1000, 10**10), st.lists(st.integers(0, WRAP - 1), min_size=1, max_size=5)),
        max_size=60,
    )
)
def test_whatever_is_stamped_times_grow_and_are_never_in_the_future(
    given_stamps: list[tuple[int, list[int]]],
) -> None:
    clock = DeviceClock()
    now_ns = 0
    last = -1
    for passed_ns, t_us in given_stamps:
        now_ns += passed_ns
        for stamp in clock.stamps(now_ns, t_us):
            assert last < stamp <= now_ns
            last = stamp
