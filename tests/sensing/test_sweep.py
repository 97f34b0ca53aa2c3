"""Stones swept over the sensors: what is kept of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board import POINTS
from firmware_host.sensing.sweep import LEAST_COUNTS, Sweep

MS = 1_000_000
H8 = 112


def frame(**values: int) -> bytes:
    row = np.zeros(POINTS, np.int8)
    for name, value in values.items():
        row[int(name[1:])] = value
    return row.tobytes()


def fresh() -> Sweep:
    return Sweep(np.zeros(POINTS, np.float32))


def test_a_gain_is_the_highest_reading_and_only_grows() -> None:
    sweep = fresh()
    for n, value in enumerate(
        [0, 20, 50, 80, 80, 80, 80, 80, 80, 50, 20, 0, 0, 0, 0, 0, 0, 40, 40, 40, 40, 40]
    ):
        sweep.take(n * 5 * MS, frame(_112=value))
    assert sweep.gain[H8] == 80
    assert sweep.done == {H8}


def test_one_frame_of_noise_is_no_stone() -> None:
    sweep = fresh()
    for n in range(40):
        sweep.take(n * 5 * MS, frame(_112=90 if n == 20 else 0))
    assert sweep.gain[H8] < LEAST_COUNTS + 1
    assert sweep.stored().gain[H8] == 0


def test_at_few_frames_a_second_a_stone_that_goes_by_is_not_lost() -> None:
    sweep = fresh()
    for n in range(40):
        sweep.take(n * 20 * MS, frame(_112=85 if n == 20 else 0))
    assert sweep.gain[H8] > LEAST_COUNTS


def test_both_colours_make_one_gain_and_a_zero_is_taken_off() -> None:
    sweep = Sweep(np.full(POINTS, 10, np.float32))
    for n in range(10):
        sweep.take(n * 5 * MS, frame(_112=100))
    for n in range(10, 30):
        sweep.take(n * 5 * MS, frame(_112=-70))
    assert sweep.black[H8] == 90
    assert sweep.white[H8] == 80
    assert sweep.gain[H8] == 85


def test_a_sensor_far_below_the_others_has_not_been_swept_yet() -> None:
    sweep = fresh()
    for n in range(10):
        sweep.take(n * 5 * MS, frame(_0=90, _1=92, _2=88, _3=35))
    assert sweep.done == {0, 1, 2}
    assert sweep.stored().gain[3] == 38.9


@given(
    st.lists(st.binary(min_size=POINTS, max_size=POINTS), max_size=12), st.sets(st.integers(0, POINTS - 1))
)
def test_whatever_is_read_can_be_kept(rows: list[bytes], faulty: set[int]) -> None:
    zero = np.random.default_rng(1).uniform(-127, 127, POINTS).astype(np.float32)
    sweep = Sweep(zero)
    for n, row in enumerate(rows):
        sweep.take(n * 5 * MS, row)
    stored = sweep.stored(frozenset(faulty))
    assert all(stored.gain[p] == stored.zero[p] == 0 for p in faulty)
