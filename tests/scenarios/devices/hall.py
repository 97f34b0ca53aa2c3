"""A live table with the real drivers, and virtual devices behind them that can fail.

What the daemon puts together stands here too, but for its pages: scanner, faces, buzzer, journal, traces and
`LiveTable`. Boards on I2C and GPIO are scanned in virtual time, by the same loop as everything else. The
serial scanner reads a real tty from a thread, as in the daemon, and time is real for it; `skip` lets a time
pass in which nobody does anything.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from firmware_host.service.config import load_config
from firmware_host.service.display import Display
from firmware_host.service.journal import Journal
from firmware_host.service.scan import BACK_OFF_S, ScanThread
from firmware_host.service.table import LiveTable
from firmware_host.service.trace_keeper import TraceKeeper
from hw import DeviceError, Frame, Scanner
from hw.buzzer import QwiicBuzzer
from hw.devices import Devices, VirtualClock
from hw.faces import Ht16k33Faces
from hw.gpio_scanner import GpioScanner
from hw.i2c import I2cBus
from hw.i2c_scanner import I2cScanner
from hw.serial_scanner import SerialScanner
from hw.simulator.i2c_board import TWO_PLANES, VirtualI2cBoard
from hw.simulator.matrix import SimulatedMatrix
from hw.simulator.scanner import SimulatedKeys
from hw.simulator.sensors import SwitchSensors
from hw.simulator.serial_device import SerialDevice
from hw.simulator.table import SimulatedTable
from tests.patience import wait_for

SECOND: Final = 1_000_000_000
TURN_NS: Final = 10_000_000
AWAY_TURN_NS: Final = 50_000_000
"""While no frame comes."""
RATE_HZ: Final = 100
VIRTUAL_HZ: Final = 50
"""Each pass over a virtual I2C board takes Python longer than the board."""
BUS_BACK_OFF_S: Final = (0.002, 0.01)
"""The clock's bus has a thread of its own, which lives in real time: virtual time must not outrun it much."""
FRAMES: Final = 40
"""After so many the empty board is known: what lies there earlier is no move."""
LONG_S: Final = 10.0
SCANNERS: Final = ("serial", "i2c", "gpio")


