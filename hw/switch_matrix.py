"""From the lines of a switch matrix to 225 readings, with an eye for what cannot be stones.

A matrix has 15 select lines (the ranks of the sensor plane, 1 to 15) and 15 sense lines (its files, A to O),
and at each crossing a switch with a diode. Wires break and diodes die; what that looks like from the readings:

| what is seen | what it is | what is done |
|---|---|---|
| a sense line conducts with nothing selected | it touches ground | its points stay as they were |
| four stones or more of one line vanish between two frames, and all of it is open | the line is broken | its points stay as they were until one of them conducts |
| all stones of the board vanish between two frames | the decoder has no supply | no frames until something conducts |
| selecting with a bit and without it reads alike from one frame to the next | the select pin of this bit is broken | no frames until they differ |
| two switches close within three frames as corners of a rectangle whose other two are closed | one of them is a ghost: a diode is missing | neither is a stone |

The last is told with both diodes that it may be; a second case tells which one of them, and from then on only
what this diode makes uncertain is held back. Pure: time is counted in frames.
"""  # noqa: E501

from collections.abc import Collection, Sequence
from typing import Final

from hw import SENSORS, LinkError

LINES: Final = 15
ALL: Final = (1 << LINES) - 1
FILES: Final = "ABCDEFGHIJKLMNO"

TOGETHER_FRAMES: Final = 3
"""Switches that close within so many frames of one another may have closed at once: one that closes during a
scan is seen by part of it only, and contacts bounce. No hand sets two stones within 15 ms."""
LOST_STONES: Final = 4
"""So many stones of a line that vanish at once are a broken wire, and not hands."""
ALL_LOST_STONES: Final = 6
"""The same for the whole board."""

_BYTES: Final = tuple(bytes(word >> n & 1 for n in range(8)) for word in range(256))

Crossing = tuple[int, int]
"""Select line and sense line, 0..14 each."""


class SwitchMatrix:
    """The judge of one matrix. `missing_diodes`: crossings that are known to have none."""

    def __init__(self, missing_diodes: Collection[Crossing] = ()) -> None:
        self._missing = set(missing_diodes)
        self._suspects: list[tuple[Crossing, Crossing]] = []
        self._raw: list[int] | None = None
        self._given: list[int] = [0] * LINES
        self._idle = 0
        self._readings = bytes(SENSORS)
        self._frame = 0
        self._closed_at = [[-TOGETHER_FRAMES] * LINES for _ in range(LINES)]
        self._doubtful: dict[Crossing, set[Crossing]] = {}
        self._dead_select = 0
        self._dead_sense = 0
        self._blind = ""

    def readings(self, words: Sequence[int], idle: int = 0) -> bytes:
        """One frame: 225 bytes 0 or 1 in plane order.

        `words[s]`: the sense lines that conduct with line s selected, bit 0 the first; `idle`: with none.
        Raises LinkError when the lines tell nothing about the board.
        """
        self._frame += 1
        words = list(words)
        if words == self._raw and idle == self._idle and not self._blind:
            return self._readings
        before = self._raw
        self._judge_decoder(before, words)
        self._idle = idle
        if before is not None:
            self._judge_lines(before, words, idle)
        self._judge_ghosts(before, words)
        self._raw = words
        self._given = [self._believed(s, word) for s, word in enumerate(words)]
        self._readings = b"".join(_BYTES[word & 0xFF] + _BYTES[word >> 8][:7] for word in self._given)
        return self._readings

    def faults(self) -> list[str]:
        """A sentence for everything that is wrong now."""
        said = [
            f"sense line {FILES[n]} conducts with nothing selected: it touches ground; its points stay as they were"
            for n in _bits(self._idle)
        ]
        broken = [f"select line {s + 1}" for s in _bits(self._dead_select)]
        broken += [f"sense line {FILES[n]}" for n in _bits(self._dead_sense)]
        said += [f"{line} lost all its stones at once: it seems broken; its points stay as they were" for line in broken]
        if self._missing:
            said.append(f"the diode at {_names(self._missing)} is missing or bridged")
        if self._doubtful:
            named = {c for causes in self._doubtful.values() for c in causes}
            at = "" if named <= self._missing else f": the diode at {_names(named, ' or ')} seems bridged"
            said.append(f"{_names(self._doubtful)}: a stone or a ghost, and not taken for a stone{at}")
        return said

    def _judge_decoder(self, before: list[int] | None, words: list[int]) -> None:
        """Raise LinkError where no line tells the truth, and again until they do."""
        count = sum(word.bit_count() for word in words)
        if before is not None and not self._blind:
            was = sum(word.bit_count() for word in before)
            changes = sum((a ^ b).bit_count() for a, b in zip(before, words, strict=True))
            if was >= ALL_LOST_STONES and not count:
                self._blind = (
                    "no line of the matrix conducts any more, and all did before: "
                    "the decoder has no supply, or its enable pin is high"
                )
            elif changes >= 2 and (bit := _same_without(words)) is not None and _same_without(before) != bit:
                self._blind = (
                    f"select pin {bit + 1} makes no difference any more: its wire to the decoder is broken"
                )
        elif before is None and count >= ALL_LOST_STONES and (bit := _same_without(words)) is not None:
            self._blind = f"select pin {bit + 1} makes no difference: its wire to the decoder is broken"
        elif self._blind and count and _same_without(words) is None:
            self._blind = ""
        if self._blind:
            raise LinkError(self._blind)

    def _judge_lines(self, before: list[int], words: list[int], idle: int) -> None:
        """Find select and sense lines that have lost all their stones between two frames."""
        columns = _columns(words)
        for s, (was, word) in enumerate(zip(before, words, strict=True)):
            if word & ~idle:
                self._dead_select &= ~(1 << s)
            elif not word and was.bit_count() >= LOST_STONES:
                self._dead_select |= 1 << s
        for n, (was, word) in enumerate(zip(_columns(before), columns, strict=True)):
            if word:
                self._dead_sense &= ~(1 << n)
            elif was.bit_count() >= LOST_STONES:
                self._dead_sense |= 1 << n

    def _judge_ghosts(self, before: list[int] | None, words: list[int]) -> None:
        for crossing in list(self._doubtful):
            if not any(_rectangle(words, crossing, cause) for cause in self._doubtful[crossing]):
                del self._doubtful[crossing]
        if before is None:
            self._hide_behind_missing(words, range(LINES))
            return
        fresh: list[Crossing] = []
        for s, (was, word) in enumerate(zip(before, words, strict=True)):
            for n in _bits(word & ~was & ~self._idle):
                self._closed_at[s][n] = self._frame
                fresh.append((s, n))
        pairs = [(c, cause) for c in fresh for cause in self._recent_causes(words, c)]
        for crossing, cause in pairs:
            self._suspect(crossing, cause)

    def _recent_causes(self, words: list[int], crossing: Crossing) -> list[tuple[Crossing, Crossing]]:
        ...
