"""The time axis of a table: one monotonic line of nanoseconds across restarts."""

import time
from collections.abc import Callable


class Axis:
    """The monotonic clock without the gaps in which the daemon did not run.

    `start_ns` is where the axis stands at this moment: 0, or the last journalled instant after a restart.
    """

    def __init__(self, start_ns: int = 0, monotonic_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._monotonic_ns = monotonic_ns
        self._offset_ns = monotonic_ns() - start_ns

    def now_ns(self) -> int:
        """This instant."""
        return self._monotonic_ns() - self._offset_ns

    def at(self, monotonic_ns: int) -> int:
        """An instant of the monotonic clock (a frame's, an edge's) on this axis; never before 0."""
        return max(0, monotonic_ns - self._offset_ns)

    def monotonic_ns(self, t_ns: int) -> int:
        """The inverse of `at`."""
        return t_ns + self._offset_ns
