"""`make fuzz`: a million inputs for each reader of foreign bytes; `INPUTS=N` for another number.

Ends with the input that did it when something else is raised than the reader's own error, or when memory
grows. The short form of the same runs with the other tests.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.fuzz.inputs import mutated, serial_seeds, trace_seeds
from tests.fuzz.targets import SerialLink, TraceFile

GROWTH_KB = 8_192
BEGIN = 20_000
"""Inputs after which everything has been allocated that is kept."""


def run(name: str, feed: Callable[[bytes], None], seeds: Sequence[bytes], number: int) -> None:
    """Feed so many inputs; raises SystemExit with the input that failed."""
    begun = time.process_time()
    resident_kb = 0
    for n, data in enumerate(mutated(seeds, number, seed=1)):
        try:
            feed(data)
        except Exception as error:
            raise SystemExit(f"{name}, input {n}: {error!r} for {data.hex()}") from error
        if n == BEGIN:
            resident_kb = peak_kb()
    grown_kb = peak_kb() - resident_kb if resident_kb else 0
    used = time.process_time() - begun
    print(f"{name}: {number} inputs in {used:.0f} s of CPU, {grown_kb} kB more at the end", flush=True)  # noqa: T201
    if grown_kb > GROWTH_KB:
        raise SystemExit(f"{name}: memory has grown by {grown_kb} kB; allowed: {GROWTH_KB}")


def peak_kb() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Both readers."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    run("serial decoder", SerialLink().feed, serial_seeds(), number)
    shm = Path("/dev/shm")  # noqa: S108 - a million small files are not for an SD card
    with tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None) as folder:
        run("trace reader", TraceFile(Path(folder)).feed, trace_seeds(), number)


if __name__ == "__main__":
    main()
