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
* Two switches close together, and with two others they are the corners of a rectangle: one may be a ghost,
  made by current that flows backwards through the crossing opposite to it, whose diode is missing. Neither is
  a stone, until it is known which diode it is; then only its ghosts are held back.

An arm that sweeps stones off the board empties lines at once too, but others change within moments: contacts
are then believed. The diode of (s, n) works when another select line conducts at n and does not show all that
s shows: what is told apart so was no ghost. What is there at the first frame is believed, and so is what has
changed in a time without frames. Pure: time is given.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import and_
from typing import Final, NamedTuple

from hw import SENSORS, LinkError

LINES: Final = 15
FILES: Final = "ABCDEFGHIJKLMNO"

TOGETHER_NS: Final = 15_000_000
"""What changes within this time may have changed at once, and so may what differs in two frames on end: one
part of a scan sees it and the other does not yet, and contacts bounce. No hand sets two stones within it."""
QUIET_NS: Final = 100_000_000
"""A wire that breaks changes nothing else for so long before and after; stones that are swept away do."""
STALE_NS: Final = 250_000_000
"""In this time nobody sets two stones; frames further apart do not show what changed together."""
LINE_STONES: Final = 4
BOARD_STONES: Final = 6
"""So many stones of a line, or of the board, that vanish at once were not lifted by hands."""

SELECT: Final = tuple(f"select line {s + 1}" for s in range(LINES))
SENSE: Final = tuple(f"sense line {name}" for name in FILES)

_LOW_HALF: Final = tuple(bytes(half >> n & 1 for n in range(8)) for half in range(256))

Crossing = tuple[int, int]
"""Select line and sense line, 0..14 each."""


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
        self._ghosts = _Ghosts(missing_diodes)
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
        for n in _bits(idle):
            yield (
                f"{SENSE[n]} conducts while nothing is selected, so it touches ground: "
                "its points stay as they were"
            )
        for n in _bits(every):
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
        by_hand = [n for n in _bits(full) if sum(word >> n & 1 for word in given) >= LINES - 1]
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
            flickering = {SENSE[n] for n in _bits(flicker)}
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


