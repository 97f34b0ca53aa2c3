"""The daemon on a Pi's interfaces: scanner and keys on /dev/gpiochip0, faces and buzzer on /dev/i2c-1."""

import time

import pytest

from hw.segments import encode
from hw.simulator.matrix import Wiring
from tests.daemon_process import Daemon
from tests.devices.conftest import KEY_PINS

GAME = ["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8"]
SEATS = ("near", "far")
SETTINGS = (
    "match.opening=free",
    "scanner.kind=gpio",
    "scanner.sensors=switch",
    "scanner.rate_hz=100",  # table, chips and daemon share the one processor of this kernel,
    "gpio_scanner.settle_us=0",  # and its lines need no time
    "keys.factory=lgpio",
    "clock.faces=ht16k33",
    "clock.buzzer=qwiic",
)
LONG_S = 45.0


@pytest.fixture
def daemon(request, tmp_path, board, clock):
    daemon = Daemon(tmp_path, *SETTINGS, f"match.time={request.param}")
    yield daemon
    daemon.kill()


def wait_for(what, why):
    end = time.monotonic() + LONG_S
    while not what():
        assert time.monotonic() < end, why
        time.sleep(0.02)


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


def points(snapshot):
    return [m["point"] for m in snapshot["moves"]]


@pytest.mark.parametrize("daemon", ["5m+3s"], indirect=True)
def test_a_whole_game(pi, board, clock, daemon):
    wait_for(lambda: clock.near.picture()[:2] == encode("04:58"), "Black's time runs")
    assert clock.far.picture()[:2] == encode("05:00")
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
    running = clock.far.picture()
    wait_for(lambda: clock.far.picture() != running, "the clock goes on without the board")
    board.wiring = Wiring()
    wait_for(lambda: daemon.ask("/arbiter.json")["faults"] == [], "all is well again")
    assert points(daemon.ask("/arbiter.json")) == GAME[:7], "an empty board was never seen"
    move(pi, board, daemon, 7)
    put(board, 8)
    over = daemon.wait_for("a five", "/game.json", phase="over")
    assert points(over) == GAME
    assert (over["result"]["winner"], over["result"]["reason"]) == ("black", "five")
