"""What measurements say of the sensors of a board: findings for whoever built it.

Values in, findings out. An empty board tells of dead, stuck and noisy sensors; stones that were laid on named
points tell how the lines are wired and which way the magnets are. Points are those of the sensor plane.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np

from firmware_host.board import LETTERS, NAMES, POINTS, SIZE, Point, col_row
from firmware_host.sensing.calibration import Counts, Flags
from firmware_host.sensing.geometry import LINE_POINTS, LINES, NEIGHBOURS

Kind = Literal["linear", "switch"]

LIKE_A_STONE: Final = 40.0
"""A reading of an empty point that is as much as a weak stone's, in counts."""
RAIL: Final = 126.0
FAR_ZERO: Final = 12.0
"""Zeros that are farther off than any that a sound DRV5055 and its divider give."""
NOISY: Final = (7.0, 4.0)
"""A noisy sensor trembles by so many counts (one sigma), and by so many times what the middle one does."""
FIELD: Final = 8.0
FIELD_SENSORS: Final = 12
"""So many sensors that all read so much, as their neighbours do, are under a field from outside."""
LINE_SENSORS: Final = 13
"""So many sensors of a line that are dead make it the line's fault."""
WEAK_GAIN: Final = 0.6
"""A sensor that reads less of a stone than this share of what the middle one does."""
LEAST_FRAMES: Final = 20
SLOW: Final = 0.8
"""A scanner that gives fewer frames than this share of what was asked for."""
ANSWERS: Final = 20.0
"""A reading, beyond its zero, that answers to a stone laid anywhere."""


class Cause(NamedTuple):
    """A row of the table of findings. `fails`: a board with it is not fit for play."""

    measured: str
    cause: str
    remedy: str
    fails: bool = True


CAUSES: Final[dict[str, Cause]] = {
    "dead": Cause(
        "reads the very same in every frame, while the others tremble",
        "the sensor has no supply or no ground, or its output is not connected",
        "look at its three solder joints, then change the sensor",
    ),
    "stuck": Cause(
        "reads as if a stone lay there, the very same in every frame",
        "the output is shorted to the supply or to ground, or a switch is welded or bridged",
        "look for a solder bridge at this point, then change the part",
    ),
    "stone-left": Cause(
        "reads as much as a stone, and trembles as a living sensor does",
        "a stone lies there, or a magnet or a steel screw below the board",
        "take it away and measure again",
    ),
    "noisy": Cause(
        "trembles far more than the others, or opens and closes by itself",
        "a cold joint, a missing 100 nF capacitor beside it, or a reed switch that is damaged",
        "solder it again, then change the part",
    ),
    "zero": Cause(
        "its zero is far from nothing",
        "iron or a magnet near it, or a sensor of another kind",
        "compare its marking with the others; `renju-board calibrate` makes up for it",
        fails=False,
    ),
    "line-dead": Cause(
        "no sensor of the line is alive",
        "its wire is broken, or the multiplexer or decoder output that serves it",
        "measure the wire from end to end, and the supply of the chip",
    ),
    "field": Cause(
        "sensors side by side all read something, and more in the middle",
        "a phone, a loudspeaker or a magnet clasp beside the board",
        "take it away and measure again",
        fails=False,
    ),
    "slow": Cause(
        "fewer frames a second than were asked for",
        "the machine is busy, or the bus is slower than its setting says",
        "set scanner.rate_hz to what it reaches, or look at the bus's clock",
        fails=False,
    ),
    "few-frames": Cause(
        "too few frames to judge the sensors",
        "the scanner is silent, or was lost on the way",
        "look at the scanner's own line of this report",
    ),
    "unseen": Cause(
        "a stone was laid there and no sensor answered",
        "the sensor is dead, or the stone has no magnet",
        "try another stone; if that is not seen either, look at the sensor",
    ),
    "plane-turned": Cause(
        "every stone is seen at the opposite point",
        "the board is mounted the other way round",
        "turn it, or exchange both cables end for end",
    ),
    "plane-mirrored": Cause(
        "every stone is seen at a mirrored point",
        "one of the two ribbon cables is plugged in the other way round",
        "turn the cable of the lines that run backwards",
    ),
    "plane-crossed": Cause(
        "files answer as ranks, and ranks as files",
        "the cables of the select lines and of the sense lines are exchanged",
        "exchange them",
    ),
    "select-swapped": Cause(
        "stones on one rank are seen on another",
        "two select lines are exchanged",
        "exchange the two wires, or their two places in the pin map",
    ),
    "sense-swapped": Cause(
        "stones on one file are seen on another",
        "two sense lines are exchanged",
        "exchange the two wires, or their two places in the pin map",
    ),
    "bridged": Cause(
        "one stone is seen at several points of a line",
        "two lines touch each other",
        "look for a solder bridge between the two lines",
    ),
    "elsewhere": Cause(
        "a stone is seen at a point that no exchange of lines explains",
        "it was laid on another point, or several lines are mixed up",
        "lay it again; then follow both its lines",
    ),
    "magnets-reversed": Cause(
        "every black stone reads as white, and white as black",
        "the magnets of the stones are the wrong way round, or all sensors are upside down",
        "black has the north pole down; turn the magnets, or the sensors",
    ),
    "sensor-reversed": Cause(
        "reads black as white there, while other points do not",
        "the sensor is soldered upside down",
        "turn it over",
    ),
    "diode-missing": Cause(
        "with stones on three corners of a rectangle the fourth corner closes too",
        "the diode of this point is missing, shorted, or the wrong way round",
        "look at that diode: its ring points to the select line",
    ),
    "weak-sensor": Cause(
        "reads much less of a stone than the others do",
        "the sensor sits too deep or tilted, or is of a less sensitive kind",
        "seat it like its neighbours; a stored calibration makes up for some of it",
        fails=False,
    ),
}
"""What is found, what the likely cause is and what to do about it."""


