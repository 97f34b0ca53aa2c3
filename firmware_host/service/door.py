"""The door to the arbiter's side: who may enter in which role, and the routes by which one signs in and out.

Without a PIN it opens on this machine only, for everything. With one it opens for whoever has signed in, on
this machine too, since a kiosk or a proxy may run there. A board that has TLS shows this side in the clear to
nobody but its own machine.
"""

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from firmware_host.service.client_address import is_loopback, network_of
from firmware_host.service.http_body import json_answer, json_body
from firmware_host.service.pins import Role
from firmware_host.service.sign_in import SECOND, SESSION_NS, NotSignedIn, SignIn
from firmware_host.service.sse import Followed, stream
from firmware_host.service.web_files import Handler, file_page

ARBITER: Final[frozenset[Role]] = frozenset({"arbiter"})
STAFF: Final[frozenset[Role]] = frozenset({"arbiter", "operator"})
"""The arbiter decides the game; an operator looks after the devices, and the arbiter may do that too."""


class Tls(NamedTuple):
    """The port at which the board speaks TLS, and the SHA-256 of its certificate, `AA:BB:..`."""

    port: int
    fingerprint: str


class Guarded(Route):
    """A route behind the door, and the roles that it is for."""

    def __init__(self, path: str, handler: Handler, roles: frozenset[Role], method: str) -> None:
        super().__init__(path, handler, methods=[method])
        self.roles = roles


