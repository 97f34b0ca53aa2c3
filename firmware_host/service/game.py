"""The game that is being played: begun anew, or rebuilt from the journal after a restart."""

from collections.abc import Sequence
from operator import attrgetter

from msgspec.structs import replace

from firmware_host.board import POINTS
from firmware_host.pipeline import Pipeline
from firmware_host.record.game import GameRecord
from firmware_host.referee.inputs import Command, Input
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling, Audience, Over, Paused, Reopened, Resumed, Told
from firmware_host.sensing.events import Seen
from firmware_host.sensing.settings import SensingSettings
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.sensing.watcher import EMPTY_BOARD, BoardWatcher
from firmware_host.service.config import ROWS, Config, toml_text
from firmware_host.service.journal_rows import Entry, Game
from firmware_host.service.table_settings import IN_HEADER
from firmware_host.service.wall_clock import boot_id, synchronised, wall_ns
from hw import Sensors

RULES_VERSION = "3"
"""Counts the changes of the rules engine that can change a ruling."""

BY_ITSELF = "with the daemon"
"""The reason of a `start` that nobody gave: `table.start` is `at-once`."""


class LiveGame:
    """Pipeline and records of one game. `public` and `arbiter` are folded only from what is journalled."""

    def __init__(self, game: Game, pipeline: Pipeline) -> None:
        self.game = game
        self.pipeline = pipeline
        self.public = GameRecord.new(game.header, game.settings, "public")
        self.arbiter = GameRecord.new(game.header, game.settings, "arbiter")

    @property
    def referee(self) -> Referee:
        """The referee of this game."""
        return self.pipeline.referee

    @property
    def lying(self) -> str:
        """What lay on the board when it was last seen, 225 of `.XO`: the record, and stones not yet in it.

        A stone without a colour that is not in the record is Black's: such a board's offers are.
        """
        seen = zip(self.referee.sensed, self.referee.position.text(), strict=True)
        return "".join((at if at != "." else "X") if cell == "?" else cell for cell, at in seen)

    def take(self, rulings: Sequence[AnyRuling]) -> None:
        """Rulings that are safe in the journal."""
        self.public = self.public.fold_all(rulings)
        self.arbiter = self.arbiter.fold_all(rulings)

    @property
    def over(self) -> bool:
        """Whether the record has a result."""
        return self.arbiter.result is not None


def record_of(game: Game, entries: Sequence[Entry], audience: Audience = "arbiter") -> GameRecord:
    """The record of a journalled game for an audience, by default the whole, with the hash for it."""
    head = next((entry.hash for entry in reversed(entries) if entry.rulings), game.hash)
    record = GameRecord.new(game.header, game.settings, audience)
    return headed(record.fold_all(ruling for entry in entries for ruling in entry.rulings), head)


def headed(record: GameRecord, head: str) -> GameRecord:
    """A record with the hash that stands for it; until the game is over that is the arbiter's alone.

    It changes with what only he may know.
    """
    known = record.audience == "arbiter" or record.result is not None
    return replace(record, journal_head=head if known else "")


def kept_settings(game: Game, config: Config) -> list[str]:
    """What a game that goes on has otherwise than `config` asks, such as `match.time = "15m" (asked: "5m")`.

    Compared are the match settings and what the head of the record has of `[table]`.
    """
    told = []
    for row in ROWS:
        if row.section == "match":
            kept = getattr(game.settings, row.name)
        elif row.section == "table" and row.name in IN_HEADER:
            kept = attrgetter(IN_HEADER[row.name])(game.header)
        else:
            continue
        asked = getattr(getattr(config, row.section), row.name)
        if kept != asked:
            old, new = (toml_text(row, value) or "not given" for value in (kept, asked))
            told.append(f"{row.key} = {old} (asked: {new})")
    return told


def new_pipeline(
    game: Game, sensors: Sensors, settings: SensingSettings, stored: StoredCalibration | None = None
) -> Pipeline:
    """Sensing and referee for a game that begins on an empty board; `stored`: what is known of sensors."""
    turned = game.settings.black_sits == "far"
    watcher = BoardWatcher(sensors, turned=turned, settings=settings, expected=EMPTY_BOARD, stored=stored)
    return Pipeline(watcher, Referee(game.settings))


