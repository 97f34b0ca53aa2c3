"""Reads scenario files: what a tournament arbiter would write down, one line a turn.

```
designated, claim, 15m                ; the match: opening, forbidden rule, time, other settings
black sets H8 H9 I10 offers 2         ; lays the opening, names N, presses
white keeps colours
white places G7, presses
expect move 4 G7 for all
```

`PHRASES` is the whole language of actions; README.md in this folder explains it, and the first line and the
expectations too.
"""

import re
from typing import Final, NamedTuple

from firmware_host.referee.settings import CHOICES

POINT: Final = r"[A-O](?:1[0-5]|[1-9])"
POINTS: Final = rf"{POINT}(?: {POINT})*"
CODE: Final = r"[a-z]+(?:-[a-z]+)*"
TIME: Final = r"[0-9]+(?:\.[0-9]+)? (?:ms|s|min)"
SIDE: Final = r"black|white"
KIND: Final = r"dead|stuck|noisy"
SHOWS: Final = "; shows "
SCORE: Final = r"0|0\.5|1"
MOVED: Final = (
    r"(?P<decision>back|stands|draw|replay|loss)"
    rf"(?: of (?P<side>{SIDE}))?(?: by (?P<kind>outside|accident|purpose))?"
)


class ScenarioError(ValueError):
    """A line that cannot be read or acted; the text begins with its number."""


class Act(NamedTuple):
    """One thing that somebody does: the actor, the name of the phrase, what the phrase holds."""

    actor: str
    verb: str
    words: dict[str, str]


class Line(NamedTuple):
    """A numbered line: acts (`quick`: hardly a moment between them), or what is expected after them."""

    number: int
    text: str
    acts: tuple[Act, ...] = ()
    expect: str = ""
    quick: bool = False


class Scenario(NamedTuple):
    """A file that was read; `shows` are the rows of the tables that it claims to show (`rows`)."""

    settings: dict[str, str | int]
    sensors: tuple[str, ...]
    absent: tuple[str, ...]
    lines: tuple[Line, ...]
    begun: bool = True
    shows: tuple[str, ...] = ()


