"""What people see and the board does not tell: whether it can still be entered, and who did it.

It lapses like everything else when the opponent has played on since the stone or the press concerned, and
what was answered once is not entered again. Nothing on the table tells when a stone was put on another one,
or straightened: that is entered as of now, and once.
Source: competition rules 6.1, 6.2; `docs/rules.md`, "Irregular actions and their remedies".
"""

from typing import Final

from firmware_host.board import Colour, Point, point_name
from firmware_host.referee.board_watch import CHARS
from firmware_host.referee.ends import played_on_since
from firmware_host.referee.entries import Entry
from firmware_host.referee.irregular import IRREGULAR, LYING, SEEN, Matter
from firmware_host.referee.state import Match

NEED_A_POINT: Final = ("drop", *LYING)
"""What is nothing without the stone that it is about."""

AT_ANY_TIME: Final = ("occupied", "bad-adjust", "bad-draw-offer")
"""What leaves no trace of when it happened."""


def enters(m: Match, code: str | None, p: Point | None, claimant: Colour | None) -> bool:
    """Whether upholding or waiving enters what it names: what people see and the controller has not found."""
    return code in SEEN and code is not None and why_not(m, code, p, claimant) is None


def why_not(m: Match, code: str, p: Point | None, claimant: Colour | None) -> str | None:
    """Why what people see cannot be entered (any more), in one sentence; None if it can.

    What the board could have felt is entered once, and without an arbiter not at all: nobody could say so.
    """
    at = "" if p is None else f" at {point_name(p)}"
    if IRREGULAR[code].sensed and m.settings.forbidden == "automatic":
        return f"no {code}{at} was found"
    if code in NEED_A_POINT and p is None:
        return f"{code} needs the point of the stone"
    if code == "offers-not-declared" and m.procedure.declaring is None:
        return f"no number of offers is named in {m.settings.opening}"
    side = offender(m, code, p, claimant)
    if side is claimant:
        return f"{side} did it, and only {side.other} can claim it"
    happened_ns = since_ns(m, code, p, side)
    if happened_ns is not None and played_on_since(m, m.player_of(side), happened_ns):
        return f"{side.other} has played on since: {code}{at} has lapsed and can no longer be claimed"
    if answered(m, code, p, side, happened_ns):
        return f"{code}{at} has been answered and can no longer be claimed"
    return None


def since_ns(m: Match, code: str, p: Point | None, side: Colour) -> int | None:
    """When it happened, by the stone or the press that it is about; None if nothing tells.

    N is owed until the offers lie there, so playing move 4 does not accept that it is missing.
    """
    if code == "wrong-hand":
        return m.pressed_ns.get(m.player_of(side))
    if code == "offers-not-declared":
        return m.fifth.contact_ns if m.fifth else None
    entry = None if p is None or code in AT_ANY_TIME else m.entry_at(p)
    return None if entry is None else entry.contact_ns


def answered(m: Match, code: str, p: Point | None, side: Colour, happened_ns: int | None) -> bool:
    """Whether the same act was found, or was claimed and rejected, already."""
    since = -1 if happened_ns is None else happened_ns
    if code == "wrong-hand":
        found = any(x.code == code and x.player is m.player_of(side) and x.t_ns >= since for x in m.matters)
    else:
        found = any(x.code == code and x.answers_to(code, p) and x.t_ns >= since for x in m.matters)
    if happened_ns is None:
        since = m.played_on_ns[m.player_of(side.other)]
    return found or any(
        c.code == code and c.side is side.other and p in (None, c.point) and c.t_ns >= since
        for c in m.rejected
    )


def offender(m: Match, code: str, p: Point | None, claimant: Colour | None) -> Colour:
    """Who did it: who had to name N, the claimant's opponent, whose stone it is, or who is not to move."""
    step = m.procedure.declaring
    if code == "offers-not-declared" and step is not None and step.side is not None:
        return step.side if m.declarer is None else m.colour_of(m.declarer)
    if claimant is not None:
        return claimant.other
    entry = None if p is None or code == "occupied" else m.entry_at(p)
    return (m.time_of or m.to_move).other if entry is None else entry.colour


def enter(m: Match, code: str, p: Point | None, claimant: Colour | None) -> Matter:
    """Enter what people saw, with the move that it takes back, if there is one."""
    side = offender(m, code, p, claimant)
    entry = None if p is None else m.entry_at(p)
    if entry is not None and not taken_back_with(m, code, entry, side):
        entry = None
    return m.irregular(code, side, point=p, entry=entry)


def taken_back_with(m: Match, code: str, entry: Entry, side: Colour) -> bool:
    """Whether the move of a stone is taken back with it: only that side's own, never one of the opponent.

    What was put on another stone is that side's newest move, if the record has it there. A stone of the
    wrong colour may have been taken for a second stone of the opponent; one that lies where the record has a
    stone of the other colour was put in its place.
    """
    if code != "wrong-colour":
        return entry.colour is side and entry is m.entries[-1]
    if entry.point is None or m.sensed[entry.point] == CHARS[entry.colour.other]:
        return False
    second = any(x.code == "double-move" and x.entry is entry and x.claimable for x in m.matters)
    return entry.colour is side or second
