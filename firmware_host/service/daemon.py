"""The daemon: devices opened, one table, its pages served; a clean end on SIGTERM and SIGINT."""

import asyncio
import contextlib
import gc
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from firmware_host.board import Point
from firmware_host.errors import RecordError
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.service.calibration_file import stored_calibration
from firmware_host.service.config import Config, journal_path
from firmware_host.service.display import Display
from firmware_host.service.empty_board import EmptyBoard
from firmware_host.service.feed_log import FeedLog
from firmware_host.service.folder_keeper import FolderKeeper
from firmware_host.service.journal import Journal
from firmware_host.service.log_lines import one_line
from firmware_host.service.metrics import Measures
from firmware_host.service.poll_pages import PollPages
from firmware_host.service.record_keeper import RecordKeeper
from firmware_host.service.robot import Robot, by_turns
from firmware_host.service.scan import FrameRate, ScanThread
from firmware_host.service.sim import Simulated
from firmware_host.service.table import LiveTable
from firmware_host.service.tournament import TournamentFiles
from firmware_host.service.trace_keeper import TraceKeeper, trace_settings
from firmware_host.service.web import create_app
from firmware_host.service.web_server import WebServer
from hw.devices import Devices, open_devices
from hw.simulator.faults import Faults
from hw.simulator.table import SimulatedTable
from hw.trace import TraceWriter

TURN_S: Final = 0.04
"""How often clocks are looked at when no frame comes; within the 50 ms that a signal may be late."""
QUIET_S: Final = 0.2
"""So long without a frame, and the clocks are looked at without any. Every waking costs."""

CONNECTION: Final = frozenset({"socket", "transport", "protocol"})
"""What asyncio names beside an error that belongs to a connection, not to the game."""


def serve(
    config: Config,
    *,
    record_trace: Path | None = None,
    robot: Sequence[Point] | None = None,
    pace_s: float = 1.2,
    new: bool = False,
    asked: str = "what was asked holds from the next game on",
) -> None:
    """Run a table until SIGTERM or SIGINT.

    `new`: begin a new game even if the journal's last one is not over. `asked`: what becomes of settings that
    a game which goes on does not take. `robot`: moves that a robot plays at the simulated table. Raises
    ConfigError, RecordError or DeviceError, each one sentence.
    """
    with contextlib.closing(WebServer(config)) as web:
        while _life(config, web, record_trace, robot, pace_s, asked, new=new):
            record_trace, robot, new = None, None, False


def _life(
    config: Config,
    web: WebServer,
    record_trace: Path | None,
    robot: Sequence[Point] | None,
    pace_s: float,
    asked: str,
    *,
    new: bool,
) -> bool:
    """Open everything, run, close everything; gives whether to begin again."""
    with contextlib.ExitStack() as stack:
        devices = open_devices(msgspec.to_builtins(config))
        stack.callback(devices.close)
        stored, trouble = stored_calibration(config)
        keeper = stack.enter_context(contextlib.closing(trace_keeper(config, devices, stored)))
        journal = Journal.open(journal_path(config))
        stack.callback(journal.close)
        feed_log = stack.enter_context(contextlib.closing(FeedLog(feed_path(config))))
        table = LiveTable(
            config,
            devices.scanner.sensors,
            journal,
            keeper,
            new=new,
            fresh=robot is not None,
            stored=stored,
            feed_log=feed_log,
        )
        stack.callback(lambda: feed_log.close(table.axis.now_ns()))
        table.notes += [trouble] if trouble else []
        table.records = stack.enter_context(contextlib.closing(RecordKeeper(config)))
        if config.publish.folder:
            folder = FolderKeeper(Path(config.publish.folder).absolute())
            table.folder = stack.enter_context(contextlib.closing(folder))
        if table.finished is not None:
            table.records.file_again(*table.finished)
        if record_trace is not None:
            table.recorder = stack.enter_context(contextlib.closing(recorder(record_trace, devices, table)))
        daemon = _Daemon(config, table, devices, web, robot, pace_s, asked)
        asyncio.run(daemon.run())
        return daemon.again


