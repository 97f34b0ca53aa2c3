"""Files of games, read by a table of formats: whatever stands in them comes out as `Played` or `Malformed`.

Only what a judge of the game needs is read: the moves, and the result and the rules that a file tells. A game
that cannot be read is a value and no exception, so that the games after it are read all the same.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, get_args

import msgspec

from firmware_host.board import BLACK, NAMES, POINTS, WHITE, Colour, Point
from firmware_host.referee.rulings import Reason
from firmware_host.referee.settings import CHOICES

Outcome = tuple[Colour | None, str]
"""The winner, None for a draw or when nobody won, and the reason."""


class Turn(msgspec.Struct, frozen=True):
    """One move: `point` None is a pass, or with `seen` false a stone that no sensor saw."""

    colour: Colour
    point: Point | None
    seen: bool = True


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a file: `line` (from 1) is where it begins, `game` counts the games of the file from 1.

    `recorded` is the result that the file tells, `rules` the settings `forbidden`, `overline` and `five` that
    it names.
    """

    line: int
    game: int
    turns: tuple[Turn, ...]
    recorded: Outcome | None = None
    rules: Mapping[str, str] = {}


class Malformed(msgspec.Struct, frozen=True, kw_only=True):
    """A game that cannot be read, and why; `move` counts from 1, None when it is no move that is wrong."""

    line: int
    game: int
    reason: str
    move: int | None = None


class _Wrong(Exception):
    """What is wrong with the game that is being read; it never leaves this module."""

    def __init__(self, reason: str, move: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.move = move


def read_games(text: str, form: str) -> Iterator[Played | Malformed]:
    """The games of a text in their order; `form` is a key of `FORMATS`."""
    for number, (line, raw) in enumerate(FORMATS[form].split(text), 1):
        try:
            yield FORMATS[form].read(raw, line, number)
        except _Wrong as wrong:
            yield Malformed(line=line, game=number, reason=wrong.reason, move=wrong.move)


def format_of(name: str, text: str) -> str:
    """The format of a file by the end of its name, and else by how its text begins."""
    for form, known in FORMATS.items():
        if name.lower().endswith(known.suffixes):
            return form
    return "json" if text.lstrip()[:1] in ("{", "[") else "moves"


# Move lists


_TOKEN: Final = re.compile(r"[A-Za-z]\d+|[^\s,]+?(?=[A-Za-z]\d|[\s,]|$)")
_POINTS: Final[Mapping[str, Point]] = {
    **{name: p for p, name in enumerate(NAMES)},
    **{name.lower(): p for p, name in enumerate(NAMES)},
}
_COLOURS: Final = (BLACK, WHITE)
_TURNS: Final = tuple(tuple(Turn(colour, p) for p in range(POINTS)) for colour in _COLOURS)
_PASSES: Final = tuple(Turn(colour, None) for colour in _COLOURS)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip())


def _read_moves(raw: str, line: int, game: int) -> Played:
    """One game a line: points as `h8 i9` or `h8i9`, Black first and alternately, `pass` for a pass."""
    turns: list[Turn] = []
    taken: set[Point] = set()
    for n, token in enumerate(_TOKEN.findall(raw)):
        p = _POINTS.get(token)
        if p is not None:
            _take(p, taken, n + 1)
            turns.append(_TURNS[n % 2][p])
        elif token.lower() == "pass":
            turns.append(_PASSES[n % 2])
        else:
            raise _Wrong(f"{_short(token)} is not a point; allowed: A1 to O15, pass", n + 1)
    return Played(line=line, game=game, turns=tuple(turns))


def _take(p: Point, taken: set[Point], n: int) -> None:
    if p in taken:
        raise _Wrong(f"{NAMES[p]} is occupied", n)
    taken.add(p)


