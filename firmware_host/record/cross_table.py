"""The cross table of an event: players by rounds, against whom, with which colour, for how many points.

A player is known by his number, and without one by his name. One who meets the same opponent twice, also in
one round, has an encounter for each game. A game in which one side has no name is a bye; a game without a
result counts for nobody yet. Scores are those of the records, one for each side, so that a double forfeit and
a loss given as a penalty after the end stand as they were decided [competition rules 2.20].
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Person
from firmware_host.referee.rulings import Reason

FORFEITS: Final[tuple[Reason, ...]] = ("absence",)
"""Reasons of a game that was not played."""


class Encounter(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a player: `opponent` is a place in the table's players, None for a bye.

    `score` None: it has no result yet. `forfeit`: it was not played.
    """

    opponent: int | None
    colour: Colour
    score: float | None
    forfeit: bool = False
    table: str = ""
    reason: Reason | None = None


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One player: encounters by round, in the order of `CrossTable.rounds`; an empty one is no game.

    `place` is shared by players of equal points; `last_place` is the last of those that they share.
    """

    person: Person
    place: int
    last_place: int
    rounds: tuple[tuple[Encounter, ...], ...]
    points: float
    games: int
    wins: int
    draws: int
    losses: int


class CrossTable(msgspec.Struct, frozen=True, kw_only=True):
    """An event: its rounds (None: games without a round), its players by points, the points of each round.

    `unfinished`: games without a result. `nameless`: games of which neither player has a name.
    """

    event: str
    place: str
    rounds: tuple[int | None, ...]
    lines: tuple[Line, ...]
    sums: tuple[float, ...]
    games: int
    unfinished: int
    nameless: int


def cross_table(records: Iterable[GameRecord], event: str | None = None) -> CrossTable:
    """The table of the games of an event; `event` names it, else the games do."""
    games = list(records)
    people: dict[tuple[str, str], Person] = {}
    played: dict[tuple[str, str], dict[int | None, list[tuple[tuple[str, str] | None, Encounter]]]] = {}
    nameless = 0
    for record in sorted(games, key=_order):
        keys = {colour: key_of(record.person(colour)) for colour in Colour}
        nameless += not any(keys.values())
        for colour, key in keys.items():
            if key is None:
                continue
            person = record.person(colour)
            people[key] = _fuller(people.get(key, person), person)
            met = (keys[colour.other], _encounter(record, colour))
            played.setdefault(key, {}).setdefault(record.header.round, []).append(met)
    rounds = sorted({number for of in played.values() for number in of}, key=_round_order)
    points = {key: sum(_score(met) for mets in of.values() for _, met in mets) for key, of in played.items()}
    order = sorted(played, key=lambda key: (-points[key], people[key].name, key))
    at = {key: n for n, key in enumerate(order)}
    lines = []
    for key in order:
        by_round = tuple(
            tuple(
                msgspec.structs.replace(met, opponent=None if other is None else at[other])
                for other, met in played[key].get(number, ())
            )
            for number in rounds
        )
        lines.append(_line(people[key], by_round, [points[other] for other in order]))
    return CrossTable(
        event=next((r.header.event for r in games if r.header.event), "") if event is None else event,
        place=next((r.header.place for r in games if r.header.place), ""),
        rounds=tuple(rounds),
        lines=tuple(lines),
        sums=tuple(sum(_score(met) for line in lines for met in line.rounds[n]) for n in range(len(rounds))),
        games=len(games),
        unfinished=sum(record.result is None for record in games),
        nameless=nameless,
    )


def key_of(person: Person) -> tuple[str, str] | None:
    """What makes a player the same in all games: his number, else his name; None for nobody."""
    if number := " ".join(person.id.split()):
        return "id", number
    name = " ".join(person.name.split())
    return ("name", name) if name else None


def _fuller(known: Person, person: Person) -> Person:
    """What is known of a player from several games: the first that says each thing."""
    return Person(
        name=known.name or person.name,
        id=known.id or person.id,
        federation=known.federation or person.federation,
        rating=person.rating if known.rating is None else known.rating,
        title=known.title or person.title,
    )


def _order(record: GameRecord) -> tuple[tuple[bool, int], str, str]:
    return _round_order(record.header.round), record.header.date, record.header.id


def _round_order(number: int | None) -> tuple[bool, int]:
    return number is None, number or 0


def _encounter(record: GameRecord, colour: Colour) -> Encounter:
    result = record.result
    score = None if result is None else {BLACK: result.black, WHITE: result.white}[colour]
    return Encounter(
        opponent=None,
        colour=colour,
        score=score,
        forfeit=result is not None and result.reason in FORFEITS,
        table=record.header.table,
        reason=None if result is None else result.reason,
    )


def _score(met: Encounter) -> float:
    return met.score or 0.0


def _line(person: Person, rounds: tuple[tuple[Encounter, ...], ...], all_points: list[float]) -> Line:
    done = [met for mets in rounds for met in mets if met.score is not None]
    played = [met for met in done if met.opponent is not None]
    points = sum(_score(met) for met in done)
    place = 1 + sum(other > points for other in all_points)
    return Line(
        person=person,
        place=place,
        last_place=place - 1 + sum(other == points for other in all_points),
        rounds=rounds,
        points=points,
        games=len(played),
        wins=sum(met.score == 1 for met in played),
        draws=sum(met.score == 0.5 for met in played),
        losses=sum(met.score == 0 for met in played),
    )
