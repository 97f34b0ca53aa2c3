"""The journal as a file: its schema, what is refused before it is opened, and the end of its log.

An SQLite database in WAL mode. Each entry is an input **and the rulings it gave**, so a record is read from
the rulings and recomputing only checks them. Schema version 2:

    meta(schema_version, created, head, taken_over)
    games(number, id, header, sensors, settings, started_wall_ns, clock_synchronised, code_version,
          rules_version, hash)
    entries(game -> games.number, seq from 1, t_ns, boot_id, wall_ns, synchronised, input, rulings, late_ns,
            hash)
    pruned(game -> games.number, entries, last, head, moves, result, wall_ns)

`header` is `record.header.Header` as JSON, `input` and `rulings` are the JSON of `firmware_host.wire`, `hash`
is the chain of `journal_chain`, and `meta.head` the hash of the last row. Rows are only ever added; the
entries of a game leave it only by the operator's command, and `pruned` then says so. `docs/journal.md` has
all of it for people.
"""

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.errors import RecordError
from firmware_host.service.journal_chain import START
from firmware_host.service.wall_clock import wall_ns

SCHEMA_VERSION: Final = 2
TAKEN_OVER_VERSION: Final = 1
"""The older version that `journal_migration` makes one of this version of."""
APPLICATION_ID: Final = 0x526A754A  # "RjuJ", in the SQLite header: which program the file belongs to
MAGIC: Final = b"SQLite format 3\0"
CHECKED_WHOLE: Final = 8 << 20
"""Up to this size a journal's pages are all checked when it is opened; larger ones by `journal verify`."""

SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
PRAGMA journal_mode = WAL;
CREATE TABLE meta(
  schema_version INTEGER NOT NULL, created INTEGER NOT NULL, head TEXT NOT NULL, taken_over INTEGER NOT NULL);
CREATE TABLE games(
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, header TEXT NOT NULL, sensors TEXT NOT NULL,
  settings TEXT NOT NULL, started_wall_ns INTEGER NOT NULL, clock_synchronised INTEGER NOT NULL,
  code_version TEXT NOT NULL, rules_version TEXT NOT NULL, hash TEXT NOT NULL);
CREATE TABLE entries(
  game INTEGER NOT NULL REFERENCES games(number), seq INTEGER NOT NULL, t_ns INTEGER NOT NULL,
  boot_id TEXT NOT NULL, wall_ns INTEGER NOT NULL, synchronised INTEGER NOT NULL, input TEXT NOT NULL,
  rulings TEXT NOT NULL, late_ns INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY(game, seq)) WITHOUT ROWID;
CREATE TABLE pruned(
  game INTEGER PRIMARY KEY REFERENCES games(number), entries INTEGER NOT NULL, last TEXT NOT NULL,
  head TEXT NOT NULL, moves INTEGER NOT NULL, result TEXT NOT NULL, wall_ns INTEGER NOT NULL);
"""


DAMAGED: Final = (
    "the journal is damaged ({}); keep the file: `renju-board journal repair` writes what can be read into a"
    " new one beside it"
)


FAULTS: Final = (sqlite3.Error, OSError, UnicodeDecodeError)
"""What comes of a disk or a damaged file; the last is of SQLite's own sentence about a damaged schema."""


def explain(path: Path, error: Exception) -> str:
    """One sentence: which file, what is wrong with it, and what to do."""
    if isinstance(error, RecordError):
        return str(error)
    if isinstance(error, UnicodeDecodeError):
        return f"{path}: {DAMAGED.format('malformed database schema')}"
    if isinstance(error, OSError):
        return f"{path}: {error.strerror}; the journal needs a folder that this user may write"
    name = getattr(error, "sqlite_errorname", "") or ""
    for start, sentence in (
        ("SQLITE_FULL", "the disk is full; free some space"),
        ("SQLITE_IOERR", "the disk does not take or give data ({}); check the card, its space and its mount"),
        ("SQLITE_CORRUPT", DAMAGED),
        ("SQLITE_NOTADB", DAMAGED),
        ("SQLITE_READONLY", "the file or its folder is read-only; make both writable or set journal.path"),
        ("SQLITE_CANTOPEN", "cannot be opened; file and folder must be readable and writable by this user"),
        ("SQLITE_BUSY", "another program holds it locked; close that program"),
        ("SQLITE_LOCKED", "another program holds it locked; close that program"),
    ):
        if name.startswith(start):
            return f"{path}: {sentence.format(error)}"
    return f"{path}: {error}"


def check_before_opening(path: Path) -> int:
    """The version of a journal by its first bytes alone: this one, or the older one that can be taken over.

    Everything else is refused and left as it is: raises RecordError; FileNotFoundError when there is none.
    """
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except IsADirectoryError:
        raise RecordError(f"{path} is a folder; journal.path names a file") from None
    except FileNotFoundError:
        wal = Path(f"{path}-wal")
        if wal.exists() and wal.stat().st_size:
            raise RecordError(
                f"{path} is missing, but {wal.name} beside it holds entries of it; "
                "put the journal back, or move that file away to begin a new one"
            ) from None
        raise
    except OSError as error:
        raise RecordError(explain(path, error)) from error
    if len(head) < 100 or not head.startswith(MAGIC):
        raise RecordError(f"{path} is not a journal; move it away, or name another file in journal.path")
    version, application = struct.unpack_from(">I4xI", head, 60)
    if application != APPLICATION_ID:
        raise RecordError(
            f"{path} is a database of another program; move it away, or name another file in journal.path"
        )
    check_version(path, version, SCHEMA_VERSION, TAKEN_OVER_VERSION)
    return int(version)


