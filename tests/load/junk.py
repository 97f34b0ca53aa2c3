"""Requests that nobody should send, ten thousand different ones, and what must not come back for them."""

import random
import re
import select
import socket
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

PATHS: Final = (
    "/",
    "/arbiter",
    "/events",
    "/game.json",
    "/game.svg",
    "/health",
    "/metrics",
    "/command",
    "/sim/hand",
    "/arbiter/sign-in",
    "/arbiter.json",
    "/web/board.js",
    "/overlay",
    "/table",
    "/qr.svg",
    "/round-1/index.json",
)
METHODS: Final = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PATCH",
    "get",
    "G\x00T",
    "",
)
ESCAPES: Final = (
    "/../../../../etc/passwd",
    "/web/../../service/web.py",
    "/web/%2e%2e/%2e%2e/errors.py",
    "/web/..%2f..%2fcli",
    "/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/web/%c0%ae%c0%ae/pyproject.toml",
    "//etc/passwd",
    "/web/board.js%00.html",
    "/web/\\..\\..\\errors.py",
    "/.git/config",
    "/locale/../web/index.html",
    "/round-../index.json",
    "/web//etc/passwd",
    "/round-1/game-%2e%2e.json",
    "/round-99999999999999999999/index.json",
    "/%",
    "/%zz",
    "/%00",
    "/?%00=%ff",
    "/*",
    "http://elsewhere.example/etc/passwd",
    "elsewhere.example:443",
    "/" + "a" * 20_000,
    "/" + "../" * 2_000,
)
TYPES: Final = (
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "\x00",
    "application/json;" * 500,
)
BODIES: Final = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'"' * 1000,
    b"\xff\xfe\x00",
    b"[" * 15_000,
    b'{"do": 1e999}',
    b'{"do": "claim"}',
    b'{"do": "start", "by": "near"}',
    b'{"do": ["start"]}',
    b'{"do": "note", "text": "\\ud800"}',
    b'{"do":"lift"}',
    b'{"do": "place", "point": "../../H8", "colour": "black"}',
    b'{"do": "set_clock", "ms": -1e308}',
    b'{"do": "set_clock", "side": "black", "ms": 99999999999999999999999999}',
    b'{"pin": "0000"}',
    b'{"pin": 1}',
    b'{"do": "press", "key": "\\u0000"}',
    b'{"do": "press", "key": {}}',
    b"x" * 20_000,
)
HEADERS: Final = (
    b"Host: b",
    b"Host: b\r\nHost: c",
    b"Host: " + b"b" * 9_000,
    b"Host: [::1",
    b"Host: b\r\nX: " + b"y" * 30_000,
    b"Host: b\r\n" + b"\r\n".join(b"X-%d: y" % n for n in range(2_000)),
    b"Host: b\r\nX\x00: y",
    b"Host: b\r\n folded",
    b"Host: b\r\nUpgrade: websocket\r\nConnection: Upgrade",
    b"Host: b\r\nTransfer-Encoding: chunked",
    b"Host: b\r\nExpect: 100-continue",
    b"Host: b\r\nContent-Length: 99999999999",
    b"Host: b\r\nContent-Length: -1",
    b"Host: b\r\nLast-Event-ID: \xff" + b"9" * 400,
    b"Host: b\r\nCookie: " + b"arbiter-80=x; " * 300,
    b"Host: b\r\nX-Forwarded-For: ' OR 1=1\r\nOrigin: null",
    b"Host: b\r\nIf-None-Match: " + b'"x",' * 1000,
)
STATUS: Final = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
LEAKS: Final = (
    b"root:x:0",
    b"Traceback",
    b"from firmware_host",
    b"[project]",
    b"[core]",
    b"uvicorn",
    b"Python/",
    b"starlette",
)
"""What would be a file of the machine, a traceback, or the name of a server program."""


class Junk(NamedTuple):
    """What came back for all of it."""

    answers: Counter[str]
    wrong: list[str]
    seconds: float


