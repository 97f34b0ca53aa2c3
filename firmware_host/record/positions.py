"""Position strings, `h8i9j10`, one game a line, and the diagram of a position as text, both ways.

A position string has the stones in their order, Black first and alternately; upper or lower case, spaces,
tabs and commas between them as anybody likes, `pass` for a pass, `-` for a game without a move. A diagram,
as `Position.diagram` draws it, has the stones without their order.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from firmware_host.board import LETTERS, NAMES, SIZE, Colour, Point, Position
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord
from firmware_host.record.held import colour_of, in_turn
from firmware_host.record.reading import Game, Games, placed, records, short

CANNOT: Final[tuple[str, ...]] = (
    "anything but the moves, Black first and alternately",
    "a stone out of turn, or one that was not seen: the game ends before it",
)

CANNOT_DIAGRAM: Final[tuple[str, ...]] = ("anything but where the stones lie: no order, no passes",)

MAX_TURNS: Final = 1000
"""More than any game can have: 225 stones, and no two passes in a row."""

_TOKEN: Final = re.compile(r"[A-Za-z]\d+|[^\s,]+?(?=[A-Za-z]\d|[\s,]|$)")
_POINTS: Final[Mapping[str, Point]] = {
    **{name: p for p, name in enumerate(NAMES)},
    **{name.lower(): p for p, name in enumerate(NAMES)},
}


def point_of(name: str) -> Point | None:
    """The point of a name in upper or lower case; None where it is none."""
    return _POINTS.get(name)


# Position strings


def write(record: GameRecord) -> str:
    """The moves as one line: `h8i9j10`, with spaces where there is a pass among them."""
    names = ["pass" if move.point is None else NAMES[move.point].lower() for move in holdable(record).moves]
    return (" " if "pass" in names else "").join(names or ["-"]) + "\n"


def holdable(record: GameRecord) -> GameRecord:
    """The record with its moves alone, up to the first that is out of turn or was not seen."""
    moves = in_turn(record, passes=True)
    return GameRecord(moves=placed((move.colour, move.point) for move in moves))


def read(data: str) -> tuple[GameRecord, ...]:
    """The games of a text, one a line; raises RecordError naming the line and the move."""
    return records(games(data))


def games(data: str) -> Games:
    """The games of a text, one a line; empty lines are none."""
    for number, line in enumerate(data.split("\n"), 1):
        if not line or line.isspace():
            continue
        try:
            yield Game(line=number, record=GameRecord(moves=placed(_turns(line))))
        except RecordError as error:
            yield RecordError(error.reason, line=number, move=error.move)


def _turns(line: str) -> Iterator[tuple[Colour, Point | None]]:
    if line.strip() == "-":
        return
    for n, found in enumerate(_TOKEN.finditer(line), 1):
        token = found[0]
        p = _POINTS.get(token)
        if p is None and token.lower() != "pass":
            raise RecordError(f"{short(token)} is not a point; allowed: A1 to O15, pass", move=n)
        if n > MAX_TURNS:
            raise RecordError(f"more than {MAX_TURNS} moves are no game", move=n)
        yield colour_of(n), p


# Diagrams


def write_diagram(record: GameRecord) -> str:
    """The stones of a game as a diagram, row 15 on top."""
    return record.position.diagram() + "\n"


_ROW: Final = re.compile(r"\s*(\d{1,2})\s+([.XO](?: ?[.XO]){14})\s*")


def read_diagram(data: str) -> Position:
    """The position of a diagram: fifteen rows from 15 down to 1, then the letters; raises RecordError.

    Empty lines around it do not count, and there may be a space between the points or none.
    """
    lines = [(n, line) for n, line in enumerate(data.split("\n", 100)[:100], 1) if line.strip()]
    if not lines:
        raise RecordError("no diagram; allowed: fifteen rows, from 15 down to 1, and the letters A to O")
    rows: list[str] = []
    for number, line in lines[:SIZE]:
        found, n = _ROW.fullmatch(line[:200]), SIZE - len(rows)
        if found is None or int(found[1]) != n:
            what = f"{short(line.strip())} is not row {n} of a diagram"
            raise RecordError(f"{what}; allowed: {n} and 15 of . X O", line=number)
        rows.append(found[2].replace(" ", ""))
    if len(rows) < SIZE:
        raise RecordError(f"the diagram ends after row {SIZE + 1 - len(rows)}; allowed: rows 15 to 1")
    for number, line in lines[SIZE:]:
        if line.split() not in (list(LETTERS), [LETTERS]):
            what = f"{short(line.strip())} after the diagram"
            raise RecordError(f"{what}; allowed: the letters A to O", line=number)
    return Position.from_text("".join(reversed(rows)))
