"""The menus on the faces: a player's choices without a console.

A call key that is held for a second opens a menu on its seat's own face. Then the clock key of that seat
steps to the next item and a short press of the call key takes it, as one command by that seat. While a menu
is open neither key does anything else; the seat's clock runs on, and the face shows item and time by turns.

`ITEMS` is the table of what there is, with the word on the face; an item is offered while it is possible. The
choices of an opening are those of the step of its procedure that is at hand (`referee.procedures`).
What cannot be taken back is asked once more (`SurE`): the call key means it, the clock key goes back.

A player who opened it by mistake gets out in any of these ways, and his next press is a press of the clock:
he holds the call key again, takes the last item (`ESC`), does nothing for ten seconds, or puts a stone down
while his own clock runs, for then the clock key is about to be needed.

What is offered follows from what everybody at the table knows: the step of the opening, whose turn it is, how
many moves were made, a draw that was offered. It never follows from anything that the arbiter alone is told.

Keys come in the order of time; nothing but the instants of keys and stones opens or closes a menu, so that a
replayed trace gives the same commands. `docs/menus.md` shows the faces.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

import msgspec

from firmware_host.board import POINTS, Colour
from firmware_host.referee.inputs import Command, Input, KeyName, KeyPress, Seat
from firmware_host.referee.match import Referee
from firmware_host.referee.procedures import procedure_of
from firmware_host.sensing.events import Placed

OPEN_NS: Final = 10_000_000_000
"""A menu that no key has touched for so long is closed."""

Act = Literal["step", "take", "open"]
KEYS: Final[dict[KeyName, tuple[Seat, Act]]] = {
    "near": ("near", "step"),
    "far": ("far", "step"),
    "near-call": ("near", "take"),
    "far-call": ("far", "take"),
    "near-menu": ("near", "open"),
    "far-menu": ("far", "open"),
}
"""Whose key it is, and what it does in a menu. The arbiter's key does nothing there."""

SURE: Final = "SurE"
NUMBER: Final = "n{:3}"
NO_NUMBER: Final = "n --"


class Item(NamedTuple):
    """A row: its name, the word on the face, when it is offered, and the command that it gives.

    `command` None: nothing but leaving. `sure`: asked once more. `number`: N is chosen first.
    Every `offered` takes the referee and the colour of the player who asks.
    """

    name: str
    word: str
    offered: Callable[[Referee, Colour], bool]
    command: Mapping[str, Any] | None
    sure: bool = False
    number: bool = False


def _runs(referee: Referee) -> bool:
    return referee.phase in ("opening", "playing")


def _always(_referee: Referee, _side: Colour) -> bool:
    return True


def _goes_on(referee: Referee, _side: Colour) -> bool:
    return referee.phase not in ("waiting", "over")


def _draw_offered(referee: Referee, side: Colour) -> bool:
    return _goes_on(referee, side) and referee.draw_offer is side.other


def _may_offer_draw(referee: Referee, side: Colour) -> bool:
    """On one's own time [6.1.9], unless an offer waits already."""
    return _runs(referee) and referee.time_of is side and referee.draw_offer is None


def _may_choose(name: str) -> Callable[[Referee, Colour], bool]:
    """Whether the step at hand gives a side the choice of this name, with the stones that it has laid."""

    def offered(referee: Referee, side: Colour) -> bool:
        step = referee.step
        choice = next((each for each in step.choices if each.name == name), None)
        if choice is None or not referee.may_speak:
            return False
        most = 0 if choice.does == "swap" else 1 if choice.to == "one" else POINTS
        return referee.drafted <= most and step.side is side and referee.to_move is side

    return offered


def _names_offers(referee: Referee, side: Colour) -> bool:
    return referee.over is None and referee.names_offers(side)


def _may_pass(referee: Referee, side: Colour) -> bool:
    return referee.may_pass(side)


ITEMS: Final[tuple[Item, ...]] = (
    Item("accept", "=YES", _draw_offered, {"do": "draw", "answer": "accept"}, sure=True),
    Item("refuse", "= no", _draw_offered, {"do": "draw", "answer": "refuse"}),
    Item("swap", "SUAP", _may_choose("swap"), {"do": "swap"}, sure=True),
    Item("keep", "StAY", _may_choose("keep"), {"do": "keep"}),
    Item("white", "uhit", _may_choose("white"), {"do": "choose", "branch": "white"}, sure=True),
    Item("black", "bLAC", _may_choose("black"), {"do": "choose", "branch": "black"}, sure=True),
    Item("add", "Add ", _may_choose("add"), {"do": "choose", "branch": "add"}, sure=True),
    Item("one", "onE ", _may_choose("one"), {"do": "choose", "branch": "one"}, sure=True),
    Item("ten", "tEn ", _may_choose("ten"), {"do": "choose", "branch": "ten"}, sure=True),
    Item("offers", NO_NUMBER, _names_offers, {"do": "opening"}, number=True),
    Item("pass", "PASS", _may_pass, {"do": "pass"}, sure=True),
    Item("draw", "drAu", _may_offer_draw, {"do": "draw", "answer": "offer"}),
    Item("resign", "LoSE", _goes_on, {"do": "resign"}, sure=True),
    Item("leave", "ESC ", _always, None),
)
"""What can be chosen, the most urgent first; a menu opens at the first item, if there is any but leaving."""