def one(random: random.Random) -> bytes:
    """A request, or what was meant to be none."""
    kind = random.randrange(12)
    if kind == 0:
        return random.randbytes(random.randrange(1, 3_000)) + b"\r\n\r\n"
    if kind == 1:
        return b"\r\n" * random.randrange(1, 200)
    method = random.choice(METHODS) if kind < 5 else random.choice(METHODS[:3])
    path = random.choice(ESCAPES) if random.randrange(2) else random.choice(PATHS)
    if kind == 2:
        path = "".join(chr(random.randrange(1, 256)) for _ in range(40))
    head = f"{method} {path} HTTP/1.{random.randrange(3)}\r\n".encode("latin-1")
    head += random.choice(HEADERS) if random.randrange(2) else b"Host: 127.0.0.1"
    if kind < 8:
        head += b"\r\nConnection: close"
    if kind % 3:
        return head + b"\r\n\r\n"
    body = random.choice(BODIES)
    head += b"\r\nContent-Type: " + random.choice(TYPES).encode("latin-1")
    if b"Content-Length" not in head and b"chunked" not in head:
        head += b"\r\nContent-Length: %d" % len(body)
    return head + b"\r\n\r\n" + body


def requests(count: int, seed: int) -> Iterator[bytes]:
    """So many requests; some of them come several in one go, as in pipelining."""
    chance = random.Random(seed)
    sent = 0
    while sent < count:
        together = min(chance.choice((1, 1, 1, 1, 3, 8)), count - sent)
        sent += together
        yield b"".join(one(chance) for _ in range(together))


def send(port: int, count: int, seed: int = 1, *, at_once: int = 20) -> Junk:
    """Send it, `at_once` connections at a time; each is left a second after its last byte."""
    answers: Counter[str] = Counter()
    wrong: list[str] = []
    begun = time.monotonic()
    given = requests(count, seed)
    open_now: dict[int, _Sender] = {}
    poll = select.epoll()
    exhausted = False
    while not exhausted or open_now:
        while not exhausted and len(open_now) < at_once:
            if (sent := next(given, None)) is None:
                exhausted = True
                break
            sender = _Sender(port, sent)
            open_now[sender.socket.fileno()] = sender
            poll.register(sender.socket, select.EPOLLIN | select.EPOLLOUT)
        for number, _ in poll.poll(0.05):
            if open_now[number].go_on(poll):
                _judge(open_now.pop(number), answers, wrong)
        for number in [n for n, sender in open_now.items() if time.monotonic() > sender.until]:
            _judge(open_now.pop(number), answers, wrong)
    return Junk(answers, wrong, time.monotonic() - begun)


class _Sender:
    """One connection: sends what it was given, and keeps the beginning of what comes back."""

    KEPT: Final = 1 << 16
    PATIENCE_S: Final = 1.0

    def __init__(self, port: int, sent: bytes) -> None:
        self.sent = self.left = sent
        self.got = b""
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setblocking(False)
        self.until = time.monotonic() + self.PATIENCE_S

    def go_on(self, poll: select.epoll) -> bool:
        """Send and read what is possible now; whether the connection has ended."""
        try:
            if self.left:
                self.left = self.left[self.socket.send(self.left) :]
                self.until = time.monotonic() + self.PATIENCE_S
                if not self.left:
                    poll.modify(self.socket, select.EPOLLIN)
            more = self.socket.recv(1 << 16)
        except BlockingIOError:
            return False
        except OSError:
            return True
        self.got = (self.got + more)[: self.KEPT]
        return not more


def _judge(sender: _Sender, answers: Counter[str], wrong: list[str]) -> None:
    sender.socket.close()
    statuses = [found.decode() for found in STATUS.findall(sender.got)]
    answers.update(statuses or ["none"])
    bad = [status for status in statuses if status.startswith("5") and status != "503"]
    files = [leak.decode() for leak in LEAKS if leak in sender.got]
    if bad or files:
        wrong.append(f"{bad + files} for {sender.sent[:200]!r}: {sender.got[:200]!r}")
