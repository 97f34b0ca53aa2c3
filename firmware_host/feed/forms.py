"""The form of everything public, as types: a message with its game, the documents for pollers.

`docs/feed.schema.json` is made of them (`schema`); tests hold every message of real games against it. The
snapshot itself stays a plain object: the arbiter's has the same keys and more.
"""

import json
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from firmware_host.board import NAMES, Colour
from firmware_host.feed.documents import Round, Tournament
from firmware_host.feed.message import KINDS, Envelope
from firmware_host.referee.inputs import Seat
from firmware_host.referee.rulings import ForbiddenKind, Reason

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

PointName = Annotated[
    str,
    Meta(
        pattern="^[A-O]([1-9]|1[0-5])$",
        description="an intersection: a letter A to O from Black's left, a number 1 to 15 upwards",
        examples=[NAMES[0], NAMES[112], NAMES[224]],
    ),
]
Count = Annotated[int, Meta(ge=0)]


class PlayerForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Who holds a colour now, and at which side of the board."""

    name: str
    seat: Seat


class SettingsForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What was agreed; `time_words` by language."""

    opening: str
    time: str
    time_words: dict[str, str]
    forbidden: str


class MoveForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A move; without a point a pass, or a stone that no sensor saw (`missing`)."""

    n: Annotated[int, Meta(ge=1)]
    point: PointName | None
    colour: Colour
    used_ms: Count | None
    missing: bool = False


class OfferedForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The fifth stones that were offered, and the number of the move that one of them is or will be."""

    n: Annotated[int, Meta(ge=1)]
    points: list[PointName]


class OpeningForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The opening's code, D1 to I13, and its names."""

    code: str
    zh: str
    ja: str
    romaji: str


class SideClockForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One side's time; null is: no limit, or no moves to be made in the period at hand."""

    remaining_ms: Count | None
    used_ms: int
    periods_left: Count | None
    byo_yomi: bool
    to_make: Count | None
    text: str


class ClockForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Both clocks; `running`: whose time runs, of a `shared` limit both sides'."""

    running: Colour | None
    shared: bool
    tenths: bool
    black: SideClockForm
    white: SideClockForm


class IrregularForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """An irregular action that all may know of; `n` is the move it belongs to.

    `after`: how many moves there were when it became known.
    """

    code: str
    side: Colour
    point: PointName | None
    n: int | None
    after: int


class ForbiddenForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A forbidden move that all may know of."""

    n: int | None
    point: PointName | None
    kind: ForbiddenKind


class ResultForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The result: one score a player, why, and the stones of a five."""

    winner: Colour | None
    black: float
    white: float
    reason: Reason
    line: list[PointName]


class PlayersForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The players by the colours they hold now."""

    black: PlayerForm
    white: PlayerForm


class Message(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message of `/events`, and what `/game.json` and the files of games hold: the whole game."""

    format: Literal["renju-board-game"]
    version: Literal[1]
    id: str
    table: str
    event: str
    round: int | None
    players: PlayersForm
    settings: SettingsForm
    phase: Literal["waiting", "opening", "playing", "paused", "over"]
    to_move: Colour | None
    moves: list[MoveForm]
    offers: list[PointName]
    offered: OfferedForm | None
    opening: OpeningForm | None
    irregular: list[IrregularForm]
    forbidden: list[ForbiddenForm]
    result: ResultForm | None
    clock: ClockForm


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of the three, by their names in `$defs`; as a whole it is that of a message."""
    kinds = (Message, Round, Tournament)
    (message, *_), parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    parts = {name: _closed(part) for name, part in sorted(parts.items())}
    said = {"enum": list(KINDS), "description": "; ".join(f"{kind}: {text}" for kind, text in KINDS.items())}
    parts["Message"]["properties"]["kind"] = said
    return {"$schema": DIALECT, "title": "The public feed", **message, "$defs": parts}


def schema_text() -> str:
    """The schema as the text of its file."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


def _closed(part: dict[str, Any]) -> dict[str, Any]:
    if "properties" not in part:
        return part
    described = " ".join(part.get("description", "").split())
    optional = {"missing"}
    required = [name for name in part["properties"] if name not in optional]
    return {**part, "description": described, "required": required, "additionalProperties": False}
