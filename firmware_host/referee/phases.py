"""The state machine of a match: in which phase an input means what, and what judges it.

A match is in one of four phases, and an input means what the row of its phase in `TRANSITIONS` says:

* `waiting`: the round has not begun. Stones and presses are told and are nothing.
* `playing`: a clock runs. Stones and presses are judged by the step of the opening procedure at hand
  (`procedures`): during `set-up` and `offers` Black's stones are a draft that is judged as a whole at the
  press; in every other step a stone is a move, and `play` says whether a regular one.
* `stopped`: the clocks stand, for the reason `why` (arbiter, call, claim, correction, scattered, whose,
  restart, adjourned, shared-limit). Nothing on the board is a move, but for the stone that was pressed for
  before a player called. While `guiding`, the differences between board and record are told until there are
  none. The match goes on only when nothing on the board is in the way (`board_watch`): by `resume`, and where
  only the board was to be put right by the next act in turn too (`next_act`).
* `over`: nothing is a move, nothing is told; only commands are still answered.

```
waiting --start--> playing --pause, call, claim, scattered, restore--> stopped
                   stopped --resume, reject, waive, a move or press after a correction--> playing
                   playing, stopped --five, flag, resign, uphold, result ..--> over
```
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from firmware_host.referee import (
    board_watch,
    by_hand,
    claims,
    decisions,
    moved,
    next_act,
    orders,
    penalties,
    play,
    whose,
)
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.state import Match, Phase
from firmware_host.sensing.events import (
    Adjusted,
    Cleared,
    Fault,
    FramesLost,
    Interference,
    Lifted,
    Placed,
    Scattered,
    Seen,
    Slid,
    Weak,
)

Handler = Callable[[Match, Any], None]


def _key(m: Match, given: KeyPress) -> None:
    """A key while the round runs: a clock key, a call key, or the arbiter's."""
    if given.key == "near" or given.key == "far":
        (play if m.phase == "playing" else next_act).press(m, given.key)
    elif given.key == "arbiter":
        _arbiter_key(m)
    elif given.key == "near-call" or given.key == "far-call":
        orders.called(m, m.colour_at("near" if given.key == "near-call" else "far"))


def _seen(m: Match, event: Seen) -> None:
    """The board as a whole while a clock runs."""
    (play.seen if event.since_ns is None else whose.came)(m, event)


def _arbiter_key(m: Match) -> None:
    """The arbiter's key pauses, and resumes what can be resumed."""
    command = Command(t_ns=m.t_ns, do="pause" if m.phase == "playing" else "resume")
    (orders.pause if m.phase == "playing" else orders.resume)(m, command)


def _early_key(m: Match, _given: KeyPress) -> None:
    """A key before the round has begun."""
    m.told("before-start")


def _quiet(m: Match, given: Any) -> None:
    """The game is over: what is on the board is still known, and nothing is told."""
    if not isinstance(given, KeyPress):
        board_watch.sense(m, given)


FAULTS: Final[Mapping[type, Handler]] = {
    Fault: board_watch.fault,
    Cleared: board_watch.cleared,
    Interference: board_watch.interference,
    Weak: board_watch.weak,
    FramesLost: board_watch.frames_lost,
}
"""Faults are told in every phase but `over`, and the game goes on."""

BOARD: Final = (Placed, Lifted, Slid, Adjusted, Scattered, Seen)

TRANSITIONS: Final[Mapping[Phase, Mapping[type, Handler]]] = {
    "waiting": {
        **dict.fromkeys(BOARD, board_watch.before_start),
        **FAULTS,
        KeyPress: _early_key,
    },
    "playing": {
        Placed: play.placed,
        Lifted: play.lifted,
        Slid: play.slid,
        Adjusted: play.adjusted,
        Scattered: board_watch.scattered,
        Seen: _seen,
        **FAULTS,
        KeyPress: _key,
    },
    "stopped": {
        **dict.fromkeys((Lifted, Adjusted), board_watch.watch),
        Placed: next_act.placed,
        Slid: next_act.slid,
        Scattered: board_watch.scattered,
        Seen: whose.came_while_stopped,
        **FAULTS,
        KeyPress: _key,
    },
    "over": {
        **dict.fromkeys((*BOARD, *FAULTS, KeyPress), _quiet),
    },
}
"""Phase -> kind of input -> what judges it. For a tick the coming of time is all; commands are in ORDERS."""


class Order(NamedTuple):
    """What carries a command out, and in which phases it can be given."""

    handler: Callable[[Match, Command], None]
    phases: tuple[Phase, ...]


_BEGUN: Final[tuple[Phase, ...]] = ("playing", "stopped")
_OPEN: Final[tuple[Phase, ...]] = ("waiting", *_BEGUN)
_ANY: Final[tuple[Phase, ...]] = (*_OPEN, "over")

ORDERS: Final[Mapping[str, Order]] = {
    "start": Order(orders.start, ("waiting",)),
    "pause": Order(orders.pause, ("playing",)),
    "resume": Order(orders.resume, ("stopped",)),
    "adjourn": Order(orders.adjourn, _BEGUN),
    "finish": Order(orders.finish, ("over",)),
    "arrive": Order(orders.arrive, _OPEN),
    "opening": Order(orders.name_offers, _OPEN),
    "swap": Order(orders.choose, _BEGUN),
    "keep": Order(orders.choose, _BEGUN),
    "choose": Order(orders.choose, _BEGUN),
    "pass": Order(orders.give_up_move, _BEGUN),
    "resign": Order(orders.resign, _BEGUN),
    "left": Order(orders.left, _BEGUN),
    "draw": Order(orders.draw, _BEGUN),
    "call": Order(orders.call, _OPEN),
    "claim": Order(claims.claim, _BEGUN),
    "uphold": Order(claims.uphold, _BEGUN),
    "reject": Order(claims.reject, _BEGUN),
    "waive": Order(claims.waive, _BEGUN),
    "restore": Order(by_hand.restore, _BEGUN),
    "accept_board": Order(by_hand.accept_board, _BEGUN),
    "moved": Order(moved.moved_stones, _BEGUN),
    "place": Order(by_hand.place, _BEGUN),
    "remove": Order(by_hand.remove, _BEGUN),
    "mask": Order(by_hand.mask, _ANY),
    "unmask": Order(by_hand.mask, _ANY),
    "set_clock": Order(penalties.set_clock, _OPEN),
    "set_used": Order(penalties.set_used, _BEGUN),
    "add_time": Order(penalties.set_clock, _OPEN),
    "split": Order(penalties.split, _BEGUN),
    "charge": Order(penalties.charge, ("stopped",)),
    "violation": Order(penalties.penalty, _ANY),
    "penalty": Order(penalties.penalty, _ANY),
    "colours": Order(penalties.colours, _OPEN),
    "result": Order(penalties.result, _ANY),
    "compensate": Order(decisions.compensate, _ANY),
    "note": Order(orders.note, _ANY),
}

PHASE_WORDS: Final[Mapping[Phase, str]] = {
    "waiting": "the round has not begun",
    "playing": "the game is running",
    "stopped": "the clocks stand",
    "over": "the game is over",
}
