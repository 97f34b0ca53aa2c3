"""Where the pages are served: a socket in the clear and, if the configuration says so, one with TLS."""

import asyncio
import contextlib
import errno
import socket
import sys
import time
from collections.abc import Iterator
from typing import Final

import uvicorn
from starlette.applications import Starlette

from firmware_host.errors import BoardError, ConfigError
from firmware_host.service.access import access_of
from firmware_host.service.client_address import is_loopback
from firmware_host.service.config import Config, journal_path
from firmware_host.service.door import Tls
from firmware_host.service.http_protocol import HEAD_LIMIT, KEEP_ALIVE_S, Connections, bounded, make_room
from firmware_host.service.log_lines import CONFIG as LOGGING
from firmware_host.service.machine import shown_host
from firmware_host.service.tls import TlsFiles

LEAVE_S: Final = 1
"""So long the followers have to take their last message when the daemon stops."""

PAGES: Final = 200
"""Connections beside the event streams: pages, pollers, the console."""

RENEW_S: Final = 3600
"""How often the end of the own certificate is looked at."""


def listen(host: str, port: int, key: str = "web.port") -> socket.socket:
    """A listening socket; raises ConfigError in one sentence that names what is at fault, host or port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        code = error.errno if isinstance(error, OSError) else None
        if code in (errno.EADDRINUSE, errno.EACCES):
            why = "in use" if code == errno.EADDRINUSE else "not open to this user"
            raise ConfigError(
                key,
                port,
                f"a port that is free on {host} (this one is {why}); 0 takes any free one: --set {key}=0,"
                f' or make demo ARGS="--set {key}=0"',
            ) from error
        raise ConfigError(
            "web.host", host, "an address or a name of this machine, such as 127.0.0.1, or 0.0.0.0 for all"
        ) from error


class WebServer:
    """The sockets of one daemon, for as long as it lives; the application may be another after a restart.

    Raises ConfigError, RecordError, each one sentence, for what cannot be listened at or kept.
    """

    def __init__(self, config: Config) -> None:
        web = config.web
        with contextlib.ExitStack() as stack:
            self._clear = stack.enter_context(listen(web.host, web.port))
            self.access = access_of(config, self._clear.getsockname()[0], time.monotonic_ns())
            self._files: TlsFiles | None = None
            self._secure: socket.socket | None = None
            if web.tls != "off":
                self._files = TlsFiles(web, journal_path(config).parent)
                self._secure = stack.enter_context(listen(web.host, web.tls_port, "web.tls_port"))
            self._sockets = stack.pop_all()
        self.connections = Connections(web.followers + PAGES, web.connections_of_one)
        make_room(self.connections)
        self._servers: list[_Server] = []

    def close(self) -> None:
        """Listen no more."""
        self._sockets.close()

    @property
    def address(self) -> str:
        """The pages' address in the clear, without a slash at its end."""
        host, port = self._clear.getsockname()[:2]
        return f"http://{shown_host(host)}:{port}"

    @property
    def secure_address(self) -> str:
        """The address over TLS; in the clear without it."""
        if self._secure is None:
            return self.address
        host, port = self._secure.getsockname()[:2]
        return f"https://{shown_host(host)}:{port}"

    def tls(self) -> Tls | None:
        """Port and fingerprint as they are now."""
        if self._secure is None or self._files is None:
            return None
        return Tls(self._secure.getsockname()[1], self._files.fingerprint)

    def told(self) -> list[str]:
        """What whoever started the board must know of the door, line by line; a PIN that was made once."""
        lines = list(self.access.told)
        self.access.told.clear()
        if self._files is not None:
            lines.append(f"certificate      SHA-256 {self._files.fingerprint}")
        elif not is_loopback(self._clear.getsockname()[0]):
            lines.append("note: the arbiter's page goes over the network in the clear; see web.tls")
        return lines

    async def serve(self, app: Starlette) -> None:
        """Serve until `stop`."""
        self._servers = [_Server(self._settings(app))]
        listening = [self._clear]
        if self._secure is not None and self._files is not None:
            settings = self._settings(app)
            settings.load()
            settings.ssl = self._files.context
            self._servers.append(_Server(settings))
            listening.append(self._secure)
        renewing = asyncio.create_task(self._renew())
        try:  # a server closes what it is given
            await asyncio.gather(
                *(
                    server.serve(sockets=[given.dup()])
                    for server, given in zip(self._servers, listening, strict=True)
                )
            )
        finally:
            renewing.cancel()

    def stop(self) -> None:
        """End `serve`; the sockets stay, and who connects meanwhile waits."""
        for server in self._servers:
            server.should_exit = True

    def _settings(self, app: Starlette) -> uvicorn.Config:
        return uvicorn.Config(
            app,
            log_config=LOGGING,
            lifespan="off",
            access_log=False,
            server_header=False,
            http=bounded(self.connections),
            ws="none",
            h11_max_incomplete_event_size=HEAD_LIMIT,
            timeout_keep_alive=KEEP_ALIVE_S,
            proxy_headers=False,  # who is local must not be a header's word
            timeout_graceful_shutdown=LEAVE_S,
        )

    async def _renew(self) -> None:
        while self._files is not None and self._files.made:
            await asyncio.sleep(RENEW_S)
            try:
                renewed = await asyncio.to_thread(self._files.renew)
            except BoardError as error:  # there is a week for it
                print(f"note: {error}", file=sys.stderr, flush=True)  # noqa: T201
                continue
            if renewed:
                print(f"new certificate  SHA-256 {self._files.fingerprint}", flush=True)  # noqa: T201


class _Server(uvicorn.Server):
    """Leaves the signals to the daemon."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
