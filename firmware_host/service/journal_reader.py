"""Reading a journal back, while a daemon may write it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from firmware_host.errors import RecordError
from firmware_host.service.journal_chain import START, link
from firmware_host.service.journal_file import (
    DAMAGED,
    FAULTS,
    SCHEMA_VERSION,
    check_before_opening,
    check_version,
    connect,
    ends_within_a_page,
    explain,
)
from firmware_host.service.journal_rows import Entry, Game, Pruned, read_entry, read_game, read_pruned
from firmware_host.service.wall_clock import wall_text


def check_cut(path: Path) -> None:
    """Raises RecordError if anything in a journal that was cut is not what was written, and changes nothing.

    To be asked before somebody may write: with its log it becomes whole pages again, and the zeros stay.
    """
    with JournalReader.open(path) as reader:
        for row in reader.game_rows():
            reader.check_chain(row[0])


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
        self.check_chain(game.number)
        return [read_entry(self.path, row) for row in self.entry_rows(game.number)]

    def check_chain(self, number: int) -> None:
        """In a journal that was cut the entries of a game are proved by their chain; raises RecordError."""
        if not self.cut and self.tip() == self.noted_tip():
            return
        before = self._one("SELECT hash FROM games WHERE number = ?", number)
        for row in self.entry_rows(number):
            if link(before, "entry", row[:-1]) != row[-1]:
                raise RecordError(
                    f"{self.path}: it was cut, and entry {row[1]} of game {number} is not what was"
                    " written; `renju-board journal repair` writes what can be read into a new one beside it"
                )
            before = row[-1]

    def game_rows(self) -> list[tuple[Any, ...]]:
        """The rows of the games as they are stored, in order."""
        return self._sound(self._rows("SELECT * FROM games ORDER BY number"))

    def entry_rows(self, number: int) -> list[tuple[Any, ...]]:
        """The rows of a game's entries as they are stored, in order."""
        rows = self._rows("SELECT * FROM entries WHERE game = ? ORDER BY seq", number)
        return self._ordered(number, self._sound(rows, f" of game {number}", 1), 1)

    def _sound(self, rows: list[tuple[Any, ...]], where: str = "", number: int = 0) -> list[tuple[Any, ...]]:
        """These rows, if what they are known by, the column `number` and the hash, is what it has to be."""
        for row in rows:
            if not (isinstance(row[number], int) and isinstance(row[-1], str)):
                what = f"a row{where} has no number or hash that can be read"
                raise RecordError(f"{self.path}: {DAMAGED.format(what)}")
        return rows

    def ruling_rows(self, number: int) -> list[tuple[int, str, str]]:
        """`seq`, rulings and hash of a game's entries that gave a ruling, as they are stored, in order."""
        self.check_chain(number)
        rows = self._rows(
            "SELECT seq, rulings, hash FROM entries WHERE game = ? AND rulings <> '[]' ORDER BY seq", number
        )
        return self._ordered(number, rows, 0)

    def _ordered(self, number: int, rows: list[Any], seq: int) -> list[Any]:
        """These rows, if the column `seq` goes up: SQLite takes the order in which they lie for right."""
        if any(after[seq] <= before[seq] for before, after in pairwise(rows)):
            what = f"the entries of game {number} are out of order"
            raise RecordError(f"{self.path}: {DAMAGED.format(what)}")
        return rows

    def pruned(self) -> dict[int, Pruned]:
        """What is left of the games whose entries were removed, by their numbers."""
        return {row[0]: read_pruned(self.path, row) for row in self._rows("SELECT * FROM pruned")}

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
        if self.count(game) == self.last_seq(game):
            return []
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
