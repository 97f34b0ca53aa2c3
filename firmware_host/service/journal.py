"""The journal of a table: append, sync, then act.

`Journal.append` never blocks: it takes the next `seq`, and one writer thread brings what waits to the disk in
order, all of it in one transaction (group commit). Its future is done when the entry is synced; record, feed
and console act on that, clock faces and buzzer do not wait. A disk that is full or fails is a state: entries
wait in memory, in order, and are written when it takes them again. One daemon at a time: a lock file beside
the journal is held while it is open.
"""

import fcntl
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

import msgspec

from firmware_host import __version__
from firmware_host.errors import RecordError
from firmware_host.record.header import Header
from firmware_host.referee.inputs import Input
from firmware_host.referee.rulings import AnyRuling
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.journal_chain import link
from firmware_host.service.journal_file import (
    CHECKED_WHOLE,
    FAULTS,
    SCHEMA_VERSION,
    check_before_opening,
    connect,
    create,
    ends_within_a_page,
    explain,
    recover,
    wal_tail,
)
from firmware_host.service.journal_migration import take_over
from firmware_host.service.journal_reader import JournalReader, check_cut
from firmware_host.service.journal_rows import Entry, Game
from firmware_host.service.journal_waiting import keep, take_in
from firmware_host.service.wall_clock import boot_id, synchronised, wall_ns, wall_text
from firmware_host.wire import to_wire

