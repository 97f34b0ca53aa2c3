"""The daemon on a Pi's interfaces: keys on /dev/gpiochip0, faces and buzzer on /dev/i2c-1, and each board.

The board is on /dev/gpiochip0 too, on /dev/i2c-3, or on a tty.
"""

import time

import pytest

from hw.segments import encode
from hw.simulator.matrix import Wiring
from hw.simulator.physics import sensor_index
from hw.simulator.sensors import LinearSensors
from hw.simulator.serial_device import Cable, SerialDevice
from tests.daemon_process import Daemon
from tests.devices.conftest import KEY_PINS
from tests.devices.expander_board import BUS, ExpanderBoard
from tests.devices.watch import BOUNCE_NS, LaidTable
from tests.patience import wait_for

GAME = ["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8"]
SEATS = ("near", "far")
SETTINGS = (
    "match.opening=free",
    "keys.factory=lgpio",
    "clock.faces=ht16k33",
    "clock.buzzer=qwiic",
)
GPIO = (
    "scanner.kind=gpio",
    "scanner.sensors=switch",
    "scanner.rate_hz=100",  # table, chips and daemon share the one processor of this kernel,
    "gpio_scanner.settle_us=0",  # and its lines need no time
)


@pytest.fixture
def daemon(request, tmp_path, board, clock):
    daemon = Daemon(tmp_path, *SETTINGS, *GPIO, f"match.time={request.param}")
    yield daemon
    daemon.kill()


class OnI2c:
    """Two planes of switches behind expanders on /dev/i2c-3."""

    settings = (
        "scanner.kind=i2c",
        "scanner.sensors=switch",
        "scanner.rate_hz=50",
        f"i2c_scanner.i2c_bus={BUS}",
        "i2c_scanner.planes=poles",
    )
    gone = f"the board on /dev/i2c-{BUS}: the bus has gone"

    def __init__(self, folder):
        self.laid = ExpanderBoard()
        self.table = self.laid.table

    def troubles(self):
        """What the game does not notice, one for each move: a loose wire, a slow bus."""
        bus = self.laid.bus
        yield bus.fail_often(0.01, seed=1)
        bus.fail_often(0)
        bus.on_transfer = lambda _: time.sleep(0.001)
        yield
        bus.on_transfer = None

    def unplug(self):
        self.laid.relay.unplug()
        self.laid.relay.close()

    def plug(self):
        self.laid.plug_in()

    def close(self):
        self.laid.close()


class OnSerial:
    """Linear sensors behind the scanner's firmware on a tty."""

    settings = ("scanner.kind=serial", "scanner.sensors=linear", "scanner.rate_hz=100")

    def __init__(self, folder):
        self.laid = LaidTable(LinearSensors(1))
        self.table = self.laid.table
        self.device = SerialDevice(self.table, folder / "usb-Pico-if00")
        self.device.plug()
        self.settings = (*self.settings, f"serial_scanner.device={folder}/usb-*")
        self.gone = f"serial scanner {self.device.link} is gone"
        self.other = folder / "usb-Pico-if02"

    def troubles(self):
        """What the game does not notice, one for each move: bytes that are wrong, messages twice and late."""
        self.device.cable = Cable(flip=0.1, drop=0.05)
        yield
        self.device.cable = Cable(double=0.2, swap=0.1)
        yield
        self.device.cable = Cable()

    def unplug(self):
        self.device.unplug()

    def plug(self):
        self.device.link = self.other
        self.device.plug()

    def close(self):
        self.device.unplug()


@pytest.fixture(params=[OnI2c, OnSerial], ids=["i2c", "serial"])
def place(request, tmp_path, pi, clock):
    place = request.param(tmp_path)
    place.daemon = Daemon(tmp_path, *SETTINGS, *place.settings, "match.time=5m+3s")
    yield place
    place.daemon.kill()
    place.close()


def put(board, n):
    """Stone `n` of GAME, from 0, and the hand is back."""
    act = board.table.place(time.monotonic_ns(), GAME[n], ("black", "white")[n % 2])
    wait_for(lambda: board.shown_ns > act.end_ns, "the hand")


def press(pi, n):
    pi.pull(KEY_PINS[SEATS[n % 2]], False)
    time.sleep(0.04)
    pi.pull(KEY_PINS[SEATS[n % 2]], True)


def move(pi, board, daemon, n):
    put(board, n)
    daemon.reach()
    press(pi, n)
    daemon.wait_for(f"move {n + 1} and its press", moves=n + 1, to_move=("white", "black")[n % 2])


