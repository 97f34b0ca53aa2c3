"""A simulated table with what its hands truly did, and the watcher that must see the same.

Every test that watches runs through `watch`, which holds the contract of the watcher: events in order, none
before what was already called seen, and never more than the lag behind.
"""

import base64
import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.board import NAMES, parse_point
from firmware_host.sensing.events import (
    Adjusted,
    AnyBoardEvent,
    Cleared,
    Fault,
    FramesLost,
    Interference,
    Lifted,
    Placed,
    Scattered,
    Seen,
    Slid,
    Weak,
)
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from hw.simulator.hand import Habits
from hw.simulator.sensors import LinearSensors, SwitchSensors
from hw.simulator.table import SimulatedTable

MS = 1_000_000
SECOND = 1000 * MS
TRACES = Path(__file__).parents[1] / "traces"

RawFrame = tuple[int, bytes, int]


def watch(frames: Iterable[RawFrame], watcher: BoardWatcher) -> list[AnyBoardEvent]:
    """All events of these frames; asserts the contract of `frame` and `seen_until_ns`."""
    seen = watcher.seen_until_ns
    events: list[AnyBoardEvent] = []
    for t_ns, readings, lost in frames:
        new = watcher.frame(t_ns, readings, lost)
        before, seen = seen, watcher.seen_until_ns
        assert before <= seen <= t_ns <= seen + SECOND
        if new:
            assert [e.t_ns for e in new] == sorted(e.t_ns for e in new)
            assert before < new[0].t_ns <= new[-1].t_ns <= seen, (before, new)
            events += new
    return events


def brief(events: Iterable[AnyBoardEvent]) -> list[str]:
    """What happened, in words without instants: `placed H8 black`."""
    words = []
    for e in events:
        match e:
            case Placed() | Lifted() | Adjusted():
                words.append(f"{type(e).__name__.lower()} {NAMES[e.point]} {e.colour or '?'}")
            case Slid():
                words.append("slid " + "-".join(NAMES[p] for p in e.path))
            case Scattered():
                words.append("scattered " + " ".join(NAMES[p] for p in e.points))
            case Seen():
                words.append(f"seen {225 - e.stones.count('.')}")
            case Weak():
                words.append(f"weak {NAMES[e.point]}")
            case Fault():
                words.append(f"fault {e.kind} {e.line or NAMES[e.point or 0]}")
            case Cleared():
                words.append(f"cleared {e.line or ('field' if e.point is None else NAMES[e.point])}")
            case Interference():
                words.append("interference")
            case FramesLost():
                words.append(f"lost {e.count}")
    return words


