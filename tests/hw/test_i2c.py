"""The thread that owns a bus: order, replacement, retries, recovery. No test waits on a clock of its own."""

import errno
import threading
from collections.abc import Iterator

import pytest

from hw import BusError
from hw.i2c import WHY, I2cBus, Wire, open_smbus, why
from hw.simulator.chips import VirtualHt16k33
from hw.simulator.i2c_bus import VirtualBus
from tests.patience import wait_for

LONG_S = 10.0


class Table:
    """A bus with two faces, whose thread can be held in the middle of a transfer."""

    def __init__(self) -> None:
        self.virtual = VirtualBus({0x70: VirtualHt16k33(), 0x71: VirtualHt16k33()})
        self.now_ns = 0
        self.bus = I2cBus("bus", self.virtual.open, back_off_s=(0.001, 0.004), now_ns=lambda: self.now_ns)
        self.done: list[str] = []

    def note(self, name: str, address: int = 0x70, latest_ns: int | None = None) -> None:
        def run(wire: Wire) -> None:
            wire.write(address, b"\x21")
            self.done.append(name)

        self.bus.post(name.rstrip("0123456789"), address, run, latest_ns)

    def hold(self) -> threading.Event:
        """Let the thread wait inside a transfer until the event is set."""
        inside, go = threading.Event(), threading.Event()

        def wait(_: int) -> None:
            self.virtual.on_transfer = None
            inside.set()
            assert go.wait(LONG_S)

        self.virtual.on_transfer = wait
        self.note("held")
        assert inside.wait(LONG_S)
        return go

    def settle(self) -> None:
        assert self.bus.flush(LONG_S)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.virtual.free()
    table.bus.close()
    assert not table.bus._thread.is_alive()


def test_work_is_done_in_order(table: Table) -> None:
    go = table.hold()
    for name in ("a", "b", "c"):
        table.note(name)
    go.set()
    table.settle()
    assert table.done == ["held", "a", "b", "c"]


def test_a_slow_bus_shows_the_newest_and_queues_nothing_up(table: Table) -> None:
    go = table.hold()
    for n in range(100):
        table.note(f"face{n}")
        table.note(f"other{n}")
    go.set()
    table.settle()
    assert table.done == ["held", "face99", "other99"]
    assert table.bus.counters.replaced == 198


def test_work_past_its_latest_start_is_left_out(table: Table) -> None:
    go = table.hold()
    table.note("late", latest_ns=50)
    table.note("early", latest_ns=51)
    table.now_ns = 51
    go.set()
    table.settle()
    assert table.done == ["held", "early"]
    assert table.bus.counters.too_late == 1


def test_a_missing_acknowledge_is_tried_again(table: Table) -> None:
    table.virtual.fail_next(2, errno.EREMOTEIO)
    table.note("a")
    table.settle()
    assert table.done == ["a"]
    assert table.bus.counters.retries == 2
    assert table.bus.take_error(0x70) is None


def test_a_chip_that_is_gone_is_told_once_and_the_others_go_on(table: Table) -> None:
    chip = table.virtual.detach(0x70)
    for _ in range(3):
        table.note("a")
        table.note("b", 0x71)
        table.settle()
    assert table.done == ["b"] * 3
    error = table.bus.take_error(0x70)
    assert isinstance(error, BusError)
    assert error.address == 0x70
    assert str(error).startswith("I2C address 0x70: ")
    assert table.bus.take_error(0x70) is None
    assert list(table.bus.troubles) == [0x70]
    table.virtual.attach(0x70, chip)
    table.note("a")
    table.settle()
    assert table.bus.troubles == {}
    assert table.virtual.opened == 1


def test_a_bus_that_stalled_is_opened_again_and_what_was_to_be_done_is(table: Table) -> None:
    table.virtual.fail_next(1, errno.ETIMEDOUT)
    table.note("a")
    table.settle()
    assert table.done == ["a"]
    assert table.virtual.opened == 2
    assert table.bus.counters.reopened == 1
    assert table.bus.troubles == {}


def test_a_bus_with_nothing_but_late_work_is_opened_again(table: Table) -> None:
    def late(_: int) -> None:
        table.now_ns += 100

    table.virtual.fail_next(1, errno.ETIMEDOUT)
    table.virtual.on_transfer = late
    table.note("a", latest_ns=50)
    table.settle()
    assert (table.done, table.virtual.opened) == ([], 2)
    table.note("a", latest_ns=table.now_ns + 50)
    table.settle()
    assert (table.done, table.bus.state) == (["a"], "ok")


def test_a_bus_that_somebody_else_drives_is_told_once_for_all_its_chips(table: Table) -> None:
    table.virtual.fail_next(1000, errno.EAGAIN)
    table.note("a", 0x70)
    table.note("b", 0x71)
    while len(table.bus.troubles) < 2:
        threading.Event().wait(0.001)
    assert (table.bus.state, table.bus.faults) == ("lost", ["I2C bus bus: " + WHY[errno.EAGAIN]])
    assert "SDA may be held low" in WHY[errno.EAGAIN]
    table.virtual.fail_next(0)
    table.settle()
    assert (table.bus.state, table.bus.faults) == ("ok", [])


