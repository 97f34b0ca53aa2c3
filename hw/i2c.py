"""One thread owns each I2C bus; everybody else leaves work with it and never waits.

Work is left under a name, and newer work replaces older work of the same name that still waits: a slow bus
shows the newest picture, not a queue of old ones. A chip that does not acknowledge is tried again a few times
and then reported; a bus that stalls is closed and opened again, at growing intervals.

Errors as Linux gives them [i2c-bcm2835 and i2c-designware drivers]: EREMOTEIO or ENXIO for a missing
acknowledge, EIO for others, ETIMEDOUT for a stall.
"""

import errno
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from hw import BusError, DeviceError

NO_ANSWER: Final = frozenset({errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.EAGAIN})
"""A chip's fault: the bus itself works. Anything else is the bus's."""

BACK_OFF_S: Final = (0.2, 5.0)
TRIES: Final = 3

I2C_RETRIES: Final = 0x0701
I2C_TIMEOUT: Final = 0x0702
"""Requests of `linux/i2c-dev.h`; the time-out is in units of 10 ms."""
TIMEOUT_10MS: Final = 5


class Device(Protocol):
    """What is used of `smbus2.SMBus`: transfers of messages, and closing."""

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Run the messages as one transfer."""

    def close(self) -> None:
        """Let go of the bus."""


class Counters(msgspec.Struct):
    """What a bus has been through since it was opened."""

    transfers: int = 0
    retries: int = 0
    failures: int = 0
    reopened: int = 0
    replaced: int = 0
    too_late: int = 0


class Wire:
    """Transfers, for work that the bus's thread runs. One chip and at most one read a transfer.

    More than that the I2C driver of a Pi 0 to 4 refuses (one read, and it comes last).
    """

    def __init__(self, device: Device, counters: Counters, tries: int) -> None:
        # Imported late: it needs fcntl, and a table without I2C does without it.
        from smbus2 import i2c_msg

        self._message = i2c_msg
        self._device = device
        self._counters = counters
        self._tries = tries

    def write(self, address: int, data: bytes) -> None:
        """Write bytes; raises OSError."""
        self._transfer(self._message.write(address, data))

    def read(self, address: int, command: bytes, length: int) -> bytes:
        """Write a register number and read `length` bytes from there; raises OSError."""
        answer = self._message.read(address, length)
        self._transfer(self._message.write(address, command), answer)
        return bytes(answer)

    def _transfer(self, *messages: Any) -> None:
        for left in reversed(range(self._tries)):
            self._counters.transfers += 1
            try:
                self._device.i2c_rdwr(*messages)
            except OSError as error:
                if error.errno not in NO_ANSWER or not left:
                    raise
                self._counters.retries += 1
            else:
                return


class _Work(NamedTuple):
    address: int
    run: Callable[[Wire], None]
    latest_ns: int | None


class I2cBus:
    """A bus and its thread. `name` is for messages; `open_device` opens the bus, again after each stall.

    Raises DeviceError when it cannot be opened at first.
    """

    def __init__(
        self,
        name: str,
        open_device: Callable[[], Device],
        *,
        tries: int = TRIES,
        back_off_s: tuple[float, float] = BACK_OFF_S,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.name = name
        self._open_device = open_device
        self._tries = tries
        self._back_off_s = back_off_s
        self._wait_s = back_off_s[0]
        self._now_ns = now_ns
        self._changed = threading.Condition()
        self._waiting: dict[str, _Work] = {}
        self._busy = False
        self._closing = False
        self._troubles: dict[int, BusError] = {}
        self._untold: dict[int, BusError] = {}
        self._counters = Counters()
        try:
            self._device: Device | None = open_device()
        except OSError as error:
            raise DeviceError(f"{name} cannot be opened: {error.strerror or error}") from error
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def post(
        self,
        name: str,
        address: int,
        run: Callable[[Wire], None],
        latest_ns: int | None = None,
    ) -> None:
        """Leave work for a chip and return at once; it replaces waiting work of the same name.

        Work that has not begun by `latest_ns` is left out.
        """
        with self._changed:
            if self._closing:
                return
            if name in self._waiting:
                self._counters.replaced += 1
            self._waiting[name] = _Work(address, run, latest_ns)
            self._changed.notify_all()

    def take_error(self, address: int) -> BusError | None:
        """The error of the last transfer to a chip, once: None when it has been taken, or all is well."""
        with self._changed:
            return self._untold.pop(address, None)

    @property
    def troubles(self) -> dict[int, BusError]:
        """The chips whose last transfer failed, by address."""
        with self._changed:
            return dict(self._troubles)

    @property
    def counters(self) -> Counters:
        """A copy of the counters."""
        with self._changed:
            return msgspec.structs.replace(self._counters)

    def flush(self, timeout_s: float) -> bool:
        """Wait until nothing waits and nothing runs; False when it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, timeout_s)

    def close(self, timeout_s: float = 2.0) -> None:
        """End the thread after what waits has been done, as far as the bus works; safe to call twice."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout_s)

    def _serve(self) -> None:
        while (taken := self._take()) is not None:
            name, work = taken
            try:
                self._do(name, work)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
        if self._device is not None:
            self._device.close()

    def _take(self) -> tuple[str, _Work] | None:
        """The oldest waiting work; None when the bus is to be closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            if self._device is None:
                self._changed.wait_for(lambda: self._closing, self._wait_s)
                self._wait_s = min(2 * self._wait_s, self._back_off_s[1])
            if not self._waiting or (self._closing and self._device is None):
                self._waiting.clear()
                return None
            name = next(iter(self._waiting))
            self._busy = True
            return name, self._waiting.pop(name)

    def _do(self, name: str, work: _Work) -> None:
        if work.latest_ns is not None and self._now_ns() > work.latest_ns:
            with self._changed:
                self._counters.too_late += 1
            return
        try:
            if self._device is None:
                self._device = self._open_device()
                self._counters.reopened += 1
            work.run(Wire(self._device, self._counters, self._tries))
        except OSError as error:
            self._failed(name, work, error)
        except Exception as error:  # a driver's mistake must not take the bus from everybody else
            self._failed(name, work, BusError(work.address, f"{error!r} ({self.name})"))
        else:
            self._wait_s = self._back_off_s[0]
            with self._changed:
                self._troubles.pop(work.address, None)
                self._untold.pop(work.address, None)

    def _failed(self, name: str, work: _Work, error: OSError) -> None:
        if isinstance(error, BusError):
            told = error
        else:
            told = BusError(work.address, f"{error.strerror or error} ({self.name})")
            told.__cause__ = error
        with self._changed:
            self._counters.failures += 1
            if work.address not in self._troubles:
                self._untold[work.address] = told
            self._troubles[work.address] = told
            if self._device is not None and (told is error or error.errno in NO_ANSWER):
                return
            # The bus itself: what was to be done still is, unless newer work has taken its place.
            self._waiting.setdefault(name, work)
        if self._device is not None:
            self._device.close()
            self._device = None


def open_smbus(bus: int | str) -> Device:
    """Open `/dev/i2c-N` (or a path) with short time-outs: one bad chip cannot hold it for long."""
    import fcntl

    from smbus2 import SMBus

    device = SMBus(bus)
    if device.fd is not None:
        fcntl.ioctl(device.fd, I2C_TIMEOUT, TIMEOUT_10MS)
        fcntl.ioctl(device.fd, I2C_RETRIES, 1)
    return device