class Hall:
    """One table. `kind`: its scanner. `await run(seconds)` lets time pass."""

    def __init__(self, folder: Path, kind: str, **match: Any) -> None:
        self.kind = kind
        self.folder = folder
        self.ahead_ns = 0
        """How far this hall's time is ahead of the monotonic clock; in virtual time, the time itself."""
        self.real = kind == "serial"
        if not self.real:
            self.ahead_ns = 100 * SECOND
        self.clock = VirtualClock(self.now_ns)
        for address, chip in ((0x70, self.clock.faces["near"]), (0x71, self.clock.faces["far"])):
            self.clock.bus.attach(address, chip)
        self.clock.bus.attach(0x34, self.clock.buzzer)
        self.serial: SerialDevice | None = None
        self.board: VirtualI2cBoard | None = None
        self.matrix: SimulatedMatrix | None = None
        scanner = self._scanner(folder)
        back_off_s = BACK_OFF_S[0], 0.5
        bus = I2cBus(
            "/dev/i2c-1",
            self.clock.bus.open,
            now_ns=self.now_ns,
            back_off_s=back_off_s if self.real else BUS_BACK_OFF_S,
        )
        faces, buzzer = Ht16k33Faces(bus, {"near": 0x70, "far": 0x71}), QwiicBuzzer(bus, now_ns=self.now_ns)
        keys = SimulatedKeys(self.hand, now_ns=self.now_ns)
        self.devices = Devices(scanner, faces, buzzer, keys, self.hand, self.clock, [bus])
        settings = [f"match.{key}={value}" for key, value in match.items()]
        config = load_config(None, [f"journal.path={folder}/journal.db", *settings])
        self.journal = Journal.open(folder / "journal.db")
        self.keeper = TraceKeeper(
            folder / "journal.db", sensors=scanner.sensors, rate_hz=scanner.rate_hz, match=match, pace_s=0
        )
        self.table = LiveTable(config, scanner.sensors, self.journal, self.keeper, monotonic_ns=self.now_ns)
        self.table.device_faults = self.faults
        self.table.display = Display(faces, buzzer, self.table.axis, 8)
        self.said: list[str] = []
        """Every sentence about a device that the arbiter was sent, once for each time that it appeared."""
        self._saying: list[str] = []
        self._heard = 0
        self._turned_ns = 0
        self._scan: ScanThread | _Pulled | None = None

    def _scanner(self, folder: Path) -> Scanner:
        if self.kind == "serial":
            self.hand = SimulatedTable(seed=4)
            self.serial = SerialDevice(self.hand, folder / "usb-Pico-if00", now_ns=self.now_ns)
            self.serial.plug()
            return SerialScanner(f"{folder}/usb-*", RATE_HZ, now_ns=self.now_ns)
        if self.kind == "i2c":
            self.hand = SimulatedTable(electronics=SwitchSensors(1, poles=True))
            self.board = VirtualI2cBoard(self.hand, self.now_ns, TWO_PLANES)
            name = "the board on /dev/i2c-3"
            return I2cScanner(
                self.board.bus.open, TWO_PLANES, VIRTUAL_HZ, name=name, now_ns=self.now_ns, wait=self.pass_by
            )
        self.hand = SimulatedTable("switch", seed=4)
        self.matrix = SimulatedMatrix(self.hand, now_ns=self.now_ns)
        return GpioScanner(
            lambda: self.matrix,  # type: ignore[arg-type,return-value]
            VIRTUAL_HZ,
            now_ns=self.now_ns,
            sleep=self.pass_by,
            settle=lambda _: None,
        )

    # Time.

    def now_ns(self) -> int:
        """This hall's monotonic clock."""
        return self.ahead_ns + (time.monotonic_ns() if self.real else 0)

    def pass_by(self, seconds: float) -> None:
        """Virtual time passes; the table takes its turns meanwhile."""
        self.ahead_ns += round(seconds * SECOND)
        if self._scan is not None and self.now_ns() - self._turned_ns >= TURN_NS:
            self.turn()

    def skip(self, seconds: float) -> None:
        """So much time is over at once; only for a hall without a scanner that would miss it."""
        self.ahead_ns += round(seconds * SECOND)

    async def run(self, seconds: float) -> None:
        """Let time pass, and everything that was ruled be written and told."""
        end_ns = self.now_ns() + round(seconds * SECOND)
        while self.now_ns() < end_ns:
            if isinstance(self._scan, _Pulled):
                self._scan.pull()
                await asyncio.sleep(0)
            else:
                await asyncio.sleep(TURN_NS / SECOND)
                self.turn()
            self._listen()
        await self.table._written.join()
        self._listen()

    async def run_until(self, so: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until it is so, or so long; whether it is."""
        end_ns = self.now_ns() + round(seconds * SECOND)
        while not so() and self.now_ns() < end_ns:
            await self.run(0.1)
        return so()

    def turn(self) -> None:
        """What the daemon does when frames wait, and from time to time."""
        assert self._scan is not None
        self._turned_ns = self.now_ns()
        self.table.frames(self._scan.frames())
        self.table.presses(*self.devices.keys.poll())
        self.table.turn()
        if not self.real:
            for bus in self.devices.buses:
                wait_for(lambda bus=bus: bus.state == "lost" or bus.flush(BUS_BACK_OFF_S[0]), every_s=0)

    def _listen(self) -> None:
        """Note what the arbiter's page is sent of devices."""
        for number, message in self.table.arbiter._kept:
            if number > self._heard:
                self._heard = number
                saying = json.loads(message.split(b"data: ", 1)[1])["faults"]
                self.said += [sentence for sentence in saying if sentence not in self._saying]
                self._saying = saying

    # The whole evening.

    async def open(self) -> asyncio.Task[None]:
        """Begin to scan and to tell, and start the round when the empty board is known."""
        telling = asyncio.create_task(self.table.tell())
        if self.real:
            thread = ScanThread(self.devices.scanner, asyncio.get_running_loop(), self.turn)
            self._scan = thread
            thread.start()
        else:
            self._scan = _Pulled(self)
        end_s = time.monotonic() + LONG_S
        while self._scan.count < FRAMES:
            assert time.monotonic() < end_s, self.faults()
            await self.run(0.05)
        self.table.start()
        await self.run(0.2)
        return telling

    def faults(self) -> list[str]:
        """What does not work, as the daemon tells it."""
        scanner = self._scan.fault if self._scan else ""
        return [*([scanner] if scanner else []), *self.devices.faults()]

    @property
    def frames(self) -> int:
        """How many frames have come from the scanner."""
        return self._scan.count if self._scan else 0

    def digits(self, seat: str) -> bytes:
        """What a face shows."""
        return self.clock.faces[seat].picture().segments  # type: ignore[index]

    def close(self) -> None:
        """Let go of everything."""
        if isinstance(self._scan, ScanThread):
            self._scan.close()
        if self.serial is not None:
            self.serial.unplug()
        self.clock.bus.free()
        self.devices.close()
        self.keeper.close()
        self.journal.close()


class _Pulled:
    """What `ScanThread` does, in virtual time: the scanner is read here, and its waiting lets time pass."""

    def __init__(self, hall: Hall) -> None:
        self.fault = ""
        self.count = 0
        self._hall = hall
        self._waiting: list[Frame] = []
        self._failures = 0

    def pull(self) -> None:
        """Read one frame, or wait as long as the thread would after a failure."""
        try:
            frame = self._hall.devices.scanner.read()
        except DeviceError as error:
            self.fault = str(error)
            wait_s = BACK_OFF_S[min(self._failures, len(BACK_OFF_S) - 1)]
            self._failures += 1
            for _ in range(round(wait_s * SECOND / AWAY_TURN_NS)):
                self._hall.pass_by(AWAY_TURN_NS / SECOND)
            return
        assert frame is not None
        self.fault, self._failures = "", 0
        self.count += 1
        self._waiting.append(frame)

    def frames(self) -> list[Frame]:
        """The frames that wait, in order."""
        taken, self._waiting = self._waiting, []
        return taken


@contextlib.contextmanager
def hall(folder: Path, kind: str, **match: Any) -> Iterator[Hall]:
    """A hall, closed at the end."""
    opened = Hall(folder, kind, **match)
    try:
        yield opened
    finally:
        opened.close()
