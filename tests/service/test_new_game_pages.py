"""The routes of a new game, before a live table in virtual time."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_host.referee.procedures import PROCEDURES
from firmware_host.service.new_game import ASKED
from firmware_host.service.pins import Pins
from firmware_host.service.sign_in import SignIn
from firmware_host.service.web import create_app
from tests.service.virtual_table import VirtualTable

HERE = "http://127.0.0.1:8080"
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    opened = VirtualTable(tmp_path, "table.start=command", "table.event=Open", "match.opening=yamaguchi")
    yield opened
    opened.close()


@pytest.fixture
def loop() -> Iterator[asyncio.Runner]:
    """One event loop for a table's whole life."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def ask(table: VirtualTable, loop: asyncio.Runner) -> Ask:
    """Ask the table's application; time passes until it answers."""

    def asked(
        path: str = "/arbiter/new", body: Any = None, client: str = "127.0.0.1", **app: Any
    ) -> tuple[int, Any]:
        async def go() -> httpx.Response:
            telling = asyncio.create_task(table.table.tell())
            transport = httpx.ASGITransport(create_app(table.table, **app), client=(client, 5))
            async with httpx.AsyncClient(transport=transport, base_url=HERE) as session:
                asking = asyncio.create_task(
                    session.get(path) if body is None else session.post(path, json=body)
                )
                while not asking.done():
                    await table.run(0.05)
                    await asyncio.sleep(0)
            telling.cancel()
            return await asking

        answer = loop.run(go())
        return answer.status_code, answer.json()

    return asked


def test_the_form_has_every_setting_with_what_it_can_be(ask: Ask) -> None:
    status, form = ask("/arbiter/new.json")
    assert status == 200
    assert set(form["values"]) == set(ASKED)
    assert all(isinstance(text, str) for text in form["values"].values())
    assert (form["values"]["table.event"], form["busy"], form["stones"]) == ("Open", "", 0)
    assert [each["name"] for each in form["procedures"]] == list(PROCEDURES)
    asked_alone = {"match.opening", "match.offers", "match.time"}
    shown = {each["key"] for each in form["settings"]}
    assert shown | asked_alone == {key for key in ASKED if key.startswith("match.")}
    assert all(each["default"] in each["choices"] for each in form["settings"] if each["choices"])
    assert form["words"]["match.late"]["zh"] == "15分钟"


def test_what_is_typed_is_said_back_or_refused_with_its_place(ask: Ask) -> None:
    _, told = ask("/arbiter/new/check", {"values": {"match.time": "30m + 3x30s", "match.late": "90s"}})
    assert told["errors"] == {}
    assert told["words"]["match.time"]["en"] == "30 minutes each, then byo-yomi, 3 periods of 30 seconds"
    assert told["words"]["match.late"]["ja"] == "1分30秒"
    _, told = ask("/arbiter/new/check", {"values": {"match.time": "5m+3q", "table.round": "x"}})
    assert (told["errors"]["match.time"]["at"], told["errors"]["match.time"]["why"]) == (
        4,
        "3 has no unit (h, m, s or ms)",
    )
    assert told["errors"]["table.round"]["at"] is None
    assert "match.time" not in told["words"]


def test_colours_are_exchanged_where_the_rules_are(ask: Ask) -> None:
    _, told = ask("/arbiter/new/check", {"values": {"table.black": "Wu"}, "exchange": True})
    assert (told["values"]["table.black"], told["values"]["table.white"]) == ("", "Wu")
    assert told["values"]["match.black_sits"] == "far"


def test_a_game_begins_by_its_route(ask: Ask, table: VirtualTable) -> None:
    status, answer = ask(body={"values": {"table.black": "Wu"}, "absent": "white", "by": "organiser"})
    assert (status, answer["rulings"][0]["ruling"]) == (200, "started")
    assert table.public["players"]["black"]["name"] == "Wu"
    assert ask("/arbiter/new.json")[1]["busy"] == "untouched"
    status, answer = ask(body={"values": {}})
    assert (status, answer["error"]) == (
        409,
        "no game can begin: one has begun; stop its clocks first, and another can take its place",
    )
    assert ask("/command", {"do": "pause"})[0] == 200
    assert ask(body={"values": {"table.black": "Wu Di"}})[0] == 200
    assert table.public["players"]["black"]["name"] == "Wu Di"


@pytest.mark.parametrize(
    "body",
    [
        {"values": {"table.round": "0", "match.offers": "13"}},
        {"values": {"match.black_sits": ["near"], "match.opening": {}, "table.black": 5, "match.time": None}},
        {"values": {"": "", "table.start": "at-once", "match": {}}},
    ],
)
def test_what_cannot_be_begins_nothing(ask: Ask, table: VirtualTable, body: dict[str, Any]) -> None:
    status, answer = ask(body=body)
    assert status == 400
    assert set(answer["errors"]) == set(body["values"])
    assert ask("/arbiter/new/check", {**body, "exchange": True})[0] == 200
    game = table.journal.last_game()
    assert game is not None
    assert game.number == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "the values are an object"),
        ({"do": "start"}, "the values are an object"),
        ({"values": []}, "the values are an object"),
        (
            {"values": {}, "absent": "nobody"},
            "absent = 'nobody' is not possible; allowed: black, white, both",
        ),
        ({"values": {}, "absent": ["white"]}, "absent = ['white'] is not possible"),
        ({"values": {}, "by": "near"}, "by = 'near' is not possible; allowed: arbiter, chief, organiser"),
    ],
)
def test_a_request_that_is_none_is_told_why(ask: Ask, body: dict[str, Any], said: str) -> None:
    status, answer = ask(body=body)
    assert status == 400
    assert said in answer["error"]


@pytest.mark.parametrize("path", ["/arbiter/new", "/arbiter/new.json"])
def test_the_page_is_behind_the_arbiters_door(ask: Ask, path: str) -> None:
    assert ask(path, client="192.0.2.7")[0] == 403
    assert ask(path, signing=SignIn(Pins({"arbiter": "4711"})))[0] == 401


def test_a_table_that_takes_no_orders_begins_no_game(ask: Ask) -> None:
    assert ask(body={"values": {}}, orders=False)[0] == 403
