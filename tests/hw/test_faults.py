"""What breaks at a simulated table, and is whole again: each fault by its name."""

import numpy as np
import pytest

from hw import LinkError
from hw.devices import VirtualClock, open_devices
from hw.simulator.faults import KINDS, WEAK, Faults
from hw.simulator.physics import sensor_index
from hw.simulator.scanner import SimulatedScanner
from hw.simulator.table import HandError, SimulatedTable

MS = 1_000_000
NEAR, FAR, BUZZER = 0x70, 0x71, 0x34


@pytest.fixture
def clock() -> VirtualClock:
    """The chips of a clock, at their usual addresses."""
    devices = open_devices({}, now_ns=lambda: 0)
    devices.close()
    assert devices.clock is not None
    return devices.clock


@pytest.fixture
def table() -> SimulatedTable:
    """A table with quiet sensors."""
    return SimulatedTable(seed=2)


@pytest.fixture
def faults(table: SimulatedTable, clock: VirtualClock) -> Faults:
    """All faults that there are."""
    return Faults(table, SimulatedScanner(table, 100, now_ns=lambda: 0, sleep=lambda _: None), clock)


def readings(table: SimulatedTable, t_ns: int) -> np.ndarray:
    return np.frombuffer(table.readings(t_ns), np.int8)


def test_every_kind_can_break_at_a_whole_table_and_only_what_is_simulated_at_another(
    table: SimulatedTable, faults: Faults, clock: VirtualClock
) -> None:
    assert faults.kinds == list(KINDS)
    assert Faults(table, None, None).kinds == []
    assert "scanner" not in Faults(table, None, clock).kinds
    faceless = open_devices({"clock": {"faces": "none"}}, now_ns=lambda: 0)
    faceless.close()
    assert Faults(table, None, faceless.clock).kinds == [
        "buzzer",
        "power",
        "bus",
        "adapter",
    ]


@pytest.mark.parametrize(
    ("kind", "at", "is_broken"),
    [
        ("dead", "C3", lambda frames: (frames[:, sensor_index("C3")] == 0).all()),
        ("stuck", "C3", lambda frames: (frames[:, sensor_index("C3")] == 100).all()),
        ("noisy", "C3", lambda frames: frames[:, sensor_index("C3")].std() > 15),
        ("line", "5", lambda frames: (frames.reshape(-1, 15, 15)[:, 4] == 0).all()),
        ("line", "B", lambda frames: (frames.reshape(-1, 15, 15)[:, :, 1] == 0).all()),
        ("field", "", lambda frames: np.abs(frames.mean(axis=0)).max() > 10),
    ],
)
def test_sensors_lie_while_they_are_broken(
    table: SimulatedTable, faults: Faults, kind: str, at: str, is_broken
) -> None:
    def frames(since_ms: int) -> np.ndarray:
        return np.stack([readings(table, (since_ms + n) * MS) for n in range(60)]).astype(float)

    assert not is_broken(frames(0))
    faults.begin(100 * MS, kind, at)
    assert is_broken(frames(1500))
    faults.end(2000 * MS, kind, at)
    assert not is_broken(frames(3500))
    faults.begin(4000 * MS, kind, at)
    assert is_broken(frames(6000))


def test_the_bowls_hold_weak_magnets(faults: Faults) -> None:
    assert faults.strength == 1
    faults.begin(0, "weak")
    assert faults.strength == WEAK
    faults.end(0, "weak")
    assert faults.strength == 1


def test_a_scanner_is_unplugged_and_scans_anew_when_it_is_plugged_in(table: SimulatedTable) -> None:
    now_ns = 0
    scanner = SimulatedScanner(table, 100, now_ns=lambda: now_ns, sleep=lambda _: None)
    faults = Faults(table, scanner, None)
    assert scanner.read() is not None
    faults.begin(0, "scanner")
    for _ in range(2):
        with pytest.raises(LinkError, match="the simulated scanner is unplugged"):
            scanner.read()
    assert scanner.health()["state"] == "lost"
    now_ns = 9_000 * MS
    faults.end(now_ns, "scanner")
    frame = scanner.read()
    assert frame is not None
    assert (frame.t_ns, frame.lost) == (now_ns, 0)
    assert scanner.health()["state"] == "ok"
    faults.begin(now_ns, "scanner")
    scanner.close()
    assert scanner.read() is None


