"""A board under watch: frames in, events of the board out, in the order of their instants.

The front end of the board's sensors turns readings into facts of single points; `moves` and `scatter` make
events of them; this class puts them in order and says up to which instant everything has been told.
"""

from typing import Final, Literal

import msgspec

from firmware_host.board import NAMES, POINTS, Point
from firmware_host.errors import NotationError
from firmware_host.sensing.events import (
    Adjusted,
    AnyBoardEvent,
    BoardEvent,
    Cleared,
    Fault,
    FramesLost,
    Interference,
    Lifted,
    Placed,
    Scattered,
    Seen,
    Slid,
    Weak,
)
from firmware_host.sensing.facts import AWAY_NS, Alarm, Fact, FrontEnd, Left, Settled
from firmware_host.sensing.geometry import LINE_POINTS
from firmware_host.sensing.linear import LinearBoard
from firmware_host.sensing.losses import Losses
from firmware_host.sensing.moves import Moves
from firmware_host.sensing.scatter import Scatter
from firmware_host.sensing.settings import MS, SensingSettings
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.sensing.switches import SwitchBoard

NEVER: Final = 1 << 62
UNSEEN_NS: Final = 100 * MS
"""Without a frame for so long two players may both have laid a stone, in whichever order."""
BY_HAND: Final = (Placed, Lifted, Slid, Adjusted, Weak)
EMPTY_BOARD: Final = "." * POINTS
"""What should lie there at the start of a game."""


