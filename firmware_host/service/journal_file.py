"""The journal as a file: its schema, what is refused before it is opened, and reading it back.

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import msgspec

from firmware_host.errors import BoardError, RecordError
from firmware_host.record.game import Result
from firmware_host.record.header import Header
from firmware_host.referee.inputs import Input
from firmware_host.referee.rulings import AnyRuling
from firmware_host.referee.settings import MatchSettings, match_settings
from firmware_host.service.journal_chain import START, link
from firmware_host.service.wall_clock import wall_ns, wall_text
from firmware_host.wire import input_from_wire, ruling_from_wire

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


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the journal: `number` from 1 within the journal, `id` unique among all journals.

    `header` has that id too, and the date of `started_wall_ns`. `hash` is its row's.
    """

    number: int
    id: str
    header: Header
    sensors: str
    settings: MatchSettings
    started_wall_ns: int
    clock_synchronised: bool
    code_version: str
    rules_version: str
    hash: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One input with what the referee made of it; `seq` counts from 1 within the game, without gaps.

    `t_ns` is the input's instant on the game's monotonic axis; `late_ns` by how much it came after its
    instant had been ruled; `wall_ns` (UTC) is when it was written down, `synchronised` whether to trust that.
    `hash` is its row's.
    """

    game: int
    seq: int
    t_ns: int
    boot_id: str
    wall_ns: int
    synchronised: bool
    given: Input
    rulings: tuple[AnyRuling, ...]
    late_ns: int = 0
    hash: str = ""


class Pruned(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of a game whose entries were removed: how many, when, and the result.

    `last` is the last one's hash, `head` the one that stood for the record.
    """

    game: int
    entries: int
    last: str
    head: str
    moves: int
    result: Result | None
    wall_ns: int


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


def check_cut(path: Path) -> None:
    """Raises RecordError if anything in a journal that was cut is not what was written, and changes nothing.

    To be asked before somebody may write: with its log it becomes whole pages again, and the zeros stay.
    """
    with JournalReader.open(path) as reader:
        for game in reader.games():
            if game.number not in reader.pruned():
                reader.entries(game)


