"""The head of a record: who plays, where, and in which event."""

import msgspec


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays. `id` is the federation's or the event's number for them; no rating is None."""

    name: str = ""
    id: str = ""
    federation: str = ""
    rating: int | None = None
    title: str = ""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays where. `first` held Black at the start.

    `date` is wall time as a text, for people only; `synchronised` says whether it was known to be right.
    """

    id: str = ""
    table: str = "1"
    event: str = ""
    round: int | None = None
    place: str = ""
    arbiter: str = ""
    first: Person = Person()
    second: Person = Person()
    date: str = ""
    synchronised: bool = False
