"""A whole I2C board in software: expanders on a virtual bus, wired to the sensor planes under a table."""

from collections.abc import Callable

from hw.expanders import MCP23017, PCA9555, PINS, Kind
from hw.i2c_board import Wiring
from hw.simulator.expanders import VirtualMcp23017, VirtualPca9555
from hw.simulator.i2c_bus import VirtualBus
from hw.simulator.planes import STRAIGHT, Pole, SensorPlanes
from hw.simulator.table import SimulatedTable

USUAL = Wiring(PCA9555, 0x20, STRAIGHT, PCA9555, (0x21,), STRAIGHT)
"""The board of `docs/`: 15 ranks on one PCA9555, 15 columns on another."""
TWO_PLANES = USUAL._replace(sense_addresses=(0x21, 0x22), poles=True)
"""With a second plane for the other pole."""


class VirtualI2cBoard:
    """The expanders of a wiring, their bus, and the planes behind them.

    `now_ns` is when it is, in the table's time. `bus` has the faults of a bus, `planes` those of the wiring;
    `chips` are the expanders by address, the select expander first; `power_on` of one is a brown-out.
    """

    def __init__(
        self,
        table: SimulatedTable,
        now_ns: Callable[[], int],
        wiring: Wiring = USUAL,
        *,
        pull_ups: bool = True,
    ) -> None:
        select = _chip(wiring.select_kind)
        senses = [_chip(wiring.sense_kind) for _ in wiring.sense_addresses]
        self.chips = {
            wiring.select_address: select,
            **dict(zip(wiring.sense_addresses, senses, strict=True)),
        }
        self.bus = VirtualBus(self.chips)
        poles: tuple[Pole, ...] = ("north", "south") if wiring.poles else ("any", "any")
        self.planes = SensorPlanes(
            table,
            now_ns,
            select,
            [
                (chip, poles[n], wiring.sense_pins if wiring.poles else _on(n, wiring))
                for n, chip in enumerate(senses)
            ],
            wiring.select_pins,
            pull_ups=pull_ups,
        )


def _chip(kind: Kind) -> VirtualPca9555 | VirtualMcp23017:
    return VirtualMcp23017() if kind is MCP23017 else VirtualPca9555()


def _on(chip: int, wiring: Wiring) -> list[int | None]:
    """The pin of each column on one sense expander of a one-plane board; None: it is on another."""
    return [pin - PINS * chip if pin // PINS == chip else None for pin in wiring.sense_pins]
