"""The documents for programs that ask now and then: the tournament, its rounds, each with its games.

The addresses are those that broadcasting programs of other boards' makers ask for: `tournament.json`, in it
the number of games and of live games by round; `round-N/index.json`, the pairings; `round-N/game-M.json`,
one game, M being its place among the pairings of its round, from 1. A game is a `message` of its own.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Person

NO_ROUND: Final = 1
"""Where games are listed that are in no round."""


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """When a document was released, by which clock, and the broadcast delay in that; as in a message."""

    released_at: str
    synchronised: bool
    delay_s: int


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A result: one score a player, the winner if there is one, and why."""

    winner: Colour | None
    black: float
    white: float
    reason: str


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a round: `game` is M in the name of its file, `black` who holds Black now.

    `live`: it is being played. A game that is neither live nor has a result has not begun, or was broken off.
    """

    game: int
    id: str
    table: str
    black: Person
    white: Person
    live: bool
    moves: int
    result: Score | None


class Round(Release, frozen=True, kw_only=True):
    """`round-N/index.json`. `date` is that of its first game, for people; empty when there is none."""

    format: Literal["renju-board-round"] = "renju-board-round"
    version: Literal[1] = 1
    event: str
    round: int
    date: str
    pairings: tuple[Pairing, ...]


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A round in the tournament: how many games it has, and how many of them are live."""

    round: int
    count: int
    live: int


class Tournament(Release, frozen=True, kw_only=True):
    """`tournament.json`."""

    format: Literal["renju-board-tournament"] = "renju-board-tournament"
    version: Literal[1] = 1
    name: str
    place: str
    rounds: tuple[RoundSummary, ...]


def round_of(record: GameRecord) -> int:
    """The round in which a game is listed."""
    return record.header.round or NO_ROUND


def tournament(games: Sequence[GameRecord], live: str, release: Release) -> Tournament:
    """The tournament of these games of one event; `live`: the id of the game that is on the board."""
    rounds = sorted({round_of(record) for record in games})
    header = games[-1].header
    return Tournament(
        **msgspec.structs.asdict(release),
        name=header.event,
        place=header.place,
        rounds=tuple(
            RoundSummary(
                round=number,
                count=sum(round_of(record) == number for record in games),
                live=sum(round_of(record) == number and _is_live(record, live) for record in games),
            )
            for number in rounds
        ),
    )


def round_index(games: Iterable[GameRecord], live: str, release: Release) -> Round:
    """The round of these games, which are all of it, in their order; there is one at least."""
    games = list(games)
    header = games[0].header
    return Round(
        **msgspec.structs.asdict(release),
        event=header.event,
        round=round_of(games[0]),
        date=header.date,
        pairings=tuple(_pairing(n, record, _is_live(record, live)) for n, record in enumerate(games, 1)),
    )


def _pairing(n: int, record: GameRecord, live: bool) -> Pairing:
    result = record.result
    return Pairing(
        game=n,
        id=record.header.id,
        table=record.header.table,
        black=record.person(BLACK),
        white=record.person(WHITE),
        live=live,
        moves=len(record.moves),
        result=None
        if result is None
        else Score(winner=result.winner, black=result.black, white=result.white, reason=result.reason),
    )


def _is_live(record: GameRecord, live: str) -> bool:
    return record.header.id == live and record.started_ns is not None and record.result is None
