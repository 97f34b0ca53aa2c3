"""`make crash-test`: daemons killed, whole games watched call by call, journals torn.

In the environment: KILLS (1000), GAMES (3), SEED, and LIVES (6), programs whose calls are replayed, cut at
every step.
"""

import itertools
import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.crash import kills, sync_order, torn
from tests.crash.io_order import read_log
from tests.crash.lives import LONGEST, Table
from tests.crash.nursery import nursery
from tests.preloaded import ROOT

ENTRIES = 40
"""Entries in each of the lives that are replayed."""
SLOW_US = (20_000, 0, 100_000)
"""How much longer a disk takes to sync, game after game."""


def number(name: str, default: int) -> int:
    """A number from the environment."""
    return int(os.environ.get(name) or default)


def kill(folder: Path, seed: int) -> list[str]:
    """Daemons killed at random instants and within commits; an interrupt (Ctrl-C) ends them early."""
    began, count = time.monotonic(), itertools.count()
    stopped = threading.Event()

    def go_on() -> bool:
        if (done := next(count)) % 50 == 0 and done:
            print(f"  {done} kills, {time.monotonic() - began:.0f} s", flush=True)
        return not stopped.is_set()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopped.set())
    try:
        outcome = kills.run(folder, number("KILLS", 1000), seed, kills.cores(), go_on)
    finally:
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, signal.SIG_DFL)
    print(kills.report(outcome))
    return kills.wrong(outcome.deaths)


def watch(folder: Path, seed: int) -> list[str]:
    """Whole games: each move synced before its first byte leaves."""
    wrong = []
    (folder / "copies").mkdir()
    for n in range(number("GAMES", 3)):
        calls, at = folder / f"calls-{n}", folder / f"game-{n}"
        with nursery() as parent:
            Table(parent, at, seed + n).live(moves=LONGEST, log=calls, slow_us=SLOW_US[n % len(SLOW_US)])
        leaks, ways = sync_order.check(read_log(calls), folder / "copies", at / "journal.db")
        print(f"  {len(ways)} moves left {sum(ways.values())} times, {len(leaks)} of them before their sync")
        wrong += [f"{leak.point} left for {leak.path} before it was synced" for leak in leaks]
    return wrong


def tear(folder: Path, seed: int) -> list[str]:
    """Copies of a journal at every step of its life, and of an older one at every step of its taking over."""
    lives = [("kill", "close")[n % 2] for n in range(number("LIVES", 6))]
    (folder / "older").mkdir()
    wrong = []
    for recording in (
        torn.record(folder, seed, ENTRIES, lives),
        torn.record_take_over(folder / "older", ROOT / "tests" / "data" / "journal-v1"),
    ):
        count, more = torn.try_all(recording, seed, cuts=2)
        print(torn.report(count))
        print(f"  {sum(count.values())} copies", flush=True)
        wrong += more
    return wrong


def main() -> int:
    """All three; 1 when anything is wrong."""
    seed = number("SEED", random.SystemRandom().randrange(1 << 32))
    print(f"SEED={seed}", flush=True)
    wrong = []
    for part in (kill, watch, tear):
        print(part.__doc__, flush=True)
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            wrong += part(Path(folder), seed)
        print(f"  {time.monotonic() - began:.0f} s", flush=True)
    print("\n".join(wrong) or "nothing wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
