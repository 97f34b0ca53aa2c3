"""What each linear sensor reads without a stone, with one, and how much it trembles.

All arrays have 225 float32 values in counts, in point order. A reading is

    base + field + level + noise

`base`: the sensor's own zero, which drifts slowly. `field`: what lies smoothly over many sensors (a phone
beside the board), estimated from the neighbours. `level`: what the stones at rest add here. What is left,
`deviation`, is something that happens just now. Statistics are made once a block of frames, not each frame.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware_host.board import POINTS, SIZE
from firmware_host.sensing.settings import MS, SensingSettings
from firmware_host.sensing.stored import StoredCalibration

Counts = NDArray[np.float32]
Flags = NDArray[np.bool_]

BLOCK_NS: Final = 70 * MS
BLOCK_FRAMES: Final = 5
"""A block has at least so many frames and lasts at least so long."""
STEP_NS: Final = 20 * MS
"""No more than this is known of the time between two frames."""
ROWS: Final = 128
"""More frames than a block has at 1000 Hz."""

QUICK_NS: Final = 5.0 * MS
SMOOTH_NS: Final = 15.0 * MS
"""Time constants of the filter on a quiet and on a noisy board."""
NOISY_BOARD: Final = 2.6

FOLLOW_NS: Final = 4.0e9
"""Time constant with which zeros follow what lies over all sensors (temperature)."""
OWN_NS: Final = 5.0e9
"""The same for what one sensor does alone."""
STRANGE_NS: Final = 20.0e9
"""The same for what an empty point reads since something happened there."""
CROWDED: Final = 3
"""With fewer calm neighbours than this the mean over the board stands for the field."""
FIELD_SENSORS: Final = 12
"""So many sensors under a field make an interference."""
FAR_ZERO: Final = 8.0
"""How far a sensor's zero may be from nothing."""
FAR_OFF: Final = 60.0
"""Deviations are counted no higher in a mean."""
SURPRISE: Final = 2.0
SURPRISE_KNOWN: Final = 1.5
"""How much more than the least reading of a stone one must be at the start where none is expected: an unknown
zero may lie far off, one that was measured has only wandered since."""
LEARNED: Final = (0.62, 1.45)
"""A stone between these shares of a sound one's reading tells how sensitive its sensor is."""
WANDERS: Final = 0.5
"""How far a zero may wander in a second, in counts."""
SHARED: Final = 0.25
NEARBY: Final = 3
"""Where a point's neighbours read more than this share of what it does, no zero up to so many points away has
wandered: a field is there."""


class Around:
    """For each point the sum over the up to eight points beside it."""

    def __init__(self) -> None:
        self._grid = np.zeros((SIZE + 2, SIZE + 2), np.float32)
        self._inner = self._grid[1:-1, 1:-1]
        self._rows = np.zeros((SIZE, SIZE + 2), np.float32)

    def __call__(self, values: Counts) -> Counts:
        """225 sums of 225 values."""
        square = values.reshape(SIZE, SIZE)
        self._inner[:] = square
        grid, rows = self._grid, self._rows
        np.add(grid[:-2], grid[1:-1], rows)
        np.add(rows, grid[2:], rows)
        total: Counts = rows[:, :-2] - square
        total += rows[:, 1:-1]
        total += rows[:, 2:]
        return total.reshape(POINTS)


class Block:
    """Statistics of one block of frames.

    `zigzag`: how much neighbouring frames differ beyond a steady change; `same`: all were the very same.
    `watched_ns`: the part of its duration of which something is known.
    """

    __slots__ = ("duration_ns", "mean", "same", "steps", "watched_ns", "zigzag")

    def __init__(self, wide: Counts, duration_ns: int) -> None:
        n = len(wide)
        self.steps = n - 1
        self.duration_ns = duration_ns
        self.watched_ns = min(duration_ns, n * STEP_NS)
        self.mean: Counts = np.add.reduce(wide, axis=0) / n
        steps = np.abs(wide[1:] - wide[:-1])
        walked = np.add.reduce(steps, axis=0)
        self.zigzag: Counts = (walked - np.abs(wide[-1] - wide[0])) / (n - 1)
        self.same: Flags = walked == 0


