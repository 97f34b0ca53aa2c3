"""What a list of games says about each game of a journal."""

from typing import Literal

import msgspec

from firmware_host.errors import RecordError
from firmware_host.record.game import Result
from firmware_host.record.header import Header
from firmware_host.referee.rulings import Over, Paused, Reopened, Resumed
from firmware_host.service.game import record_of
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_rows import Game

State = Literal["over", "adjourned", "not over", "pruned", "damaged"]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """One game. `head` stands for its record; `moves` is None, and `why` says more, where it is damaged."""

    number: int
    header: Header
    state: State
    result: Result | None
    entries: int
    moves: int | None
    head: str
    code_version: str
    rules_version: str
    why: str = ""


def summary(reader: JournalReader, game: Game) -> Summary:
    """What a list says about a game; raises RecordError only where the whole journal cannot be read."""
    left = reader.pruned().get(game.number)
    result: Result | None = None
    moves: int | None = None
    state: State = "damaged"
    why = ""
    if left is not None:
        state, result, moves, entries = "pruned", left.result, left.moves, left.entries
    else:
        entries = reader.count(game)
        try:
            read = reader.entries(game)
            record = record_of(game, read)
            result, moves, state = record.result, len(record.moves), "not over"
            turns = [r for e in read for r in e.rulings if isinstance(r, Paused | Resumed | Over | Reopened)]
            if result is not None:
                state = "over"
            elif turns and isinstance(turns[-1], Paused) and turns[-1].why == "adjourned":
                state = "adjourned"
        except RecordError as error:
            why = str(error)
    return Summary(
        number=game.number,
        header=game.header,
        state=state,
        result=result,
        entries=entries,
        moves=moves,
        head=reader.head(game),
        code_version=game.code_version,
        rules_version=game.rules_version,
        why=why,
    )
