"""`make crash-test`: kills, and torn copies of journals; KILLS, COPIES and SEED as named in the environment."""

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.crash.kills import cores, report, run, wrong


def main() -> int:
    """The whole of it; 1 when something is wrong."""
    kills = int(os.environ.get("KILLS") or 1000)
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"SEED={seed} KILLS={kills}", flush=True)
    began = time.monotonic()
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        if done % 50 == 0:
            print(f"{done} kills, {time.monotonic() - began:.0f} s", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        deaths = run(Path(folder), kills, seed, cores(), tell)
    print(report(deaths))
    print(f"{time.monotonic() - began:.0f} s")
    lines = wrong(deaths)
    print("\n".join(lines))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
