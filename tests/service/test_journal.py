"""The journal against real files, real full disks, real kills."""

import json
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from firmware_host.board import BLACK, parse_point
from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Command, Input, KeyPress, Tick
from firmware_host.referee.rulings import AnyRuling, Differs, Moved, Over, Pressed, Told
from firmware_host.referee.settings import MatchSettings
from firmware_host.sensing.events import Placed, Slid
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader

ROOT = Path(__file__).parents[2]
H8 = parse_point("H8")

STEPS: tuple[tuple[Input, tuple[AnyRuling, ...], int], ...] = (
    (Command(t_ns=0, do="start", by="chief"), (), 0),
    (Placed(t_ns=1, point=H8, colour=BLACK), (Moved(t_ns=1, n=1, point=H8, colour=BLACK),), 0),
    (KeyPress(t_ns=2, key="near"), (Pressed(t_ns=2, side=BLACK, running=BLACK.other, n=1),), 0),
    (Slid(t_ns=3, path=(H8, H8 + 1), colour=None, first_contact_ns=2), (Told(t_ns=3, code="late"),), 1),
    (Command(t_ns=4, do="note", text="裁判 ✓"), (Differs(t_ns=4, points=((H8, BLACK, "unknown"),)),), 0),
    (Tick(t_ns=5), (Over(t_ns=5, winner=None, result={BLACK: 0.5}, reason="agreement", line=(0, 224)),), 0),
)


def begin(journal: Journal) -> None:
    journal.begin_game(settings=MatchSettings(offers=3), sensors="linear", rules_version="7")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as journal:
        begin(journal)
        yield journal


