"""A live table with simulated devices in virtual time: its event loop is real, its clock is a number."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from firmware_host.service.config import load_config
from firmware_host.service.display import Display
from firmware_host.service.feed_log import FeedLog
from firmware_host.service.journal import Journal
from firmware_host.service.sim import Simulated
from firmware_host.service.table import LiveTable
from firmware_host.service.trace_keeper import TraceKeeper
from firmware_host.service.wall_clock import Stamp
from hw import Frame
from hw.devices import open_devices
from hw.simulator.faults import Faults

MS = 1_000_000
SECOND = 1000 * MS
PERIOD_NS = 5 * MS
BUNDLE_NS = 30 * MS
LONG_S = 10.0
T = TypeVar("T")


async def _at_once() -> None:
    await asyncio.sleep(0)


class VirtualTable:
    """What the daemon puts together. `await run(seconds)` lets time pass as the daemon's loop does."""

    def __init__(
        self, folder: Path, *settings: str, keeper: TraceKeeper | None = None, fresh: bool = False
    ) -> None:
        self.now_ns = 100 * SECOND
        path = folder / "journal.db"
        self.config = load_config(None, [f"journal.path={path}", "match.opening=free", *settings])
        self.devices = open_devices(msgspec.to_builtins(self.config), now_ns=self.monotonic_ns)
        assert self.devices.table is not None
        self.hand = self.devices.table
        self.journal = Journal.open(path)
        sensors = self.devices.scanner.sensors
        self.feed_log = FeedLog(folder / "feed")
        self.table = LiveTable(
            self.config,
            sensors,
            self.journal,
            keeper,
            new=fresh,
            fresh=fresh,
            monotonic_ns=self.monotonic_ns,
            stamp=lambda: Stamp(self.now_ns, synchronised=True),
            feed_log=self.feed_log,
        )
        self.table.device_faults = self.devices.faults
        turned = self.table.live.game.settings.black_sits == "far"
        axis = self.table.axis
        self.sim = self.table.sim = Simulated(
            self.hand,
            self.devices.clock,
            axis,
            turned=turned,
            faults=Faults(self.hand, self.devices.scanner, self.devices.clock),
            sleep=self.run,
        )
        self.sim.lay(self.table.live.referee.position.text())
        self.table.display = Display(self.devices.faces, self.devices.buzzer, axis, 8)
        self.published: list[tuple[int, bytes]] = []
        """What the public was sent, and at which instant."""
        self._heard = 0
        self._frame_ns = self.now_ns
        self.lost = 0
        """Frames that are missing before the next one."""

    def monotonic_ns(self) -> int:
        return self.now_ns

    def play(self, scene: Callable[[Self], Awaitable[T]]) -> T:
        """The round begins, and a scene happens at the table; what comes of it."""

        async def whole() -> T:
            telling = asyncio.create_task(self.table.tell())
            try:
                self.table.start()
                await self.run(0.3)
                return await scene(self)
            finally:
                telling.cancel()

        return asyncio.run(whole())

    async def run(self, seconds: float) -> None:
        """Frames in bundles, keys, turns; at the end everything that was ruled is in record and feed."""
        await self.pass_by(seconds, self.told)

    async def pass_by(self, seconds: float, between: Callable[[], Awaitable[None]] = _at_once) -> None:
        """Let time pass, whether or not the disk keeps up."""
        end_ns = self.now_ns + round(seconds * SECOND)
        while self.now_ns < end_ns:
            self.now_ns = min(end_ns, self.now_ns + BUNDLE_NS)
            self.turn()
            await between()

    def turn(self) -> None:
        frames = []
        while self._frame_ns <= self.now_ns:
            frames.append(Frame(self._frame_ns, self.hand.readings(self._frame_ns), self.lost))
            self._frame_ns += PERIOD_NS
            self.lost = 0
        self.table.frames(frames)
        self.table.presses(*self.devices.keys.poll())
        self.table.turn()

    async def told(self) -> None:
        """Come back when everything that was ruled is in record and feed; note what the public was sent."""
        await self.table._written.join()
        for number, message in self.table.public._kept:
            if number > self._heard:
                self._heard = number
                self.published.append((self.now_ns, message))

    async def move(self, point: str, colour: str, key: str | None = None) -> None:
        """A stone at rest, then its press."""
        await self.sim.hand({"do": "place", "point": point, "colour": colour})
        await self.run(0.1)
        await self.press(key or ("near" if colour == "black" else "far"))

    async def press(self, key: str) -> None:
        await self.sim.hand({"do": "press", "key": key})
        await self.run(0.1)

    async def order(self, do: str, **fields: Any) -> list[dict[str, Any]]:
        """A command, and time for its answer."""
        return await self.answered(self.table.command({"do": do, **fields}))

    async def answered(self, asking: Coroutine[Any, Any, list[dict[str, Any]]]) -> list[dict[str, Any]]:
        """What the table answers, and time for it."""
        asked = asyncio.create_task(asking)
        await asyncio.sleep(0)
        while not asked.done():
            await self.run(0.03)
            await asyncio.sleep(0)
        return await asked

    async def order_given(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        """The same, as the pages give it."""
        return await self.order(**given)

    @contextlib.contextmanager
    def disk_held(self) -> Iterator[None]:
        """The disk takes nothing meanwhile: another connection keeps the journal locked."""
        other = sqlite3.connect(self.journal.path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            other.close()

    @property
    def public(self) -> dict[str, Any]:
        return dict(msgspec.json.decode(self.table.public.body()[0]))

    @property
    def arbiter(self) -> dict[str, Any]:
        return self.table.arbiter.build()

    def face(self, seat: str) -> tuple[bytes, bool]:
        """Segments and colon of a face, once its bus has done what waits."""
        assert self.devices.clock is not None
        for bus in self.devices.buses:
            assert bus.flush(LONG_S)
        return self.devices.clock.faces[seat].picture()[:2]

    def close(self) -> None:
        self.feed_log.close(self.table.axis.now_ns())
        self.devices.close()
        self.journal.close()
