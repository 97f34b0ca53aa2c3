"""Claims, and what the arbiter makes of them. Every function answers one command.

A claim stops the clocks. Upholding an irregular action corrects the record and guides the board to it;
upholding a forbidden move, a five or a flag ends the game.
Source: competition rules 6.1, 6.2, 8.6; general rules 6.
"""

from collections.abc import Callable
from typing import Final

from firmware_host.board import BLACK, Colour, point_name
from firmware_host.clock import MS
from firmware_host.referee import correction, remedies
from firmware_host.referee.board_watch import guide, in_the_way
from firmware_host.referee.ends import accepted, ends, fives
from firmware_host.referee.inputs import Command
from firmware_host.referee.irregular import (
    FORBIDDEN_CODES,
    IRREGULAR,
    LOSS,
    OTHER_CLAIMS,
    SEEN,
    Matter,
    remedy_of,
)
from firmware_host.referee.penalties import penalise, take_time
from firmware_host.referee.rulings import Claimed, Refused, Rejected, Told, Upheld, Waived
from firmware_host.referee.state import Match
from firmware_host.referee.witness import enter, enters, why_not

PAST: Final = ("lapsed", "waived", "rejected", "upheld")
"""What can no longer be claimed."""


def matter_of(
    m: Match, code: str | None, p: int | None, standing: tuple[str, ...], *, claimant: Colour | None = None
) -> Matter | None:
    """The newest matter that a code and a point name; for a claimant none that he has done himself.

    One of exactly that name goes before one of the other name of the same act.
    """
    his = None if claimant is None else m.player_of(claimant)
    fits = [x for x in reversed(m.matters) if x.standing in standing and x.player is not his]
    exact = (x for x in fits if x.answers_to(code, p))
    return next(exact, None) or next((x for x in fits if x.meant_by(code, p)), None)


def past_claiming(m: Match, code: str, p: int | None, claimant: Colour) -> bool:
    """Whether all know that what a claim names has lapsed or was answered; else it stops the clocks.

    A claim of what never was is no different from one of what was found, or clocks would tell players so.
    """
    if enters(m, code, p, claimant) or matter_of(m, code, p, ("open", "claimed"), claimant=claimant):
        return False
    if code in IRREGULAR and not IRREGULAR[code].sensed:
        return True
    past = matter_of(m, code, p, PAST, claimant=claimant)
    if past is None or not past.revealed or (p is None and past.point is not None):
        return False
    return not past.kind or (past.entry in m.entries and past.entry is not None and past.entry.point == p)


def claim(m: Match, given: Command) -> None:
    """A player claims: the clocks stand until the arbiter has answered."""
    side, code = given.side, given.code
    if side is None or code is None:
        m.refuse(given, "a claim needs a side and a code")
        return
    if m.claim is not None:
        m.refuse(given, f"{m.claim.side} has claimed already: uphold, reject or waive that first")
        return
    if past_claiming(m, code, given.point, side):
        m.refuse(given, nothing_there(m, code, given.point, side))
        return
    matter = matter_of(m, code, given.point, ("open",), claimant=side)
    m.stopped_for = m.why
    if m.phase == "playing":
        m.stop("claim")
    m.why = "claim"
    m.claim = Claimed(t_ns=m.t_ns, code=code, side=side, point=given.point)
    m.tell(m.claim)
    if matter is not None and matter.answers_to(code, given.point):
        matter.standing = "claimed"
        m.reveal(matter, "claimed")
    if m.settings.forbidden == "automatic" and (code not in IRREGULAR or IRREGULAR[code].sensed):
        answer_itself(m, given)


def hollow(m: Match) -> bool:
    """Whether a claim waits that cannot be upheld, since nothing of the kind was found."""
    if m.claim is None:
        return False
    code, p = m.claim.code, m.claim.point
    if code == "flag":
        return not m.fallen
    if code == "five":
        return not any(p is None or p in line for _, line in fives(m))
    found = matter_of(m, code, p, ("open", "claimed"), claimant=m.claim.side)
    return found is None and not enters(m, code, p, m.claim.side)


def answer_itself(m: Match, given: Command) -> None:
    """Without an arbiter (`forbidden = "automatic"`): uphold what the controller found, reject the rest."""
    before = len(m.out)
    uphold(m, given)
    answer = m.out[-1]
    if isinstance(answer, Refused):
        del m.out[before:]
        reject(m, given, answer.why)


