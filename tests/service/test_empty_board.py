"""The zeros of a table's sensors, measured on its empty board between two games."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from firmware_host.errors import BoardError
from firmware_host.service import empty_board
from firmware_host.service.calibration_file import calibration_path, load, save, stored_calibration
from firmware_host.service.empty_board import EmptyBoard
from tests.service.virtual_table import VirtualTable

WAITS = "table.start=command"


async def measured(virtual: VirtualTable) -> None:
    """Measure, and let time pass meanwhile."""
    asked = asyncio.create_task(EmptyBoard(virtual.table).measure())
    await asyncio.sleep(0)
    while not asked.done():
        await virtual.run(0.5)
        await asyncio.sleep(0)
    await asked


def play(folder: Path, scene: Callable[[VirtualTable], Awaitable[None]], *settings: str) -> None:
    """A table that waits for its round."""

    async def whole() -> None:
        virtual = VirtualTable(folder, WAITS, *settings)
        telling = asyncio.create_task(virtual.table.tell())
        await virtual.run(0.3)
        try:
            await scene(virtual)
        finally:
            telling.cancel()
            virtual.journal.close()

    asyncio.run(whole())


def test_zeros_are_measured_and_gains_stay_as_they_were(tmp_path: Path) -> None:
    async def test(first: VirtualTable) -> None:
        assert EmptyBoard(first.table).may
        await measured(first)
        kept = load(calibration_path(first.config))
        offsets = first.hand.readings(first.now_ns)
        signed = [each - 256 if each > 127 else each for each in offsets]
        assert max(abs(zero - read) for zero, read in zip(kept.zero, signed, strict=True)) < 12
        assert (set(kept.gain), kept.board) == ({0.0}, "simulator, seed 1")
        assert 0.5 < sum(kept.noise) / 225 < 4
        gains = tuple(80.0 + p % 7 for p in range(225))
        save(
            calibration_path(first.config),
            msgspec.structs.replace(kept, gain=gains),
        )
        first.table.stored = stored_calibration(first.config)[0]
        await measured(first)
        assert load(calibration_path(first.config)).gain == gains
        assert stored_calibration(first.config)[1] == ""

    play(tmp_path, test)


def test_a_board_that_is_not_empty_or_in_play_is_left_as_it_was(tmp_path: Path) -> None:
    async def test(virtual: VirtualTable) -> None:
        await virtual.sim.hand({"do": "place", "point": "H8", "colour": "black"})
        await virtual.run(1)
        with pytest.raises(BoardError, match="nothing was kept: H8 stone-left"):
            await measured(virtual)
        await virtual.order("start")
        assert not EmptyBoard(virtual.table).may
        with pytest.raises(BoardError, match="between two games"):
            await measured(virtual)
        assert not calibration_path(virtual.config).exists()

    play(tmp_path, test)


def test_a_game_that_begins_meanwhile_is_not_disturbed(tmp_path: Path) -> None:
    async def test(virtual: VirtualTable) -> None:
        asked = asyncio.create_task(EmptyBoard(virtual.table).measure())
        await asyncio.sleep(0)
        await virtual.order("start")
        while not asked.done():
            await virtual.run(0.5)
            await asyncio.sleep(0)
        with pytest.raises(BoardError, match="nothing was kept: a game has begun meanwhile"):
            await asked
        assert not calibration_path(virtual.config).exists()

    play(tmp_path, test)


def test_a_scanner_that_gives_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(virtual: VirtualTable) -> None:
        monkeypatch.setattr(empty_board, "WITHIN_S", 0.0)
        with pytest.raises(BoardError, match="0 of 600 frames came in 0 s"):
            await EmptyBoard(virtual.table).measure()

    play(tmp_path, test)


def test_switches_have_no_zero(tmp_path: Path) -> None:
    async def test(virtual: VirtualTable) -> None:
        assert not EmptyBoard(virtual.table).may

    play(tmp_path, test, "scanner.sensors=switch")
