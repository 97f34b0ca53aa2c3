"""Time: the controls of a match and the clock with two faces. Integer nanoseconds, passed in."""

from firmware_host.clock.clock import Account, Books, Clock, Crossing, Player
from firmware_host.clock.control import MS, SECOND, UNITS, Stage, TimeControl, duration_text
from firmware_host.clock.notation import LONGEST_NS, parse_control, parse_duration_ns
from firmware_host.clock.side import INCREMENT, MOVES_NOT_MADE, RENEWAL, SPLIT, Entry, Side
from firmware_host.clock.words import GRADES, LANGUAGES, control_words, time_words

__all__ = [
    "GRADES",
    "INCREMENT",
    "LANGUAGES",
    "LONGEST_NS",
    "MOVES_NOT_MADE",
    "MS",
    "RENEWAL",
    "SECOND",
    "SPLIT",
    "UNITS",
    "Account",
    "Books",
    "Clock",
    "Crossing",
    "Entry",
    "Player",
    "Side",
    "Stage",
    "TimeControl",
    "control_words",
    "duration_text",
    "parse_control",
    "parse_duration_ns",
    "time_words",
]
