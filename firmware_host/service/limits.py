"""How much one address may ask for: a rate of requests, and bodies of a size, before any page sees them.

This machine is not limited: the board's own console and a kiosk run there. A proxy on this machine makes
everybody local, so it has to limit by itself (docs/operations.md).
"""

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.service.client_address import is_loopback, network_of
from firmware_host.service.http_body import BODY_LIMIT, FILE_LIMITS, json_answer

ADDRESSES: Final = 4096
"""Addresses that are remembered at once; the one that asked longest ago is forgotten first."""

BURST_S: Final = 10
"""What is allowed in so many seconds may also come at once: a page with all its files, many times over."""


class RateLimit:
    """A bucket for each address: it fills with `per_s` a second up to `BURST_S` seconds' worth.

    Instants are monotonic nanoseconds.
    """

    def __init__(self, per_s: float, addresses: int = ADDRESSES) -> None:
        self._per_s = per_s
        self._most = per_s * BURST_S
        self._addresses = addresses
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, host: str, now_ns: int) -> float:
        """Take one request from an address's bucket; 0, or the seconds until there is one again."""
        key = network_of(host)
        left, since_ns = self._buckets.pop(key, (self._most, now_ns))
        left = min(self._most, left + (now_ns - since_ns) / 1e9 * self._per_s)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now_ns)
        if len(self._buckets) > self._addresses:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._per_s


class Limits:
    """The middleware. `answered` counts answers by status; what was refused here is among them."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        requests_per_s: float,
        answered: Counter[int],
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.app = app
        self.rate = RateLimit(requests_per_s)
        self.answered = answered
        self.now_ns = monotonic_ns

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with one sentence why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answered[message["status"]] += 1
            await send(message)

        client = scope.get("client")
        host = client[0] if client else ""
        wait_s = 0.0 if is_loopback(host) else self.rate.take(host, self.now_ns())
        if wait_s:
            waiting = {"Retry-After": str(math.ceil(wait_s))}
            answer = json_answer({"error": "too many requests from this address"}, 429, waiting)
            await answer(scope, receive, counted)
        elif _declared(scope) > (most := FILE_LIMITS.get(scope["path"], BODY_LIMIT)):
            sentence = f"the body is longer than {most} bytes"
            answer = json_answer({"error": sentence}, 413, {"Connection": "close"})
            await answer(scope, receive, counted)
        else:
            await self.app(scope, receive, counted)


def _declared(scope: Scope) -> int:
    """The length of the body as the request says it; the server holds the sender to it."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0
