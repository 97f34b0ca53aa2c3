"""Random games, legal and not, of two players and an arbiter: what must hold after every single step.

The invariants are `walked_table`'s. Each game is journalled, and another process rules all of them again.
The games are the same each time; with RANDOM_GAMES=1000 in the environment they are so many others.
"""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from firmware_host.board import BLACK, NAMES, POINTS, SIZE, TENGEN, WHITE, Colour, Point
from firmware_host.referee.inputs import KeyPress
from firmware_host.referee.irregular import CLAIM_CODES
from firmware_host.referee.procedures import PROCEDURES, SQUARES
from firmware_host.referee.settings import CHOICES, MatchSettings, match_settings
from firmware_host.rules import OPENINGS
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal
from tests.walked_table import MS, WalkedTable

TIMES: Final = (
    "none",
    "none",
    "15m",
    "15m",
    "1m+2s",
    "20s + 3x5s byo-yomi",
    "4s",
    "3 moves/20s then 10s+1s",
    "10s then 2 moves/5s repeating",
    "shared 1m",
)
NEAR_TENGEN: Final = tuple(sorted(SQUARES["5x5"]))
MIDDLE: Final = tuple(sorted(SQUARES["9x9"]))
LINES: Final[dict[Colour, tuple[Point, ...]]] = {
    BLACK: tuple(p for p in MIDDLE if p // SIZE == 7 or p % SIZE == 7),
    WHITE: tuple(p for p in MIDDLE if p // SIZE in (4, 10)),
}
"""Where each side likes to play: so there are fives, fours, overlines."""
SEED: Final = st.integers(0, 2**20)

GAMES: list[WalkedTable] = []
"""The games of this run, for the journal."""


def drawing(seed: int) -> random.Random:
    """Draws the details of what happens; one number for them all keeps a game short to write down."""
    return random.Random(seed)  # noqa: S311


@st.composite
def matches(draw: st.DrawFn) -> MatchSettings:
    """Any settings that a match can have."""
    given: dict[str, Any] = {key: draw(st.sampled_from(CHOICES[key])) for key in sorted(CHOICES)}
    procedure = PROCEDURES[given["opening"]]
    if procedure.most_offers and draw(st.booleans()):
        fewest = procedure.fewest_offers
        given["offers"] = draw(st.integers(fewest, min(procedure.most_offers, fewest + 2)))
    return match_settings({**given, "time": draw(st.sampled_from(TIMES))})


class MatchMachine(RuleBasedStateMachine):
    """Each rule is one thing that happens at the table; `seed` draws what and where within it."""

    table: WalkedTable

    @initialize(
        match=matches(),
        sensors=st.sampled_from(["linear", "linear", "switch"]),
        absent=st.sampled_from(
            [frozenset[Colour]()] * 8 + [frozenset({c}) for c in Colour] + [frozenset(Colour)]
        ),
        begun=st.sampled_from([True, True, True, False]),
    )
    def begin(self, match: MatchSettings, sensors: str, absent: frozenset[Colour], begun: bool) -> None:
        self.table = WalkedTable(match, sensors, absent)
        if begun:
            self.table.order("start")

    # -- as it should be

    @rule(seed=SEED, steps=st.integers(1, 8))
    def play(self, seed: int, steps: int) -> None:
        """The game goes on as it should, a few acts long."""
        chance = drawing(seed)
        for _ in range(steps):
            self.table.now_ns += chance.choice((50, 400, 1500)) * MS
            self.act_well(chance)

    @rule(seed=SEED)
    def play_a_move(self, seed: int) -> None:
        self.act_well(drawing(seed))

    def act_well(self, chance: random.Random) -> None:
        t, r = self.table, self.table.referee
        if r.phase == "over":
            return
        if r.phase == "waiting":
            t.order("start")
        elif r.paused:
            self.put_right(chance)
        else:
            self.step_well(chance)

    def step_well(self, chance: random.Random) -> None:
        t, r = self.table, self.table.referee
        step, side = r.step, r.to_move
        assert side is not None
        if step.do == "choice" and step.side is side and chance.random() < 0.6:
            choice = chance.choice(step.choices)
            if choice.does == "branch" or chance.random() < 0.3:
                t.order("choose", branch=choice.name, side=side)
            else:
                t.order(choice.does, side=side)
            return
        if step.do == "choice":
            step = r.next_step
        if step.do == "set-up":
            if step.where == "opening":
                opening = chance.choice(OPENINGS)
                for p, colour in zip((TENGEN, opening.white2, opening.black3), step.stones, strict=True):
                    self.put(p, colour)
            else:
                for colour in step.stones:
                    self.put(self.empty(chance, MIDDLE), colour)
        elif step.do in ("offers", "fifth"):
            for _ in range(r.offers_wanted or 2):
                self.put(self.empty(chance, MIDDLE), BLACK)
        elif step.do == "removal":
            kept = chance.choice(r.offers) if r.offers else None
            for p in r.offers:
                if p != kept and p in t.stones:
                    t.lift(p)
                    t.now_ns += 300 * MS
            self.put(self.empty(chance, MIDDLE), WHITE)
        else:
            where = tuple(sorted(SQUARES[step.where])) if step.do == "move" else MIDDLE
            if step.do == "play" and chance.random() < 0.7:
                where = LINES[side]
            self.put(self.empty(chance, where), side)
        if t.referee.phase != "over":
            t.now_ns += 200 * MS
            t.press(side)

    def put(self, p: Point, colour: Colour) -> None:
        if p not in self.table.stones:
            self.table.place(p, colour)
            self.table.now_ns += 150 * MS

    def empty(self, chance: random.Random, where: tuple[Point, ...] = MIDDLE) -> Point:
        free = [p for p in where if p not in self.table.stones]
        return chance.choice(free or [p for p in range(POINTS) if p not in self.table.stones])

    @rule(seed=SEED)
    def put_right_and_resume(self, seed: int) -> None:
        self.put_right(drawing(seed))

    def put_right(self, chance: random.Random) -> None:
        """A claim is answered, the board is made what the record holds, and the game goes on."""
        t, r = self.table, self.table.referee
        if r._match.claim is not None:
            t.order(chance.choice(("uphold", "reject", "waive")))
            if r._match.claim is not None:
                t.order("reject")
        for p, recorded, _ in r.differences():
            if p in t.stones:
                t.lift(p)
            if recorded is not None:
                t.place(p, recorded)
            t.now_ns += 100 * MS
        if t.referee.paused and chance.random() < 0.8:
            t.order("resume")

    # -- stones

    @rule(seed=SEED, turn=st.booleans())
    def stray_stone(self, seed: int, turn: bool) -> None:
        """A stone of any colour anywhere, with or without a press."""
        chance = drawing(seed)
        side = chance.choice(list(Colour))
        self.put(self.empty(chance, chance.choice((NEAR_TENGEN, MIDDLE))), side)
        if turn:
            self.table.press(chance.choice(list(Colour)))

    @rule(seed=SEED, colour=st.sampled_from(Colour))
    def on_top(self, seed: int, colour: Colour) -> None:
        """A stone on another one."""
        if self.table.stones:
            self.table.place(drawing(seed).choice(sorted(self.table.stones)), colour)

    @rule(seed=SEED, back=st.sampled_from(["no", "same", "elsewhere", "late"]))
    def take_up(self, seed: int, back: str) -> None:
        chance, t = drawing(seed), self.table
        p = self.lying(chance)
        if p is None:
            return
        colour = t.stones[p]
        t.lift(p)
        t.now_ns += (6000 if back == "late" else 500) * MS
        if back == "same":
            t.place(p, colour)
        elif back != "no":
            self.put(self.empty(chance), colour)

    def lying(self, chance: random.Random) -> Point | None:
        """A stone that lies there, the newest of the record as often as not."""
        t = self.table
        newest = [e.point for e in t.referee.entries[-2:] if e.point in t.stones]
        if newest and chance.random() < 0.6:
            return chance.choice(newest)
        return chance.choice(sorted(t.stones)) if t.stones else None

    @rule(seed=SEED, new=st.booleans(), press=st.booleans())
    def push(self, seed: int, new: bool, press: bool) -> None:
        """A stone slides, one that lay there or a new one of the side to move."""
        chance, t = drawing(seed), self.table
        start = self.empty(chance) if new else self.lying(chance)
        if start is None:
            return
        side = t.referee.to_move or BLACK
        colour = side if new else t.stones[start]
        path = [start]
        for _ in range(chance.randint(1, 3)):
            last = path[-1]
            beside = [
                q
                for q in (last - 1, last + 1, last - SIZE, last + SIZE)
                if 0 <= q < POINTS
                and abs(q % SIZE - last % SIZE) <= 1
                and q not in t.stones
                and q not in path
            ]
            if beside:
                path.append(chance.choice(beside))
        if len(path) > 1:
            t.slide(tuple(path), colour)
            if press:
                t.press(side)

    @rule(seed=SEED)
    def straighten(self, seed: int) -> None:
        p = self.lying(drawing(seed))
        if p is not None:
            self.table.adjust(p)

    @rule(seed=SEED)
    def arm_over_the_board(self, seed: int) -> None:
        chance, t = drawing(seed), self.table
        if len(t.stones) < 3:
            return
        gone = tuple(chance.sample(sorted(t.stones), 3))
        lands = {}
        for p in gone:
            q = chance.choice([q for q in MIDDLE if q not in t.stones and q not in lands])
            lands[q] = t.stones[p]
        t.scatter(gone, lands if chance.random() < 0.7 else {})

    @rule(seed=SEED, over=st.booleans())
    def sensor_fails(self, seed: int, over: bool) -> None:
        p = drawing(seed).choice(NEAR_TENGEN)
        (self.table.cleared if over else self.table.fault)(p)
        self.table.by_hand.add(p)

    # -- keys and time

    @rule(key=st.sampled_from(["near", "far", "near", "far", "near-call", "far-call", "arbiter"]))
    def key(self, key: str) -> None:
        self.table.key(key)

    @rule(
        seat=st.sampled_from(["near", "far"]),
        steps=st.integers(0, 6),
        takes=st.sampled_from([0, 1, 1, 1, 1, 2]),
    )
    def menu(self, seat: str, steps: int, takes: int) -> None:
        for key in (f"{seat}-menu", *[seat] * steps, *[f"{seat}-call"] * takes):
            self.table.now_ns += 300 * MS
            self.table.key(key)

    @rule(ms=st.sampled_from([1, 50, 700, 1100, 3000, 12_000, 40_000]))
    def wait(self, ms: int) -> None:
        self.table.wait(ms * MS)

    @rule()
    def look(self) -> None:
        self.table.see()

    @rule(seat=st.sampled_from(["near", "far"]), late_ms=st.integers(1, 400))
    def late_key(self, seat: str, late_ms: int) -> None:
        """A key that comes after its instant has been ruled."""
        self.table.give(KeyPress(t_ns=self.table.now_ns, key=seat), late_ns=late_ms * MS)  # type: ignore[arg-type]

    @rule()
    def power_fails(self) -> None:
        self.table.restart()

    # -- words

    @rule(
        seed=SEED,
        do=st.sampled_from(["claim", "claim", "uphold", "reject", "waive"]),
        by=st.sampled_from(["arbiter", "near", "far"]),
        own=st.booleans(),
    )
    def word_about_a_finding(self, seed: int, do: str, by: str, own: bool) -> None:
        """A claim or an answer: about something that was found, or about anything at all."""
        chance, t = drawing(seed), self.table
        matters = t.referee.matters
        if own and matters:
            matter = chance.choice(matters[-3:])
            code, point, side = matter.kind or matter.code, matter.point, matter.side.other
        else:
            code, side = chance.choice(CLAIM_CODES), chance.choice(list(Colour))
            point = chance.choice((None, self.lying(chance)))
        fields: dict[str, Any] = {"code": code}
        if point is not None:
            fields["point"] = NAMES[point]
        if do == "claim" and by == "arbiter":
            fields["side"] = side
        t.order(do, by=by, **fields)

    @rule(
        do=st.sampled_from(["pass", "pass", "resign", "left", "draw", "swap", "keep", "arrive", "call"]),
        side=st.sampled_from(Colour),
        answer=st.sampled_from(["offer", "accept", "refuse"]),
        sure=st.integers(0, 19),
    )
    def word_of_a_player(self, do: str, side: Colour, answer: str, sure: int) -> None:
        if do in ("resign", "left") and sure:
            do = "pass"
        self.table.order(do, side=side, **({"answer": answer} if do == "draw" else {}))

    @rule(
        by=st.sampled_from(["arbiter", "near", "far"]),
        offers=st.integers(1, 12),
        branch=st.sampled_from([None, "white", "black", "add", "one", "ten", "keep", "swap", "nonsense"]),
    )
    def word_about_the_opening(self, by: str, offers: int, branch: str | None) -> None:
        if branch is None:
            self.table.order("opening", by=by, offers=offers)
        else:
            self.table.order("choose", by=by, branch=branch)

    @rule(
        do=st.sampled_from(
            ["start", "pause", "resume", "resume", "adjourn", "finish", "restore", "accept_board"]
        )
    )
    def order(self, do: str) -> None:
        self.table.order(do)

    @rule(seed=SEED, do=st.sampled_from(["place", "place", "remove", "mask", "unmask"]), lies=st.booleans())
    def by_hand(self, seed: int, do: str, lies: bool) -> None:
        chance, t = drawing(seed), self.table
        p = self.lying(chance) if lies else chance.choice(MIDDLE)
        if p is None:
            return
        t.by_hand.add(p)
        colour = chance.choice((None, BLACK, WHITE)) if do == "place" else None
        t.order(do, point=NAMES[p], **({"colour": colour} if colour else {}))

    @rule(
        do=st.sampled_from(["set_clock", "add_time", "violation", "penalty"]),
        side=st.sampled_from(Colour),
        ms=st.sampled_from([-20_000, -1, 0, 1, 1500, 60_000]),
        kind=st.sampled_from(
            ["time", "time", "violation", "violation", "violation", "loss", "disqualification"]
        ),
        sure=st.integers(0, 9),
    )
    def penalty(self, do: str, side: Colour, ms: int, kind: str, sure: int) -> None:
        if do in ("set_clock", "add_time"):
            self.table.order(do, side=side, ms=ms)
        elif do == "violation":
            self.table.order(do, side=side)
        elif kind in ("time", "violation") or not sure:
            self.table.order(do, side=side, kind=kind, **({"ms": ms} if kind == "time" else {}))

    @rule(
        decision=st.sampled_from(["back", "stands", "stands", "draw", "replay", "loss"]),
        side=st.sampled_from([None, *Colour]),
        kind=st.sampled_from([None, "outside", "accident", "purpose"]),
        sure=st.integers(0, 4),
    )
    def moved(self, decision: str, side: Colour | None, kind: str | None, sure: int) -> None:
        if decision in ("draw", "loss") and sure:
            decision = "back"
        fields = {key: value for key, value in (("side", side), ("kind", kind)) if value}
        self.table.order("moved", decision=decision, **fields)

    @rule(decision=st.sampled_from(["restart", "stands"]))
    def wrong_colours(self, decision: str) -> None:
        self.table.order("colours", decision=decision)

    @rule(
        black=st.sampled_from([0.0, 0.5, 1.0]), white=st.sampled_from([0.0, 0.5, 1.0]), sure=st.integers(0, 9)
    )
    def decide(self, black: float, white: float, sure: int) -> None:
        if not sure:
            self.table.order("result", black=black, white=white)

    @rule(back=st.integers(1, 3))
    def undo(self, back: int) -> None:
        made = len(self.table.referee._match.decisions)
        self.table.order("compensate", entry=max(1, made + 1 - back))

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.nothing_settled_can_be_claimed()
            GAMES.append(self.table)


def journal_of(games: list[WalkedTable], path: Path) -> None:
    journal = Journal.open(path)
    try:
        for game in games:
            sensors = "linear" if game.coloured else "switch"
            journal.begin_game(settings=game.settings, sensors=sensors, rules_version=RULES_VERSION)
            for step in game.steps:
                last = journal.append(step.given, step.rulings, step.late_ns)
            last.result(60)
    finally:
        journal.close()


def test_whatever_happens_at_the_table(tmp_path: Path) -> None:
    GAMES.clear()
    run_state_machine_as_test(
        MatchMachine,
        settings=settings(
            max_examples=int(os.environ.get("RANDOM_GAMES", "80")),
            stateful_step_count=40,
            derandomize="RANDOM_GAMES" not in os.environ,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    games = [game for game in GAMES if not game.absent and game.steps]
    journal_of(games, tmp_path / "journal.db")
    verified = subprocess.run(
        [
            sys.executable,
            "-m",
            "firmware_host.cli",
            "journal",
            "verify",
            "--journal",
            tmp_path / "journal.db",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert len(verified.stdout.splitlines()) == len(games)
