"""What the rows of a journal hold: a game, an entry, and what was pruned of a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from firmware_host.errors import BoardError, RecordError
from firmware_host.record.game import Result
from firmware_host.record.header import Header
from firmware_host.referee.inputs import Input
from firmware_host.referee.rulings import AnyRuling
from firmware_host.referee.settings import MatchSettings, match_settings
from firmware_host.wire import input_from_wire, ruling_from_wire


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the journal: `number` from 1 within the journal, `id` unique among all journals.

    `header` has that id too, and the date of `started_wall_ns`. `hash` is its row's.
    """

    number: int
    id: str
    header: Header
    sensors: str
    settings: MatchSettings
    started_wall_ns: int
    clock_synchronised: bool
    code_version: str
    rules_version: str
    hash: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One input with what the referee made of it; `seq` counts from 1 within the game, without gaps.

    `t_ns` is the input's instant on the game's monotonic axis; `late_ns` by how much it came after its
    instant had been ruled; `wall_ns` (UTC) is when it was written down, `synchronised` whether to trust that.
    `hash` is its row's.
    """

    game: int
    seq: int
    t_ns: int
    boot_id: str
    wall_ns: int
    synchronised: bool
    given: Input
    rulings: tuple[AnyRuling, ...]
    late_ns: int = 0
    hash: str = ""


class Pruned(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of a game whose entries were removed: how many, when, and the result.

    `last` is the last one's hash, `head` the one that stood for the record.
    """

    game: int
    entries: int
    last: str
    head: str
    moves: int
    result: Result | None
    wall_ns: int


def read_game(path: Path, row: Sequence[Any]) -> Game:
    """A game of its row; raises RecordError for one that this program cannot read."""
    values = dict(zip(Game.__struct_fields__, row, strict=True))
    try:
        values["header"] = msgspec.json.decode(values["header"], type=Header)
        values["settings"] = match_settings(msgspec.json.decode(values["settings"], type=dict[str, Any]))
        return msgspec.convert(values, Game, strict=False)
    except (BoardError, msgspec.DecodeError, TypeError) as error:
        raise RecordError(f"{path}: game {row[0]} cannot be read: {error}") from error


def read_pruned(path: Path, row: Sequence[Any]) -> Pruned:
    """What was pruned of a game, of its row; raises RecordError for one that this program cannot read."""
    values = dict(zip(Pruned.__struct_fields__, row, strict=True))
    try:
        values["result"] = msgspec.json.decode(values["result"], type=Result | None)
        return msgspec.convert(values, Pruned, strict=False)
    except (msgspec.DecodeError, TypeError) as error:
        raise RecordError(f"{path}: what was pruned of game {row[0]} cannot be read: {error}") from error


def read_entry(path: Path, row: Sequence[Any]) -> Entry:
    """An entry of its row; raises RecordError for one that this program cannot read."""
    game, seq, t_ns, boot_id, wall, synced, given, rulings, late_ns, hash_ = row
    try:
        return Entry(
            game=game,
            seq=seq,
            t_ns=t_ns,
            boot_id=boot_id,
            wall_ns=wall,
            synchronised=bool(synced),
            given=input_from_wire(msgspec.json.decode(given, type=dict[str, Any])),
            rulings=tuple(map(ruling_from_wire, msgspec.json.decode(rulings, type=list[dict[str, Any]]))),
            late_ns=late_ns,
            hash=hash_,
        )
    except (BoardError, msgspec.DecodeError, TypeError) as error:
        raise RecordError(f"{path}: entry {seq} of game {game} cannot be read: {error}") from error
