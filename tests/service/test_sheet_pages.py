"""The score sheet over the web: the public's, the arbiter's, and what each may not hold."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from firmware_host.record.game import GameRecord
from firmware_host.service import sheet_pages
from firmware_host.service.pdf import Pdf
from firmware_host.service.pins import Pins
from firmware_host.service.sheet_pages import Records
from firmware_host.service.sign_in import SignIn
from firmware_host.service.sse import Channel
from firmware_host.service.web import create_app
from tests.record.sample_sheets import HASH, record

ARBITER, PUBLIC = record(9), record(9, audience="public")


class Table:
    """A table that has played nine moves."""

    sim = None

    def __init__(self) -> None:
        self.public = Channel("game", dict)
        self.arbiter = Channel("arbiter", dict)
        self.shown = PUBLIC
        self.head = HASH

    def health(self) -> dict[str, Any]:
        return {}

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        raise AssertionError(given)

    def sheet_records(self) -> Records:
        return Records(self.shown, ARBITER, lambda: self.head)


@contextlib.asynccontextmanager
async def browser(table: Table, client: str = "127.0.0.1") -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(table, address="http://board-4.local/")
    transport = httpx.ASGITransport(app, client=(client, 50000))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as session:
        yield session


async def with_pin_unsaid(way: str, path: str) -> httpx.Response:
    """On the board's own machine, where a PIN is asked for too."""
    transport = httpx.ASGITransport(
        create_app(Table(), signing=SignIn(Pins({"arbiter": "4711"}))), client=("127.0.0.1", 50000)
    )
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as session:
        return await session.request(way, path)


def ask(*paths: str, client: str = "127.0.0.1", table: Table | None = None) -> list[httpx.Response]:
    async def go() -> list[httpx.Response]:
        async with browser(table or Table(), client) as session:
            return await asyncio.gather(*(session.get(path) for path in paths))

    return asyncio.run(go())


def test_everybody_gets_the_public_copy_in_their_language() -> None:
    for language, title in (("en", "Score sheet"), ("zh", "对局记录表"), ("ja", "対局記録")):
        (answer,) = ask(f"/game.svg?lang={language}", client="192.168.1.7")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.headers["content-disposition"] == 'inline; filename="game-public.svg"'
        assert title in answer.text
        assert "SECRET" not in answer.text
    (pdf,) = ask("/game.pdf", client="192.168.1.7")
    assert (pdf.headers["content-type"], pdf.content[:5]) == ("application/pdf", b"%PDF-")


def test_the_arbiter_has_every_copy() -> None:
    mine, players, blank = ask(
        *(f"/arbiter/sheet.svg?copy={copy}" for copy in ("arbiter", "players", "blank"))
    )
    assert "SECRET" in mine.text
    assert HASH in mine.text
    assert "SECRET" not in players.text
    assert "Players' copy" in players.text
    assert "copy" not in blank.text
    assert ">60<" in blank.text
    assert "Player One" in blank.text


@pytest.mark.parametrize("path", ["/arbiter/sheet.svg", "/arbiter/sheet.pdf", "/arbiter/sheet"])
def test_the_arbiters_sheets_are_the_arbiters(path: str) -> None:
    (answer,) = ask(path, client="192.168.1.7")
    assert answer.status_code == 403
    for way in ("GET", "HEAD"):
        assert asyncio.run(with_pin_unsaid(way, path)).status_code == 401


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("lang=fr", "lang = 'fr' is not possible; allowed: en, zh, ja"),
        ("ranges=2", "ranges = '2' is not possible; allowed: 0, 1"),
        ("copy=x", "copy = 'x' is not possible; allowed: arbiter, players, blank"),
    ],
)
def test_what_is_asked_for_wrongly_is_said(query: str, sentence: str) -> None:
    (answer,) = ask(f"/arbiter/sheet.svg?{query}")
    assert (answer.status_code, answer.json()) == (400, {"error": sentence})


def test_many_who_ask_at_once_cost_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def count(pages: object) -> Pdf:
        made.append(pages)
        return Pdf(b"%PDF-", ())

    monkeypatch.setattr(sheet_pages, "pdf_apart", count)
    every = [f"/game.pdf?lang={lang}&ranges={ranges}" for lang in ("en", "zh", "ja") for ranges in "01"]
    svg = [path.replace("pdf", "svg") for path in every]
    ask(*[*every, *svg] * 5)
    assert len(made) == len(every)


def test_what_everybody_asks_for_does_not_hold_up_the_arbiter(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, released = threading.Event(), threading.Event()

    def slow(_: object) -> Pdf:
        begun.set()
        assert released.wait(60)
        return Pdf(b"%PDF-", ())

    monkeypatch.setattr(sheet_pages, "pdf_apart", slow)

    async def go() -> tuple[httpx.Response, bool, httpx.Response]:
        async with browser(Table()) as session:
            public = asyncio.create_task(session.get("/game.pdf"))
            try:
                assert await asyncio.to_thread(begun.wait, 60)
                async with asyncio.timeout(30):
                    mine = await session.get("/arbiter/sheet.svg")
                waits = not public.done()
            finally:
                released.set()
            return mine, waits, await public

    mine, waits, public = asyncio.run(go())
    assert waits
    assert (mine.status_code, public.status_code) == (200, 200)


def test_the_end_of_the_daemon_does_not_wait_for_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for the journal's disk comes after it, and systemd does not wait long."""
    begun, released = threading.Event(), threading.Event()

    def slow(_: object) -> Pdf:
        begun.set()
        released.wait(30)
        return Pdf(b"%PDF-", ())

    monkeypatch.setattr(sheet_pages, "pdf_apart", slow)

    async def go() -> bool:
        async with browser(Table()) as session:
            asked = asyncio.create_task(session.get("/game.pdf"))
            return await asyncio.to_thread(begun.wait, 60) and not asked.done()

    timer = threading.Timer(20, released.set)
    timer.start()
    try:
        assert asyncio.run(go())
        assert not released.is_set()
    finally:
        released.set()
        timer.cancel()


def test_a_sheet_has_the_hash_that_the_journal_has_now() -> None:
    """A disk that was slow may have the last entry only after a first sheet was made."""
    table, later = Table(), "b" * 64

    async def go() -> list[str]:
        async with browser(table) as session:
            first = await session.get("/arbiter/sheet.svg")
            table.head = later
            return [first.text, (await session.get("/arbiter/sheet.svg")).text]

    first, second = asyncio.run(go())
    assert HASH in first
    assert later in second


@pytest.mark.parametrize("over", [False, True])
def test_the_players_copy_has_the_hash_when_the_game_is_over(*, over: bool) -> None:
    table = Table()
    table.shown = PUBLIC if over else replace(PUBLIC, result=None)
    (players,) = ask("/arbiter/sheet.svg?copy=players", table=table)
    assert (HASH in players.text) == over


def test_a_pdf_that_cannot_be_made_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    (answer,) = ask("/game.pdf")
    assert answer.status_code == 503
    assert answer.json()["error"].startswith("the PDF is not made: No such file")


def test_the_arbiters_record_never_goes_out_as_the_publics() -> None:
    table = Table()
    table.shown = replace(GameRecord(), audience="arbiter")
    with pytest.raises(ValueError, match="not of one for 'arbiter'"):
        ask("/game.svg", table=table)
