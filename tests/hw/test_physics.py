"""The magnet model against the figures it is meant to reproduce."""

import numpy as np
import pytest

from hw.simulator.physics import (
    GAP_MM,
    PITCH_X_MM,
    REST_MT,
    Pose,
    dipole_field,
    line_indexes,
    nearest,
    position,
    sensor_index,
    sensor_name,
)

H8 = sensor_index("H8")
X, Y = position(H8)


@pytest.mark.parametrize(
    ("gap_mm", "aside_mm", "field_mt"),
    [
        (8, 0, 34.0), (10, 0, 17.6), (12, 0, 10.2),
        (8, 6, 8.1), (10, 6, 6.7), (12, 6, 5.1),
        (8, 12, -0.2), (10, 12, 0.5), (12, 12, 0.9),
        (8, 24, -0.38), (10, 24, -0.28), (12, 24, -0.18),
    ],
)  # fmt: skip
def test_field_of_a_6x3_mm_n42_magnet(gap_mm: float, aside_mm: float, field_mt: float) -> None:
    pose = Pose(X + aside_mm, Y, gap_mm - GAP_MM)
    assert dipole_field(pose, 1.0)[H8] == pytest.approx(field_mt, abs=0.35 if aside_mm < 12 else 0.06)


def test_a_neighbour_takes_off_less_than_two_per_cent() -> None:
    beside = dipole_field(Pose(X + PITCH_X_MM, Y), 1.0)[H8]
    assert -0.02 < beside / REST_MT < -0.01


def test_midway_between_two_points_both_sensors_see_the_same_little() -> None:
    field = dipole_field(Pose(X + PITCH_X_MM / 2, Y), 1.0)
    assert field[H8] == pytest.approx(field[H8 + 1])
    assert 0 < field[H8] < 0.05 * REST_MT


def test_white_is_black_upside_down_and_fields_add() -> None:
    black, white = dipole_field(Pose(X, Y), 1.0), dipole_field(Pose(X, Y), -1.0)
    assert np.allclose(black + white, 0)
    assert dipole_field(Pose(X, Y), 0.35)[H8] == pytest.approx(0.35 * REST_MT)


def test_a_tilted_magnet_is_weaker_below_and_lopsided() -> None:
    tilted = dipole_field(Pose(X, Y, 0.0, tilt_x=0.3), 1.0)
    assert tilted[H8] == pytest.approx(REST_MT * np.cos(0.3))
    # The upper end leans to +x, so the N pole below points to -x.
    assert tilted[H8 - 1] > tilted[H8 + 1]


def test_far_above_nothing_is_felt() -> None:
    assert np.abs(dipole_field(Pose(X, Y, 60.0), 1.0)).max() < 0.01 * REST_MT


def test_names_and_places() -> None:
    assert [sensor_index(n) for n in ("A1", "B1", "O1", "A2", "h8", "O15")] == [0, 1, 14, 15, 112, 224]
    assert all(sensor_index(sensor_name(i)) == i for i in range(225))
    assert all(nearest(*position(i)) == i for i in range(225))
    assert nearest(-13.0, 0.0) is None
    assert nearest(0.0, 14.5 * 25.0) is None


@pytest.mark.parametrize("wrong", ["P16", "A0", "A16", "", "8H", "A1 ", 225, -1])
def test_a_point_that_does_not_exist(wrong: str | int) -> None:
    with pytest.raises(ValueError, match="allowed"):
        sensor_index(wrong)


def test_lines() -> None:
    assert line_indexes("12") == tuple(range(165, 180))
    assert line_indexes("c") == tuple(range(2, 225, 15))
    for wrong in ("0", "16", "P", "", "AB"):
        with pytest.raises(ValueError, match="not a line"):
            line_indexes(wrong)
