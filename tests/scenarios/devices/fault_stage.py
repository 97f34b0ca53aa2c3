"""Plays scenarios of failing devices at a live table with the real drivers (`hall`), and judges what is left.

Whatever the file expects, five things must hold at its end: no stone but those that hands laid, every press
known with its instant, the clocks exact to those instants, everything working again without a person, and one
clear sentence to the arbiter for each thing that failed.
"""

import re
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from firmware_host.board import Colour, parse_point
from firmware_host.clock import Player
from firmware_host.referee.final import final
from firmware_host.referee.inputs import Command, KeyPress
from hw.simulator.matrix import SOUND, Wiring
from hw.simulator.serial_device import Cable
from tests.scenarios.devices.hall import SECOND, Hall, hall
from tests.scenarios.script import (
    PLAYER,
    POINT,
    SIDE,
    TIME,
    Act,
    Line,
    Phrases,
    Scenario,
    ScenarioError,
    duration_ns,
    parse,
)

SHARE: Final = r"(?P<share>[0-9]+) %"
PHRASES: Final[Phrases] = (
    (PLAYER, "place", rf"places (?P<point>{POINT})"),
    (PLAYER, "press", r"presses"),
    ("somebody", "wait", rf"waits (?P<time>{TIME})"),
    ("the scanner", "unplug", r"is unplugged"),
    ("the scanner", "plug", r"is plugged in again"),
    ("the scanner", "silence", r"hangs"),
    ("the scanner", "speak", r"works again"),
    (
        "the cable",
        "cable",
        rf"(?P<what>loses|doubles|swaps|corrupts|cuts|adds garbage to) {SHARE} of the messages",
    ),
    ("the cable", "mend cable", r"is sound again"),
    ("row", "row off", r"(?P<row>[0-9]+) loses its multiplexer"),
    ("row", "row on", r"(?P<row>[0-9]+) has its multiplexer again"),
    ("the board's bus|the clock's bus", "stick", r"is held low"),
    ("the board's bus|the clock's bus", "free", r"is free again"),
    ("the board's bus|the clock's bus", "nak", rf"misses {SHARE} of its acknowledges"),
    ("the board's bus|the clock's bus", "slow", rf"takes (?P<time>{TIME}) more for each transfer"),
    ("the board's bus|the clock's bus", "mend", r"works as before"),
    ("the board's bus|the clock's bus", "unplug bus", r"loses its adapter"),
    ("the board's bus|the clock's bus", "plug bus", r"has its adapter again"),
    ("an expander", "brown-out", r"loses its supply for a moment"),
    ("the cables", "swap cables", r"of board and clock are swapped"),
    ("the cables", "swap cables", r"of board and clock are put right"),
    ("the near face|the far face", "face browns out", r"loses its supply for a moment"),
    ("the near face|the far face", "face off", r"is unplugged"),
    ("the near face|the far face", "face on", r"is plugged in again"),
    ("the decoder", "decoder off", r"has no supply"),
    ("the decoder", "decoder on", r"has its supply again"),
    ("sense line", "short", r"(?P<line>[A-O]) touches ground"),
    ("sense line", "open", r"(?P<line>[A-O]) is whole again"),
    ("the pins", "cut", r"are gone"),
    ("the pins", "uncut", r"are there again"),
    ("a phone", "phone", rf"lies over (?P<point>{POINT}) for (?P<time>{TIME})"),
)
"""Who, the verb, and how it is written."""

CABLE: Final = {
    "loses": "lose", "doubles": "double", "swaps": "swap", "corrupts": "flip", "cuts": "drop",
    "adds garbage to": "noise",
}  # fmt: skip
FACES: Final = {"the near face": ("near", 0x70), "the far face": ("far", 0x71)}
REACH_S: Final = 0.1
BELIEVED_S: Final = 0.3
SKIPPED_S: Final = 5.0
TOLD_S: Final = 4.0
NO_FRAME_S: Final = 0.5
DARK: Final = bytes(4)
MAIN_TIME: Final = "15 min"
"""Of every game here, so that the clocks can be added up from the presses."""
RECOVERED_S: Final = 15.0
"""What has come back works again by then: scanner and buses are tried again at least every five seconds."""


