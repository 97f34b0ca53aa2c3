"""Requests of one address, in their rate and their size; the memory that this takes is bounded."""

from collections import Counter
from typing import Any

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from firmware_host.service.http_body import BODY_LIMIT
from firmware_host.service.limits import BURST_S, Limits, RateLimit

SECOND = 1_000_000_000


def test_a_bucket_holds_ten_seconds_and_fills_as_time_goes_by() -> None:
    rate = RateLimit(2)
    taken = [rate.take("192.0.2.7", 5 * SECOND) for _ in range(2 * BURST_S + 1)]
    assert taken == [0.0] * 2 * BURST_S + [0.5]
    assert rate.take("192.0.2.8", 5 * SECOND) == 0.0
    assert rate.take("192.0.2.7", 5 * SECOND + SECOND // 2) == 0.0
    assert rate.take("192.0.2.7", 5 * SECOND + SECOND // 2) == 0.5
    assert [rate.take("192.0.2.7", 3600 * SECOND) for _ in range(21)].count(0.0) == 2 * BURST_S


def test_addresses_without_end_take_no_memory_without_end() -> None:
    rate = RateLimit(1, addresses=100)
    for n in range(1000):
        rate.take(f"192.0.{n // 250}.{n % 250}", n)
    assert len(rate) == 100


class Door:
    """An application behind the limits, and a clock that stands."""

    def __init__(self, requests_per_s: int = 1) -> None:
        self.answered: Counter[int] = Counter()
        self.now_ns = 0

        async def hello(_: Request) -> Response:
            return PlainTextResponse("hello")

        routes = [Route("/", hello, methods=["GET", "POST"])]
        self.app = Limits(
            Starlette(routes=routes),
            requests_per_s=requests_per_s,
            answered=self.answered,
            monotonic_ns=lambda: self.now_ns,
        )

    def ask(self, client: str, times: int = 1, method: str = "GET", **options: Any) -> list[httpx.Response]:
        async def go() -> list[httpx.Response]:
            transport = httpx.ASGITransport(self.app, client=(client, 50000))
            async with httpx.AsyncClient(transport=transport, base_url="http://board") as session:
                return [await session.request(method, "/", **options) for _ in range(times)]

        return anyio.run(go)


def test_who_asks_too_often_is_told_when_to_come_again_and_others_are_not_held_up() -> None:
    door = Door()
    answers = door.ask("192.0.2.7", 12)
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert answers[-1].headers["retry-after"] == "1"
    assert answers[-1].json() == {"error": "too many requests from this address"}
    assert door.ask("192.0.2.8")[0].status_code == 200
    door.now_ns += SECOND
    assert door.ask("192.0.2.7")[0].status_code == 200
    assert door.answered == {200: 12, 429: 2}


@pytest.mark.parametrize("client", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_not_held_up(client: str) -> None:
    assert {answer.status_code for answer in Door().ask(client, 50)} == {200}


def test_a_body_that_says_it_is_too_long_is_not_waited_for() -> None:
    door = Door()
    (answer,) = door.ask("127.0.0.1", method="POST", content=b"x" * (BODY_LIMIT + 1))
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
    assert door.ask("127.0.0.1", method="POST", content=b"x" * BODY_LIMIT)[0].status_code == 200
