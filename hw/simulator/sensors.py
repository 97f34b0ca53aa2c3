"""Sensors and what is wrong with them: field in millitesla in, one frame of readings out.

Both kinds are deterministic: the same seed, fields and instants give the same readings. Noise is a set of
frames drawn once from the seed, of which each instant picks one; so a frame costs no generator, and while the
field stands still not even arithmetic.
"""

from typing import Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hw import POLE_COUNTS, Sensors
from hw.simulator.physics import REST_MT, SENSORS, Field

COUNTS_PER_MT: Final = 92.0 / REST_MT
"""A full-strength stone at rest reads 92 at gain 1."""
RAIL: Final = 127

_POOL: Final = 1024
_SOON: Final = 32
"""So many frames of an unchanged field are added up one by one, before all that can follow are at once."""
_DRIFT_STEP_NS: Final = 100_000_000
_FOREVER: Final = 1 << 62
_FLIPS_PER_BYTE: Final = 90

FaultKind = Literal["stuck", "dead", "noisy"]


class SensorFault(NamedTuple):
    """Sensors that lie from `since_ns` until `until_ns`.

    `stuck`: always `value`. `dead`: always 0. `noisy`: `value` counts of noise (linear), or a contact that
    flutters (switch).
    """

    kind: FaultKind
    sensors: tuple[int, ...]
    since_ns: int
    until_ns: int = _FOREVER
    value: int = 0


class _Electronics:
    """What both kinds share: the fault list and the instant between which it does not change."""

    def __init__(self) -> None:
        self._faults: list[SensorFault] = []
        self._valid = (0, 0)

    def fail(self, fault: SensorFault) -> None:
        """Schedule a fault."""
        self._faults.append(fault)
        self._valid = (0, 0)

    def mend(self, fault: SensorFault, t_ns: int) -> None:
        """End a fault at `t_ns`."""
        self._faults = [f._replace(until_ns=t_ns) if f == fault else f for f in self._faults]
        self._valid = (0, 0)

    def _active(self, t_ns: int) -> list[SensorFault]:
        """Faults at `t_ns`; sets `_valid`, the span around it in which these are the ones."""
        edges = [e for f in self._faults for e in (f.since_ns, f.until_ns)]
        before = max((e for e in edges if e <= t_ns), default=-_FOREVER)
        after = min((e for e in edges if e > t_ns), default=_FOREVER)
        self._valid = (before, after)
        return [f for f in self._faults if f.since_ns <= t_ns < f.until_ns]


def _spin(t_ns: int, key: int) -> int:
    """A well mixed number 0..1023 of an instant (Fibonacci hashing)."""
    return ((t_ns + key) * 0x9E3779B97F4A7C15 >> 24) & (_POOL - 1)


class LinearSensors(_Electronics):
    """225 linear Hall sensors: counts = gain * field + offset + drift + noise, whole numbers -127..127.

    Gains are uniform in 1 +- `gain_spread`, offsets in +- `offset_counts`; noise is Gaussian with sigma
    `noise_counts`; drift is a slow sine of its own phase for each sensor, `drift_counts` high and
    `drift_period_s` long, that starts from nothing.
    """

    sensors: Final[Sensors] = "linear"
    step_ns: Final[int] = 0
    """Linear sensors have no memory: the field between two readings does not matter."""

    def __init__(
        self,
        seed: int = 0,
        *,
        gain_spread: float = 0.3,
        offset_counts: float = 3.0,
        noise_counts: float = 2.0,
        drift_counts: float = 0.0,
        drift_period_s: float = 300.0,
    ) -> None:
        super().__init__()
        rng = np.random.Generator(np.random.PCG64(seed))
        self._key = seed * 1_000_003
        self._gain = COUNTS_PER_MT * rng.uniform(1 - gain_spread, 1 + gain_spread, SENSORS)
        self._offset = rng.uniform(-offset_counts, offset_counts, SENSORS)
        self._phase = rng.uniform(0, 2 * np.pi, SENSORS)
        self._pool = rng.standard_normal((_POOL, SENSORS)).astype(np.float32)
        self._noise_counts = noise_counts
        self._drift_counts = drift_counts
        self._drift_period_ns = drift_period_s * 1e9
        self._field: Field | None = None
        self._level = np.zeros(SENSORS, np.float32)
        self._sigma = np.zeros(SENSORS, np.float32)
        self._same = 0
        self._block = b""

    def observe(self, t_ns: int, field: Field) -> None:
        """Nothing: what is between two readings leaves no trace."""

    def read(self, t_ns: int, field: Field) -> bytes:
        """One frame. `field` is 225 mT and never written to: an array seen before is not looked at again."""
        if field is not self._field or not self._valid[0] <= t_ns < self._valid[1]:
            self._set_level(t_ns, field)
        at = _spin(t_ns, self._key)
        if self._same < _SOON:
            self._same += 1
            return self._counts(self._pool[at])
        if not self._block:
            self._block = self._counts(self._pool)
        return self._block[at * SENSORS : (at + 1) * SENSORS]

    def _counts(self, noise: NDArray[np.float32]) -> bytes:
        """What is read of the level with one frame of noise, or with each of many."""
        counts = noise * self._sigma
        counts += self._level
        np.rint(counts, out=counts)
        np.minimum(counts, RAIL, out=counts)
        np.maximum(counts, -RAIL, out=counts)
        return counts.astype(np.int8).tobytes()

    def _set_level(self, t_ns: int, field: Field) -> None:
        """The noiseless counts, until a fault or the drift changes."""
        level = self._gain * field + self._offset
        sigma = np.full(SENSORS, self._noise_counts, np.float32)
        faults = self._active(t_ns)
        if self._drift_counts:
            step = t_ns // _DRIFT_STEP_NS
            turn = 2 * np.pi * (step * _DRIFT_STEP_NS) / self._drift_period_ns
            level += self._drift_counts * (np.sin(turn + self._phase) - np.sin(self._phase))
            self._valid = (
                max(self._valid[0], step * _DRIFT_STEP_NS),
                min(self._valid[1], (step + 1) * _DRIFT_STEP_NS),
            )
        for fault in faults:
            at = list(fault.sensors)
            if fault.kind == "noisy":
                sigma[at] = fault.value
            else:
                level[at] = fault.value if fault.kind == "stuck" else 0
                sigma[at] = 0
        self._level = level.astype(np.float32)
        self._sigma = sigma
        self._field = field
        self._same = 0
        self._block = b""


