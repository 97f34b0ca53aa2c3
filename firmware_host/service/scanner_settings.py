"""The configuration of each kind of scanner: what is wired where."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Pin = Annotated[int, Meta(ge=0, le=27)]
"""A pin of the Pi's header, BCM number."""


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
