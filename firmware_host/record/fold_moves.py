"""The course of the game folded into a record: moves, presses, the opening, a new beginning, the result."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from firmware_host.board import BLACK, WHITE
from firmware_host.record.values import DEEDS, Branch, Choice, Correction, Move, Offers, Restart, Result
from firmware_host.referee.rulings import (
    AnyRuling,
    Chosen,
    Kept,
    Moved,
    Offered,
    OpeningSet,
    Over,
    Pressed,
    Reopened,
    Restarted,
    Started,
    Swapped,
    Unmoved,
)

if TYPE_CHECKING:
    from firmware_host.record.game import GameRecord


def _started(record: "GameRecord", ruling: Started) -> "GameRecord":
    return replace(record, started_ns=ruling.t_ns)


def _moved(record: "GameRecord", ruling: Moved) -> "GameRecord":
    old = record.move(ruling.n)
    move = Move(
        n=ruling.n,
        point=ruling.point,
        colour=ruling.colour,
        t_ns=ruling.t_ns,
        missing=ruling.missing,
        used_ms=ruling.used_ms,
    )
    if ruling.point is None and not ruling.missing:
        move = replace(move, left_ms=ruling.left_ms, pressed_ns=ruling.t_ns)
    corrections = record.corrections
    if old is not None and old.pressed_ns is not None:
        move = replace(move, used_ms=old.used_ms, left_ms=old.left_ms, pressed_ns=old.pressed_ns)
        if old.point != ruling.point:
            at_ns = record.latest_ns if ruling.corrected_ns is None else ruling.corrected_ns
            changed = Correction(t_ns=at_ns, n=ruling.n, was=old.point, now=ruling.point)
            corrections = (*corrections, changed)
    for press in record.ahead:
        if press.n == ruling.n:
            move = _completed(move, press)
    if not record.moves or record.moves[-1].n < move.n:
        moves = (*record.moves, move)
    else:
        moves = _in_order([move, *(m for m in record.moves if m.n != move.n)])
    return replace(
        record,
        moves=moves,
        ahead=tuple(press for press in record.ahead if press.n != ruling.n),
        corrections=corrections,
    )


def _in_order(moves: Iterable[Move]) -> tuple[Move, ...]:
    return tuple(sorted(moves, key=lambda move: move.n))


def _completed(move: Move, press: Pressed) -> Move:
    """The move after the press that was for it."""
    left_ms = (press.remaining_ms or {}).get(move.colour)
    return replace(move, pressed_ns=press.t_ns, used_ms=press.used_ms, left_ms=left_ms)


def _pressed(record: "GameRecord", ruling: Pressed) -> "GameRecord":
    n = ruling.n
    if n is None:
        return record
    last, before = record.move(n), record.move(n - 1)
    laid_for = last is not None and last.colour is not ruling.side and before is not None
    counted = n - 1 if laid_for else n  # swap2: a side lays a stone of its own and one of the other's
    first = _first_of_turn(record, counted)
    kept = len(record.moves)
    while kept and (record.moves[kept - 1].n >= first or record.moves[kept - 1].pressed_ns is None):
        kept -= 1
    moves = [
        _completed(move, ruling)
        if move.n == first
        else replace(move, pressed_ns=ruling.t_ns, used_ms=0)
        if first < move.n <= counted
        else replace(move, pressed_ns=ruling.t_ns)
        if move.n <= n and move.pressed_ns is None
        else move
        for move in record.moves[kept:]
    ]
    ahead = (*record.ahead, ruling) if last is None else record.ahead
    return replace(record, moves=(*record.moves[:kept], *moves), ahead=ahead)


def _first_of_turn(record: "GameRecord", n: int) -> int:
    """The first of the stones of one side in a row that end with move `n` and are pressed for together.

    The turn's time is that of the first one: nobody can tell by it whether more stones followed.
    """
    last, before = record.move(n), record.move(n - 1)
    while (
        last is not None and before is not None and before.colour is last.colour and before.pressed_ns is None
    ):
        last, before = before, record.move(before.n - 1)
    return n if last is None else last.n


def _unmoved(record: "GameRecord", ruling: Unmoved) -> "GameRecord":
    off = [
        Correction(t_ns=record.latest_ns, n=move.n, was=move.point, off=True)
        for move in record.moves
        if move.n >= ruling.n and move.pressed_ns is not None
    ]
    return replace(
        record,
        moves=tuple(move for move in record.moves if move.n < ruling.n),
        ahead=tuple(press for press in record.ahead if press.n is not None and press.n < ruling.n),
        corrections=(*record.corrections, *off),
        choices=tuple(choice for choice in record.choices if choice.after < ruling.n),
        branches=tuple(branch for branch in record.branches if branch.after < ruling.n),
        black_seat=ruling.black_seat or record.black_seat,
        opening=record.opening if ruling.n > 3 else None,
        offers=record.offers if ruling.n >= record.fifth else (),
        former_offers=record.former_offers if ruling.n >= record.fifth else _with_former_offers(record),
    )


def _with_former_offers(record: "GameRecord") -> tuple[Offers, ...]:
    """The former offers when those that stand go off the record."""
    if not record.offers:
        return record.former_offers
    return (*record.former_offers, Offers(t_ns=record.latest_ns, points=record.offers))


def _opening(record: "GameRecord", ruling: OpeningSet) -> "GameRecord":
    declared = record.declared if ruling.offers is None else ruling.offers
    return replace(record, opening=ruling.name, declared=declared)


def _offered(record: "GameRecord", ruling: Offered) -> "GameRecord":
    same = record.offers == ruling.points
    former = record.former_offers if same else _with_former_offers(record)
    return replace(record, offers=ruling.points, fifth=ruling.n, former_offers=former)


def _chosen(record: "GameRecord", ruling: Chosen) -> "GameRecord":
    chosen = Branch(t_ns=ruling.t_ns, after=len(record.moves), side=ruling.side, branch=ruling.branch)
    return replace(record, branches=(*record.branches, chosen))


def _swapped(record: "GameRecord", ruling: Swapped) -> "GameRecord":
    choice = _choice(record, ruling, swap=True)
    return replace(record, black_seat=ruling.black_seat, choices=(*record.choices, choice))


def _kept(record: "GameRecord", ruling: Kept) -> "GameRecord":
    return replace(record, choices=(*record.choices, _choice(record, ruling, swap=False)))


def _choice(record: "GameRecord", ruling: Swapped | Kept, *, swap: bool) -> Choice:
    after, used_ms, left_ms = len(record.moves), ruling.used_ms, ruling.left_ms
    return Choice(t_ns=ruling.t_ns, after=after, swap=swap, used_ms=used_ms, left_ms=left_ms)


def _restarted(record: "GameRecord", ruling: Restarted) -> "GameRecord":
    """Nothing is left of the moves but the corrections that took them off; what was found stays found.

    Where a restart is undone, the choices before it stand again; its moves are told again.
    """
    if ruling.traded:
        record = _traded(record)
    restart = Restart(t_ns=ruling.t_ns, why=ruling.why, traded=ruling.traded)
    return replace(
        record,
        restarts=(*record.restarts, restart),
        black_seat=ruling.black_seat,
        moves=(),
        opening=None,
        declared=None,
        offers=(),
        former_offers=_with_former_offers(record),
        ahead=(),
        choices=record.former_choices if ruling.why == "undone" else (),
        former_choices=record.choices,
        branches=record.former_branches if ruling.why == "undone" else (),
        former_branches=record.branches,
    )


def _traded(record: "GameRecord") -> "GameRecord":
    """The players are named by the other colours; who had done what before stays the same player."""
    header = replace(record.header, first=record.header.second, second=record.header.first)
    turned = {
        name: tuple(replace(deed, swapped=not deed.swapped) for deed in getattr(record, name))
        for name in DEEDS
    }
    return replace(record, header=header, **turned)


def _reopened(record: "GameRecord", _: Reopened) -> "GameRecord":
    return replace(record, result=None, former_results=_with_former_result(record))


def _with_former_result(record: "GameRecord") -> tuple[Result, ...]:
    """The former results when the one that stands is replaced or undone."""
    return record.former_results if record.result is None else (*record.former_results, record.result)


def _over(record: "GameRecord", ruling: Over) -> "GameRecord":
    result = Result(
        t_ns=ruling.t_ns,
        winner=ruling.winner,
        black=ruling.result.get(BLACK, 0),
        white=ruling.result.get(WHITE, 0),
        reason=ruling.reason,
        line=ruling.line,
    )
    former = record.former_results if result == record.result else _with_former_result(record)
    return replace(record, result=result, former_results=former)


MOVES: Final[dict[type[AnyRuling], Callable[["GameRecord", Any], "GameRecord"]]] = {
    Started: _started,
    Moved: _moved,
    Unmoved: _unmoved,
    Pressed: _pressed,
    OpeningSet: _opening,
    Offered: _offered,
    Swapped: _swapped,
    Kept: _kept,
    Restarted: _restarted,
    Reopened: _reopened,
    Over: _over,
    Chosen: _chosen,
}
