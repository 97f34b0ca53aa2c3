"""Server-sent events: numbered whole messages, shared by all who follow, with bounded memory for each.

A `Channel` keeps its newest messages once, for everybody. A follower is only a number, the last id it was
given: who keeps up gets every message, who falls behind further than the channel keeps gets the newest and
goes on from there. Nothing that is published ever waits for a follower.
Source: HTML Living Standard, 9.2 "Server-sent events".
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from firmware_host.service.fan_out import LINE, FanOut, Line, Reader

FOLLOWERS: Final = 1200
HEARTBEAT_S: Final = 15.0
COMMENT: Final = b": alive\n\n"
STREAM_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
ALIVE: Final = b"event: alive\ndata: {}\n\n"


class Channel:
    """Messages of one kind, numbered without gaps; all calls belong to the event loop's thread.

    `build` gives the whole state as it is now, ready for JSON. `last_id` is the number of the change that is
    newest before anything is published here (a feed that goes on after a restart gives its own). `keep` is
    how many messages a slow or returning follower can catch up with. `sample_s`: look for a change that
    nobody announces as often as this, but only while somebody follows. `most`: how many may follow.
    """

    def __init__(
        self,
        event: str,
        build: Callable[[], dict[str, Any]],
        *,
        last_id: int = 0,
        keep: int = 32,
        sample_s: float | None = None,
        heartbeat_s: float = HEARTBEAT_S,
        most: int = FOLLOWERS,
    ) -> None:
        self.event = event
        self.build = build
        self.last_id = last_id
        self.followers = 0
        self.most = most
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=keep)
        self._state = b""
        self._sample_s = sample_s
        self._heartbeat_s = heartbeat_s
        self._changed = asyncio.Event()
        self._closed = False
        self.lines = FanOut(self._after, heartbeat_s)
        """Followers whose connections are written to at once; only of a channel that is not sampled."""

    @property
    def is_sampled(self) -> bool:
        """Whether changes are looked for, since nobody announces them."""
        return self._sample_s is not None

    def publish(self) -> int:
        """The state has changed: number it, keep it, wake every follower. Gives the number."""
        self.last_id += 1
        self._kept.append((self.last_id, self._message()))
        self._wake()
        self.lines.publish()
        return self.last_id

    def close(self) -> None:
        """End every follower, so that a server can stop; nothing is published after it."""
        self._closed = True
        self._wake()
        self.lines.close()

    def greeting(self, last_seen: int | None) -> list[bytes]:
        """For a new follower: what came after `last_seen`, as far as it is kept, and the state built anew."""
        before = [message for number, message in self._after(last_seen) if number < self.last_id]
        return [*before, self._message()]

    async def follow(
        self,
        last_seen: int | None = None,
        alive: bytes = COMMENT,
        allowed: Callable[[], bool] = lambda: True,
    ) -> AsyncGenerator[bytes]:
        """Messages for one follower, until the channel closes, or he is not `allowed` any more.

        First what came after `last_seen`, as far as it is kept, and the state built anew, so that its clocks
        are right; then each change; `alive` in every quiet spell.
        """
        self.followers += 1
        try:
            sent = self.last_id
            for message in self.greeting(last_seen):
                yield message
            quiet_s = 0.0
            while not self._closed:
                changed = self._changed
                if sent == self.last_id:
                    wait_s = self._sample_s or self._heartbeat_s
                    try:
                        await asyncio.wait_for(changed.wait(), wait_s)
                    except TimeoutError:
                        quiet_s += wait_s
                        self._sample()
                if not allowed():
                    break
                if sent == self.last_id:
                    if quiet_s >= self._heartbeat_s:
                        quiet_s = 0.0
                        yield alive
                    continue
                quiet_s = 0.0
                for number, message in self._after(sent):
                    sent = number
                    yield message
        finally:
            self.followers -= 1

    def _after(self, seen: int | None) -> list[tuple[int, bytes]]:
        """The kept messages that follow `seen`; only the newest when some in between are gone."""
        if not self._kept:
            return []
        if seen is None or not self._kept[0][0] - 1 <= seen <= self.last_id:
            return [self._kept[-1]]
        return [kept for kept in self._kept if kept[0] > seen]

    def _message(self) -> bytes:
        self._state = msgspec.json.encode(self.build())
        return b"event: %s\nid: %d\ndata: %s\n\n" % (self.event.encode(), self.last_id, self._state)

    def _sample(self) -> None:
        if self._sample_s is not None and msgspec.json.encode(self.build()) != self._state:
            self.publish()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class EventStream(StreamingResponse):
    """The answer to one follower. `?alive=1` asks for heartbeats as events, which a page's script can see."""

    def __init__(
        self, channel: Channel, request: Request, allowed: Callable[[], bool] = lambda: True
    ) -> None:
        given = request.headers.get("last-event-id", "")
        self._seen = int(given) if given.isascii() and given.isdigit() and len(given) < 16 else None
        self._alive = ALIVE if request.query_params.get("alive") else COMMENT
        self._channel = channel
        self._allowed = allowed
        line = request.scope.get("extensions", {}).get(LINE)
        self._line: Line | None = None if channel.is_sampled else line
        self._stream = channel.follow(self._seen, self._alive, allowed)
        super().__init__(self._stream, media_type="text/event-stream", headers=STREAM_HEADERS)

    async def stream_response(self, send: Send) -> None:
        """Send until the follower is gone, and let go of the channel at once."""
        try:
            if self._line is None:
                await super().stream_response(send)
            else:
                await self._write_to(self._line, send)
        finally:
            await self._stream.aclose()

    async def _write_to(self, line: Line, send: Send) -> None:
        """What `follow` gives, by the connection itself."""
        channel = self._channel
        channel.followers += 1
        reader = Reader(line, self._alive, self._allowed)
        try:
            await send(
                {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
            )
            reader.sent = channel.last_id
            for message in channel.greeting(self._seen):
                await send({"type": "http.response.body", "body": message, "more_body": True})
            channel.lines.add(reader)
            await reader.ended
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            channel.lines.remove(reader)
            channel.followers -= 1


def stream(channel: Channel, request: Request, allowed: Callable[[], bool] = lambda: True) -> Response:
    """The answer to one more follower; raises HTTPException when there are as many as a board can carry."""
    if request.method == "HEAD":  # an answer without a body has nothing to wait for
        return Response(media_type="text/event-stream", headers=STREAM_HEADERS)
    if channel.followers >= channel.most:
        raise HTTPException(503, f"{channel.most} viewers are here already", {"Retry-After": "30"})
    return EventStream(channel, request, allowed)
