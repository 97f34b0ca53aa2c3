"""Programs that a test talks with through pipes: they never outlive the test, however that ends."""

import contextlib
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import Any


@contextlib.contextmanager
def started(
    command: Sequence[str], *, limit_s: float = 60.0, **options: Any
) -> Iterator[subprocess.Popen[str]]:
    """A program with pipes for text; still running at the end, or after `limit_s`, it is killed.

    `with Popen(..)` alone would wait for it: a program that goes on without its input is waited for without
    end when the test has failed before it was told to stop.
    """
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True} | options
    with subprocess.Popen(command, **options) as process:
        late = threading.Timer(limit_s, process.kill)  # who waits for a line of it gets an empty one then
        late.daemon = True
        late.start()
        try:
            yield process
        finally:
            late.cancel()
            process.kill()
