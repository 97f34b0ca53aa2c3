"""The broadcast delay: whatever the public sees, in whatever form, has waited here first."""

from collections import deque

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

    def put(self, now_ns: int, publication: Publication) -> None:
        """A publication of this instant."""
        self._waiting.append(Waiting(now_ns, publication, publication.record))

    def put_record(self, now_ns: int, record: GameRecord) -> None:
        """A record as it is from this instant on, without a publication."""
        self._waiting.append(Waiting(now_ns, None, record))

    def due(self, now_ns: int) -> list[Waiting]:
        """What has waited long enough, in order; it is given once."""
        due = []
        while self._waiting and self._waiting[0].put_ns + self.delay_ns <= now_ns:
            due.append(self._waiting.popleft())
        return due

    def __len__(self) -> int:
        return len(self._waiting)
