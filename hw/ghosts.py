"""Ghosts of a switch matrix: crossings that conduct though no stone lies there.

Two switches close together, and with two others they are the corners of a rectangle: one may be a ghost,
made by current that flows backwards through the crossing opposite to it, whose diode is missing. Neither is
a stone, until it is known which diode it is; then only its ghosts are held back.

The diode of (s, n) works when another select line conducts at n and does not show all that s shows: what is
told apart so was no ghost.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from hw import SENSORS
from hw.lines import FILES, Crossing, bits

TOGETHER_NS: Final = 15_000_000
"""What changes within this time may have changed at once, and so may what differs in two frames on end: one
part of a scan sees it and the other does not yet, and contacts bounce. No hand sets two stones within it."""
QUIET_NS: Final = 100_000_000
"""A wire that breaks changes nothing else for so long before and after; stones that are swept away do."""


class Ghosts:
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
        for corner in ((s, n) for s, word in enumerate(raw) for n in bits(word & ~given[s])):
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
                for n in bits(was ^ word)
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
                + "; if a stone lies there, enter it by hand"
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
        proven = {(s, n) for s, word in enumerate(raw) for n in bits(word & given[s]) if _works(raw, (s, n))}
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
            for m in bits(word & words[s] & ~(1 << n)):
                yield (s, m), (other, n), (other, m)


def _names(crossings: Iterable[Crossing], last: str) -> str:
    names = [f"{FILES[n]}{s + 1}" for s, n in sorted(crossings)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"
