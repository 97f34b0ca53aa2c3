"""What holds of the broadcast whatever is played, corrected, waited for, and whoever comes and goes."""

import asyncio
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, WHITE
from firmware_host.clock import SECOND, Clock, Player, parse_control
from firmware_host.feed import ClockView, before_the_game
from firmware_host.feed.forms import Message
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.referee.rulings import (
    AnyRuling,
    Claimed,
    Differs,
    Forbidden,
    Irregular,
    Lapsed,
    Over,
    Pressed,
    Refused,
    Reopened,
    Started,
    Told,
    Unmoved,
)
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.broadcast import Broadcast
from firmware_host.service.wall_clock import Stamp
from tests.arbitrary import arbitrary, plausible_moves

HEADER = Header(id="g1", event="Open", first=Person(name="Anna"), second=Person(name="Bo"))
MATCH = MatchSettings(opening="free", time="15m")
TURN_NS = SECOND // 4

FOR_THE_ARBITER = st.one_of(
    arbitrary(kind, audience=st.just("arbiter"))
    for kind in (Irregular, Forbidden, Lapsed, Claimed, Told, Refused, Differs)
)
IN_PUBLIC = (
    plausible_moves()
    | st.builds(
        lambda n: Pressed(t_ns=0, side=BLACK if n % 2 else WHITE, running=WHITE if n % 2 else BLACK, n=n),
        st.integers(1, 12),
    )
    | st.builds(lambda n: Unmoved(t_ns=0, n=n), st.integers(1, 12))
    | st.sampled_from(
        [
            Over(t_ns=0, winner=BLACK, result={BLACK: 1, WHITE: 0}, reason="resignation"),
            Over(t_ns=0, winner=None, result={BLACK: 0.5, WHITE: 0.5}, reason="agreement"),
            Reopened(t_ns=0),
        ]
    )
)


class Act(NamedTuple):
    """So many turns go by, then a public ruling, with others around it that only the arbiter may know."""

    turns: int
    ruling: AnyRuling
    hidden: list[AnyRuling]


ACTS = st.lists(
    st.builds(Act, st.integers(0, 8), IN_PUBLIC, st.lists(FOR_THE_ARBITER, max_size=2)), max_size=15
)


class Hall:
    """A broadcast in virtual time with a game that goes by acts."""

    def __init__(self, delay_s: int, keep: int = 256) -> None:
        self.now_ns = 0
        first = before_the_game(HEADER, MATCH, 0)
        self.record = GameRecord.new(HEADER, MATCH, "public")
        self.clock = Clock.new(parse_control(MATCH.time))
        self.broadcast = Broadcast(
            first, lambda: self.now_ns, delay_s=delay_s, keep=keep,
            stamp=lambda: Stamp(self.now_ns, synchronised=True),
        )  # fmt: skip
        self.broadcast.name = "feed"
        self.released: list[tuple[int, bytes]] = []
        """The numbered messages and their instants."""
        self.polled: list[bytes] = []
        self.broadcast.on_release.append(self._released)
        self._take()

    def _released(self) -> None:
        number, message = self.broadcast._kept[-1]
        if number > len(self.released):
            self.released.append((self.now_ns, message))

    def _take(self) -> None:
        self.broadcast.take(self.record, ClockView.of(self.clock, Player.FIRST, self.now_ns))

    def rule(self, rulings: list[AnyRuling]) -> None:
        self.record = self.record.fold_all(rulings)
        for ruling in rulings:
            if isinstance(ruling, Pressed):
                player = Player.FIRST if ruling.running is BLACK else Player.SECOND
                self.clock = self.clock.run(player, self.now_ns)
        self._take()

    def turn(self) -> None:
        self.polled.append(self.broadcast.body()[0])
        self.now_ns += TURN_NS
        due_ns = self.broadcast.waits_until_ns
        if due_ns is not None and self.now_ns >= due_ns:
            self._take()
        self.broadcast.advance()

    async def play(
        self, acts: list[Act], *, hidden: bool, each_turn: Callable[[], Any] = lambda: None
    ) -> None:
        async def turns(count: int) -> None:
            for _ in range(count):
                self.turn()
                for _ in range(4):
                    await asyncio.sleep(0)
                each_turn()

        self.rule([Started(t_ns=0)])
        for act in acts:
            await turns(act.turns)
            self.rule([*act.hidden, act.ruling, *act.hidden] if hidden else [act.ruling])
        await turns(self.broadcast.delay_s * SECOND // TURN_NS + 8)


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 60))


def content(raw: bytes) -> Message:
    return msgspec.json.decode(raw.split(b"\ndata: ")[1], type=Message)


def id_of(raw: bytes) -> str:
    return raw.split(b"\n")[1].removeprefix(b"id: ").decode()