class Finding(NamedTuple):
    """One finding: the row of `CAUSES`, where (points, `rank 3`, `file C`, or nothing), and the figures."""

    kind: str
    where: str = ""
    figures: str = ""

    @property
    def fails(self) -> bool:
        """Whether a board with it is not fit for play."""
        return CAUSES[self.kind].fails

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that it is about: `3`, `C`."""
        words = self.where.split()
        named = words and words[0] in ("rank", "ranks", "file", "files")
        return tuple(word for word in words[1:] if word in LINE_POINTS) if named else ()

    @property
    def points(self) -> tuple[Point, ...]:
        """The points that it is about, those of its lines too."""
        if self.where in NAMES:
            return (NAMES.index(self.where),)
        return tuple(p for line in self.lines for p in LINE_POINTS[line])


BROKEN: Final = frozenset({"dead", "stuck", "noisy", "stone-left", "line-dead"})
"""Findings of an empty board that leave a sensor without a zero."""


class Measured(NamedTuple):
    """Statistics of frames of a board at rest, 225 values each in counts (switches: 0 and 1).

    `zero`: mean reading; `noise`: standard deviation; `same`: every frame read the very same.
    """

    zero: Counts
    noise: Counts
    same: Flags
    frames: int


class Laid(NamedTuple):
    """A stone that was laid on `point` (`sign` 1 black, -1 white) and what answered: point -> counts."""

    point: Point
    sign: int
    answers: Mapping[Point, float]


def measure(frames: Sequence[bytes]) -> Measured:
    """Statistics of frames, 225 signed bytes each; without frames all is 0."""
    if not frames:
        nothing = np.zeros(POINTS, np.float32)
        return Measured(nothing, nothing, np.ones(POINTS, np.bool_), 0)
    rows = np.frombuffer(b"".join(frames), np.int8).reshape(-1, POINTS).astype(np.float32)
    return Measured(
        rows.mean(axis=0, dtype=np.float32),
        rows.std(axis=0, dtype=np.float32),
        np.asarray((rows == rows[0]).all(axis=0), np.bool_),
        len(rows),
    )


def judge_empty(board: Measured, kind: Kind) -> list[Finding]:
    """What an empty board says of its sensors."""
    if board.frames < LEAST_FRAMES:
        return [Finding("few-frames", "", f"{board.frames} frames")]
    return _judge_linear(board) if kind == "linear" else _judge_switches(board)


def _judge_linear(board: Measured) -> list[Finding]:
    middle_noise = float(np.median(board.noise))
    quiet = middle_noise < 0.3  # so quiet a board may read the same for long: the same says nothing then
    off = board.zero - np.float32(np.median(board.zero))
    shared = _shared_field(off)
    frozen = board.same & (np.abs(board.zero) < RAIL) & (not quiet)
    stuck = (frozen | (np.abs(board.zero) >= RAIL)) & (np.abs(off) >= LIKE_A_STONE)
    lines = _dead_lines(frozen | stuck)
    told = {p for _, points in lines for p in points}
    found = [Finding("line-dead", name) for name, _ in lines]
    if shared.any():
        found.append(Finding("field", *_where_most(off, shared)))
    for p in range(POINTS):
        zero, noise = float(board.zero[p]), float(board.noise[p])
        figures = f"zero {zero:.1f}, noise {noise:.1f}"
        if p in told:
            continue
        if stuck[p]:
            found.append(Finding("stuck", NAMES[p], figures))
        elif frozen[p]:
            found.append(Finding("dead", NAMES[p], figures))
        elif noise > max(NOISY[0], NOISY[1] * middle_noise):
            found.append(Finding("noisy", NAMES[p], figures))
        elif abs(off[p]) >= LIKE_A_STONE:
            found.append(Finding("stone-left", NAMES[p], figures))
        elif abs(off[p]) > FAR_ZERO and not shared[p]:
            found.append(Finding("zero", NAMES[p], figures))
    return found


def _judge_switches(board: Measured) -> list[Finding]:
    found = []
    closed = board.same & (board.zero != 0)
    lines = _dead_lines(closed)
    told = {p for _, points in lines for p in points}
    found += [Finding("line-dead", name, "all its switches read closed") for name, _ in lines]
    for p in range(POINTS):
        if p in told:
            continue
        if closed[p]:
            found.append(Finding("stuck", NAMES[p], "closed in every frame"))
        elif not board.same[p]:
            found.append(Finding("noisy", NAMES[p], f"closed in {100 * abs(board.zero[p]):.0f} % of frames"))
    return found


def _shared_field(off: Counts) -> Flags:
    """The sensors that read what most of their neighbours read too."""
    beside = np.array([np.median(off[list(NEIGHBOURS[p])]) for p in range(POINTS)], np.float32)
    shared = (np.abs(off) >= FIELD) & (np.abs(beside) >= FIELD) & (np.sign(off) == np.sign(beside))
    return np.asarray(shared if shared.sum() >= FIELD_SENSORS else np.zeros(POINTS, np.bool_), np.bool_)


def _where_most(off: Counts, shared: Flags) -> tuple[str, str]:
    p = int(np.argmax(np.abs(off) * shared))
    return NAMES[p], f"{int(shared.sum())} sensors, up to {off[p]:.0f} counts"


def _dead_lines(dead: Flags) -> list[tuple[str, tuple[Point, ...]]]:
    """Lines of which (nearly) all sensors are dead, by name: `rank 3`, `file C`."""
    return [
        (f"{'rank' if name.isdecimal() else 'file'} {name}", points)
        for name, points in LINES
        if sum(bool(dead[p]) for p in points) >= LINE_SENSORS
    ]


def answers(readings: Counts, zero: Counts, kind: Kind) -> dict[Point, float]:
    """The points that answer to stones: counts beyond their zero, or 1 for a switch that closed."""
    off = readings - zero
    least = ANSWERS if kind == "linear" else 0.5
    return {p: float(off[p]) for p in np.flatnonzero(np.abs(off) >= least).tolist()}


SYMMETRIES: Final[dict[str, tuple[str, str]]] = {
    # where a stone on (col, row) is seen when a whole plane is wired so: col, row, and `~` from the other end
    "~c ~r": ("plane-turned", ""),
    "~c r": ("plane-mirrored", "the sense lines, A to O"),
    "c ~r": ("plane-mirrored", "the select lines, 1 to 15"),
    "r c": ("plane-crossed", ""),
    "~r c": ("plane-crossed", "and the files run backwards"),
    "r ~c": ("plane-crossed", "and the ranks run backwards"),
    "~r ~c": ("plane-crossed", "and both run backwards"),
}


def seen_through(symmetry: str, p: Point) -> Point:
    """Where a stone on `p` is seen when the plane is wired by a key of `SYMMETRIES`."""
    col, row = col_row(p)
    value = {"c": col, "r": row, "~c": SIZE - 1 - col, "~r": SIZE - 1 - row}
    new_col, new_row = (value[part] for part in symmetry.split())
    return new_row * SIZE + new_col


def judge_laid(laid: Sequence[Laid], kind: Kind) -> list[Finding]:
    """What stones on named points say of wiring and magnets."""
    found = [Finding("unseen", NAMES[each.point]) for each in laid if not each.answers]
    seen = [(each, _main(each)) for each in laid if each.answers]
    found += _judge_wiring([(each.point, at) for each, at in seen])
    found += [finding for each, at in seen for finding in _judge_bridges(at, each.answers)]
    if kind == "linear" or any(abs(value) > 1 for each, _ in seen for value in each.answers.values()):
        wrong = [(each, at) for each, at in seen if each.answers[at] * each.sign < 0]
        if len(wrong) == len(seen) > 1:
            found.append(Finding("magnets-reversed", "", f"{len(wrong)} stones of {len(seen)}"))
        else:
            at_fault = sorted({at for _, at in wrong})
            found += [Finding("sensor-reversed", NAMES[at]) for at in at_fault]
    return found


def _main(laid: Laid) -> Point:
    """The point that answers most; of equals the one that was laid on."""
    return max(laid.answers, key=lambda p: (abs(laid.answers[p]), p == laid.point, -p))


def _judge_wiring(pairs: Sequence[tuple[Point, Point]]) -> list[Finding]:
    """`pairs`: where stones were laid, and where they were seen."""
    if all(p == at for p, at in pairs):
        return []
    off_centre = {p for p, _ in pairs if p != POINTS // 2}
    if len(off_centre) >= 3:
        for symmetry, (kind, which) in SYMMETRIES.items():
            if all(seen_through(symmetry, p) == at for p, at in pairs):
                return [Finding(kind, which)]
    select: dict[int, int] = {}
    sense: dict[int, int] = {}
    found = []
    for p, at in pairs:
        (col, row), (seen_col, seen_row) = col_row(p), col_row(at)
        fits = select.setdefault(row, seen_row) == seen_row and sense.setdefault(col, seen_col) == seen_col
        if not fits:
            found.append(Finding("elsewhere", NAMES[p], f"seen at {NAMES[at]}"))
    for p, at in pairs:
        # both lines wrong at once: the stone was laid wrongly, unless the other two answer the other way
        (col, row), (seen_col, seen_row) = col_row(p), col_row(at)
        both = col != seen_col and row != seen_row
        if both and not (select.get(seen_row) == row and sense.get(seen_col) == col):
            found.append(Finding("elsewhere", NAMES[p], f"seen at {NAMES[at]}"))
    found = list(dict.fromkeys(found))
    mixed = {finding.where for finding in found}
    found += _exchanged("select-swapped", "rank", select, pairs, mixed, [str(n + 1) for n in range(SIZE)])
    found += _exchanged("sense-swapped", "file", sense, pairs, mixed, list(LETTERS))
    return found


def _exchanged(
    kind: str,
    line: str,
    seen: Mapping[int, int],
    pairs: Sequence[tuple[Point, Point]],
    mixed: Iterable[str],
    names: Sequence[str],
) -> list[Finding]:
    """Lines whose stones are seen on another one; the two that changed places are told once."""
    axis = 1 if line == "rank" else 0
    sure = {col_row(p)[axis] for p, _ in pairs if NAMES[p] not in mixed}
    found = []
    for one, other in sorted(seen.items()):
        if one == other or one not in sure or (seen.get(other) == one and other < one):
            continue
        figures = f"{line} {names[one]} is seen as {line} {names[other]}"
        found.append(Finding(kind, f"{line}s {names[min(one, other)]} and {names[max(one, other)]}", figures))
    return found


def _judge_bridges(at: Point, seen: Mapping[Point, float]) -> list[Finding]:
    """Other points of the same line that answer to one stone as much as its own does."""
    col, row = col_row(at)
    found = []
    for p, value in seen.items():
        other_col, other_row = col_row(p)
        if p == at or abs(value) < 0.5 * abs(seen[at]):
            continue
        if other_row == row:
            found.append(
                Finding("bridged", f"files {LETTERS[min(col, other_col)]} and {LETTERS[max(col, other_col)]}")
            )
        elif other_col == col:
            low, high = sorted((row, other_row))
            found.append(Finding("bridged", f"ranks {low + 1} and {high + 1}"))
    return sorted(set(found))


def judge_corners(closed: Collection[Point], laid: Sequence[Point]) -> list[Finding]:
    """A ghost, with stones on three corners of a rectangle (`laid`); `closed` points read closed.

    Current that closes the fourth corner flows back through the switch of the corner opposite to it.
    """
    (ghost,) = (
        row * SIZE + col
        for col in {col_row(p)[0] for p in laid}
        for row in {col_row(p)[1] for p in laid}
        if row * SIZE + col not in laid
    )
    if ghost not in closed or not set(laid) <= set(closed):
        return []
    opposite = next(p for p in laid if _apart(p, ghost))
    stones = " ".join(NAMES[p] for p in laid)
    return [Finding("diode-missing", NAMES[opposite], f"stones on {stones} close {NAMES[ghost]}")]


def _apart(p: Point, q: Point) -> bool:
    """Whether two points share neither rank nor file."""
    (a, b), (c, d) = col_row(p), col_row(q)
    return a != c and b != d


def judge_gains(gain: Counts) -> list[Finding]:
    """Sensors that read little of a stone; `gain` is 0 where none was laid."""
    known = gain[gain > 0]
    if not known.size:
        return []
    middle = float(np.median(known))
    return [
        Finding("weak-sensor", NAMES[p], f"{gain[p]:.0f} counts, the middle one {middle:.0f}")
        for p in np.flatnonzero((gain > 0) & (gain < WEAK_GAIN * middle)).tolist()
    ]


def judge_rate(frames_per_s: float, asked_hz: float, lost: int) -> list[Finding]:
    """Whether the scanner is as fast as it was asked to be."""
    if frames_per_s >= SLOW * asked_hz and not lost:
        return []
    return [Finding("slow", "", f"{frames_per_s:.0f} of {asked_hz:.0f} frames a second, {lost} lost")]
