"""Reads durations and time controls as arbiters write them: `15m`, `5m+3s`, `60m then 10 moves/5m repeating`.

Upper or lower case, with or without spaces. What cannot be read is refused by one sentence that names the
place and what is allowed.
"""

import re
from typing import Final, NoReturn

from firmware_host.clock.control import UNITS, Stage, TimeControl, duration_text
from firmware_host.errors import NotationError

LONGEST_NS: Final = 99 * UNITS["h"]
MOST_PERIODS: Final = 99
MOST_MOVES: Final = 225
MOST_STAGES: Final = 9

_DURATIONS: Final = "a time such as 15m, 1h30m, 90s or 500ms"
_CONTROLS: Final = (
    "none, 15m, 5m+3s, 30s + 3x5s byo-yomi, 3x5s byo-yomi, 10 moves/10m, 60m then 10 moves/5m repeating"
    " or shared 3h, each also with: without tenths"
)
_PART = re.compile(r"([0-9]{1,9})(?:\s*(ms|h|m(?!ove)|s))?")
_PERIODS = re.compile(r"([0-9]{1,9})\s*x")
_MOVES = re.compile(r"([0-9]{1,9})\s*moves?\s*/")
_WITHOUT_TENTHS = re.compile(r"\s+without\s+tenths\s*$")


def parse_duration_ns(text: str) -> int:
    """Nanoseconds of a time such as `15m`, `1h30m`, `90s`, `500ms`; raises NotationError naming the place."""
    return _Reader(text, _DURATIONS).whole_duration()


def parse_control(text: str) -> TimeControl:
    """The time control of a text; raises NotationError naming the place.

    control = "none" | limit [ "without tenths" ]
    limit = "shared" duration | stage { "then" stage } [ ( "then" | "+" ) byo-yomi ] | byo-yomi
    stage = [ COUNT "moves" "/" ] duration [ "+" duration ] [ "repeating" ]
    byo-yomi = COUNT "x" duration [ "byo-yomi" ]

    The second time of a stage is the increment of Fischer. A stage that repeats has moves to make and is the
    last one. Before byo-yomi the main time may be 0.
    """
    return _Reader(text, _CONTROLS).control()


class _Reader:
    """Reads one text from left to right; `at` is the next character."""

    def __init__(self, text: str, allowed: str) -> None:
        self.given = text
        self.text = text.lower()
        self.allowed = allowed
        self.at = 0
        self.shared = False

    def refuse(self, why: str, at: int) -> NoReturn:
        raise NotationError(f"{self.given!r}, character {at + 1}: {why}; allowed: {self.allowed}")

    def skip(self) -> int:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at

    def rest(self) -> str:
        return repr(self.given[self.at : self.at + 8]) if self.at < len(self.text) else "the end"

    def no_time(self) -> str:
        return "a time is missing" if self.ended() else f"{self.rest()} is not a time"

    def take(self, word: str) -> bool:
        if not self.text.startswith(word, self.skip()):
            return False
        self.at += len(word)
        return True

    def ended(self) -> bool:
        return self.skip() == len(self.text)

    def end(self, after: str) -> None:
        if not self.ended():
            self.refuse(f"{self.rest()} after {after}", self.at)

    def duration(self) -> int:
        """One or more counts with units, from long to short, each unit once."""
        begin = self.skip()
        total = 0
        last = -1
        order = list(UNITS)
        while found := _PART.match(self.text, self.skip()):
            if found[2] is None:
                self.refuse(f"{found[1]} has no unit (h, m, s or ms)", self.at)
            if order.index(found[2]) <= last:
                self.refuse(f"{found[0]} does not follow a longer unit", self.at)
            last = order.index(found[2])
            total += int(found[1]) * UNITS[found[2]]
            self.at = found.end()
        if last < 0:
            self.refuse(self.no_time(), self.at)
        if total > LONGEST_NS:
            self.refuse(f"the time is longer than {duration_text(LONGEST_NS)}", begin)
        return total

    def whole_duration(self) -> int:
        ns = self.duration()
        if not self.ended():
            self.refuse(f"{self.rest()} is too much", self.at)
        return ns

    def control(self) -> TimeControl:
        if self.take("none"):
            self.end("none")
            return TimeControl()
        if ending := _WITHOUT_TENTHS.search(self.text):
            self.text = self.text[: ending.start()]
        return TimeControl(stages=self.stages(), shared=self.shared, tenths=ending is None)

    def stages(self) -> tuple[Stage, ...]:
        if self.take("shared"):
            self.shared = True
            at = self.skip()
            ns = self.duration()
            if not ns:
                self.refuse("a shared limit without time", at)
            self.end("the shared limit")
            return (Stage(ns=ns),)
        stages: list[Stage] = []
        while True:
            at = self.skip()
            if found := _PERIODS.match(self.text, at):
                if stages and stages[-1].increment_ns:
                    self.refuse("an increment and byo-yomi together", at)
                stages.append(self.byo_yomi(found, at))
                self.end("the byo-yomi")
                break
            if len(stages) == MOST_STAGES:
                self.refuse(f"more than {MOST_STAGES} stages", at)
            stages.append(self.stage())
            if not stages[-1].ns and len(stages) > 1:
                self.refuse("a stage without time", at)
            if stages[-1].byo_yomi and len(stages) > 1 and stages[-2].increment_ns:
                self.refuse("an increment and byo-yomi together", at)
            if self.ended():
                break
            if stages[-1].renewed:
                self.end("the stage that repeats")
            byo_yomi_follows = self.take("+")
            if not byo_yomi_follows and not self.take("then"):
                self.refuse(f"{self.rest()} where + or then is due", self.at)
            if byo_yomi_follows and not _PERIODS.match(self.text, self.skip()):
                self.refuse("a third time" if stages[-1].increment_ns else self.no_time(), self.at)
        if stages[0].ns:
            return tuple(stages)
        if len(stages) != 2 or not stages[1].byo_yomi:
            self.refuse("no main time", 0)
        return tuple(stages[1:])

    def counted(self, found: re.Match[str], most: int, what: str) -> int:
        """The count of a match, from 1 to `most`."""
        count = int(found[1])
        if not 1 <= count <= most:
            self.refuse(f"{count} {what}, not 1 to {most}", self.at)
        self.at = found.end()
        return count

    def stage(self) -> Stage:
        """A time, with the moves to be made in it, its increment, and whether it repeats."""
        found = _MOVES.match(self.text, self.at)
        moves = self.counted(found, MOST_MOVES, "moves") if found else 0
        at = self.skip()
        ns = self.duration()
        if moves and not ns:
            self.refuse("moves to make without time", at)
        increment_ns = 0
        at = self.skip()
        if self.take("+"):
            if _PERIODS.match(self.text, self.skip()):
                self.at = at
            else:
                increment_ns = self.duration()
        at = self.skip()
        renewed = self.take("repeating")
        if renewed and not moves:
            self.refuse("a stage repeats that has no moves to make", at)
        if renewed and moves == 1 and increment_ns:
            self.refuse("an increment and byo-yomi together", at)
        return Stage(ns=ns, moves=moves, increment_ns=increment_ns, renewed=renewed)

    def byo_yomi(self, found: re.Match[str], at: int) -> Stage:
        """Periods of one move each."""
        count = self.counted(found, MOST_PERIODS, "periods")
        at = self.skip()
        ns = self.duration()
        if not ns:
            self.refuse("a period without time", at)
        self.take("byo-yomi")
        return Stage(ns=ns, moves=1, count=count, renewed=True)