class JournalReader:
    """Reading a journal; several may, also while the daemon writes it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.cut = ends_within_a_page(path)
        """Whether the file was cut: what is missing of its last page SQLite takes for zeros, and reads on."""
        self._connection = connection

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Raises RecordError for a file that is missing, damaged or no journal of this version."""
        path = Path(path)
        try:
            check_version(path, check_before_opening(path), SCHEMA_VERSION)
        except FileNotFoundError:
            raise RecordError(f"{path}: there is no such journal") from None
        reader = cls(path, _connect_to_read(path))
        try:
            check_version(path, reader._one("SELECT schema_version FROM meta"), SCHEMA_VERSION)
        except BaseException:
            reader.close()
            raise
        return reader

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read inside is the journal of one instant, whatever is written meanwhile."""
        self._rows("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def games(self) -> list[Game]:
        """Every game, in the order in which they began."""
        return [read_game(self.path, row) for row in self._rows("SELECT * FROM games ORDER BY number")]

    def last_game(self) -> Game | None:
        """The game that began last."""
        rows = self._rows("SELECT * FROM games ORDER BY number DESC LIMIT 1")
        return read_game(self.path, rows[0]) if rows else None

    def entries(self, game: Game) -> list[Entry]:
        """The entries of a game in order.

        Raises RecordError for one that this program cannot read, and where they were pruned; in a file that
        was cut, also for one that is not what was written.
        """
        left = self.pruned().get(game.number)
        if left is not None:
            when = wall_text(left.wall_ns)
            raise RecordError(
                f"{self.path}: the {left.entries} entries of game {game.number} were pruned on {when}"
            )
        rows = self.entry_rows(game.number)
        if self.cut:
            self._check_chain(game, rows)
        return [read_entry(self.path, row) for row in rows]

    def _check_chain(self, game: Game, rows: Sequence[Sequence[Any]]) -> None:
        before = game.hash
        for row in rows:
            if link(before, "entry", row[:-1]) != row[-1]:
                raise RecordError(
                    f"{self.path}: the file was cut, and entry {row[1]} of game {game.number} is not what was"
                    " written; `renju-board journal repair` writes what can be read into a new one beside it"
                )
            before = row[-1]

    def game_rows(self) -> list[tuple[Any, ...]]:
        """The rows of the games as they are stored, in order."""
        return self._sound(self._rows("SELECT * FROM games ORDER BY number"))

    def entry_rows(self, number: int) -> list[tuple[Any, ...]]:
        """The rows of a game's entries as they are stored, in order."""
        rows = self._rows("SELECT * FROM entries WHERE game = ? ORDER BY seq", number)
        return self._sound(rows, f" of game {number}", 1)

    def _sound(self, rows: list[tuple[Any, ...]], where: str = "", number: int = 0) -> list[tuple[Any, ...]]:
        """These rows, if what they are known by, the column `number` and the hash, is what it has to be."""
        for row in rows:
            if not (isinstance(row[number], int) and isinstance(row[-1], str)):
                what = f"a row{where} has no number or hash that can be read"
                raise RecordError(f"{self.path}: {DAMAGED.format(what)}")
        return rows

    def ruling_rows(self, number: int) -> list[tuple[int, str, str]]:
        """`seq`, rulings and hash of a game's entries that gave a ruling, as they are stored, in order."""
        return self._rows(
            "SELECT seq, rulings, hash FROM entries WHERE game = ? AND rulings <> '[]' ORDER BY seq", number
        )

    def pruned(self) -> dict[int, Pruned]:
        """What is left of the games whose entries were removed, by their numbers."""
        return {row[0]: _pruned(self.path, row) for row in self._rows("SELECT * FROM pruned")}

    def head(self, game: Game) -> str:
        """The hash that stands for the record of a game: of its last entry that gave a ruling.

        What comes after the end without a ruling, such as the stones being put away, does not change it; a
        decision or a note of the arbiter does. Without such an entry it is the game's own.
        """
        rows = self._rows(
            "SELECT hash FROM entries WHERE game = ? AND rulings <> '[]' ORDER BY seq DESC LIMIT 1",
            game.number,
        ) or self._rows("SELECT head FROM pruned WHERE game = ?", game.number)
        return str(rows[0][0]) if rows else game.hash

    def tip(self) -> str:
        """The hash of the last row there is."""
        rows = self._rows(
            "SELECT coalesce((SELECT hash FROM entries WHERE game = number ORDER BY seq DESC LIMIT 1),"
            " (SELECT last FROM pruned WHERE game = number), hash) FROM games ORDER BY number DESC LIMIT 1"
        )
        return str(rows[0][0]) if rows else START

    def noted_tip(self) -> str:
        """The hash of the row that was written last, as it was noted when that was written."""
        return str(self._one("SELECT head FROM meta"))

    def taken_over(self) -> int:
        """The last game that was taken over from a journal of the older version; 0 for none."""
        return self._number("SELECT taken_over FROM meta")

    def game_of(self, row: Sequence[Any]) -> Game:
        """A game of its row; raises RecordError for one that this program cannot read."""
        return read_game(self.path, row)

    def orphans(self) -> list[tuple[int, int]]:
        """Games that have entries but no row: their numbers, and how many entries."""
        return self._rows(
            "SELECT game, count(*) FROM entries WHERE game NOT IN (SELECT number FROM games) GROUP BY game"
        )

    def count(self, game: Game) -> int:
        """How many entries of a game there are."""
        return self._number("SELECT count(*) FROM entries WHERE game = ?", game.number)

    def sizes(self, row_bytes: int) -> dict[int, int]:
        """How many bytes the entries of each game take, about: their texts, and `row_bytes` for each."""
        return dict(
            self._rows(
                "SELECT game, sum(length(CAST(input AS BLOB)) + length(CAST(rulings AS BLOB)) + ?)"
                " FROM entries GROUP BY game",
                row_bytes,
            )
        )

    def last_seq(self, game: Game) -> int:
        """`seq` of a game's last entry; 0 before the first."""
        return self._number("SELECT coalesce(max(seq), 0) FROM entries WHERE game = ?", game.number)

    def gaps(self, game: Game) -> list[tuple[int, int]]:
        """First and last `seq` of each run of entries that are missing before the last one."""
        return [
            (before + 1, seq - 1)
            for before, seq in self._rows(
                "SELECT * FROM (SELECT coalesce(lag(seq) OVER (ORDER BY seq), 0) AS before, seq"
                " FROM entries WHERE game = ?) WHERE seq <> before + 1",
                game.number,
            )
        ]

    def check_pages(self) -> None:
        """Look at every page of the file; raises RecordError when one is damaged."""
        found = self._one("PRAGMA quick_check(1)")
        if found != "ok":
            found = " ".join(str(found).split())
            raise RecordError(f"{self.path}: {DAMAGED.format(found)}")

    def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except FAULTS as error:
            raise RecordError(explain(self.path, error)) from error

    def _one(self, query: str, *values: object) -> Any:
        rows = self._rows(query, *values)
        return rows[0][0] if rows else None

    def _number(self, query: str, *values: object) -> int:
        number = self._one(query, *values)
        if not isinstance(number, int):
            raise RecordError(f"{self.path}: {DAMAGED.format('a number in it cannot be read')}")
        return number


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to a file that exists; `mode`: `mode=rw`, `mode=ro` or `immutable=1` (touches nothing).

    Raises sqlite3.Error.
    """
    uri = f"{path.absolute().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=0.5, isolation_level=None, check_same_thread=False)
    # A text with a damaged byte is read all the same; the chain tells that it is damaged.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """A reading connection; in a folder that cannot be written too, where WAL has no room for its index."""
    connection = None
    try:
        connection = connect(path, "mode=ro")
        connection.execute("SELECT 1 FROM meta")
    except FAULTS as error:
        if connection is not None:
            connection.close()
        wal = Path(f"{path}-wal")
        if not getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
            raise RecordError(explain(path, error)) from error
        if wal.exists() and wal.stat().st_size:
            raise RecordError(
                f"{path}: its folder is read-only and {wal.name} holds entries; copy both to another folder"
            ) from error
        connection = connect(path, "immutable=1")
    return connection


def read_game(path: Path, row: Sequence[Any]) -> Game:
    """A game of its row; raises RecordError for one that this program cannot read."""
    values = dict(zip(Game.__struct_fields__, row, strict=True))
    try:
        values["header"] = msgspec.json.decode(values["header"], type=Header)
        values["settings"] = match_settings(msgspec.json.decode(values["settings"], type=dict[str, Any]))
        return msgspec.convert(values, Game, strict=False)
    except (BoardError, msgspec.DecodeError, TypeError) as error:
        raise RecordError(f"{path}: game {row[0]} cannot be read: {error}") from error


def _pruned(path: Path, row: Sequence[Any]) -> Pruned:
    values = dict(zip(Pruned.__struct_fields__, row, strict=True))
    try:
        values["result"] = msgspec.json.decode(values["result"], type=Result | None)
        return msgspec.convert(values, Pruned, strict=False)
    except (msgspec.DecodeError, TypeError) as error:
        raise RecordError(f"{path}: what was pruned of game {row[0]} cannot be read: {error}") from error


def read_entry(path: Path, row: Sequence[Any]) -> Entry:
    """An entry of its row; raises RecordError for one that this program cannot read."""
    game, seq, t_ns, boot_id, wall, synced, given, rulings, late_ns, hash_ = row
    try:
        return Entry(
            game=game,
            seq=seq,
            t_ns=t_ns,
            boot_id=boot_id,
            wall_ns=wall,
            synchronised=bool(synced),
            given=input_from_wire(msgspec.json.decode(given, type=dict[str, Any])),
            rulings=tuple(map(ruling_from_wire, msgspec.json.decode(rulings, type=list[dict[str, Any]]))),
            late_ns=late_ns,
            hash=hash_,
        )
    except (BoardError, msgspec.DecodeError, TypeError) as error:
        raise RecordError(f"{path}: entry {seq} of game {game} cannot be read: {error}") from error
