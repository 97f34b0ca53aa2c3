"""One thread owns each I2C bus; everybody else leaves work with it and never waits.

Work is left under a name, and newer work replaces older work of the same name that still waits: a slow bus
shows the newest picture, not a queue of old ones. A chip that does not acknowledge is tried again a few times
and then reported; a bus that stalls is closed and opened again, at growing intervals.

Errors as Linux gives them [i2c-bcm2835 and i2c-designware drivers]: EREMOTEIO or ENXIO for a missing
acknowledge, EIO for others, ETIMEDOUT for a stall, EAGAIN for a bus that another one drives: the controller
of a Pi 5 calls a held SDA so.

A bus that stalls is tried again, nothing else can be done for it from here. Closing and opening it finds an
adapter that was plugged in again and changes nothing in the controller [i2cdev_open of i2c-dev.c]; a driver
clears that itself when a transfer has timed out [bcm2835_i2c_xfer of i2c-bcm2835.c]. Nine clocks that free a
chip in the middle of a byte are the driver's to give (the pins are its own; that of a Pi 0 to 4 gives none),
so a chip that holds SDA for good needs its reset line or its power.
"""

import errno
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal, NamedTuple, Protocol

import msgspec

from hw import BusError

NO_ANSWER: Final = frozenset({errno.EREMOTEIO, errno.ENXIO, errno.EIO})
"""A chip's fault: the bus itself works. Anything else is the bus's."""

BACK_OFF_S: Final = (0.2, 5.0)
TRIES: Final = 3

I2C_RETRIES: Final = 0x0701
I2C_TIMEOUT: Final = 0x0702
"""Requests of `linux/i2c-dev.h`; the time-out is in units of 10 ms."""
TIMEOUT_10MS: Final = 5


WHY: Final[dict[int | None, str]] = {
    errno.EREMOTEIO: "does not answer: no power, a loose wire or another address",
    errno.ENXIO: "does not answer: no power, a loose wire or another address",
    errno.EIO: "answers badly: a loose wire, or a bus too fast for its length",
    errno.EAGAIN: "the bus is driven by somebody else: SDA may be held low by a chip or a short circuit",
    errno.ETIMEDOUT: "the bus is stalled: a chip or a short circuit holds SDA or SCL low",
    errno.ENODEV: "the bus has gone: its adapter was taken away",
    errno.ENOENT: "the bus is not there: I2C is off (raspi-config switches it on), or its number is another",
    errno.EACCES: "the bus is not open to this user: it must belong to the group i2c",
    errno.EPERM: "the bus is not open to this user: it must belong to the group i2c",
}
"""What an errno of a transfer, or of opening a bus, most likely means to the person with the screwdriver."""

GONE: Final = frozenset({errno.ENODEV, errno.ENOENT, errno.ENXIO})
"""What opening a node gives whose adapter was taken away."""

State = Literal["ok", "degraded", "lost"]
"""`degraded`: a chip does not answer. `lost`: the bus itself does not work."""


def why(error: OSError, *, was_there: bool = False) -> str:
    """The likely cause of a failed transfer, or of a bus that cannot be opened, in words.

    `was_there`: a bus that is opened again. If its node has gone, its adapter was taken away, as the transfer
    said that failed; I2C is not off.
    """
    number = errno.ENODEV if was_there and error.errno in GONE else error.errno
    return WHY.get(number, error.strerror or str(error))


