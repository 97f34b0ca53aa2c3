"""The watcher as a whole: its contract, and what must not depend on how one looks at the board."""

import numpy as np
import pytest

from firmware_host.board import NAMES, POINTS, parse_point
from firmware_host.errors import NotationError
from firmware_host.sensing.events import AnyBoardEvent, Cleared, Fault, Placed, Seen, Slid
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from tests.sensing.watched import MS, SECOND, Play, RawFrame, brief, points, told, watch


def some_play(seed: int, sensors: str = "linear") -> Play:
    """A stone of each colour, a slide, a lift, another stone."""
    play = Play(sensors, seed)  # type: ignore[arg-type]
    play.place("H8")
    play.place("I9", "white")
    play.place_sliding("C4", "D5", "E6", colour="white")
    play.lift("H8")
    play.place("A1")
    return play


@pytest.fixture(scope="module")
def recorded() -> list[RawFrame]:
    return list(some_play(5).frames())


@pytest.fixture(scope="module")
def plain(recorded: list[RawFrame]) -> list[AnyBoardEvent]:
    return watch(recorded, BoardWatcher("linear"))


def test_what_happened_is_told(plain: list[AnyBoardEvent]) -> None:
    assert told(plain[1:]) == some_play(5).truth


def test_seen_comes_once_when_the_first_settle_time_has_passed(plain: list[AnyBoardEvent]) -> None:
    assert [e.t_ns for e in plain if isinstance(e, Seen)] == [40 * MS]


@pytest.mark.parametrize("shift_ns", [1, 123_456_789, 86_400 * SECOND + 7, 10**18])
def test_a_shift_in_time_shifts_the_events(
    recorded: list[RawFrame], plain: list[AnyBoardEvent], shift_ns: int
) -> None:
    shifted = watch(((t + shift_ns, r, n) for t, r, n in recorded), BoardWatcher("linear"))
    assert [(e.t_ns - shift_ns, brief([e])) for e in shifted] == [(e.t_ns, brief([e])) for e in plain]


def test_negated_readings_swap_the_colours(recorded: list[RawFrame], plain: list[AnyBoardEvent]) -> None:
    negated = ((t, (-np.frombuffer(r, np.int8)).tobytes(), n) for t, r, n in recorded)
    swap = {"black": "white", "white": "black"}
    expected = [" ".join(swap.get(w, w) for w in text.split()) for text in brief(plain)]
    assert brief(watch(negated, BoardWatcher("linear"))) == expected


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_board_gives_turned_events(
    recorded: list[RawFrame], plain: list[AnyBoardEvent], quarters: int
) -> None:
    table = np.rot90(np.arange(POINTS).reshape(15, 15), quarters).reshape(POINTS)
    turned = ((t, np.frombuffer(r, np.int8)[table].tobytes(), n) for t, r, n in recorded)
    placed = [
        (e.t_ns, table[e.point]) for e in watch(turned, BoardWatcher("linear")) if isinstance(e, Placed)
    ]
    assert placed == [(e.t_ns, e.point) for e in plain if isinstance(e, Placed)]


def test_turned_means_that_readings_come_in_the_order_of_the_plane(
    recorded: list[RawFrame], plain: list[AnyBoardEvent]
) -> None:
    reversed_ = [(t, r[::-1], n) for t, r, n in recorded]
    assert watch(reversed_, BoardWatcher("linear", turned=True)) == plain


def test_the_same_frames_give_the_same_events(recorded: list[RawFrame], plain: list[AnyBoardEvent]) -> None:
    assert watch(recorded, BoardWatcher("linear")) == plain


