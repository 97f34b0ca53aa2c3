"""The one order of things: whatever order inputs arrive in, they are ruled by their instants."""

import itertools

import pytest

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.pipeline import Pipeline
from firmware_host.referee.inputs import Command, Input, KeyName, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import DrawOffer, Irregular, Moved, Over, Pressed, PressWithoutStone, Told
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Placed
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from hw.simulator.table import SimulatedTable

MS = 1_000_000
PERIOD = 5 * MS
H8, H9 = parse_point("H8"), parse_point("H9")


def new(**settings: object) -> Pipeline:
    pipeline = Pipeline(
        BoardWatcher("switch"), Referee(match_settings({"opening": "free", "time": "5m", **settings}))
    )
    pipeline.put(Command(t_ns=0, do="start"))
    return pipeline


def frames(pipeline: Pipeline, begin_ns: int, end_ns: int, *stones: int) -> list[object]:
    """Scan from `begin_ns` up to before `end_ns` with stones lying there; gives what was ruled."""
    readings = bytearray(225)
    for p in stones:
        readings[p] = 1
    ruled = []
    for t_ns in range(begin_ns, end_ns, PERIOD):
        pipeline.frame(t_ns, bytes(readings))
        pipeline.keys_seen(t_ns)
        ruled += [ruling for step in pipeline.advance() for ruling in step.rulings]
    return ruled


def kinds(rulings: list[object]) -> list[type]:
    return [type(r) for r in rulings if not isinstance(r, Told)]


def test_a_press_20_ms_after_its_stone_is_in_order_although_the_stone_is_believed_later() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    pipeline.put(KeyPress(t_ns=520 * MS, key="near"))
    ruled = frames(pipeline, 500 * MS, 1000 * MS, H8)
    assert kinds(ruled) == [Moved, Pressed]
    assert pipeline.referee.clock.running is pipeline.referee.player_of(BLACK).other


def test_a_press_20_ms_before_its_stone_is_not() -> None:
    pipeline = new()
    pipeline.put(KeyPress(t_ns=480 * MS, key="near"))
    frames(pipeline, 0, 480 * MS)
    ruled = frames(pipeline, 480 * MS, 500 * MS) + frames(pipeline, 500 * MS, 1000 * MS, H8)
    assert PressWithoutStone in kinds(ruled)
    assert [r.code for r in ruled if isinstance(r, Irregular)] == ["clock-first"]


def test_a_press_between_two_frames_is_no_press_before_the_stone_of_the_second() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    pipeline.put(KeyPress(t_ns=497 * MS, key="near"))
    ruled = frames(pipeline, 500 * MS, 1000 * MS, H8)
    assert Irregular not in kinds(ruled)
    assert [r.point for r in ruled if isinstance(r, Moved)] == [H8]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_stones_that_one_frame_shows_after_a_gap_are_moves_of_both_sides_in_turn(
    order: tuple[int, ...],
) -> None:
    """Nobody saw in which order they were put down; the frame names them by their points."""
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    stones = [
        Placed(t_ns=900 * MS, since_ns=500 * MS, point=H8 + n, colour=(BLACK, WHITE)[n % 2]) for n in range(4)
    ]
    for n in order:
        pipeline.put(stones[n])
    ruled = frames(pipeline, 900 * MS, 1500 * MS)
    assert [r.colour for r in ruled if isinstance(r, Moved)] == [BLACK, WHITE, BLACK, WHITE]
    assert "out-of-turn" not in [r.code for r in ruled if isinstance(r, Irregular)]


def test_a_stone_seen_before_another_s_is_ruled_before_it_whoever_is_to_move() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    pipeline.put(Placed(t_ns=600 * MS, since_ns=595 * MS, point=H9, colour=WHITE))
    pipeline.put(Placed(t_ns=605 * MS, since_ns=600 * MS, point=H8, colour=BLACK))
    ruled = frames(pipeline, 600 * MS, 1500 * MS)
    assert "out-of-turn" in [r.code for r in ruled if isinstance(r, Irregular)]


def test_a_reply_right_after_a_press_stays_after_it() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    pipeline.put(KeyPress(t_ns=597 * MS, key="near"))
    ruled = frames(pipeline, 500 * MS, 600 * MS, H8) + frames(pipeline, 600 * MS, 1000 * MS, H8, H9)
    assert [r.colour for r in ruled if isinstance(r, Moved)] == [BLACK, BLACK.other]


def test_lost_frames_put_a_press_in_doubt_and_the_doubt_is_the_players() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    pipeline.put(KeyPress(t_ns=560 * MS, key="near"))
    pipeline.frame(600 * MS, bytes(1 if p == H8 else 0 for p in range(225)), 20)
    ruled = frames(pipeline, 605 * MS, 1000 * MS, H8)
    assert Irregular not in kinds(ruled)
    assert [r.point for r in ruled if isinstance(r, Moved)] == [H8]


