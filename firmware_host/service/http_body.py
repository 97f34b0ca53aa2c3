"""JSON in and out: the bodies of requests and of answers."""

import hashlib
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

BODY_LIMIT: Final = 16 * 1024
FILE_LIMITS: Final = {"/sim/games": 1024 * 1024}
"""Where a whole file comes in, and the longest one in bytes; everywhere else `BODY_LIMIT` holds."""


def json_answer(built: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer in JSON that nobody keeps."""
    return Response(
        msgspec.json.encode(built),
        status,
        {"Cache-Control": "no-store", **(headers or {})},
        media_type="application/json",
    )


def tagged_answer(request: Request, body: bytes, etag: str, media_type: str = "application/json") -> Response:
    """An answer that is sent again only when it has changed: 304 to who has it already.

    Any page may fetch it: it is public.
    """
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"}
    if knows(request, etag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=media_type)


def tag_of(body: bytes) -> str:
    """The entity tag of what never changes without another tag."""
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'


def knows(request: Request, etag: str) -> bool:
    """Whether the client has what this entity tag says (RFC 9110, 13.1.2: compared without weakness)."""
    given = request.headers.get("if-none-match", "")
    return given.strip() == "*" or etag.removeprefix("W/") in [
        tag.strip().removeprefix("W/") for tag in given.split(",")
    ]


async def json_body(request: Request) -> dict[str, Any]:
    """The JSON object of a request; raises HTTPException with a sentence."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "the body is not application/json")
    body = await whole_body(request, BODY_LIMIT)
    try:
        given = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400, f"the body is not JSON: {error}") from error
    if not isinstance(given, dict):
        raise HTTPException(400, 'the body is not a JSON object such as {"do": "start"}')
    return given


async def whole_body(request: Request, most: int) -> bytes:
    """The body of a request; raises HTTPException as soon as it is longer than `most` bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise HTTPException(413, f"the body is longer than {most} bytes", {"Connection": "close"})
    return bytes(body)
