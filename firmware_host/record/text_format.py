"""The record as a text for people: who played, every move with its time, what happened besides, the board.

As on paper, Black's numbers are circled and White's are plain [competition rules 7]; there are circled digits
up to 50, above that a number of Black's stands in brackets.
"""

import unicodedata
from collections.abc import Callable
from typing import Any, Final

from firmware_host.board import BLACK, NAMES, WHITE, Point
from firmware_host.clock import control_words, parse_control
from firmware_host.record.game import Found, GameRecord, Move, Result
from firmware_host.record.header import Person
from firmware_host.referee.rulings import (
    AnyRuling,
    Arrived,
    Called,
    Chosen,
    Claimed,
    ClockSet,
    Decided,
    DrawOffer,
    FlagFallen,
    Paused,
    Penalised,
    PeriodUsed,
    PressWithoutStone,
    Refused,
    Rejected,
    Reopened,
    Restarted,
    Restored,
    Resumed,
    Told,
    Upheld,
    Waived,
)
from firmware_host.rules import OPENINGS

NAME_LIMIT: Final = 60
_OPENINGS: Final = {opening.code: opening for opening in OPENINGS}


def circled(n: int) -> str:
    """A number in a circle: 1..20, 21..35 and 36..50 are three blocks of Unicode; `(51)` above."""
    for last, code in ((20, 0x2460), (35, 0x3251 - 20), (50, 0x32B1 - 35)):
        if 1 <= n <= last:
            return chr(code + n - 1)
    return f"({n})"


