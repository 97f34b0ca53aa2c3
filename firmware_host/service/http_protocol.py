"""HTTP/1.1 as uvicorn speaks it, with an end to everything that a client can draw out.

uvicorn bounds the head of a request and an idle connection. What it leaves open is bounded here: how many
connections there are, from everywhere and from one address; how long a request may take to come; how long an
answer may wait for who does not read it. And a streamed answer gets its connection as a `Line`, so that one
message for a thousand readers need not go through a thousand tasks (see `fan_out`).
"""

import asyncio
import resource
import socket
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import h11
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from firmware_host.service.client_address import is_loopback
from firmware_host.service.fan_out import LINE

HEAD_LIMIT: Final = 16 * 1024
"""Bytes of a request's first line and headers."""
KEEP_ALIVE_S: Final = 15
"""So long a connection may stand idle after an answer."""
REQUEST_S: Final = 10.0
"""So long a whole request may take to come, from the first moment or from the answer before it."""
SLOW_S: Final = 20.0
"""So long an answer waits for a reader who takes nothing; he may come again, and catches up."""
SEND_BUFFER: Final = 32 * 1024
"""Bytes that are kept for who does not read, here and in the kernel, which would keep megabytes."""
AT_ONCE: Final = struct.pack("ii", 1, 0)
"""Close without waiting for what was not sent. Source: socket(7), SO_LINGER."""
RESERVED: Final = 16
"""Connections that only this machine can have, so that its console is never shut out."""
OTHER_FILES: Final = 100
"""Files that the daemon has open beside connections: journal, devices, traces."""


class Connections:
    """The connections of one server, counted. `most`: from everywhere; `most_of_one`: from one address."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self.most = most
        self.most_of_one = most_of_one
        self.open = 0
        self.refused = 0
        self.too_slow = 0
        self._of: Counter[str] = Counter()

    def admit(self, host: str) -> bool:
        """Count a connection from a host, unless there are too many already."""
        here = is_loopback(host)
        mine = self._of.get(host, 0)
        if self.open >= self.most + (RESERVED if here else 0) or (mine >= self.most_of_one and not here):
            self.refused += 1
            return False
        self.open += 1
        self._of[host] = mine + 1
        return True

    def leave(self, host: str) -> None:
        """A connection that was admitted has ended."""
        self.open -= 1
        self._of[host] -= 1
        if not self._of[host]:
            del self._of[host]


class BoundedProtocol(H11Protocol):
    """One connection; see the module. A server has its own subclass, made by `bounded`."""

    counted: Connections

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._whole_app = self.app
        self.app = self._with_line
        self._host = ""
        self._admitted = False
        self._coming: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._writable: Callable[[], None] | None = None

    async def _with_line(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("extensions", {})[LINE] = self
        await self._whole_app(scope, receive, send)

    # -- the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or hang up at once."""
        super().connection_made(transport)
        self._host = self.client[0] if self.client else ""
        self._admitted = self.counted.admit(self._host)
        if self._admitted:
            given = transport.get_extra_info("socket")
            if given is not None:
                given.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            transport.set_write_buffer_limits(high=SEND_BUFFER)
            self._expect_request()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._cancel(self._coming)
        self._cancel(self._stuck)
        if self._admitted:
            self.counted.leave(self._host)
        super().connection_lost(exc)

    # -- a request comes

    def data_received(self, data: bytes) -> None:
        """Take what has come; a request that is not whole has an end to its time."""
        super().data_received(data)
        if self.transport.is_closing() or self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED):
            self._cancel(self._coming)
            self._coming = None
        elif self._coming is None:
            self._expect_request()

    def _expect_request(self) -> None:
        self._coming = self.loop.call_later(REQUEST_S, self._request_too_slow)

    def _request_too_slow(self) -> None:
        self.counted.too_slow += 1
        self._refuse(408, "The request took too long.")

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; in the middle of an answer that can only be done by hanging up."""
        self._refuse(400, msg)

    def _refuse(self, status: int, sentence: str) -> None:
        if self.transport.is_closing():
            return
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE) or self.cycle_is_open:
            self.transport.abort()
            return
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        for event in (
            h11.Response(status_code=status, headers=headers),
            h11.Data(data=sentence.encode()),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    @property
    def cycle_is_open(self) -> bool:
        """Whether an answer is being made."""
        return self.cycle is not None and not self.cycle.response_complete

    # -- an answer goes

    def pause_writing(self) -> None:
        """The reader takes nothing."""
        super().pause_writing()
        self._stuck = self.loop.call_later(SLOW_S, self._reader_too_slow)

    def resume_writing(self) -> None:
        """The reader takes what waited."""
        self._cancel(self._stuck)
        self._stuck = None
        super().resume_writing()
        if self._writable is not None:
            self._writable()

    def _reader_too_slow(self) -> None:
        self.counted.too_slow += 1
        given = self.transport.get_extra_info("socket")
        if given is not None:  # a reset: the kernel too lets go of what nobody reads
            given.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.transport.abort()

    @staticmethod
    def _cancel(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()

    # -- as a line

    @property
    def is_full(self) -> bool:
        """Whether the reader does not take what was sent before."""
        return self.flow.write_paused or self.transport.is_closing()

    def write(self, piece: bytes) -> None:
        """Send a piece of the body past the tasks, framed as HTTP/1.1 asks (RFC 9112, 7.1)."""
        if self.scope["http_version"] == "1.1":
            piece = b"%x\r\n%b\r\n" % (len(piece), piece)
        self.transport.write(piece)

    def when_writable(self, call: Callable[[], None] | None) -> None:
        """Whom to tell when there is room again."""
        self._writable = call


def bounded(counted: Connections) -> type[BoundedProtocol]:
    """The protocol of one server."""
    return type("BoundedProtocol", (BoundedProtocol,), {"counted": counted})


def make_room(counted: Connections) -> None:
    """Let this process have as many open files as its connections need, as far as the system allows that."""
    wanted = counted.most + RESERVED + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
