"""A virtual I2C bus that offers the calls of `smbus2.SMBus`, with chips on it and faults on demand.

`VirtualBus.open()` gives a handle for a driver; drivers run unmodified on it or on `smbus2.SMBus`.
"""

import ctypes
import errno
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self

I2C_M_RD = 0x0001
BLOCK_MAX = 32


class Chip(Protocol):
    """A chip on the bus: it takes what is written after its address, and gives bytes."""

    def write(self, data: bytes) -> None:
        """One written message."""

    def read(self, length: int) -> bytes:
        """One read message, from where the chip's pointer stands."""


class VirtualBus:
    """Chips by address, shared by all handles; usable from several threads.

    Faults: `detach` a chip (no acknowledge), `stick` the bus (every transfer times out), `fail_next` some
    transfers. `on_transfer`, if set, is called before each transfer with the chip's address: a test may wait
    in it, which is a slow bus.
    """

    def __init__(self, chips: Mapping[int, Chip] | None = None) -> None:
        self._lock = threading.RLock()
        self._chips: dict[int, Chip] = dict(chips or {})
        self._stuck = False
        self._freed_by_opening = False
        self._failing: list[int] = []
        self.transfers = 0
        self.opened = 0
        self.on_transfer: Callable[[int], None] | None = None

    def open(self) -> "VirtualSMBus":
        """A handle; frees a bus that was stuck `until_reopened`."""
        with self._lock:
            self.opened += 1
            if self._freed_by_opening:
                self._stuck = self._freed_by_opening = False
            return VirtualSMBus(self)

    def attach(self, address: int, chip: Chip) -> None:
        """Put a chip on the bus."""
        with self._lock:
            self._chips[address] = chip

    def detach(self, address: int) -> Chip:
        """Take a chip off the bus: it acknowledges no more."""
        with self._lock:
            return self._chips.pop(address)

    def stick(self, *, until_reopened: bool = False) -> None:
        """Hold the lines: every transfer times out, until `free` or until the bus is opened again."""
        with self._lock:
            self._stuck, self._freed_by_opening = True, until_reopened

    def free(self) -> None:
        """End `stick`."""
        with self._lock:
            self._stuck = self._freed_by_opening = False

    def fail_next(self, times: int, error: int = errno.EIO) -> None:
        """Let the next transfers fail with an errno."""
        with self._lock:
            self._failing = [error] * times

    def transfer(self, messages: Sequence[tuple[int, bytes | int]]) -> list[bytes]:
        """Run messages (address, bytes to write or number of bytes to read); what was read, in order."""
        if self.on_transfer is not None:
            self.on_transfer(messages[0][0])
        with self._lock:
            self.transfers += 1
            if self._stuck:
                raise _os_error(errno.ETIMEDOUT)
            if self._failing:
                raise _os_error(self._failing.pop())
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


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
