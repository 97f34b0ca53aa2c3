"""The public documents for programs that ask now and then, over HTTP: the game, its files, the tournament."""

import asyncio
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.record.game import GameRecord
from firmware_host.service.broadcast import Broadcast
from firmware_host.service.http_body import tag_of, tagged_answer
from firmware_host.service.tournament import INDEX, TournamentFiles

FILES: Final = {
    "sgf": ("sgf", "application/x-go-sgf"),
    "psq": ("psq", "text/plain; charset=utf-8"),
    "rif": ("renjunet", "application/xml"),
}
"""The files of the game that everybody may have: the end of the name -> the format, its media type."""


class PollPages:
    """The handlers of one table."""

    def __init__(self, broadcast: Broadcast, files: TournamentFiles) -> None:
        self._broadcast = broadcast
        self._files = files

    def routes(self) -> list[Route]:
        """Everything that is asked for by its address."""
        return [
            *(Route(f"/game.{end}", self.file) for end in FILES),
            Route(f"/{INDEX}", self.document),
            Route("/round-{n}/index.json", self.document),
            Route("/round-{n}/game-{m}.json", self.document),
        ]

    async def file(self, request: Request) -> Response:
        """The game as far as it is public, in a format of other programs."""
        form, media_type = FILES[request.url.path.rpartition(".")[2]]
        data = await asyncio.to_thread(_rendered, form, self._broadcast.record)
        return tagged_answer(request, data, tag_of(data), media_type)

    async def document(self, request: Request) -> Response:
        """A document of the tournament; the game that is shown with the clocks of now."""
        path = request.url.path.removeprefix("/")
        if not self._files.documents:
            raise HTTPException(503, "the games of this event are being read", {"Retry-After": "2"})
        if path == self._files.game_file:
            return tagged_answer(request, *self._broadcast.body())
        found = self._files.documents.get(path)
        if found is None:
            raise HTTPException(404, f"there is no {path} in this tournament")
        return tagged_answer(request, *found)


def _rendered(form: str, record: GameRecord) -> bytes:
    """A game in a format; all of them are loaded when the first one is asked for."""
    from firmware_host.service.game_exports import rendered

    return rendered(form, record)