class SwitchSensors(_Electronics):
    """225 reed or Hall switches: closed at `operate_mt`, open again at `release_mt`.

    They know no polarity, but for those with `poles`: these are two for each point, one for each pole, and
    read 92 below a black stone and -92 below a white one. Each sensor's two thresholds are uniform in 1 +-
    `spread` of these, together. A contact bounces for `bounce_ms` after each change. Fields must be observed
    in the order of time.
    """

    sensors: Final[Sensors] = "switch"
    step_ns: Final[int] = 1_000_000
    """How finely a field that changes must be observed between two readings."""

    def __init__(
        self,
        seed: int = 0,
        *,
        operate_mt: float = 6.0,
        release_mt: float = 4.0,
        spread: float = 0.1,
        bounce_ms: float = 1.0,
        poles: bool = False,
    ) -> None:
        if not 0 < release_mt <= operate_mt:
            raise ValueError(f"release_mt = {release_mt} is not possible; allowed: above 0 up to operate_mt")
        super().__init__()
        rng = np.random.Generator(np.random.PCG64(seed))
        self._key = seed * 1_000_003
        factor = rng.uniform(1 - spread, 1 + spread, SENSORS)
        self._operate = operate_mt * factor
        self._release = release_mt * factor
        self._bounce_ns = int(bounce_ms * 1e6)
        self._pool = rng.integers(0, 256, (_POOL, SENSORS), dtype=np.uint8)
        self._closed = np.zeros(SENSORS, np.bool_)
        self._poles = poles
        self._sign = np.full(SENSORS, POLE_COUNTS if poles else 1, np.int8)
        self._changed_ns = np.full(SENSORS, -_FOREVER, np.int64)
        self._bouncing_until_ns = -_FOREVER
        self._field: Field | None = None
        self._steady: bytes | None = None

    def observe(self, t_ns: int, field: Field) -> None:
        """Let the contacts follow the field at `t_ns`; `field` is not written to afterwards."""
        if field is self._field:
            return
        self._field = field
        strength = np.abs(field)
        closed = (strength >= self._operate) | (self._closed & (strength > self._release))
        changed = closed != self._closed
        if changed.any():
            self._closed = closed
            if self._poles:
                sign = np.where(field < 0, -POLE_COUNTS, POLE_COUNTS)
                self._sign = np.where(closed, sign, self._sign).astype(np.int8)
            self._changed_ns[changed] = t_ns
            self._bouncing_until_ns = t_ns + self._bounce_ns
            self._steady = None

    def read(self, t_ns: int, field: Field) -> bytes:
        """One frame of 0 and 1; with `poles` of 0, 92 and -92."""
        self.observe(t_ns, field)
        if not self._valid[0] <= t_ns < self._valid[1]:
            self._steady = None
        if self._steady is not None:
            return self._steady
        random = self._pool[_spin(t_ns, self._key)]
        state = np.where(
            t_ns - self._changed_ns < self._bounce_ns, (random & 1).astype(np.bool_), self._closed
        )
        faults = self._active(t_ns)
        for fault in faults:
            on = list(fault.sensors)
            if fault.kind == "noisy":
                state[on] ^= random[on] < _FLIPS_PER_BYTE
            else:
                state[on] = fault.kind == "stuck" and bool(fault.value)
        frame = (state * self._sign).tobytes()
        if t_ns >= self._bouncing_until_ns and not any(f.kind == "noisy" for f in faults):
            self._steady = frame
        return frame


class Electronics(Protocol):
    """What sensors of either kind are to a table."""

    @property
    def sensors(self) -> Sensors:
        """Which kind they are."""

    @property
    def step_ns(self) -> int:
        """How finely a field that changes must be observed between two readings; 0: not at all."""

    def fail(self, fault: SensorFault) -> None:
        """Schedule a fault."""

    def mend(self, fault: SensorFault, t_ns: int) -> None:
        """End a fault at `t_ns`."""

    def observe(self, t_ns: int, field: Field) -> None:
        """Let sensors with a memory follow the field."""

    def read(self, t_ns: int, field: Field) -> bytes:
        """One frame of readings, A1 .. O15."""