def by_call(m: Match, side: Colour) -> None:
    """Without an arbiter a call key claims what its player may claim; if there is nothing, that is said."""
    opponent = m.player_of(side.other)
    found = next((x for x in reversed(m.matters) if x.player is opponent and x.standing == "open"), None)
    code, p = (None, None) if found is None else (found.kind or found.code, found.point)
    if code is None and opponent in m.fallen:
        code = "flag"
    if code is None and any(entry.colour is side for entry, _ in fives(m)):
        code = "five"
    if code is None:
        text = f"nothing of {side.other} can be claimed now"
        m.tell(Told(t_ns=m.t_ns, audience="players", code="nothing-to-claim", side=side, text=text))
        return
    claim(m, Command(t_ns=m.t_ns, do="claim", side=side, code=code, point=p))


def named(m: Match, given: Command) -> tuple[str | None, int | None]:
    """The code and point that an answer means: its own, or those of the claim that waits."""
    if given.code is None and given.point is None and m.claim is not None:
        return m.claim.code, m.claim.point
    return given.code, given.point


def claimant_of(m: Match, code: str | None, p: int | None) -> Colour | None:
    """Who has claimed what an answer is about; None if nobody has."""
    waits = m.claim
    named = waits is not None and code == waits.code and p in (None, waits.point)
    return waits.side if waits is not None and named else None


def uphold(m: Match, given: Command) -> None:
    """The claim stands, and its remedy follows; refused where the controller found nothing of the kind."""
    code, p = named(m, given)
    claimant = claimant_of(m, code, p)
    before = m.why if m.claim is None else m.stopped_for
    why = "correction" if before in OVER_WITH_THE_ANSWER else before
    if claimant is not None and hollow(m):
        m.denied = m.claim
    if code in OTHER_CLAIMS:
        OTHERS[code](m, given)
        return
    matter = matter_of(m, code, p, ("open", "claimed"), claimant=claimant)
    if matter is None and code is not None and enters(m, code, p, claimant):
        matter = enter(m, code, p, claimant)
    if matter is None:
        m.refuse(given, nothing_there(m, code, p, claimant))
        return
    remedied = remedies.remedied_as(m, matter)
    remedy = remedy_of(m.settings, remedied, matter.kind)
    taken = remedies.taken(m, matter) if remedied == matter.code and remedy != LOSS else None
    if taken is not None:
        m.refuse(given, taken)
        return
    matter.standing = "upheld"
    if m.claim is not None and matter.meant_by(m.claim.code, m.claim.point):
        m.claim = None
    upheld = matter.kind or matter.code
    m.tell(Upheld(t_ns=m.t_ns, code=upheld, point=matter.point, side=matter.side, remedy=remedy))
    m.reveal(matter, "claimed")
    if matter.kind:
        m.end("forbidden", BLACK.other)
    elif remedy == LOSS:
        m.end("penalty", m.colour_of(matter.player).other)
    else:
        m.stop(why)
        remedies.REMEDIES.get(remedied, remedies.no_remedy)(m, matter)
        if matter.entry in m.entries and matter.entry is not None:
            ends(m, matter.entry)
        if m.phase != "over":
            guide(m, why, correcting=True)


def nothing_there(m: Match, code: str | None, p: int | None, claimant: Colour | None = None) -> str:
    """Why a claim cannot be upheld, in one sentence."""
    at = "" if p is None else f" at {point_name(p)}"
    own = matter_of(m, code, p, ("open", "claimed"))
    if own is not None:
        offender = m.colour_of(own.player)
        return f"{offender} did it, and only {offender.other} can claim it"
    past = matter_of(m, code, p, PAST)
    if past is not None:
        has = "has" if past.standing == "lapsed" else "has been"
        return f"{past.kind or past.code}{at} {has} {past.standing} and can no longer be claimed"
    if code in SEEN and code is not None and (why := why_not(m, code, p, claimant)) is not None:
        return why
    if code in FORBIDDEN_CODES:
        return f"the stone{at} makes no forbidden move"
    return f"no {code or 'irregular action'}{at} was found"


def uphold_five(m: Match, given: Command) -> None:
    """A five was made that nobody noticed; the first of them wins, whatever was added to it since."""
    _, p = named(m, given)
    waits = None
    for entry, line in fives(m):
        if p is not None and p not in line:
            continue
        waits = next((x for x in m.matters if x.entry is entry and x.claimable and not x.kind), None)
        if waits is None:
            m.claim = None
            m.tell(Upheld(t_ns=m.t_ns, code="five", point=p, remedy=f"{entry.colour} has won"))
            m.end("five", entry.colour, line=line)
            return
    if waits is not None:
        m.refuse(given, f"{waits.code} of the five's last stone can still be claimed: answer that first")
    else:
        m.refuse(given, "there is no five on the board" if p is None else f"{point_name(p)} is in no five")


