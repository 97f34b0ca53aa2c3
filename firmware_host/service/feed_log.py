"""What was published, in a file beside the journal, so that a restart neither hurries nor repeats anything.

Every publication is appended when it enters the broadcast delay, and once more, in few words, when it is
released. After a start the delay goes on where it was: what was public stays so, what waited waits on. Time
in which the daemon did not run counts for nothing, so nothing comes early.

Only after an orderly stop is it sure that the file has everything that was sent; then the feed keeps its name
and its readers go on with the ids they have. After a crash the feed has another name. The file is no record:
without it, or with one that cannot be read, a table begins a feed of its own.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

import msgspec

from firmware_host.feed import ClockView, Publication
from firmware_host.feed.delay import Waiting
from firmware_host.feed.message import Envelope, Kind, body_of, message
from firmware_host.record.game import GameRecord
from firmware_host.service.journal_file import sync

VERSION: Final = 1
KEPT: Final = 256
"""So many messages can be caught up with: several minutes of the fastest play, at most some megabytes."""

MOST_BYTES: Final = 8 << 20
"""A file that is longer makes room for a new one; the one before it is kept."""

CLOSE_S: Final = 3.0
"""So long the end of the daemon waits for what is still to be written."""


class Head(msgspec.Struct, frozen=True, tag="feed"):
    """A daemon begins: the feed's name, and by how much its axis is ahead of that of the lines before."""

    name: str
    ahead_ns: int
    version: int = VERSION


class Put(msgspec.Struct, frozen=True, tag="put"):
    """Number `n` of all that began to wait: a publication, or without `seq` a record that changes none."""

    n: int
    at_ns: int
    record: msgspec.Raw
    seq: int | None = None
    kind: Kind = "snapshot"
    ply: int | None = None
    game: msgspec.Raw = msgspec.Raw(b"{}")
    clock: ClockView | None = None


class Released(msgspec.Struct, frozen=True, tag="released"):
    """That number was released; as what message, if it is one."""

    n: int
    at_ns: int
    envelope: Envelope | None = None
    clock: ClockView | None = None


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """An orderly stop: nothing is missing."""

    at_ns: int


Line = Head | Put | Released | Closed


class Before(NamedTuple):
    """Where a feed stood when its daemon ended, at `at_ns` on that one's axis.

    `name` is empty when its readers cannot go on. `kept` are the newest messages, the newest of them the one
    that is shown; `waiting` what was not released. `puts`: how many began to wait in all.
    `ended`: the id of the game whose end was told last.
    """

    name: str
    at_ns: int
    puts: int
    shown: Publication | None
    kept: tuple[bytes, ...]
    waiting: tuple[Waiting, ...]
    ended: str | None

    @property
    def last(self) -> Publication | None:
        """What was published last, released or not."""
        published = [each.publication for each in self.waiting if each.publication is not None]
        return published[-1] if published else self.shown

    def moved(self, ahead_ns: int) -> "Before":
        """The same on an axis that is ahead of that one by so much."""
        shown = self.shown and _moved(self.shown, ahead_ns)
        waiting = []
        for put_ns, publication, record in map(msgspec.structs.astuple, self.waiting):
            moved = publication and _moved(publication, ahead_ns)
            waiting.append(Waiting(put_ns + ahead_ns, moved, record))
        return self._replace(at_ns=self.at_ns + ahead_ns, shown=shown, waiting=tuple(waiting))


def _moved(publication: Publication, ns: int) -> Publication:
    clock = publication.clock
    return publication._replace(clock=msgspec.structs.replace(clock, at_ns=clock.at_ns + ns))


class FeedLog:
    """The file of one table, written in a thread of its own; a failure is told and never a stop."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault = ""
        """One sentence, empty while all is well."""
        self.before = read(path)
        """What an earlier daemon left."""
        self._put_count = self._released_count = 0
        self._at_ns = 0
        self._changed = threading.Condition()
        self._lines: deque[Line | Callable[[], Line]] = deque()
        self._closing = False
        self._worker = threading.Thread(target=self._work, name="feed log", daemon=True)
        self._worker.start()

    def begin(self, name: str, ahead_ns: int) -> None:
        """Go on under a name, on an axis that is ahead of the earlier daemon's by so much."""
        if self.before is not None:
            self._put_count = self.before.puts
            self._released_count = self.before.puts - len(self.before.waiting)
        self._add(Head(name, ahead_ns))

    def put(self, waiting: Waiting) -> None:
        """Something began to wait."""
        self._put_count += 1
        self._at_ns = waiting.put_ns
        self._add(partial(put_of, self._put_count, waiting))

    def released(self, at_ns: int, envelope: Envelope | None = None, clock: ClockView | None = None) -> None:
        """The next that waited was released."""
        self._released_count += 1
        self._at_ns = at_ns
        self._add(Released(self._released_count, at_ns, envelope, clock))

    def close(self, at_ns: int | None = None) -> None:
        """Write what waits, and that nothing is missing; `at_ns` is the end, else the last there was."""
        with self._changed:
            if self._closing:
                return
        self._add(Closed(self._at_ns if at_ns is None else at_ns))
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._worker.join(CLOSE_S)

    def _add(self, line: Line | Callable[[], Line]) -> None:
        with self._changed:
            if not self.fault and not self._closing:
                self._lines.append(line)
                self._changed.notify_all()

    def _work(self) -> None:
        try:
            self._write()
        except Exception as error:  # whatever it is, it is told, and the feed goes on without a file
            why = (
                error.strerror or error if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
            )
            with self._changed:
                self._lines.clear()
                self.fault = (
                    f"{self.path} cannot be written: {why}; after a restart the public feed begins anew"
                )

    def _write(self) -> None:
        handle = _open(self.path)
        head: Line | None = None
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._lines or self._closing)
                    given = list(self._lines)
                    self._lines.clear()
                if not given:
                    return
                lines = [each if isinstance(each, Line) else each() for each in given]
                for line in lines:
                    if isinstance(line, Head):
                        head = msgspec.structs.replace(line, ahead_ns=0)
                    elif os.fstat(handle).st_size > MOST_BYTES:
                        os.close(handle)
                        self.path.replace(old(self.path))
                        handle = _open(self.path)
                        if head is not None:
                            _append(handle, head)
                    _append(handle, line)
                if isinstance(lines[-1], Closed):
                    os.fsync(handle)
                    sync(self.path.parent)
        finally:
            os.close(handle)


