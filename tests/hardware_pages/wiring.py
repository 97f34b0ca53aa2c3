"""What is wired to what, from the defaults of the configuration and of the scanner's firmware.

Everything that the pages and the drawings of `hw/docs` say of pins and addresses comes from here.
"""

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from firmware_host.service.config import Config
from hw.expanders import parse_pins

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "hw" / "docs"

CONFIG: Final = Config()
CLOCK: Final = CONFIG.clock
KEYS: Final = CONFIG.keys
GPIO: Final = CONFIG.gpio_scanner
I2C: Final = CONFIG.i2c_scanner

COLUMNS: Final = "ABCDEFGHIJKLMNO"

HEADER: Final = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33,
    14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37,
    27: 13,
}  # fmt: skip
"""BCM number -> pin of the 40-pin header [Raspberry Pi documentation, GPIO and the 40-pin header]."""
SUPPLIES: Final = {
    **dict.fromkeys((1, 17), "3.3 V"), **dict.fromkeys((2, 4), "5 V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground"),
}  # fmt: skip
"""The other pins of the header [the same]."""
BUS_1: Final = {2: "SDA", 3: "SCL"}
"""Bus 1 [Raspberry Pi documentation]."""
BUS_3: Final = {"Pi 4": {4: "SDA", 5: "SCL"}, "Pi 5": {6: "SDA", 7: "SCL"}}
"""Bus 3 [overlays README of the Raspberry Pi kernel: i2c3; i2c3-pi5]."""

DECODER: Final = {
    **{f"Y{n}": n + 1 for n in range(11)}, **{f"Y{n}": n + 2 for n in range(11, 16)},
    "GND": 12, "E0": 18, "E1": 19, "A3": 20, "A2": 21, "A1": 22, "A0": 23, "VCC": 24,
}  # fmt: skip
"""Pins of a 74HC154 [its data sheet]."""
MULTIPLEXER: Final = {
    "common": 1, **{f"I{7 - n}": n + 2 for n in range(8)}, "S0": 10, "S1": 11, "GND": 12, "S3": 13, "S2": 14,
    "E": 15, **{f"I{15 - n}": n + 16 for n in range(8)}, "VCC": 24,
}  # fmt: skip
"""Pins of a CD74HC4067 [1, 12, 15, 24: descriptions of the part; the others: from memory]."""
EXPANDER: Final = {
    "INT": 1, "A1": 2, "A2": 3, **{f"IO0_{n}": n + 4 for n in range(8)}, "GND": 12,
    **{f"IO1_{n}": n + 13 for n in range(8)}, "A0": 21, "SCL": 22, "SDA": 23, "VCC": 24,
}  # fmt: skip
"""Pins of a PCA9555 in SO24 or TSSOP24 [1 to 7: its data sheet; the others: from memory]."""
PICO: Final = {
    **{n: n + 1 for n in (0, 1)}, **{n: n + 2 for n in range(2, 6)}, **{n: n + 3 for n in range(6, 10)},
    **{n: n + 4 for n in range(10, 14)}, **{n: n + 5 for n in (14, 15)}, 26: 31,
}  # fmt: skip
"""GP number -> pin of a Raspberry Pi Pico [Pico data sheet, pinout]."""


def firmware_pins() -> tuple[int, int, int]:
    """First select pin, sense pin and leave pin of the scanner, from the source that MicroPython runs."""
    tree = ast.parse((ROOT / "hw" / "scanner_firmware" / "pico.py").read_text(encoding="utf-8"))
    found: dict[str, int] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(pin))):
                found[name] = pin
    return found["SELECT_PIN"], found["SENSE_PIN"], found["LEAVE_PIN"]


def key_pins() -> dict[str, int]:
    """The BCM pin of each key, in the words of the pages."""
    return {
        "clock key, near seat": KEYS.near,
        "clock key, far seat": KEYS.far,
        "call key, near seat": KEYS.near_call,
        "call key, far seat": KEYS.far_call,
        "arbiter's key": KEYS.arbiter,
    }


def gpio_pins() -> dict[int, str]:
    """What the `gpio` board has at each BCM pin."""
    uses = {pin: f"decoder A{n}" for n, pin in enumerate(GPIO.select)}
    return uses | {pin: f"sense {COLUMNS[n]}" for n, pin in enumerate(GPIO.sense)}


def clock_pins() -> dict[int, str]:
    """What the clock has at each BCM pin."""
    uses = {pin: f"{name}, bus {CLOCK.i2c_bus}" for pin, name in BUS_1.items()}
    return (
        uses | {pin: words for words, pin in key_pins().items()} | {CLOCK.piezo_pin: "piezo, if there is one"}
    )


def expander_pin(number: int) -> str:
    """The name of pin 0..15 of a PCA9555."""
    return f"IO{number // 8}_{number % 8}"


def select_pins() -> tuple[int, ...]:
    """The select expander's pin of each rank."""
    return parse_pins(I2C.select_pins, 16)


def sense_pins() -> tuple[int, ...]:
    """The sense expander's pin of each column."""
    return parse_pins(I2C.sense_pins, 16)