def wait_until(condition: Callable[[], bool], timeout_s: float = 10.0) -> None:
    """For what only a disk or another process can bring about."""
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def run_python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """`code` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_what_was_written_is_read_back_as_it_was(journal: Journal) -> None:
    for number, step in enumerate(STEPS, 1):
        assert journal.append(*step).result(5) == number
    game = journal.last_game()
    assert game is not None
    assert game == journal.game
    assert (game.number, game.settings, game.rules_version) == (1, MatchSettings(offers=3), "7")
    entries = journal.entries(game)
    assert tuple((e.given, e.rulings, e.late_ns) for e in entries) == STEPS
    assert [(e.game, e.seq, e.t_ns) for e in entries] == [(1, n + 1, n) for n in range(6)]
    assert len({(e.boot_id, len(e.boot_id)) for e in entries}) == 1
    assert all(0 <= time.time_ns() - e.wall_ns < 60e9 for e in entries)


def test_after_a_restart_the_game_goes_on_and_a_new_one_has_the_next_number(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "journal.db"
    with Journal.open(path) as journal:
        assert journal.game is None
        assert journal.last_game() is None
        begin(journal)
        journal.append(Tick(t_ns=1), ())
        first = journal.game
    with Journal.open(path) as journal:
        assert journal.game == first
        assert journal.append(Tick(t_ns=2), ()).result(5) == 2
        begin(journal)
        assert journal.game is not None
        assert journal.game.number == 2
        assert journal.append(Tick(t_ns=3), ()).result(5) == 1
        assert [game.number for game in journal.reader.games()] == [1, 2]
        assert journal.notes == ()


def test_closing_writes_what_waits_and_then_takes_nothing(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db")
    begin(journal)
    waiting = [journal.append(Tick(t_ns=n), ()) for n in range(500)]
    journal.close()
    assert [done.result(0) for done in waiting] == list(range(1, 501))
    with pytest.raises(RecordError, match="the journal is closed"):
        journal.append(Tick(t_ns=1), ())
    journal.close()


def test_an_entry_needs_a_game(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "journal.db") as journal,
        pytest.raises(RecordError, match="an entry needs a game"),
    ):
        journal.append(Tick(t_ns=1), ())


def test_a_journal_can_be_read_while_it_is_written(journal: Journal) -> None:
    journal.append(*STEPS[1]).result(5)
    with JournalReader.open(journal.path) as reader:
        assert [e.given for e in reader.entries(reader.games()[0])] == [STEPS[1][0]]
        journal.append(*STEPS[2]).result(5)
        assert len(reader.entries(reader.games()[0])) == 2


# What is refused, and left as it is


def snapshot(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.endswith(".lock")}


def refusal(path: Path) -> str:
    """The sentence with which the journal refuses the file; nothing beside it may have changed."""
    before = snapshot(path.parent)
    with pytest.raises(RecordError) as refused:
        Journal.open(path)
    assert snapshot(path.parent) == before
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    for content in (b"", b"moves: h8 i9", b"SQLite format 3\0", os.urandom(5000)):
        path.write_bytes(content)
        assert "is not a journal" in refusal(path)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "journal.db").mkdir()
    with pytest.raises(RecordError, match=r"journal\.db is a folder"):
        Journal.open(tmp_path / "journal.db")


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE meta(schema_version)")
    other.close()
    assert "is a database of another program" in refusal(path)


@pytest.mark.parametrize("version", [0, 3, 99])
def test_a_journal_of_another_version_is_refused(tmp_path: Path, version: int) -> None:
    path = tmp_path / "journal.db"
    Journal.open(path).close()
    raw = path.read_bytes()
    path.write_bytes(raw[:60] + struct.pack(">I", version) + raw[64:])
    assert f"is a journal of version {version}; this program reads and writes version 2" in refusal(path)


def test_the_version_in_the_table_counts_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    Journal.open(path).close()
    other = sqlite3.connect(path)
    other.execute("UPDATE meta SET schema_version = 3")
    other.commit()
    other.close()
    assert "is a journal of version 3" in refusal(path)
    with pytest.raises(RecordError, match="is a journal of version 3"):
        JournalReader.open(path)


def test_a_damaged_page_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        for n in range(2000):
            journal.append(Tick(t_ns=n), ())
    raw = bytearray(path.read_bytes())
    for page in range(4, len(raw) // 4096):
        raw[page * 4096 : page * 4096 + 200] = os.urandom(200)
    path.write_bytes(raw)
    assert "the journal is damaged" in refusal(path)


def test_a_log_without_its_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        journal.append(*STEPS[1]).result(5)
        log = Path(f"{path}-wal").read_bytes()
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    Path(f"{path}-wal").write_bytes(log)
    assert "journal.db-wal beside it holds entries of it" in refusal(path)


def test_a_missing_journal_cannot_be_read_and_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no such journal"):
        JournalReader.open(tmp_path / "journal.db")
    assert list(tmp_path.iterdir()) == []


def test_a_second_daemon_is_told_who_has_the_journal(journal: Journal) -> None:
    code = (
        "import sys\nfrom firmware_host.service.journal import Journal\n"
        "try: Journal.open(sys.argv[1])\nexcept ValueError as error: print(error)"
    )
    said = run_python(code, journal.path).stdout
    assert f"is being written by another renju-board (process {os.getpid()})" in said
    assert journal.append(*STEPS[1]).result(5) == 1


def test_a_folder_that_cannot_be_written_is_refused_and_can_still_be_read(tmp_path: Path) -> None:
    """By a user who may not write there; root drops its rights to be one."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        journal.append(*STEPS[1])
    code = """
import os, sys
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader
if os.getuid() == 0: os.setuid(54321)
for path in (sys.argv[1], sys.argv[1] + ".d/journal.db"):
    try: Journal.open(path)
    except ValueError as error: print(error)
with JournalReader.open(sys.argv[1]) as reader: print(len(reader.entries(reader.last_game())))
try: JournalReader.open(sys.argv[1] + ".closed/journal.db")
except ValueError as error: print(error)
"""
    closed = Path(f"{path}.closed")
    closed.mkdir(0)
    Path(f"{path}.lock").unlink()
    for parent in [tmp_path, *tmp_path.parents]:
        if parent.stat().st_uid == os.getuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        done = run_python(code, path)
    finally:
        tmp_path.chmod(0o755)
        closed.chmod(0o755)
    assert done.stderr == ""
    first, second, entries, third = done.stdout.splitlines()
    assert "Permission denied; the journal needs a folder that this user may write" in first
    assert "Permission denied" in second
    assert entries == "1"
    assert f"{closed / 'journal.db'}: Permission denied" in third


