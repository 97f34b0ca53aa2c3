"""The gpio scanner before a simulated matrix, at a time of its own; real pins are in tests/devices."""

import pytest

from hw import DeviceError, LinkError, PinInUse
from hw.gpio_scanner import GRAY, IDLE, SELECT_PINS, SENSE_PINS, GpioScanner, open_gpio_scanner
from hw.simulator import SimulatedTable
from hw.simulator.matrix import SimulatedMatrix, Wiring
from hw.simulator.sensors import SwitchSensors

MS = 1_000_000
US = 1_000


class Time:
    def __init__(self):
        self.ns = 1000 * MS

    def now(self):
        return self.ns

    def sleep(self, seconds):
        self.ns += round(seconds * 1e9)


class Bench:
    """A scanner, the matrix before it and the table below; a call to the pins takes `call_us`."""

    def __init__(self, *, settle_us=50, lines_settle_us=40.0, rate_hz=200, call_us=5):
        self.time = Time()
        self.table = SimulatedTable(electronics=SwitchSensors(1))
        self.matrices = []
        self.refusal = None

        def open_port():
            if self.refusal is not None:
                raise self.refusal
            matrix = SimulatedMatrix(self.table, settle_us=lines_settle_us, now_ns=self.time.now)
            sense, select = matrix.sense, matrix.select
            matrix.sense = lambda: (self.time.sleep(call_us / 1e6), sense())[1]
            matrix.select = lambda code: (self.time.sleep(call_us / 1e6), select(code))[1]
            self.matrices.append(matrix)
            return matrix

        self.scanner = GpioScanner(
            open_port,
            rate_hz,
            settle_us=settle_us,
            now_ns=self.time.now,
            sleep=self.time.sleep,
            settle=self.time.sleep,
        )

    @property
    def matrix(self):
        if not self.matrices:
            self.frames(1)
        return self.matrices[-1]

    def frames(self, count):
        return [self.scanner.read() for _ in range(count)]

    def lying(self):
        return bytes(c != "." for c in self.table.lying(self.time.ns))


def test_lines_are_selected_so_that_one_pin_changes_at_a_time():
    assert sorted(GRAY) == list(range(16))
    assert all((a ^ b).bit_count() == 1 for a, b in zip(GRAY, (*GRAY[1:], GRAY[0]), strict=True))
    assert IDLE not in range(15)


def test_the_usual_pins_are_different_ones_and_not_those_of_keys_and_bus():
    pins = (*SELECT_PINS, *SENSE_PINS)
    assert (len(SELECT_PINS), len(SENSE_PINS), len(set(pins))) == (4, 15, 19)
    assert not set(pins) & {0, 1, 2, 3, 17, 22, 23, 24, 27}


def test_a_frame_shows_what_lies_there():
    bench = Bench()
    bench.table.set_up({"A1": "black", "O1": "white", "H8": "black", "A15": "white", "K15": "black"})
    assert [f.readings for f in bench.frames(5)][-1] == bench.lying()
    assert (bench.scanner.sensors, bench.scanner.rate_hz, bench.scanner.faults()) == ("switch", 200, [])


def test_frames_come_on_time():
    bench = Bench()
    assert [f.t_ns for f in bench.frames(50)] == [1000 * MS + 5 * MS * i for i in range(50)]


def test_what_the_host_was_too_busy_for_is_lost_and_counted():
    bench = Bench()
    bench.frames(3)
    bench.time.ns += 23 * MS
    late, *rest = bench.frames(3)
    assert late.lost == 3, "of the slots at 15, 20, 25 and 30 ms the last was used"
    assert [f.lost for f in rest] == [0, 0]
    assert [f.t_ns % (5 * MS) for f in rest] == [0, 0], "and then it is on time again"


def test_without_its_settle_time_a_line_shows_the_one_before_it():
    bench = Bench(settle_us=0)
    bench.table.set_up({"H8": "black"})
    assert bench.frames(1)[0].readings != bench.lying()
    patient = Bench(settle_us=50)
    patient.table.set_up({"H8": "black"})
    assert patient.frames(1)[0].readings == patient.lying()


def test_a_game_of_stones_put_down_and_lifted():
    bench = Bench()
    at_ns = bench.time.ns + 100 * MS
    for n, point in enumerate(("H8", "I9", "G7", "H9", "J10", "H7", "H10")):
        bench.table.place(at_ns + 400 * n * MS, point, "black" if n % 2 == 0 else "white")
    bench.table.lift(at_ns + 3500 * MS, "J10")
    frames = bench.frames(900)
    assert frames[-1].readings == bench.lying()
    assert sum(frames[-1].readings) == 6
    assert bench.scanner.faults() == []


