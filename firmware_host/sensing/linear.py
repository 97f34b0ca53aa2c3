"""Linear sensors: what each point of a board of them goes through.

A point whose reading leaves its rest is followed frame by frame in an `Episode` until it is at rest again;
all others cost a few vector operations a frame. A magnet that comes down or along rises smoothly and then
stays; `Settled` is told once it has stayed, with the instants at which half and nine tenths of it were there.
"""

from typing import Final

import numpy as np

from firmware_host.board import POINTS, SIZE, Point
from firmware_host.sensing.calibration import Calibration
from firmware_host.sensing.facts import Alarm, Departure, Fact, Left, Passed, Settled
from firmware_host.sensing.geometry import NEIGHBOURS
from firmware_host.sensing.linear_faults import LinearFaults
from firmware_host.sensing.settings import MS, SensingSettings

HALF: Final = 0.5
KNEE_NS: Final = 15 * MS
"""A stone that still comes down is closer by more than a twentieth after this."""
BOUNCE_NS: Final = 150 * MS
SOUND: Final = 0.6
"""A reading below this share of a sound stone's may be a stone still in the air, or a weak magnet."""
DIM: Final = 0.4
"""The least share that is believed under an outside field."""
PASSED: Final = 0.4
"""A magnet whose reading has fallen to this share of its highest has gone by."""
CALM_NS: Final = 60 * MS
STRANGE_NS: Final = 250 * MS
"""A small reading that is not a stone is taken as the new rest after so long."""
CARRIED_NS: Final = 300 * MS
PROOF_NS: Final = 400 * MS
"""How long a reading that jumped must tremble before it is taken for a stone."""
JUMP_NS: Final = 25 * MS
"""No stone goes from nothing to all in one step; of longer steps that cannot be said."""
Trail = list[tuple[int, float]]

TRAIL: Final = 600
LONGEST_NS: Final = 2000 * MS
LEAST_SHARE: Final = 0.3
STRAIGHT: Final = (3.2, 0.5)
DIAGONAL: Final = (5.0, 0.8)
"""A magnet pushed to the point beside takes at most so many times as long from half to half as it takes to
come from 15 to 85 %, and is dark for at most this share of it. A dipole 10 mm above its sensor: 2.1 and 3.6
times, 0.3 and 0.6; a hand that lifts, carries and puts down: five times and more."""
START_FRAMES: Final = 5
CROWD: Final = 16
"""So many sensors that read something where no stone lies: it is not stones."""


def _edge_ns(trail: Trail, at_ns: int, level: float) -> int:
    """How long the reading took from 15 to 85 % of `level`, about `at_ns`; a trail read backwards falls."""
    low_ns = high_ns = at_ns
    backwards = len(trail) > 1 and trail[0][0] > trail[-1][0]
    for t, v in trail:
        if (t <= at_ns) != backwards or t == at_ns:
            if v / level < 0.15:
                low_ns = t
        elif v / level > 0.85:
            high_ns = t
            break
    return abs(high_ns - low_ns)


class Episode:
    """A point on which something happens."""

    __slots__ = (
        "anchor",
        "anchor_ns",
        "armed",
        "before",
        "begin_ns",
        "left_ns",
        "on_ns",
        "peak",
        "peak_sign",
        "suspect",
        "trail",
    )

    def __init__(self, t_ns: int, value: float, before: float) -> None:
        self.begin_ns = t_ns
        self.before = before
        self.anchor = value
        self.anchor_ns = t_ns
        self.on_ns = -1
        self.left_ns = -1
        self.peak = 0.0
        self.peak_sign = 0
        self.armed = True
        self.suspect = False
        self.trail: Trail = []


