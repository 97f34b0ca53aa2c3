"""A table whose sides are easy to tell apart, and what a client gets of its application."""

import asyncio
from typing import Any

import httpx

from firmware_host.errors import BoardError, NotationError
from firmware_host.service.robot import Robot
from firmware_host.service.sse import Channel
from firmware_host.service.web import create_app

HERE = "http://127.0.0.1:8080"


SENSED = Channel("check", lambda: {"readings": []}, keep=1)


class Simulator:
    """A simulated table that remembers what it was told."""

    def __init__(self) -> None:
        self.done: list[dict[str, Any]] = []
        self.channel = Channel("sim", lambda: {"stones": []}, keep=1)
        self.robot: Robot | None = None

    async def hand(self, given: dict[str, Any]) -> None:
        if given.get("point") == "P16":
            raise NotationError("'P16' is not a point; allowed: A1 to O15")
        self.done.append(given)

    def fault(self, given: dict[str, Any]) -> None:
        if given.get("kind") == "rust":
            raise NotationError("fault 'rust' is not possible at this table")
        self.done.append(given)


class Table:
    """A table whose public and secret sides are easy to tell apart."""

    def __init__(self, sim: Simulator | None = None) -> None:
        self.public = Channel("game", lambda: {"moves": ["H8"]})
        self.arbiter = Channel("arbiter", lambda: {"moves": ["H8"], "claimable": ["double-three"]})
        self.sim = sim
        self.rulings = [{"ruling": "started"}]
        self.done: list[dict[str, Any]] = []

    def health(self) -> dict[str, Any]:
        return {"status": "ok", "faults": [], "journal": "ok", "wall_clock": "ok"}

    def masked(self) -> list[str]:
        return ["C4"]

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        if given.get("do") == "dance":
            raise BoardError("'dance' is not a command")
        if given.get("do") == "break":
            raise ZeroDivisionError
        self.done.append(given)
        self.public.publish()
        return self.rulings


def ask(
    table: Table,
    method: str,
    path: str,
    *,
    client: str = "127.0.0.1",
    base: str = HERE,
    app: dict[str, Any] | None = None,
    **options: Any,
) -> httpx.Response:
    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(
            create_app(table, **{"sensed": SENSED, **(app or {})}),
            client=(client, 50000),
            raise_app_exceptions=False,
        )
        async with httpx.AsyncClient(transport=transport, base_url=base) as session:
            return await session.request(method, path, **options)

    return asyncio.run(go())
