"""The serial scanner on real ttys: found, lost, found again, and never a frame that was not so."""

import os
import select
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from serial import Serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from hw import Frame, LinkError, serial_scanner
from hw.sensor_rows import REFERENCE, REFERENCE_WITHIN
from hw.serial_ports import PICO_VID, find_ports, holder, open_port
from hw.serial_protocol import ROWS, Passes
from hw.serial_scanner import SerialScanner, _Link
from hw.simulator.physics import sensor_index
from hw.simulator.sensors import LinearSensors
from hw.simulator.serial_device import UID, Cable, SerialDevice
from hw.simulator.table import SimulatedTable
from tests.patience import wait_for
from tests.programs import started

MS = 1_000_000
SECOND = 1_000_000_000
LONG_S = 20.0
SILENT_S = 0.5


def quiet_table() -> SimulatedTable:
    return SimulatedTable(electronics=LinearSensors(1, gain_spread=0, offset_counts=0, noise_counts=0))


@pytest.fixture
def table() -> SimulatedTable:
    return quiet_table()


@pytest.fixture
def device(tmp_path: Path, table: SimulatedTable) -> Iterator[SerialDevice]:
    device = SerialDevice(table, tmp_path / "usb-Pico-if00")
    device.plug()
    yield device
    device.unplug()


Scan = Callable[..., SerialScanner]


@pytest.fixture
def scan(tmp_path: Path) -> Iterator[Scan]:
    scanners = []

    def open_one(where: str = "", rate_hz: int = 200, silent_s: float = LONG_S) -> SerialScanner:
        scanners.append(SerialScanner(where or f"{tmp_path}/usb-*", rate_hz, silent_s=silent_s))
        return scanners[-1]

    yield open_one
    for scanner in scanners:
        scanner.close()


def frames(scanner: SerialScanner, number: int) -> list[Frame]:
    """So many frames, in the order of time, none of them from the future."""
    found: list[Frame] = []
    for _ in range(number):
        frame = scanner.read()
        assert frame is not None
        assert frame.t_ns <= time.monotonic_ns()
        assert not found or frame.t_ns > found[-1].t_ns
        found.append(frame)
    return found


def fault(scanner: SerialScanner, before: list[Frame | None] | None = None) -> str:
    """Read until the scanner fails; what it says. The frames until then go to `before`."""
    before = [] if before is None else before
    try:
        for _ in range(2000):
            before.append(scanner.read())
    except LinkError as error:
        return str(error)
    raise AssertionError("the scanner does not fail")


def again(scanner: SerialScanner) -> Frame:
    """The next frame, however often reading fails before it comes."""
    end = time.monotonic() + LONG_S
    while True:
        try:
            frame = scanner.read()
        except LinkError:
            assert time.monotonic() < end
            time.sleep(0.02)
        else:
            assert frame is not None
            return frame


def signed(frame: Frame) -> dict[int, int]:
    """The readings that are not 0, by index."""
    return {at: n - 256 * (n > 127) for at, n in enumerate(frame.readings) if n}


def test_frames_are_those_of_the_sensors(table: SimulatedTable, device: SerialDevice, scan: Scan) -> None:
    table.set_up({"H8": "black", "A1": "white", "O15": "black"})
    scanner = scan()
    last = frames(scanner, 60)[-1]
    assert last.readings == table.readings(last.t_ns)
    assert {at: n for at, n in signed(last).items() if abs(n) > 50}.keys() == {112, 0, 224}
    assert scanner.sensors == "linear"
    assert scanner.counts.corrupt == 0
    assert scanner.counts.lost == 0 or device.dropped, "unless this machine was too busy to read"


def test_the_rate_is_agreed_and_frames_come_at_it(device: SerialDevice, scan: Scan) -> None:
    scanner = scan(rate_hz=400)
    frames(scanner, 60)
    assert scanner.rate_hz == 200
    steps: list[float] = []

    def steady() -> bool:
        dropped = device.dropped
        found = frames(scanner, 140)
        assert device.dropped > dropped or not any(frame.lost for frame in found)
        steps[:] = [(b.t_ns - a.t_ns) / MS for a, b in pairwise(found)]
        return max(abs(step - 5) for step in steps) < 2 and abs(sum(steps) / len(steps) - 5) < 0.05

    wait_for(steady, "a machine that is busy all the time sets the clock badly")


