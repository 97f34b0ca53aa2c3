"""The simulated table in real time, at a clock of the test's own."""

import threading
import time

import pytest

from hw import Press
from hw.simulator import SimulatedTable
from hw.simulator.scanner import BUFFERED_NS, TRANSFER_NS, SimulatedKeys, SimulatedScanner

MS = 1_000_000


class Time:
    def __init__(self) -> None:
        self.ns = 1000 * MS
        self.slept: list[float] = []

    def now(self) -> int:
        return self.ns

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.ns += round(seconds * 1e9)


def scanner(clock: Time, rate_hz: int = 200) -> SimulatedScanner:
    return SimulatedScanner(SimulatedTable(), rate_hz, now_ns=clock.now, sleep=clock.sleep)


def test_frames_come_on_time_and_their_instants_do_not_drift() -> None:
    clock = Time()
    scans = scanner(clock, 300)
    frames = [scans.read() for _ in range(301)]
    assert [f.t_ns for f in frames if f] == [1000 * MS + i * 1_000_000_000 // 300 for i in range(301)]
    assert all(seconds >= TRANSFER_NS / 1e9 for seconds in clock.slept), "frames come over in bundles"
    assert sum(clock.slept) <= 1 + TRANSFER_NS / 1e9
    assert not any(f.lost for f in frames if f)


def test_a_reader_who_is_a_little_late_gets_every_frame() -> None:
    clock = Time()
    scans = scanner(clock)
    scans.read()
    clock.ns += 80 * MS
    frames = [scans.read() for _ in range(16)]
    assert [f.t_ns // MS for f in frames if f] == list(range(1005, 1085, 5))
    assert clock.slept == []


def test_what_is_older_than_the_buffer_is_lost_and_counted() -> None:
    clock = Time()
    scans = scanner(clock)
    scans.read()
    clock.ns += BUFFERED_NS + 902 * MS
    frame = scans.read()
    assert frame is not None
    assert BUFFERED_NS - 5 * MS < clock.ns - frame.t_ns <= BUFFERED_NS
    assert frame.lost == (frame.t_ns - 1000 * MS) // (5 * MS) - 1
    after = scans.read()
    assert after is not None
    assert (after.t_ns, after.lost) == (frame.t_ns + 5 * MS, 0)


def test_the_hand_is_seen_in_the_frames() -> None:
    clock = Time()
    table = SimulatedTable()
    scans = SimulatedScanner(table, now_ns=clock.now, sleep=clock.sleep)
    table.place(clock.ns, "H8", "black")
    readings = [f.readings[112] for f in (scans.read() for _ in range(60)) if f]
    assert readings[-1] > 40


def test_closing_ends_a_waiting_read() -> None:
    scans = SimulatedScanner(SimulatedTable(), 20)
    scans.read()
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.append(scans.read()), daemon=True)
    reader.start()
    scans.close()
    scans.close()
    reader.join(5)
    assert got == [None]


def test_a_rate_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="rate_hz = 0 is not possible"):
        SimulatedScanner(SimulatedTable(), 0)


def test_keys_of_the_table() -> None:
    clock = Time()
    table = SimulatedTable()
    keys = SimulatedKeys(table, now_ns=clock.now)
    table.press(clock.ns, "near")
    table.press(clock.ns + 5 * MS, "far")
    assert keys.poll() == ([Press(clock.ns, "near")], clock.ns)
    clock.ns += 5 * MS
    assert keys.poll() == ([Press(clock.ns, "far")], clock.ns)
    keys.close()


def test_a_frame_is_cheap_while_nothing_moves() -> None:
    table = SimulatedTable(seed=1)
    table.set_up("XO" * 50 + "." * 125)
    for n in range(100):
        table.readings(n * 5 * MS)
    begun = time.process_time_ns()
    for n in range(100, 2100):
        table.readings(n * 5 * MS)
    assert (time.process_time_ns() - begun) / 2000 < 40_000  # ns; measured: 2000 to 4000
