"""A simulated table whose I2C board hangs on a bus of the devices kernel."""

import time
from typing import Any, Final

from hw.expanders import MCP23017, PCA9555
from hw.i2c_board import Wiring
from hw.simulator.i2c_board import TWO_PLANES, USUAL, VirtualI2cBoard
from hw.simulator.sensors import SwitchSensors
from tests.devices.i2c_relay import I2cRelay
from tests.devices.watch import LaidTable

BUS: Final = 3
MCP_PINS: Final = (*range(7), *range(8, 15), 24)
"""Columns on the safe inputs of two MCP23017."""
KINDS: Final[dict[str, tuple[Wiring, dict[str, Any]]]] = {
    "two planes": (TWO_PLANES, {"planes": "poles"}),
    "one plane": (USUAL, {}),
    "MCP23017": (
        Wiring(PCA9555, 0x20, range(15), MCP23017, (0x21, 0x22), MCP_PINS),
        {"sense_chip": "mcp23017", "sense_pins": "0-6 8-14 24"},
    ),
}
"""How a board is wired, and how its configuration says so."""


class ExpanderBoard(LaidTable):
    """Expanders on /dev/i2c-3 over a table. `config` is what its scanner needs to know."""

    def __init__(self, kind: str = "two planes") -> None:
        wiring, given = KINDS[kind]
        super().__init__(SwitchSensors(1, poles=wiring.poles), colours=wiring.poles)
        self.config: dict[str, Any] = {"i2c_bus": BUS, **given}
        virtual = VirtualI2cBoard(self.table, time.monotonic_ns, wiring)
        self.bus, self.chips = virtual.bus, virtual.chips
        self.plug_in()

    def plug_in(self) -> None:
        """Make /dev/i2c-3."""
        self.relay = I2cRelay(self.bus, BUS)

    def close(self) -> None:
        """Take the bus away."""
        self.bus.free()
        self.relay.close()