@pytest.mark.parametrize("arrival", list(itertools.permutations(range(3))))
def test_presses_and_commands_are_ruled_by_their_instants_in_any_order_of_arrival(
    arrival: tuple[int, ...],
) -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    given: list[Input] = [
        KeyPress(t_ns=520 * MS, key="near"),
        Command(t_ns=530 * MS, do="pause"),
        Command(t_ns=535 * MS, do="resume"),
    ]
    for i in arrival:
        pipeline.put(given[i])
    ruled = frames(pipeline, 500 * MS, 1000 * MS, H8)
    assert [(r.t_ns // MS, type(r).__name__) for r in ruled] == [  # type: ignore[attr-defined]
        (500, "Moved"),
        (520, "Pressed"),
        (530, "Paused"),
        (535, "Resumed"),
    ]


def test_a_five_that_touched_10_ms_before_the_deadline_wins_and_one_at_it_does_not() -> None:
    for touch_ms, reason in ((4990, "five"), (5000, "time"), (5005, "time")):
        pipeline = new(time="5s")
        stones: list[int] = []
        t_ns = 100 * MS
        ruled = frames(pipeline, 0, t_ns)
        for n, name in enumerate(["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9"]):
            stones.append(parse_point(name))
            pipeline.put(KeyPress(t_ns=t_ns + 60 * MS, key="near" if n % 2 == 0 else "far"))
            ruled += frames(pipeline, t_ns, t_ns + 100 * MS, *stones)
            t_ns += 100 * MS
        touch_ns = (touch_ms + 4 * 100) * MS  # White's four moves took 100 ms each
        ruled += frames(pipeline, t_ns, touch_ns, *stones)
        ruled += frames(pipeline, touch_ns, 6000 * MS, *stones, parse_point("L8"))
        assert [r.reason for r in ruled if isinstance(r, Over)] == [reason], touch_ms


@pytest.mark.parametrize("between_ms", [0, 5])
def test_of_two_stones_that_came_while_no_frame_told_the_one_whose_turn_it_was_is_first(
    between_ms: int,
) -> None:
    pipeline = new()
    since_ns, back_ns = 100 * MS, 4000 * MS
    pipeline.put(KeyPress(t_ns=1000 * MS, key="near"))
    pipeline.put(KeyPress(t_ns=2000 * MS, key="far"))
    pipeline.put(Placed(t_ns=back_ns, point=H9, colour=WHITE, since_ns=since_ns))
    pipeline.put(Placed(t_ns=back_ns + between_ms * MS, point=H8, colour=BLACK, since_ns=since_ns))
    pipeline.keys_seen(5000 * MS)
    pipeline.blind(5000 * MS)
    ruled = [ruling for step in pipeline.advance() for ruling in step.rulings]
    assert [(r.n, r.point) for r in ruled if isinstance(r, Moved)] == [(1, H8), (2, H9)]
    assert not any(isinstance(r, Irregular) for r in ruled)


def test_a_stone_that_surely_came_first_is_first() -> None:
    pipeline = new()
    pipeline.put(Placed(t_ns=400 * MS, point=H9, colour=WHITE, since_ns=395 * MS))
    pipeline.put(Placed(t_ns=450 * MS, point=H8, colour=BLACK, since_ns=445 * MS))
    pipeline.keys_seen(1000 * MS)
    pipeline.blind(1000 * MS)
    ruled = [ruling for step in pipeline.advance() for ruling in step.rulings]
    assert [r.code for r in ruled if isinstance(r, Irregular)] == ["out-of-turn"]


def test_what_comes_after_its_instant_was_ruled_is_ruled_now_and_told_as_late() -> None:
    pipeline = new()
    frames(pipeline, 0, 100 * MS)
    frames(pipeline, 100 * MS, 500 * MS, H8)
    ruled_ns = pipeline.ruled_ns
    pipeline.put(KeyPress(t_ns=200 * MS, key="near"))
    pipeline.keys_seen(pipeline.ruled_ns)
    (step,) = pipeline.advance()
    assert step.late_ns == ruled_ns - 200 * MS
    assert step.given.t_ns == ruled_ns
    assert [r.code for r in step.rulings if isinstance(r, Told)] == ["late"]
    assert [r.t_ns for r in step.rulings if isinstance(r, Pressed)] == [ruled_ns]


def test_the_preview_shows_a_press_at_once_and_changes_nothing() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    frames(pipeline, 500 * MS, 520 * MS, H8)
    assert pipeline.preview().referee is pipeline.referee or pipeline.waiting
    pipeline.put(KeyPress(t_ns=519 * MS, key="near"))
    shown, white = pipeline.preview().referee, pipeline.referee.player_of(BLACK).other
    assert shown is not pipeline.referee
    assert shown.clock.running is white
    assert pipeline.referee.clock.running is white.other


def key(pipeline: Pipeline, at_ms: int, name: KeyName) -> None:
    pipeline.put(KeyPress(t_ns=at_ms * MS, key=name))


def test_a_key_that_a_menu_takes_is_no_step_and_its_command_is_one() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    for at_ms, name in ((510, "near-menu"), (520, "near"), (530, "near"), (540, "near"), (550, "near-call")):
        key(pipeline, at_ms, name)  # type: ignore[arg-type]
    pipeline.frame(700 * MS, bytes(225))
    pipeline.keys_seen(700 * MS)
    (step,) = pipeline.advance()
    assert step.given == Command(t_ns=550 * MS, do="draw", by="near", answer="offer")
    assert [type(r) for r in step.rulings] == [DrawOffer]


def test_a_stone_that_touched_before_the_menu_was_opened_closes_nothing() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    key(pipeline, 520, "near-menu")
    frames(pipeline, 500 * MS, 1000 * MS, H8)
    assert pipeline.menus.word(pipeline.referee, "near", 1000 * MS) == ("drAu", 520 * MS)


def test_a_press_right_after_the_stone_is_a_press_although_the_menu_was_open() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    key(pipeline, 490, "near-menu")
    key(pipeline, 520, "near")
    assert Pressed in kinds(frames(pipeline, 500 * MS, 1000 * MS, H8))


def test_the_preview_shows_the_menus_at_once() -> None:
    pipeline = new()
    frames(pipeline, 0, 500 * MS)
    key(pipeline, 510, "near-menu")
    key(pipeline, 520, "near")
    shown = pipeline.preview()
    assert shown.menus.word(shown.referee, "near", 520 * MS) == ("LoSE", 520 * MS)
    assert pipeline.menus.word(pipeline.referee, "near", 520 * MS) is None


def test_a_dead_scanner_does_not_stop_the_clocks() -> None:
    pipeline = new(time="2s")
    frames(pipeline, 0, 500 * MS)
    pipeline.blind(3000 * MS)
    pipeline.keys_seen(3000 * MS)
    rulings = [r for step in pipeline.advance() for r in step.rulings]
    assert [(r.reason, r.t_ns) for r in rulings if isinstance(r, Over)] == [("time", 2000 * MS)]


def test_after_the_end_of_a_trace_no_clock_runs() -> None:
    pipeline = new(time="1s")
    frames(pipeline, 0, 900 * MS)
    pipeline.put(KeyPress(t_ns=2000 * MS, key="near"))
    steps = pipeline.finish(900 * MS)
    assert not [r for step in steps for r in step.rulings if isinstance(r, Over)]
    assert pipeline.referee.now_ns == 900 * MS


def test_a_mask_reaches_sensing_and_a_refused_one_does_not() -> None:
    pipeline = new()
    frames(pipeline, 0, 200 * MS)
    pipeline.put(Command(t_ns=200 * MS, do="mask", point=H8))
    frames(pipeline, 205 * MS, 300 * MS)
    assert pipeline.watcher.masked == {H8}
    assert not [r for r in frames(pipeline, 300 * MS, 600 * MS, H8) if isinstance(r, Moved)]
    pipeline.put(Command(t_ns=600 * MS, do="unmask", point=H8))
    frames(pipeline, 605 * MS, 700 * MS)
    assert pipeline.watcher.masked == frozenset()


@pytest.mark.parametrize("sensors", ["linear", "switch"])
@pytest.mark.parametrize("after_ms", [1, 10, 20])
def test_a_press_just_after_the_stone_has_touched_is_never_before_it(sensors: Sensors, after_ms: int) -> None:
    for seed in range(4):
        codes = [r.code for r in played(sensors, seed, after_ms) if isinstance(r, Irregular)]
        assert codes == [], f"seed {seed}"


@pytest.mark.parametrize("sensors", ["linear", "switch"])
def test_a_press_well_before_the_stone_touches_is_always_found(sensors: Sensors) -> None:
    for seed in range(4):
        codes = [r.code for r in played(sensors, seed, -80) if isinstance(r, Irregular)]
        assert codes == ["clock-first"] * 6, f"seed {seed}"


def played(sensors: Sensors, seed: int, after_ms: int) -> list[object]:
    """Six stones by a hand at the simulated table, each with a press so long after it really touched."""
    table = SimulatedTable(sensors, seed=seed)
    pipeline = Pipeline(BoardWatcher(sensors), Referee(match_settings({"opening": "free"})))
    pipeline.put(Command(t_ns=0, do="start"))
    at_ns = 400 * MS
    for n, name in enumerate(["H8", "H9", "I8", "I9", "J8", "J9"]):
        act = table.place(at_ns, name, "black" if n % 2 == 0 else "white")
        pipeline.put(KeyPress(t_ns=act.touch_ns + after_ms * MS, key="near" if n % 2 == 0 else "far"))
        at_ns = act.end_ns + 300 * MS
    ruled = []
    for t_ns in range(0, at_ns + 500 * MS, PERIOD):
        pipeline.frame(t_ns, table.readings(t_ns))
        pipeline.keys_seen(t_ns)
        ruled += [ruling for step in pipeline.advance() for ruling in step.rulings]
    return ruled
