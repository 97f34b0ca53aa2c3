"""The pages, scripts, styles and catalogues: read once, served from memory."""

import mimetypes
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.service.http_body import knows, tag_of

FOLDERS: Final = ("web", "locale")
TYPES: Final = {".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}

Handler = Callable[[Request], Awaitable[Response]]


def read_files() -> dict[str, bytes]:
    """Every page, script, style and catalogue by its path (`web/board.js`), as it is in the package."""
    root = resources.files("firmware_host")
    return {
        f"{folder}/{entry.name}": entry.read_bytes()
        for folder in FOLDERS
        for entry in sorted(root.joinpath(folder).iterdir(), key=lambda entry: entry.name)
        if entry.is_file()
    }


def file_page(files: dict[str, bytes], name: str) -> Handler:
    """A handler that serves one file; browsers ask each time and are told when theirs is still right."""
    content = files[name]
    suffix = "." + name.rpartition(".")[2]
    etag = tag_of(content)
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    media_type = TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")

    async def serve(request: Request) -> Response:
        if knows(request, etag):
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=media_type)

    return serve


def file_routes(files: dict[str, bytes]) -> list[Route]:
    """Every file that is no page."""
    return [
        *(Route("/" + name, file_page(files, name)) for name in files if not name.endswith(".html")),
        Route("/favicon.ico", file_page(files, "web/icon.svg")),
    ]
