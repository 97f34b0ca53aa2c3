"""The demo's daemon with its pages, as a program of its own."""

import contextlib
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.programs import started

RUN = "from firmware_host.cli import main; main()"
LIMIT_S = 900.0
"""One serves a whole module, on a machine that is busy with something else."""


@contextlib.contextmanager
def demo_table(folder: Path, *settings: str) -> Iterator[str]:
    """The address of a demo table on a free port, its journal `j` in a folder; it has to end in order."""
    command = [sys.executable, "-c", RUN, "demo"]
    for setting in ("web.port=0", f"journal.path={folder / 'j'}", *settings):
        command += ["--set", setting]
    with started(command, limit_s=LIMIT_S) as daemon:
        assert daemon.stdout is not None
        found = re.search(r"http://\S+(?=/)", daemon.stdout.readline())
        assert found
        yield found[0]
        daemon.send_signal(signal.SIGTERM)
        daemon.stdout.read()
        assert daemon.wait(60) == 0
