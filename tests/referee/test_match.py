"""The state machine as a whole: its table, what it refuses, and what holds for every sequence of inputs."""

import copy
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import POINTS, Colour
from firmware_host.referee.commands import CLAIM_CODES, COMMANDS, DECISIONS
from firmware_host.referee.final import final
from firmware_host.referee.inputs import Command, Input, KeyName, KeyPress, Tick, order
from firmware_host.referee.match import Referee
from firmware_host.referee.phases import ORDERS, TRANSITIONS
from firmware_host.referee.rulings import (
    Decided,
    Forbidden,
    Irregular,
    Moved,
    Over,
    Refused,
    Reopened,
    Restarted,
    Unmoved,
)
from firmware_host.referee.settings import CHOICES, MatchSettings
from firmware_host.sensing.events import AnyBoardEvent, Fault, Placed
from tests.arbitrary import arbitrary
from tests.referee.hands import Table


def test_every_phase_has_a_row_for_every_input_but_ticks_and_commands() -> None:
    kinds = {*typing.get_args(AnyBoardEvent), KeyPress}
    assert set(TRANSITIONS) == {"waiting", "playing", "stopped", "over"}
    assert all(set(row) == kinds for row in TRANSITIONS.values())


PHASES = {
    "waiting": Table(start=False),
    "playing": Table(),
    "stopped": Table(),
    "over": Table(),
}
PHASES["stopped"].say("pause")
PHASES["over"].say("resign", side="black")

FIELDS: dict[str, Any] = {
    "side": Colour.BLACK, "point": 0, "code": "slide", "answer": "offer", "decision": "back", "offers": 1,
    "branch": "x", "ms": 1, "kind": "violation", "black": 1.0, "white": 0.0, "entry": 1, "text": "x",
}  # fmt: skip


@pytest.mark.parametrize(
    ("do", "phase"),
    [
        (do, phase)
        for do, row in ORDERS.items()
        for phase in PHASES
        if phase not in row.phases and (do, phase) != ("resume", "playing")
    ],
)
def test_a_command_in_a_phase_without_it_is_refused_and_changes_nothing(do: str, phase: str) -> None:
    referee = copy.deepcopy(PHASES[phase].referee)
    before = state(referee)
    fields = {name: FIELDS[name] for name in COMMANDS[do].must}
    (refused,) = referee.rule(Command(t_ns=referee.now_ns, do=do, **fields))
    assert isinstance(refused, Refused)
    assert refused.do == do
    assert state(referee) == before


@pytest.mark.parametrize(
    ("command", "why"),
    [(Command(t_ns=0, do="fly"), "not a command"), (Command(t_ns=0, do="place"), "place needs point")],
)
def test_a_command_that_was_not_read_from_a_text_is_checked_too(command: Command, why: str) -> None:
    referee = copy.deepcopy(PHASES["playing"].referee)
    (refused,) = referee.rule(command)
    assert isinstance(refused, Refused)
    assert why in refused.why


def state(referee: Referee) -> dict[str, Any]:
    """Everything that a match holds, apart from what it told last, as one comparable thing."""
    kept = {key: value for key, value in vars(referee._match).items() if key != "out"}
    return {key: repr(value) for key, value in kept.items()}


def test_a_fork_does_not_change_the_match_it_came_from() -> None:
    table = Table(time="5m")
    table.do("bH8 n wE5>E6")
    before = state(table.referee)
    fork = copy.deepcopy(table.referee)
    fork.rule(KeyPress(t_ns=table.t_ns, key="far"))
    fork.rule(Command(t_ns=table.t_ns, do="uphold", code="slide"))
    assert state(table.referee) == before
    assert state(fork) != before


def test_the_board_turned_gives_the_keys_to_the_other_colours() -> None:
    table = Table(black_sits="far")
    table.do("bH8 f wI9 n")
    assert table.irregular == []
    assert table.referee.black_seat == "far"


# -- for every sequence of inputs

