"""Programs that a test talks with through pipes: they never outlive the test, however that ends."""

import contextlib
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any


@contextlib.contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A program with pipes for text; still running at the end, it is killed.

    `with Popen(..)` alone would wait for it: a program that goes on without its input is waited for without
    end when the test has failed before it was told to stop.
    """
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True} | options
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()
