"""Programs that find `/dev/i2c-N` although there is none: virtual buses behind a preloaded library."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from hw.simulator.bus_server import BusServer
from hw.simulator.i2c_bus import VirtualBus

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "tests" / "i2c_nodes.c"


def library() -> Path:
    """The preloaded library, built once for each state of its source."""
    state = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    built = ROOT / ".cache" / f"i2c_nodes-{state}.so"
    if not built.exists():
        assert shutil.which("gcc"), "gcc is missing; scripts/setup dev installs it"
        built.parent.mkdir(exist_ok=True)
        new = built.with_suffix(f".{os.getpid()}")
        warnings = ("-Wall", "-Wextra", "-Werror")
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", *warnings, "-o", new, SOURCE, "-ldl", "-lpthread"], check=True
        )
        new.replace(built)
    return built


@contextlib.contextmanager
def nodes(folder: Path, buses: Mapping[int, VirtualBus]) -> Iterator[dict[str, str]]:
    """The environment of a program that sees these buses as `/dev/i2c-N`, while they are served."""
    with contextlib.ExitStack() as stack:
        for number, bus in buses.items():
            stack.enter_context(contextlib.closing(BusServer(bus, folder / f"i2c-{number}")))
        named = ",".join(f"{number}={folder / f'i2c-{number}'}" for number in buses)
        yield {**os.environ, "LD_PRELOAD": str(library()), "I2C_NODES": named}


def run(code: str, environ: Mapping[str, str], timeout_s: float = 20.0) -> str:
    """What a Python program prints; its errors are the test's."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environ, cwd=ROOT, capture_output=True, text=True, timeout=timeout_s,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
