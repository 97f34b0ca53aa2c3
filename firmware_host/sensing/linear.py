"""Linear sensors: what each point of a board of them goes through.

A point whose reading leaves its rest is followed frame by frame in an `Episode` until it is at rest again;
all others cost a few vector operations a frame. A magnet that comes down or along rises smoothly and then
stays; `Settled` is told once it has stayed, with the instants at which half of it was there and it touched.
"""

from typing import Final

import numpy as np

from firmware_host.board import POINTS, Point
from firmware_host.sensing.calibration import STEP_NS, Calibration, Counts
from firmware_host.sensing.facts import AWAY_NS, Alarm, Departure, Fact, Left, Passed, Settled
from firmware_host.sensing.geometry import LINE_POINTS, NEIGHBOURS
from firmware_host.sensing.linear_faults import LINE_SENSORS, RAIL, LinearFaults
from firmware_host.sensing.settings import MS, SensingSettings
from firmware_host.sensing.silent import silent_lines
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.sensing.trails import HALF, JUMP_NS, Trail, came, jumped, pushed, touched_ns

SOUND: Final = 0.6
"""A reading below this share of a sound stone's may be a stone still in the air, or a weak magnet."""
DIM: Final = 0.4
"""The least share that is believed under an outside field."""
PASSING: Final = 0.2
"""A magnet that goes by reads at least this share of a sound stone at rest, be it weak and off the point."""
PASSED: Final = 0.4
"""A magnet whose reading has fallen to this share of its highest has gone by."""
AGAIN: Final = 0.7
CROSSED_NS: Final = 150 * MS
"""A stone that within this time reads such a share of what one read there before is the same."""
CALM_NS: Final = 60 * MS
STRANGE_NS: Final = 250 * MS
"""A small reading that is not a stone is taken as the new rest after so long."""
FAINT: Final = 0.08
"""What a sensor sees of a stone that is 16 mm above its place."""
CARRIED_NS: Final = 300 * MS
"""So long after a magnet has left the point beside, one that jumps onto this may have been pushed."""
PROOF_NS: Final = 400 * MS
"""How long a reading that jumped must tremble before it is taken for a stone."""
RAIL_PROOF_NS: Final = 1000 * MS
"""One that jumped to the rail while frames were lost cannot tremble: after so long no line has died."""
TRAIL_FRAMES: Final = 600
TRAIL_NS: Final = 3000 * MS
"""A trail has at least so many frames and lasts at least so long before its oldest third is let go."""
START_FRAMES: Final = 5
DOUBT_FRAMES: Final = 20
WILD: Final = 40.0
"""A sensor that reads like a stone at the start is doubted if it moves by more than this, or not at all in
so many frames."""
CROWD: Final = 16
"""So many sensors that read something where no stone lies: it is not stones."""


class Episode:
    """A point on which something happens."""

    __slots__ = (
        "anchor",
        "anchor_ns",
        "armed",
        "before",
        "begin_ns",
        "jump",
        "left_ns",
        "on_ns",
        "peak",
        "peak_sign",
        "trail",
    )

    def __init__(self, t_ns: int, value: float, before: tuple[int, float]) -> None:
        self.begin_ns = t_ns
        self.before = before
        self.anchor = value
        self.anchor_ns = t_ns
        self.on_ns = -1
        self.left_ns = -1
        self.peak = 0.0
        self.peak_sign = 0
        self.armed = True
        self.jump: tuple[int, int] | None = None  # see `trails.jumped`
        self.trail: Trail = []


