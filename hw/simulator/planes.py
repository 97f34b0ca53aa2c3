"""The sensor planes behind the expanders of an I2C board: select lines in, sense lines out.

Select line `i` is the rank `i + 1` of the sensor plane, sense line `j` its column, A first. A selected line
is low; a closed switch pulls its sense line down through a diode, and a pull-up (10 kOhm) holds the others
high. Where the diode is missing, current also flows back from the sense line into a select line that nobody
drives, and from there on: four points at the corners of a rectangle, three of them closed, read as four.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal

from hw import POLE_COUNTS
from hw.simulator.expanders import ALL, Expander
from hw.simulator.physics import LETTERS, SIZE, sensor_index
from hw.simulator.table import SimulatedTable

STRAIGHT: Final = tuple(range(SIZE))

NORTH: Final = POLE_COUNTS
SOUTH: Final = 256 - POLE_COUNTS

Pole = Literal["any", "north", "south"]
"""Which magnets close the switches of a plane."""


class SensorPlanes:
    """Switches under a table, wired to the pins of a select expander and of sense expanders.

    `senses`: for each sense expander the pole that closes its switches and the pin of each of the 15 sense
    lines (None: that line goes elsewhere). `now_ns` is when it is: each reading of a port sees the table as
    it is at that instant. `pull_ups`: whether the board has resistors of its own; else a pin without a
    pull-up in its chip reads low.
    """

    def __init__(
        self,
        table: SimulatedTable,
        now_ns: Callable[[], int],
        select: Expander,
        senses: Sequence[tuple[Expander, Pole, Sequence[int | None]]],
        select_pins: Sequence[int] = STRAIGHT,
        *,
        pull_ups: bool = True,
    ) -> None:
        self._table = table
        self._now_ns = now_ns
        self._select = select
        self._pins = list(select_pins)
        self._senses = senses
        self._pull_ups = pull_ups
        self._diodeless: set[int] = set()
        self._dead_pins: dict[int, int] = {}
        self._dead_select: set[int] = set()
        for plane, (chip, _, _) in enumerate(senses):
            chip.outside = self._outside_of(plane)

    def remove_diode(self, *points: str) -> None:
        """Short the diodes of these points; none given: of all 225."""
        self._diodeless.update(map(sensor_index, points) if points else range(SIZE * SIZE))

    def cut(self, line: str) -> None:
        """Break a select line (a rank, `1`..`15`) or the sense lines of a column (`A`..`O`)."""
        if line.isdecimal():
            self._dead_select.add(int(line) - 1)
            return
        for plane, (_, _, pins) in enumerate(self._senses):
            pin = pins[LETTERS.index(line)]
            if pin is not None:
                self._dead_pins[plane] = self._dead_pins.get(plane, 0) | 1 << pin

    def swap(self, one: str, other: str) -> None:
        """Plug two select lines (ranks) into each other's places."""
        a, b = int(one) - 1, int(other) - 1
        self._pins[a], self._pins[b] = self._pins[b], self._pins[a]

    def _outside_of(self, plane: int) -> Callable[[], int]:
        return lambda: self._levels(plane)

    def _levels(self, plane: int) -> int:
        """What the pins of a sense expander are at."""
        chip = self._senses[plane][0]
        levels = ALL if self._pull_ups else chip.pull_ups
        low, floating = self._select_lines()
        if low:
            readings = self._table.readings(self._now_ns())
            low_at = self._pulled(readings, low, floating)
            levels &= ~(low_at[plane] & ~self._dead_pins.get(plane, 0))
        return levels

    def _select_lines(self) -> tuple[list[int], list[int]]:
        """The select lines that are driven low, and those that nobody drives."""
        driven, latch = self._select.driven, self._select.latch
        low, floating = [], []
        for line, pin in enumerate(self._pins):
            if line in self._dead_select or not driven >> pin & 1:
                floating.append(line)
            elif not latch >> pin & 1:
                low.append(line)
        return low, floating

    def _pulled(self, readings: bytes, low: Sequence[int], floating: Sequence[int]) -> list[int]:
        """The pins of each sense expander that are pulled low."""
        pulled = [0] * len(self._senses)
        reached, edge = set(low), list(low)
        while edge:
            line = edge.pop()
            row = readings[line * SIZE : (line + 1) * SIZE]
            if not any(row):
                continue
            for plane, (_, pole, pins) in enumerate(self._senses):
                for column, reading in enumerate(row):
                    pin = pins[column]
                    if pin is not None and _closes(reading, pole):
                        pulled[plane] |= 1 << pin
                        if self._diodeless:
                            back = [n for n in floating if self._flows_back(readings, n, column, pole)]
                            edge.extend(n for n in back if n not in reached)
                            reached.update(back)
        return pulled

    def _flows_back(self, readings: bytes, line: int, column: int, pole: Pole) -> bool:
        at = line * SIZE + column
        return at in self._diodeless and _closes(readings[at], pole)


def _closes(reading: int, pole: Pole) -> bool:
    """Whether a reading of the table, as a byte, closes a switch of this plane."""
    return reading != 0 if pole == "any" else reading == (NORTH if pole == "north" else SOUTH)
