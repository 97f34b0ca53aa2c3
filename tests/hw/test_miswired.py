"""Mistakes of a maker, in simulated sensors."""

import numpy as np
import pytest

from hw import DeviceError
from hw.devices import open_devices
from hw.simulator.miswired import Miswired
from hw.simulator.physics import SENSORS, sensor_index
from hw.simulator.sensors import LinearSensors, SwitchSensors
from hw.simulator.table import SimulatedTable

SECOND = 1_000_000_000


def readings(mistakes: str, *stones: str, sensors: str = "linear") -> dict[str, int]:
    """What is read clearly with black stones on some points, by name."""
    inner = LinearSensors(1, gain_spread=0, noise_counts=0) if sensors == "linear" else SwitchSensors(1)
    table = SimulatedTable(electronics=Miswired(inner, mistakes))
    for point in stones:
        table.place(0, point, "black")
    read = np.frombuffer(table.readings(table.quiet_ns + SECOND), np.int8)
    names = [f"{'ABCDEFGHIJKLMNO'[p % 15]}{p // 15 + 1}" for p in range(SENSORS)]
    return {names[p]: int(read[p]) for p in np.flatnonzero(np.abs(read) > (20 if sensors == "linear" else 0))}


@pytest.mark.parametrize(
    ("mistakes", "stone", "seen"),
    [
        ("", "C3", "C3"),
        ("select 3 4", "C3", "C4"),
        ("sense C D", "C3", "D3"),
        ("select 3 4, sense C D", "C3", "D4"),
        ("turned", "C3", "M13"),
        ("mirrored", "C3", "M3"),
        ("crossed", "C2", "B3"),
    ],
)
def test_where_a_stone_is_seen(mistakes: str, stone: str, seen: str) -> None:
    assert set(readings(mistakes, stone)) == {seen}


def test_what_a_sensor_reads() -> None:
    right = readings("", "H8")["H8"]
    assert 70 < right < 127
    assert readings("reversed H8", "H8")["H8"] < -60
    assert readings("reversed magnets", "H8")["H8"] < -60
    assert 0.3 * right < readings("weak H8", "H8")["H8"] < 0.5 * right
    assert readings("dead H8", "H8") == {}
    assert readings("stuck C4") == {"C4": 100}
    assert readings("stuck C4", sensors="switch") == {"C4": 1}


def test_a_missing_diode_closes_the_opposite_corner() -> None:
    three = ("A1", "O1", "A15")
    assert set(readings("", *three, sensors="switch")) == set(three)
    assert set(readings("diode A1", *three, sensors="switch")) == {*three, "O15"}
    assert set(readings("diode O1", *three, sensors="switch")) == set(three)
    assert set(readings("diode A1", "A1", "O1", sensors="switch")) == {"A1", "O1"}


@pytest.mark.parametrize(
    "text", ["dead", "dead P3", "select 3", "select 3 99", "sense C Z", "melted A1", "weak"]
)
def test_what_is_no_mistake_is_refused(text: str) -> None:
    with pytest.raises(DeviceError, match="is not a mistake that can be made"):
        open_devices({"simulator": {"mistakes": text}})


def test_the_configured_table_has_them() -> None:
    devices = open_devices({"simulator": {"mistakes": "stuck C4"}})
    assert devices.table is not None
    assert devices.table.readings(SECOND)[sensor_index("C4")] == 100
    devices.close()
