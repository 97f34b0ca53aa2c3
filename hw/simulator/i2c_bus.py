"""A virtual I2C bus that offers the calls of `smbus2.SMBus`, with chips on it and faults on demand.

`VirtualBus.open()` gives a handle for a driver; drivers run unmodified on it or on `smbus2.SMBus`. What the
kernel refuses is refused here: more than 42 messages or one of more than 8192 bytes [linux/i2c-dev.h,
i2c-dev.c], and, as the controller of a Pi 0 to 4 does, a read that is not the last message [i2c-bcm2835.c].
"""

import ctypes
import errno
import os
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Final, Protocol, Self

I2C_M_RD: Final = 0x0001
BLOCK_MAX: Final = 32
MOST_MESSAGES: Final = 42
LONGEST: Final = 8192


class Chip(Protocol):
    """A chip on the bus: it takes what is written after its address, and gives bytes."""

    def power_on(self) -> None:
        """Be as at power-on."""

    def write(self, data: bytes) -> None:
        """One written message."""

    def read(self, length: int) -> bytes:
        """One read message, from where the chip's pointer stands."""


class VirtualBus:
    """Chips by address, shared by all handles; usable from several threads.

    Faults of chips: `detach` (no acknowledge), `cut_power` and `restore_power`, `hang` (it holds SDA when it
    is next spoken to), `fail_often`. Faults of the bus: `stick` (every transfer times out), `fail_next`,
    `fail_often`, `unplug` the adapter. `on_transfer`, if set, is called before each transfer with the chip's
    address: a test may wait in it, which is a slow bus.

    `transfers`, `messages` and `clocks` count what has gone over the wire. A message takes one clock for its
    start, nine for its address and for each byte, and a transfer one for its stop.
    """

    def __init__(self, chips: Mapping[int, Chip] | None = None) -> None:
        self._lock = threading.RLock()
        self._chips: dict[int, Chip] = dict(chips or {})
        self._stuck = False
        self._failing: list[int] = []
        self._share = 0.0
        self._share_of: int | None = None
        self._hanging: int | None = None
        self._unpowered: dict[int, Chip] = {}
        self._random = random.Random(0)  # noqa: S311 - no secret
        self._unplugged = False
        self.transfers = 0
        self.messages = 0
        self.clocks = 0
        self.opened = 0
        self.on_transfer: Callable[[int], None] | None = None

    def open(self) -> "VirtualSMBus":
        """A handle. Raises OSError once the bus is unplugged."""
        with self._lock:
            if self._unplugged:
                raise _os_error(errno.ENOENT)
            self.opened += 1
            return VirtualSMBus(self)

    def __contains__(self, address: object) -> bool:
        """Whether a chip with this address is on the bus."""
        with self._lock:
            return address in self._chips

    def attach(self, address: int, chip: Chip) -> None:
        """Put a chip on the bus."""
        with self._lock:
            self._chips[address] = chip

    def detach(self, address: int) -> Chip:
        """Take a chip off the bus: it acknowledges no more."""
        with self._lock:
            return self._chips.pop(address)

    def cut_power(self, address: int) -> None:
        """Take a chip's supply away: it acknowledges no more, and forgets everything."""
        with self._lock:
            self._unpowered[address] = self._chips.pop(address)

    def restore_power(self, address: int) -> None:
        """Give it back: the chip is as at power-on."""
        with self._lock:
            chip = self._chips[address] = self._unpowered.pop(address)
            chip.power_on()

    def hang(self, address: int) -> None:
        """Let a chip hold SDA from the next transfer with it on, until `free`: the bus is stuck then."""
        with self._lock:
            self._hanging = address

    def stick(self) -> None:
        """Hold the lines: every transfer times out, until `free`; opening the bus again frees nothing."""
        with self._lock:
            self._stuck = True

    def free(self) -> None:
        """End `stick` and `hang`."""
        with self._lock:
            self._stuck = False
            self._hanging = None

    def fail_next(self, times: int, error: int = errno.EIO) -> None:
        """Let the next transfers fail with an errno."""
        with self._lock:
            self._failing = [error] * times

    def fail_often(self, share: float, seed: int = 0, address: int | None = None) -> None:
        """Let this share (0..1) of all transfers, or of those with one chip, miss their acknowledge."""
        with self._lock:
            self._share, self._share_of = share, address
            self._random = random.Random(seed)  # noqa: S311 - no secret

    def unplug(self) -> None:
        """Take the adapter away: transfers give ENODEV, opening gives ENOENT, until `plug`."""
        with self._lock:
            self._unplugged = True

    def plug(self) -> None:
        """End `unplug`."""
        with self._lock:
            self._unplugged = False

    def transfer(self, messages: Sequence[tuple[int, bytes | int]]) -> list[bytes]:
        """Run messages (address, bytes to write or number of bytes to read); what was read, in order."""
        _check(messages)
        if self.on_transfer is not None:
            self.on_transfer(messages[0][0])
        with self._lock:
            self.transfers += 1
            self.messages += len(messages)
            self.clocks += 1 + sum(10 + 9 * (c if isinstance(c, int) else len(c)) for _, c in messages)
            if self._unplugged:
                raise _os_error(errno.ENODEV)
            if any(address == self._hanging for address, _ in messages):
                self._stuck = True
            if self._stuck:
                raise _os_error(errno.ETIMEDOUT)
            if self._failing:
                raise _os_error(self._failing.pop())
            concerned = self._share_of is None or any(address == self._share_of for address, _ in messages)
            if self._share and concerned and self._random.random() < self._share:
                raise _os_error(errno.EREMOTEIO)
            answers = []
            for address, content in messages:
                chip = self._chips.get(address)
                if chip is None:
                    raise _os_error(errno.EREMOTEIO)
                if isinstance(content, bytes):
                    chip.write(content)
                else:
                    answers.append(chip.read(content))
            return answers


