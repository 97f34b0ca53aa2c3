"""Characters and the segments that show them: bit 0 = a (top), clockwise b to f, bit 6 = g, bit 7 = point.

Letters that seven segments cannot draw (K M V W X Z) have the usual stand-ins.
"""

from collections.abc import Sequence
from typing import Final

DIGITS: Final = 4
POINT: Final = 0x80

SEGMENTS: Final[dict[str, int]] = {
    " ": 0x00, "-": 0x40, "_": 0x08, "=": 0x48, "'": 0x20, '"': 0x22, "?": 0x53, "°": 0x63,
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66,
    "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
    "A": 0x77, "B": 0x7C, "C": 0x39, "D": 0x5E, "E": 0x79, "F": 0x71, "G": 0x3D, "H": 0x76, "I": 0x30,
    "J": 0x1E, "K": 0x75, "L": 0x38, "M": 0x37, "N": 0x54, "O": 0x5C, "P": 0x73, "Q": 0x67, "R": 0x50,
    "S": 0x6D, "T": 0x78, "U": 0x3E, "V": 0x1C, "W": 0x2A, "X": 0x49, "Y": 0x6E, "Z": 0x5B,
    "c": 0x58, "h": 0x74, "u": 0x1C,
}  # fmt: skip
"""Source of the digits: HT16K33 four-digit backpacks; letters by common use."""

_CHARACTERS: Final = {value: character for character, value in reversed(SEGMENTS.items())}


def segments(chars: str, points: Sequence[bool] = (False,) * DIGITS) -> bytes:
    """Segments of four characters, with the points that are lit after them; raises ValueError."""
    if len(chars) != DIGITS or len(points) != DIGITS:
        raise ValueError(f"{chars!r} does not fill a face; allowed: {DIGITS} characters and {DIGITS} points")
    return bytes(_code(c) | (POINT if lit else 0) for c, lit in zip(chars, points, strict=True))


def encode(text: str) -> tuple[bytes, bool]:
    """Segments and colon of a text of up to four characters, set to the right: `14:59`, ` 9.9`, `F0:00`.

    A `.` lights the point of the character before it; one `:` before the last two characters lights the
    colon. Raises ValueError naming what cannot be shown.
    """
    codes = bytearray()
    colon = False
    for at, character in enumerate(text):
        if character == "." and codes and not codes[-1] & POINT:
            codes[-1] |= POINT
        elif character == ":" and len(text[at + 1 :].replace(".", "")) == 2 and not colon:
            colon = True
        else:
            codes.append(_code(character))
    if len(codes) > DIGITS:
        raise ValueError(
            f"{text!r} is too long for a face; allowed: {DIGITS} characters, colon and points apart"
        )
    return bytes(codes).rjust(DIGITS, b"\0"), colon


def decode(segments: bytes, colon: bool = False) -> str:
    """The text that a face shows, for a page or a test; `?` for a pattern that is no character."""
    parts = []
    for at, code in enumerate(segments):
        if colon and at == DIGITS // 2:
            parts.append(":")
        parts.append(_CHARACTERS.get(code & ~POINT, "?"))
        if code & POINT:
            parts.append(".")
    return "".join(parts)


def drawing(segments: bytes) -> str:
    """Digits as three lines of text, for a page or a terminal; points and colon are left out."""
    rows = (
        " ".join(" _ " if code & 0x01 else "   " for code in segments),
        " ".join(_row(code, 0x20, 0x40, 0x02) for code in segments),
        " ".join(_row(code, 0x10, 0x08, 0x04) for code in segments),
    )
    return "\n".join(row.rstrip() for row in rows)


def _row(code: int, left: int, middle: int, right: int) -> str:
    lit = zip((left, middle, right), "|_|", strict=True)
    return "".join(stroke if code & bit else " " for bit, stroke in lit)


def _code(character: str) -> int:
    code = SEGMENTS.get(character, SEGMENTS.get(character.upper()))
    if code is None:
        raise ValueError(f"{character!r} cannot be shown; allowed: letters, digits, blank, - _ = ' \" ? °")
    return code
