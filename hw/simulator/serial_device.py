"""A serial scanner without one: the scanner's own program on a pseudo-terminal, at a simulated table.

What the host sees is a real tty, opened by the same code as on a Raspberry Pi. The passes are packed and the
commands obeyed by `hw/scanner_firmware`, as on the RP2040; what this module adds is the cable, and what can
go wrong with it.
"""

import contextlib
import os
import random
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from hw.scanner_firmware.device import ROW_VALUES, ROWS, Device
from hw.sensor_rows import REFERENCE
from hw.serial_protocol import IDENTITY, pack, unpack
from hw.simulator.table import SimulatedTable

MOST_HZ: Final = 200
UID: Final = b"SIMTABLE"
SECOND_NS: Final = 1_000_000_000
IDLE_S: Final = 0.05
BUFFER: Final = 16_384
"""Bytes that a USB driver keeps for a host that is busy."""
_CODED: Final = bytes(max(1, (n + 128) & 0xFF) for n in range(256))


class Cable(msgspec.Struct):
    """What happens to messages on their way to the host, each as a share 0..1 of them.

    `lose` and `double` whole messages, `swap` one with the next, `flip` a bit, `drop` a byte, `noise`: some
    bytes of garbage before it.
    """

    lose: float = 0.0
    double: float = 0.0
    swap: float = 0.0
    flip: float = 0.0
    drop: float = 0.0
    noise: float = 0.0


class SerialDevice:
    """A scanner at `table`; `link` is the path under which it is found, a symbolic link as udev makes them.

    It begins unplugged. `plug` gives it power and a new tty; `unplug` takes both, and what it knew. Faults
    are `cable`, `silent` (it hangs), `repeats` (its passes keep their number), `says_version` (another
    version of the protocol), `rows_off` (rows, 0..14, whose multiplexer is dead: all their values float
    about) and `drift_ppm` and `start_us` of its clock. All may be changed while it runs. Times are the
    monotonic clock's.
    """

    def __init__(
        self,
        table: SimulatedTable,
        link: Path,
        *,
        seed: int = 1,
        uid: bytes = UID,
        most_hz: int = MOST_HZ,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.link = link
        self.uid = uid
        self.most_hz = most_hz
        self.cable = Cable()
        self.silent = False
        self.repeats = False
        self.says_version: int | None = None
        self.rows_off: frozenset[int] = frozenset()
        self.drift_ppm = 0
        self.start_us = 0
        self.sent = 0
        self.sent_bytes = 0
        """Messages sent since it was made, and their bytes, before the cable."""
        self.dropped = 0
        """Those that were lost because the host was too busy to read."""
        self._table = table
        self._now_ns = now_ns
        self._chance = random.Random(seed)  # noqa: S311
        self._held = b""
        self._buffered = bytearray()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._open: tuple[int, int] | None = None

    @property
    def tty(self) -> str:
        """The tty behind the link; raises OSError while it is unplugged."""
        return os.path.realpath(self.link, strict=True)

    def plug(self) -> None:
        """Connect it: it starts anew, at another tty than before if that one is still held open."""
        if self._thread is not None:
            return
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(theirs))
        self._open = (ours, theirs)
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(ours,), name="serial device", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Pull the plug; safe to call twice."""
        if self._thread is None or self._open is None:
            return
        self._stop.set()
        self._thread.join()
        self._thread = None
        self.link.unlink(missing_ok=True)
        for descriptor in self._open:
            os.close(descriptor)
        self._open = None

    def _run(self, ours: int) -> None:
        self._held = b""
        self._buffered.clear()
        device = Device(self.uid, self._chance.randrange(1 << 16), self.most_hz)
        begun_ns = due_ns = self._now_ns()
        number = 0
        while not self._stop.is_set():
            wait_s = min((due_ns - self._now_ns()) / SECOND_NS, IDLE_S)
            ready, _, _ = select.select([ours], [], [], max(0.0, wait_s))
            for byte in os.read(ours, 1024) if ready else b"":
                device.receive(byte)
            if not self.silent:
                while size := device.answer():
                    self._send(ours, self._versioned(bytes(device.wire[:size])))
            if self._now_ns() < due_ns:
                continue
            number += not self.repeats
            t_us = (due_ns - begun_ns) * (1_000_000 + self.drift_ppm) // 1_000_000_000 + self.start_us
            size = device.frame(number & 0xFFFFFFFF, t_us & 0xFFFFFFFF, self._values(due_ns))
            if not self.silent:
                self._send(ours, bytes(device.wire[:size]))
            due_ns += SECOND_NS // device.rate_hz

    def _values(self, t_ns: int) -> bytearray:
        coded = self._table.readings(t_ns).translate(_CODED)
        rows = []
        for row in range(ROWS):
            if row in self.rows_off:
                rows.append(bytes(self._chance.randrange(100, 200) for _ in range(ROW_VALUES - 1)) + b"\x85")
            else:
                rows.append(coded[row * ROWS : row * ROWS + ROWS] + bytes((REFERENCE + 128,)))
        return bytearray(b"".join(rows))

    def _versioned(self, wire: bytes) -> bytes:
        if self.says_version is None:
            return wire
        body = unpack(wire[:-1])
        if body is None or body[0] != IDENTITY:
            return wire
        return pack(body[:1] + bytes((self.says_version,)) + body[2:])

    def _send(self, ours: int, wire: bytes) -> None:
        self.sent += 1
        self.sent_bytes += len(wire)
        if len(self._buffered) < BUFFER:
            self._buffered += self._on_its_way(wire)
        else:  # nobody reads, and the driver drops it
            self.dropped += 1
        with contextlib.suppress(BlockingIOError):
            del self._buffered[: os.write(ours, self._buffered)]

    def _on_its_way(self, wire: bytes) -> bytes:
        """What the cable makes of a message."""
        cable, chance = self.cable, self._chance.random
        if cable.lose and chance() < cable.lose:
            return b""
        data = bytearray(wire)
        if cable.flip and chance() < cable.flip:
            data[self._chance.randrange(len(data))] ^= 1 << self._chance.randrange(8)
        if cable.drop and chance() < cable.drop:
            del data[self._chance.randrange(len(data))]
        if cable.noise and chance() < cable.noise:
            data = bytearray(self._chance.randbytes(self._chance.randrange(1, 300))) + data
        whole = bytes(data)
        if cable.double and chance() < cable.double:
            whole += whole
        held, self._held = self._held, b""
        if cable.swap and not held and chance() < cable.swap:
            self._held = whole
            return b""
        return whole + held
