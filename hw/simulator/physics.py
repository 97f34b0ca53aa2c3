"""Magnets: where the sensors are, and the field that a stone's magnet makes at each of them.

Coordinates are millimetres in the sensor plane: x across (columns, 24 mm apart), y along (ranks, 25 mm
apart), sensor A1 at the origin; heights are above the place where a stone at rest lies. Fields are the
vertical component in millitesla, positive below a black stone's magnet (N pole down). A magnet is a point
dipole; right below a stone at rest that is a tenth more than the exact field of this cylinder (16.0 mT), from
a pitch away it is nearly the same.
Source of pitch: competition rules 1.1; magnet: diameter 6 mm, 3 mm thick, N42 (remanence 1.3 T).
"""

import math
import re
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZE: Final = 15
SENSORS: Final = SIZE * SIZE
LETTERS: Final = "ABCDEFGHIJKLMNO"

PITCH_X_MM: Final = 24.0
PITCH_Y_MM: Final = 25.0
GAP_MM: Final = 10.0
"""From a sensor up to the middle of the magnet of a stone at rest."""

REMANENCE_MT: Final = 1300.0
VOLUME_MM3: Final = math.pi * 3.0**2 * 3.0
DIPOLE_MT_MM3: Final = REMANENCE_MT * VOLUME_MM3 / (4 * math.pi)
REST_MT: Final = 2 * DIPOLE_MT_MM3 / GAP_MM**3
"""Field right below a full-strength stone at rest: 17.6 mT."""

Field = NDArray[np.float64]

_X: Final[Field] = np.tile(np.arange(SIZE) * PITCH_X_MM, SIZE)
_Y: Final[Field] = np.repeat(np.arange(SIZE) * PITCH_Y_MM, SIZE)

_NAME = re.compile(r"([A-Oa-o])([1-9][0-9]?)")


class Pose(NamedTuple):
    """Where a magnet is.

    `height_mm` is above rest; `tilt_x`, `tilt_y` lean its upper end towards x and y, radians.
    """

    x_mm: float
    y_mm: float
    height_mm: float = 0.0
    tilt_x: float = 0.0
    tilt_y: float = 0.0


def sensor_index(point: str | int) -> int:
    """Index 0..224 of a sensor from its name in the plane, A1..O15, or the index itself; else ValueError."""
    if isinstance(point, int):
        if not 0 <= point < SENSORS:
            raise ValueError(f"sensor {point} does not exist; allowed: 0 to {SENSORS - 1}")
        return point
    found = _NAME.fullmatch(point)
    if found is None or int(found[2]) > SIZE:
        raise ValueError(f"{point!r} is not a point; allowed: A1 to O15")
    return (int(found[2]) - 1) * SIZE + LETTERS.index(found[1].upper())


def sensor_name(index: int) -> str:
    """Name of a sensor: 112 -> `H8`."""
    return f"{LETTERS[index % SIZE]}{index // SIZE + 1}"


def line_indexes(line: str) -> tuple[int, ...]:
    """The 15 sensors of a rank `1`..`15` or of a column `A`..`O`; raises ValueError."""
    if line.isdecimal() and len(line) < 3 and 1 <= int(line) <= SIZE:
        return tuple((int(line) - 1) * SIZE + col for col in range(SIZE))
    if len(line) == 1 and line.upper() in LETTERS:
        return tuple(row * SIZE + LETTERS.index(line.upper()) for row in range(SIZE))
    raise ValueError(f"{line!r} is not a line; allowed: 1 to 15, A to O")


def position(index: int) -> tuple[float, float]:
    """Place (x, y) of a sensor in millimetres."""
    return index % SIZE * PITCH_X_MM, index // SIZE * PITCH_Y_MM


def nearest(x_mm: float, y_mm: float) -> int | None:
    """The sensor whose cell holds this place; None off the board (more than half a pitch outside)."""
    col, row = math.floor(x_mm / PITCH_X_MM + 0.5), math.floor(y_mm / PITCH_Y_MM + 0.5)
    return row * SIZE + col if 0 <= col < SIZE and 0 <= row < SIZE else None


def dipole_field(pose: Pose, strength: float) -> Field:
    """Field of one magnet at all sensors, 225 values in mT.

    `strength` is 1 for a full magnet with its N pole down (black), -1 for white, 0.35 for a weak one.
    """
    dx = _X - pose.x_mm
    dy = _Y - pose.y_mm
    z = GAP_MM + pose.height_mm
    r2 = dx * dx
    r2 += dy * dy
    r2 += z * z
    lean_x, lean_y = math.sin(pose.tilt_x), math.sin(pose.tilt_y)
    upright = math.sqrt(max(0.0, 1 - lean_x**2 - lean_y**2))
    along = upright * z if lean_x == lean_y == 0 else upright * z - lean_x * dx - lean_y * dy
    field: Field = (3 * z * along / r2 - upright) / (r2 * np.sqrt(r2))
    field *= strength * DIPOLE_MT_MM3
    return field
