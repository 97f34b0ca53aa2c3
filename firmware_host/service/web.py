"""The table's web pages, its feed and its orders, as an ASGI application.

The pages are small files without a build step; they are read once and served from memory, and they fetch
nothing from anywhere else, so a hall without the internet is enough. What a spectator may see comes from
`Table.public` alone. Everything else (orders, the arbiter's view, the simulated hand) is the arbiter's side:
for this machine only, or with a PIN for whoever has signed in with it, on this machine too, since a kiosk or
a proxy may run there.
"""

import hashlib
import ipaddress
import mimetypes
import time
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.errors import BoardError
from firmware_host.service.sheet_pages import TYPES as SHEETS
from firmware_host.service.sheet_pages import Records, SheetPages
from firmware_host.service.sign_in import SECOND, SESSION_NS, NotSignedIn, SignIn
from firmware_host.service.sse import Channel, EventStream

BODY_LIMIT: Final = 16 * 1024
FOLLOWER_LIMIT: Final = 500
FOLDERS: Final = ("web", "locale")
TYPES: Final = {".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}
SECURITY: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}

OFFICIALS: Final = (None, "arbiter", "chief", "organiser")
"""Who can give an order over HTTP; what a player says comes from the keys of his seat."""

Handler = Callable[[Request], Awaitable[Response]]


class SimulatedTable(Protocol):
    """The table in software: what a hand does to it, and what lies on it and shows.

    A state: `{"turned": bool, "stones": [{"colour", "x_mm", "y_mm", "height_mm"}], "faces": {"near": FACE,
    "far": FACE}, "buzzer": {"sounding": bool, "frequency_hz", "volume"}}`. Millimetres are from the sensor
    plane's corner at the near seat's lower left, `height_mm` above the wood. `turned`: Black sat at the far
    seat, so A1 is at the opposite corner. A FACE is its chip's memory: `{"on": bool, "blink": Hz or
    null, "brightness": 0..15, "digits": four bytes of segments, left to right (bits 0..6 = a..g, bit 7 the
    decimal point), "colon": bool}`.
    """

    @property
    def channel(self) -> Channel:
        """States of the table, event `sim`."""

    async def hand(self, given: dict[str, Any]) -> None:
        """Move the hand and come back when it has let go; raises BoardError for what no hand can do.

        `{"do": "place", "point", "colour"}`, `{"do": "slide", "from", "to"}`, `{"do": "lift", "point"}`,
        `{"do": "press", "key"}`, `{"do": "clear"}`; points are the board's.
        """


class Table(Protocol):
    """What the pages need of a table. All calls come on the event loop."""

    @property
    def public(self) -> Channel:
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

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        """Obey an order of the vocabulary and give its rulings as `wire` objects; raises BoardError."""


def create_app(
    table: Table,
    *,
    pin: str = "",
    orders: bool = True,
    sensed: Channel | None = None,
    address: str = "",
    monotonic_ns: Callable[[], int] = time.monotonic_ns,
) -> Starlette:
    """The application for one table.

    `pin`: what opens the arbiter's side; empty: it answers this machine alone. `orders`: takes any at all.
    `sensed`: what the sensors read, event `check`, for the arbiter's side. `address`: the game's page, on its
    score sheet.
    """
    files = _read_files()
    web = _Web(table, pin, orders, monotonic_ns, files)
    sheets = SheetPages(table, address)
    routes = [
        *web.routes(),
        Route("/", _file(files, "web/index.html")),
        Route("/arbiter", web.guard(_file(files, "web/arbiter.html"), private=True)),
        Route("/events", web.events),
        Route("/game.json", web.game),
        *(Route(f"/game.{form}", sheets.public) for form in SHEETS),
        *(Route(f"/arbiter/sheet.{form}", web.guard(sheets.arbiter)) for form in SHEETS),
        Route("/arbiter/sheet", web.guard(_file(files, "web/sheet.html"), private=True)),
        Route("/health", web.health),
        Route("/arbiter/events", web.guard(web.arbiter_events)),
        Route("/arbiter.json", web.guard(web.arbiter)),
        Route("/command", web.guard(web.command), methods=["POST"]),
    ]
    if table.sim is not None:
        routes += [
            Route("/table", web.guard(_file(files, "web/table.html"), private=True)),
            Route("/sim/events", web.guard(web.sim_events)),
            Route("/sim/hand", web.guard(web.hand), methods=["POST"]),
        ]
    if sensed is not None:
        routes += web.sensor_routes(sensed)
    return _app(routes)


