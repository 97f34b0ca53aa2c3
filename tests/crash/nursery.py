"""Real daemons at a small price: one process imports the program once and forks a child for each life.

A child is `renju-board run` as from a shell: its own process, devices, journal and port; it is killed by a
real SIGKILL. Only the imports (most of a start) are shared. Run as a program it reads a JSON line for each
child (see `Nursery.begin`) and answers with its pid; `{"wait": pid}` takes its exit status in. Children end
with the nursery.
"""

import contextlib
import ctypes
import json
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any, Final

from tests.crash.io_order import SOURCE, environment
from tests.daemon_process import DEADLINE_S, Daemon
from tests.preloaded import ROOT, built
from tests.programs import started

PR_SET_PDEATHSIG: Final = 1
LONGEST_S: Final = 7200.0
"""So long a thousand daemons may take; none of them hangs for longer than `DEADLINE_S`."""


class Nursery:
    """The parent of daemons; one life is begun at a time."""

    def __init__(self, given: IO[str], answers: IO[str]) -> None:
        self._given = given
        self._answers = answers

    def _ask(self, **question: Any) -> int:
        self._given.write(json.dumps(question) + "\n")
        self._given.flush()
        return int(self._answers.readline())

    def begin(self, folder: Path, settings: Sequence[str], watched: Mapping[str, object]) -> "Child":
        """A daemon in `folder` that has just begun to start.

        `watched`: how the preloaded library watches it (`io_order.environment`). `told_at_once` makes it a
        daemon that does not wait for its disk: every entry counts as synced when it is handed over.
        """
        out, err = folder / "out", folder / "err"
        out.write_bytes(b"")
        given = ["web.port=0", f"journal.path={folder}/journal.db", *settings]
        arguments = ["run", *(arg for setting in given for arg in ("--set", setting))]
        others = {name: value for name, value in watched.items() if name != "told_at_once"}
        pid = self._ask(
            arguments=arguments,
            environ=environment(folder / "journal.db", **others),
            told_at_once=bool(watched.get("told_at_once")),
            out=str(out),
            err=str(err),
        )
        return Child(self, folder, pid)

    def wait(self, pid: int) -> int:
        """The exit status of a child that ends or has ended."""
        return self._ask(wait=pid)


class Child(Daemon):
    """A daemon from the nursery; `serves` says when it can be asked."""

    def __init__(self, nursery: Nursery, folder: Path, pid: int) -> None:
        self.folder = folder
        self.pid = pid
        self.nursery = nursery
        self.port = 0
        self.status: int | None = None
        """As `wait` gives it: the number of the signal that ended it."""
        self.ended_ns = 0
        self._killing = threading.Lock()

    def serves(self) -> bool:
        """Wait for its address; False when it has ended before."""
        end = time.monotonic() + DEADLINE_S
        while not (found := re.search(r"simulated table .*:(\d+)/", (self.folder / "out").read_text())):
            if self.gone():
                return False
            assert time.monotonic() < end, f"no address; {(self.folder / 'err').read_text()}"
            time.sleep(0.005)
        self.port = int(found[1])
        return True

    def gone(self, wait_s: float = 0.0) -> bool:
        """Whether it has ended; looks so long before it says no."""
        end = time.monotonic() + wait_s
        while self.status is None:
            state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state == "Z":
                return True
            if time.monotonic() >= end:
                return False
            time.sleep(0.005)
        return True

    def kill(self) -> None:
        """SIGKILL; comes back when it is dead."""
        self._end(signal.SIGKILL)

    def stop(self) -> tuple[int, str]:
        """SIGTERM; the exit status and what stood on standard error."""
        self._end(signal.SIGTERM)
        assert self.status is not None
        return self.status, (self.folder / "err").read_text()

    def _end(self, number: int) -> None:
        with self._killing:
            if self.status is None:
                os.kill(self.pid, number)
                self.status = self.nursery.wait(self.pid)
                self.ended_ns = time.monotonic_ns()


@contextlib.contextmanager
def nursery() -> Iterator[Nursery]:
    """A nursery, until the end of the block."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "LD_PRELOAD": str(built(SOURCE))}
    command = [sys.executable, "-m", "tests.crash.nursery"]
    with started(command, limit_s=LONGEST_S, env=environ, cwd=ROOT, start_new_session=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Nursery(process.stdin, process.stdout)


def _be_born(question: dict[str, Any]) -> None:
    """In the child: become `renju-board run`."""
    from firmware_host.cli import main

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if question["told_at_once"]:
        _tell_at_once()
    os.environ.update(question["environ"])
    for number, name in ((1, question["out"]), (2, question["err"])):
        os.dup2(os.open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    main(question["arguments"])


def _tell_at_once() -> None:
    from firmware_host.service.journal import Journal

    append = Journal.append

    def appended(self: Journal, *given: Any) -> "Future[int]":
        append(self, *given)
        done: Future[int] = Future()
        done.set_result(0)
        return done

    Journal.append = appended  # type: ignore[method-assign]


def _serve() -> None:
    import firmware_host.cli
    import firmware_host.service.daemon  # noqa: F401 - imported here, so that children need not

    for line in sys.stdin:
        question = json.loads(line)
        if "wait" in question:
            answer = os.waitpid(question["wait"], 0)[1]
        else:
            answer = os.fork()
            if not answer:
                _be_born(question)
                os._exit(1)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
