"""The next game of a table: its defaults, what is in its way, and how it begins."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, Protocol

from msgspec.structs import replace

from firmware_host.board import POINTS
from firmware_host.errors import BoardError, RecordError
from firmware_host.referee.commands import parse_command
from firmware_host.referee.inputs import Command
from firmware_host.service.axis import Axis
from firmware_host.service.config import Config
from firmware_host.service.game import LiveGame
from firmware_host.service.journal import Journal
from firmware_host.service.new_game import keep, recall

BUSY: Final = {
    "running": "the one at hand is not over; end it first",
    "untouched": "one has begun; stop its clocks first, and another can take its place",
    "adjourned": "the one at hand is adjourned; resume it, or give its result first",
}
"""Why no game can begin, by what is in the way."""

SYNC_S: Final = 2.0
"""So long a game that waits for its start is waited for until the disk has it."""


class Table(Protocol):
    """What this needs of a table."""

    config: Config
    journal: Journal
    live: LiveGame
    notes: list[str]
    axis: Axis

    def begin_next(self) -> "Future[int]":
        """A game after the one at hand; gives when it is in the journal with what lies on the board."""

    async def obey(self, order: Command, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Carry out an order, and give its rulings as wire objects; raises BoardError in one sentence."""


class NextGame:
    """The next game of one table.

    `asked`: the configuration with what was asked for the last game, the defaults of the next one.
    `by_itself`: whether the game at hand was started with the daemon, and by nobody's word. `beginning`:
    whether the next one is on its way. `notes`: what was found wrong with the defaults, in a sentence.
    """

    def __init__(self, table: Table, *, fresh: bool = False) -> None:
        """`fresh`: the configuration alone has the defaults at first."""
        self._table = table
        kept = (table.config, "") if fresh else recall(table.journal.path, table.config)
        self.asked, trouble = kept
        self.notes = [trouble] if trouble else []
        self.by_itself = self.beginning = False

    @property
    def busy(self) -> str:
        """What is in the way of a new game: `running`, `untouched`, `adjourned`; empty when nothing is.

        In an `untouched` one nobody has done anything; it is not in the way if it began with the daemon, or
        its clocks stand.
        """
        game = self._table.live
        referee = game.referee
        if self.beginning:
            return "running"
        if game.over or referee.phase == "waiting":
            return ""
        if referee.why == "adjourned":
            return "adjourned"
        if referee.over is not None or referee.entries or referee.drafted or referee.matters:
            return "running"
        return "" if self.by_itself or referee.paused else "untouched"

    @property
    def lying(self) -> int:
        """How many stones lie on the board."""
        return POINTS - self._table.live.pipeline.watcher.occupancy.count(".")

    async def begin(self, asked: Config, start: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """Begin a game as it is asked for, and start it with this order, or let it wait.

        What was asked for is the default of the next game then. Raises BoardError in one sentence.
        """
        table = self._table
        parsed = None if start is None else parse_command(start, table.axis.now_ns())
        if why := BUSY.get(self.busy):
            raise BoardError(f"no game can begin: {why}")
        self.beginning = True
        try:
            self.asked = asked
            await asyncio.to_thread(self._keep, table.journal.path)
            begun = table.begin_next()
            if start is None or parsed is None:
                await asyncio.wait([asyncio.wrap_future(begun)], timeout=SYNC_S)
                return []
            return await table.obey(replace(parsed, t_ns=table.axis.now_ns()), start)
        finally:
            self.beginning = False

    def _keep(self, journal: Path) -> None:
        try:
            keep(journal, self._table.config, self.asked)
        except RecordError as error:
            self._table.notes.append(f"what was asked for is not kept for the next game: {error}")
