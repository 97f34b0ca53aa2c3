"""What a client can draw out has an end: requests that do not come, answers that are not read, crowds."""

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from firmware_host.service import http_protocol
from firmware_host.service.http_body import json_answer, json_body
from firmware_host.service.http_protocol import RESERVED, Connections, bounded
from firmware_host.service.sse import Channel, stream
from tests.patience import wait_for

ROOT = Path(__file__).parents[2]
HELLO = b"GET / HTTP/1.1\r\nHost: board\r\n\r\n"


class Server:
    """A small application behind the real server."""

    def __init__(self, counted: Connections) -> None:
        self.counted = counted
        self.text = "x"
        self.channel = Channel("game", lambda: {"text": self.text}, keep=4)

        async def hello(_: Request) -> Response:
            return PlainTextResponse("hello")

        async def events(request: Request) -> Response:
            return stream(self.channel, request)

        async def echo(request: Request) -> Response:
            return json_answer(await json_body(request))

        self.app = Starlette(
            routes=[Route("/", hello), Route("/events", events), Route("/echo", echo, methods=["POST"])]
        )
        self.port = 0
        self.loop: asyncio.AbstractEventLoop

    def connect(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.sendall(sent)
        return connection

    def ask(self, sent: bytes) -> bytes:
        """Everything that is answered until the server hangs up."""
        with self.connect(sent) as connection:
            return everything(connection)

    def publish(self) -> None:
        done = threading.Event()
        self.loop.call_soon_threadsafe(lambda: (self.channel.publish(), done.set()))
        assert done.wait(30)


def everything(connection: socket.socket) -> bytes:
    got = b""
    with contextlib.suppress(ConnectionResetError):
        while more := connection.recv(65536):
            got += more
    return got


@contextlib.contextmanager
def serving(counted: Connections) -> Iterator[Server]:
    server = Server(counted)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server.port = listening.getsockname()[1]
        running = uvicorn.Server(
            uvicorn.Config(server.app, http=bounded(counted), log_level="error", lifespan="off", ws="none")
        )
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        wait_for(lambda: running.started)
        server.loop = running.servers[0].get_loop()
        try:
            yield server
        finally:
            running.should_exit = True
            server.loop.call_soon_threadsafe(server.channel.close)
            thread.join(30)
            assert not thread.is_alive()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Connections(100, 100)) as running:
        yield running


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_S", 0.6)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nHost: board\r\nX-A: b\r\n",
        b"POST /echo HTTP/1.1\r\nHost: board\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
)
def test_a_request_that_does_not_come_whole_ends(server: Server, sent: bytes) -> None:
    answered = server.ask(sent)
    assert answered == b"" or answered.startswith(b"HTTP/1.1 408 ")
    wait_for(lambda: not server.counted.open)
    assert server.counted.too_slow == 1


@pytest.mark.usefixtures("hasty")
def test_nor_does_a_second_one_have_longer(server: Server) -> None:
    with server.connect(HELLO) as connection:
        assert b"200 OK" in connection.recv(65536)
        connection.sendall(b"GET /")
        assert everything(connection).count(b"HTTP/1.1 200") == 0
    assert server.counted.too_slow == 1


@pytest.mark.usefixtures("hasty")
def test_who_waits_for_messages_is_not_taken_for_a_slow_one(server: Server) -> None:
    with server.connect(b"GET /events HTTP/1.1\r\nHost: board\r\n\r\n") as reader:
        lines = reader.makefile("rb")
        assert any(line.startswith(b"data") for line in lines)
        threading.Event().wait(1.0)  # longer than a request may take
        server.publish()
        assert any(line == b"id: 1\n" for line in lines)
    assert server.counted.too_slow == 0


