"""Which rows of a sensor plane can be believed, by the references that are read with them. Pure.

Each row's multiplexer has a known voltage at its last input. A row that does not read it has lost its
multiplexer, its supply or a select line, and whatever else it reads is nothing that lies on the board.
"""

from typing import Final

from hw import SENSORS
from hw.serial_protocol import ROWS, Scan

REFERENCE: Final = 58
"""What a row's reference input reads: six tenths of the supply, by 10 kOhm to plus and 15 kOhm to ground."""
REFERENCE_WITHIN: Final = 10
ALLOWED: Final = f"{REFERENCE - REFERENCE_WITHIN} to {REFERENCE + REFERENCE_WITHIN}"
GOOD_PASSES: Final = 20
"""So many good references in a row, and a row is believed again."""
MOST_OFF: Final = 5
"""With more rows off than a third there is no frame: what is left is no picture of the board."""


class Rows:
    """Which rows of sensors can be believed, by their references."""

    def __init__(self) -> None:
        self._off: dict[int, int] = {}
        self._good: dict[int, int] = {}
        self._last = bytes(SENSORS)

    def believed(self, scan: Scan) -> bytes | None:
        """The readings; None where more than `MOST_OFF` rows are off.

        A row whose reference is off, or was until lately, has the readings that were last believed of it (0
        where none ever were): stones that lay there are not gone because they cannot be seen.
        """
        for row, coded in enumerate(scan.references):
            reference = coded - 256 if coded > 127 else coded
            if abs(reference - REFERENCE) > REFERENCE_WITHIN:
                self._off[row] = reference
                self._good[row] = 0
            elif row in self._off:
                self._good[row] += 1
                if self._good[row] >= GOOD_PASSES:
                    del self._off[row]
        if len(self._off) > MOST_OFF:
            return None
        readings = bytearray(scan.readings)
        for row in self._off:
            of_row = slice(row * ROWS, row * ROWS + ROWS)
            readings[of_row] = self._last[of_row]
        self._last = bytes(readings)
        return self._last

    def forget(self) -> None:
        """The link is gone, and nothing is known of any row."""
        self._off.clear()

    @property
    def lost(self) -> str:
        """Why there is no frame; empty while there are some."""
        off = sorted(dict(self._off))
        if len(off) <= MOST_OFF:
            return ""
        if len(off) == ROWS:
            return (
                f"no row of sensors can be read: all references are off, not {ALLOWED}"
                " (the sensors' supply, the sixteenth multiplexer, or the line to the ADC)"
            )
        return (
            f"{len(off)} rows of sensors cannot be read ({', '.join(str(row + 1) for row in off)}): their"
            f" references are off, not {ALLOWED} (the supply of their multiplexers, or a select line)"
        )

    def faults(self) -> list[str]:
        """One sentence for each row that is off while frames come."""
        off = dict(self._off)
        if len(off) > MOST_OFF:
            return []
        return [
            f"row {row + 1} of the sensor plane cannot be read: its reference is {value}, not {ALLOWED} (its"
            " multiplexer without power, or its output or a select line open)"
            for row, value in sorted(off.items())
        ]
