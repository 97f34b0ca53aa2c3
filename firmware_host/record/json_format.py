"""The whole record as JSON, and back exactly: nothing is left out, points are names.

What is read was written by anybody: its size, depth and number of values are limited before it is parsed, a
key that this form does not know is refused, and every refusal names the line or the place in the object.
`docs/record.schema.json` states the form (`record/json_schema.py`).
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from firmware_host.board import parse_point
from firmware_host.errors import ConfigError, NotationError, RecordError
from firmware_host.record.game import GameRecord
from firmware_host.referee.settings import match_settings
from firmware_host.wire import POINT_FIELDS, POINTS_FIELDS, with_names, with_points

FORMAT: Final = "renju-board-record"
VERSION: Final = 1
CANNOT: Final[tuple[str, ...]] = ()
"""There is nothing that this format cannot hold."""

SIZE_LIMIT: Final = 16 << 20
"""Bytes of a text; the record of a long game has some hundred thousand."""

DEPTH_LIMIT: Final = 16
"""Objects and arrays within each other; a record has seven at most."""

MARKS_LIMIT: Final = 1_000_000
"""Texts, commas and brackets, which bound the values that a text makes; a long game has some ten thousand."""

_MARKS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{},]', re.DOTALL)
_SPACE: Final = re.compile(r"\s*")
_HALVES: Final = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")


def to_json(record: GameRecord) -> str:
    """The record as one JSON object, indented for people. The form holds every field of `GameRecord`."""
    return msgspec.json.format(msgspec.json.encode(to_builtins(record)), indent=1).decode() + "\n"


def to_builtins(record: GameRecord) -> dict[str, Any]:
    """The record as the object that JSON writes."""
    return {"format": FORMAT, "version": VERSION, **with_names(msgspec.to_builtins(record))}


def from_json(text: str | bytes) -> GameRecord:
    """The record of a text that `to_json` wrote; raises RecordError naming the line or the field."""
    (given, *more) = _parsed(_checked(text))
    if more:
        raise RecordError(f"{1 + len(more)} records; allowed: one")
    return _record(given)


def _record(given: Any) -> GameRecord:
    """The record of an object; raises RecordError."""
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise RecordError(f'not a record of a game; allowed: an object with "format": "{FORMAT}"')
    if type(given.get("version")) is not int or given["version"] != VERSION:
        raise RecordError(f"version = {given.get('version')!r} is not known; allowed: {VERSION}")
    try:
        record = msgspec.convert(with_points(given), GameRecord)
        match_settings(msgspec.to_builtins(record.settings), prefix="settings.")
    except ConfigError as error:
        raise RecordError(str(error)) from error
    except (NotationError, RecordError) as error:
        place = next(_bad_points(given), "$")
        raise RecordError(f"{error} - at `{place}`") from error
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from error
    unknown = next(_unknown(given, to_builtins(record)), None)
    if unknown is not None:
        raise RecordError(f"there is no such thing in a record as `{unknown}`")
    return record


def write(record: GameRecord) -> str:
    """`to_json`, by the name that every format has for it."""
    return to_json(record)


def read(data: str | bytes) -> tuple[GameRecord, ...]:
    """The records of a text: one, several one after the other as they are written, or an array of them.

    Raises RecordError, with the number of the record where there are several.
    """
    given = _parsed(_checked(data))
    if len(given) == 1 and isinstance(given[0], list):
        given = given[0]
    if len(given) == 1:
        return (_record(given[0]),)
    records = []
    for n, one in enumerate(given, 1):
        try:
            records.append(_record(one))
        except RecordError as error:
            raise RecordError(f"record {n}: {error}") from error
    return tuple(records)


def holdable(record: GameRecord) -> GameRecord:
    """The record itself: this format holds all of it."""
    return record


# Foreign texts


def _checked(text: str | bytes) -> str:
    """The text, within its limits; raises RecordError."""
    if len(text) > SIZE_LIMIT:
        raise RecordError(f"{len(text)} bytes are too many; allowed: {SIZE_LIMIT}")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise RecordError(f"not UTF-8 at byte {error.start + 1}") from error
    depth = 0
    for count, mark in enumerate(_MARKS.finditer(text), 1):
        char = text[mark.start()]
        depth += 1 if char in "[{" else -1 if char in "]}" else 0
        if depth > DEPTH_LIMIT or count > MARKS_LIMIT:
            what = f"more than {MARKS_LIMIT} texts, commas and brackets"
            if depth > DEPTH_LIMIT:
                what = f"brackets within brackets, more than {DEPTH_LIMIT} deep"
            raise RecordError(f"{what} are no record", line=text.count("\n", 0, mark.start()) + 1)
    return text


def _parsed(text: str) -> list[Any]:
    """The values of the text, one at least; raises RecordError naming the line."""
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
    given: list[Any] = []
    end = len(text.rstrip())
    at = len(text) - len(text.lstrip())
    try:
        while at < end or not given:
            value, at = decoder.raw_decode(text, at)
            given.append(value)
            at = _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        if _HALVES.search(text):
            json.dumps(given, ensure_ascii=False).encode()
        return given
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg}", line=error.lineno) from error
    except UnicodeEncodeError as error:
        raise RecordError("not JSON: half of a character that is written as two") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {str(error).partition(';')[0]}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built: dict[str, Any] = {}
    for key, value in pairs:
        if key in built:
            raise ValueError(f"the key {_short(key)} stands twice in one object")
        built[key] = value
    return built


def _float(text: str) -> float:
    if math.isinf(value := float(text)):
        raise ValueError(f"{_short(text)} is no number that can be held")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _short(text: str) -> str:
    shown = ascii(text)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def _walk(value: Any, place: str = "$") -> Iterator[tuple[str, str, Any]]:
    """Every field at any depth: where, its key, its value. The depth is bounded by `DEPTH_LIMIT`."""
    if isinstance(value, list):
        for n, item in enumerate(value):
            yield from _walk(item, f"{place}[{n}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            where = f"{place}.{key[:40]}"
            yield where, key, item
            yield from _walk(item, where)


def _bad_points(given: Any) -> Iterator[str]:
    """Where a point should stand and none does."""
    for place, key, value in _walk(given):
        if key in POINT_FIELDS and value is not None and not _is_point(value):
            yield place
        elif key in POINTS_FIELDS and isinstance(value, list):
            for n, item in enumerate(value):
                if not _is_point(item[0] if isinstance(item, list) and item else item):
                    yield f"{place}[{n}]"


def _is_point(value: Any) -> bool:
    try:
        return isinstance(value, str) and parse_point(value) is not None
    except NotationError:
        return False


def _unknown(given: Any, known: Any, place: str = "$") -> Iterator[str]:
    """Where a key stands that the record has not taken."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key not in known:
                yield f"{place}.{key[:40]}"
            else:
                yield from _unknown(value, known[key], f"{place}.{key}")
    elif isinstance(given, list) and isinstance(known, list):
        for n, (one, other) in enumerate(zip(given, known, strict=False)):
            yield from _unknown(one, other, f"{place}[{n}]")
