"""The daemon as it is, with a stopwatch at four places: `python -m tests.load.watched FILE ARGUMENT...`.

When it ends, FILE holds one JSON object; all instants are monotonic nanoseconds, which every process of a
machine shares. `published`: id and instant of each public message. `frames`: of each frame the instant it was
scanned at and the one the loop took it at. `presses`: of each press of a key its instant and that of the
clock's next transfer, which shows it.
"""

import json
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from firmware_host import cli
from firmware_host.service import daemon
from firmware_host.service.sse import Followed
from firmware_host.service.table import LiveTable
from hw import Frame, Press
from hw.devices import Devices


class Watch:
    """What the stopwatches have read."""

    def __init__(self) -> None:
        self.published: list[tuple[int, int]] = []
        self.frames: list[tuple[int, int]] = []
        self.presses: list[tuple[int, int]] = []
        self.pressed: int | None = None

    def transferred(self, _: int) -> None:
        if self.pressed is not None:
            self.presses.append((self.pressed, time.monotonic_ns()))
            self.pressed = None


def put_in(watch: Watch) -> None:
    """Put the stopwatches into the program; everything goes on as before."""
    tell, frames, presses, opened = (
        Followed.tell, LiveTable.frames, LiveTable.presses, daemon.open_devices
    )  # fmt: skip

    def timed_tell(self: Followed, message: bytes) -> None:
        at_ns = time.monotonic_ns()
        tell(self, message)
        if self.event == "game":
            watch.published.append((self.last_id, at_ns))

    def timed_frames(self: LiveTable, given: Iterable[Frame]) -> None:
        given = list(given)
        at_ns = time.monotonic_ns()
        watch.frames += [(frame.t_ns, at_ns) for frame in given]
        frames(self, given)

    def timed_presses(self: LiveTable, given: Sequence[Press], until_ns: int) -> None:
        if given:
            watch.pressed = given[0].t_ns
        presses(self, given, until_ns)

    def watched_devices(*given: Any, **named: Any) -> Devices:
        devices = opened(*given, **named)
        assert devices.clock is not None
        devices.clock.bus.on_transfer = watch.transferred
        return devices

    Followed.tell = timed_tell  # type: ignore[method-assign]
    LiveTable.frames = timed_frames  # type: ignore[method-assign]
    LiveTable.presses = timed_presses  # type: ignore[method-assign]
    daemon.open_devices = watched_devices


def main() -> None:
    file, *arguments = sys.argv[1:]
    watch = Watch()
    put_in(watch)
    try:
        cli.main(arguments)
    finally:
        told = {"published": watch.published, "frames": watch.frames, "presses": watch.presses}
        Path(file).write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main()
