"""`/qr.svg`: the address of the live board as a QR code, for the cameras of those who stand before it."""

import functools
import io
import re
from collections.abc import Callable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from firmware_host.service.client_address import is_loopback
from firmware_host.service.door import host_of

HOST: Final = re.compile(r"(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?", re.IGNORECASE)
"""What a browser can have been told as the place of this server; nothing else becomes a picture."""


class QrPage:
    """The handler; `address` is the configured address of the live board, empty: the one that was asked.

    `reached`: the server's address for other machines, without a slash at its end. It stands for the names by
    which a machine calls itself, which lead nobody else here.
    """

    def __init__(self, address: str = "", reached: Callable[[], str] = str) -> None:
        self._address = address
        self._reached = reached

    async def code(self, request: Request) -> Response:
        """The picture, its address as the title."""
        return Response(
            picture(self._address or self._asked(request)),
            headers={"Cache-Control": "no-store"},
            media_type="image/svg+xml",
        )

    def _asked(self, request: Request) -> str:
        """The live board by the name under which it was asked; raises HTTPException for no such name."""
        host = request.headers.get("host", "")
        if not HOST.fullmatch(host):
            raise HTTPException(400, "the Host of the request is neither a name nor an address of this board")
        reached = self._reached() if is_loopback(host_of(request)) else ""
        return (reached or f"{request.url.scheme}://{host}") + "/"


@functools.lru_cache(8)
def picture(address: str) -> bytes:
    """An SVG document that scales, dark on light: cameras want it so on dark pages too."""
    import segno

    written = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(written, kind="svg", title=address, omitsize=True, dark="#1c1d1f", light="#fff")
    return written.getvalue()
