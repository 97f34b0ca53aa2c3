"""The score sheet over the web: `/game.svg` and `/game.pdf` for all, `/arbiter/sheet.svg` for officials.

A sheet is laid out in a thread and its PDF made by a process, one at a time for everybody and one for
officials. Of each that can be asked for the last one is kept, so that many who ask cost no more than one, and
whoever asks for all of them again and again costs each of them once a move.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from firmware_host.errors import BoardError
from firmware_host.record.game import GameRecord
from firmware_host.record.svg import to_svg
from firmware_host.service.game import headed
from firmware_host.service.pdf_process import pdf_apart
from firmware_host.service.sheets import LANGUAGES, pages_of, players_copy

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


class _Shelf:
    """The sheets of one door: each is made again when its record has changed, one at a time."""

    def __init__(self) -> None:
        self._kept: dict[_Wanted, tuple[GameRecord, bytes]] = {}
        self._one = asyncio.Lock()

    async def take(self, wanted: _Wanted, record: GameRecord, address: str) -> bytes:
        """The sheet of this record; raises BoardError for one that cannot be made."""
        async with self._one:
            kept = self._kept.get(wanted)
            if kept is None or kept[0] != record:
                kept = record, await _apart(partial(_made, wanted, record, address))
                self._kept[wanted] = kept
            return kept[1]


class SheetPages:
    """The handlers of one table's sheets; the table is asked on the event loop."""

    def __init__(self, table: Recorded, address: str = "") -> None:
        self._table = table
        self._address = address
        self._public, self._officials = _Shelf(), _Shelf()

    async def public(self, request: Request) -> Response:
        """What everybody may see of the game at hand."""
        shown = self._table.sheet_records().shown
        if shown.audience != "public":
            raise ValueError(f"a public sheet is made of a record for all, not of one for {shown.audience!r}")
        return await self._answer(request, self._public, "public", shown)

    async def arbiter(self, request: Request) -> Response:
        """`copy` is `arbiter`, `players` or `blank`."""
        copy = _choice(request, "copy", COPIES)
        records = self._table.sheet_records()
        record = {
            "arbiter": records.arbiter,
            "players": players_copy(records.shown),
            "blank": GameRecord(header=records.arbiter.header),
        }[copy]
        if copy != "blank":
            record = headed(record, await asyncio.to_thread(records.head))
        return await self._answer(request, self._officials, copy, record)

    async def _answer(self, request: Request, shelf: _Shelf, copy: str, record: GameRecord) -> Response:
        form = request.url.path.rpartition(".")[2]
        ranges = _choice(request, "ranges", ("0", "1")) == "1"
        wanted = _Wanted(copy, _choice(request, "lang", LANGUAGES), ranges, form)
        try:
            data = await shelf.take(wanted, record, self._address)
        except BoardError as error:
            raise HTTPException(503, str(error)) from error
        name = f"game-{wanted.copy}.{form}"
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'inline; filename="{name}"'}
        return Response(data, headers=headers, media_type=TYPES[form])


async def _apart(work: Callable[[], bytes]) -> bytes:
    """What `work` gives, in a thread that the end of the daemon does not wait for: a PDF may take long."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bytes] = loop.create_future()

    def settle(data: bytes, error: BaseException | None) -> None:
        if done.done():
            return  # nobody waits any more
        if error is None:
            done.set_result(data)
        else:
            done.set_exception(error)

    def run() -> None:
        data, error = b"", None
        try:
            data = work()
        except Exception as raised:  # it is the caller's
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, data, error)

    threading.Thread(target=run, name="sheet", daemon=True).start()
    return await done


def _made(wanted: _Wanted, record: GameRecord, address: str) -> bytes:
    drawings = pages_of(
        record,
        language=wanted.language,
        address=address,
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
