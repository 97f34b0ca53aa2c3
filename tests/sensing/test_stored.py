"""What a stored calibration is worth, and that one which is wrong does no harm."""

from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board import POINTS
from firmware_host.errors import ConfigError
from firmware_host.sensing.events import Seen
from firmware_host.sensing.stored import StoredCalibration, read_stored
from firmware_host.sensing.watcher import EMPTY_BOARD, BoardWatcher
from hw.simulator.sensors import COUNTS_PER_MT, LinearSensors
from hw.simulator.table import SimulatedTable
from tests.sensing.laid_stones import MS, PERIOD_NS, laid, scattered_points

SEEDS = range(4)
STONES = 40


def measured(seed: int) -> StoredCalibration:
    """What a patient person would have measured of the sensors of a seed: gains of 0.7 to 1.3."""
    sensors = LinearSensors(seed)
    return StoredCalibration(
        zero=tuple(round(float(zero), 2) for zero in sensors._offset),
        gain=tuple(round(float(gain) / COUNTS_PER_MT * 92, 1) for gain in sensors._gain),
    )


def seen_at_start(
    seed: int, strength: float, stored: StoredCalibration | None, expected: str | None, phone: float = 0
) -> tuple[int, int]:
    """How many of the stones that lie there at the start are seen, and how many that do not."""
    table = SimulatedTable(seed=seed)
    for n, p in enumerate(scattered_points(seed, STONES)):
        table.place(0, p, "black" if n % 2 else "white", strength=strength)
    now_ns = table.quiet_ns + MS
    if phone:
        table.phone(now_ns, 60_000, strength=phone)
        now_ns += 2000 * MS
    lying = table.lying(now_ns)
    watcher = BoardWatcher("linear", expected=expected, stored=stored)
    frames = ((t, table.readings(t)) for t in range(now_ns, now_ns + 300 * MS, PERIOD_NS))
    events = [event for t, readings in frames for event in watcher.frame(t, readings)]
    (stones,) = (event.stones for event in events if isinstance(event, Seen))
    pairs = list(zip(stones, lying, strict=True))
    return sum(a == b != "." for a, b in pairs), sum(a not in (b, ".") for a, b in pairs)


def all_at_start(*given: Any, seeds: Any = SEEDS, of: Any = measured, **more: Any) -> tuple[int, int]:
    """The same over several boards, without and with `of(seed)`."""
    strength, expected = given
    each = [seen_at_start(seed, strength, of(seed), expected, **more) for seed in seeds]
    return sum(seen for seen, _ in each), sum(wrong for _, wrong in each)


def nothing(_: int) -> None:
    return None


def of_another(seed: int) -> StoredCalibration:
    return measured(seed + 77)


@pytest.mark.parametrize("strength", [0.35, 0.5])
def test_weak_stones_that_nobody_expects_are_seen_at_the_start(strength: float) -> None:
    """After a power cut in which a stone was laid: an unknown zero might lie as far off as it reads."""
    total = STONES * len(SEEDS)
    without, _ = all_at_start(strength, EMPTY_BOARD, of=nothing)
    with_it, wrong = all_at_start(strength, EMPTY_BOARD)
    assert without < 0.9 * total
    assert with_it >= 0.96 * total
    assert wrong == 0


@pytest.mark.parametrize("expected", [EMPTY_BOARD, None])
@pytest.mark.parametrize("of", [measured, of_another, nothing])
def test_sound_stones_are_all_seen_at_the_start_whatever_was_measured(expected: str | None, of: Any) -> None:
    assert all_at_start(1.0, expected, of=of) == (STONES * len(SEEDS), 0)


@pytest.mark.parametrize("phone", [900.0, 1800.0])
def test_under_a_field_it_makes_nothing_worse(phone: float) -> None:
    seen, wrong = all_at_start(1.0, EMPTY_BOARD, of=nothing, phone=phone)
    seen_with, wrong_with = all_at_start(1.0, EMPTY_BOARD, phone=phone)
    assert seen_with >= seen - 1
    assert wrong_with <= wrong + 1


def test_weak_magnets_are_told_on_sensitive_sensors_too() -> None:
    """Half a magnet over a sensor of gain 1.3 reads 60: as much as a sound one over the least sensitive."""
    assert laid(2, 0.5, None)[1] <= 20
    assert laid(2, 0.5, measured(2))[1] == 24


def test_a_dim_stone_is_told_as_soon_as_it_lies_and_not_called_weak() -> None:
    """0.8 of a magnet over a sensor of gain 0.7 reads 52: less than what settles at once elsewhere."""
    for seed in range(2):
        placed, weak, late = laid(seed, 0.8, None)
        placed_with, weak_with, late_with = laid(seed, 0.8, measured(seed))
        assert placed_with == 24 >= placed
        assert weak_with == 0 <= weak
        assert fmean(late_with) < 60 < max(late)
        assert max(late_with) < 120


def test_the_calibration_of_another_board_loses_no_stone() -> None:
    for seed in range(2):
        placed, _, late = laid(seed, 1.0, of_another(seed))
        assert placed == 24
        assert max(late) < 600


def test_the_plane_is_turned_with_the_board() -> None:
    def beginning(turned: bool, stored: StoredCalibration) -> str:
        readings = bytes([40]) + bytes(POINTS - 1)
        watcher = BoardWatcher("linear", turned=turned, expected=EMPTY_BOARD, stored=stored)
        noise = np.random.default_rng(1).integers(-1, 2, (60, POINTS))
        frames = np.frombuffer(readings, np.int8) + noise
        told = [
            e for n, f in enumerate(frames) for e in watcher.frame(n * PERIOD_NS, f.astype(np.int8).tobytes())
        ]
        return next(event.stones for event in told if isinstance(event, Seen))

    zero_off = StoredCalibration(zero=(38.0, *[0.0] * (POINTS - 1)), gain=(92.0,) * POINTS)
    no_zero = StoredCalibration(zero=(0.0,) * POINTS, gain=(92.0,) * POINTS)
    assert beginning(False, no_zero) == "X" + "." * 224
    assert beginning(True, no_zero) == "." * 224 + "X"
    for turned in (False, True):
        assert beginning(turned, zero_off) == EMPTY_BOARD


# What may be in it


@given(st.integers(0, 2**32))
def test_a_header_gives_the_same_again(seed: int) -> None:
    chance = np.random.default_rng(seed)
    gain = chance.uniform(20, 160, POINTS) * (chance.random(POINTS) < 0.8)
    stored = StoredCalibration(
        zero=tuple(chance.uniform(-60, 60, POINTS).tolist()), gain=tuple(gain.tolist())
    )
    assert read_stored(stored.header()) == stored
    assert stored.turned().turned() == stored


@pytest.mark.parametrize(
    ("zero", "gain", "said"),
    [
        ([0.0] * 224, [92.0] * 225, "calibration.zero = '224 numbers' is not possible; allowed: 225 numbers"),
        ([0.0] * 225, [92.0] * 226, "calibration.gain = '226 numbers' is not possible"),
        ([0.0] * 224 + [61], [92.0] * 225, "zero = 61.0 is not possible; allowed: -60 to 60 counts"),
        ([0.0] * 225, [92.0] * 224 + [7], "gain = 7.0 is not possible; allowed: 20 to 160 counts, or 0"),
        (None, [92.0] * 225, "allowed: zero and gain of 225 numbers"),
        ("much", [92.0] * 225, "allowed: zero and gain of 225 numbers"),
    ],
)  # fmt: skip
def test_what_is_no_calibration_is_refused(zero: Any, gain: Any, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_stored({"zero": zero, "gain": gain})
    assert said in str(refused.value)
