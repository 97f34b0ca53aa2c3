"""`check` and `calibrate` at a terminal: the screen, the page, the person, and the files they leave."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import monotonic_ns
from typing import Final, NamedTuple

import click
import msgspec

from firmware_host.errors import BoardError, RecordError
from firmware_host.service.access import access_of
from firmware_host.service.calibrate import calibrate, keep
from firmware_host.service.check import Check, is_simulated, only
from firmware_host.service.check_page import CheckPage
from firmware_host.service.check_screen import Screen
from firmware_host.service.config import Config, journal_path
from firmware_host.service.maker import Maker, Nobody, Person, SimulatedMaker
from firmware_host.service.sensor_bench import REAL_TIME, BoardView, SensorBench, Time, VirtualTime
from firmware_host.service.wall_clock import wall_ns, wall_text
from firmware_host.service.web_server import listen
from hw.devices import open_devices

REPORT: Final = "check"
"""The report's name in the state directory."""


class Bench(NamedTuple):
    """What both commands need: who is asked, what time it is, and where the picture goes."""

    maker: Maker
    time: Time
    show: Callable[[BoardView], None]
    screen: Screen


@contextlib.contextmanager
def bench(config: Config, *, questions: bool, page: bool) -> Iterator[Bench]:
    """Set up for a configuration. A simulated table has a hand of its own, and virtual time."""
    screen = Screen()
    shown: list[Callable[[BoardView], None]] = [screen.show]
    with ExitStack() as stack:
        stack.callback(screen.pause)
        if page:
            listening = stack.enter_context(listen(config.web.host, config.web.port))
            access = access_of(config, listening.getsockname()[0], monotonic_ns())
            served = CheckPage(listening, access.signing)
            stack.callback(served.close)
            shown.append(served.show)
            screen.say(f"sensors          {served.address}")
            for line in access.told:
                screen.say(line)
        time = REAL_TIME
        maker: Maker = Nobody(screen.say)
        if is_simulated(config):
            virtual = VirtualTime()
            time = Time(virtual.now_ns, virtual.sleep)
            maker = SimulatedMaker(virtual.now_ns, screen.say) if questions else maker
        elif questions and sys.stdin is not None and sys.stdin.isatty():
            maker = Person(screen.say, screen.pause)
        yield Bench(maker, time, partial(_show_all, shown), screen)


def _show_all(shown: Iterable[Callable[[BoardView], None]], view: BoardView) -> None:
    for show in shown:
        show(view)


def run_check(config: Config, report: Path | None, *, questions: bool, page: bool) -> bool:
    """Check every device and write the report; gives whether the table is fit for play."""
    with bench(config, questions=questions, page=page) as at:
        done = Check(config, at.maker, at.time, show=at.show).run()
    stem = report if report is not None else journal_path(config).with_name(REPORT)
    when = wall_text(wall_ns())
    text = f"{done.text()}\n\n{when}, table {config.table.name}\n"
    files = {
        ".txt": text.encode(),
        ".json": msgspec.json.format(msgspec.json.encode({**done.wire(), "when": when}), indent=1) + b"\n",
    }
    click.echo()
    click.echo(done.text())
    for suffix, content in files.items():
        path = stem.with_name(stem.name + suffix)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
            path.write_bytes(content)
        except OSError as error:
            raise RecordError(f"{path} cannot be written: {error.strerror or error}") from error
    click.echo(f"\nthe report is in {stem}.txt and {stem}.json")
    return done.passed


def run_calibrate(config: Config, *, page: bool, white: bool) -> None:
    """Calibrate, keep the result, and say what came of it; raises BoardError where nobody can sweep."""
    with bench(config, questions=True, page=page) as at:
        if isinstance(at.maker, Nobody):
            raise BoardError("calibrate needs somebody at a terminal who pushes a stone over the points")
        done = calibrate(config, at.maker, at.time, white=white, show=at.show)
    click.echo(done.text())
    if not any(done.kept.gain):
        raise BoardError("no stone was seen, so nothing was kept; what was kept before still holds")
    click.echo(f"kept in {keep(config, done)}")


def run_watch(config: Config, *, page: bool) -> None:
    """Show the readings as they come, in real time, until Ctrl-C."""
    devices = open_devices(only(config, "scanner"))
    with ExitStack() as stack:
        stack.callback(devices.close)
        at = stack.enter_context(bench(config, questions=False, page=page))
        sensors = SensorBench(devices.scanner, at.show)
        sensors.step = "watch"
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
        while True:
            sensors.read()
