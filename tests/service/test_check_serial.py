"""A check of a real scanner's driver: the serial one, at a tty, with the simulator's sensors behind it."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.service.calibrate import chip_temperature
from firmware_host.service.check import Check, Report
from firmware_host.service.config import load_config
from firmware_host.service.maker import Nobody
from firmware_host.service.sensor_bench import REAL_TIME, SensorBench, Time
from hw.serial_scanner import SerialScanner
from hw.simulator.miswired import Miswired
from hw.simulator.sensors import LinearSensors
from hw.simulator.serial_device import SerialDevice
from hw.simulator.table import SimulatedTable

HASTE = 20
"""How much sooner a check that waits in vain gives up here."""


@pytest.fixture
def device(tmp_path: Path) -> Iterator[SerialDevice]:
    table = SimulatedTable(electronics=Miswired(LinearSensors(4), "dead C4, noisy K10"))
    device = SerialDevice(table, tmp_path / "usb-Pico-if00")
    yield device
    device.unplug()


def checked(folder: Path, clock: Time = REAL_TIME) -> tuple[Report, list[str]]:
    said: list[str] = []
    settings = ["scanner.kind=serial", f"serial_scanner.device={folder}/usb-*", "scanner.rate_hz=100"]
    settings += ["clock.faces=none", "clock.buzzer=none", "keys.factory=none"]
    report = Check(load_config(None, settings), Nobody(said.append), clock).run()
    return report, said


def part(report: Report) -> Any:
    (only,) = report.parts
    return only


def test_sensors_behind_a_cable(device: SerialDevice, tmp_path: Path) -> None:
    device.plug()
    report, _ = checked(tmp_path)
    assert (part(report).name, part(report).status) == ("scanner", "ok")
    assert part(report).sentence == "serial, linear sensors"
    assert {(f.kind, f.where) for f in report.findings if f.fails} == {("dead", "C4"), ("noisy", "K10")}
    assert report.sensors["K10"][1] > 20


def test_a_scanner_that_is_not_plugged_in(tmp_path: Path) -> None:
    hurried = Time(lambda: HASTE * time.monotonic_ns(), lambda seconds: time.sleep(seconds / HASTE))
    report, said = checked(tmp_path, hurried)
    assert part(report).status == "fault"
    assert "usb-*" in part(report).sentence
    assert "not plugged in" in part(report).cause
    assert any("likely: " in line for line in said)
    assert not report.passed
    assert "not measured" in report.text()


def test_the_chips_temperature_is_asked_for(device: SerialDevice, tmp_path: Path) -> None:
    device.plug()
    scanner = SerialScanner(device.tty, 100)
    bench = SensorBench(scanner)
    bench.read()
    told = chip_temperature(bench)
    assert scanner.self_test is not None
    assert told is None or -20 < told < 100
    scanner.close()
