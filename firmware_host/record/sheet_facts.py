"""What a score sheet says beside or below its diagram: labels and what stands under them.

Roomy where there is room; else label and text on one line, smaller. What still has no room is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from firmware_host.record.drawing import (
    HAIR,
    SOFT,
    Command,
    Line,
    Text,
    Weight,
    shorten,
    text_width,
    wrap,
)
from firmware_host.record.sheet_words import Fact

LABEL: Final = 2.1
NORMAL: Final = 2.8
SMALL: Final = 2.3
LEADING: Final = 1.36
"""From one base line to the next, over the size."""

APART: Final = 1.7
"""The same where another fact begins and there is little room."""

BESIDE: Final = 0.34
"""Where a text begins at the right of its label, over the width of the column."""

GAP: Final = 5.6
COLUMNS: Final = 3
MOST_PAGES: Final = 20
"""The most pages of what had no room on the sheet."""

EMPTY: Final = ("result", "opening", "offers", "time", "corrections", "irregular", "", "")


class _Placed(NamedTuple):
    """A line that a column holds: its text begins at `indent`, `down` below the line before it."""

    text: str
    size: float
    down: float
    label: str = ""
    indent: float = 0


def draw_facts(
    items: Sequence[Fact], words: Mapping[str, str], x: float, y: float, wide: float, bottom: float
) -> tuple[list[Command], bool]:
    """The facts in one column that begins at (x, y) and must not go below `bottom`; whether all had room."""
    lines, whole = list(_roomy(items, wide)), True
    if _height(lines) > bottom - y:
        tight = _tight_all(items, wide)
        lines, whole = _cut(tight, bottom - y, words)[0], _height(tight) <= bottom - y
    return list(_column(lines, x, y)), whole


def draw_band(
    items: Sequence[Fact], words: Mapping[str, str], x: float, y: float, wide: float, bottom: float
) -> tuple[list[Command], bool]:
    """The facts in columns side by side, in order; one that begins in a column ends there if it can.

    Also whether all had room.
    """
    commands: list[Command] = []
    whole = True
    gap = 6.0
    room = (wide - gap * (COLUMNS - 1)) / COLUMNS
    high = bottom - y
    waiting = [list(_tight(item, room)) for item in items]
    for i in range(COLUMNS):
        last = i == COLUMNS - 1
        lines: list[_Placed] = []
        while waiting and (last or not lines or _height([*lines, *waiting[0]]) <= high):
            lines += waiting.pop(0)
        whole = not last or _height(lines) <= high
        lines, rest = _cut(lines, high, words if last else None)
        if rest:
            waiting.insert(0, rest)
        commands += _column(lines, x + i * (room + gap), y)
    return commands, whole


def draw_more(
    items: Sequence[Fact], words: Mapping[str, str], x: float, y: float, wide: float, bottom: float
) -> Iterator[list[Command]]:
    """The facts on as many pages as they take, in two columns each; at `MOST_PAGES` the rest is counted."""
    gap = 8.0
    room = (wide - gap) / 2
    lines = _tight_all(items, room)
    for page in range(1, MOST_PAGES + 1):
        commands: list[Command] = []
        for i in range(2):
            last = page == MOST_PAGES and i == 1
            placed, lines = _cut(lines, bottom - y, words if last else None)
            commands += _column(placed, x + i * (room + gap), y)
        yield commands
        if not lines:
            return


def empty_facts(words: Mapping[str, str], x: float, y: float, wide: float) -> Iterator[Command]:
    """Labels with lines to write on."""
    for i, key in enumerate(EMPTY):
        at = y + i * 15.0
        if key:
            yield Text(x=x, y=at, text=shorten(words[f"sheet.{key}"], LABEL, wide), size=LABEL, colour=SOFT)
        yield Line(x, at + 10, x + wide, at + 10, 0.1, HAIR)


def _roomy(items: Sequence[Fact], wide: float) -> Iterator[_Placed]:
    """A label, its lines below it."""
    for item in items:
        yield _Placed("", LABEL, GAP, item.label)
        for i, line in enumerate(item.lines):
            size = item.size if i == 0 else min(item.size, NORMAL)
            for part in wrap(line, size, wide):
                yield _Placed(part, size, size * (LEADING if size <= NORMAL else 1.25))


def _tight_all(items: Sequence[Fact], wide: float) -> list[_Placed]:
    return [line for item in items for line in _tight(item, wide)]


def _tight(item: Fact, wide: float) -> Iterator[_Placed]:
    """A label, its lines at its right; below it if the label is a long one."""
    label, indent = item.label, wide * BESIDE
    if text_width(label, LABEL) > indent - 1:
        yield _Placed("", SMALL, SMALL * APART, label)
        label, indent = "", 0.0
    for line in item.lines:
        for part in wrap(line, SMALL, wide - indent):
            yield _Placed(part, SMALL, SMALL * (APART if label else LEADING), label, indent)
            label = ""


def _height(lines: Sequence[_Placed]) -> float:
    """From the first base line to the last."""
    return sum(line.down for line in lines[1:])


def _cut(
    lines: list[_Placed], high: float, words: Mapping[str, str] | None
) -> tuple[list[_Placed], list[_Placed]]:
    """The lines that fit, and the rest; with `words` there is no rest, its last line says how many."""
    used = 0.0
    for i, line in enumerate(lines):
        used += line.down if i else 0
        if used > high:
            if words is None:
                return lines[:i], lines[i:]
            more = words["sheet.more"].format(n=len(lines) - i + 1)
            return [*lines[: i - 1], lines[i - 1]._replace(text=more)], []
    return lines, []


def _column(lines: Sequence[_Placed], x: float, y: float) -> Iterator[Command]:
    """Lines one below the other, the first on `y`."""
    for i, line in enumerate(lines):
        y += line.down if i else 0
        if line.label:
            yield Text(x=x, y=y, text=line.label, size=LABEL, colour=SOFT)
        if line.text:
            weight: Weight = "bold" if line.size > NORMAL else "regular"
            yield Text(x=x + line.indent, y=y, text=line.text, size=line.size, weight=weight)
