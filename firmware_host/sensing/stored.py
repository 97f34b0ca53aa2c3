"""A calibration that was measured once and is kept: what sensing knows of a board before its first frame.

It belongs to the sensors, so its values are in the order of the sensor plane whichever side Black sits at.
Sensing works without one; with one it knows each sensor's zero and sensitivity from the beginning instead of
from the first sound stone that lies there.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from firmware_host.board import POINTS
from firmware_host.errors import ConfigError

ZERO_COUNTS: Final = 60.0
"""The farthest that a zero may be from nothing."""
GAIN_COUNTS: Final = (20.0, 160.0)
"""What a sound stone may read over a sensor that works."""


class StoredCalibration(msgspec.Struct, frozen=True, kw_only=True):
    """225 zeros and 225 gains of linear sensors, counts, A1 .. O15 of the sensor plane.

    `zero`: the reading without a stone, -60 to 60. `gain`: how much a sound stone at rest adds, 20 to 160
    whatever its colour; 0 where it was not measured. Raises ConfigError for other values.
    """

    zero: tuple[float, ...]
    gain: tuple[float, ...]

    def __post_init__(self) -> None:
        _check("zero", self.zero, -ZERO_COUNTS, ZERO_COUNTS)
        _check("gain", [gain for gain in self.gain if gain != 0], *GAIN_COUNTS, count=len(self.gain))

    def turned(self) -> "StoredCalibration":
        """The same for a board that is seen from its other side."""
        return StoredCalibration(zero=self.zero[::-1], gain=self.gain[::-1])

    def header(self) -> dict[str, list[float]]:
        """What a trace's header says of it, so that a replay starts from the same."""
        return {"zero": list(self.zero), "gain": list(self.gain)}


def read_stored(given: Mapping[str, Any], name: str = "calibration") -> StoredCalibration:
    """The calibration of a trace's header or of a file; raises ConfigError, which begins with `name`."""
    try:
        return msgspec.convert({key: given.get(key) for key in ("zero", "gain")}, StoredCalibration)
    except msgspec.ValidationError as error:
        cause = error.__cause__
        if isinstance(cause, ConfigError):
            raise ConfigError(f"{name}.{cause.key}", cause.value, cause.allowed) from error
        raise ConfigError(
            name, dict(given), f"zero and gain of {POINTS} numbers", "{..}", str(error)
        ) from error


def _check(key: str, values: Sequence[float], low: float, high: float, count: int | None = None) -> None:
    count = len(values) if count is None else count
    if count != POINTS:
        raise ConfigError(key, f"{count} numbers", f"{POINTS} numbers, A1 to O15 of the sensor plane")
    for value in values:
        if not (math.isfinite(value) and low <= value <= high):
            also = ", or 0 for a sensor that was not measured" if key == "gain" else ""
            raise ConfigError(key, value, f"{low:g} to {high:g} counts{also}")
