"""The stones of a step that is judged at its press: which new stone is one of them, and where they lie.

While a side lays a set-up or the fifth offers, its stones are the `draft`: they come and go as it likes, and
their order does not matter, unless the sensors tell no colour.
Source: competition rules 2.1, 2.9, 2.10; `docs/rules.md`, "Opening procedures".
"""

from firmware_host.board import BLACK, WHITE, Colour, Point
from firmware_host.referee.entries import Entry
from firmware_host.referee.procedures import Step
from firmware_host.referee.state import EMPTY, Match


def draft_step(m: Match) -> Step | None:
    """The step whose draft a new stone may join: the one at hand, or the one that playing on leads to."""
    step = m.step
    if step.do == "choice" and not step.undecided:
        step = m.procedure.steps[m.procedure.after(m.step_index, step.choices[0])]
    return step if step.drafted or step.undecided else None


def takes(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone belongs to the draft of the step at hand; else it is one of alternate play.

    While White has not pressed after move 4, what is not black is still White's.
    """
    step = draft_step(m)
    if step is None:
        return False
    if step.do == "set-up":
        return not answers_set_up(m, colour)
    if step.undecided:
        return joins_undecided(m, colour)
    if m.step.do == "choice" and (colour is WHITE or BLACK not in (m.to_move, m.awaited)):
        return False
    if colour is WHITE and m.awaited is BLACK:
        return False
    return colour is BLACK or not m.unpressed(WHITE)


def answers_set_up(m: Match, colour: Colour | None) -> bool:
    """Whether a stone plays on over a set-up that was pressed for with a stone of the wrong colour [6.2]."""
    step = m.step
    if colour is not step.stones[-1].other or m.awaited is not step.side:
        return False
    lying = [e.colour for e in m.draft]
    return len(lying) >= len(step.stones) and lying.count(colour) >= step.stones.count(colour)


def joins_undecided(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone may be one of those that say the branch of a choice: one of each colour can be."""
    if m.to_move is not m.step.side and not m.draft:
        return False
    lying = [e.colour for e in m.draft]
    return len(lying) < len(m.step.stones) and (colour or next_of_set_up(m)) not in lying


def begins_draft(m: Match, side: Colour, colour: Colour | None) -> bool:
    """Whether this stone is the first of the draft that surely is its side's: so it plays on."""
    if not m.step.undecided:
        return not m.draft
    return (colour or next_of_set_up(m)) is side


def press_of(m: Match, side: Colour, entry: Entry) -> int | None:
    """Which of the presses without a stone a new stone that a side laid belongs to, if it does to any.

    The first, if the stone may have lain there before it; else the one whose stone is awaited.
    """
    first = m.bare[0] if m.bare else None
    if first is not None and first.side is side and entry.lay_before(first.t_ns):
        return 0
    return len(m.bare) - 1 if m.awaited is side else None


def wanted(m: Match) -> int:
    """How many stones complete the draft, as far as that is known."""
    return len(m.step.stones) or m.offers_n or 1


def next_of_set_up(m: Match) -> Colour:
    """The colour of the next stone of a set-up, where the sensors tell none: in the order of the moves."""
    stones = m.step.stones
    return stones[min(len(m.draft), len(stones) - 1)]


def stone_at(m: Match, p: Point | None) -> Entry | None:
    """The stone of the draft on a point."""
    return next((e for e in m.draft if e.point == p and p is not None), None)


def pushed(m: Match, laid: Entry, rest: Point) -> None:
    """A stone of the draft was pushed along: it counts where it lies at the press."""
    if m.position[rest] is None and stone_at(m, rest) in (None, laid):
        laid.point = rest
    else:
        m.draft.remove(laid)


def taken_up(m: Match) -> list[Entry]:
    """The stones of the draft, which is empty then."""
    stones, m.draft = m.draft, []
    return stones


def from_board(m: Match) -> None:
    """While a side sets up or offers, what lies on the board beside the record is the draft."""
    if not m.drafting:
        return
    for p, seen in enumerate(m.sensed):
        if seen == EMPTY or p in m.blind or m.position[p] is not None or stone_at(m, p):
            continue
        colour = {"X": BLACK, "O": WHITE}.get(seen)
        if colour is None:
            colour = next_of_set_up(m) if m.step.do == "set-up" else BLACK
        if m.step.do == "set-up" or colour is BLACK:
            m.draft.append(Entry(colour, m.t_ns, point=p, first=p))
