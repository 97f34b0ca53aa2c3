"""The serial scanner: a microcontroller that scans by its own clock and sends numbered, stamped passes.

`read` waits for the next frame. Whatever goes wrong, the port is closed first and a LinkError says what and
why; the next `read` looks for the scanner anew, wherever it is then. How long to wait between two tries is
the reader's to choose. The first scanner that answers is the table's for good: another one is another board,
and is refused. Nothing doubtful is passed on: a pass that is lost, corrupt, doubled or late is
counted, a row of sensors whose reference is off is given as it was last believed, and with many rows off
there is no frame at all.
"""

import contextlib
import os
import select
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
from serial import Serial, SerialTimeoutException

from hw import Frame, LinkError, Sensors
from hw.device_clock import DeviceClock
from hw.sensor_rows import Rows
from hw.serial_ports import find_ports, open_port
from hw.serial_protocol import (
    IDENTIFY,
    NO_KEY,
    RATES_HZ,
    RUN_SELF_TEST,
    SET_RATE,
    SNAPSHOT,
    VERSION,
    WHY_REFUSED,
    Counts,
    Decoder,
    Identity,
    Message,
    Order,
    Pass,
    Passes,
    Rate,
    Refused,
    Scan,
    SelfTest,
    encode,
)

SECOND_NS: Final = 1_000_000_000
IDENTIFY_S: Final = 1.0
ASK_S: Final = 0.2
"""A question that is not answered is asked again after this time."""
SILENT_S: Final = 1.0
CLOSE_S: Final = 0.5
"""`close` waits no longer for a `read`: nobody's loop stands still for a driver."""
ACK_NS: Final = 50_000_000
PIECE_S: Final = 0.25
"""A read waits no longer, so that it is noticed when nothing comes."""
PAUSE_S: Final = (0.025, 0.035)
"""Between two reads: waking costs more than decoding."""
PROMPT_READS: Final = 30
"""No pauses at first: the offset of the clocks is found sooner."""
GOLDEN: Final = 0.618034
FAILURES: Final = (OSError, termios.error)
"""What a port that goes away raises: pyserial's error is an OSError, that of the terminal calls is not."""
MOST_BYTES: Final = 65_536


class _Absent(LinkError):
    """There is no port, or nobody answers at it."""


class _Closed(Exception):
    """`close` was called while a read waited."""