class LinearBoard:
    """Front end of a board of linear sensors; see `facts.FrontEnd`."""

    due_ns: Final = 0

    def __init__(self, settings: SensingSettings) -> None:
        self._settings = settings
        self._settle_ns = int(settings.settle_ms * MS)
        self._hover_ns = int(settings.hover_ms * MS)
        self._hop_ns = int(settings.hop_ms * MS)
        self.board = Calibration(settings)
        self.faults = LinearFaults()
        self._by_hand: dict[Point, None] = {}
        self._active: dict[Point, Episode] = {}
        self._left: dict[Point, tuple[int, int]] = {}
        self._ended: dict[Point, Trail] = {}
        self._expected: str | None = None
        self._first: list[bytes] = []
        self._first_ns = 0
        self._t_ns = 0
        self._dt = 0
        self._lost_ns = -1
        self._interference = False
        self._crowd = False
        self.started = False
        self.idle = True

    def expect(self, stones: str) -> None:
        """What should lie there: helps with weak stones at the start."""
        self._expected = stones

    def frame(self, t_ns: int, readings: bytes, lost: bool) -> list[Fact]:
        """Facts known with this frame."""
        board = self.board
        self._dt = t_ns - self._t_ns
        self._t_ns = t_ns
        if lost:
            self._lost_ns = t_ns
            board.forget_block(t_ns)
        hot = board.take(t_ns, readings)
        facts: list[Fact] = []
        if not self.started:
            self._start(t_ns, readings)
            return facts
        active = self._active
        if hot is not None:
            for p in np.flatnonzero(hot).tolist():
                if p not in active:
                    active[p] = Episode(t_ns, self._value(p), float(board.level[p]))
                    board.steady[p] = False
        if active:
            for p in list(active):
                self._follow(p, active[p], t_ns, facts)
            self.idle = not active
            self._crowd = len(active) >= CROWD and CROWD <= sum(not board.sign[p] for p in active)
            if self._crowd:
                board.sudden()
        block = board.block(t_ns)
        if block is not None:
            for alarm in self.faults.judge(block, board, self._expected):
                facts.append(alarm)
                self._update_masks(alarm)
            board.follow(block, t_ns, self._crowd)
            if board.interference != self._interference:
                self._interference = board.interference
                facts.append(Alarm("interference", over=not board.interference))
        return facts

    def _start(self, t_ns: int, readings: bytes) -> None:
        if not self._first:
            self._first_ns = t_ns
        self._first.append(readings)
        if t_ns - self._first_ns < self._settle_ns or len(self._first) < START_FRAMES:
            return
        rows = np.array([np.frombuffer(r, np.int8) for r in self._first], np.float32)
        self._first.clear()
        wild = (rows.max(axis=0) - rows.min(axis=0)) > 40
        mean = np.median(rows, axis=0).astype(np.float32)
        mean[wild] = 0.0
        self.board.begin(mean, self._expected)
        self.board.reading[:] = np.where(wild, self.board.reading, mean)
        self.started = True

    def _value(self, p: Point) -> float:
        board = self.board
        return float(board.reading[p] - board.base[p] - board.field[p])

    def _follow(self, p: Point, episode: Episode, t_ns: int, facts: list[Fact]) -> None:
        board = self.board
        value = self._value(p)
        episode.trail.append((t_ns, value))
        if len(episode.trail) > TRAIL:
            del episode.trail[: TRAIL // 3]
        if abs(value - episode.anchor) > max(3.5 * board.filtered_noise + 1.0, 0.06 * abs(value)):
            episode.anchor, episode.anchor_ns = value, t_ns
        still_ns = t_ns - episode.anchor_ns
        if board.sign[p]:
            level = float(board.level[p])
            if value / level < HALF:
                facts.append(Left(p, episode.begin_ns, t_ns, abs(level) / board.sound(p), abs(level)))
                board.leave(p)
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
        if self._interference:
            least += 0.3 * abs(float(board.field[p]))
        if not episode.armed:
            if size < 0.6 * least or sign != episode.peak_sign != 0:
                episode.armed, episode.peak = True, 0.0
        elif size > episode.peak or (sign != episode.peak_sign and size >= least):
            episode.peak, episode.peak_sign = size, sign
        if size < least:
            episode.on_ns = -1
            episode.suspect = False
        elif episode.on_ns < 0:
            episode.on_ns = self._t_ns
        if size >= least:
            sound = size >= SOUND * board.sound(p)
            rough = self._interference or self._crowd
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
            and episode.peak >= max(least, 0.3 * board.sound(p))
            and size < PASSED * episode.peak
        ):
            self._pass(p, episode, facts)
        if size < least and still_ns >= CALM_NS:
            strange = abs(value - float(board.level[p]))
            if strange < 0.8 * board.threshold:
                self._end(p)
            elif still_ns >= STRANGE_NS:
                if size < 10.0:
                    board.zero(p, float(board.reading[p]))
                else:
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
        start = self._run_start(episode, sign, level)
        rise_ns = trail[start][0]
        contact_ns = self._contact(trail, start, sign, level)
        if not episode.suspect and self._jumped(p, episode, start, sign, level):
            episode.suspect = True
        if episode.suspect:
            if self.faults.same_ns[p] >= 0.5 * PROOF_NS:
                alarm = self.faults.stuck(p)
                facts.append(alarm)
                self._update_masks(alarm)
                return
            if self._t_ns - contact_ns < PROOF_NS:
                return
            episode.suspect = False
        strength = level / board.sound(p)
        board.settle(p, level * sign + float(board.base[p] + board.field[p]), sign)
        facts.append(Settled(p, sign, contact_ns, rise_ns, strength, level))
        self._end(p)

    @staticmethod
    def _run_start(episode: Episode, sign: int, level: float) -> int:
        """Where in its trail the magnet that now rests came; while it bounced it was there already."""
        trail = episode.trail
        start = len(trail) - 1
        at = start
        while at >= 0 and trail[at][0] > episode.left_ns:
            if trail[at][1] * sign >= HALF * level:
                if trail[start][0] - trail[at][0] > BOUNCE_NS:
                    break
                start = at
            at -= 1
        return start

    def _contact(self, trail: Trail, start: int, sign: int, level: float) -> int:
        """The instant of first contact: the reading is high and from there on no longer climbs."""
        slack = max(0.05 * level, 2.5 * self.board.filtered_noise)
        after = start
        for t, v in trail[start:]:
            while after < len(trail) - 1 and trail[after][0] < t + KNEE_NS:
                after += 1
            if v * sign >= SOUND * level and trail[after][1] * sign - v * sign < slack:
                return t
        return trail[start][0]

    def _jumped(self, p: Point, episode: Episode, start: int, sign: int, level: float) -> bool:
        """Whether the reading went from nothing to all between two frames, as no stone does."""
        trail = episode.trail
        if 0 <= trail[start][0] - self._lost_ns <= 2 * JUMP_NS:
            return False
        came_ns = trail[start][0]
        for q in NEIGHBOURS[p]:
            left_ns, left_sign = self._left.get(q, (-CARRIED_NS, 0))
            if left_sign == sign and 0 <= came_ns - left_ns < CARRIED_NS:
                return False
        tau_ns = self.board.filter_ns
        for i in range(max(0, start - 6), start + 1):
            t, v = trail[i]
            before_ns, before = trail[i - 1] if i else (t - self.board.period_ns, episode.before)
            dt = t - before_ns
            raw = before + (v - before) * (dt + tau_ns) / dt
            low = 0.12 * level + 3 * self.board.noise
            if dt <= JUMP_NS and before * sign < low and raw * sign >= 0.85 * level:
                return True
        return False

    def _pass(self, p: Point, episode: Episode, facts: list[Fact]) -> None:
        trail, sign, peak = episode.trail, episode.peak_sign, episode.peak
        end = len(trail) - 1
        while end > 0 and trail[end][1] * sign < HALF * peak:
            end -= 1
        start = end
        while start > 0 and trail[start - 1][1] * sign >= HALF * peak:
            start -= 1
        contact_ns = self._contact(trail[: end + 1], start, sign, peak)
        left_ns = trail[min(end + 1, len(trail) - 1)][0]
        self._left[p] = (left_ns, sign)
        facts.append(Passed(p, sign, contact_ns, trail[start][0], left_ns, peak / self.board.sound(p), peak))
        episode.peak, episode.peak_sign = abs(trail[-1][1]), 0
        episode.armed = False

    def _end(self, p: Point) -> None:
        self._ended[p] = self._active.pop(p).trail
        self.board.steady[p] = not self.board.masked[p]

    def _trail(self, p: Point) -> Trail:
        episode = self._active.get(p)
        return episode.trail if episode else self._ended.get(p, [])

    @property
    def pending_ns(self) -> int | None:
        """The earliest rise that may be a contact, or beginning of what may be a lift."""
        least = None
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
        """Whether the magnet that left one point was pushed to that of `fact`.

        Pushed, it is under the second sensor only once it is no longer under the first, and the dark between
        (where neither sees it) is short; a hand that lifts and puts down takes `hop_ms` and is dark for most
        of it.
        """
        left_ns = left.left_ns
        gap_ns = fact.rise_ns - left_ns
        if gap_ns < -self.board.period_ns or gap_ns > LONGEST_NS:
            return False
        if not LEAST_SHARE < fact.strength / left.strength < 1 / LEAST_SHARE:
            return False
        there, here = self._trail(left.point), self._trail(fact.point)
        sound_there, sound_here = left.level, fact.level
        sign = fact.sign
        first_ns = fact.rise_ns
        for t, v in reversed(here):
            if t <= fact.rise_ns:
                if v * sign < 0.10 * sound_here:
                    break
                first_ns = t
        last_ns = left_ns
        for t, v in there:
            if t > first_ns - self.board.period_ns // 2:
                break
            if v * sign >= 0.10 * sound_there:
                last_ns = max(last_ns, t)
        at_first = next((v * sign for t, v in reversed(there) if t <= first_ns), 0.0)
        if at_first > 0.40 * sound_there:
            return False
        if gap_ns <= self._hop_ns:
            return True
        dark_ns = max(0, first_ns - last_ns)
        fall_ns = _edge_ns(there[::-1], left_ns, sound_there * sign)
        rise_ns = _edge_ns(here, fact.rise_ns, sound_here * sign)
        steps, dark = STRAIGHT if abs(left.point - fact.point) in (1, SIZE) else DIAGONAL
        return 2 * gap_ns <= steps * (fall_ns + rise_ns) + self.board.period_ns and dark_ns <= dark * gap_ns

    def near(self, p: Point) -> bool:
        """Whether an undecided magnet is at `p` or beside it."""
        for q in (p, *NEIGHBOURS[p]):
            episode = self._active.get(q)
            if episode and not self.board.sign[q] and episode.trail:
                t_ns, value = episode.trail[-1]
                if abs(value) >= max(6.0, 0.1 * self.board.sound(q)) and t_ns == self._t_ns:
                    return True
        return False

    def strays(self) -> int:
        """How many sensors without a stone see a magnet."""
        return sum(
            not self.board.sign[p] and bool(e.trail) and abs(e.trail[-1][1]) >= 15.0
            for p, e in self._active.items()
        )

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

    def _update_masks(self, alarm: Alarm) -> None:
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
        _ = alarm

    def _free_again(self, p: Point) -> None:
        """Believe a sensor again: a stone is there if it reads like one."""
        board = self.board
        board.masked[p], board.steady[p], board.limit[p] = False, True, board.threshold
        value = self._value(p)
        if abs(value) >= self._settings.on_counts:
            board.settle(p, float(board.reading[p]), 1 if value > 0 else -1)
        else:
            board.zero(p, float(board.reading[p]))

    def mask(self, p: Point, stone: str | None = None) -> None:
        """Believe nothing of a point."""
        self._by_hand[p] = None
        if stone is not None:
            self.board.sign[p] = {"X": 1, "O": -1}.get(stone, 0)
        self._update_masks(Alarm("masked", p))

    def unmask(self, p: Point) -> None:
        """Believe it again: what it reads is taken as it is."""
        self._by_hand.pop(p, None)
        self.faults.points.pop(p, None)
        self._update_masks(Alarm("masked", p, over=True))

    @property
    def masked(self) -> frozenset[Point]:
        """Points that are not believed."""
        return frozenset(self.faults.masked.union(self._by_hand))
