"""Linear sensors that lie: noisy, dead, stuck, whole lines of them.

Judged once a block. A living sensor trembles by a count or so and never reads the very same for long, unless
it is at the rail or the whole board is that quiet; a moving stone changes a reading steadily and does not
make it zigzag.
"""

from typing import Final

import numpy as np

from firmware_host.board import POINTS, SIZE, Point
from firmware_host.sensing.calibration import Block, Calibration
from firmware_host.sensing.facts import Alarm
from firmware_host.sensing.geometry import LINES
from firmware_host.sensing.settings import MS

RAIL: Final = 125.5
LINE_SENSORS: Final = 13
LINE_NS: Final = (150 * MS, 250 * MS, 400 * MS)
"""How long a whole line must read the same; the longer, the more the board does so by itself."""
SAME_NS: Final = 1000 * MS
QUIET_SAME_NS: Final = 4000 * MS
SAME_TIMES: Final = 4.0
FEW: Final = 5
"""A dead sensor has read the same for so long (the second where more than a few do for a block), and so many
times longer than all but a few living ones."""
FROZEN_NS: Final = 200 * MS
FROZEN_SENSORS: Final = 40
"""A sensor is frozen that has read the same for so long, and twice as long as the board does by itself: as
the sensor of this rank, of which two dead lines are 29."""
GOOD_NS: Final = 2000 * MS
NOISY_NS: Final = 400 * MS
NOISY_COUNTS: Final = 7.0
NOISY_TIMES: Final = 4.0
"""A noisy sensor zigzags by more than both: so many counts, and so many times what the middle sensor does."""


class LinearFaults:
    """Which points and lines are at fault; `points` and `lines` hold them by kind."""

    def __init__(self) -> None:
        self.points: dict[Point, str] = {}
        self.lines: set[str] = set()
        self.same_ns = np.zeros(POINTS, np.float32)
        """How long each sensor has read the very same."""
        self._noisy_ns = np.zeros(POINTS, np.float32)
        self._good_ns = np.zeros(POINTS, np.float32)
        self._since_start_ns = 0
        self._noisy = False

    @property
    def masked(self) -> set[Point]:
        """Every point that is at fault by itself or by its line."""
        return set(self.points).union(*(line for name, line in LINES if name in self.lines))

    def judge(self, block: Block, board: Calibration, expected: str | None) -> list[Alarm]:
        """New and ended faults as of this block."""
        duration = np.float32(block.watched_ns)
        self.same_ns += duration
        self.same_ns *= block.same
        zigzags = block.zigzag > max(NOISY_COUNTS, NOISY_TIMES * board.noise)
        if self._noisy or zigzags.any():
            self._noisy_ns += np.where(zigzags, duration, -0.3 * duration)
            np.clip(self._noisy_ns, 0.0, 1.5 * NOISY_NS, out=self._noisy_ns)
            self._noisy = bool(self._noisy_ns.any())
        self._since_start_ns += block.watched_ns
        alarms: list[Alarm] = []
        for least_ns in LINE_NS:
            still = self.same_ns >= least_ns
            count = np.count_nonzero(still)
            if count <= POINTS // 3:
                if count >= LINE_SENSORS:
                    self._judge_lines(still, alarms)
                if count:
                    self._judge_same(block, board, expected, alarms)
                break
        for p in np.flatnonzero(self._noisy_ns >= NOISY_NS).tolist() if self._noisy else ():
            if p not in self.points:
                self.points[p] = "noisy"
                alarms.append(Alarm("noisy", p))
        if self.points or self.lines:
            self._judge_recovery(block, zigzags, duration, alarms)
        return alarms

    def frozen(self, p: Point) -> bool:
        """Whether a sensor has not trembled lately while the others did."""
        same_ns = self.same_ns[p]
        return bool(
            same_ns >= FROZEN_NS
            and same_ns >= 2 * np.partition(self.same_ns, -FROZEN_SENSORS)[-FROZEN_SENSORS]
        )

    def stuck(self, p: Point) -> Alarm:
        """A sensor that the caller found to be stuck."""
        self.points[p] = "stuck"
        self._good_ns[p] = 0.0
        return Alarm("stuck", p)

    def _judge_lines(self, still: "np.ndarray[tuple[int], np.dtype[np.bool_]]", alarms: list[Alarm]) -> None:
        grid = still.reshape(SIZE, SIZE)
        counts = (*grid.sum(1).tolist(), *grid.sum(0).tolist())
        for (name, points), count in zip(LINES, counts, strict=True):
            if count >= LINE_SENSORS and name not in self.lines:
                self.lines.add(name)
                for p in points:
                    self.points.pop(p, None)
                    self._good_ns[p] = 0.0
                alarms.append(Alarm("dead", line=name))

    def _judge_same(
        self, block: Block, board: Calibration, expected: str | None, alarms: list[Alarm]
    ) -> None:
        masked = self.masked
        quiet = np.count_nonzero(block.same) > len(masked) + FEW
        least_ns = QUIET_SAME_NS if quiet else SAME_NS
        suspects = [p for p in np.flatnonzero(self.same_ns >= least_ns).tolist() if p not in masked]
        if not suspects:
            return
        usual_ns = float(np.sort(self.same_ns)[-len(masked) - len(suspects) - FEW])
        for p in suspects:
            if self.same_ns[p] < SAME_TIMES * usual_ns:
                continue
            mean = float(block.mean[p])
            if abs(mean) >= RAIL:
                if self.same_ns[p] < self._since_start_ns - 100 * MS or self._since_start_ns > 3 * SAME_NS:
                    continue
                if expected is not None and expected[p] != ".":
                    continue
            kind = "stuck" if abs(mean - board.base[p]) >= 16 and not board.sign[p] else "dead"
            self.points[p] = kind
            self._good_ns[p] = 0.0
            alarms.append(Alarm(kind, p))

    def _judge_recovery(
        self,
        block: Block,
        zigzags: "np.ndarray[tuple[int], np.dtype[np.bool_]]",
        duration: np.float32,
        alarms: list[Alarm],
    ) -> None:
        self._good_ns += duration
        self._good_ns[zigzags | block.same] = 0.0
        good = [p for p in self.points if self._good_ns[p] >= GOOD_NS and not self._noisy_ns[p]]
        alarms.extend(Alarm(self.points.pop(p), p, over=True) for p in good)
        for name, points in LINES:
            if name in self.lines and sum(self._good_ns[p] >= GOOD_NS for p in points) >= LINE_SENSORS:
                self.lines.discard(name)
                alarms.append(Alarm("dead", line=name, over=True))
