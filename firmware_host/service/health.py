"""How the board is: one JSON object for people and supervisors.

`/health` answers 200 for as long as the daemon answers at all: nothing that it tells is cured by a restart,
which would stop the clocks of a game. `/health/ready` has the same body, and answers 503 while anything is
degraded, for monitors that look at the status alone. docs/operations.md has every word of it.
"""

from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.service.http_body import json_answer
from firmware_host.service.sse import Followed


class Table(Protocol):
    """What is asked of a table here; `web.Table` says more."""

    @property
    def public(self) -> Followed:
        """The public snapshots."""

    @property
    def arbiter(self) -> Followed:
        """The arbiter's snapshots."""

    def health(self) -> dict[str, Any]:
        """How the parts are, for everybody."""


def health_of(table: Table) -> dict[str, Any]:
    """What `/health` says; nothing in it is for the arbiter alone."""
    public = table.public
    return {
        **table.health(),
        "feed": {"messages": public.last_id, "most_followers": public.most},
        "followers": public.followers,
    }


def health_routes(table: Table) -> list[Route]:
    """The two addresses."""

    async def health(_: Request) -> Response:
        return json_answer(health_of(table))

    async def ready(_: Request) -> Response:
        told = health_of(table)
        return json_answer(told, 200 if told["status"] == "ok" else 503)

    return [Route("/health", health), Route("/health/ready", ready)]