def feed_path(config: Config) -> Path:
    """Where what was published lies, beside the journal."""
    journal = journal_path(config)
    return journal.with_name(journal.name + ".feed")


def trace_keeper(config: Config, devices: Devices, stored: StoredCalibration | None = None) -> TraceKeeper:
    """The keeper of the last minutes of frames, as the configuration says."""
    return TraceKeeper(
        journal_path(config),
        sensors=devices.scanner.sensors,
        rate_hz=lambda: devices.scanner.rate_hz,
        match=trace_settings(config.match),
        calibration=stored.header() if stored is not None else None,
        keep_minutes=config.journal.keep_minutes,
        most=config.journal.traces,
        most_mb=config.journal.traces_mb,
    )


def recorder(path: Path, devices: Devices, table: LiveTable) -> TraceWriter:
    """The trace that `--record-trace` asks for."""
    return TraceWriter(
        path,
        sensors=devices.scanner.sensors,
        rate_hz=lambda: devices.scanner.rate_hz,
        match=trace_settings(table.live.game.settings),
        origin_ns=table.axis.now_ns(),
        extra={} if table.stored is None else {"calibration": table.stored.header()},
    )


class _Daemon:
    def __init__(
        self,
        config: Config,
        table: LiveTable,
        devices: Devices,
        web: WebServer,
        moves: Sequence[Point] | None,
        pace_s: float,
        asked: str,
    ) -> None:
        self.config = config
        self.table = table
        self.devices = devices
        self.web = web
        self.moves = moves
        self.pace_s = pace_s
        self.asked = asked
        self.began = self.scanned_s = time.monotonic()
        self.rate = FrameRate()
        self.stop = asyncio.Event()
        self.again = False
        self.scan: ScanThread | None = None
        self.failure: BaseException | None = None
        self.told = ""
        self.measures = Measures(web.connections)

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        table = self.table
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop.set)
        loop.set_exception_handler(self.failed)
        if self.devices.table is not None:
            self.simulate(self.devices.table)
        clock = self.config.clock
        files = TournamentFiles(table.public, table.journal.path, table.live.game.number)
        if table.folder is not None:
            files.watch(table.folder.put)
        table.display = Display(
            self.devices.faces,
            self.devices.buzzer,
            table.axis,
            clock.brightness,
            last_minute=clock.last_minute,
        )
        table.device_faults = self.faults
        table.more_health = self.health
        self.scan = ScanThread(self.devices.scanner, loop, self.scanned)
        web = self.web
        app = create_app(
            table,
            signing=web.access.signing,
            tls=web.tls,
            orders=self.config.web.console != "off",
            sensed=table.view.channel,
            address=self.config.records.address,
            polled=PollPages(table.public, files).routes(),
            reached=lambda: web.address,
            restart=self.restart,
            empty=EmptyBoard(table),
            requests_per_s=self.config.web.requests_per_s,
            measures=self.measures,
        )
        tasks = [asyncio.create_task(work) for work in (table.tell(), self.turns())]
        serving = asyncio.create_task(web.serve(app))
        self.scan.start()
        table.start()
        gc.unfreeze()  # what a life before this one has left can go
        gc.collect()
        gc.freeze()  # what is there now stays: later collections need not look at it
        self.announce()
        if self.moves is not None and table.sim is not None and table.sim.robot is not None:
            table.sim.robot.start()
        stopping = asyncio.create_task(self.stop.wait())
        done, _ = await asyncio.wait([stopping, serving, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for channel in (
            table.public,
            table.arbiter,
            table.view.channel,
            *([table.sim.channel] if table.sim else []),
        ):
            channel.close()
        web.stop()
        await serving
        self.scan.close()
        if self.failure is None:
            table.leave()
        for task in (stopping, *tasks):
            task.cancel()
        for task in done - {stopping}:
            if error := task.exception():
                self.failure = error
        if self.failure is not None:
            if table.keeper is not None:
                with contextlib.suppress(RecordError):
                    table.keeper.save_now("crash")
            raise self.failure

    def restart(self) -> None:
        """End in order and begin anew with the same configuration and sockets: devices are opened again."""
        self.again = True
        self.stop.set()

    def turned(self) -> bool:
        """Whether Black sits at the far side of the sensor plane."""
        return self.table.live.game.settings.black_sits == "far"

    def simulate(self, hand: SimulatedTable) -> None:
        """The simulated table for the pages, with a robot that has the game which was asked for."""
        table, devices = self.table, self.devices
        faults = Faults(hand, devices.scanner, devices.clock)
        sim = Simulated(hand, devices.clock, table.axis, turned=self.turned(), faults=faults)
        sim.lay(table.live.lying)
        sim.robot = Robot(
            sim.hand,
            table.command,
            lambda: table.live.referee,
            pace_s=self.pace_s,
            changed=sim.channel.publish,
        )
        if self.moves is not None:
            sim.robot.load(by_turns(self.moves))
        table.sim = sim

    def failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A mistake of the program ends it, and the restart restores the game.

        What goes wrong with a connection, or while the daemon ends anyway, is only told.
        """
        error = context.get("exception")
        if error is None:
            loop.default_exception_handler(context)
        elif self.stop.is_set() or not CONNECTION.isdisjoint(context):
            told = one_line(f"{context.get('message', 'a connection failed')}: {error}")
            if told != self.told:  # asyncio says it again for every connection that waits
                self.told = told
                print(f"web: {told}", file=sys.stderr, flush=True)  # noqa: T201
        else:
            self.failure = error
            self.stop.set()

    def announce(self) -> None:
        address, secure = self.web.address, self.web.secure_address
        print(f"live board       {address}/", flush=True)  # noqa: T201
        if self.table.sim is not None:
            print(f"simulated table  {secure}/table", flush=True)  # noqa: T201
        print(f"arbiter          {secure}/arbiter", flush=True)  # noqa: T201
        for line in self.web.told():
            print(line, flush=True)  # noqa: T201
        print(f"journal          {self.table.journal.path}", flush=True)  # noqa: T201
        if self.table.restored:
            print("the last game goes on; the clocks stand until they are resumed", flush=True)  # noqa: T201
        if self.table.kept:
            kept = ", ".join(self.table.kept)
            print(f"that game keeps its own settings: {one_line(kept)}; {self.asked}", flush=True)  # noqa: T201
        for note in self.table.notes:
            print(f"note: {one_line(note)}", file=sys.stderr, flush=True)  # noqa: T201

    def scanned(self) -> None:
        """Frames wait, or the scanner failed."""
        self.scanned_s = time.monotonic()
        self.turn()

    def turn(self) -> None:
        assert self.scan is not None  # noqa: S101 - for the type checker
        frames = self.scan.frames()
        presses, until_ns = self.devices.keys.poll()
        now_ns = time.monotonic_ns()
        for frame in frames[:1]:  # the oldest of them has waited longest
            self.measures.frame_delay.note((now_ns - frame.t_ns) / 1e9)
        for press in presses:
            self.measures.key_delay.note((now_ns - press.t_ns) / 1e9)
        self.table.frames(frames)
        self.table.presses(presses, until_ns)
        self.table.turn()

    async def turns(self) -> None:
        """Keys, flags, faces and signals when no frame comes."""
        while True:
            quiet_s = time.monotonic() - self.scanned_s
            if quiet_s < QUIET_S:
                await asyncio.sleep(QUIET_S - quiet_s)
                continue
            self.turn()
            await asyncio.sleep(TURN_S)

    def faults(self) -> list[str]:
        scanner = self.scan.fault if self.scan else ""
        return [*([scanner] if scanner else []), *self.devices.faults()]

    def health(self) -> dict[str, Any]:
        scan = self.scan
        return {
            "scanner": "fault" if scan and scan.fault else "ok",
            "uptime_s": round(time.monotonic() - self.began, 1),
            "frames": scan.count if scan else 0,
            "frames_per_s": self.rate.of(scan.count if scan else 0),
            "devices": self.devices.health(),
        }