NEAR_TENGEN = st.sampled_from([p for p in range(POINTS) if 5 <= p % 15 <= 9 and 5 <= p // 15 <= 9])
COLOUR = st.sampled_from([Colour.BLACK, Colour.WHITE, None])
STEP_MS = st.integers(0, 1500)


def _commands() -> st.SearchStrategy[Command]:
    fields = {
        "t_ns": st.just(0),
        "do": st.sampled_from([*COMMANDS, "fly"]),
        "by": st.sampled_from(["arbiter", "arbiter", "near", "far"]),
        "side": st.sampled_from([*Colour, *Colour, None]),
        "point": st.none() | NEAR_TENGEN,
        "colour": COLOUR,
        "code": st.none() | st.sampled_from(CLAIM_CODES),
        "answer": st.sampled_from(["offer", "accept", "refuse"]),
        "decision": st.sampled_from(sorted({word for words in DECISIONS.values() for word in words})),
        "offers": st.integers(1, 4),
        "branch": st.sampled_from(["one", "ten", "add", "white", "black", "keep", "swap"]),
        "ms": st.integers(-3000, 20_000),
        "kind": st.sampled_from(["violation", "time"]),
        "black": st.sampled_from([0.0, 0.5, 1.0]),
        "white": st.sampled_from([0.0, 0.5, 1.0]),
        "reason": st.sampled_from([None, "restart"]),
    }
    return st.builds(Command, **fields)


def _events() -> st.SearchStrategy[Input]:
    path = st.lists(NEAR_TENGEN, min_size=2, max_size=4, unique=True).map(tuple)
    points = st.lists(NEAR_TENGEN, max_size=5, unique=True).map(tuple)
    lines = st.sampled_from(["1", "8", "15", "A", "H", "O"])
    stones = st.lists(st.sampled_from(".XO?"), min_size=POINTS, max_size=POINTS).map("".join)
    narrow = {"t_ns": st.just(0), "point": NEAR_TENGEN, "colour": COLOUR, "path": path, "points": points}
    kinds = []
    for kind in typing.get_args(AnyBoardEvent):
        fixed: dict[str, st.SearchStrategy[Any]] = {
            name: strategy for name, strategy in narrow.items() if name in kind.__struct_fields__
        }
        if "stones" in kind.__struct_fields__:
            fixed["stones"] = stones
        if kind is Fault:
            fixed |= {"point": st.none(), "line": lines}
        kinds.append(arbitrary(kind, **fixed))
    placed = st.builds(Placed, t_ns=st.just(0), point=NEAR_TENGEN, colour=COLOUR)
    keys = st.builds(KeyPress, t_ns=st.just(0), key=st.sampled_from(typing.get_args(KeyName)))
    return st.one_of(placed, placed, placed, keys, keys, keys, st.one_of(kinds), _commands())


def _settings() -> st.SearchStrategy[MatchSettings]:
    words = {key: st.sampled_from(values) for key, values in CHOICES.items() if key != "opening"}
    return st.builds(
        MatchSettings,
        opening=st.sampled_from(CHOICES["opening"]),
        time=st.sampled_from(["none", "20s", "10s+1s", "5s + 3x2s byo-yomi"]),
        late=st.just("15s"),
        **words,
    )


PREFIXES = (
    "",
    "bH8 wI9 bJ8 n",
    "bH8 wI9 bJ8 n wI7 f",
    "bH8 wI9 bJ8 n wI7 f bG10 bH6",
    "bH8 wI9 bJ8 n wI7 f bG10 bH6 bK11 n -bG10",
    "bH8 n wI9 f bI8 n wI10 f bJ8 n wI7 f bK8 n wG7 f",
    "bH8 n wI9 f bJ8 n wI7 f bG10",
)
"""Beginnings, so that the later steps of an opening and the ends of a game are reached too."""


@settings(max_examples=150, deadline=None)
@given(
    match=_settings(),
    prefix=st.sampled_from(PREFIXES),
    absent=st.frozensets(st.sampled_from(Colour)),
    script=st.lists(st.tuples(STEP_MS, _events()), max_size=60),
)
def test_for_every_sequence_of_inputs(
    match: MatchSettings, prefix: str, absent: frozenset[Colour], script: list[tuple[int, Input]]
) -> None:
    """Nothing raises; books balance; the record is a game; what is hidden stays so; it is the same again."""
    first, second = Referee(match, absent), Referee(match, absent)
    told: dict[int, int | None] = {}
    over: Over | None = None
    t_ns = 0
    start: list[tuple[int, Input]] = [(0, Command(t_ns=0, do="start"))]
    table = Table()
    for step_ms, given_ in start + [(100, table.input(token)) for token in prefix.split()] + script:
        t_ns += step_ms * 1_000_000
        now = msgspec.structs.replace(given_, t_ns=t_ns)
        rulings = first.rule(now)
        assert rulings == second.rule(now)
        was_over = over is not None
        by_player = isinstance(now, Command) and now.by in ("near", "far")
        for ruling in rulings:
            if isinstance(ruling, Irregular | Forbidden | Decided):
                assert ruling.audience == "arbiter"
            elif isinstance(ruling, Refused):
                alone = by_player and match.forbidden == "automatic"
                assert ruling.audience == ("players" if alone else "arbiter")
            if isinstance(ruling, Moved):
                assert ruling.n <= max(told, default=0) + 1
                told[ruling.n] = ruling.point
            elif isinstance(ruling, Unmoved):
                told = {n: p for n, p in told.items() if n < ruling.n}
            elif isinstance(ruling, Restarted):
                told = {}
            if isinstance(ruling, Over | Reopened):
                over = ruling if isinstance(ruling, Over) else None
        if was_over and not isinstance(now, Command):
            assert rulings == []
        if isinstance(now, Command):
            assert rulings, f"{now.do} was not answered"
        assert first.over == over

        stones = [e.point for e in first.entries if e.point is not None]
        assert len(stones) == len(set(stones)) == sum(1 for _ in first.position.stones())
        assert all(first.position[e.point] is e.colour for e in first.entries if e.point is not None)
        record = [e.point for e in first.entries]
        offered = next((n for n, e in enumerate(first.entries) if e.kind == "offers"), len(record))
        assert [told[n] for n in sorted(told)] == record[:offered]
        assert first.clock.books.balanced
        assert (first.clock.running is not None) == (first.phase in ("opening", "playing"))
        final(first)


def test_ticks_between_change_nothing() -> None:
    table, often = Table(time="3s + 2x1s byo-yomi"), Table(time="3s + 2x1s byo-yomi")
    script = "bH8 +2000 n wI9 f +1500 bJ10 n +900 wA1 f"
    table.do(script)
    for token in script.split():
        often.do(token)
        often.give(Tick(t_ns=often.t_ns))
    assert [r for r in table.log if not isinstance(r, Refused)] == often.log
    assert final(table.referee) == final(often.referee)


def test_inputs_at_one_instant_are_ruled_in_the_one_order_however_they_came() -> None:
    at = 5_000_000_000
    inputs: list[Input] = [
        Tick(t_ns=at),
        Command(t_ns=at, do="pause"),
        KeyPress(t_ns=at, key="near"),
        Placed(t_ns=at, point=112, colour=Colour.BLACK),
    ]
    table = Table()
    table.give(*sorted(inputs, key=order))
    assert table.kinds() == ["move", "press", "paused"]
