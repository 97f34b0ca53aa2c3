"""The fifth stones of Black: how many are declared, and what his press makes of those that lie there.

Source: competition rules 2.9, 2.10; `docs/rules.md`, "Opening procedures".
"""

from collections.abc import Mapping

from firmware_host.board import BLACK, Colour, Point
from firmware_host.referee import removal
from firmware_host.referee.board_watch import missing, put
from firmware_host.referee.entries import Entry
from firmware_host.referee.places import settle
from firmware_host.referee.rulings import Offered
from firmware_host.referee.state import Match, lapsed
from firmware_host.referee.steps import choose, next_step
from firmware_host.rules import offers_symmetric


def declares_n(m: Match, side: Colour) -> bool:
    """Whether the player of a side names N: who lays the set-up, or plays the move, that it comes with."""
    step = m.procedure.declaring
    if step is None or step.side is None:
        return False
    return (m.declarer or m.player_of(step.side)) is m.player_of(side)


def owed(m: Match) -> bool:
    """Whether it was upheld that N was not named, and it still is not: the game waits for it [6.1.3]."""
    upheld = any(x.code == "offers-not-declared" and x.standing == "upheld" for x in m.matters)
    return upheld and m.offers_n is None


def declare_offers(m: Match, offers: int) -> None:
    """N is named; offers that lie there already are judged by it."""
    m.offers_n = offers
    m.tell_opening()
    if m.removal_open and m.fifth is not None and m.fifth.kind == "offers":
        judge_offers(m, m.fifth)


def close_fifth(m: Match) -> None:
    """Move 5 as the press finds it: one stone is the move, several are the offers."""
    if not m.draft:
        return
    one, ten = m.step.choices
    if len(m.draft) > 1:
        choose(m, ten)
        close_offers(m)
        return
    choose(m, one)
    settle(m, BLACK)


def close_offers(m: Match) -> None:
    """The fifth stones are on the board: their number, and no two of the same shape [2.10]."""
    points = tuple(e.point for e in m.draft if e.point is not None)
    if not points:
        return
    contact = min(e.contact_ns for e in m.draft)
    m.draft = []
    m.offers = points
    m.removal_open = True
    m.removal_judged = False
    m.astray.clear()
    m.missing_before = missing(m)
    m.fifth = Entry(BLACK, contact, kind="offers", step=m.step_index)
    m.append(m.fifth)
    next_step(m)
    tell_offers(m)
    judge_offers(m, m.fifth)


def stand(m: Match, pairs: Mapping[Point, Point]) -> None:
    """Offers that were moved stand where they lie now: from which point to which."""
    if m.astray.intersection(pairs):
        m.offers = tuple(pairs.get(p, p) for p in m.offers)
        m.astray.difference_update(pairs)
        tell_offers(m)


def may_add(m: Match, p: Point) -> bool:
    """Whether an offer that no sensor told can be entered on `p` after Black's press, until White plays."""
    open_still = m.removal_open and not removal.after_fifth(m)
    return open_still and p not in m.offers and (m.offers_n is None or len(m.offers) < m.offers_n)


def add(m: Match, p: Point) -> None:
    """An offer that no sensor told lay on `p` at Black's press: the offers are judged with it."""
    put(m, p, BLACK)
    m.offers = (*m.offers, p)
    tell_offers(m)
    for matter in m.matters:
        if matter.code == "offers-wrong" and matter.entry is m.fifth and matter.standing == "open":
            matter.standing = "gone"
            m.tell(lapsed(m, matter, "arbiter"))
    if m.fifth is not None:
        judge_offers(m, m.fifth)


def tell_offers(m: Match) -> None:
    """Tell the fifth stones on offer, with the number of their move."""
    if m.fifth is not None:
        m.tell(Offered(t_ns=m.t_ns, points=m.offers, n=m.number(m.fifth)))


def judge_offers(m: Match, fifth: Entry) -> None:
    """The offers on the board are as many as N, as far as it is named, and of different shapes [2.10]."""
    n = len(m.offers)
    right = m.offers_n in (None, n, n + wrong_colours(m)) and not offers_symmetric(m.position, m.offers)
    known = any(x.code == "offers-wrong" and x.entry is fifth and x.claimable for x in m.matters)
    if not right and not known:
        m.irregular("offers-wrong", BLACK, entry=fifth)


def offers_right(m: Match) -> bool:
    """Whether the offers that lie there are as many as were declared, and no two of the same shape."""
    points = tuple(e.point for e in m.draft if e.point is not None)
    if not points or (m.offers_n is not None and len(points) != m.offers_n):
        return False
    return offers_symmetric(m.position, points) is None


def wrong_colours(m: Match) -> int:
    """How many white stones lie among the offers: that is told, and they are not wanting as well."""
    return sum(
        x.code == "wrong-colour" and x.side is BLACK and x.claimable and not x.entry for x in m.matters
    )
