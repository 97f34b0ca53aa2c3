"""A trace through the whole pipeline: frames that were left out, lost frames, the end of the clocks."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import parse_point
from firmware_host.service.replay import replay

TRACES = Path(__file__).parents[1] / "traces"
NAMES = sorted(path.name.removesuffix(".trace.gz") for path in TRACES.glob("*.trace.gz"))


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_game_comes_out_as_it_was(name: str) -> None:
    truth = json.loads((TRACES / f"{name}.truth.json").read_text())
    final = list(replay(TRACES / f"{name}.trace.gz"))[-1]["final"]
    assert final["moves"] == truth["moves"]
    assert [[i["code"], i["point"]] for i in final["irregular"]] == truth.get("irregular", [])
    assert final["winner"] == truth.get("winner")


def frame(t_us: int, *stones: str) -> dict[str, Any]:
    readings = bytearray(225)
    for name in stones:
        readings[parse_point(name)] = 1
    return {"t_us": t_us, "f": base64.b64encode(bytes(readings)).decode()}


def play(tmp_path: Path, *lines: dict[str, Any], rate_hz: int = 200, **match: object) -> list[dict[str, Any]]:
    """What a trace of switches with these lines prints."""
    header = {"format": "renju-board-trace", "version": 1, "sensors": "switch", "rate_hz": rate_hz}
    path = tmp_path / "made.trace.gz"
    with gzip.open(path, "wt") as file:
        for line in ({**header, "match": {"opening": "free", **match}}, *lines):
            file.write(json.dumps(line) + "\n")
    return list(replay(path))


def rulings(printed: list[dict[str, Any]], *kinds: str) -> list[tuple[str, float]]:
    return [(line["ruling"], line["t"]) for line in printed if line.get("ruling") in kinds]


def test_a_stone_settles_in_the_second_after_the_last_line_and_no_clock_runs_in_it(tmp_path: Path) -> None:
    printed = play(tmp_path, frame(0), frame(700_000, "H8"), time="1s")
    assert rulings(printed, "move", "over") == [("move", 0.7)]
    assert printed[-1]["final"]["remaining_ms"] == {"black": 300, "white": 1000}


def test_the_clock_falls_at_its_deadline_between_two_lines(tmp_path: Path) -> None:
    printed = play(tmp_path, frame(0), frame(700_000, "H8"), {"t_us": 5_000_000, "key": "near"}, time="1s")
    assert rulings(printed, "flag", "over") == [("flag", 1.0), ("over", 1.0)]
    assert printed[-1]["final"]["reason"] == "time"


def test_the_round_begins_with_a_start_command_where_there_is_one(tmp_path: Path) -> None:
    printed = play(
        tmp_path, frame(0), {"t_us": 400_000, "command": {"do": "start"}}, frame(900_000, "H8"), time="10s"
    )
    assert rulings(printed, "started") == [("started", 0.4)]
    assert printed[-1]["final"]["remaining_ms"]["black"] == 9500


def test_a_press_in_the_same_instant_as_the_frame_of_its_stone_is_in_order(tmp_path: Path) -> None:
    printed = play(tmp_path, frame(0), frame(500_000, "H8"), {"t_us": 500_000, "key": "near"}, time="10s")
    assert rulings(printed, "move", "press", "irregular") == [("move", 0.5), ("press", 0.5)]
    assert printed[-1]["final"]["remaining_ms"] == {"black": 9500, "white": 10_000}


@pytest.mark.parametrize("rate_hz", [50, 100, 300, 400])
def test_frames_that_were_left_out_are_scanned_again_at_any_rate(tmp_path: Path, rate_hz: int) -> None:
    printed = play(tmp_path, frame(0), frame(500_000, "H8"), frame(2_000_000, "H8", "H9"), rate_hz=rate_hz)
    assert printed[-1]["final"]["moves"] == ["H8", "H9"]


def test_lost_frames_are_told_and_are_no_empty_board(tmp_path: Path) -> None:
    lines = [frame(0), frame(500_000, "H8"), {"t_us": 2_000_000, "lost": 40}, frame(2_200_000, "H8")]
    printed = play(tmp_path, *lines)
    assert [line["count"] for line in printed if line.get("event") == "frames-lost"] == [40]
    assert not [line for line in printed if line.get("event") in ("lifted", "adjusted")]


def test_the_far_side_turns_board_and_keys(tmp_path: Path) -> None:
    lines = [frame(0), frame(500_000, "A1"), {"t_us": 800_000, "key": "far"}]
    printed = play(tmp_path, *lines, black_sits="far", time="10s")
    assert printed[-1]["final"]["moves"] == ["O15"]
    assert printed[-1]["final"]["remaining_ms"] == {"black": 9200, "white": 10_000}


def test_the_menus_of_a_trace_give_their_commands_again(tmp_path: Path) -> None:
    keys = ["near-menu", "near", "near-call", "near-call"]
    lines = [{"t_us": 500_000 + n * 100_000, "key": name} for n, name in enumerate(keys)]
    printed = play(tmp_path, frame(0), *lines, frame(900_000, "H8"), time="10s")
    assert rulings(printed, "press", "called", "over") == [("over", 0.8)]
    assert printed[-1]["final"]["reason"] == "resignation"
    assert printed[-1]["final"]["winner"] == "white"


def test_the_same_trace_prints_the_same(tmp_path: Path) -> None:
    name = TRACES / "switch-scatter-1.trace.gz"
    assert list(replay(name)) == list(replay(name))


def test_two_stones_on_tengen_after_the_end_are_nothing(tmp_path: Path) -> None:
    lines, stones = [frame(0)], []
    for n, name in enumerate(["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8"]):
        stones.append(name)
        t_us = 500_000 + n * 500_000
        lines += [frame(t_us, *stones), {"t_us": t_us + 200_000, "key": ("near", "far")[n % 2]}]
    stones.remove("H8")
    lines += [
        frame(6_000_000, *stones),
        frame(7_000_000, *stones, "C3"),
        frame(8_000_000, *stones, "C3", "D3"),
    ]
    printed = play(tmp_path, *lines)
    assert rulings(printed, "over") == [("over", 4.5)]
    assert printed.index(next(line for line in printed if line.get("ruling") == "over")) == len(printed) - 2
    assert printed[-1]["final"]["winner"] == "black"


def test_a_board_that_is_left_alone_for_days_is_read_at_once(tmp_path: Path) -> None:
    days_us = 6 * 24 * 3600 * 1_000_000
    lines = [frame(0), frame(500_000, "H8"), {"t_us": 800_000, "key": "near"}, frame(days_us, "H8", "H9")]
    printed = play(tmp_path, *lines, time="1h")
    assert rulings(printed, "move", "flag") == [("move", 0.5), ("flag", 3600.8)]
    printed = play(tmp_path, *lines)
    assert printed[-1]["final"]["moves"] == ["H8", "H9"]


def test_a_result_that_is_undone_lets_the_board_be_told_again(tmp_path: Path) -> None:
    printed = play(
        tmp_path,
        frame(0),
        {"t_us": 300_000, "command": {"do": "result", "black": 1, "white": 0}},
        {"t_us": 400_000, "command": {"do": "compensate", "entry": 1}},
        {"t_us": 500_000, "command": {"do": "resume"}},
        frame(900_000, "H8"),
    )
    assert rulings(printed, "over", "reopened", "move") == [("over", 0.3), ("reopened", 0.4), ("move", 0.9)]
    assert [line["point"] for line in printed if line.get("event") == "placed"] == ["H8"]
    assert printed[-1]["final"]["result"] is None


def say(t_us: int, do: object, **fields: object) -> dict[str, Any]:
    return {"t_us": t_us, "command": {"do": do, **fields}}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"do": "frobnicate"}, "do = 'frobnicate' is not a command; allowed: start"),
        ({"do": ["start"]}, "is not a command"),
        ({"do": "note", "text": "x", "colour": "red"}, "note takes no 'colour'; allowed: by, text, side"),
        ({"do": "mask", "point": "Z9"}, "'Z9' is not a point; allowed: A1 to O15"),
        ({"do": "claim", "code": "slide"}, "claim needs 'side': black, white"),
        ({"do": "note", "text": "x", "by": "me"}, "by = 'me' is not possible; allowed: arbiter"),
        ({"do": "start", "when": "now"}, "start takes no 'when'"),
    ],
)
def test_a_command_that_cannot_be_read_is_refused_and_the_rest_is_ruled(
    tmp_path: Path, given: dict[str, Any], why: str
) -> None:
    lines = [frame(0), {"t_us": 500_000, "command": given}, frame(700_000, "H8")]
    printed = play(tmp_path, *lines)
    (refused,) = [line for line in printed if line.get("ruling") == "refused"]
    assert (refused["t"], refused["do"]) == (0.5, str(given["do"]))
    assert why in refused["why"]
    assert printed[-1]["final"]["moves"] == ["H8"]


def test_a_time_of_null_is_none(tmp_path: Path) -> None:
    printed = play(tmp_path, frame(0), frame(700_000, "H8"), time=None)
    assert printed[-1]["final"]["remaining_ms"] is None
