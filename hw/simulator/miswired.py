"""Mistakes of a maker: sensors and lines of a simulated board that are soldered wrongly.

Wrapped around sensors that are right, so that a board is one of the usual kinds with some mistakes in it. A
text names them, a `,` between: `dead C4, stuck G7, noisy K10, weak D4, reversed H8, reversed magnets,
select 3 4, sense C D, turned, diode A1`.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from hw import Sensors
from hw.simulator.physics import LETTERS, SENSORS, SIZE, Field, sensor_index
from hw.simulator.sensors import Electronics, FaultKind, SensorFault

WEAK: Final = 0.4
FAULTS: Final[Mapping[str, tuple[FaultKind, int]]] = {
    "dead": ("dead", 0),
    "stuck": ("stuck", 100),
    "noisy": ("noisy", 35),
}


class Miswired:
    """Sensors with the mistakes that `text` names; the same contract as theirs."""

    def __init__(self, sensors: Electronics, text: str = "") -> None:
        self.sensors: Sensors = sensors.sensors
        self.step_ns: int = sensors.step_ns
        self._inner = sensors
        self._factor = np.ones(SENSORS)
        self._from = np.arange(SENSORS)
        self._diodeless: list[int] = []
        self._field: Field | None = None
        self._changed: Field = np.zeros(SENSORS)
        for mistake in filter(None, (part.strip() for part in text.split(","))):
            try:
                self._make(*mistake.split())
            except (ValueError, TypeError, IndexError) as error:
                raise ValueError(
                    f"{mistake!r} is not a mistake that can be made; see the simulator's page"
                ) from error

    def fail(self, fault: SensorFault) -> None:
        """Schedule a fault of the sensors themselves."""
        self._inner.fail(fault)

    def mend(self, fault: SensorFault, t_ns: int) -> None:
        """End one of these."""
        self._inner.mend(fault, t_ns)

    def observe(self, t_ns: int, field: Field) -> None:
        """Let sensors with a memory follow the field."""
        self._inner.observe(t_ns, self._felt(field))

    def read(self, t_ns: int, field: Field) -> bytes:
        """One frame as the wrong wires bring it."""
        readings = np.frombuffer(self._inner.read(t_ns, self._felt(field)), np.int8)[self._from]
        return self._with_ghosts(readings).tobytes() if self._diodeless else readings.tobytes()

    def _felt(self, field: Field) -> Field:
        if field is not self._field:  # the sensors look at a new array only
            self._field = field
            self._changed = field * self._factor
        return self._changed

    def _make(self, kind: str, one: str = "", other: str = "") -> None:
        match kind:
            case "dead" | "stuck" | "noisy":
                name, value = FAULTS[kind]
                value = min(value, 1) if self.sensors == "switch" and name == "stuck" else value
                self._inner.fail(SensorFault(name, (sensor_index(one),), 0, value=value))
            case "weak":
                self._factor[sensor_index(one)] *= WEAK
            case "reversed" if one == "magnets":
                self._factor *= -1
            case "reversed":
                self._factor[sensor_index(one)] *= -1
            case "select":
                a, b = int(one) - 1, int(other) - 1
                planes = self._from.reshape(SIZE, SIZE)
                planes[[a, b]] = planes[[b, a]]
            case "sense":
                a, b = LETTERS.index(one), LETTERS.index(other)
                planes = self._from.reshape(SIZE, SIZE)
                planes[:, [a, b]] = planes[:, [b, a]]
            case "turned":
                self._from = self._from[::-1].copy()
            case "mirrored":
                self._from = self._from.reshape(SIZE, SIZE)[:, ::-1].reshape(SENSORS).copy()
            case "crossed":
                self._from = self._from.reshape(SIZE, SIZE).T.reshape(SENSORS).copy()
            case "diode":
                self._diodeless.append(sensor_index(one))
            case _:
                raise ValueError(kind)

    def _with_ghosts(
        self, readings: np.ndarray[tuple[int], np.dtype[np.int8]]
    ) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
        """Current that flows back through a missing diode closes the opposite corner of a rectangle."""
        rows = readings.reshape(SIZE, SIZE)
        seen = rows.copy()
        for at in self._diodeless:
            line, column = divmod(at, SIZE)
            if not rows[line, column]:
                continue
            for other in np.flatnonzero(rows[:, column]):
                if other != line:
                    seen[other] |= rows[line] != 0
        return seen.reshape(SENSORS)
