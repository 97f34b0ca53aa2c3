"""A simulated matrix of switches: a 4-to-16 decoder, 15 select lines, 15 sense lines, a diode per crossing.

A select line that is chosen pulls the sense lines of its closed switches low, through their diodes. The
others are held high only weakly, so that a switch without its diode joins its two lines both ways: with three
closed switches at the corners of a rectangle the fourth reads closed too, a ghost.
"""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple, Protocol

LINES: Final = 15
CODES: Final = 16

Crossing = tuple[int, int]
"""Select line and sense line, 0..14 each; the sensor `15 * select + sense` of the plane."""


class Wiring(NamedTuple):
    """What is wrong with a matrix. `no_diode`: crossings whose diode is bridged. `dead_select` and
    `dead_sense`: lines that are broken off. `shorted_sense`: lines that touch ground. `stuck_pins`: select
    pins (0..3, the lowest bit first) that the decoder sees always at this level. `dead`: no supply.
    """  # noqa: D205

    no_diode: Collection[Crossing] = ()
    dead_select: Collection[int] = ()
    dead_sense: Collection[int] = ()
    shorted_sense: Collection[int] = ()
    stuck_pins: Sequence[tuple[int, int]] = ()
    dead: bool = False


SOUND: Final = Wiring()


def sense_low(closed: bytes, code: int, wiring: Wiring = SOUND) -> int:
    """The sense lines that are low while `code` (0..15) stands on the select pins; bit 0 is the first.

    `closed`: 225 bytes in plane order, 0 for an open switch.
    """
    for bit, level in wiring.stuck_pins:
        code = code & ~(1 << bit) | level << bit
    low = sum(1 << n for n in wiring.shorted_sense)
    if code < LINES and not wiring.dead and code not in wiring.dead_select:
        low |= _pulled(closed, code, wiring.no_diode)
    return low & ~sum(1 << n for n in wiring.dead_sense)


def _pulled(closed: bytes, select: int, no_diode: Collection[Crossing]) -> int:
    """What one chosen line pulls low, directly and through bridged diodes."""
    low, selected, waiting = 0, {select}, [select]
    while waiting:
        line = waiting.pop()
        word = sum(1 << n for n in range(LINES) if closed[LINES * line + n])
        low |= word
        for other, n in no_diode:
            if low >> n & 1 and closed[LINES * other + n] and other not in selected:
                selected.add(other)
                waiting.append(other)
    return low


def sense_table(closed: bytes, wiring: Wiring = SOUND) -> list[int]:
    """`sense_low` of each code 0..15."""
    return [sense_low(closed, code, wiring) for code in range(CODES)]


class _Board(Protocol):
    def readings(self, t_ns: int) -> bytes:
        """225 bytes in plane order."""


class SimulatedMatrix:
    """A `hw.gpio_scanner.MatrixPort` before a board (a `SimulatedTable` of switches, or its like).

    A sense line follows a change of the code after `settle_us`; until then it has its level from before.
    `wiring` may be replaced at any time. `cut` takes the lines away: calls fail as those of a chip that has
    gone.
    """

    def __init__(
        self,
        board: _Board,
        *,
        settle_us: float = 0.0,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.wiring = SOUND
        self.cut = False
        self.calls = 0
        self.closed = False
        self._board = board
        self._settle_ns = int(settle_us * 1000)
        self._now_ns = now_ns
        self._code = CODES - 1
        self._changed_ns = now_ns() - self._settle_ns
        self._before = 0

    def select(self, code: int) -> None:
        """Put a code 0..15 on the select pins."""
        self._before = self._level()
        self._code, self._changed_ns = code, self._now_ns()

    def sense(self) -> int:
        """The sense lines that are low."""
        return self._level()

    def close(self) -> None:
        """Let go of the lines."""
        self.closed = True

    def _level(self) -> int:
        if self.cut:
            raise OSError(19, "No such device")
        self.calls += 1
        now_ns = self._now_ns()
        if now_ns - self._changed_ns < self._settle_ns:
            return self._before
        return sense_low(self._board.readings(now_ns), self._code, self.wiring)
