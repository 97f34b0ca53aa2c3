"""The configuration of a table: where it is, who plays at it, and the head of a record that it asks for."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from firmware_host.record.header import Header

Name = Annotated[
    str,
    Meta(
        max_length=60,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        extra={"allowed": "a text of at most 60 characters in one line"},
    ),
]
TopicName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=r"^[^/+#\x00-\x1f\x7f]*$",
        extra={"allowed": "a text of 1 to 60 characters without / + #"},
    ),
]
Label = Annotated[
    str,
    Meta(
        max_length=30,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        extra={"allowed": "a text of at most 30 characters in one line"},
    ),
]
Rating = Annotated[int, Meta(ge=0, le=9999)]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Which table this is, and who plays at it."""

    name: Annotated[TopicName, Meta(description="the table's name in the hall, on sheets and in feeds")] = "1"
    event: Annotated[Name, Meta(description="the tournament")] = ""
    round: Annotated[
        Annotated[int, Meta(ge=1, le=999)] | None, Meta(description="the round; not given: no round")
    ] = None
    place: Annotated[Name, Meta(description="the town or hall; empty: not said")] = ""
    arbiter: Annotated[Name, Meta(description="the arbiter of the table; empty: not said")] = ""
    black: Annotated[Name, Meta(description="the player who holds Black at the start; empty: no name")] = ""
    black_id: Annotated[Label, Meta(description="the federation's or the event's number for Black")] = ""
    black_federation: Annotated[Label, Meta(description="Black's federation, club or country")] = ""
    black_rating: Annotated[Rating | None, Meta(description="Black's rating; not given: has none")] = None
    black_title: Annotated[Label, Meta(description="Black's title or grade")] = ""
    white: Annotated[Name, Meta(description="the player who holds White at the start; empty: no name")] = ""
    white_id: Annotated[Label, Meta(description="the federation's or the event's number for White")] = ""
    white_federation: Annotated[Label, Meta(description="White's federation, club or country")] = ""
    white_rating: Annotated[Rating | None, Meta(description="White's rating; not given: has none")] = None
    white_title: Annotated[Label, Meta(description="White's title or grade")] = ""
    start: Annotated[
        Literal["at-once", "command"],
        Meta(description="whether the round starts with the daemon or with the arbiter's `start`"),
    ] = "at-once"


IN_HEADER: Final[dict[str, str]] = {
    "name": "table",
    "event": "event",
    "round": "round",
    "place": "place",
    "arbiter": "arbiter",
    "black": "first.name",
    "black_id": "first.id",
    "black_federation": "first.federation",
    "black_rating": "first.rating",
    "black_title": "first.title",
    "white": "second.name",
    "white_id": "second.id",
    "white_federation": "second.federation",
    "white_rating": "second.rating",
    "white_title": "second.title",
}
"""Settings of `[table]` that a game keeps, and where its head has them."""


def header_asked(table: Table) -> Header:
    """Who plays where, by a configuration; the journal adds id and date."""
    values: dict[str, dict[str, object]] = {"": {}, "first": {}, "second": {}}
    for key, place in IN_HEADER.items():
        owner, _, field = place.rpartition(".")
        values[owner][field] = getattr(table, key)
    return msgspec.convert(values.pop("") | values, Header)
