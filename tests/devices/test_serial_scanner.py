"""The serial scanner on a tty of the devices kernel, and what breaks while two more stones are laid.

The tty is a pseudo-terminal, opened by the scanner's own code; behind it runs the scanner's firmware
(`SerialDevice`) at a simulated table, and between them a cable that can be bad. Every frame is judged when it
comes (`Watch`).
"""

import time
from pathlib import Path

import pytest
from serial import Serial

from hw.serial_scanner import SerialScanner
from hw.simulator.sensors import LinearSensors
from hw.simulator.serial_device import UID, Cable, SerialDevice
from tests.devices.watch import LaidTable, Watch

RATE_HZ = 100
WITHIN_NS = 250_000_000
"""How wrong the offset of the scanner's clock may be on a machine that is busy when it is found."""
FIRST = {"A1": "black", "O1": "white", "H8": "black", "A15": "white", "O15": "black", "C12": "white"}
BAD_CABLES = {
    "corrupts": (Cable(flip=0.2), "corrupt"),
    "cuts": (Cable(drop=0.2), "corrupt"),
    "adds garbage": (Cable(noise=0.2), "corrupt"),
    "doubles": (Cable(double=0.3), "duplicate"),
    "reorders": (Cable(swap=0.2), "late"),
    "loses": (Cable(lose=0.2), "lost"),
    "does it all": (Cable(lose=0.05, flip=0.05, drop=0.05, double=0.05, swap=0.05, noise=0.05), "lost"),
}
"""What a cable does, and what counts it."""


@pytest.fixture
def laid():
    laid = LaidTable(LinearSensors(1, gain_spread=0.05, offset_counts=3, noise_counts=2))
    laid.set_up(FIRST)
    return laid


@pytest.fixture
def device(tmp_path, laid):
    device = SerialDevice(laid.table, tmp_path / "usb-Pico-if00")
    device.plug()
    yield device
    device.unplug()


@pytest.fixture
def watch(tmp_path, laid, device):
    """A scanner that has seen six stones."""
    scanner = SerialScanner(f"{tmp_path}/usb-*", RATE_HZ)
    watch = Watch(laid, scanner, WITHIN_NS)
    watch.see()
    yield watch
    scanner.close()


def test_it_is_a_tty_of_this_kernel(device, watch):
    assert device.tty.startswith("/dev/pts/")
    assert Path(device.tty).is_char_device()
    assert watch.scanner.health()["uid"] == UID.hex()


def test_stones_come_one_after_the_other(laid, watch):
    for point, colour in (("H9", "white"), ("I10", "black"), ("B15", "white")):
        laid.place(point, colour)
        watch.see()
    assert watch.told == []


@pytest.mark.parametrize(("cable", "counted"), BAD_CABLES.values(), ids=BAD_CABLES)
def test_a_bad_cable_makes_no_stone_and_takes_none(device, watch, cable, counted):
    before = watch.scanner.health()[counted]
    device.cable = cable
    watch.lay_two()
    watch.until(lambda: watch.scanner.health()[counted] > before, f"it is counted as {counted}")
    watch.see()
    device.cable = Cable()
    watch.run(10)
    assert watch.told == []
    assert watch.scanner.health()["reconnects"] == 0


def test_unplugged_and_back_under_another_name_with_two_more_stones(tmp_path, device, watch):
    tty, name = device.tty, str(device.link)
    with Serial(tty):  # somebody keeps the old node alive, so that its name is not free
        device.unplug()
        watch.until(lambda: watch.told, "it is told")
        watch.lay_two()
        assert watch.scanner.health()["state"] == "lost"
        away_ns = time.monotonic_ns()
        device.link = tmp_path / "usb-Pico-if02"
        device.plug()
        seen = len(watch.frames)
        watch.recovers(f"serial scanner {name} is gone (unplugged, or it has restarted)")
    assert watch.frames[seen].t_ns > away_ns, "nothing of before is passed on"
    assert device.tty != tty
    health = watch.scanner.health()
    assert (health["port"], health["reconnects"]) == (str(device.link), 1)


def test_a_scanner_that_hangs_works_again(device, watch):
    device.silent = True
    watch.until(lambda: watch.told, "it is told")
    watch.lay_two()
    device.silent = False
    watch.recovers(f"serial scanner {device.link} has fallen silent (its firmware hangs")


def test_rows_without_their_multiplexer_are_named(device, watch):
    device.rows_off = frozenset({3})
    watch.until(lambda: watch.told, "it is told")
    watch.lay_two()
    device.rows_off = frozenset()
    watch.see()
    (told,) = watch.told
    assert told.startswith("row 4 of the sensor plane cannot be read")
