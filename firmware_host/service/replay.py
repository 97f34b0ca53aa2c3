"""A recorded trace through the whole pipeline: what `renju-board replay` prints.

Frames that a trace leaves out (equal to the one before) are given to sensing again at the trace's rate, so
that settling and holding times run as they did at the table.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from firmware_host import wire
from firmware_host.errors import NotationError, RecordError
from firmware_host.pipeline import Pipeline, Step
from firmware_host.referee.commands import absent_at_start, parse_command
from firmware_host.referee.final import final
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling, Over, Reopened
from firmware_host.referee.settings import MatchSettings, match_settings
from firmware_host.sensing.events import BoardEvent, Cleared, Fault, FramesLost, Interference, Slid
from firmware_host.sensing.stored import read_stored
from firmware_host.sensing.watcher import EMPTY_BOARD, BoardWatcher
from hw.trace import TraceError, TraceReader

LAST_FRAME_STANDS_NS: Final = 1_000_000_000
QUIET_NS: Final = 60_000_000_000
FAULTS: Final = (Fault, Cleared, Interference, FramesLost)


def replay(path: Path, overrides: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a trace in emission order, `{"final": ...}` last.

    `overrides` are match settings that win over the trace's header, whose `time` may be null for none. A
    command that cannot be read is refused like any other. Raises RecordError for a broken trace and
    ConfigError for a match setting that does not exist or cannot be, or a calibration that is none.
    """
    try:
        with TraceReader(path) as trace:
            given = {
                key: value for key, value in trace.header.match.items() if (key, value) != ("time", None)
            }
            settings = match_settings({**given, **(overrides or {})}, "match.")
            yield from _Replay(trace, settings).run()
    except TraceError as error:
        said = str(error)
        raise RecordError(said if said.startswith(str(path)) else f"{path}: {said}") from error


class _Replay:
    def __init__(self, trace: TraceReader, settings: MatchSettings) -> None:
        self.trace = trace
        self.period_ns = 1_000_000_000 // trace.header.rate_hz
        known = trace.header.calibration
        watcher = BoardWatcher(
            trace.header.sensors,
            turned=settings.black_sits == "far",
            expected=EMPTY_BOARD,
            stored=read_stored(known) if isinstance(known, dict) else None,
        )
        self.commands = trace.commands()
        absent = absent_at_start(self.commands, settings.black_sits)
        self.pipeline = Pipeline(watcher, Referee(settings, absent))
        self.standing: bytes | None = None
        self.scanned_ns = 0
        self.lost = 0
        self.over = False

    def run(self) -> Iterator[dict[str, Any]]:
        t_ns = 0
        pipeline = self.pipeline
        read = [read_command(command, 0) for command in self.commands]
        started = any(command.do == "start" and command.unread is None for command in read)
        for line in self.trace:
            t_ns = line.t_us * 1000
            if self.standing is not None:
                yield from self.scan_until(t_ns)
            pipeline.keys_seen(t_ns - 1)
            if line.readings is not None:
                if not started:
                    started = True
                    pipeline.put(Command(t_ns=t_ns, do="start"))
                pipeline.frame(t_ns, line.readings, self.lost)
                self.standing, self.scanned_ns, self.lost = line.readings, t_ns, 0
            elif line.lost:
                self.lost += line.lost
                self.scanned_ns = t_ns + (line.lost - 1) * self.period_ns
            elif line.key is not None:
                pipeline.put(KeyPress(t_ns=t_ns, key=line.key))
            elif line.command is not None:
                pipeline.put(read_command(line.command, t_ns))
            yield from self.lines(pipeline.advance())
        pipeline.keys_seen(t_ns)
        yield from self.lines(pipeline.advance())
        yield from self.settle(t_ns)
        yield {"final": final(pipeline.referee)}

    def scan_until(self, t_ns: int) -> Iterator[dict[str, Any]]:
        """Give the standing frame again for every pass that the scanner made before `t_ns`."""
        assert self.standing is not None  # noqa: S101 - the caller's condition, for the type checker
        pipeline = self.pipeline
        if t_ns - self.scanned_ns > QUIET_NS:
            # Nothing can come of so long a stretch of equal frames but by the clocks: look at its two ends.
            yield from self.scan_until(self.scanned_ns + QUIET_NS // 2)
            self.scanned_ns = t_ns - QUIET_NS // 4
        # Half a period of slack: the line at t_ns is a pass of its own, and a period is rarely whole.
        while (at := self.scanned_ns + self.period_ns) < t_ns - self.period_ns // 2:
            pipeline.keys_seen(at - 1)
            pipeline.frame(at, self.standing, self.lost)
            self.scanned_ns, self.lost = at, 0
            yield from self.lines(pipeline.advance())

    def settle(self, last_ns: int) -> Iterator[dict[str, Any]]:
        """The last frame stands for one more second, and no clock runs in it."""
        if self.standing is not None:
            for at in range(self.scanned_ns + self.period_ns, last_ns + LAST_FRAME_STANDS_NS, self.period_ns):
                self.pipeline.frame(at, self.standing, self.lost)
                self.lost = 0
        yield from self.lines(self.pipeline.finish(last_ns))

    def lines(self, steps: list[Step]) -> Iterator[dict[str, Any]]:
        """The printed objects of some steps: an event of the board, then its rulings.

        What hands do on the board after the end is nothing; a fault is one at any time.
        """
        for step in steps:
            if isinstance(step.given, FAULTS if self.over else BoardEvent):
                yield event_line(step.given, step.late_ns)
            for ruling in step.rulings:
                if isinstance(ruling, Over | Reopened):
                    self.over = isinstance(ruling, Over)
                yield ruling_line(ruling)


def read_command(given: Mapping[str, Any], t_ns: int) -> Command:
    """The command of a line; one that cannot be read is left for the referee to refuse, in its turn."""
    try:
        return parse_command(given, t_ns)
    except NotationError as error:
        return Command(t_ns=t_ns, do=str(given.get("do")), unread=str(error))


def event_line(event: BoardEvent, late_ns: int) -> dict[str, Any]:
    """The printed object of an event of the board; a slide's time is its first contact."""
    built = wire.to_wire(event)  # type: ignore[arg-type]
    built.pop("first_contact_ns", None)
    built.pop("since_ns", None)
    return _timed(built, (event.first_contact_ns if isinstance(event, Slid) else event.t_ns) - late_ns)


def ruling_line(ruling: AnyRuling) -> dict[str, Any]:
    """The printed object of a ruling."""
    return _timed(wire.to_wire(ruling), ruling.t_ns)


def _timed(built: dict[str, Any], t_ns: int) -> dict[str, Any]:
    built.pop("t_ns")
    return {"t": t_ns / 1e9, **built}
