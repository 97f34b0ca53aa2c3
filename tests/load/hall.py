"""A board in a full hall: a daemon whose table plays, a crowd of readers, and somebody who means harm."""

import itertools
import json
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any, NamedTuple

from tests.load import junk
from tests.load.junk import Junk
from tests.patience import wait_for
from tests.programs import started

ROOT = Path(__file__).parents[2]
GAME = ROOT / "tests" / "games" / "two-games.txt"
MS = 1_000_000
PERIOD_NS = 5 * MS
"""Between two frames, at 200 a second."""


class Spread(NamedTuple):
    """Of many values, in milliseconds."""

    half: float
    most: float
    worst: float
    count: int

    @classmethod
    def of(cls, values_ns: Sequence[int]) -> "Spread":
        ordered = sorted(values_ns) or [0]
        half, most = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
        return cls(half / MS, most / MS, ordered[-1] / MS, len(values_ns))

    def __str__(self) -> str:
        return f"p50 {self.half:.1f}, p99 {self.most:.1f}, worst {self.worst:.1f} ms of {self.count}"


class Burden(NamedTuple):
    """What the board's own work bore in a spell: time from scan to use, from key to face, between frames."""

    frames: Spread
    keys: Spread
    jitter: Spread
    cpu: float


class Result(NamedTuple):
    """What was measured."""

    delivery: Spread
    """From the instant a message was published to its last byte at each reader's socket."""
    read: Spread
    """The same until the reader, a program on the same machine, has read it."""
    cpu_ms: float
    """The daemon's CPU time for one message to everybody, whatever else the machine does."""
    missed: int
    """Messages that a reader did not get, or readers who lost their connection."""
    slow_dropped: int
    alone: Burden
    crowded: Burden
    under_junk: Burden
    junk: Junk
    resident_mb: tuple[float, float, float]
    """Alone, with the crowd, after everything."""
    files: tuple[int, int]
    """Open files of the daemon: before, and after everything."""
    errors: str


class Daemon:
    """The watched daemon as a process."""

    def __init__(self, process: "Popen[str]", watched: Path, errors: Path) -> None:
        self.process = process
        self.watched = watched
        self.errors = errors
        line = process.stdout.readline() if process.stdout else ""
        found = re.search(r":(\d+)/", line)
        assert found, f"no address in {line!r}; {errors.read_text()}"
        self.port = int(found[1])

    def cpu_s(self) -> float:
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9

    def resident_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def files(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self) -> dict[str, Any]:
        """What its stopwatches read."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        read = json.loads(self.watched.read_text())
        assert isinstance(read, dict)
        return read


@contextmanager
def playing(folder: Path, pace_s: float, limit_s: float) -> Iterator[Daemon]:
    """A daemon whose robot plays a long game."""
    watched, errors = folder / "watched.json", folder / "errors.txt"
    arguments = ["demo", "--game", str(GAME), "--number", "2", "--pace", str(pace_s)]
    settings = ["--set", "web.port=0", "--set", f"journal.path={folder}/journal.db"]
    command = [sys.executable, "-m", "tests.load.watched", str(watched), *arguments, *settings]
    with errors.open("w") as told, started(command, limit_s=limit_s, cwd=ROOT, stderr=told) as process:
        yield Daemon(process, watched, errors)


def run(
    readers: int, slow: int, requests: int, spell_s: float, *, pace_s: float = 0.6, limit_s: float = 900.0
) -> Result:
    """Three spells of at least `spell_s`: the board alone, with its crowd, with the crowd under junk."""
    spells: list[tuple[int, int, float]] = []

    @contextmanager
    def spell() -> Iterator[None]:
        began_ns, cpu_s = time.monotonic_ns(), daemon.cpu_s()
        yield
        spells.append((began_ns, time.monotonic_ns(), daemon.cpu_s() - cpu_s))

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        daemon = stack.enter_context(playing(folder, pace_s, limit_s))
        pause = threading.Event().wait
        pause(1)
        files_before = daemon.files()
        with spell():
            pause(spell_s)
        alone_mb = daemon.resident_mb()
        command = [sys.executable, "-m", "tests.load.readers", str(daemon.port), str(readers), str(slow)]
        crowd = stack.enter_context(started(command, limit_s=limit_s, cwd=ROOT))
        assert crowd.stdout is not None
        assert crowd.stdout.readline() == "ready\n", "not everybody was served"
        with spell():
            pause(spell_s)
        crowd_mb = daemon.resident_mb()
        with spell():
            done = junk.send(daemon.port, requests)
        told = json.loads(crowd.communicate()[0])
        wait_for(lambda: daemon.files() <= files_before + 2, "connections stay open")
        files_after, after_mb = daemon.files(), daemon.resident_mb()
        watched = daemon.stop()
        errors = daemon.errors.read_text()
    alone, crowded, under_junk = (burden(watched, *given) for given in spells)
    began_ns, ended_ns, _ = spells[1]
    messages = sum(began_ns < at_ns < ended_ns for _, at_ns in watched["published"])
    more_s = (crowded.cpu - alone.cpu) * (ended_ns - began_ns) / 1e9
    return Result(
        delivery=delivery(watched, told, began_ns, ended_ns, 0),
        read=delivery(watched, told, began_ns, ended_ns, 1),
        cpu_ms=more_s * 1000 / max(1, messages),
        missed=told["out_of_order"] + told["lost"],
        slow_dropped=told["slow_dropped"],
        alone=alone,
        crowded=crowded,
        under_junk=under_junk,
        junk=done,
        resident_mb=(alone_mb, crowd_mb, after_mb),
        files=(files_before, files_after),
        errors=errors,
    )


def delivery(
    watched: dict[str, Any], told: dict[str, Any], began_ns: int, ended_ns: int, which: int
) -> Spread:
    """From the instant a message was published to one of the two instants of each of its readers."""
    published = {number: at_ns for number, at_ns in watched["published"] if began_ns < at_ns < ended_ns}
    return Spread.of(
        [
            instants[which] - published[int(number)]
            for number, arrivals in told["arrivals"].items()
            if int(number) in published
            for instants in arrivals
        ]
    )


def burden(watched: dict[str, Any], began_ns: int, ended_ns: int, cpu_s: float) -> Burden:
    """What the stopwatches read in one spell."""
    frames = [(scanned, used) for scanned, used in watched["frames"] if began_ns < scanned < ended_ns]
    keys = [(pressed, shown) for pressed, shown in watched["presses"] if began_ns < pressed < ended_ns]
    scanned = [at_ns for at_ns, _ in frames]
    return Burden(
        frames=Spread.of([used - at_ns for at_ns, used in frames]),
        keys=Spread.of([shown - pressed for pressed, shown in keys]),
        jitter=Spread.of([abs(b - a - PERIOD_NS) for a, b in itertools.pairwise(scanned)]),
        cpu=cpu_s / ((ended_ns - began_ns) / 1e9),
    )
