"""Whatever order things become known in, they are ruled as if each had been known when it happened.

Stones, keys and commands of a short game come in any order of arrival; the answer is that of a referee who
was given everything in the order of time. What scans the board and who gives orders tell one thing after the
other, so two of theirs at the same instant keep their order.
"""

import random
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host import wire
from firmware_host.board import BLACK, POINTS, WHITE, parse_point
from firmware_host.menu import Menus
from firmware_host.pipeline import Pipeline, Step
from firmware_host.referee.commands import parse_command
from firmware_host.referee.inputs import Input, KeyPress, Tick, order
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Adjusted, Lifted, Placed, Slid
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from hw.simulator.table import SimulatedTable
from tests.delivery import deliver

MS: Final = 1_000_000
END_NS: Final = 20_000 * MS
"""After the last thing that happens."""

MATCHES: Final[tuple[dict[str, Any], ...]] = (
    {"time": "3s"},
    {"time": "3s", "flag": "claim"},
    {"time": "1s + 3x1s"},
    {"time": "3s + 2x1s", "forbidden": "automatic"},
    {"time": "2s+1s", "five": "claim"},
    {"time": "2 moves/3s then 2 moves/2s repeating"},
    {"time": "shared 5s"},
    {"time": "none", "opening": "tarannikov"},
    {"time": "5s", "opening": "designated", "offers": 2, "swap": "seats"},
)

ROWS: Final = {
    BLACK: [parse_point(f"{c}8") for c in "HIJKLMN"],
    WHITE: [parse_point(f"{c}9") for c in "HIJKLMN"],
}
KEYS: Final = ("near", "far", "near-call", "far-call", "near-menu", "far-menu", "arbiter")
ORDERS: Final[tuple[dict[str, Any], ...]] = (
    {"do": "pause"},
    {"do": "resume"},
    {"do": "call", "side": "black"},
    {"do": "add_time", "side": "white", "ms": -700},
    {"do": "set_clock", "side": "black", "ms": 800},
    {"do": "penalty", "side": "white", "kind": "time", "ms": 500},
    {"do": "pass", "side": "white"},
    {"do": "draw", "side": "black", "answer": "offer"},
    {"do": "claim", "side": "white", "code": "clock-first"},
    {"do": "uphold"},
    {"do": "accept_board"},
    {"do": "swap"},
    {"do": "split"},
    {"do": "place", "point": "A1"},
)

STONE: Final = st.tuples(
    st.sampled_from(["move", "move", "move", "lift", "push", "nudge"]), st.integers(0, 13)
)
KEY: Final = st.tuples(st.just("key"), st.sampled_from([0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6]))
ORDER: Final = st.tuples(st.just("order"), st.integers(0, len(ORDERS) - 1))
TURN: Final = st.tuples(st.just("turn"), st.integers(0, 1))
"""A stone of the side to move and its press."""
GAP: Final = st.sampled_from([0, 0, 1, 5 * MS, 30 * MS, 300 * MS, 900 * MS])
DEADLINE: Final = st.sampled_from([None, None, None, None, -1, 0, 1])
"""So long after the end of the time that runs, instead of after what happened before."""
LATE: Final = st.sampled_from([0, 0, 3 * MS, 45 * MS, 400 * MS, 1000 * MS]) | st.integers(0, 1000 * MS)
HAPPENS: Final = st.lists(st.tuples(TURN | TURN | STONE | KEY | ORDER, GAP, DEADLINE), max_size=25)


