"""The last minutes of frames, kept in memory and saved as a trace when something happened worth a look.

Frames are packed in blocks of about a second: the difference of each reading to the block's first frame, so
that what remains is noise of a few counts, Huffman-coded. Five minutes of a linear board at 200 frames a
second take about 5 MB. Saving runs in a thread of its own, from a picture of the blocks taken when it begins.
"""

import os
import re
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec.structs import asdict

from firmware_host.errors import RecordError
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.journal_file import sync
from firmware_host.service.wall_clock import synchronised
from hw import SENSORS, DeviceError, Frame, Press, Sensors
from hw.trace import TraceWriter

BLOCK_NS: Final = 1_000_000_000
BLOCK_FRAMES: Final = 400
MINUTE_NS: Final = 60_000_000_000
MEGABYTE: Final = 1_000_000
PACE_S: Final = 60.0
"""Two saved traces begin at least so far apart; what is asked for in between is saved together at its end."""
RESERVE_BYTES: Final = 64 * MEGABYTE
"""Room on the disk that belongs to the journal: no trace is saved into it."""

_SUFFIX: Final = ".trace.gz"


class _Block(NamedTuple):
    """Frames of about a second, packed: instants, frames lost before each (both int64), readings."""

    last_ns: int
    last: bytes
    packed: bytes

    @classmethod
    def pack(cls, times: Sequence[int], lost: Sequence[int], readings: bytes) -> "_Block":
        frames = np.frombuffer(readings, np.int8).reshape(-1, SENSORS)
        differences = frames - frames[0]  # wraps around, and unpacking wraps back
        packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_RLE)
        head = np.array([times, lost], np.int64).tobytes()
        packed = packer.compress(head + frames[0].tobytes() + differences.tobytes()) + packer.flush()
        return cls(times[-1], readings[-SENSORS:], packed)

    def frames(self) -> Iterator[Frame]:
        raw = zlib.decompress(self.packed, -zlib.MAX_WBITS)
        count = (len(raw) - SENSORS) // (16 + SENSORS)
        times, lost = np.frombuffer(raw, np.int64, 2 * count).reshape(2, count).tolist()
        body = np.frombuffer(raw, np.int8, offset=16 * count).reshape(-1, SENSORS)
        for t_ns, missing, readings in zip(times, lost, body[1:] + body[0], strict=True):
            yield Frame(t_ns, readings.tobytes(), missing)


def trace_settings(settings: MatchSettings) -> dict[str, Any]:
    """The settings of a match for a trace's header."""
    return {k: v for k, v in asdict(settings).items() if v is not None}


