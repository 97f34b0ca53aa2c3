"""One table: frames, presses and commands in; journal, record, feed, faces and buzzer out.

All of it runs on the event loop. What came in is ruled by the pipeline and given to the journal, and only
when that is synced do record, feed and console learn of it. Faces and buzzer follow the clock at once: they
show the referee as it would be with the inputs that still wait for the watermark.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, NamedTuple

from firmware_host import wire
from firmware_host.board import BLACK, NAMES, Point
from firmware_host.clock import MS
from firmware_host.errors import BoardError
from firmware_host.feed import ClockView, TableView, before_the_game, snapshot
from firmware_host.pipeline import Preview, Step
from firmware_host.referee.board_watch import Difference
from firmware_host.referee.commands import parse_command
from firmware_host.referee.inputs import Command, KeyPress, Tick
from firmware_host.referee.rulings import Called, Irregular
from firmware_host.sensing.events import Fault, Scattered
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.service.axis import Axis
from firmware_host.service.broadcast import Broadcast
from firmware_host.service.config import Config
from firmware_host.service.desk import desk_of
from firmware_host.service.display import Display
from firmware_host.service.feed_log import FeedLog
from firmware_host.service.folder_keeper import FolderKeeper
from firmware_host.service.game import (
    BY_ITSELF,
    RULES_VERSION,
    LiveGame,
    adjourned_head,
    away_ns,
    began_by_itself,
    following,
    is_over,
    kept_settings,
    new_pipeline,
    rebuild,
)
from firmware_host.service.journal import Journal
from firmware_host.service.journal_chain import short
from firmware_host.service.journal_rows import Entry, Game
from firmware_host.service.next_game import NextGame
from firmware_host.service.record_keeper import RecordKeeper, head_of
from firmware_host.service.sensor_view import SensorView
from firmware_host.service.sheet_pages import Records
from firmware_host.service.sim import Simulated
from firmware_host.service.sse import Channel
from firmware_host.service.table_settings import header_asked
from firmware_host.service.trace_keeper import MINUTE_NS, TraceKeeper, trace_settings
from firmware_host.service.wall_clock import Stamp, stamp, synchronised, wall_ns
from hw import Frame, Press, Sensors
from hw.trace import TraceWriter

HEARTBEAT_NS: Final = 1_000_000_000
"""After a crash no clock comes back further than this from what was shown of it."""
BEAT_NS: Final = 700_000_000
"""How often the instant of a running clock is written down. What is shown runs ahead of that by the
watermark, and a card may take 200 ms to sync: with both it stays within the heartbeat."""
SLOW_DISK_S: Final = 2.0
"""What waits longer for the disk is told all the same: the game goes on, and the console says why."""

ANSWER_S: Final = 5.0
BLIND_AFTER_NS: Final = 500_000_000
"""Without a frame for so long the clocks go on without the board."""


class _Written(NamedTuple):
    """A step that was given to the journal, and until when (monotonic, seconds) its sync is waited for."""

    game: LiveGame
    step: Step
    synced: Future[int]
    until_s: float
    hash: str


class LiveTable:
    """What the pages, the scanner and the keys of one table meet; see the module."""

    def __init__(
        self,
        config: Config,
        sensors: Sensors,
        journal: Journal,
        keeper: TraceKeeper | None,
        *,
        new: bool = False,
        fresh: bool = False,
        stored: StoredCalibration | None = None,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
        stamp: Callable[[], Stamp] = stamp,
        feed_log: FeedLog | None = None,
    ) -> None:
        """Go on with the journal's last game; begin one if it is over, there is none, or with `new`.

        `fresh`: a game that begins is as `config` says, whatever was asked for the last one. `stored`: what
        was measured of the sensors before. `feed_log`: what was published before.
        """
        self.config = config
        self.sensors = sensors
        self.stored = stored
        self.journal = journal
        self.keeper = keeper
        self.recorder: TraceWriter | None = None
        self.records: RecordKeeper | None = None
        self.folder: FolderKeeper | None = None
        self._feed_log = feed_log
        self.sim: Simulated | None = None
        self.display: Display | None = None
        self.next_game = NextGame(self, fresh=fresh)
        self.notes: list[str] = [*journal.notes, *self.next_game.notes]
        self.restored = False
        self.finished: tuple[Game, list[Entry]] | None = None
        self.adjourned = ""
        """The hash of the entry that adjourned the game at hand; empty when it is not adjourned."""
        self.kept: list[str] = []
        self.device_faults: Callable[[], list[str]] = list
        self.more_health: Callable[[], dict[str, Any]] = dict
        self._written: asyncio.Queue[_Written] = asyncio.Queue()
        self._answers: dict[tuple[int, int], asyncio.Future[list[dict[str, Any]]]] = {}
        self._heartbeat_ns = 0
        self._looked_ns = 0
        self._known_faults: list[str] = []
        self._known_synced = synchronised()
        self._fault_saved_ns: int | None = None
        self._shown: Preview | None = None
        self.live = self._open(new)
        self._tell_keeper()
        self.axis = Axis(max(0, self.live.pipeline.ruled_ns), monotonic_ns)
        self.last_frame_ns = self._began_ns = self.axis.now_ns()
        game = self.live.game
        first = before_the_game(game.header, game.settings, self.axis.now_ns())
        self.public = Broadcast(
            first,
            self.axis.now_ns,
            delay_s=config.publish.delay_s,
            stamp=stamp,
            most=config.web.followers,
            log=feed_log,
        )
        self.view = SensorView(sensors, stored)
        self.arbiter = Channel("arbiter", self._arbiter_now, keep=4)
        self._publish_public()

    def _open(self, new: bool) -> LiveGame:
        last = None if new else self.journal.last_game()
        if last is not None and last.number in self.journal.reader.pruned():
            last = None
        entries = self.journal.entries(last) if last is not None else []
        if last is None or not entries or is_over(entries):
            self.finished = (last, entries) if last is not None and entries else None
            game = self._begin()
            return LiveGame(game, new_pipeline(game, self.sensors, self.config.sensing, self.stored))
        for entry in entries:
            self.adjourned = adjourned_head(self.adjourned, entry.hash, entry.rulings)
        live, notes = rebuild(last, entries, self.sensors, self.config.sensing, self.stored)
        self.notes += notes
        self.kept = kept_settings(last, self.next_game.asked)
        self.next_game.by_itself = began_by_itself(entries)
        if live.referee.phase != "waiting":
            self.restored = True
            away_ms = away_ns(entries[-1]) // MS
            restore = Command(t_ns=live.pipeline.ruled_ns, do="restore", reason="restart", ms=away_ms)
            self._write(live, live.pipeline.rule_now(restore))
        return live

    def _begin(self) -> Game:
        return self.journal.begin_game(
            header=header_asked(self.next_game.asked.table),
            settings=self.next_game.asked.match,
            sensors=self.sensors,
            rules_version=RULES_VERSION,
        )

    def _tell_keeper(self) -> None:
        """Traces carry the settings of the game at hand."""
        if self.keeper is not None:
            self.keeper.match = trace_settings(self.live.game.settings)

    # What comes in.

    def frames(self, frames: Iterable[Frame]) -> None:
        """Frames of the scanner, instants on the monotonic clock."""
        pipeline = self.live.pipeline
        for frame in frames:
            frame = frame._replace(t_ns=self.axis.at(frame.t_ns))
            if frame.t_ns < self._began_ns:
                continue
            self.view.frame((frame.t_ns, frame.readings))
            if self.keeper is not None:
                self.keeper.frame(frame)
            if self.recorder is not None:
                self.recorder.frame(frame)
            pipeline.frame(frame.t_ns, frame.readings, frame.lost)
            self.last_frame_ns = frame.t_ns

    def presses(self, presses: Sequence[Press], until_ns: int) -> None:
        """Keys that closed, and the instant up to which they are known; both on the monotonic clock."""
        for press in presses:
            press = press._replace(t_ns=self.axis.at(press.t_ns))
            for log in (self.keeper, self.recorder):
                if log is not None:
                    log.press(press)
            self.live.pipeline.put(KeyPress(t_ns=press.t_ns, key=press.key))
            self._shown = None
        self.live.pipeline.keys_seen(self.axis.at(until_ns))

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        """Obey an order and give its rulings as wire objects; raises NotationError in one sentence."""
        parsed = parse_command(given, self.axis.now_ns())
        if parsed.do == "start" and self.live.over and not self.next_game.beginning:
            self.begin_next()
        return await self.obey(parsed, given)

    async def obey(self, order: Command, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Carry out an order as it was given, and give its rulings as wire objects; raises BoardError."""
        for log in (self.keeper, self.recorder):
            if log is not None:
                log.command(order.t_ns, given)
        answer: asyncio.Future[list[dict[str, Any]]] = asyncio.get_running_loop().create_future()
        key = self.live.game.number, self.live.pipeline.put(order)
        self._answers[key] = answer
        self._shown = None
        try:
            return await asyncio.wait_for(answer, ANSWER_S)
        except TimeoutError:
            raise BoardError(
                f"{order.do} has been noted, and no answer came within {ANSWER_S:.0f} s"
            ) from None
        finally:
            self._answers.pop(key, None)

    def start(self) -> None:
        """Begin the round without an order, if it has not begun and the settings say so."""
        if self.config.table.start == "at-once" and self.live.referee.phase == "waiting":
            self.next_game.by_itself = True
            start = Command(t_ns=self.axis.now_ns(), do="start", by="organiser", reason=BY_ITSELF)
            self.live.pipeline.put(start)

    def begin_next(self) -> "Future[int]":
        """A game after the one at hand; gives when it is in the journal with what lies on the board."""
        game, told = following(self.live, self._begin(), self.sensors, self.config.sensing, self.stored)
        self.live = game
        self.adjourned = ""
        self.next_game.by_itself = False
        self._shown = None
        self._tell_keeper()
        if self.sim is not None:
            self.sim.turn(turned=game.game.settings.black_sits == "far")
        *_, synced = (self._write(game, game.pipeline.rule_now(given)) for given in told)
        return synced

    # What follows.

    def turn(self) -> None:
        """Rule what can be ruled, write it down, and bring the faces up to date. Call it often."""
        now_ns = self.axis.now_ns()
        pipeline = self.live.pipeline
        if now_ns - self.last_frame_ns > BLIND_AFTER_NS:
            pipeline.blind(now_ns)
        steps = pipeline.advance()
        if self.live.referee.clock.running is not None and pipeline.ruled_ns - self._heartbeat_ns >= BEAT_NS:
            self._heartbeat_ns = pipeline.ruled_ns
            steps.append(pipeline.tick())
        for step in steps:
            self._write(self.live, step)
        if steps:
            self._shown = None
        self.public.advance()
        if self.public.waits_until_ns is not None and now_ns >= self.public.waits_until_ns:
            self._publish_public()
        if now_ns - self._looked_ns >= HEARTBEAT_NS:
            self._looked_ns = now_ns
            self._tell_faults()
        if self.display is not None:
            self._show(self.display, now_ns)

    def leave(self) -> None:
        """An orderly stop: what can be ruled is ruled, and lost frames not told yet are written down."""
        self.turn()
        pipeline = self.live.pipeline
        for event in pipeline.watcher.finish(pipeline.ruled_ns):
            self._write(self.live, pipeline.rule_now(event))

    def _show(self, display: Display, now_ns: int) -> None:
        """Faces and buzzer at once, but no end of a time that something earlier may still undo.

        A press that is on its way can undo the end of a period, so the keys must be known up to it; a stone
        that is not believed yet can undo a flag, so that is shown when it has been ruled.
        """
        shown, pipeline = self._showing(), self.live.pipeline
        if shown.referee.clock.fallen != pipeline.referee.clock.fallen:
            shown = Preview(pipeline.referee, shown.menus)
        for end in shown.referee.clock.crossings(now_ns):
            if end.kind == "flag" or end.at_ns > pipeline.keys_seen_ns:
                now_ns = min(now_ns, end.at_ns - 1)
        display.show(shown.referee, now_ns, shown.menus)

    def _write(self, game: LiveGame, step: Step) -> "Future[int]":
        synced = self.journal.append(step.given, step.rulings, step.late_ns)
        until_s = time.monotonic() + SLOW_DISK_S
        self._written.put_nowait(_Written(game, step, synced, until_s, self.journal.tip))
        return synced

    def _tell_faults(self) -> None:
        """A part that fails or works again is told to the arbiter, whatever the game does."""
        faults, synced = self.faults(), synchronised()
        if synced != self._known_synced:
            self._known_synced = synced
            self.arbiter.publish()
        if faults != self._known_faults:
            self._keep_what_led_to(set(self.device_faults()).difference(self._known_faults))
            self._known_faults = faults
            self.arbiter.publish()

    def _keep_what_led_to(self, faults: AbstractSet[str]) -> None:
        """Save the frames before a device failed, unless a trace that was saved for another one has them."""
        now_ns = self.axis.now_ns()
        kept_ns = self.config.journal.keep_minutes * MINUTE_NS
        seen = self.last_frame_ns > self._began_ns
        again = self._fault_saved_ns is None or now_ns - self._fault_saved_ns >= kept_ns
        if faults and seen and again and self.keeper is not None:
            self._fault_saved_ns = now_ns
            self.keeper.save("device fault")

    def _showing(self) -> Preview:
        """Referee and menus with everything that is known by now, for faces and buzzer."""
        if self._shown is None:
            self._shown = self.live.pipeline.preview()
        return self._shown

    async def tell(self) -> None:
        """Take what the journal has synced into record and feed, for as long as the table lives."""
        while True:
            written = await self._written.get()
            if not written.synced.done():
                wait_s = max(0.0, written.until_s - time.monotonic())
                await asyncio.wait([asyncio.wrap_future(written.synced)], timeout=wait_s)
            was_over = written.game.over
            self.adjourned = adjourned_head(self.adjourned, written.hash, written.step.rulings)
            self._take(written.game, written.step)
            if written.step.rulings and (was_over or written.game.over):
                self._file_records(written.game, written.synced)
            self._written.task_done()

    def _take(self, game: LiveGame, step: Step) -> None:
        game.take(step.rulings)
        answer = self._answers.get((game.game.number, step.number))
        if answer is not None and not answer.done():
            answer.set_result([wire.to_wire(ruling) for ruling in step.rulings])
        if self.keeper is not None and (reason := worth_a_trace(step)):
            self.keeper.save(reason)
        if isinstance(step.given, Tick) and not step.rulings:
            return
        self.publish()

    def _file_records(self, game: LiveGame, synced: "Future[int]") -> None:
        """Have the files of a game made, and once more when a slow disk has its last entry."""
        if self.records is None:
            return
        file = partial(self.records.file, game.game, game.arbiter, game.public)
        file()
        if not synced.done():
            synced.add_done_callback(lambda _: file())

    def publish(self) -> None:
        """Tell the followers of a change."""
        self.arbiter.publish()
        self._publish_public()

    def _publish_public(self) -> None:
        self.public.take(self.live.public, self._clocks(), self._in_hand())

    # What can be asked.

    def _clocks(self) -> ClockView:
        """The clocks now; a period or flag whose end has not been ruled yet has its last instant left.

        A press or a stone before that end may still be on its way.
        """
        referee, now_ns = self.live.referee, self.axis.now_ns()
        end_ns = referee.clock.next_event_ns
        if end_ns is not None:
            now_ns = min(now_ns, end_ns - 1)
        return ClockView.of(referee.clock, referee.player_of(BLACK), now_ns)

    def _in_hand(self) -> frozenset[Point]:
        """Points whose stone of the record is not to be seen."""
        referee = self.live.referee
        gone = (p for p, _ in referee.position.stones() if referee.sensed[p] == ".")
        return frozenset(gone) - referee.masked

    def sheet_records(self) -> Records:
        """The records that score sheets are made of now."""
        return Records(
            self.public.record, self.live.arbiter, partial(head_of, self.journal.path, self.live.game)
        )

    def _arbiter_now(self) -> dict[str, Any]:
        watcher = self.live.pipeline.watcher
        referee = self.live.referee
        view = TableView(
            sensed=referee.sensed,
            masked=watcher.masked,
            faults=tuple(self.faults()),
        )
        built = snapshot(self.live.arbiter, self._clocks(), view)
        if referee.over is not None:
            built["claimable"] = []
        return {
            **built,
            "differences": [
                {"point": NAMES[p], "record": held, "seen": seen}
                | ({"whose": side} if (side := referee.asked_whose(p)) else {})
                for p, held, seen in self._differences()
            ],
            **desk_of(referee),
            "notes": [*self.notes, *self._remarks()],
            "journal": self.journal.state._asdict(),
            "times": self._times(),
        }

    def _times(self) -> dict[str, int | None]:
        """What makes a time of day of an instant since this program has run, else the time into the round."""
        record = self.live.arbiter
        return {
            "now_ns": self.axis.now_ns(),
            "wall_ms": wall_ns() // MS,
            "since_ns": self._began_ns,
            "started_ns": record.started_ns,
        }

    def _remarks(self) -> list[dict[str, str]]:
        """What the arbiter has to know of the journal, and is no fault of it."""
        sealed = {"code": "adjourned-head", "text": short(self.adjourned)}
        return [
            *([sealed] if self.adjourned else []),
            *([] if self._known_synced else [{"code": "wall-clock"}]),
        ]

    def _differences(self) -> list[Difference]:
        """Where board and record differ now.

        In play a stone that is gone may be in a hand: alone it is a difference only when it was told as one.
        """
        referee = self.live.referee
        if referee.over is not None:
            return []
        found = list(referee.differences())
        if referee.paused or any(recorded is None for _, recorded, _ in found):
            return found
        told = {p for p, _, _ in self.live.arbiter.differences}
        return [each for each in found if each[0] in told]

    def faults(self) -> list[str]:
        """What does not work, one sentence each; for the arbiter.

        The keepers' are the arbiter's alone: a trace is saved when something irregular was found.
        """
        keepers = (self.keeper, self.records, self.folder, self._feed_log)
        return [*self._public_faults(), *(each.fault for each in keepers if each and each.fault)]

    def _public_faults(self) -> list[str]:
        sentence = self.journal.state.sentence
        return [*self.device_faults(), *([sentence] if sentence else [])]

    def masked(self) -> list[str]:
        """The points whose sensors are left out."""
        return [NAMES[p] for p in sorted(self.live.pipeline.watcher.masked)]

    def health(self) -> dict[str, Any]:
        """How the parts are, for everybody."""
        faults = self._public_faults()
        return {
            "status": "degraded" if faults else "ok",
            "faults": faults,
            "journal": self.journal.state.word,
            "wall_clock": "ok" if self._known_synced else "not synchronised",
            **self.more_health(),
        }


def worth_a_trace(step: Step) -> str:
    """Why the last minutes of frames are worth keeping, or nothing."""
    if isinstance(step.given, Fault | Scattered):
        return type(step.given).__name__.lower()
    for ruling in step.rulings:
        if isinstance(ruling, Irregular):
            return f"irregular {ruling.code}"
        if isinstance(ruling, Called):
            return "call"
    return ""
