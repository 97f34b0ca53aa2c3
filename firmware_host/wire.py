"""Inputs and rulings as JSON objects and back: points by name, everything else as it is.

The journal, the replay and the console all use this one form.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import msgspec

from firmware_host.board import NAMES, parse_point
from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Input
from firmware_host.referee.rulings import AnyRuling

POINT_FIELDS: Final = ("point", "rest", "was", "now")
POINTS_FIELDS: Final = ("path", "line", "points", "offers", "differences")


def to_wire(thing: Input | AnyRuling) -> dict[str, Any]:
    """A JSON-ready object of an input or a ruling.

    A field that is None is left out where it may be (its default is None), and null where it says something:
    the point of a pass, the colour of a stone that the sensors cannot tell.
    """
    built: dict[str, Any] = msgspec.to_builtins(thing)
    may_be_left_out = _optional(type(thing))
    kept = {key: value for key, value in built.items() if value is not None or key not in may_be_left_out}
    wire: dict[str, Any] = with_names(kept)
    return wire


def input_from_wire(given: dict[str, Any]) -> Input:
    """The inverse of `to_wire` for inputs; raises RecordError."""
    read: Input = _from_wire(given, Input)
    return read


def ruling_from_wire(given: dict[str, Any]) -> AnyRuling:
    """The inverse of `to_wire` for rulings; raises RecordError."""
    read: AnyRuling = _from_wire(given, AnyRuling)
    return read


@lru_cache(maxsize=128)
def _optional(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The fields of a kind whose default is None."""
    return frozenset(field.name for field in msgspec.structs.fields(kind) if field.default is None)


def with_names(built: Any) -> Any:
    """A JSON-ready value with the name in place of each point (fields of that meaning, at any depth)."""
    return _convert(built, NAMES.__getitem__)


def with_points(wire: Any) -> Any:
    """The inverse of `with_names`; raises NotationError and RecordError for what is no point."""
    return _convert(wire, _point)


def _convert(value: Any, name: Callable[[Any], Any]) -> Any:
    """The same value with `name` applied to every point."""
    if isinstance(value, list | tuple):
        return [_convert(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _field(key, item, name) for key, item in value.items()}


def _field(key: str, value: Any, name: Callable[[Any], Any]) -> Any:
    """One field: a point, points, tuples that begin with a point; a number of offers or a line `12` stays."""
    if key in POINT_FIELDS:
        return None if value is None else name(value)
    if key in POINTS_FIELDS and isinstance(value, list | tuple):
        return [
            [name(item[0]), *item[1:]] if isinstance(item, list | tuple) and item else name(item)
            for item in value
        ]
    return _convert(value, name)


def _point(name: Any) -> int:
    if not isinstance(name, str):
        raise RecordError(f"{name!r} is not a point; allowed: A1 to O15")
    return parse_point(name)


def _from_wire(given: dict[str, Any], kind: Any) -> Any:
    try:
        return msgspec.convert(with_points(given), kind)
    except ValueError as error:  # msgspec's errors of form and NotationError are both
        raise RecordError(str(error)) from error
