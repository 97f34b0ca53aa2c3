"""Inputs and rulings as JSON objects and back: points by name, everything else as it is.

The journal, the replay and the console all use this one form.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, get_args

import msgspec

from firmware_host.board import NAMES, parse_point
from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Input
from firmware_host.referee.rulings import AnyRuling

POINT_FIELDS: Final = ("point", "rest", "was", "now")
POINTS_FIELDS: Final = ("path", "line", "points", "offers", "differences")
_POINT_FIELDS: Final = frozenset(POINT_FIELDS)
_CONTAINERS: Final = (dict, list, tuple)


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
    read: Input = _from_wire(given, Input, _INPUTS.get(_tag(given, "event")))
    return read


def ruling_from_wire(given: dict[str, Any]) -> AnyRuling:
    """The inverse of `to_wire` for rulings; raises RecordError."""
    read: AnyRuling = _from_wire(given, AnyRuling, _RULINGS.get(_tag(given, "ruling")))
    return read


@lru_cache(maxsize=128)
def _optional(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The fields of a kind whose default is None."""
    return frozenset(field.name for field in msgspec.structs.fields(kind) if field.default is None)


def _with_points(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields of a kind that are points or may hold some; numbers by colour or side hold none."""
    return tuple(
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.encode_name in _POINT_FIELDS or not _is_plain(msgspec.inspect.type_info(field.type))
    )


def _is_plain(kind: msgspec.inspect.Type) -> bool:
    if isinstance(kind, msgspec.inspect.Metadata):
        return _is_plain(kind.type)
    if isinstance(kind, msgspec.inspect.UnionType):
        return all(map(_is_plain, kind.types))
    if isinstance(kind, msgspec.inspect.DictType):
        return _is_plain(kind.value_type)
    return isinstance(kind, _PLAIN)


def with_names(built: Any) -> Any:
    """A JSON-ready value with the name in place of each point (fields of that meaning, at any depth)."""
    return _convert(built, NAMES.__getitem__)


def with_points(wire: Any) -> Any:
    """The inverse of `with_names`; raises NotationError and RecordError for what is no point."""
    return _convert(wire, _point)


def _convert(value: Any, name: Callable[[Any], Any]) -> Any:
    """The same value with `name` applied to every point."""
    if isinstance(value, dict):
        built = dict(value)
        for key, item in value.items():
            if key in _POINT_FIELDS or isinstance(item, _CONTAINERS):
                built[key] = _field(key, item, name)
        return built
    return [_convert(item, name) for item in value] if isinstance(value, _CONTAINERS) else value


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


def _from_wire(
    given: dict[str, Any], union: Any, known: tuple[type[msgspec.Struct], tuple[str, ...]] | None
) -> Any:
    """`known`: the struct that the tag names, which msgspec would seek in the whole union, and its points."""
    try:
        if known is None:
            return msgspec.convert(with_points(given), union)
        kind, points = known
        built = dict(given)
        for key in points:
            if key in built:
                built[key] = _field(key, built[key], _point)
        return msgspec.convert(built, kind)
    except ValueError as error:  # msgspec's errors of form and NotationError are both
        raise RecordError(str(error)) from error


def _tag(given: Any, field: str) -> str:
    tag = given.get(field) if isinstance(given, dict) else None
    return tag if isinstance(tag, str) else ""


def _by_tag(union: Any) -> dict[str, tuple[type[msgspec.Struct], tuple[str, ...]]]:
    """Each kind by its tag, with those of its fields that may hold points."""
    return {kind.__struct_config__.tag: (kind, _with_points(kind)) for kind in get_args(union)}


_PLAIN: Final = (
    msgspec.inspect.NoneType,
    msgspec.inspect.BoolType,
    msgspec.inspect.IntType,
    msgspec.inspect.FloatType,
    msgspec.inspect.StrType,
    msgspec.inspect.LiteralType,
    msgspec.inspect.EnumType,
)
_INPUTS: Final = _by_tag(Input)
_RULINGS: Final = _by_tag(AnyRuling)