def jumpers(address: int, base: int) -> str:
    """How A2 A1 A0 of a chip are wired for an address, such as `0 0 1`."""
    return " ".join(str(address - base >> bit & 1) for bit in (2, 1, 0))


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def header_table() -> str:
    """Every GPIO of the header: who has it."""
    clock, board = clock_pins(), gpio_pins()
    buses = {pin: f"{name} ({model})" for model, pins in BUS_3.items() for pin, name in pins.items()}
    rows = [
        (f"GPIO{bcm}", str(pin), clock.get(bcm, ""), board.get(bcm, ""), buses.get(bcm, ""))
        for bcm, pin in HEADER.items()
    ]
    return table(
        ("GPIO", "pin of the header", "clock", "`gpio` board", f"`i2c` board, bus {I2C.i2c_bus}"), rows
    )


def clock_table() -> str:
    """The clock's wires."""
    rows = [
        (
            f"face of the {seat} seat (HT16K33)",
            f"0x{address:02x}, jumpers A2 A1 A0 = {jumpers(address, 0x70)}",
            "bus, 5 V, ground",
        )
        for seat, address in (("near", CLOCK.near_address), ("far", CLOCK.far_address))
    ]
    rows.append(("Qwiic Buzzer", f"0x{CLOCK.buzzer_address:02x}", "bus, 3.3 V, ground"))
    rows.append(("or a piezo", f"GPIO{CLOCK.piezo_pin}", f"pin {HEADER[CLOCK.piezo_pin]}, and ground"))
    rows += [(words, f"GPIO{pin}", f"pin {HEADER[pin]}, and ground") for words, pin in key_pins().items()]
    return table(("part", "address or GPIO", "connected to"), rows)


def serial_table() -> str:
    """The wires between Pico and multiplexers."""
    first, sense, leave = firmware_pins()
    rows = [
        (
            f"GP{first + n}",
            str(PICO[first + n]),
            f"S{n} of all 15 row multiplexers (pin {MULTIPLEXER[f'S{n}']})",
        )
        for n in range(4)
    ]
    rows += [
        (
            f"GP{first + 4 + n}",
            str(PICO[first + 4 + n]),
            f"S{n} of the sixteenth (pin {MULTIPLEXER[f'S{n}']})",
        )
        for n in range(4)
    ]
    rows += [
        (
            f"GP{sense}, ADC input {sense - 26}",
            str(PICO[sense]),
            "common of the sixteenth (pin 1), through 1 kOhm",
        ),
        ("ADC_VREF", "35", "3.3 V of the sensors"),
        ("AGND", "33", "ground of the sensors, one thick wire"),
        (
            f"GP{leave}",
            str(PICO[leave]),
            "a jumper to ground: closed while it starts, the scanner does not run",
        ),
    ]
    return table(("Pico", "pin", "to"), rows)


def rows_table() -> str:
    """The wires of the multiplexers among each other."""
    halves = []
    for n in range(16):
        what = f"sensor {COLUMNS[n]} of its row" if n < 15 else "the reference"
        other = f"common of row {n + 1}'s multiplexer" if n < 15 else "open"
        halves.append((f"I{n}", str(MULTIPLEXER[f"I{n}"]), what, other))
    return table(("input", "pin", "row multiplexer", "the sixteenth"), halves)


def i2c_table() -> str:
    """The wires of the expanders, line by line."""
    select, sense = select_pins(), sense_pins()
    rows = []
    for n in range(15):
        down, across = expander_pin(select[n]), expander_pin(sense[n])
        rows.append(
            (
                f"rank {n + 1}",
                down,
                str(EXPANDER[down]),
                f"column {COLUMNS[n]}",
                across,
                str(EXPANDER[across]),
            )
        )
    return table(("select line", "expander", "pin", "sense line", "expander(s)", "pin"), rows)


def expanders_table() -> str:
    """The addresses of the expanders."""
    rows = [
        ("selects ranks", I2C.select_address, "always"),
        ("senses columns; with `poles` those of the north poles' plane", I2C.sense_address, "always"),
        ("senses columns of the south poles' plane", I2C.second_address, 'only with `planes = "poles"`'),
    ]
    return table(
        ("expander", "address", "A2 A1 A0", "there"),
        [(what, f"0x{at:02x}", jumpers(at, 0x20), when) for what, at, when in rows],
    )


def gpio_table() -> str:
    """The wires of the decoder and of the sense lines."""
    rows = [
        (f"GPIO{pin}", str(HEADER[pin]), f"A{n} of the decoder (pin {DECODER[f'A{n}']})")
        for n, pin in enumerate(GPIO.select)
    ]
    rows += [(f"GPIO{pin}", str(HEADER[pin]), f"sense line {COLUMNS[n]}") for n, pin in enumerate(GPIO.sense)]
    return table(("GPIO", "pin of the header", "to"), rows)


def decoder_table() -> str:
    """The outputs of the decoder."""
    rows = [(f"Y{n}", str(DECODER[f"Y{n}"]), f"select line of rank {n + 1}") for n in range(15)]
    rows += [
        ("Y15", str(DECODER["Y15"]), "stays open: nothing is selected"),
        (
            "E0, E1",
            f"{DECODER['E0']}, {DECODER['E1']}",
            "ground, or one of them to the GPIO of `gpio_scanner.enable`",
        ),
        ("VCC, GND", f"{DECODER['VCC']}, {DECODER['GND']}", "3.3 V, ground, 100 nF between them"),
    ]
    return table(("74HC154", "pin", "to"), rows)
