"""A simulated table of switches whose matrix hangs on the pins of a GPIO chip."""

import threading
import time
from collections.abc import Sequence

from hw.gpio_scanner import SELECT_PINS, SENSE_PINS
from hw.simulator import SimulatedTable
from hw.simulator.matrix import SOUND, Wiring, sense_table
from hw.simulator.sensors import SwitchSensors
from tests.devices.gpio_sim import GpioSim, MatrixWires

EVERY_S = 0.002
BOUNCE_NS = 20_000_000


class MatrixBoard:
    """`table` takes the hands; what its switches do is on the pins within some milliseconds."""

    def __init__(
        self,
        chip: GpioSim,
        select: Sequence[int] = SELECT_PINS,
        sense: Sequence[int] = SENSE_PINS,
        enable: int = 0xFFFF,
    ) -> None:
        self.table = SimulatedTable(electronics=SwitchSensors(1))
        self.wiring: Wiring = SOUND
        self._wires = MatrixWires(chip, select, sense, enable)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="matrix", daemon=True)
        self._shown: tuple[bytes, Wiring] | None = None
        self.shown_ns = 0
        self.show()
        self._thread.start()

    def show(self) -> None:
        """Bring the pins up to date."""
        now_ns = time.monotonic_ns()
        now = (self.table.readings(now_ns), self.wiring)
        if now != self._shown:
            self._wires.set(sense_table(*now))
            self._shown = now
        self.shown_ns = now_ns

    def stop(self) -> None:
        """Follow the table no more."""
        self._stop.set()
        self._thread.join()

    def close(self) -> None:
        """Take the board off the pins."""
        self.stop()
        self._wires.close()

    def _follow(self) -> None:
        moves_until_ns = 0
        while not self._stop.wait(EVERY_S):
            # The processor is the daemon's as well: a table on which nothing moves is left alone.
            quiet_ns = self.table.quiet_ns
            if quiet_ns > self.shown_ns:
                moves_until_ns = quiet_ns + BOUNCE_NS
            if self.shown_ns < moves_until_ns or self._shown is None or self._shown[1] != self.wiring:
                self.show()
