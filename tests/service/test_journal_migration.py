"""A journal of version 1, written by the program of that time, becomes one of this version."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.errors import RecordError
from firmware_host.record.header import Person
from firmware_host.referee.inputs import Tick
from firmware_host.service import journal_migration
from firmware_host.service.game import record_of
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_verify import verify

ROOT = Path(__file__).parents[2]
OLD = ROOT / "tests" / "data" / "journal-v1"
"""Game 1 with a five is in the file, game 2, adjourned, only in its write-ahead log."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    for name in ("journal.db", "journal.db-wal"):
        shutil.copyfile(OLD / name, tmp_path / name)
    return tmp_path / "journal.db"


def old_rows(path: Path) -> list[tuple[object, ...]]:
    file = sqlite3.connect(path)
    rows = file.execute("SELECT * FROM entries ORDER BY game, seq").fetchall()
    file.close()
    return rows


def test_games_and_entries_are_carried_over_chained_and_go_on(old: Path, tmp_path: Path) -> None:
    with Journal.open(old) as journal:
        (note,) = journal.notes
        assert note == (
            f"{old}: its 2 games were taken over from version 1; the old file is kept as journal.db.v1"
        )
        first, second = journal.reader.games()
        assert (first.header.first, first.header.second) == (Person(name="林 ✓"), Person(name="Ōta"))
        assert (first.header.event, first.header.round, first.header.table) == ("春季赛", 2, "3")
        assert (first.header.id, first.header.date[:10]) == (first.id, "2026-11-30")
        record = record_of(first, journal.entries(first))
        assert len(record.moves) == 9
        assert record.result is not None
        assert record.result.reason == "five"
        assert journal.game == second
        assert journal.append(Tick(t_ns=9_000_000_000), ()).result(5) == 3
        with JournalReader.open(old) as reader:
            said = list(verify(reader))
    assert [each.sentence for each in said if each.wrong] == []
    assert (
        said[-1].sentence == "games 1 to 2 were taken over from an older journal: the chain holds since then"
    )
    taken = [row[:-1] for row in old_rows(old)]
    assert old_rows(tmp_path / "journal.db.v1") == taken[:-1]
    assert len(taken) > 20
    with Journal.open(old) as journal:
        assert journal.notes == ()


def test_reading_alone_takes_nothing_over_and_says_how(old: Path) -> None:
    before = old.read_bytes()
    with pytest.raises(
        RecordError, match=r"is a journal of version 1; `renju-board run` makes one of version 2"
    ):
        JournalReader.open(old)
    assert old.read_bytes() == before


def test_an_empty_journal_of_version_1_is_taken_over_too(old: Path, tmp_path: Path) -> None:
    file = sqlite3.connect(old)
    file.executescript("DELETE FROM entries; DELETE FROM games")
    file.close()
    with Journal.open(old) as journal:
        assert journal.game is None
        assert "its 0 games were taken over" in journal.notes[-1]


def test_while_another_program_reads_it_nothing_is_taken_over(old: Path, tmp_path: Path) -> None:
    other = sqlite3.connect(old)
    other.execute("SELECT * FROM games").fetchall()
    with pytest.raises(RecordError, match="another program holds it locked; close that program"):
        Journal.open(old)
    assert len(other.execute("SELECT * FROM games").fetchall()) == 2
    other.close()
    assert not [
        p.name for p in tmp_path.iterdir() if p.name.startswith("journal.db.") and "lock" not in p.name
    ]
    with Journal.open(old) as journal:
        assert "taken over" in journal.notes[-1]


def test_a_damaged_one_is_refused_and_left(old: Path, tmp_path: Path) -> None:
    with sqlite3.connect(old) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
    raw = bytearray(old.read_bytes())
    at = raw.rindex(b'{"event"')
    raw[at // 4096 * 4096 : at // 4096 * 4096 + 12] = b"\xff" * 12
    old.write_bytes(raw)
    with pytest.raises(RecordError, match=r"the journal is damaged .*journal repair"):
        Journal.open(old)
    assert old.read_bytes()[4096:] == raw[4096:]
    assert not (tmp_path / "journal.db.v1").exists()


STOPPED = """
import os, sys
from pathlib import Path
from firmware_host.service import journal_file, journal_migration
from firmware_host.service.journal import Journal
left = [int(sys.argv[2])]
def counted(name, call):
    def counting(*given, **named):
        if not left[0]:
            os._exit(9)
        left[0] -= 1
        return call(*given, **named)
    return counting
for module, name in ((os, "link"), (os, "fsync"), (Path, "rename"), (Path, "unlink")):
    setattr(module, name, counted(name, getattr(module, name)))
Journal.open(sys.argv[1]).close()
"""


def test_stopped_at_any_step_it_is_whole_the_old_or_the_new(tmp_path: Path) -> None:
    for step in range(40):
        folder = tmp_path / str(step)
        shutil.copytree(OLD, folder)
        path = folder / "journal.db"
        code = subprocess.run(
            [sys.executable, "-c", STOPPED, str(path), str(step)], cwd=ROOT, timeout=60, check=False
        ).returncode
        assert code in (0, 9)
        with Journal.open(path) as journal:
            assert [len(journal.entries(game)) for game in journal.reader.games()] == [20, 2]
            assert list(map(bool, journal.notes)) in ([], [True])
        names = {p.name for p in folder.iterdir()}
        assert names == {"journal.db", "journal.db.lock", "journal.db.v1"}
        assert len(old_rows(folder / "journal.db.v1")) == 22
        if code == 0:
            break
    assert 4 < step < 39


def test_where_a_file_has_one_name_only_it_is_copied(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(journal_migration.os, "link", refuse)
    Journal.open(old).close()
    kept = old.with_name("journal.db.v1")
    assert kept.stat().st_ino != old.stat().st_ino
    assert len(old_rows(kept)) == 22
    assert os.stat(kept).st_nlink == 1


def test_a_kept_file_is_never_written_over(old: Path) -> None:
    old.with_name("journal.db.v1").write_text("another")
    with Journal.open(old) as journal:
        assert journal.notes[-1].endswith("kept as journal.db.v1-2")
    assert old.with_name("journal.db.v1").read_text() == "another"
