"""Virtual chips: the HT16K33 that drives a clock face, and the Qwiic Buzzer.

Sources: Holtek HT16K33 data sheet rev. 1.10 (commands, RAM, read and write operations); SparkFun Qwiic Buzzer
firmware 1.0 and its register map. What a chip does that no driver here uses (key scanning, interrupts,
changing the address) is left out.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

DIGITS_AT: Final = (0, 2, 6, 8)
"""RAM addresses of the four digits of a 4-digit backpack, left to right."""
COLON_AT: Final = 4
COLON: Final = 0x02


class Picture(NamedTuple):
    """What a face shows to the eye. `segments`: four digits, bits 0..6 = a..g, bit 7 the point.

    `brightness` 0..15; `blink_hz` 0, 0.5, 1 or 2. A face that is off shows nothing: all zero, no colon.
    """

    segments: bytes
    colon: bool
    brightness: int
    blink_hz: float


class VirtualHt16k33:
    """A HT16K33 with a four-digit backpack."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.power_on()

    def power_on(self, ram: bytes = bytes(16)) -> None:
        """Reset as at power-on or after a brown-out: oscillator and display off, full brightness.

        The data sheet does not promise what the RAM holds then; `ram` is it.
        """
        with self._lock:
            self.oscillator = False
            self.display = False
            self.blink_hz = 0.0
            self.brightness = 15
            self.ram = bytearray(ram)
            self._pointer = 0

    def write(self, data: bytes) -> None:
        """A command byte, followed by RAM data after 0x00..0x0F (the address moves on, and wraps)."""
        if not data:
            return
        with self._lock:
            command, argument = data[0] & 0xF0, data[0] & 0x0F
            if command == 0x00:
                self._pointer = argument
                for byte in data[1:]:
                    self.ram[self._pointer] = byte
                    self._pointer = (self._pointer + 1) % 16
            elif command == 0x20:
                self.oscillator = bool(argument & 0x01)
            elif command == 0x80:
                self.display = bool(argument & 0x01)
                self.blink_hz = (0.0, 2.0, 1.0, 0.5)[argument >> 1 & 0x03]
            elif command == 0xE0:
                self.brightness = argument

    def read(self, length: int) -> bytes:
        """RAM from the pointer on."""
        with self._lock:
            at = [(self._pointer + i) % 16 for i in range(length)]
            self._pointer = (self._pointer + length) % 16
            return bytes(self.ram[i] for i in at)

    def picture(self) -> Picture:
        """What is to be seen."""
        with self._lock:
            if not (self.oscillator and self.display):
                return Picture(bytes(4), False, self.brightness, 0.0)
            segments = bytes(self.ram[i] for i in DIGITS_AT)
            return Picture(segments, bool(self.ram[COLON_AT] & COLON), self.brightness, self.blink_hz)


class Tone(NamedTuple):
    """A tone that was begun. `duration_ms` 0: until it is stopped."""

    start_ns: int
    frequency_hz: int
    duration_ms: int
    volume: int


class VirtualBuzzer:
    """A Qwiic Buzzer. It times its tones itself by `now_ns`; `tones` keeps the last 100 begun."""

    ID: Final = 0x5E
    FREQUENCY: Final = 0x03
    VOLUME: Final = 0x05
    DURATION: Final = 0x06
    ACTIVE: Final = 0x08
    SAVE: Final = 0x09
    WRITABLE: Final = bytes([0, 0, 0, 0xFF, 0xFF, 0x07, 0xFF, 0xFF, 0x01, 0x01, 0xFF])

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._lock = threading.Lock()
        self.saves = 0
        self.tones: deque[Tone] = deque(maxlen=100)
        self.power_on()

    def power_on(self) -> None:
        """Silent, at the resonance and full volume."""
        with self._lock:
            self._map = bytearray([self.ID, 0x00, 0x01, 0x0A, 0xAA, 4, 0, 0, 0, 0, 0x34])
            self._pointer = 0
            self._sounding: Tone | None = None

    def write(self, data: bytes) -> None:
        """A register number and what goes there and after it; read-only bits stay."""
        if not data:
            return
        with self._lock:
            self._end_if_over()
            self._pointer = data[0]
            for at, byte in enumerate(data[1:], data[0]):
                if at < len(self._map):
                    mask = self.WRITABLE[at]
                    self._map[at] = self._map[at] & ~mask | byte & mask
            if len(data) > 1:
                self._update()

    def read(self, length: int) -> bytes:
        """Registers from the pointer on; 0xFF beyond the map."""
        with self._lock:
            self._end_if_over()
            taken = bytes(self._map[self._pointer : self._pointer + length])
            return taken + b"\xff" * (length - len(taken))

    def sounding(self) -> Tone | None:
        """The tone that is to be heard now."""
        with self._lock:
            self._end_if_over()
            tone = self._sounding
            return tone if tone is not None and tone.frequency_hz and tone.volume else None

    def _update(self) -> None:
        if self._map[self.SAVE]:
            self.saves += 1
            self._map[self.SAVE] = 0
        if not self._map[self.ACTIVE]:
            self._sounding = None
            return
        tone = Tone(
            self._now_ns(),
            int.from_bytes(self._map[self.FREQUENCY : self.FREQUENCY + 2], "big"),
            int.from_bytes(self._map[self.DURATION : self.DURATION + 2], "big"),
            self._map[self.VOLUME],
        )
        # The firmware begins anew only from silence or when a setting differs.
        if self._sounding is None or self._sounding[1:] != tone[1:]:
            self._sounding = tone
            self.tones.append(tone)

    def _end_if_over(self) -> None:
        tone = self._sounding
        if tone and tone.duration_ms and self._now_ns() >= tone.start_ns + tone.duration_ms * 1_000_000:
            self._sounding = None
            self._map[self.ACTIVE] = 0
