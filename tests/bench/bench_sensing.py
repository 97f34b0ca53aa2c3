"""CPU time of a frame, from readings to events."""

from collections.abc import Iterable
from time import process_time_ns

from firmware_host.sensing.watcher import BoardWatcher
from tests.sensing.watched import RawFrame, read_trace

ROUNDS = 3


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    figures = []
    for name in ("linear-slide-long-1", "linear-row-dead-1", "linear-three-quick-1"):
        frames = read_trace(name).frames
        each = min(_each_us("linear", frames) for _ in range(ROUNDS))
        figures.append((f"a linear frame to events, {name} (<= 40 us)", f"{each:.1f} us"))
    frames = read_trace("switch-game-1").frames
    each = min(_each_us("switch", frames) for _ in range(ROUNDS))
    figures.append(("a switch frame to events, switch-game-1", f"{each:.2f} us"))
    same = [(t * 5_000_000, frames[-1][1], 0) for t in range(50_000)]
    each = min(_each_us("switch", same) for _ in range(ROUNDS))
    figures.append(("a switch frame equal to the one before (<= 2 us)", f"{each:.2f} us"))
    return figures


def _each_us(sensors: str, frames: Iterable[RawFrame]) -> float:
    frames = list(frames)
    frame = BoardWatcher(sensors).frame  # type: ignore[arg-type]
    start = process_time_ns()
    for t_ns, readings, lost in frames:
        frame(t_ns, readings, lost)
    return (process_time_ns() - start) / len(frames) / 1000
