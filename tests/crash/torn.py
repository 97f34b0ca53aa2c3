"""Copies of a journal as crashes leave it, each opened and compared with what was appended and told."""

import random
import re
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.errors import RecordError
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_rows import Entry, Game
from tests.crash.disk import Disk, Files, in_memory
from tests.crash.io_order import Call, Op, environment, read_log
from tests.preloaded import ROOT

LIVES: Final = ("kill", "close", "kill", "close")
TOLD: Final = re.compile(rb"told (\d+) (\d+)\n")

Content = dict[int, tuple[Game, list[Entry]]]
"""Game number -> the game and its entries."""


class Recording(NamedTuple):
    """What programs did to a journal in `folder`, and what it held at the end.

    `before`: the files that lay there, with the newest entry of them as `told`: (game, seq).
    """

    folder: Path
    calls: list[Call]
    content: Content
    before: Files = {}  # noqa: RUF012 - never changed
    told: tuple[int, int] = (0, 0)


def record(
    folder: Path, seed: int, entries: int, lives: Sequence[str] = LIVES, **watched: object
) -> Recording:
    """Programs that live one after another and append to one journal, `entries` each.

    `watched`: more settings of the library that watches them.
    """
    path = folder / "journal.db"
    environ = {**environment(path, log=folder / "calls", **watched), "PYTHONPATH": str(ROOT)}
    for n, end in enumerate(lives):
        command = [sys.executable, "-m", "tests.crash.appender", path, str(seed + n), str(entries), end]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=120)
        assert done.returncode == {"kill": -9, "close": 0}[end], done.stderr
    return Recording(folder, read_log(folder / "calls"), content_of(path))


def record_take_over(folder: Path, old: Path) -> Recording:
    """A program that opens a journal of an older version, which is in the folder `old`."""
    before = {file.name: file.read_bytes() for file in old.iterdir() if file.name.startswith("journal.db")}
    for name, data in before.items():
        (folder / name).write_bytes(data)
    calls, content = record(folder, 1, 0, ("close",))[1:3]
    game, entries = max((number, len(entries)) for number, (_, entries) in content.items() if entries)
    return Recording(folder, calls, content, before, (game, entries))


def content_of(path: Path) -> Content:
    """All that a journal holds; raises RecordError."""
    with JournalReader.open(path) as reader:
        return {game.number: (game, reader.entries(game)) for game in reader.games()}


class Copy(NamedTuple):
    """The files of a journal after the first `step` calls, and what had been told by then: (game, seq)."""

    what: str
    step: int
    files: Files
    told: tuple[int, int]


def steps(recording: Recording) -> Iterator[tuple[int, Call, Disk, tuple[int, int]]]:
    """The disk after each call, and the newest entry that had been told."""
    disk, told = Disk(recording.folder, recording.before), recording.told
    for n, call in enumerate(recording.calls):
        for game, seq in TOLD.findall(call.data) if call.op is Op.OUT else ():
            told = int(game), int(seq)
        disk.take(call)
        yield n, call, disk, told


def copies(recording: Recording, chance: random.Random, cuts: int, share: float) -> Iterator[Copy]:
    """The journal at every step: as written, as promised, and `cuts` times as a power cut may leave it.

    And one of its files with an arbitrary byte as its last. `share`: of all these copies only
    so many (0 to 1), drawn evenly.
    """
    for n, call, disk, told in steps(recording):
        if call.op is Op.OUT:
            continue
        if chance.random() < share:
            yield Copy("killed", n, disk.as_written(), told)
        if call.op is Op.SYNCED and chance.random() < share:
            yield Copy("promised", n, disk.promised(), told)
        for _ in range(cuts):
            if chance.random() < share:
                yield Copy("power cut", n, disk.after_a_power_cut(chance), told)
        if chance.random() < share:
            written = disk.as_written()
            names = [name for name in ("journal.db", "journal.db-wal") if written.get(name)]
            if names:
                name = chance.choice(names)
                end = chance.randrange(len(written[name]))
                yield Copy(f"{name} truncated", n, written | {name: written[name][:end]}, told)


class Verdict(NamedTuple):
    """What became of a copy: `whole`, all that was told is there, `short`, less, `refused`; what is wrong."""

    word: str
    sentences: tuple[str, ...]
    wrong: str


