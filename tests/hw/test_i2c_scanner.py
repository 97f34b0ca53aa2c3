"""The I2C scanner: pace, stamps, losses and recovery, in virtual time; and its games through the pipeline."""

import errno
import itertools
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import pytest

from firmware_host.board import BLACK, NAMES, WHITE
from firmware_host.pipeline import Pipeline
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling, Moved
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Lifted, Placed, Slid
from firmware_host.sensing.watcher import BoardWatcher
from hw import Frame, LinkError
from hw.i2c_board import Wiring
from hw.i2c_scanner import I2cScanner
from hw.simulator.i2c_board import TWO_PLANES, USUAL, VirtualI2cBoard
from hw.simulator.sensors import SwitchSensors
from hw.simulator.table import SimulatedTable

T = TypeVar("T")
MS = 1_000_000
SECOND = 1000 * MS
PERIOD = 5 * MS
TRANSFER_NS = 100_000
"""About what a transfer takes on a Pi, with 400 kHz."""


class Desk:
    """A scanner whose transfers and pauses take virtual time."""

    def __init__(self, wiring: Wiring = USUAL) -> None:
        self.now_ns = SECOND
        self.resets = 0
        self.on_reset: Callable[[], None] = lambda: None
        self.table = SimulatedTable(electronics=SwitchSensors(1, poles=wiring.poles))
        self.virtual = VirtualI2cBoard(self.table, lambda: self.now_ns, wiring)
        self.bus = self.virtual.bus
        self.bus.on_transfer = self.spend
        self.scanner = I2cScanner(
            self.bus.open, wiring, 200, name="/dev/i2c-3", reset=self.reset, now_ns=self.now, wait=self.wait
        )

    def now(self) -> int:
        return self.now_ns

    def spend(self, _: int) -> None:
        self.now_ns += TRANSFER_NS

    def wait(self, seconds: float) -> None:
        self.now_ns += int(seconds * SECOND)

    def reset(self) -> None:
        self.resets += 1
        self.on_reset()

    def frame(self) -> Frame:
        frame = self.scanner.read()
        assert frame is not None
        return frame

    def stones(self, frame: Frame) -> int:
        return sum(r != 0 for r in frame.readings)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_frames_come_at_their_rate_stamped_in_the_middle_of_their_reading(desk: Desk) -> None:
    desk.frame()
    before_ns = desk.now_ns
    frame = desk.frame()
    assert desk.now_ns - 30 * TRANSFER_NS // 2 == frame.t_ns
    assert frame.t_ns - before_ns < PERIOD
    stamps = [desk.frame().t_ns for _ in range(50)]
    assert {b - a for a, b in itertools.pairwise(stamps)} == {PERIOD}
    assert desk.scanner.state == "ok"
    assert desk.scanner.health()["lost"] == 0


def test_a_bus_that_is_too_slow_scans_as_fast_as_it_can_and_catches_nothing_up(desk: Desk) -> None:
    desk.frame()
    desk.bus.on_transfer = lambda _: desk.wait(0.0005)
    stamps = [desk.frame().t_ns for _ in range(10)]
    assert {b - a for a, b in itertools.pairwise(stamps[1:])} == {15 * MS}
    desk.bus.on_transfer = desk.spend
    desk.frame()
    stamps = [desk.frame().t_ns for _ in range(5)]
    assert {b - a for a, b in itertools.pairwise(stamps)} == {PERIOD}


def test_a_bus_that_is_always_too_slow_loses_nothing() -> None:
    desk = Desk()
    desk.bus.on_transfer = lambda _: desk.wait(0.0005)
    assert sum(desk.frame().lost for _ in range(20)) == 0


def test_what_the_host_was_too_busy_for_is_lost_and_counted(desk: Desk) -> None:
    desk.frame()
    before = desk.frame()
    desk.wait(3)
    after = desk.frame()
    assert after.lost == (after.t_ns - before.t_ns) // PERIOD - 1
    assert desk.scanner.health()["lost"] == after.lost


def test_after_a_stall_contacts_are_believed(desk: Desk) -> None:
    desk.table.set_up(dict.fromkeys(("C8", "E8", "G8", "I8", "D3"), "black"))
    for _ in range(30):
        desk.frame()
    desk.wait(2)
    for point in ("C8", "E8", "G8", "I8"):
        desk.table.lift(desk.now_ns - SECOND, point)
    assert desk.stones(desk.frame()) == 1
    assert desk.scanner.faults() == []


def test_a_brown_out_costs_a_frame_and_is_told(desk: Desk) -> None:
    desk.table.set_up({"H8": "black"})
    desk.frame()
    desk.virtual.chips[0x20].power_on()
    frame = desk.frame()
    assert (frame.lost, desk.stones(frame), desk.scanner.brown_outs) == (1, 1, 1)
    assert desk.frame().lost == 0
    (told,) = desk.scanner.faults()
    assert told.startswith("/dev/i2c-3: the expander at 0x20 has lost its settings")
    assert desk.scanner.health()["lost"] == 1
    assert desk.scanner.state == "degraded"
    desk.wait(6)
    assert desk.scanner.faults() == []
    assert desk.scanner.state == "ok"