# The disk fails while running


def test_a_full_disk_is_a_state_and_everything_is_written_when_there_is_room(tmp_path: Path) -> None:
    """A real limit on file size in a process of its own, lifted again."""
    code = """
import resource, sys, time
from firmware_host.referee.inputs import Command, Tick
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.journal import Journal
journal = Journal.open(sys.argv[1])
journal.begin_game(settings=MatchSettings(), sensors="linear", rules_version="1")
journal.append(Tick(t_ns=0), ()).result(5)
resource.setrlimit(resource.RLIMIT_FSIZE, (60000, resource.RLIM_INFINITY))
done = [journal.append(Command(t_ns=n, do="note", text="x" * 500), ()) for n in range(1, 400)]
while journal.state.word != "failed": time.sleep(0.005)
late = journal.append(Tick(t_ns=400), ())
time.sleep(0.3)
print(late.done(), done[-1].done(), journal.state.word, journal.state.waiting + sum(d.done() for d in done))
print(journal.state.sentence)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(late.result(10), journal.state)
journal.close()
"""
    path = tmp_path / "journal.db"
    done = run_python(code, path)
    assert done.stderr == ""
    waiting, sentence, after = done.stdout.splitlines()
    assert waiting == "False False failed 400"
    assert sentence.startswith(f"{path}: the disk ")
    assert re.search(r"; \d+ wait in memory$", sentence)
    assert after == "401 JournalState(word='ok', sentence='', waiting=0)"
    with JournalReader.open(path) as reader:
        assert [e.t_ns for e in reader.entries(reader.games()[0])] == list(range(401))


def test_a_new_journal_that_does_not_fit_leaves_nothing_behind(tmp_path: Path) -> None:
    code = """
import resource, sys
from firmware_host.service.journal import Journal
resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
try: Journal.open(sys.argv[1])
except ValueError as error: print(error)
"""
    path = tmp_path / "journal.db"
    done = run_python(code, path)
    assert done.stderr == ""
    assert done.stdout.startswith(f"{path}: the disk ")
    assert [p.name for p in tmp_path.iterdir()] == ["journal.db.lock"]
    Journal.open(path).close()


def test_closing_on_a_failing_disk_says_how_much_was_not_written(tmp_path: Path) -> None:
    code = """
import resource, sys
from firmware_host.referee.inputs import Command, Tick
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.journal import Journal
journal = Journal.open(sys.argv[1])
journal.begin_game(settings=MatchSettings(), sensors="linear", rules_version="1")
journal.append(Tick(t_ns=0), ()).result(5)
resource.setrlimit(resource.RLIMIT_FSIZE, (60000, resource.RLIM_INFINITY))
done = [journal.append(Command(t_ns=n, do="note", text="x" * 500), ()) for n in range(1, 400)]
try: journal.close(0.5)
except ValueError as error: print(error)
try: done[-1].result(0)
except ValueError as error: print(error)
print(sum(d.exception(0) is not None for d in done), sum(d.exception(0) is None for d in done))
"""
    path = tmp_path / "journal.db"
    done = run_python(code, path)
    assert done.stderr == ""
    closing, waiting, counts = done.stdout.splitlines()
    assert closing == waiting
    lost, kept = map(int, counts.split())
    assert lost > 100
    assert f"{lost} entries could not be written: " in closing
    with Journal.open(path) as journal:
        assert journal.game is not None
        assert len(journal.entries(journal.game)) == 1 + kept
        assert journal.append(Tick(t_ns=1), ()).result(5) == 2 + kept


