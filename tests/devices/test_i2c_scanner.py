"""The I2C scanner through smbus2 on /dev/i2c-3, and what breaks while two more stones are laid.

Every frame is judged when it comes (`Watch`): it has no stone that nobody laid, lacks none that has come to
rest, and was scanned after it was asked for.
"""

import os
import threading
import time

import pytest

from hw.i2c_scanner import open_i2c_scanner
from hw.keys import pin_factory
from tests.devices.expander_board import BUS, KINDS, ExpanderBoard
from tests.devices.watch import Watch

NAME = f"the board on /dev/i2c-{BUS}"
RATE_HZ = 50
RESET_PIN = 3
"""Nobody else's here: gpiozero keeps the line until this process ends."""
FIRST = {"A1": "black", "O1": "white", "H8": "black", "A15": "white", "O15": "black", "C12": "white"}


@pytest.fixture
def board(request):
    board = ExpanderBoard(getattr(request, "param", "two planes"))
    yield board
    board.close()


@pytest.fixture
def opened(board):
    """Open scanners; all are closed at the end, which lets go of the bus."""
    scanners = []

    def open_one(rate_hz=RATE_HZ, **more):
        config = {**board.config, **more}
        scanners.append(
            open_i2c_scanner(config, rate_hz, 1, lambda: pin_factory("lgpio", "i2c_scanner.reset_pin"))
        )
        return scanners[-1]

    yield open_one
    for scanner in scanners:
        scanner.close()


@pytest.fixture
def watch(board, opened):
    """A scanner that has seen six stones."""
    board.set_up(FIRST)
    return seen(Watch(board, opened()))


def seen(watch):
    watch.see()
    assert watch.told == []
    return watch


@pytest.mark.parametrize("board", KINDS, indirect=True)
def test_every_crossing_is_read_at_its_place(board, opened):
    board.set_up({at: ("black", "white")[at % 2] for at in range(225) if at * at % 7 < 3})
    watch = seen(Watch(board, opened()))
    watch.run(4)
    assert watch.told == []


@pytest.mark.parametrize("board", KINDS, indirect=True)
def test_stones_come_one_after_the_other(board, watch):
    for point, colour in (("H9", "white"), ("I10", "black"), ("B15", "white")):
        board.place(point, colour)
        seen(watch)


def test_a_loose_wire_costs_retries(board, watch):
    board.bus.fail_often(0.01, seed=2)
    watch.lay_two()
    watch.until(lambda: watch.scanner.health()["retries"] > 3, "it is loose")
    seen(watch)


def test_a_very_loose_wire_costs_frames_and_is_one_trouble(board, watch):
    board.bus.fail_often(0.2, seed=2)
    watch.lay_two()
    watch.until(lambda: watch.scanner.health()["failures"] > 3, "passes fail")
    board.bus.fail_often(0)
    watch.recovers(f"{NAME}: the expander at 0x2")


@pytest.mark.parametrize(
    ("board", "address"), [("two planes", 0x20), ("MCP23017", 0x20), ("MCP23017", 0x22)], indirect=["board"]
)
def test_an_expander_that_browns_out_is_set_up_anew(board, watch, address):
    """Those that would read otherwise without their settings."""
    board.chips[address].power_on()
    watch.lay_two()
    watch.recovers(f"{NAME}: the expander at {address:#04x} has lost its settings")
    assert watch.scanner.brown_outs == 1
    watch.until(lambda: watch.scanner.health()["state"] == "ok", "it is told for some seconds only")


@pytest.mark.parametrize("address", [0x20, 0x21, 0x22])
def test_an_expander_without_power_is_no_empty_board(board, watch, address):
    board.bus.cut_power(address)
    watch.until(lambda: watch.told, "it is told")
    watch.lay_two()
    board.bus.restore_power(address)
    watch.recovers(f"{NAME}: the expander at {address:#04x} does not answer")


def test_a_bus_that_is_held_times_out_and_comes_back(board, watch):
    board.bus.stick()
    assert watch.read() is None
    watch.lay_two()
    board.bus.free()
    watch.recovers(f"{NAME}: the bus is stalled")


def test_the_reset_line_frees_a_chip_that_holds_sda(pi, board, opened):
    board.set_up(FIRST)
    watch = seen(Watch(board, opened(reset_pin=RESET_PIN)))
    done = threading.Event()

    def reset_is_wired():
        while not done.wait(0.001):
            if not pi.level(RESET_PIN):
                board.bus.free()

    wire = threading.Thread(target=reset_is_wired, daemon=True)
    wire.start()
    try:
        board.bus.hang(0x22)
        watch.until(lambda: watch.told, "it is told")
        watch.lay_two()
        watch.recovers(f"{NAME}: the bus is stalled")
    finally:
        done.set()
        wire.join()


def test_an_adapter_that_is_unplugged_comes_back(board, watch):
    board.relay.unplug()
    watch.until(lambda: watch.told, "it is told")
    assert not os.path.exists(f"/dev/i2c-{BUS}"), "the scanner has let go of it"
    watch.lay_two()
    board.relay.close()
    board.plug_in()
    watch.recovers(f"{NAME}: the bus has gone")


def test_a_slow_bus_gives_fewer_frames_and_no_other(board, watch):
    board.bus.on_transfer = lambda _: time.sleep(0.002)
    watch.lay_two()
    seen(watch)


def test_closing_ends_a_waiting_read(opened):
    scanner = opened(rate_hz=1)
    assert scanner.read() is not None
    found = []
    reading = threading.Thread(target=lambda: found.append(scanner.read()), daemon=True)
    reading.start()
    scanner.close()
    reading.join(20)
    assert found == [None]
