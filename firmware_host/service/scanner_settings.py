"""The configuration of each kind of scanner: what is wired where."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Address = Annotated[int, Meta(ge=0x08, le=0x77, extra={"allowed": "an I2C address from 0x08 to 0x77"})]
Pin = Annotated[int, Meta(ge=0, le=27)]
"""A pin of the Pi's header, BCM number."""
PinList = Annotated[
    str,
    Meta(
        pattern=r"^[0-9 ,-]+$",
        max_length=60,
        extra={"allowed": 'a text of 15 different pins, as numbers and ranges, such as "0-14" or "7-0 8-14"'},
    ),
]


class SerialScanner(msgspec.Struct, frozen=True, kw_only=True):
    """The scanner with a microcontroller of its own, at a USB or serial port."""

    device: Annotated[
        str,
        Meta(
            pattern=r"^[^\x00]*$",
            description="its port, such as `/dev/serial/by-id/usb-MicroPython*` (a `*` stands for anything);"
            " empty: the port of whichever Raspberry Pi Pico answers as a scanner",
            extra={"allowed": "the path of a port, or an empty text"},
        ),
    ] = ""


class GpioScanner(msgspec.Struct, frozen=True, kw_only=True):
    """A matrix of switches on the Pi's own pins (BCM numbers): a 74HC154 selects a line, 15 pins sense it."""

    backend: Annotated[
        Literal["gpiod", "rpigpio"],
        Meta(description="`gpiod` on every Pi; `rpigpio` reads pin by pin through RPi.GPIO, on a Pi 0 to 4"),
    ] = "gpiod"
    chip: Annotated[
        str,
        Meta(
            pattern=r"^[^\x00]*$",
            description="for `gpiod`: path or label of the GPIO chip; empty: that of the Pi's header",
            extra={"allowed": "a path such as /dev/gpiochip0, a label such as pinctrl-rp1, or an empty text"},
        ),
    ] = ""
    select: Annotated[
        tuple[Pin, Pin, Pin, Pin],
        Meta(
            description="the decoder's inputs A0 to A3",
            extra={"allowed": "4 different whole numbers from 0 to 27, such as [4, 5, 6, 7]"},
        ),
    ] = (4, 5, 6, 7)
    sense: Annotated[
        tuple[Pin, ...],
        Meta(
            min_length=15,
            max_length=15,
            description="the sense lines A to O of the sensor plane",
            extra={"allowed": "15 different whole numbers from 0 to 27"},
        ),
    ] = (8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 25, 26)
    enable: Annotated[
        Pin | None, Meta(description="the decoder's enable inputs (low enables); not given: wired to ground")
    ] = None
    settle_us: Annotated[
        int, Meta(ge=0, le=1000, description="microseconds between selecting a line and sensing it")
    ] = 50


class I2cScanner(msgspec.Struct, frozen=True, kw_only=True):
    """The board with `scanner.kind = "i2c"`: port expanders that select ranks and sense columns."""

    i2c_bus: Annotated[
        int, Meta(ge=0, le=31, description="number of the board's bus: N of /dev/i2c-N; not the clock's")
    ] = 3
    planes: Annotated[
        Literal["one", "poles"],
        Meta(
            description="`one` switch at each point tells where stones lie; two, one for each of the `poles`,"
            " also their colour"
        ),
    ] = "one"
    select_chip: Annotated[
        Literal["pca9555", "mcp23017"], Meta(description="the expander that drives the select lines")
    ] = "pca9555"
    select_address: Annotated[Address, Meta(description="its I2C address")] = 0x20
    select_pins: Annotated[
        PinList, Meta(description="its pins of ranks 1 to 15, port 0 (A) being 0 to 7, port 1 (B) 8 to 15")
    ] = "0-14"
    sense_chip: Annotated[
        Literal["pca9555", "mcp23017"],
        Meta(description="the expander that reads the sense lines; an `mcp23017` has 14 inputs"),
    ] = "pca9555"
    sense_address: Annotated[
        Address, Meta(description="its I2C address; with `poles` that of the north poles' plane")
    ] = 0x21
    second_address: Annotated[
        Address, Meta(description="I2C address of a second one: the south poles', or that of pins 16 to 31")
    ] = 0x22
    sense_pins: Annotated[PinList, Meta(description="the pins of columns A to O")] = "0-14"
    diodes: Annotated[
        bool, Meta(description="whether there is a diode at each crossing; without them ghosts are possible")
    ] = True
    settle_us: Annotated[
        int,
        Meta(ge=0, le=5000, description="pause between selecting a line and reading it, in microseconds"),
    ] = 0
    reset_pin: Annotated[
        Pin | None,
        Meta(description="GPIO pin (BCM) wired to the expanders' reset or to a switch in their supply"),
    ] = None