def _short(value: object) -> str:
    shown = ascii(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


# JSON


_OBJECT: Final = re.compile(r"^(?=\{)", re.MULTILINE)
_WINNERS: Final = {"black": BLACK, "white": WHITE, None: None}
_REASONS: Final = get_args(Reason)


def _objects(text: str) -> Iterator[tuple[int, object]]:
    """Each object of the text: one a line, or several lines from a `{` at the start of a line, or an array.

    What is broken ends before the next `{` at the start of a line, and takes no whole line before it along.
    """
    whole = _decoded(text, 1)
    if isinstance(whole, list):
        yield from ((1, item) for item in whole)
        return
    if not isinstance(whole, _Wrong) or text.lstrip().startswith("["):
        yield 1, whole
        return
    line = 1
    for part in _OBJECT.split(text):
        first, _, rest = part.partition("\n")
        value = _decoded(part, line)
        if isinstance(value, _Wrong) and rest and not isinstance(alone := _decoded(first, line), _Wrong):
            yield line, alone
            yield from (
                (n, _decoded(row, n)) for n, row in enumerate(rest.split("\n"), line + 1) if row.strip()
            )
        elif part.strip():
            yield line, value
        line += part.count("\n")


def _decoded(text: str, line: int) -> object:
    """What JSON says, or a `_Wrong` that `_read_json` raises."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _Wrong(f"not JSON: {error.msg} (line {line + error.lineno - 1})")
    except (ValueError, RecursionError):
        pass
    return _Wrong("not JSON: a number or brackets that no reader takes")


def _read_json(raw: object, line: int, game: int) -> Played:
    """An object with `moves`: names, or objects with `point` and `colour` as in a record of this program."""
    if isinstance(raw, _Wrong):
        raise raw
    moves = raw.get("moves") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(moves, list):
        raise _Wrong('not a game; allowed: an object with "moves": [..]')
    turns: list[Turn] = []
    taken: set[Point] = set()
    for n, move in enumerate(moves):
        turn = _turn(move, n)
        if turn.point is not None:
            _take(turn.point, taken, n + 1)
        turns.append(turn)
    return Played(
        line=line, game=game, turns=tuple(turns), recorded=_recorded(raw.get("result")), rules=_rules(raw)
    )


def _turn(move: object, n: int) -> Turn:
    if not isinstance(move, dict):
        return Turn(_COLOURS[n % 2], _json_point(move, n))
    if "point" not in move:
        raise _Wrong('the move has no "point"; allowed: A1 to O15, null for a pass', n + 1)
    colour = move.get("colour", _COLOURS[n % 2])
    if colour not in ("black", "white"):
        raise _Wrong(f"colour = {_short(colour)} is not possible; allowed: black, white", n + 1)
    return Turn(Colour(colour), _json_point(move["point"], n), seen=not move.get("missing"))


def _json_point(name: object, n: int) -> Point | None:
    if name is None:
        return None
    p = _POINTS.get(name) if isinstance(name, str) else None
    if p is None:
        raise _Wrong(f"{_short(name)} is not a point; allowed: A1 to O15, null for a pass", n + 1)
    return p


def _recorded(result: object) -> Outcome | None:
    if result is None:
        return None
    if isinstance(result, dict):
        winner, reason = result.get("winner"), result.get("reason")
        if isinstance(winner, str | None) and winner in _WINNERS and reason in _REASONS:
            return _WINNERS[winner], str(reason)
    raise _Wrong(
        f"result = {_short(result)} is not possible; allowed: null, or a winner (black, white, null)"
        f" and a reason ({', '.join(_REASONS)})"
    )


def _rules(game: Mapping[str, Any]) -> dict[str, str]:
    settings = game.get("settings")
    if not isinstance(settings, dict):
        return {}
    rules: dict[str, str] = {}
    for key in ("forbidden", "overline", "five"):
        value = settings.get(key)
        if value is None:
            continue
        if value not in CHOICES[key]:
            raise _Wrong(f"{key} = {_short(value)} is not possible; allowed: {', '.join(CHOICES[key])}")
        rules[key] = value
    return rules


class Format(msgspec.Struct, frozen=True):
    """One format: what splits a text into games, each with its line, and what reads one of them."""

    suffixes: tuple[str, ...]
    split: Callable[[str], Iterable[tuple[int, Any]]]
    read: Callable[[Any, int, int], Played]


FORMATS: Final[dict[str, Format]] = {
    "moves": Format((".txt",), _lines, _read_moves),
    "json": Format((".json", ".jsonl"), _objects, _read_json),
}
"""By name. A file with another end is told by its beginning."""
