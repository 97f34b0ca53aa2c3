"""The configuration of what the public gets: when, and as files."""

from typing import Annotated

import msgspec
from msgspec import Meta


class Publish(msgspec.Struct, frozen=True, kw_only=True):
    """What is published of the games, and when ([feed](feed.md))."""

    delay_s: Annotated[
        int,
        Meta(
            ge=0,
            le=3600,
            description="the broadcast delay in seconds: so much later the public sees all that it sees,"
            " on the pages, in feeds and in files alike",
        ),
    ] = 0
    folder: Annotated[
        str,
        Meta(
            pattern=r"^[^\x00]*$",
            description="a folder that is kept up to date with the tournament's files for programs that watch"
            " folders; empty: none",
            extra={"allowed": "the path of a folder, or an empty text for none"},
        ),
    ] = ""
