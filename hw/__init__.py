"""Electricity in, frames and key presses out; times on faces and tones out of the buzzer.

This package knows nothing of renju. `open_devices` picks each device by its name in the configuration.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

SENSORS: Final = 225
POLE_COUNTS: Final = 92
"""What a switch reads that knows the pole: 92 below a black stone, -92 below a white one."""

Sensors = Literal["linear", "switch"]
Seat = Literal["near", "far"]
KeyName = Literal["near", "far", "near-call", "far-call", "arbiter", "near-menu", "far-menu"]
"""The five keys by their names; `near-menu` and `far-menu` are call keys that were held for a second."""

MENU_OF: Final[dict[KeyName, KeyName]] = {"near-call": "near-menu", "far-call": "far-menu"}
"""A call key, and the name that it tells when it was held."""


class DeviceError(Exception):
    """Root of every fault of a device."""


class BusError(DeviceError, OSError):
    """A transfer on an I2C bus failed; `address` is the chip's, 0x08..0x77, `name` what it is called."""

    def __init__(self, address: int, why: str, name: str = "") -> None:
        super().__init__(
            f"{name} (0x{address:02x}): {why}" if name else f"I2C address 0x{address:02x}: {why}"
        )
        self.address = address


class LinkError(DeviceError, OSError):
    """A scanner's link is gone or silent."""


class PinInUse(DeviceError, OSError):
    """A GPIO pin that belongs to somebody else."""


class Frame(NamedTuple):
    """One raw pass over the sensors.

    `readings`: 225 signed bytes in the order of the sensor plane, A1, B1 .. O1, A2 .. O15; linear sensors
    -127..127 (0 no field, black positive), switches 0 or 1, or 92 (black) and -92 (white) where there is one
    for each pole. `t_ns` on the monotonic clock. `lost`: frames
    known to be missing just before this one.
    """

    t_ns: int
    readings: bytes
    lost: int = 0


class Press(NamedTuple):
    """A key that closed, with the instant of the edge.

    A call key tells when it opens again, since only then it is known to have been short. One that is kept
    closed tells its name in `MENU_OF` instead, with the instant at which the second was over.
    """

    t_ns: int
    key: KeyName


class Scanner(Protocol):
    """Source of frames. One thread reads; `close` may come from another and ends a waiting `read`."""

    sensors: Sensors
    rate_hz: int

    def read(self) -> Frame | None:
        """Wait for the next frame; None once closed. Raises LinkError when the link is gone."""

    def faults(self) -> list[str]:
        """A sentence for each part that cannot be read, while frames come all the same."""

    def health(self) -> dict[str, Any]:
        """`state`, "ok", "degraded" or "lost", and what the scanner counts, for the health page."""

    def close(self) -> None:
        """Let go of the device; safe to call twice."""


class Faces(Protocol):
    """Two four-digit faces. The segments are the caller's: bits 0..6 = a..g, bit 7 the decimal point."""

    def show(self, seat: Seat, segments: bytes, colon: bool, brightness: int = 8) -> None:
        """Put four digits (left to right) and the colon on a face; brightness 0..15. Raises BusError."""

    def refresh(self) -> None:
        """Send set-up and picture again. Raises BusError.

        To be called every few seconds: after a brown-out a face is blank, and acknowledges all the same.
        """

    def close(self) -> None:
        """Blank the faces and let go."""


class Buzzer(Protocol):
    """One tone at a time; the device itself ends it."""

    def tone(
        self, frequency_hz: int, duration_ms: int, volume: int = 3, latest_ns: int | None = None
    ) -> None:
        """Sound 1..20000 Hz for 1..65535 ms at volume 0..4. Raises BusError.

        A tone that cannot begin by `latest_ns` (default: 50 ms from now) is left out.
        """

    def refresh(self) -> None:
        """Look whether it works; to be called every few seconds, for else nobody would know between tones."""

    def silence(self) -> None:
        """Cut short what sounds, and forget what waits."""

    def close(self) -> None:
        """Silence, and let go."""


class Keys(Protocol):
    """The clock keys, call keys and the arbiter's key."""

    def poll(self) -> tuple[Sequence[Press], int]:
        """Presses since the last poll in time order, and the instant up to which all presses are known."""

    def faults(self) -> list[str]:
        """A sentence for each key that does not work."""

    def close(self) -> None:
        """Let go of the pins."""