class FaultStage:
    """One scenario at one hall."""

    def __init__(self, scenario: Scenario, at: Hall) -> None:
        self.scenario = scenario
        self.hall = at
        self.laid: list[tuple[str, str]] = []
        self.pressed: list[tuple[int, str]] = []
        self.expected: list[str] = []

    async def play(self) -> None:
        """Act every line, then judge; raises ScenarioError at the first thing that is not as it should be."""
        telling = await self.hall.open()
        for line in self.scenario.lines:
            if line.expect:
                await self.expect(line)
                continue
            for act in line.acts:
                await self.act(act)
        await self.judge()
        telling.cancel()

    # -- acting

    async def act(self, act: Act) -> None:
        words, place = act.words, self.hall
        if act.verb == "place":
            await place.run(REACH_S)
            self.laid.append((words["point"], act.actor))
            done = place.hand.place(place.now_ns(), words["point"], act.actor)  # type: ignore[arg-type]
            await place.run((done.end_ns - place.now_ns()) / SECOND + REACH_S)
        elif act.verb == "press":
            seat: Any = "near" if act.actor == "black" else "far"
            t_ns = place.now_ns() + SECOND // 100
            place.hand.press(t_ns, seat)
            self.pressed.append((place.table.axis.at(t_ns), seat))
            await place.run(BELIEVED_S)
        elif act.verb == "wait":
            seconds = duration_ns(words["time"]) / SECOND
            if place.real and seconds > SKIPPED_S:
                place.skip(seconds)
                seconds = REACH_S
            await place.run(seconds)
        elif act.verb == "phone":
            done = place.hand.phone(place.now_ns(), duration_ns(words["time"]) / 1e6, over=words["point"])
            await place.run((done.end_ns - place.now_ns()) / SECOND + REACH_S)
        else:
            self.fail(act)

    def fail(self, act: Act) -> None:
        """Let something break, or work again."""
        words, place = act.words, self.hall
        if act.verb.startswith("face"):
            seat, address = FACES[act.actor]
            bus = place.clock.bus
            {
                "face browns out": place.clock.faces[seat].power_on,  # type: ignore[index]
                "face off": lambda: bus.cut_power(address),
                "face on": lambda: bus.restore_power(address),
            }[act.verb]()
            return
        verbs: dict[str, Callable[[], object]] = {}
        if place.serial is not None:
            device = place.serial
            share = int(words.get("share", 0)) / 100
            row = frozenset({int(words.get("row", 1)) - 1})
            cable = {CABLE[words["what"]]: share} if "what" in words else {}
            verbs |= {
                "unplug": device.unplug,
                "plug": device.plug,
                "silence": lambda: setattr(device, "silent", True),
                "speak": lambda: setattr(device, "silent", False),
                "cable": lambda: setattr(device, "cable", Cable(**cable)),
                "mend cable": lambda: setattr(device, "cable", Cable()),
                "row off": lambda: setattr(device, "rows_off", device.rows_off | row),
                "row on": lambda: setattr(device, "rows_off", device.rows_off - row),
            }
        if place.board is not None:
            chips = place.board.chips
            verbs |= {"brown-out": chips[0x20].power_on, "swap cables": self.swap_cables}
        if place.matrix is not None:
            matrix = place.matrix
            lines = ["ABCDEFGHIJKLMNO".index(words.get("line", "A"))]
            verbs |= {
                "decoder off": lambda: setattr(matrix, "wiring", Wiring(dead=True)),
                "decoder on": lambda: setattr(matrix, "wiring", SOUND),
                "short": lambda: setattr(matrix, "wiring", Wiring(shorted_sense=lines)),
                "open": lambda: setattr(matrix, "wiring", SOUND),
                "cut": lambda: setattr(matrix, "cut", True),
                "uncut": lambda: setattr(matrix, "cut", False),
            }
        if act.actor == "the clock's bus" or (act.actor == "the board's bus" and place.board is not None):
            bus = (
                place.clock.bus if act.actor == "the clock's bus" or place.board is None else place.board.bus
            )
            verbs |= {
                "stick": bus.stick,
                "free": bus.free,
                "nak": lambda: bus.fail_often(int(words["share"]) / 100, seed=1),
                "slow": lambda: setattr(bus, "on_transfer", self.slowly(duration_ns(words["time"]) / SECOND)),
                "mend": lambda: (bus.fail_often(0), setattr(bus, "on_transfer", None)),
                "unplug bus": bus.unplug,
                "plug bus": bus.plug,
            }
        if act.verb not in verbs:
            raise ScenarioError(f"{act.actor} {act.verb}: a table with a {place.kind} scanner has none")
        verbs[act.verb]()

    def slowly(self, seconds: float) -> Callable[[int], None]:
        """What a transfer waits for."""
        if self.hall.real:
            return lambda _: time.sleep(seconds)
        return lambda _: self.hall.pass_by(seconds)

    def swap_cables(self) -> None:
        """Each adapter has the other one's chips."""
        assert self.hall.board is not None
        buses = self.hall.board.bus, self.hall.clock.bus
        taken = [
            {a: bus.detach(a) for a in (0x20, 0x21, 0x22, 0x34, 0x70, 0x71) if a in bus} for bus in buses
        ]
        for bus, chips in zip(buses, reversed(taken), strict=True):
            for address, chip in chips.items():
                bus.attach(address, chip)

    # -- expecting

    async def expect(self, line: Line) -> None:
        """Compare an expectation with the table; what has been told is counted at the end."""
        for pattern, check in CHECKS:
            found = re.fullmatch(pattern, line.expect)
            if found is not None:
                problem = await check(self, *found.groups())
                if problem:
                    raise ScenarioError(f"line {line.number}: expect {line.expect}: {problem}")
                return
        raise ScenarioError(f"line {line.number}: expect {line.expect}: nobody knows how")

    async def judge(self) -> None:
        """The five things that must hold whatever failed."""
        place, referee = self.hall, self.hall.table.live.referee
        await place.run_until(lambda: not place.table.faults(), RECOVERED_S)
        await place.run(1.1)  # the arbiter's page is brought up to date once a second
        must("it works again without a person", place.table.faults(), [])
        told = final(referee)
        must("no ghost stone", told["moves"], [point for point, _ in self.laid])
        must("no irregular action", told["irregular"], [])
        must("the board is the record", list(referee.differences()), [])
        coloured = [entry.colour for entry in referee.entries]
        must("the colours", coloured, [colour for _, colour in self.laid])
        entries = place.journal.entries(place.table.live.game)
        presses = [(e.given.t_ns, e.given.key) for e in entries if isinstance(e.given, KeyPress)]
        must("no lost press", presses, self.pressed)
        orders = [e for e in entries if isinstance(e.given, Command)]
        must("no order but the start", [e.given.do for e in orders], ["start"])  # type: ignore[union-attr]
        must("the clocks", *self.clocks(orders[0].given.t_ns))
        self.judge_sentences()

    def clocks(self, start_ns: int) -> tuple[dict[Player, int | None], dict[Player, int]]:
        """Time left at the last press, as the clock has it and as the stamps of the presses say."""
        clock = self.hall.table.live.referee.clock
        stamps = [start_ns, *(t_ns for t_ns, _ in self.pressed)]
        control_ns = duration_ns(MAIN_TIME)
        left = {Player.FIRST: control_ns, Player.SECOND: control_ns}
        for n, (before, after) in enumerate(pairwise(stamps)):
            left[Player.SECOND if n % 2 else Player.FIRST] -= after - before
        running = Player.SECOND if len(self.pressed) % 2 else Player.FIRST
        now_ns = self.hall.table.axis.now_ns()
        left[running] -= now_ns - stamps[-1]
        return {player: clock.remaining_ns(player, now_ns) for player in Player}, left

    def judge_sentences(self) -> None:
        """One sentence for each thing that failed, and a trace of what the sensors saw then."""
        said = self.hall.said
        if len(said) != len(self.expected) or not all(
            map(str.startswith, sorted(said), sorted(self.expected))
        ):
            raise ScenarioError(f"the arbiter was told {said}, not once each {self.expected}")
        self.hall.keeper.close()
        traces = [path.name for path in self.hall.folder.glob("*.trace.gz")]
        must("a trace for what failed", any("device-fault" in name for name in traces), bool(said))


