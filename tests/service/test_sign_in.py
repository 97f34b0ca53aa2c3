"""The PIN of the arbiter's side: sessions, waits after wrong PINs, and what answers without one."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from firmware_host.service.sign_in import (
    FREE_TRIES,
    LONGEST_WAIT_NS,
    SECOND,
    SESSION_NS,
    SESSIONS,
    NotSignedIn,
    SignIn,
)
from firmware_host.service.sse import Channel
from firmware_host.service.web import create_app

PIN = "4711"
HALL = ("192.0.2.7", 50000)


def test_the_right_pin_gives_a_session_that_ends() -> None:
    signing = SignIn(PIN)
    token = signing.sign_in(PIN, 0)
    assert len(token) >= 43
    assert signing.knows(token, SESSION_NS - 1)
    assert not signing.knows(token, SESSION_NS)
    assert not signing.knows(token, 0)
    assert not signing.knows("", 0)
    other = signing.sign_in(PIN, 0)
    assert other != token
    signing.sign_out(other)
    signing.sign_out("nobody's")
    assert not signing.knows(other, 0)


def test_wrong_pins_make_everybody_wait_longer_and_longer() -> None:
    signing = SignIn(PIN)
    now = 0
    waits = []
    for wrong in ("4712", "", "47111", "٤٧١١", "0", "1", "2", "3", "4", "5"):
        with pytest.raises(NotSignedIn, match="not the arbiter's PIN") as refused:
            signing.sign_in(wrong, now)
        waits.append(refused.value.wait_s)
        if refused.value.wait_s:
            with pytest.raises(NotSignedIn, match="try again in"):
                signing.sign_in(PIN, now + refused.value.wait_s * SECOND - 1)
        now += refused.value.wait_s * SECOND
    assert waits == [0] * FREE_TRIES + [2, 4, 8, 16, 32, 60, 60]
    assert LONGEST_WAIT_NS == 60 * SECOND
    assert signing.knows(signing.sign_in(PIN, now), now)
    with pytest.raises(NotSignedIn) as refused:
        signing.sign_in("0", now)
    assert refused.value.wait_s == 0


def test_one_session_too_many_ends_the_oldest() -> None:
    signing = SignIn(PIN)
    tokens = [signing.sign_in(PIN, 0) for _ in range(SESSIONS + 1)]
    assert [signing.knows(token, 1) for token in tokens] == [False] + [True] * SESSIONS


class Table:
    """A table that has a secret and takes every order."""

    sim = None

    def __init__(self) -> None:
        self.public = Channel("game", lambda: {"moves": []})
        self.arbiter = Channel("arbiter", lambda: {"claimable": ["double-three"]})
        self.done: list[dict[str, Any]] = []

    def health(self) -> dict[str, Any]:
        return {"status": "ok"}

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        self.done.append(given)
        return []


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
            assert (await browser.get("/game.json")).json() == {"moves": []}
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
            assert (await browser.get("/arbiter.json")).json() == {"claimable": ["double-three"]}
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


def test_the_arbiters_feed_ends_with_the_session() -> None:
    async def test() -> None:
        allowed = True
        channel = Channel("arbiter", lambda: {"claimable": []})
        messages = channel.follow(allowed=lambda: allowed)
        assert b"claimable" in await anext(messages)
        allowed = False
        channel.publish()
        assert [message async for message in messages] == []

    asyncio.run(test())
