"""The JSON Schema of a record, made from the structs themselves; `docs/record.schema.json` is this text.

Schema: JSON Schema 2020-12. Points are names there as in `wire`; every object is closed, since a key that is
not known is refused. To write it anew: `schema_text()` into that file; a test compares.
"""

import json
from typing import Any, Final

import msgspec

from firmware_host.board import NAMES
from firmware_host.record.game import GameRecord
from firmware_host.record.json_format import FORMAT, VERSION
from firmware_host.wire import POINT_FIELDS, POINTS_FIELDS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_POINT: Final = {"$ref": "#/$defs/Point"}


def schema() -> dict[str, Any]:
    """The schema as an object."""
    (root,), parts = msgspec.json.schema_components([GameRecord], ref_template="#/$defs/{name}")
    parts = {name: _closed(part) for name, part in sorted(parts.items())}
    record = parts["GameRecord"]
    record["properties"] = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        **record["properties"],
    }
    record["required"] = ["format", "version", *record.get("required", [])]
    parts["Point"] = {
        "title": "Point",
        "description": "An intersection: a letter A to O from Black's left, a number 1 to 15 upwards.",
        "type": "string",
        "pattern": "^[A-O]([1-9]|1[0-5])$",
        "examples": [NAMES[0], NAMES[112], NAMES[224]],
    }
    return {"$schema": DIALECT, "title": "A record of a game", **root, "$defs": parts}


def schema_text() -> str:
    """The schema as the text of its file."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


def _closed(part: dict[str, Any]) -> dict[str, Any]:
    """A struct's schema with names for points, closed to other keys."""
    if "properties" not in part:
        return part
    described = part.get("description", "")
    properties = {key: _field(key, value) for key, value in part["properties"].items()}
    return {
        **part,
        "description": " ".join(described.split()),
        "properties": properties,
        "additionalProperties": False,
    }


def _field(key: str, value: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field: where it has points, their names."""
    if key in POINT_FIELDS:
        return _named(value)
    if key in POINTS_FIELDS and "items" in value:
        return {**value, "items": _named(value["items"])}
    return value


def _named(value: dict[str, Any]) -> dict[str, Any]:
    """A point, a point or null, or a tuple that begins with a point."""
    if value.get("type") == "integer":
        return {**{k: v for k, v in value.items() if k != "type"}, **_POINT}
    if "anyOf" in value:
        return {**value, "anyOf": [_named(option) for option in value["anyOf"]]}
    if "prefixItems" in value:
        first, *rest = value["prefixItems"]
        return {**value, "prefixItems": [_named(first), *rest]}
    return value
