"""Sensors: counts of linear ones, contacts of switches, and their faults."""

import numpy as np
import pytest

from hw.simulator.physics import REST_MT, SENSORS
from hw.simulator.sensors import LinearSensors, SensorFault, SwitchSensors

MS = 1_000_000
NOTHING = np.zeros(SENSORS)
STEP = 5 * MS


def perfect(**changes: float) -> LinearSensors:
    return LinearSensors(1, **{"gain_spread": 0.0, "offset_counts": 0.0, "noise_counts": 0.0, **changes})


def frames(sensors: LinearSensors | SwitchSensors, field: np.ndarray, number: int) -> np.ndarray:
    return np.array([np.frombuffer(sensors.read(i * STEP, field), np.int8) for i in range(number)], float)


def test_a_stone_at_rest_reads_92_and_a_white_one_minus_92() -> None:
    field = NOTHING.copy()
    field[3], field[4] = REST_MT, -REST_MT
    reading = np.frombuffer(perfect().read(0, field), np.int8)
    assert reading[3] == 92
    assert reading[4] == -92
    assert not reading[5:].any()


def test_readings_stop_at_the_rail() -> None:
    reading = np.frombuffer(perfect().read(0, np.full(SENSORS, 100.0)), np.int8)
    assert set(reading) == {127}
    assert set(np.frombuffer(perfect().read(0, np.full(SENSORS, -100.0)), np.int8)) == {-127}


def test_gains_and_offsets_spread_and_stay_within_their_ranges() -> None:
    sensors = LinearSensors(5, gain_spread=0.3, offset_counts=3, noise_counts=0)
    offset = np.frombuffer(sensors.read(0, NOTHING), np.int8).astype(float)
    gain = (np.frombuffer(sensors.read(0, np.full(SENSORS, REST_MT)), np.int8) - offset) / 92
    assert np.abs(offset).max() <= 3
    assert offset.std() > 1
    assert gain.min() > 0.69
    assert gain.max() < 1.31
    assert gain.std() > 0.1


def test_noise_is_gaussian_of_the_given_sigma_in_space_and_time() -> None:
    read = frames(perfect(noise_counts=2.0), NOTHING, 600)
    assert read.std() == pytest.approx(2.02, abs=0.1)  # rounding adds a little
    assert abs(read.mean()) < 0.05
    assert abs(np.corrcoef(read[:-1].ravel(), read[1:].ravel())[0, 1]) < 0.05


def test_the_same_seed_and_instants_give_the_same_readings_by_whatever_way() -> None:
    long, short, other = LinearSensors(9), LinearSensors(9), LinearSensors(10)
    run = [long.read(i * STEP, NOTHING) for i in range(200)]
    assert run[150:] == [short.read(i * STEP, NOTHING) for i in range(150, 200)]
    assert run != [other.read(i * STEP, NOTHING) for i in range(200)]
    assert len(set(run)) > 150


def test_readings_follow_the_field_after_it_stood_still_for_long() -> None:
    sensors = perfect(noise_counts=2.0)
    frames(sensors, NOTHING, 100)
    read = frames(sensors, np.full(SENSORS, REST_MT), 100)
    assert abs(read[:50].mean() - 92) < 0.2
    assert abs(read[50:].mean() - 92) < 0.2


def test_drift_is_slow_starts_from_nothing_and_is_each_sensors_own() -> None:
    sensors = perfect(drift_counts=10, drift_period_s=60)
    at = {
        s: np.frombuffer(sensors.read(int(s * 1e9), NOTHING), np.int8).astype(float) for s in range(0, 60, 5)
    }
    assert not at[0].any()
    assert 4 <= np.abs(at[5]).max() <= 6
    assert at[30].std() > 3
    close = np.frombuffer(sensors.read(int(30.5e9), NOTHING), np.int8)
    assert np.abs(close - at[30]).max() <= 1


def test_faults_begin_and_end_at_their_instants() -> None:
    sensors = perfect(noise_counts=2.0)
    sensors.fail(SensorFault("stuck", (3,), 100 * MS, 200 * MS, 77))
    sensors.fail(SensorFault("dead", tuple(range(15, 30)), 150 * MS))
    field = np.full(SENSORS, REST_MT)

    def read(t_ms: int) -> np.ndarray:
        return np.frombuffer(sensors.read(t_ms * MS, field), np.int8)

    assert abs(read(99)[3] - 92) < 12
    assert read(100)[3] == read(199)[3] == 77
    assert read(149)[15:30].min() > 80
    assert not read(150)[15:30].any()
    assert abs(read(200)[3] - 92) < 12
    assert not read(60_000)[15:30].any()


def test_a_noisy_sensor_is_noisy_alone() -> None:
    sensors = perfect(noise_counts=1.0)
    sensors.fail(SensorFault("noisy", (7,), 0, value=35))
    read = frames(sensors, NOTHING, 400)
    assert 25 < read[:, 7].std() < 45
    assert read[:, 8].std() < 2


def switch(**changes: float) -> SwitchSensors:
    return SwitchSensors(
        1, **{"operate_mt": 6.0, "release_mt": 4.0, "spread": 0.0, "bounce_ms": 1.0, **changes}
    )


def test_a_switch_operates_and_releases_at_its_own_thresholds() -> None:
    sensors = switch()
    states = []
    for i, mt in enumerate((0, 5.9, 6.1, 4.1, 3.9, 5.9, -6.1, -4.1, 0)):
        sensors.observe(i * STEP, np.full(SENSORS, float(mt)))
        states.append(sensors.read(i * STEP + 2 * MS, np.full(SENSORS, float(mt)))[0])
    assert states == [0, 0, 1, 1, 0, 0, 1, 1, 0]


def test_a_switch_bounces_for_a_while_after_a_change_and_then_stands() -> None:
    sensors = switch(bounce_ms=1.0)
    field = np.full(SENSORS, 10.0)
    sensors.observe(0, NOTHING)
    sensors.observe(STEP, field)
    bouncing = {sensors.read(STEP + i * MS // 10, field) for i in range(10)}
    assert len(bouncing) > 5
    assert {sensors.read(STEP + MS + i * MS, field) for i in range(20)} == {b"\x01" * SENSORS}


def test_thresholds_spread_together() -> None:
    sensors = SwitchSensors(3, spread=0.1, bounce_ms=0)
    assert 0 < sum(sensors.read(0, np.full(SENSORS, 6.0))) < SENSORS
    assert sum(sensors.read(1, np.full(SENSORS, 6.7))) == SENSORS
    assert sum(sensors.read(2, np.full(SENSORS, 4.5))) == SENSORS
    assert sum(sensors.read(3, np.full(SENSORS, 3.5))) == 0


def test_faults_of_switches() -> None:
    sensors = switch()
    sensors.fail(SensorFault("stuck", (3,), 10 * MS, value=1))
    sensors.fail(SensorFault("noisy", (4,), 10 * MS, 2_000 * MS))
    sensors.fail(SensorFault("dead", (5,), 10 * MS))
    field = np.full(SENSORS, 10.0)
    sensors.observe(0, field)
    assert sensors.read(9 * MS, field)[3:6] == b"\1\1\1"
    read = frames(sensors, field, 400)[2:]
    assert read[:, 3].all()
    assert not read[:, 5].any()
    assert 0.4 < read[:, 4].mean() < 0.95
    assert frames(sensors, NOTHING, 3)[2][3] == 1


def test_thresholds_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="release_mt = 7"):
        SwitchSensors(operate_mt=6.0, release_mt=7.0)
