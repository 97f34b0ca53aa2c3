"""Inputs and rulings as JSON objects and back: points by name, everything else as it is.

The journal, the replay and the console all use this one form.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from firmware_host.board import NAMES, parse_point
from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Input
from firmware_host.referee.rulings import AnyRuling

POINT_FIELDS: Final = ("point", "rest")
POINTS_FIELDS: Final = ("path", "line")


def _points(value: Any, name: Callable[[Any], Any]) -> Any:
    """Names or indexes of a sequence whose items are points or tuples that begin with one."""
    return [[name(v[0]), *v[1:]] if isinstance(v, list | tuple) else name(v) for v in value]


def _convert(built: dict[str, Any], name: Callable[[Any], Any]) -> dict[str, Any]:
    for key in POINT_FIELDS:
        if built.get(key) is not None:
            built[key] = name(built[key])
    if built.get("points") is not None:
        built["points"] = _points(built["points"], name)
    for key in POINTS_FIELDS:
        if isinstance(built.get(key), list | tuple):
            built[key] = _points(built[key], name)
    return built


def to_wire(thing: Input | AnyRuling) -> dict[str, Any]:
    """A JSON-ready object of an input or a ruling; None fields are left out."""
    built: dict[str, Any] = msgspec.to_builtins(thing)
    return _convert({k: v for k, v in built.items() if v is not None}, NAMES.__getitem__)


def input_from_wire(given: dict[str, Any]) -> Input:
    """The inverse of `to_wire` for inputs; raises RecordError."""
    return _from_wire(given, Input)


def ruling_from_wire(given: dict[str, Any]) -> AnyRuling:
    """The inverse of `to_wire` for rulings; raises RecordError."""
    return _from_wire(given, AnyRuling)


def _from_wire(given: dict[str, Any], kind: Any) -> Any:
    try:
        return msgspec.convert(_convert(dict(given), parse_point), kind)
    except (msgspec.ValidationError, ValueError) as error:
        raise RecordError(str(error)) from error