def check_version(path: Path, version: object, *allowed: int) -> None:
    """Raises RecordError for a schema version that is not among those allowed."""
    if version == TAKEN_OVER_VERSION and version not in allowed:
        raise RecordError(
            f"{path} is a journal of version {version}; `renju-board run` makes one of version "
            f"{SCHEMA_VERSION} of it and keeps the old one, `renju-board journal repair` only writes a copy"
        )
    if version not in allowed:
        raise RecordError(
            f"{path} is a journal of version {version}; this program reads and writes version "
            f"{SCHEMA_VERSION}; use the program that made it, or name another file in journal.path"
        )


def ends_within_a_page(path: Path) -> bool:
    """Whether a database is no whole number of pages; raises OSError. Source: SQLite file format 1.3.2."""
    with path.open("rb") as file:
        (page,) = struct.unpack(">16xH", file.read(18))
        return bool(os.fstat(file.fileno()).st_size % (65536 if page == 1 else page or 512))


def create(path: Path) -> None:
    """A new, empty journal, whole or not at all; raises OSError or sqlite3.Error."""
    build(path, lambda _: None).rename(path)
    sync(path.parent)


def build(path: Path, fill: Callable[[sqlite3.Connection], None], taken_over: int = 0) -> Path:
    """A new journal with what `fill` puts in, on the disk under a name beside `path`; or nothing at all.

    `taken_over`: up to which game it holds those of a journal of the older version. Raises OSError or
    sqlite3.Error, or what `fill` raises.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    try:
        connection = sqlite3.connect(new, isolation_level=None)
        try:
            connection.executescript(SCHEMA)
            connection.execute("BEGIN IMMEDIATE")
            values = (SCHEMA_VERSION, wall_ns(), START, taken_over)
            connection.execute("INSERT INTO meta VALUES(?, ?, ?, ?)", values)
            fill(connection)
            connection.execute("COMMIT")
        finally:
            connection.close()
        sync(new)
    except BaseException:
        for name in (new, Path(f"{new}-wal"), Path(f"{new}-shm")):
            name.unlink(missing_ok=True)
        raise
    return new


def sync(path: Path) -> None:
    """Bring a file or a folder's list of names to the disk; raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class WalTail(NamedTuple):
    """What a write-ahead log holds by its frame headers.

    `committed`: frames up to the last end of a transaction; `unfinished`: bytes after it that belong to no
    whole transaction. Source: SQLite file format 4.1-4.2.
    """

    committed: int
    unfinished: int


def wal_tail(path: Path) -> WalTail:
    """The end of the write-ahead log beside a journal, before SQLite recovers it; raises OSError."""
    wal = Path(f"{path}-wal")
    if not wal.exists():
        return WalTail(0, 0)
    size = wal.stat().st_size
    with wal.open("rb") as file:
        head = file.read(32)
        if len(head) < 32:
            return WalTail(0, size)
        page = struct.unpack_from(">I", head, 8)[0]
        salts = head[16:24]
        if not 512 <= page <= 65536:
            return WalTail(0, size)
        frame = 24 + page
        at, count, committed = 32, 0, 0
        while at < size:
            file.seek(at)
            header = file.read(24)
            if len(header) == 24 and header[8:16] != salts:
                break
            at += frame
            if at <= size:
                count += 1
                if header[4:8] != bytes(4):
                    committed = count
    return WalTail(committed, min(at, size) - (32 + committed * frame))


def recover(path: Path, connection: sqlite3.Connection, tail: WalTail) -> tuple[str, ...]:
    """Let SQLite take over the write-ahead log; sentences about what it cannot. Keeps a damaged log."""
    _, frames, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if 0 <= frames < tail.committed:  # -1: the file is not in WAL mode, and has no log
        wal = Path(f"{path}-wal")
        kept = wal.with_name(f"{wal.name}.damaged-{wall_ns() // 1_000_000_000}")
        shutil.copyfile(wal, kept)
        note = "its write-ahead log is damaged, the newest entries are missing; the log is kept as"
        return (f"{path}: {note} {kept.name}",)
    if tail.unfinished:
        note = f"the last write was cut short; {tail.unfinished} bytes of it are left out"
        return (f"{path}: {note}, everything before it is there",)
    return ()


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to a file that exists; `mode`: `mode=rw`, `mode=ro` or `immutable=1` (touches nothing).

    Raises sqlite3.Error.
    """
    uri = f"{path.absolute().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=0.5, isolation_level=None, check_same_thread=False)
    # A text with a damaged byte is read all the same; the chain tells that it is damaged.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection
