"""A simulated table that knows what was laid and when, and an eye on what a scanner makes of it."""

import time
from collections.abc import Callable, Mapping
from typing import Final

from hw import SENSORS, Frame, LinkError, Scanner
from hw.simulator.physics import sensor_index
from hw.simulator.sensors import Electronics
from hw.simulator.table import Act, SimulatedTable, StoneColour

BOUNCE_NS: Final = 50_000_000
"""A switch has come to rest so long after its stone."""
STONE: Final = 50
"""A linear sensor reads more than that below a stone."""
LONG_S: Final = 30.0
PAUSE_S: Final = 0.2
"""Between two tries to read a scanner that failed, as in the daemon."""

_SEEN: Final = "".join(
    "X" if STONE < n <= 127 else "O" if 128 <= n < 256 - STONE else "." for n in range(256)
)
_SEEN_OF_ONE_PLANE: Final = "." + "?" * 255


class LaidTable:
    """A simulated table; `colours`: whether its sensors tell them."""

    def __init__(self, electronics: Electronics, *, colours: bool = True) -> None:
        self.table = SimulatedTable(electronics=electronics)
        self.colours = colours
        self._stones: list[tuple[int, Act, str]] = []

    def set_up(self, stones: Mapping[str, StoneColour]) -> None:
        """Stones that lie there from the start."""
        self.table.set_up(dict(stones))
        for point, colour in stones.items():
            self._laid(point, colour, Act(0, 0, 0))

    def place(self, point: str, colour: StoneColour) -> Act:
        """A hand lays a stone, now or when the one before lies."""
        begin_ns = max([time.monotonic_ns(), *(act.end_ns for _, act, _ in self._stones)])
        act = self.table.place(begin_ns, point, colour)
        self._laid(point, colour, act)
        return act

    def lies(self, since_ns: int, until_ns: int) -> tuple[str, str]:
        """What a pass between two instants must see at least and may see at most, 225 of `.XO?` each."""
        least, most = ["."] * SENSORS, ["."] * SENSORS
        for at, act, stone in self._stones:
            if act.end_ns + BOUNCE_NS < since_ns:
                least[at] = stone
            if act.start_ns < until_ns:
                most[at] = stone
        return "".join(least), "".join(most)

    def seen(self, frame: Frame) -> str:
        """The stones that a frame has, 225 of `.XO?`."""
        names = _SEEN if self.colours else _SEEN_OF_ONE_PLANE
        return "".join(names[reading] for reading in frame.readings)

    def _laid(self, point: str, colour: StoneColour, act: Act) -> None:
        stone = "?" if not self.colours else "X" if colour == "black" else "O"
        self._stones.append((sensor_index(point), act, stone))


class Watch:
    """Reads a scanner as the daemon does, and judges every frame.

    `within_ns`: a frame was scanned so near to its stamp; not given: the scan is made while it is read, and
    a frame that is older is not to be passed on. `told` has each sentence when it appeared.
    """

    def __init__(self, laid: LaidTable, scanner: Scanner, within_ns: int | None = None) -> None:
        self.laid = laid
        self.scanner = scanner
        self.frames: list[Frame] = []
        self.told: list[str] = []
        self._within_ns = within_ns
        self._telling: list[str] = []

    def read(self) -> Frame | None:
        """The next frame, or None where there is none: then what the scanner says is told."""
        since_ns = time.monotonic_ns()
        try:
            frame = self.scanner.read()
        except LinkError as error:
            self._tell([str(error)])
            return None
        assert frame is not None
        until_ns = time.monotonic_ns()
        assert frame.t_ns <= until_ns, "no frame is from the future"
        assert not self.frames or frame.t_ns > self.frames[-1].t_ns, "each frame is newer than the one before"
        if self._within_ns is None:
            assert frame.t_ns >= since_ns, "no frame is stale"
        else:
            since_ns, until_ns = frame.t_ns - self._within_ns, frame.t_ns + self._within_ns
        least, most = self.laid.lies(since_ns, until_ns)
        for at, (must, may, seen) in enumerate(zip(least, most, self.laid.seen(frame), strict=True)):
            assert seen in (must, may), f"sensor {at} is seen as {seen}, not {must} or {may}"
        self.frames.append(frame)
        self._tell(self.scanner.faults())
        return frame

    def until(self, so: Callable[[], bool], why: str) -> None:
        """Read until it is so."""
        end = time.monotonic() + LONG_S
        while not so():
            assert time.monotonic() < end, f"{why}: {self.told}, {self.scanner.health()}"
            if self.read() is None:
                time.sleep(PAUSE_S)

    def see(self) -> None:
        """Read until a frame has every stone that was laid."""
        wanted = self.laid.lies(1 << 62, 1 << 62)[0]
        self.until(
            lambda: bool(self.frames) and self.laid.seen(self.frames[-1]) == wanted, "not every stone is seen"
        )

    def run(self, frames: int) -> None:
        """So many frames, whatever fails between."""
        wanted = len(self.frames) + frames
        self.until(lambda: len(self.frames) >= wanted, f"{frames} frames")

    def lay_two(self) -> None:
        """Two more stones, until both have come to rest; the scanner is read all the while."""
        self.laid.place("I9", "black")
        act = self.laid.place("J10", "white")
        self.until(lambda: time.monotonic_ns() > act.end_ns + BOUNCE_NS, "the hands")

    def recovers(self, sentence: str) -> None:
        """Every stone is seen, and that one sentence was all that was told."""
        self.see()
        assert len(self.told) == 1, self.told
        assert self.told[0].startswith(sentence)
        assert self.scanner.health()["state"] != "lost"
        assert self.scanner.health()["lost"] >= sum(frame.lost for frame in self.frames)

    def _tell(self, sentences: list[str]) -> None:
        self.told += [said for said in sentences if said not in self._telling]
        self._telling = sentences
