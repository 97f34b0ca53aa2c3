"""Time controls as data: a chain of stages, and the text that arbiters write them in.

Source: competition rules 8.1 (a limit that both sides share), 8.2 (one limit, several limits, moves to be
made within a limit, byo-yomi) and 8.3 (increment). Every duration is an integer of nanoseconds. `notation`
reads the texts, `words` says them to people.
"""

from typing import Final

import msgspec

MS: Final = 1_000_000
SECOND: Final = 1_000 * MS

UNITS: Final[dict[str, int]] = {"h": 3600 * SECOND, "m": 60 * SECOND, "s": SECOND, "ms": MS}
"""The units of a duration, from the longest to the shortest; this is also their order in a text."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a control: `count` >= 1 periods of `ns` > 0 each.

    `moves` > 0 are to be made within a period; with 0 its time is all that counts. `increment_ns` >= 0 is
    added after each move (Fischer). A `renewed` period begins anew, whole, when its moves are made.
    """

    ns: int
    moves: int = 0
    increment_ns: int = 0
    count: int = 1
    renewed: bool = False

    @property
    def byo_yomi(self) -> bool:
        """Whether each move has a period of its own."""
        return self.renewed and self.moves == 1

    @property
    def text(self) -> str:
        """The stage in the form that `parse_control` reads."""
        if self.byo_yomi:
            return f"{self.count}x{duration_text(self.ns)} byo-yomi"
        moves = f"{self.moves} moves/" if self.moves else ""
        increment = f"+{duration_text(self.increment_ns)}" if self.increment_ns else ""
        return f"{moves}{duration_text(self.ns)}{increment}{' repeating' if self.renewed else ''}"


class TimeControl(msgspec.Struct, frozen=True, kw_only=True):
    """What each side is given: its stages in order, or no limit (no stage), where times are only counted.

    A renewed stage is the last one. `shared`: both sides use the one stage together. `tenths`: whether tenths
    of a second are shown in the last ten seconds.
    """

    stages: tuple[Stage, ...] = ()
    shared: bool = False
    tenths: bool = True

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return bool(self.stages)

    @property
    def given_ns(self) -> int:
        """All the time that a side has from the start, each period once."""
        return self.after_ns(-1)

    @property
    def byo_yomi_periods(self) -> int:
        """How many byo-yomi periods a side has from the start."""
        return self.stages[-1].count if self.stages and self.stages[-1].byo_yomi else 0

    def after_ns(self, index: int) -> int:
        """The time of the stages that follow the one at `index`."""
        return sum(stage.count * stage.ns for stage in self.stages[index + 1 :])

    @property
    def text(self) -> str:
        """The control in the form that `parse_control` reads: `5m+3s`, `30s + 3x5s byo-yomi`."""
        if not self.limited:
            return "none"
        text = "shared " if self.shared else ""
        for i, stage in enumerate(self.stages):
            joint = (" + " if stage.byo_yomi else " then ") if i else ""
            text += joint + stage.text
        return text if self.tenths else f"{text} without tenths"


def duration_text(ns: int) -> str:
    """`1h30m`, `90s` as `1m30s`, `0s`: what `parse_duration_ns` reads. `ns` >= 0; below 1 ms is cut off."""
    parts = []
    for unit, size in UNITS.items():
        count, ns = divmod(ns, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
