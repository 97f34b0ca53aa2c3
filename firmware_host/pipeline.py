"""Frames, presses and commands in any order of arrival; one order of rulings out.

A stone takes the settle time to be believed and a press is known at once, so inputs wait here until every
source has been seen beyond their instant (the watermark) and are then ruled in the order of their time
stamps. Live table, replay and scenarios all run through this one class.

A frame tells what happened since the frame before it, not when in between. So each stone says since when it
may have been there, and a press in between is not ruled before the stone is known. Of two stones that came
between the same two frames the one whose turn it was came first.
"""

import copy
import heapq
from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

import msgspec

from firmware_host.menu import Menus
from firmware_host.referee.inputs import Command, Input, Tick, order
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling, Refused, Told
from firmware_host.sensing.events import Placed, Seen
from firmware_host.sensing.watcher import BoardWatcher

FRAMES_KEPT: Final = 1024
"""Instants of frames that are remembered: more than the watcher's greatest lag at 400 frames a second."""


class Step(NamedTuple):
    """One input as it was ruled, with what the referee made of it.

    `late_ns` is 0, or how long before the ruled instant the input really happened when it came too late to
    be put in its place: it is then ruled at the watermark, never reordered.
    """

    given: Input
    rulings: tuple[AnyRuling, ...]
    late_ns: int = 0
    number: int = 0
    """What `Pipeline.put` gave for the input; 0 for ticks of the pipeline's own."""


class Preview(NamedTuple):
    """Referee and menus as they would be if nothing earlier came."""

    referee: Referee
    menus: Menus


