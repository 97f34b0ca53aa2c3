"""A Raspberry Pi 4 in software, for tests in the devices kernel: its chip, its bus, a board and a clock.

`make test-devices` runs these tests, and nothing else collects them: elsewhere there are no such devices.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.simulator.chips import VirtualBuzzer, VirtualHt16k33
from hw.simulator.i2c_bus import VirtualBus
from tests.devices.gpio_sim import GpioSim
from tests.devices.i2c_relay import I2cRelay
from tests.devices.matrix_board import MatrixBoard

IN_KERNEL = Path("/dev/i2c-relay").exists()
collect_ignore_glob = [] if IN_KERNEL else ["test_*.py"]
if IN_KERNEL:  # rpi-lgpio asks a device tree, which is not there, and then the environment
    os.environ.update(RPI_LGPIO_REVISION="c03114", RPI_LGPIO_CHIP="0")

TAKEN_PIN = 1
KEY_PINS = {"near": 17, "far": 27, "near-call": 22, "far-call": 23, "arbiter": 24}


@pytest.fixture(scope="session")
def chip() -> Iterator[GpioSim]:
    """/dev/gpiochip0; its line 1 belongs to w1."""
    with GpioSim("pinctrl-bcm2711", hogs={TAKEN_PIN: "w1"}) as chip:
        yield chip


@pytest.fixture
def pi(chip: GpioSim) -> GpioSim:
    """The chip with all keys open."""
    for line in KEY_PINS.values():
        chip.pull(line, True)
    return chip


@pytest.fixture
def board(pi: GpioSim) -> Iterator[MatrixBoard]:
    """A board of switches on the usual pins of the gpio scanner."""
    board = MatrixBoard(pi)
    yield board
    board.close()


class Clock:
    """The chips of a clock on /dev/i2c-1."""

    def __init__(self) -> None:
        self.near, self.far = VirtualHt16k33(), VirtualHt16k33()
        self.buzzer = VirtualBuzzer(time.monotonic_ns)
        self.bus = VirtualBus({0x70: self.near, 0x71: self.far, 0x34: self.buzzer})
        self.plug_in()

    def plug_in(self) -> None:
        """Make /dev/i2c-1."""
        self.relay = I2cRelay(self.bus, 1)


@pytest.fixture
def clock() -> Iterator[Clock]:
    clock = Clock()
    yield clock
    clock.relay.close()
