"""Old games out of a journal, by the operator's command alone; the chain stays whole over what was removed.

A game's entries go, its row stays, and `pruned` says what they were: how many, the hash of the last one, that
the next game's row is linked to, the head that stood for the record, the number of moves and the result.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from firmware_host.errors import RecordError
from firmware_host.service.journal_file import (
    FAULTS,
    SCHEMA_VERSION,
    check_before_opening,
    check_version,
    connect,
    explain,
    recover,
    wal_tail,
)
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_summary import Summary, summary
from firmware_host.service.journal_verify import verify
from firmware_host.service.wall_clock import wall_ns

DAY_NS: Final = 86_400_000_000_000
ROW_BYTES: Final = 200
"""What an entry takes beside its two texts, about."""


class Candidate(NamedTuple):
    """A game that could go, and how many bytes its entries take, about."""

    game: Summary
    size: int


class Plan(NamedTuple):
    """Which games go, and of which of those that were meant one sentence says why they stay."""

    go: tuple[Candidate, ...]
    stay: tuple[str, ...]


def plan(
    path: Path,
    *,
    numbers: Sequence[int] = (),
    older_than_days: int | None = None,
    down_to_mb: int | None = None,
) -> Plan:
    """Which games a command means: those named, those that began before some days, the oldest above a size.

    Only games that are over go. Raises RecordError for a number that is not there, for a journal whose chain
    is not whole (what was changed would be gone for good), and for one that cannot be read.
    """
    with JournalReader.open(path) as reader:
        wrong = [said.sentence for said in verify(reader, rulings=False) if said.wrong]
        if wrong:
            raise RecordError(f"{path}: not pruned while something is wrong with it: {wrong[0]}")
        sizes = reader.sizes(ROW_BYTES)
        games = {game.number: game for game in reader.games()}
        for number in numbers:
            if number not in games:
                raise RecordError(
                    f"game {number} is not in the journal; allowed: {', '.join(map(str, games))}"
                )
        meant = set(numbers)
        if older_than_days is not None:
            before = wall_ns() - older_than_days * DAY_NS
            meant |= {n for n, game in games.items() if game.started_wall_ns < before}
        spare = 0 if down_to_mb is None else path.stat().st_size - sum(sizes.get(n, 0) for n in meant)
        spare -= (down_to_mb or 0) << 20
        go, stay = [], []
        for number, game in games.items():
            if number not in meant and (down_to_mb is None or spare <= 0):
                continue
            found = summary(reader, game)
            if found.state == "over":
                go.append(Candidate(found, sizes.get(number, 0)))
                spare -= 0 if number in meant else sizes.get(number, 0)
            elif found.state != "pruned" or number in numbers:
                stay.append(f"game {number} is {found.state}; it stays as it is")
        return Plan(tuple(go), tuple(stay))


def prune(path: Path, planned: Plan) -> str:
    """Remove the entries of the games of a plan, all of them or none, and give their room back.

    Gives one sentence if the disk has no room to do the latter, else an empty one. Nobody else may have the
    journal meanwhile (`journal.held`). Raises RecordError.
    """
    try:
        check_version(path, check_before_opening(path), SCHEMA_VERSION)
        tail = wal_tail(path)
        connection = connect(path, "mode=rw")
        try:
            connection.execute("PRAGMA synchronous = FULL")
            recover(path, connection, tail)
            connection.execute("BEGIN IMMEDIATE")
            for candidate in planned.go:
                _remove(connection, candidate.game)
            connection.execute("COMMIT")
            try:
                # The room between pages is given back, and with it goes what they held.
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                return f"{path}: its room was not given back: {error}; the next prune does it"
            return ""
        finally:
            connection.close()
    except FAULTS as error:
        raise RecordError(explain(path, error)) from error


def _remove(connection: sqlite3.Connection, game: Summary) -> None:
    last = connection.execute(
        "SELECT hash FROM entries WHERE game = ? ORDER BY seq DESC LIMIT 1", (game.number,)
    ).fetchone()
    result = msgspec.json.encode(game.result).decode()
    values = (game.number, game.entries, last[0], game.head, game.moves, result, wall_ns())
    connection.execute("INSERT INTO pruned VALUES(?, ?, ?, ?, ?, ?, ?)", values)
    connection.execute("DELETE FROM entries WHERE game = ?", (game.number,))
