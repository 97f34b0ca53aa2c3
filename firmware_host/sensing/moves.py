"""What the hand meant: facts of single points become Placed, Lifted, Slid, Adjusted.

A stone that left its point is `Gone` until one of three things is known: it is back (Adjusted), a magnet of
its colour has come to rest beside it as one that was pushed would (Slid), or neither in time (Lifted). A
magnet that only passed a point is a `Gone` too, one that never settled: it can be the first contact or a step
of a slide, and is forgotten otherwise.
"""

from dataclasses import dataclass
from typing import Final

from firmware_host.board import BLACK, POINTS, WHITE, Colour, Point
from firmware_host.sensing.events import Adjusted, BoardEvent, Lifted, Placed, Slid, Weak
from firmware_host.sensing.facts import Departure, FrontEnd, Left, Passed, Settled
from firmware_host.sensing.geometry import NEIGHBOURS, between
from firmware_host.sensing.settings import MS, SensingSettings

SHORT_NS: Final = 60 * MS
"""A stone away for less than this was not moved by anybody: nothing is told."""
WEAK: Final = 0.53
"""A magnet that reads less than this share of a sound one is weak. Where no sound one has lain yet an average
sensor is taken: on the least sensitive (-30 %) a sound stone 3 mm off its point reads 0.54, on the most
sensitive (+30 %) a magnet of 0.4 reads up to 0.52; one less weak may pass there as sound."""
FAINT: Final = 0.2
FAINT_HOLD_NS: Final = 5000 * MS
"""A magnet this weak is near the threshold: only when it has not been seen for so long is it gone."""
TOUCH: Final = 0.6
"""A magnet that passed a point with less of its strength than this was above the board there."""
DARK_NS: Final = 250 * MS
"""A magnet that nobody has seen for so long is not on its way along the board."""
RAISE_NS: Final = 150 * MS
"""By then a hand has raised a stone too far to be seen; what is seen there later is another."""
UNDECIDED_NS: Final = 1000 * MS
"""How long a magnet that is still on the way beside its point may keep its lift open."""
DEAD_NS: Final = 1500 * MS
"""By then a sensor that died under its stone has been found out."""
SEVERAL: Final = 3
"""With so many stones gone at once their lifts wait as long as a scatter takes to show itself."""
FRESH_NS: Final = 1000 * MS
"""A slide of a stone that has rested longer than this waits: it may be the first of a scattered board."""
CHATTER_NS: Final = 4000 * MS
CHATTER_TIMES: Final = 3
CHATTER_HOLD_NS: Final = 2500 * MS
"""A point whose stone came and went so often within `CHATTER_NS` keeps its stone until it is gone so long."""


@dataclass(slots=True)
class Stone:
    """A stone at rest.

    It first touched at `first_ns` on the first point of `path` and came to rest on the last one at `rest_ns`;
    both are -1 for stones that were there at the start (they slide from where they lay).
    """

    sign: int
    path: tuple[Point, ...]
    first_ns: int = -1
    rest_ns: int = -1


@dataclass(slots=True)
class Gone:
    """A magnet that is no longer on `point`, where it read `level`, and was last seen near it at `bright_ns`.

    `stone` is the settled stone that left `home`, where it was last seen going up at `seen_ns`; None for a
    magnet that never settled. `path` runs from the first contact at `first_ns` to `point`.
    """

    point: Point
    home: Point
    stone: Stone | None
    sign: int
    path: tuple[Point, ...]
    first_ns: int
    begin_ns: int
    left_ns: int
    bright_ns: int
    seen_ns: int
    strength: float
    level: float


def colour_of(sign: int) -> Colour | None:
    """Colour of a sign: 1 black, -1 white, 0 unknown."""
    return BLACK if sign > 0 else WHITE if sign < 0 else None


def _lifted(gone: Gone) -> Lifted:
    return Lifted(t_ns=gone.seen_ns, point=gone.home, colour=colour_of(gone.sign))


