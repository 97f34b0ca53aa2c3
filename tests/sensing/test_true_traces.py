"""Recorded boards with the truth beside them: what the watcher tells is what happened."""

from typing import Any

import pytest

from firmware_host.board import NAMES
from firmware_host.sensing.events import AnyBoardEvent, Fault, Interference, Lifted, Placed, Scattered, Slid
from firmware_host.sensing.watcher import BoardWatcher
from tests.sensing.watched import SECOND, TRACES, Trace, read_trace, watch

TRACE_NAMES = sorted(path.name.removesuffix(".trace.gz") for path in TRACES.glob("*.trace.gz"))


@pytest.fixture(scope="module", params=TRACE_NAMES)
def told(request: pytest.FixtureRequest) -> tuple[Trace, list[AnyBoardEvent]]:
    trace = read_trace(request.param)
    return trace, watch(trace.frames, BoardWatcher(trace.sensors))


def truth(trace: Trace, *kinds: str) -> list[dict[str, Any]]:
    until = trace.truth.get("judge_until", 1e9)
    return [e for e in trace.truth["events"] if e["event"] in kinds and (e["t"] <= until or "points" in e)]


def test_stones_placed_and_lifted(told: tuple[Trace, list[AnyBoardEvent]]) -> None:
    trace, events = told
    until_ns = trace.truth.get("judge_until", 1e9) * SECOND
    want = truth(trace, "placed", "lifted")
    placed = {e["point"] for e in want if e["event"] == "placed"}
    slid_from = {NAMES[e.path[0]] for e in events if isinstance(e, Slid)} - placed
    ours = [
        e
        for e in events
        if isinstance(e, Placed | Lifted)
        and e.t_ns <= until_ns
        and not (isinstance(e, Placed) and NAMES[e.point] in slid_from)
    ]
    assert [(type(e).__name__.lower(), NAMES[e.point]) for e in ours] == [
        (e["event"], e["point"]) for e in want
    ]
    for event, true in zip(ours, want, strict=True):
        assert event.colour == (true["colour"] if trace.sensors == "linear" else None)
        late_s = event.t_ns / SECOND - true["t"]
        assert abs(late_s) < (0.07 if isinstance(event, Placed) else 0.5), (true, late_s)


def test_slides(told: tuple[Trace, list[AnyBoardEvent]]) -> None:
    trace, events = told
    slides = [e for e in events if isinstance(e, Slid)]
    for true in truth(trace, "slid"):
        mine = [e for e in slides if [NAMES[p] for p in e.path] == true["path"]]
        assert len(mine) == 1
        assert mine[0].first_contact_ns / SECOND == pytest.approx(true["first_contact"], abs=0.07)
        assert mine[0].t_ns / SECOND == pytest.approx(true["t"], abs=0.1)
    if "judge_until" not in trace.truth:
        assert {NAMES[e.path[0]] for e in slides} == {e["path"][0] for e in truth(trace, "slid")}


def test_scatters(told: tuple[Trace, list[AnyBoardEvent]]) -> None:
    trace, events = told
    scatters = [e for e in events if isinstance(e, Scattered)]
    want = truth(trace, "scattered")
    assert bool(scatters) == bool(want)
    for true in want:
        near = [e for e in scatters if -0.8 <= e.t_ns / SECOND - true["t"] <= 2]
        assert {NAMES[p] for e in near for p in e.points} == set(true["points"])


def test_alarms(told: tuple[Trace, list[AnyBoardEvent]]) -> None:
    trace, events = told
    alarms = [
        ("interference", None) if isinstance(e, Interference) else ("fault", e.line or NAMES[e.point or 0])
        for e in events
        if isinstance(e, Fault | Interference)
    ]
    want = [(e["event"], e.get("line") or e.get("point")) for e in truth(trace, "fault", "interference")]
    assert alarms == want
    for event, true in zip(
        (e for e in events if isinstance(e, Fault | Interference)),
        truth(trace, "fault", "interference"),
        strict=True,
    ):
        assert -0.3 <= event.t_ns / SECOND - true["t"] <= 1.5