def create_check_app(
    sensors: Channel, *, pin: str = "", monotonic_ns: Callable[[], int] = time.monotonic_ns
) -> Starlette:
    """The application of a check: the sensors' page alone, for the same people as the arbiter's page."""
    files = _read_files()
    door = _Door(pin, monotonic_ns, files)
    home = Route("/", door.guard(_file(files, "web/check.html"), private=True))
    return _app([home, *door.routes(), *door.sensor_routes(sensors)])


def _app(routes: list[Route]) -> Starlette:
    app = Starlette(routes=routes, exception_handlers={HTTPException: _refusal, Exception: _failure})
    app.add_middleware(_SecurityHeaders)
    return app


class _Door:
    """Who may enter the arbiter's side."""

    def __init__(self, pin: str, monotonic_ns: Callable[[], int], files: dict[str, bytes]) -> None:
        self.signing = SignIn(pin) if pin else None
        self.now_ns = monotonic_ns
        self.files = files

    def routes(self) -> list[Route]:
        """The door itself, and every file that is no page."""
        files = self.files
        return [
            *(Route("/" + name, _file(files, name)) for name in files if not name.endswith(".html")),
            Route("/favicon.ico", _file(files, "web/icon.svg")),
            Route("/arbiter/sign-in", self.door_state),
            Route("/arbiter/sign-in", self.sign_in, methods=["POST"]),
            Route("/arbiter/sign-out", self.guard(self.sign_out), methods=["POST"]),
        ]

    def sensor_routes(self, sensors: Channel) -> list[Route]:
        """The page of the sensors' readings, and their stream."""

        async def stream(request: Request) -> Response:
            return _stream(sensors, request, lambda: self.may_enter(request))

        return [
            Route("/check", self.guard(_file(self.files, "web/check.html"), private=True)),
            Route("/check/events", self.guard(stream)),
        ]

    def guard(self, handler: Handler, *, private: bool = False) -> Handler:
        """`handler` for the arbiter's side alone, and orders only from this server's own pages.

        `private`: a page; a browser that may not see it gets one that says how to come in.
        """

        async def guarded(request: Request) -> Response:
            if request.method == "POST" and not _is_same_origin(request):
                raise HTTPException(403, f"{request.url.path} takes orders only from the board's own pages")
            if not self.may_enter(request):
                if private and "text/html" in request.headers.get("accept", ""):
                    return self.door()
                if self.signing is not None:
                    raise HTTPException(
                        401,
                        f"{request.url.path} is the arbiter's: sign in with the PIN",
                        {"WWW-Authenticate": "PIN"},
                    )
                raise HTTPException(
                    403,
                    f"{request.url.path} answers only to the machine of the board itself;"
                    " with web.arbiter_pin set it answers to whoever has the PIN",
                )
            return await handler(request)

        return guarded

    def may_enter(self, request: Request) -> bool:
        """Whether a request comes from the arbiter's side."""
        if self.signing is None:
            return _is_local(request)
        return self.signing.knows(request.cookies.get(_cookie(request), ""), self.now_ns())

    def door(self) -> Response:
        """The page for who may not enter: the field for the PIN, or how to set one."""
        name, status = ("sign-in", 401) if self.signing is not None else ("closed", 403)
        headers = {"Cache-Control": "no-store"} | ({"WWW-Authenticate": "PIN"} if status == 401 else {})
        return Response(self.files[f"web/{name}.html"], status, headers, media_type="text/html")

    async def door_state(self, _: Request) -> Response:
        """Whether a PIN is asked for."""
        return _json({"pin": self.signing is not None})

    async def sign_in(self, request: Request) -> Response:
        """A PIN comes in, a session goes out as a cookie that no script can read."""
        if not _is_same_origin(request):
            raise HTTPException(403, f"{request.url.path} takes a PIN only from the board's own pages")
        if self.signing is None:
            raise HTTPException(
                404, "no PIN is set (web.arbiter_pin); the arbiter's page is on the board's machine"
            )
        given = (await _body(request)).get("pin")
        if not isinstance(given, str):
            raise HTTPException(400, 'the PIN is a text: {"pin": "4711"}')
        try:
            token = self.signing.sign_in(given, self.now_ns())
        except NotSignedIn as error:
            waiting = {"Retry-After": str(error.wait_s)} if error.wait_s else {}
            return _json({"error": str(error), "wait_s": error.wait_s}, 429 if waiting else 401, waiting)
        answer = _json({"done": True})
        answer.set_cookie(
            _cookie(request), token, max_age=SESSION_NS // SECOND, path="/", httponly=True, samesite="strict"
        )
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session of this browser."""
        if self.signing is not None:
            self.signing.sign_out(request.cookies.get(_cookie(request), ""))
        answer = _json({"done": True})
        answer.delete_cookie(_cookie(request), path="/", httponly=True, samesite="strict")
        return answer


class _Web(_Door):
    """The handlers of one table."""

    def __init__(
        self,
        table: Table,
        pin: str,
        orders: bool,
        monotonic_ns: Callable[[], int],
        files: dict[str, bytes],
    ) -> None:
        super().__init__(pin, monotonic_ns, files)
        self.table = table
        self.orders = orders

    async def events(self, request: Request) -> Response:
        return _stream(self.table.public, request)

    async def arbiter_events(self, request: Request) -> Response:
        return _stream(self.table.arbiter, request, lambda: self.may_enter(request))

    async def sim_events(self, request: Request) -> Response:
        sim = self.table.sim
        if sim is None:
            raise HTTPException(404, "this board has no simulated table")
        return _stream(sim.channel, request)

    async def game(self, _: Request) -> Response:
        return _json(self.table.public.build())

    async def arbiter(self, _: Request) -> Response:
        return _json(self.table.arbiter.build())

    async def health(self, _: Request) -> Response:
        return _json({**self.table.health(), "followers": self.table.public.followers})

    async def command(self, request: Request) -> Response:
        if not self.orders:
            raise HTTPException(403, "this board takes no orders over HTTP (web.console = off)")
        given = await _body(request)
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
        return _json({"rulings": rulings})

    async def hand(self, request: Request) -> Response:
        given = await _body(request)
        sim = self.table.sim
        if sim is None:
            raise HTTPException(404, "this board has no simulated table")
        try:
            await sim.hand(given)
        except BoardError as error:
            raise HTTPException(400, str(error)) from error
        return _json({"done": True})


def _cookie(request: Request) -> str:
    """The name of the session's cookie: browsers keep cookies by host, and a host may have several tables."""
    server = request.scope.get("server")
    return f"arbiter-{server[1] if server else 0}"


