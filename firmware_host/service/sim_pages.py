"""The page of the simulated table and what it asks for: the hand, what is broken, the robot and its games."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.errors import BoardError
from firmware_host.service.door import ARBITER, Door
from firmware_host.service.game_shelf import Shelf, read_shelf
from firmware_host.service.http_body import FILE_LIMITS, json_answer, json_body, whole_body
from firmware_host.service.robot import Robot
from firmware_host.service.sse import Channel

ROBOT: Final = ("choose", "next", "previous", "play", "stop", "pace")


class SimulatedTable(Protocol):
    """The table in software: what a hand does to it, and what lies on it and shows.

    A state: `{"turned": bool, "stones": [{"colour", "x_mm", "y_mm", "height_mm"}], "faces": {"near": FACE,
    "far": FACE}, "buzzer": {"sounding": bool, "frequency_hz", "volume", "tones": [{"at_ms", "frequency_hz",
    "duration_ms", "volume"}]}, "faults": [{"kind", "at"}], "breakable": {kind: "point", "line" or "table"},
    "robot": `Robot.state()`}`. Millimetres are from the sensor plane's corner at the near seat's lower left,
    `height_mm` above the wood. `turned`: Black sat at the far seat, so A1 is at the opposite corner. A FACE
    is its chip's memory: `{"on": bool, "blink": Hz or null, "brightness": 0..15, "digits": four bytes of
    segments, left to right (bits 0..6 = a..g, bit 7 the decimal point), "colon": bool}`. `tones` are the
    newest that were begun, their instants on an axis of its own.
    """

    robot: Robot | None

    @property
    def channel(self) -> Channel:
        """States of the table, event `sim`."""

    async def hand(self, given: Mapping[str, Any]) -> None:
        """Move the hand and come back when it has let go; raises BoardError for what no hand can do."""

    def fault(self, given: Mapping[str, Any]) -> None:
        """Break something, or put it right; raises BoardError for what cannot be."""


class SimPages:
    """The handlers of one simulated table."""

    def __init__(self, sim: SimulatedTable) -> None:
        self.sim = sim
        self.shelf = Shelf()

    def routes(self, door: Door) -> list[Route]:
        """All of it is the arbiter's side: whoever moves the stones may do as much."""
        return [
            door.page("/table", "table.html", ARBITER),
            door.stream("/sim/events", self.sim.channel, ARBITER),
            door.post("/sim/hand", self.hand, ARBITER),
            door.post("/sim/fault", self.fault, ARBITER),
            door.get("/sim/games", self.games, ARBITER),
            door.post("/sim/games", self.load, ARBITER),
            door.post("/sim/robot", self.robot, ARBITER),
        ]

    async def hand(self, request: Request) -> Response:
        """One thing that a hand does; the answer comes when it has let go."""
        given = await json_body(request)
        try:
            await self.sim.hand(given)
        except BoardError as error:
            raise HTTPException(400, str(error)) from error
        return json_answer({"done": True})

    async def fault(self, request: Request) -> Response:
        """Something breaks, or is put right."""
        given = await json_body(request)
        try:
            self.sim.fault(given)
        except BoardError as error:
            raise HTTPException(400, str(error)) from error
        return json_answer({"done": True})

    async def games(self, _: Request) -> Response:
        """The games that were read last."""
        return json_answer(self._listed())

    async def load(self, request: Request) -> Response:
        """A file of games or a pasted text; the first game goes to the robot. `?name=`: the file's."""
        data = await whole_body(request, FILE_LIMITS["/sim/games"])
        try:
            self.shelf = await asyncio.to_thread(read_shelf, request.query_params.get("name", ""), data)
        except BoardError as error:
            raise HTTPException(400, str(error)) from error
        self._choose(0)
        return json_answer(self._listed())

    async def robot(self, request: Request) -> Response:
        """What the robot is to do: `ROBOT`; choose names a `game` from 0, pace `seconds`."""
        given = await json_body(request)
        try:
            await self._order(given)
        except BoardError as error:
            raise HTTPException(400, str(error)) from error
        return json_answer({"done": True})

    async def _order(self, given: dict[str, Any]) -> None:
        robot = self._robot()
        match given:
            case {"do": "choose", "game": int(number)} if 0 <= number < len(self.shelf.games):
                self._choose(number)
            case {"do": "next"}:
                await robot.next()
            case {"do": "previous"}:
                await robot.previous()
            case {"do": "play"}:
                robot.start()
            case {"do": "stop"}:
                robot.stop()
            case {"do": "pace", "seconds": int(seconds) | float(seconds)}:
                robot.pace_s = seconds
            case _:
                numbers = f"game (0 to {len(self.shelf.games) - 1})"
                allowed = f"{', '.join(ROBOT)}; choose with {numbers}, pace with seconds"
                raise HTTPException(400, f"that is nothing that a robot does; allowed: {allowed}")

    def _choose(self, number: int) -> None:
        game = self.shelf.games[number]
        self._robot().load(game.turns, game.title)

    def _robot(self) -> Robot:
        if self.sim.robot is None:
            raise HTTPException(404, "this table has no robot")
        return self.sim.robot

    def _listed(self) -> dict[str, Any]:
        return {
            "games": [{"title": game.title, "moves": len(game.turns)} for game in self.shelf.games],
            "notes": list(self.shelf.notes),
        }