class VirtualSMBus:
    """A handle on a virtual bus with the calls of `smbus2.SMBus` that drivers use."""

    def __init__(self, bus: VirtualBus) -> None:
        self._bus: VirtualBus | None = bus

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go; further calls raise EBADF, as a closed file descriptor does."""
        self._bus = None

    def prepare(self, *i2c_msgs: Any) -> Callable[[], None]:
        """A transfer to be run again and again."""
        return partial(self.i2c_rdwr, *i2c_msgs)

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Run `smbus2.i2c_msg`s as one transfer."""
        messages = [(m.addr, m.len if m.flags & I2C_M_RD else bytes(m)) for m in i2c_msgs]
        answers = iter(self._transfer(messages))
        for message in i2c_msgs:
            if message.flags & I2C_M_RD:
                ctypes.memmove(message.buf, next(answers), message.len)

    def write_byte(self, i2c_addr: int, value: int) -> None:
        """Write one byte."""
        self._transfer([(i2c_addr, bytes([value]))])

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register."""
        self._transfer([(i2c_addr, bytes([register, value]))])

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write up to 32 bytes from a register on."""
        if len(data) > BLOCK_MAX:
            raise ValueError(f"Data length cannot exceed {BLOCK_MAX} bytes")
        self._transfer([(i2c_addr, bytes([register, *data]))])

    def read_byte(self, i2c_addr: int) -> int:
        """Read one byte from where the pointer stands."""
        return self._transfer([(i2c_addr, 1)])[0][0]

    def read_byte_data(self, i2c_addr: int, register: int) -> int:
        """Read a register."""
        return self._transfer([(i2c_addr, bytes([register])), (i2c_addr, 1)])[0][0]

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read up to 32 bytes from a register on."""
        if length > BLOCK_MAX:
            raise ValueError(f"Desired block length over {BLOCK_MAX} bytes")
        return list(self._transfer([(i2c_addr, bytes([register])), (i2c_addr, length)])[0])

    def _transfer(self, messages: Sequence[tuple[int, bytes | int]]) -> list[bytes]:
        if self._bus is None:
            raise _os_error(errno.EBADF)
        return self._bus.transfer(messages)


def _check(messages: Sequence[tuple[int, bytes | int]]) -> None:
    """Refuse what the kernel refuses."""
    lengths = [c if isinstance(c, int) else len(c) for _, c in messages]
    if not 1 <= len(messages) <= MOST_MESSAGES or max(lengths) > LONGEST:
        raise _os_error(errno.EINVAL)
    if any(isinstance(c, int) for _, c in messages[:-1]):
        raise _os_error(errno.EOPNOTSUPP)


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