def test_a_program_that_holds_the_file_is_waited_for(journal: Journal) -> None:
    journal.append(Tick(t_ns=0), ()).result(5)
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    waiting = [journal.append(Tick(t_ns=n), ()) for n in range(1, 50)]
    assert time.monotonic() - started < 0.5
    wait_until(lambda: journal.state.word == "failed")
    assert "another program holds it locked" in journal.state.sentence
    other.execute("ROLLBACK")
    other.close()
    assert [done.result(10) for done in waiting] == list(range(2, 51))
    assert journal.state.word == "ok"


def test_entries_of_a_foreign_hand_are_not_taken_for_ours(journal: Journal) -> None:
    journal.append(Tick(t_ns=0), ()).result(5)
    other = sqlite3.connect(journal.path)
    other.execute(
        "INSERT INTO entries SELECT game, 2, 77, boot_id, 0, 0, input, rulings, 0, hash FROM entries"
    )
    other.commit()
    waiting = journal.append(Tick(t_ns=1), ())
    wait_until(lambda: journal.state.word == "failed")
    assert "another program has written to it" in journal.state.sentence
    assert not waiting.done()
    other.execute("DELETE FROM entries WHERE t_ns = 77")
    other.commit()
    other.close()
    assert waiting.result(10) == 2


def test_a_row_that_an_earlier_try_brought_to_the_disk_is_not_written_twice(journal: Journal) -> None:
    other = sqlite3.connect(journal.path, isolation_level=None)
    journal.append(Tick(t_ns=0), ()).result(5)
    other.execute("BEGIN IMMEDIATE")
    waiting = journal.append(Tick(t_ns=1), ())
    wait_until(lambda: journal.state.word == "failed")
    (item,) = journal._batch
    other.execute(item.table.insert, item.values)
    other.execute("COMMIT")
    other.close()
    assert waiting.result(10) == 2
    assert journal.game is not None
    assert [e.t_ns for e in journal.entries(journal.game)] == [0, 1]


def test_a_journal_that_is_moved_away_while_in_use_is_missed_at_once(journal: Journal) -> None:
    journal.append(Tick(t_ns=0), ()).result(5)
    away = journal.path.with_name("away.db")
    journal.path.rename(away)
    waiting = journal.append(Tick(t_ns=1), ())
    wait_until(lambda: journal.state.word == "failed")
    assert "was moved or replaced while in use; put it back" in journal.state.sentence
    assert not journal.path.exists()
    away.rename(journal.path)
    assert waiting.result(10) == 2


# What a kill or a loss of power leaves behind


