"""A journal of the older schema becomes one of this version; the old file is kept beside it.

The new file is built and synced under another name, the old one gets a second name, and one rename puts the
new one in its place: whenever the power goes, the journal is whole, the old or the new one. The rows are
carried over as they are, so that an entry that cannot be read stays what it was.
"""

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from firmware_host.errors import RecordError
from firmware_host.record.header import Header, Person
from firmware_host.service.journal_chain import START, link
from firmware_host.service.journal_file import (
    DAMAGED,
    TAKEN_OVER_VERSION,
    build,
    connect,
    recover,
    sync,
    wal_tail,
)
from firmware_host.service.wall_clock import wall_text

OLD_GAMES = (
    'SELECT number, id, "table", event, round, black, white, sensors, settings, started_wall_ns,'
    " clock_synchronised, code_version, rules_version FROM games ORDER BY number"
)
OLD_ENTRIES = (
    "SELECT game, seq, t_ns, boot_id, wall_ns, synchronised, input, rulings, late_ns FROM entries"
    " WHERE game = ? ORDER BY seq"
)

OLD_ORPHANS = "SELECT 1 FROM entries WHERE game NOT IN (SELECT number FROM games) LIMIT 1"


def take_over(path: Path) -> tuple[str, ...]:
    """Make a journal of version 1 one of this version; sentences for the operator.

    Raises RecordError, OSError or sqlite3.Error, and then the old one is where it was.
    """
    tail = wal_tail(path)
    old = connect(path, "mode=rw")
    try:
        notes = recover(path, old, tail)
        found = old.execute("PRAGMA quick_check(1)").fetchone()[0]
        if old.execute(OLD_ORPHANS).fetchone():
            found = "entries of a game that is not there"
        if found != "ok":
            raise RecordError(f"{path}: {DAMAGED.format(' '.join(str(found).split()))}")
        # Ends the write-ahead log: one that stayed would be taken for the new file's. Refused while another
        # program has the file open.
        old.execute("PRAGMA journal_mode = DELETE")
        old.execute("BEGIN IMMEDIATE")
        games = old.execute(OLD_GAMES).fetchall()
        new = build(path, lambda file: copy_rows(old, games, file), games[-1][0] if games else 0)
    finally:
        old.close()
    try:
        kept = keep(path)
        new.rename(path)
    finally:
        new.unlink(missing_ok=True)
    sync(path.parent)
    count = f"{len(games)} games" if len(games) != 1 else "1 game"
    told = f"its {count} were taken over from version {TAKEN_OVER_VERSION}; the old file is kept as"
    return (*notes, f"{path}: {told} {kept.name}")


def copy_rows(old: sqlite3.Connection, games: list[tuple[Any, ...]], file: sqlite3.Connection) -> None:
    """Put the rows of an old journal into a new one, and chain them."""
    tip = START
    for game in games:
        row = new_game_row(game)
        tip = link(tip, "game", row)
        file.execute("INSERT INTO games VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, tip))
        for entry in old.execute(OLD_ENTRIES, game[:1]):
            tip = link(tip, "entry", entry)
            file.execute("INSERT INTO entries VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*entry, tip))
    file.execute("UPDATE meta SET head = ?", (tip,))


def new_game_row(old: tuple[Any, ...]) -> tuple[Any, ...]:
    """The columns of a game's row, without its hash, of those of the older version."""
    number, name, table, event, round_, black, white, sensors, settings, started, synced, code, rules = old
    header = Header(
        id=name,
        table=table,
        event=event,
        round=round_,
        first=Person(name=black),
        second=Person(name=white),
        date=wall_text(started),
        synchronised=bool(synced),
    )
    kept = msgspec.json.encode(header).decode()
    return (number, name, kept, sensors, settings, started, synced, code, rules)


def keep(path: Path) -> Path:
    """Give a file a second name beside its own, or copy it where a file can have one name only."""
    for number in range(1, 1000):
        kept = path.with_name(f"{path.name}.v{TAKEN_OVER_VERSION}{f'-{number}' if number > 1 else ''}")
        if kept.exists():
            if kept.samefile(path):  # the power went before the rename
                return kept
            continue
        try:
            os.link(path, kept)
        except OSError:
            copied = kept.with_name(f"{kept.name}.new")
            try:
                shutil.copyfile(path, copied)
                sync(copied)
                copied.rename(kept)
            finally:
                copied.unlink(missing_ok=True)
        sync(path.parent)
        return kept
    raise RecordError(f"{path}: a thousand old journals are kept beside it; move some away")
