"""A calibration of simulated boards, from the sweep to the trace that a game leaves."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware_host.board import NAMES, POINTS, parse_point
from firmware_host.errors import BoardError
from firmware_host.sensing.watcher import EMPTY_BOARD, BoardWatcher
from firmware_host.service.calibrate import Calibrated, calibrate, keep
from firmware_host.service.calibration_file import load, stored_calibration
from firmware_host.service.config import load_config
from firmware_host.service.daemon import trace_keeper
from firmware_host.service.maker import SimulatedMaker
from firmware_host.service.replay import replay
from firmware_host.service.sensor_bench import BoardView, Time, VirtualTime
from hw import Frame
from hw.devices import open_devices
from hw.simulator.sensors import COUNTS_PER_MT, LinearSensors
from hw.simulator.table import SimulatedTable
from hw.trace import TraceWriter
from tests.sensing.laid_stones import laid

MS = 1_000_000
RATE = "scanner.rate_hz=100"


def calibrated(*settings: str, views: list[BoardView] | None = None, **more: Any) -> Calibrated:
    clock = VirtualTime()
    maker = SimulatedMaker(clock.now_ns, lambda _: None)
    show = views.append if views is not None else lambda _: None
    return calibrate(
        load_config(None, [RATE, *settings]), maker, Time(clock.now_ns, clock.sleep), show=show, **more
    )


@pytest.fixture(scope="module")
def done() -> Calibrated:
    return calibrated()


def test_zeros_and_gains_are_those_of_the_sensors(done: Calibrated) -> None:
    sensors = LinearSensors(1)
    true_gain = np.minimum(sensors._gain / COUNTS_PER_MT * 92, 127)
    share = np.array(done.kept.gain) / true_gain
    assert np.abs(np.array(done.kept.zero) - sensors._offset).max() < 0.6
    assert share.mean() == pytest.approx(0.97, abs=0.05)
    assert share.min() > 0.6  # a hand pushes a stone beside the middle
    assert share.max() < 1.15
    assert done.unswept == ()
    assert done.kept.board == "simulator, seed 1"


def test_a_sweep_by_hand_is_good_enough_to_help(done: Calibrated) -> None:
    """Half a magnet is told to be weak wherever it lies, and a dim one is believed as soon as it lies."""
    stored = done.kept.stored()
    assert laid(1, 0.5, stored)[1] > laid(1, 0.5, None)[1]
    assert max(laid(1, 0.8, stored)[2]) < 120 < max(laid(1, 0.8, None)[2])
    assert laid(1, 1.0, stored)[:2] == (24, 0)


def test_what_is_broken_is_left_out_and_what_is_weak_is_told() -> None:
    views: list[BoardView] = []
    done = calibrated("simulator.mistakes=dead C4, stuck G7, weak M12", views=views)
    assert set(done.unswept) == {"C4", "G7"}
    kinds = {(finding.kind, finding.where) for finding in done.findings}
    assert {("dead", "C4"), ("stuck", "G7"), ("weak-sensor", "M12")} <= kinds
    assert "not swept: C4 G7" in done.text()
    assert done.kept.zero[parse_point("G7")] == 0
    assert {"empty", "sweep"} <= {view.step for view in views}
    assert len(views[-1].seen) >= 220


def test_switches_have_nothing_to_calibrate() -> None:
    with pytest.raises(BoardError, match="a board of switches has nothing to calibrate"):
        calibrated("scanner.sensors=switch")


def test_it_is_kept_and_sensing_begins_with_it(tmp_path: Path, done: Calibrated) -> None:
    config = load_config(None, [f"journal.path={tmp_path / 'j.db'}"])
    path = keep(config, done)
    assert load(Path(path)) == done.kept
    stored, trouble = stored_calibration(config)
    assert trouble == ""
    assert stored is not None
    assert stored.header() == {"zero": list(done.kept.zero), "gain": list(done.kept.gain)}


def test_a_trace_says_what_sensing_began_with_and_a_replay_begins_with_the_same(
    tmp_path: Path, done: Calibrated
) -> None:
    """A stone of half strength over the least sensitive sensor: weak or not depends on the calibration."""
    stored = done.kept.stored()
    table = SimulatedTable(seed=1)
    at = max(range(POINTS), key=lambda p: stored.gain[p])
    act = table.place(700 * MS, at, "black", strength=0.45)
    frames = [Frame(t, table.readings(t)) for t in range(0, act.end_ns + 1500 * MS, 5 * MS)]

    def told(calibration: Any) -> list[dict[str, Any]]:
        path = tmp_path / "x.trace.gz"
        extra = {} if calibration is None else {"calibration": calibration}
        writer = TraceWriter(path, sensors="linear", rate_hz=200, match={"opening": "free"}, extra=extra)
        for frame in frames:
            writer.frame(frame)
        writer.close()
        return [line for line in replay(path) if line.get("event") in ("placed", "weak")]

    def live(**known: Any) -> list[tuple[str, int, int]]:
        watcher = BoardWatcher("linear", expected=EMPTY_BOARD, **known)
        events = [event for frame in frames for event in watcher.frame(frame.t_ns, frame.readings)]
        return [
            (type(e).__name__.lower(), e.point, e.t_ns)
            for e in events
            if type(e).__name__ in ("Placed", "Weak")
        ]

    for calibration, known in ((None, {}), (stored.header(), {"stored": stored})):
        replayed = [
            (line["event"], parse_point(line["point"]), round(line["t"] * 1e9)) for line in told(calibration)
        ]
        assert replayed == live(**known)
        assert replayed[0][:2] == ("placed", at)
    assert len(told(stored.header())) == 2
    assert len(told(None)) == 1
    assert told("of another program") == told(None)


def test_the_daemons_traces_have_it_in_their_header(tmp_path: Path, done: Calibrated) -> None:
    config = load_config(None, [f"journal.path={tmp_path / 'j.db'}"])
    devices = open_devices({})
    keeper = trace_keeper(config, devices, done.kept.stored())
    keeper.frame(Frame(0, bytes(POINTS)))
    path = keeper.save_now("call")
    keeper.close()
    devices.close()
    with gzip.open(path) as file:
        header = json.loads(file.readline())
    assert header["calibration"] == done.kept.stored().header()
    assert len(header["calibration"]["zero"]) == len(NAMES)
