"""How soon a board that was away is back: from the plug to the first frame, with the daemon's own thread.

The serial scanner is at a tty of this machine; expanders and matrix are virtual here, and on real nodes in
the devices tier.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from firmware_host.service.scan import ScanThread
from hw import Scanner
from hw.gpio_scanner import GpioScanner
from hw.i2c_scanner import I2cScanner
from hw.serial_scanner import SerialScanner
from hw.simulator.i2c_board import USUAL, VirtualI2cBoard
from hw.simulator.matrix import SimulatedMatrix
from hw.simulator.sensors import SwitchSensors
from hw.simulator.serial_device import SerialDevice
from hw.simulator.table import SimulatedTable
from tests.patience import LONG_S

AWAY_S = (0.5, 5.0)
RATE_HZ = 50

Plug = Callable[[], object]


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, opened in (("serial", serial), ("i2c", i2c), ("gpio", gpio)):
            for away_s in AWAY_S:
                scanner, plug, unplug = opened(Path(folder) / "scanner")
                first_s = asyncio.run(recovery_s(scanner, plug, unplug, away_s))
                rows.append(
                    (f"{kind}: first frame after {away_s} s unplugged (<= 5.5 s)", f"{first_s:.2f} s")
                )
    return rows


def serial(link: Path) -> tuple[Scanner, Plug, Plug]:
    """The tty has gone, and is another one afterwards."""
    device = SerialDevice(SimulatedTable("linear", seed=1), link)
    return SerialScanner(str(link), RATE_HZ), device.plug, device.unplug


def i2c(_: Path) -> tuple[Scanner, Plug, Plug]:
    """The adapter of the bus has gone."""
    board = VirtualI2cBoard(SimulatedTable(electronics=SwitchSensors(1)), time.monotonic_ns)
    return I2cScanner(board.bus.open, USUAL, RATE_HZ), board.bus.plug, board.bus.unplug


def gpio(_: Path) -> tuple[Scanner, Plug, Plug]:
    """The lines have gone."""
    matrix = SimulatedMatrix(SimulatedTable("switch", seed=1))
    return (
        GpioScanner(lambda: matrix, RATE_HZ),
        lambda: setattr(matrix, "cut", False),
        lambda: setattr(matrix, "cut", True),
    )


async def recovery_s(scanner: Scanner, plug: Plug, unplug: Plug, away_s: float) -> float:
    """Seconds from the plug to the first frame. Raises TimeoutError when it does not come."""
    scans = ScanThread(scanner, asyncio.get_running_loop(), lambda: None)
    plug()
    scans.start()
    try:
        async with asyncio.timeout(LONG_S + away_s):
            while not scans.frames():
                await asyncio.sleep(0.01)
            unplug()
            while not scans.fault:
                await asyncio.sleep(0.01)
            await asyncio.sleep(away_s)
            scans.frames()
            begun = time.monotonic()
            plug()
            while not scans.frames():
                await asyncio.sleep(0.005)
            return time.monotonic() - begun
    finally:
        scans.close()
        unplug()


if __name__ == "__main__":
    for figure, value in run():
        print(f"{figure:<60} {value}")
