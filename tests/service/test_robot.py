"""The robot that plays a recorded game at the simulated table, in virtual time, and its files."""

import asyncio
from pathlib import Path

import pytest

from firmware_host.board import parse_point
from firmware_host.errors import RecordError
from firmware_host.service.robot import Robot, read_game
from tests.service.virtual_table import VirtualTable


@pytest.mark.parametrize("black_sits", ["near", "far"])
def test_the_robot_plays_a_game_to_its_end(tmp_path: Path, black_sits: str) -> None:
    table = VirtualTable(tmp_path, f"match.black_sits={black_sits}")
    moves = ["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8", "L9"]

    async def whole() -> None:
        telling = asyncio.create_task(table.table.tell())
        table.table.start()
        await table.run(0.3)
        robot = Robot(
            table.hand,
            table.table.axis,
            [parse_point(move) for move in moves],
            0.5,
            lambda: table.table.live.over,
            turned=black_sits == "far",
            sleep=table.run,
        )
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