SLOW_S: Final = 1.0
"""An entry that waits longer than this for the disk makes the state `waiting`."""
RETRY_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Pauses between tries while the disk fails; the last one repeats."""


class _Table(NamedTuple):
    """How a row gets into a table, and how one with the same key, its first columns, is found there."""

    insert: str
    find: str
    keys: int


_NOBODY: Final = Header()
_GAMES: Final = _Table(
    f"INSERT INTO games VALUES({','.join('?' * 10)}) ON CONFLICT(number) DO NOTHING",
    "SELECT * FROM games WHERE number = ?",
    1,
)
_ENTRIES: Final = _Table(
    f"INSERT INTO entries VALUES({','.join('?' * 10)}) ON CONFLICT(game, seq) DO NOTHING",
    "SELECT * FROM entries WHERE game = ? AND seq = ?",
    2,
)


class JournalState(NamedTuple):
    """How writing goes: `ok`; `waiting`, the disk is slow; `failed`, it refuses.

    `sentence` says what is wrong, empty when ok; `waiting` counts the entries that are not synced yet.
    """

    word: Literal["ok", "waiting", "failed"]
    sentence: str
    waiting: int


class _Item(NamedTuple):
    """One row on its way to the disk."""

    table: _Table
    values: tuple[Any, ...]
    done: "Future[int]"
    result: int
    since: float


class Journal:
    """The journal that this process writes; see the module. Thread-safe."""

    def __init__(
        self,
        path: Path,
        lock: int,
        connection: sqlite3.Connection,
        reader: JournalReader,
        notes: tuple[str, ...],
    ) -> None:
        self.path = path
        self.reader = reader
        self.game: Game | None = reader.last_game()
        """The game that `append` writes to: the last one of the file, until `begin_game`."""
        self._seq = 0
        self._tip = reader.tip()
        if self.game is not None:
            if path.stat().st_size <= CHECKED_WHOLE:
                reader.check_pages()
            self._seq = reader.last_seq(self.game)
            notes += tuple(
                f"{path}: entries {first} to {last} of game {self.game.number} are missing"
                for first, last in reader.gaps(self.game)
            )
        if self._tip != reader.noted_tip():
            notes += (f"{path}: its end is missing or was changed; `renju-board journal verify` says more",)
        self.notes: tuple[str, ...] = notes
        """What was found wrong when it was opened, one sentence each: a torn end, missing entries."""
        self._inode = path.stat().st_ino
        self._lock = lock
        self._connection = connection
        self._changed = threading.Condition()
        self._queue: list[_Item] = []
        self._batch: list[_Item] = []
        self._failure = ""
        self._closing = False
        self._give_up = False
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a journal for writing, or make a new one where there is none.

        Raises RecordError, and changes nothing, for a file that is no journal, is damaged, is of another
        version, is being written by another process, or lies where nothing can be written.
        """
        path = Path(path).absolute()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
        except OSError as error:
            raise RecordError(explain(path.parent, error)) from error
        lock = _lock(path)
        try:
            return cls._open_locked(path, lock)
        except BaseException:
            os.close(lock)
            raise

    @classmethod
    def _open_locked(cls, path: Path, lock: int) -> Self:
        try:
            try:
                version = check_before_opening(path)
            except FileNotFoundError:
                create(path)
                version = SCHEMA_VERSION
            told = take_over(path) if version != SCHEMA_VERSION else ()
            tail = wal_tail(path)
            if tail.committed or ends_within_a_page(path):
                check_cut(path)
            connection = _connect(path)
        except FAULTS as error:
            raise RecordError(explain(path, error)) from error
        try:
            notes = told + recover(path, connection, tail) + take_in(path, connection)
            reader = JournalReader.open(path)
        except BaseException as error:
            connection.close()
            if isinstance(error, FAULTS):
                raise RecordError(explain(path, error)) from error
            raise
        try:
            return cls(path, lock, connection, reader, notes)
        except BaseException:
            reader.close()
            connection.close()  # last: only a connection that may write takes the log away
            raise

    def begin_game(
        self, *, settings: MatchSettings, sensors: str, rules_version: str, header: Header = _NOBODY
    ) -> Game:
        """A new game, to which `append` writes from now on; its row goes to the disk before its entries.

        `header`: who plays where; the journal gives it its id and its date.
        """
        given = {name: v for name, v in msgspec.structs.asdict(settings).items() if v is not None}
        with self._changed:
            number = 1 if self.game is None else self.game.number + 1
            name, wall, sure = uuid.uuid4().hex, wall_ns(), synchronised()
            header = msgspec.structs.replace(header, id=name, date=wall_text(wall), synchronised=sure)
            texts = [msgspec.json.encode(value).decode() for value in (header, given)]
            row = (number, name, texts[0], sensors, texts[1], wall, int(sure), __version__, rules_version)
            self._seq = 0
            self._tip = link(self._tip, "game", row)
            self.game = Game(
                number=number,
                id=name,
                header=header,
                sensors=sensors,
                settings=settings,
                started_wall_ns=wall,
                clock_synchronised=sure,
                code_version=__version__,
                rules_version=rules_version,
                hash=self._tip,
            )
            self._put(_GAMES, (*row, self._tip), number)
            return self.game

    def append(self, given: Input, rulings: Sequence[AnyRuling], late_ns: int = 0) -> "Future[int]":
        """Write an input and its rulings to the game; never blocks.

        The future gives the entry's `seq` once it is synced, and raises RecordError if the journal is closed
        before the disk took it. Wait for it in asyncio with `asyncio.wrap_future`.
        """
        written = msgspec.json.encode(to_wire(given)).decode()
        concluded = msgspec.json.encode([to_wire(ruling) for ruling in rulings]).decode()
        with self._changed:
            if self.game is None:
                raise RecordError(f"{self.path}: an entry needs a game; begin one first")
            self._seq += 1
            when = (given.t_ns, boot_id(), wall_ns(), int(synchronised()))
            row = (self.game.number, self._seq, *when, written, concluded, late_ns)
            self._tip = link(self._tip, "entry", row)
            return self._put(_ENTRIES, (*row, self._tip), self._seq)

    def _put(self, table: _Table, values: tuple[Any, ...], result: int) -> "Future[int]":
        if self._closing:
            raise RecordError(f"{self.path}: the journal is closed")
        done: Future[int] = Future()
        done.set_running_or_notify_cancel()  # a caller that stops waiting does not take the entry back
        self._queue.append(_Item(table, values, done, result, time.monotonic()))
        self._changed.notify_all()
        return done

    @property
    def state(self) -> JournalState:
        """How writing goes at this instant."""
        with self._changed:
            items = self._batch + self._queue
            waiting = len(items)
            if self._failure:
                return JournalState("failed", f"{self._failure}; {waiting} wait in memory", waiting)
            if items and time.monotonic() - items[0].since > SLOW_S:
                return JournalState(
                    "waiting", f"{self.path}: the disk is slow; {waiting} wait in memory", waiting
                )
            return JournalState("ok", "", waiting)

    @property
    def tip(self) -> str:
        """The hash of the row that was given last, on the disk or on its way there."""
        with self._changed:
            return self._tip

    def last_game(self) -> Game | None:
        """The game that began last, as it is on the disk."""
        return self.reader.last_game()

    def entries(self, game: Game) -> list[Entry]:
        """The entries of a game that are on the disk, in order."""
        return self.reader.entries(game)

    def close(self, timeout_s: float = 10.0) -> None:
        """Write what waits, then let go of the file and the lock; safe to call twice.

        Raises RecordError when the disk did not take everything within `timeout_s`, and says how much.
        """
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify_all()
        self._writer.join(timeout_s)
        with self._changed:
            self._give_up = True
            self._changed.notify_all()
        self._writer.join(1.0)
        lost = self._batch + self._queue
        sentence = (
            f"{self.path}: {len(lost)} entries could not be written: {self._failure or 'the disk is slow'}"
        )
        self.reader.close()
        if not self._writer.is_alive():  # else it still holds them, until the process ends
            self._connection.close()
            kept = keep(self.path, [("games" if i.table is _GAMES else "entries", i.values) for i in lost])
            if lost and kept is not None:
                sentence += f"; they are kept in {kept.name} for the next start"
            os.close(self._lock)
        for item in lost:
            if not item.done.done():
                item.done.set_exception(RecordError(sentence))
        if lost:
            raise RecordError(sentence)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self) -> None:
        """The writer thread: takes what waits, and keeps at it until the disk has it."""
        tries = 0
        while True:
            with self._changed:
                while not self._queue and not self._batch and not self._closing:
                    self._changed.wait()
                if self._give_up or not (self._queue or self._batch):
                    return
                self._batch += self._queue
                self._queue = []
                batch = self._batch
            try:
                if tries:
                    self._reopen()
                self._commit(batch)
            except Exception as error:  # whatever it is, the entries wait and the state tells
                pause = RETRY_S[min(tries, len(RETRY_S) - 1)]
                tries += 1
                with self._changed:
                    self._failure = explain(self.path, error)
                    if not self._give_up:
                        self._changed.wait_for(lambda: self._give_up, pause)
                continue
            tries = 0
            with self._changed:
                self._failure = ""
                self._batch = []
            for item in batch:
                if not item.done.done():
                    item.done.set_result(item.result)

    def _commit(self, batch: Sequence[_Item]) -> None:
        """One synced transaction; a row that an earlier try brought to the disk after all stays as it is."""
        self._check_still_there()
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for item in batch:
                if self._connection.execute(item.table.insert, item.values).rowcount:
                    continue
                key = item.values[: item.table.keys]
                if self._connection.execute(item.table.find, key).fetchone() != item.values:
                    raise RecordError(f"{self.path}: another program has written to it; keep it, begin anew")
            self._connection.execute("UPDATE meta SET head = ?", batch[-1].values[-1:])
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _reopen(self) -> None:
        """Begin again after a failure, with everything so far brought into the file itself.

        After a sync has failed, the kernel may take the pages of the log for written: a later sync of it
        proves nothing about them. The checkpoint writes and syncs them once more, elsewhere.
        """
        self._check_still_there()
        self._connection.close()
        self._connection = _connect(self.path)
        busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise RecordError(f"{self.path}: another program reads it without end; close that program")

    def _check_still_there(self) -> None:
        """A file that was deleted or replaced would take entries without a word and lose them."""
        if not self.path.exists() or self.path.stat().st_ino != self._inode:
            raise RecordError(f"{self.path} was moved or replaced while in use; put it back")


def _connect(path: Path) -> sqlite3.Connection:
    connection = connect(path, "mode=rw")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep daemons out of a journal meanwhile; raises RecordError while one has it.

    Where nobody can write, such as on a card that was mounted read-only, none can.
    """
    if not path.exists():
        raise RecordError(f"{path}: there is no such journal")
    if not os.access(path.parent, os.W_OK):
        yield
        return
    lock = _lock(path)
    try:
        yield
    finally:
        os.close(lock)


def _lock(path: Path) -> int:
    """Hold the journal for this process; the lock dies with it. Raises RecordError naming the holder."""
    name = path.with_name(f"{path.name}.lock")
    try:
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
    except OSError as error:
        raise RecordError(explain(path, error)) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError:
        holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(handle)
        raise RecordError(
            f"{path} is being written by another renju-board (process {holder}); "
            "stop that one first, or name another file in journal.path"
        ) from None
    except OSError as error:
        os.close(handle)
        raise RecordError(explain(path, error)) from error
    return handle
