"""The simulated table in real time: its scanner and its keys, as the daemon reads them."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from hw import Frame, LinkError, Press, Sensors
from hw.simulator.table import SimulatedTable

TRANSFER_NS: Final = 30_000_000
"""Frames come over in bundles of so much time, as from a USB serial link; their instants are their own."""
BUFFERED_NS: Final = 500_000_000
"""So much a scanner keeps for a host that is busy; what is older is lost."""


class SimulatedScanner:
    """Frames of a table at `rate_hz`, on the monotonic clock.

    Like a scanner with a microcontroller of its own it scans on time whoever reads late: a late reader gets
    the frames that it missed at once, with their own instants, and beyond `BUFFERED_NS` they are lost.
    """

    def __init__(
        self,
        table: SimulatedTable,
        rate_hz: int = 200,
        *,
        now_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not 1 <= rate_hz <= 1000:
            raise ValueError(f"rate_hz = {rate_hz} is not possible; allowed: 1 to 1000")
        self.sensors: Sensors = table.sensors
        self.rate_hz = rate_hz
        self._table = table
        self._now_ns = now_ns
        self._sleep = sleep
        self._start_ns: int | None = None
        self._next = self._lost = 0
        self._closed = False
        self._unplugged = False
        self._losing = 0.0
        self._chance = random.Random(0)  # noqa: S311 - no secret

    def unplug(self) -> None:
        """Pull its cable: `read` raises LinkError until `plug`."""
        self._unplugged = True

    def plug(self) -> None:
        """Put it in again: it scans anew, and what was in between is no frame that was lost."""
        self._start_ns, self._next = None, 0
        self._unplugged = False

    def lose(self, share: float) -> None:
        """Let this share (0..1) of the frames be lost on their way from now on."""
        self._losing = share

    def read(self) -> Frame | None:
        """Wait for the next frame; None once closed. Raises LinkError while it is unplugged."""
        if self._unplugged and not self._closed:
            raise LinkError("the simulated scanner is unplugged")
        lost = 0
        while self._losing and self._chance.random() < self._losing:
            self._next += 1
            self._lost += 1
            lost += 1
        due_ns = self._due_ns(self._next)
        behind_ns = self._now_ns() - due_ns
        if behind_ns > BUFFERED_NS:
            missed = (behind_ns - BUFFERED_NS) * self.rate_hz // 1_000_000_000 + 1
            self._next += missed
            self._lost += missed
            lost += missed
            due_ns = self._due_ns(self._next)
        elif behind_ns < 0:
            self._sleep(max(-behind_ns, TRANSFER_NS) / 1e9)
        if self._closed:
            return None
        self._next += 1
        return Frame(due_ns, self._table.readings(due_ns), lost)

    def faults(self) -> list[str]:
        """None: what is wrong with simulated sensors is for sensing to find."""
        return []

    def health(self) -> dict[str, Any]:
        """`lost`, frames that a late reader did not get, or that went missing on their way."""
        return {"state": "lost" if self._unplugged else "ok", "lost": self._lost}

    def close(self) -> None:
        """End `read` within one frame's time."""
        self._closed = True

    def _due_ns(self, number: int) -> int:
        if self._start_ns is None:  # it scans from the first read on
            self._start_ns = self._now_ns()
        return self._start_ns + number * 1_000_000_000 // self.rate_hz


class SimulatedKeys:
    """The table's keys."""

    def __init__(self, table: SimulatedTable, *, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._table = table
        self._now_ns = now_ns

    def poll(self) -> tuple[Sequence[Press], int]:
        """Presses since the last poll in time order, and the instant up to which all presses are known."""
        now_ns = self._now_ns()
        return self._table.presses(now_ns), now_ns

    def faults(self) -> list[str]:
        """Simulated keys work."""
        return []

    def close(self) -> None:
        """Nothing to let go of."""
