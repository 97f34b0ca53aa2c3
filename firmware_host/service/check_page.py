"""The page of the sensors' readings while a board is checked, served from a thread of its own."""

import asyncio
import socket
import threading
from typing import Any

import uvicorn

from firmware_host.service.machine import shown_host
from firmware_host.service.sensor_bench import BoardView
from firmware_host.service.sensor_pages import create_check_app
from firmware_host.service.sign_in import SignIn
from firmware_host.service.sse import Channel

STOP_S = 5.0


class CheckPage:
    """A server at a listening socket; `show` may be called from any thread."""

    def __init__(self, listening: socket.socket, signing: SignIn) -> None:
        host, port = listening.getsockname()[:2]
        self.address = f"http://{shown_host(host)}:{port}/check"
        """Where the page is on this machine."""
        self._listening = listening
        self._signing = signing
        self._wire: dict[str, Any] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._channel: Channel | None = None
        self._server: uvicorn.Server | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="page", daemon=True)
        self._thread.start()
        self._ready.wait(STOP_S)

    def show(self, view: BoardView) -> None:
        """Give everybody who looks a new picture."""
        self._wire = view.wire()
        loop, channel = self._loop, self._channel
        if loop is not None and channel is not None and channel.followers:
            loop.call_soon_threadsafe(channel.publish)

    def close(self) -> None:
        """End the server."""
        server, loop, channel = self._server, self._loop, self._channel
        if server is not None and loop is not None and channel is not None:
            server.should_exit = True
            loop.call_soon_threadsafe(channel.close)
        self._thread.join(STOP_S)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._channel = Channel("check", lambda: self._wire, keep=1)
        app = create_check_app(self._channel, self._signing)
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="off",
            access_log=False,
            server_header=False,
            proxy_headers=False,
        )
        self._server = uvicorn.Server(config)
        self._ready.set()
        await self._server.serve(sockets=[self._listening])
