"""Who comes to the arbiter's side: this machine, or whoever has the PIN, and only from our own pages."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from firmware_host.service.sign_in import FREE_TRIES, SECOND
from firmware_host.service.web import create_app
from tests.service.web_table import Simulator, Table, ask

PIN = "4711"
HALL = ("192.0.2.7", 50000)


@pytest.mark.parametrize(
    "path",
    ["/arbiter", "/arbiter.json", "/arbiter/events", "/check", "/check/events", "/table", "/sim/events"],
)
def test_the_arbiters_and_the_simulated_side_answer_only_this_machine(path: str) -> None:
    answer = ask(Table(Simulator()), "GET", path, client="192.0.2.7")
    assert answer.status_code == 403
    assert answer.json()["error"].startswith(f"{path} answers only to the machine of the board itself")
    rebound = ask(Table(Simulator()), "GET", path, base="http://board.example")
    through_a_proxy = ask(Table(Simulator()), "GET", path, headers={"X-Forwarded-For": "192.0.2.7"})
    assert (rebound.status_code, through_a_proxy.status_code) == (403, 403)


@pytest.mark.parametrize(
    ("client", "base"), [("::1", "http://[::1]:80"), ("::ffff:127.0.0.1", "http://localhost")]
)
def test_this_machine_has_more_than_one_name(client: str, base: str) -> None:
    assert ask(Table(), "GET", "/arbiter.json", client=client, base=base).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_foreign_page_gives_no_orders(headers: dict[str, str]) -> None:
    table = Table()
    answer = ask(table, "POST", "/command", json={"do": "start"}, headers=headers)
    assert (answer.status_code, table.done) == (403, [])
    assert answer.json()["error"] == "/command takes orders only from the board's own pages"


class Hall:
    """A table with a PIN, and clocks that stand still; each browser is one session of httpx."""

    def __init__(self, pin: str = PIN) -> None:
        self.table = Table()
        self.now_ns = 0
        self.app = create_app(self.table, pin=pin, monotonic_ns=lambda: self.now_ns)

    def browser(self, client: tuple[str, int] = HALL, host: str = "board.local") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=client)
        return httpx.AsyncClient(transport=transport, base_url=f"http://{host}:8080")


def run(test: Callable[[Hall], Any], pin: str = PIN) -> None:
    asyncio.run(test(Hall(pin)))


ARBITERS = [("GET", "/arbiter"), ("GET", "/arbiter.json"), ("GET", "/arbiter/events"), ("POST", "/command")]


@pytest.mark.parametrize("client", [HALL, ("127.0.0.1", 50000)])
def test_without_the_pin_nothing_of_the_arbiters_side_answers_on_any_machine(client: tuple[str, int]) -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser(client, "127.0.0.1") as browser:
            browser.cookies.set("arbiter-8080", "guessed")
            for method, path in ARBITERS:
                answer = await browser.request(
                    method, path, json={"do": "start"} if method == "POST" else None
                )
                assert answer.status_code == 401
                assert answer.json() == {"error": f"{path} is the arbiter's: sign in with the PIN"}
            assert (await browser.get("/game.json")).json() == {"moves": ["H8"]}
        assert hall.table.done == []

    run(test)


def test_a_browser_is_asked_for_the_pin_once() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            asked = await browser.get("/arbiter", headers={"Accept": "text/html"})
            assert (asked.status_code, asked.headers["cache-control"]) == (401, "no-store")
            assert 'id="pin"' in asked.text
            wrong = await browser.post("/arbiter/sign-in", json={"pin": "4712"})
            assert (wrong.status_code, wrong.json()) == (
                401,
                {"error": "this is not the arbiter's PIN", "wait_s": 0},
            )
            right = await browser.post("/arbiter/sign-in", json={"pin": PIN})
            assert right.status_code == 200
            cookie = right.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie
            assert PIN not in cookie
            assert (await browser.get("/arbiter.json")).json()["claimable"] == ["double-three"]
            assert (await browser.post("/command", json={"do": "start"})).status_code == 200
            assert hall.table.done == [{"do": "start"}]
            async with hall.browser() as another:
                assert (await another.get("/arbiter.json")).status_code == 401
            await browser.post("/arbiter/sign-out")
            assert (await browser.get("/arbiter.json")).status_code == 401

    run(test)


def test_wrong_pins_are_answered_with_how_long_to_wait() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            for _ in range(FREE_TRIES + 1):
                await browser.post("/arbiter/sign-in", json={"pin": "0000"})
            late = await browser.post("/arbiter/sign-in", json={"pin": PIN})
            assert (late.status_code, late.headers["retry-after"]) == (429, "2")
            hall.now_ns = 2 * SECOND
            assert (await browser.post("/arbiter/sign-in", json={"pin": PIN})).status_code == 200

    run(test)


def test_a_foreign_page_cannot_use_the_session_or_try_pins() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            await browser.post("/arbiter/sign-in", json={"pin": PIN})
            foreign = {"Origin": "http://elsewhere.example"}
            for path, sent in (("/command", {"do": "start"}), ("/arbiter/sign-in", {"pin": PIN})):
                assert (await browser.post(path, json=sent, headers=foreign)).status_code == 403
            form = await browser.post("/command", data={"do": "start"})
            assert form.status_code == 415
        assert hall.table.done == []

    run(test)


@pytest.mark.parametrize("pin", [4711, None, ["4711"]])
def test_a_pin_is_a_text(pin: object) -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            answer = await browser.post("/arbiter/sign-in", json={"pin": pin})
            assert (answer.status_code, answer.json()) == (
                400,
                {"error": 'the PIN is a text: {"pin": "4711"}'},
            )

    run(test)


def test_without_a_pin_set_another_machine_is_told_how_to_set_one() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            told = await browser.get("/arbiter", headers={"Accept": "text/html,*/*"})
            assert told.status_code == 403
            assert "arbiter_pin" in told.text
            assert (await browser.post("/arbiter/sign-in", json={"pin": ""})).status_code == 404
            assert (await browser.get("/arbiter.json")).status_code == 403

    run(test, pin="")


@pytest.mark.parametrize("by", ["near", "far", "hub", 1, ["arbiter"]])
def test_nobody_speaks_for_a_seat_over_http(by: object) -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            await browser.post("/arbiter/sign-in", json={"pin": PIN})
            answer = await browser.post("/command", json={"do": "resign", "side": "black", "by": by})
            assert answer.status_code == 400
            assert "allowed: arbiter, chief, organiser" in answer.json()["error"]
            for official in ("arbiter", "chief", "organiser"):
                assert (
                    await browser.post("/command", json={"do": "note", "by": official})
                ).status_code == 200
        assert len(hall.table.done) == 3

    run(test)
