"""Port expanders as the I2C scanner uses them: what to write to set one up, and what to read back.

Pins are numbered 0..15: port 0 (A) first, bit 0 first. A pin of an MCP23017 that is named 7 or 15 (GPA7,
GPB7) may only be an output: as an input it can spoil the data on the bus.

Sources: NXP PCA9555 data sheet rev. 10 (a write or a read goes on in the other register of its pair, never
beyond); Microchip DS20001952D (register table 3-5; with IOCON = 0 a read goes on through all registers).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

PINS: Final = 16


class Check(NamedTuple):
    """A read that proves the settings.

    `length` bytes from `register` on; at each offset of `expected` these bytes.
    """

    register: int
    length: int
    expected: tuple[tuple[int, bytes], ...]

    def holds(self, answer: bytes) -> bool:
        """Whether the answer is that of a chip that has its settings."""
        return all(answer[at : at + len(these)] == these for at, these in self.expected)


class Kind(NamedTuple):
    """A kind of expander: its registers, each for port 0 and followed by that for port 1.

    `safe_inputs` are the pins that may be inputs. `inputs_kept`: an expander that has lost its settings is
    still a right one for reading, for at power-on all its pins are inputs with their pull-ups.
    """

    name: str
    inputs: int
    outputs: int
    directions: int
    safe_inputs: int
    inputs_kept: bool

    def set_up(self, directions: int, latch: int) -> list[bytes]:
        """Messages that set the chip up: 1 in `directions` is an input, pulled up; latches before pins."""
        latches = bytes([self.outputs]) + latch.to_bytes(2, "little")
        if self is PCA9555:
            return [latches, b"\x04\x00\x00", b"\x06" + directions.to_bytes(2, "little")]
        # Register 05 is IOCON if somebody left BANK at 1, else GPINTENB, which is to be 0 as well.
        return [b"\x05\x00", b"\x0a\x00", latches, b"\x00" + _mcp_settings(directions)]

    def check(self, directions: int | None, latch: int | None) -> tuple[Check, ...]:
        """Reads that prove the settings; None for what changes from line to line."""
        way = None if directions is None else directions.to_bytes(2, "little")
        at = None if latch is None else latch.to_bytes(2, "little")
        if self is PCA9555:
            pairs = ((6, way), (2, at), (4, b"\x00\x00"))
            return tuple(Check(register, 2, ((0, these),)) for register, these in pairs if these is not None)
        settings = _mcp_settings(directions or 0)
        expected = [(2, settings[2:]) if way is None else (0, settings)]
        if at is not None:
            expected.append((self.outputs, at))
        return (Check(0, self.outputs + 2, tuple(expected)),)

    def checked_read(self, directions: int) -> Check:
        """A read that ends with both inputs and proves the settings on the way; not of every kind."""
        return Check(0, self.inputs + 2, ((0, _mcp_settings(directions)),))


def _mcp_settings(directions: int) -> bytes:
    """Registers 00 to 0D: directions; polarity, interrupts and IOCON all 0; every pull-up on."""
    return directions.to_bytes(2, "little") + bytes(10) + b"\xff\xff"


PCA9555: Final = Kind("pca9555", 0x00, 0x02, 0x06, 0xFFFF, True)
"""Also the TCA9555, and the PCA9535 and TCA9535, which have no pull-ups of their own."""
MCP23017: Final = Kind("mcp23017", 0x12, 0x14, 0x00, 0x7F7F, False)
KINDS: Final[dict[str, Kind]] = {kind.name: kind for kind in (PCA9555, MCP23017)}


def parse_pins(text: str, most: int) -> tuple[int, ...]:
    """Fifteen different pins 0..`most` - 1 from a text such as `0-14` or `7-0 8-14`; raises ValueError."""
    pins: list[int] = []
    for part in text.replace(",", " ").split():
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ValueError(f"{part!r} is no pin and no range of pins")
        begin, end = int(first), int(last or first)
        if max(begin, end) >= most:
            raise ValueError(f"pin {max(begin, end)} does not exist")
        step = 1 if end >= begin else -1
        pins.extend(range(begin, end + step, step))
    if len(pins) != 15 or len(set(pins)) != 15:
        raise ValueError(f"{text!r} names {len(set(pins))} different pins")
    return tuple(pins)


def mask(pins: Sequence[int]) -> int:
    """These pins as bits."""
    return sum(1 << pin for pin in pins)
