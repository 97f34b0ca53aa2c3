"""The vocabulary of commands: which fields each takes, and where it is read.

One vocabulary for the arbiter's console, the face menus, scenario files and traces: `{"do": NAME, ...}`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, get_args

from firmware_host.board import BLACK, WHITE, Colour, parse_point
from firmware_host.errors import NotationError
from firmware_host.referee.inputs import Command, Giver
from firmware_host.referee.irregular import CLAIM_CODES


class Vocabulary(NamedTuple):
    """A row: fields that must be given, fields that may be, and whether a player may give the command."""

    must: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    player: bool = False


COMMANDS: Final[dict[str, Vocabulary]] = {
    "start": Vocabulary(may=("absent", "side")),
    "pause": Vocabulary(may=("reason",)),
    "resume": Vocabulary(),
    "adjourn": Vocabulary(may=("reason",)),
    "finish": Vocabulary(),
    "arrive": Vocabulary(("side",), player=True),
    "opening": Vocabulary(("offers",), ("side",), player=True),
    "swap": Vocabulary(may=("side",), player=True),
    "keep": Vocabulary(may=("side",), player=True),
    "choose": Vocabulary(("branch",), ("side",), player=True),
    "pass": Vocabulary(may=("side",), player=True),
    "resign": Vocabulary(("side",), player=True),
    "left": Vocabulary(("side",), player=True),
    "draw": Vocabulary(("side", "answer"), player=True),
    "call": Vocabulary(may=("side",), player=True),
    "claim": Vocabulary(("side", "code"), ("point",), player=True),
    "uphold": Vocabulary(may=("code", "point")),
    "reject": Vocabulary(may=("code", "point", "ms")),
    "waive": Vocabulary(may=("code", "point", "side"), player=True),
    "restore": Vocabulary(may=("reason", "ms")),
    "accept_board": Vocabulary(),
    "moved": Vocabulary(("decision",), ("side", "kind", "reason")),
    "place": Vocabulary(("point",), ("colour",)),
    "remove": Vocabulary(("point",), ("colour",)),
    "mask": Vocabulary(("point",)),
    "unmask": Vocabulary(("point",)),
    "set_clock": Vocabulary(("side", "ms"), ("reason",)),
    "set_used": Vocabulary(("side", "ms"), ("reason",)),
    "add_time": Vocabulary(("side", "ms"), ("reason",)),
    "split": Vocabulary(may=("reason",)),
    "charge": Vocabulary(may=("side", "reason")),
    "violation": Vocabulary(("side",), ("kind", "reason")),
    "penalty": Vocabulary(("side", "kind"), ("ms", "reason")),
    "colours": Vocabulary(("decision",), ("reason",)),
    "result": Vocabulary(("black", "white"), ("reason",)),
    "compensate": Vocabulary(("entry",), ("reason",)),
    "note": Vocabulary(("text",), ("side",)),
}
"""Name -> its row. `by` may stand in every command; without it the arbiter gave it."""

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "by": get_args(Giver),
    "side": tuple(Colour),
    "colour": tuple(Colour),
    "code": CLAIM_CODES,
    "answer": ("offer", "accept", "refuse"),
    "absent": (*Colour, "both"),
}
"""Fields that are one of some words. `decision` and `kind` are too, by command:"""

DECISIONS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("moved", "decision"): ("back", "stands", "draw", "replay", "loss"),
    ("moved", "kind"): ("outside", "accident", "purpose"),
    ("colours", "decision"): ("restart", "stands"),
    ("penalty", "kind"): ("time", "violation", "loss", "disqualification"),
}

NUMBERS: Final[dict[str, tuple[type, float, float, str]]] = {
    "offers": (int, 1, 221, "a whole number from 1 to 221"),
    "ms": (int, -360_000_000, 360_000_000, "whole milliseconds within 100 hours"),
    "black": (float, 0, 1, "a score from 0 to 1"),
    "white": (float, 0, 1, "a score from 0 to 1"),
    "entry": (int, 1, 10**9, "the number of an entry, from 1"),
}

LONGEST_TEXT: Final = 2000


def parse_command(given: Mapping[str, Any], t_ns: int) -> Command:
    """The command of an object such as `{"do": "place", "point": "H8"}` at `t_ns`.

    Raises NotationError in one sentence for an unknown name, a missing, unknown or wrong field.
    """
    do = given.get("do")
    row = COMMANDS.get(do) if isinstance(do, str) else None
    if row is None:
        raise NotationError(f"do = {do!r} is not a command; allowed: {', '.join(COMMANDS)}")
    known = {"do", "by", *row.must, *row.may}
    fields: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            allowed = ", ".join(k for k in ("by", *row.must, *row.may))
            raise NotationError(f"{do} takes no {key!r}; allowed: {allowed}")
        if value is not None and key != "do":
            fields[key] = _value(str(do), key, value)
    by_player = fields.get("by") in ("near", "far")
    for key in row.must:
        if key not in fields and not (key == "side" and by_player):
            raise NotationError(f"{do} needs {key!r}: {_allowed(str(do), key)}")
    return Command(t_ns=t_ns, do=str(do), **fields)


def absent_at_start(commands: Iterable[Mapping[str, Any]], black_sits: str) -> frozenset[Colour]:
    """The sides that are not at the table when a recorded round starts: those that `arrive` in its commands.

    Everybody else counts as present from the start. `black_sits`: near or far, as in the match settings.
    """
    sides = [
        given.get("side") or (BLACK if given.get("by") == black_sits else WHITE)
        for given in commands
        if given.get("do") == "arrive"
    ]
    return frozenset(colour for colour in Colour if colour in sides)


def _value(do: str, key: str, value: Any) -> Any:
    words = DECISIONS.get((do, key)) or WORDS.get(key)
    if words is not None:
        if value not in words:
            raise _wrong(do, key, value)
        return Colour(value) if key in ("side", "colour") else value
    if key == "point":
        if not isinstance(value, str):
            raise _wrong(do, key, value)
        return parse_point(value)
    if key in NUMBERS:
        kind, least, most, _ = NUMBERS[key]
        right = isinstance(value, int | float if kind is float else int) and not isinstance(value, bool)
        if not right or not least <= value <= most:
            raise _wrong(do, key, value)
        return kind(value)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise _wrong(do, key, value)
    return value


def _allowed(do: str, key: str) -> str:
    words = DECISIONS.get((do, key)) or WORDS.get(key)
    if words is not None:
        return ", ".join(words)
    if key == "point":
        return "A1 to O15"
    return NUMBERS[key][3] if key in NUMBERS else f"a text of at most {LONGEST_TEXT} characters"


def _wrong(do: str, key: str, value: Any) -> NotationError:
    return NotationError(f"{do}: {key} = {value!r} is not possible; allowed: {_allowed(do, key)}")
