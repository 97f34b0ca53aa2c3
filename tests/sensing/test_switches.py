"""Switches: bounce, flutter, faults."""

import numpy as np
import pytest

from firmware_host.board import POINTS, parse_point
from firmware_host.sensing.events import Fault, Placed
from firmware_host.sensing.watcher import BoardWatcher
from tests.sensing.watched import MS, Play, RawFrame, brief, watch

H8 = parse_point("H8")


def closures(text: str, *, at: int = H8, frame_ms: int = 5) -> list[RawFrame]:
    """One character a frame: `#` closed, `.` open; 20 open frames before, 200 of the last one after."""
    frames = []
    for k, c in enumerate("." * 20 + text + text[-1] * 200):
        frame = bytearray(POINTS)
        frame[at] = c == "#"
        frames.append((k * frame_ms * MS, bytes(frame), 0))
    return frames


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#" * 20, ["placed H8 ?"]),
        ("#.#.#" + "#" * 20, ["placed H8 ?"]),
        ("#" * 5 + ".", []),
        ("#" * 20 + "." * 100, ["placed H8 ?", "lifted H8 ?"]),
        ("#" * 20 + ".#." + "." * 100, ["placed H8 ?", "lifted H8 ?"]),
        ("#" * 20 + "." * 60 + "#", ["placed H8 ?", "adjusted H8 ?"]),
        ("#" * 20 + "." * 6 + "#", ["placed H8 ?"]),
        ("#" * 20 + "." * 90 + "#" * 20, ["placed H8 ?", "lifted H8 ?", "placed H8 ?"]),
    ],
)
def test_one_contact(text: str, words: list[str]) -> None:
    events = watch(closures(text), BoardWatcher("switch"))
    assert brief(events) == ["seen 0", *words]
    assert [e.t_ns for e in events if isinstance(e, Placed)][:1] == [100 * MS][: len(words)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#" * 20 + "." * 100, ["placed H8 {}", "lifted H8 {}"]),
        ("#.#.#" + "#" * 20, ["placed H8 {}"]),
        ("#" * 20 + "." * 60 + "#", ["placed H8 {}", "adjusted H8 {}"]),
    ],
)
@pytest.mark.parametrize(("reading", "colour"), [(92, "black"), (256 - 92, "white"), (1, "?")])
def test_switches_for_each_pole_tell_the_colour(
    text: str, words: list[str], reading: int, colour: str
) -> None:
    frames = [(t, bytes(reading * r for r in f), lost) for t, f, lost in closures(text)]
    watcher = BoardWatcher("switch")
    assert brief(watch(frames, watcher)) == ["seen 0", *(w.format(colour) for w in words)]
    assert watcher.occupancy[H8] == (
        {"black": "X", "white": "O"}.get(colour, "?") if text[-1] == "#" else "."
    )


def test_a_stone_of_the_other_colour_is_another_stone() -> None:
    first, second = closures("#" * 20 + "." * 30 + "#" * 20), []
    for n, (t, frame, lost) in enumerate(first):
        reading = 92 if n < 50 else 256 - 92
        second.append((t, bytes(reading * r for r in frame), lost))
    words = brief(watch(second, BoardWatcher("switch")))[1:]
    assert words == ["placed H8 black", "lifted H8 black", "placed H8 white"]


def test_what_lies_there_at_the_start_has_its_colour() -> None:
    frames = [(n * 5 * MS, bytes([92, 256 - 92, 1]) + bytes(222), 0) for n in range(30)]
    watcher = BoardWatcher("switch")
    watch(frames, watcher)
    assert watcher.occupancy[:4] == "XO?."


@pytest.mark.parametrize("gap_frames", [0, 4, 20, 39, 41, 100])
def test_the_gap_between_two_neighbours_tells_a_slide_from_a_hand(gap_frames: int) -> None:
    first = closures("#" * 20 + "." * 300)
    second = closures("." * (20 + gap_frames) + "#" * (300 - gap_frames), at=H8 + 1)
    both = [
        (t, bytes(a | b for a, b in zip(x, y, strict=True)), 0)
        for (t, x, _), (_, y, _) in zip(first, second, strict=True)
    ]
    words = brief(watch(both, BoardWatcher("switch")))[1:]
    if gap_frames * 5 < 200:
        assert words == ["placed H8 ?", "slid H8-I8"]
    else:
        assert words == ["placed H8 ?", "lifted H8 ?", "placed I8 ?"]


@pytest.mark.parametrize("seed", range(5))
def test_a_fluttering_contact_is_noisy_and_never_a_stone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = "".join(rng.choice(["#", "."], 800)) + "." * 1100
    assert brief(watch(closures(text), BoardWatcher("switch"))) == ["seen 0", "fault noisy H8", "cleared H8"]


