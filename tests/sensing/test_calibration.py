"""Zeros, fields and noise of linear sensors."""

import numpy as np
import pytest

from firmware_host.board import POINTS, SIZE
from firmware_host.sensing.calibration import Around, Calibration
from firmware_host.sensing.settings import MS, SensingSettings

SECOND = 1000 * MS


def run(
    board: Calibration,
    t_ns: int,
    rows: int,
    level: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    sigma: float,
    period_ns: int = 5 * MS,
) -> int:
    """Feed so many frames; gives the instant after them."""
    rng = np.random.default_rng(1)
    for _ in range(rows):
        frame = np.clip(np.rint(level + rng.normal(0, sigma, POINTS)), -127, 127).astype(np.int8)
        board.take(t_ns, frame.tobytes())
        block = board.block(t_ns)
        if block is not None:
            board.follow(block, t_ns, False)
        t_ns += period_ns
    return t_ns


def fresh(mean: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> Calibration:
    board = Calibration(SensingSettings())
    board.begin(mean.astype(np.float32), 0.5, None)
    return board


def test_the_sum_around_a_point() -> None:
    total = Around()(np.ones(POINTS, np.float32)).reshape(SIZE, SIZE)
    assert (total[0, 0], total[0, 7], total[7, 7]) == (3, 5, 8)
    values = np.arange(POINTS, dtype=np.float32)
    total = Around()(values)
    assert total[112] == values[[96, 97, 98, 111, 113, 126, 127, 128]].sum()


def test_the_first_look_tells_zeros_from_stones() -> None:
    mean = np.random.default_rng(2).uniform(-8, 8, POINTS)
    mean[112], mean[0] = 71.0, -110.0
    board = fresh(mean)
    assert np.flatnonzero(board.sign).tolist() == [0, 112]
    assert (board.sign[112], board.sign[0]) == (1, -1)
    assert np.allclose(board.rest, mean, atol=0.01)


def test_a_common_shift_at_the_first_look_is_no_board_full_of_stones() -> None:
    mean = np.full(POINTS, 22.0)
    mean[5] = 22 + 80
    board = fresh(mean)
    assert np.flatnonzero(board.sign).tolist() == [5]
    assert board.level[5] == pytest.approx(80)


@pytest.mark.parametrize("rate_hz", [50, 200, 1000])
@pytest.mark.parametrize("sigma", [0.5, 1.2, 3.0, 5.0])
def test_noise_is_measured(sigma: float, rate_hz: int) -> None:
    board = fresh(np.zeros(POINTS))
    run(board, 0, 5 * rate_hz, np.zeros(POINTS), sigma, SECOND // rate_hz)
    assert board.noise == pytest.approx(sigma, rel=0.15)
    assert board.threshold >= 4 * board.filtered_noise


def test_drift_is_followed_by_zeros_and_not_by_levels() -> None:
    start = np.zeros(POINTS)
    start[112] = 90.0
    board = fresh(start)
    t_ns = 0
    for k in range(60):
        t_ns = run(board, t_ns, 100, start + 0.25 * k, 1.0)
    assert np.median(board.base + board.field) == pytest.approx(14.75, abs=1.5)
    assert board.base[112] + board.field[112] == pytest.approx(14.75, abs=2.0)
    assert board.level[112] == pytest.approx(90, abs=3)
    assert not board.interference


def test_a_smooth_hill_is_a_field_and_leaves_no_trace() -> None:
    board = fresh(np.zeros(POINTS))
    rows, cols = np.divmod(np.arange(POINTS), SIZE)
    hill = 40 * np.exp(-((rows - 6) ** 2 + (cols - 8) ** 2) / 18)
    t_ns = run(board, 0, 200, np.zeros(POINTS), 1.0)
    for k in range(20):
        t_ns = run(board, t_ns, 20, hill * k / 20, 1.0)
    t_ns = run(board, t_ns, 400, hill, 1.0)
    assert board.interference
    assert np.abs(board.field - hill).max() < 8
    t_ns = run(board, t_ns, 600, np.zeros(POINTS), 1.0)
    assert not board.interference
    assert np.abs(board.base).max() < 4
