"""The shape of a magnet's coming and going, read from the trail of one or two sensors.

A trail is a list of (instant in ns, reading in counts above the sensor's zero), oldest first. The numbers are
those of a dipole over a 24 x 25 mm grid: seen from the sensor beside, a stone halfway reads a tenth or less,
and one on its own point nothing.
"""

from typing import Final

from firmware_host.board import SIZE
from firmware_host.sensing.facts import Departure, Passed, Settled
from firmware_host.sensing.settings import MS

Trail = list[tuple[int, float]]

HALF: Final = 0.5
HIGH: Final = 0.6
DIM: Final = 0.1
KNEE_NS: Final = 15 * MS
"""A stone that still comes down is closer by more than a twentieth after this."""
BOUNCE_NS: Final = 150 * MS
JUMP_NS: Final = 25 * MS
"""No stone goes from nothing to all in one step of this length; of longer ones (frames were lost) that cannot
be said."""
JUMP_FRAMES: Final = 6
JUMPED_NS: Final = 30 * MS
"""The filter shows half of a jump so many frames or so long after it, whichever is more."""
LONGEST_NS: Final = 2000 * MS
WHOLE: Final = 0.85
OFF: Final = 0.4
"""A magnet is on a sensor that reads this share of it, and off one that reads no more than the second."""
LEAST_SHARE: Final = 0.3
"""Two readings of one stone differ by the gains of two sensors (1.3 / 0.7) and by where it passed them."""
STRAIGHT: Final = (3.5, 0.65)
DIAGONAL: Final = (5.0, 0.8)
"""A magnet pushed to the point beside takes at most so many times as long from half to half as it takes to
come from 15 to 85 %, and is dark for at most this share of it. A dipole 10 mm above its sensor: 2.1 and 3.6
times, 0.3 (0.5 at 8 mm) and 0.6; a hand that lifts, carries and puts down: five times and more."""


def came(trail: Trail, since_ns: int, sign: int, level: float) -> int:
    """Index at which the magnet that now reads `level` came, after `since_ns`; a bounce is not a coming."""
    start = at = len(trail) - 1
    while at >= 0 and trail[at][0] > since_ns:
        if trail[at][1] * sign >= HALF * level:
            if trail[start][0] - trail[at][0] > BOUNCE_NS:
                break
            start = at
        at -= 1
    return start


def touched_ns(trail: Trail, start: int, sign: int, level: float, noise: float) -> int:
    """The instant of first contact: the reading is high and from there on no longer climbs."""
    slack = max(0.05 * level, 2.5 * noise)
    after = start
    for t, v in trail[start:]:
        while after < len(trail) - 1 and trail[after][0] < t + KNEE_NS:
            after += 1
        if v * sign >= HIGH * level and trail[after][1] * sign - v * sign < slack:
            return t
    return trail[start][0]


def jumped(
    trail: Trail,
    start: int,
    sign: int,
    level: float,
    before: tuple[int, float],
    filter_ns: float,
    noise: float,
) -> tuple[int, int] | None:
    """The frame with which the reading went from nothing to all, and the step to it, in ns; None: it did not.

    `before` is the frame before the trail began; the filter (time constant `filter_ns`) is taken back.
    """
    low = 0.12 * level + 3 * noise
    since_ns = trail[start][0] - JUMPED_NS
    first = max(0, start - JUMP_FRAMES)
    while first and trail[first - 1][0] >= since_ns:
        first -= 1
    for i in range(first, start + 1):
        t, v = trail[i]
        t_before, v_before = trail[i - 1] if i else before
        step_ns = t - t_before
        raw = v_before + (v - v_before) * (step_ns + filter_ns) / step_ns
        if v_before * sign < low and raw * sign >= 0.85 * level:
            return t, step_ns
    return None


def pushed(
    left: Departure, there: Trail, fact: Settled | Passed, here: Trail, hop_ns: int, period_ns: int
) -> bool:
    """Whether the magnet that left one point (trail `there`) was pushed along the board to that of `fact`.

    Pushed, it comes to the second sensor while it leaves the first (both see a wide magnet halfway), or after
    a short dark, where neither sees it; a hand that lifts and puts down takes `hop_ms` or more, most of it
    dark.
    """
    gap_ns = fact.rise_ns - left.left_ns
    if not -hop_ns <= gap_ns <= LONGEST_NS:
        return False
    if not LEAST_SHARE < fact.strength / left.strength < 1 / LEAST_SHARE:
        return False
    if not _of_one(left, there, fact, here):
        return False
    if gap_ns <= hop_ns:
        return True
    first_ns = fact.rise_ns
    for t, v in reversed(here):
        if t <= fact.rise_ns:
            if v * fact.sign < DIM * fact.level:
                break
            first_ns = t
    seen = [t for t, v in there if t < first_ns and v * fact.sign >= DIM * left.level]
    dark_ns = max(0, first_ns - max(left.left_ns, max(seen, default=0)))
    fall_ns = edge_ns(there[::-1], left.left_ns, left.level * fact.sign)
    rise_ns = edge_ns(here, fact.rise_ns, fact.level * fact.sign)
    steps, dark = STRAIGHT if abs(left.point - fact.point) in (1, SIZE) else DIAGONAL
    return 2 * gap_ns <= steps * (fall_ns + rise_ns) + period_ns and dark_ns <= dark * gap_ns


def _of_one(left: Departure, there: Trail, fact: Settled | Passed, here: Trail) -> bool:
    """Whether one magnet can have made both trails: never on both, off the first once on the second."""
    whole = [t for t, v in here if t >= fact.rise_ns and v * fact.sign >= WHOLE * fact.level]
    if not whole:
        return True
    shares = [(t, v * fact.sign / left.level) for t, v in there]
    until = [(t, share) for t, share in shares if t <= left.left_ns]
    # a trail begins where a reading first moves: until then a stone at rest is whole
    kept_ns = max((t for t, share in until if share >= WHOLE), default=until[0][0] if until else -1)
    still = next((share for t, share in reversed(shares) if t <= whole[-1]), 0.0)
    return kept_ns <= whole[0] and still <= OFF


def edge_ns(trail: Trail, at_ns: int, level: float) -> int:
    """How long the reading took from 15 to 85 % of `level`, about `at_ns`; a fall is given backwards."""
    low_ns = high_ns = at_ns
    backwards = len(trail) > 1 and trail[0][0] > trail[-1][0]
    for t, v in trail:
        if t == at_ns or (t < at_ns) != backwards:
            if v / level < 0.15:
                low_ns = t
        elif v / level > 0.85:
            high_ns = t
            break
    return abs(high_ns - low_ns)
