"""The scanners: what a frame costs the host, and how soon one that was away is back."""

import asyncio
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from firmware_host.service.scan import ScanThread
from hw.serial_protocol import FULL, VALUES, Decoder, Pass, Passes, encode
from hw.serial_scanner import SerialScanner
from hw.simulator.serial_device import SerialDevice
from hw.simulator.table import SimulatedTable

SECONDS = 4
AWAY_S = (0.5, 5.0)
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
    """Decoding, a real tty, and recovery."""
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
        for away_s in AWAY_S:
            first_s = asyncio.run(recovery_s(link, away_s))
            rows.append((f"serial: first frame after {away_s} s unplugged (<= 5.5 s)", f"{first_s:.2f} s"))
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
    with subprocess.Popen(
        [sys.executable, "-c", DEVICE, str(link)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as device:
        try:
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
        finally:
            device.communicate("")
    return used / (rate_hz * SECONDS) * 1e6, bare / rate_hz * 1e6


async def recovery_s(link: Path, away_s: float) -> float:
    """From the plug to the first frame, with the daemon's own thread and its pauses."""
    device = SerialDevice(SimulatedTable("linear", seed=1), link)
    scans = ScanThread(SerialScanner(str(link), 100), asyncio.get_running_loop(), lambda: None)
    device.plug()
    scans.start()
    while not scans.frames():
        await asyncio.sleep(0.01)
    device.unplug()
    while not scans.fault:
        await asyncio.sleep(0.01)
    await asyncio.sleep(away_s)
    scans.frames()
    begun = time.monotonic()
    device.plug()
    while not scans.frames():
        await asyncio.sleep(0.005)
    first_s = time.monotonic() - begun
    scans.close()
    device.unplug()
    return first_s


if __name__ == "__main__":
    for figure, value in run():
        print(f"{figure:<60} {value}")
