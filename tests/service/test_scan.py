"""The scanning thread: frames in bundles, a scanner that fails, and one that is not read in time."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from firmware_host.service import scan
from firmware_host.service.scan import BUNDLE, MOST_WAITING, FrameRate, ScanThread
from hw import Frame, LinkError, Sensors

LONG_S = 10.0
READINGS = bytes(225)


class Script:
    """A scanner that gives what it was told to, raises what is an error, and is closed at the end."""

    sensors: Sensors = "linear"
    rate_hz = 200

    def __init__(self, *given: Frame | Exception | threading.Event) -> None:
        self._given = iter(given)
        self.closed = False

    def read(self) -> Frame | None:
        given = next(self._given, None)
        if isinstance(given, threading.Event):
            assert given.wait(LONG_S)
            return self.read()
        if isinstance(given, Exception):
            raise given
        return given

    def close(self) -> None:
        self.closed = True


def old(*instants: int) -> list[Frame]:
    return [Frame(t_ns, READINGS) for t_ns in instants]


def run(scanner: Script, until: Callable[[ScanThread], bool]) -> tuple[ScanThread, list[str], list[Any]]:
    """Scan on a real loop until a condition holds at a waking: the thread, its faults, the loop's errors."""
    faults: list[str] = []
    errors: list[Any] = []

    async def whole() -> ScanThread:
        done = asyncio.Event()

        def woken() -> None:
            faults.append(scans.fault)
            if until(scans):
                done.set()

        def failed(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            errors.append(context["exception"])
            done.set()

        asyncio.get_running_loop().set_exception_handler(failed)
        scans = ScanThread(scanner, asyncio.get_running_loop(), woken)
        scans.start()
        await asyncio.wait_for(done.wait(), LONG_S)
        scans.close()
        return scans

    return asyncio.run(whole()), faults, errors


def test_old_frames_wake_the_loop_once_for_a_bundle() -> None:
    scans, wakings, _ = run(Script(*old(*range(BUNDLE))), lambda _: True)
    assert [frame.t_ns for frame in scans.frames()] == list(range(BUNDLE))
    assert len(wakings) == 1
    assert scans.frames() == []
    assert scans.count == BUNDLE


def test_a_link_that_fails_is_told_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "BACK_OFF_S", (0.0,))
    told = threading.Event()
    gone = LinkError("/dev/ttyACM0 is gone")
    scanner = Script(gone, gone, told, *old(*range(BUNDLE)))

    def both(scans: ScanThread) -> bool:
        if scans.fault:
            told.set()
        return scans.count == BUNDLE

    scans, faults, _ = run(scanner, both)
    assert faults[0] == "/dev/ttyACM0 is gone"
    assert scans.fault == ""
    assert len(scans.frames()) == BUNDLE
    assert scanner.closed


def test_a_mistake_in_a_scanner_is_not_lost_in_its_thread() -> None:
    _, _, errors = run(Script(ZeroDivisionError("a mistake")), lambda _: False)
    assert [str(error) for error in errors] == ["a mistake"]


def test_frames_that_nobody_takes_are_counted_as_lost_with_the_next_one_that_is() -> None:
    loop = asyncio.new_event_loop()
    try:
        scans = ScanThread(Script(*old(*range(MOST_WAITING + 7))), loop, lambda: None)
        scans._run()
        assert len(scans.frames()) == MOST_WAITING
        scans._scanner = Script(Frame(1000, READINGS, lost=2))
        scans._run()
        assert scans.frames() == [Frame(1000, READINGS, lost=2 + 7)]
    finally:
        loop.close()


def test_a_loop_that_has_closed_ends_the_thread() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    scans = ScanThread(Script(*old(*range(BUNDLE)), LinkError("gone")), loop, lambda: None)
    scans.start()
    scans.close()
    assert not scans._thread.is_alive()


def test_the_rate_is_that_of_the_last_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [50.0]
    monkeypatch.setattr(scan.time, "monotonic", lambda: now[0])
    rate = FrameRate()
    now[0] = 50.5
    assert rate.of(100) == 0.0
    now[0] = 51.0
    assert rate.of(200) == 200.0
    now[0] = 53.0
    assert rate.of(200) == 0.0