def test_a_stone_that_flutters_stays_and_is_named_weak() -> None:
    rng = np.random.default_rng(1)
    text = "#" * 300 + "".join(rng.choice(["#", "."], 800)) + "#" * 300
    assert brief(watch(closures(text), BoardWatcher("switch"))) == ["seen 0", "placed H8 ?", "weak H8"]


def test_two_colourless_stones_at_once() -> None:
    frames = []
    for k in range(200):
        frame = bytearray(POINTS)
        frame[0] = k >= 50
        frame[200] = k >= 52
        frames.append((k * 5 * MS, bytes(frame), 0))
    assert brief(watch(frames, BoardWatcher("switch"))) == ["seen 0", "placed A1 ?", "placed F14 ?"]


def test_stones_that_bounce_at_the_start_are_seen() -> None:
    assert brief(watch(closures("#")[20:], BoardWatcher("switch"))) == ["seen 1"]
    bouncing = [(t, r if k != 1 else bytes(POINTS), n) for k, (t, r, n) in enumerate(closures("#")[20:])]
    assert brief(watch(bouncing, BoardWatcher("switch"))) == ["seen 1"]


@pytest.mark.parametrize("closed", [0.5, 0.6])
@pytest.mark.parametrize("from_ms", [0, 2000])
def test_a_fluttering_contact_is_no_stone_at_a_slow_scan(closed: float, from_ms: int) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        text = "." * (from_ms // 10) + "".join("#" if x else "." for x in rng.random(400) < closed)
        frames = [(t, r, n) for t, r, n in closures(text, frame_ms=10) if from_ms or t >= 200 * MS]
        events = watch(frames, BoardWatcher("switch", expected="." * POINTS))
        assert not [e for e in events if isinstance(e, Placed)]
        onset = max(from_ms, 0) + 200
        faults = [e.t_ns for e in events if isinstance(e, Fault)]
        assert faults[0] <= (onset + 1500) * MS


def test_a_contact_that_is_closed_by_chance_at_the_start_is_noisy() -> None:
    rng = np.random.default_rng(3)
    text = "#" * 14 + "".join(rng.choice(["#", "."], 400)) + "."
    assert brief(watch(closures(text)[20:], BoardWatcher("switch")))[:2] == ["seen 1", "fault noisy H8"]


def test_a_slide_over_a_contact_that_bounces_much_keeps_its_path() -> None:
    first = closures("#" * 30 + "." * 100, frame_ms=10)
    second = closures("." * 35 + "#.#.#..#.#." + "." * 100, at=H8 + 1, frame_ms=10)
    third = closures("." * 50 + "#" * 81, at=H8 + 2, frame_ms=10)
    frames = [
        (t, bytes(a | b | c for a, b, c in zip(x, y, z, strict=True)), 0)
        for (t, x, _), (_, y, _), (_, z, _) in zip(first, second, third, strict=False)
    ]
    assert brief(watch(frames, BoardWatcher("switch")))[1:] == ["placed H8 ?", "slid H8-I8-J8"]


@pytest.mark.parametrize(("over", "height", "strength"), [("G6", 90, 400), ("H8", 60, 400), ("A15", 50, 300)])
@pytest.mark.parametrize("rate_hz", [100, 200])
def test_a_phone_closes_switches_side_by_side_and_places_nothing(
    over: str, height: float, strength: float, rate_hz: int
) -> None:
    play = Play("switch", 2, rate_hz=rate_hz)
    play.place("H8")
    phone = play.table.phone(play.now, 2000, over=over, height_mm=height, strength=strength)
    play.now = phone.end_ns
    play.wait(1000)
    play.place("C12", "white")
    events = play.events()
    assert brief(events) == ["placed H8 ?", "interference", "cleared field", "placed C12 ?"]
    assert phone.start_ns < events[1].t_ns < phone.touch_ns


def test_a_stone_that_comes_under_a_field_counts_when_the_field_has_gone() -> None:
    frames = []
    for k in range(1000):
        frame = bytearray(POINTS)
        for p in (H8, H8 + 1, H8 + 15):
            frame[p] = 100 <= k < 500
        frame[H8 + 16] = k >= 300
        frame[0] = k >= 350
        frames.append((k * 5 * MS, bytes(frame), 0))
    events = watch(frames, BoardWatcher("switch"))
    assert brief(events) == ["seen 0", "interference", "placed A1 ?", "placed I9 ?", "cleared field"]


@pytest.mark.parametrize("gap_frames", [14, 20])
def test_three_quick_stones_side_by_side_are_stones(gap_frames: int) -> None:
    frames = []
    for k in range(400):
        frame = bytearray(POINTS)
        for i, p in enumerate((H8, H8 + 1, H8 + 15)):
            frame[p] = k >= 50 + i * gap_frames
        frames.append((k * 5 * MS, bytes(frame), 0))
    events = watch(frames, BoardWatcher("switch"))
    assert brief(events) == ["seen 0", "placed H8 ?", "placed I8 ?", "placed H9 ?"]
