"""The gpio scanner on /dev/gpiochip0: both backends, other people's pins, defects, a chip that goes."""

import time

import pytest

from hw import DeviceError, LinkError, PinInUse
from hw.gpio_scanner import SELECT_PINS, SENSE_PINS, GpiodPort, RpiGpioPort, open_gpio_scanner
from hw.simulator.matrix import Wiring
from tests.devices.conftest import TAKEN_PIN
from tests.devices.gpio_sim import GpioSim
from tests.devices.matrix_board import MatrixBoard

CORNERS = {"A1": "black", "O1": "white", "H8": "black", "A15": "white", "O15": "black", "C12": "white"}


def lying(board):
    return bytes(c != "." for c in board.table.lying(time.monotonic_ns()))


def until(scanner, wanted, frames=400):
    for _ in range(frames):
        frame = scanner.read()
        if frame.readings == wanted():
            return frame
    raise AssertionError(f"{frames} frames, and still {sum(frame.readings)} stones")


@pytest.fixture
def opened(pi):
    """Open scanners; all are closed at the end."""
    scanners = []

    def open_one(config, rate_hz=200):
        scanners.append(open_gpio_scanner(config, rate_hz))
        return scanners[-1]

    yield open_one
    for scanner in scanners:
        scanner.close()


@pytest.fixture(params=["gpiod", "rpigpio"])
def scanner(request, opened):
    return opened({"backend": request.param})


def test_every_crossing_is_read_at_its_place(board, scanner):
    board.table.set_up("".join("X" if i * i % 7 < 3 else "." for i in range(225)))
    board.show()
    assert scanner.read().readings == lying(board)


def test_stones_come_and_go(board, scanner):
    board.table.set_up(CORNERS)
    board.show()
    assert until(scanner, lambda: lying(board))
    now = time.monotonic_ns()
    board.table.place(now, "K4", "black")
    board.table.lift(now, "H8")
    assert until(scanner, lambda: lying(board) if board.table.quiet_ns < time.monotonic_ns() else None)
    assert scanner.faults() == []


def test_the_stamp_is_of_the_scan_and_what_is_lost_is_no_more_than_the_time_that_went_by(board, opened):
    scanner = opened({}, 20)
    frames = []
    for _ in range(20):
        before = time.monotonic_ns()
        frames.append(scanner.read())
        assert before <= frames[-1].t_ns <= time.monotonic_ns()
    scanner.close()
    periods = (frames[-1].t_ns - frames[0].t_ns) / 50_000_000
    assert sum(f.lost for f in frames[1:]) + len(frames) - 1 <= periods + 1


def test_an_enable_pin_switches_the_decoder(pi, opened):
    board = MatrixBoard(pi, enable=0)
    scanner = opened({"enable": 0})
    board.table.set_up(CORNERS)
    board.show()
    assert scanner.read().readings == lying(board)
    assert pi.level(0) == 0
    scanner.close()
    board.close()


def test_a_pin_in_use_names_the_pin_and_who_has_it(pi):
    with pytest.raises(PinInUse, match=f"GPIO{TAKEN_PIN} .* is in use by 'w1'"):
        GpiodPort(select=(TAKEN_PIN, *SELECT_PINS[1:]))
    with pytest.raises(PinInUse, match=f"GPIO{TAKEN_PIN} .* is in use by 'w1'"):
        GpiodPort(sense=(*SENSE_PINS[:-1], TAKEN_PIN))
    first = GpiodPort()
    with pytest.raises(PinInUse, match=r"GPIO4 .* is in use by 'renju-board'"):
        GpiodPort()
    first.close()
    GpiodPort().close()


def test_a_pin_in_use_is_refused_by_the_other_backend_too(pi):
    with pytest.raises(PinInUse, match=f"GPIO{TAKEN_PIN} "):
        RpiGpioPort(sense=(*SENSE_PINS[:-1], TAKEN_PIN))
    RpiGpioPort().close()


def test_a_line_that_the_chip_has_not_is_named(pi):
    with pytest.raises(DeviceError, match="there is no GPIO60 on /dev/gpiochip0"):
        GpiodPort(sense=(*SENSE_PINS[:-1], 60))


def test_the_chip_is_found_by_its_label(pi, opened):
    with GpioSim("pinctrl-rp1", name="pi5") as other:
        board = MatrixBoard(other)
        board.table.set_up({"H8": "black"})
        board.show()
        for chip in ("pinctrl-rp1", other.path):
            scanner = opened({"chip": chip})
            assert scanner.read().readings == lying(board)
            scanner.close()
        board.close()
    with pytest.raises(DeviceError, match=r"no GPIO chip pinctrl-rp1; there is /dev/gpiochip0 \(pinctrl-b"):
        GpiodPort("pinctrl-rp1")


def test_a_missing_diode_makes_no_stone(board, opened):
    scanner = opened({})
    board.wiring = Wiring(no_diode=[(7, 7)])
    for point in ("H8", "K8", "C3"):
        board.table.set_up({point: "black"})
        board.show()
        for _ in range(5):
            scanner.read()
    board.table.set_up({"H4": "white"})
    board.show()
    frames = [scanner.read() for _ in range(20)]
    assert {sum(f.readings) for f in frames} == {3}
    assert scanner.faults() == [
        (
            "switch matrix: a stone or a ghost at H4 and K4, so not taken for a stone: no diode at H8 or K8; "
            "if a stone lies there, enter it by hand"
        )
    ]


def test_a_decoder_that_loses_its_supply_comes_back(board, opened):
    scanner = opened({})
    board.table.set_up(CORNERS)
    board.show()
    assert scanner.read().readings == lying(board)
    board.wiring = Wiring(dead=True)
    board.show()
    with pytest.raises(LinkError, match="all stones vanished at once"):
        scanner.read()
    board.wiring = Wiring()
    board.show()
    assert scanner.read().readings == lying(board)
    scanner.close()


def test_a_chip_that_goes_is_told_and_claimed_again_when_it_is_back(pi, opened):
    chip = GpioSim("pinctrl-rp1", name="pi5")
    scanner = opened({"chip": "pinctrl-rp1"})
    assert scanner.read().readings == bytes(225)
    chip.close()
    with pytest.raises(LinkError, match="gpio scanner: its pins are gone: No such device"):
        scanner.read()
    with pytest.raises(LinkError, match="there is no GPIO chip pinctrl-rp1"):
        scanner.read()
    with GpioSim("pinctrl-rp1", name="pi5") as chip:
        board = MatrixBoard(chip)
        board.table.set_up({"H8": "black", "C3": "white"})
        board.show()
        assert scanner.read().readings == lying(board)
        board.close()
        scanner.close()
