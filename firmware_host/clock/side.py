"""One side's time in the course of its stages: what it eats, what a move brings, where it ends.

A side's time is a chain: the periods of its stages, one after the other. A period whose time is out is
followed by the next one; but where moves were to be made in it and are not made, it is a period used up, and
the last one used up is the flag. Source: competition rules 8.2, 8.3.
"""

from enum import StrEnum
from typing import Final, Literal

import msgspec

from firmware_host.clock.control import Stage, TimeControl


class Own(StrEnum):
    """The reasons of the clock's own entries; an arbiter's reason may have the same words and is not one."""

    INCREMENT = "increment"
    RENEWAL = "byo-yomi"
    MOVES_NOT_MADE = "moves not made"
    SPLIT = "split"


INCREMENT: Final = Own.INCREMENT
RENEWAL: Final = Own.RENEWAL
MOVES_NOT_MADE: Final = Own.MOVES_NOT_MADE
SPLIT: Final = Own.SPLIT

GIVEN_BACK: Final = Stage(ns=0)
"""Where time is that an arbiter gives after the flag: it is not part of the control any more."""

EndKind = Literal["main", "stage", "period", "flag"]


class Entry(msgspec.Struct, frozen=True):
    """A named adjustment in the books of one side at `t_ns`; `ns` was given (> 0) or taken (< 0).

    `used`: it says what had been used, so that it counts for the time used as if it had not run, or had.
    """

    t_ns: int
    ns: int
    reason: str
    used: bool = False


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side's time as it stood at the clock's `as_of_ns`.

    `ns` is what is left of the period at hand; below 0 only when the flag has fallen and the clock ran on.
    `periods` counts the periods of the stage not used up, the one at hand included; 0 after the flag. `made`
    are the moves made in the period. `lent_ns`: what the opponent has used of a shared limit.
    """

    ns: int
    stage: int = 0
    periods: int = 0
    made: int = 0
    ran_ns: int = 0
    lent_ns: int = 0
    fell_ns: int | None = None
    entries: tuple[Entry, ...] = ()


def whole(control: TimeControl) -> Side:
    """A side with all that a control gives."""
    if not control.stages:
        return Side(ns=0)
    return Side(ns=control.stages[0].ns, periods=control.stages[0].count)


def stage_of(control: TimeControl, side: Side) -> Stage:
    """The stage that a side is in."""
    return control.stages[side.stage] if side.stage < len(control.stages) else GIVEN_BACK


def revived(control: TimeControl, side: Side) -> Side:
    """A side that is given time after its flag: it plays on with that time, and with its increments."""
    goes_on = side.stage + 1 == len(control.stages) and not control.stages[side.stage].moves
    return msgspec.structs.replace(side, periods=1, stage=side.stage if goes_on else len(control.stages))


def left_ns(control: TimeControl, side: Side) -> int:
    """All the time of a side, the periods to come included; below 0 after the flag."""
    if not side.periods:
        return side.ns
    return side.ns + (side.periods - 1) * stage_of(control, side).ns + control.after_ns(side.stage)


def to_make(stage: Stage, side: Side) -> int:
    """How many moves are still to be made in the period at hand."""
    return max(0, stage.moves - side.made)


def next_period(control: TimeControl, side: Side) -> tuple[EndKind, Side]:
    """What the end of the period at hand is, and the side in the period that follows it.

    The flag leaves no period; what later stages would have given is lost with it.
    """
    stage = stage_of(control, side)
    if to_make(stage, side):
        if side.periods > 1:
            return "period", msgspec.structs.replace(side, periods=side.periods - 1, ns=stage.ns, made=0)
    elif side.stage + 1 < len(control.stages):
        index = side.stage + 1
        following = control.stages[index]
        entered = msgspec.structs.replace(side, stage=index, periods=following.count, ns=following.ns, made=0)
        return "main" if following.byo_yomi else "stage", entered
    return "flag", msgspec.structs.replace(side, periods=0, ns=0)


def take(control: TimeControl, side: Side, ns: int) -> tuple[Side, int]:
    """The side with `ns` > 0 less, from period after period; and what its flag cost it of later stages.

    After the flag what is taken counts below 0.
    """
    lost = 0
    while side.periods and ns >= side.ns:
        ns -= side.ns
        before = side
        kind, side = next_period(control, side)
        if kind == "flag":
            lost = control.after_ns(before.stage)
    return msgspec.structs.replace(side, ns=side.ns - ns), lost


def untake(control: TimeControl, side: Side, ns: int) -> Side:
    """The side with `ns` > 0 more, back into what was used up before the period at hand: undoes `take`.

    After the flag there is no period to go back to.
    """
    while side.periods and ns > (room := stage_of(control, side).ns - side.ns):
        if side.periods < stage_of(control, side).count:
            side = msgspec.structs.replace(side, periods=side.periods + 1, ns=0)
        elif 0 < side.stage < len(control.stages):
            earlier = side.stage - 1
            made = control.stages[earlier].moves
            side = msgspec.structs.replace(side, stage=earlier, periods=1, ns=0, made=made)
        else:
            break
        ns -= room
    return msgspec.structs.replace(side, ns=side.ns + ns)


def used_ns(side: Side) -> int:
    """What a side has used: what its clock ran, and what entries say that it had used more or less."""
    return side.ran_ns - sum(entry.ns for entry in side.entries if entry.used)


def again(control: TimeControl, earlier: Side, entries: tuple[Entry, ...], ran_ns: int) -> Side:
    """An earlier side with `entries` made since, as far as people made them, and `ran_ns` more that it ran.

    A period that was renewed since is whole; moves not made follow from the time itself.
    """
    side = earlier
    for entry in entries:
        stage = stage_of(control, side)
        if entry.reason is SPLIT:
            side = msgspec.structs.replace(side, ns=side.ns // 2)
        elif entry.reason is RENEWAL and stage.renewed:
            side = msgspec.structs.replace(side, ns=stage.ns)
        elif entry.ns > 0:
            side = msgspec.structs.replace(side, ns=side.ns + entry.ns)
        elif entry.reason is not MOVES_NOT_MADE:
            side, _ = take(control, side, -entry.ns)
    side, _ = take(control, side, ran_ns)
    return side


def ends(control: TimeControl, side: Side) -> list[tuple[int, EndKind, Side]]:
    """Every end of a period if its time runs on: after how many ns, of which kind, and what follows."""
    found: list[tuple[int, EndKind, Side]] = []
    after_ns = 0
    while side.periods:
        after_ns += side.ns
        kind, side = next_period(control, side)
        found.append((after_ns, kind, side))
    return found


def byo_yomi_left(control: TimeControl, side: Side) -> int:
    """The byo-yomi periods not used up, the one at hand included."""
    if not side.periods or side.stage == len(control.stages):
        return 0
    return side.periods if stage_of(control, side).byo_yomi else control.byo_yomi_periods


def made_again_ns(control: TimeControl, side: Side) -> int:
    """How many ns renew the period in which a move was made anew whose first making was counted already."""
    stage = stage_of(control, side)
    return stage.ns - side.ns if stage.renewed and not side.made else 0


def moved(control: TimeControl, side: Side) -> tuple[Side, int]:
    """A move more in the period at hand; and how many ns renew the period (0 if it is not renewed).

    Where a stage ends with its moves, what is left of it goes on into the next stage; not into byo-yomi and
    other periods that are renewed: it is used up first. A period is there for its moves: what was given to it
    or taken from it does not outlast them, so what renews it may be below 0.
    """
    stage = stage_of(control, side)
    if not stage.moves:
        return side, 0
    side = msgspec.structs.replace(side, made=side.made + 1)
    if to_make(stage, side):
        return side, 0
    if stage.renewed:
        return msgspec.structs.replace(side, made=0), stage.ns - side.ns
    index = side.stage + 1
    if index == len(control.stages) or control.stages[index].renewed:
        return side, 0
    following = control.stages[index]
    entered = msgspec.structs.replace(
        side, stage=index, periods=following.count, ns=side.ns + following.ns, made=0
    )
    return entered, 0
