"""Commands about the board: what the arbiter puts right, accepts or enters by hand. Each answers one command.

Source: competition rules 4.2, 8.8; `docs/rules.md`, sections 4 and 5.
"""

from typing import Literal

from firmware_host.board import BLACK, WHITE, Colour, point_name
from firmware_host.referee import draft, moved, offers, opening, places, removal, strays, whose
from firmware_host.referee.board_watch import forget_hands, guide, put, show_differences, take, to_settle
from firmware_host.referee.ends import accepts, judge
from firmware_host.referee.inputs import Command
from firmware_host.referee.play import stone
from firmware_host.referee.rulings import Restored, Told
from firmware_host.referee.state import EMPTY, Match


def restore(m: Match, given: Command) -> None:
    """Guide the board back to the record; after a restart nothing is known of it until it has been seen."""
    restart = given.reason == "restart"
    m.unseen = restart
    if restart and m.clock.running is not None:
        m.away_ms = given.ms or 0
    if restart and given.ms:
        m.tell(Told(t_ns=m.t_ns, code="away", text=f"{given.ms // 1000}.{given.ms // 100 % 10} s"))
    adjourned = restart and m.why == "adjourned"
    guide(m, "adjourned" if adjourned else "restart" if restart else "arbiter")


def accept_board(m: Match, _given: Command) -> None:
    """Take the board as it is: what surely moved stands where it lies, the rest is left as it is seen.

    A single stone more, of the side to move, is its move now.
    During a correction it is recorded whether that was carried out in part or refused, for the arbiter to
    punish [6.3].
    """
    found = to_settle(m)
    corrected: Literal["whole", "part", "refused"] | None = None
    if m.to_correct:
        corrected = "whole" if not found else "refused" if set(m.to_correct) <= set(found) else "part"
    stand_elsewhere = moved.accept_moved(m)
    strays.keep_true(m)
    found = to_settle(m)
    for p, _, _ in found:
        m.tolerated[p] = m.sensed[p]
    m.unseen = False
    m.guiding = False
    m.shown_differences = None
    forget_hands(m)
    draft.from_board(m)
    m.tell(Restored(t_ns=m.t_ns, accepted=True, points=found, correction=corrected))
    moved.judge_moved(m, stand_elsewhere)
    if m.phase == "over":
        return
    if len(found) == 1:
        p, recorded, seen = found[0]
        side = next((c for c in (m.awaited, m.to_move) if c is not None and seen in (c, "unknown")), None)
        if recorded is None and side is not None:
            del m.tolerated[p]
            if not m.step.drafted or side is not m.step.side:
                stone(m, side, p, p, m.t_ns, since_ns=whose.placed(m, p), entered=True)
            elif not draft.stone_at(m, p):
                opening.add_to_draft(m, p, side, m.t_ns)


def may_place(m: Match, colour: Colour) -> bool:
    """Whether a stone of a colour could be entered on an empty point now."""
    left_open = any(entry.kind == "missing" and entry.colour is colour for entry in m.entries)
    laid = bool(m.offers) and m.removal_open and colour is BLACK
    return left_open or laid or draft.takes(m, colour) or colour in (m.awaited, m.to_move)


def place(m: Match, given: Command) -> None:
    """A stone that the sensors did not tell; the guide ends when nothing else differs."""
    _place(m, given)
    show_differences(m)


def _place(m: Match, given: Command) -> None:
    """A stone that the sensors did not tell: an open entry's, in its place in the order, or the next move."""
    p, colour = given.point, given.colour
    if p is None or m.position[p] is not None or draft.stone_at(m, p):
        m.refuse(given, "there is a stone on that point already")
        return
    if strays.lying_on(m, p):
        m.refuse(given, f"the stone on {point_name(p)} is out of turn: waive that, and it is a move")
        return
    if p in m.offers and colour is not WHITE:
        put(m, p, BLACK)
        return
    if colour is BLACK and offers.may_add(m, p):
        offers.add(m, p)
        return
    gap = next((e for e in m.entries if e.kind == "missing" and colour in (None, e.colour)), None)
    if gap is m.fifth and m.removal_open:
        gap = None
    if gap is not None:
        put(m, p, gap.colour)
        gap.kind = "stone"
        gap.first = p
        m.restand(gap, p)
        places.judge_again(m, gap)
        if accepts(m, gap.colour, gap.contact_ns):
            judge(m, gap)
        return
    side = colour or m.awaited or m.to_move
    whose.answers_draft(m, p, side)
    if draft.takes(m, side):
        since_ns = whose.placed(m, p)
        put(m, p, colour)
        opening.add_to_draft(m, p, colour, m.t_ns, since_ns)
        if since_ns is not None:
            whose.last_follows(m)
    elif side not in (m.awaited, m.to_move):
        m.refuse(given, f"it is {m.to_move}'s turn, and no {side} stone is missing")
    else:
        since_ns = whose.placed(m, p)
        put(m, p, side)
        stone(m, side, p, p, m.t_ns, since_ns=since_ns, entered=True)
        if since_ns is not None:
            whose.last_follows(m)


def remove(m: Match, given: Command) -> None:
    """A stone that the sensors did not see go: of a draft or an offer; or the last move off the record."""
    p = given.point
    if p is None:
        return
    laid = draft.stone_at(m, p)
    entry = m.entry_at(p)
    if laid is not None:
        take(m, p)
        m.draft.remove(laid)
    elif m.removal_open and p in m.offers:
        take(m, p)
        removal.offer_removed(m)
    elif entry is not None and entry is m.entries[-1]:
        if whose.taken_off(m, entry):
            return
        take(m, p)
        was_running = m.time_of
        m.unmove(entry)
        if was_running is not None and not m.unpressed(entry.colour):
            m.run(m.to_move)
    elif entry is not None:
        m.refuse(given, f"{point_name(p)} is not the last move; only that can be taken off the record")
    elif m.sensed[p] != EMPTY:
        take(m, p)
        strays.taken(m, p)
    else:
        m.refuse(given, f"there is no stone on {point_name(p)}")


def mask(m: Match, given: Command) -> None:
    """A sensor is not to be trusted, or is again."""
    if given.point is not None:
        change = m.masked.add if given.do == "mask" else m.masked.discard
        change(given.point)
        if given.do == "unmask":
            m.faulty.discard(given.point)
        m.told(f"{given.do}ed", given.point)
        show_differences(m)
