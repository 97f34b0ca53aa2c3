"""The score sheet: one A4 page that players and arbiter sign, as a drawing.

From the top: event, players with their points, where and when; the diagram with what is to be said of the
game beside it; the list of moves; signatures; what proves it (the journal's hash, the program's version). The
audience of the record decides whose copy it is, and what it may hold.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.record.drawing import (
    HAIR,
    INK,
    PAPER,
    SOFT,
    Box,
    Circle,
    Command,
    Drawing,
    Line,
    Text,
    fit,
    shorten,
    text_width,
)
from firmware_host.record.game import GameRecord
from firmware_host.record.sheet_board import Diagram, draw_board, draw_stones, pitch_of
from firmware_host.record.sheet_facts import draw_band, draw_facts, draw_more, empty_facts
from firmware_host.record.sheet_list import Grid, draw_list, grid_of
from firmware_host.record.sheet_words import date_words, facts, person_words, score_words
from firmware_host.record.text_format import one_line

LEFT: Final = 14.0
RIGHT: Final = 196.0
WIDE: Final = RIGHT - LEFT
TOP: Final = 47.5
LIST_END: Final = 265.0
SIGNED: Final = 277.5
FOOT: Final = 288.0
SPLIT: Final = 100
"""With two diagrams the first shows the moves up to this one."""

BLANK_MOVES: Final = 60

CODE: Final = 18.5
"""The side of the QR code, in mm."""

_Part = tuple[list[Command], float, bool]
"""What is drawn, where the next part begins, and whether all facts had room."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """How a sheet is made: `words` is the catalogue of `language`.

    `address` is the page of the game and `code` its QR code, rows of `X` and `.`; `ranges`: a long game on
    two diagrams; `blank`: to be written by hand.
    """

    words: Mapping[str, str]
    language: str = "en"
    address: str = ""
    code: tuple[str, ...] = ()
    version: str = ""
    ranges: bool = False
    blank: bool = False


def draw_sheet(record: GameRecord, sheet: Sheet) -> Drawing:
    """The page of a record; whose copy it is, its audience says."""
    return _draw_first(record, sheet)[0]


def draw_pages(record: GameRecord, sheet: Sheet) -> tuple[Drawing, ...]:
    """The page of a record; where not all facts have room on it, they follow on pages of their own."""
    first, whole = _draw_first(record, sheet)
    if whole:
        return (first,)
    items = facts(record, sheet.words, sheet.language)
    frame = [*_head(record, sheet), *_players(record, sheet), *_fields(record, sheet), *_foot(record, sheet)]
    if record.audience != "public":
        frame += _signatures(sheet)
    more = draw_more(items, sheet.words, LEFT, TOP + 4.0, WIDE, LIST_END)
    return first, *(msgspec.structs.replace(first, commands=(*frame, *page)) for page in more)


def _draw_first(record: GameRecord, sheet: Sheet) -> tuple[Drawing, bool]:
    """The page, and whether all facts have room on it."""
    moves = max((move.n for move in record.moves), default=0)
    grid = grid_of(max(len(record.moves), BLANK_MOVES if sheet.blank else 0))
    two = sheet.ranges and moves > SPLIT and not sheet.blank
    commands = [*_head(record, sheet), *_players(record, sheet), *_fields(record, sheet)]
    part, low, whole = _two_diagrams(record, sheet, moves) if two else _one_diagram(record, sheet, grid)
    commands += part
    box = LEFT, low, WIDE, LIST_END - low
    commands += draw_list(record, sheet.words, box, grid, blank=sheet.blank)
    if sheet.blank or record.audience != "public":
        commands += _signatures(sheet)
    commands += _foot(record, sheet)
    title = " · ".join(part for part in (sheet.words["sheet.title"], one_line(record.header.event)) if part)
    return Drawing(commands=tuple(commands), title=title, language=sheet.language), whole


# The head


def _head(record: GameRecord, sheet: Sheet) -> Iterator[Command]:
    words = sheet.words
    copy = "" if sheet.blank else words[f"sheet.copy.{record.audience}"]
    title = words["sheet.title"]
    yield Text(x=RIGHT, y=15.4, text=title, size=4.0, anchor="end")
    yield Text(x=RIGHT, y=19.4, text=copy, size=2.4, anchor="end", colour=SOFT)
    room = WIDE - max(text_width(title, 4.0), text_width(copy, 2.4)) - 6
    event, size = fit(one_line(record.header.event, 200), 6.2, room, 3.6)
    yield Text(x=LEFT, y=18.2, text=event, size=size, weight="bold")
    if sheet.blank and not event:
        yield Text(x=LEFT, y=13.2, text=words["sheet.event"], size=2.1, colour=SOFT)
    yield Line(LEFT, 22.2, RIGHT, 22.2, 0.5)


def _players(record: GameRecord, sheet: Sheet) -> Iterator[Command]:
    half = (WIDE - 8) / 2
    for i, colour in enumerate((BLACK, WHITE)):
        yield from _player(record, sheet, colour, LEFT + i * (half + 8), half)


def _player(record: GameRecord, sheet: Sheet, colour: Colour, x: float, wide: float) -> Iterator[Command]:
    name, rest = ("", "") if sheet.blank and not record.name(colour) else person_words(record, colour)
    yield Circle(x=x + 3.4, y=29.6, r=3.1, width=0.3, fill=INK if colour is BLACK else PAPER)
    yield Text(x=x + 9.5, y=26.2, text=sheet.words[colour], size=2.1, colour=SOFT)
    room = wide - 9.5 - 14
    name, size = fit(name, 4.6, room, 3.0)
    yield Text(x=x + 9.5, y=31.2, text=name, size=size)
    yield Text(x=x + 9.5, y=34.6, text=shorten(rest, 2.3, room), size=2.3, colour=SOFT)
    points = score_words(record, colour)
    yield Text(x=x + wide - 1, y=32.6, text=points, size=8.4, anchor="end", weight="bold")
    yield Line(x, 36.2, x + wide, 36.2, 0.15, SOFT)


def _fields(record: GameRecord, sheet: Sheet) -> Iterator[Command]:
    header = record.header
    number = "" if header.round is None else str(header.round)
    table = "" if sheet.blank and not header.event else header.table
    columns = (
        ("sheet.round", number, 16.0),
        ("sheet.table", table, 20.0),
        ("sheet.place", header.place, 46.0),
        ("sheet.date", date_words(header, sheet.words), 46.0),
        ("sheet.arbiter", header.arbiter, 38.0),
    )
    x = LEFT
    for key, value, wide in columns:
        yield Text(x=x, y=39.6, text=sheet.words[key], size=2.1, colour=SOFT)
        text, size = fit(one_line(value, 200), 3.1, wide, 2.3)
        yield Text(x=x, y=43.4, text=text, size=size)
        yield Line(x, 44.8, x + wide, 44.8, 0.1, HAIR)
        x += wide + 4.0


# Diagram and facts


def _one_diagram(record: GameRecord, sheet: Sheet, grid: Grid) -> _Part:
    diagram = Diagram(x=LEFT - 0.8, y=TOP, pitch=grid.pitch)
    low = TOP + diagram.height
    x = LEFT + diagram.width + 6
    commands = [*draw_board(diagram), *draw_stones(diagram, record)]
    if sheet.blank:
        return [*commands, *empty_facts(sheet.words, x, TOP + 2.0, RIGHT - x)], low + 3.6, True
    items = facts(record, sheet.words, sheet.language)
    said, whole = draw_facts(items, sheet.words, x, TOP + 2.0, RIGHT - x, low - 0.9)
    return [*commands, *said], low + 3.6, whole


def _two_diagrams(record: GameRecord, sheet: Sheet, moves: int) -> _Part:
    gap = 7.0
    wide = (WIDE - gap) / 2 + 0.4
    commands: list[Command] = []
    low = TOP
    for i, (first, last) in enumerate(((1, SPLIT), (SPLIT + 1, moves))):
        diagram = Diagram(x=LEFT - 0.8 + i * (wide + gap), y=TOP + 3.4, pitch=pitch_of(wide))
        text = sheet.words["sheet.moves"].format(first=first, last=last)
        at = diagram.x + diagram.width
        commands.append(Text(x=at, y=TOP + 1.6, text=text, size=2.3, anchor="end", colour=SOFT))
        commands += draw_board(diagram)
        commands += draw_stones(diagram, record, first, last)
        low = diagram.y + diagram.height
    items = facts(record, sheet.words, sheet.language)
    said, whole = draw_band(items, sheet.words, LEFT, low + 4.4, WIDE, low + 24.0)
    return [*commands, *said], low + 25.4, whole


# The end


def _signatures(sheet: Sheet) -> Iterator[Command]:
    gap = 8.0
    wide = (WIDE - (CODE + gap if sheet.code else 0) - 2 * gap) / 3
    for i, who in enumerate(("black", "white", "arbiter")):
        x = LEFT + i * (wide + gap)
        yield Line(x, SIGNED, x + wide, SIGNED, 0.2)
        text = sheet.words[f"sheet.sign.{who}"]
        yield Text(x=x, y=SIGNED + 3.2, text=text, size=2.1, colour=SOFT)


def _foot(record: GameRecord, sheet: Sheet) -> Iterator[Command]:
    """What proves the sheet, at the left; the QR code of the game's page at the right.

    The hash of a running game is the arbiter's alone: it changes with what only he may know.
    """
    program = f"renju-board {sheet.version}".rstrip()
    parts = [program]
    if not sheet.blank and record.header.id:
        parts.insert(0, f"{sheet.words['sheet.game']} {record.header.id}")
    if sheet.code:
        yield from _code(sheet, RIGHT, FOOT)
        parts.append(sheet.address)
    size = 1.9
    room = WIDE - (CODE + 6 if sheet.code else 0)
    lines = ["    ".join(parts)]
    known = record.audience == "arbiter" or record.result is not None
    if not sheet.blank and record.journal_head and known:
        lines.insert(0, f"{sheet.words['sheet.hash']} {record.journal_head}")
    for i, line in enumerate(reversed(lines)):
        text, fitted = fit(line, size, room, 1.5)
        y = FOOT - 0.4 - i * 2.9
        yield Text(x=LEFT, y=y, text=text, size=fitted, family="mono", colour=SOFT)


def _code(sheet: Sheet, right: float, bottom: float) -> Iterator[Command]:
    """The QR code: each run of dark modules is a box."""
    module = CODE / len(sheet.code)
    for row, cells in enumerate(sheet.code):
        y = bottom - CODE + row * module
        for run in re.finditer("X+", cells):
            x = right - CODE + run.start() * module
            yield Box(x=x, y=y, w=len(run[0]) * module, h=module, width=0, fill=INK)
