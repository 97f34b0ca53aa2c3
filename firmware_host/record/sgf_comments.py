"""What happened besides the moves, in words, for the comments of a file that has no other place for it."""

from collections.abc import Iterator

from firmware_host.board import NAMES, Point
from firmware_host.record.game import GameRecord
from firmware_host.record.values import Correction, Found, Penalty


def told(record: GameRecord) -> Iterator[tuple[int, str]]:
    """Sentences, each with the number of moves after which it belongs."""
    for choice in record.choices:
        yield choice.after, "The players swapped colours." if choice.swap else "The colours were kept."
    if record.declared is not None:
        yield 3, f"Fifth offers declared: {record.declared}."
    for found in sorted((*record.irregular, *record.forbidden), key=lambda found: found.t_ns):
        yield _after(record, found.t_ns) if found.n is None else found.n, _found(found)
    for change in record.corrections:
        yield change.n, _correction(change)
    for penalty in record.penalties:
        yield _after(record, penalty.t_ns), _penalty(penalty)


def _after(record: GameRecord, t_ns: int) -> int:
    return sum(move.t_ns <= t_ns for move in record.moves)


def _found(found: Found) -> str:
    what = f"forbidden move, {found.kind}" if found.kind else f"irregular action, {found.code}"
    rest = "" if found.rest in (None, found.point) else f", resting{_on(found.rest)}"
    article = f" [{found.article}]" if found.article else ""
    return f"{found.side.capitalize()}: {what}{_on(found.point)}{rest}{article}: {found.standing}."


def _correction(change: Correction) -> str:
    was, now = ("a pass" if p is None else NAMES[p] for p in (change.was, change.now))
    return (
        f"Move {change.n} corrected: {was} taken off."
        if change.off
        else f"Move {change.n} corrected: {was} to {now}."
    )


def _penalty(penalty: Penalty) -> str:
    undone = ", undone" if penalty.undone else ""
    reason = f": {penalty.reason}" if penalty.reason else ""
    return f"{penalty.side.capitalize()}: penalty, {penalty.kind}{undone}{reason}."


def _on(p: Point | None) -> str:
    return "" if p is None else f" at {NAMES[p]}"
