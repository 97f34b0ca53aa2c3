"""`renju-board calibrate`: the empty board, then stones swept over the points; sensing begins with it."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from firmware_host.board import NAMES, POINTS, Point
from firmware_host.errors import BoardError
from firmware_host.sensing.sensor_report import BROKEN, CAUSES, Finding, judge_empty, judge_gains
from firmware_host.sensing.sweep import LEAST_COUNTS, Sweep
from firmware_host.service.calibration_file import CalibrationFile, board_name, calibration_path, save
from firmware_host.service.check import only
from firmware_host.service.config import Config
from firmware_host.service.maker import Maker, SimulatedMaker
from firmware_host.service.sensor_bench import SECOND, BoardView, SensorBench, Time, unseen
from firmware_host.service.wall_clock import synchronised, wall_ns, wall_text
from hw.devices import open_devices
from hw.simulator.scanner import SimulatedScanner

EMPTY_S: Final = 3.0
REST_S: Final = 2.0
"""When every point has been swept and no better reading has come for so long, the sweep is over."""
LOOK_NS: Final = SECOND // 10
SELF_TEST_S: Final = 0.5


class Calibrated(NamedTuple):
    """What came of it: the file, the findings, and the points that were not swept."""

    kept: CalibrationFile
    findings: tuple[Finding, ...]
    unswept: tuple[str, ...]

    def text(self) -> str:
        """The result for people."""
        lines = [f"{POINTS - len(self.unswept)} of {POINTS} sensors are calibrated"]
        if self.unswept:
            lines.append(f"not swept: {' '.join(self.unswept)}")
        lines += [
            f"{each.where}: {CAUSES[each.kind].measured} ({each.figures})".replace(" ()", "")
            for each in self.findings
        ]
        return "\n".join(lines)


def calibrate(
    config: Config,
    maker: Maker,
    time: Time,
    *,
    white: bool = False,
    show: Callable[[BoardView], None] = unseen,
) -> Calibrated:
    """Measure the board of a configuration; `white`: with white stones too.

    Raises BoardError for a board of switches, DeviceError and LinkError for a scanner that cannot be read.
    """
    devices = open_devices(only(config, "scanner"), now_ns=time.now_ns)
    try:
        scanner = devices.scanner
        if scanner.sensors != "linear":
            raise BoardError(
                "a board of switches has nothing to calibrate; `renju-board check` tests its switches"
            )
        if isinstance(scanner, SimulatedScanner) and devices.table is not None:
            scanner = SimulatedScanner(
                devices.table, config.scanner.rate_hz, now_ns=time.now_ns, sleep=time.sleep
            )
        if isinstance(maker, SimulatedMaker):
            maker.table = devices.table
        bench = SensorBench(scanner, show, clock=time)
        return _measure(config, bench, maker, white)
    finally:
        devices.close()


def _measure(config: Config, bench: SensorBench, maker: Maker, white: bool) -> Calibrated:
    bench.read()
    maker.clear_board()
    bench.catch_up()
    bench.step = "empty"
    maker.say(f"Measuring the empty board for {EMPTY_S:.0f} seconds.")
    board, _ = bench.measure(EMPTY_S)
    found = judge_empty(board, "linear")
    broken = frozenset(_points_of(found))
    sweep = Sweep(bench.zero)
    bench.step = "sweep"
    for sign in (1, -1) if white else (1,):
        maker.sweep(sign)
        _follow(bench, sweep, sign, maker, broken)
        maker.clear_board()
    found += judge_gains(np.where([p in broken for p in range(POINTS)], 0, sweep.gain).astype(np.float32))
    stored = sweep.stored(broken)
    kept = CalibrationFile(
        board=board_name(config),
        measured=wall_text(wall_ns()),
        synchronised=synchronised(),
        temperature_c=chip_temperature(bench),
        zero=stored.zero,
        gain=stored.gain,
        noise=tuple(round(float(value), 2) for value in bench.noise),
    )
    unswept = tuple(name for name, gain in zip(NAMES, stored.gain, strict=True) if not gain)
    return Calibrated(kept, tuple(found), unswept)


def _follow(bench: SensorBench, sweep: Sweep, sign: int, maker: Maker, broken: frozenset[Point]) -> None:
    """Watch the sweep until every sensor has had its stone, or the maker has had enough."""
    bench.colour = {1: "black", -1: "white"}[sign]
    passed = sweep.black if sign > 0 else sweep.white
    best = 0.0
    looked_ns = better_ns = start_ns = bench.read().t_ns
    while not maker.gives_up():
        frame = bench.read()
        sweep.take(frame.t_ns, frame.readings)
        if frame.t_ns - looked_ns < LOOK_NS:
            continue
        looked_ns = frame.t_ns
        total = float(passed.sum())
        if total > best + 1:
            best, better_ns = total, frame.t_ns
        bench.seen = set(np.flatnonzero(passed >= LEAST_COUNTS).tolist())
        complete = len(bench.seen & sweep.done | broken) == POINTS
        if frame.t_ns - better_ns > REST_S * SECOND and (
            complete or frame.t_ns - start_ns > maker.wait_s * SECOND
        ):
            return


def _points_of(findings: list[Finding]) -> list[Point]:
    """The points whose sensors cannot be calibrated."""
    return [p for finding in findings if finding.kind in BROKEN for p in finding.points]


def chip_temperature(bench: SensorBench) -> float | None:
    """The temperature of the scanner's chip, where it has one that tells it."""
    scanner: Any = bench.scanner
    if not hasattr(scanner, "run_self_test"):
        return None
    scanner.run_self_test()
    bench.frames(SELF_TEST_S)
    result = scanner.self_test
    return None if result is None or result.temperature_c is None else round(float(result.temperature_c), 1)


def keep(config: Config, done: Calibrated) -> str:
    """Write the file; gives its path. Raises RecordError."""
    path = calibration_path(config)
    save(path, done.kept)
    return str(path)
