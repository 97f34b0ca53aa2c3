"""A whole table with the serial scanner: the daemon at a tty, the scanner's program and its stones here."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from firmware_host.service.config import load_config
from firmware_host.service.daemon import trace_keeper
from hw.devices import open_devices
from hw.simulator.serial_device import Cable, SerialDevice
from hw.simulator.table import SimulatedTable
from hw.trace import TraceReader
from tests.daemon_process import Daemon

AWAY_S = 1.2
"""Longer than sensing takes what it sees to have happened in its sight."""
SOME = 50
"""Frames after which sensing knows what lay there at the start."""
GAME = ["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8"]
SEATS = ("near", "far")
COLOURS = ("black", "white")


class SerialTable:
    """A daemon with the serial scanner. Stones are laid here; keys are those of the daemon."""

    def __init__(self, folder: Path) -> None:
        self.table = SimulatedTable(seed=4)
        self.device = SerialDevice(self.table, folder / "usb-Pico-if00")
        self.device.plug()
        self.daemon = Daemon(
            folder,
            "match.opening=free",
            "match.time=5m+3s",
            "scanner.kind=serial",
            f"serial_scanner.device={folder}/usb-*",
        )
        self.wait_until("the empty board is known", lambda: self.daemon.ask("/health")["frames"] > SOME)

    def play(self, n: int) -> None:
        """Move `n`, from 0, of GAME: the stone, then the key."""
        self.lay(GAME[n], COLOURS[n % 2])
        self.daemon.reach()
        self.daemon.hand("press", key=SEATS[n % 2])

    def lay(self, point: str, colour: str) -> None:
        """A stone comes to rest."""
        act = self.table.place(time.monotonic_ns(), point, colour)  # type: ignore[arg-type]
        threading.Event().wait(max(0, act.end_ns - time.monotonic_ns()) / 1e9)

    def points(self) -> list[str]:
        """The moves so far."""
        return [move["point"] for move in self.daemon.ask("/game.json")["moves"]]

    def running(self) -> str | None:
        """Whose clock runs."""
        side = self.daemon.ask("/arbiter.json")["clock"]["running"]
        return None if side is None else str(side)

    def faults(self) -> list[str]:
        """What the arbiter is told of the devices."""
        return list(self.daemon.ask("/arbiter.json")["faults"])

    def wait_until(self, what: str, so: object) -> None:
        """Ask until it is so."""
        assert callable(so)
        end = time.monotonic() + 30
        while not so():
            assert time.monotonic() < end, f"{what}: {self.daemon.ask('/arbiter.json')}"
            threading.Event().wait(0.05)


@pytest.fixture
def serial_table(tmp_path: Path) -> Iterator[SerialTable]:
    serial_table = SerialTable(tmp_path)
    yield serial_table
    serial_table.daemon.kill()
    serial_table.device.unplug()


def test_a_whole_game_over_a_cable_that_loses_a_little(serial_table: SerialTable) -> None:
    serial_table.daemon.wait_for("ready", phase="playing", differences=[])
    serial_table.device.cable = Cable(lose=0.01, flip=0.01, double=0.01, swap=0.01, noise=0.01)
    for n in range(len(GAME)):
        serial_table.play(n)
    final = serial_table.daemon.wait_for("the five", "/game.json", phase="over")
    assert [move["point"] for move in final["moves"]] == GAME
    assert final["result"]["reason"] == "five"
    assert serial_table.daemon.stop() == (0, "")


def test_unplugged_and_back_with_two_more_stones(serial_table: SerialTable) -> None:
    """The two are there when the board is back, nothing else is, and the game goes on."""
    daemon, device = serial_table.daemon, serial_table.device
    for n in range(4):
        serial_table.play(n)
    daemon.wait_for("four moves", "/game.json", moves=4)
    device.unplug()
    serial_table.wait_until("the loss is told", serial_table.faults)
    (told,) = serial_table.faults()
    assert told.startswith("serial scanner ")
    assert "(unplugged" in told
    assert daemon.ask("/health")["scanner"] == "fault"
    for n, side in ((4, "white"), (5, "black")):
        serial_table.play(n)
        serial_table.wait_until("the press is obeyed", lambda side=side: serial_table.running() == side)
    before_ms = daemon.ask("/arbiter.json")["clock"]["black"]["remaining_ms"]
    threading.Event().wait(AWAY_S)
    state = daemon.ask("/arbiter.json")
    assert serial_table.points() == GAME[:4], "a missing frame is no board"
    assert state["clock"]["running"] == "black", "the keys are obeyed at once"
    assert state["clock"]["black"]["remaining_ms"] < before_ms - 500 * AWAY_S, "the clock goes on"
    device.plug()
    state = daemon.wait_for("what lies there is seen", moves=6)
    assert [move["point"] for move in state["moves"]] == GAME[:6]
    assert (state["clock"]["running"], state["irregular"]) == ("black", [])
    assert serial_table.faults() == []
    board = daemon.ask("/health")["devices"]["board"]
    assert (board["state"], board["reconnects"], board["lost"] > 0) == ("ok", 1, True)
    assert state["told"][-1]["code"] == "frames-lost"
    for n in range(6, 9):
        serial_table.play(n)
    final = daemon.wait_for("the five", "/game.json", phase="over")
    assert [move["point"] for move in final["moves"]] == GAME
    assert daemon.stop() == (0, "")


def test_dead_rows_are_named_and_their_stones_stay(serial_table: SerialTable) -> None:
    """The values of rows without power float about; neither a stone comes of them nor does one go."""
    daemon, device = serial_table.daemon, serial_table.device
    for n in range(4):
        serial_table.play(n)
    daemon.wait_for("four moves", "/game.json", moves=4)
    device.rows_off = frozenset({7, 8})
    state = daemon.wait_for("the rows are masked", masked=30)
    assert {point[1:] for point in state["masked"]} == {"8", "9"}
    for row in (8, 9):
        told = f"row {row} of the sensor plane cannot be read: its reference is 5, not 48 to 68"
        assert any(fault.startswith(told) for fault in state["faults"])
    serial_table.lay("C3", "black")
    daemon.reach()
    daemon.hand("press", key="near")
    state = daemon.wait_for("the game goes on", moves=5)
    assert [move["point"] for move in state["moves"]] == [*GAME[:4], "C3"]
    assert state["irregular"] == []
    device.rows_off = frozenset()
    state = daemon.wait_for("they are believed again", masked=0)
    assert len(state["moves"]) == 5


def test_sensors_without_supply_are_no_empty_board(serial_table: SerialTable) -> None:
    """The scanner lives on its cable while its sensors lose their supply: nothing is seen, nothing gone."""
    daemon, device = serial_table.daemon, serial_table.device
    for n in range(4):
        serial_table.play(n)
    daemon.wait_for("four moves", "/game.json", moves=4)
    device.rows_off = frozenset(range(15))
    serial_table.wait_until("it is told", serial_table.faults)
    (told,) = serial_table.faults()
    assert "no row of sensors can be read: all references are off, not 48 to 68 (the sensors' supply" in told
    threading.Event().wait(AWAY_S)
    serial_table.lay(GAME[4], "black")
    device.rows_off = frozenset()
    daemon.hand("press", key="near")
    state = daemon.wait_for("the stone laid meanwhile is seen", moves=5)
    assert [move["point"] for move in state["moves"]] == GAME[:5]
    assert (state["irregular"], serial_table.faults()) == ([], [])


def test_saved_traces_have_the_rate_that_the_scanner_keeps(tmp_path: Path) -> None:
    device = SerialDevice(SimulatedTable(seed=4), tmp_path / "usb-Slow", most_hz=120)
    config = load_config(
        overrides=[
            "scanner.kind=serial", f"serial_scanner.device={device.link}", "keys.factory=none",
            f"journal.path={tmp_path / 'journal.db'}",
        ]
    )  # fmt: skip
    devices = open_devices(msgspec.to_builtins(config))
    keeper = trace_keeper(config, devices)
    device.plug()
    try:
        frame = devices.scanner.read()
        assert frame is not None
        keeper.frame(frame)
        with TraceReader(keeper.save_now("call")) as trace:
            assert trace.header.rate_hz == 120
    finally:
        devices.close()
        device.unplug()


def test_a_table_that_starts_without_its_scanner_waits_for_it(tmp_path: Path) -> None:
    table = SimulatedTable(seed=4)
    device = SerialDevice(table, tmp_path / "usb-Pico-if00")
    settings = ("match.opening=free", "scanner.kind=serial", f"serial_scanner.device={device.link}")
    daemon = Daemon(tmp_path, *settings)
    try:
        faults = [f"serial scanner {device.link} is not there (unplugged, or without power)"]
        daemon.wait_for("it is missed", faults=1)
        assert daemon.ask("/arbiter.json")["faults"] == faults
        device.plug()
        daemon.wait_for("it is there", phase="playing", faults=0)
        assert daemon.stop() == (0, "")
    finally:
        daemon.kill()
        device.unplug()
