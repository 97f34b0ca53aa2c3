"""What happened at the table beside the moves folded into a record: stops, clocks, penalties, decisions."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from firmware_host.board import Colour
from firmware_host.record.values import (
    Arrival,
    ClockChange,
    Decision,
    Draw,
    Flag,
    Notice,
    Penalty,
    Remark,
    Stop,
)
from firmware_host.referee.rulings import (
    AnyRuling,
    Arrived,
    Called,
    ClockSet,
    Decided,
    Differs,
    DrawOffer,
    FlagFallen,
    Paused,
    Penalised,
    PeriodUsed,
    PressWithoutStone,
    Refused,
    Restored,
    Resumed,
    Told,
)

if TYPE_CHECKING:
    from firmware_host.record.game import GameRecord


def _differs(record: "GameRecord", ruling: Differs) -> "GameRecord":
    record = replace(record, differences=ruling.points)
    return record if stands(record) else stopped(record, ruling.t_ns, ruling.why)


def _restored(record: "GameRecord", ruling: Restored) -> "GameRecord":
    record = replace(record, differences=())
    if ruling.accepted:
        taken = Notice(t_ns=ruling.t_ns, code="accepted", points=ruling.points, swapped=record.swapped)
        record = replace(record, notices=(*record.notices, taken))
    if ruling.correction is not None:
        upheld = next((c for c in reversed(record.claims) if c.answer == "upheld"), None)
        done = [replace(c, correction=ruling.correction) if c is upheld else c for c in record.claims]
        record = replace(record, claims=tuple(done))
    return record


def stands(record: "GameRecord") -> bool:
    """Whether the clocks stand as far as the record knows."""
    return any(stop.until_ns is None for stop in record.stops)


def stopped(record: "GameRecord", t_ns: int, why: str, side: Colour | None = None) -> "GameRecord":
    """The record with one stop more."""
    stop = Stop(t_ns=t_ns, why=why, side=side, swapped=record.swapped)
    return replace(record, stops=(*record.stops, stop))


def _called(record: "GameRecord", ruling: Called) -> "GameRecord":
    return stopped(record, ruling.t_ns, "call", ruling.side)


def _paused(record: "GameRecord", ruling: Paused) -> "GameRecord":
    if any(stop.until_ns is None and stop.why == ruling.why for stop in record.stops):
        return record
    return stopped(record, ruling.t_ns, ruling.why)


def _resumed(record: "GameRecord", ruling: Resumed) -> "GameRecord":
    stops = [
        replace(stop, until_ns=ruling.t_ns, running=ruling.running) if stop.until_ns is None else stop
        for stop in record.stops
    ]
    return replace(record, stops=tuple(stops))


def _clock_set(record: "GameRecord", ruling: ClockSet) -> "GameRecord":
    change = ClockChange(
        t_ns=ruling.t_ns,
        side=ruling.side,
        added_ms=ruling.added_ms,
        left_ms=ruling.remaining_ms,
        reason=ruling.reason,
        swapped=record.swapped,
    )
    last = record.penalties[-1] if record.penalties else None
    if last is not None and (last.kind, last.ms, last.t_ns, last.side) == (
        "time",
        None,
        ruling.t_ns,
        ruling.side,
    ):
        taken = replace(last, ms=-ruling.added_ms)
        record = replace(record, penalties=(*record.penalties[:-1], taken))
    return replace(record, clock_changes=(*record.clock_changes, change))


def _flag(record: "GameRecord", ruling: FlagFallen | PeriodUsed) -> "GameRecord":
    left = ruling.left if isinstance(ruling, PeriodUsed) else None
    flag = Flag(t_ns=ruling.t_ns, side=ruling.side, periods_left=left, swapped=record.swapped)
    return replace(record, flags=(*record.flags, flag))


def _arrived(record: "GameRecord", ruling: Arrived) -> "GameRecord":
    arrival = Arrival(t_ns=ruling.t_ns, side=ruling.side, swapped=record.swapped)
    return replace(record, arrivals=(*record.arrivals, arrival))


def _draw(record: "GameRecord", ruling: DrawOffer) -> "GameRecord":
    if ruling.answer == "offer":
        offer = Draw(t_ns=ruling.t_ns, side=ruling.side, swapped=record.swapped)
        return replace(record, draws=(*record.draws, offer))
    draws = list(record.draws)
    if not draws or draws[-1].answer is not None:
        draws.append(Draw(t_ns=ruling.t_ns, side=ruling.side.other, swapped=record.swapped))
    draws[-1] = replace(draws[-1], answer=ruling.answer, answered_ns=ruling.t_ns)
    return replace(record, draws=tuple(draws))


def _penalised(record: "GameRecord", ruling: Penalised) -> "GameRecord":
    if ruling.kind == "violation" and ruling.count <= record.violations(ruling.side):
        return _violation_undone(record, ruling)
    penalty = Penalty(
        t_ns=ruling.t_ns,
        side=ruling.side,
        kind=ruling.kind,
        count=ruling.count,
        reason=ruling.reason,
        by=ruling.by,
        swapped=record.swapped,
    )
    return replace(record, penalties=(*record.penalties, penalty))


def _violation_undone(record: "GameRecord", ruling: Penalised) -> "GameRecord":
    """A violation was taken off: which one the arbiter's record learns from the decision that follows."""
    if record.audience == "arbiter":
        return record
    for penalty in reversed(record.penalties):
        own = penalty.kind == "violation" and record.doer(penalty) is ruling.side
        if own and not penalty.undone:
            return _undone(record, penalty, undone=True)
    return record


