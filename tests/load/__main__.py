"""`make load`: figures of a board in a full hall; ends with 1 when one of them is not what it should be.

In the environment: READERS (1000), SLOW (100), JUNK (10000), SPELL (45), seconds of each spell.
"""

import os
import sys
from collections.abc import Iterator

from tests.load.hall import Burden, Result, run

DELIVERED_MS = 250.0


def number(name: str, default: int) -> int:
    """A number from the environment."""
    return int(os.environ.get(name) or default)


def lines(result: Result) -> Iterator[str]:
    """What people read."""
    yield f"a message to its readers      {result.delivery} (p99 <= {DELIVERED_MS:.0f})"
    yield f"and read by them              {result.read}"
    yield f"CPU time for one to everybody {result.cpu_ms:.0f} ms"
    yield f"missed messages, lost readers {result.missed} (0)"
    yield f"readers who do not read       {result.slow_dropped} given up"
    burdens = {"alone": result.alone, "with readers": result.crowded, "under junk": result.under_junk}
    for name, burden in burdens.items():
        yield from of_burden(name, burden)
    yield "resident                      {:.0f} MB alone, {:.0f} with readers, {:.0f} at the end".format(
        *result.resident_mb
    )
    yield "open files                    {} before, {} after".format(*result.files)
    answers = ", ".join(f"{count} x {status}" for status, count in sorted(result.junk.answers.items()))
    yield f"junk                          {answers} in {result.junk.seconds:.0f} s"
    yield f"wrong answers to it           {len(result.junk.wrong)} (0)"
    yield from result.junk.wrong[:10]
    yield from result.errors.splitlines()[:20]


def of_burden(name: str, burden: Burden) -> Iterator[str]:
    """A spell of the board's own work."""
    yield f"{name}: {burden.cpu:.1%} of a core"
    yield f"  from a scan to its use      {burden.frames}"
    yield f"  from a key to its face      {burden.keys}"
    yield f"  between two frames, off by  {burden.jitter}"


def main() -> None:
    """Measure, print, judge."""
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    result = run(number("READERS", 1000), number("SLOW", 100), number("JUNK", 10_000), number("SPELL", 45))
    for line in lines(result):
        print(line)
    good = result.delivery.most <= DELIVERED_MS and not (result.missed or result.junk.wrong or result.errors)
    sys.exit(not good)


if __name__ == "__main__":
    main()
