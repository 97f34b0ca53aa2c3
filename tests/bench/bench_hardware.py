"""The serial scanner: what a frame costs the host."""

import select
import sys
import tempfile
import time
from pathlib import Path

from hw.serial_protocol import FULL, VALUES, Decoder, Pass, Passes, encode
from hw.serial_scanner import SerialScanner
from hw.simulator.table import SimulatedTable
from tests.programs import started

SECONDS = 4
DEVICE = """if True:
    import sys, time
    from pathlib import Path
    from hw.simulator.serial_device import SerialDevice
    from hw.simulator.table import SimulatedTable
    SerialDevice(SimulatedTable("linear", seed=1), Path(sys.argv[1])).plug()
    print("ready", flush=True)
    sys.stdin.read()
"""


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    return serial_figures()


def serial_figures() -> list[tuple[str, str]]:
    """Decoding, and a real tty."""
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "scanner"
        decode_us = decoding_us()
        rows = [
            ("serial: decoding one full pass", f"{decode_us:.1f} us, {1e6 / decode_us:.0f} passes/s (CPU)"),
        ]
        for rate_hz in (100, 200):
            frame_us, bare_us = tty_us(link, rate_hz)
            share = f"{frame_us * rate_hz / 1e4:.1f} % of a core"
            value = f"{frame_us:.0f} us, {share}; waking for nothing {bare_us:.0f} us"
            rows.append((f"serial: host CPU a frame at {rate_hz} frames/s over a tty", value))
        return rows


def decoding_us(number: int = 20_000) -> float:
    """CPU of unpacking a pass and putting it in order."""
    table = SimulatedTable("linear", seed=1)
    coded = bytes((n + 128) & 0xFF or 1 for n in table.readings(0)) + bytes([186]) * (VALUES - 225)
    wires = [encode(Pass(FULL, 1, n, n * 10_000, coded)) for n in range(number)]
    decoder, passes = Decoder(), Passes()
    begun = time.process_time()
    for wire in wires:
        for message in decoder.feed(wire):
            if isinstance(message, Pass):
                passes.take(message)
    used = time.process_time() - begun
    if passes.counts.passes != number:
        raise AssertionError(f"{passes.counts} of {number}")
    return used / number * 1e6


def tty_us(link: Path, rate_hz: int) -> tuple[float, float]:
    """CPU of this thread for a frame of a scanner in another process, and for a waking that does nothing."""
    with started([sys.executable, "-c", DEVICE, str(link)]) as device:
        device.stdout.readline()  # type: ignore[union-attr]
        scanner = SerialScanner(str(link), rate_hz)
        for _ in range(rate_hz):
            scanner.read()
        begun = time.thread_time()
        for _ in range(rate_hz * SECONDS):
            scanner.read()
        used = time.thread_time() - begun
        scanner.close()
        begun = time.thread_time()
        for _ in range(rate_hz):
            select.select([], [], [], 1 / rate_hz)
        bare = time.thread_time() - begun
        device.communicate("", timeout=20)
    return used / (rate_hz * SECONDS) * 1e6, bare / rate_hz * 1e6


if __name__ == "__main__":
    for figure, value in run():
        print(f"{figure:<60} {value}")
