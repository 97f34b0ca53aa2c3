"""The door to the arbiter's side: who may enter, and the routes by which one signs in and out.

It opens for this machine only, or with a PIN for whoever has signed in with it, on this machine too, since a
kiosk or a proxy may run there.
"""

import ipaddress
import time
from collections.abc import Callable
from typing import Final, Literal
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.service.http_body import json_answer, json_body
from firmware_host.service.sign_in import SECOND, SESSION_NS, NotSignedIn, SignIn
from firmware_host.service.web_files import Handler, file_page

Role = Literal["arbiter", "operator"]

ARBITER: Final[frozenset[Role]] = frozenset({"arbiter"})
STAFF: Final[frozenset[Role]] = frozenset({"arbiter", "operator"})
"""The arbiter decides the game; an operator looks after the devices, and the arbiter may do that too."""


class Guarded(Route):
    """A route behind the door, and the roles that it is for."""

    def __init__(self, path: str, handler: Handler, roles: frozenset[Role], method: str) -> None:
        super().__init__(path, handler, methods=[method])
        self.roles = roles


class Door:
    """Who may enter the arbiter's side."""

    def __init__(
        self, pin: str, files: dict[str, bytes], monotonic_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self.signing = SignIn(pin) if pin else None
        self.now_ns = monotonic_ns
        self.files = files

    def routes(self) -> list[Route]:
        """The door itself."""
        return [
            Route("/arbiter/sign-in", self.door_state),
            Route("/arbiter/sign-in", self.sign_in, methods=["POST"]),
            self.post("/arbiter/sign-out", self.sign_out, STAFF),
        ]

    def page(self, path: str, name: str, roles: frozenset[Role]) -> Guarded:
        """A page of `web/` for these roles; who may not see it gets one that says how to come in."""
        handler = file_page(self.files, f"web/{name}")

        async def guarded(request: Request) -> Response:
            if self.may_enter(request) or "text/html" not in request.headers.get("accept", ""):
                self.check(request)
                return await handler(request)
            return self.door()

        return Guarded(path, guarded, roles, "GET")

    def get(self, path: str, handler: Handler, roles: frozenset[Role]) -> Guarded:
        """What these roles alone may read."""

        async def guarded(request: Request) -> Response:
            self.check(request)
            return await handler(request)

        return Guarded(path, guarded, roles, "GET")

    def post(self, path: str, handler: Handler, roles: frozenset[Role]) -> Guarded:
        """What these roles alone may do, and only from this server's own pages."""

        async def guarded(request: Request) -> Response:
            if not is_same_origin(request):
                raise HTTPException(403, f"{request.url.path} takes orders only from the board's own pages")
            self.check(request)
            return await handler(request)

        return Guarded(path, guarded, roles, "POST")

    def check(self, request: Request) -> None:
        """Raise HTTPException, which says how to come in, for who may not enter."""
        if self.may_enter(request):
            return
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

    def may_enter(self, request: Request) -> bool:
        """Whether a request comes from the arbiter's side."""
        if self.signing is None:
            return is_local(request)
        return self.signing.knows(request.cookies.get(_cookie(request), ""), self.now_ns())

    def door(self) -> Response:
        """The page for who may not enter: the field for the PIN, or how to set one."""
        name, status = ("sign-in", 401) if self.signing is not None else ("closed", 403)
        headers = {"Cache-Control": "no-store"} | ({"WWW-Authenticate": "PIN"} if status == 401 else {})
        return Response(self.files[f"web/{name}.html"], status, headers, media_type="text/html")

    async def door_state(self, _: Request) -> Response:
        """Whether a PIN is asked for."""
        return json_answer({"pin": self.signing is not None})

    async def sign_in(self, request: Request) -> Response:
        """A PIN comes in, a session goes out as a cookie that no script can read."""
        if not is_same_origin(request):
            raise HTTPException(403, f"{request.url.path} takes a PIN only from the board's own pages")
        if self.signing is None:
            raise HTTPException(
                404, "no PIN is set (web.arbiter_pin); the arbiter's page is on the board's machine"
            )
        given = (await json_body(request)).get("pin")
        if not isinstance(given, str):
            raise HTTPException(400, 'the PIN is a text: {"pin": "4711"}')
        try:
            token = self.signing.sign_in(given, self.now_ns())
        except NotSignedIn as error:
            waiting = {"Retry-After": str(error.wait_s)} if error.wait_s else {}
            return json_answer(
                {"error": str(error), "wait_s": error.wait_s}, 429 if waiting else 401, waiting
            )
        answer = json_answer({"done": True})
        answer.set_cookie(
            _cookie(request), token, max_age=SESSION_NS // SECOND, path="/", httponly=True, samesite="strict"
        )
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session of this browser."""
        if self.signing is not None:
            self.signing.sign_out(request.cookies.get(_cookie(request), ""))
        answer = json_answer({"done": True})
        answer.delete_cookie(_cookie(request), path="/", httponly=True, samesite="strict")
        return answer


def _cookie(request: Request) -> str:
    """The name of the session's cookie: browsers keep cookies by host, and a host may have several tables."""
    server = request.scope.get("server")
    return f"arbiter-{server[1] if server else 0}"


def is_local(request: Request) -> bool:
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


def is_same_origin(request: Request) -> bool:
    """Whether a browser says that one of our own pages sends this; other programs send neither header."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}"
