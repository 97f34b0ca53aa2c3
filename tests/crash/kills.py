"""So many kills, spread over a few tables; a plan of when, and a table of what came of it.

Half of the kills come at any instant. The others are aimed at a commit: at any instant of a daemon whose disk
is slow, or exactly at a call that it makes: within a write, before a sync, after it.
"""

import os
import random
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tests.crash.io_order import SOURCE, Phase
from tests.crash.lives import Death, Kill, Moves, Table
from tests.crash.nursery import nursery
from tests.preloaded import built

WHERE: Final = {
    Phase.IDLE: "idle",
    Phase.LOG_WRITE: "in a write to the log",
    Phase.LOG_WRITTEN: "in a commit, between writes and sync",
    Phase.LOG_SYNC: "in the sync of the log",
    Phase.PAGE_WRITE: "in a checkpoint: in a write",
    Phase.PAGES_WRITTEN: "in a checkpoint: before its sync",
    Phase.PAGE_SYNC: "in a checkpoint: in its sync",
}
SLOW_US: Final = (10_000, 40_000, 100_000)
MOST_MS: Final = 1000
"""A heartbeat: so far a clock may be from what was shown, on a machine that lets the daemon work."""


class Outcome(NamedTuple):
    """What came of it, with the games and the moves in them that some output showed."""

    deaths: list[Death]
    games: int
    moves: int


def plan(chance: random.Random) -> Kill:
    """The next kill."""
    after_s = chance.uniform(0.02, 1.5)
    kind = chance.random()
    if kind < 0.5:
        return Kill("at any instant", after_s)
    if kind < 0.7:
        return Kill("on a slow disk", after_s, slow_us=chance.choice(SLOW_US))
    if kind < 0.85:
        return Kill("at a write", 0, f"write {chance.randint(1, 60)} {chance.choice((0, 30, 50, 99, 100))}")
    if kind < 0.95:
        return Kill("at a sync", 0, f"sync {chance.randint(1, 16)} {chance.choice((0, 100))}")
    # The log of the life before goes into the journal at the start: the log is synced, pages, the journal.
    pages = [f"page {n} {percent}" for n in (1, 2, 3) for percent in (0, 50, 100)]
    return Kill("at a checkpoint", 0, chance.choice([*pages, "sync 2 0", "sync 2 100"]))


def run(
    folder: Path, kills: int, seed: int, tables: int, go_on: Callable[[], bool] = lambda: True
) -> Outcome:
    """Kill daemons at so many tables at once, while `go_on` says so, which is asked before each kill.

    Raises the first error of any of them.
    """
    deaths: list[Death] = []
    games: list[Moves] = []
    errors: list[BaseException] = []

    def play(number: int) -> None:
        chance = random.Random(f"{seed}/{number}")  # noqa: S311
        share = kills // tables + (number < kills % tables)
        try:
            with nursery() as parent:
                table = Table(parent, folder / f"table-{number}", chance.randrange(1 << 32))
                for _ in range(share):
                    if errors or not go_on():
                        break
                    table.live(plan(chance))
                table.live()
                deaths.extend(table.deaths)
                games.extend(table.shown.values())
        except BaseException as error:
            errors.append(error)

    built(SOURCE)
    threads = [threading.Thread(target=play, args=(n,)) for n in range(tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return Outcome(deaths, len(games), sum(map(len, games)))


def wrong(deaths: list[Death]) -> list[str]:
    """What must not be, one line each."""
    lines = []
    for death in deaths:
        where = f"killed {death.how}, {WHERE[death.where]}:"
        if death.lost or death.invented or death.changed:
            lines.append(f"{where} {death.told}")
        if death.gained_ms > MOST_MS + death.stalled_ms:
            lines.append(f"{where} a clock came back with {death.gained_ms} ms more than was shown")
        if death.taken_ms:
            lines.append(f"{where} the clocks came back with {death.taken_ms} ms less than they can have had")
    return lines


def report(outcome: Outcome) -> str:
    """Kills by where they hit, and the worst of what came back."""
    deaths = outcome.deaths
    rows = [("killed", "kills", "lost", "invented", "changed", "clock, worst", "stall, worst")]
    for name, phase in [*((WHERE[phase], phase) for phase in Phase), ("all", None)]:
        some = [death for death in deaths if phase is None or death.where is phase]
        sums = [sum(getattr(death, key) for death in some) for key in ("lost", "invented", "changed")]
        worst = max((death.gained_ms for death in some), default=0)
        stall = max((death.stalled_ms for death in some), default=0)
        rows.append((name, str(len(some)), *map(str, sums), f"+{worst} ms", f"{stall} ms"))
    lines = [f"{row[0]:38}" + "".join(f"{cell:>13}" for cell in row[1:]) for row in rows]
    aimed = Counter(death.how for death in deaths)
    lines.append(", ".join(f"{n} {how}" for how, n in sorted(aimed.items())))
    return "\n".join([*lines, f"{outcome.moves} moves in {outcome.games} games were shown"])


def cores() -> int:
    """How many tables play at once where nothing is said."""
    return 2 * (os.cpu_count() or 1)
