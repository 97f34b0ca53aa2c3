"""Figures of the devices tier, printed by `scripts/test-devices`: frames a second, latency, recovery.

A system call costs User-Mode Linux more than a real kernel: for this machine these are upper bounds.
"""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from hw import Scanner, Seat
from hw.gpio_scanner import open_gpio_scanner
from hw.i2c_scanner import I2cScanner, open_i2c_scanner
from hw.keys import GpioKeys
from hw.segments import POINT, encode
from hw.simulator.chips import VirtualHt16k33
from tests.bench.bench_recovery import recovery_s
from tests.daemon_process import Daemon
from tests.devices.conftest import KEY_PINS, Clock
from tests.devices.expander_board import ExpanderBoard
from tests.devices.gpio_sim import GpioSim
from tests.devices.matrix_board import MatrixBoard
from tests.patience import wait_for

FRAMES = 400
PRESSES = 60
AWAY_S = 0.5
BONUS_S = 30
MOVES = [f"{'ACEGIKMO'[n % 8]}{1 + 2 * (n // 8)}" for n in range(20)]
"""Nowhere near a five."""


def _scan(scanner: Scanner) -> tuple[float, float]:
    """Frames a second and milliseconds of CPU time a frame, before a board that lies still."""
    scanner.read()
    began, cpu = time.monotonic(), time.process_time()
    for _ in range(FRAMES):
        scanner.read()
    took, cpu = time.monotonic() - began, time.process_time() - cpu
    scanner.close()
    return FRAMES / took, 1000 * cpu / FRAMES


def _latencies_ms(pi: GpioSim) -> tuple[list[float], list[float]]:
    """From the edge to its stamp, and from the edge to the press."""
    keys = GpioKeys({"near": KEY_PINS["near"]}, "lgpio")
    stamps, presses = [], []
    for _ in range(PRESSES):
        edge_ns = time.monotonic_ns()
        pi.pull(KEY_PINS["near"], False)
        found = []
        wait_for(lambda found=found: found.extend(keys.poll()[0]) or found, "no press", every_s=0.0005)
        presses.append((time.monotonic_ns() - edge_ns) / 1e6)
        stamps.append((found[0].t_ns - edge_ns) / 1e6)
        pi.pull(KEY_PINS["near"], True)
        time.sleep(0.03)
    keys.close()
    return stamps, presses


class _Shown:
    """When a face began to show more time than before: only a bonus does that."""

    def __init__(self, face: VirtualHt16k33) -> None:
        self.since_ns: list[int] = []
        self._face = face
        self._write = face.write
        self._most = 0
        face.write = self.write  # type: ignore[method-assign]

    def write(self, data: bytes) -> None:
        """What the bus's answerer calls."""
        self._write(data)
        shown = _SECONDS.get(bytes(digit & ~POINT for digit in self._face.picture().segments))
        if shown is None:
            return
        if shown > self._most + BONUS_S // 2:
            self.since_ns.append(time.monotonic_ns())
        self._most = shown


_SECONDS = {encode(f"{m:02d}:{s:02d}")[0]: 60 * m + s for m in range(60) for s in range(60)}
"""What the segments of a time mean."""


def _edge_to_face_ms(pi: GpioSim, board: MatrixBoard, clock: Clock) -> list[float]:
    """From the edge of a key to its seat's bonus in the RAM of the face, with the daemon at play."""
    shown: dict[Seat, _Shown] = {"near": _Shown(clock.near), "far": _Shown(clock.far)}
    settings = (
        "match.opening=free", f"match.time=15m+{BONUS_S}s", "scanner.kind=gpio", "scanner.sensors=switch",
        "scanner.rate_hz=100", "gpio_scanner.settle_us=0", "keys.factory=lgpio",
        "clock.faces=ht16k33", "clock.buzzer=qwiic",
    )  # fmt: skip
    waits = []
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(Path(folder), *settings)
        try:
            wait_for(lambda: clock.near.picture() != clock.far.picture(), "Black's time does not run")
            for n, point in enumerate(MOVES):
                seat: Seat = "far" if n % 2 else "near"
                act = board.table.place(time.monotonic_ns(), point, "white" if n % 2 else "black")
                wait_for(lambda act=act: board.shown_ns > act.end_ns, "the hand")
                time.sleep(0.3)
                before = len(shown[seat].since_ns)
                edge_ns = time.monotonic_ns()
                pi.pull(KEY_PINS[seat], False)
                time.sleep(0.04)
                pi.pull(KEY_PINS[seat], True)
                wait_for(
                    lambda seat=seat, before=before: len(shown[seat].since_ns) > before,
                    f"no bonus at {point}",
                )
                waits.append((shown[seat].since_ns[before] - edge_ns) / 1e6)
        finally:
            daemon.kill()
    return waits


