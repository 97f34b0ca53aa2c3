"""The sensors' readings of a table that plays, for the arbiter: worked out only while somebody looks."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from firmware_host.board import POINTS
from firmware_host.errors import BoardError
from firmware_host.sensing.stored import StoredCalibration
from firmware_host.service.sensor_bench import SECOND, BoardView
from firmware_host.service.sse import Channel

KEPT: Final = 32
"""So many frames make a mean."""
SAMPLE_S: Final = 0.25


class SensorView:
    """The newest frames of a table; `channel` gives their picture as event `check`."""

    def __init__(self, sensors: str, stored: StoredCalibration | None = None) -> None:
        self._sensors = sensors
        self._zero = np.array(stored.zero if stored else (0.0,) * POINTS, np.float32)
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self.channel = Channel("check", self.build, keep=1, sample_s=SAMPLE_S)
        self.frame: Callable[[tuple[int, bytes]], None] = self._frames.append
        """Takes the instant and the readings of a frame."""

    async def frames(self, count: int, within_s: float) -> list[bytes]:
        """The readings of the next frames; raises BoardError if they do not come in time."""
        gathered: list[bytes] = []
        complete: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        before = self.frame

        def both(frame: tuple[int, bytes]) -> None:
            before(frame)
            gathered.append(frame[1])
            if len(gathered) == count and not complete.done():
                complete.set_result(None)

        self.frame = both
        try:
            await asyncio.wait_for(complete, within_s)
        except TimeoutError:
            raise BoardError(f"{len(gathered)} of {count} frames came in {within_s:.0f} s") from None
        finally:
            self.frame = before
        return gathered[:count]

    def build(self) -> dict[str, Any]:
        """The picture of this moment, for the page."""
        frames = list(self._frames)
        rows = np.frombuffer(b"".join(r for _, r in frames) or bytes(POINTS), np.int8).reshape(-1, POINTS)
        span_ns = frames[-1][0] - frames[0][0] if frames else 0
        return BoardView(
            self._sensors,
            "watch",
            rows.mean(axis=0, dtype=np.float32) - self._zero,
            rows.std(axis=0, dtype=np.float32),
            frames_per_s=(len(frames) - 1) * SECOND / span_ns if span_ns else 0.0,
        ).wire()
