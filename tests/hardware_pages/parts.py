"""Parts with their prices, and what each unit draws: the tables whose sums the pages give."""

from typing import Final, NamedTuple

from tests.hardware_pages.wiring import table


class Part(NamedTuple):
    """A line of the bill: `each` is an order of magnitude in US dollars for small quantities."""

    number: int
    name: str
    note: str
    each: float


BILLS: Final[dict[str, tuple[Part, ...]]] = {
    "clock": (
        Part(2, "HT16K33 four-digit backpack, digits of 1.2 inch", "one address jumper to close", 18.0),
        Part(1, "SparkFun Qwiic Buzzer", "or a passive piezo and 100 Ohm: 1", 9.0),
        Part(
            1,
            "I2C level shifter, 2 channels, MOSFET type",
            "not with an I/O supply pin on the backpacks",
            4.0,
        ),
        Part(2, "clock key, bounce below 15 ms", "large, travel of a few mm, one for each seat", 5.0),
        Part(3, "push button", "call keys and the arbiter's key", 1.0),
        Part(1, "case, cable, plugs", "", 15.0),
    ),
    "serial": (
        Part(225, "DRV5055A2, SOT-23", "linear Hall sensor", 0.45),
        Part(16, "CD74HC4067", "15 rows, one that selects among them", 0.6),
        Part(1, "Raspberry Pi Pico (RP2040)", "with a USB data cable", 5.0),
        Part(241, "100 nF, ceramic", "one at each sensor and each multiplexer", 0.01),
        Part(1, "3.3 V step-down regulator, 3 A, from 5 V", "for sensors and multiplexers", 5.0),
        Part(15, "100 uF, 6.3 V", "one at the supply of each row", 0.1),
        Part(11, "resistors", "10 kOhm and 15 kOhm (1 %), 1 kOhm, 8 of 100 Ohm", 0.02),
        Part(4, "circuit board, about 180 x 190 mm", "four tiles make the plane", 15.0),
    ),
    "i2c": (
        Part(2, "PCA9555 or TCA9555", "a third with two planes", 1.5),
        Part(
            225,
            "reed switch, normally open, 10 to 14 mm glass",
            "with two planes: 450 Hall switches instead",
            0.35,
        ),
        Part(225, "1N4148 or BAT54", "450 with two planes", 0.02),
        Part(15, "10 kOhm", "pull-ups of the sense lines; 30 with two planes", 0.01),
        Part(2, "4.7 kOhm", "pull-ups of the bus, unless it is bus 1", 0.01),
        Part(3, "100 nF, ceramic", "", 0.01),
        Part(4, "circuit board, about 180 x 190 mm", "or 30 wires and patience", 15.0),
    ),
    "gpio": (
        Part(1, "74HC154", "not 74HCT154: it runs at 3.3 V", 1.0),
        Part(225, "reed switch, normally open, 10 to 14 mm glass", "", 0.35),
        Part(225, "1N4148 or BAT54", "", 0.02),
        Part(15, "10 kOhm", "pull-ups of the sense lines", 0.01),
        Part(1, "100 nF, ceramic", "", 0.01),
        Part(1, "40-pin ribbon cable and header", "", 4.0),
        Part(4, "circuit board, about 180 x 190 mm", "or 30 wires and patience", 15.0),
    ),
    "stones": (
        Part(225, "magnet, 6 x 3 mm, N42, axially magnetised", "113 black, 112 white", 0.12),
        Part(
            1,
            "set of stones with a hole for them",
            "113 and 112, 20 to 23 mm across, at most 8 mm thick",
            40.0,
        ),
        Part(1, "playing surface, 5 mm wood, printed or engraved", "24 x 25 mm grid", 30.0),
    ),
    "supply": (
        Part(1, "Raspberry Pi 4 or 5, card, cooling", "[other models](raspberry-pi.md#models)", 70.0),
        Part(1, "supply 5 V, 5 A", "", 15.0),
    ),
}


def total(unit: str) -> float:
    """What the parts of a unit cost together."""
    return sum(part.number * part.each for part in BILLS[unit])


