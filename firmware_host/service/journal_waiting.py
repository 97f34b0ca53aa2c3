"""Rows that the journal did not take before the daemon ended: a file beside it has them until it does.

One row a line, a JSON array: the table's name, then its columns. Only rows that the chain proves to follow
are taken in.
"""

import contextlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

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
    kept = path.with_name(f"{path.name}.waiting-{wall_ns() // 1_000_000_000}.jsonl")
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


def files(path: Path) -> list[Path]:
    """The files of rows that wait for the journal at `path`, oldest first."""
    return sorted(path.parent.glob(f"{path.name}.waiting-*.jsonl"))


def read(kept: Path) -> list[Waiting]:
    """The rows of such a file, up to the first line that is none."""
    rows: list[Waiting] = []
    for line in kept.read_bytes().splitlines():
        try:
            table, *row = msgspec.json.decode(line, type=list[Any])
        except (msgspec.DecodeError, ValueError):
            break
        if table not in ("games", "entries") or len(row) != COLUMNS:
            break
        rows.append((table, tuple(row)))
    return rows


def take_in(path: Path, connection: sqlite3.Connection) -> tuple[str, ...]:
    """Bring what waits into a sound journal; sentences for the operator. Raises sqlite3.Error and OSError."""
    notes = []
    for kept in files(path):
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            break
        rows = read(kept)
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
            connection.execute("ROLLBACK")
            raise
        if fits:
            kept.rename(kept.with_suffix(".taken"))
            notes.append(
                f"{path}: {len(new)} entries that had waited for the disk were taken from {kept.name}"
            )
        else:
            notes.append(
                f"{path}: what waits in {kept.name} does not follow its last entry; it is left there"
            )
    return tuple(notes)
