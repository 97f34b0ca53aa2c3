"""A drawing as values: lines, circles, boxes and texts on a page, all in millimetres.

The origin is the page's upper left corner, x to the right, y down. What comes later lies on top. A text
stands on its base line. Writers (`record/svg.py`, `service/pdf.py`) make the same bytes of it.
"""

import unicodedata
from typing import Final, Literal

import msgspec

Anchor = Literal["start", "middle", "end"]
Weight = Literal["regular", "bold"]
Family = Literal["sans", "mono"]

INK: Final = "#1a1a1a"
SOFT: Final = "#6b6b6b"
HAIR: Final = "#b4b4b4"
PAPER: Final = "#ffffff"

A4: Final = (210.0, 297.0)

CAPITALS: Final = 0.714
"""The height of capitals and digits over the size of a text; Source: measured in WenQuanYi Micro Hei."""


class Line(msgspec.Struct, frozen=True, tag=True):
    """A straight line, `width` mm thick."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.2
    colour: str = INK


class Circle(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A circle about (x, y) with radius `r`; `fill` empty: open. `dashed`: its line is dashed."""

    x: float
    y: float
    r: float
    width: float = 0.2
    colour: str = INK
    fill: str = ""
    dashed: bool = False


class Box(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A rectangle with its upper left corner at (x, y); `round` is the radius of its corners.

    `width` 0: without an outline; `fill` empty: open.
    """

    x: float
    y: float
    w: float
    h: float
    width: float = 0.2
    colour: str = INK
    fill: str = ""
    round: float = 0


class Text(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One line of text; `size` is the height of an em in mm, `x` where `anchor` says."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    weight: Weight = "regular"
    family: Family = "sans"
    colour: str = INK


Command = Line | Circle | Box | Text


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """A page: its size in mm, what it is (`title`, `language`), and what is drawn, in order."""

    commands: tuple[Command, ...]
    width: float = A4[0]
    height: float = A4[1]
    title: str = ""
    language: str = "en"


_WIDTHS: Final = (
    260, 269, 402, 646, 551, 825, 702, 226, 301, 301, 551, 551, 250, 322, 268, 373, 551, 551, 551, 551,
    551, 551, 551, 551, 551, 551, 268, 268, 551, 551, 551, 426, 866, 608, 621, 603, 684, 528, 491, 690,
    701, 339, 271, 579, 491, 870, 729, 742, 576, 741, 590, 519, 519, 698, 568, 884, 547, 527, 539, 303,
    373, 303, 532, 411, 577, 531, 586, 463, 586, 535, 329, 518, 589, 259, 259, 496, 259, 896, 589, 577,
    586, 586, 399, 451, 339, 589, 479, 746, 500, 489, 441, 354, 551, 354, 551,
)  # fmt: skip
"""The widths of the characters 32 to 126 in thousandths of an em; Source: measured in WenQuanYi Micro Hei."""


def text_width(text: str, size: float) -> float:
    """How wide a text is, in mm; a little too much rather than too little for scripts without a table."""
    return size * sum(map(_width, text)) / 1000


def _width(c: str) -> int:
    code = ord(c)
    if 32 <= code < 127:
        return _WIDTHS[code - 32]
    if unicodedata.category(c)[0] == "M":
        return 0
    if unicodedata.east_asian_width(c) in "WF" or not c.isalpha():
        return 1000
    return 780 if c.isupper() else 640


def shorten(text: str, size: float, room: float) -> str:
    """The text, cut with an ellipsis where it is wider than `room` mm."""
    if text_width(text, size) <= room:
        return text
    kept, used = "", size  # the ellipsis takes up to an em
    for c in text:
        used += size * _width(c) / 1000
        if used > room:
            break
        kept += c
    return f"{kept.rstrip()}…"


def fit(text: str, size: float, room: float, least: float) -> tuple[str, float]:
    """A text and its size: smaller down to `least` where there is no room, then cut."""
    wide = text_width(text, size)
    if wide > room:
        size = max(least, size * room / wide)
    return shorten(text, size + 1e-9, room + 1e-6), size


def wrap(text: str, size: float, room: float) -> list[str]:
    """The lines of a text, each within `room` mm: broken at blanks, and within what has none."""
    lines: list[str] = []
    line = ""
    for word in _words(text):
        if line and text_width(line + word.rstrip(), size) > room:
            lines.append(line.rstrip())
            line = ""
        while text_width(word.rstrip(), size) > room and len(word) > 1:
            cut = len(word) - 1
            while cut > 1 and text_width(word[:cut], size) > room:
                cut -= 1
            lines.append(word[:cut])
            word = word[cut:]
        line += word
    return [*lines, line.rstrip()] if line.strip() else lines


def _words(text: str) -> list[str]:
    """The parts of a text that stay together: words with the blank after them, single ideographs."""
    words: list[str] = []
    word = ""
    for c in text:
        wide = unicodedata.east_asian_width(c) in "WF" and c not in "，。、；：）」』！？・ー"
        if word and wide:
            words.append(word)
            word = ""
        word += c
        if c == " ":
            words.append(word)
            word = ""
    return [*words, word] if word else words
