"""Games as JSON, read with a loose hand: records of this program, `/game.json`, and anything with `moves`.

An object has `moves`: names, or objects with `point` and `colour` as in a record; null is a pass. `result`
(`winner`, `reason`) and `settings` (`forbidden`, `overline`, `five`) are read if they are there. There may be
one object a line, one after the other as `export` writes them, or an array. Of a record the same is read as
of any other object; all that it holds is for `json_format`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

import msgspec

from firmware_host.board import BLACK, WHITE, Colour, Point
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord
from firmware_host.record.held import colour_of
from firmware_host.record.positions import point_of
from firmware_host.record.reading import Game, Games, placed, short
from firmware_host.record.values import Result
from firmware_host.referee.rulings import Reason
from firmware_host.referee.settings import CHOICES, MatchSettings

_OBJECT: Final = re.compile(r"^(?=\{)", re.MULTILINE)
_WINNERS: Final[dict[str | None, Colour | None]] = {"black": BLACK, "white": WHITE, None: None}
_REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


def games(text: str) -> Games:
    """The games of a text in their order, each with the line where it begins."""
    for line, raw in _objects(text):
        try:
            yield Game(line=line, record=_record(raw))
        except RecordError as error:
            yield RecordError(error.reason, line=line, move=error.move)


def _objects(text: str) -> Iterator[tuple[int, object]]:
    """Each object of the text: one a line, or several lines from a `{` at the start of a line, or an array.

    What is broken ends before the next `{` at the start of a line, and takes no whole line before it along.
    """
    whole = _decoded(text, 1)
    if isinstance(whole, list):
        yield from ((1, item) for item in whole)
        return
    if not isinstance(whole, RecordError) or text.lstrip().startswith("["):
        yield 1, whole
        return
    line = 1
    for part in _OBJECT.split(text):
        first, _, rest = part.partition("\n")
        value = _decoded(part, line)
        if isinstance(value, RecordError) and rest and not isinstance(_decoded(first, line), RecordError):
            yield line, _decoded(first, line)
            yield from (
                (n, _decoded(row, n)) for n, row in enumerate(rest.split("\n"), line + 1) if row.strip()
            )
        elif part.strip():
            yield line, value
        line += part.count("\n")


def _decoded(text: str, line: int) -> object:
    """What JSON says, or a `RecordError` that `_record` raises."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return RecordError(f"not JSON: {error.msg} (line {line + error.lineno - 1})")
    except (ValueError, RecursionError):
        pass
    return RecordError("not JSON: a number or brackets that no reader takes")


def _record(raw: object) -> GameRecord:
    if isinstance(raw, RecordError):
        raise raw
    moves = raw.get("moves") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(moves, list):
        raise RecordError('not a game; allowed: an object with "moves": [..]')
    turns: list[tuple[Colour, Point | None]] = []
    missing: list[int] = []
    for n, move in enumerate(moves, 1):
        turns.append(_turn(move, n))
        if isinstance(move, dict) and move.get("missing"):
            missing.append(n)
    return GameRecord(
        moves=placed(turns, missing), result=_result(raw.get("result")), settings=MatchSettings(**_rules(raw))
    )


def _turn(move: object, n: int) -> tuple[Colour, Point | None]:
    if not isinstance(move, dict):
        return colour_of(n), _point(move, n)
    if "point" not in move:
        raise RecordError('the move has no "point"; allowed: A1 to O15, null for a pass', move=n)
    colour = move.get("colour", colour_of(n))
    if colour not in ("black", "white"):
        raise RecordError(f"colour = {short(colour)} is not possible; allowed: black, white", move=n)
    return Colour(colour), _point(move["point"], n)


def _point(name: object, n: int) -> Point | None:
    if name is None:
        return None
    p = point_of(name) if isinstance(name, str) else None
    if p is None:
        raise RecordError(f"{short(name)} is not a point; allowed: A1 to O15, null for a pass", move=n)
    return p


def _result(result: object) -> Result | None:
    if result is None:
        return None
    if isinstance(result, dict):
        winner, reason = result.get("winner"), result.get("reason")
        if isinstance(winner, str | None) and winner in _WINNERS and reason in _REASONS:
            side = _WINNERS[winner]
            black, white = (float(side in (colour, None)) / (1 if side else 2) for colour in (BLACK, WHITE))
            return Result(t_ns=0, winner=side, black=black, white=white, reason=reason)
    raise RecordError(
        f"result = {short(result)} is not possible; allowed: null, or a winner (black, white, null)"
        f" and a reason ({', '.join(_REASONS)})"
    )


def _rules(game: Mapping[str, Any]) -> dict[str, Any]:
    settings = game.get("settings")
    if not isinstance(settings, dict):
        return {}
    rules: dict[str, Any] = {}
    for key in ("forbidden", "overline", "five"):
        value = settings.get(key)
        if value is None:
            continue
        if value not in CHOICES[key]:
            raise RecordError(f"{key} = {short(value)} is not possible; allowed: {', '.join(CHOICES[key])}")
        rules[key] = value
    return rules