class Calibration:
    """Zeros, levels and noise of the board; see the module."""

    def __init__(self, settings: SensingSettings, stored: StoredCalibration | None = None) -> None:
        self._settings = settings
        self.reading: Counts = np.zeros(POINTS, np.float32)
        self.base: Counts = np.zeros(POINTS, np.float32)
        self.level: Counts = np.zeros(POINTS, np.float32)
        self.field: Counts = np.zeros(POINTS, np.float32)
        self.gain: Counts = np.zeros(POINTS, np.float32)
        self._zero: Counts = np.zeros(POINTS, np.float32)
        self._known: Flags = np.zeros(POINTS, np.bool_)
        """Sensors whose zero and gain were known before the first frame."""
        if stored is not None:
            self._take_stored(stored)
        self.steady: Flags = np.ones(POINTS, np.bool_)
        """Sensors that may tell of base and field: neither masked nor active."""
        self.masked: Flags = np.zeros(POINTS, np.bool_)
        self.sign = np.zeros(POINTS, np.int8)
        self.noise = 1.0
        self.rest: Counts = np.zeros(POINTS, np.float32)
        self.interference = False
        self._size: Counts = np.zeros(POINTS, np.float32)
        self._hot: Flags = np.zeros(POINTS, np.bool_)
        self._around = Around()
        self._calm_key = b""
        self._calm_count = 1.0
        self._weights = self._shares = self.base
        self._crowded = np.zeros(0, np.intp)
        self._rows = np.zeros((ROWS, POINTS), np.float32)
        self._row_views = list(self._rows)
        self._share = np.ones(POINTS, np.float32)
        self._dt = 0
        self.limit: Counts = np.full(POINTS, 5.0, np.float32)
        """The deviation up to which each sensor is at rest: noise, more under a field, any if masked."""
        self._count = 0
        self._block_ns = 0
        self._t_ns = -(1 << 62)
        self._noise_blocks: list[Counts] = []
        self._field_since_ns = -1
        self._still_since_ns = -1
        self.threshold = 5.0
        self.filtered_noise = 1.0
        self.period_ns = 5 * MS
        self.filter_ns = QUICK_NS

    def _take_stored(self, stored: StoredCalibration) -> None:
        gain = np.array(stored.gain, np.float32)
        sound = self._settings.sound_counts
        self._zero[:] = stored.zero
        self._known[:] = gain > 0
        # A gain that was measured with a bad stone must not make a stone in the air a sound one at rest.
        self.gain[:] = np.clip(gain, LEARNED[0] * sound, LEARNED[1] * sound) * self._known

    def take(self, t_ns: int, readings: bytes) -> Flags | None:
        """Filter one frame; gives the points whose deviation is more than noise, None where there are none.

        The answer is valid until the next frame.
        """
        row = self._row_views[self._count]
        row[:] = np.frombuffer(readings, np.int8)
        size = self._size
        dt = t_ns - self._t_ns
        self._t_ns = t_ns
        if self._count < ROWS - 1:
            self._count += 1
        np.subtract(row, self.reading, size)
        if dt != self._dt:
            self._dt = dt
            self._share[:] = dt / (dt + self.filter_ns)
        np.multiply(size, self._share, size)
        np.add(self.reading, size, self.reading)
        np.subtract(self.reading, self.rest, size)
        np.abs(size, size)
        hot = np.greater(size, self.limit, self._hot)
        return hot if bool(hot[hot.argmax()]) else None

    def block(self, t_ns: int) -> Block | None:
        """The block that ends with this frame, if one does."""
        if self._count < BLOCK_FRAMES or t_ns - self._block_ns < BLOCK_NS:
            return None
        block = Block(self._rows[: self._count], t_ns - self._block_ns)
        self.period_ns = block.duration_ns // self._count
        self._block_ns = t_ns
        self._count = 0
        return block

    def forget_block(self, t_ns: int) -> None:
        """Begin a new block: frames were lost."""
        self._count = 0
        self._block_ns = t_ns

    def begin(self, mean: Counts, error: float, expected: str | None) -> None:
        """Take the first look: which readings are zeros and which are stones.

        `mean` is known to `error` counts (one sigma); `expected` as in `FrontEnd.expect`.
        """
        least = max(self._settings.on_counts, FAR_ZERO + 4.0 * error)
        off = mean - self._zero
        plain = np.abs(off) < FAR_OFF
        shift = float(np.median(off[plain])) if plain.sum() > POINTS // 2 else 0.0
        if abs(shift) < least / 4:
            shift = 0.0
        field = np.zeros(POINTS, np.float32)
        off -= np.float32(shift)
        calm = np.abs(off) < 0.6 * self._settings.sound_counts
        # weak stones read as much as a field, but what lies around them does not
        least_field = self._settings.field_counts
        shared = (np.abs(off) >= least_field) & (np.abs(self._middle(off)) >= least_field)
        if (calm & shared).sum() >= FIELD_SENSORS:
            field = self._smooth(off.astype(np.float32), calm)
        own = off - field
        disturbed = bool(field.any())
        for p in range(POINTS):
            m = float(own[p])
            awaited = expected[p] if expected else "?"
            known = self._known[p] and not disturbed
            limit = least * (float(self.gain[p]) / self._settings.sound_counts if known else 1.0)
            if awaited not in ("?", "X" if m > 0 else "O"):
                limit *= SURPRISE_KNOWN if known else SURPRISE
            if abs(m) >= limit:
                self.sign[p] = 1 if m > 0 else -1
                self.level[p] = m
                self.base[p] = self._zero[p] + shift
                self._learn_gain(p, abs(m))
            else:
                self.base[p] = mean[p] - field[p]
        self.field[:] = field
        self.update_rest()

    def take_up(self, mean: Counts, gap_ns: int) -> None:
        """Let zeros be where they may have wandered while no frame came for `gap_ns`; now they read `mean`.

        What is more than that is something that happened. Under a field nothing is taken for a zero.
        """
        known = ~self.masked
        empty = self.sign == 0
        off = np.where(known, mean - self.rest, 0).astype(np.float32)
        shift = np.float32(np.median(off[known])) if known.any() else np.float32(0)
        off -= shift
        own = off + self.field + self.level * empty
        # stones are not in the middle of their neighbours, and the mean is steady where all wander
        smooth = self._smooth(np.clip(own, -FAR_OFF, FAR_OFF), known)
        field = np.minimum(np.abs(smooth), np.abs(self._middle(mean - shift)))
        if self.interference or np.count_nonzero(field > self._settings.field_counts) >= FIELD_SENSORS:
            return
        wandered = np.abs(off) < min(self._settings.on_counts, self.threshold + WANDERS * gap_ns / 1e9)
        self.base += shift
        if known.any():
            wandered |= empty & (np.abs(mean - np.median(self.base[known])) < FAR_ZERO)
        shared = ~wandered & empty & (smooth * np.sign(own) > SHARED * np.abs(own))
        for _ in range(NEARBY):
            shared |= self._around(shared.astype(np.float32)) > 0
        wandered &= known & ~shared
        self.base += (off + self.field + self.level * empty) * wandered
        self.field[wandered] = 0.0
        self.level[wandered & empty] = 0.0
        self.update_rest()

    def update_rest(self) -> None:
        """Recompute `rest` after a change of base, level or field."""
        np.add(self.base, self.level, out=self.rest)
        self.rest += self.field
        self.limit[:] = self.threshold
        if self.interference:
            self.limit += np.abs(self.field) * np.float32(0.2)
        self.limit[self.masked] = np.inf

    def settle(self, p: int, reading: float, sign: int) -> None:
        """A stone of `sign` (0: none) lies on `p`, and this is what the sensor reads now."""
        self.sign[p] = sign
        self.level[p] = reading - self.base[p] - self.field[p]
        if sign:
            self._learn_gain(p, abs(float(self.level[p])))
        self.rest[p] = reading

    def leave(self, p: int) -> None:
        """The stone on `p` has gone."""
        self.sign[p] = 0
        self.level[p] = 0.0
        self.rest[p] = self.base[p] + self.field[p]

    def zero(self, p: int, reading: float) -> None:
        """Nothing lies on `p`, and this is what the sensor reads now."""
        self.sign[p] = 0
        self.level[p] = 0.0
        self.base[p] = reading - self.field[p]
        self.rest[p] = reading

    def sound(self, p: int) -> float:
        """What a sound stone reads on `p`: as seen there before, or on an average sensor."""
        return float(self.gain[p]) or self._settings.sound_counts

    def _learn_gain(self, p: int, size: float) -> None:
        sound = float(self.gain[p]) if self._known[p] else self._settings.sound_counts
        if size >= LEARNED[0] * sound:
            self.gain[p] = min(size, LEARNED[1] * sound) if not self.gain[p] else 0.5 * (self.gain[p] + size)

    def follow(self, block: Block, t_ns: int, crowd: bool) -> None:
        """Let zeros follow their drift and the field be what the calm sensors share."""
        rest = block.mean - self.base - self.level
        np.minimum(rest, FAR_OFF, out=rest)
        np.maximum(rest, -FAR_OFF, out=rest)
        steady = self.steady
        rough = crowd or self.interference
        field = self._middle(block.mean) if rough else self._smooth(rest, steady)
        self._judge_field(field, t_ns)
        if rough:
            self.field[:] = field
        else:
            own = rest - field
            own *= self._weights
            own *= np.float32(min(0.5, block.duration_ns / OWN_NS))  # a long block must not overshoot
            self.level += own * (self.sign != 0)
            empty = self.sign == 0
            own *= empty
            strange = self.level * empty
            strange *= np.float32(min(0.5, block.duration_ns / STRANGE_NS))
            self.level -= strange
            own += strange
            self.base += own
            share = min(0.5, block.duration_ns / OWN_NS)
            common = field * np.float32(share)
            more = min(0.5, block.duration_ns / FOLLOW_NS) - share
            common += np.float32(float(np.add.reduce(field)) / POINTS * more)
            self.base += common
            np.subtract(field, common, out=self.field)
        self.update_rest()
        # the steady change was taken off by as much as one of the steps of noise
        self._noise_blocks.append(block.zigzag * np.float32(block.steps / (block.steps - 1)))
        if len(self._noise_blocks) >= 8:
            self._judge_noise()

    def sudden(self) -> None:
        """Take the field anew from this frame alone: many sensors have gone off at once."""
        self.field[:] = self._middle(self.reading)
        self.update_rest()

    def _middle(self, reading: Counts) -> Counts:
        """The middle one of the neighbours of each point: whole lines may lie, and stones be on the move.

        What an empty point reads beyond its zero counts as field, though it was taken for its rest: under a
        field that rest is the field's own, and left out of it would keep the field alive when it has gone.
        """
        rest = reading - self.base - self.level * (self.sign != 0)
        grid = np.full((SIZE + 2, SIZE + 2), np.nan, np.float32)
        grid[1:-1, 1:-1] = np.where(self.masked, np.nan, rest).reshape(SIZE, SIZE)
        beside = [grid[r : r + SIZE, c : c + SIZE] for r in range(3) for c in range(3) if (r, c) != (1, 1)]
        stack = np.sort(np.stack(beside).reshape(8, POINTS), axis=0)
        known = 8 - np.isnan(stack).sum(axis=0)
        low = stack[np.maximum(known - 1, 0) // 2, np.arange(POINTS)]
        high = stack[np.minimum(known // 2, 7), np.arange(POINTS)]
        middle = np.where(known > 0, 0.5 * (low + np.where(np.isnan(high), low, high)), 0.0)
        return np.nan_to_num(middle).astype(np.float32)

    def _smooth(self, rest: Counts, steady: Flags) -> Counts:
        """The mean of the calm neighbours of each point; the mean of all where there are too few of them."""
        key = steady.tobytes()
        if key != self._calm_key:
            self._calm_key = key
            count = self._around(steady.astype(np.float32))
            self._crowded = np.flatnonzero(count < CROWDED)
            self._weights = steady.astype(np.float32)
            self._calm_count = max(1.0, float(self._weights.sum()))
            self._shares = (1 / np.maximum(count, 1)).astype(np.float32)
        calm = rest * self._weights
        field = self._around(calm)
        field *= self._shares
        if self._crowded.size:
            field[self._crowded] = np.add.reduce(calm) / self._calm_count
        return field

    def _judge_field(self, field: Counts, t_ns: int) -> None:
        limit = self._settings.field_counts * (0.6 if self.interference else 1.0)
        over = np.count_nonzero(np.abs(field) > limit)
        wants = bool(over >= (FIELD_SENSORS // 2 if self.interference else FIELD_SENSORS))
        if wants == self.interference:
            self._field_since_ns = -1
        elif self._field_since_ns < 0:
            self._field_since_ns = t_ns
        elif t_ns - self._field_since_ns >= (500 * MS if self.interference else 200 * MS):
            self.interference = wants
            self._field_since_ns = -1

    def _judge_noise(self) -> None:
        """Noise of the middle sensor; Gaussian frames differ by 1.128 sigma, whole counts by a bit more."""
        mean = np.add.reduce(np.array(self._noise_blocks), axis=0) / len(self._noise_blocks)
        self._noise_blocks.clear()
        sigma = float(np.median(mean)) / 1.19
        self.noise += (sigma - self.noise) * 0.5
        self.filter_ns = QUICK_NS if self.noise < NOISY_BOARD else SMOOTH_NS
        share = self.period_ns / (self.period_ns + self.filter_ns)
        self.filtered_noise = max(0.3, self.noise * (share / (2 - share)) ** 0.5)
        self.threshold = max(5.0, 4.5 * self.filtered_noise + 1.0)
        self._dt = 0
