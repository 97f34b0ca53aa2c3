"""Programs that find `/dev/i2c-N` although there is none: virtual buses behind a preloaded library."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from hw.simulator.bus_server import BusServer
from hw.simulator.i2c_bus import VirtualBus
from tests.preloaded import ROOT, built

SOURCE = ROOT / "tests" / "i2c_nodes.c"


@contextlib.contextmanager
def nodes(folder: Path, buses: Mapping[int, VirtualBus]) -> Iterator[dict[str, str]]:
    """The environment of a program that sees these buses as `/dev/i2c-N`, while they are served."""
    with contextlib.ExitStack() as stack:
        for number, bus in buses.items():
            stack.enter_context(contextlib.closing(BusServer(bus, folder / f"i2c-{number}")))
        named = ",".join(f"{number}={folder / f'i2c-{number}'}" for number in buses)
        yield {**os.environ, "LD_PRELOAD": str(built(SOURCE)), "I2C_NODES": named}


def run(code: str, environ: Mapping[str, str], timeout_s: float = 20.0) -> str:
    """What a Python program prints; its errors are the test's."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environ, cwd=ROOT, capture_output=True, text=True, timeout=timeout_s,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