def test_frames_that_are_lost_are_counted_before_the_next_one(table: SimulatedTable) -> None:
    scanner = SimulatedScanner(table, 100, now_ns=lambda: 0, sleep=lambda _: None)
    faults = Faults(table, scanner, None)
    faults.begin(0, "frames")
    got = [scanner.read() for _ in range(200)]
    lost = sum(frame.lost for frame in got if frame)
    assert 40 < lost < 160
    assert [frame.t_ns // (10 * MS) for frame in got if frame][-1] == 199 + lost
    faults.end(0, "frames")
    assert all(frame.lost == 0 for frame in (scanner.read() for _ in range(50)) if frame)


@pytest.mark.parametrize(
    ("kind", "silent"),
    [("face-near", {NEAR}), ("face-far", {FAR}), ("buzzer", {BUZZER}), ("power", {NEAR, FAR, BUZZER})],
)
def test_chips_do_not_answer_while_they_are_broken(
    faults: Faults, clock: VirtualClock, kind: str, silent: set[int]
) -> None:
    there = {NEAR, FAR, BUZZER}
    faults.begin(0, kind)
    assert {address for address in there if address not in clock.bus} == silent
    faults.end(0, kind)
    assert all(address in clock.bus for address in there)


def test_a_chip_with_two_reasons_to_be_silent_answers_when_both_are_gone(
    faults: Faults, clock: VirtualClock
) -> None:
    clock.faces["near"].write(b"\x21")
    faults.begin(0, "face-near")
    assert clock.faces["near"].oscillator  # it still shows what it was told last
    faults.begin(0, "power")
    assert not clock.faces["near"].oscillator
    faults.end(0, "face-near")
    assert NEAR not in clock.bus
    faults.end(0, "power")
    assert NEAR in clock.bus


@pytest.mark.parametrize("kind", ["bus", "adapter"])
def test_the_clocks_bus_fails_and_works_again(faults: Faults, clock: VirtualClock, kind: str) -> None:
    handle = clock.bus.open()
    handle.write_byte(NEAR, 0x21)
    faults.begin(0, kind)
    with pytest.raises(OSError, match=r"timed out|No such device"):
        handle.write_byte(NEAR, 0x21)
    faults.end(0, kind)
    handle.write_byte(NEAR, 0x21)


def test_what_is_broken_is_listed_once_and_put_right_all_at_once(faults: Faults) -> None:
    for kind, at in (("dead", "C3"), ("bus", ""), ("dead", "C3"), ("dead", "D4")):
        faults.begin(0, kind, at)
    assert faults.on == [("dead", "C3"), ("bus", ""), ("dead", "D4")]
    faults.end(0, "stuck", "C3")
    faults.end_all(0)
    assert faults.on == []


@pytest.mark.parametrize(
    ("kind", "at", "sentence"),
    [
        ("rust", "", "fault 'rust' is not possible at this table; allowed: dead, stuck"),
        ("dead", "", "the fault dead needs the name of a point"),
        ("dead", "P1", "'P1' is not a point; allowed: A1 to O15"),
        ("line", "16", "'16' is not a line; allowed: 1 to 15, A to O"),
        ("bus", "A1", "the fault bus names no place"),
    ],
)
def test_what_cannot_break_is_one_sentence(faults: Faults, kind: str, at: str, sentence: str) -> None:
    with pytest.raises(HandError, match=sentence.split("(")[0]):
        faults.begin(0, kind, at)
    assert faults.on == []