def _i2c(board: ExpanderBoard, rate_hz: int) -> I2cScanner:
    return open_i2c_scanner(board.config, rate_hz, 1, lambda: None)


def _i2c_recovery_s() -> float:
    """The adapter of the bus has gone, and its node."""
    board = ExpanderBoard("one plane")

    def plug() -> None:
        board.relay.close()
        board.plug_in()

    try:
        return asyncio.run(recovery_s(_i2c(board, 50), plug, lambda: board.relay.unplug(), AWAY_S))
    finally:
        board.close()


def _gpio_recovery_s() -> float:
    """The GPIO chip has gone, and its node."""
    chips: list[GpioSim] = []
    scanner = open_gpio_scanner({"chip": "pinctrl-rp1"}, 50)
    return asyncio.run(
        recovery_s(
            scanner,
            lambda: chips.append(GpioSim("pinctrl-rp1", name="pi5")),
            lambda: chips.pop().close(),
            AWAY_S,
        )
    )


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} ms (most {max(values):.1f} ms)"


def _speed(rate: float, cpu: float) -> str:
    return f"{rate:.0f} frames/s, {cpu:.2f} ms CPU"


def figures() -> Iterable[tuple[str, str]]:
    """Name and value of each."""
    with GpioSim() as pi:
        for line in KEY_PINS.values():
            pi.pull(line, True)
        board = MatrixBoard(pi)
        clock = Clock()
        waits = _edge_to_face_ms(pi, board, clock)
        yield "key: edge to the face's RAM, by the daemon (100 ms)", _spread(waits)
        clock.relay.close()
        board.table.set_up("".join("X" if i * i % 7 < 2 else "." for i in range(225)))
        board.show()
        board.stop()
        for backend in ("gpiod", "rpigpio"):
            for settle_us in (0, 50):
                config = {"backend": backend, "settle_us": settle_us}
                name = f"{backend}, settle {settle_us} us, as fast as it goes"
                yield name, _speed(*_scan(open_gpio_scanner(config, 100_000)))
        yield "gpiod, settle 50 us, at 200 frames/s", _speed(*_scan(open_gpio_scanner({}, 200)))
        board.close()
        stamps, presses = _latencies_ms(pi)
        yield "key: edge to the kernel's stamp (a tick is 1 ms)", _spread(stamps)
        yield "key: edge to press (2 ms to be believed, 5 ms for late ones)", _spread(presses)
    for kind in ("one plane", "two planes"):
        expanders = ExpanderBoard(kind)
        yield f"i2c, {kind}, chips in this process as well", _speed(*_scan(_i2c(expanders, 100_000)))
        expanders.close()
    name = f"first frame after {AWAY_S} s without a node (<= 5.5 s)"
    yield f"i2c: {name}", f"{_i2c_recovery_s():.2f} s"
    yield f"gpio: {name}", f"{_gpio_recovery_s():.2f} s"


if __name__ == "__main__":
    os.environ.update(RPI_LGPIO_REVISION="c03114", RPI_LGPIO_CHIP="0")
    print("on device nodes, in the devices kernel")  # noqa: T201
    for name, value in figures():
        print(f"  {name:<60} {value}", flush=True)  # noqa: T201
