"""Damage of every kind to real files: what can be read is there, what is missing is named."""

import random
import shutil
import struct
from pathlib import Path

import pytest

from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Command, Tick
from firmware_host.referee.match import Referee
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_repair import Repaired, repair
from firmware_host.service.journal_verify import verify
from firmware_host.service.sqlite_pages import frames, records
from tests.service.journals import FREE, STEPS, rows_of, write_games

LONG = (*STEPS, *(Command(t_ns=(6 + n) * 1_000_000_000, do="note", text="弈" * 80 * n) for n in range(9)))
"""Some of these notes are longer than a page."""
Rows = list[tuple[object, ...]]
OLD = Path(__file__).parents[1] / "data" / "journal-v1"


@pytest.fixture(scope="module")
def in_use(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal and its log as they lie there while a daemon runs."""
    folder = tmp_path_factory.mktemp("journal")
    path = folder / "journal.db"
    write_games(path, 6)
    with Journal.open(path):
        pass  # everything so far is in the file itself
    with Journal.open(path) as journal:
        for _ in range(2):
            journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
            referee = Referee(FREE)
            for step in LONG:
                journal.append(step, referee.rule(step)).result(5)
        (folder / "copy").mkdir()
        for name in ("journal.db", "journal.db-wal"):
            shutil.copyfile(folder / name, folder / "copy" / name)
    return folder / "copy"


@pytest.fixture(scope="module")
def truth(in_use: Path, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    folder = tmp_path_factory.mktemp("truth")
    shutil.copytree(in_use, folder, dirs_exist_ok=True)
    return rows_of(folder / "journal.db")


@pytest.fixture
def path(in_use: Path, tmp_path: Path) -> Path:
    shutil.copytree(in_use, tmp_path, dirs_exist_ok=True)
    return tmp_path / "journal.db"


def honest(path: Path, truth: Rows) -> tuple[Repaired, Rows]:
    """Repair, and hold what must always hold."""
    before = {p.name: p.read_bytes() for p in path.parent.iterdir()}
    done = repair(path)
    assert {p.name: p.read_bytes() for p in path.parent.iterdir() if p != done.path} == before
    rows = rows_of(done.path)
    strange = [row for row in rows if row not in truth]
    told = "\n".join(done.missing)
    for row in strange:
        assert "does not fit the chain; it is kept" in told or "under the default settings" in told, row
    assert bool(done.missing) == (rows != truth), (done.missing, len(rows), len(truth))
    with Journal.open(done.path) as journal:
        assert journal.game is not None
        for game in journal.reader.games():
            journal.entries(game)
        journal.append(Tick(t_ns=1), ()).result(5)
    return done, rows


def test_of_a_sound_journal_and_its_log_nothing_is_missing(path: Path, truth: Rows) -> None:
    done, rows = honest(path, truth)
    assert (rows, done.missing) == (truth, ())
    assert done.path.name == "journal.repaired.db"
    assert done.told[0] == "game 1: 6 entries"
    with JournalReader.open(done.path) as reader:
        assert not any(said.wrong for said in verify(reader))


def test_what_lies_behind_a_damaged_place_of_the_log_is_taken_where_the_chain_proves_it(
    path: Path, truth: Rows
) -> None:
    log = Path(f"{path}-wal")
    raw = bytearray(log.read_bytes())
    count = len(frames(bytes(raw)))
    raw[32 + 24 * 40 + 4096 * 39 + 2000] ^= 0x10  # in the fortieth page
    log.write_bytes(raw)
    done, rows = honest(path, truth)
    assert f"the write-ahead log is damaged: of its last {count - 39} pages only" in done.told[0]
    assert len(rows) > len(truth) - 3
    sqlite_alone = path.with_name("alone.db")
    shutil.copyfile(path, sqlite_alone)
    shutil.copyfile(log, f"{sqlite_alone}-wal")
    assert len(rows_of(sqlite_alone)) < len(rows) - 10


def test_a_page_lost_is_told_entry_by_entry(path: Path, truth: Rows) -> None:
    for page in range(len(path.read_bytes()) // 4096):
        folder = path.parent / str(page)
        folder.mkdir()
        copy = folder / "journal.db"
        raw = bytearray(path.read_bytes())
        raw[page * 4096 : (page + 1) * 4096] = bytes(4096)
        copy.write_bytes(raw)
        shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        honest(copy, truth)


def test_a_page_whose_list_of_cells_is_damaged_is_searched(path: Path) -> None:
    Path(f"{path}-wal").unlink()
    whole = {found.row for found in records(path.read_bytes(), b"")}
    raw = bytearray(path.read_bytes())
    entries = raw.index(b'{"event"') // 4096 * 4096
    raw[entries : entries + 12] = b"\xff" * 12
    found = {found.row for found in records(bytes(raw), b"")}
    assert {row for row in whole if len(row) == 10} <= found


@pytest.mark.parametrize("seed", range(2))
def test_flipped_bytes_anywhere(path: Path, truth: Rows, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    for turn in range(4):
        folder = path.parent / f"{turn}"
        shutil.copytree(
            path.parent, folder, ignore=lambda at, names: [n for n in names if Path(at, n).is_dir()]
        )
        hit = folder / ("journal.db", "journal.db-wal")[turn % 2]
        raw = bytearray(hit.read_bytes())
        for _ in range(1 + turn):
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        hit.write_bytes(raw)
        done = repair(folder / "journal.db")
        rows = rows_of(done.path)
        assert len(rows) > len(truth) // 2
        told = "\n".join(done.missing)
        for row in rows:
            assert row in truth or "does not fit the chain; it is kept" in told or "default settings" in told
        if not set(truth) <= set(rows):
            assert done.missing


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_cut_short(path: Path, truth: Rows, part: float) -> None:
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[: int(log.stat().st_size * part)])
    rows = rows_of(repair(path).path)
    assert rows == [row for row in truth if row in rows]
    assert len(rows) >= 6 * 7


def test_without_its_log_it_ends_where_the_log_began_and_nothing_tells(path: Path) -> None:
    """The file is whole then: only a hash that was printed knows more."""
    Path(f"{path}-wal").unlink()
    done = repair(path)
    assert done.missing == ()
    assert done.told[-1] == "game 6: 6 entries"


def test_the_row_of_a_game_is_lost_and_its_entries_are_kept(path: Path, truth: Rows) -> None:
    Path(f"{path}-wal").unlink()
    raw = path.read_bytes()
    at = raw.index(b'"round":3,')
    row = next(row for row in truth if row[0] == 3)
    start = raw.rindex(str(row[1]).encode(), 0, at)
    path.write_bytes(raw[: start - 12] + b"\xff" * 60 + raw[start + 48 :])
    done = repair(path)
    assert any(
        sentence == "game 3: its row cannot be read; who played and the settings are lost,"
        " and its entries are kept under the default settings"
        for sentence in done.missing
    ), done.missing
    kept = [row for row in rows_of(done.path) if len(row) == 10 and row[0] == 3]
    assert len(kept) == 7
    with Journal.open(done.path) as journal:
        assert len(journal.entries(journal.reader.games()[2])) == 6


def test_the_beginning_of_the_file_is_lost(path: Path, truth: Rows) -> None:
    raw = path.read_bytes()
    path.write_bytes(bytes(100) + raw[100:])
    done = repair(path)
    assert (done.told[0], done.missing) == ("the beginning of the file is damaged", ())
    assert rows_of(done.path) == truth


def test_an_older_journal_becomes_one_of_this_version(tmp_path: Path) -> None:
    shutil.copytree(OLD, tmp_path, dirs_exist_ok=True)
    done = repair(tmp_path / "journal.db")
    assert done.missing == ()
    assert done.told[:2] == ("game 1: 20 entries", "game 2: 2 entries")
    with Journal.open(done.path) as journal:
        assert journal.notes == ()
        assert [game.header.first.name for game in journal.reader.games()] == ["林 ✓", "Ōta"]


def test_what_cannot_be_repaired_is_refused(path: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "notes.db"
    nothing.write_text("h8 i9 " * 1000)
    with pytest.raises(RecordError, match=r"notes\.db: no game can be read in it"):
        repair(nothing)
    with pytest.raises(RecordError, match="No such file"):
        repair(tmp_path / "none.db")
    with pytest.raises(RecordError, match="is there already; move it away, or name another file with --to"):
        repair(path, nothing)
    with pytest.raises(RecordError, match="cannot be opened"):
        repair(path, tmp_path / "no" / "such" / "folder.db")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["journal.db", "journal.db-wal", "notes.db"]


def test_hostile_pages_end_in_bounded_time() -> None:
    """Lengths that lie, chains of pages that go round, cells that point nowhere."""
    page = bytearray(4096)
    page[0] = 10
    struct.pack_into(">H", page, 3, 2000)
    for at in range(8, 4008, 2):
        struct.pack_into(">H", page, at, 4000)
    page[4000:4004] = b"\xff\xff\x7f\x09"
    file = b"SQLite format 3\0\x10\x00" + bytes(4078) + bytes(page) * 3
    assert list(records(file, b"")) == []
    assert list(records(b"", bytes(page))) == []
