"""Stones laid on a simulated board, and what its watcher makes of them."""

from typing import Any

import numpy as np

from firmware_host.board import POINTS
from firmware_host.sensing.events import Placed, Weak
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.sensing.watcher import EMPTY_BOARD, BoardWatcher
from hw.simulator.table import SimulatedTable

MS = 1_000_000
PERIOD_NS = 5 * MS


def scattered_points(seed: int, count: int) -> list[int]:
    return [int(p) for p in np.random.default_rng(seed).choice(POINTS, count, replace=False)]


def laid(seed: int, strength: float, stored: StoredCalibration | None) -> tuple[int, int, list[float]]:
    """Stones laid one after the other: placed, called weak, and how late each was told, ms after its rest."""
    table = SimulatedTable(seed=seed)
    watcher = BoardWatcher("linear", expected=EMPTY_BOARD, stored=stored)
    now_ns, weak = 0, 0
    late: list[float] = []

    def watch(until_ns: int) -> list[tuple[int, Any]]:
        nonlocal now_ns
        told = []
        while now_ns < until_ns:
            told += [(now_ns, event) for event in watcher.frame(now_ns, table.readings(now_ns))]
            now_ns += PERIOD_NS
        return told

    watch(500 * MS)
    for n, p in enumerate(scattered_points(seed, 24)):
        act = table.place(now_ns, p, "black" if n % 2 else "white", strength=strength)
        for at_ns, event in watch(act.end_ns + 700 * MS):
            weak += isinstance(event, Weak)
            if isinstance(event, Placed):
                late.append((at_ns - act.end_ns) / MS)
    return len(late), weak, late
