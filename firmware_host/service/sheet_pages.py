"""The score sheet over the web: `/game.svg` and `/game.pdf` for all, `/arbiter/sheet.svg` for officials.

A sheet is laid out in a thread and its PDF made by a process, one at a time; the last ones are kept, so that
many who ask for the same one cost no more than one.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from firmware_host.errors import BoardError
from firmware_host.record.game import GameRecord
from firmware_host.record.svg import to_svg
from firmware_host.service.pdf_process import pdf_apart
from firmware_host.service.sheets import LANGUAGES, pages_of, players_copy

KEPT: Final = 8
TYPES: Final = {"svg": "image/svg+xml", "pdf": "application/pdf"}
COPIES: Final = ("arbiter", "players", "blank")


class Records(NamedTuple):
    """The records of the game at hand, as they are now: what the public has been shown, and the arbiter's."""

    shown: GameRecord
    arbiter: GameRecord
    head: Callable[[], str] = str
    """Gives the hash of the journal for the game; it reads a file."""


class Recorded(Protocol):
    """A table as far as sheets need it."""

    def sheet_records(self) -> Records:
        """The records that score sheets are made of now."""


class _Wanted(NamedTuple):
    """One sheet: which copy, in which language, with two diagrams or one, and in which form."""

    copy: str
    language: str
    ranges: bool
    form: str


class SheetPages:
    """The handlers of one table's sheets; the table is asked on the event loop."""

    def __init__(self, table: Recorded, address: str = "") -> None:
        self._table = table
        self._address = address
        self._kept: dict[_Wanted, tuple[GameRecord, bytes]] = {}
        self._one = asyncio.Lock()

    async def public(self, request: Request) -> Response:
        """What everybody may see of the game at hand."""
        shown = self._table.sheet_records().shown
        if shown.audience != "public":
            raise ValueError(f"a public sheet is made of a record for all, not of one for {shown.audience!r}")
        return await self._answer(request, "public", shown)

    async def arbiter(self, request: Request) -> Response:
        """`copy` is `arbiter`, `players` or `blank`."""
        copy = _choice(request, "copy", COPIES)
        records = self._table.sheet_records()
        head = str if copy == "blank" else records.head
        record = {
            "arbiter": records.arbiter,
            "players": players_copy(records.shown),
            "blank": GameRecord(header=records.arbiter.header),
        }[copy]
        return await self._answer(request, copy, record, head)

    async def _answer(
        self, request: Request, copy: str, record: GameRecord, head: Callable[[], str] = str
    ) -> Response:
        form = request.url.path.rpartition(".")[2]
        ranges = _choice(request, "ranges", ("0", "1")) == "1"
        wanted = _Wanted(copy, _choice(request, "lang", LANGUAGES), ranges, form)
        async with self._one:
            kept = self._kept.pop(wanted, None)
            try:
                data = kept[1] if kept and kept[0] == record else await self._make(wanted, record, head)
            except BoardError as error:
                raise HTTPException(503, str(error)) from error
            self._kept[wanted] = record, data
            while len(self._kept) > KEPT:
                self._kept.pop(next(iter(self._kept)))
        name = f"game-{wanted.copy}.{form}"
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'inline; filename="{name}"'}
        return Response(data, headers=headers, media_type=TYPES[form])

    async def _make(self, wanted: _Wanted, record: GameRecord, head: Callable[[], str]) -> bytes:
        return await asyncio.to_thread(self._make_now, wanted, record, head)

    def _make_now(self, wanted: _Wanted, record: GameRecord, head: Callable[[], str]) -> bytes:
        drawings = pages_of(
            replace(record, journal_head=head()),
            language=wanted.language,
            address=self._address,
            ranges=wanted.ranges,
            blank=wanted.copy == "blank",
        )
        return to_svg(drawings[0]).encode() if wanted.form == "svg" else pdf_apart(drawings).data


def _choice(request: Request, name: str, allowed: tuple[str, ...]) -> str:
    """A parameter of the query, the first one allowed if it is not given; raises HTTPException."""
    given = request.query_params.get(name, allowed[0])
    if given not in allowed:
        raise HTTPException(400, f"{name} = {given[:40]!r} is not possible; allowed: {', '.join(allowed)}")
    return given
