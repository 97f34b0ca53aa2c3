"""What can be read of a damaged journal, put into a new one beside it; the damaged file is only read.

The rows are taken from the pages of the file and of its write-ahead log, older copies of a page too: rows are
only ever added, so any copy of one is as good. Where copies differ, the chain decides. Rows from behind a
damaged place of the log are taken only if the chain proves them. Nothing is made up; what is missing or does
not fit is told, point by point.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from firmware_host.errors import BoardError, RecordError
from firmware_host.record.header import Header
from firmware_host.service import journal_waiting
from firmware_host.service.journal_chain import START, link
from firmware_host.service.journal_file import MAGIC, SCHEMA_VERSION, TAKEN_OVER_VERSION, build, explain, sync
from firmware_host.service.journal_migration import new_game_row
from firmware_host.service.journal_rows import read_entry, read_game
from firmware_host.service.sqlite_pages import Found, Row, frames, records

Kinds = tuple[type | tuple[type, ...], ...]
ENTRY: Final[Kinds] = (int, int, int, str, int, int, str, str, int, str)
GAME: Final[Kinds] = (int, str, str, str, str, int, int, str, str, str)
OLD_GAME: Final[Kinds] = (int, str, str, str, (int, type(None)), str, str, str, str, int, int, str, str)
PRUNED: Final[Kinds] = (int, int, str, str, int, str, int)
META: Final[Kinds] = (int, int, str, int)
HASH_DIGITS: Final = 64
LOST: Final = "lost"
"""What stands for the versions and the id of a game whose row could not be read."""


class Copy(NamedTuple):
    """A row as it was read once; `sound` as in `sqlite_pages.Found`."""

    row: Row
    sound: bool


class Repaired(NamedTuple):
    """What came of it, one sentence each: what was put into the new file, and what is missing or doubtful."""

    path: Path
    told: tuple[str, ...]
    missing: tuple[str, ...]


class _Rows:
    """Every copy of every row that was found, by its key."""

    def __init__(self, found: Iterable[Found]) -> None:
        self.games: dict[int, list[Copy]] = defaultdict(list)
        self.entries: dict[int, dict[int, list[Copy]]] = defaultdict(lambda: defaultdict(list))
        self.old_games: dict[int, list[Copy]] = defaultdict(list)
        self.old_entries: dict[int, dict[int, list[Copy]]] = defaultdict(lambda: defaultdict(list))
        self.pruned: dict[int, Row] = {}
        self.meta: Row | None = None
        for rowid, row, sound in found:
            self._take(rowid, row, sound=sound)

    def _take(self, rowid: int | None, row: Row, *, sound: bool) -> None:
        if rowid is None:
            if _is(row, ENTRY) and len(str(row[-1])) == HASH_DIGITS:
                _add(self.entries[_int(row[0])][_int(row[1])], row, sound)
            elif _is(row, ENTRY[:-1]):
                _add(self.old_entries[_int(row[0])][_int(row[1])], row, sound)
            return
        if _is(row, META) and row[0] == SCHEMA_VERSION:
            self.meta = row  # the newest copy, from behind a damaged place too: a wrong one only warns
        if not row or row[0] is not None:
            return
        row = (rowid, *row[1:])
        if _is(row, GAME) and len(str(row[-1])) == HASH_DIGITS:
            _add(self.games[rowid], row, sound)
        elif _is(row, OLD_GAME):
            _add(self.old_games[rowid], row, sound)
        elif _is(row, PRUNED) and sound:
            self.pruned[rowid] = row

    def wait(self, waiting: list[journal_waiting.Waiting]) -> None:
        """Rows that the damaged file did not take any more; the last of them was written last."""
        for table, row in waiting:
            games = table == "games"
            self._take(row[0] if games else None, (None, *row[1:]) if games else row, sound=True)
        if waiting and self.meta:
            self.meta = (*self.meta[:2], waiting[-1][1][-1], self.meta[3])


def _is(row: Row, kinds: Kinds) -> bool:
    return len(row) == len(kinds) and all(map(isinstance, row, kinds))


def _int(value: object) -> int:
    assert isinstance(value, int)  # noqa: S101 - for the type checker
    return value


def _add(copies: list[Copy], row: Row, sound: bool) -> None:
    """Keep a copy that is not there yet; a later one that is sound before those that are not."""
    if all(copy.row != row for copy in copies):
        copies.append(Copy(row, sound))


def repair(path: Path, to: Path | None = None) -> Repaired:
    """Read what can be read of the journal at `path` into a new one, `to` or beside it.

    Raises RecordError: for a file that is missing, for one in which no game is found, and where the new one
    is there already or cannot be written.
    """
    target = to or path.with_name(f"{path.stem}.repaired{path.suffix}")
    if target.exists():
        raise RecordError(f"{target} is there already; move it away, or name another file with --to")
    try:
        file = path.read_bytes()
        log = Path(f"{path}-wal")
        wal = log.read_bytes() if log.exists() else b""
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error
    rows = _Rows(records(file, wal))
    told: list[str] = []
    missing: list[str] = []
    for kept in journal_waiting.files(path):
        try:
            waiting, unread = journal_waiting.read(kept)
        except OSError as error:
            missing.append(f"{kept.name} cannot be read: {error.strerror}")
            continue
        rows.wait(waiting)
        if unread:
            missing.append(f"{journal_waiting.lines_of(unread)} {kept.name} cannot be read")
    if not file.startswith(MAGIC):
        told.append("the beginning of the file is damaged")
    behind = sum(not frame.sound for frame in frames(wal))
    if behind:
        told.append(
            f"the write-ahead log is damaged: of its last {behind} pages only those entries were taken that"
            " the chain proves"
        )
    old = not rows.games and not rows.entries and bool(rows.old_games or rows.old_entries)
    put = _Old(rows, missing) if old else _Chained(rows, missing, path)
    numbers = sorted(put.numbers())
    if not numbers:
        raise RecordError(f"{path}: no game can be read in it")
    chosen = [each for number in numbers for each in put.game(number, told)]
    put.end(told)

    def fill(connection: Any) -> None:
        for table, row in chosen:
            connection.execute(f"INSERT INTO {table} VALUES({','.join('?' * len(row))})", row)
        connection.execute("UPDATE meta SET head = ?", (put.tip,))

    try:
        build(target, fill, put.taken_over).rename(target)
        sync(target.parent)
    except Exception as error:
        raise RecordError(explain(target, error)) from error
    return Repaired(target, tuple(told), tuple(missing))


class _Chained:
    """Rows of this version, chosen along the chain."""

    def __init__(self, rows: _Rows, missing: list[str], path: Path) -> None:
        self.rows = rows
        self.missing = missing
        self.path = path
        self.tip = START
        self.known = True
        """Whether the row before is there, so that `tip` is what the next one is linked to."""
        self.taken_over = _int(rows.meta[3]) if rows.meta else 0
        self.before = 0

    def numbers(self) -> set[int]:
        return {number for number in {*self.rows.games, *self.rows.entries} if number > 0}

    def game(self, number: int, told: list[str]) -> Iterator[tuple[str, Row]]:
        """The rows of a game, each with its table."""
        if number != self.before + 1:
            first = self.before + 1
            self.missing.append(f"game {first} is missing" if first == number - 1 else
                                f"games {first} to {number - 1} are missing")  # fmt: skip
            self.known = False
        self.before = number
        left = self.rows.pruned.get(number)
        entries = {} if left else self.rows.entries.get(number, {})
        copies = self.rows.games.get(number, [])
        row, fits = self._choose("game", copies, entries.get(1, []))
        known = True
        if row is not None and not self._readable(lambda chosen: read_game(self.path, chosen), row):
            row = None
        if row is None and not entries:
            self.missing.append(f"game {number}: its row cannot be read, and no entry of it is there")
            self.known = False
            return
        if row is None:
            self.missing.append(
                f"game {number}: its row cannot be read; who played and the settings are lost,"
                " and its entries are kept under the default settings"
            )
            row, known = _stand_in(number, entries), False
        elif not fits:
            self.missing.append(f"game {number}: its row does not fit the chain; it is kept as it stands")
        self.tip = str(row[-1])
        yield "games", row
        if left:
            self.tip, self.known = str(left[2]), True
            told.append(f"game {number}: was pruned, {left[1]!r} entries")
            yield "pruned", left
            return
        self.known = known
        count = 0
        for table, entry in self._entries(number, entries):
            count += 1
            yield table, entry
        told.append(f"game {number}: {count} entries" if count != 1 else f"game {number}: 1 entry")

    def _entries(self, number: int, entries: Mapping[int, list[Copy]]) -> Iterator[tuple[str, Row]]:
        before = 0
        for seq in sorted(seq for seq in entries if seq > 0):
            known = self.known and seq == before + 1
            row, fits = self._choose("entry", entries[seq], entries.get(seq + 1, []), known=known)
            if row is None or not self._readable(lambda chosen: read_entry(self.path, chosen), row):
                continue
            if seq != before + 1:
                self.missing.append(f"game {number}: {_run(before + 1, seq - 1)} missing")
            if not fits:
                self.missing.append(
                    f"game {number}: entry {seq} does not fit the chain; it is kept as it stands"
                )
            before, self.tip, self.known = seq, str(row[-1]), True
            yield "entries", row

    def _choose(
        self, kind: Any, copies: list[Copy], following: list[Copy], *, known: bool | None = None
    ) -> tuple[Row | None, bool]:
        """The copy that the chain proves, else one that SQLite reads; and whether nothing contradicts it.

        Not proven, one is chosen whose hash the row after it is linked to, else the newest.
        """
        known = self.known if known is None else known
        for row, _ in copies:
            if known and link(self.tip, kind, row[:-1]) == row[-1]:
                return row, True
        sound = [copy.row for copy in copies if copy.sound]
        if not sound:
            return None, False
        hashes = {str(row[-1]) for row in sound}
        vouched = {
            hash_
            for hash_ in hashes
            for copy in following
            if link(hash_, "entry", copy.row[:-1]) == copy.row[-1]
        }
        return next((row for row in reversed(sound) if row[-1] in vouched), sound[-1]), not known

    def _readable(self, read: Any, row: Row) -> bool:
        try:
            read(row)
        except BoardError:
            return False
        return True

    def end(self, _told: list[str]) -> None:
        """What the file notes of its last row says whether the end is there."""
        if self.rows.meta is None:
            self.missing.append("the file does not say which row was written last; later ones may be missing")
        elif self.known and self.rows.meta[2] != self.tip:
            self.missing.append("another row was written last: entries or games at the end are missing")


class _Old:
    """Rows of version 1, which no chain proves: chained now, as when a journal is taken over."""

    def __init__(self, rows: _Rows, missing: list[str]) -> None:
        self.rows = rows
        self.missing = missing
        self.tip = START
        self.before = 0
        self.taken_over = max(self.numbers(), default=0)

    def numbers(self) -> set[int]:
        return {number for number in {*self.rows.old_games, *self.rows.old_entries} if number > 0}

    def game(self, number: int, told: list[str]) -> Iterator[tuple[str, Row]]:
        """The rows of a game, each with its table."""
        entries = self.rows.old_entries.get(number, {})
        sound = [copy.row for copy in self.rows.old_games.get(number, []) if copy.sound]
        if sound:
            row: Row = new_game_row(sound[-1])
        else:
            self.missing.append(
                f"game {number}: its row cannot be read; who played and the settings are lost,"
                " and its entries are kept under the default settings"
            )
            row = _stand_in(number, entries)[:-1]
        self.tip = link(self.tip, "game", row)
        yield "games", (*row, self.tip)
        before = count = 0
        for seq in sorted(seq for seq in entries if seq > 0):
            copies = [copy.row for copy in entries[seq] if copy.sound]
            if not copies or not _can_be_read(copies[-1]):
                continue
            if seq != before + 1:
                self.missing.append(f"game {number}: {_run(before + 1, seq - 1)} missing")
            before, count = seq, count + 1
            self.tip = link(self.tip, "entry", copies[-1])
            yield "entries", (*copies[-1], self.tip)
        told.append(f"game {number}: {count} entries" if count != 1 else f"game {number}: 1 entry")

    def end(self, told: list[str]) -> None:
        """Version 1 does not note which row was last."""
        told.append(
            f"a journal of version {TAKEN_OVER_VERSION} does not say which entry was the last;"
            " later ones may be missing"
        )


def _can_be_read(entry: Row) -> bool:
    try:
        read_entry(Path(), (*entry, ""))
    except BoardError:
        return False
    return True


def _run(first: int, last: int) -> str:
    return f"entry {first} is" if first == last else f"entries {first} to {last} are"


def _stand_in(number: int, entries: Mapping[int, list[Copy]]) -> Row:
    """A row for a game whose own is lost, so that its entries have one."""
    started = min((_int(copy.row[4]) for copies in entries.values() for copy in copies), default=0)
    header = msgspec.json.encode(Header(id=f"{LOST}-{number}")).decode()
    return (number, f"{LOST}-{number}", header, LOST, "{}", started, 0, LOST, LOST, "0" * HASH_DIGITS)