class Play:
    """Hands at a simulated table: `now` is where the next verb begins, `truth` what they did (as `brief`)."""

    def __init__(
        self, sensors: Sensors = "linear", seed: int = 1, *, rate_hz: int = 100, **electronics: Any
    ) -> None:
        kind = LinearSensors if sensors == "linear" else SwitchSensors
        self.sensors: Sensors = sensors
        self.table = SimulatedTable(
            sensors,
            seed=seed,
            electronics=kind(seed, **electronics),
            habits=Habits(down_ms=(120, 250), up_ms=(100, 250), scatter_mm=(0.3, 2.5)),
        )
        self.rate_hz = rate_hz
        self.now = SECOND // 2
        self.truth: list[str] = []
        self.touched: list[int] = []
        self._frames: list[RawFrame] = []

    def wait(self, ms: float) -> None:
        """Nothing happens for a while after all is at rest."""
        self.now = max(self.now, self.table.quiet_ns) + int(ms * MS)

    def place(self, point: str, colour: str = "black", *, strength: float = 1.0) -> None:
        """A stone comes down; then half a second of rest."""
        act = self.table.place(self.now, point, colour, strength=strength)  # type: ignore[arg-type]
        self._did(f"placed {point} {self._seen(colour)}", act.touch_ns)

    def lift(self, point: str, colour: str = "black") -> None:
        """A stone goes."""
        self._did(f"lifted {point} {self._seen(colour)}", self.table.lift(self.now, point).touch_ns)

    def slide(self, *path: str, speed: float = 250.0) -> None:
        """A stone that lies there is pushed."""
        act = self.table.slide(self.now, path, speed_mm_s=speed)
        self._did("slid " + "-".join(path), act.touch_ns)

    def place_sliding(
        self, *path: str, colour: str = "black", speed: float = 250.0, rest_ms: float = 100
    ) -> None:
        """A stone touches the first point and is pushed to the last."""
        act = self.table.place_sliding(self.now, path, colour, speed_mm_s=speed, rest_ms=rest_ms)  # type: ignore[arg-type]
        self._did("slid " + "-".join(path), act.touch_ns)

    def hop(self, point: str, to: str, colour: str = "black", carry_ms: float = 200) -> None:
        """A stone is lifted and put elsewhere."""
        self.table.move(self.now, point, to, carry_ms=carry_ms)
        self.truth += [f"lifted {point} {self._seen(colour)}", f"placed {to} {self._seen(colour)}"]
        self.wait(600)

    def _seen(self, colour: str) -> str:
        return colour if self.sensors == "linear" else "?"

    def _did(self, what: str, touch_ns: int) -> None:
        self.truth.append(what)
        self.touched.append(touch_ns)
        self.wait(500)

    def frames(self, *, tail_ms: float = 1200) -> Iterator[RawFrame]:
        """Everything scanned up to some time after the last thing; nothing can be done afterwards."""
        if self._frames:
            return iter(self._frames)
        end = max(self.now, self.table.quiet_ns) + int(tail_ms * MS)
        instants = range(0, end, SECOND // self.rate_hz)
        self._frames = [(t_ns, self.table.readings(t_ns), 0) for t_ns in instants]
        return iter(self._frames)

    def events(self, **watching: Any) -> list[AnyBoardEvent]:
        """What a new watcher makes of it, `Seen` at the start left out."""
        events = watch(self.frames(), BoardWatcher(self.sensors, **watching))
        assert isinstance(events[0], Seen)
        return events[1:]


def told(events: Iterable[AnyBoardEvent]) -> list[str]:
    """Brief, without what may or may not be told: a stone placed where its slide began, parts of a slide,
    adjustments, weak magnets."""
    events = list(events)
    slides = [e for e in events if isinstance(e, Slid)]
    starts = {e.path[0] for e in slides}
    parts = [s for s in slides if any(s.path == o.path[: len(s.path)] and s is not o for o in slides)]
    return brief(
        e
        for e in events
        if not (isinstance(e, Placed) and e.point in starts)
        and not any(e is part for part in parts)
        and not isinstance(e, Adjusted | Weak)
    )


class Trace(NamedTuple):
    """A recorded trace with the truth beside it."""

    sensors: Sensors
    frames: list[RawFrame]
    truth: dict[str, Any]


def read_trace(name: str) -> Trace:
    """Every scanned frame of `tests/traces/NAME.trace.gz`, the last one standing for a second more."""
    packed = (TRACES / f"{name}.trace.gz").read_bytes()
    header, *lines = map(json.loads, gzip.decompress(packed).splitlines())
    period_ns = SECOND // header["rate_hz"]
    frames: list[RawFrame] = []
    lost = 0
    for line in [*lines, {"t_us": lines[-1]["t_us"] + 1_000_000}]:
        while frames and not lost and frames[-1][0] + period_ns < line["t_us"] * 1000:
            frames.append((frames[-1][0] + period_ns, frames[-1][1], 0))
        lost += line.get("lost", 0)
        if "f" in line:
            frames.append((line["t_us"] * 1000, base64.b64decode(line["f"]), lost))
            lost = 0
    truth = json.loads((TRACES / f"{name}.truth.json").read_text(encoding="utf-8"))
    return Trace(header["sensors"], frames, truth)


def points(text: str) -> tuple[int, ...]:
    """Points of their names."""
    return tuple(parse_point(t) for t in text.split())
