"""The clock's buzzer: a SparkFun Qwiic Buzzer, which ends each tone itself.

Source: the register map of SparkFun's library and firmware 1.0. The length is always given, so that a
controller that dies leaves no tone behind; the SAVE register (it wears the EEPROM) is never written.
"""

import time
from collections.abc import Callable
from typing import Final

from hw import BusError
from hw.i2c import I2cBus, Wire

ID_REGISTER: Final = b"\x00"
ID: Final = 0x5E
FREQUENCY: Final = 0x03
"""Followed by volume (05), duration (06, 07) and active (08): one write sets all and begins."""
ACTIVE: Final = 0x08

LATEST_START_NS: Final = 50_000_000
"""A tone that begins later than this after it was asked for would mislead: it is left out."""


def check_tone(frequency_hz: int, duration_ms: int, volume: int) -> None:
    """Raise ValueError for a tone that no buzzer is asked for."""
    if not (1 <= frequency_hz <= 20_000 and 1 <= duration_ms <= 0xFFFF and 0 <= volume <= 4):
        raise ValueError(
            f"a tone of {frequency_hz} Hz, {duration_ms} ms, volume {volume} is not possible; "
            "allowed: 1 to 20000 Hz, 1 to 65535 ms, volume 0 to 4"
        )


class QwiicBuzzer:
    """A buzzer on a bus. Nothing here waits for the bus; a newer tone replaces one that still waits.

    Nothing is written to a chip that has not said that it is a buzzer, since it last failed.
    """

    def __init__(
        self, bus: I2cBus, address: int = 0x34, *, now_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._bus = bus
        self._address = address
        self._now_ns = now_ns
        self._known = False  # the bus's thread alone changes it
        bus.call(address, "buzzer")
        self.refresh()

    def refresh(self) -> None:
        """Look whether it is there, and a buzzer."""
        self._bus.post("buzzer identity", self._address, self._identify)

    def tone(
        self, frequency_hz: int, duration_ms: int, volume: int = 3, latest_ns: int | None = None
    ) -> None:
        """Sound 1..20000 Hz for 1..65535 ms at volume 0..4, by `latest_ns` or not at all.

        Raises ValueError outside these ranges, and the BusError of an earlier transfer once.
        """
        check_tone(frequency_hz, duration_ms, volume)
        data = bytes([FREQUENCY, *frequency_hz.to_bytes(2), volume, *duration_ms.to_bytes(2), 1])
        latest_ns = self._now_ns() + LATEST_START_NS if latest_ns is None else latest_ns
        self._bus.post("buzzer", self._address, lambda wire: self._write(wire, data), latest_ns)
        error = self._bus.take_error(self._address)
        if error is not None:
            raise error

    def silence(self) -> None:
        """Cut short what sounds, and forget what waits."""
        self._bus.post("buzzer", self._address, lambda wire: self._write(wire, bytes([ACTIVE, 0])))

    def close(self) -> None:
        """Silence; the bus stays open."""
        self.silence()
        self._bus.flush(1.0)

    def _write(self, wire: Wire, data: bytes) -> None:
        if not self._known:
            self._identify(wire)
        self._known = False
        wire.write(self._address, data)
        self._known = True

    def _identify(self, wire: Wire) -> None:
        self._known = False
        found = wire.read(self._address, ID_REGISTER, 1)[0]
        if found != ID:
            raise BusError(
                self._address, f"is no Qwiic Buzzer: its identity is 0x{found:02x}, not 0x{ID:02x}", "buzzer"
            )
        self._known = True


class NoBuzzer:
    """A table without a buzzer; `fault`: why there is none, if there should be one."""

    def __init__(self, fault: str = "") -> None:
        self._fault = fault

    def faults(self) -> list[str]:
        """A sentence when there should be one."""
        return [self._fault] if self._fault else []

    def tone(
        self, frequency_hz: int, duration_ms: int, volume: int = 3, latest_ns: int | None = None
    ) -> None:
        """Sound nothing."""

    def refresh(self) -> None:
        """Nothing to look for."""

    def silence(self) -> None:
        """It is silent."""

    def close(self) -> None:
        """Nothing to let go of."""
