"""Server-sent events: numbered whole messages, shared by all who follow, with bounded memory for each.

A channel keeps its newest messages once, for everybody. A follower is only a number, the last one it was
given: who keeps up gets every message, who falls behind further than the channel keeps gets the state as it
is and goes on from there. Nothing that is published ever waits for a follower.
Source: HTML Living Standard, 9.2 "Server-sent events".
"""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from firmware_host.service.fan_out import LINE, FanOut, Line, Reader
from firmware_host.service.http_body import tag_of

FOLLOWERS: Final = 1200
HEARTBEAT_S: Final = 15.0
COMMENT: Final = b": alive\n\n"
STREAM_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
ALIVE: Final = b"event: alive\ndata: {}\n\n"


class Followed(ABC):
    """Numbered messages that people follow; all calls belong to the event loop's thread.

    `last_id` is the number of the newest change, `keep` how many messages a slow or returning follower can
    catch up with, `most` how many may follow.
    """

    is_sampled = False
    """Whether changes are looked for, since nobody announces them."""

    def __init__(
        self,
        event: str,
        *,
        last_id: int = 0,
        keep: int = 32,
        heartbeat_s: float = HEARTBEAT_S,
        most: int = FOLLOWERS,
    ) -> None:
        self.event = event
        self.last_id = last_id
        self.followers = 0
        self.most = most
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=keep)
        self._heartbeat_s = self._wait_s = heartbeat_s
        self._changed = asyncio.Event()
        self._closed = False
        self.lines = FanOut(self._after, heartbeat_s)
        """Followers whose connections are written to at once; only of a channel that is not sampled."""

    # What each kind of channel says for itself.

    @abstractmethod
    def body(self) -> tuple[bytes, str]:
        """The state as it is now, as JSON, and its entity tag."""

    @abstractmethod
    def state(self, *, missed: bool) -> bytes:
        """The same as a message with the newest number; `missed`: in place of some that are not kept."""

    def number_of(self, event_id: str) -> int | None:
        """The number of a message by its id; None for what is no id of this channel's."""
        return int(event_id) if event_id.isascii() and event_id.isdigit() and len(event_id) < 16 else None

    def look(self) -> None:  # noqa: B027  # there is nothing to look for where changes are announced
        """Look for a change that nobody announces."""

    # For all of them.

    def tell(self, message: bytes) -> None:
        """Keep the message of the next change, made once for everybody, and send it to every follower."""
        self.last_id += 1
        self._kept.append((self.last_id, message))
        self._wake()
        self.lines.publish()

    def close(self) -> None:
        """End every follower, so that a server can stop; nothing is published after it."""
        self._closed = True
        self._wake()
        self.lines.close()

    def greeting(self, last_event_id: str) -> list[bytes]:
        """For a new follower: what came after that message, if all of it is kept, and the state as it is now.

        The state comes last, so that its clocks are right.
        """
        seen = self.number_of(last_event_id)
        if seen is None or not self._can_go_on(seen):
            return [self.state(missed=bool(last_event_id))]
        return [*(message for _, message in self._after(seen)), self.state(missed=False)]

    async def follow(
        self,
        last_event_id: str = "",
        alive: bytes = COMMENT,
        allowed: Callable[[], bool] = lambda: True,
    ) -> AsyncGenerator[bytes]:
        """Messages for one follower, until the channel closes, or he is not `allowed` any more.

        First the `greeting`, then each change; `alive` in every quiet spell.
        """
        self.followers += 1
        try:
            sent = self.last_id
            for message in self.greeting(last_event_id):
                yield message
            quiet_s = 0.0
            while not self._closed:
                changed = self._changed
                if sent == self.last_id:
                    try:
                        await asyncio.wait_for(changed.wait(), self._wait_s)
                    except TimeoutError:
                        quiet_s += self._wait_s
                        self.look()
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

    def _can_go_on(self, seen: int) -> bool:
        """Whether every message after this number is kept."""
        return self.last_id - len(self._kept) <= seen <= self.last_id

    def _after(self, seen: int) -> list[tuple[int, bytes]]:
        """The messages that follow `seen`; the state alone when some in between are gone."""
        if not self._can_go_on(seen):
            return [(self.last_id, self.state(missed=True))]
        return list(itertools.islice(self._kept, len(self._kept) - (self.last_id - seen), None))

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class Channel(Followed):
    """A state that is sent whole whenever it changes.

    `build` gives it as it is now, ready for JSON. `sample_s`: look for a change that nobody announces as
    often as this, but only while somebody follows.
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
        super().__init__(event, last_id=last_id, keep=keep, heartbeat_s=heartbeat_s, most=most)
        self.build = build
        self.is_sampled = sample_s is not None
        self._wait_s = sample_s or heartbeat_s
        self._sent = b""

    def publish(self) -> int:
        """The state has changed: number it, keep it, wake every follower. Gives the number."""
        self.tell(self._message(self.last_id + 1))
        return self.last_id

    def body(self) -> tuple[bytes, str]:
        """The state as JSON, and its entity tag."""
        built = msgspec.json.encode(self.build())
        return built, tag_of(built)

    def state(self, *, missed: bool) -> bytes:  # noqa: ARG002 - it is whole, whatever was missed
        """The state as it is now, as a message."""
        return self._message(self.last_id)

    def look(self) -> None:
        """Publish a state that is not the one that was sent last."""
        if self.is_sampled and msgspec.json.encode(self.build()) != self._sent:
            self.publish()

    def _message(self, number: int) -> bytes:
        self._sent = msgspec.json.encode(self.build())
        return framed(self.event, str(number), self._sent)


def framed(event: str, event_id: str, data: bytes) -> bytes:
    """A message as it goes over the line."""
    return b"event: %b\nid: %b\ndata: %b\n\n" % (event.encode(), event_id.encode(), data)


class EventStream(StreamingResponse):
    """The answer to one follower. `?alive=1` asks for heartbeats as events, which a page's script can see."""

    def __init__(
        self, channel: Followed, request: Request, allowed: Callable[[], bool] = lambda: True
    ) -> None:
        self._seen = request.headers.get("last-event-id", "")
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


def stream(channel: Followed, request: Request, allowed: Callable[[], bool] = lambda: True) -> Response:
    """The answer to one more follower; raises HTTPException when there are as many as a board can carry."""
    if request.method == "HEAD":  # an answer without a body has nothing to wait for
        return Response(media_type="text/event-stream", headers=STREAM_HEADERS)
    if channel.followers >= channel.most:
        raise HTTPException(503, f"{channel.most} viewers are here already", {"Retry-After": "30"})
    return EventStream(channel, request, allowed)
