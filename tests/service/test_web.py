"""The pages, the feed and the orders, through the application that the daemon serves."""

import asyncio
import json
import re
import socket
import threading
from collections.abc import Iterator
from importlib import resources
from typing import Any, get_args

import httpx
import pytest
import uvicorn

from firmware_host.errors import BoardError, NotationError
from firmware_host.referee.irregular import IRREGULAR
from firmware_host.referee.rulings import ForbiddenKind, Reason
from firmware_host.referee.settings import CHOICES
from firmware_host.service.sse import Channel
from firmware_host.service.web import BODY_LIMIT, FOLLOWER_LIMIT, create_app

HERE = "http://127.0.0.1:8080"


SENSED = Channel("check", lambda: {"readings": []}, keep=1)


class Simulator:
    """A simulated table that remembers what it was told."""

    def __init__(self) -> None:
        self.done: list[dict[str, Any]] = []
        self.channel = Channel("sim", lambda: {"stones": []}, keep=1)

    async def hand(self, given: dict[str, Any]) -> None:
        if given.get("point") == "P16":
            raise NotationError("'P16' is not a point; allowed: A1 to O15")
        self.done.append(given)


class Table:
    """A table whose public and secret sides are easy to tell apart."""

    def __init__(self, sim: Simulator | None = None) -> None:
        self.public = Channel("game", lambda: {"moves": ["H8"]})
        self.arbiter = Channel("arbiter", lambda: {"moves": ["H8"], "claimable": ["double-three"]})
        self.sim = sim
        self.done: list[dict[str, Any]] = []

    def health(self) -> dict[str, Any]:
        return {"status": "ok"}

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        if given.get("do") == "dance":
            raise BoardError("'dance' is not a command")
        if given.get("do") == "break":
            raise ZeroDivisionError
        self.done.append(given)
        self.public.publish()
        return [{"ruling": "started"}]


def ask(
    table: Table,
    method: str,
    path: str,
    *,
    client: str = "127.0.0.1",
    base: str = HERE,
    app: dict[str, bool] | None = None,
    **options: Any,
) -> httpx.Response:
    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(
            create_app(table, **{"sensed": SENSED, **(app or {})}),
            client=(client, 50000),
            raise_app_exceptions=False,
        )
        async with httpx.AsyncClient(transport=transport, base_url=base) as session:
            return await session.request(method, path, **options)

    return asyncio.run(go())


def test_every_page_is_served_with_headers_that_allow_nothing_foreign() -> None:
    for path in ("/", "/table", "/arbiter", "/web/board.js", "/web/style.css", "/locale/zh.json", "/nowhere"):
        answer = ask(Table(Simulator()), "GET", path)
        assert answer.status_code == (404 if path == "/nowhere" else 200)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert ask(Table(), "GET", "/web/board.js").headers["content-type"].startswith("text/javascript")
    assert ask(Table(), "GET", "/nowhere").json() == {"error": "there is no such page"}


def test_a_page_that_a_browser_has_already_is_not_sent_again() -> None:
    first = ask(Table(), "GET", "/web/board.js")
    assert first.headers["cache-control"] == "no-cache"
    again = ask(Table(), "GET", "/web/board.js", headers={"If-None-Match": f'"x", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/web/../service/web.py", "/web/%2e%2e/cli.py", "/web/index.html", "/locale/"]
)
def test_nothing_but_the_pages_files_is_served(path: str) -> None:
    assert ask(Table(), "GET", path).status_code == 404


def test_the_public_side_shows_nothing_of_the_arbiters() -> None:
    table = Table(Simulator())
    for path in ("/", "/game.json", "/health"):
        assert "double-three" not in ask(table, "GET", path, client="192.0.2.7").text
    assert ask(table, "GET", "/arbiter.json").json()["claimable"] == ["double-three"]


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


def test_an_order_is_obeyed_and_answered_with_its_rulings() -> None:
    table = Table(Simulator())
    answer = ask(table, "POST", "/command", json={"do": "start"}, headers={"Origin": HERE})
    assert answer.json() == {"rulings": [{"ruling": "started"}]}
    assert table.done == [{"do": "start"}]
    answer = ask(table, "POST", "/sim/hand", json={"do": "press", "key": "near"})
    assert (answer.json(), table.sim and table.sim.done) == ({"done": True}, [{"do": "press", "key": "near"}])


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


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({"content": b'{"do": "start"}'}, 415, "application/json"),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400, "not JSON"),
        ({"content": b"\xff\xfe", "headers": {"Content-Type": "application/json"}}, 400, "not JSON"),
        ({"json": ["start"]}, 400, "not a JSON object"),
        ({"json": {"do": "start", "text": "x" * BODY_LIMIT}}, 413, f"longer than {BODY_LIMIT} bytes"),
        ({"json": {"do": "dance"}}, 400, "'dance' is not a command"),
        ({"json": {"do": "break"}}, 500, "its log says which"),
    ],
)
def test_what_is_wrong_with_an_order_is_said_in_one_sentence(
    sent: dict[str, Any], status: int, words: str
) -> None:
    table = Table()
    answer = ask(table, "POST", "/command", **sent)
    assert (answer.status_code, table.done) == (status, [])
    assert words in answer.json()["error"]


