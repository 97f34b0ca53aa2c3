"""An I2C board: what a frame costs on the wire, and what its transfers cost beside bare ones."""

import tempfile
import textwrap
import time
from pathlib import Path

from hw.i2c import Counters
from hw.i2c_board import I2cBoard, Wiring, judges
from hw.simulator.i2c_board import TWO_PLANES, USUAL, VirtualI2cBoard
from hw.simulator.sensors import SwitchSensors
from hw.simulator.table import SimulatedTable
from tests.i2c_nodes import nodes
from tests.i2c_nodes import run as run_program

FRAMES = 50
CLOCK_HZ = 400_000
BYTE_CLOCKS = 9
RATE_HZ = 100
IOCTL_US = 80
"""Overhead of an ioctl on a Pi beside the wire: assumed, to be measured there."""

RATE = """
    import time
    from fcntl import ioctl
    from smbus2 import SMBus, i2c_msg
    from smbus2.smbus2 import I2C_RDWR, i2c_rdwr_ioctl_data
    from hw.i2c import Counters, open_smbus
    from hw.i2c_board import I2cBoard, judges
    from hw.simulator.i2c_board import USUAL

    board = I2cBoard(open_smbus(3), USUAL, Counters(), judges(USUAL))
    board.scan(0)
    bus = SMBus(3)
    write = i2c_rdwr_ioctl_data.create(i2c_msg.write(0x20, [2, 0xFE, 0xFF]))
    read = i2c_rdwr_ioctl_data.create(i2c_msg.write(0x21, [0]), i2c_msg.read(0x21, 2))
    fd, own, bare = bus.fd, [], []
    for _ in range(ROUNDS):
        began = time.thread_time_ns()
        for _ in range(FRAMES):
            board.scan(0)
        own.append(time.thread_time_ns() - began)
        began = time.thread_time_ns()
        for _ in range(FRAMES * 15):
            ioctl(fd, I2C_RDWR, write)
            ioctl(fd, I2C_RDWR, read)
        bare.append(time.thread_time_ns() - began)
    print(min(own) / FRAMES / 30 / 1000, min(bare) / FRAMES / 30 / 1000)
"""


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    return [*wire_figures(), *cpu_figures()]


def wire_figures() -> list[tuple[str, str]]:
    """What goes over the wire for a frame, counted on the virtual bus."""
    figures = []
    for name, wiring, most in (("one plane", USUAL, 30), ("two planes", TWO_PLANES, 45)):
        virtual = board_of(wiring)
        board = I2cBoard(virtual.bus.open(), wiring, Counters(), judges(wiring))
        board.scan(0)
        bus = virtual.bus
        before = (bus.transfers, bus.messages, bus.clocks)
        for _ in range(FRAMES):
            board.scan(0)
        transfers, messages, clocks = (
            (now - then) / FRAMES
            for now, then in zip((bus.transfers, bus.messages, bus.clocks), before, strict=True)
        )
        wire_ms = clocks / CLOCK_HZ * 1000
        frame_ms = wire_ms + transfers * IOCTL_US / 1000
        # A start and a stop are a clock each; everything else is bytes, those of the addresses included.
        sent = (clocks - transfers - messages) / BYTE_CLOCKS
        figures += [
            (f"{name}: ioctls and messages a frame (<= {most})", f"{transfers:.0f} and {messages:.0f}"),
            (
                f"{name}: bytes a frame, {messages:.0f} addresses among them",
                f"{sent:.0f}; the wire takes {CLOCK_HZ / BYTE_CLOCKS:,.0f} a second",
            ),
            (
                f"{name}: bytes a second at {RATE_HZ} frames/s",
                f"{sent * RATE_HZ:,.0f}, with starts and stops {clocks * RATE_HZ / CLOCK_HZ:.0%} of the wire",
            ),
            (
                f"{name}: wire time a frame at 400 kHz",
                f"{clocks:.0f} clocks, {wire_ms:.2f} ms, at most {1000 / wire_ms:.0f} frames/s",
            ),
            (f"{name}: with {IOCTL_US} us an ioctl (assumed)", f"{1000 / frame_ms:.0f} frames/s"),
        ]
    return figures


def cpu_figures() -> list[tuple[str, str]]:
    """CPU time of the scanning thread for each ioctl, against a loop of nothing but the same ioctls."""
    virtual = board_of(USUAL)
    code = textwrap.dedent(RATE).replace("FRAMES", str(FRAMES)).replace("ROUNDS", "5")
    with tempfile.TemporaryDirectory() as folder, nodes(Path(folder), {3: virtual.bus}) as environ:
        own, bare = map(float, run_program(code, environ).split())
    return [
        (
            "CPU of the scanning thread for each ioctl, beside a bare one (<= 2 x)",
            f"{own:.1f} us, bare {bare:.1f} us: {own / bare:.2f} x",
        )
    ]


def board_of(wiring: Wiring) -> VirtualI2cBoard:
    """A board with a few stones."""
    table = SimulatedTable(electronics=SwitchSensors(1, poles=wiring.poles))
    table.set_up({"H8": "black", "I9": "white", "A1": "black"})
    return VirtualI2cBoard(table, time.monotonic_ns, wiring)