PLAYER: Final = SIDE
Phrases = tuple[tuple[str, str, str], ...]
PHRASES: Final[Phrases] = (
    # who, verb, what is written
    (PLAYER, "place", rf"places (?:(?P<colour>{SIDE}) )?(?P<point>{POINT})"),
    (PLAYER, "place and press", rf"places (?P<point>{POINT}) and presses (?P<time>{TIME}) later"),
    (PLAYER, "before the flag", rf"places (?P<point>{POINT}) just before the flag"),
    (PLAYER, "weak", rf"places a weak stone on (?P<point>{POINT})"),
    (PLAYER, "fall", rf"drops (?P<point>{POINT})"),
    (PLAYER, "set-up", rf"sets (?P<points>{POINT} {POINT}(?: {POINT})?)(?: offers (?P<offers>[0-9]+))?"),
    (PLAYER, "offer", rf"offers (?P<points>{POINTS})"),
    (PLAYER, "lift", rf"(?:removes|lifts) (?P<points>{POINTS})"),
    (PLAYER, "slide", rf"slides (?P<path>{POINT}(?: -> {POINT})+)"),
    (PLAYER, "move", rf"moves (?P<point>{POINT}) -> (?P<to>{POINT})"),
    (PLAYER, "straighten", rf"straightens (?P<point>{POINT})"),
    (PLAYER, "press", r"presses"),
    (PLAYER, "ring", r"calls"),
    (PLAYER, "call", r"asks for the arbiter"),
    (PLAYER, "hold", r"holds the call key"),
    (PLAYER, "step", r"steps(?: (?P<times>[0-9]+) times)?"),
    (PLAYER, "take", r"confirms(?: (?P<twice>twice))?"),
    (PLAYER, "think", rf"thinks (?P<time>{TIME})"),
    (PLAYER, "keep", r"keeps colours"),
    (PLAYER, "swap", r"swaps colours"),
    (PLAYER, "choose", r"chooses (?P<branch>[a-z]+)"),
    (rf"{PLAYER}|arbiter", "opening", r"names (?P<offers>[0-9]+) offers"),
    (PLAYER, "pass", r"passes"),
    (PLAYER, "resign", r"resigns"),
    (PLAYER, "left", r"leaves"),
    (PLAYER, "arrive", r"arrives"),
    (PLAYER, "draw offer", r"offers a draw"),
    (PLAYER, "draw accept", r"accepts the draw"),
    (PLAYER, "draw refuse", r"refuses the draw"),
    (PLAYER, "claim", rf"claims (?P<code>{CODE})(?: (?P<point>{POINT}))?"),
    (rf"{PLAYER}|arbiter", "waive", rf"waives (?P<code>{CODE})(?: (?P<point>{POINT}))?"),
    ("arbiter", "start", r"starts the round(?: without (?P<absent>black|white|both))?"),
    ("arbiter", "pause", r"pauses"),
    ("arbiter", "resume", r"resumes"),
    ("arbiter", "adjourn", r"adjourns"),
    ("arbiter", "finish", r"finishes"),
    ("arbiter", "split", r"splits the shared time"),
    ("arbiter", "charge", rf"charges (?:(?P<side>{SIDE})|both)"),
    ("arbiter", "key", r"presses the arbiter's key"),
    ("arbiter", "note", r"notes: (?P<text>.+)"),
    ("arbiter", "time penalty", rf"fines (?P<side>{SIDE}) (?P<time>{TIME})"),
    ("arbiter", "uphold", rf"upholds(?: (?P<code>{CODE})(?: (?P<point>{POINT}))?)?"),
    (
        "arbiter",
        "reject",
        rf"rejects(?: (?P<code>{CODE})(?: (?P<point>{POINT}))?)?(?: for (?P<time>{TIME}))?",
    ),
    ("arbiter", "violation", rf"counts a violation of (?P<side>{SIDE})"),
    (
        "arbiter|chief|organiser",
        "penalty",
        rf"gives (?P<side>{SIDE}) a (?P<kind>violation|loss|disqualification)",
    ),
    ("arbiter|chief", "moved", rf"decides moved stones: {MOVED}"),
    ("arbiter|chief", "result", rf"gives the result (?P<black>{SCORE}) to (?P<white>{SCORE})"),
    ("arbiter|chief", "colours", r"decides wrong colours: (?P<decision>restart|stands)"),
    ("arbiter|chief", "compensate", r"undoes decision (?P<entry>[0-9]+)"),
    ("arbiter", "accept_board", r"accepts the board"),
    ("arbiter", "restore", r"restores the board"),
    ("arbiter", "place", rf"enters (?:(?P<colour>{SIDE}) )?(?P<point>{POINT})"),
    ("arbiter", "remove", rf"takes (?P<point>{POINT}) off the record"),
    ("arbiter", "mask", rf"masks (?P<point>{POINT})"),
    ("arbiter", "unmask", rf"unmasks (?P<point>{POINT})"),
    ("arbiter", "set_used", rf"sets the used time of (?P<side>{SIDE}) to (?P<time>{TIME})"),
    ("arbiter", "set_clock", rf"sets (?P<side>{SIDE}) to (?P<time>{TIME})"),
    ("arbiter", "add_time", rf"gives (?P<side>{SIDE}) (?P<time>{TIME})"),
    ("an arm", "sweep", rf"sweeps (?P<points>{POINTS})"),
    ("the board", "put right", r"is put right"),
    ("both", "clear", r"clear the board"),
    ("a phone", "phone", rf"lies over (?P<point>{POINT}) for (?P<time>{TIME})"),
    ("row", "fault", rf"(?P<line>[0-9]+|[A-O]) is (?P<kind>{KIND})(?: for (?P<time>{TIME}))?"),
    ("sensor", "fault", rf"(?P<point>{POINT}) is (?P<kind>{KIND})(?: for (?P<time>{TIME}))?"),
    ("the scanner", "lose", r"loses (?P<count>[0-9]+) frames"),
    ("the scanner", "unplug", r"is unplugged"),
    ("the scanner", "plug in", r"is plugged in again"),
    (
        "the power",
        "restart",
        rf"fails and comes back(?: after (?P<time>{TIME}))?(?: without row (?P<line>[0-9]+|[A-O]))?",
    ),
    ("somebody", "wait", rf"waits (?P<time>{TIME})"),
)
"""Who, the verb, and how it is written."""

