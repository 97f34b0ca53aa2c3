"""The table's web pages, its feed and its orders, as an ASGI application.

The pages are small files without a build step, and they fetch nothing from anywhere else, so a hall without
the internet is enough. What a spectator may see comes from `Table.public` alone. Everything else (orders, the
arbiter's view, the simulated hand) is the arbiter's side, behind the door.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.errors import BoardError
from firmware_host.service.device_pages import Measuring, device_routes
from firmware_host.service.door import ARBITER, Door, Tls
from firmware_host.service.health import health_routes
from firmware_host.service.http_body import json_answer, json_body, tagged_answer
from firmware_host.service.metrics import Measures, metrics_route
from firmware_host.service.new_game_pages import OFFICIALS, NewGamePages
from firmware_host.service.new_game_pages import Table as NewGameTable
from firmware_host.service.pins import Pins
from firmware_host.service.qr_page import QrPage
from firmware_host.service.sensor_pages import sensor_routes
from firmware_host.service.sheet_pages import TYPES as SHEETS
from firmware_host.service.sheet_pages import Records, SheetPages
from firmware_host.service.sign_in import SignIn
from firmware_host.service.sim_pages import SimPages, SimulatedTable
from firmware_host.service.sse import Channel, Followed, stream
from firmware_host.service.web_app import assemble
from firmware_host.service.web_files import file_page, file_routes, read_files


class Table(NewGameTable, Protocol):
    """What the pages need of a table. All calls come on the event loop."""

    @property
    def public(self) -> Followed:
        """The public snapshots, event `game`: nothing that is for the arbiter is ever in them."""

    @property
    def arbiter(self) -> Channel:
        """The arbiter's snapshots, event `arbiter`."""

    def sheet_records(self) -> Records:
        """The records that score sheets are made of now."""

    @property
    def sim(self) -> SimulatedTable | None:
        """The simulated table, None with real hardware."""

    def health(self) -> dict[str, Any]:
        """How the parts are, ready for JSON; `status` is `ok` or `degraded`."""

    def masked(self) -> list[str]:
        """The points whose sensors are left out."""

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        """Obey an order of the vocabulary and give its rulings as `wire` objects; raises BoardError."""


def create_app(
    table: Table,
    *,
    signing: SignIn | None = None,
    orders: bool = True,
    sensed: Channel | None = None,
    address: str = "",
    polled: Sequence[Route] = (),
    requests_per_s: int = 30,
    measures: Measures | None = None,
    reached: Callable[[], str] = str,
    monotonic_ns: Callable[[], int] = time.monotonic_ns,
    tls: Callable[[], Tls | None] = lambda: None,
    restart: Callable[[], None] | None = None,
    empty: Measuring | None = None,
) -> Starlette:
    """The application for one table.

    `signing`: what opens the arbiter's side; without a PIN it answers this machine alone. `tls`: the board's
    TLS as it is now. `orders`: takes any at all.
    `sensed`: what the sensors read, event `check`, for the arbiter's side. `address`: the game's page, on its
    score sheet and in its QR code; `reached`: the server's address for other machines. `restart`: begins the
    daemon anew; `empty`: the empty board, to be measured. `requests_per_s`: of one other address in the long
    run. `measures`: what is counted.
    """
    measures = measures or Measures()
    files = read_files()
    door = Door(signing or SignIn(Pins()), files, monotonic_ns, tls)
    web = _Web(table, door, orders)
    sheets = SheetPages(table, address)
    routes = [
        *file_routes(files),
        *door.routes(),
        Route("/", file_page(files, "web/index.html")),
        Route("/overlay", file_page(files, "web/overlay.html")),
        Route("/events", web.events),
        Route("/game.json", web.game),
        *polled,
        *(Route(f"/game.{form}", sheets.public) for form in SHEETS),
        Route("/qr.svg", QrPage(address, reached).code),
        *health_routes(table),
        metrics_route(table, door, measures),
        door.page("/arbiter", "arbiter.html", ARBITER),
        door.stream("/arbiter/events", table.arbiter, ARBITER),
        door.get("/arbiter.json", web.arbiter, ARBITER),
        door.page("/arbiter/sheet", "sheet.html", ARBITER),
        *(door.get(f"/arbiter/sheet.{form}", sheets.arbiter, ARBITER) for form in SHEETS),
        door.post("/command", web.command, ARBITER),
        *NewGamePages(table, orders=orders).routes(door),
    ]
    if table.sim is not None:
        routes += SimPages(table.sim).routes(door)
    if sensed is not None:
        routes += sensor_routes(door, sensed)
        routes += device_routes(door, table, orders=orders, restart=restart, empty=empty)
    return assemble(routes, requests_per_s, measures.answered)


class _Web:
    """The handlers of one table."""

    def __init__(self, table: Table, door: Door, orders: bool) -> None:
        self.table = table
        self.door = door
        self.orders = orders

    async def events(self, request: Request) -> Response:
        answer = stream(self.table.public, request)
        answer.headers["Access-Control-Allow-Origin"] = "*"  # a broadcaster's own page may follow
        return answer

    async def game(self, request: Request) -> Response:
        return tagged_answer(request, *self.table.public.body())

    async def arbiter(self, _: Request) -> Response:
        return json_answer(self.table.arbiter.build())

    async def command(self, request: Request) -> Response:
        if not self.orders:
            raise HTTPException(403, "this board takes no orders over HTTP (web.console = off)")
        given = await json_body(request)
        if given.get("by") not in OFFICIALS:
            allowed = ", ".join(who for who in OFFICIALS if who)
            raise HTTPException(
                400,
                f"by = {given['by']!r} is not possible over HTTP: players speak by the keys of their seats; "
                f"allowed: {allowed}",
            )
        try:
            rulings = await self.table.command(given)
        except BoardError as error:
            raise HTTPException(400, str(error)) from error
        return json_answer({"rulings": rulings})