def things(match: dict[str, Any], happens: Sequence[tuple[tuple[str, int], int, int | None]]) -> list[Input]:
    """What happens, as inputs; a referee that hears them at once says whose turn it is and when time ends."""
    referee = Referee(match_settings({"opening": "free", **match}))
    found: list[Input] = [parse_command({"do": "start"}, 0)]
    referee.rule(found[0])
    lying: dict[int, Any] = {}
    t_ns = 0
    for (kind, n), gap_ns, beside_ns in happens:
        end_ns = referee.clock.next_event_ns
        t_ns = t_ns + gap_ns if end_ns is None or beside_ns is None else max(t_ns, end_ns + beside_ns)
        made: list[Input] = []
        side = referee.to_move or BLACK
        free = next((p for p in ROWS[side] if p not in lying), None)
        if kind == "key":
            made = [KeyPress(t_ns=t_ns, key=KEYS[n])]  # type: ignore[arg-type]
        elif kind == "order":
            made = [parse_command(ORDERS[n], t_ns)]
        elif kind == "turn" and free is not None:
            lying[free] = side
            press_ns = t_ns + n * 20 * MS
            seat = referee.seat_of(referee.player_of(side))
            made = [Placed(t_ns=t_ns, point=free, colour=side), KeyPress(t_ns=press_ns, key=seat)]
            t_ns = press_ns
        elif kind == "move":
            side, p = (BLACK, WHITE)[n % 2], ROWS[(BLACK, WHITE)[n % 2]][n // 2]
            if p not in lying:
                lying[p] = side
                made = [Placed(t_ns=t_ns, point=p, colour=side)]
        elif lying:
            p = list(lying)[n % len(lying)]
            beside = p + 15 * 3
            if kind == "lift":
                made = [Lifted(t_ns=t_ns, point=p, colour=lying.pop(p))]
            elif kind == "nudge":
                made = [Adjusted(t_ns=t_ns, point=p, colour=lying[p])]
            elif beside < POINTS and beside not in lying:
                lying[beside] = lying.pop(p)
                path = (p, p + 15, p + 30, beside)
                made = [Slid(t_ns=t_ns, path=path, colour=lying[beside], first_contact_ns=t_ns)]
        for one in made:
            referee.rule(one)
        found += made
    return found


def at_once(match: dict[str, Any], inputs: Sequence[Input]) -> tuple[bytes, Referee]:
    """The rulings of a referee who was given everything in the order of time."""
    referee, menus = Referee(match_settings({"opening": "free", **match})), Menus()
    rulings: list[AnyRuling] = []
    for one in sorted(inputs, key=order):
        rulings += referee.rule(Tick(t_ns=one.t_ns))
        menus, passed = menus.take(referee, one)
        rulings += [] if passed is None else referee.rule(passed)
    rulings += referee.rule(Tick(t_ns=END_NS))
    return written(rulings), referee


def written(rulings: Sequence[AnyRuling]) -> bytes:
    return msgspec.json.encode([wire.to_wire(ruling) for ruling in rulings])


def one_after_the_other(inputs: Sequence[Input], late_ns: Sequence[int]) -> list[int]:
    """The same delays, but what one source told at one instant comes in the order in which it was told."""
    newest: dict[Any, int] = {}
    found = []
    for one, late in zip(inputs, late_ns, strict=True):
        found.append(late if isinstance(one, KeyPress) else max(late, newest.get(order(one), 0)))
        newest[order(one)] = found[-1]
    return found


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(MATCHES), HAPPENS, st.data(), st.booleans())
def test_any_order_of_arrival_gives_the_same_rulings(
    match: dict[str, Any], happens: list[Any], data: st.DataObject, beats: bool
) -> None:
    inputs = things(match, happens)
    late = data.draw(st.lists(LATE, min_size=len(inputs), max_size=len(inputs)))
    late_ns = one_after_the_other(inputs, late)
    expected, referee = at_once(match, inputs)
    pipeline = Pipeline(BoardWatcher("linear"), Referee(match_settings({"opening": "free", **match})))
    steps = deliver(pipeline, inputs, late_ns, END_NS, beats=beats)
    assert written([ruling for step in steps for ruling in step.rulings]) == expected
    assert pipeline.referee.clock.at(END_NS) == referee.clock.at(END_NS)
    assert all(step.late_ns == 0 for step in steps)


PERIOD_NS: Final = 5 * MS
TOUCHES: Final = (-80 * MS, -7 * MS, -1, 0, 3 * MS, 60 * MS)
"""So long after its stone really touched comes a press."""


@pytest.mark.parametrize("sensors", ["linear", "switch"])
@pytest.mark.parametrize("seed", range(2))
def test_frames_in_bundles_and_keys_in_any_order_give_the_same_rulings(sensors: Sensors, seed: int) -> None:
    """Black's five touches in byo-yomi; the arbiter stops the clocks for 1 ms at the instant of a press."""
    table = SimulatedTable(sensors, seed=seed)
    inputs: list[Input] = [parse_command({"do": "start"}, 0)]
    at_ns = 400 * MS
    for n in range(9):
        act = table.place(at_ns, "HIJKL"[n // 2] + "89"[n % 2], ("black", "white")[n % 2])  # type: ignore[arg-type]
        press_ns = act.touch_ns + TOUCHES[(n + seed) % len(TOUCHES)]
        inputs.append(KeyPress(t_ns=press_ns, key="far" if n % 2 else "near"))
        if n == 5:
            inputs.append(parse_command({"do": "pause"}, press_ns))
            inputs.append(parse_command({"do": "resume"}, press_ns + MS))
        at_ns = act.end_ns + 1000 * MS
    times = range(0, at_ns + 1000 * MS, PERIOD_NS)
    frames = [(t_ns, table.readings(t_ns)) for t_ns in times]
    expected = scanned(sensors, frames, inputs, random.Random(0), lag_ns=0)  # noqa: S311
    assert b'"five"' in expected
    for again in range(3):
        chance = random.Random(f"{seed} {again}")  # noqa: S311
        assert scanned(sensors, frames, inputs, chance, lag_ns=900 * MS) == expected


def scanned(
    sensors: Sensors,
    frames: Sequence[tuple[int, bytes]],
    inputs: Sequence[Input],
    chance: random.Random,
    *,
    lag_ns: int,
) -> bytes:
    """The rulings when frames come in bundles, and keys and orders up to `lag_ns` late."""
    match = match_settings({"opening": "free", "time": "1s + 4x1500ms byo-yomi"})
    pipeline = Pipeline(BoardWatcher(sensors), Referee(match))
    coming = sorted((one.t_ns + chance.randint(0, lag_ns), n, one) for n, one in enumerate(inputs))
    steps: list[Step] = []
    waiting = list(frames)
    while waiting:
        bundle = chance.randint(1, 1 + lag_ns // (20 * PERIOD_NS))
        for t_ns, readings in waiting[:bundle]:
            pipeline.frame(t_ns, readings)
        now_ns = waiting[:bundle][-1][0]
        del waiting[:bundle]
        while coming and coming[0][0] <= now_ns:
            pipeline.put(coming.pop(0)[2])
        pipeline.keys_seen(min([now_ns, *(one.t_ns - 1 for _, _, one in coming)]))
        steps += pipeline.advance()
    assert not coming
    steps += pipeline.finish(frames[-1][0])
    assert all(step.late_ns == 0 for step in steps)
    return written([ruling for step in steps for ruling in step.rulings])
