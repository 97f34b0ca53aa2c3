"""From the lines of a switch matrix to 225 readings, with an eye for what cannot be stones.

A matrix has 15 select lines (ranks 1 to 15 of the sensor plane), 15 sense lines (its files A to O), and at
each crossing a switch in series with a diode. Wires break and diodes get bridged; that looks so:

* A sense line conducts with nothing selected: it touches ground. Its points stay as they were.
* The last stones of a line, four or more, vanish at once: its wire is broken. Its points stay as
  they were until one of them conducts.
* All stones of the board, six or more, vanish at once: the decoder has no supply. There are no
  frames until something conducts.
* From one frame to the next a select pin makes no difference any more: its wire is broken. There are no
  frames until it does.
* Two switches close together, and with two others they are the corners of a rectangle: one may be a ghost,
  made by current that flows backwards through the crossing opposite to it, whose diode is missing. Neither is
  a stone, until it is known which diode it is; then only its ghosts are held back.

The diode of (s, n) works when another select line conducts at n and does not show all that s shows: what is
told apart so was no ghost. What is there at the first frame is believed. Pure: time is counted in frames.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from hw import SENSORS, LinkError

LINES: Final = 15
FILES: Final = "ABCDEFGHIJKLMNO"

TOGETHER_FRAMES: Final = 3
"""What changes within so many frames may have changed at once: one part of a scan sees it and the other does
not yet, and contacts bounce. No hand sets two stones within 15 ms."""
LINE_STONES: Final = 4
BOARD_STONES: Final = 6
"""So many stones of a line, or of the board, that vanish at once were not lifted by hands."""

_LOW_HALF: Final = tuple(bytes(half >> n & 1 for n in range(8)) for half in range(256))

Crossing = tuple[int, int]
"""Select line and sense line, 0..14 each."""


class SwitchMatrix:
    """The judge of one matrix.

    `missing_diodes`: crossings that are known to have none. `decoder`: the select lines come from one, whose
    failures show in all of them; else each has a pin of its own.
    """

    def __init__(self, missing_diodes: Collection[Crossing] = (), *, decoder: bool = True) -> None:
        self._decoder = decoder
        self._raw: list[int] | None = None
        self._idle = 0
        self._given = [0] * LINES
        self._earlier: deque[tuple[int, list[int], list[int]]] = deque()
        """What was there and given until each of the frames lately in which it changed."""
        self._readings = bytes(SENSORS)
        self._blind = ""
        self._broken_select = 0
        self._broken_sense = 0
        self._ghosts = _Ghosts(missing_diodes)

    def readings(self, words: Sequence[int], idle: int = 0) -> bytes:
        """One frame: 225 bytes 0 or 1 in plane order.

        `words[s]`: the sense lines that conduct with line s selected, bit 0 is the first; `idle`: those that
        do with none selected. Raises LinkError when the lines tell nothing about the board.
        """
        raw = [word & ~idle for word in words]
        self._ghosts.frame += 1
        if raw == self._raw and idle == self._idle and not (self._blind or self._ghosts.doubtful):
            return self._readings
        if self._raw is not None and raw != self._raw:
            self._earlier.append((self._ghosts.frame, self._raw, self._given))
        while self._earlier and self._earlier[0][0] <= self._ghosts.frame - TOGETHER_FRAMES:
            self._earlier.popleft()
        if self._decoder:
            self._judge_decoder(raw)
        before, self._raw = self._raw, raw
        if idle != self._idle or before is None or self._judge_lines(raw, idle):
            self._ghosts.start(raw)
        else:
            self._ghosts.judge(before, raw)
        self._idle = idle
        self._given = [self._believed(s, word) for s, word in enumerate(raw)]
        self._readings = b"".join(_LOW_HALF[word & 0xFF] + _LOW_HALF[word >> 8][:7] for word in self._given)
        return self._readings

    def forget(self) -> None:
        """Frames are missing: what has changed meanwhile did so one after the other."""
        self._raw = None
        self._earlier.clear()

    def faults(self) -> list[str]:
        """A sentence for everything that is wrong now; points are those of the sensor plane."""
        said = [
            f"sense line {FILES[n]} conducts while nothing is selected, so it touches ground: "
            "its points stay as they were"
            for n in _bits(self._idle)
        ]
        broken = [f"select line {s + 1}" for s in _bits(self._broken_select)]
        broken += [f"sense line {FILES[n]}" for n in _bits(self._broken_sense)]
        said += [
            f"{line} lost all its stones at once, so it is broken: its points stay as they were"
            for line in broken
        ]
        return said + self._ghosts.faults()

    def _judge_decoder(self, raw: list[int]) -> None:
        """Raise LinkError when no line can be believed, and again until they can."""
        count, pin, before = _count(raw), _useless_pin(raw), self._raw
        enough = count >= BOARD_STONES
        if self._blind:
            if count and pin is None:
                self._blind = ""
                self.forget()
        elif before is None:
            if pin is not None and enough:
                self._blind = _no_difference(pin)
        elif not count and self._earlier and _count(self._earlier[0][1]) >= BOARD_STONES:
            self._blind = "all stones vanished at once, so the decoder has no supply or is not enabled"
        elif pin is not None and pin != _useless_pin(before) and _changes(before, raw) > 1 and enough:
            self._blind = _no_difference(pin)
        if self._blind:
            raise LinkError(f"switch matrix: {self._blind}")

    def _judge_lines(self, raw: list[int], idle: int) -> bool:
        """Find the lines that are broken; whether that has changed."""
        if not self._earlier:
            return False
        _, before, given = self._earlier[0]
        were = (self._broken_select, self._broken_sense)
        self._broken_select = _broken(were[0], before, raw)
        self._broken_sense = _broken(were[1], _turned(before), _turned(raw)) & ~idle
        lost_select, lost_sense = self._broken_select & ~were[0], self._broken_sense & ~were[1]
        if lost_select or lost_sense:
            self._given = [
                was if lost_select >> s & 1 else now & ~lost_sense | was & lost_sense
                for s, (was, now) in enumerate(zip(given, self._given, strict=True))
            ]
        return were != (self._broken_select, self._broken_sense)

    def _believed(self, s: int, word: int) -> int:
        """A select line's word, with what is not known as it was, and without what is doubtful."""
        given = self._given[s]
        if self._broken_select >> s & 1:
            return given
        unknown = self._idle | self._broken_sense
        doubtful = sum(1 << n for at, n in self._ghosts.doubtful if at == s)
        return (word & ~unknown | given & unknown) & ~doubtful


