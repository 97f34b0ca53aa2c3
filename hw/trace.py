"""Trace files: every frame, key and command of a table, to be replayed. Faults are reported in this form.

A trace is gzip of JSON lines (plain JSON lines are read as well). Line 1 is the header:
`{"format": "renju-board-trace", "version": 1, "sensors": "linear" | "switch", "rate_hz": 200, "match":
{..}}`, with `"calibration": {..}` where sensing began with one; its other keys are ignored. Then, in time
order, one of these a line:

| line | meaning |
|---|---|
| `{"t_us": 5000, "f": "AAEC.."}` | a frame unlike the one before: base64 of 225 signed bytes, A1 .. O15 |
| `{"t_us": 9000, "lost": 3}` | so many frames were lost here |
| `{"t_us": 9000, "key": "near"}` | a key closed; `near-menu`, `far-menu`: a call key was held for a second |
| `{"t_us": 9000, "command": {"do": "pause"}}` | a command |

A frame stands until the next one; those in between were scanned at `rate_hz` and equal. Linear readings are
-127..127, switches 0 or 1, or 92 (black) and -92 (white) where there is one for each pole.
"""

import binascii
import contextlib
import gzip
import heapq
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self, get_args

import msgspec

from hw import POLE_COUNTS, SENSORS, DeviceError, Frame, KeyName, Press, Sensors

FORMAT: Final = "renju-board-trace"
VERSION: Final = 1
KEYS: Final[tuple[KeyName, ...]] = get_args(KeyName)
RATES_HZ: Final = (1, 1000)
LATEST_US: Final = 7 * 24 * 3600 * 1_000_000

SWITCH_READINGS: Final = bytes([0, 1, POLE_COUNTS, 256 - POLE_COUNTS])
_KINDS: Final = ("f", "lost", "key", "command")
_GZIP_MAGIC: Final = b"\x1f\x8b"
_RANKS: Final = {"lost": 0, "f": 1, "key": 2, "command": 3}


class TraceError(DeviceError, ValueError):
    """A trace that cannot be read; `line` is 1-based, None where the file as a whole is meant."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class TraceHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What the trace was recorded from; settings of the match and calibration are unchecked: the host's."""

    format: str
    version: int
    sensors: Sensors
    rate_hz: int
    match: dict[str, Any] = {}
    calibration: Any = None


class TraceLine(msgspec.Struct):
    """One line, its `number` from 1. Exactly one of `readings`, `lost`, `key`, `command` is set."""

    t_us: int
    readings: bytes | None = msgspec.field(default=None, name="f")
    lost: int = 0
    key: KeyName | None = None
    command: dict[str, Any] | None = None
    number: int = msgspec.field(default=0, name="-")


