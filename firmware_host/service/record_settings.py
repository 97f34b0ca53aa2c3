"""The configuration of what is kept of a game beside the journal: sheets and files at its end."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class Records(msgspec.Struct, frozen=True, kw_only=True):
    """The files that are made at the end of each game: score sheets, JSON and SGF."""

    folder: Annotated[
        str,
        Meta(
            pattern=r"^[^\x00]*$",
            description="where each event has its folder; empty: `records` beside the journal",
            extra={"allowed": "the path of a folder, or an empty text for the default"},
        ),
    ] = ""
    language: Annotated[Literal["en", "zh", "ja"], Meta(description="the language of the score sheets")] = (
        "en"
    )
    address: Annotated[
        str,
        Meta(
            max_length=100,
            pattern=r"^(https?://[!-~]+)?\Z",
            description="the address of the game's page, as a QR code on the sheets; empty: none",
            extra={"allowed": "an address such as http://board-3.local:8080/, or an empty text"},
        ),
    ] = ""