def test_the_end_cut_off_at_any_byte_leaves_a_synced_beginning_or_says_why(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    ends: dict[int, int] = {}
    with Journal.open(path) as journal:
        begin(journal)
        for step in STEPS * 3:
            seq = journal.append(*step).result(5)
            ends[Path(f"{path}-wal").stat().st_size] = seq
        whole, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    given = [step[0] for step in STEPS * 3]
    chance = random.Random(5)  # noqa: S311
    cuts = sorted({0, 1, 31, 32, 33, 40, len(log), *ends, *(chance.randrange(len(log)) for _ in range(40))})
    folder = tmp_path / "cut"
    for cut in cuts:
        folder.mkdir()
        copy = folder / "journal.db"
        copy.write_bytes(whole)
        Path(f"{copy}-wal").write_bytes(log[:cut])
        with Journal.open(copy) as journal:
            entries = [] if journal.game is None else journal.entries(journal.game)
            synced = max((seq for end, seq in ends.items() if end <= cut), default=0)
            assert [e.given for e in entries] == given[:synced], cut
            assert bool(journal.notes) == (cut not in (0, 32, *ends)), (cut, journal.notes)
            if journal.game is not None:
                assert journal.append(Tick(t_ns=9), ()).result(5) == synced + 1
        shutil.rmtree(folder)


def test_a_damaged_log_is_told_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        for step in STEPS:
            journal.append(*step).result(5)
        whole, log = path.read_bytes(), bytearray(Path(f"{path}-wal").read_bytes())
    log[len(log) // 2] ^= 0x10
    path.write_bytes(whole)
    Path(f"{path}-wal").write_bytes(log)
    with Journal.open(path) as journal:
        (note,) = journal.notes
        assert "the newest entries are missing; the log is kept as journal.db-wal.damaged-" in note
        assert journal.game is not None
        kept = [e.given for e in journal.entries(journal.game)]
        assert kept == [step[0] for step in STEPS][: len(kept)]
    (copy,) = tmp_path.glob("*.damaged-*")
    assert copy.read_bytes() == log


def test_missing_entries_are_told(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        for n in range(9):
            journal.append(Tick(t_ns=n), ())
    other = sqlite3.connect(path)
    other.execute("DELETE FROM entries WHERE seq IN (1, 4, 5)")
    other.commit()
    other.close()
    with Journal.open(path) as journal:
        assert [note.removeprefix(f"{path}: ") for note in journal.notes] == [
            "entries 1 to 1 of game 1 are missing",
            "entries 4 to 5 of game 1 are missing",
        ]
        assert journal.append(Tick(t_ns=9), ()).result(5) == 10


@pytest.mark.parametrize(
    ("column", "text"),
    [("input", '{"event":"telepathy","t_ns":1}'), ("input", "{"), ("rulings", '[{"ruling":"move"}]')],
)
def test_an_entry_that_cannot_be_read_is_named(tmp_path: Path, column: str, text: str) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        begin(journal)
        journal.append(Tick(t_ns=1), ())
    other = sqlite3.connect(path)
    other.execute(f"UPDATE entries SET {column} = ?", (text,))  # noqa: S608
    other.commit()
    other.close()
    with JournalReader.open(path) as reader:
        (game,) = reader.games()
        with pytest.raises(RecordError, match="entry 1 of game 1 cannot be read: "):
            reader.entries(game)


KILLER = """
import json, os, random, select, signal, sys, time
from firmware_host.referee.inputs import Command
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.journal import Journal

def write(life, out):
    with Journal.open(sys.argv[1]) as journal:
        if journal.game is None:
            journal.begin_game(settings=MatchSettings(), sensors="linear", rules_version="1")
        chance, n = random.Random(life), 0
        while True:
            waiting = []
            for _ in range(chance.randrange(1, 30)):
                n += 1
                size = chance.randrange(3000)
                waiting.append(journal.append(Command(t_ns=n, do="note", text=f"{life} " + "x" * size), ()))
            for done in waiting:
                os.write(out, b"%d\\n" % done.result())

acknowledged, chance = [], random.Random(int(sys.argv[2]))
for life in range(20):
    read, out = os.pipe()
    child = os.fork()
    if not child:
        write(life, out)
    os.close(out)
    if life % 3:
        select.select([read], [], [], 20)
    time.sleep(chance.uniform(0.0, 0.08))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(read) as said:
        acknowledged.append([int(line) for line in said.read().split("\\n")[:-1]])
print(json.dumps(acknowledged))
"""


def test_twenty_kills_lose_nothing_that_was_acknowledged_and_invent_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    done = run_python(KILLER, path, 11)
    assert done.stderr == ""
    acknowledged = json.loads(done.stdout)
    assert sum(map(bool, acknowledged)) >= 13
    with Journal.open(path) as journal:
        assert journal.game is not None
        entries = journal.entries(journal.game)
        assert [e.seq for e in entries] == list(range(1, len(entries) + 1))
    lives = [int(str(msgspec.structs.asdict(e.given)["text"]).split()[0]) for e in entries]
    assert lives == sorted(lives)
    for life, seqs in enumerate(acknowledged):
        mine = [e for e, of in zip(entries, lives, strict=True) if of == life]
        assert [e.t_ns for e in mine] == list(range(1, len(mine) + 1))
        assert seqs == [e.seq for e in mine[: len(seqs)]]
