"""Stones swept over the points of a board of linear sensors: what each sensor reads of one at most.

A stone that is pushed along the board passes over the middle of each point, so the highest reading of a
sensor is that of a sound stone at rest, whatever the order and the speed. It only grows: a point that was
passed too high or beside its middle is swept again.
"""

from collections import deque
from typing import Final

import numpy as np

from firmware_host.board import POINTS, Point
from firmware_host.sensing.calibration import Counts
from firmware_host.sensing.stored import GAIN_COUNTS, ZERO_COUNTS, StoredCalibration

WINDOW_NS: Final = 25_000_000
"""A reading is the mean over so much time: noise alone must not be the highest, nor a quick hand be lost."""
LEAST_COUNTS: Final = 32.0
"""A magnet that went by reads at least so much; less may be one that passed beside."""
HAND: Final = 0.9
"""A hand passes beside the middle of most points: so much of a sound stone's reading it shows, as the
simulator's hands do, which pass up to 3 mm beside."""
DONE: Final = 0.6
"""A sensor has been swept once it has read this share of what the middle one of the swept ones has."""


class Sweep:
    """The highest reading of each sensor over its zero, frame by frame; `zero`: 225 counts."""

    def __init__(self, zero: Counts) -> None:
        self._zero = zero
        self._last: deque[tuple[int, Counts]] = deque()
        self.black: Counts = np.zeros(POINTS, np.float32)
        self.white: Counts = np.zeros(POINTS, np.float32)
        """The highest of each sign, in counts from 0; white ones too are positive."""

    def take(self, t_ns: int, readings: bytes) -> None:
        """One frame, 225 signed bytes in plane order; frames come in the order of time."""
        last = self._last
        last.append((t_ns, np.frombuffer(readings, np.int8).astype(np.float32)))
        while t_ns - last[0][0] >= WINDOW_NS:
            last.popleft()
        off = np.mean([row for _, row in last], axis=0, dtype=np.float32) - self._zero
        np.maximum(self.black, off, out=self.black)
        np.maximum(self.white, -off, out=self.white)

    @property
    def gain(self) -> Counts:
        """What a sound stone reads over each sensor, in counts; 0 where none has passed."""
        passed = np.stack([self.black, self.white])
        passed[passed < LEAST_COUNTS] = 0
        count = (passed > 0).sum(axis=0)
        gain: Counts = (passed.sum(axis=0) / np.maximum(count, 1)).astype(np.float32)
        return gain

    @property
    def done(self) -> frozenset[Point]:
        """The sensors that a stone has passed over."""
        gain = self.gain
        known = gain[gain > 0]
        least = DONE * float(np.median(known)) if known.size else LEAST_COUNTS
        return frozenset(np.flatnonzero(gain >= max(least, LEAST_COUNTS)).tolist())

    def stored(self, faulty: frozenset[Point] = frozenset()) -> StoredCalibration:
        """What sensing is to begin with: for sensors at fault and those not swept nothing is known."""
        low, high = GAIN_COUNTS
        gain = [
            0.0 if value == 0 or p in faulty else min(max(value / HAND, low), high)
            for p, value in enumerate(self.gain.tolist())
        ]
        zero = [0.0 if p in faulty else value for p, value in enumerate(self._zero.tolist())]
        return StoredCalibration(
            zero=tuple(round(min(max(value, -ZERO_COUNTS), ZERO_COUNTS), 2) for value in zero),
            gain=tuple(round(value, 1) for value in gain),
        )