def test_the_rate_is_known_with_the_first_frame(tmp_path: Path, table: SimulatedTable, scan: Scan) -> None:
    device = SerialDevice(table, tmp_path / "usb-Slow", most_hz=120)
    device.plug()
    scanner = scan(rate_hz=200)
    assert frames(scanner, 1)
    assert scanner.rate_hz == 120
    frames(scanner, 60)
    assert scanner.rate_hz == 120
    device.unplug()


def test_stamps_are_the_instants_of_the_passes_though_they_are_read_late(
    table: SimulatedTable, device: SerialDevice, scan: Scan
) -> None:
    """A stone is seen at the instant at which it is there, by a scanner that is 100 ppm fast."""
    device.unplug()
    device.drift_ppm = 100
    device.start_us = 2**32 - 700_000
    device.plug()
    scanner = scan()
    frames(scanner, 200)

    def known_in_time(point: str) -> bool:
        """A busy machine sets the clock badly now and then."""
        sensor = sensor_index(point)
        begin_ns = time.monotonic_ns()
        act = table.place(begin_ns, point, "black")
        time.sleep(0.3)
        twin = quiet_table()
        twin.place(begin_ns, point, "black")
        truth = [twin.readings(begin_ns + n * MS // 4)[sensor] for n in range(2000)]
        wrong, moving = [], 0
        while (frame := frames(scanner, 1)[0]).t_ns < act.end_ns:
            at = (frame.t_ns - begin_ns) * 4 // MS
            if 20 <= at < 1900:
                around = truth[at - 20 : at + 21]
                moving += max(around) > min(around)
                if not min(around) <= frame.readings[sensor] <= max(around):
                    wrong.append(f"{at / 4} ms after the hand began")
        told.append(f"{point}: {wrong}, {moving}")
        return not wrong and moving > 10

    told: list[str] = []
    assert any(map(known_in_time, ("H8", "C3", "M13", "C13", "M3"))), told


def test_what_is_quiet_is_sent_as_changes(table: SimulatedTable, device: SerialDevice, scan: Scan) -> None:
    scanner = scan()
    frames(scanner, 60)

    def short() -> bool:
        """While the host acknowledges in time."""
        before, received = device.sent, device.sent_bytes
        found = frames(scanner, 100)
        assert all(frame.readings == bytes(225) for frame in found)
        return (device.sent_bytes - received) / (device.sent - before) < 60

    wait_for(short, "passes are sent whole")


def test_a_bad_cable_is_counted_and_no_frame_is_wrong(
    table: SimulatedTable, device: SerialDevice, scan: Scan
) -> None:
    table.set_up({"H8": "black", "A1": "white"})
    scanner = scan()
    found = frames(scanner, 20)
    number, told = scanner._passes.number, scanner.counts.passes + scanner.counts.lost
    for cable, counted in (
        (Cable(lose=0.2), "lost"),
        (Cable(flip=0.2), "corrupt"),
        (Cable(drop=0.2), "corrupt"),
        (Cable(double=0.2), "duplicate"),
        (Cable(swap=0.2), "late"),
        (Cable(noise=0.2), "corrupt"),
        (Cable(lose=0.05, flip=0.05, drop=0.05, double=0.05, swap=0.05, noise=0.05), "lost"),
    ):
        before = getattr(scanner.counts, counted)
        device.cable = cable
        found += frames(scanner, 60)
        assert getattr(scanner.counts, counted) > before, cable
    right = table.readings(time.monotonic_ns())
    assert all(frame.readings == right for frame in found)
    device.cable = Cable()
    found += frames(scanner, 30)
    counts = scanner.counts
    assert counts.passes + counts.lost - told == scanner._passes.number - number, "each has come or is lost"
    untold = sum(frame.lost for frame in scanner._waiting) + scanner._passes._missing
    assert sum(frame.lost for frame in found) == counts.lost - untold


def test_unplugged_and_back_at_another_tty_with_two_more_stones(
    table: SimulatedTable, device: SerialDevice, scan: Scan
) -> None:
    table.set_up({"H8": "black"})
    scanner = scan()
    before: list[Frame | None] = [*frames(scanner, 30)]
    first_tty = device.tty
    with Serial(first_tty):  # somebody keeps the old node alive, so that its name is not free
        device.unplug()
        told = fault(scanner, before)
        assert told.endswith("usb-Pico-if00 is gone (unplugged, or it has restarted)")
        table.set_up({"I9": "white", "J10": "black"})
        assert fault(scanner) == told, "one sentence for as long as it is away"
        assert scanner.health()["state"] == "lost"
        device.plug()
        assert device.tty != first_tty
        frame = again(scanner)
    last = before[-1]
    assert last is not None
    health = scanner.health()
    assert (health["state"], health["reconnects"]) == ("ok", 1)
    assert health["lost"] == frame.lost or device.dropped
    assert (health["port"], health["uid"]) == (str(device.link), UID.hex())
    assert frame.t_ns > last.t_ns
    assert frame.readings == table.readings(time.monotonic_ns())
    away = (frame.t_ns - last.t_ns) * scanner.rate_hz // SECOND
    assert abs(frame.lost - away) <= 2
    assert [found.lost for found in frames(scanner, 20)] == [0] * 20 or device.dropped


def test_a_port_that_goes_away_as_soon_as_it_was_opened_is_gone(device: SerialDevice) -> None:
    wake, waker = os.pipe()
    link = _Link(device.tty, Passes(), time.monotonic_ns, wake)
    device.unplug()
    with pytest.raises(LinkError, match=r"is gone \(unplugged, or it has restarted\)"):
        link.identify()
    link.close()
    os.close(wake)
    os.close(waker)


def test_the_port_is_closed_before_anything_else(device: SerialDevice, scan: Scan) -> None:
    scanner = scan(silent_s=SILENT_S)
    frames(scanner, 5)
    path = device.tty
    device.silent = True
    assert "has fallen silent (its firmware hangs" in fault(scanner)
    with Serial(path, exclusive=True):
        assert fault(scanner).endswith("is in use by another program")
    device.silent = False
    assert again(scanner).readings == bytes(225)


def test_a_link_that_carries_nothing_but_rubbish_is_named(device: SerialDevice, scan: Scan) -> None:
    scanner = scan(silent_s=SILENT_S)
    frames(scanner, 5)
    device.cable = Cable(flip=1.0)
    assert "is not understood: all that it sends is corrupt" in fault(scanner)


def test_a_link_that_carries_nothing_new_is_named(device: SerialDevice, scan: Scan) -> None:
    scanner = scan(silent_s=SILENT_S)
    frames(scanner, 5)
    device.repeats = True
    assert "sends nothing new, or changes of a pass that has not come (its firmware hangs)" in fault(scanner)


def test_a_scanner_that_takes_no_bytes_is_not_called_unplugged() -> None:
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    wake, waker = os.pipe()
    link = _Link(os.ttyname(theirs), Passes(), time.monotonic_ns, wake)
    with pytest.raises(LinkError, match=r"takes no bytes \(its firmware hangs\)"):
        link._send(bytes(1 << 20))
    link.close()
    for descriptor in (ours, theirs, wake, waker):
        os.close(descriptor)


def test_another_version_of_the_protocol_is_named(device: SerialDevice, scan: Scan) -> None:
    device.says_version = 2
    told = fault(scan())
    assert "speaks version 2 of the protocol, this program version 1: flash" in told


def test_a_port_in_use_names_who_uses_it(device: SerialDevice, scan: Scan) -> None:
    program = (
        "import serial, sys; s = serial.Serial(sys.argv[1], exclusive=True); print(1, flush=True); input()"
    )
    with started([sys.executable, "-c", program, device.tty]) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        name = Path(f"/proc/{other.pid}/comm").read_text().strip()
        assert fault(scan()).endswith(f"is in use by {name} (process {other.pid})")
        other.communicate("\n")
    assert holder(device.tty) is None
    assert again(scan()).readings == bytes(225)


def test_something_that_is_no_scanner(tmp_path: Path, scan: Scan) -> None:
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    stop = threading.Event()

    def chatter() -> None:
        while not stop.wait(0.01):
            if select.select([], [ours], [], 0)[1]:
                os.write(ours, b"$GPGGA,092750.000,5321.6802,N\r\n")

    thread = threading.Thread(target=chatter, daemon=True)
    try:
        scanner = scan(os.ttyname(theirs))
        assert "does not answer (no scanner at this port, or its firmware does not run)" in fault(scanner)
        thread.start()
        assert "is something else: what it sends is no scanner's answer" in fault(scanner)
    finally:
        stop.set()
        thread.join()
        os.close(ours)
        os.close(theirs)


def test_the_right_one_of_several_ports_is_taken(tmp_path: Path, device: SerialDevice, scan: Scan) -> None:
    (tmp_path / "usb-Another").symlink_to("/dev/null")
    scanner = scan()
    assert frames(scanner, 3)
    assert scanner.identity is not None
    assert scanner.identity.name == "renju-board scanner 1.0"


def test_another_scanner_is_another_board(tmp_path: Path, device: SerialDevice, scan: Scan) -> None:
    other_table = quiet_table()
    other_table.set_up({"C3": "white"})
    other = SerialDevice(other_table, tmp_path / "usb-Spare", uid=b"ANOTHER!")
    other.plug()
    try:
        scanner = scan()
        found = frames(scanner, 20)
        said = (
            f"another scanner (unique number {b'ANOTHER!'.hex()}) is at {other.link},"
            f" not the one of this table ({UID.hex()})"
        )
        (told,) = scanner.faults()
        assert told.startswith(said)
        device.unplug()
        came: list[Frame | None] = []
        fault(scanner, came)
        assert fault(scanner, came) == told
        assert scanner.faults() == [], "the reader has told it"
        device.plug()
        came.append(again(scanner))
        assert all(frame is not None and frame.readings == bytes(225) for frame in [*found, *came])
        other.unplug()
        assert scanner.faults() == []
    finally:
        other.unplug()


def test_a_scanner_that_could_not_be_told_from_this_one_is_told(
    tmp_path: Path, device: SerialDevice, scan: Scan
) -> None:
    """Chips that were all given the same number."""
    twin = SerialDevice(quiet_table(), tmp_path / "usb-Twin", seed=2)
    twin.plug()
    scanner = scan()
    frames(scanner, 5)
    (told,) = scanner.faults()
    assert told.startswith(f"another scanner with the same unique number is at {twin.link}")
    twin.unplug()
    assert scanner.faults() == []


def test_a_path_that_cannot_be_opened(tmp_path: Path, scan: Scan) -> None:
    assert fault(scan(f"{tmp_path}/none")).endswith("/none is not there (unplugged, or without power)")
    (tmp_path / "file").write_text("no tty")
    assert "file cannot be opened: " in fault(scan(f"{tmp_path}/file"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a port that others may not open")
def test_no_permission_names_the_group(tmp_path: Path, device: SerialDevice) -> None:
    """Opened by a user without rights, in a process of its own."""
    os.chmod(device.tty, 0o600)
    program = """if True:
        import grp, os, sys
        from hw.serial_ports import open_port
        os.setgid(65534), os.setuid(65534)
        try:
            open_port(sys.argv[1])
        except OSError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", program, device.tty],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        timeout=LONG_S,
    )
    assert done.stdout.startswith(
        f"serial scanner {device.tty} may not be opened: this user must be in the group "
    )


def test_without_a_path_only_picos_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [ListPortInfo("/dev/ttyUSB0"), ListPortInfo("/dev/ttyACM1"), ListPortInfo("/dev/ttyACM0")]
    ports[1].vid = ports[2].vid = PICO_VID
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    assert find_ports("") == ["/dev/ttyACM0", "/dev/ttyACM1"]
    monkeypatch.setattr(list_ports, "comports", lambda: ports[:1])
    with pytest.raises(LinkError, match="no USB port has a Raspberry Pi Pico at it"):
        find_ports("")


def test_rows_whose_references_are_off_stay_as_they_were_and_are_named(
    table: SimulatedTable, device: SerialDevice, scan: Scan
) -> None:
    table.set_up({"H8": "black", "H9": "white"})
    scanner = scan()
    known = frames(scanner, 5)[-1].readings
    device.rows_off = frozenset({7, 8})
    assert all(frame.readings == known for frame in frames(scanner, 60))
    allowed = f"{REFERENCE - REFERENCE_WITHIN} to {REFERENCE + REFERENCE_WITHIN}"
    why = "its multiplexer without power, or its output or a select line open"
    assert scanner.faults() == [
        f"row {row} of the sensor plane cannot be read: its reference is 5, not {allowed} ({why})"
        for row in (8, 9)
    ]
    assert scanner.health()["state"] == "degraded"
    table.set_up({"I9": "black"})
    device.rows_off = frozenset()
    last = frames(scanner, 80)[-1]
    assert scanner.faults() == []
    assert signed(last)[8 * 15 + 8] > 50
    device.rows_off = frozenset({8})
    frames(scanner, 60)
    assert len(scanner.faults()) == 1
    device.unplug()
    fault(scanner)
    assert scanner.faults() == [], "nothing is known of a scanner that is not there"


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (range(ROWS), "no row of sensors can be read: all references are off, not 48 to 68"),
        (range(6), "6 rows of sensors cannot be read (1, 2, 3, 4, 5, 6): their references are off"),
    ],
)
def test_a_board_without_its_supply_is_not_an_empty_one(
    table: SimulatedTable, device: SerialDevice, scan: Scan, rows: range, what: str
) -> None:
    table.set_up({"H8": "black", "H3": "white"})
    scanner = scan(silent_s=SILENT_S)
    known = frames(scanner, 40)[-1]
    device.rows_off = frozenset(rows)
    came: list[Frame | None] = []
    assert f"serial scanner {device.link}: {what}" in fault(scanner, came)
    assert what in fault(scanner, came), "found anew, it is no better"
    assert all(frame is not None and frame.readings == known.readings for frame in came)
    assert (scanner.health()["state"], scanner.faults()) == ("lost", [])
    device.rows_off = frozenset()
    back = again(scanner)
    assert back.readings == known.readings
    last = came[-1] if came and came[-1] else known
    away = (back.t_ns - last.t_ns) * scanner.rate_hz // SECOND
    assert abs(back.lost - away) <= 2, "what was not given is told as lost"


def test_a_moment_without_supply_costs_frames_and_not_the_link(
    table: SimulatedTable, device: SerialDevice, scan: Scan
) -> None:
    table.set_up({"H8": "black"})
    scanner = scan()
    known = frames(scanner, 40)[-1].readings
    device.rows_off = frozenset(range(ROWS))
    while scanner.counts.unreadable < 5:
        scanner._receive(scanner._link)  # type: ignore[arg-type]
    assert scanner.health()["state"] == "lost"
    device.rows_off = frozenset()
    found = frames(scanner, 40)
    assert all(frame.readings == known for frame in found)
    assert sum(frame.lost for frame in found) == scanner.counts.unreadable
    assert scanner.health()["reconnects"] == 0


def test_closing_ends_a_waiting_read_and_a_waiting_search(device: SerialDevice, scan: Scan) -> None:
    scanner = scan()
    frames(scanner, 5)
    device.silent = True
    searching = scan()
    got: list[object] = []
    threads = [
        threading.Thread(target=lambda one=one: got.append(_last(one)), daemon=True)
        for one in (scanner, searching)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    begun = time.monotonic()
    scanner.close()
    scanner.close()
    searching.close()
    for thread in threads:
        thread.join(LONG_S)
    assert time.monotonic() - begun < LONG_S / 5
    assert got == [None, None]
    assert scanner.read() is None


def test_closing_does_not_wait_for_a_driver_that_blocks(
    device: SerialDevice, scan: Scan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port that is opened in the end is closed again."""
    opens, opened = threading.Event(), threading.Event()

    def blocks(path: str) -> Serial:
        opens.set()
        opened.wait(LONG_S)
        return open_port(path)

    monkeypatch.setattr(serial_scanner, "open_port", blocks)
    scanner = scan()
    got: list[object] = []
    thread = threading.Thread(target=lambda: got.append(scanner.read()), daemon=True)
    thread.start()
    assert opens.wait(LONG_S)
    begun = time.monotonic()
    scanner.close()
    assert time.monotonic() - begun < LONG_S / 5
    opened.set()
    thread.join(LONG_S)
    assert got == [None]
    with Serial(device.tty, exclusive=True):
        assert scanner.read() is None


def _last(scanner: SerialScanner) -> Frame | None:
    while True:
        try:
            frame = scanner.read()
        except LinkError:
            continue
        if frame is None:
            return None


def test_a_rate_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="rate_hz = 5 is not possible; allowed: 10 or more"):
        SerialScanner(rate_hz=5)