@pytest.mark.parametrize("sigma", [0.3, 1.2, 5.0])
@pytest.mark.parametrize("rate_hz", [50, 400])
def test_noise_alone_tells_nothing(sigma: float, rate_hz: int) -> None:
    rng = np.random.default_rng(7)
    offsets = rng.uniform(-8, 8, POINTS)
    noise = rng.normal(0, sigma, (2 * rate_hz, POINTS))
    frames = (
        (k * SECOND // rate_hz, np.rint(offsets + row).astype(np.int8).tobytes(), 0)
        for k, row in enumerate(noise)
    )
    assert brief(watch(frames, BoardWatcher("linear"))) == ["seen 0"]


def test_lost_frames_are_told_and_are_no_empty_board(
    recorded: list[RawFrame], plain: list[AnyBoardEvent]
) -> None:
    kept: list[RawFrame] = []
    lost = 0
    for k, (t, r, _) in enumerate(recorded):
        if k % 97 < 9 and k > 20:
            lost += 1
            continue
        kept.append((t, r, lost))
        lost = 0
    words = brief(watch(kept, BoardWatcher("linear")))
    assert "lost 9" in words
    assert [w for w in words if "lost" not in w and "C4" not in w] == [
        w for w in brief(plain) if "C4" not in w
    ]


@pytest.mark.parametrize("sensors", ["linear", "switch"])
def test_lost_frames_are_told_at_once_where_nothing_happens(sensors: Sensors) -> None:
    frames = [(k * 5 * MS, bytes(POINTS), 0) for k in range(100)]
    watcher = BoardWatcher(sensors)
    watch(frames, watcher)
    assert brief(watcher.frame(520 * MS, bytes(POINTS), 3)) == ["lost 3"]


@pytest.mark.parametrize("rate_hz", [50, 100, 200, 400])
def test_a_contact_is_dated_to_when_the_stone_touched(rate_hz: int) -> None:
    play = Play(seed=rate_hz, rate_hz=rate_hz)
    for name in ("H8", "A15", "O1"):
        play.place(name)
    placed = [e for e in play.events() if isinstance(e, Placed)]
    for event, touched_ns in zip(placed, play.touched, strict=True):
        assert abs(event.t_ns - touched_ns) < 40 * MS


def test_a_held_lift_holds_back_the_time_seen(recorded: list[RawFrame]) -> None:
    watcher = BoardWatcher("linear")
    behind = 0
    for t_ns, readings, lost in recorded:
        watcher.frame(t_ns, readings, lost)
        behind = max(behind, t_ns - watcher.seen_until_ns)
    assert 390 * MS <= behind <= 600 * MS
    assert watcher.seen_until_ns == recorded[-1][0]


def test_a_hovering_stone_does_not_hold_it_back_for_ever() -> None:
    rng = np.random.default_rng(3)
    watcher = BoardWatcher("linear")
    for k in range(1000):
        readings = rng.normal(0, 1.2, POINTS)
        if k >= 100:
            readings[112] += 35 + 12 * np.sin(k / 6)
        watcher.frame(k * 5 * MS, np.rint(readings).astype(np.int8).tobytes())
        assert watcher.seen_until_ns >= k * 5 * MS - SECOND


def test_a_frame_that_is_not_newer_is_passed_over(
    recorded: list[RawFrame], plain: list[AnyBoardEvent]
) -> None:
    twice = [f for frame in recorded for f in (frame, frame)]
    watcher = BoardWatcher("linear")
    assert [e for t, r, n in twice for e in watcher.frame(t, r, n)] == plain


def test_the_board_as_it_lies_is_seen_at_the_start() -> None:
    play = Play(seed=3)
    stones = {"H8": "black", "A1": "white", "O15": "black", "I8": "white"}
    play.table.set_up(stones)  # type: ignore[arg-type]
    play.wait(500)
    watcher = BoardWatcher("linear")
    events = watch(play.frames(), watcher)
    assert brief(events) == ["seen 4"]
    assert {NAMES[p]: c for p, c in enumerate(watcher.occupancy) if c != "."} == {
        "H8": "X", "A1": "O", "O15": "X", "I8": "O",
    }  # fmt: skip


def test_a_masked_point_is_not_believed_until_it_is_unmasked() -> None:
    play = Play(seed=4)
    play.place("H8")
    frames = list(play.frames())
    watcher = BoardWatcher("linear")
    watch(frames[:10], watcher)
    watcher.mask(parse_point("H8"))
    assert watcher.masked == {parse_point("H8")}
    assert watch(frames[10:], watcher) == []
    watcher.unmask(parse_point("H8"))
    last_ns, readings, _ = frames[-1]
    assert brief(watcher.frame(last_ns + 10 * MS, readings)) == ["seen 1"]
    assert watcher.masked == frozenset()


@pytest.mark.parametrize("sensors", ["linear", "switch"])
def test_a_slide_over_a_masked_point_names_it(sensors: str) -> None:
    play = Play(sensors, 5)  # type: ignore[arg-type]
    play.place_sliding("C4", "D4", "E4", speed=300)
    frames = list(play.frames())
    watcher = BoardWatcher(sensors)  # type: ignore[arg-type]
    watch(frames[:10], watcher)
    watcher.mask(parse_point("D4"))
    assert [e.path for e in watch(frames[10:], watcher) if isinstance(e, Slid)] == [points("C4 D4 E4")]


def test_a_switch_that_is_closed_where_nothing_should_lie() -> None:
    closed = bytearray(POINTS)
    closed[parse_point("B2")] = closed[parse_point("C3")] = 1
    expected = "." * 32 + "X" + "." * 192
    watcher = BoardWatcher("switch", expected=expected)
    frames = [(k * 5 * MS, bytes(closed) if k < 200 else bytes(225), 0) for k in range(400)]
    events = watch(frames, watcher)
    assert brief(events) == ["seen 1", "fault closed-at-start B2", "cleared B2", "lifted C3 ?"]
    assert [e.t_ns <= 100 * MS for e in events if isinstance(e, Fault)] == [True]
    assert [e.t_ns for e in events if isinstance(e, Cleared)] == [SECOND]


def test_errors_name_what_is_wrong() -> None:
    watcher = BoardWatcher("linear")
    with pytest.raises(NotationError, match="225 readings, this one has 3"):
        watcher.frame(0, b"abc")
    with pytest.raises(NotationError, match="point 225 is not on the board"):
        watcher.mask(225)
    with pytest.raises(NotationError, match="225 characters"):
        BoardWatcher("switch", expected="X")