class Device(Protocol):
    """What is used of a bus: transfers of `smbus2.i2c_msg`s, and closing."""

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Run the messages as one transfer."""

    def prepare(self, *i2c_msgs: Any) -> Callable[[], object]:
        """A transfer of these messages, to be run again and again without building it anew."""

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

    A bus that cannot be opened at first is lost, as one that fails later: it is tried again when there is
    work.
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
        self._names: dict[int, str] = {}
        self._waiting: dict[str, _Work] = {}
        self._busy = False
        self._closing = False
        self._troubles: dict[int, BusError] = {}
        self._untold: dict[int, BusError] = {}
        self._counters = Counters()
        self._lost = ""
        self._device: Device | None = None
        self._was_open = False
        try:
            self._device = open_device()
            self._was_open = True
        except OSError as error:
            self._lost = self._sentence(error)
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def call(self, address: int, name: str) -> None:
        """Give a chip the name that its errors have."""
        self._names[address] = name

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
    def state(self) -> State:
        """How the bus is."""
        with self._changed:
            return "lost" if self._lost else "degraded" if self._troubles else "ok"

    @property
    def faults(self) -> list[str]:
        """A sentence for the bus if it is lost, else for each chip whose last transfer failed."""
        with self._changed:
            return [self._lost] if self._lost else [str(error) for error in self._troubles.values()]

    def health(self) -> dict[str, Any]:
        """State and counters, for the health page."""
        return {"state": self.state, **msgspec.structs.asdict(self.counters)}

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
        try:
            if self._device is None:  # whatever becomes of the work: else late work would keep the bus shut
                self._device = self._open_device()
                self._was_open = True
                self._counters.reopened += 1
            if work.latest_ns is not None and self._now_ns() > work.latest_ns:
                self._counters.too_late += 1
                return
            work.run(Wire(self._device, self._counters, self._tries))
        except OSError as error:
            self._failed(name, work, error)
        except Exception as error:  # a driver's mistake must not take the bus from everybody else
            self._failed(name, work, self._error(work.address, f"{error!r}"))
        else:
            self._wait_s = self._back_off_s[0]
            with self._changed:
                self._lost = ""
                self._troubles.pop(work.address, None)
                self._untold.pop(work.address, None)

    def _error(self, address: int, why: str) -> BusError:
        return BusError(address, f"{why} ({self.name})", self._names.get(address, ""))

    def _sentence(self, error: OSError) -> str:
        reopening = self._device is None and self._was_open
        return f"I2C bus {self.name}: {why(error, was_there=reopening)}"

    def _failed(self, name: str, work: _Work, error: OSError) -> None:
        if isinstance(error, BusError):
            told = error
        else:
            told = self._error(work.address, why(error))
            told.__cause__ = error
        with self._changed:
            self._counters.failures += 1
            if work.address not in self._troubles:
                self._untold[work.address] = told
            self._troubles[work.address] = told
            if self._device is not None and (told is error or error.errno in NO_ANSWER):
                self._lost = ""
                return
            self._lost = self._sentence(error)
            # The bus itself: what was to be done still is, unless newer work has taken its place.
            self._waiting.setdefault(name, work)
        if self._device is not None:
            self._device.close()
            self._device = None


class SmbusDevice:
    """An `smbus2.SMBus` with short time-outs: one bad chip cannot hold it for long.

    `bus`: N of `/dev/i2c-N`, or a path. Raises OSError.
    """

    def __init__(self, bus: int | str) -> None:
        import fcntl

        from smbus2 import SMBus

        self._ioctl = fcntl.ioctl
        self._smbus = SMBus(bus)
        self._fd: int = self._smbus.fd or 0
        self._prepared: list[Any] = []  # the kernel reads and writes their buffers
        self.i2c_rdwr: Callable[..., None] = self._smbus.i2c_rdwr
        fcntl.ioctl(self._fd, I2C_TIMEOUT, TIMEOUT_10MS)
        fcntl.ioctl(self._fd, I2C_RETRIES, 1)

    def prepare(self, *i2c_msgs: Any) -> Callable[[], object]:
        """A transfer of these messages: its structure is built here, once."""
        from smbus2.smbus2 import I2C_RDWR, i2c_rdwr_ioctl_data

        self._prepared.append(i2c_msgs)
        return partial(self._ioctl, self._fd, I2C_RDWR, i2c_rdwr_ioctl_data.create(*i2c_msgs))

    def close(self) -> None:
        """Let go of the bus."""
        self._smbus.close()


def open_smbus(bus: int | str) -> Device:
    """Open `/dev/i2c-N` (or a path)."""
    return SmbusDevice(bus)
