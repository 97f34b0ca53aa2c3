"""Every route with every method and anything in it: an answer in one sentence, no mistake of the program.

A live table with its simulator stands behind the application. The routes are those that it has: a new one is
tried without a word here.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote_from_bytes

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Route

from firmware_host.referee.commands import COMMANDS, DECISIONS, NUMBERS, WORDS
from firmware_host.service.config import ROWS, load_config
from firmware_host.service.journal import Journal
from firmware_host.service.poll_pages import PollPages
from firmware_host.service.sim import VERBS, Simulated
from firmware_host.service.table import LiveTable
from firmware_host.service.tournament import TournamentFiles
from firmware_host.service.web import create_app
from hw.devices import open_devices

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")
OVERLOADED: Final = 503
TURN_S: Final = 0.002


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Stage:
    """The application of a live table, and a loop for it."""

    def __init__(self, folder: Path, runner: asyncio.Runner) -> None:
        self.runner = runner
        self.config = load_config(None, [f"journal.path={folder}/journal.db", "match.opening=free"])
        self.devices = open_devices(msgspec.to_builtins(self.config))
        self.journal = Journal.open(folder / "journal.db")
        self.restarts = 0
        self.app = runner.run(self.opened())

    async def opened(self) -> Starlette:
        self.table = LiveTable(self.config, "linear", self.journal, None)
        assert self.devices.table is not None
        self.table.sim = Simulated(
            self.devices.table,
            self.devices.clock,
            self.table.axis,
            turned=False,
            sleep=lambda _: asyncio.sleep(0),
        )
        files = TournamentFiles(self.table.public, self.journal.path, self.table.live.game.number)

        def restart() -> None:
            self.restarts += 1

        return create_app(
            self.table,
            sensed=self.table.view.channel,
            polled=PollPages(self.table.public, files).routes(),
            restart=restart,
        )

    @property
    def routes(self) -> list[Route]:
        return [route for route in self.app.routes if isinstance(route, Route)]

    def ask(self, asked: list[Asked]) -> list[tuple[int, bytes]]:
        return self.runner.run(self.asked(asked))

    async def asked(self, asked: list[Asked]) -> list[tuple[int, bytes]]:
        """Status and body for each; the table goes on meanwhile."""
        living = [asyncio.create_task(work()) for work in (self.table.tell, self.turns)]
        try:
            return [await asyncio.wait_for(self.one(each), 60) for each in asked]
        finally:
            for task in living:
                task.cancel()
            await asyncio.gather(*living, return_exceptions=True)

    async def turns(self) -> None:
        while True:
            now_ns = self.table.axis.now_ns()
            self.table.live.pipeline.blind(now_ns)
            self.table.presses([], self.table.axis.monotonic_ns(now_ns))
            self.table.turn()
            await asyncio.sleep(TURN_S)

    async def one(self, asked: Asked) -> tuple[int, bytes]:
        waiting = [
            {"type": "http.disconnect"},
            {"type": "http.request", "body": asked.body, "more_body": False},
        ]
        status, body = 0, b""

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(0)
            return waiting.pop() if len(waiting) > 1 else waiting[0]

        async def send(message: Any) -> None:
            nonlocal status, body
            status = message.get("status", status)
            body += message.get("body", b"")

        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
            "method": asked.method, "path": asked.path, "raw_path": asked.path.encode("utf-8", "replace"),
            "query_string": asked.query, "root_path": "", "scheme": "http", "headers": asked.headers,
            "client": ("127.0.0.1", 40000), "server": ("127.0.0.1", 80),
        }  # fmt: skip
        await self.app(scope, receive, send)
        return status, body


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with asyncio.Runner() as runner, contextlib.ExitStack() as stack:
        built = Stage(tmp_path_factory.mktemp("fuzz"), runner)
        stack.callback(built.journal.close)
        stack.callback(built.devices.close)
        yield built


# -- what is sent

ODD_TEXTS: Final = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", "\x00", "../../etc/passwd", "<img src=x onerror=alert(1)>", "H8", "P16", "A0", "é" * 500]
    ),
)
NUMBERS_OF_ALL_KINDS: Final = st.one_of(
    st.integers(-(2**70), 2**70), st.floats(), st.integers(-5, 400), st.booleans(), st.none()
)
JUNK: Final = st.recursive(
    ODD_TEXTS | NUMBERS_OF_ALL_KINDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD_TEXTS, inner, max_size=3),
    max_leaves=6,
)
FIELDS: Final = sorted(
    {
        "do",
        "by",
        "pin",
        "kind",
        "at",
        "values",
        "wait",
        "absent",
        "exchange",
        "key",
        "from",
        "to",
        *WORDS,
        *NUMBERS,
    }
    | {field for row in COMMANDS.values() for field in (*row.must, *row.may)}
)
VALUES: Final = sorted(
    {*COMMANDS, *VERBS, *(word for words in (*WORDS.values(), *DECISIONS.values()) for word in words)}
    | {"near", "far", "arbiter", "H8", "I9", "A1", "O15", "4711"}
)
LIKELY: Final = st.sampled_from(VALUES) | st.integers(-1, 300)


@st.composite
def commands(draw: st.DrawFn) -> dict[str, Any]:
    """A command with its fields, most of which are what they can be."""
    do = draw(st.sampled_from(sorted({*COMMANDS, *VERBS})))
    row = COMMANDS.get(do)
    verb = VERBS.get(do)
    names = [*(row.must + row.may if row else ()), *(verb.needs + verb.may if verb else ())]
    made: dict[str, Any] = {"do": do}
    for name in names:
        words = WORDS.get(name) or DECISIONS.get((do, name))
        numbers = NUMBERS.get(name)
        if words:
            made[name] = draw(st.sampled_from(words))
        elif numbers:
            made[name] = draw(st.integers(int(numbers[1]), int(numbers[2])))
        elif name in ("point", "from", "to"):
            made[name] = draw(st.sampled_from(["H8", "I9", "G7", "A1"]))
        else:
            made[name] = draw(ODD_TEXTS)
    if draw(st.integers(0, 3)) == 0:
        made[draw(st.sampled_from(FIELDS))] = draw(JUNK)
    return made


SETTINGS: Final = st.dictionaries(st.sampled_from([row.key for row in ROWS]), LIKELY | JUNK, max_size=4)
OBJECTS: Final = st.one_of(
    commands(),
    st.dictionaries(st.sampled_from(FIELDS), LIKELY | JUNK, max_size=5),
    st.fixed_dictionaries(
        {"values": SETTINGS}, optional={"wait": JUNK, "exchange": st.booleans(), "by": JUNK}
    ),
    JUNK,
)
BODIES: Final = st.one_of(
    OBJECTS.map(lambda made: json.dumps(made).encode("utf-8", "replace")),
    commands().map(lambda made: json.dumps(made).encode("utf-8", "replace")),
    st.binary(max_size=200),
    st.just(b"[" * 9000),
)
TYPES: Final = st.sampled_from(
    [b"application/json", b"application/json; charset=utf-16", b"text/plain", b"", b"\xff"]
)
HEADERS: Final = st.dictionaries(
    st.sampled_from(
        [
            b"accept",
            b"cookie",
            b"origin",
            b"last-event-id",
            b"if-none-match",
            b"sec-fetch-site",
            b"x-forwarded-for",
        ]
    ),
    st.one_of(
        st.binary(max_size=40), st.sampled_from([b"*", b"text/html", b"9" * 400, b'"x", W/"y"', b"null"])
    ),
    max_size=3,
)
QUERIES: Final = st.one_of(
    st.just(b""),
    st.binary(max_size=40).map(lambda given: quote_from_bytes(given, safe="&=+%").encode()),
    st.sampled_from(
        [b"alive=1", b"lang=zh", b"lang=%00", b"lang=../../x", b"paper=a4&lang=en", b"size=99999999999"]
    ),
)


HOSTS: Final = st.sampled_from([*[b"127.0.0.1"] * 12, b"localhost", b"[::1", b"\xff", b""])
Way = tuple[str, str]


@st.composite
def requests(draw: st.DrawFn, ways: list[Way]) -> Asked:
    """Something for one of the routes, mostly with a method that it takes."""
    path, method = draw(st.sampled_from(ways))
    path = re.sub(r"\{\w+(:int)?\}", lambda _: str(draw(st.sampled_from([0, 1, 7, 10**30]))), path)
    odd = draw(st.integers(0, 15))
    if odd == 0:
        path += draw(st.text(max_size=10))
    elif odd == 1:
        method = draw(st.sampled_from(METHODS))
    headers = [(b"host", draw(HOSTS))]
    headers.append((b"content-type", b"application/json" if odd < 14 else draw(TYPES)))
    if odd > 10:
        headers += sorted(draw(HEADERS).items())
    return Asked(method, path, draw(QUERIES), headers, draw(BODIES) if method != "GET" else b"")


def shown(asked: Asked) -> str:
    return f"{asked.method} {asked.path!r} {asked.query!r} {asked.headers!r} {asked.body!r}"


def is_in_order(status: int, body: bytes, method: str) -> bool:
    """Whether an answer is one that a caller can be given."""
    if status == OVERLOADED:
        return b'"error"' in body or method == "HEAD"
    if not 200 <= status < 500:
        return False
    if status < 400 or method == "HEAD" or not body.startswith(b"{"):
        return b"Traceback" not in body
    sentence = json.loads(body).get("error", "")
    return bool(sentence) and "Traceback" not in sentence and "object at 0x" not in sentence


def many(draw: Callable[..., Any], stage: Stage) -> list[Asked]:
    ways = sorted((route.path, method) for route in stage.routes for method in route.methods or ())
    posts = [way for way in ways if way[1] == "POST"] * 3
    others = [way for way in ways if not way[0].startswith(("/web/", "/locale/")) and way[1] != "HEAD"]
    return list(draw(st.lists(requests(posts + others), min_size=10, max_size=30)))


@st.composite
def orders(draw: st.DrawFn) -> Asked:
    """A command of the vocabulary or a verb of the hand, where it belongs."""
    made = draw(commands())
    do = str(made["do"])
    path = "/sim/hand" if do in VERBS and (do not in COMMANDS or draw(st.booleans())) else "/command"
    body = json.dumps(made).encode("utf-8", "replace")
    return Asked("POST", path, b"", [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")], body)


THOROUGH: Final = settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


def answered_in_order(stage: Stage, asked: list[Asked]) -> None:
    for each, (status, body) in zip(asked, stage.ask(asked), strict=True):
        assert is_in_order(status, body, each.method), f"{shown(each)}: {status} {body[:300]!r}"


@THOROUGH
@given(data=st.data())
def test_whatever_is_asked_is_answered_in_order(stage: Stage, data: st.DataObject) -> None:
    answered_in_order(stage, many(data.draw, stage))


@THOROUGH
@given(asked=st.lists(orders(), min_size=15, max_size=30))
def test_whatever_is_ordered_is_answered_in_order(stage: Stage, asked: list[Asked]) -> None:
    answered_in_order(stage, asked)


def test_every_route_takes_every_method_or_says_that_it_does_not(stage: Stage) -> None:
    taken = {(route.path, method) for route in stage.routes for method in route.methods or ()}
    assert len({path for path, _ in taken}) > 30
    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
    for path in sorted({path for path, _ in taken}):
        whole = re.sub(r"\{\w+(:int)?\}", "1", path)
        asked = [Asked(method, whole, b"", headers, b"{}" if method == "POST" else b"") for method in METHODS]
        for each, (status, body) in zip(asked, stage.ask(asked), strict=True):
            assert is_in_order(status, body, each.method), f"{shown(each)}: {status} {body[:300]!r}"
            assert (status == 405) == ((path, each.method) not in taken), f"{shown(each)}: {status}"


def test_an_answer_that_is_not_in_order_is_seen() -> None:
    assert is_in_order(400, b'{"error":"the body is not JSON"}', "POST")
    assert not is_in_order(500, b'{"error":"the board made a mistake"}', "POST")
    assert not is_in_order(400, b'{"error":""}', "POST")
    assert not is_in_order(400, b'{"error":"<Command object at 0x7f>"}', "POST")
    assert not is_in_order(200, b"Traceback (most recent call last)", "GET")