def test_pins_that_go_are_told_and_claimed_again():
    bench = Bench()
    bench.table.set_up({"H8": "black", "K8": "white"})
    bench.frames(3)
    bench.matrix.cut = True
    with pytest.raises(LinkError, match="gpio scanner: its pins are gone: No such device"):
        bench.scanner.read()
    assert bench.matrix.closed, "first let go, then claim again"
    bench.refusal = PinInUse("GPIO4 (gpio scanner) is in use by 'w1'")
    with pytest.raises(LinkError, match="GPIO4"):
        bench.scanner.read()
    bench.refusal = DeviceError("gpio scanner: there is no GPIO chip")
    with pytest.raises(LinkError, match="there is no GPIO chip"):
        bench.scanner.read()
    bench.refusal = None
    bench.time.ns += 40_000 * MS
    bench.table.set_up({"H4": "black", "K4": "white"})  # and both at once, for all that the scanner knows
    frame = bench.scanner.read()
    assert frame.readings == bench.lying()
    assert frame.lost >= 40_000 // 5 - 1
    assert len(bench.matrices) == 2


def test_a_pin_in_use_at_the_start_is_a_state_until_it_is_free():
    bench = Bench()
    bench.refusal = PinInUse("GPIO4 (gpio scanner) is in use by 'w1'")
    for _ in range(2):
        with pytest.raises(LinkError, match=r"GPIO4 \(gpio scanner\) is in use by 'w1'"):
            bench.scanner.read()
        assert (bench.scanner.health()["state"], bench.scanner.faults()) == ("lost", [])
        bench.time.ns += 300 * MS
    bench.refusal = None
    assert bench.frames(3)[-1].readings == bench.lying()
    assert bench.scanner.health() == {"state": "ok", "lost": 0}, "before the first frame none is lost"


def test_faults_of_the_matrix_are_told_while_frames_go_on():
    bench = Bench()
    bench.table.set_up({"H8": "black"})
    bench.frames(5)
    bench.matrix.wiring = Wiring(shorted_sense=[3])
    assert bench.frames(5)[-1].readings == bench.lying()
    (said,) = bench.scanner.faults()
    assert said == (
        "switch matrix: sense line D conducts while nothing is selected, so it touches ground: its points"
        " stay as they were"
    )


def test_pins_that_are_gone_have_no_other_faults():
    bench = Bench()
    bench.matrix.wiring = Wiring(shorted_sense=[3])
    bench.frames(3)
    assert len(bench.scanner.faults()) == 1
    bench.matrix.cut = True
    with pytest.raises(LinkError, match="its pins are gone"):
        bench.scanner.read()
    assert bench.scanner.faults() == []


def test_a_stall_of_the_host_lets_no_ghost_through():
    bench = Bench()
    bench.matrix.wiring = Wiring(no_diode=[(7, 7)])
    bench.table.set_up({"H8": "black", "K8": "white"})
    bench.frames(5)
    bench.time.ns += 150 * MS
    bench.table.set_up({"H4": "black"})
    assert [sum(f.readings) for f in bench.frames(5)] == [2] * 5
    assert "H4 and K4" in bench.scanner.faults()[0]


def test_a_decoder_without_supply_is_a_lost_link_and_comes_back():
    bench = Bench()
    bench.table.set_up(dict.fromkeys(("A1", "B2", "C3", "D4", "E5", "F7"), "black"))
    bench.frames(5)
    bench.matrix.wiring = Wiring(dead=True)
    for _ in range(3):
        with pytest.raises(LinkError, match="switch matrix: all stones vanished at once"):
            bench.scanner.read()
        bench.time.ns += 200 * MS
    bench.matrix.wiring = Wiring()
    frame = bench.scanner.read()
    assert frame.readings == bench.lying()
    assert frame.lost > 100


def test_close_ends_reading_and_lets_go():
    bench = Bench()
    bench.frames(2)
    bench.scanner.close()
    bench.scanner.close()
    assert bench.scanner.read() is None
    assert bench.matrix.closed


def test_an_unknown_backend_is_refused():
    with pytest.raises(DeviceError, match=r"gpio_scanner\.backend = 'wiringpi' .* gpiod, rpigpio"):
        open_gpio_scanner({"backend": "wiringpi"})


def test_a_library_that_does_not_run_here_is_named():
    with pytest.raises(LinkError, match=r"gpio scanner: RPi\.GPIO cannot be had here: "):
        open_gpio_scanner({"backend": "rpigpio"}).read()