def uphold_flag(m: Match, given: Command) -> None:
    """The first flag that fell loses [8.2]."""
    if not m.fallen:
        m.refuse(given, "no flag has fallen")
        return
    loser = m.colour_of(m.fallen[0])
    m.claim = None
    m.tell(Upheld(t_ns=m.t_ns, code="flag", remedy=f"{loser} is out of time"))
    m.end("time", loser.other)


OTHERS: Final[dict[str, Callable[[Match, Command], None]]] = {"five": uphold_five, "flag": uphold_flag}


def reject(m: Match, given: Command, why: str | None = None) -> None:
    """The claim does not stand: the game goes on, on the claimant's time. `why`: in words.

    What nobody has claimed can be rejected too, for the arbiter alone; a claim about something else waits on.
    """
    code, p = named(m, given)
    if given.ms is not None:
        costs = m.settings.wrong_claim == "time" and m.control.limited and m.claim is not None
        if not costs or given.ms <= 0:
            m.refuse(given, "ms above 0 is the time that a wrong claim costs, where wrong_claim is time")
            return
    claimant = claimant_of(m, code, p)
    matter = matter_of(m, code, p, ("claimed", "open"), claimant=claimant)
    if matter is not None and not matter.answers_to(code, p):
        if claimant is not None:
            matter = None  # it was not that: what it was can still be claimed
        else:
            code = matter.code
    claimed = claimant is not None or (matter is not None and matter.standing == "claimed")
    if matter is None and not claimed:
        m.refuse(given, nothing_there(m, code, p))
        return
    if matter is not None:
        matter.standing = "rejected"
    claimant = m.claim.side if claimed and m.claim else None
    m.tell(
        Rejected(
            t_ns=m.t_ns,
            audience="public" if claimed else "arbiter",
            code=code or (matter.code if matter else ""),
            point=p,
            why=why,
            side=matter.side if matter else None,
        )
    )
    if claimed and m.claim is not None:
        if matter is None:
            m.rejected.append(m.claim)
        m.claim = None
    if matter is not None and matter.entry is not None:
        ends(m, matter.entry)
    if claimant is not None and m.phase == "stopped":
        m.time_of = claimant
        wrong_claim(m, claimant, given)
        go_on(m)


def wrong_claim(m: Match, side: Colour, given: Command) -> None:
    """What a wrong claim costs, by the event's setting; the texts name no time: the arbiter says how much."""
    if m.settings.wrong_claim == "violation":
        penalise(m, side, "violation", "wrong claim", given.by)
    elif m.settings.wrong_claim == "time" and given.ms:
        penalise(m, side, "time", "wrong claim", given.by)
        take_time(m, side, given.ms * MS, "wrong claim")
    elif m.settings.wrong_claim == "time":
        m.told("wrong-claim", side=side)


def waive(m: Match, given: Command) -> None:
    """The opponent or the arbiter accepts what happened."""
    code, p = named(m, given)
    claimant = claimant_of(m, code, p)
    matter = matter_of(m, code, p, ("claimed", "open"))
    if matter is None and code is not None and claimant not in (None, given.side and given.side.other):
        matter = enter(m, code, p, claimant) if enters(m, code, p, claimant) else None
    if matter is None:
        m.refuse(given, nothing_there(m, code, p))
        return
    offender = m.colour_of(matter.player)
    if given.side is offender:
        m.refuse(given, f"{offender} did it; only {offender.other} or an arbiter can waive it")
        return
    was_claimed = m.claim is not None and matter.meant_by(m.claim.code, m.claim.point)
    matter.standing = "waived"
    m.tell(Waived(t_ns=m.t_ns, code=matter.kind or matter.code, point=matter.point, side=matter.side))
    m.reveal(matter, "waived")
    accepted(m, matter)
    if was_claimed and m.phase == "stopped":
        m.claim = None
        go_on(m)


OVER_WITH_THE_ANSWER: Final = ("", "call", "claim", "correction")
"""What the clocks stood for before an answer, and do not after it; for anything else they still stand."""


def go_on(m: Match) -> None:
    """Resume after an answer, unless something else keeps the match stopped."""
    if m.phase == "over":
        return
    if m.guiding:
        m.why = m.stopped_for or "correction"
    elif m.stopped_for not in OVER_WITH_THE_ANSWER:
        m.why = m.stopped_for
    elif in_the_way(m):
        m.why = "arbiter"
    else:
        correction.go_on(m)
