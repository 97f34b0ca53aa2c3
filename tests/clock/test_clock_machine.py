"""Any control and whatever happens to a clock in a match: its books are kept a second time, and are the same.

The second books know only who ran from when to when, and what the referee entered by name.
"""

import random
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from firmware_host.board import BLACK, WHITE, Colour, parse_point
from firmware_host.clock import MS, SECOND, Account, Player, TimeControl
from firmware_host.faces import clock_text, face_text
from firmware_host.referee.commands import parse_command
from firmware_host.referee.final import final
from firmware_host.referee.inputs import Input, KeyPress, Tick
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import MatchSettings, match_settings
from firmware_host.sensing.events import Lifted, Placed, Seen
from tests.clock.controls import CONTROLS

POINTS: Final = [parse_point(f"{c}{n}") for n in (8, 10, 6, 12, 4, 14, 2) for c in "HJFLDNB"]
"""No two of them are neighbours, so nothing but time ends the game."""
GAPS: Final = st.sampled_from([0, 1, 50 * MS, 900 * MS, 7 * SECOND, 100 * SECOND])
SIDE: Final = st.sampled_from(Colour)
AMOUNT: Final = st.sampled_from([-250_000, -1500, -1, 0, 1, 800, 60_000])


@st.composite
def matches(draw: st.DrawFn) -> MatchSettings:
    control: TimeControl = draw(CONTROLS)
    return match_settings(
        {
            "time": control.text,
            "opening": draw(st.sampled_from(["free", "free", "tarannikov", "swap2", "designated"])),
            "swap": draw(st.sampled_from(["bowls", "seats"])),
            "flag": draw(st.sampled_from(["automatic", "claim"])),
            "black_sits": draw(st.sampled_from(["near", "far"])),
            "forbidden": draw(st.sampled_from(["claim", "claim", "automatic"])),
            "wrong_claim": draw(st.sampled_from(["none", "time"])),
            "late": draw(st.sampled_from(["15m", "20s"])),
        }
    )


