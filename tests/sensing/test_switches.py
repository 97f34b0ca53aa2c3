"""Switches: bounce, flutter, faults."""

import numpy as np
import pytest

from firmware_host.board import POINTS, parse_point
from firmware_host.sensing.events import Placed
from firmware_host.sensing.watcher import BoardWatcher
from tests.sensing.watched import MS, RawFrame, brief, watch

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
