"""Stones of the record that moved, and scattered boards: every decision of the article is a command.

What caused it is the command's `kind`: `outside`, a player by `accident`, a player on `purpose`; a side that
is named for a scattered board without a kind was careless. Source: competition rules 4.2.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from firmware_host.board import BLACK, WHITE, Colour, Point, point_name
from firmware_host.referee import offers
from firmware_host.referee.begin_again import begin_again
from firmware_host.referee.board_watch import forget_hands, guide, show_differences, to_settle
from firmware_host.referee.correction import BY_NEXT_ACT
from firmware_host.referee.ends import ends, judge
from firmware_host.referee.entries import Entry, position_of
from firmware_host.referee.inputs import Command
from firmware_host.referee.penalties import chief_decides, penalise
from firmware_host.referee.state import Match

CHIEF_S: Final = ("draw", "replay", "loss")
"""Decisions that are the chief arbiter's; `back` and `stands` may be what both players want."""


def moved_stones(m: Match, given: Command) -> None:
    """The decision about stones that moved or a scattered board."""
    why = wrong(given)
    if why:
        m.refuse(given, why)
        return
    decision = given.decision
    if decision == "stands" and not let_stand(m, given):
        return
    if decision in CHIEF_S:
        chief_decides(m, given)
    if decision == "loss" and given.side is not None:
        penalise(m, given.side, "loss", given.reason or given.kind, given.by)
        return
    if given.side is not None and cause(m, given) == "accident":
        penalise(m, given.side, "violation", given.reason or "scattered by accident", given.by)
    if decision == "back":
        guide(m, back_for(m))
    elif decision == "draw":
        m.end("arbiter", None)
    elif decision == "replay":
        begin_again(m, "replay")


def back_for(m: Match) -> str:
    """Why the clocks stand while stones go back: in play that is all that is waited for."""
    if m.phase == "playing":
        return "correction"
    return m.why if m.guiding or m.why in BY_NEXT_ACT else "arbiter"


def cause(m: Match, given: Command) -> str | None:
    """What the arbiter says the cause was; who is named for a scattered board was careless at least."""
    careless = given.side is not None and m.why == "scattered"
    return given.kind or ("accident" if careless else None)


def wrong(given: Command) -> str:
    """Why a decision is not one of the article's, in one sentence; empty if it is."""
    loss = given.decision == "loss"
    if given.side is None and (loss or given.kind in ("accident", "purpose")):
        return "a loss needs the side that loses" if loss else f"{given.kind} needs the side that did it"
    if given.kind == "purpose" and not loss:
        return "who moves stones on purpose loses; allowed with purpose: loss"
    if given.kind == "outside" and loss:
        return "nobody loses by what came from outside; allowed with outside: back, stands, draw, replay"
    if given.kind == "accident" and given.decision in ("draw", "replay"):
        return "who scatters a board puts it right, or loses; allowed with accident: back, stands, loss"
    return ""


def let_stand(m: Match, given: Command) -> bool:
    """The stones that moved count where they lie now; refused where it is not clear which went where."""
    gone, come = off_and_on(m)
    pairs = matching(m, gone, come)
    if not pairs or not len(pairs) == len(gone) == len(come):
        m.refuse(given, unclear(gone, come))
        return False
    judge_moved(m, stand(m, pairs))
    if m.phase != "over":
        show_differences(m)
    return True


def off_and_on(m: Match) -> tuple[dict[Point, Colour], dict[Point, Colour | str]]:
    """Where stones of the record are missing, and what is seen where the record has none or another."""
    found = to_settle(m)
    gone = {p: recorded for p, recorded, seen in found if recorded is not None}
    come = {p: seen for p, recorded, seen in found if seen is not None}
    return gone, come


def accept_moved(m: Match) -> list[Entry]:
    """As the board is accepted, what surely moved stands where it lies in the record too; gives its moves."""
    return stand(m, matching(m, *off_and_on(m)))


def stand(m: Match, pairs: Mapping[Point, Point]) -> list[Entry]:
    """The stones of `pairs` stand where they lie; gives their moves, which are not judged yet."""
    before = {q: m.entry_at(q) for q in pairs}
    moved = [(entry, pairs[q]) for q, entry in sorted(before.items()) if entry is not None]
    for entry, p in moved:
        entry.point = entry.first = p
    m.position = position_of(m.entries)
    forget_hands(m)
    m.went.clear()
    for entry, p in moved:
        m.restand(entry, p)
    offers.stand(m, pairs)
    return [entry for entry, _ in moved]


def judge_moved(m: Match, moved: Iterable[Entry]) -> None:
    """What stones that moved make now, they or those after them; a forbidden move only the last of all."""
    changed = list(moved)
    first = min(map(m.number, changed), default=len(m.entries) + 1)
    for entry in m.entries[first - 1 :]:
        (judge if entry is m.entries[-1] and entry in changed else ends)(m, entry)


def matching(
    m: Match, gone: Mapping[Point, Colour], come: Mapping[Point, Colour | str]
) -> dict[Point, Point]:
    """Which stone lies where now; without those that are unclear, or lie where the record has another one."""
    pairs = paired(m, gone, come)
    while taken := [q for q, p in pairs.items() if m.position[p] is not None and p not in pairs]:
        for q in taken:
            del pairs[q]
    return pairs


def paired(m: Match, gone: Mapping[Point, Colour], come: Mapping[Point, Colour | str]) -> dict[Point, Point]:
    """Where each stone that is gone seems to lie now, by what the sensors saw or by colour."""
    pairs: dict[Point, Point] = {}
    for p, seen in come.items():
        q = m.went.get(p)
        if q in gone and q is not None and q not in pairs and seen in (gone[q], "unknown"):
            pairs[q] = p
    left = {q: colour for q, colour in gone.items() if q not in pairs}
    new = {p: seen for p, seen in come.items() if p not in pairs.values()}
    if len(left) == len(new) == 1:
        (q, held), (p, seen) = next(iter(left.items())), next(iter(new.items()))
        return {**pairs, q: p} if seen in (held, "unknown") else pairs
    for colour in (BLACK, WHITE):
        origins = [q for q, its in left.items() if its is colour]
        places = [p for p, seen in new.items() if seen is colour]
        if len(origins) == len(places) == 1:
            pairs[origins[0]] = places[0]
    return pairs


def unclear(gone: Iterable[Point], come: Iterable[Point]) -> str:
    """Why stones cannot be let stand, naming the points."""
    empty, full = (", ".join(point_name(p) for p in sorted(points)) or "none" for points in (gone, come))
    return (
        f"the board does not show which stone moved where, off their points {empty}, elsewhere {full}: "
        "put back what is not to stand"
    )