class TraceKeeper:
    """Keeps what a table's sensors, keys and commands said in the last minutes; see the module.

    `frame`, `press` and `command` may be called from any thread and never wait for a disk. All instants are
    nanoseconds on one axis.
    """

    def __init__(
        self,
        journal: Path,
        *,
        sensors: Sensors,
        rate_hz: int | Callable[[], int],
        match: Mapping[str, Any],
        calibration: Mapping[str, Any] | None = None,
        keep_minutes: int = 5,
        most: int = 40,
        most_mb: int = 200,
        pace_s: float = PACE_S,
        reserve_bytes: int = RESERVE_BYTES,
    ) -> None:
        """Traces are saved beside `journal` and begin with its name.

        `match` and `calibration` are for their header. At most `most` of them with `most_mb` megabytes
        together are kept, the oldest going first.
        """
        self.folder = journal.parent
        self.match = dict(match)
        self._calibration = {} if calibration is None else {"calibration": dict(calibration)}
        self.fault = ""
        """Why the last trace that was asked for is not on the disk; empty once one is."""
        self._stem = journal.stem
        self._sensors: Sensors = sensors
        self._rate_hz = rate_hz
        self._keep_ns = keep_minutes * MINUTE_NS
        self._most = most
        self._most_bytes = most_mb * MEGABYTE
        self._pace_s = pace_s
        self._reserve_bytes = reserve_bytes
        self._saving = threading.Lock()
        self._lock = threading.Lock()
        self._blocks: deque[_Block] = deque()
        self._before: bytes | None = None
        self._last: bytes | None = None
        self._times: list[int] = []
        self._lost: list[int] = []
        self._readings = bytearray()
        self._presses: deque[Press] = deque()
        self._commands: deque[tuple[int, Mapping[str, Any]]] = deque()
        self._asked: Future[Path] | None = None
        self._reasons: list[str] = []
        self._wake = threading.Condition()
        self._closing = False
        self._saver: threading.Thread | None = None

    def frame(self, frame: Frame) -> None:
        """Note a frame; one equal to the frame before takes no room."""
        with self._lock:
            if frame.readings == self._last and not frame.lost:
                return
            if self._times and (frame.t_ns - self._times[0] >= BLOCK_NS or len(self._times) >= BLOCK_FRAMES):
                self._close_block()
            self._last = frame.readings
            self._times.append(frame.t_ns)
            self._lost.append(frame.lost)
            self._readings += frame.readings

    def press(self, press: Press) -> None:
        """Note a key."""
        with self._lock:
            self._presses.append(press)

    def command(self, t_ns: int, command: Mapping[str, Any]) -> None:
        """Note a command, as the object that names its `do`."""
        with self._lock:
            self._commands.append((t_ns, dict(command)))

    @property
    def memory_bytes(self) -> int:
        """What the frames take in memory, in bytes."""
        with self._lock:
            return sum(len(b.packed) + len(b.last) for b in self._blocks) + len(self._readings)

    def save(self, reason: str) -> "Future[Path]":
        """Save what is kept, in another thread; the future gives the file, or raises RecordError.

        `reason` (such as `irregular-slide` or `call`) becomes part of the file's name. Within `PACE_S` after
        a trace the next one waits, and everybody who asks until then gets the same.
        """
        with self._wake:
            if self._closing:
                raise RecordError(f"{self.folder}: the traces are closed")
            if self._asked is None:
                self._asked = Future()
                self._asked.set_running_or_notify_cancel()
            self._reasons.append(reason)
            if self._saver is None:
                self._saver = threading.Thread(target=self._save_when_asked, name="trace", daemon=True)
                self._saver.start()
            self._wake.notify_all()
            return self._asked

    def save_now(self, reason: str, wall_s: float | None = None) -> Path:
        """Save what is kept in this thread: for a crash. Raises RecordError.

        `wall_s`: the wall time for its name, seconds since 1970.
        """
        with self._saving:
            return self._save(reason, time.gmtime(time.time() if wall_s is None else wall_s))

    def close(self) -> None:
        """Save what was asked for without waiting any longer, and end; safe to call twice."""
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if self._saver is not None:
            self._saver.join()

    def _close_block(self) -> None:
        self._blocks.append(_Block.pack(self._times, self._lost, bytes(self._readings)))
        self._times, self._lost = [], []
        self._readings.clear()
        self._forget(self._blocks[-1].last_ns)

    def _forget(self, now_ns: int) -> None:
        """Drop what is older than the time to keep, but for the frame that then stood."""
        first_ns = now_ns - self._keep_ns
        while self._blocks and self._blocks[0].last_ns < first_ns:
            self._before = self._blocks.popleft().last
        while self._presses and self._presses[0].t_ns < first_ns:
            self._presses.popleft()
        while self._commands and self._commands[0][0] < first_ns:
            self._commands.popleft()

    def _picture(
        self,
    ) -> tuple[list[_Block], list[Press], list[tuple[int, Mapping[str, Any]]], bytes | None]:
        with self._lock:
            if self._times:
                self._close_block()
            newest = [p.t_ns for p in self._presses] + [t for t, _ in self._commands]
            if self._blocks:
                newest.append(self._blocks[-1].last_ns)
            self._forget(max(newest, default=0))
            return list(self._blocks), list(self._presses), list(self._commands), self._before

    def _save_when_asked(self) -> None:
        """The saving thread."""
        earliest = time.monotonic()
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closing or self._asked is not None)
                if self._asked is None:
                    return
                self._wake.wait_for(lambda: self._closing, max(0.0, earliest - time.monotonic()))
                asked, self._asked = self._asked, None
                reason = ", ".join(dict.fromkeys(self._reasons))
                self._reasons.clear()
            earliest = time.monotonic() + self._pace_s
            try:
                path = self.save_now(reason)
            except Exception as error:  # whatever it is, it is told, and the next one is tried
                self.fault = str(error)
                asked.set_exception(error)
            else:
                self.fault = ""
                asked.set_result(path)

    def _save(self, reason: str, now: time.struct_time) -> Path:
        blocks, presses, commands, before = self._picture()
        if not blocks and before is None:
            raise RecordError(f"{self.folder}: no trace is saved, no frame has come yet")
        words = re.sub(r"[^a-z0-9]+", "-", reason.lower()).strip("-")[:60] or "unnamed"
        path = self._free_name(f"{self._stem}-{time.strftime('%Y%m%dT%H%M%SZ', now)}-{words}")
        temporary = path.with_name(f"{path.name}.tmp")
        try:
            self._check_room()
            self._write(temporary, blocks, presses, commands, before, reason, now)
            sync(temporary)
            temporary.rename(path)
            sync(self.folder)
            self._delete_oldest()
        except (OSError, DeviceError) as error:
            temporary.unlink(missing_ok=True)
            why = getattr(error, "strerror", None) or error
            raise RecordError(f"{path}: the trace is not saved: {why}") from error
        return path

    def _write(
        self,
        path: Path,
        blocks: Sequence[_Block],
        presses: Sequence[Press],
        commands: Sequence[tuple[int, Mapping[str, Any]]],
        before: bytes | None,
        reason: str,
        now: time.struct_time,
    ) -> None:
        firsts = [t_ns for t_ns, _ in commands[:1]] + [press.t_ns for press in presses[:1]]
        if blocks:
            firsts.append(next(blocks[0].frames()).t_ns)
        origin_ns = min(firsts)
        writer = TraceWriter(
            path,
            sensors=self._sensors,
            rate_hz=self._rate_hz,
            match=self.match,
            origin_ns=origin_ns,
            extra={
                **self._calibration,
                "reason": reason,
                "saved": time.strftime("%Y-%m-%dT%H:%M:%SZ", now),
                "clock_synchronised": synchronised(),
                "first_ns": origin_ns,
            },
        )
        try:
            if before is not None:
                writer.frame(Frame(origin_ns, before))
            keys, orders = deque(presses), deque(commands)
            for block in blocks:
                # The writer sorts within a second of frames, so keys go to it along with their frames.
                while keys and keys[0].t_ns <= block.last_ns:
                    writer.press(keys.popleft())
                while orders and orders[0][0] <= block.last_ns:
                    writer.command(*orders.popleft())
                for frame in block.frames():
                    writer.frame(frame)
            for press in keys:
                writer.press(press)
            for t_ns, command in orders:
                writer.command(t_ns, command)
        finally:
            writer.close()

    def _free_name(self, name: str) -> Path:
        path, number = self.folder / f"{name}{_SUFFIX}", 1
        while path.exists():
            number += 1
            path = self.folder / f"{name}-{number}{_SUFFIX}"
        return path

    def _check_room(self) -> None:
        disk = os.statvfs(self.folder)
        free = disk.f_bavail * disk.f_frsize
        if free < self._reserve_bytes:
            raise DeviceError(
                f"{free // MEGABYTE} MB of the disk are free, and the last "
                f"{self._reserve_bytes // MEGABYTE} MB are the journal's"
            )

    def _delete_oldest(self) -> None:
        """Keep within the number and the megabytes; only files with the names that this class gives.

        An unfinished one is what a kill left behind, since one at a time is saved.
        """
        mine = re.compile(rf"{re.escape(self._stem)}-\d{{8}}T\d{{6}}Z-[a-z0-9-]+{re.escape(_SUFFIX)}(\.tmp)?")
        found = []
        for path in self.folder.iterdir():
            name = mine.fullmatch(path.name)
            if name and name[1]:
                path.unlink(missing_ok=True)
            elif name:
                state = path.stat()
                found.append((state.st_mtime_ns, path, state.st_size))
        found.sort(reverse=True)
        size = 0
        for number, (_, path, of_it) in enumerate(found):
            size += of_it
            if number and (number >= self._most or size > self._most_bytes):
                path.unlink(missing_ok=True)
