"""From the lines of a switch matrix to 225 readings, with an eye for what cannot be stones.

A matrix has 15 select lines (ranks 1 to 15 of the sensor plane), 15 sense lines (its files A to O), and at
each crossing a switch in series with a diode. Wires break and diodes get bridged; that looks so:

* A sense line conducts with nothing selected, or from one frame to the next on every select line: it touches
  ground. Its points stay as they were.
* The last stones of a line, four or more, vanish at once, and nothing else changes shortly before or after:
  its wire is broken. Its points stay as they were until one of them conducts.
* All stones of the board, six or more, vanish at once, and nothing has changed shortly before: the supply or
  the cable of the select lines is gone. There are no frames until something conducts.
* From one frame to the next a select pin makes no difference any more: its wire is broken. There are no
  frames until it does.
* Current flows backwards through a crossing without a diode, and makes a ghost: see ghosts.py.

An arm that sweeps stones off the board empties lines at once too, but others change within moments: contacts
are then believed. What is there at the first frame is believed, and so is what has changed in a time without
frames. Pure: time is given.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import and_
from typing import Final, NamedTuple

from hw import SENSORS, LinkError
from hw.ghosts import QUIET_NS, Ghosts
from hw.lines import FILES, LINES, Crossing, bits

STALE_NS: Final = 250_000_000
"""In this time nobody sets two stones; frames further apart do not show what changed together."""
LINE_STONES: Final = 4
BOARD_STONES: Final = 6
"""So many stones of a line, or of the board, that vanish at once were not lifted by hands."""

SELECT: Final = tuple(f"select line {s + 1}" for s in range(LINES))
SENSE: Final = tuple(f"sense line {name}" for name in FILES)

_LOW_HALF: Final = tuple(bytes(half >> n & 1 for n in range(8)) for half in range(256))


class _Change(NamedTuple):
    """A frame that differed, and what had been until then."""

    t_ns: int
    raw: list[int]
    grounded: int
    given: list[int]


class SwitchMatrix:
    """The judge of one matrix. One thread gives frames; `faults` may be asked by any.

    `missing_diodes`: crossings that are known to have none. `decoder`: the select lines come from one, whose
    failures show in all of them; else each has a pin of its own.
    """

    def __init__(self, missing_diodes: Collection[Crossing] = (), *, decoder: bool = True) -> None:
        self._decoder = decoder
        self._t_ns = 0
        self._raw: list[int] | None = None
        self._grounded = 0
        self._given = [0] * LINES
        self._changes: deque[_Change] = deque()
        """Those of the quiet time before now."""
        self._readings = bytes(SENSORS)
        self._blind = ""
        self._broken: dict[str, int] = {}
        """Names of lines, and since when they are broken."""
        self._ghosts = Ghosts(missing_diodes)
        self._told: tuple[str, ...] = ()

    def readings(self, t_ns: int, words: Sequence[int], idle: int = 0) -> bytes:
        """One frame: 225 bytes 0 or 1 in plane order.

        `words[s]`: the sense lines that conduct with line s selected, bit 0 is the first; `idle`: those that
        do with none selected. Raises LinkError when the lines tell nothing about the board.
        """
        since_ns, self._t_ns = self._t_ns, t_ns
        if t_ns - since_ns > STALE_NS:
            self._forget()
        every = self._on_every_line(words, since_ns) & ~idle
        grounded = idle | every
        raw = [word & ~grounded for word in words]
        same = raw == self._raw and grounded == self._grounded
        if same and not (self._blind or self._ghosts.open):
            return self._readings
        if self._raw is not None and not same:
            self._changes.append(_Change(t_ns, self._raw, self._grounded, self._given))
        while self._changes and self._changes[0].t_ns < t_ns - QUIET_NS:
            self._changes.popleft()
        at_once = [change for change in self._changes if change.t_ns >= since_ns]
        self._judge_select(raw, at_once)
        before, self._raw = self._raw, raw
        calm = len(at_once) == len(self._changes)
        if self._judge_lines(raw, grounded, at_once) or before is None:
            self._ghosts.start(t_ns, raw, self._given)
        else:
            self._ghosts.judge(t_ns, since_ns, before, raw, self._given, calm=calm)
        self._given = self._believe(raw, grounded)
        self._grounded = grounded
        self._readings = b"".join(_LOW_HALF[word & 0xFF] + _LOW_HALF[word >> 8][:7] for word in self._given)
        self._told = tuple(self._tell(idle, every))
        return self._readings

    def faults(self) -> list[str]:
        """A sentence for everything that is wrong now; points are those of the sensor plane."""
        return list(self._told)

    def _tell(self, idle: int, every: int) -> Iterator[str]:
        for n in bits(idle):
            yield (
                f"{SENSE[n]} conducts while nothing is selected, so it touches ground: "
                "its points stay as they were"
            )
        for n in bits(every):
            yield (
                f"{SENSE[n]} conducts on every select line, so it or a select line touches ground: "
                "its points stay as they were"
            )
        for line in (line for line in (*SELECT, *SENSE) if line in self._broken):
            yield f"{line} lost all its stones at once, so it is broken: its points stay as they were"
        yield from self._ghosts.faults()

    def _forget(self) -> None:
        """Frames are missing: what has changed meanwhile did so one after the other."""
        self._raw = None
        self._changes.clear()

    def _on_every_line(self, words: Sequence[int], since_ns: int) -> int:
        """The sense lines that conduct on every select line, though not for so many stones set by hand."""
        full = reduce(and_, words)
        if not full:
            return 0
        given = next((c.given for c in self._changes if c.t_ns >= since_ns), self._given)
        by_hand = [n for n in bits(full) if sum(word >> n & 1 for word in given) >= LINES - 1]
        return full & (self._grounded | ~sum(1 << n for n in by_hand))

    def _judge_select(self, raw: list[int], at_once: list[_Change]) -> None:
        """Raise LinkError when no line can be believed, and again until they can."""
        count, before = _count(raw), self._raw
        pin = _useless_pin(raw) if self._decoder else None
        enough = count >= BOARD_STONES
        if self._blind:
            if count and pin is None:
                self._blind = ""
                self._forget()
        elif before is None:
            if pin is not None and enough:
                self._blind = _no_difference(pin)
        elif not count and at_once and _count(at_once[0].raw) >= BOARD_STONES:
            if len(at_once) == len(self._changes):
                self._blind = "all stones vanished at once, so " + (
                    "the decoder has no supply or is not enabled"
                    if self._decoder
                    else "the cable of the select lines or of the sense lines is off"
                )
        elif pin is not None and pin != _useless_pin(before) and _changes(before, raw) > 1 and enough:
            self._blind = _no_difference(pin)
        if self._blind:
            self._told = ()
            raise LinkError(f"switch matrix: {self._blind}")

    def _judge_lines(self, raw: list[int], grounded: int, at_once: list[_Change]) -> bool:
        """Find the lines that are broken; whether these or those at ground have changed."""
        were, flicker = self._broken, grounded
        words = _by_name(raw)
        self._broken = {line: at_ns for line, at_ns in were.items() if not words[line]}
        if at_once and at_once[-1].t_ns == self._t_ns:
            for change in self._changes:
                flicker |= change.grounded
            flickering = {SENSE[n] for n in bits(flicker)}
            dead = {
                line
                for line, was in _by_name(at_once[0].raw).items()
                if was.bit_count() >= LINE_STONES and not words[line] and line not in flickering
            }
            if self._elsewhere({*dead, *self._broken, *flickering}, raw):
                self._broken = {
                    line: at_ns for line, at_ns in self._broken.items() if at_ns < self._t_ns - QUIET_NS
                }
            else:
                self._broken = dict.fromkeys(dead, self._t_ns) | self._broken
            lost = {line for line in self._broken if line not in were}
            select, sense = _mask(SELECT, lost), _mask(SENSE, lost) | grounded & ~self._grounded
            self._given = [
                was if select >> s & 1 else now & ~sense | was & sense
                for s, (was, now) in enumerate(zip(at_once[0].given, self._given, strict=True))
            ]
        return were != self._broken or grounded != self._grounded

    def _elsewhere(self, lines: Collection[str], raw: list[int]) -> bool:
        """Whether anything but these lines has changed lately."""
        select, sense = _mask(SELECT, lines), _mask(SENSE, lines)
        states = [*(change.raw for change in self._changes), raw]
        return any(
            (a ^ b) & ~sense
            for before, after in pairwise(states)
            for s, (a, b) in enumerate(zip(before, after, strict=True))
            if not select >> s & 1
        )

    def _believe(self, raw: list[int], grounded: int) -> list[int]:
        """The words, with what is not known as it was, and without what is doubtful."""
        select, sense = _mask(SELECT, self._broken), _mask(SENSE, self._broken) | grounded
        words = [
            given if select >> s & 1 else word & ~sense | given & sense
            for s, (given, word) in enumerate(zip(self._given, raw, strict=True))
        ]
        for s, n in self._ghosts.doubtful:
            words[s] &= ~(1 << n)
        return words


def _mask(names: Sequence[str], lines: Collection[str]) -> int:
    """Which of these lines, in order, are in `lines`."""
    return sum(1 << i for i, name in enumerate(names) if name in lines)


def _by_name(words: Sequence[int]) -> dict[str, int]:
    """What each line shows: a select line its sense lines, a sense line its select lines."""
    return dict(zip((*SELECT, *SENSE), (*words, *_turned(words)), strict=True))


def _count(words: Iterable[int]) -> int:
    return sum(word.bit_count() for word in words)


def _changes(before: Sequence[int], words: Sequence[int]) -> int:
    return sum((a ^ b).bit_count() for a, b in zip(before, words, strict=True))


def _turned(words: Sequence[int]) -> list[int]:
    """The words of the sense lines: which select lines conduct there."""
    return [sum((word >> n & 1) << s for s, word in enumerate(words)) for n in range(LINES)]


def _useless_pin(words: Sequence[int]) -> int | None:
    """The select pin (0..3) that makes no difference to what conducts; None if all do, or nothing conducts.

    The decoder's 16th output is not connected: what a line shares with it says nothing.
    """
    if any(words):
        for pin in range(4):
            pairs = [(s, s ^ 1 << pin) for s in range(LINES) if s ^ 1 << pin < LINES]
            if all(words[a] == words[b] for a, b in pairs):
                return pin
    return None


def _no_difference(pin: int) -> str:
    return f"select pin {pin + 1} makes no difference, so its wire to the decoder is broken"