def _open(path: Path) -> int:
    """The file to be added to, for its owner alone: it has what is not public yet."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    size = os.fstat(handle).st_size
    if size and os.pread(handle, 1, size - 1) != b"\n":
        os.write(handle, b"\n")  # a line that a crash cut short
    return handle


def _append(handle: int, line: Line) -> None:
    data = _checked(msgspec.json.encode(line)) + b"\n"
    while data:
        data = data[os.write(handle, data) :]


def _checked(text: bytes) -> bytes:
    """A line's text behind its checksum: a byte that a card has changed is no publication."""
    return b"%08x %s" % (crc32(text), text)


def put_of(n: int, waiting: Waiting) -> Put:
    """The line of something that begins to wait."""
    publication, record = waiting.publication, msgspec.Raw(msgspec.json.encode(waiting.record))
    if publication is None:
        return Put(n, waiting.put_ns, record)
    game = msgspec.Raw(msgspec.json.encode(publication.game))
    return Put(
        n, waiting.put_ns, record, publication.seq, publication.kind, publication.ply, game, publication.clock
    )


def old(path: Path) -> Path:
    """Where the file before this one is."""
    return path.with_name(path.name + ".old")


def read(path: Path) -> Before | None:
    """What a file, and the one before it, say; None where they say nothing."""
    try:
        return _stood(_lines(path))
    except Exception:  # whatever is wrong with it, the game begins
        return None


def _lines(path: Path) -> Iterator[Line | None]:
    """The lines in order; None for one that cannot be read."""
    for each in (old(path), path):
        if not each.exists():
            continue
        for line in each.read_bytes().split(b"\n"):
            if line:
                try:
                    text = line.partition(b" ")[2]
                    yield msgspec.json.decode(text, type=Line) if line == _checked(text) else None
                except msgspec.DecodeError:
                    yield None


def _stood(lines: Iterator[Line | None]) -> Before | None:
    """Where the feed stood after these lines. What is not wanted of them is not decoded."""
    name, sound, at_ns, count, ahead_ns = "", False, 0, 0, 0
    waiting: deque[tuple[Put, int]] = deque()
    shown: tuple[Put, int] | None = None
    record: msgspec.Raw | None = None
    ended: str | None = None
    kept: deque[tuple[Put, Released]] = deque(maxlen=KEPT)
    for line in lines:
        sound = isinstance(line, Closed)
        if line is None:
            kept.clear()
        elif isinstance(line, Head):
            if line.version != VERSION:
                return None
            if line.name != name:
                kept.clear()
            name = line.name
            ahead_ns += line.ahead_ns
            at_ns += line.ahead_ns
        elif isinstance(line, Closed):
            at_ns = max(at_ns, line.at_ns)
        elif isinstance(line, Put):
            at_ns, count = max(at_ns, line.at_ns), line.n
            waiting.append((line, ahead_ns))
            if line.kind == "end":
                ended = msgspec.json.decode(line.game)["id"]
        else:
            at_ns = max(at_ns, line.at_ns)
            while waiting and waiting[0][0].n < line.n:
                waiting.popleft()
            if not waiting or waiting[0][0].n != line.n:
                kept.clear()
                continue
            put, since_ns = waiting.popleft()
            record = put.record
            if put.seq is not None:
                shown = put, since_ns
                if kept and kept[-1][0].seq != put.seq - 1:
                    kept.clear()
                kept.append((put, line))
    if shown is None and not waiting:
        return None
    public = shown and _moved(_publication(shown[0]), ahead_ns - shown[1])
    if public is not None and record is not None:
        public = public._replace(record=msgspec.json.decode(record, type=GameRecord))
    return Before(
        name if sound else "",
        at_ns,
        count,
        public,
        tuple(_message(put, released) for put, released in kept) if sound else (),
        tuple(_waiting(put, ahead_ns - since_ns) for put, since_ns in waiting),
        ended,
    )


def _waiting(put: Put, ahead_ns: int) -> Waiting:
    record = msgspec.json.decode(put.record, type=GameRecord)
    publication = None if put.seq is None else _moved(_publication(put), ahead_ns)
    return Waiting(put.at_ns + ahead_ns, publication, record)


def _publication(put: Put) -> Publication:
    record = msgspec.json.decode(put.record, type=GameRecord)
    if put.seq is None or put.clock is None:
        raise msgspec.DecodeError("a publication has a number and clocks")
    return Publication(put.seq, msgspec.json.decode(put.game), put.kind, put.ply, record, put.clock)


def _message(put: Put, released: Released) -> bytes:
    """The text that was sent."""
    if released.envelope is None or released.clock is None:
        raise msgspec.DecodeError("a message has an envelope and clocks")
    return message(released.envelope, body_of(msgspec.json.decode(put.game)), released.clock)