def test_settings_that_no_pass_proves_are_read_back_each_second(desk: Desk) -> None:
    desk.frame()
    desk.virtual.chips[0x21].write(b"\x04\xff\xff")
    lost = sum(desk.frame().lost for _ in range(250))
    assert lost == 1
    assert desk.scanner.brown_outs == 1
    assert desk.virtual.chips[0x21].read(1) is not None


def test_an_expander_that_is_gone_for_long_is_a_lost_link_and_comes_back_with_the_losses_counted(
    desk: Desk,
) -> None:
    desk.table.set_up({"H8": "black"})
    good_ns = desk.frame().t_ns
    chip = desk.bus.detach(0x21)
    with pytest.raises(LinkError, match="/dev/i2c-3: the expander at 0x21 does not answer"):
        desk.scanner.read()
    assert 500 * MS <= desk.now_ns - good_ns < 600 * MS
    assert desk.scanner.state == "lost"
    desk.wait(40)
    desk.table.set_up({"I8": "white"})
    desk.bus.attach(0x21, chip)
    frame = desk.frame()
    assert desk.stones(frame) == 2
    assert frame.lost == (frame.t_ns - good_ns) // PERIOD - 1
    assert (desk.resets, desk.scanner.counters.reopened, desk.bus.opened) == (1, 1, 2)


def test_a_chip_that_holds_the_bus_is_freed_by_the_reset_line(desk: Desk) -> None:
    desk.frame()
    desk.bus.hang(0x21)
    with pytest.raises(LinkError, match="the bus is stalled: a chip or a short circuit holds SDA"):
        desk.scanner.read()
    desk.on_reset = desk.bus.free
    assert desk.frame().lost >= 1
    assert desk.resets == 1


@pytest.mark.parametrize(
    ("fault", "end", "sentence"),
    [("stick", "free", "the bus is stalled"), ("unplug", "plug", "the bus has gone")],
)
def test_a_bus_that_fails_is_told_at_once_and_opened_again(
    desk: Desk, fault: str, end: str, sentence: str
) -> None:
    desk.frame()
    getattr(desk.bus, fault)()
    with pytest.raises(LinkError, match=sentence):
        desk.scanner.read()
    with pytest.raises(LinkError, match=sentence):
        desk.scanner.read()
    getattr(desk.bus, end)()
    assert desk.frame().lost >= 1


def test_a_bus_that_is_not_there_at_the_start() -> None:
    desk = Desk()
    desk.bus.unplug()
    with pytest.raises(LinkError, match="the bus is not there: I2C is off"):
        desk.scanner.read()
    desk.bus.plug()
    assert desk.frame().lost == 0
    assert desk.resets == 1


def test_missing_acknowledges_cost_no_frame(desk: Desk) -> None:
    desk.bus.fail_often(0.01, seed=2)
    assert sum(desk.frame().lost for _ in range(200)) <= 1
    health = desk.scanner.health()
    assert health["retries"] > 20
    assert health["transfers"] >= 200 * 30


def test_a_cable_that_comes_off_is_a_lost_link_and_no_empty_board(desk: Desk) -> None:
    desk.table.set_up(dict.fromkeys(("A1", "C1", "E2", "H8", "I9", "J10"), "black"))
    good_ns = [desk.frame().t_ns for _ in range(5)][-1]
    chip = desk.virtual.chips[0x21]
    outside, chip.outside = chip.outside, lambda: 0xFFFF
    for _ in range(3):
        with pytest.raises(LinkError, match="all stones vanished at once"):
            desk.scanner.read()
        assert (desk.scanner.state, desk.scanner.faults()) == ("lost", [])
        desk.wait(0.5)
    chip.outside = outside
    frame = desk.frame()
    assert desk.stones(frame) == 6
    assert frame.lost == (frame.t_ns - good_ns) // PERIOD - 1
    assert desk.scanner.state == "ok"


def test_a_loose_bus_loses_frames_and_is_one_trouble(desk: Desk) -> None:
    """Whichever chip it is that does not acknowledge this time."""
    desk.bus.fail_often(0.25, seed=2)
    told = set()
    lost = 0
    for _ in range(300):
        lost += desk.frame().lost
        told.add(tuple(desk.scanner.faults()))
    told.discard(())
    assert lost > 20
    (((sentence,)),) = told
    assert "does not answer" in sentence


def test_a_program_s_mistake_is_no_fault_of_the_board(desk: Desk) -> None:
    desk.frame()
    desk.bus.fail_next(1, errno.EOPNOTSUPP)
    with pytest.raises(LinkError, match="not supported"):
        desk.scanner.read()


