"""A hand: how stones come down, leave, slide, bounce and are swept away, as functions of time.

A `Motion` is a list of legs from pose to pose; where a stone is at an instant follows from it alone. `Hand`
draws the human part (where exactly, how fast, a shuffle at the end) from its own generator, so the same seed
and the same verbs give the same motions. Speeds and times are plausible for players, not measured: a stone
comes down from 6 cm in 100 to 150 ms and lands up to 3 mm beside the point.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

import numpy as np

from hw.simulator.physics import PITCH_X_MM, PITCH_Y_MM, SIZE, Pose, position

MS: Final = 1_000_000

HIGH_MM: Final = 60.0
AWAY_MM: Final = 120.0
STONE_MM: Final = 7.0
"""Thickness of a stone: how much higher a second one lies on top of it."""

Ease = Literal["hand", "even", "fall", "rise"]


class Leg(NamedTuple):
    """From pose to pose. `ease`: a hand (minimum jerk), even speed, a free fall, or a bounce upwards."""

    start_ns: int
    end_ns: int
    begin: Pose
    end: Pose
    ease: Ease = "hand"

    def pose(self, t_ns: int) -> Pose:
        """Pose within the leg; before it the begin, after it the end."""
        if t_ns >= self.end_ns:
            return self.end
        if t_ns <= self.start_ns:
            return self.begin
        s = (t_ns - self.start_ns) / (self.end_ns - self.start_ns)
        if self.ease == "hand":
            s = s * s * s * (10 - 15 * s + 6 * s * s)
        u = {"fall": s * s, "rise": s * (2 - s)}.get(self.ease, s)
        flat = s if self.ease in ("fall", "rise") else u
        a, b = self.begin, self.end
        return Pose(
            a.x_mm + (b.x_mm - a.x_mm) * flat,
            a.y_mm + (b.y_mm - a.y_mm) * flat,
            a.height_mm + (b.height_mm - a.height_mm) * u,
            a.tilt_x + (b.tilt_x - a.tilt_x) * flat,
            a.tilt_y + (b.tilt_y - a.tilt_y) * flat,
        )


class Motion(NamedTuple):
    """One thing done to one stone.

    `touch_ns`: the first contact of a stone that comes down, or the instant at which one leaves its place.
    `gone`: the stone is in the hand or the bowl at the end.
    """

    legs: tuple[Leg, ...]
    touch_ns: int
    gone: bool = False

    @property
    def start_ns(self) -> int:
        """When the stone begins to move."""
        return self.legs[0].start_ns

    @property
    def end_ns(self) -> int:
        """When it is at rest, or gone."""
        return self.legs[-1].end_ns

    @property
    def rest(self) -> Pose:
        """Where it is at the end."""
        return self.legs[-1].end

    def pose(self, t_ns: int) -> Pose:
        """Where it is at `t_ns`."""
        for leg in self.legs:
            if t_ns < leg.end_ns:
                return leg.pose(t_ns)
        return self.rest


class Habits(NamedTuple):
    """How a hand works; ranges are drawn from evenly.

    `down_ms`, `up_ms`: coming down from and going up to `HIGH_MM`; `scatter_mm`: how far from the point a
    stone lands; `shuffle`: how often it is set right by up to `shuffle_mm` after landing.
    """

    down_ms: tuple[float, float] = (100.0, 150.0)
    up_ms: tuple[float, float] = (90.0, 160.0)
    scatter_mm: tuple[float, float] = (0.5, 3.0)
    shuffle: float = 0.4
    shuffle_mm: float = 0.8
    tilt_rad: float = 0.15


class Hand:
    """Makes motions; it knows poses, not stones. All instants in ns, speeds in mm/s."""

    def __init__(self, seed: int = 0, habits: Habits = Habits()) -> None:  # noqa: B008 - immutable
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self.habits = habits

    def beside(self, point: int) -> Pose:
        """Where a stone meant for a point really comes to lie."""
        x, y = position(point)
        far, angle = self._between(*self.habits.scatter_mm), self._between(0, 2 * math.pi)
        return Pose(x + far * math.cos(angle), y + far * math.sin(angle))

    def place(self, t_ns: int, point: int, height_mm: float = 0.0) -> Motion:
        """A stone comes down on a point, on top of whatever lies `height_mm` high there."""
        rest = self.beside(point)._replace(height_mm=height_mm)
        legs = self._come_down(t_ns, rest)
        touch_ns = legs[-1].end_ns
        return Motion((*legs, *self._shuffle(touch_ns, rest)), touch_ns)

    def place_sliding(self, t_ns: int, path: Sequence[int], speed: float, rest_ms: float) -> Motion:
        """A stone touches down on the first point of a path, stays `rest_ms`, and is pushed to the others."""
        start = self.beside(path[0])
        legs = self._come_down(t_ns, start)
        touch_ns = legs[-1].end_ns
        pushed = self._push(touch_ns + int(rest_ms * MS), start, path[1:], speed)
        return Motion((*legs, *pushed), touch_ns)

    def slide(self, t_ns: int, stone: Pose, path: Sequence[int], speed: float) -> Motion:
        """A stone is pushed along the board through each point of `path`, straight from one to the next."""
        return Motion(tuple(self._push(t_ns, stone, path, speed)), t_ns)

    def lift(self, t_ns: int, stone: Pose) -> Motion:
        """A stone is taken off the board."""
        return Motion((self._go_up(t_ns, stone, AWAY_MM),), t_ns, gone=True)

    def move(self, t_ns: int, stone: Pose, to: int, carry_ms: float, height_mm: float = 0.0) -> Motion:
        """A stone is lifted, carried through the air, and put on another point."""
        up = self._go_up(t_ns, stone, HIGH_MM)
        rest = self.beside(to)._replace(height_mm=height_mm)
        over = rest._replace(height_mm=HIGH_MM + height_mm)
        carry = Leg(up.end_ns, up.end_ns + int(carry_ms * MS), up.end, over)
        down = self._come_down(carry.end_ns, rest, begin=over)
        return Motion((up, carry, *down, *self._shuffle(down[-1].end_ns, rest)), t_ns)

    def adjust(self, t_ns: int, stone: Pose, point: int, hold_ms: float) -> Motion:
        """A stone is lifted a little, held, and set down again on its point."""
        height = self._between(15, 40)
        up = self._go_up(t_ns, stone, height)
        rest = self.beside(point)
        hold_end = up.end_ns + int(hold_ms * MS)
        over = rest._replace(height_mm=height)
        hold = Leg(up.end_ns, hold_end, up.end, over)
        return Motion((up, hold, *self._come_down(hold_end, rest, begin=over)), t_ns)

    def nudge(self, t_ns: int, stone: Pose, point: int) -> Motion:
        """A stone is straightened by a fingertip: out by some millimetres and back to its point."""
        angle, far = self._between(0, 2 * math.pi), self._between(2.0, 5.0)
        out = stone._replace(x_mm=stone.x_mm + far * math.cos(angle), y_mm=stone.y_mm + far * math.sin(angle))
        turn_ns = t_ns + int(self._between(40, 90) * MS)
        back = Leg(turn_ns, turn_ns + int(self._between(50, 120) * MS), out, self.beside(point))
        return Motion((Leg(t_ns, turn_ns, stone, out), back), t_ns)

    def drop(self, t_ns: int, point: int, bounces: int = 2) -> Motion:
        """A stone slips out of the hand above a point, falls, and bounces to rest some millimetres away."""
        x, y = position(point)
        here = Pose(x + self._between(-5, 5), y + self._between(-5, 5))
        tilt = self._between(-0.4, 0.4)
        legs = [_fall(t_ns, here._replace(height_mm=HIGH_MM, tilt_x=tilt), here)]
        touch_ns = legs[0].end_ns
        height = HIGH_MM
        for _ in range(bounces):
            height *= self._between(0.08, 0.2)
            there = Pose(here.x_mm + self._between(-2, 2), here.y_mm + self._between(-2, 2))
            top = Pose((here.x_mm + there.x_mm) / 2, (here.y_mm + there.y_mm) / 2, height)
            up_ns = legs[-1].end_ns
            legs.append(Leg(up_ns, up_ns + _fall_ns(height), here, top, "rise"))
            legs.append(_fall(legs[-1].end_ns, top, there))
            here = there
        return Motion(tuple(legs), touch_ns)

    def sweep(
        self, t_ns: int, stones: Sequence[Pose], toward: tuple[float, float], speed: float
    ) -> list[Motion]:
        """A sleeve drags over stones along `toward` (x, y): each goes some way with it, off its own line.

        The arm meets the stones one after the other at `speed`; a stone may be pushed over the edge (gone).
        """
        length = math.hypot(*toward) or 1.0
        ux, uy = toward[0] / length, toward[1] / length
        along = [p.x_mm * ux + p.y_mm * uy for p in stones]
        first = min(along, default=0.0)
        motions = []
        for stone, reach in zip(stones, along, strict=True):
            met_ns = t_ns + int((reach - first) / speed * 1e9)
            far, aside = self._between(15, 60), self._between(-15, 15)
            rest = Pose(stone.x_mm + ux * far - uy * aside, stone.y_mm + uy * far + ux * aside)
            gone = not (
                -PITCH_X_MM < rest.x_mm < SIZE * PITCH_X_MM and -PITCH_Y_MM < rest.y_mm < SIZE * PITCH_Y_MM
            )
            took_ns = int(far / speed * self._between(1.0, 1.6) * 1e9)
            motions.append(Motion((Leg(met_ns, met_ns + took_ns, stone, rest, "even"),), met_ns, gone))
        return motions

    def _between(self, low: float, high: float) -> float:
        return float(self._rng.uniform(low, high))

    def _come_down(self, t_ns: int, rest: Pose, begin: Pose | None = None) -> list[Leg]:
        """Down to a pose; the stone lands on an edge and lies flat a moment before the leg ends."""
        tilt = self._between(-self.habits.tilt_rad, self.habits.tilt_rad)
        start = begin or rest._replace(
            x_mm=rest.x_mm + self._between(-4, 4),
            y_mm=rest.y_mm + self._between(-4, 4),
            height_mm=rest.height_mm + HIGH_MM,
            tilt_x=tilt,
            tilt_y=-tilt / 2,
        )
        share = max(0.3, (start.height_mm - rest.height_mm) / HIGH_MM)
        took_ns = int(self._between(*self.habits.down_ms) * share * MS)
        return [Leg(t_ns, t_ns + took_ns, start, rest)]

    def _go_up(self, t_ns: int, stone: Pose, height_mm: float) -> Leg:
        share = max(0.3, height_mm / HIGH_MM)
        took_ns = int(self._between(*self.habits.up_ms) * share * MS)
        return Leg(
            t_ns,
            t_ns + took_ns,
            stone,
            Pose(
                stone.x_mm + self._between(-8, 8),
                stone.y_mm + self._between(-8, 8),
                stone.height_mm + height_mm,
                self._between(-self.habits.tilt_rad, self.habits.tilt_rad),
            ),
        )

    def _shuffle(self, t_ns: int, rest: Pose) -> list[Leg]:
        """Sometimes the fingers set a stone right before they leave it."""
        if self._between(0, 1) >= self.habits.shuffle:
            return []
        far = self.habits.shuffle_mm
        end = rest._replace(
            x_mm=rest.x_mm + self._between(-far, far), y_mm=rest.y_mm + self._between(-far, far)
        )
        start_ns = t_ns + int(self._between(10, 40) * MS)
        return [Leg(start_ns, start_ns + int(self._between(30, 90) * MS), rest, end)]

    def _push(self, t_ns: int, stone: Pose, path: Sequence[int], speed: float) -> list[Leg]:
        """Even speed through the points between, at ease at the last."""
        poses = [stone, *(self.beside(p) for p in path)]
        legs: list[Leg] = []
        for here, there in pairwise(poses):
            far = math.hypot(there.x_mm - here.x_mm, there.y_mm - here.y_mm)
            legs.append(Leg(t_ns, t_ns + max(1, int(far / speed * 1e9)), here, there, "even"))
            t_ns = legs[-1].end_ns
        return legs


def _fall_ns(height_mm: float) -> int:
    """Time of a free fall."""
    return int(math.sqrt(2 * height_mm / 9810.0) * 1e9)


def _fall(t_ns: int, begin: Pose, end: Pose) -> Leg:
    return Leg(t_ns, t_ns + _fall_ns(begin.height_mm), begin, end, "fall")
