"""Time controls and their texts: `15m`, `5m+3s`, `30s + 3x5s byo-yomi`. Source: competition rules 8.

Every duration is an integer of nanoseconds.
"""

import re
from typing import Final

import msgspec

from firmware_host.errors import NotationError

MS: Final = 1_000_000
SECOND: Final = 1_000 * MS

UNITS: Final[dict[str, int]] = {"h": 3600 * SECOND, "m": 60 * SECOND, "s": SECOND, "ms": MS}
"""The units of a duration, from the longest to the shortest; this is also their order in a text."""

LONGEST_NS: Final = 99 * UNITS["h"]
MOST_PERIODS: Final = 99

_DURATIONS: Final = "a time such as 15m, 1h30m, 90s or 500ms"
_CONTROLS: Final = "none, 15m, 5m+3s, 30s + 3x5s byo-yomi or 3x5s byo-yomi"
_PART = re.compile(r"([0-9]{1,9})(?:\s*(ms|h|m|s))?")
_PERIODS = re.compile(r"([0-9]{1,9})\s*x")


class TimeControl(msgspec.Struct, frozen=True, kw_only=True):
    """What each side is given. `limited` is False for play without a limit: then times are only counted.

    `main_ns` >= 0; `increment_ns` >= 0 is added after each move (Fischer); `periods` >= 0 byo-yomi periods of
    `period_ns` follow the main time.
    """

    limited: bool = True
    main_ns: int = 0
    increment_ns: int = 0
    periods: int = 0
    period_ns: int = 0

    @property
    def given_ns(self) -> int:
        """All the time that a side has from the start, byo-yomi periods included."""
        return self.main_ns + self.periods * self.period_ns

    @property
    def text(self) -> str:
        """The control in the form that `parse_control` reads: `5m+3s`, `30s + 3x5s byo-yomi`."""
        if not self.limited:
            return "none"
        main = duration_text(self.main_ns)
        if self.periods:
            chain = f"{self.periods}x{duration_text(self.period_ns)} byo-yomi"
            return f"{main} + {chain}" if self.main_ns else chain
        return f"{main}+{duration_text(self.increment_ns)}" if self.increment_ns else main


def duration_text(ns: int) -> str:
    """`1h30m`, `90s` as `1m30s`, `0s`: what `parse_duration_ns` reads. `ns` >= 0; below 1 ms is cut off."""
    parts = []
    for unit, size in UNITS.items():
        count, ns = divmod(ns, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def parse_duration_ns(text: str) -> int:
    """Nanoseconds of a time such as `15m`, `1h30m`, `90s`, `500ms`; raises NotationError naming the place."""
    return _Reader(text, _DURATIONS).whole_duration()


def parse_control(text: str) -> TimeControl:
    """The time control of a text; raises NotationError naming the place.

    control  = "none" | term { "+" term };  term = duration | COUNT "x" duration [ "byo-yomi" ]

    A duration first is main time; a second one is the increment of Fischer; periods come last. Upper or lower
    case, with or without spaces. A control without main time must have periods.
    """
    return _Reader(text, _CONTROLS).control()


class _Reader:
    """Reads one text from left to right; `at` is the next character."""

    def __init__(self, text: str, allowed: str) -> None:
        self.given = text
        self.text = text.lower()
        self.allowed = allowed
        self.at = 0

    def refuse(self, why: str, at: int) -> NotationError:
        return NotationError(f"{self.given!r}, character {at + 1}: {why}; allowed: {self.allowed}")

    def skip(self) -> int:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at

    def rest(self) -> str:
        return repr(self.given[self.at : self.at + 8]) if self.at < len(self.text) else "the end"

    def take(self, word: str) -> bool:
        if not self.text.startswith(word, self.skip()):
            return False
        self.at += len(word)
        return True

    def ended(self) -> bool:
        return self.skip() == len(self.text)

    def duration(self) -> int:
        """One or more counts with units, from long to short, each unit once."""
        begin = self.skip()
        total = 0
        last = -1
        order = list(UNITS)
        while found := _PART.match(self.text, self.skip()):
            if found[2] is None:
                raise self.refuse(f"{found[1]} has no unit (h, m, s or ms)", self.at)
            if order.index(found[2]) <= last:
                raise self.refuse(f"{found[0]} does not follow a longer unit", self.at)
            last = order.index(found[2])
            total += int(found[1]) * UNITS[found[2]]
            self.at = found.end()
        if last < 0:
            raise self.refuse(f"{self.rest()} is not a time", self.at)
        if total > LONGEST_NS:
            raise self.refuse(f"the time is longer than {duration_text(LONGEST_NS)}", begin)
        return total

    def whole_duration(self) -> int:
        ns = self.duration()
        if not self.ended():
            raise self.refuse(f"{self.rest()} is too much", self.at)
        return ns

    def control(self) -> TimeControl:
        if self.take("none"):
            if not self.ended():
                raise self.refuse(f"{self.rest()} after none", self.at)
            return TimeControl(limited=False)
        times: list[int] = []
        while True:
            at = self.skip()
            if found := _PERIODS.match(self.text, at):
                return self.byo_yomi(found, times, at)
            if len(times) == 2:
                raise self.refuse("a third time", at)
            times.append(self.duration())
            if self.ended():
                break
            if not self.take("+"):
                raise self.refuse(f"{self.rest()} where + is due", self.at)
        if not times[0]:
            raise self.refuse("no main time", 0)
        return TimeControl(main_ns=times[0], increment_ns=times[1] if len(times) == 2 else 0)

    def byo_yomi(self, found: re.Match[str], times: list[int], at: int) -> TimeControl:
        """The periods, which end a control."""
        if len(times) == 2:
            raise self.refuse("an increment and byo-yomi together", at)
        periods = int(found[1])
        if not 1 <= periods <= MOST_PERIODS:
            raise self.refuse(f"{periods} periods, not 1 to {MOST_PERIODS}", at)
        self.at = found.end()
        length_at = self.skip()
        period_ns = self.duration()
        if not period_ns:
            raise self.refuse("a period without time", length_at)
        self.take("byo-yomi")
        if not self.ended():
            raise self.refuse(f"{self.rest()} after the byo-yomi", self.at)
        return TimeControl(main_ns=times[0] if times else 0, periods=periods, period_ns=period_ns)
