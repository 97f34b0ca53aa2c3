"""Files at the end of a game: made beside the table, made again when the result changes, failures told."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.record.game import GameRecord
from firmware_host.record.json_format import from_json
from firmware_host.service import record_keeper
from firmware_host.service.game import LiveGame, record_of
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.pdf import NoPdf, Pdf, to_pdf
from firmware_host.service.record_keeper import RecordKeeper
from tests.service.virtual_table import VirtualTable


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualTable]:
    """A table whose PDFs are made in the keeper's thread: the process has a test of its own."""
    monkeypatch.setattr(record_keeper, "pdf_apart", to_pdf)
    table = VirtualTable(tmp_path, "table.event=Example")
    table.table.records = RecordKeeper(table.config)
    yield table
    table.table.records.close()
    table.close()


def play(table: VirtualTable, *orders: dict[str, Any]) -> None:
    """Start, a stone, and these orders; then everything that was asked for has been made."""

    async def whole() -> None:
        telling = asyncio.create_task(table.table.tell())
        table.table.start()
        await table.run(0.3)
        await table.move("H8", "black")
        for order in orders:
            await table.order(**order)
        telling.cancel()

    asyncio.run(whole())
    assert table.table.records is not None
    assert table.table.records.wait(30)


def written(table: VirtualTable) -> GameRecord:
    (file,) = records(table).glob("*-arbiter.json")
    return from_json(file.read_bytes())


def records(table: VirtualTable) -> Path:
    assert table.table.records is not None
    return table.table.records.folder / "Example"


def test_the_files_are_there_when_the_game_is_over(table: VirtualTable) -> None:
    play(table, {"do": "resign", "side": "white"})
    record = written(table)
    assert record.result is not None
    assert (record.result.winner, record.result.reason) == ("black", "resignation")
    with JournalReader.open(table.journal.path) as reader:
        game = reader.last_game()
        assert game is not None
        assert record == record_of(game, reader.entries(game))
        assert record.journal_head == reader.head(game)
    assert {path.suffix for path in records(table).iterdir()} >= {".json", ".pdf"}
    assert table.table.faults() == []


def test_they_are_made_again_when_the_result_is_changed_or_undone(table: VirtualTable) -> None:
    play(
        table,
        {"do": "resign", "side": "white"},
        {"do": "result", "black": 0, "white": 1, "reason": "arbiter", "by": "chief"},
    )
    changed = written(table).result
    assert changed is not None
    assert changed.winner == "white"


def test_an_undone_result_is_undone_in_the_files(table: VirtualTable) -> None:
    play(
        table,
        {"do": "resign", "side": "white"},
        {"do": "compensate", "entry": 1, "reason": "it was a call"},
    )
    assert not table.table.live.over
    assert written(table).result is None


def test_nothing_is_made_before_the_end(table: VirtualTable) -> None:
    play(table)
    assert not records(table).exists()


def test_a_failure_is_told_to_the_arbiter_and_gone_when_it_works(table: VirtualTable) -> None:
    keeper = table.table.records
    assert keeper is not None
    keeper.folder.write_text("in the way")
    play(table, {"do": "resign", "side": "white"})
    assert "the files of game 1 are not made" in table.table.faults()[0]
    assert table.table.health()["faults"] == []
    keeper.folder.unlink()
    live = table.table.live
    keeper.file(live.game, live.arbiter, live.public)
    assert keeper.wait(30)
    assert table.table.faults() == []


def test_a_failure_stays_told_until_that_games_files_are_made(table: VirtualTable) -> None:
    """The next game's do not hide it; and each game that ends is another try."""
    keeper = table.table.records
    assert keeper is not None
    place = records(table)
    place.parent.mkdir(parents=True)
    place.write_text("in the way")
    play(table, {"do": "resign", "side": "white"})
    live = table.table.live
    other = replace(live.game, number=2, header=replace(live.game.header, event="Other"))
    both = [replace(record, header=other.header) for record in (live.arbiter, live.public)]
    keeper.file(other, *both)
    assert keeper.wait(30)
    assert "the files of game 1 are not made" in keeper.fault
    place.unlink()
    keeper.file(other, *both)
    assert keeper.wait(30)
    assert keeper.fault == ""
    assert written(table).result is not None


@pytest.mark.parametrize("undone", [False, True])
def test_while_a_game_is_not_over_its_hash_is_the_arbiters_alone(
    table: VirtualTable, monkeypatch: pytest.MonkeyPatch, *, undone: bool
) -> None:
    """It changes with what only he may know."""

    def no_pdf(_: object) -> Pdf:
        raise NoPdf("a PDF needs the package reportlab")

    monkeypatch.setattr(record_keeper, "pdf_apart", no_pdf)
    undo = [{"do": "compensate", "entry": 1, "reason": "it was a call"}] if undone else []
    play(table, {"do": "resign", "side": "white"}, *undo)
    for copy, told in (("arbiter", True), ("players", not undone)):
        (sheet,) = records(table).glob(f"*-{copy}.svg")
        assert (written(table).journal_head in sheet.read_text("utf-8")) == told


def test_what_a_kill_left_out_is_made_at_the_next_start(
    table: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[LiveGame] = []
    keeper = table.table.records
    assert keeper is not None
    play(table, {"do": "resign", "side": "white"})
    (sheet,) = records(table).glob("*-players.pdf")
    sheet.unlink()
    game = table.journal.last_game()
    assert game is not None
    entries = table.journal.entries(game)
    keeper.file_again(game, entries)
    assert keeper.wait(30)
    assert sheet.exists()
    monkeypatch.setattr(record_keeper, "file_game", made.append)
    keeper.file_again(game, entries)
    assert keeper.wait(30)
    assert made == []
    assert keeper.fault == ""
