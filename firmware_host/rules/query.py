"""One position a line in, its forbidden points as JSON out: the text side of `renju-board forbidden`."""

import json

from firmware_host.board import NAMES, Position, parse_moves
from firmware_host.errors import IllegalMove, NotationError
from firmware_host.rules.forbidden import forbidden_points


def forbidden_line(text: str) -> str:
    """The answer for one line, `{"forbidden": {"H8": "double-three"}}`, points in order A1, B1 .. O15.

    `text` is a position, 225 characters `.XO` in that order, or a move list such as `h8 i9 j10`, Black first
    and alternately; an empty one is the empty board. Raises NotationError for anything else.
    """
    return json.dumps({"forbidden": {NAMES[p]: kind for p, kind in forbidden_points(_read(text)).items()}})


def _read(text: str) -> Position:
    text = text.strip()
    if text and ("." in text or set(text) <= {"X", "O"}):
        return Position.from_text(text)
    try:
        return Position.from_moves(parse_moves(text))
    except IllegalMove as wrong:
        raise NotationError(str(wrong)) from None
