"""White leaves one of the fifth stones: what is left of the offers, and which of them is move 5.

Source: competition rules 2.10; `docs/rules.md`, "Opening procedures".
"""

from firmware_host.board import BLACK, WHITE, Colour, Point
from firmware_host.referee.board_watch import missing, offers_astray
from firmware_host.referee.entries import Entry
from firmware_host.referee.state import Match


def offers_left(m: Match) -> list[Point]:
    """The fifth stones that still lie on the board; a blind point keeps its stone until `remove`.

    If none is, those that were moved count, where they were offered: White has not taken them away.
    """
    lying = [p for p in m.offers if m.sensed[p] in ("X", "?") and m.position[p] is not WHITE]
    return lying or offers_astray(m)


def on_offer(m: Match, p: Point) -> bool:
    """Whether a fifth stone was offered on a point, and White has not played yet."""
    return m.removal_open and p in m.offers and not after_fifth(m)


def taken_up(m: Match, p: Point, t_ns: int) -> bool:
    """A stone was taken up from `p`: whether it is one of the offers, on its point or moved from there."""
    q = p if p in m.offers else m.went.get(p)
    if q is None or not m.removal_open or q not in m.offers or (q != p and q not in m.astray):
        return False
    m.astray.discard(q)
    m.lifted[q] = t_ns
    offer_removed(m)
    return True


def offer_removed(m: Match) -> None:
    """White took a fifth stone away: with move 6 on the board and one offer left, move 5 is decided."""
    left = offers_left(m)
    if len(left) == 1 and after_fifth(m):
        decide_fifth(m, left[0])


def is_white_s(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone is played by White, who removes offers, and none that was taken up elsewhere."""
    return m.removal_open and colour is not BLACK


def after_fifth(m: Match) -> list[Entry]:
    """The moves after move 5."""
    return m.entries[m.entries.index(m.fifth) + 1 :] if m.fifth in m.entries and m.fifth else []


def decide_fifth(m: Match, p: Point) -> None:
    """Move 5 stands on `p`; the moves after it can be told."""
    fifth = m.fifth
    if fifth is None or fifth.point == p or m.position[p] is not None:
        return
    undecided = fifth.kind == "offers"
    fifth.kind, fifth.first = "stone", p
    m.restand(fifth, p)
    for entry in after_fifth(m) if undecided else []:
        m.tell_move(entry)


def close_removal(m: Match) -> None:
    """White presses, or Black plays on: all but one of the offers must be gone, and no other stone [2.10].

    Which one is move 5 stays on offer otherwise: that it is open would tell Black that he can claim.
    """
    left = offers_left(m)
    if len(left) == 1:
        decide_fifth(m, left[0])
        m.removal_open = False
        m.offers = ()
    elif not after_fifth(m) and left == list(m.offers):
        return
    if (len(left) != 1 or missing(m) - m.missing_before - m.astray) and not m.removal_judged:
        m.removal_judged = True
        m.irregular("wrong-removal", WHITE)


def reopen_removal(m: Match) -> None:
    """White puts the removal right; move 5 is open until then."""
    m.removal_judged = False
    m.put_right = "removal" if after_fifth(m) else None
    m.bare.clear()
    for entry in after_fifth(m):
        entry.pressed = False