@given(ACTS)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_every_message_is_whole_and_an_end_comes_once(acts: list[Act]) -> None:
    async def story() -> None:
        hall = Hall(0)
        await hall.play(acts, hidden=True)
        messages = [content(raw) for _, raw in hall.released]
        assert [m.seq for m in messages] == list(range(1, len(messages) + 1))
        kinds = [m.kind for m in messages]
        assert kinds.count("begin") == 1
        assert kinds.count("end") == any(m.result for m in messages)
        for before, now in pairwise(messages):
            points = [[(move.n, move.point, move.colour) for move in m.moves] for m in (before, now)]
            grown = points[1][: len(points[0])] == points[0]
            if now.kind in ("move", "clock", "change"):
                assert grown
                assert (now.kind == "move") == (len(points[1]) > len(points[0]))
                assert now.result == before.result
            assert now.kind == "revise" or grown or now.kind == "end"
            if now.ply is not None:
                last = [move for move in now.moves if move.n < now.ply]
                assert last == [m for m in before.moves if m.n < now.ply] or now.ply > 1

    run(story())


@given(ACTS, st.integers(1, 5))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_nothing_is_released_before_its_time_and_the_delay(acts: list[Act], delay_s: int) -> None:
    async def story() -> None:
        plain, late = Hall(0), Hall(delay_s)
        await plain.play(acts, hidden=True)
        await late.play(acts, hidden=True)
        shift = delay_s * SECOND
        assert len(plain.released) == len(late.released)
        for (at_ns, now), (late_ns, then) in zip(plain.released, late.released, strict=True):
            assert late_ns - at_ns == shift
            one, other = content(now), content(then)
            assert (one.seq, one.kind, one.ply, one.moves, one.result) == (
                other.seq, other.kind, other.ply, other.moves, other.result,
            )  # fmt: skip
        turns = delay_s * SECOND // TURN_NS
        for now_poll, then_poll in zip(plain.polled, late.polled[turns:], strict=False):
            one, other = (msgspec.json.decode(raw, type=Message) for raw in (now_poll, then_poll))
            assert (one.seq, one.moves, one.result, one.phase, one.clock) == (
                other.seq, other.moves, other.result, other.phase, other.clock,
            )  # fmt: skip
        for poll in late.polled[:turns]:
            assert msgspec.json.decode(poll, type=Message).moves == []

    run(story())


@given(ACTS, st.integers(0, 3))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_what_only_the_arbiter_knows_changes_no_byte_and_no_instant(acts: list[Act], delay_s: int) -> None:
    async def story() -> None:
        plain, full = Hall(delay_s), Hall(delay_s)
        await plain.play(acts, hidden=False)
        await full.play(acts, hidden=True)
        assert full.released == plain.released
        assert full.polled == plain.polled

    run(story())


@given(ACTS, st.integers(0, 2), st.lists(st.integers(0, 6), max_size=12), st.sampled_from([3, 256]))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_a_reader_that_comes_and_goes_gets_what_one_that_stayed_got(
    acts: list[Act], delay_s: int, stays: list[int], keep: int
) -> None:
    """It is connected and away by turns; nothing is missing but what a `resync` stands for."""

    async def story() -> None:
        hall = Hall(delay_s, keep)
        stayed: list[bytes] = []
        got: list[bytes] = []
        tasks: list[asyncio.Task[None]] = []
        plan = list(stays)
        left = 0

        async def follow(into: list[bytes], last: str) -> None:
            async for message in hall.broadcast.follow(last):
                into.append(message)  # noqa: PERF401 - what came is there when the task is ended

        def come_or_go() -> None:
            nonlocal left
            if left > 0 or not plan:
                left -= 1
                return
            left = plan.pop()
            if tasks:
                tasks.pop().cancel()
            else:
                tasks.append(asyncio.create_task(follow(got, id_of(got[-1]) if got else "")))

        always = asyncio.create_task(follow(stayed, ""))
        for _ in range(3):
            await asyncio.sleep(0)
        await hall.play(acts, hidden=True, each_turn=come_or_go)
        if not tasks:
            tasks.append(asyncio.create_task(follow(got, id_of(got[-1]) if got else "")))
        for _ in range(6):
            await asyncio.sleep(0)
        hall.broadcast.close()
        for task in (always, *tasks):
            task.cancel()
        await asyncio.gather(always, *tasks, return_exceptions=True)

        numbered = [raw for _, raw in hall.released]
        assert stayed[1:] == numbered[content(stayed[0]).seq :]
        seen = 0
        for n, raw in enumerate(got):
            message = content(raw)
            if message.kind == "snapshot":
                assert message.seq >= seen
                assert message.resync or n == 0 or message.seq == seen, "what came between was sent before"
                assert not (message.resync and keep > len(numbered))
                assert message.moves == content(numbered[message.seq - 1]).moves if message.seq else True
            else:
                assert raw == numbered[message.seq - 1]
                assert message.seq == seen + 1
            seen = message.seq
        assert seen == len(numbered)

    run(story())
