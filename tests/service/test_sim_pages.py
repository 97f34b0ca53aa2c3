"""What the page of the simulated table asks for, over HTTP: faults, files of games, the robot."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from firmware_host.referee.match import Referee
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.robot import Robot
from firmware_host.service.web import create_app
from tests.service.web_table import HERE, Simulator, Table, ask

Session = httpx.AsyncClient


def with_robot(test: Callable[[Session, Robot, list[dict[str, Any]]], Awaitable[None]]) -> None:
    """One application for the whole test: a robot at an empty table, whose hand only notes what it did."""

    async def whole() -> None:
        sim = Simulator()
        referee = Referee(MatchSettings(opening="free"))
        sim.robot = Robot(sim.hand, sim.hand, lambda: referee, pace_s=0.1)
        transport = httpx.ASGITransport(create_app(Table(sim)), client=("127.0.0.1", 50000))
        async with Session(transport=transport, base_url=HERE) as session:
            await test(session, sim.robot, sim.done)

    asyncio.run(whole())


def test_something_breaks_or_is_refused_in_one_sentence() -> None:
    table = Table(Simulator())
    order = {"do": "break", "kind": "dead", "at": "H8"}
    assert ask(table, "POST", "/sim/fault", json=order).json() == {"done": True}
    assert table.sim is not None
    assert table.sim.done == [order]
    answer = ask(table, "POST", "/sim/fault", json={"do": "break", "kind": "rust"})
    assert (answer.status_code, answer.json()) == (
        400,
        {"error": "fault 'rust' is not possible at this table"},
    )


def test_a_file_of_games_is_read_and_its_first_game_is_the_robots() -> None:
    async def test(session: Session, robot: Robot, done: list[dict[str, Any]]) -> None:
        assert (await session.get("/sim/games")).json() == {"games": [], "notes": []}
        listed = {
            "games": [{"title": "", "moves": 2}, {"title": "", "moves": 1}],
            "notes": ["line 2: move 1: 'x9' is not a point; allowed: A1 to O15, pass"],
        }
        answer = await session.post("/sim/games?name=two.txt", content=b"h8 i9\nx9\na1\n")
        assert answer.json() == listed
        assert (await session.get("/sim/games")).json() == listed
        assert (robot.state() or {})["moves"] == 2
        assert (await session.post("/sim/robot", json={"do": "choose", "game": 1})).json() == {"done": True}
        assert (robot.state() or {})["next"] == "A1"
        assert (await session.post("/sim/robot", json={"do": "next"})).status_code == 200
        assert [each["do"] for each in done] == ["place", "press"]
        answer = await session.post("/sim/robot", json={"do": "next"})
        assert (answer.status_code, answer.json()) == (400, {"error": "the game is at its end"})
        await session.post("/sim/robot", json={"do": "pace", "seconds": 2.5})
        await session.post("/sim/robot", json={"do": "previous"})
        await session.post("/sim/robot", json={"do": "play"})
        assert (robot.state() or {})["playing"]
        await session.post("/sim/robot", json={"do": "stop"})
        state = robot.state() or {}
        assert (state["playing"], state["at"], state["pace_s"]) == (False, 0, 2.5)

    with_robot(test)


@pytest.mark.parametrize(
    ("path", "options", "status", "sentence"),
    [
        ("games", {"content": b"\x00\xff"}, 400, "byte 2 is not UTF-8, as a file of moves must be"),
        ("games", {"content": b" "}, 400, "there is no game in it (read as moves)"),
        ("games", {"content": b"h8" * 2**20}, 413, "the body is longer than 1048576 bytes"),
        ("games", {"content": b" " * 2**20}, 400, "there is no game in it (read as moves)"),
        ("hand", {"json": {"x": "x" * 2**14}}, 413, "the body is longer than 16384 bytes"),
        ("robot", {"json": {"do": "dance"}}, 400, "that is nothing that a robot does; allowed: choose, next"),
        ("robot", {"json": {"do": "choose", "game": 0}}, 400, "that is nothing that a robot does"),
        ("robot", {"json": {"do": "choose", "game": -1}}, 400, "that is nothing that a robot does"),
        ("robot", {"json": {"do": "pace", "seconds": "1"}}, 400, "that is nothing that a robot does"),
        ("robot", {"json": {"do": "pace", "seconds": 0}}, 400, "pace = 0 s is not possible; allowed: 0.1 to"),
        ("robot", {"json": {"do": "previous"}}, 400, "no stone of this game lies on the board"),
        ("robot", {"json": {"do": "next"}}, 400, "the game is at its end"),
    ],
)
def test_what_cannot_be_is_one_sentence(path: str, options: Any, status: int, sentence: str) -> None:
    async def test(session: Session, _: Robot, done: list[dict[str, Any]]) -> None:
        answer = await session.post(f"/sim/{path}", **options)
        assert answer.status_code == status
        assert sentence in answer.json()["error"]
        assert done == []

    with_robot(test)


def test_a_table_without_a_robot_says_so() -> None:
    answer = ask(Table(Simulator()), "POST", "/sim/robot", json={"do": "next"})
    assert (answer.status_code, answer.json()) == (404, {"error": "this table has no robot"})
