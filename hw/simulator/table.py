"""The simulated table: stones with magnets, what hands do to them, keys that close, and what sensors read.

Time is integer nanoseconds on any axis that begins at or above 0, given by the caller: virtual in tests, the
monotonic clock at a real demo. Points are those of the sensor plane (`A1` or an index 0..224); the table
knows neither sides nor rules. Every method may be called from any thread.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np

from hw import MENU_OF, KeyName, Press, Sensors
from hw.simulator.hand import AWAY_MM, HIGH_MM, STONE_MM, Habits, Hand, Leg, Motion
from hw.simulator.magnet import Magnet
from hw.simulator.physics import (
    SENSORS,
    Field,
    Pose,
    dipole_field,
    line_indexes,
    nearest,
    position,
    sensor_index,
    sensor_name,
)
from hw.simulator.sensors import Electronics, FaultKind, LinearSensors, SensorFault, SwitchSensors

StoneColour = Literal["black", "white"]
Where = str | int

KEYS: Final[tuple[KeyName, ...]] = ("near", "far", "near-call", "far-call", "arbiter")
PHONE_STRENGTH: Final = 900.0
PHONE_HEIGHT_MM: Final = 120.0
_NEVER: Final = 1 << 62
_MS: Final = 1_000_000
_WAY_MS: Final = 800.0
_FAR_MM: Final = (900.0, -300.0, 500.0)
"""How long something magnetic takes on its way over the board, and from where it comes."""


class HandError(ValueError):
    """A hand was asked for what it cannot do: no stone there, or one that is to be moved later already."""


class Act(NamedTuple):
    """When a verb happens: the hand begins, the stone touches (or leaves its place), all is at rest."""

    start_ns: int
    touch_ns: int
    end_ns: int


class StoneView(NamedTuple):
    """One stone as an onlooker sees it; `point` is the nearest, None off the board or in the air."""

    colour: StoneColour
    point: str | None
    x_mm: float
    y_mm: float
    height_mm: float


class SimulatedTable:
    """A board of 225 sensors with stones on it, and five keys.

    `seed` fixes sensors and hands. `electronics` replaces the default sensors of the kind `sensors` by ones
    with other spreads, noise or thresholds; `habits` changes the hands.
    """

    def __init__(
        self,
        sensors: Sensors = "linear",
        *,
        seed: int = 0,
        electronics: Electronics | None = None,
        habits: Habits = Habits(),  # noqa: B008 - immutable
    ) -> None:
        self._electronics: Electronics = electronics or (
            LinearSensors(seed) if sensors == "linear" else SwitchSensors(seed)
        )
        self.sensors: Sensors = self._electronics.sensors
        self._hand = Hand(seed + 1, habits)
        self._lock = threading.Lock()
        self._stones: list[Magnet] = []
        self._passing: list[Magnet] = []
        self._presses: list[Press] = []
        self._now_ns = 0
        self._polled_ns = 0
        self._steady: Field = np.zeros(SENSORS)
        self._moving: list[Magnet] = []
        self._valid = (0, 0)

    # What the electronics see.

    def readings(self, t_ns: int) -> bytes:
        """225 signed bytes at `t_ns`, A1, B1 .. O1, A2 .. O15; an instant before the last is the last."""
        with self._lock:
            t_ns = max(t_ns, self._now_ns)
            if self._electronics.step_ns:
                self._observe_until(t_ns)
            self._now_ns = t_ns
            return self._electronics.read(t_ns, self._field(t_ns))

    def presses(self, until_ns: int) -> list[Press]:
        """Take the presses up to `until_ns`, in time order."""
        with self._lock:
            self._polled_ns = max(self._polled_ns, until_ns + 1)
            due = [p for p in self._presses if p.t_ns <= until_ns]
            if due:
                self._presses = [p for p in self._presses if p.t_ns > until_ns]
            return due

    # What hands do. Each verb begins at `t_ns`, or at the last instant read or polled if that is later.

    def press(self, t_ns: int, key: KeyName, *, held: bool = False) -> None:
        """Close a key at `t_ns`; `held`: a call key kept closed for a second, which is over at `t_ns`."""
        allowed = tuple(MENU_OF) if held else KEYS
        if key not in allowed:
            what = "a key that can be held" if held else "a key"
            raise HandError(f"{key!r} is not {what}; allowed: {', '.join(allowed)}")
        with self._lock:
            self._presses.append(Press(max(t_ns, self._polled_ns), MENU_OF[key] if held else key))
            self._presses.sort()

    def set_up(self, stones: Mapping[Where, StoneColour] | str) -> None:
        """Lay stones that are there from the start: a mapping, or 225 characters `.XO` in plane order."""
        if isinstance(stones, str):
            if len(stones) != SENSORS or set(stones) - set(".XO"):
                raise HandError(f"a set-up is {SENSORS} characters of . X O, not {stones[:20]!r}")
            laid: dict[Where, StoneColour] = {
                at: "black" if c == "X" else "white" for at, c in enumerate(stones) if c != "."
            }
            stones = laid
        with self._lock:
            for where, colour in stones.items():
                rest = self._hand.beside(_index(where))
                self._stones.append(Magnet(_strength(colour, 1.0), rest, []))
            self._valid = (0, 0)

    def place(self, t_ns: int, point: Where, colour: StoneColour, *, strength: float = 1.0) -> Act:
        """A stone comes down on a point, or on top of a stone there. `strength` 0.35: a weak magnet."""
        with self._lock:
            t_ns = self._begin(t_ns)
            at = _index(point)
            motion = self._hand.place(t_ns, at, self._top(at, t_ns))
            return self._bring(motion, colour, strength)

    def place_sliding(
        self,
        t_ns: int,
        path: Sequence[Where],
        colour: StoneColour,
        *,
        speed_mm_s: float = 250.0,
        rest_ms: float = 0.0,
        strength: float = 1.0,
    ) -> Act:
        """A stone touches down on the first point, rests `rest_ms` there, and is pushed along to the last."""
        if len(path) < 2:
            raise HandError("a slide needs two points or more")
        with self._lock:
            t_ns = self._begin(t_ns)
            points = [_index(p) for p in path]
            return self._bring(self._hand.place_sliding(t_ns, points, speed_mm_s, rest_ms), colour, strength)

    def drop(self, t_ns: int, point: Where, colour: StoneColour, *, bounces: int = 2) -> Act:
        """A stone falls out of the hand over a point and bounces."""
        with self._lock:
            return self._bring(self._hand.drop(self._begin(t_ns), _index(point), bounces), colour, 1.0)

    def lift(self, t_ns: int, point: Where) -> Act:
        """The stone on a point is taken off the board. Raises HandError where there is none."""
        with self._lock:
            stone, t_ns, pose = self._grasp(t_ns, point)
            return self._schedule(stone, self._hand.lift(t_ns, pose))

    def slide(self, t_ns: int, path: Sequence[Where], *, speed_mm_s: float = 250.0) -> Act:
        """The stone on `path[0]` is pushed through the other points, straight from each to the next."""
        if len(path) < 2:
            raise HandError("a slide needs two points or more")
        with self._lock:
            stone, t_ns, pose = self._grasp(t_ns, path[0])
            return self._schedule(
                stone, self._hand.slide(t_ns, pose, [_index(p) for p in path[1:]], speed_mm_s)
            )

    def move(self, t_ns: int, point: Where, to: Where, *, carry_ms: float = 200.0) -> Act:
        """The stone on a point is lifted and put elsewhere, through the air."""
        with self._lock:
            stone, t_ns, pose = self._grasp(t_ns, point)
            at = _index(to)
            return self._schedule(
                stone, self._hand.move(t_ns, pose, at, carry_ms, self._top(at, t_ns, stone))
            )

    def adjust(self, t_ns: int, point: Where, *, hold_ms: float = 60.0) -> Act:
        """The stone on a point is lifted a little and set down there again."""
        with self._lock:
            stone, t_ns, pose = self._grasp(t_ns, point)
            return self._schedule(stone, self._hand.adjust(t_ns, pose, _index(point), hold_ms))

    def nudge(self, t_ns: int, point: Where) -> Act:
        """The stone on a point is straightened by a fingertip."""
        with self._lock:
            stone, t_ns, pose = self._grasp(t_ns, point)
            return self._schedule(stone, self._hand.nudge(t_ns, pose, _index(point)))

    def sweep(
        self,
        t_ns: int,
        points: Iterable[Where],
        *,
        toward: tuple[float, float] = (1.0, 0.3),
        speed_mm_s: float = 600.0,
    ) -> Act:
        """An arm drags over the stones on `points`, along `toward` (x, y)."""
        with self._lock:
            grasped = [self._grasp(t_ns, p) for p in points]
            if not grasped:
                raise HandError("a sweep needs a stone")
            t_ns = max(t for _, t, _ in grasped)
            motions = self._hand.sweep(t_ns, [pose for _, _, pose in grasped], toward, speed_mm_s)
            acts = [self._schedule(stone, m) for (stone, _, _), m in zip(grasped, motions, strict=True)]
            return Act(t_ns, min(a.touch_ns for a in acts), max(a.end_ns for a in acts))

    def clear(self, t_ns: int, *, every_ms: float = 150.0) -> Act:
        """All stones are taken off one after the other, `every_ms` apart."""
        with self._lock:
            t_ns = self._begin(t_ns)
            lying = [(stone, pose) for stone in self._stones if (pose := stone.aim(t_ns)) is not None]
            free_ns = [self._free_ns(stone, t_ns, pose) for stone, pose in lying]
            acts = [
                self._schedule(stone, self._hand.lift(max(t_ns + int(n * every_ms * _MS), at_ns), pose))
                for n, ((stone, pose), at_ns) in enumerate(zip(lying, free_ns, strict=True))
            ]
            return Act(t_ns, t_ns, max((a.end_ns for a in acts), default=t_ns))

    # What goes wrong.

    def fault(
        self,
        t_ns: int,
        kind: FaultKind,
        *,
        point: Where | None = None,
        line: str | None = None,
        value: int | None = None,
        until_ns: int = _NEVER,
    ) -> SensorFault:
        """A sensor (`point`) or a whole `line` (`1`..`15`, `A`..`O`) fails from `t_ns` on; see SensorFault.

        `value` defaults to a stuck 100 (linear) or 1 (switch), and 35 counts of noise. `mend` takes what is
        returned.
        """
        if (point is None) == (line is None):
            raise ValueError("a fault is of a point or of a line: give one of them")
        at = (_index(point),) if point is not None else line_indexes(line or "")
        if value is None:
            value = {"stuck": 100 if self.sensors == "linear" else 1, "dead": 0, "noisy": 35}[kind]
        fault = SensorFault(kind, at, t_ns, until_ns, value)
        with self._lock:
            self._electronics.fail(fault)
        return fault

    def mend(self, t_ns: int, fault: SensorFault) -> None:
        """A fault ends at `t_ns`, or at the last instant read if that is later."""
        with self._lock:
            self._electronics.mend(fault, self._begin(t_ns))

    def phone(
        self,
        t_ns: int,
        duration_ms: float | None,
        *,
        over: Where = "H8",
        height_mm: float = PHONE_HEIGHT_MM,
        strength: float = PHONE_STRENGTH,
    ) -> Act:
        """Something strongly magnetic comes over the board from beyond its edge, waits, and goes.

        The field is that of one large dipole, `strength` times a stone's, `height_mm` above the stones.
        Without a duration it stays until `phone_gone`.
        """
        with self._lock:
            t_ns = self._begin(t_ns)
            x, y = position(_index(over))
            there = Pose(x, y, height_mm)
            far = Pose(x + _FAR_MM[0], y + _FAR_MM[1], height_mm + _FAR_MM[2])
            way_ns = int(min(_WAY_MS, 0.3 * (duration_ms or _WAY_MS * 4)) * _MS)
            come = Leg(t_ns, t_ns + way_ns, far, there)
            if duration_ms is None:
                legs: tuple[Leg, ...] = (come,)
            else:
                end_ns = t_ns + int(duration_ms * _MS)
                legs = (
                    come,
                    Leg(come.end_ns, end_ns - way_ns, there, there),
                    Leg(end_ns - way_ns, end_ns, there, far),
                )
            motion = Motion(legs, come.end_ns, gone=duration_ms is not None)
            self._passing.append(Magnet(strength, far, [motion]))
            self._valid = (0, 0)
            return Act(t_ns, come.end_ns, motion.end_ns)

    def phone_gone(self, t_ns: int) -> None:
        """Whatever `phone` brought leaves at once for beyond the edge."""
        with self._lock:
            t_ns = self._begin(t_ns)
            for magnet in self._passing:
                here = magnet.pose(t_ns)
                there = Pose(here.x_mm + _FAR_MM[0], here.y_mm + _FAR_MM[1], here.height_mm + _FAR_MM[2])
                leg = Leg(t_ns, t_ns + int(_WAY_MS * _MS), here, there)
                magnet.rest, magnet.motions = here, [Motion((leg,), t_ns, gone=True)]
            self._valid = (0, 0)

    # What an onlooker sees.

    def stones(self, t_ns: int) -> list[StoneView]:
        """The stones on the board and above it at `t_ns`."""
        with self._lock:
            views = []
            for stone in self._stones:
                pose = stone.pose(t_ns)
                if pose.height_mm >= HIGH_MM + STONE_MM:
                    continue
                at = nearest(pose.x_mm, pose.y_mm) if pose.height_mm < STONE_MM / 2 else None
                colour: StoneColour = "black" if stone.strength > 0 else "white"
                name = None if at is None else sensor_name(at)
                views.append(StoneView(colour, name, pose.x_mm, pose.y_mm, pose.height_mm))
            return views

    def lying(self, t_ns: int) -> str:
        """225 characters `.XO` at `t_ns`: each stone on the point nearest to it, but for those in the air."""
        cells = ["."] * SENSORS
        for stone in self.stones(t_ns):
            if stone.point is not None:
                cells[sensor_index(stone.point)] = "X" if stone.colour == "black" else "O"
        return "".join(cells)

    @property
    def quiet_ns(self) -> int:
        """The instant from which nothing more is scheduled to move."""
        with self._lock:
            ends = (m.end_ns for s in (*self._stones, *self._passing) for m in s.motions)
            return max(ends, default=self._now_ns)

    # Below, the lock is held.

    def _begin(self, t_ns: int) -> int:
        return max(t_ns, self._now_ns)

    def _bring(self, motion: Motion, colour: StoneColour, strength: float) -> Act:
        start = motion.legs[0].begin
        high = start._replace(height_mm=AWAY_MM + start.height_mm)
        stone = Magnet(_strength(colour, strength), high, [])
        self._stones.append(stone)
        return self._schedule(stone, motion)

    def _schedule(self, stone: Magnet, motion: Motion) -> Act:
        stone.motions.append(motion)
        self._valid = (0, 0)
        return Act(motion.start_ns, motion.touch_ns, motion.end_ns)

    def _top(self, at: int, t_ns: int, but: Magnet | None = None) -> float:
        """How high the stones on a point lie already."""
        lying = (s.aim(t_ns) for s in self._stones if s is not but)
        heights = [p.height_mm + STONE_MM for p in lying if p is not None and nearest(p.x_mm, p.y_mm) == at]
        return max(heights, default=0.0)

    def _grasp(self, t_ns: int, point: Where) -> tuple[Magnet, int, Pose]:
        """The topmost stone on a point, when it is free, and where it lies then."""
        t_ns = self._begin(t_ns)
        at = _index(point)
        found: tuple[Magnet, Pose] | None = None
        for stone in self._stones:
            pose = stone.aim(t_ns)
            if pose is None or nearest(pose.x_mm, pose.y_mm) != at:
                continue
            if found is None or pose.height_mm > found[1].height_mm:
                found = (stone, pose)
        if found is None:
            raise HandError(f"there is no stone on {sensor_name(at)}")
        return found[0], self._free_ns(found[0], t_ns, found[1]), found[1]

    def _free_ns(self, stone: Magnet, t_ns: int, pose: Pose) -> int:
        """When what a stone (which lies or will lie at `pose`) is in the middle of at `t_ns` has ended."""
        if any(m.start_ns > t_ns for m in stone.motions):
            at = nearest(pose.x_mm, pose.y_mm)
            where = "beside the board" if at is None else f"on {sensor_name(at)}"
            raise HandError(f"the stone {where} is to be moved later already")
        return max((t_ns, *(m.end_ns for m in stone.motions)))

    def _observe_until(self, t_ns: int) -> None:
        """Let sensors with a memory see every field between the last reading and this one."""
        at_ns = self._now_ns
        while at_ns < t_ns:
            field = self._field(at_ns)
            self._electronics.observe(at_ns, field)
            at_ns = at_ns + self._electronics.step_ns if self._moving else max(self._valid[1], at_ns + 1)

    def _field(self, t_ns: int) -> Field:
        if not self._valid[0] <= t_ns < self._valid[1]:
            self._sort_out(t_ns)
        if not self._moving:
            return self._steady
        field = self._steady.copy()
        for magnet in self._moving:
            field += dipole_field(magnet.pose(t_ns), magnet.strength)
        return field

    def _sort_out(self, t_ns: int) -> None:
        """Divide the magnets at `t_ns` into those that rest and those that move, up to the next change."""
        next_ns = _NEVER
        moving, resting, here = [], [], []
        for magnet in (*self._stones, *self._passing):
            gone = False
            while magnet.motions and magnet.motions[0].end_ns <= t_ns:
                done = magnet.motions.pop(0)
                magnet.rest, gone = done.rest, done.gone
            if gone:
                continue
            here.append(magnet)
            if not magnet.motions:
                resting.append(magnet)
                continue
            first = magnet.motions[0]
            begun = first.start_ns <= t_ns
            next_ns = min(next_ns, first.end_ns if begun else first.start_ns)
            if begun:
                moving.append(magnet)
            elif magnet.rest.height_mm < AWAY_MM:
                resting.append(magnet)
        self._stones = [s for s in self._stones if s in here]
        self._passing = [s for s in self._passing if s in here]
        self._moving = moving
        self._steady = np.sum([s.rest_field() for s in resting], axis=0) if resting else np.zeros(SENSORS)
        self._valid = (t_ns, next_ns)


def _index(where: Where) -> int:
    try:
        return sensor_index(where)
    except ValueError as error:
        raise HandError(str(error)) from error


def _strength(colour: StoneColour, strength: float) -> float:
    if colour not in ("black", "white"):
        raise HandError(f"{colour!r} is not a colour; allowed: black, white")
    return strength if colour == "black" else -strength