class Pipeline:
    """Sensing, the watermark, the menus on the faces and the referee of one table.

    A key that a menu takes up is no step; the command that a menu gives is one in its place.

    Give frames, keys and commands as they come, say how far each source is known, then `advance`. Every
    instant is in nanoseconds on one monotonic axis.
    """

    def __init__(self, watcher: BoardWatcher, referee: Referee) -> None:
        self.watcher = watcher
        self.referee = referee
        self.menus = Menus()
        self._waiting: list[tuple[tuple[int, int, str], int, Input]] = []
        self._count = 0
        self._keys_seen_ns = -1
        self._board_seen_ns = -1
        self._ruled_ns = -1
        self._frames_ns: list[int] = []

    @property
    def ruled_ns(self) -> int:
        """The instant up to which everything has been ruled."""
        return self._ruled_ns

    @property
    def keys_seen_ns(self) -> int:
        """The instant up to which every press and command is known, though its stones may not be yet."""
        return self._keys_seen_ns

    def begin_at(self, t_ns: int) -> None:
        """The referee has been brought to `t_ns` already: a game that goes on after a restart."""
        self._ruled_ns = self._keys_seen_ns = self._board_seen_ns = t_ns

    @property
    def waiting(self) -> bool:
        """Whether an input waits for the watermark."""
        return bool(self._waiting)

    def frame(self, t_ns: int, readings: bytes, lost: int = 0) -> None:
        """A pass over the sensors; `lost` frames are known to be missing before it."""
        frames = self._frames_ns
        frames.append(t_ns)
        for event in self.watcher.frame(t_ns, readings, lost):
            self._wait(self._with_doubt(event) if isinstance(event, Placed | Seen) else event)
        seen_ns = self.watcher.seen_until_ns
        if seen_ns < t_ns:
            # What is pending may have come at any time since the frame before it.
            at = bisect_right(frames, seen_ns)
            seen_ns = frames[at - 1] if at else seen_ns
        if len(frames) > 2 * FRAMES_KEPT:
            del frames[:FRAMES_KEPT]
        self._board_seen_ns = max(self._board_seen_ns, seen_ns)

    def blind(self, t_ns: int) -> None:
        """No frame will tell what happened up to `t_ns`: the scanner is gone, and the clocks go on."""
        self._board_seen_ns = max(self._board_seen_ns, t_ns)

    def put(self, given: Input) -> int:
        """A press, a command or an event that does not come from frames; gives the number of its step."""
        return self._wait(given)

    def rule_now(self, given: Input) -> Step:
        """Rule an input before everything that waits, at the watermark."""
        return self._rule(msgspec.structs.replace(given, t_ns=max(0, self._ruled_ns)))

    def keys_seen(self, t_ns: int) -> None:
        """Every press and command up to `t_ns` has been put."""
        self._keys_seen_ns = max(self._keys_seen_ns, t_ns)

    def advance(self) -> list[Step]:
        """Rule what lies at or before the watermark, and the flags and periods up to it."""
        until = min(self._board_seen_ns, self._keys_seen_ns)
        steps = self._rule_waiting(until) + self._time_comes(until)
        self._ruled_ns = max(self._ruled_ns, until)
        return steps

    def tick(self) -> Step:
        """Let the referee's time come to the watermark: the heartbeat that the journal keeps."""
        return self._rule(Tick(t_ns=max(0, self._ruled_ns)))

    def finish(self, t_ns: int) -> list[Step]:
        """Rule everything that still waits, as of `t_ns`: no clock runs after it."""
        for event in self.watcher.finish(t_ns):
            self._wait(event)
        steps = self._rule_waiting(None, no_later_than=t_ns)
        steps.append(self._rule(Tick(t_ns=t_ns)))
        return steps

    def preview(self) -> Preview:
        """Referee and menus as they would be if nothing earlier came: what the faces show at once.

        The referee is a fork; the referee itself where nothing waits.
        """
        if not self._waiting:
            return Preview(self.referee, self.menus)
        fork, menus = copy.deepcopy(self.referee), self.menus
        for _, _, given in sorted(self._waiting):
            fork.rule(Tick(t_ns=given.t_ns))
            menus, passed = menus.take(fork, given)
            if passed is not None:
                fork.rule(passed)
        return Preview(fork, menus)

    def _with_doubt(self, event: Placed | Seen) -> Placed | Seen:
        """A stone, or several, with the instant of the frame before they can have touched at the earliest."""
        since_ns = event.since_ns
        if since_ns is None:
            if isinstance(event, Seen):
                return event
            since_ns = event.t_ns
        at = bisect_left(self._frames_ns, since_ns)
        return msgspec.structs.replace(event, since_ns=self._frames_ns[at - 1]) if at else event

    def _wait(self, given: Input) -> int:
        self._count += 1
        heapq.heappush(self._waiting, (order(given), self._count, given))
        return self._count

    def _rule_waiting(self, until: int | None, no_later_than: int | None = None) -> list[Step]:
        steps = []
        while self._waiting and (until is None or self._waiting[0][0][0] <= until):
            number, given = self._next(until)
            if no_later_than is not None and given.t_ns > no_later_than:
                given = msgspec.structs.replace(given, t_ns=no_later_than)
            late_ns = max(0, self._ruled_ns - given.t_ns)
            if late_ns:
                given = msgspec.structs.replace(given, t_ns=self._ruled_ns)
            # A menu offers what is possible at that instant, however long ago anything was ruled.
            steps += self._time_comes(given.t_ns)
            self.menus, passed = self.menus.take(self.referee, given)
            if passed is not None:
                steps.append(self._rule(passed, number, late_ns))
        return steps

    def _next(self, until: int | None) -> tuple[int, Input]:
        """The input that is ruled next, and its number.

        Of stones of which any may have come first, as after frames were lost, the one whose turn it is did.
        """
        key, number, given = heapq.heappop(self._waiting)
        side = self.referee.next_stone
        if not isinstance(given, Placed) or given.colour in (None, side):
            return number, given
        for other in sorted(self._waiting):
            stone = other[2]
            if until is not None and stone.t_ns > until:
                break
            if isinstance(stone, Placed) and stone.colour is side and (stone.since_ns or 0) < given.t_ns:
                self._waiting.remove(other)
                heapq.heapify(self._waiting)
                heapq.heappush(self._waiting, (key, number, given))
                return other[1], msgspec.structs.replace(stone, t_ns=given.t_ns)
        return number, given

    def _time_comes(self, t_ns: int) -> list[Step]:
        """Rule the flags and periods that end up to `t_ns`, if there are any."""
        deadline = self.referee.deadline_ns
        return [self._rule(Tick(t_ns=t_ns))] if deadline is not None and deadline <= t_ns else []

    def _rule(self, given: Input, number: int = 0, late_ns: int = 0) -> Step:
        rulings = tuple(self.referee.rule(given))
        if late_ns:
            rulings += (Told(t_ns=given.t_ns, code="late"),)
        if isinstance(given, Command):
            self.tell_watcher(given, rulings)
        return Step(given, rulings, late_ns, number)

    def tell_watcher(self, given: Command, rulings: tuple[AnyRuling, ...]) -> None:
        """Let sensing obey a command that has been ruled, if it is one of those that it obeys too."""
        if given.point is None or any(isinstance(r, Refused) for r in rulings):
            return
        if given.do == "mask":
            self.watcher.mask(given.point)
        elif given.do == "unmask":
            self.watcher.unmask(given.point)
