"""Waiting for what another thread or process does: never without end."""

import time
from collections.abc import Callable
from typing import Final

LONG_S: Final = 45.0
"""Longer than anything takes on a machine that is busy with something else."""


def wait_for(so: Callable[[], object], why: str = "nothing happens", *, every_s: float = 0.005) -> float:
    """Wait until it is so; the seconds that took. Raises AssertionError after `LONG_S`."""
    begun = time.monotonic()
    while not so():
        assert time.monotonic() - begun < LONG_S, why
        time.sleep(every_s)
    return time.monotonic() - begun
