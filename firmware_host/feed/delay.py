"""The broadcast delay: whatever the public sees, in whatever form, has waited here first."""

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from firmware_host.feed.public import Publication
from firmware_host.record.game import GameRecord


class Waiting(msgspec.Struct, frozen=True):
    """A publication, or a record that changes none (`publication` is None), and when it was put in."""

    put_ns: int
    publication: Publication | None
    record: GameRecord


class DelayLine:
    """A queue in which everything waits for the same time; instants are the caller's, and never go back."""

    def __init__(self, delay_ns: int = 0) -> None:
        self.delay_ns = delay_ns
        self._waiting: deque[Waiting] = deque()

    def put(self, waiting: Waiting) -> None:
        """One more."""
        self._waiting.append(waiting)

    def restore(self, waiting: Iterable[Waiting]) -> None:
        """Those that waited when a daemon ended."""
        self._waiting.extend(waiting)

    def __iter__(self) -> Iterator[Waiting]:
        return iter(self._waiting)

    def due(self, now_ns: int) -> list[Waiting]:
        """What has waited long enough, in order; it is given once."""
        due = []
        while self._waiting and self._waiting[0].put_ns + self.delay_ns <= now_ns:
            due.append(self._waiting.popleft())
        return due
