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

POINT_FIELDS: Final = ("point", "rest")
POINTS_FIELDS: Final = ("path", "line", "points")


def to_wire(thing: Input | AnyRuling) -> dict[str, Any]:
    """A JSON-ready object of an input or a ruling.

    A field that is None is left out where it may be (its default is None), and null where it says something:
    the point of a pass, the colour of a stone that the sensors cannot tell.
    """
    built: dict[str, Any] = msgspec.to_builtins(thing)
    may_be_left_out = _optional(type(thing))
    kept = {key: value for key, value in built.items() if value is not None or key not in may_be_left_out}
    return _convert(kept, NAMES.__getitem__)


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


def _convert(built: dict[str, Any], name: Callable[[Any], Any]) -> dict[str, Any]:
    """The same object with `name` applied to every point; the line of a fault is a text and stays."""
    for key in POINT_FIELDS:
        if built.get(key) is not None:
            built[key] = name(built[key])
    for key in POINTS_FIELDS:
        if isinstance(built.get(key), list | tuple):
            built[key] = [
                [name(item[0]), *item[1:]] if isinstance(item, list | tuple) and item else name(item)
                for item in built[key]
            ]
    return built


def _point(name: Any) -> int:
    if not isinstance(name, str):
        raise RecordError(f"{name!r} is not a point; allowed: A1 to O15")
    return parse_point(name)


def _from_wire(given: dict[str, Any], kind: Any) -> Any:
    try:
        return msgspec.convert(_convert(dict(given), _point), kind)
    except ValueError as error:  # msgspec's errors of form and NotationError are both
        raise RecordError(str(error)) from error