def test_a_reader_who_takes_nothing_is_given_up_and_catches_up_when_he_comes_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocol, "SLOW_S", 0.3)
    server.text = "x" * 1_000_000
    with server.connect(b"GET /events HTTP/1.1\r\nHost: board\r\n\r\n"):
        for _ in range(10):
            server.publish()
        wait_for(lambda: server.counted.too_slow == 1)
        wait_for(lambda: not server.channel.followers)
    server.text = "small"
    with server.connect(b"GET /events HTTP/1.1\r\nHost: board\r\nLast-Event-ID: 1\r\n\r\n") as again:
        ids = (line for line in again.makefile("rb") if line.startswith(b"id: "))
        assert next(ids) == b"id: 10\n"


def test_a_stream_over_http_1_0_has_no_chunks(server: Server) -> None:
    with server.connect(b"GET /events HTTP/1.0\r\n\r\n") as reader, reader.makefile("rb") as lines:
        assert any(line == b"\r\n" for line in lines)
        server.publish()
        server.loop.call_soon_threadsafe(server.channel.close)
        body = lines.read()
    messages = body.split(b"\n\n")
    assert messages.pop() == b""
    assert {message[: len(b"event: game")] for message in messages} == {b"event: game"}


def test_a_crowd_from_one_address_leaves_room_for_others_and_this_machine_always_gets_in() -> None:
    counted = Connections(10, 4)
    assert [counted.admit("192.0.2.7") for _ in range(5)] == [True] * 4 + [False]
    assert [counted.admit(f"192.0.2.{n}") for n in range(10, 18)] == [True] * 6 + [False] * 2
    assert [counted.admit("127.0.0.1") for _ in range(RESERVED + 1)] == [True] * RESERVED + [False]
    assert counted.refused == 4
    for _ in range(4):
        counted.leave("192.0.2.7")
    for _ in range(RESERVED):
        counted.leave("::1" if counted._of["::1"] else "127.0.0.1")
    assert counted.admit("192.0.2.99")
    assert counted.open == 7


def test_one_connection_too_many_is_hung_up_on() -> None:
    with serving(Connections(2 - RESERVED, 1)) as server:
        held = [server.connect() for _ in range(2)]
        wait_for(lambda: server.counted.open == 2)
        assert server.ask(b"") == b""
        assert server.counted.refused == 1
        for connection in held:
            connection.close()
        wait_for(lambda: not server.counted.open)
        assert b"hello" in server.ask(HELLO.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: b\r\n\r\n",
        b"GET / HTTP/one\r\n\r\n",
        b"\r\n" * 9_000,
    ],
)
def test_what_is_no_http_is_refused_in_one_answer(server: Server, sent: bytes) -> None:
    answered = server.ask(sent)
    assert answered == b"" or answered.startswith(b"HTTP/1.1 400 ")
    wait_for(lambda: not server.counted.open)


def test_junk_in_the_middle_of_an_answer_hangs_up(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    with server.connect(b"GET /events HTTP/1.1\r\nHost: board\r\n\r\n\x00junk\r\n\r\n") as reader:
        wait_for(lambda: server.channel.followers)
        server.publish()
        server.loop.call_soon_threadsafe(server.channel.close)
        got = everything(reader)
    assert b"id: 1\n" in got
    assert "Traceback" not in capfd.readouterr().err


def test_requests_one_after_another_on_one_connection(server: Server) -> None:
    body = json.dumps({"n": 1}).encode()
    post = (
        b"POST /echo HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
        % len(body)
    )
    sent = HELLO * 20 + (post + b"\r\n" + body) * 20 + post + b"Connection: close\r\n\r\n" + body
    answered = server.ask(sent)
    assert (answered.count(b"hello"), answered.count(b'{"n":1}')) == (20, 21)


def test_the_program_makes_room_for_as_many_open_files_as_it_may_need() -> None:
    program = (
        "import resource; from firmware_host.service.http_protocol import Connections, make_room;"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard));"
        "make_room(Connections(200, 10)); print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert int(done.stdout) >= 200 + RESERVED
