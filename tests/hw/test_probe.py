"""Likely causes, on device trees of a few files."""

import errno
import grp
from pathlib import Path
from typing import Any

import pytest

from hw.probe import Machine, answering, chip_at, silent_chip
from hw.simulator.chips import VirtualBuzzer, VirtualHt16k33
from hw.simulator.i2c_bus import VirtualBus

CONFIG = "boot/firmware/config.txt"


def machine(root: Path, *files: str, config: str | None = None, usable: bool = True) -> Machine:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    if config is not None:
        (root / CONFIG).parent.mkdir(parents=True)
        (root / CONFIG).write_text(config)
    return Machine(root, lambda _: usable)


@pytest.mark.parametrize(
    ("bus", "files", "config", "said"),
    [
        (1, ["dev/i2c-1"], None, ""),
        (1, [], None, "this machine is no Raspberry Pi"),
        (1, [], "# dtparam=i2c_arm=on\n", "/boot/firmware/config.txt has no line dtparam=i2c_arm=on"),
        (1, [], "dtparam=i2c_arm=on\n", "restart the Pi"),
        (1, ["sys/bus/i2c/devices/i2c-1"], "dtparam=i2c_arm=on\n", "i2c-dev is not loaded"),
        (3, [], "dtparam=i2c_arm=on\n", "has no line dtoverlay=i2c3"),
        (3, [], "dtoverlay=i2c3,pins_4_5\n", "restart the Pi"),
        (3, [], "dtoverlay=i2c31\n", "has no line dtoverlay=i2c3"),
    ],
)
def test_an_i2c_bus(tmp_path: Path, bus: int, files: list[str], config: str | None, said: str) -> None:
    trouble = machine(tmp_path, *files, config=config).i2c_trouble(bus)
    assert said in trouble
    assert bool(said) == bool(trouble)


def test_a_device_node_of_somebody_else(tmp_path: Path) -> None:
    at = machine(tmp_path, "dev/i2c-1", "dev/gpiochip0", "dev/ttyACM0", usable=False)
    for trouble in (at.i2c_trouble(1), at.gpio_trouble(), at.serial_trouble("")):
        assert "udev rule" in trouble or "group" in trouble
        assert "/dev/" in trouble


def test_the_group_is_named(tmp_path: Path) -> None:
    at = machine(tmp_path, "dev/i2c-1", usable=False)
    group = grp.getgrgid((tmp_path / "dev" / "i2c-1").stat().st_gid).gr_name
    said = "belongs to root alone" if group == "root" else f"not in the group {group}"
    assert said in at.i2c_trouble(1)


def test_gpio_and_serial(tmp_path: Path) -> None:
    assert "there is no /dev/gpiochip" in machine(tmp_path).gpio_trouble()
    assert "not plugged in" in machine(tmp_path).serial_trouble("")
    assert "there is no /dev/ttyAMA0" in machine(tmp_path).serial_trouble("/dev/ttyAMA0")
    at = machine(tmp_path, "dev/gpiochip0", "dev/ttyACM1")
    assert at.gpio_trouble() == at.serial_trouble("") == at.serial_trouble("/dev/ttyACM1") == ""


def test_who_answers_on_a_bus() -> None:
    bus = VirtualBus()
    bus.attach(0x72, VirtualHt16k33())
    bus.attach(0x34, VirtualBuzzer(lambda: 0))
    assert answering(bus.open()) == [0x34, 0x72]


class Stalled:
    """A bus that nobody pulls up."""

    def i2c_rdwr(self, *_: Any) -> None:
        raise OSError(errno.ETIMEDOUT, "Connection timed out")

    def close(self) -> None: ...


def test_nobody_answers_on_a_bus_that_stalls() -> None:
    assert answering(Stalled()) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([], "nothing at all answers"),
        ([0x72], "answers at 0x72: the address jumpers of the face (0x70) differ"),
        ([0x34], "others answer (0x34), so the bus works"),
    ],
)
def test_a_chip_that_is_silent(found: list[int], said: str) -> None:
    assert said in silent_chip("the face (0x70)", 0x70, found)


def test_what_answers_where() -> None:
    assert chip_at(0x70).startswith("a face")
    assert chip_at(0x50) == ""
