"""The page on which the organiser begins a game, and its routes.

The rules are all here: the page asks what its fields may hold, and shows what it is told.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.clock import parse_control, parse_duration_ns
from firmware_host.clock.words import GRADES, LANGUAGES, control_words, time_words
from firmware_host.errors import BoardError, ConfigError
from firmware_host.referee.procedures import PROCEDURES, Procedure
from firmware_host.referee.settings import CHOICES, TIMES, MatchSettings, match_settings
from firmware_host.service.door import ARBITER, Door
from firmware_host.service.http_body import json_answer, json_body
from firmware_host.service.new_game import NotPossible, asked_for, exchanged, texts_of
from firmware_host.service.next_game import NextGame

ABSENT: Final = (None, "black", "white", "both")

OFFICIALS: Final = (None, "arbiter", "chief", "organiser")
"""Who can give an order over HTTP; what a player says comes from the keys of his seat."""

OF_THEIR_OWN: Final = frozenset({"opening", "offers", "time"})
"""Match settings that the page asks for by themselves; all others are one list."""

PLACE: Final = re.compile(r"character ([0-9]+): ")
"""Where the parser of times says what it could not read."""


class Table(Protocol):
    """What the page needs of a table."""

    next_game: NextGame
    """Its defaults, what is in its way, and how it begins."""


class NewGamePages:
    """The routes of one table's new game. `orders`: takes any at all."""

    def __init__(self, table: Table, *, orders: bool) -> None:
        self._table = table
        self._orders = orders

    def routes(self, door: Door) -> list[Route]:
        """The page, what it shows, what it asks while something is typed, and the game itself."""
        return [
            door.page("/arbiter/new", "new-game.html", ARBITER),
            door.get("/arbiter/new.json", self.form, ARBITER),
            door.post("/arbiter/new/check", self.check, ARBITER),
            door.post("/arbiter/new", self.begin, ARBITER),
        ]

    async def form(self, _: Request) -> Response:
        """What the fields hold at first, and what they can hold."""
        return json_answer(
            {
                "values": texts_of(self._table.next_game.asked),
                **FORM,
                **self._told({}),
            }
        )

    async def check(self, request: Request) -> Response:
        """What is wrong with the fields, their times in words; with `exchange` also the exchanged fields."""
        given = await json_body(request)
        values = _values(given)
        traded = {}
        if given.get("exchange") is True:
            values = exchanged({**texts_of(self._table.next_game.asked), **values})
            traded = {"values": values}
        return json_answer({**traded, **self._told(values)})

    def _told(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What is in the way of a game, and what can be said of these fields."""
        base = self._table.next_game.asked
        try:
            asked_for(values, base)
            errors: Mapping[str, ConfigError] = {}
        except NotPossible as error:
            errors = error.errors
        words = {
            key: in_words(key, text)
            for key, text in {**texts_of(base), **values}.items()
            if key.removeprefix("match.") in TIMES and key not in errors
        }
        return {
            "busy": self._table.next_game.busy,
            "stones": self._table.next_game.lying,
            "errors": {key: _wrong(error) for key, error in errors.items()},
            "words": words,
        }

    async def begin(self, request: Request) -> Response:
        """Begin the game that is asked for; refused as a whole, with what is wrong by its field."""
        if not self._orders:
            raise HTTPException(403, "this board takes no orders over HTTP (web.console = off)")
        given = await json_body(request)
        values = _values(given)
        absent, by, waits = given.get("absent"), given.get("by"), given.get("wait") is True
        if absent not in ABSENT:
            raise HTTPException(400, f"absent = {absent!r} is not possible; allowed: black, white, both")
        if by not in OFFICIALS:
            raise HTTPException(400, f"by = {by!r} is not possible; allowed: arbiter, chief, organiser")
        start = {"do": "start", **({"absent": absent} if absent else {}), **({"by": by} if by else {})}
        try:
            asked = asked_for(values, self._table.next_game.asked)
            rulings = await self._table.next_game.begin(asked, None if waits else start)
        except NotPossible as error:
            wrong = {key: _wrong(each) for key, each in error.errors.items()}
            return json_answer({"error": str(error), "errors": wrong}, 400)
        except BoardError as error:
            raise HTTPException(409, str(error)) from error
        return json_answer({"rulings": rulings})


def in_words(key: str, text: str) -> dict[str, str]:
    """A time control, or a time, in every language; raises NotationError."""
    if key == "match.time":
        return {tag: control_words(parse_control(text), tag) for tag in LANGUAGES}
    return {tag: time_words(parse_duration_ns(text), tag) for tag in LANGUAGES}


def _values(given: Mapping[str, Any]) -> dict[str, Any]:
    values = given.get("values")
    if not isinstance(values, dict):
        raise HTTPException(400, 'the values are an object such as {"table.black": "A name"}')
    return values


def _wrong(error: ConfigError) -> dict[str, Any]:
    """A refusal for the page: the sentence, what is allowed, and the place that cannot be read, from 1."""
    found = PLACE.match(error.why)
    return {
        "sentence": str(error),
        "allowed": error.allowed,
        "why": error.why[found.end() :] if found else error.why,
        "at": int(found[1]) if found else None,
    }


def _procedure(name: str, procedure: Procedure) -> dict[str, Any]:
    """What the page shows of an opening: `offers` is what N may be, where it is not fixed."""
    offers = procedure.fewest_offers, procedure.most_offers
    return {
        "name": name,
        "offers": offers if offers[0] != offers[1] else None,
        "forbidden": match_settings({"opening": name}).forbidden,
    }


_DEFAULTS: Final = MatchSettings()

FORM: Final[dict[str, Any]] = {
    "controls": [{"text": text, "words": in_words("match.time", text)} for text in ("none", *GRADES)],
    "procedures": [_procedure(*each) for each in PROCEDURES.items()],
    "settings": [
        {"key": f"match.{name}", "choices": CHOICES.get(name, ()), "default": getattr(_DEFAULTS, name)}
        for name in MatchSettings.__struct_fields__
        if name not in OF_THEIR_OWN
    ],
}
"""What the page's fields can hold: the usual time controls, the openings, every other setting of a match."""