def one_line(text: str, limit: int = NAME_LIMIT) -> str:
    """A name or a remark on one line: no control characters, at most `limit` characters with an ellipsis."""
    plain = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
    plain = " ".join(plain.split())
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def to_text(record: GameRecord) -> str:
    """The whole record as a text, lines ended by a line feed."""
    parts = [
        _head(record),
        _moves(record),
        _events(record),
        _remarks(record),
        ["", record.position.diagram()],
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(record: GameRecord) -> list[str]:
    header, settings = record.header, record.settings
    lines = [
        one_line(header.event),
        f"Table {one_line(header.table)}" + ("" if header.round is None else f", round {header.round}"),
        f"Place: {one_line(header.place)}" if header.place else "",
        f"Arbiter: {one_line(header.arbiter)}" if header.arbiter else "",
        f"Black: {_person(record.person(BLACK))}",
        f"White: {_person(record.person(WHITE))}",
    ]
    if header.date:
        doubt = "" if header.synchronised else " (the clock of the controller was not synchronised)"
        lines.append(f"Date: {one_line(header.date)}{doubt}")
    words = control_words(parse_control(settings.time), "en")
    lines.append(f"Time: {words}; opening: {settings.opening}; forbidden moves: {settings.forbidden}")
    if (opening := _OPENINGS.get(record.opening or "")) is not None:
        lines.append(f"Opening: {opening.code} {opening.zh} {opening.ja} {opening.romaji}")
    if record.declared is not None:
        lines.append(f"Fifth offers declared: {record.declared}")
    if record.offers:
        kept = "" if record.kept is None else f", {NAMES[record.kept]} stayed"
        lines.append(f"Fifth offers: {_points(record.offers)}{kept}")
    lines += [f"Fifth offers before: {_points(offers.points)}" for offers in record.former_offers]
    lines += [
        f"After move {choice.after}: {'the players swapped colours' if choice.swap else 'colours kept'}"
        + ("" if choice.used_ms is None else f", used {_time(choice.used_ms)}")
        + ("" if choice.left_ms is None else f", left {_time(choice.left_ms)}")
        for choice in record.choices
    ]
    lines += [f"Result before: {_result(result)}" for result in record.former_results]
    if record.result is not None:
        lines.append(f"Result: {_result(record.result)}")
    if record.journal_head:
        lines.append(f"Journal: {one_line(record.journal_head, 64)}")
    return [line for line in lines if line]


def _person(person: Person) -> str:
    """A name, and in brackets what else is known: `Anna (5 dan, EST, 2310, 4711)`."""
    rating = "" if person.rating is None else str(person.rating)
    rest = [one_line(text) for text in (person.title, person.federation, rating, person.id)]
    known = ", ".join(filter(None, rest))
    return (one_line(person.name) or "-") + (f" ({known})" if known else "")


def _result(result: Result) -> str:
    who = "a draw" if result.black == result.white > 0 else "no winner"
    if result.winner is not None:
        who = f"{result.winner.capitalize()} wins"
    five = f" {_points(result.line)}" if result.line else ""
    return f"{result.black:g} : {result.white:g}, {who}, {result.reason}{five}"


def _moves(record: GameRecord) -> list[str]:
    return ["", "move  point   used      left", *map(_move, record.moves)] if record.moves else []


def _move(move: Move) -> str:
    number = circled(move.n) if move.colour is BLACK else str(move.n)
    point = NAMES[move.point] if move.point is not None else "not seen" if move.missing else "pass"
    return f"{number:5} {point:8}{_time(move.used_ms):>8}  {_time(move.left_ms):>8}".rstrip()


def _time(ms: int | None) -> str:
    """`4:07.3`; empty for None."""
    if ms is None:
        return ""
    minutes, rest = divmod(ms // 100, 600)
    return f"{minutes}:{rest // 10:02}.{rest % 10}"


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(NAMES[p] for p in points)


def _events(record: GameRecord) -> list[str]:
    """What happened besides the moves, in order of time."""
    lines = [(found.t_ns, _found(found)) for found in (*record.irregular, *record.forbidden)]
    for change in record.corrections:
        was, now = (NAMES[p] if p is not None else "pass" for p in (change.was, change.now))
        what = f"{was} taken off" if change.off else f"{was} -> {now}"
        lines.append((change.t_ns, f"move {change.n} corrected: {what}"))
    lines += [
        (ruling.t_ns, one_line(sentence(ruling), 200))
        for ruling in record.log
        if (sentence := _SENTENCES.get(type(ruling))) is not None
    ]
    start = record.started_ns or 0
    lines.sort(key=lambda line: line[0])
    return ["", *(f"{_time((t - start) // 1_000_000):>8}  {line}" for t, line in lines)] if lines else []


def _remarks(record: GameRecord) -> list[str]:
    """Comments of a file; a note of the arbiter's stands among what happened, at its time."""
    lines = [
        f"after move {remark.after}: {one_line(remark.text, 200)}"
        for remark in record.remarks
        if remark.t_ns is None
    ]
    return ["", *lines] if lines else []


def _found(found: Found) -> str:
    what = f"forbidden move, {found.kind}" if found.kind else f"irregular action, {found.code}"
    move = "" if found.n is None else f", move {found.n}"
    rest = "" if found.rest in (None, found.point) else f", resting on {_at(found.rest)}"
    article = f" [{found.article}]" if found.article else ""
    return f"{what} of {found.side}{_on(found.point)}{rest}{move}{article}: {found.standing}"


def _at(p: Point | None) -> str:
    return "" if p is None else NAMES[p]


def _on(p: Point | None) -> str:
    return "" if p is None else f" at {NAMES[p]}"


def _side(ruling: Any) -> str:
    return "" if ruling.side is None else f"{ruling.side}: "


_SENTENCES: Final[dict[type[AnyRuling], Callable[[Any], str]]] = {
    Arrived: lambda r: f"{r.side} is at the table",
    PressWithoutStone: lambda r: f"{r.side} pressed, stone not seen",
    Chosen: lambda r: f"{r.side} chooses: {r.branch}",
    Claimed: lambda r: f"{r.side} claims {r.code or 'something'}{_on(r.point)}",
    Upheld: lambda r: f"{r.code}{_on(r.point)} upheld" + (f": {r.remedy}" if r.remedy else ""),
    Rejected: lambda r: f"{r.code}{_on(r.point)} rejected" + (f": {r.why}" if r.why else ""),
    Waived: lambda r: f"{r.code}{_on(r.point)} accepted",
    Called: lambda r: f"{_side(r)}the arbiter is called",
    Paused: lambda r: f"clocks stopped ({r.why})",
    Resumed: lambda r: "clocks go on" + ("" if r.running is None else f", {r.running}'s runs"),
    ClockSet: lambda r: f"{r.side}'s clock {r.added_ms / 1000:+g} s to {_time(r.remaining_ms)} ({r.reason})",
    FlagFallen: lambda r: f"{r.side}'s flag has fallen",
    PeriodUsed: lambda r: f"{r.side} has {r.left} byo-yomi periods left",
    DrawOffer: lambda r: f"{r.side}: draw, {r.answer}",
    Penalised: lambda r: f"{r.side}: penalty, {r.kind} ({r.count})" + (f": {r.reason}" if r.reason else ""),
    Decided: lambda r: (
        f"decision {r.entry} of the {r.by}: {r.do}"
        + "".join(f" {word}" for word in (r.what, r.side) if word is not None)
        + (f", undoes {r.undoes}" if r.undoes else "")
        + (f": {r.reason}" if r.reason else "")
    ),
    Restarted: lambda r: f"the game begins again ({r.why})" + (", colours traded" if r.traded else ""),
    Reopened: lambda _: "the result does not stand, the game goes on",
    Told: lambda r: (
        f"{_side(r)}{'the board was off' if r.code == 'away' else r.code}{_on(r.point)}"
        + (f" to {NAMES[r.rest]}" if r.rest is not None else "")
        + (f": {r.text}" if r.text else "")
    ),
    Restored: lambda r: (
        f"the board {'was accepted as it lay' if r.accepted else 'is right again'}"
        + (f", correction carried out: {r.correction}" if r.correction else "")
    ),
    Refused: lambda r: f"{r.do} refused: {r.why}",
}
"""Ruling -> its line on the record; what stands elsewhere has none."""
