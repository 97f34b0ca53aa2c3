"""Rows that the journal did not take before the daemon ended: a file beside it has them until it does.

One row a line, a JSON array: the table's name, then its columns. Only rows that the chain proves to follow
are taken in.
"""

import contextlib
import itertools
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from firmware_host.service.journal_chain import link
from firmware_host.service.journal_file import sync
from firmware_host.service.wall_clock import wall_ns

COLUMNS: Final = 10
"""Of `games` and of `entries` alike; the last one is the row's hash."""

Waiting = tuple[Literal["games", "entries"], tuple[Any, ...]]


def keep(path: Path, rows: Iterable[Waiting]) -> Path | None:
    """Write rows that wait beside the journal at `path`; None where the disk does not take that either."""
    lines = [msgspec.json.encode([table, *row]) + b"\n" for table, row in rows]
    if not lines:
        return None
    try:
        kept = next(name for name in _names(path) if not name.exists())
    except OSError:
        return None
    try:
        with kept.open("xb") as file:
            file.writelines(lines)
        sync(kept)
        sync(path.parent)
    except OSError:
        with contextlib.suppress(OSError):
            kept.unlink()
        return None
    return kept


def _names(path: Path) -> Iterator[Path]:
    """A board without a clock of its own may say the same time at every start."""
    now_s = wall_ns() // 1_000_000_000
    return (path.with_name(f"{path.name}.waiting-{now_s}-{n:03}.jsonl") for n in itertools.count(1))


def files(path: Path) -> list[Path]:
    """The files of rows that wait for the journal at `path`, oldest first."""
    return sorted(path.parent.glob(f"{path.name}.waiting-*.jsonl"))


class Left(NamedTuple):
    """The rows of such a file up to the first line that is none, and how many lines come from there on."""

    rows: list[Waiting]
    unread: int


def read(kept: Path) -> Left:
    """What is in such a file; raises OSError."""
    rows: list[Waiting] = []
    lines = kept.read_bytes().splitlines()
    for line in lines:
        try:
            table, *row = msgspec.json.decode(line, type=list[Any])
        except (msgspec.DecodeError, ValueError):
            break
        if table not in ("games", "entries") or len(row) != COLUMNS:
            break
        rows.append((table, tuple(row)))
    return Left(rows, len(lines) - len(rows))


def lines_of(count: int, *, more: bool = False) -> str:
    """`1 more line of`, `3 lines of`."""
    return f"{count}{' more' if more else ''} {'line' if count == 1 else 'lines'} of"


def take_in(path: Path, connection: sqlite3.Connection) -> tuple[str, ...]:
    """Bring what waits into a sound journal; sentences for the operator. Raises sqlite3.Error and OSError."""
    notes = []
    for kept in files(path):
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            break
        rows, unread = read(kept)
        tip = connection.execute("SELECT head FROM meta").fetchone()[0]
        hashes = [row[-1] for _, row in rows]
        new = rows[hashes.index(tip) + 1 :] if tip in hashes else rows
        connection.execute("BEGIN IMMEDIATE")
        try:
            for table, row in new:
                if link(tip, "game" if table == "games" else "entry", row[:-1]) != row[-1]:
                    break
                connection.execute(f"INSERT INTO {table} VALUES(?,?,?,?,?,?,?,?,?,?)", row)
                tip = row[-1]
            fits = not new or tip == new[-1][1][-1]
            connection.execute("UPDATE meta SET head = ?", (tip,))
            connection.execute("COMMIT" if fits else "ROLLBACK")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        if fits:
            kept.rename(kept.with_suffix(".taken"))
            rest = f"; {lines_of(unread, more=True)} it cannot be read" if unread else ""
            count = f"{len(new)} entries" if len(new) != 1 else "1 entry"
            were = "were" if len(new) != 1 else "was"
            notes.append(f"{path}: {count} that had waited for the disk {were} taken from {kept.name}{rest}")
        else:
            notes.append(
                f"{path}: what waits in {kept.name} does not follow its last entry; it is left there"
            )
    return tuple(notes)
