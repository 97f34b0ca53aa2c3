"""The thread that waits for frames, and hands them to the event loop in batches."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from hw import DeviceError, Frame, Scanner

BACK_OFF_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Pauses between tries to read a scanner that failed; the last one repeats."""

MOST_WAITING: Final = 400
"""Frames that may wait for a busy loop; newer ones are then counted as lost."""

BUNDLE: Final = 16
"""So many frames wake the loop whatever their age."""


class ScanThread:
    """Reads a scanner for as long as it runs; `frames` takes what has come since the last call.

    `wake` is called on the loop when frames wait, once until they are taken, and when the scanner fails: then
    `fault` holds the sentence, and the scanner is read again after a pause that grows. A mistake of the
    program is raised on the loop.
    """

    def __init__(self, scanner: Scanner, loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
        self._scanner = scanner
        self._loop = loop
        self._wake = wake
        self._frames: deque[Frame] = deque()
        self._called = False
        self._dropped = 0
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.fault = ""
        self.count = 0
        self._thread = threading.Thread(target=self._run, name="scan", daemon=True)

    def start(self) -> None:
        """Begin to scan."""
        self._thread.start()

    def frames(self) -> list[Frame]:
        """The frames that wait, in order."""
        with self._lock:
            self._called = False
            taken = list(self._frames)
            self._frames.clear()
            return taken

    def close(self) -> None:
        """End the thread and let go of the scanner."""
        self._stop.set()
        self._scanner.close()
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                while (frame := self._scanner.read()) is not None:
                    failures = 0
                    self.fault = ""
                    self._hand_over(frame)
                return
            except DeviceError as error:
                self.fault = str(error)
                self._call(self._wake)
            except Exception as error:
                self._call(partial(_raise, error))
                return
            self._stop.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            failures += 1

    def _hand_over(self, frame: Frame) -> None:
        self.count += 1
        with self._lock:
            if len(self._frames) >= MOST_WAITING:
                self._dropped += 1 + frame.lost
                return
            if self._dropped:
                frame = frame._replace(lost=frame.lost + self._dropped)
                self._dropped = 0
            self._frames.append(frame)
            # A frame that is older than its period has others right behind it; one waking serves them all.
            old = time.monotonic_ns() - frame.t_ns > 1_000_000_000 // self._scanner.rate_hz
            if self._called or (old and len(self._frames) < BUNDLE):
                return
            self._called = True
        self._call(self._wake)

    def _call(self, what: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(what)
        except RuntimeError:  # the loop has closed: nobody waits for frames any more
            self._stop.set()


def _raise(error: Exception) -> None:
    raise error


class FrameRate:
    """Frames a second over the last second or more, from a running count."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._count = 0
        self._rate = 0.0

    def of(self, count: int) -> float:
        """The rate when `count` frames have come in all."""
        elapsed = time.monotonic() - self._since
        if elapsed >= 1:
            self._rate = (count - self._count) / elapsed
            self._since, self._count = time.monotonic(), count
        return round(self._rate, 1)
