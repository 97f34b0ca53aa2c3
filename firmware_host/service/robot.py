"""A robot at the simulated table: it plays a recorded game with a hand and the clock keys, or stone by stone.

It does what a hand can do and no more: the clock runs in its own time however fast the robot is, and a stone
that it takes back has been taken off the board, which the arbiter is told like any other.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

from firmware_host.board import NAMES, Colour, Point, Position, parse_moves
from firmware_host.errors import BoardError, NotationError, RecordError
from firmware_host.referee.match import Referee
from firmware_host.service.game_shelf import Turn

REACH_S: Final = 0.35
"""From the stone's rest to the press; a robot that thinks for less reaches faster too."""
PACE_S: Final = (0.1, 60.0)
"""How long a robot may think about a move, both ends included."""

Do = Callable[[dict[str, Any]], Awaitable[object]]


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


def by_turns(moves: Sequence[Point]) -> tuple[Turn, ...]:
    """The moves with their colours, Black first and alternately."""
    return tuple((Colour.BLACK if n % 2 == 0 else Colour.WHITE, point) for n, point in enumerate(moves))


class Robot:
    """Lays the stones of a game, one after the other, and presses the keys that are due.

    `hand` and `order` do what the simulated hand does and what an arbiter orders; `referee` is that of the
    game at the table now. All calls come on the event loop.
    """

    def __init__(
        self,
        hand: Do,
        order: Do,
        referee: Callable[[], Referee],
        *,
        pace_s: float = 1.2,
        changed: Callable[[], object] = lambda: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`changed` is called when it begins or ends to play by itself, and after each stone."""
        self._hand = hand
        self._order = order
        self._referee = referee
        self._pace_s = pace_s
        self._changed = changed
        self._sleep = sleep
        self._title = ""
        self._turns: tuple[Turn, ...] = ()
        self._at = 0
        self._of: Referee | None = None
        """The game whose stones it has counted; another one begins without any."""
        self._taken: set[int] = set()
        """Moves whose stones it has taken off again: they are seen a while longer than they lie there."""
        self._busy = asyncio.Lock()
        self._playing: asyncio.Task[None] | None = None
        self._why = ""

    def load(self, turns: Sequence[Turn], title: str = "") -> None:
        """Take another game, and go on where the one at the table stands if that is the same one."""
        self.stop()
        self._turns, self._title, self._why = tuple(turns), title, ""
        self._of = None
        self._sync()
        self._changed()

    @property
    def pace_s(self) -> float:
        """How long it thinks about a move."""
        return self._pace_s

    @pace_s.setter
    def pace_s(self, seconds: float) -> None:
        low, high = PACE_S
        if not low <= seconds <= high:
            raise NotationError(f"pace = {seconds} s is not possible; allowed: {low:g} to {high:g} s")
        self._pace_s = seconds
        self._changed()

    def state(self) -> dict[str, Any] | None:
        """What it has in hand: `at` stones of `moves` lie, or None without a game.

        `fits`: the record of the table is the beginning of this game. `why`: why it stopped, if it had to.
        """
        if not self._turns:
            return None
        self._sync()
        return {
            "title": self._title,
            "at": self._at,
            "moves": len(self._turns),
            "next": self._name(self._at),
            "playing": self._playing is not None,
            "pace_s": self._pace_s,
            "fits": self._fits(),
            "why": self._why,
        }

    async def next(self) -> None:
        """Lay the next stone, and press if that ends a turn; raises NotationError for what cannot be."""
        async with self._busy:
            self._why = ""
            self._sync()
            n = self._at
            if n == len(self._turns):
                raise NotationError("the game is at its end")
            await self._lay(n)
            self._taken.discard(n)
            self._at = n + 1
        self._changed()

    async def previous(self) -> None:
        """Take the newest of its stones off the board; raises NotationError where it is not there."""
        self.stop()
        async with self._busy:
            self._why = ""
            self._sync()
            if not self._at:
                raise NotationError("no stone of this game lies on the board")
            point = self._turns[self._at - 1][1]
            if point is not None:
                await self._hand({"do": "lift", "point": NAMES[point]})
            self._at -= 1
            self._taken.add(self._at)
        self._changed()

    def start(self) -> None:
        """Play on by itself, to the end of the game or until `stop`."""
        if self._playing is None:
            self._why = ""
            self._playing = asyncio.get_running_loop().create_task(self.play())
            self._playing.add_done_callback(self._ended)
            self._changed()

    def stop(self) -> None:
        """Play no further by itself; a stone that is in the hand comes down all the same."""
        playing, self._playing = self._playing, None
        if playing is not None:
            if not self._busy.locked():
                playing.cancel()
            self._changed()

    async def play(self) -> None:
        """Play until the game is over, or its moves are, or somebody stops it."""
        me = self._playing
        try:
            while self._at < len(self._turns) and not self._referee().over:
                await self._sleep(self._pace_s)
                if self._playing is not me or self._referee().over:
                    return
                await self.next()
                if self._playing is not me:
                    return
        except BoardError as error:
            self._why = str(error)

    def _ended(self, playing: asyncio.Task[None]) -> None:
        if self._playing is playing:
            self._playing = None
            self._changed()
        if not playing.cancelled():
            playing.result()  # a mistake of the program ends it, as anywhere else

    async def _lay(self, n: int) -> None:
        colour, point = self._turns[n]
        referee = self._referee()
        step, lying = referee.step, len(referee.entries) > n
        if point is None:
            if not lying:
                await self._order({"do": "pass", "side": colour})
            return
        if referee.sensed[point] != "." and n not in self._taken:
            raise NotationError(f"{NAMES[point]} is occupied")
        await self._hand({"do": "place", "point": NAMES[point], "colour": colour})
        last = step.n + len(step.stones) - 1 if step.do == "set-up" else 0
        if lying or n + 1 < last or self._referee().over:
            return
        await self._sleep(min(REACH_S, self._pace_s))
        if self._referee().over:
            return
        mover = step.side if n < last else colour  # one side lays all of a set-up
        here = referee.black_seat
        key = here if mover is Colour.BLACK else {"near": "far", "far": "near"}[here]
        await self._hand({"do": "press", "key": key})

    def _sync(self) -> None:
        """Count again what lies when another game has begun, and what somebody else has laid of this one."""
        referee = self._referee()
        if referee is not self._of:
            self._of, self._at = referee, 0
            self._taken.clear()
        entries, sensed = referee.entries, referee.sensed
        while self._fits() and self._at < min(len(entries), len(self._turns)) and self._at not in self._taken:
            point = self._turns[self._at][1]
            if entries[self._at].kind == "offers" or (point is not None and sensed[point] == "."):
                break
            self._at += 1

    def _fits(self) -> bool:
        played = ((e.colour, e.point) for e in self._referee().entries if e.kind != "offers")
        return all(
            turn == (colour, point) for turn, (colour, point) in zip(self._turns, played, strict=False)
        )

    def _name(self, n: int) -> str | None:
        point = self._turns[n][1] if n < len(self._turns) else None
        return None if point is None else NAMES[point]