def money(value: float) -> str:
    """A price with as many figures as are meant."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def bill(unit: str) -> str:
    """The bill of one unit."""
    rows = [(str(p.number), p.name, p.note, money(p.each), money(p.number * p.each)) for p in BILLS[unit]]
    rows.append(("", "**together**", "", "", f"**{money(total(unit))}**"))
    return table(("number", "part", "remarks", "each", "all"), rows)


def bills_together() -> str:
    """What a whole table costs, by board."""
    rows = []
    for board, words in (
        ("serial", "`serial`: Hall sensors, tells the colour"),
        ("i2c", "`i2c`: one plane of reed switches"),
        ("gpio", "`gpio`: reed switches on the Pi's pins"),
    ):
        shared = sum(total(unit) for unit in ("clock", "stones", "supply"))
        rows.append((words, money(total(board)), money(shared), money(total(board) + shared)))
    return table(("kind", "board", "clock, stones, surface, Pi, supply", "together"), rows)


class Load(NamedTuple):
    """What a part draws: `number` of `each_ma` at `volts`, and how sure that is."""

    number: int
    name: str
    each_ma: float
    volts: float
    source: str


EFFICIENCY: Final = 0.88
"""Of the step-down regulator from 5 V to 3.3 V."""

LOADS: Final[dict[str, tuple[Load, ...]]] = {
    "serial": (
        Load(225, "DRV5055", 6.0, 3.3, "M: 6 mA typical, 10 mA at most"),
        Load(16, "CD74HC4067", 0.1, 3.3, "M: microamperes at rest"),
        Load(1, "reference divider", 3.3 / 25, 3.3, "C: 3.3 V / 25 kOhm"),
        Load(1, "Pico", 50.0, 5.0, "M"),
    ),
    "i2c": (
        Load(3, "PCA9555", 0.2, 3.3, "M"),
        Load(15, "a sense line held low, 10 kOhm", 0.33, 3.3, "C: all 15 stones of the selected rank"),
        Load(2, "a bus line held low, 4.7 kOhm", 0.7, 3.3, "C"),
    ),
    "gpio": (
        Load(1, "74HC154", 0.1, 3.3, "M: microamperes at rest"),
        Load(15, "a sense line held low, 10 kOhm", 0.33, 3.3, "C: all 15 stones of the selected rank"),
    ),
    "clock": (
        Load(2, "face, every segment at full brightness", 160.0, 5.0, "M"),
        Load(1, "Qwiic Buzzer sounding", 35.0, 3.3, "M"),
        Load(5, "key held, 50 kOhm pull-up", 0.066, 3.3, "C"),
    ),
    "pi": (
        Load(
            1,
            "Raspberry Pi 4, busy, without a screen",
            1300.0,
            5.0,
            "M; Pi 5: 2400, Pi 3: 900, Zero 2 W: 600",
        ),
    ),
}


def amperes_at_5v(load: Load) -> float:
    """What a load takes from the 5 V supply; 3.3 V through a switching regulator."""
    current = load.number * load.each_ma / 1000
    return current if load.volts == 5.0 else current * load.volts / 5.0 / EFFICIENCY


def milliamperes(value: float) -> str:
    """A current with three figures at most."""
    return f"{value:.0f} mA" if value >= 100 else f"{value:.2g} mA"


def power_table() -> str:
    """Each load, and what a table with each board takes from 5 V."""
    rows = [
        (
            unit,
            str(load.number),
            load.name,
            f"{milliamperes(load.each_ma)} at {load.volts:.3g} V",
            milliamperes(load.number * load.each_ma),
            load.source,
        )
        for unit, loads in LOADS.items()
        for load in loads
    ]
    return table(("unit", "number", "what", "each", "all", "sure"), rows)


def supply_table() -> str:
    """What a whole table takes from 5 V, by board."""
    rows = []
    for board in ("serial", "i2c", "gpio"):
        parts = {unit: sum(amperes_at_5v(load) for load in LOADS[unit]) for unit in (board, "clock", "pi")}
        rows.append(
            (
                f"`{board}`",
                *(f"{parts[unit]:.2f} A" for unit in (board, "clock", "pi")),
                f"**{sum(parts.values()):.1f} A**",
            )
        )
    return table(("kind of board", "board", "clock", "Pi 4", "together, at 5 V"), rows)
