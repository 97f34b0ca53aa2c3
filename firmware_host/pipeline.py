"""Frames, presses and commands in any order of arrival; one order of rulings out.

A stone takes the settle time to be believed and a press is known at once, so inputs wait here until every
source has been seen beyond their instant (the watermark) and are then ruled in the order of their time
stamps. Live table, replay and scenarios all run through this one class.
"""

import heapq
from collections.abc import Iterable
from typing import NamedTuple

from firmware_host.referee.inputs import Command, Input, KeyPress, Tick, order
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling
from firmware_host.referee.settings import MatchSettings
from firmware_host.sensing.watcher import BoardWatcher


class Step(NamedTuple):
    """One input with what the referee made of it. `late`: it came after its instant had been ruled."""

    given: Input
    rulings: tuple[AnyRuling, ...]
    late: bool = False


class Pipeline:
    """Sensing, the watermark and the referee of one table."""

    def __init__(self, watcher: BoardWatcher, referee: Referee) -> None:
        self.watcher = watcher
        self.referee = referee
        self._waiting: list[tuple[tuple[int, int], int, Input]] = []
        self._count = 0
        self._keys_seen_ns = -1
        self._ruled_ns = -1