class BoardWatcher:
    """Frames of one board become its events.

    `sensors`: `linear` (signed readings) or `switch` (0, and 1 or, where they tell poles, 92 black and -92
    white). `turned`: the board is mounted the other way
    round; readings come in the order of the sensor plane, events are in the board's coordinates. `expected`:
    the stones that should lie there at the start, 225 of `.XO?`; without it whatever lies there is believed.
    `stored`: what was measured of linear sensors before, in the order of the sensor plane.
    Raises NotationError for an `expected` of another form.
    """

    def __init__(
        self,
        sensors: Literal["linear", "switch"],
        *,
        turned: bool = False,
        settings: SensingSettings = SensingSettings(),  # noqa: B008 - immutable
        expected: str | None = None,
        stored: StoredCalibration | None = None,
    ) -> None:
        if stored is not None and turned:
            stored = stored.turned()
        self._front: FrontEnd = (
            LinearBoard(settings, stored) if sensors == "linear" else SwitchBoard(settings)
        )
        self._turned = turned
        self._lag_ns = int(settings.lag_ms * MS)
        self._moves = Moves(settings, self._front)
        self._scatter = Scatter(settings)
        self._losses = Losses()
        self._last = b""
        self._t_ns = self._back_ns = -1
        self._due_ns = 0
        self._seen_ns = -1
        self._idle = False
        self._told: list[BoardEvent] = []
        self._look = False
        if expected is not None:
            self.expect(expected)

    def frame(self, t_ns: int, readings: bytes, lost: int = 0) -> list[AnyBoardEvent]:
        """The events that are certain with this frame, oldest first.

        `t_ns` grows from frame to frame (a frame that is not newer is passed over); `readings` has 225 signed
        bytes; `lost` frames are known to be missing before it. Each event is later than what `seen_until_ns`
        was before. Raises NotationError for readings of another length.
        """
        due_ns = min(self._due_ns, self._losses.due_ns)
        if readings == self._last and self._t_ns < t_ns < due_ns and not lost:
            self._t_ns = self._seen_ns = t_ns
            return []
        if len(readings) != POINTS:
            raise NotationError(f"a frame has {POINTS} readings, this one has {len(readings)}")
        if t_ns <= self._t_ns:
            return []
        if t_ns - self._t_ns >= AWAY_NS and self._t_ns >= 0:
            self._front.away(t_ns)
        if t_ns - self._t_ns >= UNSEEN_NS and self._t_ns >= 0:
            self._back_ns = t_ns
        self._last = readings
        self._t_ns = t_ns
        if told := self._losses.count(t_ns, lost):
            self._told.append(FramesLost(t_ns=t_ns, count=told))
            self._idle = False
        front = self._front
        started = front.started
        facts = front.frame(t_ns, readings[::-1] if self._turned else readings, lost > 0)
        if not facts and self._idle and front.idle and started:
            self._seen_ns = t_ns
            return []
        if not started and self._front.started:
            self._see(t_ns)
        if facts or self._moves.busy or self._scatter.on or self._look:
            self._judge(facts, t_ns)
        return self._publish(t_ns)

    def finish(self, t_ns: int) -> list[AnyBoardEvent]:
        """What is known and has not been told when the last frame has come: lost frames."""
        left = self._losses.rest()
        return [FramesLost(t_ns=t_ns, count=left)] if left else []

    def _judge(self, facts: list[Fact], t_ns: int) -> None:
        for fact in facts:
            if isinstance(fact, Alarm):
                self._alarm(fact, t_ns)
            elif isinstance(fact, Left):
                stone = self._moves.stones.get(fact.point)
                rested_ns = fact.begin_ns - stone.rest_ns if stone else 0
                self._scatter.left(fact.point, fact.begin_ns, rested_ns, t_ns)
                self._moves.left(fact)
            else:
                self._scatter.came(fact.point, t_ns, isinstance(fact, Settled))
                if self._scatter.on:
                    continue
                if isinstance(fact, Settled):
                    self._told.extend(self._moves.settled(fact, t_ns))
                else:
                    self._told.extend(self._moves.passed(fact))
        if not self._front.disturbed and self._scatter.begins(
            t_ns, self._front.strays(), set(self._moves.stones)
        ):
            self._take_back()
        if self._scatter.on:
            self._watch_scatter(t_ns)
        else:
            self._told.extend(self._moves.let_time_pass(t_ns))
            if self._look and not self._moves.gone:
                self._look = False
                if self._signs() != self._known():
                    self._see(t_ns)

    def _take_back(self) -> None:
        """Forget what hands seemed to do since the first stone was knocked: stones cross points slowly."""
        since_ns = self._scatter.first_ns
        self._told = [e for e in self._told if not isinstance(e, BY_HAND) or e.t_ns < since_ns]
        self._scatter.homes -= {p for p, stone in self._moves.stones.items() if stone.rest_ns >= since_ns}
        self._moves.drop(set(self._scatter.points))
        self._moves.gone.clear()

    def _watch_scatter(self, t_ns: int) -> None:
        scatter = self._scatter
        if self._front.moving(t_ns):
            scatter.moved_ns = t_ns
        self._moves.gone.clear()
        points = scatter.tell(t_ns)
        if points:
            points -= {p for p in points if self._front.lies_again(p)}
            self._told.append(Scattered(t_ns=min(t_ns, scatter.moved_ns), points=tuple(sorted(points))))
        if scatter.ends(t_ns):
            self._front.rest()
            self._see(t_ns)

    def _alarm(self, alarm: Alarm, t_ns: int) -> None:
        if alarm.kind == "weak":
            if alarm.point is not None:
                self._told.extend(self._moves.weak(alarm.point, t_ns))
        elif alarm.over:
            self._told.append(Cleared(t_ns=t_ns, point=alarm.point, line=alarm.line))
            self._look = self._look or alarm.kind != "interference"
        elif alarm.kind == "interference":
            self._told.append(Interference(t_ns=t_ns))
        else:
            self._told.append(Fault(t_ns=t_ns, kind=alarm.kind, point=alarm.point, line=alarm.line))
            if alarm.point is not None:
                self._hold({alarm.point})
            elif alarm.line is not None:
                self._hold(set(LINE_POINTS[alarm.line]))

    def _hold(self, points: set[Point]) -> None:
        """Stones that seemed to leave points which cannot be believed are still there."""
        for gone in list(self._moves.gone.values()):
            if gone.home in points and gone.stone is not None:
                self._moves.stones[gone.home] = gone.stone
        self._moves.drop(points)

    def _signs(self) -> str:
        """What lies there: what the sensors show, and where they are not believed what was last known."""
        signs = self._front.signs()
        for p in self._front.masked:
            stone = self._moves.stones.get(p)
            signs[p] = "." if stone is None else "?XO"[stone.sign]
        return "".join(signs)

    def _see(self, t_ns: int) -> None:
        signs = self._signs()
        self._moves.seen(signs)
        self._told.append(Seen(t_ns=t_ns, stones=signs))

    def _known(self) -> str:
        known = ["."] * POINTS
        for p, stone in self._moves.stones.items():
            known[p] = "?XO"[stone.sign]
        return "".join(known)

    def _publish(self, t_ns: int) -> list[AnyBoardEvent]:
        pending = self._pending()
        until = t_ns if pending is None else max(self._seen_ns, min(t_ns, pending - 1))
        until = max(until, t_ns - self._lag_ns)
        self._due_ns = (
            0 if pending is not None or self._moves.busy or self._scatter.on else self._front.due_ns
        )
        ready: list[AnyBoardEvent] = []
        if self._told:
            # a stone that was put elsewhere while no frame came was taken away first
            self._told.sort(key=lambda e: (e.t_ns, isinstance(e, Placed | Weak)))
            after = self._seen_ns + 1
            kept: list[BoardEvent] = []
            of_nobody = self._of_nobody()
            for event in self._told:
                if max(event.t_ns, after) > until:
                    kept.append(event)
                    continue
                if of_nobody and event in of_nobody:
                    if event is not of_nobody[0]:
                        continue
                    event = Seen(t_ns=event.t_ns, stones=self._known(), since_ns=event.t_ns)
                if event.t_ns < after:
                    event = msgspec.structs.replace(event, t_ns=after)
                ready.append(event)  # type: ignore[arg-type]
            self._told = kept
        self._seen_ns = until
        self._idle = not (self._told or self._moves.busy or self._scatter.on or self._look)
        return ready

    def _of_nobody(self) -> list[Placed]:
        """Several stones without colour that came while no frame did: nobody knows their order."""
        came = [
            e for e in self._told if isinstance(e, Placed) and e.colour is None and e.t_ns == self._back_ns
        ]
        return came if len(came) > 1 else []

    def _pending(self) -> int | None:
        if not self._front.started:
            return self._t_ns
        a, b = self._front.pending_ns, self._moves.pending_ns
        least = a if b is None else b if a is None else min(a, b)
        if self._scatter.on and self._scatter.points:
            least = min(least or NEVER, self._scatter.moved_ns)
        return least

    @property
    def seen_until_ns(self) -> int:
        """Every event of this instant or before has been told; at most `lag_ms` behind the newest frame."""
        return self._seen_ns

    @property
    def occupancy(self) -> str:
        """The stones that are known to lie there now, 225 of `.XO?`."""
        return self._known()

    @property
    def masked(self) -> frozenset[Point]:
        """The points whose sensors are not believed, by a fault or by the arbiter."""
        return self._front.masked

    def mask(self, p: Point) -> None:
        """Believe nothing of the sensor of `p` until `unmask`; what lies there is entered by hand."""
        self._check(p)
        self._front.mask(p)
        self._hold({p})

    def unmask(self, p: Point) -> None:
        """Believe the sensor of `p` again; if it shows something else than was known, a `Seen` tells."""
        self._check(p)
        self._front.unmask(p)
        self._look, self._idle, self._due_ns = self._front.started, False, 0

    def expect(self, stones: str) -> None:
        """What should lie there, 225 of `.XO?`: helps with weak stones and bad switches at the start."""
        if len(stones) != POINTS or set(stones) - set(".XO?"):
            raise NotationError(
                f"a board has {POINTS} characters of . X O ?, not {stones[:20]!r} ({len(stones)})"
            )
        self._front.expect(stones)
        if not self._front.started:
            self._moves.seen(stones)

    @staticmethod
    def _check(p: Point) -> None:
        if not 0 <= p < POINTS:
            raise NotationError(
                f"point {p} is not on the board; allowed: 0 to {POINTS - 1} ({NAMES[0]} to {NAMES[-1]})"
            )