class Moves:
    """The stones on the board and those that are on the way."""

    def __init__(self, settings: SensingSettings, front: FrontEnd) -> None:
        self._adjust_ns = int(settings.adjust_ms * MS)
        self._scatter_ns = int(settings.scatter_ms * MS)
        self._rest_ns = int(settings.rest_s * 1000 * MS)
        self._front = front
        self.stones: dict[Point, Stone] = {}
        self.gone: dict[Point, Gone] = {}
        self._waiting: list[tuple[int, Slid]] = []
        self._weak: set[Point] = set()
        self._went: dict[Point, list[int]] = {}

    def seen(self, signs: str) -> None:
        """Take these stones, 225 of `.XO?`, as lying there for ever."""
        old = self.stones
        self.stones = {}
        for p in range(POINTS):
            if signs[p] != ".":
                stone = old.get(p)
                sign = {"X": 1, "O": -1}.get(signs[p], 0)
                self.stones[p] = stone if stone and stone.sign == sign else Stone(sign, (p,))
        self.gone.clear()
        self._waiting.clear()

    def left(self, fact: Left) -> None:
        """A settled stone left its point."""
        stone = self.stones.pop(fact.point, None)
        if stone is None:
            return
        self._note(fact.point, fact.left_ns)
        rested_ns = fact.begin_ns - stone.rest_ns
        path, first_ns = stone.path, stone.first_ns
        if stone.rest_ns >= 0 and rested_ns > self._rest_ns and len(path) > 1:
            path, first_ns = (fact.point,), stone.rest_ns
        first_ns = first_ns if first_ns >= 0 else fact.begin_ns
        self._add(fact, stone, stone.sign, path, first_ns, fact.begin_ns)

    def passed(self, fact: Passed) -> list[BoardEvent]:
        """A magnet was on a point without settling: a step of a slide, or the first contact of one."""
        self._note(fact.point, fact.left_ns)
        gone = self._origin(fact)
        before = self.gone.get(fact.point)
        if gone is None:
            if before is None:
                self._add(fact, None, fact.sign, (fact.point,), fact.contact_ns, fact.left_ns)
            return []
        del self.gone[gone.point]
        gone.path = self._joined(gone, fact.point)
        gone.point = fact.point
        gone.left_ns = fact.left_ns
        gone.level = fact.level
        gone.strength = max(gone.strength, fact.strength)
        self.gone[fact.point] = gone
        return [] if before is None or before.stone is None else [_lifted(before)]

    def _add(
        self,
        fact: Left | Passed,
        stone: Stone | None,
        sign: int,
        path: tuple[Point, ...],
        first_ns: int,
        begin_ns: int,
    ) -> None:
        self.gone[fact.point] = Gone(
            point=fact.point,
            home=fact.point,
            stone=stone,
            sign=sign,
            path=path,
            first_ns=first_ns,
            begin_ns=begin_ns,
            left_ns=fact.left_ns,
            bright_ns=fact.left_ns,
            seen_ns=begin_ns,
            strength=fact.strength,
            level=fact.level,
        )

    def settled(self, fact: Settled, t_ns: int) -> list[BoardEvent]:
        """A magnet came to rest: tell what it was."""
        p, colour = fact.point, colour_of(fact.sign)
        events: list[BoardEvent] = []
        back = self.gone.get(p)
        if back is not None and back.stone is not None and back.home == p:
            del self.gone[p]
            if back.sign == fact.sign and fact.contact_ns - back.begin_ns <= self._hold_ns(back):
                self.stones[p] = back.stone
                away_ns = fact.contact_ns - back.begin_ns
                if self._chatters(p) or back.strength < FAINT:
                    events.extend(self.weak(p, t_ns))
                elif away_ns >= SHORT_NS:
                    events.append(Adjusted(t_ns=back.begin_ns, point=p, colour=colour))
                return events
            events.append(_lifted(back))
        gone = self._origin(fact)
        if gone is None and back is not None and back.home != p and back.sign == fact.sign:
            gone = back
        if gone is not None and (gone.stone is not None or self._touched(gone, fact)):
            del self.gone[gone.point]
            path = self._joined(gone, p)
            self.stones[p] = Stone(fact.sign, path, gone.first_ns, fact.contact_ns)
            slid = Slid(t_ns=fact.contact_ns, path=path, colour=colour, first_contact_ns=gone.first_ns)
            if gone.stone is not None and gone.begin_ns - gone.stone.rest_ns > FRESH_NS:
                self._waiting.append((gone.begin_ns + self._adjust_ns, slid))
            else:
                events.append(slid)
        else:
            if back is not None and back.stone is None:
                del self.gone[p]
            self.stones[p] = Stone(fact.sign, (p,), fact.contact_ns, fact.contact_ns)
            since_ns = min(fact.rise_ns, fact.contact_ns)
            events.append(Placed(t_ns=fact.contact_ns, point=p, colour=colour, since_ns=since_ns))
        if fact.strength < WEAK:
            events.extend(self.weak(p, fact.contact_ns))
        return events

    def weak(self, p: Point, t_ns: int) -> list[BoardEvent]:
        """Tell of a weak magnet, once a point."""
        if p in self._weak:
            return []
        self._weak.add(p)
        return [Weak(t_ns=t_ns, point=p)]

    def let_time_pass(self, t_ns: int) -> list[BoardEvent]:
        """Lifts that are certain by now, and slides that had to wait."""
        events: list[BoardEvent] = []
        several = sum(g.stone is not None for g in self.gone.values()) >= SEVERAL
        for gone in list(self.gone.values()):
            if self._front.near(gone.point):
                gone.bright_ns = t_ns
            if t_ns <= gone.left_ns + RAISE_NS and self._front.sees(gone.home, gone.sign):
                gone.seen_ns = t_ns
            dark_ns = t_ns - max(gone.bright_ns, gone.left_ns)
            if dark_ns < DARK_NS and t_ns - gone.left_ns < UNDECIDED_NS:
                continue
            if gone.stone is None:
                if t_ns - gone.left_ns > self._adjust_ns:
                    del self.gone[gone.point]
                continue
            if t_ns - gone.begin_ns < max(self._hold_ns(gone), self._scatter_ns if several else 0):
                continue
            if t_ns - gone.left_ns < DEAD_NS and self._front.frozen(gone.home):
                continue
            del self.gone[gone.point]
            events.append(_lifted(gone))
        if self._waiting:
            events.extend(slid for due, slid in self._waiting if due <= t_ns)
            self._waiting = [w for w in self._waiting if w[0] > t_ns]
        return events

    def drop(self, points: set[Point]) -> None:
        """Forget what is gone from these points, or waits to be told of them: scattered, or masked."""
        for gone in [g for g in self.gone.values() if g.home in points or g.point in points]:
            del self.gone[gone.point]
        self._waiting = [(due, slid) for due, slid in self._waiting if points.isdisjoint(slid.path)]

    @property
    def busy(self) -> bool:
        """Whether time alone can bring an event."""
        return bool(self.gone or self._waiting)

    @property
    def pending_ns(self) -> int | None:
        """The earliest instant at which something undecided may turn out to have happened."""
        times = [g.begin_ns if g.stone is not None else g.left_ns for g in self.gone.values()]
        times += [slid.t_ns for _, slid in self._waiting]
        return min(times, default=None)

    def _origin(self, fact: Settled | Passed) -> Gone | None:
        """The magnet that is now here, if it was pushed here from a point beside."""
        best = None
        for gone in self._candidates(fact.point):
            if gone.sign != fact.sign or gone.point == fact.point:
                continue
            if not self._front.may_slide(
                Departure(gone.point, gone.left_ns, gone.strength, gone.level), fact
            ):
                continue
            if best is None or abs(fact.rise_ns - gone.left_ns) < abs(fact.rise_ns - best.left_ns):
                best = gone
        return best

    def _candidates(self, p: Point) -> list[Gone]:
        if not self.gone:
            return []
        found = [self.gone[q] for q in NEIGHBOURS[p] if q in self.gone]
        if not found:
            masked = self._front.masked
            found = [g for q, g in self.gone.items() if (m := between(p, q)) is not None and m in masked]
        return found

    def _joined(self, gone: Gone, p: Point) -> tuple[Point, ...]:
        """The path with `p`, and with the masked point between where the slide crossed one."""
        if gone.point == p:
            return gone.path
        middle = between(gone.point, p)
        return (*gone.path, p) if middle is None else (*gone.path, middle, p)

    def _touched(self, gone: Gone, fact: Settled) -> bool:
        return gone.strength >= TOUCH * min(1.0, fact.strength) or len(gone.path) > 1

    def _note(self, p: Point, t_ns: int) -> None:
        """A magnet went away from `p`."""
        times = [t for t in self._went.get(p, ()) if t_ns - t < CHATTER_NS]
        self._went[p] = [*times, t_ns]

    def _chatters(self, p: Point) -> bool:
        """Whether the magnet on `p` has come and gone too often for a hand."""
        return len(self._went.get(p, ())) >= CHATTER_TIMES

    def _hold_ns(self, gone: Gone) -> int:
        """How long after it began a lift is certain."""
        if gone.strength < FAINT:
            return FAINT_HOLD_NS
        return CHATTER_HOLD_NS if self._chatters(gone.home) else self._adjust_ns
