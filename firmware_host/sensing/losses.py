"""Lost frames, counted and told in bundles: the first at once, then ever more rarely while they go on.

A loaded machine may lose a frame now and then for hours. What is told goes into the journal, and each entry
there costs a sync. No judgement of a stone waits for it: each frame itself says what is missing before it.
"""

from typing import Final

SECOND: Final = 1_000_000_000
BUNDLE_NS: Final = (SECOND, 60 * SECOND)
"""The first bundle takes so long, each one after it twice as long, up to the second value."""
NEVER: Final = 1 << 62


class Losses:
    """How many frames were lost, and when to tell. `due_ns`: when the bundle at hand is to be told."""

    def __init__(self) -> None:
        self.due_ns = NEVER
        self._count = 0
        self._bundle_ns = BUNDLE_NS[0]

    def count(self, t_ns: int, lost: int) -> int:
        """Take the `lost` frames before the frame of `t_ns` (0: none); how many are to be told now."""
        if self.due_ns == NEVER:
            if lost:
                self._bundle_ns = BUNDLE_NS[0]
                self.due_ns = t_ns + self._bundle_ns
            return lost
        self._count += lost
        if t_ns < self.due_ns:
            return 0
        self._bundle_ns = min(2 * self._bundle_ns, BUNDLE_NS[1])
        # A bundle with nothing in it was a quiet time: the next loss is told at once again.
        self.due_ns = t_ns + self._bundle_ns if self._count else NEVER
        return self.rest()

    def rest(self) -> int:
        """Take what has not been told yet."""
        told, self._count = self._count, 0
        return told
