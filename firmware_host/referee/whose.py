"""Stones that came while no frame told, on sensors that tell no colour: whose they are nobody knows.

One stone is a move of the side whose turn it is. Of several the board shows neither the order nor the side,
so none is a move: the clocks stand, and the arbiter says by `place` which is whose, in the order of turns.
The presses meanwhile are known: the last stone that is left follows by itself if they say whose turn it is.
Source: competition rules 4.1, 4.2; `docs/rules.md`, section 5.
"""

from itertools import permutations

from firmware_host.board import BLACK, POINTS, WHITE, Colour, Point, Position
from firmware_host.referee import draft, opening, play, set_up, strays
from firmware_host.referee.board_watch import (
    CHARS,
    differences,
    forget_gone,
    guide,
    judged_unseen,
    put,
    sense,
    show_differences,
)
from firmware_host.referee.board_watch import seen as seen_by_board
from firmware_host.referee.entries import Entry
from firmware_host.referee.next_act import WHOSE
from firmware_host.referee.procedures import SHAPE
from firmware_host.referee.state import EMPTY, Match
from firmware_host.rules import opening_of
from firmware_host.sensing.events import Placed, Seen


def came(m: Match, event: Seen) -> None:
    """Stones came unseen while a clock ran: judged as they lie, or the arbiter is asked whose they are."""
    judged_unseen(m, event.since_ns)
    fresh = lying(m, event)
    unknown = new_stones(m, fresh)
    if len(unknown) < 2 or (draft.takes(m, None) and are_draft(m, unknown, event)):
        for p in in_order(m, fresh):
            play.placed(m, Placed(t_ns=event.t_ns, point=p, colour=None, since_ns=event.since_ns))
        return
    sense(m, event)
    strays.keep_true(m)
    forget_gone(m)
    note(m, unknown, event)
    m.asked_ns = m.t_ns
    guide(m, WHOSE)


def are_draft(m: Match, points: list[Point], event: Seen) -> bool:
    """Whether several stones can be those of the draft, and one that answers a set-up.

    Where the opponent has pressed as well, offers may have been taken away again, and more been played.
    """
    if m.step.stones:
        return len(m.draft) + len(points) <= len(m.step.stones) + 1
    return not pressed(m, (m.step.side or BLACK).other, event)


def came_while_stopped(m: Match, event: Seen) -> None:
    """The board as a whole while the clocks stand; stones that came unseen are noted as nobody's."""
    if event.since_ns is not None:
        note(m, new_stones(m, lying(m, event)), event)
    seen_by_board(m, event)


def pressed(m: Match, side: Colour, event: Seen) -> bool:
    """Whether a side has pressed while no frame told."""
    return event.since_ns is not None and m.pressed_ns.get(m.player_of(side), -1) > event.since_ns


def placed(m: Match, p: Point) -> int | None:
    """The arbiter says whose the stone on a point is; since when it may lie there, if it was nobody's."""
    return m.of_nobody.pop(p, None)


def answers_draft(m: Match, p: Point, colour: Colour | None) -> None:
    """The arbiter names a stone that answers what lies there as a draft: that is over, and stands as it lies.

    Of the fifth stones the one that lies there was left, whatever else was offered.
    """
    step, before, bare = m.step, len(m.entries), list(m.bare)
    if p not in m.of_nobody or not m.draft or colour is None or colour is not WHITE:
        return
    if step.do == "set-up" and step.side is BLACK and set_up.lies_complete(m, m.draft):
        set_up.enter_set_up(m)
    elif step.do == "offers" and len(m.draft) == 1 and m.offers_n != 1:
        (fifth,) = m.draft
        m.draft = []
        fifth.step = m.step_index
        m.append(fifth)
        m.step_index = len(m.procedure.steps) - 1
    else:
        return
    if bare and bare[0].side is BLACK:
        set_up.pressed_before(m, before)
        bare = bare[1:]
    m.bare = bare


def asked(m: Match, p: Point) -> Colour | None:
    """Whose move the stone on a point is, where the arbiter is asked: nobody's, or one a press waits for."""
    if p in m.of_nobody:
        return next_colour(m)
    missed = m.awaited or next((entry.colour for entry in m.entries if entry.kind == "missing"), None)
    alone = [(q, held) for q, held, _ in differences(m)] == [(p, None)]
    return missed if alone and missed is not None and m.sensed[p] in (CHARS[missed], CHARS[None]) else None


def next_colour(m: Match) -> Colour | None:
    """The colour of the stone that the arbiter is asked for next, in the order of the moves."""
    step = m.step
    if step.do == "set-up":
        complete = len(m.draft) >= len(step.stones)
        return step.stones[-1].other if complete else draft.next_of_set_up(m)
    if step.drafted and m.draft:
        side = step.side or BLACK
        return side.other if any(press.side is side.other for press in m.bare) else side
    return m.awaited or m.acts


def taken_off(m: Match, entry: Entry) -> bool:
    """The arbiter takes his word back before play goes on: the stone is nobody's again, if it was."""
    if m.why != WHOSE or m.phase != "stopped" or entry.point is None or entry.since_ns is None:
        return False
    m.unmove(entry)
    if entry.press is not None:
        m.bare.insert(0, entry.press)
    m.of_nobody[entry.point] = entry.since_ns
    m.sensed[entry.point] = CHARS[None]
    m.guiding, m.shown_differences = True, None
    show_differences(m)
    return True


def last_follows(m: Match) -> None:
    """The one stone that is left is of the side whose turn it is, if the presses leave no doubt of that."""
    left = [p for p in m.of_nobody if m.sensed[p] != EMPTY and m.position[p] is None]
    side = m.awaited or m.to_move
    if len(left) == 1 and m.phase != "over" and play.belongs(m) is side:
        (p,) = left
        since_ns = m.of_nobody.pop(p)
        if draft.takes(m, side):
            put(m, p, side)
            opening.add_to_draft(m, p, side, m.t_ns, since_ns)
        else:
            play.stone(m, side, p, p, m.t_ns, since_ns=since_ns, entered=True)


def lying(m: Match, event: Seen) -> list[Point]:
    """Where a stone is seen and none was."""
    return [p for p in range(POINTS) if event.stones[p] != EMPTY == m.sensed[p] and p not in m.blind]


def in_order(m: Match, points: list[Point]) -> list[Point]:
    """In an order that makes an opening of a set-up, if one does: no stone that was laid is found wrong.

    Where several do, the one that is taken is a guess, and the arbiter is told.
    """
    laid = [e.point for e in m.draft if e.point is not None]
    wanted = len(SHAPE) - len(laid)
    if len(m.step.stones) != len(SHAPE) or wanted < 1:
        return points
    fits: dict[str, tuple[Point, ...]] = {}
    for order in permutations(points, wanted):
        shape = Position.from_stones(dict(zip([*laid, *order], SHAPE, strict=True)))
        if opening_of(shape):
            fits.setdefault(shape.text(), order)
    if len(fits) > 1:
        m.told("order-unknown")
    first = next(iter(fits.values()), ())
    return [*first, *(p for p in points if p not in first)]


def new_stones(m: Match, points: list[Point]) -> list[Point]:
    """Those that are no stones of the record, or on offer, put back."""
    return [p for p in points if m.position[p] is None and p not in m.offers]


def note(m: Match, points: list[Point], event: Seen) -> None:
    """These are nobody's."""
    if event.since_ns is not None:
        m.of_nobody |= dict.fromkeys(points, event.since_ns)
