"""A life of a program that appends to a journal: `python -m tests.crash.appender JOURNAL SEED ENTRIES END`.

It prints `told GAME SEQ` for each entry when its future is done, and goes on with the journal's last game or
begins another. END is `close`, or `kill`: SIGKILL with entries on their way. Entries are small, large, alone
and in heaps, as presses, remarks and a slow disk make them.
"""

import os
import random
import signal
import sys

from firmware_host.board import BLACK, WHITE
from firmware_host.referee.inputs import Command, Input, Tick
from firmware_host.referee.rulings import AnyRuling, Moved, Told
from firmware_host.referee.settings import MatchSettings
from firmware_host.sensing.events import Placed
from firmware_host.service.journal import Journal


def step(n: int, chance: random.Random) -> tuple[Input, tuple[AnyRuling, ...]]:
    """An input and its rulings; `n` counts them."""
    kind = chance.random()
    if kind < 0.3:
        return Tick(t_ns=n), ()
    if kind < 0.5:
        text = "记录 " * chance.randint(1, 1500)
        return Command(t_ns=n, do="note", text=text), (Told(t_ns=n, code="late"),)
    point, colour = chance.randrange(225), chance.choice((BLACK, WHITE))
    moved = Moved(t_ns=n, n=1 + n % 225, point=point, colour=colour)
    return Placed(t_ns=n, point=point, colour=colour), (moved,)


def live(path: str, seed: int, entries: int, end: str) -> None:
    """One life."""
    chance = random.Random(seed)  # noqa: S311
    journal = Journal.open(path)
    if entries and (journal.game is None or chance.random() < 0.5):
        journal.begin_game(settings=MatchSettings(), sensors="linear", rules_version="1")
    appended = 0
    while appended < entries:
        heap = [journal.append(*step(appended + i, chance)) for i in range(chance.choice((1, 1, 1, 2, 12)))]
        appended += len(heap)
        if end == "kill" and appended >= entries:
            break
        assert journal.game is not None
        for done in heap:
            seq = done.result()
            sys.stdout.write(f"told {journal.game.number} {seq}\n")
            sys.stdout.flush()
    if end == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    journal.close()


if __name__ == "__main__":
    live(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
