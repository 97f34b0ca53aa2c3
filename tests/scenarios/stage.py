"""Plays a scenario at the simulated table in virtual time, through sensing, watermark and referee.

Hands move magnets, sensors read them at 125 Hz, keys close at an instant; what the pipeline rules is compared
with the `expect` lines. Nothing is short-cut: it is the live table without its devices and its service.
"""

import re
from typing import Any, Final, NamedTuple

from firmware_host import wire
from firmware_host.board import BLACK, POINTS, WHITE, Colour, Point, parse_point, point_name
from firmware_host.pipeline import Pipeline, Step
from firmware_host.referee.commands import COMMANDS, parse_command
from firmware_host.referee.final import final
from firmware_host.referee.inputs import Command, Input, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from hw.simulator import SimulatedTable
from tests.scenarios.script import CODE, POINT, SIDE, TIME, Act, Line, Scenario, ScenarioError, duration_ns

MS: Final = 1_000_000
FRAME_NS: Final = 8 * MS
BEFORE_START_NS: Final = 1_000 * MS
REACH_NS: Final = 150 * MS
QUICK_NS: Final = 60 * MS
BELIEVED_NS: Final = 250 * MS
COMES_DOWN_NS: Final = 160 * MS
LIFT_BELIEVED_NS: Final = 700 * MS
FOUND_OUT_NS: Final = 2_000 * MS
"""A sensor that fails is found out by then; a dead one only where a stone should be."""
NEVER_NS: Final = 1 << 62

AUDIENCES: Final = {" for arbiter only": "arbiter", " for players": "players", " for all": "public"}


class Noted(NamedTuple):
    """One input as it was ruled: phase and step of the opening before it and after, and the rulings."""

    phase: str
    step: Any
    given: Input
    rulings: tuple[AnyRuling, ...]
    next_phase: str
    next_step: Any


