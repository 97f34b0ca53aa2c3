"""Reading a scanner for somebody who builds or adjusts a board: measurements, and a picture while they last.

Everything is measured in the time of the frames, so a simulated board is measured as fast as it can be read.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from firmware_host.board import NAMES, POINTS, Point
from firmware_host.sensing.calibration import Counts
from firmware_host.sensing.sensor_report import CAUSES, Finding, Measured, answers, measure
from hw import Frame, LinkError, Scanner

SECOND: Final = 1_000_000_000
WINDOW_NS: Final = SECOND // 4
"""A reading is the mean over so much time."""
VIEW_NS: Final = SECOND // 5
"""How often the picture is shown."""
PATIENCE_S: Final = 6.0
"""So long a scanner may be silent before it is given up."""
AGAIN_S: Final = 0.2
FULL_COUNTS: Final = 92.0
"""What a sound stone reads over an average linear sensor."""


class Time(NamedTuple):
    """A clock, and how it waits: virtual with a simulated scanner."""

    now_ns: Callable[[], int]
    sleep: Callable[[float], None]


REAL_TIME: Final = Time(time.monotonic_ns, time.sleep)


class VirtualTime:
    """A clock that only waiting moves on."""

    def __init__(self, start_ns: int = SECOND) -> None:
        self.now = start_ns

    def now_ns(self) -> int:
        """This instant."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now += int(seconds * SECOND)


class BoardView(NamedTuple):
    """What is shown of the sensors while they are measured; 225 values each, in the order of the plane.

    `readings`: means beyond the zeros, counts (switches: 0 to 1). `noise`: counts. `seen`: sensors that have
    answered to a stone. `asked`: where a stone is to be laid. `step`: which part of the work this is.
    """

    sensors: str
    step: str
    readings: Counts
    noise: Counts
    seen: frozenset[Point] = frozenset()
    asked: Point | None = None
    colour: str = ""
    findings: Sequence[Finding] = ()
    frames_per_s: float = 0.0

    def wire(self) -> dict[str, Any]:
        """The view for the page."""
        return {
            "sensors": self.sensors,
            "step": self.step,
            "readings": [round(float(value), 2) for value in self.readings],
            "noise": [round(float(value), 2) for value in self.noise],
            "seen": sorted(self.seen),
            "asked": None if self.asked is None else NAMES[self.asked],
            "colour": self.colour,
            "findings": [
                {
                    "kind": each.kind,
                    "points": [each.where] if each.where in NAMES else [],
                    "lines": each.lines,
                    "fails": each.fails,
                }
                for each in self.findings
            ],
            "frames_per_s": round(self.frames_per_s, 1),
        }


def unseen(view: BoardView) -> None:
    """A picture that nobody looks at."""


class SensorBench:
    """A scanner under measurement.

    `show` is given the picture a few times a second. `zero` and `noise` are those of the last measurement of
    the empty board. Raises LinkError when the scanner is silent for longer than anybody waits.
    """

    def __init__(
        self,
        scanner: Scanner,
        show: Callable[[BoardView], None] = unseen,
        *,
        clock: Time = REAL_TIME,
    ) -> None:
        self.scanner = scanner
        self.step = "look"
        self.seen: set[Point] = set()
        self.asked: Point | None = None
        self.colour = ""
        self.findings: list[Finding] = []
        self.zero: Counts = np.zeros(POINTS, np.float32)
        self.noise: Counts = np.zeros(POINTS, np.float32)
        self.lost = 0
        self._show = show
        self._now_ns, self._sleep = clock
        self._window: deque[Frame] = deque()
        self._shown_ns = -SECOND

    def read(self) -> Frame:
        """The next frame. A scanner that fails is tried again for a while; then its LinkError is raised."""
        until_ns = self._now_ns() + int(PATIENCE_S * SECOND)
        while True:
            try:
                frame = self.scanner.read()
            except LinkError:
                if self._now_ns() >= until_ns:
                    raise
                self._sleep(AGAIN_S)
                continue
            if frame is None:
                raise LinkError("the scanner has been closed")
            self.lost += frame.lost
            self._take(frame)
            return frame

    def catch_up(self) -> None:
        """Pass over the frames that have waited while nobody read."""
        while self.read().t_ns < self._now_ns() - VIEW_NS:
            pass
        self._window.clear()
        self.lost = 0

    def frames(self, seconds: float) -> list[Frame]:
        """The frames of so much time from now on."""
        first = self.read()
        taken = [first]
        while taken[-1].t_ns - first.t_ns < seconds * SECOND:
            taken.append(self.read())
        return taken

    def measure(self, seconds: float) -> tuple[Measured, float]:
        """Measure the empty board, which becomes the zero; gives the frames a second too."""
        frames = self.frames(seconds)
        board = measure([frame.readings for frame in frames])
        self.zero, self.noise = board.zero, board.noise
        return board, (len(frames) - 1) * SECOND / (frames[-1].t_ns - frames[0].t_ns)

    @property
    def kind(self) -> Any:
        """`linear` or `switch`."""
        return self.scanner.sensors

    def mean(self) -> Counts:
        """The mean of each sensor over the last quarter of a second."""
        rows = [np.frombuffer(frame.readings, np.int8) for frame in self._window]
        return np.mean(rows, axis=0, dtype=np.float32) if rows else np.zeros(POINTS, np.float32)

    def new_answers(
        self,
        before: Counts,
        seconds: float,
        stop: Callable[[], bool] = lambda: False,
        ignore: frozenset[Point] = frozenset(),
    ) -> dict[Point, float]:
        """What answers and did not read so `before`, once it has stayed the same; nothing after `seconds`."""
        start_ns = last_ns = self.read().t_ns
        steady: list[frozenset[Point]] = []
        while last_ns - start_ns < seconds * SECOND and not stop():
            at_ns = self.read().t_ns
            if at_ns - last_ns < WINDOW_NS:
                continue
            last_ns = at_ns
            found = {p: v for p, v in answers(self.mean(), before, self.kind).items() if p not in ignore}
            steady = [*steady[-1:], frozenset(found)]
            if found and steady == [frozenset(found)] * 2:
                return found
        return {}

    def show(self) -> None:
        """Show the picture of this moment."""
        self._show(self.view())

    def view(self) -> BoardView:
        """The picture of this moment."""
        window = self._window
        span_ns = window[-1].t_ns - window[0].t_ns if window else 0
        return BoardView(
            self.kind,
            self.step,
            self.mean() - self.zero,
            self.noise,
            frozenset(self.seen),
            self.asked,
            self.colour,
            tuple(self.findings),
            (len(window) - 1) * SECOND / span_ns if span_ns else 0.0,
        )

    def _take(self, frame: Frame) -> None:
        window = self._window
        window.append(frame)
        while frame.t_ns - window[0].t_ns > WINDOW_NS:
            window.popleft()
        if frame.t_ns - self._shown_ns >= VIEW_NS:
            self._shown_ns = frame.t_ns
            self.show()


def in_words(finding: Finding) -> str:
    """A finding as a line of a report: what and where, the figures, the likely cause, what to do."""
    row = CAUSES[finding.kind]
    where = f"{finding.where}: " if finding.where else ""
    figures = f" ({finding.figures})" if finding.figures else ""
    return f"{where}{row.measured}{figures}. Likely: {row.cause}. To do: {row.remedy}."