class TraceReader:
    """Reads a trace line by line, in constant memory.

    `TraceReader(path)` reads and checks the header; iterating gives `TraceLine`s. Raises TraceError, which
    names the line: what came before it has been given already, so the good part of a torn file is usable.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._file = _open(self.path)
        try:
            self.header = self._read_header()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._file.close()

    def commands(self) -> list[dict[str, Any]]:
        """Every command of the trace, as the round's start and its absent players depend on later ones.

        Reads the file a second time. What is broken further on is for the iteration to tell.
        """
        found: list[dict[str, Any]] = []
        with contextlib.suppress(OSError, EOFError, zlib.error), _open(self.path) as file:
            for raw in file:
                if b'"command"' in raw:
                    with contextlib.suppress(msgspec.MsgspecError):
                        line = msgspec.json.decode(raw, type=TraceLine)
                        found += [line.command] if line.command is not None else []
        return found

    def __iter__(self) -> Iterator[TraceLine]:
        decode = msgspec.json.Decoder(TraceLine).decode
        switch = self.header.sensors == "switch"
        last_us = 0
        number = 1
        for raw in self._lines():
            number += 1
            try:
                line = decode(raw)
            except msgspec.MsgspecError as error:
                if not raw.strip():
                    continue
                raise TraceError(_what_is_wrong(raw, last_us, switch), number) from error
            readings = line.readings
            kinds = (readings is not None) + (line.lost > 0) + (line.key is not None)
            if (
                kinds + (line.command is not None) != 1
                or not last_us <= line.t_us <= LATEST_US
                or line.lost < 0
                or (readings is not None and not _fits(readings, switch))
            ):
                raise TraceError(_what_is_wrong(raw, last_us, switch), number)
            last_us = line.t_us
            line.number = number
            yield line

    def _read_header(self) -> TraceHeader:
        raw = next(self._lines(), b"")
        try:
            header = msgspec.json.decode(raw, type=TraceHeader)
        except msgspec.MsgspecError as error:
            raise TraceError(f"no trace header ({error}); it begins with {_shown(raw)}", 1) from error
        if header.format != FORMAT:
            raise TraceError(f"format = {header.format!r} is not a trace; allowed: {FORMAT!r}", 1)
        if header.version != VERSION:
            raise TraceError(f"version = {header.version} cannot be read; allowed: {VERSION}", 1)
        low, high = RATES_HZ
        if not low <= header.rate_hz <= high:
            raise TraceError(f"rate_hz = {header.rate_hz} is not possible; allowed: {low} to {high}", 1)
        return header

    def _lines(self) -> Iterator[bytes]:
        number = 0
        try:
            for raw in self._file:
                number += 1
                yield raw
        except EOFError as error:
            raise TraceError("the file ends in the middle of its compressed data (it was cut off)") from error
        except (OSError, zlib.error) as error:
            raise TraceError(f"{self.path} cannot be read: {error}") from error


class TraceWriter:
    """Writes a trace; frames equal to the one before are left out.

    Entries may come from several threads and a little out of order (a key is polled later than the frames
    of its instant): they are held back for `HOLD_NS` of frame time and sorted. `origin_ns` becomes t_us 0.
    `rate_hz` may be a function where the rate is known only once frames come: the header is written then.
    After a crash the file is readable up to two seconds before it.
    """

    HOLD_NS: Final = 1_000_000_000

    def __init__(
        self,
        path: Path | str,
        *,
        sensors: Sensors,
        rate_hz: int | Callable[[], int],
        match: Mapping[str, Any] | None = None,
        origin_ns: int = 0,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._origin_ns = origin_ns
        self._held: list[tuple[int, int, int, dict[str, Any]]] = []
        self._count = 0
        self._newest_us = self._flushed_us = self._written_us = 0
        self._last: bytes | None = None
        try:
            self._file: gzip.GzipFile | None = gzip.open(path, "wb", compresslevel=5)  # noqa: SIM115
        except OSError as error:
            raise TraceError(f"{path} cannot be written: {error.strerror or error}") from error
        self._rate_hz = rate_hz
        self._header: dict[str, Any] | None = {
            **(extra or {}),
            "format": FORMAT,
            "version": VERSION,
            "sensors": sensors,
            "match": dict(match or {}),
        }

    def frame(self, frame: Frame) -> None:
        """Note a frame, and the frames lost before it."""
        with self._lock:
            t_us = self._t_us(frame.t_ns)
            if frame.lost:
                self._hold(t_us, "lost", frame.lost)
            if frame.readings != self._last:
                self._last = frame.readings
                self._hold(t_us, "f", binascii.b2a_base64(frame.readings, newline=False).decode())
            self._newest_us = max(self._newest_us, t_us)
            self._write_until(self._newest_us - self.HOLD_NS // 1000)

    def press(self, press: Press) -> None:
        """Note a key."""
        with self._lock:
            self._hold(self._t_us(press.t_ns), "key", press.key)

    def command(self, t_ns: int, command: Mapping[str, Any]) -> None:
        """Note a command, as the object that names its `do`."""
        with self._lock:
            self._hold(self._t_us(t_ns), "command", dict(command))

    def close(self) -> None:
        """Write what is held back and close; safe to call twice."""
        with self._lock:
            if self._file is not None:
                self._write_until(None)
                self._file.close()
                self._file = None

    def _t_us(self, t_ns: int) -> int:
        return max(0, (t_ns - self._origin_ns) // 1000)

    def _hold(self, t_us: int, kind: str, value: object) -> None:
        self._count += 1
        heapq.heappush(self._held, (t_us, _RANKS[kind], self._count, {kind: value}))

    def _write_until(self, until_us: int | None) -> None:
        if self._file is None:
            self._held.clear()
            return
        if self._header is not None:
            rate_hz = self._rate_hz if isinstance(self._rate_hz, int) else self._rate_hz()
            self._file.write(msgspec.json.encode({**self._header, "rate_hz": rate_hz}) + b"\n")
            self._header = None
        while self._held and (until_us is None or self._held[0][0] <= until_us):
            t_us, _, _, entry = heapq.heappop(self._held)
            # A straggler is moved to the present of the file rather than breaking its order.
            self._written_us = max(self._written_us, t_us)
            self._file.write(msgspec.json.encode({"t_us": self._written_us, **entry}) + b"\n")
        if self._newest_us - self._flushed_us >= 1_000_000:
            self._flushed_us = self._newest_us
            self._file.flush()


def _open(path: Path) -> gzip.GzipFile | BinaryIO:
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP_MAGIC
        return gzip.open(path) if packed else path.open("rb")
    except OSError as error:
        raise TraceError(f"{path} cannot be read: {error.strerror or error}") from error


def _fits(readings: bytes, switch: bool) -> bool:
    if len(readings) != SENSORS:
        return False
    return not readings.translate(None, SWITCH_READINGS) if switch else 0x80 not in readings


def _what_is_wrong(raw: bytes, last_us: int, switch: bool) -> str:
    """One sentence about a line that is not one of a trace's."""
    try:
        line = msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        return f"{_shown(raw)} is not JSON ({error})"
    if not isinstance(line, dict):
        return f"{_shown(raw)} is not a JSON object"
    t_us = line.get("t_us")
    if not isinstance(t_us, int) or isinstance(t_us, bool) or t_us < 0:
        return f"t_us = {_shown(t_us)} is not a time; allowed: whole microseconds from 0"
    if t_us > LATEST_US:
        return f"t_us = {_shown(t_us)} is too late; allowed: 0 to {LATEST_US} (a week)"
    if t_us < last_us:
        return f"t_us = {t_us} goes back; allowed: {last_us} or later"
    kinds = [kind for kind in _KINDS if line.get(kind) is not None]
    if len(kinds) != 1:
        return f"it has {' and '.join(kinds) or 'none'} of {', '.join(_KINDS)}; allowed: exactly one of them"
    value = line[kinds[0]]
    match kinds[0]:
        case "lost":
            return f"lost = {_shown(value)} is no number of frames; allowed: a whole number from 1"
        case "key":
            return f"key = {_shown(value)} does not exist; allowed: {', '.join(KEYS)}"
        case "command":
            return f"command = {_shown(value)} is not an object"
    try:
        readings = binascii.a2b_base64(value, strict_mode=True)
    except (binascii.Error, TypeError, ValueError) as error:
        return f"f is not base64 ({error})"
    if len(readings) != SENSORS:
        return f"f holds {len(readings)} readings; allowed: {SENSORS}"
    for at, reading in enumerate(readings):
        if reading not in SWITCH_READINGS if switch else reading == 0x80:
            signed = reading - 256 if reading > 127 else reading
            allowed = f"0, 1, {POLE_COUNTS} or -{POLE_COUNTS}" if switch else "-127 to 127"
            return f"reading {at} of f is {signed}; allowed: {allowed}"
    return f"{_shown(raw)} is not a line of a trace"


def _shown(value: object) -> str:
    """A value cut to what fits in a sentence."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace").rstrip("\n")
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
