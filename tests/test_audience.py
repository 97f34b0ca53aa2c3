"""Nobody but the arbiter can tell that something was found before all may know it, by no byte and no instant.

The same inputs go twice through the live table: once as it is, and once with the finding suppressed right
after the referee. Everything that leaves for players and public is noted with its instant, and both notes
must be equal: the chips of faces and buzzer and each transfer to them, the public feed, `/game.json`,
`/health`, the simulated table, the record's files. Sensing is left out: it comes before the referee.
"""

import asyncio
import itertools
import json
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from firmware_host.feed.forms import Message
from firmware_host.pipeline import Pipeline, Step
from firmware_host.record import sgf
from firmware_host.record.drawing import Text
from firmware_host.record.json_format import to_json
from firmware_host.record.text_format import to_text
from firmware_host.referee.board_watch import Difference
from firmware_host.referee.inputs import Input, KeyPress
from firmware_host.referee.irregular import IRREGULAR, Matter
from firmware_host.referee.match import Referee
from firmware_host.sensing.watcher import BoardWatcher
from firmware_host.service.config import load_config
from firmware_host.service.display import Display
from firmware_host.service.health import health_of
from firmware_host.service.journal import Journal
from firmware_host.service.metrics import public_numbers
from firmware_host.service.sheets import pages_of
from firmware_host.service.sim import Simulated
from firmware_host.service.table import LiveTable
from firmware_host.service.trace_keeper import TraceKeeper
from firmware_host.service.wall_clock import Stamp
from firmware_host.service.web import create_app
from hw import Press
from hw.devices import open_devices
from tests.referee import hands

MS: Final = 1_000_000
TURN_MS: Final = 20
FETCH_MS: Final = 100
"""So often somebody fetches `/game.json` and `/health`."""
BELIEVED_MS: Final = 60
"""So long after its first contact a stone is told by the sensors .."""
LAG_MS: Final = 120
""".. and so far the watermark stays behind."""

BYO_YOMI: Final = "2s + 9x5s byo-yomi"

Script = Sequence[str | dict[str, Any]]
Note = tuple[int, str, object]


class Blind(Referee):
    """A referee that rules like any other and keeps what it found to itself."""

    @property
    def matters(self) -> tuple[Matter, ...]:
        return ()

    @property
    def claimable(self) -> tuple[Matter, ...]:
        return ()

    def differences(self) -> tuple[Difference, ...]:
        return ()


class Muted(Pipeline):
    """A pipeline whose rulings for the arbiter end right after the referee."""

    def _rule(self, given: Input, number: int = 0, late_ns: int = 0) -> Step:
        step = super()._rule(given, number, late_ns)
        return step._replace(rulings=tuple(r for r in step.rulings if r.audience != "arbiter"))


