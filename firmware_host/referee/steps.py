"""From step to step of an opening procedure, by the rows of `procedures`: moves, choices, swaps, branches.

A choice is made by word or by playing on; a swap is one move for the clock.
Source: competition rules 2.1, 6.2; `docs/rules.md`, "Opening procedures".
"""

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.referee import removal, timing
from firmware_host.referee.ends import play_on
from firmware_host.referee.entries import Entry
from firmware_host.referee.places import judge_place, settle
from firmware_host.referee.procedures import Choice
from firmware_host.referee.rulings import Chosen, Kept, Swapped
from firmware_host.referee.state import EMPTY, Match


def waits_for_choice(m: Match) -> bool:
    """Whether a side has a choice to make before the other one may play its move: no stone is a move then."""
    return m.acts is not m.to_move


def acts_on(m: Match, colour: Colour) -> None:
    """The opponent's move is complete, and owes this side nothing more."""
    settle(m, colour.other)
    if m.owing is m.player_of(colour):
        m.owing = None


def before_move(m: Match, colour: Colour) -> None:
    """A side acts on: keeping by playing on, or the end of the removal; the opponent's move is complete."""
    acts_on(m, colour)
    if waits_for_choice(m) and colour is m.to_move:
        keep_unsaid(m)
    if m.step.do == "choice" and colour is m.step.side:
        choose(m, m.step.choices[0])
    elif m.removal_open and colour is BLACK:
        removal.close_removal(m)
        m.leave_fifth_open()
        left = [p for p in m.offers if m.sensed[p] != EMPTY and m.position[p] is None]
        m.removal_open = False
        m.offers = ()
        for p in left:
            m.told("differs", p, BLACK)


def after_move(m: Match, entry: Entry) -> None:
    """A move was entered: the step that it was is done."""
    step = m.step
    if step.drafted and step.do != "set-up" and entry.kind == "missing":
        m.step_index = len(m.procedure.steps) - 1
        return
    if m.removal_open and entry.colour is WHITE:
        removal.offer_removed(m)
    if step.do in ("move", "removal") and entry.colour is step.side:
        entry.step = m.step_index
        next_step(m)
        if entry.pressed and entry.kind == "stone":
            judge_place(m, entry)


def next_step(m: Match) -> None:
    """On to the next row of the procedure; branches end where play is free."""
    to_step(m, m.step_index + 1)


def to_step(m: Match, index: int) -> None:
    """On to a step; who had to name N with the one before is remembered."""
    if m.step.declares and m.step.side is not None:
        m.declarer = m.player_of(m.step.side)
    m.step_index = index


def choose(m: Match, choice: Choice, *, pressed: bool = False) -> None:
    """The side whose choice it is makes it; `pressed`: a press that ended its turn has been counted already.

    A swap is one move for the clock, and to play on [2.1, 6.2]; so is any choice that ends the side's turn.
    """
    side = m.step.side or BLACK
    chooser = m.player_of(side)
    ends_turn = choice.does == "swap" or waits_for_choice(m)
    used_ms = left_ms = None
    if ends_turn:
        settle(m, side.other)
        if not play_on(m, side):
            return
        if m.unpressed(side.other):
            m.owing = chooser.other
            timing.complete(m, side.other)
        if not pressed:
            used_ms = m.used_ms(chooser)
            timing.credit(m, side, len(m.entries))
            left_ms = timing.left_ms(m, side)
    if choice.does == "swap":
        m.swaps.append(m.step_index)
    to_step(m, m.procedure.after(m.step_index, choice))
    if choice.does == "keep":
        m.tell(Kept(t_ns=m.t_ns, side=side, used_ms=used_ms, left_ms=left_ms))
    elif choice.does == "branch":
        branch_off(m, side, choice)
    else:
        m.trade_colours()
        seat = m.seats[m.player_of(BLACK)]
        m.tell(Swapped(t_ns=m.t_ns, black_seat=seat, used_ms=used_ms, left_ms=left_ms))
    if ends_turn:
        timing.hand_over(m)


def keep_unsaid(m: Match) -> None:
    """A side that chooses and does not move next has said nothing, and its opponent plays: it has kept.

    That is its move for the clock; its press is still owed, and it may still claim what lies there.
    """
    side = m.step.side or BLACK
    used_ms = m.used_ms(m.player_of(side))
    timing.credit(m, side, len(m.entries))
    left_ms = timing.left_ms(m, side)
    m.owing = m.player_of(side)
    to_step(m, m.procedure.after(m.step_index, m.step.choices[0]))
    m.tell(Kept(t_ns=m.t_ns, side=side, used_ms=used_ms, left_ms=left_ms))


def has_said(m: Match, side: Colour, branch: str | None) -> bool:
    """Whether the stones that this side laid last have said already that the opening goes on by a branch."""
    last = None if not m.entries else m.entries[-1].step
    if last is None or m.procedure.steps[last].side is not side:
        return False
    before = m.procedure.steps[last - 1].choices
    return any(c.name == branch and c.does == "branch" for c in before)


def branch_off(m: Match, side: Colour, choice: Choice) -> None:
    """The opening goes on by a branch; a fifth stone that lies there already is the move, if there is one."""
    m.tell(Chosen(t_ns=m.t_ns, side=side, branch=choice.name))
    if m.step.do == "offers":
        m.offers_n = m.procedure.most_offers
    elif m.step.do == "move" and m.draft:
        entry = m.draft[0]
        m.draft = []
        m.append(entry)
        after_move(m, entry)
