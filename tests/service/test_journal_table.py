"""What the console says of the journal: an adjourned game's hash, the wall clock, a disk that is full."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_host.service import table as table_module
from firmware_host.service.journal_prune import plan, prune
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_summary import summary
from firmware_host.service.journal_verify import verify
from tests.service.virtual_table import VirtualTable

Play = Callable[[VirtualTable], Awaitable[None]]


@pytest.fixture(autouse=True)
def clock_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "synchronised", lambda: True)


def play(folder: Path, scene: Play) -> None:
    """A table over the journal in `folder`, from opening it to closing it."""
    table = VirtualTable(folder, "match.time=15m")

    try:
        table.play(scene)
    finally:
        table.close()


def sealed(table: VirtualTable) -> list[str]:
    notes: list[Any] = table.arbiter["notes"]
    return [note["text"] for note in notes if not isinstance(note, str) and note["code"] == "adjourned-head"]


def test_an_adjourned_game_says_its_hash_until_it_is_resumed(tmp_path: Path) -> None:
    told: list[str] = []

    async def first(table: VirtualTable) -> None:
        await table.move("H8", "black")
        assert sealed(table) == []
        await table.order("adjourn", reason="sealed move")
        told.extend(sealed(table))
        await table.run(2)
        assert sealed(table) == told

    async def second(table: VirtualTable) -> None:
        await table.run(1)
        assert sealed(table) == told
        await table.order("resume")
        assert sealed(table) == []
        await table.order("adjourn")
        assert len(sealed(table)) == 1
        assert sealed(table) != told

    play(tmp_path, first)
    (head,) = told
    with JournalReader.open(tmp_path / "journal.db") as reader:
        (game,) = reader.games()
        assert summary(reader, game).state == "adjourned"
        said = list(verify(reader, head))
        assert not any(each.wrong for each in said)
        (entry,) = [e for e in reader.entries(game) if e.hash.startswith(head.replace(" ", ""))]
        assert {"ruling": "paused", "why": "adjourned"}.items() <= told_by(entry.rulings).items()
    play(tmp_path, second)


def test_a_table_opens_after_the_last_game_was_pruned(tmp_path: Path) -> None:
    async def first(table: VirtualTable) -> None:
        await table.order("resign", side="black")

    async def second(table: VirtualTable) -> None:
        assert table.table.live.game.number == 2
        await table.move("H8", "black")

    path = tmp_path / "journal.db"
    play(tmp_path, first)
    prune(path, plan(path, numbers=(1,)))
    play(tmp_path, second)
    with JournalReader.open(path) as reader:
        assert not any(said.wrong for said in verify(reader))


def told_by(rulings: Any) -> dict[str, Any]:
    (ruling,) = rulings
    return {"ruling": type(ruling).__name__.lower(), "why": ruling.why}


def test_a_wall_clock_that_is_not_synchronised_is_told_and_so_is_the_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(table: VirtualTable) -> None:
        assert table.arbiter["notes"] == []
        assert table.table.health()["wall_clock"] == "ok"
        for right in (False, True):
            told = table.table.arbiter.last_id
            monkeypatch.setattr(table_module, "synchronised", lambda right=right: right)
            await table.run(1.5)
            assert table.table.arbiter.last_id > told
            assert table.arbiter["notes"] == ([] if right else [{"code": "wall-clock"}])
            assert table.table.health()["wall_clock"] == ("ok" if right else "not synchronised")
            assert table.table.health()["status"] == "ok"

    play(tmp_path, scene)


def test_while_the_journal_cannot_be_written_the_game_goes_on_and_everybody_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program holds the file; what was played meanwhile is in it afterwards, in order."""
    monkeypatch.setattr(table_module, "SLOW_DISK_S", 0.05)

    async def scene(table: VirtualTable) -> None:
        await table.move("H8", "black")
        with table.disk_held():
            await table.move("H9", "white")
            await table.move("I8", "black")
            while table.journal.state.word != "failed":
                await asyncio.sleep(0.01)
            await table.run(2)
            assert [move["point"] for move in table.arbiter["moves"]] == ["H8", "H9", "I8"]
            assert table.arbiter["journal"]["word"] == "failed"
            assert "another program holds it locked" in table.arbiter["faults"][0]
            assert table.table.health()["journal"] == "failed"
            assert table.table.health()["status"] == "degraded"
        while table.journal.state.word != "ok":
            await asyncio.sleep(0.01)
        await table.run(2)
        assert table.arbiter["faults"] == []
        assert table.table.health()["journal"] == "ok"

    play(tmp_path, scene)
    with JournalReader.open(tmp_path / "journal.db") as reader:
        assert not any(said.wrong for said in verify(reader))
        assert summary(reader, reader.games()[0]).moves == 3