class ClockMachine(RuleBasedStateMachine):
    """Each rule is one thing that can happen to the clock."""

    referee: Referee

    @initialize(
        match=matches(),
        absent=st.sampled_from(
            [frozenset[Colour]()] * 4 + [frozenset({c}) for c in Colour] + [frozenset(Colour)]
        ),
        began_ns=st.integers(0, 10**15),
    )
    def begin(self, match: MatchSettings, absent: frozenset[Colour], began_ns: int) -> None:
        self.settings, self.absent = match, absent
        self.referee = Referee(match, absent)
        self.now_ns = began_ns
        self.inputs: list[Input] = []
        self.stones: dict[int, Colour] = {}
        self.ran = dict.fromkeys(Player, 0)
        self.lent = dict.fromkeys(Player, 0)
        self.stood = 0
        self.began_ns: int | None = None
        self.give(Tick(t_ns=began_ns))

    # -- the second books

    def account(self, player: Player) -> Account:
        books = self.referee.clock.at(self.now_ns).books
        return books.first if player is Player.FIRST else books.second

    def give(self, given: Input) -> None:
        """Rule an input; time stops at each flag and period on the way, so whoever runs has run all along."""
        self.inputs.append(given)
        while (due := self.referee.deadline_ns) is not None and due < given.t_ns:
            self.step(Tick(t_ns=due))
        self.step(given)

    def step(self, given: Input) -> None:
        before, running = self.referee.clock, self.referee.clock.running
        was = {player: self.account(player) for player in Player}
        since_ns, self.now_ns = self.now_ns, given.t_ns
        self.referee.rule(given)
        over = self.referee.over
        if self.began_ns is None:
            self.began_ns = self.referee.clock.began_ns
            return
        until_ns = self.now_ns
        if over is not None and over.reason == "absence" and running is not None:
            until_ns = max(since_ns, over.t_ns)  # nothing after the limit is charged
        if running is not None:
            self.ran[running] += until_ns - since_ns
            if before.control.shared:
                self.lent[running.other] += until_ns - since_ns
            self.stood += self.now_ns - until_ns
        else:
            self.stood += self.now_ns - since_ns
        for player, account in was.items():
            self.named(player, account)

    def named(self, player: Player, was: Account) -> None:
        """Whatever gives time or takes it is an entry of this instant with a name."""
        now = self.account(player)
        assert now.entries[: len(was.entries)] == was.entries, "an entry is never changed"
        new = now.entries[len(was.entries) :]
        assert all(entry.ns and entry.reason and entry.t_ns == self.now_ns for entry in new)
        gone = now.ran_ns - was.ran_ns + now.lent_ns - was.lent_ns
        assert now.left_ns == was.left_ns - gone + sum(entry.ns for entry in new)

    @invariant()
    def the_books_are_the_same(self) -> None:
        clock = self.referee.clock.at(self.now_ns)
        books = clock.books
        began_ns = self.now_ns if self.began_ns is None else self.began_ns
        assert books.elapsed_ns == self.now_ns - began_ns
        assert books.stopped_ns == self.stood
        assert books.elapsed_ns == sum(self.ran.values()) + self.stood
        for player in Player:
            account = self.account(player)
            assert account.ran_ns == self.ran[player]
            said = sum(entry.ns for entry in account.entries if entry.used)
            assert clock.used_ns(player, self.now_ns) == self.ran[player] - said
            assert clock_text(clock, player, self.now_ns)
            assert face_text(clock, player, self.now_ns)
            assert account.lent_ns == self.lent[player]
            entered = sum(entry.ns for entry in account.entries)
            assert account.left_ns == account.given_ns - self.ran[player] - self.lent[player] + entered
            left_ns = clock.remaining_ns(player, self.now_ns)
            assert left_ns is None or 0 <= left_ns <= max(0, account.left_ns)

    @invariant()
    def one_side_runs_or_none(self) -> None:
        clock, running = self.referee.clock, self.referee.clock.running
        assert (running is None) is (self.referee.phase not in ("opening", "playing"))
        more = {p: clock.used_ns(p, self.now_ns + 1) - clock.used_ns(p, self.now_ns) for p in Player}
        assert more == {p: int(p is running) for p in Player}
        if not clock.control.limited:
            return
        end_ns = clock.next_event_ns
        for player in Player:
            left = [clock.remaining_ns(player, t_ns) or 0 for t_ns in (self.now_ns, self.now_ns + 1)]
            runs = player is running or (clock.control.shared and running is not None)
            if end_ns != self.now_ns + 1:
                assert left[0] - left[1] == int(runs and left[0] > 0)

    # -- what happens

    def order(self, do: str, **fields: Any) -> None:
        self.give(parse_command({"do": do, **fields}, self.now_ns))

    def after(self, ns: int) -> int:
        return self.now_ns + ns

    @rule(gap_ns=GAPS, think_ns=GAPS, presses=st.sampled_from([1, 1, 1, 1, 0, 2]))
    def play(self, gap_ns: int, think_ns: int, presses: int) -> None:
        """A stone by the side to move, and its press, now and then none or two."""
        side = self.referee.to_move
        free = [p for p in POINTS if p not in self.stones]
        if side is None or not free:
            return
        self.stones[free[0]] = side
        self.give(Placed(t_ns=self.after(gap_ns), point=free[0], colour=side))
        for _ in range(presses):
            seat = self.referee.seat_of(self.referee.player_of(side))
            self.give(KeyPress(t_ns=self.after(think_ns), key=seat))

    @rule(
        key=st.sampled_from(["near", "far", "near", "far", "near-call", "far-call", "arbiter"]), gap_ns=GAPS
    )
    def key(self, key: str, gap_ns: int) -> None:
        self.give(KeyPress(t_ns=self.after(gap_ns), key=key))  # type: ignore[arg-type]

    @rule(side=SIDE, gap_ns=GAPS)
    def stone_of_any_side(self, side: Colour, gap_ns: int) -> None:
        free = [p for p in POINTS if p not in self.stones]
        if free:
            self.stones[free[0]] = side
            self.give(Placed(t_ns=self.after(gap_ns), point=free[0], colour=side))

    @rule(gap_ns=GAPS)
    def last_stone_taken_up(self, gap_ns: int) -> None:
        if self.stones:
            p, colour = self.stones.popitem()
            self.give(Lifted(t_ns=self.after(gap_ns), point=p, colour=colour))

    @rule(gap_ns=GAPS)
    def wait(self, gap_ns: int) -> None:
        self.give(Tick(t_ns=self.after(gap_ns)))

    @rule(beside_ns=st.sampled_from([-1, 0, 1]))
    def wait_for_the_end_of_the_time(self, beside_ns: int) -> None:
        due = self.referee.deadline_ns
        if due is not None:
            self.give(Tick(t_ns=max(self.now_ns, due + beside_ns)))

    @rule(
        do=st.sampled_from(
            ["start", "start", "pause", "resume", "resume", "adjourn", "split", "accept_board"]
        )
    )
    def round(self, do: str) -> None:
        self.order(do)

    @rule(do=st.sampled_from(["arrive", "call", "pass"]), side=SIDE)
    def word_of_a_player(self, do: str, side: Colour) -> None:
        self.order(do, side=side)

    @rule(do=st.sampled_from(["set_clock", "add_time"]), side=SIDE, ms=AMOUNT)
    def arbiter_sets_a_clock(self, do: str, side: Colour, ms: int) -> None:
        self.order(do, side=side, ms=ms, reason="accident")

    @rule(side=SIDE, part=st.sampled_from([0, 1, 2, 3]))
    def clock_replaced(self, side: Colour, part: int) -> None:
        player = self.referee.player_of(side)
        ms = self.referee.clock.used_ns(player, self.now_ns) * part // 2 // MS
        before = self.account(player)
        self.order("set_used", side=side, ms=max(0, ms))
        if len(self.account(player).entries) > len(before.entries):
            assert self.referee.clock.used_ns(player, self.now_ns) // MS == max(0, ms)

    @rule(side=SIDE, ms=st.sampled_from([1, 2500, 500_000]))
    def penalty(self, side: Colour, ms: int) -> None:
        self.order("penalty", side=side, kind="time", ms=ms)

    @rule(choice=st.integers(0, 3))
    def choose(self, choice: int) -> None:
        step = self.referee.step
        if step.choices:
            chosen = step.choices[choice % len(step.choices)]
            named = {"branch": chosen.name} if chosen.does == "branch" else {}
            self.order("choose" if named else chosen.does, **named)

    @rule(do=st.sampled_from(["claim", "uphold", "reject", "waive"]), seed=st.integers(0, 9))
    def word_about_a_finding(self, do: str, seed: int) -> None:
        found = self.referee.claimable
        if not found:
            self.order(do if do != "claim" else "uphold")
            return
        matter = random.Random(seed).choice(found)  # noqa: S311
        fields: dict[str, Any] = {"code": matter.kind or matter.code}
        if do == "claim":
            fields["side"] = matter.side.other
        self.order(do, **fields)

    @rule(decision=st.sampled_from(["restart", "stands"]))
    def wrong_colours(self, decision: str) -> None:
        self.order("colours", decision=decision)

    @rule()
    def decision_undone(self) -> None:
        self.order("compensate", entry=max(1, len(self.referee._match.decisions)))

    @rule(away_ns=GAPS)
    def power_fails(self, away_ns: int) -> None:
        """The journal is ruled again, without a look in between; then the board is seen."""
        again = Referee(self.settings, self.absent)
        for given in self.inputs:
            again.rule(given)
        assert again.clock.at(self.now_ns) == self.referee.clock.at(self.now_ns)
        assert final(again, self.now_ns) == final(self.referee, self.now_ns)
        self.referee = again
        if again.phase != "waiting":
            self.order("restore", reason="restart")
        self.see(away_ns)

    @rule(gap_ns=GAPS)
    def see(self, gap_ns: int) -> None:
        chars = {BLACK: "X", WHITE: "O"}
        cells = [chars[self.stones[p]] if p in self.stones else "." for p in range(225)]
        self.give(Seen(t_ns=self.after(gap_ns), stones="".join(cells)))


def test_the_books_of_any_match_balance() -> None:
    run_state_machine_as_test(
        ClockMachine,
        settings=settings(
            max_examples=60,
            stateful_step_count=40,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