def test_without_diodes_a_bus_that_was_opened_again_has_taken_no_stone() -> None:
    desk = Desk(USUAL._replace(diodes=False))
    desk.virtual.planes.remove_diode()
    stones: dict[str, str] = {}
    for point in ("C3", "E3", "H10", "C8"):
        stones[point] = "black"
        desk.table.set_up(stones)  # type: ignore[arg-type]
        for _ in range(30):
            frame = desk.frame()
    assert desk.stones(frame) == 3
    desk.bus.unplug()
    with pytest.raises(LinkError):
        desk.scanner.read()
    desk.bus.plug()
    assert desk.stones(desk.frame()) == 3
    desk.wait(1)
    assert desk.stones(desk.frame()) == 3


def test_closing_ends_a_waiting_read() -> None:
    table = SimulatedTable("switch", seed=1)
    virtual = VirtualI2cBoard(table, time.monotonic_ns)
    scanner = I2cScanner(virtual.bus.open, USUAL, 1)
    assert scanner.read() is not None
    frames: list[Frame | None] = []
    reading = threading.Thread(target=lambda: frames.append(scanner.read()), daemon=True)
    reading.start()
    scanner.close()
    reading.join(10)
    assert frames in ([None], [])
    assert not reading.is_alive()
    assert scanner.read() is None
    scanner.close()


class Game:
    """A game on the virtual board, through sensing and referee."""

    def __init__(self, wiring: Wiring) -> None:
        self.desk = Desk(wiring)
        self.pipeline = Pipeline(
            BoardWatcher("switch", expected="." * 225), Referee(match_settings({"opening": "free"}))
        )
        self.rulings: list[AnyRuling] = []
        self.given: list[object] = []
        self.pipeline.put(Command(t_ns=self.desk.now_ns, do="start"))
        self.run(0.1)

    def run(self, seconds: float) -> None:
        until_ns = self.desk.now_ns + int(seconds * SECOND)
        while self.desk.now_ns < until_ns:
            frame = self.desk.frame()
            self.pipeline.frame(*frame)
            self.pipeline.keys_seen(frame.t_ns)
            for step in self.pipeline.advance():
                self.given.append(step.given)
                self.rulings.extend(step.rulings)

    def press(self, key: str) -> None:
        self.pipeline.put(KeyPress(t_ns=self.desk.now_ns, key=key))  # type: ignore[arg-type]

    def play(self, *moves: str) -> None:
        for point in moves:
            white = self.pipeline.referee.to_move is WHITE
            self.desk.table.place(self.desk.now_ns, point, "white" if white else "black")
            self.run(0.45)
            self.press("far" if white else "near")
            self.run(0.05)

    def moves(self) -> list[tuple[str, object]]:
        return [
            (NAMES[r.point], r.colour) for r in self.rulings if isinstance(r, Moved) and r.point is not None
        ]

    def events(self, kind: type[T]) -> list[T]:
        return [g for g in self.given if isinstance(g, kind)]


@pytest.mark.parametrize("wiring", [USUAL, TWO_PLANES])
def test_moves_are_the_moves_that_were_played(wiring: Wiring) -> None:
    game = Game(wiring)
    game.play("H8", "H9", "I10")
    assert game.moves() == [("H8", BLACK), ("H9", WHITE), ("I10", BLACK)]
    colours = {e.colour for e in game.events(Placed)}
    assert colours == ({BLACK, WHITE} if wiring.poles else {None})


@pytest.mark.parametrize("wiring", [USUAL, TWO_PLANES])
def test_a_slide_keeps_its_path(wiring: Wiring) -> None:
    game = Game(wiring)
    table = game.desk.table
    table.place_sliding(game.desk.now_ns, ["H8", "I8", "J8"], "black")
    game.run(1.0)
    assert [NAMES[p] for p in game.events(Slid)[-1].path] == ["H8", "I8", "J8"]


def test_a_stone_of_the_wrong_colour_is_known_on_two_planes() -> None:
    game = Game(TWO_PLANES)
    game.desk.table.place(game.desk.now_ns, "H8", "white")
    game.run(0.6)
    assert game.moves() == []
    (placed,) = game.events(Placed)
    assert placed.colour is WHITE


@pytest.mark.parametrize("wiring", [USUAL, TWO_PLANES])
def test_faults_of_chips_make_no_stone_and_lift_none(wiring: Wiring) -> None:
    game = Game(wiring)
    game.play("H8", "H9")
    before = game.pipeline.watcher.occupancy
    for address in (*game.desk.virtual.chips, 0x20):
        game.desk.virtual.chips[address].power_on()
        game.run(0.05)
    for errors in (1, 3, 7):
        game.desk.bus.fail_next(errors, errno.EREMOTEIO)
        game.run(0.05)
    chip = game.desk.bus.detach(0x20)
    game.desk.wait(0.3)
    game.desk.bus.attach(0x20, chip)
    game.run(0.6)
    assert game.pipeline.watcher.occupancy == before
    assert not game.events(Lifted)
    assert len(game.events(Placed)) == 2
    game.play("G7")
    assert game.moves()[-1][0] == "G7"