def time_runs(clock):
    """Black's, and not White's."""
    full, dark = encode("05:00"), (bytes(4), False)
    wait_for(lambda: clock.far.picture()[:2] == full, "White's time is shown")
    wait_for(lambda: clock.near.picture()[:2] not in (full, dark), "Black's time runs")
    assert clock.far.picture()[:2] == full


def points(snapshot):
    return [m["point"] for m in snapshot["moves"]]


@pytest.mark.parametrize("daemon", ["5m+3s"], indirect=True)
def test_a_whole_game(pi, board, clock, daemon):
    time_runs(clock)
    for n in range(len(GAME) - 1):
        move(pi, board, daemon, n)
    put(board, len(GAME) - 1)
    over = daemon.wait_for("a five", "/game.json", phase="over")
    assert points(over) == GAME
    assert (over["result"]["winner"], over["result"]["reason"]) == ("black", "five")
    assert daemon.ask("/arbiter.json")["faults"] == []
    code, errors = daemon.stop()
    assert (code, errors) == (0, "")
    assert clock.near.picture()[:2] == (bytes(4), False), "and the faces are blank"


@pytest.mark.parametrize("daemon", ["1s + 9x40s"], indirect=True)
def test_what_breaks_is_told_and_the_game_goes_on(pi, board, clock, daemon):
    wait_for(lambda: clock.buzzer.tones, "one of the tones before the end of a period, if not the first one")
    for n in range(6):
        move(pi, board, daemon, n)
    clock.bus.detach(0x71)
    move(pi, board, daemon, 6)
    wait_for(
        lambda: any("0x71" in f for f in daemon.ask("/arbiter.json")["faults"]), "a missing face is told"
    )
    clock.bus.attach(0x71, clock.far)

    board.wiring = Wiring(dead=True)
    wait_for(
        lambda: any("the decoder has no supply" in f for f in daemon.ask("/arbiter.json")["faults"]),
        "a dead decoder is told",
    )
    goes_on(clock.far)
    board.wiring = Wiring()
    wait_for(lambda: daemon.ask("/arbiter.json")["faults"] == [], "all is well again")
    assert points(daemon.ask("/arbiter.json")) == GAME[:7], "an empty board was never seen"
    move(pi, board, daemon, 7)
    put(board, 8)
    over = daemon.wait_for("a five", "/game.json", phase="over")
    assert points(over) == GAME
    assert (over["result"]["winner"], over["result"]["reason"]) == ("black", "five")


def lay(place, n, *, away=False):
    """Stone `n` of GAME, from 0: the hand is back and, unless the board is `away`, the stone is known.

    On a busy machine the serial scanner's clock may be set so badly that a stone is stamped later than it was
    laid, though never later than it was known.
    """
    act = place.laid.place(GAME[n], ("black", "white")[n % 2])
    wait_for(lambda: time.monotonic_ns() > act.end_ns + BOUNCE_NS, "the hand")
    at = sensor_index(GAME[n])
    wait_for(lambda: away or place.daemon.ask("/arbiter.json")["sensed"][at] != ".", f"{GAME[n]} is not seen")
    place.daemon.reach()


def goes_on(face):
    """The clock counts without the board."""
    shown = face.picture()
    wait_for(lambda: face.picture() != shown, "the clock goes on without the board")


def test_the_board_is_away_while_two_more_stones_are_laid(pi, clock, place):
    daemon = place.daemon
    time_runs(clock)
    for n, _ in enumerate(place.troubles()):
        lay(place, n)
        press(pi, n)
        daemon.wait_for(f"move {n + 1} and its press", moves=n + 1, to_move=("white", "black")[n % 2])
    place.unplug()
    told = daemon.wait_for("it is told", faults=1)["faults"]
    assert told[0].startswith(place.gone)
    for n in (2, 3):
        goes_on((clock.near, clock.far)[n % 2])
        lay(place, n, away=True)
        press(pi, n)
    asked = daemon.ask("/arbiter.json")
    assert (points(asked), asked["faults"]) == (GAME[:2], told), "an empty board was never seen"
    place.plug()
    back = daemon.wait_for("both stones are seen, and their presses", moves=4, to_move="black", faults=0)
    assert (points(back), back["irregular"]) == (GAME[:4], [])
    for n in range(4, len(GAME)):
        lay(place, n, away=n == len(GAME) - 1)  # with the five the game is over
        if n < len(GAME) - 1:
            press(pi, n)
            daemon.wait_for(f"move {n + 1} and its press", moves=n + 1, to_move=("white", "black")[n % 2])
    over = daemon.wait_for("a five", "/game.json", phase="over")
    assert points(over) == GAME
    assert (over["result"]["winner"], over["result"]["reason"]) == ("black", "five")
    assert daemon.stop() == (0, "")
