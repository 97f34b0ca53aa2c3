"""What the public sees of a table: the one place where it is released, after the broadcast delay.

Everything public hangs on this: the event stream, `/game.json`, the sheets and files of the game, the files
for pollers. They all show what was released last, so none can be ahead of another. A message is put into
text once, when it is released; who joins is sent the same text with the clocks of the moment.
"""

import secrets
from collections.abc import Callable, Container
from typing import Any, Final, NamedTuple

from firmware_host.board import Point
from firmware_host.clock import SECOND
from firmware_host.feed import ClockView, Publication, PublicFeed
from firmware_host.feed.delay import DelayLine, Waiting
from firmware_host.feed.message import Envelope, Kind, body_of, message
from firmware_host.record.game import GameRecord
from firmware_host.service.sse import FOLLOWERS, Followed, framed
from firmware_host.service.wall_clock import Stamp, stamp, stamp_text

KEEP: Final = 256
"""So many messages can be caught up with: several minutes of the fastest play, at most some megabytes."""


class Shown(NamedTuple):
    """What is public now: the newest change that was released."""

    seq: int
    game: dict[str, Any]
    record: GameRecord
    clock: ClockView
    body: bytes


class Broadcast(Followed):
    """The public's channel, event `game`, and everything else that is public; see the module.

    `first` is shown until the first publication is released; it says nothing that is not known before a game.
    `now_ns` is the axis of the publications. `delay_s`: 0 to 3600.
    """

    def __init__(
        self,
        first: Publication,
        now_ns: Callable[[], int],
        *,
        delay_s: int = 0,
        stamp: Callable[[], Stamp] = stamp,
        keep: int = KEEP,
        most: int = FOLLOWERS,
    ) -> None:
        super().__init__("game", last_id=first.seq, keep=keep, most=most)
        self.name = secrets.token_hex(4)
        """The feed's name, in the ids of its messages: another one after a restart that cannot go on."""
        self.delay_s = delay_s
        self.on_release: list[Callable[[], None]] = []
        """Called after each change of what is public."""
        self._now_ns = now_ns
        self.stamp = stamp
        self._feed = PublicFeed()
        self._line = DelayLine(delay_s * SECOND)
        self._shown = _shown(first)
        self._first = first.seq

    @property
    def has_released(self) -> bool:
        """Whether anything was released yet; before it there is only who plays."""
        return self._shown.seq > self._first

    @property
    def record(self) -> GameRecord:
        """The record of the game as far as it is public now."""
        return self._shown.record

    @property
    def waits_until_ns(self) -> int | None:
        """When to `take` the record again although nothing has happened; None when it need not be."""
        return self._feed.next_change_ns

    def take(self, record: GameRecord, clock: ClockView, in_hand: Container[Point] = ()) -> None:
        """The public record and the clocks as they are now; what is new of them is released in its time."""
        before, now_ns = self._feed.shown, self._now_ns()
        publication = self._feed.update(record, clock, in_hand)
        if publication is not None:
            self._line.put(now_ns, publication)
        elif self._feed.shown is not None and self._feed.shown is not before:
            self._line.put_record(now_ns, self._feed.shown)
        self.advance()

    def advance(self) -> None:
        """Release what has waited long enough. Call it often."""
        for waiting in self._line.due(self._now_ns()):
            self._release(waiting)

    def _release(self, waiting: Waiting) -> None:
        publication = waiting.publication
        if publication is None:
            self._shown = self._shown._replace(record=waiting.record)
        else:
            self._shown = _shown(publication)
            self.tell(self._framed(self._envelope(publication.kind, publication.ply)))
        for tell in self.on_release:
            tell()

    # What can be asked.

    def clock(self) -> ClockView:
        """The clocks as the public sees them now: those of `delay_s` ago, which run on from there."""
        return self._shown.clock.at(self._now_ns() - self._line.delay_ns)

    def body(self) -> tuple[bytes, str]:
        """The game with its clocks of this moment; the tag changes when more than running clocks does."""
        return self._text(self._envelope("snapshot")), f'W/"{self.name}-{self._shown.seq}"'

    def state(self, *, missed: bool) -> bytes:
        """The same as a message."""
        return self._framed(self._envelope("snapshot", missed=missed))

    def number_of(self, event_id: str) -> int | None:
        """The number in an id of this feed; None for an id of another one."""
        name, _, number = event_id.rpartition("-")
        return super().number_of(number) if name == self.name else None

    def _envelope(self, kind: Kind, ply: int | None = None, *, missed: bool = False) -> Envelope:
        at = self.stamp()
        return Envelope(
            kind=kind,
            ply=ply,
            feed=self.name,
            seq=self._shown.seq,
            released_at=stamp_text(at.wall_ns),
            synchronised=at.synchronised,
            delay_s=self.delay_s,
            resync=missed,
        )

    def _text(self, envelope: Envelope) -> bytes:
        return message(envelope, self._shown.body, self.clock())

    def _framed(self, envelope: Envelope) -> bytes:
        return framed(self.event, f"{self.name}-{self._shown.seq}", self._text(envelope))


def _shown(publication: Publication) -> Shown:
    body = body_of(publication.game)
    return Shown(publication.seq, publication.game, publication.record, publication.clock, body)