class _Ghosts:
    """Which of the crossings that conduct may be ghosts, and of which missing diodes."""

    def __init__(self, missing: Collection[Crossing]) -> None:
        self.frame = 0
        self.doubtful: dict[Crossing, set[Crossing]] = {}
        """Crossings, each with the diodes of which one is missing if it is a ghost."""
        self._missing = set(missing)
        self._either: list[set[Crossing]] = []
        """Sets of diodes of which one is missing."""
        self._closed_at: dict[Crossing, int] = {}
        self._changed_at = 0
        self._freed_at: dict[Crossing, int] = {}

    def start(self, raw: list[int]) -> None:
        """What conducts is believed, but for ghosts of diodes that are known to be missing."""
        self._closed_at.clear()
        self._freed_at.clear()
        self._changed_at = self.frame
        self.doubtful = {}
        for corner in ((s, n) for s, word in enumerate(raw) for n in _bits(word)):
            if causes := {c for c in self._missing if _rectangle(raw, corner, c)}:
                self.doubtful[corner] = causes

    def judge(self, before: list[int], raw: list[int]) -> None:
        """Another frame."""
        if raw != before:
            self._changed_at = self.frame
            fresh = [
                (s, n)
                for s, (was, word) in enumerate(zip(before, raw, strict=True))
                for n in _bits(word & ~was)
            ]
            self._closed_at = {
                c: frame for c, frame in self._closed_at.items() if self.frame - frame < TOGETHER_FRAMES
            } | dict.fromkeys(fresh, self.frame)
            if fresh:
                self._doubt(raw)
        elif self.doubtful and self.frame == self._changed_at + TOGETHER_FRAMES:
            self._refine(raw)
        self._let_go(raw)

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

    def _doubt(self, raw: list[int]) -> None:
        """Hold back what has closed together with another corner of its rectangle."""
        causes: dict[Crossing, set[Crossing]] = {}
        for crossing in self._closed_at:
            for beside, above, opposite in _rectangles(raw, crossing):
                together = any(c in self._closed_at for c in (beside, above, opposite))
                if together and not _works(raw, opposite, self._closed_at):
                    causes.setdefault(crossing, set()).add(opposite)
        if causes:
            self._learn(set().union(*causes.values()))
            known = {c: found for c, of in causes.items() if (found := of & self._missing)}
            self.doubtful.update(known or causes)

    def _refine(self, raw: list[int]) -> None:
        """The lines have been still for long enough to tell which diodes work."""
        suspects = set().union(*self.doubtful.values())
        working = {diode for diode in suspects if _works(raw, diode)}
        if working:
            self.doubtful = {c: left for c, of in self.doubtful.items() if (left := of - working)}
            for either in self._either:
                self._learn(either - working)

    def _learn(self, suspects: set[Crossing]) -> None:
        """One of these diodes is missing."""
        if len(suspects) == 1:
            self._missing |= suspects
            self.doubtful = {c: found for c, of in self.doubtful.items() if (found := of & self._missing)}
            self._either = [either for either in self._either if not either & suspects]
        elif suspects and not suspects & self._missing and suspects not in self._either:
            self._either.append(suspects)

    def _let_go(self, raw: list[int]) -> None:
        """What opens was nothing; what stays closed without its rectangle is a stone."""
        for crossing, causes in list(self.doubtful.items()):
            s, n = crossing
            if any(_rectangle(raw, crossing, cause) for cause in causes):
                self._freed_at.pop(crossing, None)
            elif not raw[s] >> n & 1 or (
                self.frame - self._freed_at.setdefault(crossing, self.frame) >= TOGETHER_FRAMES
            ):
                del self.doubtful[crossing]
                self._freed_at.pop(crossing, None)


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


def _broken(broken: int, before: Sequence[int], words: Sequence[int]) -> int:
    """The lines that are broken, after another frame."""
    for line, (was, word) in enumerate(zip(before, words, strict=True)):
        if word:
            broken &= ~(1 << line)
        elif was.bit_count() >= LINE_STONES:
            broken |= 1 << line
    return broken


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