def test_a_bus_that_stays_stuck_costs_little_and_comes_back_with_the_newest(table: Table) -> None:
    tried = threading.Event()
    table.virtual.stick()
    table.virtual.on_transfer = lambda _: tried.set() if table.virtual.opened > 3 else None
    table.note("face1")
    assert tried.wait(LONG_S)
    assert table.bus.take_error(0x70) is not None
    table.note("face2")
    table.virtual.free()
    table.settle()
    assert table.done[-1] == "face2"


def test_a_bus_that_cannot_be_opened_is_lost_until_it_can() -> None:
    virtual = VirtualBus({0x70: VirtualHt16k33()})
    virtual.unplug()
    bus = I2cBus("/dev/i2c-9", virtual.open, back_off_s=(0.001, 0.004))
    assert bus.state == "lost"
    assert bus.faults == [f"I2C bus /dev/i2c-9: {WHY[errno.ENOENT]}"]
    bus.post("a", 0x70, lambda wire: wire.write(0x70, b"\x21"))
    wait_for(lambda: bus.troubles)
    assert len(bus.faults) == 1
    virtual.plug()
    assert bus.flush(LONG_S)
    assert (bus.state, bus.faults, bus.counters.reopened) == ("ok", [], 1)
    bus.close()


def test_a_bus_whose_adapter_is_taken_away_is_told_in_one_sentence(table: Table) -> None:
    """Opening it again fails in another way than the transfer did, and is no other fault."""
    table.virtual.unplug()
    table.bus.post("a", 0x70, lambda wire: wire.write(0x70, b"\x21"))
    told: set[str] = set()

    def failed() -> bool:
        told.update(table.bus.faults)
        return table.bus.counters.failures >= 3

    wait_for(failed, every_s=0.001)
    assert told | set(table.bus.faults) == {f"I2C bus bus: {WHY[errno.ENODEV]}"}
    table.virtual.plug()
    table.settle()
    assert table.bus.faults == []


def test_a_real_bus_that_does_not_exist() -> None:
    bus = I2cBus("no bus", lambda: open_smbus("/dev/i2c-none"))
    assert bus.state == "lost"
    bus.close()


def test_state_and_counters_tell_how_a_bus_is(table: Table) -> None:
    table.note("a")
    table.settle()
    health = table.bus.health()
    assert (health["state"], health["transfers"], health["retries"], health["failures"]) == ("ok", 1, 0, 0)
    chip = table.virtual.detach(0x70)
    table.note("a")
    table.settle()
    assert table.bus.state == "degraded"
    assert table.bus.faults == [
        "I2C address 0x70: does not answer: no power, a loose wire or another address (bus)"
    ]
    table.virtual.attach(0x70, chip)
    table.virtual.stick()
    table.note("a")
    wait_for(lambda: table.bus.state == "lost")
    assert table.bus.faults == ["I2C bus bus: " + WHY[errno.ETIMEDOUT]]
    table.virtual.free()
    table.settle()
    assert (table.bus.state, table.bus.faults) == ("ok", [])


@pytest.mark.parametrize("number", sorted(n for n in WHY if n is not None))
def test_every_known_error_has_its_cause(number: int) -> None:
    assert why(OSError(number, "")) == WHY[number]
    assert why(OSError(errno.ENOSPC, "No space")) == "No space"


def test_closing_finishes_what_waits_and_takes_no_more(table: Table) -> None:
    go = table.hold()
    table.note("a")
    closing = threading.Thread(target=table.bus.close, args=(LONG_S,), daemon=True)
    closing.start()
    go.set()
    closing.join(LONG_S)
    table.note("b")
    assert table.done == ["held", "a"]
    assert table.bus.flush(0)


def test_closing_a_stuck_bus_does_not_wait_for_it() -> None:
    virtual = VirtualBus({0x70: VirtualHt16k33()})
    bus = I2cBus("bus", virtual.open, back_off_s=(60.0, 60.0))
    virtual.stick()
    bus.post("a", 0x70, lambda wire: wire.write(0x70, b"\x21"))
    wait_for(lambda: bus.troubles)
    bus.close(LONG_S)
    assert not bus._thread.is_alive()


def test_a_driver_that_makes_a_mistake_is_told_and_takes_the_bus_from_nobody(table: Table) -> None:
    table.bus.post("mistake", 0x71, lambda _: 1 // 0)  # type: ignore[arg-type, return-value]
    table.note("after it")
    table.settle()
    assert table.done == ["after it"]
    assert "ZeroDivisionError" in str(table.bus.troubles[0x71])
    assert table.virtual.opened == 1
