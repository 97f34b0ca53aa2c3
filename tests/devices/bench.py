"""Figures of the devices tier, printed by `scripts/test-devices`: frames a second, CPU time, latency.

A system call costs User-Mode Linux more than a real kernel: for this machine these are upper bounds.
"""

import os
import statistics
import time
from collections.abc import Iterable

from hw.gpio_scanner import open_gpio_scanner
from hw.keys import GpioKeys
from tests.devices.conftest import KEY_PINS
from tests.devices.gpio_sim import GpioSim
from tests.devices.matrix_board import MatrixBoard

FRAMES = 400
PRESSES = 60


def _scan(config: dict[str, object], rate_hz: int) -> tuple[float, float]:
    """Frames a second and milliseconds of CPU time a frame, before a board that lies still."""
    scanner = open_gpio_scanner(config, rate_hz)
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
        while not (found := keys.poll()[0]):
            time.sleep(0.0005)
        presses.append((time.monotonic_ns() - edge_ns) / 1e6)
        stamps.append((found[0].t_ns - edge_ns) / 1e6)
        pi.pull(KEY_PINS["near"], True)
        time.sleep(0.03)
    keys.close()
    return stamps, presses


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} ms (most {max(values):.1f} ms)"


def figures() -> Iterable[tuple[str, str]]:
    """Name and value of each."""
    with GpioSim() as pi:
        board = MatrixBoard(pi)
        board.table.set_up("".join("X" if i * i % 7 < 2 else "." for i in range(225)))
        board.show()
        board.stop()
        for backend in ("gpiod", "rpigpio"):
            for settle_us in (0, 50):
                config = {"backend": backend, "settle_us": settle_us}
                rate, cpu = _scan(config, 100_000)
                yield (
                    f"{backend}, settle {settle_us} us, as fast as it goes",
                    f"{rate:.0f} frames/s, {cpu:.2f} ms CPU",
                )
        rate, cpu = _scan({}, 200)
        yield "gpiod, settle 50 us, at 200 frames/s", f"{rate:.0f} frames/s, {cpu:.2f} ms CPU"
        board.close()
        stamps, presses = _latencies_ms(pi)
        yield "key: edge to the kernel's stamp (a tick is 1 ms)", _spread(stamps)
        yield "key: edge to press (2 ms to be believed, 5 ms for late ones)", _spread(presses)


if __name__ == "__main__":
    os.environ.update(RPI_LGPIO_REVISION="c03114", RPI_LGPIO_CHIP="0")
    print("gpio, in the devices kernel")  # noqa: T201
    for name, value in figures():
        print(f"  {name:<60} {value}", flush=True)  # noqa: T201
