"""One message to a thousand readers: written once, handed to their connections a few at a time.

A task that wakes for each reader costs a third of a millisecond, and a thousand of them would hold up keys
and frames. Here a reader is a connection and a number. Each turn of the event loop serves a batch; between
two batches whatever else waits has its turn. A connection that is full is passed over: it takes up what it
missed when there is room again, as far as that is kept.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

LINE: Final = "renju-board.line"
"""The extension of a request's scope that holds its connection as a `Line`."""

BATCH: Final = 20
"""Readers that are served in one turn of the loop: about a millisecond of a slow core."""


class Line(Protocol):
    """A connection in the middle of a streamed answer."""

    @property
    def is_full(self) -> bool:
        """Whether it takes nothing now, because its reader does not read."""

    def write(self, piece: bytes) -> None:
        """Send a piece of the body without waiting."""

    def when_writable(self, call: Callable[[], None] | None) -> None:
        """Whom to tell when it has room again."""


class Reader:
    """Who follows on a line. `sent`: the number of the last message it was given."""

    __slots__ = ("alive", "allowed", "ended", "line", "sent")

    def __init__(self, line: Line, alive: bytes, allowed: Callable[[], bool]) -> None:
        self.line = line
        self.sent = 0
        self.alive = alive
        self.allowed = allowed
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class FanOut:
    """The readers of one channel. `after(number)`: the messages that follow one, in order.

    In a spell of `heartbeat_s` without a message each reader gets its `alive`.
    """

    def __init__(self, after: Callable[[int], list[tuple[int, bytes]]], heartbeat_s: float) -> None:
        self._after = after
        self._heartbeat_s = heartbeat_s
        self._readers: dict[Reader, None] = {}
        self._due: deque[Reader] = deque()
        self._alive_due = False
        self._closed = False
        self._heartbeat: asyncio.TimerHandle | None = None

    def add(self, reader: Reader) -> None:
        """Serve a reader from now on, until he is removed; his `ended` is set when he must go."""
        if self._closed:
            reader.ended.set_result(None)
            return
        self._readers[reader] = None
        reader.line.when_writable(lambda: self._serve(reader))
        self._serve(reader)
        if self._heartbeat is None:
            self._quiet_from_now()

    def remove(self, reader: Reader) -> None:
        """Forget a reader."""
        self._readers.pop(reader, None)
        reader.line.when_writable(None)
        if not self._readers and self._heartbeat is not None:
            self._heartbeat.cancel()
            self._heartbeat = None

    def publish(self) -> None:
        """There is a message more."""
        if self._readers:
            self._quiet_from_now()
            self._round(alive=False)

    def close(self) -> None:
        """End every reader, and whoever comes."""
        self._closed = True
        for reader in list(self._readers):
            self._serve(reader)
            if not reader.ended.done():
                reader.ended.set_result(None)

    def _round(self, *, alive: bool) -> None:
        """Serve everybody once; a round that is under way begins again."""
        idle = not self._due
        self._due = deque(self._readers)
        self._alive_due = alive
        if idle:
            asyncio.get_running_loop().call_soon(self._batch)

    def _batch(self) -> None:
        for _ in range(min(BATCH, len(self._due))):
            self._serve(self._due.popleft(), alive=self._alive_due)
        if self._due:
            asyncio.get_running_loop().call_soon(self._batch)

    def _serve(self, reader: Reader, *, alive: bool = False) -> None:
        if reader not in self._readers or reader.ended.done():
            return
        if not reader.allowed():
            reader.ended.set_result(None)
            return
        if reader.line.is_full:
            return
        for number, message in self._after(reader.sent):
            reader.sent = number
            reader.line.write(message)
            alive = False
        if alive:
            reader.line.write(reader.alive)

    def _quiet_from_now(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        self._heartbeat = asyncio.get_running_loop().call_later(self._heartbeat_s, self._beat)

    def _beat(self) -> None:
        self._quiet_from_now()
        self._round(alive=True)