def must(what: str, got: Any, wanted: Any) -> None:
    """Raise ScenarioError when they differ."""
    if got != wanted:
        raise ScenarioError(f"{what}: {got}, not {wanted}")


async def _told(stage: FaultStage, sentence: str) -> str:
    """What is told more often, or beside it, is found at the end."""
    stage.expected.append(sentence)
    hall = stage.hall
    if await hall.run_until(lambda: any(said.startswith(sentence) for said in hall.said), TOLD_S):
        return ""
    return f"the arbiter was told {hall.said}; now {hall.faults()}"


async def _record(stage: FaultStage, names: str) -> str:
    def got() -> str:
        return " ".join(str(name or "-") for name in final(stage.hall.table.live.referee)["moves"])

    return "" if await stage.hall.run_until(lambda: got() == names, RECOVERED_S) else f"it is {got()}"


async def _works(stage: FaultStage) -> str:
    works = await stage.hall.run_until(lambda: not stage.hall.faults(), RECOVERED_S)
    return "" if works else f"the arbiter is told {stage.hall.faults()}"


async def _runs(stage: FaultStage, side: str) -> str:
    referee = stage.hall.table.live.referee
    running = referee.clock.running
    return "" if running is not None and referee.player_of(Colour(side)) is running else f"it is {running}'s"


