"""What an operator may do: masks, a restart, the empty board measured; no decision of the game."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.errors import BoardError
from firmware_host.service.door import STAFF, Door
from firmware_host.service.http_body import json_answer, json_body


class Devices(Protocol):
    """A table as far as its devices go."""

    def health(self) -> dict[str, Any]:
        """How the parts are; see `web.Table`."""

    def masked(self) -> list[str]:
        """The points whose sensors are left out."""

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        """Obey an order; see `web.Table`."""


class Measuring(Protocol):
    """The empty board of a table; see `empty_board.EmptyBoard`."""

    @property
    def may(self) -> bool:
        """Whether it can be measured now."""

    async def measure(self) -> None:
        """Measure and keep; raises BoardError."""


def device_routes(
    door: Door,
    table: Devices,
    *,
    orders: bool,
    restart: Callable[[], None] | None,
    empty: Measuring | None,
) -> Sequence[Route]:
    """How the devices are, and the orders of an operator.

    `restart`, `empty`: what begins the daemon anew and measures the empty board; None where nothing can.
    """

    async def state(_: Request) -> Response:
        return json_answer(
            {
                "health": table.health(),
                "masked": table.masked(),
                "may": [
                    *(["mask", "unmask"] if orders else []),
                    *(["restart"] if restart else []),
                    *(["measure"] if restart and empty is not None and empty.may else []),
                ],
            }
        )

    async def mask(request: Request) -> Response:
        if not orders:
            raise HTTPException(403, "this board takes no orders over HTTP (web.console = off)")
        order = {
            "do": request.url.path.rpartition("/")[2],
            "point": (await json_body(request)).get("point"),
            "by": "organiser",
        }
        try:
            rulings = await table.command(order)
        except BoardError as error:
            raise HTTPException(400, str(error)) from error
        # What else an order led to may be the arbiter's to know.
        return json_answer({"rulings": [each for each in rulings if each["ruling"] == "refused"]})

    async def again(request: Request) -> Response:
        await json_body(request)
        if restart is None:
            raise HTTPException(404, "this board is started by hand")
        restart()
        return json_answer({"done": True})

    measuring = asyncio.Lock()

    async def measure(request: Request) -> Response:
        await json_body(request)
        if restart is None or empty is None:
            raise HTTPException(404, "this board is measured by hand: renju-board calibrate")
        if measuring.locked():
            raise HTTPException(409, "the empty board is being measured already")
        async with measuring:
            try:
                await empty.measure()
            except BoardError as error:
                raise HTTPException(400, str(error)) from error
        restart()
        return json_answer({"done": True})

    return [
        door.get("/devices.json", state, STAFF),
        door.post("/devices/mask", mask, STAFF),
        door.post("/devices/unmask", mask, STAFF),
        door.post("/devices/restart", again, STAFF),
        door.post("/devices/measure", measure, STAFF),
    ]