class _Ghosts:
    """Which of the crossings that conduct may be ghosts, and of which missing diodes."""

    def __init__(self, missing: Collection[Crossing]) -> None:
        self.doubtful: dict[Crossing, set[Crossing]] = {}
        """Crossings, each with the diodes of which one is missing if it is a ghost."""
        self._built = frozenset(missing)
        self._found: set[Crossing] = set()
        """Diodes that have proved to be missing."""
        self._either: list[set[Crossing]] = []
        """Sets of diodes of which one is missing."""
        self._closed_at: dict[Crossing, int] = {}
        self._freed_at: dict[Crossing, int] = {}
        self._changed_at = 0
        self._settled = False

    @property
    def open(self) -> bool:
        """Whether another frame like the last one may tell more."""
        return bool(self.doubtful) or not self._settled

    @property
    def _missing(self) -> set[Crossing]:
        return self._found | self._built

    def start(self, t_ns: int, raw: list[int], given: list[int]) -> None:
        """What conducts is believed, but for what was doubtful, and ghosts of diodes known to be missing."""
        self._closed_at.clear()
        self._freed_at.clear()
        self._changed_at, self._settled = t_ns, False
        for corner in ((s, n) for s, word in enumerate(raw) for n in _bits(word & ~given[s])):
            if causes := {c for c in self._missing if _rectangle(raw, corner, c)}:
                self.doubtful.setdefault(corner, causes)
        self._let_go(t_ns, raw)

    def judge(
        self, t_ns: int, since_ns: int, before: list[int], raw: list[int], given: list[int], *, calm: bool
    ) -> None:
        """Another frame; `since_ns`: that of the one before. `calm`: little had changed until then."""
        if raw != before:
            self._changed_at, self._settled = t_ns, False
            changed = [
                (s, n)
                for s, (was, word) in enumerate(zip(before, raw, strict=True))
                for n in _bits(was ^ word)
            ]
            fresh = [(s, n) for s, n in changed if raw[s] >> n & 1]
            self._closed_at = {
                c: at for c, at in self._closed_at.items() if at >= since_ns or t_ns - at < TOGETHER_NS
            } | dict.fromkeys(fresh, t_ns)
            if not calm and any(c not in self.doubtful for c in changed):
                self._either.clear()  # what is swept about closes together by chance
            if fresh:
                self._doubt(raw, calm)
        elif not self._settled and t_ns - self._changed_at >= QUIET_NS:
            self._settled = True
            self._refine(raw, given)
        self._let_go(t_ns, raw)

    def faults(self) -> list[str]:
        """What is known, and what is held back."""
        said = []
        if 0 < len(self._missing) < SENSORS:  # one without any was built so
            said.append(f"no diode at {_names(self._missing, 'and')}: it is missing or bridged")
        if self.doubtful:
            causes = set().union(*self.doubtful.values())
            said.append(
                f"a stone or a ghost at {_names(self.doubtful, 'and')}, so not taken for a stone"
                + ("" if causes <= self._missing else f": no diode at {_names(causes, 'or')}")
            )
        return said

    def _doubt(self, raw: list[int], calm: bool) -> None:
        """Hold back what has closed together with another corner of its rectangle."""
        causes: dict[Crossing, set[Crossing]] = {}
        for crossing in self._closed_at:
            for beside, above, opposite in _rectangles(raw, crossing):
                together = any(c in self._closed_at for c in (beside, above, opposite))
                if together and not _works(raw, opposite, self._closed_at):
                    causes.setdefault(crossing, set()).add(opposite)
        if causes:
            suspects = set().union(*causes.values())
            if calm and not suspects & self._missing:
                self._either.append(suspects)
            known = {c: found for c, of in causes.items() if (found := of & self._missing)}
            self.doubtful.update(known or causes)

    def _refine(self, raw: list[int], given: list[int]) -> None:
        """The lines have been still for long enough to tell which diodes work."""
        self.doubtful = {
            c: left
            for c, of in self.doubtful.items()
            if (left := {diode for diode in of if diode in self._built or not _works(raw, diode)})
        }
        standing = set().union(*self.doubtful.values())
        proven = {(s, n) for s, word in enumerate(raw) for n in _bits(word & given[s]) if _works(raw, (s, n))}
        self._found -= proven
        self._either = [left for e in self._either if (left := e - proven) and left & standing]
        for left in [left for left in self._either if len(left) == 1]:
            self._found |= left
            self.doubtful = {c: found for c, of in self.doubtful.items() if (found := of & self._missing)}
            self._either = [e for e in self._either if not e & left]

    def _let_go(self, t_ns: int, raw: list[int]) -> None:
        """What opens was nothing; what stays closed without its rectangle is a stone."""
        for crossing, causes in list(self.doubtful.items()):
            s, n = crossing
            if any(_rectangle(raw, crossing, cause) for cause in causes):
                self._freed_at.pop(crossing, None)
            elif not raw[s] >> n & 1 or (t_ns - self._freed_at.setdefault(crossing, t_ns) >= TOGETHER_NS):
                del self.doubtful[crossing]
                self._freed_at.pop(crossing, None)


def _mask(names: Sequence[str], lines: Collection[str]) -> int:
    """Which of these lines, in order, are in `lines`."""
    return sum(1 << i for i, name in enumerate(names) if name in lines)


def _by_name(words: Sequence[int]) -> dict[str, int]:
    """What each line shows: a select line its sense lines, a sense line its select lines."""
    return dict(zip((*SELECT, *SENSE), (*words, *_turned(words)), strict=True))


def _bits(word: int) -> Iterator[int]:
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


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


def _rectangle(words: Sequence[int], corner: Crossing, opposite: Crossing) -> bool:
    """Whether these two are opposite corners of a rectangle, and all four conduct."""
    (s1, n1), (s2, n2) = corner, opposite
    both = 1 << n1 | 1 << n2
    return s1 != s2 and n1 != n2 and words[s1] & words[s2] & both == both


def _works(words: Sequence[int], diode: Crossing, but: Collection[Crossing] = ()) -> bool:
    """Whether what conducts shows that this crossing has a diode, the crossings `but` left aside."""
    s, n = diode
    if not words[s] >> n & 1:
        return False
    shown = words[s] & ~sum(1 << m for at, m in but if at == s)
    return any(other != s and word >> n & 1 and shown & ~word for other, word in enumerate(words))


def _rectangles(words: Sequence[int], corner: Crossing) -> Iterator[tuple[Crossing, Crossing, Crossing]]:
    """The other corners of each rectangle that conducts: on the same select line, on the same sense line,
    and opposite.
    """  # noqa: D205
    s, n = corner
    for other, word in enumerate(words):
        if other != s and word >> n & 1:
            for m in _bits(word & words[s] & ~(1 << n)):
                yield (s, m), (other, n), (other, m)


def _names(crossings: Iterable[Crossing], last: str) -> str:
    names = [f"{FILES[n]}{s + 1}" for s, n in sorted(crossings)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"