class SerialScanner:
    """Frames of the scanner at `device`: a path, a pattern with `*`, or empty to look for it.

    `rate_hz` is asked for; the scanner's answer replaces it. `silent_s`: a scanner that gives no pass for so
    long has failed. Nothing is opened before the first `read`.
    """

    sensors: Sensors = "linear"

    def __init__(
        self,
        device: str = "",
        rate_hz: int = 100,
        *,
        silent_s: float = SILENT_S,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        low, high = RATES_HZ
        if rate_hz < low:
            raise ValueError(f"rate_hz = {rate_hz} is not possible; allowed: {low} or more")
        self.rate_hz = min(rate_hz, high)
        self.device = device
        self.identity: Identity | None = None
        self.self_test: SelfTest | None = None
        self.counts = Counts()
        self._asked_hz = self.rate_hz
        self._silent_ns = round(silent_s * SECOND_NS)
        self._now_ns = now_ns
        self._rows = Rows()
        self._passes = Passes(self.counts)
        self._clock = DeviceClock()
        self._link: _Link | None = None
        self._gone = ""
        """Why the last link that worked does no more."""
        self._others: dict[str, str] = {}
        self._connects = 0
        self._withheld = 0
        self._waiting: deque[Frame] = deque()
        self._last_ns: int | None = None
        self._closed = threading.Event()
        self._ended = False
        self._wake, self._waker = os.pipe()
        self._reading = threading.Lock()

    def read(self) -> Frame | None:
        """Wait for the next frame; None once closed. Raises LinkError, with the port closed, on any fault."""
        with self._reading:
            if self._closed.is_set():
                return None
            try:
                while not self._waiting and not self._closed.is_set():
                    if self._link is None:
                        self._link = self._reconnect()
                        self._connects += 1
                    self._receive(self._link)
            except _Closed:
                return None
            except BaseException as error:
                if self._link is not None and isinstance(error, LinkError):
                    self._gone = str(error)
                self._let_go()
                raise
            finally:
                if self._closed.is_set():
                    self._end()
            return None if self._closed.is_set() else self._waiting.popleft()

    def run_self_test(self) -> None:
        """Ask for a self-test; `self_test` holds the result some passes later. Without a link: nothing."""
        link = self._link
        if link is not None:
            self.self_test = None
            link.wishes.append(RUN_SELF_TEST)

    def faults(self) -> list[str]:
        """A sentence for each row of sensors that cannot be believed, and for each scanner too many."""
        if self._link is None:
            return []
        others = [said for path, said in dict(self._others).items() if os.path.exists(path)]
        return [*others, *self._rows.faults()]

    def health(self) -> dict[str, Any]:
        """State, port, the scanner's unique number, links opened again, and what `Counts` has."""
        link = self._link
        return {
            "state": "lost" if link is None or self._rows.lost else "degraded" if self.faults() else "ok",
            "port": link.path if link else "",
            "uid": self.identity.uid.hex() if self.identity else "",
            "reconnects": max(0, self._connects - 1),
            **msgspec.structs.asdict(self.counts),
        }

    def close(self) -> None:
        """Let go of the port; ends a waiting `read`. Safe to call twice.

        A `read` that a driver does not let go (opening a port may block) is not waited for: it closes the
        port when it comes back.
        """
        if self._closed.is_set():
            return
        os.write(self._waker, b"!")
        self._closed.set()
        if self._reading.acquire(timeout=CLOSE_S):
            self._end()
            self._reading.release()

    def _end(self) -> None:
        self._let_go()
        if not self._ended:
            self._ended = True
            os.close(self._wake)
            os.close(self._waker)

    def _let_go(self) -> None:
        self._rows.forget()
        if self._link is not None:
            self._link.close()
            self._link = None

    def _reconnect(self) -> "_Link":
        """What `_connect` does; while nobody is there it says why the link failed, for that still holds."""
        try:
            return self._connect()
        except _Absent as error:
            if self._gone:
                raise LinkError(self._gone) from error
            raise

    def _connect(self) -> "_Link":
        """Find the table's scanner among the ports; raises LinkError of the first port."""
        first: LinkError | None = None
        known = self.identity is not None
        found: list[_Link] = []
        try:
            for path in _ports(self.device):
                try:
                    found.append(self._meet(path))
                except LinkError as error:
                    first = first or error
                else:
                    if known:
                        break
            if not found:
                assert first is not None  # noqa: S101 - there was a port, and it failed
                raise first
            if not known:
                found[0].identify()  # what it sent while the other ports were asked is old
        except BaseException:
            for link in found:
                link.close()
            raise
        link, *twins = found
        for twin in twins:
            twin.close()
            self._others[twin.path] = (
                f"another scanner with the same unique number is at {twin.path}: they cannot be told apart,"
                " unplug one"
            )
        link.wishes.append(SNAPSHOT)
        link.rate_hz = self._asked_hz
        return link

    def _meet(self, path: str) -> "_Link":
        """The link to the table's scanner, if that is at this port; raises LinkError for all else."""
        link = _Link(path, self._passes, self._now_ns, self._wake)
        try:
            identity = link.identify()
            mine = self.identity or identity
            if identity.uid != mine.uid:
                self._others[path] = (
                    f"another scanner (unique number {identity.uid.hex()}) is at {path}, not the one of this"
                    f" table ({mine.uid.hex()}); restart this program to play on with it"
                )
                raise LinkError(self._others[path])
        except BaseException:
            link.close()
            raise
        self._others.pop(path, None)
        self.identity = identity
        # What it will answer to the wish, so that the rate is right before the first frame.
        self.rate_hz = min(self._asked_hz, identity.most_hz)
        return link

    def _receive(self, link: "_Link") -> None:
        """Take what comes next, and say what is due."""
        messages = link.receive()
        arrival_ns = self._now_ns()
        scans = []
        for message in messages:
            if isinstance(message, Pass):
                scan = self._passes.take(message)
                if scan is not None:
                    scans.append(scan)
            else:
                self._take_answer(link, message)
        if scans:
            self._frames(scans, arrival_ns)
        if self._waiting:
            link.heard(arrival_ns)
        elif arrival_ns - link.heard_ns > self._silent_ns:
            raise link.silence(self._rows.lost)
        link.speak(arrival_ns)

    def _take_answer(self, link: "_Link", message: Message) -> None:
        match message:
            case Rate(rate_hz):
                self.rate_hz = rate_hz
                link.rate_hz = None
            case SelfTest():
                self.self_test = message
            case Refused(command, why):
                reason = WHY_REFUSED.get(why, f"reason {why}")
                raise LinkError(f"serial scanner {link.path} refuses command 0x{command:02x}: {reason}")
            case Identity(version=version) if version != VERSION:
                raise LinkError(_other_version(link.path, version))

    def _frames(self, scans: Sequence[Scan], arrival_ns: int) -> None:
        begins = [0, *(at for at, scan in enumerate(scans) if scan.fresh and at), len(scans)]
        for begin, end in pairwise(begins):
            part = scans[begin:end]
            if part[0].fresh:
                self._clock.restart()
            stamps = self._clock.stamps(arrival_ns, [scan.t_us for scan in part])
            for t_ns, scan in zip(stamps, part, strict=True):
                lost = scan.lost
                if scan.fresh and self._last_ns is not None:
                    # How many there were is not known: the time that is missing says how many were due.
                    due = max(1, (t_ns - self._last_ns) * self.rate_hz // SECOND_NS - 1)
                    self.counts.lost += max(0, due - lost)
                    lost = max(due, lost)
                self._last_ns = t_ns
                readings = self._rows.believed(scan)
                if readings is None:
                    self.counts.unreadable += 1
                    self._withheld += lost + 1
                else:
                    self._waiting.append(Frame(t_ns, readings, lost + self._withheld))
                    self._withheld = 0


def _ports(device: str) -> Sequence[str]:
    """The ports to try; raises _Absent when there is none."""
    try:
        return find_ports(device)
    except LinkError as error:
        raise _Absent(str(error)) from error


class _Link:
    """One open port with a scanner, or something else, at the other end. Raises LinkError for all faults."""

    def __init__(self, path: str, passes: Passes, now_ns: Callable[[], int], wake: int) -> None:
        self.path = path
        self.rate_hz: int | None = None
        self.wishes: deque[int] = deque()
        self._now_ns = now_ns
        self._wake = wake
        self._reads = 0
        self._passes = passes
        self._counts = passes.counts
        self._heard = msgspec.structs.replace(self._counts)
        self._decoder = Decoder(self._counts)
        self._bytes = 0
        self._acked = NO_KEY
        self._acked_ns = self._asked_ns = self._rate_asked_ns = 0
        self.heard_ns = now_ns()
        self._port: Serial = open_port(path)

    def identify(self) -> Identity:
        """Ask who is there, until there is an answer; nothing that came before it is of interest."""
        end_ns = self._now_ns() + round(IDENTIFY_S * SECOND_NS)
        self._call(self._port.reset_input_buffer)
        asked_ns = 0
        while (now_ns := self._now_ns()) < end_ns:
            if now_ns - asked_ns >= ASK_S * SECOND_NS:
                asked_ns = now_ns
                # The zero ends whatever half a message is under way.
                self._send(b"\0" + encode(Order(IDENTIFY)))
            for message in self.receive():
                if isinstance(message, Identity):
                    if message.version != VERSION:
                        raise LinkError(_other_version(self.path, message.version))
                    self.heard_ns = self._now_ns()
                    return message
        if not self._bytes:
            why = "does not answer (no scanner at this port, or its firmware does not run)"
            raise _Absent(f"serial scanner {self.path} {why}")
        raise LinkError(f"serial scanner {self.path} is something else: what it sends is no scanner's answer")

    def receive(self) -> list[Message]:
        """Wait for bytes, for a quarter of a second at most, and take all that are there."""
        data = self._call(self._read)
        self._bytes += len(data)
        return self._decoder.feed(data)

    def _read(self) -> bytes:
        # What comes within some milliseconds is taken together. The pauses are uneven, so that they never
        # fall into step with the passes: now and then one is read just as it comes, and that sets the clock.
        self._reads += 1
        if self._reads > PROMPT_READS:
            pause_s = PAUSE_S[0] + self._reads * GOLDEN % 1 * (PAUSE_S[1] - PAUSE_S[0])
            select.select([self._wake], [], [], pause_s)
        ready, _, _ = select.select([self._port, self._wake], [], [], PIECE_S)
        if self._wake in ready:
            raise _Closed
        if not ready:
            return b""
        data = b""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._port.fileno(), MOST_BYTES)
        if not data:
            # Ready and empty: hung up, and then this call fails; or a busy kernel spoke too soon.
            _ = self._port.in_waiting
        return data

    def speak(self, now_ns: int) -> None:
        """Send what is due: wishes, the rate until it is agreed, acknowledgements."""
        if self._passes.wants_snapshot and SNAPSHOT not in self.wishes and now_ns - self._asked_ns > ACK_NS:
            self.wishes.append(SNAPSHOT)
        parts = []
        while self.wishes:
            parts.append(encode(Order(self.wishes.popleft())))
            self._asked_ns = now_ns
        if self.rate_hz is not None and now_ns - self._rate_asked_ns > ASK_S * SECOND_NS:
            parts.append(encode(Order(SET_RATE, self.rate_hz)))
            self._rate_asked_ns = now_ns
        ack = self._passes.ack
        if ack is not None and (ack.key != self._acked or now_ns - self._acked_ns > ACK_NS):
            parts.append(encode(ack))
            self._acked, self._acked_ns = ack.key, now_ns
        if parts:
            self._send(b"".join(parts))

    def heard(self, now_ns: int) -> None:
        """A frame has come."""
        self.heard_ns = now_ns
        self._heard = msgspec.structs.replace(self._counts)

    def silence(self, lost: str) -> LinkError:
        """Why no frame comes; `lost` is what the rows say to that."""
        if lost:
            return LinkError(f"serial scanner {self.path}: {lost}")
        now, then = self._counts, self._heard
        if now.duplicate > then.duplicate or now.without_base > then.without_base:
            why = "sends nothing new, or changes of a pass that has not come (its firmware hangs)"
        elif now.corrupt > then.corrupt:
            why = "is not understood: all that it sends is corrupt (a bad cable, or another speed)"
        else:
            why = "has fallen silent (its firmware hangs, or its sensors' board has lost its power)"
        return LinkError(f"serial scanner {self.path} {why}")

    def close(self) -> None:
        """Close the port, whatever state it is in."""
        with contextlib.suppress(*FAILURES):
            self._port.close()

    def _send(self, data: bytes) -> None:
        self._call(lambda: self._port.write(data))

    def _call(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except SerialTimeoutException as error:
            raise LinkError(f"serial scanner {self.path} takes no bytes (its firmware hangs)") from error
        except FAILURES as error:
            raise LinkError(f"serial scanner {self.path} is gone (unplugged, or it has restarted)") from error


def _other_version(path: str, version: int) -> str:
    return (
        f"serial scanner {path} speaks version {version} of the protocol, this program version {VERSION}:"
        " flash the scanner_firmware of this program"
    )