class Door:
    """Who may enter the arbiter's side."""

    def __init__(
        self,
        signing: SignIn,
        files: dict[str, bytes],
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
        tls: Callable[[], Tls | None] = lambda: None,
    ) -> None:
        """`tls`: what holds now, since a certificate is renewed; None: the board has none."""
        self.signing = signing
        self.now_ns = monotonic_ns
        self.files = files
        self.tls = tls

    def routes(self) -> list[Route]:
        """The door itself."""
        return [
            Route("/arbiter/sign-in", self.state),
            Route("/arbiter/sign-in", self.sign_in, methods=["POST"]),
            self.post("/arbiter/sign-out", self.sign_out, STAFF),
        ]

    def page(self, path: str, name: str, roles: frozenset[Role]) -> Guarded:
        """A page of `web/` for these roles; who may not see it gets one that says how to come in."""
        handler = file_page(self.files, f"web/{name}")

        async def guarded(request: Request) -> Response:
            if "text/html" in request.headers.get("accept", ""):
                if self.must_be_secret(request):
                    return self.redirect(request)
                if self.role_of(request) not in roles:
                    return self.closed(request)
            self.check(request, roles)
            return await handler(request)

        return Guarded(path, guarded, roles, "GET")

    def get(self, path: str, handler: Handler, roles: frozenset[Role]) -> Guarded:
        """What these roles alone may read."""

        async def guarded(request: Request) -> Response:
            self.check(request, roles)
            return await handler(request)

        return Guarded(path, guarded, roles, "GET")

    def stream(self, path: str, channel: Followed, roles: frozenset[Role]) -> Guarded:
        """What these roles alone may follow, for as long as they may."""

        async def events(request: Request) -> Response:
            return stream(channel, request, lambda: self.role_of(request) in roles)

        return self.get(path, events, roles)

    def post(self, path: str, handler: Handler, roles: frozenset[Role]) -> Guarded:
        """What these roles alone may do, and only from this server's own pages."""

        async def guarded(request: Request) -> Response:
            if not is_same_origin(request):
                raise HTTPException(403, f"{request.url.path} takes orders only from the board's own pages")
            self.check(request, roles)
            return await handler(request)

        return Guarded(path, guarded, roles, "POST")

    def check(self, request: Request, roles: frozenset[Role]) -> None:
        """Raise HTTPException, in one sentence, for who is none of these."""
        path = request.url.path
        if self.must_be_secret(request):
            raise HTTPException(403, f"{path} answers only over TLS: {self.secret_url(request)}")
        role = self.role_of(request)
        if role in roles:
            return
        whose = " or the ".join(sorted(roles))
        if role is not None:
            raise HTTPException(403, f"{path} is for the {whose}; you are signed in as the {role}")
        if self.signing.pins.locked:
            raise HTTPException(
                401, f"{path} is for the {whose}: sign in with the PIN", {"WWW-Authenticate": "PIN"}
            )
        raise HTTPException(
            403,
            f"{path} answers only to the machine of the board itself;"
            " with a PIN (renju-board pin) it answers to whoever has it",
        )

    def role_of(self, request: Request) -> Role | None:
        """As whom a request comes; None for who has not come in, or would in the clear."""
        if self.must_be_secret(request):
            return None
        if not self.signing.pins.locked:
            return "arbiter" if is_local(request) else None
        return self.signing.role(request.cookies.get(_cookie(request), ""), self.now_ns())

    def must_be_secret(self, request: Request) -> bool:
        """Whether a request comes over a network in the clear although the board has TLS."""
        return self.tls() is not None and _is_clear(request)

    def secret_url(self, request: Request) -> str:
        """The same address over TLS."""
        tls, host = self.tls(), host_of(request)
        if tls is None or not host:
            raise HTTPException(400, "the request names no host")
        shown = f"[{host}]" if ":" in host else host
        return str(request.url.replace(scheme="https", netloc=f"{shown}:{tls.port}"))

    def redirect(self, request: Request) -> Response:
        """To the same page over TLS."""
        return RedirectResponse(self.secret_url(request), 307, {"Cache-Control": "no-store"})

    def closed(self, request: Request) -> Response:
        """The page for who may not enter: the field for the PIN, or how to set one."""
        name = "sign-in" if self.signing.pins.locked else "closed"
        status = 401 if self.signing.pins.locked and self.role_of(request) is None else 403
        headers = {"Cache-Control": "no-store"} | ({"WWW-Authenticate": "PIN"} if status == 401 else {})
        return Response(self.files[f"web/{name}.html"], status, headers, media_type="text/html")

    async def state(self, request: Request) -> Response:
        """What a page must know of the door.

        `pin`: one is asked for; `role`: of who asks; `clear`: over a network without TLS; `fingerprint`.
        """
        tls = self.tls()
        return json_answer(
            {
                "pin": self.signing.pins.locked,
                "role": self.role_of(request),
                "clear": _is_clear(request),
                "fingerprint": tls.fingerprint if tls and request.url.scheme == "https" else None,
            }
        )

    async def sign_in(self, request: Request) -> Response:
        """A PIN comes in, a session goes out as a cookie that no script can read."""
        if not is_same_origin(request):
            raise HTTPException(403, f"{request.url.path} takes a PIN only from the board's own pages")
        if self.must_be_secret(request):
            raise HTTPException(403, f"a PIN is taken only over TLS: {self.secret_url(request)}")
        if not self.signing.pins.locked:
            raise HTTPException(
                404, "no PIN is set (renju-board pin); the arbiter's page is on the board's machine"
            )
        given = (await json_body(request)).get("pin")
        if not isinstance(given, str):
            raise HTTPException(400, 'the PIN is a text: {"pin": "48217735"}')
        here = is_local(request)
        asker = network_of(request.client.host) if request.client else ""
        try:
            token, role = await self.signing.sign_in(given, asker, self.now_ns(), here=here)
        except NotSignedIn as error:
            waiting = {"Retry-After": str(error.wait_s)} if error.wait_s else {}
            return json_answer(
                {"error": str(error), "wait_s": error.wait_s}, 429 if waiting else 401, waiting
            )
        answer = json_answer({"done": True, "role": role})
        answer.set_cookie(_cookie(request), token, max_age=SESSION_NS // SECOND, **_cookie_kind(request))
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session of this browser."""
        await self.signing.sign_out(request.cookies.get(_cookie(request), ""), self.now_ns())
        answer = json_answer({"done": True})
        answer.delete_cookie(_cookie(request), **_cookie_kind(request))
        return answer


def _cookie(request: Request) -> str:
    """The name of the session's cookie: browsers keep cookies by host, and a host may have several tables.

    A name with `__Host-` cannot be set by a page in the clear. Source: RFC 6265bis, 4.1.3.2.
    """
    server = request.scope.get("server")
    prefix = "__Host-" if request.url.scheme == "https" else ""
    return f"{prefix}arbiter-{server[1] if server else 0}"


def _cookie_kind(request: Request) -> dict[str, Any]:
    return {
        "path": "/",
        "httponly": True,
        "samesite": "strict",
        "secure": request.url.scheme == "https",
    }


def _is_clear(request: Request) -> bool:
    """Whether somebody between the client and this machine could read along."""
    return request.url.scheme != "https" and not is_local(request)


def is_local(request: Request) -> bool:
    """Whether the client is this machine, calls it by a name of its own, and speaks for nobody else.

    The name guards against a foreign page whose address was made to point here (DNS rebinding), the last
    against a proxy on this machine that would make everybody local.
    """
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    return request.client is not None and is_loopback(request.client.host) and is_loopback(host_of(request))


def host_of(request: Request) -> str:
    """The name by which a client calls this server, without a port; empty for what is none."""
    try:
        return urlsplit("//" + request.headers.get("host", "")).hostname or ""
    except ValueError:
        return ""


def is_same_origin(request: Request) -> bool:
    """Whether a browser says that one of our own pages sends this; other programs send neither header.

    No page can write `Sec-Fetch-Site`, and behind a proxy the browser alone knows by which scheme it came.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None and site != "none":
        return site == "same-origin"
    origin = request.headers.get("origin")
    return origin is None or origin == f"{request.url.scheme}://{request.headers.get('host', '')}"