async def _counts(stage: FaultStage, seat: str) -> str:
    before = stage.hall.digits(seat)
    counted = await stage.hall.run_until(lambda: stage.hall.digits(seat) not in (before, DARK), TOLD_S)
    return "" if counted else f"it still shows {before.hex()}"


async def _known(stage: FaultStage, names: str) -> str:
    def gone() -> list[str]:
        seen = stage.hall.table.live.pipeline.watcher.occupancy
        return [name for name in names.split() if seen[parse_point(name)] == "."]

    known = await stage.hall.run_until(lambda: not gone(), TOLD_S)
    return "" if known else f"no stone is known on {gone()}"


async def _no_frame(stage: FaultStage) -> str:
    before = stage.hall.frames
    await stage.hall.run(NO_FRAME_S)
    return "" if stage.hall.frames == before else f"{stage.hall.frames - before} came"


Check = Callable[..., Any]
CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    (r"the arbiter to be told (.+)", _told),
    (rf"record ((?:{POINT}|-)(?: (?:{POINT}|-))*)", _record),
    (rf"the clock of ({SIDE}) to run", _runs),
    (r"the (near|far) face to count", _counts),
    (rf"the stones on ({POINT}(?: {POINT})*) to be known", _known),
    (r"no frame to come", _no_frame),
    (r"everything to work again", _works),
)


def read(file: Path) -> Scenario:
    """Read a scenario of devices; raises ScenarioError with the number of the line."""
    return parse(file.read_text("utf-8"), PHRASES)


async def play(scenario: Scenario, folder: Path) -> None:
    """Play a scenario at a hall of its own; raises ScenarioError."""
    match = dict(scenario.settings)
    kind = str(match.pop("scanner"))
    with hall(folder, kind, **match) as at:
        await FaultStage(scenario, at).play()
