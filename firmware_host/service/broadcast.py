"""What the public sees of a table: the one place where it is released, after the broadcast delay.

Everything public hangs on this: the event stream, `/game.json`, the sheets and files of the game, the files
for pollers. They all show what was released last, so none can be ahead of another. A message is put into
text once, when it is released; who joins is sent the same text with the clocks of the moment.
"""

import secrets
from collections.abc import Callable, Container
from typing import NamedTuple

from firmware_host.board import Point
from firmware_host.clock import SECOND
from firmware_host.feed import ClockView, Publication, PublicFeed, before_the_game
from firmware_host.feed.delay import DelayLine, Waiting
from firmware_host.feed.message import Envelope, Kind, body_of, message
from firmware_host.record.game import GameRecord
from firmware_host.service.feed_log import KEPT, FeedLog
from firmware_host.service.sse import FOLLOWERS, Followed, framed
from firmware_host.service.wall_clock import Stamp, stamp, stamp_text


class Shown(NamedTuple):
    """What is public now: the newest change that was released."""

    seq: int
    record: GameRecord
    clock: ClockView
    body: bytes


class Broadcast(Followed):
    """The public's channel, event `game`, and everything else that is public; see the module.

    `first` is shown until the first publication is released; it says nothing that is not known before a game.
    `now_ns` is the axis of the publications. `delay_s`: 0 to 3600. `log` has what an earlier daemon left, and
    takes what this one does.
    """

    def __init__(
        self,
        first: Publication,
        now_ns: Callable[[], int],
        *,
        delay_s: int = 0,
        stamp: Callable[[], Stamp] = stamp,
        keep: int = KEPT,
        most: int = FOLLOWERS,
        log: FeedLog | None = None,
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
        self._log = log
        if log is not None:
            self._go_on(log, first)

    def _go_on(self, log: FeedLog, first: Publication) -> None:
        """Begin where an earlier daemon ended; its axis goes on if its game does."""
        before, ahead_ns = log.before, 0
        if before is not None and before.last is not None:
            if before.last.game["id"] != first.game["id"]:
                ahead_ns = self._now_ns() - before.at_ns
            before = before.moved(ahead_ns)
            self.name = before.name or self.name
            self._line.restore(before.waiting)
            self._feed = PublicFeed(before.last, before.ended)
            shown = before.shown
            if shown is None:
                next_ = next(each.publication for each in before.waiting if each.publication is not None)
                blank = before_the_game(next_.record.header, next_.record.settings, next_.clock.at_ns)
                shown = blank._replace(seq=next_.seq - 1)
            self._shown = _shown(shown)
            self.last_id = shown.seq
            self._first = -1 if before.shown is not None else shown.seq
            for seq, text in enumerate(before.kept, shown.seq - len(before.kept) + 1):
                self._kept.append((seq, framed(self.event, self._id(seq), text)))
        log.begin(self.name, ahead_ns)

    @property
    def has_released(self) -> bool:
        """Whether anything was released yet; before it there is only who plays."""
        return self._shown.seq > self._first

    def is_coming(self, game_id: str) -> bool:
        """Whether something of a game waits to be released."""
        return any(each.record.header.id == game_id for each in self._line)

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
            self._put(Waiting(now_ns, publication, publication.record))
        elif self._feed.shown is not None and self._feed.shown is not before:
            self._put(Waiting(now_ns, None, self._feed.shown))
        self.advance()

    def _put(self, waiting: Waiting) -> None:
        self._line.put(waiting)
        if self._log is not None:
            self._log.put(waiting)

    def advance(self) -> None:
        """Release what has waited long enough. Call it often."""
        for waiting in self._line.due(self._now_ns()):
            self._release(waiting)

    def _release(self, waiting: Waiting) -> None:
        publication = waiting.publication
        if publication is None:
            self._shown = self._shown._replace(record=waiting.record)
            envelope, clock = None, None
        else:
            self._shown = _shown(publication)
            envelope, clock = self._envelope(publication.kind, publication.ply), self.clock()
            self.tell(self._framed(envelope))
        if self._log is not None:
            self._log.released(self._now_ns(), envelope, clock)
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
        return framed(self.event, self._id(self._shown.seq), self._text(envelope))

    def _id(self, seq: int) -> str:
        return f"{self.name}-{seq}"


def _shown(publication: Publication) -> Shown:
    body = body_of(publication.game)
    return Shown(publication.seq, publication.record, publication.clock, body)
