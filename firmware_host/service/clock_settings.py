"""The configuration of the clock: its two faces, the buzzer, the keys."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from firmware_host.service.scanner_settings import Address, Pin


class ClockDevices(msgspec.Struct, frozen=True, kw_only=True):
    """The two faces and the buzzer."""

    faces: Annotated[
        Literal["simulator", "ht16k33", "none"], Meta(description="the driver of the two four-digit faces")
    ] = "simulator"
    buzzer: Annotated[
        Literal["simulator", "qwiic", "piezo", "none"],
        Meta(description="the driver of the buzzer; a `piezo` needs a pin and nothing else"),
    ] = "simulator"
    i2c_bus: Annotated[int, Meta(ge=0, le=31, description="number of the bus: N of /dev/i2c-N")] = 1
    near_address: Annotated[Address, Meta(description="I2C address of the face on the near side")] = 0x70
    far_address: Annotated[Address, Meta(description="I2C address of the face on the far side")] = 0x71
    buzzer_address: Annotated[Address, Meta(description="I2C address of the buzzer")] = 0x34
    piezo_pin: Annotated[Pin, Meta(description="GPIO pin (BCM) of a piezo")] = 18
    brightness: Annotated[int, Meta(ge=0, le=15, description="brightness of the faces")] = 8
    mirror: Annotated[
        bool,
        Meta(
            description="`true` when the clock stands on the other side of the board: its faces and keys"
            " change seats"
        ),
    ] = False
    last_minute: Annotated[
        bool,
        Meta(
            description="whether a tone tells that a minute is left of all the time; only where the event"
            " allows it"
        ),
    ] = False


class Keys(msgspec.Struct, frozen=True, kw_only=True):
    """The GPIO pins (BCM numbers) of the keys, each closing to ground."""

    factory: Annotated[
        Literal["simulator", "lgpio", "rpigpio", "native", "mock", "none"],
        Meta(
            description="gpiozero's pin factory: `lgpio` on every Pi; `rpigpio` and `native` on a Pi 0 to 4,"
            " without the kernel's time stamps; `mock` has no pins"
        ),
    ] = "simulator"
    near: Annotated[Pin, Meta(description="clock key of the near seat")] = 17
    far: Annotated[Pin, Meta(description="clock key of the far seat")] = 27
    near_call: Annotated[Pin, Meta(description="call key of the near seat")] = 22
    far_call: Annotated[Pin, Meta(description="call key of the far seat")] = 23
    arbiter: Annotated[Pin, Meta(description="the arbiter's key")] = 24
