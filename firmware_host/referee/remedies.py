"""What upholding an irregular action does to the record and the clocks; the guide leads the board to it.

Source: competition rules 2.10, 4.1, 6.1.1-6.1.9; `docs/rules.md`, "Irregular actions and their remedies".
"""

from collections.abc import Callable
from typing import Final

from firmware_host.board import BLACK, WHITE, Colour, point_name
from firmware_host.referee import draft, places, removal, timing
from firmware_host.referee.ends import judge
from firmware_host.referee.irregular import Matter
from firmware_host.referee.procedures import Do
from firmware_host.referee.state import Match


def no_remedy(m: Match, matter: Matter) -> None:
    """Nothing on the board or the clocks changes."""


def remedied_as(m: Match, matter: Matter) -> str:
    """The code whose remedy puts it right: with another stone on H8 the opening is set up again."""
    restart = matter.code == "first-not-tengen" and taken(m, matter) is not None
    return "not-an-opening" if restart else matter.code


def taken(m: Match, matter: Matter) -> str | None:
    """Why a stone cannot go to the point where it belongs, in one sentence; None if it can."""
    p, entry = matter.point, matter.entry
    if REMEDIES.get(matter.code) is not back_to_first or p is None or entry not in m.entries:
        return None
    other = m.entry_at(p)
    if other is None or other is entry:
        return None
    name = point_name(p)
    return f"move {m.number(other)} lies on {name} now: take that back first, or decide by result"


def back_to_first(m: Match, matter: Matter) -> None:
    """The stone belongs on the remedy's point [6.1.1, 6.1.5, 6.1.6]."""
    entry, p = matter.entry, matter.point
    if entry not in m.entries or entry is None or p is None or m.position[p] is not None:
        return
    m.restand(entry, p)
    entry.first = p
    places.judge_again(m, entry)
    judge(m, entry)


def take_back(m: Match, matter: Matter) -> None:
    """The stone is taken off the record; its side moves again unless it has another one in this turn."""
    if matter.entry in m.entries and matter.entry is not None:
        m.unmove(matter.entry)
        if not m.unpressed(matter.side):
            m.time_of = m.to_move


def stray_taken_back(m: Match, matter: Matter) -> None:
    """A stone out of turn never was a move: the guide asks for it, and its time is given back [4.1]."""
    m.strays = [stray for stray in m.strays if stray[1] is not matter]
    clocks_set_back(m, matter)


def clocks_set_back(m: Match, matter: Matter) -> None:
    """Both sides have again what ran since the press [6.1.8] or the act out of turn [4.1].

    What was given or taken by name since then stays. What of it has run while something else was set back
    for is given back once.
    """
    act = matter.clock
    if act is None:
        return
    before = m.clock.at(m.t_ns)
    m.clock = m.clock.set_back(act, m.t_ns, matter.code, entries_since=act, ran_since=matter.until)
    for other in m.matters:
        if other is matter or other.clock is None:
            continue
        if other.clock.as_of_ns >= act.as_of_ns:
            other.clock = max(other.clock, matter.until or m.clock, key=lambda clock: clock.as_of_ns)
        else:
            other.until = min(other.until or act, act, key=lambda clock: clock.as_of_ns)
    for colour in Colour:
        timing.tell_clock(m, colour, before, matter.code)


def offer_withdrawn(m: Match, matter: Matter) -> None:
    """The draw is not offered any more [6.1.9]."""
    m.refuse_draw(m.colour_of(matter.player).other)


def set_up_again(m: Match, matter: Matter) -> None:
    """The side sets up again, from what lies on the board [6.1.2]; a single stone is taken back."""
    step = None if matter.entry is None else matter.entry.step
    if step is not None and m.procedure.steps[step].do == "move":
        take_back(m, matter)
        return
    if m.entries:
        m.unmove(next(e for e in m.entries if e.step == m.entries[-1].step))
    m.draft = []
    m.bare.clear()
    m.time_of = m.acts


def offer_again(m: Match, matter: Matter) -> None:
    """Black puts the offers right and presses again [2.10]."""
    if matter.entry in m.entries and matter.entry is not None:
        m.unmove(matter.entry)
        back_to(m, "offers")
        m.time_of = BLACK


def colour_put_right(m: Match, matter: Matter) -> None:
    """A stone of a move is taken back; one of those that are laid together is put right by who laid them."""
    if matter.entry is None:
        lay_again(m)
    take_back(m, matter)


def remove_again(m: Match, _matter: Matter) -> None:
    """White puts the removal right and presses again [2.10]."""
    if m.removal_open:
        removal.reopen_removal(m)
        m.time_of = WHITE


def back_to(m: Match, do: Do) -> None:
    """Back to a step of the procedure, with what lies on the board."""
    m.step_index = next(i for i, step in enumerate(m.procedure.steps) if step.do == do)
    m.removal_open = False
    m.offers = ()
    m.put_right = do
    draft.from_board(m)


def lay_again(m: Match) -> None:
    """A side puts right the colours of what it has laid: a set-up, or the offers."""
    if m.step.do == "set-up":
        m.draft = []
        m.bare.clear()
        m.time_of = m.step.side
    elif m.removal_open and m.fifth is not None and m.fifth.kind == "offers":
        m.unmove(m.fifth)
        back_to(m, "offers")
        m.time_of = BLACK


REMEDIES: Final[dict[str, Callable[[Match, Matter], None]]] = {
    "first-not-tengen": back_to_first,
    "slide": back_to_first,
    "replace": back_to_first,
    "not-an-opening": set_up_again,
    "offers-wrong": offer_again,
    "wrong-removal": remove_again,
    "double-move": take_back,
    "drop": take_back,
    "occupied": take_back,
    "wrong-colour": colour_put_right,
    "out-of-turn": stray_taken_back,
    "clock-first": clocks_set_back,
    "bad-draw-offer": offer_withdrawn,
}
"""What upholding does to record and clocks; codes without a row change neither."""
