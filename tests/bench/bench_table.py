"""A whole table: replay of a minute, imports, and the daemon at 200 linear frames a second."""

import compileall
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from hw import Frame, Press
from hw.simulator.table import SimulatedTable
from hw.trace import TraceWriter
from tests.daemon_process import Daemon
from tests.patience import wait_for

ROOT = Path(__file__).parents[2]
SECOND = 1_000_000_000
MOVES = [
    *["H8", "H9", "I10", "I9", "G9", "I7", "I8", "J9", "L9", "J8"],
    *["H10", "H6", "G5", "K9", "L10", "J10", "J11", "J7", "J6", "L8"],
]


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    with tempfile.TemporaryDirectory() as folder:
        return [*replay_figures(Path(folder)), *import_figures(), *daemon_figures(Path(folder))]


def replay_figures(folder: Path) -> list[tuple[str, str]]:
    trace = folder / "minute.trace.gz"
    record_minute(trace)
    before = children_s()
    done = subprocess.run(
        [sys.executable, "-m", "firmware_host.cli", "replay", str(trace), "--json"],
        capture_output=True,
        check=True,
        timeout=300,
    )
    used = children_s() - before
    moves = done.stdout.count(b'"ruling":"press"')
    return [
        (
            "a minute of a linear trace, whole process (>= 50 x)",
            f"{60 / used:.0f} x real time, {used:.2f} s, {moves} moves",
        )
    ]


def record_minute(path: Path) -> None:
    """Twenty moves in a minute of 200 frames a second."""
    table = SimulatedTable("linear", seed=3)
    writer = TraceWriter(path, sensors="linear", rate_hz=200, match={"opening": "free", "time": "5m+3s"})
    for n, move in enumerate(MOVES):
        at = (n + 1) * 28 * SECOND // 10
        act = table.place(at, move, "black" if n % 2 == 0 else "white")
        table.press(act.end_ns + 200_000_000, "near" if n % 2 == 0 else "far")
    for n in range(60 * 200):
        t_ns = n * SECOND // 200
        for press in table.presses(t_ns):
            writer.press(Press(press.t_ns, press.key))
        writer.frame(Frame(t_ns, table.readings(t_ns)))
    writer.close()


def import_figures() -> list[tuple[str, str]]:
    spent = []
    compileall.compile_dir(ROOT / "firmware_host", quiet=1)
    compileall.compile_dir(ROOT / "hw", quiet=1)
    for _ in range(5):
        before = children_s()
        subprocess.run([sys.executable, "-c", "import firmware_host.service.daemon"], check=True, timeout=60)
        spent.append(children_s() - before)
    return [("imports of the daemon (<= 0.6 s)", f"{min(spent):.2f} s, the best of {len(spent)} (CPU)")]


def daemon_figures(folder: Path) -> list[tuple[str, str]]:
    first = min(first_frame_s(folder) for _ in range(3))
    daemon = Daemon(folder, "match.opening=free", "match.time=15m")
    try:
        for n, move in enumerate(MOVES[:4]):
            daemon.hand("place", point=move, colour="black" if n % 2 == 0 else "white")
            daemon.hand("press", key="near" if n % 2 == 0 else "far")
        frames, used, since = daemon.ask("/health")["frames"], process_s(daemon), time.monotonic()
        time.sleep(10)
        elapsed = time.monotonic() - since
        share = (process_s(daemon) - used) / elapsed
        rate = (daemon.ask("/health")["frames"] - frames) / elapsed
        resident = resident_mb(daemon)
    finally:
        daemon.stop()
    return [
        ("first frame after the start (<= 1.5 s)", f"{first:.2f} s, the best of 3 (elapsed)"),
        (
            "daemon, simulated scanner and running clock (<= 5 %)",
            f"{share:.1%} of a core at {rate:.0f} frames/s",
        ),
        ("daemon, resident (<= 80 MB)", f"{resident:.0f} MB"),
    ]


def first_frame_s(folder: Path) -> float:
    """From the start of a daemon to its first frame."""
    began = time.monotonic()
    daemon = Daemon(folder, "match.opening=free", "match.time=15m")
    try:
        wait_for(lambda: daemon.ask("/health")["frames"], "no frame", every_s=0.01)
        return time.monotonic() - began
    finally:
        daemon.stop()


def children_s() -> float:
    """CPU time of all children that have ended."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def process_s(daemon: Daemon) -> float:
    """CPU time of the daemon so far."""
    threads = Path(f"/proc/{daemon.process.pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def resident_mb(daemon: Daemon) -> float:
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024
