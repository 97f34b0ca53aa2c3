"""What reaches the referee beside the events of the board: key presses, commands and ticks.

At equal instants an event of the board comes before a key, a key before a command, a command before a tick;
of several keys the order is that of their names, whichever became known first.
"""

from typing import Literal

import msgspec

from firmware_host.board import Colour, Point
from firmware_host.sensing.events import AnyBoardEvent, BoardEvent

Seat = Literal["near", "far"]
KeyName = Literal["near", "far", "near-call", "far-call", "arbiter", "near-menu", "far-menu"]
Giver = Literal["arbiter", "chief", "organiser", "near", "far"]


class KeyPress(msgspec.Struct, frozen=True, tag_field="event", tag="key", kw_only=True):
    """A key closed at `t_ns`, the instant of its edge.

    `-call` keys: a short press, at the instant at which it opened again, since before that nobody knows that
    it was short. `-menu`: the call key was held, and `t_ns` is when its second was over; `menu` takes it up,
    and the referee makes nothing of it.
    """

    t_ns: int
    key: KeyName


class Command(msgspec.Struct, frozen=True, tag_field="event", tag="command", kw_only=True):
    """An order in the one vocabulary of console, face menus, scenarios and traces (`docs/commands.md`).

    A field that a `do` does not know is refused where commands are read (`commands.parse_command`). `unread`
    is why a command of a trace could not be: the referee refuses it with that sentence.
    """

    t_ns: int
    do: str
    by: Giver = "arbiter"
    side: Colour | None = None
    point: Point | None = None
    colour: Colour | None = None
    code: str | None = None
    answer: str | None = None
    decision: str | None = None
    offers: int | None = None
    branch: str | None = None
    ms: int | None = None
    kind: str | None = None
    reason: str | None = None
    black: float | None = None
    white: float | None = None
    entry: int | None = None
    text: str | None = None
    absent: str | None = None
    unread: str | None = None


class Tick(msgspec.Struct, frozen=True, tag_field="event", tag="tick", kw_only=True):
    """Time has come to `t_ns`, and nothing else happened up to it."""

    t_ns: int


Input = AnyBoardEvent | KeyPress | Command | Tick


def order(given: Input) -> tuple[int, int, str]:
    """Sort key of the one order of things: by time, then board, key, command, tick; keys by their names."""
    rank = (
        0
        if isinstance(given, BoardEvent)
        else 1
        if isinstance(given, KeyPress)
        else 2
        if isinstance(given, Command)
        else 3
    )
    return given.t_ns, rank, given.key if isinstance(given, KeyPress) else ""
