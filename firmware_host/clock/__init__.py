"""Time: the controls of a match and the clock with two faces. Integer nanoseconds, passed in."""

from firmware_host.clock.clock import (
    INCREMENT,
    RENEWAL,
    Account,
    Books,
    Clock,
    Crossing,
    Entry,
    Player,
    Side,
)
from firmware_host.clock.control import (
    LONGEST_NS,
    MS,
    SECOND,
    UNITS,
    TimeControl,
    duration_text,
    parse_control,
    parse_duration_ns,
)

__all__ = [
    "INCREMENT",
    "LONGEST_NS",
    "MS",
    "RENEWAL",
    "SECOND",
    "UNITS",
    "Account",
    "Books",
    "Clock",
    "Crossing",
    "Entry",
    "Player",
    "Side",
    "TimeControl",
    "duration_text",
    "parse_control",
    "parse_duration_ns",
]
