"""The robot that plays a recorded game at the simulated table, in virtual time, and its files."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_host.board import Colour, parse_moves, parse_point
from firmware_host.errors import NotationError, RecordError
from firmware_host.service.robot import Robot, by_turns, read_game
from tests.service.virtual_table import VirtualTable


def new_robot(table: VirtualTable) -> Robot:
    """A robot that sits at both sides of a table."""
    return Robot(
        table.sim.hand, table.order_given, lambda: table.table.live.referee, pace_s=0.5, sleep=table.run
    )


def told(table: VirtualTable) -> list[str]:
    """What the arbiter was told."""
    return [each.get("code") or each["ruling"] for each in table.arbiter["told"]]


def live(table: VirtualTable, whole: Callable[[Robot], Awaitable[None]]) -> Robot:
    """Let a robot do something at a table that has begun its round."""
    robot = new_robot(table)

    table.play(lambda _: whole(robot))
    return robot


def test_the_robot_steps_forward_and_back_and_presses_once_for_each_move(tmp_path: Path) -> None:
    table = VirtualTable(tmp_path)

    async def whole(robot: Robot) -> None:
        robot.load(by_turns(parse_moves("h8 i9 j10")))
        for _ in range(3):
            await robot.next()
        await robot.previous()
        await robot.previous()
        await robot.next()
        await table.run(1)
        state = robot.state()
        assert state is not None
        assert (state["at"], state["next"], state["fits"]) == (2, "J10", True)
        await robot.next()
        await table.run(1)
        with pytest.raises(NotationError, match="at its end"):
            await robot.next()

    live(table, whole)
    assert [move["point"] for move in table.public["moves"]] == ["H8", "I9", "J10"]
    assert table.arbiter["differences"] == []
    assert told(table) == ["lifted", "lifted", "put-back", "put-back"]
    table.close()


@pytest.mark.parametrize("black_sits", ["near", "far"])
def test_the_robot_plays_through_an_opening_as_its_procedure_asks(tmp_path: Path, black_sits: str) -> None:
    table = VirtualTable(tmp_path, "match.opening=designated", f"match.black_sits={black_sits}")

    async def whole(robot: Robot) -> None:
        robot.load(by_turns(parse_moves("h8 h9 i9 g7 j10 k11 j8")))
        for _ in range(7):
            await robot.next()
        await table.run(1)

    live(table, whole)
    assert len(table.public["moves"]) == 7
    assert table.arbiter["irregular"] == []
    table.close()


def test_the_robot_knows_what_lies_there_and_when_another_game_begins(tmp_path: Path) -> None:
    table = VirtualTable(tmp_path)

    async def whole(robot: Robot) -> None:
        await table.move("H8", "black")
        await table.move("I9", "white")
        robot.load(by_turns(parse_moves("h8 i9 j10 k11")), "a game")
        assert (robot.state() or {})["at"] == 2
        await table.move("J10", "black")
        assert (robot.state() or {})["at"] == 3
        robot.load(by_turns(parse_moves("a1 i9 j10")))
        state = robot.state()
        assert state is not None
        assert (state["at"], state["fits"]) == (0, False)
        await table.order("result", black=0, white=0, reason="")
        await table.sim.hand({"do": "clear"})
        await table.run(1)
        await table.order("start")
        state = robot.state()
        assert state is not None
        assert (state["at"], state["fits"]) == (0, True)

    live(table, whole)
    table.close()


def test_a_robot_that_plays_stops_when_it_is_told_to_and_says_why_it_cannot_go_on(tmp_path: Path) -> None:
    table = VirtualTable(tmp_path)

    async def whole(robot: Robot) -> None:
        robot.load((*by_turns(parse_moves("h8 i9")), (Colour.BLACK, parse_point("J10"))))
        robot.start()
        await table.run(2)
        robot.stop()
        lying = (robot.state() or {})["at"]
        assert 0 < lying < 3
        await table.run(3)
        assert (robot.state() or {})["at"] == lying
        await table.sim.hand({"do": "place", "point": "J10", "colour": "white"})
        await table.run(0.5)
        robot.start()
        await table.run(10)
        state = robot.state()
        assert state is not None
        assert not state["playing"]
        assert state["why"] == "J10 is occupied"

    live(table, whole)
    table.close()


@pytest.mark.parametrize("seconds", [0, 0.05, 61, 10**400, float("nan")])
def test_a_pace_that_no_robot_has_is_refused(tmp_path: Path, seconds: float) -> None:
    table = VirtualTable(tmp_path)
    robot = new_robot(table)
    with pytest.raises(NotationError, match=r"pace = .* is not possible; allowed: 0.1 to 60 s"):
        robot.pace_s = seconds
    assert robot.pace_s == 0.5
    table.close()


@pytest.mark.parametrize("black_sits", ["near", "far"])
def test_the_robot_plays_a_game_to_its_end(tmp_path: Path, black_sits: str) -> None:
    table = VirtualTable(tmp_path, f"match.black_sits={black_sits}")
    moves = ["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8", "L9"]

    async def whole() -> None:
        telling = asyncio.create_task(table.table.tell())
        table.table.start()
        await table.run(0.3)
        robot = new_robot(table)
        robot.load(by_turns([parse_point(move) for move in moves]))
        await robot.play()
        telling.cancel()

    asyncio.run(whole())
    assert [move["point"] for move in table.public["moves"]] == moves[:9]
    assert table.public["result"]["reason"] == "five"
    table.close()


def test_a_file_of_games_gives_the_one_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("h8 i9\n\nh8 h9 j10\n")
    assert read_game(path, 2) == [parse_point(p) for p in ("H8", "H9", "J10")]
    path.write_text("h8 i9\n\nh8 p16\n")
    with pytest.raises(RecordError, match="line 3"):
        read_game(path, 2)


@pytest.mark.parametrize(
    ("text", "number", "sentence"),
    [
        (b"h8\n", 2, "{path} has no game 2; allowed: 1 to 1"),
        (b"h8\n", 0, "{path} has no game 0; allowed: 1 to 1"),
        (b"\n", 1, "{path} holds no game; allowed: one move list a line, such as h8 i9 j10"),
        (b"h8 p16\n", 1, "{path}: line 1: 'p16' is not a point; allowed: A1 to O15"),
        (b"h8 h8\n", 1, "{path}: line 1: move 2: H8 is occupied"),
        (b"h8 \xff\n", 1, "{path} cannot be read: byte 4 is not UTF-8"),
        (None, 1, "{path} cannot be read: No such file or directory"),
    ],
)
def test_a_file_that_is_no_game_is_one_sentence(
    tmp_path: Path, text: bytes | None, number: int, sentence: str
) -> None:
    path = tmp_path / "games.txt"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(RecordError) as told:
        read_game(path, number)
    assert str(told.value) == sentence.format(path=path)
