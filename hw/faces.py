"""The clock's faces: four digits each on a HT16K33.

Sources: HT16K33 data sheet (commands, RAM); four-digit backpacks (where digits and colon are in it).
"""

from collections.abc import Mapping
from typing import Final

from hw import Seat
from hw.i2c import I2cBus, Wire

OSCILLATOR_ON: Final = 0x21
DISPLAY_ON: Final = 0x81
BRIGHTNESS: Final = 0xE0
RAM: Final = b"\x00"
RAM_SIZE: Final = 16

DIGITS_AT: Final = (0, 2, 6, 8)
COLON_AT: Final = 4
COLON: Final = 0x02


class Ht16k33Faces:
    """Both faces, on one bus. Nothing here waits for the bus.

    `show` and `refresh` leave the picture with the bus's thread and then raise the BusError of an earlier
    transfer, once for each time that a face goes wrong; the picture is sent all the same when it can be.
    """

    def __init__(self, bus: I2cBus, addresses: Mapping[Seat, int]) -> None:
        self._bus = bus
        for seat, address in addresses.items():
            bus.call(address, f"{seat} face")
        self._faces = {seat: _Face(bus, address) for seat, address in addresses.items()}

    def show(self, seat: Seat, segments: bytes, colon: bool, brightness: int = 8) -> None:
        """Put four digits (left to right) and the colon on a face; brightness 0..15. Raises BusError."""
        if len(segments) != len(DIGITS_AT) or not 0 <= brightness <= 15:
            raise ValueError(
                f"{len(segments)} digits, brightness {brightness} is no picture; allowed: 4 digits, 0 to 15"
            )
        ram = bytearray(RAM_SIZE)
        for at, digit in zip(DIGITS_AT, segments, strict=True):
            ram[at] = digit
        ram[COLON_AT] = COLON if colon else 0
        self._faces[seat].show(bytes(ram), brightness)
        self._tell()

    def refresh(self) -> None:
        """Read back what the faces hold, and send set-up and picture again. Raises BusError."""
        for face in self._faces.values():
            face.refresh()
        self._tell()

    @property
    def brown_outs(self) -> int:
        """How often a face was found with another picture than it had been given."""
        return sum(face.brown_outs for face in self._faces.values())

    def close(self) -> None:
        """Blank the faces; the bus stays open."""
        for face in self._faces.values():
            face.show(bytes(RAM_SIZE), 0)
        self._bus.flush(1.0)

    def _tell(self) -> None:
        for face in self._faces.values():
            error = self._bus.take_error(face.address)
            if error is not None:
                raise error


class _Face:
    """One chip. `_wanted` is written by callers, the rest by the bus's thread alone."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        self.address = address
        self.brown_outs = 0
        self._bus = bus
        self._wanted = (bytes(RAM_SIZE), 8)
        self._sent: tuple[bytes, int] | None = None
        self._failed = False
        self._bus.post(f"face 0x{address:02x}", address, self._send)

    def show(self, ram: bytes, brightness: int) -> None:
        """Leave a picture with the bus, unless it is there already."""
        wanted = (ram, brightness)
        if wanted != self._wanted or self._failed:
            self._wanted = wanted
            self._bus.post(f"face 0x{self.address:02x}", self.address, self._send)

    def refresh(self) -> None:
        """Leave a check with the bus."""
        self._bus.post(f"check 0x{self.address:02x}", self.address, self._check)

    def _send(self, wire: Wire) -> None:
        wanted = self._wanted
        sent, self._sent = self._sent, None
        self._failed = True
        if sent is None:
            # The picture before the light, so that what the RAM held at power-on never shows.
            wire.write(self.address, bytes([OSCILLATOR_ON]))
        if sent is None or sent[0] != wanted[0]:
            wire.write(self.address, RAM + wanted[0])
        if sent is None or sent[1] != wanted[1]:
            wire.write(self.address, bytes([BRIGHTNESS | wanted[1]]))
        if sent is None:
            wire.write(self.address, bytes([DISPLAY_ON]))
        self._sent, self._failed = wanted, False

    def _check(self, wire: Wire) -> None:
        if self._sent is not None and wire.read(self.address, RAM, RAM_SIZE) != self._sent[0]:
            self.brown_outs += 1
        self._sent = None
        self._send(wire)


class NoFaces:
    """A table without faces."""

    def show(self, seat: Seat, segments: bytes, colon: bool, brightness: int = 8) -> None:
        """Show nothing."""

    def refresh(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to let go of."""