class Watched(Referee):
    """A referee that notes what it ruled, for `rows`."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.notes: list[Noted] = []

    def rule(self, given: Input) -> list[AnyRuling]:
        phase, step = self.phase, self.step
        rulings = super().rule(given)
        self.notes.append(Noted(phase, step, given, tuple(rulings), self.phase, self.step))
        return rulings


class Stage:
    """One scenario on one kind of sensors."""

    def __init__(self, scenario: Scenario, sensors: Sensors) -> None:
        self.scenario = scenario
        self.settings = match_settings(scenario.settings)
        self.turned = self.settings.black_sits == "far"
        self.sensors = sensors
        self.table = SimulatedTable(sensors, seed=1)
        self.absent = frozenset(Colour(side) for side in scenario.absent)
        watched = Watched(self.settings, self.absent)
        self.notes = watched.notes
        self.pipeline = Pipeline(BoardWatcher(sensors, turned=self.turned), watched)
        self.frames_lost = 0
        self.unplugged = False
        self.now_ns = 0
        self.steps: list[Step] = []
        self.since: list[AnyRuling] = []
        self.last: list[AnyRuling] = []

    @property
    def referee(self) -> Referee:
        return self.pipeline.referee

    def play(self) -> None:
        """Act every line; raises ScenarioError at the first that does not come out as expected."""
        self.run_until(BEFORE_START_NS)
        if self.scenario.begun:
            self.command("start")
        self.run_until(self.now_ns + BELIEVED_NS)
        fresh = True
        for line in self.scenario.lines:
            if line.expect:
                fresh = True
                self.expect(line)
                continue
            if fresh:
                self.since = []
                fresh = False
            self.last = []
            self.act(line)

    # -- time

    def run_until(self, t_ns: int) -> None:
        """Scan, look at the keys and rule, frame by frame."""
        while self.now_ns < t_ns:
            self.now_ns += FRAME_NS
            for press in self.table.presses(self.now_ns):
                self.pipeline.put(KeyPress(t_ns=press.t_ns, key=press.key))
            self.pipeline.keys_seen(self.now_ns)
            readings = self.table.readings(self.now_ns)
            if self.unplugged:
                self.pipeline.blind(self.now_ns)
            else:
                self.pipeline.frame(self.now_ns, readings, self.frames_lost)
                self.frames_lost = 0
            for step in self.pipeline.advance():
                self.steps.append(step)
                self.since += step.rulings
                self.last += step.rulings

    # -- acting

    def act(self, line: Line) -> None:
        """Let hands do a line, and wait until the sensors believe it."""
        begin_ns = self.now_ns + REACH_NS
        settle_ns = BELIEVED_NS
        for act in line.acts:
            if act.verb in ("lift", "move", "clear", "sweep", "put right"):
                settle_ns = LIFT_BELIEVED_NS
            try:
                end_ns = self.one(act, begin_ns)
            except ValueError as error:
                raise ScenarioError(f"line {line.number}: {line.text}: {error}") from error
            begin_ns = begin_ns + QUICK_NS if line.quick else end_ns + REACH_NS
            if not line.quick:
                self.run_until(end_ns)
        self.run_until(max(begin_ns, self.table.quiet_ns) + settle_ns)

    def one(self, act: Act, t_ns: int) -> int:
        """Begin one act at `t_ns`; when it ends."""
        words, side = act.words, act.actor
        if act.verb == "place" and side != "arbiter":
            colour = Colour(words.get("colour", side))
            return self.table.place(t_ns, self.plane(words["point"]), colour.value).end_ns
        if act.verb == "set-up":
            if "offers" in words:
                self.command("opening", by=self.seat(side), offers=int(words["offers"]))
            own = Colour(side)
            for name, colour in zip(words["points"].split(), (own, own.other, own), strict=False):
                t_ns = self.table.place(t_ns, self.plane(name), colour.value).end_ns + REACH_NS
                self.run_until(t_ns)
            return self.press(t_ns, side)
        if act.verb == "offer":
            for name in words["points"].split():
                t_ns = self.table.place(t_ns, self.plane(name), "black").end_ns + REACH_NS
                self.run_until(t_ns)
            return t_ns
        if act.verb == "lift":
            for name in words["points"].split():
                t_ns = self.table.lift(t_ns, self.plane(name)).end_ns + REACH_NS
                self.run_until(t_ns)
            return t_ns
        if act.verb == "slide":
            path = [self.plane(name) for name in words["path"].split(" -> ")]
            if self.table.lying(self.now_ns)[path[0]] == ".":
                return self.table.place_sliding(t_ns, path, Colour(side).value, rest_ms=120).end_ns
            return self.table.slide(t_ns, path).end_ns
        if act.verb == "move":
            return self.table.move(t_ns, self.plane(words["point"]), self.plane(words["to"])).end_ns
        if act.verb == "straighten":
            return self.table.adjust(t_ns, self.plane(words["point"])).end_ns
        if act.verb == "press":
            return self.press(t_ns, side)
        if act.verb in ("ring", "hold"):
            self.table.press(t_ns, self.call_key(side), held=act.verb == "hold")
            return t_ns
        if act.verb in ("step", "take"):
            key = self.seat(side) if act.verb == "step" else self.call_key(side)
            for _ in range(2 if "twice" in words else int(words.get("times", 1))):
                self.table.press(t_ns, key)
                t_ns += REACH_NS
            return t_ns
        if act.verb in ("think", "wait"):
            return t_ns + duration_ns(words["time"])
        return self.rare(act, t_ns)

    def rare(self, act: Act, t_ns: int) -> int:
        """Accidents and commands."""
        words, side = act.words, act.actor
        if act.verb in ("place and press", "before the flag"):
            return self.just_in_time(act, t_ns)
        if act.verb == "weak":
            return self.table.place(
                t_ns, self.plane(words["point"]), Colour(side).value, strength=0.35
            ).end_ns
        if act.verb == "fall":
            return self.table.drop(t_ns, self.plane(words["point"]), Colour(side).value).end_ns
        if act.verb == "key":
            self.table.press(t_ns, "arbiter")
            return t_ns
        if act.verb == "lose":
            self.frames_lost = int(words["count"])
            return t_ns
        if act.verb in ("unplug", "plug in"):
            self.run_until(t_ns)
            self.unplugged = act.verb == "unplug"
            return t_ns
        if act.verb == "sweep":
            return self.table.sweep(t_ns, [self.plane(name) for name in words["points"].split()]).end_ns
        if act.verb == "put right":
            return self.put_right(t_ns)
        if act.verb == "clear":
            return self.table.clear(t_ns).end_ns
        if act.verb == "phone":
            over = self.plane(words["point"])
            return self.table.phone(t_ns, duration_ns(words["time"]) / MS, over=over).end_ns
        if act.verb == "fault":
            until_ns = t_ns + duration_ns(words["time"]) if "time" in words else NEVER_NS
            kind: Any = words["kind"]
            if "line" in words:
                self.table.fault(t_ns, kind, line=words["line"], until_ns=until_ns)
            else:
                self.table.fault(t_ns, kind, point=self.plane(words["point"]), until_ns=until_ns)
            return t_ns + FOUND_OUT_NS if "line" in words or kind != "dead" else t_ns
        if act.verb == "restart":
            if "line" in words:
                self.run_until(t_ns)
                self.table.fault(self.now_ns, "dead", line=words["line"])
            self.restart(duration_ns(words.get("time", "0 s")) // MS)
            return self.now_ns
        self.run_until(t_ns)
        if act.verb == "time penalty":
            ms = duration_ns(words["time"]) // MS
            self.command("penalty", side=words["side"], kind="time", ms=ms)
            return self.now_ns
        do, _, answer = act.verb.partition(" ")
        if do not in COMMANDS:
            raise ScenarioError(f"{act.verb} is not acted")
        fields: dict[str, Any] = {key: value for key, value in words.items() if key != "time"}
        if "time" in words:
            fields["ms"] = duration_ns(words["time"]) // MS
        for name, read in (("offers", int), ("entry", int), ("black", float), ("white", float)):
            if name in words:
                fields[name] = read(words[name])
        if answer:
            fields["answer"] = answer
        if act.actor in ("chief", "organiser"):
            fields["by"] = act.actor
        elif act.actor != "arbiter" and do not in ("left", "arrive"):
            fields["by"] = self.seat(act.actor)
        elif act.actor != "arbiter":
            fields["side"] = act.actor
        self.command(do, **fields)
        return self.now_ns

    def just_in_time(self, act: Act, t_ns: int) -> int:
        """A stone that touches so long before its press, or just before its side is out of time."""
        point, colour = self.plane(act.words["point"]), Colour(act.actor)
        if act.verb == "place and press":
            touch_ns = self.table.place(t_ns, point, colour.value).touch_ns
            return self.press(touch_ns + duration_ns(act.words["time"]), act.actor)
        deadline_ns = self.referee.deadline_ns
        if deadline_ns is None:
            raise ScenarioError("no time runs out")
        self.run_until(deadline_ns - COMES_DOWN_NS)
        return self.table.place(self.now_ns, point, colour.value).end_ns

    def command(self, do: str, **fields: Any) -> None:
        self.pipeline.put(parse_command({"do": do, **fields}, self.now_ns))

    def press(self, t_ns: int, side: str) -> int:
        self.table.press(t_ns, self.seat(side))
        return t_ns

    def seat(self, side: str) -> Any:
        return self.referee.seat_of(self.referee.player_of(Colour(side)))

    def call_key(self, side: str) -> Any:
        return f"{self.seat(side)}-call"

    def plane(self, name: str) -> Point:
        """A point of the board as a place in the sensor plane."""
        p = parse_point(name)
        return POINTS - 1 - p if self.turned else p

    def put_right(self, t_ns: int) -> int:
        """Hands make the board equal to the record, stone by stone."""
        lying = self.table.lying(self.now_ns)
        wanted = self.referee.position.text()
        wanted = wanted[::-1] if self.turned else wanted
        for p in range(POINTS):
            if lying[p] not in (".", wanted[p]):
                t_ns = self.table.lift(t_ns, p).end_ns + QUICK_NS
        for p in range(POINTS):
            if wanted[p] not in (".", lying[p]):
                colour = BLACK if wanted[p] == "X" else WHITE
                t_ns = self.table.place(t_ns, p, colour.value).end_ns + QUICK_NS
        return t_ns

    def restart(self, away_ms: int) -> None:
        """The service ends without warning and comes back: the inputs that were ruled are ruled again."""
        again = Watched(self.settings, self.absent)
        for step in self.steps:
            again.rule(step.given)
        again.notes = self.notes
        watcher = BoardWatcher(self.sensors, turned=self.turned, expected=again.position.text())
        ruled_ns = self.pipeline.ruled_ns
        self.pipeline = Pipeline(watcher, again)
        self.pipeline.begin_at(ruled_ns)
        self.pipeline.put(Command(t_ns=self.now_ns, do="restore", reason="restart", ms=away_ms))
        self.run_until(self.now_ns + BEFORE_START_NS)

    # -- expecting

    def expect(self, line: Line) -> None:
        """Compare an expectation with what was ruled in the lines of action before it; `no` with the last."""
        text = line.expect
        for pattern, check in CHECKS:
            found = re.fullmatch(pattern, text)
            if found is not None:
                problem = check(self, *found.groups())
                break
        else:
            problem = self.expect_ruling(text)
        if problem:
            told = "\n  ".join(describe(ruling) for ruling in self.since) or "nothing"
            raise ScenarioError(f"line {line.number}: expect {text}: {problem}; told since:\n  {told}")

    def expect_ruling(self, text: str) -> str:
        audience = None
        for ending, word in AUDIENCES.items():
            if text.endswith(ending):
                text, audience = text.removesuffix(ending), word
        tag, *words = text.split()
        for ruling in self.since:
            built = wire.to_wire(ruling)
            values = flat({k: v for k, v in built.items() if k not in ("t_ns", "audience", "ruling")})
            if built["ruling"] == tag and set(words) <= values and audience in (None, ruling.audience):
                self.since.remove(ruling)
                return ""
        return "it was not told"


def flat(value: Any, name: str = "") -> set[str]:
    """Every value in an object, as texts; a sentence also word by word; a flag by its name, if it is true."""
    if isinstance(value, bool):
        return {name} if value else set()
    if isinstance(value, dict):
        return set().union(*(flat(v, k) for k, v in value.items()))
    if isinstance(value, list | tuple):
        return set().union(*(flat(v) for v in value))
    text = str(value)
    return {text, *re.sub("[:;,]", "", text).split()}


def describe(ruling: AnyRuling) -> str:
    """A ruling in one line."""
    built = wire.to_wire(ruling)
    rest = " ".join(
        f"{k}={v}" for k, v in built.items() if k not in ("ruling", "audience", "t_ns") and v is not None
    )
    return f"{ruling.t_ns / 1e9:8.3f} {built['ruling']} {rest} for {built['audience']}"


def _differ(wanted: object, got: object) -> str:
    return "" if wanted == got else f"it is {got}"


def _nothing(stage: Stage, audience: str | None) -> str:
    heard = {"all": ("public",), "players": ("public", "players")}.get(
        audience or "", ("public", "players", "arbiter")
    )
    return "something was told" if any(ruling.audience in heard for ruling in stage.last) else ""


def _none_of(stage: Stage, tag: str) -> str:
    return "it was told" if any(wire.to_wire(ruling)["ruling"] == tag for ruling in stage.last) else ""


def _record(stage: Stage, names: str) -> str:
    return _differ(names, " ".join(name or "-" for name in final(stage.referee)["moves"]))


def _actions(stage: Stage, text: str) -> str:
    found = [f"{i['code']} {i['point'] or ''}".strip() for i in final(stage.referee)["irregular"]]
    return _differ(text, ", ".join(found) or "none")


def _differences(stage: Stage, names: str) -> str:
    return _differ(names, " ".join(point_name(p) for p, _, _ in stage.referee.differences()) or "nowhere")


def _clock(stage: Stage, side: str, time: str) -> str:
    left = final(stage.referee)["remaining_ms"]
    return "" if left and abs(left[side] - duration_ns(time) / MS) <= 150 else f"it is {left}"


def _runs(stage: Stage, side: str) -> str:
    player = stage.referee.clock.running
    running = next((c for c in Colour if stage.referee.player_of(c) is player), None)
    return _differ(side, str(running or "nobody"))


def _face(stage: Stage, side: str, word: str) -> str:
    shown = stage.pipeline.menus.word(stage.referee, stage.seat(side), stage.now_ns)
    return _differ(word, shown[0].strip() if shown else "the time")


def _claim(stage: Stage, code: str, point: str) -> str:
    named = [(m.code, point_name(m.point)) for m in stage.referee.claimable if m.point is not None]
    return "" if (code, point) in named else f"claimable: {named}"


CHECKS: Final[tuple[tuple[str, Any], ...]] = (
    (r"nothing(?: for (all|players))?", _nothing),
    (rf"no ({CODE})", _none_of),
    (rf"record ((?:{POINT}|-)(?: (?:{POINT}|-))*)", _record),
    (r"irregular actions: (.+)", _actions),
    (rf"the board to differ (?:at )?((?:{POINT} ?)+|nowhere)", _differences),
    (rf"({SIDE}) to have ({TIME})", _clock),
    (rf"the face of ({SIDE}) to show (.+)", _face),
    (rf"the clock of ({SIDE}|nobody) to run", _runs),
    (rf"claim ({CODE}): back to ({POINT})", _claim),
    (
        rf"the step to be ([a-z-]+)(?: of ({SIDE}))?",
        lambda stage, do, side: _differ((do, side), (stage.referee.step.do, stage.referee.step.side)),
    ),
    (
        r"the game to be (waiting|opening|playing|paused|restoring|over)",
        lambda stage, word: _differ(word, stage.referee.phase),
    ),
)
"""Expectations that are no single ruling."""
