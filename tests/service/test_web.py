"""The pages, the feed and the orders, through the application that the daemon serves."""

import socket
import threading
from collections.abc import Iterator

import httpx
import pytest
import uvicorn

from firmware_host.service.web import create_app
from tests.patience import wait_for
from tests.service.web_table import HERE, Simulator, Table, ask


def test_every_page_is_served_with_headers_that_allow_nothing_foreign() -> None:
    for path in ("/", "/table", "/arbiter", "/web/board.js", "/web/style.css", "/locale/zh.json", "/nowhere"):
        answer = ask(Table(Simulator()), "GET", path)
        assert answer.status_code == (404 if path == "/nowhere" else 200)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert ask(Table(), "GET", "/web/board.js").headers["content-type"].startswith("text/javascript")
    assert ask(Table(), "GET", "/nowhere").json() == {"error": "there is no such page"}


def test_the_public_side_shows_nothing_of_the_arbiters() -> None:
    table = Table(Simulator())
    for path in ("/", "/game.json", "/health"):
        assert "double-three" not in ask(table, "GET", path, client="192.0.2.7").text
    assert ask(table, "GET", "/arbiter.json").json()["claimable"] == ["double-three"]


def test_an_order_is_obeyed_and_answered_with_its_rulings() -> None:
    table = Table(Simulator())
    answer = ask(table, "POST", "/command", json={"do": "start"}, headers={"Origin": HERE})
    assert answer.json() == {"rulings": [{"ruling": "started"}]}
    assert table.done == [{"do": "start"}]
    answer = ask(table, "POST", "/sim/hand", json={"do": "press", "key": "near"})
    assert (answer.json(), table.sim and table.sim.done) == ({"done": True}, [{"do": "press", "key": "near"}])


def test_a_hand_that_cannot_says_why_and_a_real_board_has_none() -> None:
    answer = ask(Table(Simulator()), "POST", "/sim/hand", json={"do": "place", "point": "P16"})
    assert (answer.status_code, answer.json()) == (400, {"error": "'P16' is not a point; allowed: A1 to O15"})
    assert ask(Table(), "POST", "/sim/hand", json={"do": "lift", "point": "H8"}).status_code == 404
    assert ask(Table(), "GET", "/table").status_code == 404
    assert ask(Table(Simulator()), "GET", "/sim/hand").status_code == 405


def test_more_followers_than_the_board_can_carry_are_asked_to_come_back() -> None:
    table = Table()
    table.public.followers = table.public.most
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
            thread.join(60)
            assert not thread.is_alive()


def test_a_hundred_reloads_leave_no_subscription(served: tuple[Table, int]) -> None:
    _, port = served
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as session:
        for n in range(100):
            with session.stream("GET", "/events", headers={"Last-Event-ID": str(n)}) as answer:
                assert answer.headers["content-type"].startswith("text/event-stream")
                assert next(answer.iter_lines()) == "event: game"
        wait_for(lambda: session.get("/health").json()["followers"] == 0, "a subscription is left")


def test_a_follower_that_does_not_read_holds_nobody_up(served: tuple[Table, int]) -> None:
    table, port = served
    table.public.build = lambda: {"much": "x" * 200_000}
    with (
        socket.create_connection(("127.0.0.1", port)) as deaf,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as session,
    ):
        deaf.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with session.stream("GET", "/events") as answer:
            lines = answer.iter_lines()
            assert next(lines) == "event: game"
            for _ in range(40):
                assert session.post("/command", json={"do": "start"}).status_code == 200
            assert "id: 40" in lines


def test_a_board_that_takes_no_orders_over_http_says_so() -> None:
    table = Table()
    answer = ask(table, "POST", "/command", json={"do": "start"}, app={"orders": False})
    assert (answer.status_code, table.done) == (403, [])
    assert answer.json() == {"error": "this board takes no orders over HTTP (web.console = off)"}
