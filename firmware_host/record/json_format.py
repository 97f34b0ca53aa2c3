"""The whole record as JSON, and back exactly: nothing is left out, points are names."""

import json
from typing import Any, Final

import msgspec

from firmware_host.errors import NotationError, RecordError
from firmware_host.record.game import GameRecord
from firmware_host.wire import with_names, with_points

FORMAT: Final = "renju-board-record"
VERSION: Final = 1


def to_json(record: GameRecord) -> str:
    """The record as one JSON object, indented for people. The form holds every field of `GameRecord`."""
    built = with_names(msgspec.to_builtins(record))
    return json.dumps({"format": FORMAT, "version": VERSION, **built}, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str | bytes) -> GameRecord:
    """The record of a text that `to_json` wrote; raises RecordError naming the line or the field."""
    try:
        given: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg}", line=error.lineno) from error
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8 at byte {error.start + 1}") from error
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise RecordError(f'not a record of a game; allowed: an object with "format": "{FORMAT}"')
    if given.get("version") != VERSION:
        raise RecordError(f"version = {given.get('version')!r} is not known; allowed: {VERSION}")
    try:
        return msgspec.convert(with_points(given), GameRecord)
    except (msgspec.ValidationError, NotationError) as error:
        raise RecordError(str(error)) from error
