"""Lines of which nothing is seen at the start although stones should lie there."""

import pytest

from firmware_host.board import POINTS, parse_point
from firmware_host.sensing.silent import silent_lines
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from tests.sensing.watched import SECOND, Play, brief, watch

STONES = "H8 I8 C8 J9 H3 D4"


def board(*names: str) -> str:
    points = {parse_point(name) for name in names}
    return "".join("X" if p in points else "." for p in range(POINTS))


@pytest.mark.parametrize(
    ("gone", "lines"),
    [
        ("", []),
        ("H8 I8 C8", ["8"]),
        ("H8 H3", ["H"]),
        ("H8 I8 C8 H3", ["8"]),  # of file H only one more is missing
        ("H8 I8", []),  # C8 is seen
        ("J9", []),  # one alone
        ("H8 I8 C8 J9 H3 D4", []),  # all: no line
    ],
)
def test_a_line_with_several_stones_and_none_of_them_seen_may_be_dead(gone: str, lines: list[str]) -> None:
    missing = {parse_point(name) for name in gone.split()}
    lying = {parse_point(name) for name in STONES.split()} - missing
    assert silent_lines(board(*STONES.split()), lying.__contains__) == lines


def test_a_board_that_was_cleared_but_for_a_stone_has_no_dead_lines() -> None:
    stones = [f"{file}{rank}" for rank in (3, 6, 9, 12) for file in "CFIL"]
    assert silent_lines(board(*stones, "A1"), {parse_point("A1")}.__contains__) == []


@pytest.mark.parametrize("sensors", ["linear", "switch"])
def test_its_stones_are_known_and_it_is_believed_again_once_it_works(sensors: Sensors) -> None:
    play = Play(sensors)
    for name in STONES.split():
        play.place(name)
    start_ns, works_ns = play.now + SECOND, play.now + 11 * SECOND
    play.table.fault(start_ns, "dead", line="8", until_ns=works_ns)
    watcher = BoardWatcher(sensors, expected=board(*STONES.split()))
    until_ns = works_ns + 5 * SECOND
    frames = ((t, play.table.readings(t), 0) for t in range(start_ns, until_ns, SECOND // 100))
    events = brief(watch(frames, watcher))
    assert events[:2] == ["seen 6", "fault silent 8"]
    assert [e for e in events[2:] if not e.startswith(("weak", "seen 6"))] == ["cleared 8"]
    assert {p for p, sign in enumerate(watcher.occupancy) if sign != "."} == {
        parse_point(name) for name in STONES.split()
    }
    assert not watcher.masked