def _undone(record: "GameRecord", penalty: Penalty, *, undone: bool) -> "GameRecord":
    changed = [replace(p, undone=undone) if p is penalty else p for p in record.penalties]
    return replace(record, penalties=tuple(changed))


def _decided(record: "GameRecord", ruling: Decided) -> "GameRecord":
    new = [p for p in record.penalties if p.entry is None and p.t_ns == ruling.t_ns]
    penalties = [replace(p, entry=ruling.entry) if p in new else p for p in record.penalties]
    if ruling.undoes is not None:  # a violation that was told because it counts again is the old one
        penalties = [p for p in record.penalties if p not in new]
    decision = Decision(
        t_ns=ruling.t_ns,
        entry=ruling.entry,
        do=ruling.do,
        by=ruling.by,
        side=ruling.side,
        what=ruling.what,
        reason=ruling.reason,
        undoes=ruling.undoes,
        before=ruling.before,
        after=ruling.after,
        swapped=record.swapped,
    )
    record = replace(record, penalties=tuple(penalties), decisions=(*record.decisions, decision))
    return record if ruling.undoes is None else _undo(record, ruling.undoes, ruling.entry)


def _undo(record: "GameRecord", n: int, by: int) -> "GameRecord":
    """Decision `n` is undone by `by`: what it was stands no more, and what it had undone stands again."""
    undone_by: int | None = by
    while True:
        named = next((d for d in reversed(record.decisions) if d.entry == n), None)
        if named is None:
            return record
        record = replace(
            record,
            decisions=tuple(replace(d, undone_by=undone_by) if d is named else d for d in record.decisions),
            penalties=tuple(
                replace(p, undone=undone_by is not None) if p.entry == n else p for p in record.penalties
            ),
        )
        if named.undoes is None or named.undoes >= n:
            return record
        n, undone_by = named.undoes, n if undone_by is None else None


def _told(record: "GameRecord", ruling: Told) -> "GameRecord":
    if ruling.code == "note":
        after = len(record.moves)
        note = Remark(after=after, text=ruling.text or "", t_ns=ruling.t_ns, side=ruling.side)
        return replace(record, remarks=(*record.remarks, note))
    return _noticed(
        record,
        Notice(
            t_ns=ruling.t_ns,
            code=ruling.code,
            side=ruling.side,
            point=ruling.point,
            rest=ruling.rest,
            text=ruling.text,
        ),
    )


def _noticed(record: "GameRecord", notice: Notice) -> "GameRecord":
    return replace(record, notices=(*record.notices, replace(notice, swapped=record.swapped)))


def _pressed_without_stone(record: "GameRecord", ruling: PressWithoutStone) -> "GameRecord":
    return _noticed(record, Notice(t_ns=ruling.t_ns, code="press-without-stone", side=ruling.side))


def _refused(record: "GameRecord", ruling: Refused) -> "GameRecord":
    return _noticed(record, Notice(t_ns=ruling.t_ns, code="refused", text=f"{ruling.do}: {ruling.why}"))


TABLE: Final[dict[type[AnyRuling], Callable[["GameRecord", Any], "GameRecord"]]] = {
    Differs: _differs,
    Restored: _restored,
    Arrived: _arrived,
    Called: _called,
    Paused: _paused,
    Resumed: _resumed,
    ClockSet: _clock_set,
    FlagFallen: _flag,
    PeriodUsed: _flag,
    DrawOffer: _draw,
    Penalised: _penalised,
    Decided: _decided,
    Told: _told,
    PressWithoutStone: _pressed_without_stone,
    Refused: _refused,
}
