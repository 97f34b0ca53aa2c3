"""What was found and claimed folded into a record: irregular actions, forbidden moves, claims, answers."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, get_args

from msgspec.structs import replace

from firmware_host.board import BLACK
from firmware_host.record.fold_table import stands, stopped
from firmware_host.record.values import Claim, Found, Standing
from firmware_host.referee.rulings import (
    AnyRuling,
    Claimed,
    Forbidden,
    Irregular,
    Lapsed,
    Rejected,
    Revealed,
    Upheld,
    Waived,
)
from firmware_host.referee.rulings import Standing as StandingAgain

if TYPE_CHECKING:
    from firmware_host.record.game import GameRecord


def _irregular(record: "GameRecord", ruling: Irregular) -> "GameRecord":
    found = Found(
        t_ns=ruling.t_ns,
        code=ruling.code,
        side=ruling.side,
        article=ruling.article,
        point=ruling.point,
        rest=ruling.rest,
        n=ruling.n,
        swapped=record.swapped,
        known=ruling.audience == "public",
    )
    fact = (found.t_ns, found.code, found.side, found.point)
    for old in record.irregular:
        if (old.t_ns, old.code, old.side, old.point) == fact and old.rest != found.rest:
            return _with(record, old, replace(old, rest=found.rest))
    return replace(record, irregular=(*record.irregular, found))


def _forbidden(record: "GameRecord", ruling: Forbidden) -> "GameRecord":
    found = Found(
        t_ns=ruling.t_ns,
        code="forbidden",
        side=BLACK,
        point=ruling.point,
        n=ruling.n,
        kind=ruling.kind,
        swapped=record.swapped,
        known=ruling.audience == "public",
    )
    return replace(record, forbidden=(*record.forbidden, found))


def _revealed(record: "GameRecord", ruling: Revealed) -> "GameRecord":
    """What the record knows already becomes known to all; what it did not know is new to it."""
    findings = record.forbidden if ruling.kind else record.irregular
    fact = (ruling.code, ruling.side, ruling.kind, ruling.point)
    for found in findings:
        if not found.known and (found.code, found.side, found.kind, found.point) == fact:
            return _with(record, found, replace(found, known=True, rest=ruling.rest))
    found = Found(
        t_ns=ruling.t_ns,
        code=ruling.code,
        side=ruling.side,
        article=ruling.article,
        point=ruling.point,
        rest=ruling.rest,
        n=ruling.n,
        kind=ruling.kind,
        swapped=record.swapped,
        standing=_REVEALED.get(ruling.why, "open"),
        known=True,
    )
    if ruling.kind:
        return replace(record, forbidden=(*record.forbidden, found))
    return replace(record, irregular=(*record.irregular, found))


def _with(record: "GameRecord", old: Found, new: Found) -> "GameRecord":
    """The record with one finding replaced."""
    if new.kind:
        return replace(record, forbidden=tuple(new if f is old else f for f in record.forbidden))
    return replace(record, irregular=tuple(new if f is old else f for f in record.irregular))


def _claimed(record: "GameRecord", ruling: Claimed) -> "GameRecord":
    claim = Claim(
        t_ns=ruling.t_ns, side=ruling.side, code=ruling.code, point=ruling.point, swapped=record.swapped
    )
    record = replace(_finding_answered(record, ruling), claims=(*record.claims, claim))
    return record if stands(record) else stopped(record, ruling.t_ns, "claim", ruling.side)


def _answered(record: "GameRecord", ruling: Upheld | Rejected | Waived) -> "GameRecord":
    """An answer to the claim that waits, or without one to what was found."""
    answer: Any = _ANSWERS[type(ruling)]
    words = ruling.remedy if isinstance(ruling, Upheld) else getattr(ruling, "why", None)
    claims = list(record.claims)
    waits = _waiting(record, ruling)
    if waits is None:
        waits = Claim(
            t_ns=ruling.t_ns, side=None, code=ruling.code, point=ruling.point, swapped=record.swapped
        )
        claims.append(waits)
    done = replace(waits, answer=answer, answered_ns=ruling.t_ns, words=words or "")
    claims = [done if claim is waits else claim for claim in claims]
    return replace(_finding_answered(record, ruling), claims=tuple(claims))


def _waiting(record: "GameRecord", ruling: Upheld | Rejected | Waived) -> Claim | None:
    """The claim that an answer is to: the newest one that waits, if both can mean the same."""
    waits = next((claim for claim in reversed(record.claims) if claim.answer is None), None)
    if waits is None or not waits.meant_by(ruling.code):
        return None
    if isinstance(ruling, Rejected) and ruling.audience == "arbiter":
        return None  # nobody had claimed
    rests = {found.rest for found in record.irregular if found.point == ruling.point}
    return waits if {waits.point, ruling.point} & {None, *rests} or waits.point == ruling.point else None


def _finding_answered(
    record: "GameRecord", ruling: Claimed | Upheld | Rejected | Waived | Lapsed
) -> "GameRecord":
    """A claim or an answer to it changes the standing of the last finding that it means, if there is one."""
    side = ruling.side
    if isinstance(ruling, Rejected) and side is None:
        return record  # what was claimed had not been found
    of_one = side is not None and isinstance(ruling, Upheld | Waived | Lapsed)
    for found in reversed((*record.irregular, *record.forbidden)):
        fits_side = record.doer(found).other if isinstance(ruling, Claimed) else found.side
        fits = side in (None, fits_side) and found.answers_to(ruling.code, ruling.point)
        if fits and found.claimable and (found.point == ruling.point or not of_one):
            return _with(record, found, replace(found, standing=_ANSWERS[type(ruling)]))
    return record


def _standing(record: "GameRecord", ruling: StandingAgain) -> "GameRecord":
    """A decision about a finding was undone; the last one that the facts fit stands as before."""
    record = _claim_as_before(record, ruling)
    findings = record.forbidden if ruling.kind else record.irregular
    fact = (ruling.code, ruling.side, ruling.kind, ruling.point)
    standing = _STANDINGS[ruling.standing]
    for found in reversed(findings):
        if (found.code, found.side, found.kind, found.point) == fact and found.standing != standing:
            return _with(record, found, replace(found, standing=standing))
    return record


def _claim_as_before(record: "GameRecord", ruling: StandingAgain) -> "GameRecord":
    """The claim whose answer was undone waits again; what the arbiter had answered by himself is gone."""
    if ruling.standing not in ("open", "claimed"):
        return record
    code = ruling.kind or ruling.code
    for claim in reversed(record.claims):
        if claim.answer is not None and claim.meant_by(code) and claim.point in (None, ruling.point):
            again = replace(claim, answer=None, answered_ns=None, words="", correction=None)
            kept = [again if c is claim else c for c in record.claims if c is not claim or c.side is not None]
            return replace(record, claims=tuple(kept))
    return record


_STANDINGS: Final[dict[str, Standing]] = {word: word for word in get_args(Standing)} | {"gone": "lapsed"}


_REVEALED: Final[dict[str, Standing]] = {"claimed": "claimed", "waived": "waived", "lapsed": "lapsed"}


_ANSWERS: Final[dict[type, Standing]] = {
    Claimed: "claimed",
    Upheld: "upheld",
    Rejected: "rejected",
    Waived: "waived",
    Lapsed: "lapsed",
}


FINDINGS: Final[dict[type[AnyRuling], Callable[["GameRecord", Any], "GameRecord"]]] = {
    Irregular: _irregular,
    Forbidden: _forbidden,
    Revealed: _revealed,
    Claimed: _claimed,
    Upheld: _answered,
    Rejected: _answered,
    Waived: _answered,
    Lapsed: _finding_answered,
    StandingAgain: _standing,
}
