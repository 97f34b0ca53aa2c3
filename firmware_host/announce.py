"""What the buzzer says, and at which instants: byo-yomi counted aloud, the ends of times, the flag.

Source: competition rules 8. In a period of 60 s the player is told at 30, 40 and 50 s and at 56, 57, 58 and
59 s; other lengths at 30, 20 and 10 s before the end and in the last four seconds. Both are the same marks
before the end. Nobody may remind a player of his time otherwise [8.9], so main time is silent; where an event
allows it, one tone tells that a minute is left. Nothing else ever sounds: a sound about anything on the board
would tell the players. `docs/clock.md` has the patterns for people.
"""

from typing import Final, Literal

import msgspec

from firmware_host.clock import MS, SECOND, Clock, Player

LATEST_NS: Final = 50 * MS
"""A signal that cannot sound within this time after its instant is skipped, never played late."""


class Tone(msgspec.Struct, frozen=True):
    """A tone and the silence after it: frequency in Hz, both lengths in ms."""

    hz: int
    ms: int
    rest_ms: int = 0


class Mark(msgspec.Struct, frozen=True):
    """A row of the table: `seconds_left` before the end of a period these tones sound."""

    seconds_left: int
    pattern: tuple[Tone, ...]


SHORT: Final = Tone(2730, 60, 90)  # 2730 Hz: the resonance of the SparkFun Qwiic buzzer
TICK: Final = Tone(2400, 40)

MARKS: Final[tuple[Mark, ...]] = (
    Mark(30, (SHORT,)),
    Mark(20, (SHORT, SHORT)),
    Mark(10, (SHORT, SHORT, SHORT)),
    Mark(4, (TICK,)),
    Mark(3, (TICK,)),
    Mark(2, (TICK,)),
    Mark(1, (TICK,)),
)

ENDS: Final[dict[str, tuple[Tone, ...]]] = {
    "main": (Tone(2000, 150, 50), Tone(2730, 150)),
    "stage": (Tone(2000, 150, 50), Tone(2000, 150)),
    "period": (Tone(2730, 150, 50), Tone(2000, 150)),
    "flag": (Tone(2730, 1000),),
}
"""The tones at the end of main time before byo-yomi, of another stage, of a period, and of all time."""


LAST_MINUTE: Final = Mark(60, (Tone(2000, 60, 60), Tone(2000, 60)))
"""Before the flag of a time without byo-yomi, where the event allows it."""


class Signal(msgspec.Struct, frozen=True):
    """Tones that are due at `at_ns` for `player`; `seconds_left` of a mark, None at an end."""

    at_ns: int
    player: Player
    kind: Literal["mark", "main", "stage", "period", "flag"]
    pattern: tuple[Tone, ...]
    seconds_left: int | None = None


def flags(clock: Clock) -> list[Signal]:
    """The flags that have fallen, by time or by an arbiter's word."""
    return [
        Signal(fell, player, "flag", ENDS["flag"])
        for player in Player
        if (fell := clock.side(player).fell_ns) is not None
    ]


def due(clock: Clock, since_ns: int, until_ns: int, *, last_minute: bool = False) -> list[Signal]:
    """The signals after `since_ns`, `until_ns` included, in order, if nothing more happens to `clock`.

    The clock may have come further than `since_ns`: what it passed since something last happened to it is
    told, and a flag in any case (`flags`). `last_minute`: whether the last minute of all time is told too.
    """
    start = clock.origin or clock
    found = set(flags(clock))
    begin = start.as_of_ns
    for end in start.crossings(until_ns + LAST_MINUTE.seconds_left * SECOND):
        warned = last_minute and end.kind == "flag"
        found |= {
            Signal(at, end.player, "mark", mark.pattern, mark.seconds_left)
            for mark in (MARKS if end.byo_yomi else (LAST_MINUTE,) if warned else ())
            if (start.as_of_ns if warned else begin) < (at := end.at_ns - mark.seconds_left * SECOND)
        }
        found.add(Signal(end.at_ns, end.player, end.kind, ENDS[end.kind]))
        begin = end.at_ns
    return sorted((s for s in found if since_ns < s.at_ns <= until_ns), key=lambda s: s.at_ns)
