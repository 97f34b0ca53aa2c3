"""What is made for `hw/docs`: drawings, and tables that stand in the pages, each between two marks."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from tests.hardware_pages import parts, pictures, schematics, wiring
from tests.hardware_pages.sheet import Sheet

DRAWINGS: Final[dict[str, Callable[[], Sheet]]] = {
    "table.svg": pictures.table,
    "stone.svg": pictures.stone,
    "header.svg": pictures.header,
    "clock.svg": schematics.clock,
    "serial-board.svg": schematics.serial_board,
    "i2c-board.svg": schematics.i2c_board,
    "gpio-board.svg": schematics.gpio_board,
}
"""File name -> drawing."""

TABLES: Final[dict[str, Callable[[], str]]] = {
    "header": wiring.header_table,
    "clock": wiring.clock_table,
    "pico": wiring.serial_table,
    "multiplexers": wiring.rows_table,
    "expanders": wiring.expanders_table,
    "expander-pins": wiring.i2c_table,
    "gpio-pins": wiring.gpio_table,
    "decoder": wiring.decoder_table,
    **{f"bill-{unit}": partial(parts.bill, unit) for unit in parts.BILLS},
    "bills": parts.bills_together,
    "loads": parts.power_table,
    "supply": parts.supply_table,
}
"""Name of a mark -> the table that stands there."""

MARKED: Final = re.compile(r"(<!-- table: ([a-z0-9-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def filled(page: str) -> str:
    """A page with its tables as they should be; KeyError for a mark that names none."""
    return MARKED.sub(lambda m: f"{m[1]}{TABLES[m[2]]()}\n{m[4]}", page)
