"""A table on which one game after another is begun as the organiser asks for it, in virtual time."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import parse_point
from firmware_host.errors import BoardError
from firmware_host.service.new_game import asked_for, exchanged, kept_at, values_of
from firmware_host.service.trace_keeper import TraceKeeper
from tests.service.virtual_table import VirtualTable

Play = Callable[[VirtualTable], Awaitable[None]]
START = {"do": "start"}


async def begin(
    table: VirtualTable, start: dict[str, Any] | None = START, **given: str
) -> list[dict[str, Any]]:
    """A new game with settings such as `table_black`."""
    values = {key.replace("_", ".", 1): value for key, value in given.items()}
    asked = asked_for(values, table.table.next_game.asked)
    return await table.answered(table.table.next_game.begin(asked, start))


async def idle(_: VirtualTable) -> None:
    pass


def names(table: VirtualTable) -> tuple[str, str]:
    players = table.public["players"]
    return players["black"]["name"], players["white"]["name"]


def test_a_game_that_is_asked_for_is_in_record_journal_and_feed(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        rulings = await begin(
            table, table_black="Wu", table_white="Ito", table_round="3", match_opening="free", match_time="1h"
        )
        assert rulings[0]["ruling"] == "started"
        await table.move("H8", "black")

    table = run(scene, "table.start=command")
    assert names(table) == ("Wu", "Ito")
    assert (table.public["round"], table.public["settings"]["time"]) == (3, "1h")
    assert [move["point"] for move in table.public["moves"]] == ["H8"]
    game = table.journal.last_game()
    assert game is not None
    assert (game.number, game.header.first.name, game.header.round, game.settings.time) == (2, "Wu", 3, "1h")


def test_a_game_that_runs_or_is_adjourned_is_in_the_way(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        await table.move("H8", "black")
        assert table.table.next_game.busy == "running"
        with pytest.raises(BoardError, match="the one at hand is not over; end it first"):
            await begin(table, table_black="Wu")
        await table.order("adjourn")
        assert table.table.next_game.busy == "adjourned"
        with pytest.raises(BoardError, match="adjourned; resume it, or give its result first"):
            await begin(table, table_black="Wu")
        await table.order("resign", side="white")
        assert table.table.next_game.busy == ""
        await begin(table, table_black="Wu")

    assert names(run(scene))[0] == "Wu"


@pytest.mark.parametrize(("by", "busy"), [("daemon", ""), ("arbiter", "untouched")])
def test_a_game_that_began_by_itself_and_in_which_nothing_was_done_is_in_nobodys_way(
    run: Callable[..., VirtualTable], by: str, busy: str
) -> None:
    async def scene(table: VirtualTable) -> None:
        if by == "arbiter":
            await table.order("start")

    began = [] if by == "daemon" else ["table.start=command"]
    first = run(scene, *began)
    assert first.table.next_game.busy == busy
    first.close()
    again = run(idle, *began)
    assert again.table.live.referee.why == "restart"
    assert again.table.next_game.busy == "", "its clocks stand"


def test_of_two_games_that_are_asked_for_at_once_one_begins(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        async def second() -> list[dict[str, Any]]:
            with pytest.raises(BoardError, match="no game can begin"):
                await table.table.next_game.begin(
                    asked_for({"table.black": "Sun"}, table.table.next_game.asked), START
                )
            return []

        asked = asked_for({"table.black": "Wu"}, table.table.next_game.asked)

        async def both() -> list[dict[str, Any]]:
            first = asyncio.create_task(table.table.next_game.begin(asked, START))
            await asyncio.sleep(0)
            return await second() or await first

        await table.answered(both())

    table = run(scene)
    assert names(table)[0] == "Wu"
    game = table.journal.last_game()
    assert game is not None
    assert game.number == 2


def test_a_prepared_game_waits_for_its_start_over_a_restart(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        assert await begin(table, None, table_black="Wu", match_black_sits="far") == []

    waiting = "table.start=command"
    run(scene, waiting).close()

    async def later(table: VirtualTable) -> None:
        assert (table.public["phase"], names(table)[0]) == ("waiting", "Wu")
        await table.order("start")
        await table.move("H8", "black", "far")

    table = run(later, waiting)
    assert [move["point"] for move in table.public["moves"]] == ["H8"]
    game = table.journal.last_game()
    assert game is not None
    assert game.number == 2


def test_what_was_asked_for_is_the_default_after_a_restart(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        await begin(table, table_black="Wu", match_time="1h")
        await table.order("resign", side="white")

    first = run(scene)
    assert first.table.config.table.black == ""
    first.close()
    second = run(idle)
    assert (second.table.next_game.asked.table.black, second.table.next_game.asked.match.time) == ("Wu", "1h")
    assert names(second)[0] == "Wu"
    assert second.table.kept == []
    second.close()
    third = run(idle, fresh=True)
    assert names(third)[0] == ""


def test_the_disk_that_keeps_no_defaults_stops_no_game(
    run: Callable[..., VirtualTable], tmp_path: Path
) -> None:
    kept_at(tmp_path / "journal.db").mkdir()

    async def scene(table: VirtualTable) -> None:
        await begin(table, table_black="Wu")

    table = run(scene)
    assert names(table)[0] == "Wu"
    assert any("is not kept for the next game" in note for note in table.table.notes)


@pytest.mark.parametrize("sensors", ["linear", "switch"])
def test_with_the_colours_exchanged_the_players_keep_their_seats(
    run: Callable[..., VirtualTable], sensors: str
) -> None:
    """Black sits on the other side then, and the coordinates of the board turn with him."""

    async def scene(table: VirtualTable) -> None:
        await begin(table, table_black="Wu", table_white="Ito")
        await table.move("H9", "black")
        await table.order("mask", point="A1")
        await table.order("resign", side="white")
        asked = asked_for(exchanged(values_of(table.table.next_game.asked)), table.table.next_game.asked)
        await table.answered(table.table.next_game.begin(asked, None))
        await table.run(0.5)
        assert table.table.next_game.lying == 1
        assert table.table.live.referee.sensed[parse_point("H7")] in "X?"
        assert table.table.live.referee.masked == {parse_point("O15")}
        await table.sim.hand({"do": "lift", "point": "H7"})
        await table.run(1)
        await table.order("start")
        await table.move("H8", "black", "far")
        await table.move("H9", "white", "near")

    table = run(scene, f"scanner.sensors={sensors}")
    assert names(table) == ("Ito", "Wu")
    assert [move["point"] for move in table.public["moves"]] == ["H8", "H9"]
    assert table.public["players"]["black"]["seat"] == "far"


def test_who_is_absent_at_the_start_pays_for_it(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        await begin(table, {"do": "start", "absent": "white"}, match_time="15m")

    table = run(scene)
    assert table.arbiter["absent"] == ["white"]
    assert table.public["clock"]["running"] == "white"


def test_a_game_begun_by_a_plain_start_has_the_last_ones_settings(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        await begin(table, table_black="Wu", match_time="1h")
        await table.order("resign", side="white")
        await table.order("start")

    table = run(scene)
    assert names(table)[0] == "Wu"
    assert table.public["settings"]["time"] == "1h"


def test_traces_carry_the_settings_of_the_game_at_hand(
    run: Callable[..., VirtualTable], tmp_path: Path
) -> None:
    keeper = TraceKeeper(tmp_path / "t", sensors="linear", rate_hz=200, match={})

    async def scene(table: VirtualTable) -> None:
        assert keeper.match["time"] == "none"
        await begin(table, match_time="1h")

    run(scene, keeper=keeper)
    assert keeper.match["time"] == "1h"
    keeper.close()