class Open(msgspec.Struct, frozen=True):
    """An open menu: the name of its item, the instant of its last key, and what is asked about the item.

    `number`: the N that a press of the call key would declare. `sure`: the item is asked once more.
    """

    item: str
    key_ns: int
    number: int | None = None
    sure: bool = False


class Menus(msgspec.Struct, frozen=True):
    """The menus of both seats; None is closed. A value: `take` gives the next one."""

    near: Open | None = None
    far: Open | None = None

    def take(self, referee: Referee, given: Input) -> tuple["Menus", Input | None]:
        """The menus after an input, and what goes on to the referee: the input, a command, or nothing.

        `referee` stands where it stood before the input.
        """
        if isinstance(given, Placed):
            return self._stone(referee), given
        if not isinstance(given, KeyPress) or given.key not in KEYS:
            return self, given
        seat, act = KEYS[given.key]
        menu = self.at(referee, seat, given.t_ns)
        if act == "open":
            first = offered(referee, seat)[0]
            opens = menu is None and first.command is not None
            return self._with(seat, Open(first.name, given.t_ns) if opens else None), None
        if menu is None:
            return self._with(seat, None), given
        if act == "step":
            return self._with(seat, _step(referee, seat, menu, given.t_ns)), None
        after, command = _take(referee, seat, menu, given.t_ns)
        return self._with(seat, after), command

    def at(self, referee: Referee, seat: Seat, now_ns: int) -> Open | None:
        """The menu that is open at a seat: none that was left alone, or whose item is possible no more."""
        menu = self.near if seat == "near" else self.far
        if menu is None or now_ns - menu.key_ns >= OPEN_NS:
            return None
        return menu if any(item.name == menu.item for item in offered(referee, seat)) else None

    def word(self, referee: Referee, seat: Seat, now_ns: int) -> tuple[str, int] | None:
        """Four characters for the face of a seat, and the instant of the last key; None without a menu."""
        menu = self.at(referee, seat, now_ns)
        if menu is None:
            return None
        item = _named(referee, seat, menu.item)
        if menu.sure:
            return SURE, menu.key_ns
        number = menu.number or (referee.offers_wanted if item.number else None)
        return (item.word if number is None else NUMBER.format(number)), menu.key_ns

    def _stone(self, referee: Referee) -> "Menus":
        """A stone was put down: whose clock runs will need the clock key."""
        if referee.time_of is None or self == Menus():
            return self
        return self._with(referee.seat_of(referee.player_of(referee.time_of)), None)

    def _with(self, seat: Seat, menu: Open | None) -> "Menus":
        return msgspec.structs.replace(self, **{seat: menu})


def offered(referee: Referee, seat: Seat) -> tuple[Item, ...]:
    """What the player at a seat may choose now."""
    player = referee.player_at(seat)
    side = next(colour for colour in Colour if referee.player_of(colour) is player)
    return tuple(item for item in ITEMS if item.offered(referee, side))


def _named(referee: Referee, seat: Seat, name: str) -> Item:
    return next(item for item in offered(referee, seat) if item.name == name)


def _step(referee: Referee, seat: Seat, menu: Open, t_ns: int) -> Open:
    """On to the next item or the next N; back from being asked once more."""
    if menu.sure:
        return Open(menu.item, t_ns)
    if menu.number is not None:
        procedure = procedure_of(referee.settings)
        greater = menu.number + 1
        number = greater if greater <= procedure.most_offers else procedure.fewest_offers
        return Open(menu.item, t_ns, number)
    items = offered(referee, seat)
    names = [item.name for item in items]
    return Open(items[(names.index(menu.item) + 1) % len(items)].name, t_ns)


def _take(referee: Referee, seat: Seat, menu: Open, t_ns: int) -> tuple[Open | None, Command | None]:
    """The item is meant: ask on, or give its command and close."""
    item = _named(referee, seat, menu.item)
    if item.command is None:
        return None, None
    if item.sure and not menu.sure:
        return Open(item.name, t_ns, sure=True), None
    if item.number and menu.number is None:
        number = referee.offers_wanted or procedure_of(referee.settings).fewest_offers
        return Open(item.name, t_ns, number), None
    return None, Command(t_ns=t_ns, by=seat, offers=menu.number, **item.command)
