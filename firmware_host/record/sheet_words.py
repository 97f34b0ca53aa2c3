"""What a score sheet says of a game in words, by the catalogue of its language: facts, findings, penalties.

What was irregular and what was punished is on the arbiter's copy alone: `for_arbiter` gives nothing for a
record with another audience.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from firmware_host.board import BLACK, NAMES, Colour, Point
from firmware_host.clock import control_words, parse_control
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.record.sheet_board import letter
from firmware_host.record.sheet_list import time_text
from firmware_host.record.text_format import one_line
from firmware_host.record.values import ClockChange, Correction, Found, Penalty
from firmware_host.rules import OPENINGS

Words = Mapping[str, str]

LIMIT: Final = 200
"""The most characters of a name or a reason; what has no room is cut by its width."""

_OPENINGS: Final = {opening.code: opening for opening in OPENINGS}


class Fact(NamedTuple):
    """A label and the lines under it; `size` of the first line in mm."""

    label: str
    lines: tuple[str, ...]
    size: float = 2.8


def facts(record: GameRecord, words: Words, language: str) -> list[Fact]:
    """What the sheet says beside the diagram, in order; what there is nothing of is not in it."""
    passes = ", ".join(str(move.n) for move in record.moves if move.point is None and not move.missing)
    control = control_words(parse_control(record.settings.time), language)
    found = (
        Fact("sheet.result", result_words(record, words), 4.2),
        Fact("sheet.opening", (opening_words(record, language),)),
        Fact("sheet.procedure", (procedure_words(record, words),)),
        Fact("sheet.time", (control,)),
        Fact("sheet.colours", tuple(_choices(record, words))),
        Fact("sheet.offers", tuple(_offers(record, words))),
        Fact("sheet.passes", (passes,)),
        Fact("sheet.adjourned", tuple(_adjournments(record, words))),
        Fact("sheet.corrections", tuple(_correction(change, words) for change in record.corrections)),
        Fact("sheet.irregular", tuple(for_arbiter(record, words)), 2.4),
    )
    return [
        fact._replace(label=words[fact.label], lines=lines)
        for fact in found
        if (lines := tuple(line for line in fact.lines if line))
    ]


def opening_words(record: GameRecord, language: str) -> str:
    """`D2 溪月`, in English `D2 Keigetsu 溪月`; empty without one."""
    opening = _OPENINGS.get(record.opening or "")
    if opening is None:
        return record.opening or ""
    name = {"zh": opening.zh, "ja": opening.ja}.get(language, f"{opening.romaji} {opening.zh}")
    return f"{opening.code} {name}"


def procedure_words(record: GameRecord, words: Words) -> str:
    """The opening procedure, and that there are no forbidden moves where there are none."""
    settings = record.settings
    name = words.get(f"procedure.{settings.opening}", settings.opening)
    return words["sheet.and"].join((name, words["forbidden.off"])) if settings.forbidden == "off" else name


def result_words(record: GameRecord, words: Words) -> tuple[str, str]:
    """Who has won, and why; before the end that the game is not over, and nothing."""
    result = record.result
    if result is None:
        return words["sheet.open"], ""
    if result.winner is not None:
        who = words[f"wins.{result.winner}"]
    else:
        who = words["drawn" if result.black or result.white else "nobody"]
    reason = words.get(f"reason.{result.reason}", result.reason)
    return who, f"{reason}: {_points(result.line)}" if result.line else reason


def score_words(record: GameRecord, colour: Colour) -> str:
    """`1`, `½`, `0`; empty before the end."""
    if record.result is None:
        return ""
    points = record.result.black if colour is BLACK else record.result.white
    return "½" if points == 0.5 else f"{points:g}"


def _choices(record: GameRecord, words: Words) -> Iterator[str]:
    for choice in record.choices:
        key = "sheet.swapped" if choice.swap else "sheet.kept"
        used = "" if choice.used_ms is None else f" ({time_text(choice.used_ms)})"
        yield words[key].format(n=choice.after) + used


def _offers(record: GameRecord, words: Words) -> Iterator[str]:
    if record.declared is not None:
        yield words["sheet.declared"].format(n=record.declared)
    if record.offers:
        yield ", ".join(f"{letter(i)} {NAMES[p]}" for i, p in enumerate(record.offers))
    if record.kept is not None and record.kept in record.offers:
        kept = letter(record.offers.index(record.kept))
        yield words["sheet.stayed"].format(offer=f"{kept} {NAMES[record.kept]}")


def _adjournments(record: GameRecord, words: Words) -> Iterator[str]:
    """After which move the game was broken off; for how long no clock of the game can tell."""
    if record.audience != "arbiter":
        return
    for stop in record.adjournments:
        after = words["sheet.after"].format(n=sum(move.t_ns <= stop.t_ns for move in record.moves))
        yield after if stop.until_ns is not None else words["sheet.and"].join((after, words["sheet.waiting"]))


def _correction(change: Correction, words: Words) -> str:
    was, now = (words["sheet.pass"] if p is None else NAMES[p] for p in (change.was, change.now))
    return f"{change.n}: {was} → {words['sheet.off'] if change.off else now}"


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(NAMES[p] for p in points)


def for_arbiter(record: GameRecord, words: Words) -> list[str]:
    """What was irregular or punished, clocks that were set, notes; a line each, in order of time."""
    if record.audience != "arbiter":
        return []
    lines = [(found.t_ns, _found(found, words)) for found in (*record.irregular, *record.forbidden)]
    lines += [(penalty.t_ns, _penalty(record, penalty, words)) for penalty in record.penalties]
    timed = {(penalty.t_ns, penalty.side) for penalty in record.penalties if penalty.kind == "time"}
    lines += [
        (change.t_ns, _clock(record, change, words))
        for change in record.clock_changes
        if (change.t_ns, change.side) not in timed
    ]
    lines += [(remark.t_ns or 0, one_line(remark.text, LIMIT)) for remark in record.remarks]
    return [line for _, line in sorted(lines, key=lambda line: line[0])]


def _penalty(record: GameRecord, penalty: Penalty, words: Words) -> str:
    kind = words.get(f"order.penalty.{penalty.kind}", penalty.kind)
    count = f" {penalty.count}" if penalty.kind == "violation" else ""
    time = "" if penalty.ms is None else f" {time_text(penalty.ms)}"
    reason = f": {one_line(penalty.reason, LIMIT)}" if penalty.reason else ""
    undone = f" ({words['arbiter.undone']})" if penalty.undone else ""
    return f"{words[record.doer(penalty)]}: {kind}{count}{time}{reason}{undone}"


def _clock(record: GameRecord, change: ClockChange, words: Words) -> str:
    sign = "+" if change.added_ms >= 0 else "-"
    reason = one_line(change.reason, LIMIT)
    return f"{words[record.doer(change)]}: {sign}{time_text(abs(change.added_ms))} ({reason})"


def _found(found: Found, words: Words) -> str:
    what = (
        words[f"forbidden.{found.kind}"] if found.kind else words.get(f"irregular.{found.code}", found.code)
    )
    move = "" if found.n is None else f"{found.n} "
    point = "" if found.point is None else f" {NAMES[found.point]}"
    rest = "" if found.rest in (None, found.point) else f" → {NAMES[found.rest or 0]}"
    standing = words[f"sheet.standing.{found.standing}"]
    return f"{move}{words[found.side]}: {what}{point}{rest}, {standing}"


def date_words(header: Header, words: Words) -> str:
    """The date, with a word where nobody knows that the controller's clock was right."""
    date = one_line(header.date, LIMIT)
    return date if header.synchronised or not date else f"{date} ({words['sheet.unsure']})"


def person_words(record: GameRecord, colour: Colour) -> tuple[str, str]:
    """The name of the player who holds a colour, and title, federation, rating, id."""
    person = record.person(colour)
    rating = "" if person.rating is None else str(person.rating)
    parts = (person.title, person.federation, rating, person.id)
    return one_line(person.name, LIMIT), one_line("  ·  ".join(part for part in parts if part), LIMIT)
