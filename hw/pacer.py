"""The slots of time in which a scanner takes its frames, and those that pass without one."""

import time
from collections.abc import Callable
from typing import Final

SECOND: Final = 1_000_000_000


class Pacer:
    """Slots of 1 / `rate_hz`, counted from the first wait on; `sleep` waits for seconds.

    Who is late takes the slot in which he comes, at once; nothing is made up for.
    """

    def __init__(
        self, rate_hz: int, now_ns: Callable[[], int], sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self.lost = 0
        self._period_ns = SECOND // rate_hz
        self._now_ns = now_ns
        self._sleep = sleep
        self._due_ns: int | None = None
        self._passed = 0
        self._begun = False
        self._fastest_ns = 0

    def wait(self) -> None:
        """Wait for the next slot; those that have passed meanwhile are over."""
        now_ns = self._now_ns()
        if self._due_ns is None:
            self._due_ns = now_ns
        slots = max(0, (now_ns - self._due_ns) // self._period_ns) + 1
        self._passed += slots
        self._due_ns += slots * self._period_ns
        early_ns = self._due_ns - self._period_ns - now_ns
        if early_ns > 0:
            self._sleep(early_ns / 1e9)

    def taken(self, took_ns: int) -> int:
        """A frame came in this slot: how many were lost since the last one; none before the first.

        `took_ns`: how long it took. Slots that even the fastest frame would have missed are not lost.
        """
        self._fastest_ns = min(self._fastest_ns or took_ns, took_ns)
        due = self._passed * self._period_ns // max(self._period_ns, self._fastest_ns)
        lost = max(0, due - 1) if self._begun else 0
        self._passed, self._begun = 0, True
        self.lost += lost
        return lost