class Hall:
    """A live table in virtual time, and all that leaves it."""

    def __init__(self, folder: Path, match: dict[str, str], *, muted: bool) -> None:
        folder.mkdir()
        self.now_ns = 100_000 * MS
        self.notes: list[Note] = []
        path = folder / "journal.db"
        given = [f"match.{key}={value}" for key, value in match.items()]
        self.config = load_config(None, [f"journal.path={path}", *given])
        self.devices = open_devices(msgspec.to_builtins(self.config), now_ns=self.monotonic_ns)
        self.journal = Journal.open(path)
        self.keeper = TraceKeeper(path, sensors="linear", rate_hz=200, match={}, reserve_bytes=1 << 62)
        self.table = LiveTable(
            self.config,
            "linear",
            self.journal,
            self.keeper,
            monotonic_ns=self.monotonic_ns,
            stamp=lambda: Stamp(self.now_ns, synchronised=True),
        )
        if muted:
            self.table.live.pipeline = Muted(BoardWatcher("linear"), Blind(self.config.match))
        axis = self.table.axis
        assert self.devices.table is not None
        self.table.sim = Simulated(self.devices.table, self.devices.clock, axis, turned=False)
        self.table.display = Display(self.devices.faces, self.devices.buzzer, axis, 8)
        assert self.devices.clock is not None
        self.clock = self.devices.clock
        self.transfers: list[int] = []
        self.clock.bus.on_transfer = self.transfers.append
        self.app = create_app(self.table)
        self.look()

    def monotonic_ns(self) -> int:
        return self.now_ns

    def note(self, what: str, thing: object) -> None:
        self.notes.append((self.now_ns // MS, what, thing))

    # -- the game

    async def play(self, script: Script) -> None:
        """Let a script of `hands` tokens and orders happen, a tenth of a second after one another."""
        telling = asyncio.create_task(self.table.tell())
        following = asyncio.create_task(self.fetch("/events"))
        orders: list[asyncio.Task[Any]] = []
        parser = hands.Table(start=False)
        items = [x for part in script for x in (part.split() if isinstance(part, str) else [part])]
        await self.run(200)
        for item in ({"do": "start"}, *items):
            if isinstance(item, str) and item.startswith("+"):
                await self.run(int(item[1:]))
                continue
            await self.run(100)
            if isinstance(item, dict):
                orders.append(asyncio.create_task(self.table.command(item)))
                continue
            parser.t_ns = self.table.axis.now_ns()
            thing = parser.input(item)
            if isinstance(thing, KeyPress):
                self.table.presses([Press(self.now_ns, thing.key)], self.now_ns)
            else:
                await self.run(BELIEVED_MS)
                self.table.live.pipeline.put(thing)
        await self.run(300)
        await asyncio.gather(*orders)
        telling.cancel()
        following.cancel()
        await asyncio.gather(telling, following, return_exceptions=True)

    async def run(self, ms: int) -> None:
        end_ns = self.now_ns + ms * MS
        while self.now_ns < end_ns:
            self.now_ns = min(end_ns, self.now_ns + TURN_MS * MS)
            self.table.last_frame_ns = self.table.axis.now_ns()
            self.table.live.pipeline.blind(self.table.axis.now_ns() - LAG_MS * MS)
            self.table.presses([], self.now_ns)
            self.table.turn()
            await self.table._written.join()
            for _ in range(4):
                await asyncio.sleep(0)
            self.look()

    def look(self) -> None:
        """What can be seen, heard and fetched now."""
        for bus in self.devices.buses:
            assert bus.flush(10)
        self.note("transfers", tuple(self.transfers))
        self.transfers.clear()
        assert self.table.sim is not None
        self.note("simulated table", msgspec.json.encode(self.table.sim.channel.build()))
        if self.now_ns // MS % FETCH_MS:
            return
        game = self.table.public.body()[0]
        msgspec.json.decode(game, type=Message)
        self.note("game", game)
        self.note("sgf", sgf.write(self.table.public.record))
        told = health_of(self.table)
        self.note("health", msgspec.json.encode(told))
        self.note("metrics", repr(list(public_numbers(told))))
        drawn = [command for page in pages_of(self.table.sheet_records().shown) for command in page.commands]
        texts = " ".join(command.text for command in drawn if isinstance(command, Text))
        self.note("sheet", re.sub(r"\b([A-O][0-9]+)\b", r'"\1"', texts).encode())

    async def fetch(self, path: str) -> None:
        """An anonymous request from a phone in the hall; what it is sent is noted."""

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(3600)
            return {}

        async def send(message: Any) -> None:
            headers = dict(message.get("headers", ()))
            headers.pop(b"content-length", None)  # the body says it
            self.note(f"GET {path}", repr(sorted(headers.items())).encode() + message.get("body", b""))

        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
            "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "scheme": "http",
            "headers": [(b"host", b"board.local")], "client": ("10.0.0.9", 40000), "server": ("10.0.0.1", 80),
        }  # fmt: skip
        await self.app(scope, receive, send)

    async def end(self) -> None:
        for path in ("/game.json", "/game.svg", "/health", "/arbiter.json", "/metrics"):
            await self.fetch(path)
        record = self.table.live.public
        self.note("text", to_text(record))
        self.note("json", to_json(record))

    def close(self) -> None:
        self.keeper.close()
        self.devices.close()
        self.journal.close()


def leaves(
    folder: Path, match: dict[str, str], script: Script, *, muted: bool = False
) -> tuple[list[Note], list[str]]:
    """All that leaves a table for players and public, and what its arbiter was told of."""
    hall = Hall(folder, match, muted=muted)

    async def whole() -> None:
        await hall.play(script)
        await hall.end()

    try:
        asyncio.run(whole())
    finally:
        hall.close()
    header = hall.table.live.public.header
    names = header.id, header.date, hall.table.public.name
    notes = [(t, what, _without(thing, *names)) for t, what, thing in hall.notes]
    record = hall.table.live.arbiter
    return notes, [found.kind or found.code for found in (*record.irregular, *record.forbidden)]


def _without(thing: object, *drawn: str) -> object:
    """A note without what is another in every game: its number in the journal and its date."""
    for text in drawn:
        if isinstance(thing, bytes):
            thing = thing.replace(text.encode(), b"-")
        elif isinstance(thing, str):
            thing = thing.replace(text, "-")
    return thing


# -- every finding once, released late

FREE: Final = {"opening": "free", "time": BYO_YOMI}
DESIGNATED: Final = {"opening": "designated", "time": BYO_YOMI}
TARANNIKOV: Final = {"opening": "tarannikov", "time": BYO_YOMI}
CLASSIC: Final = {"opening": "rif-classic", "time": BYO_YOMI}
SET_UP: Final = "bH8 wI9 bJ8 n"
FOUR: Final = SET_UP + " wI7 f"
THREES: Final = "bH8 n wA1 f bI8 n wC1 f bJ9 n wE1 f bJ10 n wG1 f bJ8"
FOURS: Final = "bH8 n wA1 f bI8 n wC1 f bJ8 n wE1 f bK9 n wG1 f bK10 n wA3 f bK11 n wC3 f bK8"
SIX: Final = "bF8 n wA1 f bG8 n wC1 f bH8 n wE1 f bJ8 n wG1 f bK8 n wA3 f bI8"
LONG: Final = "+3200"  # into byo-yomi, and past the last seconds of a period
GONE_ON: Final = f"n {LONG} wO1 f +1200 bO3 n +1200"
RESIGNED: Final[Script] = (f"n {LONG} wO1 f +1200 bO3 n +1200", {"do": "resign", "by": "far"})

CASES: Final[dict[str, tuple[dict[str, str], Script]]] = {
    "first-not-tengen": (DESIGNATED, [f"bG8 wI9 bJ8 n {LONG} wI7 f +1200"]),
    "not-an-opening": (DESIGNATED, [f"bH8 wI9 bL8 n {LONG} wI7 f +1200"]),
    "offers-wrong": (CLASSIC, [f"{FOUR} bJ9 n {LONG} wG7 f +1200"]),
    "wrong-removal": (CLASSIC, [f"{FOUR} bJ9 bF10 n wA1 f {LONG} bB5 n +1200"]),
    "out-of-turn": (FREE, [f"bH8 n bI9 {LONG} wA1 f +1200"]),
    "early-pass": (FREE, ["bH8 n", {"do": "pass", "by": "far"}, f"{LONG} wA1 f bI8 n +1200"]),
    "bad-draw-offer": (
        FREE, ["bH8 n", {"do": "draw", "by": "near", "answer": "offer"}, f"{LONG} wA1 f +1200"],
    ),
    "bad-adjust": (FREE, [f"bH8 n ~bH8 {LONG} wA1 f +1200"]),
    "double-move": (FREE, [f"bH8 +300 bI9 {LONG} n +1200 wA1 f +1200"]),
    "slide": (FREE, [f"bH8 n wE5 wE5>E6 {LONG} f +1200 bI8 n +1200"]),
    "replace": (FREE, [f"bH8 n wE5 -wE5 wE9 {LONG} f +1200 bI8 n +1200"]),
    "clock-first": (FREE, [f"bH8 n f +300 wI8 {LONG} bI9 n +1200"]),
    "occupied": (FREE, [f"bH8 n wH8 {LONG} wA1 f +1200 bI9 n +1200"]),
    "wrong-colour": (DESIGNATED, [f"bH8 wI9 wJ8 n {LONG} -wJ8 bJ8 n +1200 wI7 f +1200"]),
    "double-three": (FREE, [THREES, GONE_ON]),
    "double-four": (FREE, [FOURS, GONE_ON]),
    "overline": (FREE, [SIX, GONE_ON]),
    "overline, claimable at any time": ({**FREE, "overline_claim": "any-time"}, [SIX, *RESIGNED]),
    "double-three, claimed": (
        FREE, [THREES, f"n {LONG}", {"do": "claim", "by": "far", "code": "overline", "point": "J8"}, "+1200",
               {"do": "uphold"}, "+300"],
    ),
    "slide, and a draw is agreed": (
        {**FREE, "five": "claim"},
        ["bH8 n wE5>E6", {"do": "draw", "by": "far", "answer": "offer"}, f"f {LONG}",
         {"do": "draw", "by": "near", "answer": "accept"}, "+300"],
    ),
    "slide, of a five": (
        FREE, ["bH8 n wA1 f bI8 n wC1 f bJ8 n wE1 f bK8 n wG1 f bL7>L8", f"n {LONG} wA3 +1200"],
    ),
    "double-move, then an unnoticed five": (
        {**FREE, "five": "claim"},
        ["bH8 n wA1 f bI8 n wC1 f bJ8 n wE1 f bK8 n wG1 wA3 f bL8", f"n {LONG} wA5 f +1200",
         {"do": "claim", "by": "near", "code": "five", "point": "L8"}, {"do": "uphold"}, "+300"],
    ),
    "slide, until the flag falls": ({**FREE, "time": "3s"}, [f"bH8 n wE5>E6 f {LONG}"]),
    "slide, by hand on the face's menu": (
        FREE, ["bH8 n wE5>E6 f", {"do": "pause"}, "+1200", {"do": "resume"}, f"{LONG} bI8 n +1200"],
    ),
}  # fmt: skip
"""What is found -> a match and what happens in it: hidden for some seconds, then released."""

KINDS: Final = ("double-three", "double-four", "overline")


def test_everything_that_the_sensors_can_find_is_among_the_cases() -> None:
    sensed = {code for code, row in IRREGULAR.items() if row.sensed}
    assert sensed | set(KINDS) <= set(CASES)


def differ(one: list[Note], other: list[Note]) -> str:
    """The first note that is not the same, from where it is not; empty when there is none."""
    for a, b in itertools.zip_longest(one, other):
        if a != b:
            x, y = repr(a), repr(b)
            at = next((i for i, (c, d) in enumerate(zip(x, y, strict=False)) if c != d), 0)
            from_there = slice(max(0, at - 60), at + 60)
            return f"{x[:40]} ... {x[from_there]} and not {y[:40]} ... {y[from_there]}"
    return ""


@pytest.mark.parametrize("case", CASES)
def test_a_finding_that_is_suppressed_after_the_referee_changes_no_byte_and_no_instant(
    tmp_path: Path, case: str
) -> None:
    match, script = CASES[case]
    as_it_is, found = leaves(tmp_path / "a", match, script)
    suppressed, known = leaves(tmp_path / "b", match, script, muted=True)
    assert case.partition(",")[0] in found
    assert case.partition(",")[0] in known or case == "wrong-colour", "released in the end"
    assert differ(as_it_is, suppressed) == ""


def test_faces_and_buzzer_are_among_what_leaves(tmp_path: Path) -> None:
    notes, _ = leaves(tmp_path / "a", *CASES["slide"])
    seen = [json.loads(what) for _, name, what in notes if name == "simulated table"]  # type: ignore[arg-type]
    assert any(state["buzzer"]["sounding"] for state in seen)
    assert len({tuple(state["faces"]["far"]["digits"]) for state in seen}) > 20
    assert sum(name == "GET /events" for _, name, _ in notes) > 5


# -- a table that gives it away


def beeps(hall_show: Callable[..., None]) -> Callable[..., None]:
    def show(self: Display, referee: Referee, now_ns: int, *menus: Any) -> None:
        hall_show(self, referee, now_ns, *menus)
        if referee.matters and self._buzzer is not None:
            self._buzzer.tone(440, 20)

    return show


def tells(health: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    return lambda self: {**health(self), "found": len(self.live.arbiter.irregular)}


def hurries(take: Callable[..., None]) -> Callable[..., None]:
    def taken(self: LiveTable, game: Any, step: Step) -> None:
        take(self, game, step)
        if any(ruling.audience == "arbiter" for ruling in step.rulings):
            self.public.tell(self.public.state(missed=False))

    return taken


@pytest.mark.parametrize(
    ("where", "name", "leak"),
    [(Display, "show", beeps), (LiveTable, "health", tells), (LiveTable, "_take", hurries)],
)
def test_a_table_that_gives_a_finding_away_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: type, name: str, leak: Callable[..., Any]
) -> None:
    monkeypatch.setattr(where, name, leak(getattr(where, name)))
    as_it_is, _ = leaves(tmp_path / "a", *CASES["slide"])
    suppressed, _ = leaves(tmp_path / "b", *CASES["slide"], muted=True)
    assert differ(as_it_is, suppressed)


# -- against a game in which it did not happen

INNOCENT: Final[dict[str, tuple[dict[str, str], Script, Script]]] = {
    "double-move": (FREE, ["bH8 bI9 +1500 n +3200"], ["bH8 +160 +1500 n +3200"]),
    "out-of-turn, a stone": (FREE, ["bH8 n bI9 +3200"], ["bH8 n +160 +3200"]),
    "out-of-turn, a press": (FREE, ["f +3200"], ["+100 +3200"]),
    "bad-adjust": (FREE, ["bH8 n ~bH8 +3200"], ["bH8 n +160 +3200"]),
    "occupied": (FREE, ["bH8 n wH8 +3200"], ["bH8 n +160 +3200"]),
    "double-move, never pressed for": (FREE, ["bH8 +1500 bI9 +3200"], ["bH8 +1500 +160 +3200"]),
    "wrong-colour": (CLASSIC, [f"{FOUR} bJ9 wA1 +2000"], [f"{FOUR} bJ9 +160 +2000"]),
    "early-pass": (FREE, ["bH8 n", {"do": "pass", "by": "far"}, "+3200"], ["bH8 n +100 +3200"]),
    "bad-draw-offer": (
        FREE, ["bH8 n", {"do": "draw", "by": "near", "answer": "offer"}, "+3200"], ["bH8 n +100 +3200"],
    ),
    "slide": (FREE, ["bH8 n wE5 wE5>E6 +500 f +3200"], ["bH8 n wE6 +160 +500 f +3200"]),
    "slide, shown by its rest": (FREE, ["bH8 n wE5>E6 +3200 f +300"], ["bH8 n wE6 +3200 f +300"]),
    "replace": (FREE, ["bH8 n wE5 -wE5 wE9 +300 f +3200"], ["bH8 n wE9 +320 +300 f +3200"]),
    "not-an-opening": (DESIGNATED, ["bH8 wI9 bL8 n +3200"], ["bH8 wI9 bJ8 n +3200"]),
    "not-an-opening, one by one": (TARANNIKOV, ["bH8 n wI9 f bL8 n +3200"], ["bH8 n wI9 f bJ8 n +3200"]),
    "not-an-opening, colours are kept": (
        DESIGNATED, ["bH8 wI9 bL8 n", {"do": "keep", "by": "far"}, "+3200"],
        ["bH8 wI9 bJ8 n", {"do": "keep", "by": "far"}, "+3200"],
    ),
    "first-not-tengen": (DESIGNATED, ["bG8 wI9 bJ8 n +3200"], ["bH8 wI9 bJ8 n +3200"]),
    "offers-wrong": (CLASSIC, [f"{FOUR} bJ9 bJ7 n +3200"], [f"{FOUR} bJ9 bF10 n +3200"]),
    "wrong-removal": (
        CLASSIC, [f"{FOUR} bJ9 bF10 n -bF10 -wI9 wA1 f +3200"],
        [f"{FOUR} bJ9 bF10 n -bF10 +160 wA1 f +3200"],
    ),
    "wrong-removal, both are left": (
        CLASSIC, [f"{FOUR} bJ9 bF10 n wA1 f +3200"], [f"{FOUR} bJ9 bF10 n +160 f +3200"],
    ),
    "wrong-removal, none is left": (
        CLASSIC, [f"{FOUR} bJ9 bF10 n -bF10 -bJ9 wA1 f +3200"], [f"{FOUR} bJ9 bF10 n +480 f +3200"],
    ),
    "clock-first": (
        FREE, ["bH8 n f +300 wI8 +3200"],
        ["bH8 n f +280", {"do": "place", "point": "I8"}, "+3280"],  # a stone that no sensor told
    ),
}  # fmt: skip
"""What is found -> a match, what happens, and the same without it: nobody can tell the two apart."""

ELSEWHERE: Final = {
    "not-an-opening": ("L8", "J8"),
    "first-not-tengen": ("G8", "H8"),
    "offers-wrong": ("J7", "F10"),
}
"""Where a stone that is irregular lies, and where it lies in the game without: all see that."""


@pytest.mark.parametrize("case", INNOCENT)
def test_what_happened_cannot_be_told_from_what_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    # Where hands did something else, the point that says "a stone was seen" says just that, as all can see.
    monkeypatch.setattr(Referee, "stone_seen", False)
    match, script, innocent = INNOCENT[case]
    notes, found = leaves(tmp_path / "a", match, script)
    plain, nothing = leaves(tmp_path / "b", match, innocent)
    assert found == [case.partition(",")[0]]
    assert nothing == []
    point, instead = (name.encode() for name in ELSEWHERE.get(found[0], ("", "")))
    moved = [
        (t, what, thing.replace(b'"%b"' % point, b'"%b"' % instead) if isinstance(thing, bytes) else thing)
        for t, what, thing in notes
    ]
    assert differ(live(moved), live(plain)) == ""


def live(notes: list[Note]) -> list[Note]:
    """What leaves while a game is played; a record's file has every stone and its first contact.

    The drawn sheet has no names of points that could be exchanged; its texts are noted as it goes.
    """
    return [note for note in notes if note[1] not in ("text", "json", "sgf", "GET /game.svg")]


@pytest.mark.parametrize("stones", [THREES, FOURS, SIX], ids=KINDS)
def test_a_forbidden_move_cannot_be_told_from_one_in_a_match_without_forbidden_moves(
    tmp_path: Path, stones: str
) -> None:
    script = [stones, f"n {LONG} +1000"]
    notes, found = leaves(tmp_path / "a", {**FREE, "overline": "nothing"}, script)
    plain, nothing = leaves(tmp_path / "b", {**FREE, "overline": "nothing", "forbidden": "off"}, script)
    assert (len(found), nothing) == (1, [])
    assert differ(notes, [(t, what, as_claim(thing)) for t, what, thing in plain]) == ""


def as_claim(thing: object) -> object:
    """A note as if the match had forbidden moves that are claimed: its settings are public."""
    if isinstance(thing, bytes):
        thing = thing.replace(b", no forbidden moves", b"")
        thing = thing.replace(b"RU[Gomoku, time", b"RU[Renju, opening free, time")
        return thing.replace(b'"forbidden":"off"', b'"forbidden":"claim"')
    if isinstance(thing, str):
        thing = thing.replace('"forbidden": "off"', '"forbidden": "claim"')
        return thing.replace("forbidden moves: off", "forbidden moves: claim")
    return thing


# -- whatever happens

MATCHES: Final[tuple[dict[str, str], ...]] = (
    FREE, DESIGNATED, {**CLASSIC, "forbidden": "automatic"}, {"opening": "taraguchi-10", "time": "15m"},
    {**FREE, "five": "claim", "overline_claim": "any-time"},
    {"opening": "swap2", "time": "4s", "flag": "claim"},
)  # fmt: skip
ODD: Final[tuple[str | dict[str, Any], ...]] = (
    "n", "f", "bI9", "wI9", "bI9>I10", "wG7>G8", "-bH8", "bH8", "wH8", "~bH8", "~wI7", "-wI7 wJ7", "-bJ8 bK9",
    "bJ9 bF10", "nm n nc", "fm f f fc fc", "nc", "fc", "+1200", "+3000",
    {"do": "pass", "by": "near"}, {"do": "pass", "by": "far"},
    {"do": "draw", "by": "near", "answer": "offer"}, {"do": "uphold"}, {"do": "reject"},
    {"do": "claim", "by": "far", "code": "double-three", "point": "J8"},
    {"do": "claim", "by": "near", "code": "slide"}, {"do": "pause"}, {"do": "accept_board"}, {"do": "resume"},
    {"do": "swap", "by": "far"}, {"do": "restore"}, {"do": "compensate", "entry": 1},
)  # fmt: skip
REGULAR: Final = (THREES, FOURS, SIX, f"{SET_UP} wI7 f bJ9 bF10 n -bF10 wG7 f bG8 n wK7 f")


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """A regular game with odd things in between."""
    script: list[str | dict[str, Any]] = []
    for token in draw(st.sampled_from(REGULAR)).split():
        script.append(token)
        if draw(st.integers(0, 3)) == 0:
            script.append(draw(st.sampled_from(ODD)))
    return [*script, "+1500"]


@settings(max_examples=10, deadline=None, derandomize=True)
@drawn(match=st.sampled_from(MATCHES), script=scripts())
def test_whatever_happens_the_arbiter_alone_hears_what_was_found(
    match: dict[str, str], script: Script
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        as_it_is, _ = leaves(Path(folder, "a"), match, script)
        suppressed, _ = leaves(Path(folder, "b"), match, script, muted=True)
    assert differ(as_it_is, suppressed) == ""