def _stream(channel: Channel, request: Request, allowed: Callable[[], bool] = lambda: True) -> Response:
    if channel.followers >= FOLLOWER_LIMIT:
        raise HTTPException(503, f"{FOLLOWER_LIMIT} viewers are here already", {"Retry-After": "30"})
    return EventStream(channel, request, allowed)


def _json(built: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(
        msgspec.json.encode(built),
        status,
        {"Cache-Control": "no-store", **(headers or {})},
        media_type="application/json",
    )


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request; raises HTTPException with a sentence."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "the body is not application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_LIMIT:
            raise HTTPException(413, f"the body is longer than {BODY_LIMIT} bytes", {"Connection": "close"})
    try:
        given = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400, f"the body is not JSON: {error}") from error
    if not isinstance(given, dict):
        raise HTTPException(400, 'the body is not a JSON object such as {"do": "start"}')
    return given


def _is_local(request: Request) -> bool:
    """Whether the client is this machine, calls it by a name of its own, and speaks for nobody else.

    The name guards against a foreign page whose address was made to point here (DNS rebinding), the last
    against a proxy on this machine that would make everybody local.
    """
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    return request.client is not None and _is_loopback(request.client.host) and _is_loopback(_host(request))


def _host(request: Request) -> str:
    try:
        return urlsplit("//" + request.headers.get("host", "")).hostname or ""
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or (mapped is not None and mapped.is_loopback)


def _is_same_origin(request: Request) -> bool:
    """Whether a browser says that one of our own pages sends this; other programs send neither header."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}"


def _read_files() -> dict[str, bytes]:
    """Every page, script, style and catalogue by its path (`web/board.js`), as it is in the package."""
    root = resources.files("firmware_host")
    return {
        f"{folder}/{entry.name}": entry.read_bytes()
        for folder in FOLDERS
        for entry in sorted(root.joinpath(folder).iterdir(), key=lambda entry: entry.name)
        if entry.is_file()
    }


def _file(files: dict[str, bytes], name: str) -> Handler:
    """A handler that serves one file; browsers ask each time and are told when theirs is still right."""
    content = files[name]
    suffix = "." + name.rpartition(".")[2]
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    media_type = TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")

    async def serve(request: Request) -> Response:
        known = [
            tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")
        ]
        if etag in known:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=media_type)

    return serve


async def _refusal(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    sentence = {404: "there is no such page", 405: "this address does not take that method"}.get(status)
    detail = str(getattr(error, "detail", ""))
    is_standard = status in (404, 405) and detail in ("Not Found", "Method Not Allowed")
    return _json(
        {"error": sentence if is_standard else detail}, status, dict(getattr(error, "headers", None) or {})
    )


async def _failure(_: Request, __: Exception) -> Response:
    return _json({"error": "the board's program made a mistake; its log says which"}, 500)


class _SecurityHeaders:
    """Adds the headers that keep a browser from doing anything but what the pages need."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = [(name.encode(), value.encode()) for name, value in SECURITY.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self.headers]
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
