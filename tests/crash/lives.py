"""A table that plays game after game and is killed again and again; all that it showed must come back.

Books are kept of each game: what the hand did, and what any output showed (both streams, both snapshots).
After each restart the record is compared: nothing that was shown may be lost or changed, and nothing may
stand there that no hand has done.
"""

import contextlib
import random
import signal
import threading
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final, NamedTuple

from firmware_host.board import NAMES
from firmware_host.service.game import record_of
from firmware_host.service.journal_reader import JournalReader
from tests.crash.io_order import Phase, phase_of
from tests.crash.nursery import Child, Nursery
from tests.daemon_process import Follower

SETTINGS: Final = ("match.opening=free", "match.time=3h", "match.forbidden=off")
KEYS: Final = {"black": "near", "white": "far"}
LOOK_S: Final = 0.04
LONGEST: Final = 40
"""Moves of a game, at most; then its players clear the board and begin the next one."""
LAST: Final = 2
"""So many of the newest games are read again at each restart, and all of them at the end."""
SLOWEST_S: Final = 2.5
"""A kill at a call that does not come is a kill after so long."""

Moves = list[tuple[str, str]]
"""Point and colour."""


class Kill(NamedTuple):
    """When a daemon is killed: `after_s` it plays, or at a `call` of its own (see io_order.c).

    `slow_us`: how much longer its disk takes to sync.
    """

    how: str
    after_s: float
    call: str = ""
    slow_us: int = 0


class Death(NamedTuple):
    """One kill, and what the restart after it showed; `where` by the page that the library shares."""

    how: str
    where: Phase
    lost: int
    invented: int
    changed: int
    gained_ms: int
    """The most with which a clock came back above the last that was shown of it."""
    taken_ms: int
    """How much less both clocks together came back with than they can have had at the kill."""
    stalled_ms: int
    """The longest that the machine kept the daemon, or whoever looked at it, from its work."""
    told: str
    """What was lost, invented or changed."""


class Look(NamedTuple):
    """Clocks as an output showed them: asked for at `asked_ns`, so built then or later."""

    asked_ns: int
    game: str
    left_ms: dict[str, int]


def moves_of(snapshot: dict[str, Any]) -> Moves:
    """The moves of a snapshot."""
    return [(move["point"], move["colour"]) for move in snapshot["moves"]]


def look_at(snapshot: dict[str, Any], asked_ns: int) -> Look:
    """The clocks of a snapshot."""
    return Look(asked_ns, snapshot["id"], {side: snapshot["clock"][side]["remaining_ms"] for side in KEYS})