def judge(copy: Copy, content: Content, folder: Path, *, writing: bool) -> Verdict:
    """Open a copy in an empty folder, to write (as the daemon does) or to read, and compare.

    A crash may take nothing that was told. A file that was cut by force may lose it, but then a sentence says
    so, and what is left is of what was appended all the same; runs that are missing in between can be asked
    for (`JournalReader.gaps`).
    """
    path = folder / "journal.db"
    for name, data in copy.files.items():
        (folder / name).write_bytes(data)
    notes: tuple[str, ...] = ()
    try:
        if writing:
            with Journal.open(path) as journal:
                notes = journal.notes
        found = content_of(path)
    except RecordError as error:
        return _verdict(copy, "refused", (str(error),), "")
    finally:
        for left in folder.iterdir():
            left.unlink()
    wrong = _not_appended(found, content)
    gaps = _gaps(found)
    if gaps and "truncated" not in copy.what:
        wrong = wrong or f"entries of game {gaps[0]} are missing"
    number, seq = copy.told
    held = len(found[number][1]) if number in found else 0
    word = "whole" if held >= seq else "short"
    if word == "short" and writing and not notes and not _ends_whole(copy.files.get("journal.db-wal", b"")):
        wrong = wrong or "entries are missing, and no sentence says so"
    return _verdict(copy, word, notes, wrong)


def _not_appended(found: Content, content: Content) -> str:
    """What stands in a copy that was never appended."""
    for number, (game, entries) in found.items():
        if number not in content or game != content[number][0]:
            return f"game {number} was never begun: {game}"
        appended = {entry.seq: entry for entry in content[number][1]}
        if any(entry != appended.get(entry.seq) for entry in entries):
            return f"game {number} has an entry that was never appended"
    return ""


def _gaps(found: Content) -> list[int]:
    """The games in which entries are missing before the last one: `JournalReader.gaps` tells which."""
    return [number for number, (_, entries) in found.items() if entries and entries[-1].seq != len(entries)]


def _ends_whole(log: bytes) -> bool:
    """Whether a write-ahead log ends with a transaction: what came after it has left no trace.

    Source: SQLite file format 4.1: a header of 32 bytes with the page size at 8, then frames of 24 bytes and
    a page; bytes 4 to 7 of a frame are not zero at the end of a transaction.
    """
    if len(log) < 32:
        return not log
    frame = 24 + int(struct.unpack_from(">I", log, 8)[0])
    frames, rest = divmod(len(log) - 32, frame)
    return not rest and (not frames or log[-frame + 4 : -frame + 8] != bytes(4))


def _verdict(copy: Copy, word: str, sentences: tuple[str, ...], wrong: str) -> Verdict:
    if any("\n" in sentence or "journal" not in sentence for sentence in sentences):
        wrong = wrong or "no sentence"
    if "truncated" not in copy.what and word != "whole" and copy.told != (0, 0):
        wrong = wrong or f"{word}, and entry {copy.told[1]} of game {copy.told[0]} had been told"
    return Verdict(word, sentences, f"{copy.what} at call {copy.step}: {wrong}; {sentences}" if wrong else "")


def try_all(
    recording: Recording, seed: int, cuts: int, share: float = 1.0
) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Judge copies (see `copies`); how many became what, and all that is wrong.

    Each other one is opened to read alone, but for those of an older version: they are taken over first.
    """
    count: Counter[tuple[str, str]] = Counter()
    wrong = []
    with in_memory() as folder:
        for n, copy in enumerate(copies(recording, random.Random(seed), cuts, share)):  # noqa: S311
            writing = bool(recording.before) or n % 2 == 0
            verdict = judge(copy, recording.content, folder, writing=writing)
            count[copy.what, verdict.word] += 1
            if verdict.wrong:
                wrong.append(verdict.wrong)
    return count, wrong


def report(count: Counter[tuple[str, str]]) -> str:
    """Copies by how they were made, and what became of them."""
    words = ("whole", "short", "refused")
    made = sorted({what for what, _ in count})
    rows = [("opened", *words), *((what, *(str(count[what, word]) for word in words)) for what in made)]
    return "\n".join(f"{row[0]:24}" + "".join(f"{cell:>9}" for cell in row[1:]) for row in rows)
