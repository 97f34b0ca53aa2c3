"""The daemon on a board and a clock behind I2C nodes: what it shows while chips and buses fail."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.segments import encode
from hw.simulator.chips import VirtualBuzzer, VirtualHt16k33
from hw.simulator.i2c_board import TWO_PLANES, VirtualI2cBoard
from hw.simulator.i2c_bus import VirtualBus
from hw.simulator.sensors import SwitchSensors
from hw.simulator.table import SimulatedTable
from tests.daemon_process import DEADLINE_S, Daemon
from tests.i2c_nodes import nodes

SETTINGS = (
    "match.opening=free",
    "match.time=15m",
    "scanner.kind=i2c",
    "scanner.sensors=switch",
    "i2c_scanner.planes=poles",
    "clock.faces=ht16k33",
    "clock.buzzer=qwiic",
    "keys.factory=none",
)

ENOUGH_FRAMES = 60
"""After so many the daemon has seen the empty board: what lies there earlier is no move."""


class Hall:
    """A table with a board and a clock; the daemon sees them as `/dev/i2c-3` and `/dev/i2c-1`."""

    def __init__(self) -> None:
        self.table = SimulatedTable(electronics=SwitchSensors(1, poles=True))
        self.board = VirtualI2cBoard(self.table, time.monotonic_ns, TWO_PLANES)
        self.near, self.far = VirtualHt16k33(), VirtualHt16k33()
        self.clock = VirtualBus({0x70: self.near, 0x71: self.far, 0x34: VirtualBuzzer(time.monotonic_ns)})

    def place(self, point: str, colour: str) -> None:
        self.table.place(time.monotonic_ns(), point, colour)  # type: ignore[arg-type]

    def until_the_face_changes(self) -> None:
        before, end = self.near.picture(), time.monotonic() + DEADLINE_S
        while self.near.picture() == before:
            assert time.monotonic() < end, before
            threading.Event().wait(0.02)


@pytest.fixture
def hall() -> Hall:
    return Hall()


@pytest.fixture
def daemon(hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daemon]:
    with nodes(tmp_path, {1: hall.clock, 3: hall.board.bus}) as environ:
        for name in ("LD_PRELOAD", "I2C_NODES"):
            monkeypatch.setenv(name, environ[name])
        daemon = Daemon(tmp_path, *SETTINGS)
        while daemon.ask("/health")["frames"] < ENOUGH_FRAMES:
            threading.Event().wait(0.02)
        yield daemon
        daemon.kill()


def wait_for(daemon: Daemon, sentence: str) -> dict[str, object]:
    """The health page once one of its faults begins so."""
    end = time.monotonic() + DEADLINE_S
    while True:
        health = daemon.ask("/health")
        if any(fault.startswith(sentence) for fault in health["faults"]):
            return health
        assert time.monotonic() < end, health["faults"]
        threading.Event().wait(0.02)


def points(daemon: Daemon) -> list[str]:
    return [str(move["point"]) for move in daemon.ask("/game.json")["moves"]]


def test_a_board_whose_bus_hangs_stops_no_clock_and_makes_no_stone(hall: Hall, daemon: Daemon) -> None:
    hall.place("H8", "black")
    daemon.wait_for("the first move", "/game.json", moves=1)
    assert daemon.ask("/health")["status"] == "ok"
    hall.board.bus.stick()
    wait_for(daemon, "the board on /dev/i2c-3: the bus is stalled")
    hall.until_the_face_changes()
    hall.until_the_face_changes()
    hall.board.bus.free()
    while (board := daemon.ask("/health")["devices"]["board"])["state"] == "lost":
        threading.Event().wait(0.02)
    assert board["lost"] > 1
    hall.place("H9", "white")
    daemon.wait_for("the second move", "/game.json", moves=2)
    assert points(daemon) == ["H8", "H9"]


def test_brown_outs_and_missing_chips_are_told_and_mended(hall: Hall, daemon: Daemon) -> None:
    hall.place("H8", "black")
    daemon.wait_for("the first move", "/game.json", moves=1)
    hall.board.chips[0x20].power_on()
    wait_for(daemon, "the board on /dev/i2c-3: the expander at 0x20 has lost its settings")
    buzzer = hall.clock.detach(0x34)
    hall.near.power_on()
    while hall.near.picture().segments[0] != encode("14:59")[0][0]:
        threading.Event().wait(0.02)
    hall.clock.attach(0x34, buzzer)
    hall.clock.stick()
    wait_for(daemon, "I2C bus /dev/i2c-1: the bus is stalled")
    hall.clock.free()
    hall.until_the_face_changes()
    assert points(daemon) == ["H8"]
    code, errors = daemon.stop()
    assert (code, errors) == (0, "")


def test_without_any_chip_the_game_goes_on_and_the_page_says_what_is_missing(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with nodes(tmp_path, {1: VirtualBus()}) as environ:
        for name in ("LD_PRELOAD", "I2C_NODES"):
            monkeypatch.setenv(name, environ[name])
        daemon = Daemon(tmp_path, *SETTINGS)
        try:
            for sentence in (
                "the board on /dev/i2c-3: the bus is not there",
                "near face (0x70): does not answer",
                "far face (0x71): does not answer",
                "buzzer (0x34): does not answer",
            ):
                wait_for(daemon, sentence)
            assert daemon.command("place", point="H8", colour="black")[0]["ruling"] == "move"
        finally:
            assert daemon.stop()[0] == 0