_OPENINGS: Final = CHOICES["opening"]


def parse(text: str, phrases: Phrases = PHRASES) -> Scenario:
    """Read a scenario in a language of actions; raises ScenarioError with the number of the line."""
    settings: dict[str, str | int] | None = None
    sensors: tuple[str, ...] = ("linear",)
    absent: list[str] = []
    lines: list[Line] = []
    begun = True
    shows: list[str] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if raw.startswith(SHOWS):
            shows += (row.strip() for row in raw.removeprefix(SHOWS).split(","))
        line = raw.split(";")[0].strip()
        if not line:
            continue
        if settings is None:
            settings = {}
            for part in line.split(","):
                words = part.split()
                if set(words) <= {"linear", "and", "switch"}:
                    sensors = tuple(word for word in words if word != "and")
                elif words[1:] == ["is", "absent"]:
                    absent.append(words[0])
                elif words == ["not", "begun"]:
                    begun = False
                else:
                    key, value = _setting(words, number)
                    settings[key] = value
        elif line.startswith("expect "):
            lines.append(Line(number, line, expect=line.removeprefix("expect ")))
        else:
            quick = line.startswith("quickly ")
            lines.append(
                Line(number, line, _acts(line.removeprefix("quickly "), number, phrases), quick=quick)
            )
    if settings is None:
        raise ScenarioError("line 1: a scenario begins with the match, such as: free, claim, 15m")
    return Scenario(settings, sensors, tuple(absent), tuple(lines), begun, tuple(shows))


def _setting(words: list[str], number: int) -> tuple[str, str | int]:
    if words[:1] == ["shared"]:
        return "time", " ".join(words)
    if words[:2] == ["black", "sits"]:
        words = ["black_sits", *words[2:]]
    if len(words) == 2:
        return words[0], int(words[1]) if words[1].isdecimal() else words[1]
    if len(words) == 1 and words[0] in _OPENINGS:
        return "opening", words[0]
    if len(words) == 1 and words[0] in CHOICES["forbidden"]:
        return "forbidden", words[0]
    if words and words[0][0].isdecimal():
        return "time", " ".join(words)
    raise ScenarioError(f"line {number}: {' '.join(words)!r} is no setting of a match")


def _acts(line: str, number: int, phrases: Phrases) -> tuple[Act, ...]:
    actors = sorted({actor for who, _, _ in phrases for actor in who.split("|")}, key=len, reverse=True)
    actor = ""
    acts = []
    for part in line.split(","):
        phrase = part.strip()
        for name in actors:
            if phrase.startswith(name + " "):
                actor, phrase = name, phrase.removeprefix(name + " ")
                break
        acts.append(_act(actor, phrase, number, phrases))
    return tuple(acts)


def _act(actor: str, phrase: str, number: int, phrases: Phrases) -> Act:
    for who, verb, pattern in phrases:
        found = re.fullmatch(pattern, phrase)
        if found is not None and actor in who.split("|"):
            return Act(
                actor, verb, {key: value for key, value in found.groupdict().items() if value is not None}
            )
    raise ScenarioError(f"line {number}: nothing is known of {f'{actor} {phrase}'.strip()!r}")


def duration_ns(text: str) -> int:
    """Nanoseconds of `1.5 s`, `200 ms`, `3 min`."""
    count, unit = text.split()
    return round(float(count) * {"ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000}[unit])
