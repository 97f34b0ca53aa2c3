"""The chain: computed again by other means, and every kind of tampering seen."""

import contextlib
import hashlib
import json
import sqlite3
import struct
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Command, Tick
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.game_sources import record_in
from firmware_host.service.journal import Journal
from firmware_host.service.journal_prune import plan
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_repair import repair
from firmware_host.service.journal_verify import verify
from firmware_host.service.sqlite_pages import INDEX_LEAF
from tests.service.journals import FREE, STEPS, change, rows_of, write_games


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_games(tmp_path / "journal.db", 3)
    return tmp_path / "journal.db"


def said_of(path: Path, head: str = "") -> list[str]:
    with JournalReader.open(path) as reader:
        return [said.sentence for said in verify(reader, head) if said.wrong]


def test_an_untouched_journal_is_found_right_and_says_every_head(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    heads = write_games(path, 3)
    with JournalReader.open(path) as reader:
        said = list(verify(reader))
    assert not any(each.wrong for each in said)
    shown = [" ".join(head[at : at + 4] for at in range(0, 16, 4)) for head in heads]
    assert [each.sentence for each in said] == [
        f"game {n}: 6 entries, head {head}" for n, head in enumerate(shown, 1)
    ]


def test_anybody_can_compute_the_chain_again_from_its_description(path: Path) -> None:
    """With nothing but SQLite, JSON and SHA-256."""
    file = sqlite3.connect(path)
    tip = "0" * 64
    for game in file.execute("SELECT * FROM games ORDER BY number").fetchall():
        rows = [("game", *game)]
        entries = file.execute("SELECT * FROM entries WHERE game = ? ORDER BY seq", game[:1]).fetchall()
        rows += [("entry", *entry) for entry in entries]
        for *content, stored in rows:
            text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
            tip = hashlib.sha256(f"{tip}\n{text}".encode()).hexdigest()
            assert tip == stored
    assert file.execute("SELECT head FROM meta").fetchone() == (tip,)
    file.close()


def test_the_head_is_that_of_the_last_ruling(path: Path) -> None:
    with JournalReader.open(path) as reader:
        game = reader.games()[0]
        entries = reader.entries(game)
        assert reader.head(game) == entries[-2].hash
        assert entries[-2].rulings
        assert not entries[-1].rulings
    with Journal.open(path) as journal:
        game = journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
        journal.append(Tick(t_ns=0), ()).result(5)
        assert journal.reader.head(game) == game.hash
        assert journal.tip == journal.reader.tip() == journal.reader.noted_tip() != game.hash


@pytest.mark.parametrize(
    ("orders", "found"),
    [
        (
            ["UPDATE entries SET input = replace(input, 'H8', 'H9') WHERE game = 2 AND seq = 2"],
            "game 2: entry 2 or what stands before is not what was written",
        ),
        (["UPDATE entries SET wall_ns = wall_ns + 1 WHERE game = 1 AND seq = 6"], "game 1: entry 6 or what"),
        (["UPDATE entries SET rulings = '[]' WHERE game = 3 AND seq = 5"], "game 3: entry 5 or what stands"),
        (["UPDATE entries SET late_ns = 1 WHERE game = 1 AND seq = 1"], "game 1: entry 1 or what stands"),
        (["UPDATE entries SET hash = upper(hash) WHERE game = 1 AND seq = 3"], "game 1: entries 3 to 4 or"),
        (["UPDATE games SET header = replace(header, '2310', '2410') WHERE number = 2"], "game 2: its row"),
        (["UPDATE games SET settings = '{\"opening\":\"free\"}' WHERE number = 1"], "game 1: its row"),
        (["UPDATE games SET started_wall_ns = 1 WHERE number = 3"], "game 3: its row or what stands before"),
        (["DELETE FROM entries WHERE game = 2 AND seq = 4"], "game 2: entry 4 is missing"),
        (["DELETE FROM entries WHERE game = 2 AND seq IN (3, 4)"], "game 2: entries 3 to 4 are missing"),
        (["DELETE FROM entries WHERE game = 2 AND seq = 6"], "game 3: its row or what stands before it is"),
        (["DELETE FROM entries WHERE game = 2"], "game 3: its row or what stands before it is not what"),
        (["DELETE FROM entries WHERE game = 3 AND seq = 6"], "the last row is entry 5 of game 3, and"),
        (["DELETE FROM entries WHERE game = 3"], "the last row is the row of game 3, and"),
        (
            ["DELETE FROM entries WHERE game = 3", "DELETE FROM games WHERE number = 3"],
            "the last row is entry 6 of game 2, and another was written after it",
        ),
        (["DELETE FROM games WHERE number = 2"], "game 2: its row is missing; 6 entries of it are there"),
        (["DELETE FROM games WHERE number = 2"], "game 2 is missing"),
        (
            [
                "DELETE FROM entries WHERE game = 2 AND seq = 4",
                "UPDATE entries SET seq = seq - 1 WHERE game = 2 AND seq > 4",
            ],
            "game 2: entries 4 to 5 or what stands before are not what was written",
        ),
        (
            [
                "UPDATE entries SET seq = 99 WHERE game = 1 AND seq = 2",
                "UPDATE entries SET seq = 2 WHERE game = 1 AND seq = 3",
                "UPDATE entries SET seq = 3 WHERE game = 1 AND seq = 99",
            ],
            "game 1: entries 2 to 4 or what stands before are not what was written",
        ),
        (
            ["INSERT INTO entries SELECT game, 7, 0, '', 0, 0, input, '[]', 0, '' FROM entries WHERE seq=6"],
            "game 1: entry 7 or what stands before is not what was written",
        ),
        (
            [
                "UPDATE games SET number = 9 WHERE number = 1",
                "UPDATE games SET number = 1 WHERE number = 2",
                "UPDATE games SET number = 2 WHERE number = 9",
            ],
            "game 1: its row or what stands before it is not what was written",
        ),
        (["UPDATE entries SET input = '{' WHERE game = 1 AND seq = 3"], "entry 3 of game 1 cannot be read"),
        (["UPDATE games SET settings = '{' WHERE number = 1"], "game 1: cannot be ruled by this version"),
    ],
)  # fmt: skip
def test_whatever_is_changed_is_seen(path: Path, orders: list[str], found: str) -> None:
    change(path, *orders)
    sentences = said_of(path)
    assert any(found in sentence for sentence in sentences), sentences
    assert all("\n" not in sentence for sentence in sentences)


def test_one_change_is_one_finding_of_the_chain(path: Path) -> None:
    change(path, "UPDATE entries SET boot_id = 'x' WHERE game = 2 AND seq = 3")
    assert said_of(path) == ["game 2: entry 3 or what stands before is not what was written"]


def test_rulings_that_would_be_others_today_are_told(path: Path) -> None:
    change(path, "UPDATE entries SET rulings = '[]' WHERE game = 2 AND seq = 5")
    (sentence,) = [s for s in said_of(path) if "today" in s]
    assert sentence.startswith('game 2, entry 5: was ruled [], and today would be [{"ruling":"over",')


def rewritten(path: Path, order: str) -> None:
    """A change by somebody who computes the whole chain again after it."""
    change(path, order)
    file = sqlite3.connect(path)
    tip = "0" * 64

    def linked(*content: object) -> str:
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(f"{tip}\n{text}".encode()).hexdigest()

    for game in file.execute("SELECT * FROM games ORDER BY number").fetchall():
        tip = linked("game", *game[:-1])
        file.execute("UPDATE games SET hash = ? WHERE number = ?", (tip, game[0]))
        for entry in file.execute("SELECT * FROM entries WHERE game = ? ORDER BY seq", game[:1]).fetchall():
            tip = linked("entry", *entry[:-1])
            file.execute("UPDATE entries SET hash = ? WHERE game = ? AND seq = ?", (tip, *entry[:2]))
    file.execute("UPDATE meta SET head = ?", (tip,))
    file.commit()
    file.close()


@pytest.mark.parametrize(
    "shown", [str, lambda head: " ".join((head[:4], head[4:8], head[8:12], head[12:16]))]
)
def test_who_computes_the_chain_anew_is_found_by_a_hash_that_was_printed(
    tmp_path: Path, shown: Callable[[str], str]
) -> None:
    path = tmp_path / "journal.db"
    printed = [shown(head) for head in write_games(path, 3)]
    with JournalReader.open(path) as reader:
        (where,) = [s.sentence for s in verify(reader, printed[1]) if s.sentence.startswith("hash")]
    assert where.endswith(" is that of entry 5 of game 2")
    rewritten(path, "UPDATE entries SET boot_id = 'x' WHERE game = 2 AND seq = 3")
    assert said_of(path) == []
    assert said_of(path, printed[0]) == []
    for later in printed[1:]:
        (sentence,) = said_of(path, later)
        assert sentence.endswith("is not in this journal")


@pytest.mark.parametrize("head", ["1234567", "ghijklmn", "0" * 65])
def test_what_is_no_hash_is_refused(path: Path, head: str) -> None:
    with pytest.raises(RecordError, match="is not a hash; allowed: 8 to 64 digits 0 to 9 and a to f"):
        said_of(path, head)


def test_a_journal_that_is_being_written_is_verified_as_it_is_at_one_instant(path: Path) -> None:
    with Journal.open(path) as journal, JournalReader.open(path) as reader:
        said = verify(reader)
        first = next(said)
        journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
        journal.append(Tick(t_ns=0), ()).result(5)
        assert not any(each.wrong for each in (first, *said))


def test_a_damaged_page_is_a_finding(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    at = raw.rindex(b'{"event"') // 4096 * 4096
    raw[at : at + 12] = b"\xff" * 12
    path.write_bytes(raw)
    (sentence,) = said_of(path)
    assert "the journal is damaged" in sentence
    assert "renju-board journal repair" in sentence


def test_the_next_daemon_tells_that_the_end_was_cut_off(path: Path) -> None:
    change(path, "DELETE FROM entries WHERE game = 3 AND seq > 4")
    with Journal.open(path) as journal:
        assert journal.notes == (
            f"{path}: its end is missing or was changed; `renju-board journal verify` says more",
        )


@pytest.mark.parametrize("cut", [1, 40, 136])
def test_a_cut_page_that_no_log_holds_is_not_read_as_zeros(tmp_path: Path, cut: int) -> None:
    """Twenty notes fill the last page; what follows lies in the log, so that SQLite reads on over the cut."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
        for t_ns in range(20):
            written = journal.append(Command(t_ns=t_ns, do="note", text="x" * 200), ())
        written.result(5)
    with Journal.open(path) as journal:
        journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
        while journal.state.waiting:
            threading.Event().wait(0.01)
        copy = tmp_path / "copy.db"
        copy.write_bytes(path.read_bytes()[:-cut])
        log = Path(f"{path}-wal").read_bytes()
        Path(f"{copy}-wal").write_bytes(log)
    with JournalReader.open(copy) as reader:
        for read in (reader.entries, partial(record_in, reader)):
            with pytest.raises(RecordError, match="it was cut, and entry"):
                read(reader.games()[0])
    before = copy.read_bytes()
    with pytest.raises(RecordError, match="`renju-board journal repair`"):
        Journal.open(copy)
    assert copy.read_bytes() == before
    assert Path(f"{copy}-wal").read_bytes() == log


@pytest.mark.parametrize(
    "order",
    [
        "UPDATE games SET settings = '5' WHERE number = 2",
        "UPDATE games SET hash = x'ff00' WHERE number = 2",
        "UPDATE entries SET hash = x'ff00' WHERE game = 2 AND seq = 2",
        "UPDATE entries SET seq = x'ff' WHERE game = 3 AND seq = 2",
        "UPDATE entries SET rulings = '[5]' WHERE game = 3 AND seq = 2",
        "UPDATE entries SET input = '5' WHERE game = 3 AND seq = 2",
        "UPDATE meta SET taken_over = 'x'",
    ],
)
def test_whatever_stands_in_a_column_is_said_in_sentences(path: Path, order: str) -> None:
    change(path, order)
    assert said_of(path)
    for read in (plan, repair):
        with contextlib.suppress(RecordError):  # nothing else
            read(path)
    with contextlib.suppress(RecordError), Journal.open(path):
        pass


def test_a_damaged_schema_that_sqlite_cannot_even_name_is_one_sentence(path: Path) -> None:
    """Its own sentence has the damaged bytes in it, and they are no text."""
    whole = path.read_bytes()
    at = whole.index(b"CREATE TABLE entries")
    path.write_bytes(whole[: at + 13] + b"\xf6\xf5 (\xa8" + whole[at + 18 :])
    for read in (JournalReader.open, Journal.open):
        with pytest.raises(RecordError, match=r"the journal is damaged \(malformed database schema"):
            read(path)


def test_entries_out_of_order_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_games(path, 1)
    truth = rows_of(path)
    raw = bytearray(path.read_bytes())
    page = raw.index(b'{"event"') // 4096 * 4096
    cells, second, fourth = struct.unpack_from(">H", raw, page + 3)[0], page + 10, page + 14
    assert (raw[page], cells) == (INDEX_LEAF, len(STEPS)), (
        "all entries lie on one page, in a list of their cells"
    )
    raw[second : second + 2], raw[fourth : fourth + 2] = raw[fourth : fourth + 2], raw[second : second + 2]
    path.write_bytes(raw)
    with JournalReader.open(path) as reader:
        (game,) = reader.games()
        for read in (reader.entries, lambda game: reader.ruling_rows(game.number)):
            with pytest.raises(RecordError, match="the entries of game 1 are out of order"):
                read(game)
    done = repair(path)
    assert (rows_of(done.path), done.missing) == (truth, ()), "each entry is there, in its place"