class Table:
    """One journal and its lives."""

    def __init__(self, nursery: Nursery, folder: Path, seed: int) -> None:
        self.nursery = nursery
        self.folder = folder
        self.chance = random.Random(seed)  # noqa: S311
        self.deaths: list[Death] = []
        self.done: dict[str, Moves] = {}
        """What the hand did, by the id of the game; the last of it may have been too late."""
        self.shown: dict[str, Moves] = {}
        self.stalled_ms = 0
        """As in `Death`, since the last comparison."""
        self._look: Look | None = None
        self._before: list[tuple[str, Phase, int]] = []
        """How and where each life since the last comparison was killed, and when it was dead."""
        folder.mkdir(exist_ok=True)

    def live(self, kill: Kill | None = None, moves: int = 0, **watched: object) -> None:
        """Restart, compare, and play until the kill; without one so many `moves`, a result, and a clean end.

        `watched`: more settings of the library that watches the daemon, and `told_at_once` (see `nursery`).
        """
        state = self.folder / "state"
        state.unlink(missing_ok=True)
        settings = {"state": state} | watched
        if kill is not None:
            settings |= {"slow_us": kill.slow_us} | ({"kill": kill.call} if kill.call else {})
        daemon = self.nursery.begin(self.folder, SETTINGS, settings)
        try:
            if daemon.serves():
                with Watch(daemon, self) as watch:
                    self._compare(daemon, last=None if kill is None else LAST)
                    watch.open_eyes()
                    if kill is not None:
                        watch.kill_after(SLOWEST_S if kill.call else kill.after_s)
                    self._play(daemon, None if kill else moves)
                    if moves:
                        daemon.command("result", black=1, white=0, reason="arbiter")
                        daemon.wait_for("the end", "/game.json", phase="over")
                    daemon.stop()
        except (OSError, AssertionError, ValueError, HTTPException):
            if kill is None or not daemon.gone(wait_s=1.0):
                raise  # it lives, and something else is wrong
        finally:
            daemon.kill()
        wanted = 0 if kill is None else signal.SIGKILL
        assert daemon.status == wanted, f"status {daemon.status}: {(self.folder / 'err').read_text()}"
        if kill is not None:
            self._before.append((kill.how, phase_of(state), daemon.ended_ns))

    def show(self, snapshot: dict[str, Any], asked_ns: int | None) -> None:
        """An output showed this; asked for at an instant, or when it liked."""
        moves = moves_of(snapshot)
        if len(moves) > len(self.shown.get(snapshot["id"], [])):
            self.shown[snapshot["id"]] = moves
        if asked_ns is not None:
            self._look = look_at(snapshot, asked_ns)

    def _compare(self, daemon: Child, last: int | None) -> None:
        """What stands there after a restart, on every output and in the journal, against the books.

        Of the games before the `last` ones only that they are there; None: every game.
        """
        asked_ns = time.monotonic_ns()
        arbiter, public = daemon.ask("/arbiter.json"), daemon.ask("/game.json")
        there, before = self.journalled(last)
        there[arbiter["id"]] = moves_of(arbiter)
        told, lost, invented, changed = [], 0, 0, 0
        for game in {*there, *self.shown} - before:
            held, shown, done = (books.get(game, []) for books in (there, self.shown, self.done))
            lost += max(0, len(shown) - len(held))
            changed += sum(a != b for a, b in zip(shown, held, strict=False))
            invented += sum(a != b for a, b in zip(held, done, strict=False)) + max(0, len(held) - len(done))
            if held[: len(shown)] != shown or done[: len(held)] != held:
                told.append(f"game {game}: shown {shown}, done {done}, there {held}")
        if there[public["id"]][: len(public["moves"])] != moves_of(public):
            changed += 1
            told.append(f"the public sees {moves_of(public)} of {there[public['id']]}")
        gained, taken = self._clocks(look_at(arbiter, asked_ns))
        self._look = look_at(arbiter, asked_ns)
        self.done[arbiter["id"]] = list(there[arbiter["id"]])
        for how, where, _ in self._before:
            found = lost, invented, changed, gained, taken, self.stalled_ms
            self.deaths.append(Death(how, where, *found, "; ".join(told)))
        self._before = []
        self.stalled_ms = 0

    def _clocks(self, now: Look) -> tuple[int, int]:
        seen = self._look
        if not self._before or seen is None or seen.game != now.game:
            return 0, 0
        gained = max(now.left_ms[side] - seen.left_ms[side] for side in KEYS)
        passed_ms = (self._before[0][2] - seen.asked_ns) // 1_000_000 + 2  # both clocks are rounded
        taken = sum(seen.left_ms.values()) - passed_ms - sum(now.left_ms.values())
        return max(0, gained), max(0, taken)

    def journalled(self, last: int | None) -> tuple[dict[str, Moves], set[str]]:
        """The moves of the last games as the journal has them, and the ids of those before."""
        with JournalReader.open(self.folder / "journal.db") as reader:
            games = reader.games()
            first = 0 if last is None else max(0, len(games) - last)
            records = {game.id: record_of(game, reader.entries(game)) for game in games[first:]}
        moves = {
            name: [
                ("" if move.point is None else NAMES[move.point], str(move.colour)) for move in record.moves
            ]
            for name, record in records.items()
        }
        return moves, {game.id for game in games[:first]}

    def _play(self, daemon: Child, moves: int | None) -> None:
        """Game after game, so many moves, or until something ends it."""
        made = 0
        while moves is None or made < moves:
            state = daemon.wait_for("ready to play", phase={"paused", "playing", "over"}, differences=[])
            if state["phase"] == "paused":
                daemon.command("resume")
            if state["phase"] == "over" or len(state["moves"]) >= LONGEST:
                self._next_game(daemon, over=state["phase"] == "over")
                continue
            self._move(daemon, daemon.ask("/arbiter.json"))
            made += 1

    def _move(self, daemon: Child, state: dict[str, Any]) -> None:
        """A stone and its press; or only the press that was lost with the life before."""
        moves, side = moves_of(state), state["clock"]["running"]
        if side is None:
            return
        if not moves or moves[-1][1] != side:
            free = [name for name in NAMES if name not in {point for point, _ in moves}]
            point = self.chance.choice(free)
            self.done[state["id"]] = [*moves, (point, side)]
            daemon.hand("place", point=point, colour=side)
            daemon.wait_for("the stone", moves=len(moves) + 1)
        daemon.hand("press", key=KEYS[side])
        end = time.monotonic() + 2.0
        while daemon.ask("/arbiter.json")["clock"]["running"] == side and time.monotonic() < end:
            time.sleep(0.01)

    def _next_game(self, daemon: Child, *, over: bool) -> None:
        if not over:
            daemon.command("result", black=1, white=0, reason="arbiter")
        daemon.hand("clear")
        daemon.wait_for("a clear board", sensed="." * 225)
        daemon.command("start")


class Watch:
    """Eyes on every output of a daemon that shows moves, and the hand that kills it."""

    def __init__(self, daemon: Child, table: Table) -> None:
        self.daemon = daemon
        self.table = table
        self.followers = [Follower(daemon, path) for path in ("/events", "/arbiter/events")]
        self._done = threading.Event()
        self._threads: list[threading.Thread] = []

    def open_eyes(self) -> None:
        """Look at both snapshots again and again."""
        self._begin(threading.Thread(target=self._look, daemon=True))

    def kill_after(self, seconds: float) -> None:
        """SIGKILL so long from now."""
        self._begin(threading.Timer(seconds, self.daemon.kill))

    def _begin(self, thread: threading.Thread) -> None:
        self._threads.append(thread)
        thread.start()

    def _look(self) -> None:
        paths = ("/game.json", "/arbiter.json")
        looked_ns = time.monotonic_ns()
        with contextlib.suppress(OSError, ValueError, HTTPException):
            while not self._done.wait(LOOK_S):
                paths = paths[::-1]
                asked_ns = time.monotonic_ns()
                self.table.show(self.daemon.ask(paths[0]), asked_ns)
                came_ns, looked_ns = looked_ns, time.monotonic_ns()
                late_ms = (looked_ns - came_ns) // 1_000_000 - int(LOOK_S * 1000)
                self.table.stalled_ms = max(self.table.stalled_ms, late_ms)

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        for thread in self._threads[1:]:
            thread.join()
        self._done.set()
        for thread in self._threads[:1]:
            thread.join()
        self.daemon.kill()
        for follower in self.followers:
            follower.close()
            for _, snapshot in follower.messages:
                self.table.show(snapshot, None)
