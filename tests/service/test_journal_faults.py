"""Disks that fill up or turn read-only, files that others hold or damage, while a daemon writes: real ones.

Each is a state that is told, the entries wait in memory in order, and are written when the disk takes them.
"""

import contextlib
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Command, Tick
from firmware_host.service import journal_waiting
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_repair import repair
from firmware_host.service.journal_verify import verify
from tests.programs import started
from tests.service.journals import FREE, rows_of, write_games

ROOT = Path(__file__).parents[2]


def may_mount() -> bool:
    """Whether this process may have real disks of its own; else a limit on the size of files does."""
    if os.getuid():
        return False
    with tempfile.TemporaryDirectory() as folder:
        order = ["mount", "-t", "tmpfs", "none", folder]
        if subprocess.run(order, check=False, capture_output=True).returncode:
            return False
        subprocess.run(["umount", folder], check=True)
    return True


MOUNTS = may_mount()


def wait_until(condition: Callable[[], bool], timeout_s: float = 20.0) -> None:
    """For what only a disk or another process can bring about."""
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


class Disk:
    """A folder on a disk that can be filled and emptied again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ballast = folder / "ballast"

    def fill(self) -> None:
        if not MOUNTS:
            _limit_files(200_000)
            return
        with contextlib.suppress(OSError), self.ballast.open("wb") as file:
            while True:
                os.write(file.fileno(), bytes(4096))

    def empty(self) -> None:
        if MOUNTS:
            self.ballast.unlink()
        else:
            _limit_files(resource.RLIM_INFINITY)


def _limit_files(size: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if MOUNTS:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", folder], check=True)
    try:
        yield Disk(folder)
    finally:
        _limit_files(resource.RLIM_INFINITY)
        signal.signal(signal.SIGXFSZ, before)
        if MOUNTS:
            subprocess.run(["umount", folder], check=True)


class Stopped:
    """A disk that takes nothing any more: ext4 after an error, or a limit on the size of files."""

    def __init__(self, folder: Path, image: Path) -> None:
        self.folder = folder
        self.image = image
        self.mounts = MOUNTS
        if MOUNTS:
            image.write_bytes(b"")
            os.truncate(image, 8 << 20)
            subprocess.run(["mkfs.ext4", "-q", image], check=True)
            self.mounts = not self._mount()

    def _mount(self) -> int:
        order = ["mount", "-o", "loop", self.image, self.folder]
        return subprocess.run(order, check=False, capture_output=True).returncode

    def stop(self) -> None:
        if self.mounts:
            subprocess.run(["mount", "-o", "remount,abort", self.folder], check=True)
        else:
            _limit_files(8192)

    def mount(self) -> None:
        if self.mounts:
            subprocess.run(["umount", self.folder], check=True)
            subprocess.run(["fsck.ext4", "-y", self.image], check=False, capture_output=True)
            assert self._mount() == 0
        else:
            _limit_files(resource.RLIM_INFINITY)

    def close(self) -> None:
        _limit_files(resource.RLIM_INFINITY)
        if self.mounts:
            subprocess.run(["umount", self.folder], check=True)


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[Stopped]:
    folder = tmp_path / "disk"
    folder.mkdir()
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    disk = Stopped(folder, tmp_path / "image")
    try:
        yield disk
    finally:
        disk.close()
        signal.signal(signal.SIGXFSZ, before)


def begin(journal: Journal) -> None:
    journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)


def note(n: int) -> Command:
    return Command(t_ns=n, do="note", text="x" * 900)


def sound(path: Path) -> None:
    with JournalReader.open(path) as reader:
        assert [said.sentence for said in verify(reader, rulings=False) if said.wrong] == []


def test_a_disk_that_fills_up_and_has_room_again(disk: Disk) -> None:
    path = disk.folder / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        journal.append(note(1), ()).result(5)
        disk.fill()
        waiting = [journal.append(note(n), ()) for n in range(2, 302)]
        wait_until(lambda: journal.state.word == "failed")
        sentence = journal.state.sentence
        assert str(path) in sentence
        assert "the disk is full; free some space" in sentence or "the disk does not take" in sentence
        assert " wait in memory" in sentence
        assert not waiting[-1].done()
        disk.empty()
        assert waiting[-1].result(20) == 301
        assert journal.state == ("ok", "", 0)
        assert [e.t_ns for e in journal.entries(journal.reader.games()[0])] == list(range(1, 302))
    sound(path)


def test_on_a_full_disk_nothing_is_begun_and_nothing_left_behind(disk: Disk) -> None:
    disk.fill()
    if not MOUNTS:
        _limit_files(6000)
    with pytest.raises(RecordError, match=r"the disk is full|the disk does not take|No space left"):
        Journal.open(disk.folder / "journal.db")
    assert {p.name for p in disk.folder.iterdir()} <= {"ballast", "journal.db.lock"}


def test_a_journal_of_the_old_version_on_a_full_disk_stays_what_it_was(disk: Disk) -> None:
    shutil.copytree(ROOT / "tests" / "data" / "journal-v1", disk.folder, dirs_exist_ok=True)
    path = disk.folder / "journal.db"
    disk.fill()
    if not MOUNTS:
        _limit_files(12_000)
    with pytest.raises(RecordError, match=r"the disk is full|the disk does not take|No space left"):
        Journal.open(path)
    disk.empty()
    with Journal.open(path) as journal:
        assert [len(journal.entries(game)) for game in journal.reader.games()] == [20, 2]


@contextlib.contextmanager
def read_only(disk: Disk) -> Iterator[None]:
    if MOUNTS:
        subprocess.run(["mount", "-o", "remount,ro", disk.folder], check=True)
        yield
        subprocess.run(["mount", "-o", "remount,rw", disk.folder], check=True)
    else:
        disk.folder.chmod(0o555)
        yield
        disk.folder.chmod(0o755)


def test_on_a_read_only_disk_a_journal_is_read_and_repaired_and_not_opened(
    disk: Disk, tmp_path: Path
) -> None:
    path = disk.folder / "journal.db"
    write_games(path, 2)
    (disk.folder / "journal.db.lock").unlink()
    with read_only(disk):
        with pytest.raises(RecordError, match="the journal needs a folder that this user may write"):
            Journal.open(path)
        sound(path)
        order = ["journal", "repair", "--journal", str(path)]
        refused = CliRunner().invoke(main, order)
        assert refused.exit_code == 2
        assert str(disk.folder / "journal.repaired.db") in refused.output
        assert CliRunner().invoke(main, ["journal", "prune", "--yes", "1", *order[2:]]).exit_code == 2
        assert CliRunner().invoke(main, [*order, "--to", str(tmp_path / "new.db")]).exit_code == 0
    assert rows_of(tmp_path / "new.db") == rows_of(path)


def test_a_disk_that_the_kernel_stops_writing_to(failing: Stopped) -> None:
    """What is on its way is counted and told; what was synced is there when the disk is mounted again."""
    path = failing.folder / "journal.db"
    journal = Journal.open(path)
    begin(journal)
    journal.append(note(1), ()).result(5)
    failing.stop()
    waiting = [journal.append(note(n), ()) for n in range(2, 200)]
    wait_until(lambda: journal.state.word == "failed")
    assert str(path) in journal.state.sentence
    assert "read-only" in journal.state.sentence or "the disk does not take" in journal.state.sentence
    assert "198 wait in memory" in journal.state.sentence
    with pytest.raises(RecordError, match="198 entries could not be written"):
        journal.close(0.5)
    assert all(done.exception(0) for done in waiting)
    failing.mount()
    with Journal.open(path) as journal:
        assert journal.append(Tick(t_ns=9), ()).result(5) == 2
    sound(path)


HOLDER = """
import sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.readline()
file.execute("ROLLBACK")
"""


def test_another_process_that_holds_the_file_is_named_and_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        journal.append(note(1), ()).result(5)
        with started([sys.executable, "-c", HOLDER, str(path)]) as holder:
            assert holder.stdin is not None
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            waiting = [journal.append(note(n), ()) for n in range(2, 12)]
            wait_until(lambda: journal.state.word == "failed")
            assert "another program holds it locked; close that program; 10 wait" in journal.state.sentence
            holder.stdin.write("\n")
            holder.stdin.flush()
            assert [done.result(20) for done in waiting] == list(range(2, 12))
        assert journal.state.word == "ok"
    sound(path)


def test_a_page_that_is_damaged_under_a_running_daemon(tmp_path: Path) -> None:
    """The file cannot take more: that is told, what waits is counted, and repair saves what was synced."""
    path = tmp_path / "journal.db"
    write_games(path, 30)
    journal = Journal.open(path)
    begin(journal)
    journal.append(note(1), ()).result(5)
    with path.open("r+b") as file:
        for page in range(2, path.stat().st_size // 4096):
            file.seek(page * 4096)
            file.write(b"\xff" * 16)
    journal._connection.execute("PRAGMA shrink_memory")
    waiting = [journal.append(note(n), ()) for n in range(2, 5)]
    wait_until(lambda: journal.state.word == "failed")
    assert "the journal is damaged" in journal.state.sentence
    assert "`renju-board journal repair`" in journal.state.sentence
    assert journal.state.waiting == 3
    with pytest.raises(RecordError, match=r"3 entries could not be .*; they are kept in journal\.db\."):
        journal.close(0.2)
    assert all(done.exception(0) for done in waiting)
    done = repair(path)
    assert done.missing == ()
    with Journal.open(done.path) as journal:
        assert [game.number for game in journal.reader.games()] == list(range(1, 32))
        assert journal.append(Tick(t_ns=5), ()).result(5) == 5
    sound(done.path)


def left_waiting(path: Path) -> Path:
    """A journal whose daemon ended while another program held it; where its last three entries are."""
    journal = Journal.open(path)
    begin(journal)
    journal.append(note(1), ()).result(5)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for n in range(2, 5):
        journal.append(note(n), ())
    with pytest.raises(RecordError, match="3 entries could not be written"):
        journal.close(0.2)
    other.close()
    (kept,) = path.parent.glob("*.waiting-*")
    return kept


def test_what_waited_when_the_daemon_ended_is_taken_in_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    kept = left_waiting(path)
    with Journal.open(path) as journal:
        assert journal.notes == (
            f"{path}: 3 entries that had waited for the disk were taken from {kept.name}",
        )
        assert [e.t_ns for e in journal.entries(journal.reader.games()[0])] == [1, 2, 3, 4]
        assert journal.append(Tick(t_ns=5), ()).result(5) == 5
    sound(path)
    assert not kept.exists()
    kept.with_suffix(".taken").rename(kept)
    with Journal.open(path) as journal:
        (note_,) = journal.notes
        assert note_.endswith("does not follow its last entry; it is left there")
        assert len(journal.entries(journal.reader.games()[0])) == 5
    sound(path)


def test_what_waited_and_was_changed_or_cut_short_is_taken_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    kept = left_waiting(path)
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b"xxx", b"xyx", 1))
    with Journal.open(path) as journal:
        assert "does not follow its last entry" in journal.notes[0]
        assert len(journal.entries(journal.reader.games()[0])) == 1
    kept.write_bytes(whole[:-40])
    with Journal.open(path) as journal:
        assert "2 entries that had waited" in journal.notes[0]
        assert journal.notes[0].endswith("; 1 more line of it cannot be read")
        assert [e.t_ns for e in journal.entries(journal.reader.games()[0])] == [1, 2, 3]
    sound(path)


def test_what_waited_is_not_lost_to_a_later_end_at_the_same_time_of_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board without a clock of its own begins each day at the same time."""
    monkeypatch.setattr(journal_waiting, "wall_ns", lambda: 5_000_000_000)
    path = tmp_path / "journal.db"
    rows = [("entries", (1, n, *[0] * 8)) for n in (1, 2)]
    first, second = (journal_waiting.keep(path, [row]) for row in rows)
    assert first is not None
    assert second is not None
    assert [journal_waiting.read(kept) for kept in journal_waiting.files(path)] == [
        ([row], 0) for row in rows
    ]


def test_lines_that_waited_and_cannot_be_read_are_told_by_repair(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    kept = left_waiting(path)
    kept.write_bytes(kept.read_bytes()[:-40])
    done = repair(path)
    assert f"1 line of {kept.name} cannot be read" in done.missing
    with JournalReader.open(done.path) as reader:
        assert reader.count(reader.games()[0]) == 3


def test_a_disk_that_is_full_when_what_waited_is_taken_in_is_said(disk: Disk) -> None:
    path = disk.folder / "journal.db"
    journal = Journal.open(path)
    begin(journal)
    journal.append(note(1), ()).result(5)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    big = [journal.append(note(n), ()) for n in range(2, 500)]
    with pytest.raises(RecordError, match="498 entries could not be written"):
        journal.close(0.2)
    other.close()
    disk.fill()
    try:
        with pytest.raises(RecordError, match=r"the disk is full|does not take or give data"):
            Journal.open(path)
    finally:
        disk.empty()
    with Journal.open(path) as journal:
        assert journal.reader.last_seq(journal.reader.games()[0]) == len(big) + 1
    sound(path)