def test_a_hand_that_cannot_says_why_and_a_real_board_has_none() -> None:
    answer = ask(Table(Simulator()), "POST", "/sim/hand", json={"do": "place", "point": "P16"})
    assert (answer.status_code, answer.json()) == (400, {"error": "'P16' is not a point; allowed: A1 to O15"})
    assert ask(Table(), "POST", "/sim/hand", json={"do": "lift", "point": "H8"}).status_code == 404
    assert ask(Table(), "GET", "/table").status_code == 404
    assert ask(Table(Simulator()), "GET", "/sim/hand").status_code == 405


def test_more_followers_than_the_board_can_carry_are_asked_to_come_back() -> None:
    table = Table()
    table.public.followers = FOLLOWER_LIMIT
    answer = ask(table, "GET", "/events")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")


@pytest.fixture
def served() -> Iterator[tuple[Table, int]]:
    """A table behind a real server on a free port."""
    table = Table(Simulator())
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(create_app(table), log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield table, listening.getsockname()[1]
        finally:
            server.should_exit = True
            server.servers[0].get_loop().call_soon_threadsafe(table.public.close)
            thread.join(10)
            assert not thread.is_alive()


def test_a_hundred_reloads_leave_no_subscription(served: tuple[Table, int]) -> None:
    _, port = served
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=5) as session:
        for n in range(100):
            with session.stream("GET", "/events", headers={"Last-Event-ID": str(n)}) as answer:
                assert answer.headers["content-type"].startswith("text/event-stream")
                assert next(answer.iter_lines()) == "event: game"
        left = session.get("/health").json()["followers"]
        for _ in range(200):
            if not left:
                break
            left = session.get("/health").json()["followers"]
    assert left == 0


def test_a_follower_that_does_not_read_holds_nobody_up(served: tuple[Table, int]) -> None:
    table, port = served
    table.public.build = lambda: {"much": "x" * 200_000}
    with (
        socket.create_connection(("127.0.0.1", port)) as deaf,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=5) as session,
    ):
        deaf.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with session.stream("GET", "/events") as answer:
            lines = answer.iter_lines()
            assert next(lines) == "event: game"
            for _ in range(40):
                assert session.post("/command", json={"do": "start"}).status_code == 200
            assert "id: 40" in lines


def test_the_catalogues_have_the_same_keys_and_blanks_and_the_pages_know_no_other() -> None:
    root = resources.files("firmware_host")
    catalogues = {
        tag: json.loads(root.joinpath(f"locale/{tag}.json").read_text("utf-8")) for tag in ("zh", "en", "ja")
    }
    blanks = {
        tag: {key: sorted(re.findall(r"\{\w+\}", words)) for key, words in catalogue.items()}
        for tag, catalogue in catalogues.items()
    }
    assert blanks["zh"] == blanks["en"] == blanks["ja"]
    used: set[str] = set()
    for entry in root.joinpath("web").iterdir():
        text = entry.read_text("utf-8")
        used |= set(re.findall(r'\bt\(\s*"([^"]+)"', text))
        used |= set(re.findall(r'data-t(?:-label)?="([^"]+)"', text))
    assert used
    assert used <= set(catalogues["en"])


def test_every_word_that_a_snapshot_can_hold_has_a_translation() -> None:
    english = json.loads(resources.files("firmware_host").joinpath("locale/en.json").read_text("utf-8"))
    wanted = {
        *(f"procedure.{name}" for name in CHOICES["opening"]),
        *(f"reason.{reason}" for reason in get_args(Reason)),
        *(f"forbidden.{kind}" for kind in get_args(ForbiddenKind)),
        *(f"irregular.{code}" for code in IRREGULAR),
    }
    assert wanted <= set(english)


def test_a_board_that_takes_no_orders_over_http_says_so() -> None:
    table = Table()
    answer = ask(table, "POST", "/command", json={"do": "start"}, app={"orders": False})
    assert (answer.status_code, table.done) == (403, [])
    assert answer.json() == {"error": "this board takes no orders over HTTP (web.console = off)"}


def test_a_body_too_deep_for_the_reader_is_the_senders_mistake() -> None:
    deep = {"content": b"[" * 10_000, "headers": {"content-type": "application/json"}}
    answer = ask(Table(), "POST", "/command", **deep)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("the body is not JSON")
