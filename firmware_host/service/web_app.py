"""What every page of a board has: headers that allow nothing foreign, and refusals in one sentence."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.service.http_body import json_answer
from firmware_host.service.limits import Limits

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


def assemble(
    routes: Sequence[Route], requests_per_s: float = 30, answered: Counter[int] | None = None
) -> Starlette:
    """The application of these routes. `answered` counts its answers by status."""
    app = Starlette(routes=routes, exception_handlers={HTTPException: _refusal, Exception: _failure})
    counted = Counter() if answered is None else answered
    app.add_middleware(Limits, requests_per_s=requests_per_s, answered=counted)
    app.add_middleware(_SecurityHeaders)  # the last one is the outermost: a refusal has them too
    return app


async def _refusal(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    sentence = {404: "there is no such page", 405: "this address does not take that method"}.get(status)
    detail = str(getattr(error, "detail", ""))
    is_standard = status in (404, 405) and detail in ("Not Found", "Method Not Allowed")
    return json_answer(
        {"error": sentence if is_standard else detail}, status, dict(getattr(error, "headers", None) or {})
    )


async def _failure(_: Request, __: Exception) -> Response:
    return json_answer({"error": "the board's program made a mistake; its log says which"}, 500)


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
