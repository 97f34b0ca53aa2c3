"""The zeros of a table's linear sensors, measured on its empty board between two games.

`renju-board calibrate` measures zeros and gains at a terminal, with a stone that is swept over the points. A
new hall, a warmer board or other furniture moves the zeros alone: an operator measures those from the page,
and the gains stay as they were. Sensing begins with the file when the daemon begins anew.
"""

import asyncio
from typing import Any, Final, Protocol

import numpy as np

from firmware_host.board import POINTS
from firmware_host.errors import BoardError
from firmware_host.sensing.sensor_report import BROKEN, judge_empty, measure
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.service.calibration_file import CalibrationFile, board_name, calibration_path, save
from firmware_host.service.config import Config
from firmware_host.service.sensor_view import SensorView
from firmware_host.service.wall_clock import synchronised, wall_ns, wall_text

FRAMES: Final = 600
"""So many are measured: three seconds of a scanner that gives 200 a second."""
WITHIN_S: Final = 20.0

BETWEEN_GAMES: Final = frozenset({"waiting", "over"})


class Table(Protocol):
    """A table as far as its empty board goes."""

    config: Config
    sensors: Any
    stored: StoredCalibration | None
    view: SensorView
    live: Any


class EmptyBoard:
    """The empty board of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def may(self) -> bool:
        """Whether there is anything to measure, and no game that would be disturbed."""
        return self._table.sensors == "linear" and self._table.live.referee.phase in BETWEEN_GAMES

    async def measure(self) -> None:
        """Measure and keep; raises BoardError in one sentence where stones lie or sensors are not fit."""
        table = self._table
        if not self.may:
            raise BoardError("an empty board is measured between two games, on a board with linear sensors")
        board = measure(await table.view.frames(FRAMES, WITHIN_S))
        if not self.may:  # who asked begins the daemon anew, which would stop the clocks
            raise BoardError("nothing was kept: a game has begun meanwhile")
        found = judge_empty(board, "linear")
        unfit = [each for each in found if each.kind in (*BROKEN, "field", "few-frames")]
        if unfit:
            where = ", ".join(f"{each.where or 'board'} {each.kind}" for each in unfit[:5])
            more = f" and {len(unfit) - 5} more" if len(unfit) > 5 else ""
            raise BoardError(f"nothing was kept: {where}{more}")
        gain = table.stored.gain if table.stored is not None else (0.0,) * POINTS
        kept = CalibrationFile(
            board=board_name(table.config),
            measured=wall_text(wall_ns()),
            synchronised=synchronised(),
            zero=tuple(np.round(board.zero.astype(float), 2).tolist()),
            gain=gain,
            noise=tuple(np.round(board.noise.astype(float), 2).tolist()),
        )
        await asyncio.to_thread(save, calibration_path(table.config), kept)
