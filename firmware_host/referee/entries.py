"""The record as the referee keeps it: one entry a move, in order of play."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from firmware_host.board import Colour, Point, Position
from firmware_host.clock import Clock


class Bare(NamedTuple):
    """A press with no stone seen: whose, when, the time used for it, and the clock as it was after it.

    `n`: for which move it has earned its side what a move earns; 0 when it took the opponent's back.
    """

    side: Colour
    t_ns: int
    used_ms: int
    clock: Clock
    n: int = 0


@dataclass(eq=False, slots=True)
class Entry:
    """One move of the record, by identity: its number is its place in the list.

    `kind`: a `stone` on `point`; a `pass`; `missing`, a move that was pressed for and whose stone nobody saw;
    `offers`, move 5 while its stones are on offer. `first` is where the stone touched first, at `contact_ns`.
    `pressed`: its mover has pressed after it. `credited`: it earns its mover nothing more on the clock (a
    second stone in a row, a stone after its press). `spare`: it came after its press, and no other followed.
    `in_hand`: it has been taken up again before the press. `since_ns`: it may have touched ever since then.
    `used_ms`: the time that it took, until its press as it was told last. `left_ms`: of a pass, what its
    mover had left then. `told`: it has been told. `step`: which step of the opening procedure it is, if any;
    `judged`: whether it lies where that step allows has been judged. `press`: that of a stone not seen then.
    """

    colour: Colour
    contact_ns: int
    kind: Literal["stone", "pass", "missing", "offers"] = "stone"
    point: Point | None = None
    first: Point | None = None
    pressed: bool = False
    credited: bool = False
    spare: bool = False
    in_hand: bool = False
    since_ns: int | None = None
    used_ms: int | None = None
    left_ms: int | None = None
    told: bool = False
    step: int | None = None
    judged: bool = False
    press: Bare | None = None

    def came_after(self, pressed_ns: int) -> bool:
        """Whether the stone surely touched after a press; the doubt between two frames is the player's."""
        return self.contact_ns > pressed_ns if self.since_ns is None else self.since_ns >= pressed_ns

    def lay_before(self, pressed_ns: int) -> bool:
        """Whether the stone may have lain there before a press that came while no frame told."""
        return self.since_ns is not None and self.since_ns < pressed_ns < self.contact_ns

    @property
    def touchable(self) -> bool:
        """Whether what the mover does to the stone is still part of the move (slide, replace)."""
        return self.kind == "stone" and (not self.pressed or self.spare)


def position_of(entries: Iterable[Entry]) -> Position:
    """The stones of the record where they rest."""
    return Position.from_stones({e.point: e.colour for e in entries if e.point is not None})