def following(
    before: LiveGame,
    game: Game,
    sensors: Sensors,
    settings: SensingSettings,
    stored: StoredCalibration | None = None,
) -> tuple[LiveGame, list[Input]]:
    """A game after another one at the same table, and what it is told first: what lies there, what is masked.

    Where Black sits on the other side now, the board's coordinates turn, and sensing begins anew with the
    stones that lie there.
    """
    live = LiveGame(game, new_pipeline(game, sensors, settings, stored))
    stones, masked = before.pipeline.watcher.occupancy, before.referee.masked
    if game.settings.black_sits == before.game.settings.black_sits:
        live.pipeline.watcher = before.pipeline.watcher
    else:
        stones, masked = stones[::-1], frozenset(POINTS - 1 - p for p in masked)
        live.pipeline.watcher.expect(stones)
    live.pipeline.begin_at(before.pipeline.ruled_ns)
    masks = (Command(t_ns=0, do="mask", point=point, by="organiser") for point in sorted(masked))
    return live, [Seen(t_ns=0, stones=stones), *masks]


def began_by_itself(entries: Sequence[Entry]) -> bool:
    """Whether a game was started with the daemon, and by nobody's word."""
    return any(isinstance(e.given, Command) and e.given.reason == BY_ITSELF for e in entries)


def rebuild(
    game: Game,
    entries: Sequence[Entry],
    sensors: Sensors,
    settings: SensingSettings,
    stored: StoredCalibration | None = None,
) -> tuple[LiveGame, list[str]]:
    """A game as its entries left it, and a sentence if some of them would be ruled otherwise today.

    The records read the rulings of the journal; ruling again only brings the referee to where it was.
    """
    live = LiveGame(game, new_pipeline(game, sensors, settings, stored))
    others = []
    for entry in entries:
        again = rule_again(live.referee, entry)
        live.take(entry.rulings)
        if again != entry.rulings:
            others.append(entry.seq)
        if isinstance(entry.given, Command):
            live.pipeline.tell_watcher(entry.given, entry.rulings)
    live.pipeline.watcher.expect(live.lying)
    live.pipeline.begin_at(entries[-1].t_ns if entries else 0)
    if not others:
        return live, []
    some = f"{len(others)} entries of game {game.number}, the first of them {others[0]},"
    return live, [f"{some} would be ruled otherwise by this version; `renju-board journal verify` lists them"]


def rule_again(referee: Referee, entry: Entry) -> tuple[AnyRuling, ...]:
    """What the referee concludes from a journalled input."""
    rulings = tuple(referee.rule(entry.given))
    return (*rulings, Told(t_ns=entry.given.t_ns, code="late")) if entry.late_ns else rulings


def away_ns(last: Entry) -> int:
    """How long nothing was written down since the last entry; 0 where the time of day cannot be trusted.

    It is the only duration that the time of day is asked for: the monotonic clock does not count on while the
    machine is off. Nobody is charged for it but by the arbiter.
    """
    trusted = last.boot_id == boot_id() or (last.synchronised and synchronised())
    return max(0, wall_ns() - last.wall_ns) if trusted else 0


def adjourned_head(before: str, head: str, rulings: Sequence[AnyRuling]) -> str:
    """The hash of the entry that adjourned the game, after one more entry; empty when it is not adjourned.

    `before`: what it was before that entry, whose hash is `head`. A restart meanwhile changes nothing.
    """
    for ruling in rulings:
        if isinstance(ruling, Paused) and ruling.why == "adjourned":
            before = before or head
        elif isinstance(ruling, Resumed | Over):
            before = ""
    return before


def is_over(entries: Sequence[Entry]) -> bool:
    """Whether a game of the journal has ended, and its end was not undone."""
    ends = [r for entry in entries for r in entry.rulings if isinstance(r, Over | Reopened)]
    return bool(ends) and isinstance(ends[-1], Over)
