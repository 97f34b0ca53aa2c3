"""That a move was synced before the first byte of it left: read from the calls of a daemon, in their order.

What a sync brought to the disk is asked of the disk, not of the daemon: after each sync, the files as they
are then promised (`disk.Disk.promised`) are opened as a journal and read.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.board import NAMES
from firmware_host.errors import RecordError
from firmware_host.referee.rulings import Moved
from firmware_host.service.journal_reader import JournalReader
from tests.crash.disk import Disk, Files
from tests.crash.io_order import Call, Op

POINT: Final = re.compile(rb'"([A-O](?:1[0-5]|[1-9]))"')
"""A point as every JSON output names it: moves, rulings, differences."""
NO_FILE: Final = ("socket:", "pipe:", "anon_inode:", "/dev/", "/proc/", "/sys/")
TERMINAL: Final = ("/out", "/err")
"""What a daemon of the nursery says at its start."""
TRACES: Final = ".trace."
"""Frames of the sensors, kept beside the journal: what lay on the board, not what is a move."""


class Leak(NamedTuple):
    """A move that left for `path` with call `left`, before call `synced`; None: it never was."""

    point: str
    path: str
    left: int
    synced: int | None


def check(calls: list[Call], folder: Path, journal: Path) -> tuple[list[Leak], dict[str, int]]:
    """The moves that left too early, and for each point to how many sockets and files it went.

    `folder`: an empty one, for copies of `journal`. A point is played once in these games.
    """
    synced: dict[str, int] = {}
    disk = Disk(journal.parent)
    for n, call in enumerate(calls):
        disk.take(call)
        if call.op is Op.SYNCED:
            for point in moves_in(disk.promised(), folder, journal.name):
                synced.setdefault(point, n)
    leaks, ways = [], dict.fromkeys(synced, 0)
    seen = set()
    for n, call in enumerate(calls):
        if call.op is not Op.OUT:
            continue
        for point in points_in(call, synced):
            if (point, call.path) not in seen:
                seen.add((point, call.path))
                ways[point] = ways.get(point, 0) + 1
                if synced.get(point, n) >= n:
                    leaks.append(Leak(point, call.path, n, synced.get(point)))
    return leaks, ways


def points_in(call: Call, played: dict[str, int]) -> list[str]:
    """The points that a call tells of; a file of another kind than JSON tells of the whole game.

    So does a PDF wherever it goes: in its bytes a point is there by chance.
    """
    if b"%PDF" in call.data or ".pdf" in call.path:
        return list(played)
    if call.path.startswith(NO_FILE) or call.path.endswith(".json"):
        return [name.decode() for name in POINT.findall(call.data)]
    return [] if TRACES in call.path or call.path.endswith(TERMINAL) else list(played)


def moves_in(files: Files, folder: Path, name: str) -> set[str]:
    """The points of all moves in a copy of a journal; none when it cannot be opened yet."""
    for each, data in files.items():
        (folder / each).write_bytes(data)
    try:
        with JournalReader.open(folder / name) as reader:
            entries = [entry for game in reader.games() for entry in reader.entries(game)]
    except RecordError:
        return set()
    finally:
        for left in folder.iterdir():
            left.unlink()
    rulings = [ruling for entry in entries for ruling in entry.rulings]
    return {NAMES[r.point] for r in rulings if isinstance(r, Moved) and r.point is not None}
