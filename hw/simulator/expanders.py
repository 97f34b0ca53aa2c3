"""Virtual port expanders: the PCA9555 and the MCP23017, register by register.

A chip drives the pins that it has as outputs; what the others are at, the wiring tells (`outside`). Pins are
numbered 0..15: port 0 (A) first, bit 0 first.

Sources: NXP PCA9555 data sheet rev. 10 and TI SCPS131J (registers, pairs, what a restart does to the command
byte); Microchip DS20001952 (register tables 3-1 to 3-5, byte and sequential mode). Interrupts are left out,
except that their registers can be written and read.
"""

import threading
from collections.abc import Callable
from typing import Final, Protocol

ALL: Final = 0xFFFF


class Expander(Protocol):
    """What the wiring sees of a chip."""

    outside: Callable[[], int]

    @property
    def driven(self) -> int:
        """The pins that are outputs, as a mask."""

    @property
    def latch(self) -> int:
        """What the outputs are at."""

    @property
    def pull_ups(self) -> int:
        """The pins that the chip itself pulls up."""

    def power_on(self) -> None:
        """Reset as at power-on or after a brown-out."""


def _nothing_outside() -> int:
    return ALL


class VirtualPca9555:
    """A PCA9555: eight registers in four pairs, and 100 kOhm from each pin to the supply."""

    INPUT: Final = 0
    OUTPUT: Final = 2
    POLARITY: Final = 4
    CONFIGURATION: Final = 6

    def __init__(self) -> None:
        self.outside: Callable[[], int] = _nothing_outside
        self._lock = threading.Lock()
        self.power_on()

    def power_on(self) -> None:
        """All pins inputs, none inverted, all output latches high [data sheet 6.2]."""
        with self._lock:
            self._map = bytearray([0, 0, 0xFF, 0xFF, 0x00, 0x00, 0xFF, 0xFF])
            self._pointer = 0

    def write(self, data: bytes) -> None:
        """A command byte, then data that goes to the two registers of its pair in turn."""
        if not data:
            return
        with self._lock:
            self._pointer = data[0] & 0x07
            for byte in data[1:]:
                if self._pointer >= self.OUTPUT:
                    self._map[self._pointer] = byte
                self._pointer ^= 1

    def read(self, length: int) -> bytes:
        """The two registers of the pair in turn; the next read goes on where this one stopped."""
        with self._lock:
            taken = bytearray()
            for _ in range(length):
                if self._pointer < self.OUTPUT:
                    taken.append(self._inputs() >> 8 * self._pointer & 0xFF)
                else:
                    taken.append(self._map[self._pointer])
                self._pointer ^= 1
            return bytes(taken)

    @property
    def driven(self) -> int:
        """The pins that are outputs, as a mask."""
        return ~self._word(self.CONFIGURATION) & ALL

    @property
    def latch(self) -> int:
        """What the outputs are at."""
        return self._word(self.OUTPUT)

    @property
    def pull_ups(self) -> int:
        """Every pin has one."""
        return ALL

    def _inputs(self) -> int:
        driven = self.driven
        levels = self.latch & driven | self.outside() & ~driven
        return levels ^ self._word(self.POLARITY) & ~driven & ALL

    def _word(self, register: int) -> int:
        return self._map[register] | self._map[register + 1] << 8


class VirtualMcp23017:
    """An MCP23017: eleven pairs of registers, in either order of banks, in byte or sequential mode.

    GPA7 and GPB7 are outputs only: as inputs they can spoil the data on the bus while they change
    [DS20001952D; the silicon has always been so]. Here they read as 0 then, which a board takes for a stone:
    a driver that uses them is found out.
    """

    IODIR: Final = 0x00
    IPOL: Final = 0x02
    IOCON: Final = 0x0A
    GPPU: Final = 0x0C
    INTF: Final = 0x0E
    INTCAP: Final = 0x10
    GPIO: Final = 0x12
    OLAT: Final = 0x14
    BANK: Final = 0x80
    SEQOP: Final = 0x20
    SIZE: Final = 22
    OUTPUTS_ONLY: Final = 0x8080

    def __init__(self) -> None:
        self.outside: Callable[[], int] = _nothing_outside
        self._lock = threading.Lock()
        self.power_on()

    def power_on(self) -> None:
        """All pins inputs, every other register 0 [DS20001952 table 3-5]."""
        with self._lock:
            self._map = bytearray(b"\xff\xff" + bytes(self.SIZE - 2))
            self._pointer = 0

    def write(self, data: bytes) -> None:
        """A register address, then data; where it goes next says IOCON."""
        if not data:
            return
        with self._lock:
            self._pointer = data[0]
            for byte in data[1:]:
                self._set(self._register(), byte)
                self._step()

    def read(self, length: int) -> bytes:
        """Registers from the pointer on, as IOCON says; 0 where there is none."""
        with self._lock:
            taken = bytearray()
            for _ in range(length):
                taken.append(self._get(self._register()))
                self._step()
            return bytes(taken)

    @property
    def driven(self) -> int:
        """The pins that are outputs, as a mask."""
        return ~self._word(self.IODIR) & ALL

    @property
    def latch(self) -> int:
        """What the outputs are at."""
        return self._word(self.OLAT)

    @property
    def pull_ups(self) -> int:
        """The pins whose pull-up (100 kOhm) is switched on."""
        return self._word(self.GPPU)

    def _register(self) -> int | None:
        """The register in the order of BANK = 0 at the pointer; None: there is none."""
        at = self._pointer
        if not self._map[self.IOCON] & self.BANK:
            return at if at < self.SIZE else None
        port, at = at >> 4, at & 0x0F
        return 2 * at + port if port < 2 and at < self.SIZE // 2 else None

    def _step(self) -> None:
        control = self._map[self.IOCON]
        if control & self.SEQOP:
            if not control & self.BANK:
                self._pointer ^= 1
            return
        last = 0x1A if control & self.BANK else self.SIZE - 1
        self._pointer = self._pointer + 1 if self._pointer < last else 0

    def _set(self, register: int | None, byte: int) -> None:
        if register is None or self.INTF <= register < self.GPIO:
            return
        if register in (self.IOCON, self.IOCON + 1):
            self._map[self.IOCON] = self._map[self.IOCON + 1] = byte & 0xFE
        elif register >= self.GPIO:
            self._map[self.OLAT + (register & 1)] = byte  # writing the port writes its latch
        else:
            self._map[register] = byte

    def _get(self, register: int | None) -> int:
        if register is None:
            return 0
        if self.GPIO <= register < self.OLAT:
            return self._inputs() >> 8 * (register & 1) & 0xFF
        return self._map[register]

    def _inputs(self) -> int:
        driven = self.driven
        levels = self.latch & driven | self.outside() & ~driven & ~self.OUTPUTS_ONLY
        return levels ^ self._word(self.IPOL) & ~driven & ~self.OUTPUTS_ONLY & ALL

    def _word(self, register: int) -> int:
        return self._map[register] | self._map[register + 1] << 8
