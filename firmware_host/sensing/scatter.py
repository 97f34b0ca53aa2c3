"""An arm over the board: several settled stones leave their points at once.

Told apart from two players who tidy up by what else happens: a stone that is knocked slides over points where
none lies, one that is taken away does not; and hands are slower.
"""

from typing import Final

from firmware_host.board import Point
from firmware_host.sensing.settings import MS, SensingSettings

STRAYS: Final = 2
AT_ONCE: Final = ((4, 100 * MS), (6, 300 * MS), (8, 600 * MS))
"""So many within such a time are more than four hands take away, whatever else is seen."""
QUICK_NS: Final = 250 * MS
"""With stones where none should be: the least number must leave this quickly, or one more, or two, in a
longer time; four hands take away four stones in half a second, and carry them low over other points."""
SETTLED_NS: Final = 300 * MS
"""A stone that has rested for less is one in somebody's hand."""
STILL_NS: Final = 150 * MS
QUIET_NS: Final = 400 * MS
TELL_NS: Final = 1200 * MS
END_NS: Final = 5000 * MS


class Scatter:
    """Whether the board is being scattered, and which points have lost their stones."""

    def __init__(self, settings: SensingSettings) -> None:
        self._window_ns = int(settings.scatter_ms * MS)
        self._stones = settings.scatter_stones
        self._knocked = (
            (self._stones, QUICK_NS),
            (self._stones + 1, (QUICK_NS + self._window_ns) // 2),
            (self._stones + 2, self._window_ns),
        )
        self._left: dict[Point, int] = {}
        self._strays: dict[Point, int] = {}
        self.on = False
        self.points: set[Point] = set()
        self.homes: set[Point] = set()
        self.first_ns = 0
        self._since_ns = 0
        self.moved_ns = 0
        self._told = False

    def left(self, p: Point, begin_ns: int, rested_ns: int, t_ns: int) -> None:
        """A settled stone left `p`; it had rested for `rested_ns`."""
        if self.on:
            self.moved_ns = t_ns
            if p in self.homes:
                self.points.add(p)
                self.homes.discard(p)
        elif rested_ns >= SETTLED_NS:
            self._left[p] = begin_ns

    def came(self, p: Point, t_ns: int, rests: bool) -> None:
        """A magnet came to rest on `p`, or only passed it."""
        if self.on:
            self.moved_ns = t_ns
        elif p not in self._left:
            self._strays[p] = t_ns
        elif rests:
            del self._left[p]

    def begins(self, t_ns: int, strays: int, homes: set[Point]) -> bool:
        """Whether the stones that left lately make a scatter that begins now; `homes` still have theirs."""
        if self.on or len(self._left) < self._stones:
            return False
        since_ns = t_ns - self._window_ns
        self._left = {p: t for p, t in self._left.items() if t >= since_ns}
        self._strays = {p: t for p, t in self._strays.items() if t >= since_ns}
        if len(self._left) < self._stones:
            return False
        if not self._within(AT_ONCE) and not (
            strays + len(self._strays) >= STRAYS and self._within(self._knocked)
        ):
            return False
        self.on = True
        self.points = set(self._left)
        self.homes = homes
        self.first_ns = min(self._left.values())
        self._since_ns = self.moved_ns = t_ns
        self._told = False
        self._left.clear()
        self._strays.clear()
        return True

    def _within(self, limits: tuple[tuple[int, int], ...]) -> bool:
        """Whether as many stones left within one of these times."""
        times = sorted(self._left.values())
        return any(
            late - early <= span_ns
            for count, span_ns in limits
            for early, late in zip(times, times[count - 1 :], strict=False)
        )

    def tell(self, t_ns: int) -> frozenset[Point] | None:
        """The points to tell of, once all is still or it has lasted long enough; None otherwise."""
        if not self.on or not self.points:
            return None
        if t_ns - self.moved_ns >= STILL_NS or (not self._told and t_ns - self._since_ns >= TELL_NS):
            self._told = True
            points = frozenset(self.points)
            self.points.clear()
            return points
        return None

    def ends(self, t_ns: int) -> bool:
        """Whether the board has been quiet long enough to look at it again."""
        if not self.on:
            return False
        if t_ns - self.moved_ns >= QUIET_NS or t_ns - self._since_ns >= END_NS:
            self.on = False
            return True
        return False
