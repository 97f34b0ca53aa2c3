"""`/metrics` in the text format of Prometheus: what `/health` says as numbers, and how the machine bears it.

Everybody may read the first part, which is made of `/health` alone. Load, delays, orders and the process
itself are for the arbiter's side: a trace that is saved when something irregular was found costs time and
files, and whoever watched them closely would know. Nothing is counted twice: numbers are read when somebody
asks, and the library is loaded then, in a thread, since that takes a third of a second.
"""

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host import __version__
from firmware_host.service.door import STAFF, Door
from firmware_host.service.health import Table, health_of
from firmware_host.service.http_protocol import Connections

if TYPE_CHECKING:
    from prometheus_client.core import Metric

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
PREFIX: Final = "renju_board_"
STATES: Final = ("ok", "degraded", "lost")
JOURNAL_STATES: Final = ("ok", "waiting", "failed")


class Delays:
    """How often something took how long, in seconds."""

    BOUNDS_S: Final = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28)

    def __init__(self) -> None:
        self.counts = [0] * (len(self.BOUNDS_S) + 1)
        self.total_s = 0.0

    def note(self, delay_s: float) -> None:
        """One more."""
        self.counts[bisect_left(self.BOUNDS_S, delay_s)] += 1
        self.total_s += delay_s

    def buckets(self) -> list[tuple[str, float]]:
        """Cumulated, as Prometheus has them."""
        total, told = 0, []
        for bound, count in zip((*map(str, self.BOUNDS_S), "+Inf"), self.counts, strict=True):
            total += count
            told.append((bound, float(total)))
        return told


class Measures:
    """What is counted while a board is served."""

    def __init__(self, connections: Connections | None = None) -> None:
        self.connections = connections
        self.answered: Counter[int] = Counter()
        self.frame_delay = Delays()
        self.key_delay = Delays()


def metrics_route(table: Table, door: Door, measures: Measures) -> Route:
    """The address."""

    async def metrics(request: Request) -> Response:
        # The numbers are taken here, on the loop, where they belong; only the text is made elsewhere.
        taken = [*public_numbers(health_of(table))]
        private = door.role_of(request) in STAFF
        if private:
            taken += private_numbers(table, measures)
        text = await asyncio.to_thread(exposition, taken, process=private)
        return Response(text, headers={"Cache-Control": "no-store"}, media_type=CONTENT_TYPE)

    return Route("/metrics", metrics)


Number = tuple[str, str, str, dict[str, str], float | Delays]
"""Kind (`gauge`, `counter`, `histogram`), name, meaning, labels, value."""


def public_numbers(told: dict[str, Any]) -> Iterator[Number]:
    """The numbers of what `/health` says."""
    yield "gauge", "ok", "1 while nothing is degraded.", {}, told["status"] == "ok"
    yield "gauge", "faults", "How many things do not work.", {}, len(told["faults"])
    yield "gauge", "uptime_seconds", "Since the start of the daemon.", {}, told.get("uptime_s", 0)
    yield "counter", "frames", "Frames that the scanner gave.", {}, told.get("frames", 0)
    yield "gauge", "frames_per_second", "Over the last second.", {}, told.get("frames_per_s", 0)
    yield "gauge", "scanner_ok", "0 while the scanner gives no frames.", {}, told.get("scanner") != "fault"
    for state in JOURNAL_STATES:
        is_it = told["journal"] == state
        yield "gauge", "journal_state", "1 for the state at hand.", {"state": state}, is_it
    synchronised = told["wall_clock"] == "ok"
    yield "gauge", "wall_clock_synchronised", "1 while a time server is followed.", {}, synchronised
    yield "gauge", "followers", "Event streams of the public.", {}, told["followers"]
    yield "counter", "messages", "Messages of the public feed.", {}, told["feed"]["messages"]
    for device, said in told.get("devices", {}).items():
        if "state" in said:
            for state in STATES:
                labels = {"device": device, "state": state}
                yield "gauge", "device_state", "1 for the state at hand.", labels, said["state"] == state
        for event, count in said.items():
            if isinstance(count, int):
                labels = {"device": device, "event": event}
                yield "counter", "device_events", "What drivers count.", labels, count


def private_numbers(table: Table, measures: Measures) -> Iterator[Number]:
    """How the machine bears it, for the arbiter's side."""
    yield "gauge", "info", "The program; always 1.", {"version": __version__}, 1
    yield "gauge", "arbiter_followers", "Event streams of consoles.", {}, table.arbiter.followers
    for status, count in sorted(measures.answered.items()):
        yield "counter", "answers", "Answers over HTTP.", {"status": str(status)}, count
    yield "histogram", "frame_delay_seconds", "From a scan to its use.", {}, measures.frame_delay
    yield "histogram", "key_delay_seconds", "From a key's edge to its use.", {}, measures.key_delay
    if measures.connections is not None:
        counted = measures.connections
        yield "gauge", "connections", "Open connections.", {}, counted.open
        yield "counter", "connections_refused", "Of one address, or in all, too many.", {}, counted.refused
        yield "counter", "connections_too_slow", "Hung up on for taking too long.", {}, counted.too_slow


def exposition(numbers: Iterable[Number], *, process: bool) -> bytes:
    """The text of these numbers, with those of the process on request."""
    from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
    from prometheus_client.registry import Collector

    class Taken(Collector):
        def collect(self) -> Iterator["Metric"]:
            yield from families(numbers)

    registry = CollectorRegistry()
    registry.register(Taken())
    if process:
        ProcessCollector(registry=registry)
    return generate_latest(registry)


def families(numbers: Iterable[Number]) -> Iterator["Metric"]:
    """Numbers of one name belong together, whatever their labels."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    found: dict[str, Any] = {}
    for kind, name, meaning, labels, value in numbers:
        full = PREFIX + name
        if full not in found:
            make = {
                "gauge": GaugeMetricFamily,
                "counter": CounterMetricFamily,
                "histogram": HistogramMetricFamily,
            }[kind]
            found[full] = make(full, meaning, labels=list(labels))
        if isinstance(value, Delays):
            found[full].add_metric([], value.buckets(), value.total_s)
        else:
            found[full].add_metric(list(labels.values()), float(value))
    yield from found.values()