class LinearBoard:
    """Front end of a board of linear sensors; see `facts.FrontEnd`."""

    due_ns: Final = 0

    def __init__(self, settings: SensingSettings, stored: StoredCalibration | None = None) -> None:
        self._settings = settings
        self._settle_ns = int(settings.settle_ms * MS)
        self._hover_ns = int(settings.hover_ms * MS)
        self._hop_ns = int(settings.hop_ms * MS)
        self.board = Calibration(settings, stored)
        self.faults = LinearFaults()
        self._by_hand: set[Point] = set()
        self._active: dict[Point, Episode] = {}
        self._calmed: list[Point] = []
        """Points that have come to rest in this block."""
        self._left: dict[Point, tuple[int, int]] = {}
        self._lay: dict[Point, float] = {}
        self._ended: dict[Point, Trail] = {}
        self._expected: str | None = None
        self._first: list[bytes] = []
        self._first_ns = 0
        self._t_ns = 0
        self._away = False
        self._back: list[tuple[int, bytes, bool]] = []
        """Frames after a long gap, until there are enough to tell what lies there."""
        self._back_ns = -1
        """The first frame after the last long gap."""
        self._crowd = False
        self.started = False
        self.idle = True

    def expect(self, stones: str) -> None:
        """What should lie there: helps with weak stones at the start."""
        self._expected = stones

    def away(self, t_ns: int) -> None:  # noqa: ARG002
        """The frame of `t_ns` is the first for long: zeros have wandered, and hands did what they did."""
        self._away = self.started

    def frame(self, t_ns: int, readings: bytes, lost: bool) -> list[Fact]:
        """Facts known with this frame."""
        if not self._away:
            return self._look(t_ns, readings, lost)
        back = self._back
        back.append((t_ns, readings, lost))
        self.idle = False
        if len(back) < START_FRAMES or t_ns - back[0][0] < self._settle_ns:
            return []
        rows = np.array([np.frombuffer(r, np.int8) for _, r, _ in back], np.float32)
        self.board.take_up(np.median(rows, axis=0).astype(np.float32), t_ns - self._t_ns)
        self._away, self._back = False, []
        return [fact for frame in back for fact in self._look(*frame)]

    def _look(self, t_ns: int, readings: bytes, lost: bool) -> list[Fact]:
        board = self.board
        before_ns, self._t_ns = self._t_ns, t_ns
        if t_ns - before_ns >= AWAY_NS and self.started:
            self._back_ns = t_ns
            for episode in self._active.values():
                episode.anchor_ns += t_ns - before_ns - STEP_NS
            lost = True
        if lost:
            board.forget_block(t_ns)
            self._calmed.clear()
        hot = board.take(t_ns, readings)
        facts: list[Fact] = []
        if not self.started:
            self._start(t_ns, readings, facts)
            return facts
        active = self._active
        if hot is not None:
            for p in np.flatnonzero(hot).tolist():
                if p not in active:
                    active[p] = Episode(t_ns, self._value(p), (before_ns, float(board.level[p])))
                    board.steady[p] = False
        if active:
            for p in list(active):
                self._follow(p, active[p], t_ns, facts)
        self._crowd = len(active) >= CROWD and sum(not board.sign[p] for p in active) >= CROWD
        if self._crowd:
            board.sudden()
        block = board.block(t_ns)
        if block is not None:
            for alarm in self.faults.judge(block, board, self._expected):
                facts.append(alarm)
                self._update_masks()
            under_field = board.interference
            mixed = self._calmed if block.duration_ns > 2 * block.watched_ns else []
            for p in mixed:
                board.steady[p] = False  # the mean mixes what was there with what is
            board.follow(block, t_ns, self._crowd)
            for p in mixed:
                board.steady[p] = p not in active and not board.masked[p]
            self._calmed.clear()
            if board.interference != under_field:
                facts.append(Alarm("interference", over=not board.interference))
        self.idle = not active
        return facts

    def _start(self, t_ns: int, readings: bytes, facts: list[Fact]) -> None:
        if not self._first:
            self._first_ns = t_ns
        self._first.append(readings)
        if t_ns - self._first_ns < self._settle_ns or len(self._first) < START_FRAMES:
            return
        rows = np.array([np.frombuffer(r, np.int8) for r in self._first], np.float32)
        mean = np.median(rows, axis=0).astype(np.float32)
        spread = rows.max(axis=0) - rows.min(axis=0)
        doubtful = spread > WILD
        if float(np.median(spread)) >= 2.0:
            still = (spread == 0.0) & (np.abs(mean) >= self._settings.on_counts)
            if len(rows) < DOUBT_FRAMES and still.any():
                return
            doubtful |= still
        self._first.clear()
        if self._expected is not None:
            self.faults.lines.update(self._silent_lines(self._expected, mean, spread))
            facts.extend(Alarm("silent", line=name) for name in sorted(self.faults.lines))
            doubtful &= np.array([c == "." for c in self._expected])
        mean[doubtful] = 0.0
        error = 1.3 * float(np.median(rows.std(axis=0))) / len(rows) ** 0.5
        self.board.begin(mean, error, self._expected)
        self.board.reading[:] = mean
        self.board.forget_block(t_ns)
        self.board.period_ns = (t_ns - self._first_ns) // (len(rows) - 1)
        self.started = True
        self._update_masks()

    def _silent_lines(self, expected: str, mean: Counts, spread: Counts) -> list[str]:
        """Lines that may be dead since before the start: no stone is seen there, and nothing trembles."""
        if np.count_nonzero(spread == 0.0) > POINTS // 3:
            return []
        least = self._settings.on_counts
        lines = silent_lines(expected, lambda p: bool(abs(mean[p]) >= least))
        return [n for n in lines if np.count_nonzero(spread[list(LINE_POINTS[n])] == 0.0) >= LINE_SENSORS]

    def _value(self, p: Point) -> float:
        board = self.board
        return float(board.reading[p] - board.base[p] - board.field[p])

    def _follow(self, p: Point, episode: Episode, t_ns: int, facts: list[Fact]) -> None:
        board = self.board
        value = self._value(p)
        trail = episode.trail
        trail.append((t_ns, value))
        if len(trail) > TRAIL_FRAMES and t_ns - trail[0][0] >= TRAIL_NS:
            del trail[: len(trail) // 3]
        if abs(value - episode.anchor) > max(3.5 * board.filtered_noise + 1.0, 0.06 * abs(value)):
            episode.anchor, episode.anchor_ns = value, t_ns
        still_ns = t_ns - episode.anchor_ns
        if board.sign[p]:
            level = float(board.level[p])
            if value / level < HALF:
                facts.append(Left(p, episode.begin_ns, t_ns, abs(level) / board.sound(p), abs(level)))
                board.leave(p)
                self._lay[p] = level
                self._left[p] = (t_ns, 1 if level > 0 else -1)
                episode.armed = False
                episode.left_ns = t_ns
                episode.peak = abs(level)
            elif still_ns >= CALM_NS:
                board.settle(p, float(board.reading[p]), int(board.sign[p]))
                self._end(p)
            return
        self._follow_empty(p, episode, value, still_ns, facts)

    def _follow_empty(
        self, p: Point, episode: Episode, value: float, still_ns: int, facts: list[Fact]
    ) -> None:
        board = self.board
        size = abs(value)
        sign = 1 if value > 0 else -1
        least = max(self._settings.on_counts, 5.0 * board.filtered_noise + 4.0)
        if board.interference:
            least += 0.3 * abs(float(board.field[p]))
        if not episode.armed:
            if size < 0.6 * least or sign != episode.peak_sign != 0:
                episode.armed, episode.peak = True, 0.0
        elif size > episode.peak or (sign != episode.peak_sign and size >= least):
            episode.peak, episode.peak_sign = size, sign
        if size < least:
            episode.on_ns = -1
            episode.jump = None
        elif episode.on_ns < 0:
            episode.on_ns = self._t_ns
        if size >= least:
            sound = size >= SOUND * board.sound(p)
            rough = board.interference or self._crowd
            need = self._settle_ns if sound else 2 * self._hover_ns if rough else self._hover_ns
            if (
                still_ns >= need
                and (sound or not rough or size >= DIM * board.sound(p))
                and not self._in_a_field(p, sign, sound)
            ):
                self._settle(p, episode, sign, facts)
                return
        if (
            episode.armed
            and episode.peak >= max(least, PASSING * board.sound(p))
            and size < PASSED * episode.peak
        ):
            self._pass(p, episode, facts)
        if size < least and still_ns >= CALM_NS:
            strange = abs(value - float(board.level[p]))
            if strange < 0.8 * board.threshold:
                self._end(p)
            elif still_ns >= STRANGE_NS:
                board.settle(p, float(board.reading[p]), 0)
                self._end(p)

    def _in_a_field(self, p: Point, sign: int, sound: bool) -> bool:
        """Whether the empty points beside read much of what `p` does: a stone is seen by one sensor only."""
        board = self.board
        own = float(board.reading[p] - board.base[p])
        if own * sign < 0.3 * abs(own - float(board.field[p])):
            return True
        beside = [q for q in NEIGHBOURS[p] if not board.sign[q] and not board.masked[q]]
        share = sum(float(board.reading[q] - board.base[q]) for q in beside) / max(1, len(beside)) / own
        return share > (0.5 if sound else 0.25)

    def _settle(self, p: Point, episode: Episode, sign: int, facts: list[Fact]) -> None:
        board = self.board
        trail = episode.trail
        after = [v for t, v in trail if t >= episode.anchor_ns]
        level = abs(sum(after) / len(after))
        start = came(trail, episode.left_ns, sign, level)
        rise_ns = trail[start][0]
        contact_ns = touched_ns(trail, start, sign, level, board.filtered_noise)
        if episode.jump is None and not self._was_carried(p, sign, rise_ns):
            episode.jump = jumped(trail, start, sign, level, episode.before, board.filter_ns, board.noise)
        if episode.jump is not None:
            contact_ns, step_ns = episode.jump  # the filter lags behind so steep a rise
            at_rail = abs(float(board.reading[p])) >= RAIL
            unsure = at_rail and step_ns > JUMP_NS
            if not unsure and self.faults.frozen(p):
                facts.append(self.faults.stuck(p))
                self._update_masks()
                return
            if self._t_ns - contact_ns < (RAIL_PROOF_NS if unsure else PROOF_NS):
                return
        strength = level / board.sound(p)
        board.settle(p, level * sign + float(board.base[p] + board.field[p]), sign)
        facts.append(Settled(p, sign, contact_ns, rise_ns, strength, level))
        self._end(p)

    def _was_carried(self, p: Point, sign: int, came_ns: int) -> bool:
        """Whether a magnet of this sign has just left a point beside: it may come fast."""
        return any(
            left_sign == sign and -self.board.period_ns <= came_ns - left_ns < CARRIED_NS
            for left_ns, left_sign in (self._left.get(q, (-CARRIED_NS, 0)) for q in NEIGHBOURS[p])
        )

    def _pass(self, p: Point, episode: Episode, facts: list[Fact]) -> None:
        trail, sign, peak = episode.trail, episode.peak_sign, episode.peak
        end = len(trail) - 1
        while end > 0 and trail[end][1] * sign < HALF * peak:
            end -= 1
        start = end
        while start > 0 and trail[start - 1][1] * sign >= HALF * peak:
            start -= 1
        contact_ns = touched_ns(trail[: end + 1], start, sign, peak, self.board.filtered_noise)
        left_ns = trail[min(end + 1, len(trail) - 1)][0]
        self._left[p] = (left_ns, sign)
        facts.append(Passed(p, sign, contact_ns, trail[start][0], left_ns, peak / self.board.sound(p), peak))
        episode.peak, episode.peak_sign = abs(trail[-1][1]), 0
        episode.armed = False

    def _end(self, p: Point) -> None:
        self._ended[p] = self._active.pop(p).trail
        self.board.steady[p] = not self.board.masked[p]
        self._calmed.append(p)

    def _trail(self, p: Point) -> Trail:
        episode = self._active.get(p)
        return episode.trail if episode else self._ended.get(p, [])

    @property
    def pending_ns(self) -> int | None:
        """The earliest rise that may be a contact, or beginning of what may be a lift."""
        least = self._back[0][0] if self._back else None
        for p, e in self._active.items():
            sign = int(self.board.sign[p])
            if sign:
                at = e.begin_ns if e.trail and e.trail[-1][1] / float(self.board.level[p]) < 0.85 else -1
            else:
                at = e.on_ns
            if at >= 0 and (least is None or at < least):
                least = at
        return least

    def signs(self) -> list[str]:
        """The stones as the sensors show them."""
        return [".XO"[int(s)] for s in self.board.sign]

    def may_slide(self, left: Departure, fact: Settled | Passed) -> bool:
        """Whether the magnet that left one point was pushed to that of `fact`; see `trails.pushed`."""
        if left.left_ns <= self._back_ns <= fact.rise_ns:
            return False
        there, here = self._trail(left.point), self._trail(fact.point)
        return pushed(left, there, fact, here, self._hop_ns, self.board.period_ns)

    def near(self, p: Point) -> bool:
        """Whether an undecided magnet is at `p` or beside it."""
        for q in (p, *NEIGHBOURS[p]):
            episode = self._active.get(q)
            if episode and not self.board.sign[q] and episode.trail:
                t_ns, value = episode.trail[-1]
                if abs(value) >= max(6.0, 0.1 * self.board.sound(q)) and t_ns == self._t_ns:
                    return True
        return False

    def sees(self, p: Point, sign: int) -> bool:
        """Whether the sensor of `p` itself still sees something of a magnet of this sign."""
        return p in self._active and self._value(p) * sign >= FAINT * self.board.sound(p)

    def lies_again(self, p: Point) -> bool:
        """Whether `p` soon read again what it read before its stone left: another one only crossed it."""
        level = self._lay.get(p)
        if level is None or self._value(p) / level < AGAIN:
            return False
        left_ns = self._left[p][0]
        back_ns = max((t for t, v in self._trail(p) if v / level < HALF), default=left_ns)
        return back_ns - left_ns < CROSSED_NS

    def frozen(self, p: Point) -> bool:
        """Whether the sensor of `p` has not trembled lately, as a dead one does."""
        return self.faults.frozen(p)

    def strays(self) -> int:
        """How many sensors without a stone see a magnet."""
        return sum(
            not self.board.sign[p] and bool(e.trail) and abs(e.trail[-1][1]) >= 15.0
            for p, e in self._active.items()
        )

    @property
    def disturbed(self) -> bool:
        """Whether an outside field lies over the board."""
        return self.board.interference

    def moving(self, t_ns: int) -> bool:
        """Whether a reading changes just now."""
        return any(t_ns - e.anchor_ns < 80 * MS and e.peak >= 12.0 for e in self._active.values())

    def rest(self) -> None:
        """Take the board as it lies: stones beside their points count for the nearest, if it sees enough."""
        board = self.board
        for p in list(self._active):
            board.settle(p, float(board.reading[p]), 0)
            self._end(p)
        for p in range(POINTS):
            if board.masked[p]:
                continue
            level = float(board.level[p])
            there = abs(level) >= 0.4 * board.sound(p) and all(
                level * float(board.level[q]) <= 0
                or abs(level) >= abs(float(board.level[q]))
                or abs(level) > 0.7 * board.sound(p)
                for q in NEIGHBOURS[p]
            )
            board.sign[p] = 0 if not there else 1 if level > 0 else -1

    def _update_masks(self) -> None:
        """Let go of points that are no longer believed, and take those back that are again."""
        board = self.board
        masked = self.masked
        for p in range(POINTS):
            was, now = bool(board.masked[p]), p in masked
            if now and not was:
                board.masked[p] = True
                board.limit[p] = np.inf
                if p in self._active:
                    self._end(p)
                board.steady[p] = False
            elif was and not now:
                self._free_again(p)

    def _free_again(self, p: Point) -> None:
        """Believe a sensor again: a stone is there if it reads like one."""
        board = self.board
        board.masked[p], board.steady[p], board.limit[p] = False, True, board.threshold
        value = self._value(p)
        if abs(value) >= self._settings.on_counts:
            board.settle(p, float(board.reading[p]), 1 if value > 0 else -1)
        else:
            board.zero(p, float(board.reading[p]))

    def mask(self, p: Point) -> None:
        """Believe nothing of a point."""
        self._by_hand.add(p)
        self._update_masks()

    def unmask(self, p: Point) -> None:
        """Believe it again: what it reads is taken as it is."""
        self._by_hand.discard(p)
        self.faults.points.pop(p, None)
        self._update_masks()

    @property
    def masked(self) -> frozenset[Point]:
        """Points that are not believed."""
        return frozenset(self.faults.masked.union(self._by_hand))
