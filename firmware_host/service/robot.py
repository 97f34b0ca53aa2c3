"""A robot that plays a recorded game at the simulated table, with a hand and the clock keys."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from firmware_host.board import POINTS, Colour, Point, Position, parse_moves
from firmware_host.errors import BoardError, RecordError
from firmware_host.service.axis import Axis
from hw import Seat
from hw.simulator.table import SimulatedTable

REACH_S: Final = 0.35
"""From the stone's rest to the press."""


def read_game(path: Path, number: int = 1) -> list[Point]:
    """Game `number` (from 1) of a file with one move list a line; raises RecordError.

    Empty lines are no games.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} cannot be read: byte {error.start + 1} is not UTF-8") from error
    games = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not games:
        raise RecordError(f"{path} holds no game; allowed: one move list a line, such as h8 i9 j10")
    if not 1 <= number <= len(games):
        raise RecordError(f"{path} has no game {number}; allowed: 1 to {len(games)}")
    n, line = games[number - 1]
    try:
        moves = parse_moves(line)
        Position.from_moves(moves)
    except BoardError as error:
        raise RecordError(f"{path}: line {n}: {error}") from error
    return moves


class Robot:
    """Plays `moves`, Black's and White's, at the pace of a person who knows the game."""

    def __init__(
        self,
        hand: SimulatedTable,
        axis: Axis,
        moves: Sequence[Point],
        pace_s: float,
        is_over: Callable[[], bool],
        *,
        turned: bool = False,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`turned`: Black sits at the far side, and the sensor plane is seen turned by 180 degrees."""
        self._hand = hand
        self._axis = axis
        self._moves = moves
        self._pace_s = pace_s
        self._is_over = is_over
        self._turned = turned
        self._sleep = sleep
        self._seats: tuple[Seat, Seat] = ("far", "near") if turned else ("near", "far")

    async def play(self) -> None:
        """Play until the game is over or the moves are."""
        for n, point in enumerate(self._moves):
            await self._sleep(self._pace_s)
            if self._is_over():
                return
            colour = Colour.BLACK if n % 2 == 0 else Colour.WHITE
            seat: Seat = self._seats[n % 2]
            now_ns = self._axis.monotonic_ns(self._axis.now_ns())
            act = self._hand.place(now_ns, POINTS - 1 - point if self._turned else point, colour.value)
            await self._sleep(max(0, act.end_ns - now_ns) / 1e9 + REACH_S)
            if self._is_over():
                return
            self._hand.press(self._axis.monotonic_ns(self._axis.now_ns()), seat)
