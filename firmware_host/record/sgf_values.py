"""The values of SGF's properties, functions for each kind: texts, points, numbers, ranks, rounds, results.

Points are two small letters, the column from the left and the row from the top: H8 is `hh`, A1 is `ao`.
Source: SGF FF[4], "Property value types" and "Properties" of red-bean.com/sgf; `tt` as a pass is FF[3]'s.
"""

import re
from decimal import Decimal
from typing import Final, Literal

from firmware_host.board import BLACK, NAMES, POINTS, SIZE, WHITE, Colour, Point, col_row
from firmware_host.record.header import Person
from firmware_host.record.values import Result
from firmware_host.referee.rulings import Reason

APP: Final = "renju-board"
"""The name of this program in `AP`: what only it writes is only read where it stands."""

UNSEEN: Final = "stone not seen"
"""The name (`N`) of a node without a point that is no pass."""

# Texts

_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_ENDS: Final = re.compile(r"\r\n|\n\r|\r")
_BLANKS: Final = {ord(c): " " for c in "\t\v\f"}


def text_of(value: str) -> str:
    """The text that a value of kind Text means: escapes and soft line breaks taken out."""
    return _ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], value).translate(_BLANKS)


def simple_of(value: str) -> str:
    """The text that a value of kind SimpleText means: on one line."""
    return text_of(value).replace("\n", " ")


def as_text(text: str) -> str:
    """A text as the format can hold it: line feeds end lines, other white space is a space."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return _ENDS.sub("\n", whole).translate(_BLANKS)


def as_simple(text: str) -> str:
    """The same on one line."""
    return as_text(text).replace("\n", " ")


def escaped(text: str) -> str:
    """A text as it stands in a file."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


# Points

POINT_TEXTS: Final[tuple[str, ...]] = tuple(
    chr(97 + col_row(p)[0]) + chr(97 + SIZE - 1 - col_row(p)[1]) for p in range(POINTS)
)
"""Each point as two letters."""

_POINTS: Final[dict[str, Point]] = {
    **{text: p for p, text in enumerate(POINT_TEXTS)},
    **{name: p for p, name in enumerate(NAMES)},
    **{name.lower(): p for p, name in enumerate(NAMES)},
}
PASSES: Final = ("", "tt")


def point_of(value: str) -> Point | None:
    """The point of a value; None where it is none. Names such as `h8` are told from letters, and read too."""
    return _POINTS.get(value.strip())


# Numbers

_REAL: Final = re.compile(r"[+]?\d{1,9}(?:\.\d{0,9})?")
_NUMBER: Final = re.compile(r"[+-]?\d{1,9}")


def number_of(value: str) -> int | None:
    """A whole number; None where it is none."""
    return int(value) if _NUMBER.fullmatch(value.strip()) else None


def ms_of(value: str) -> int | None:
    """Milliseconds of a value in seconds; None where it is none."""
    return int(Decimal(value.strip()) * 1000) if _REAL.fullmatch(value.strip()) else None


def seconds(ms: int) -> str:
    """Milliseconds as seconds, with as many digits as it takes."""
    whole, rest = divmod(ms, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


# Ranks: a title and a rating

_RANK: Final = re.compile(r"(?:(?P<title>.*), )?(?P<rating>-|\d{1,9})", re.DOTALL)


def rank(person: Person) -> str:
    """Title and rating as one value: `5 dan, 2345`; with `-` where a title could be taken for both."""
    if person.rating is not None:
        return f"{person.title}, {person.rating}" if person.title else str(person.rating)
    return f"{person.title}, -" if _RANK.fullmatch(person.title) else person.title


def rank_of(value: str) -> tuple[str, int | None]:
    """The title and the rating of a rank."""
    found = _RANK.fullmatch(value)
    if found is None:
        return value, None
    return found["title"] or "", None if found["rating"] == "-" else int(found["rating"])


# Round and table

_ROUND: Final = re.compile(r"(?P<round>\d{1,9})?(?: ?\((?:table (?P<table>.*)|(?P<kind>.*))\))?", re.DOTALL)


def round_text(number: int | None, table: str) -> str:
    """The round, and the table where it is not the first: `3 (table 2)`, as FF[4] likes it: `xx (type)`."""
    parts = ["" if number is None else str(number), "" if table == "1" else f"(table {table})"]
    return " ".join(part for part in parts if part)


def round_of(value: str) -> tuple[int | None, str, str]:
    """Number and table of a round, and what else it says."""
    found = _ROUND.fullmatch(value)
    if found is None:
        return None, "1", value
    number = None if found["round"] is None else int(found["round"])
    return number, "1" if found["table"] is None else found["table"], found["kind"] or ""


# Results

LETTERS: Final[dict[Reason, str]] = {
    "time": "T",
    "resignation": "R",
    "absence": "F",
    "penalty": "F",
    "left": "F",
}
"""The letter after `B+` or `W+`; what the format has none for is won without one."""

_REASON_OF: Final[dict[str, Reason]] = {
    "t": "time",
    "time": "time",
    "r": "resignation",
    "resign": "resignation",
}
_WON: Final = re.compile(r"([BW])\+\s*(.*)", re.IGNORECASE | re.DOTALL)
_IN_WORDS: Final = re.compile(
    r"(黑|黒|白|black|white) ?[方番]?(中盘|中押し)?(?:胜|勝ち?|wins|won)", re.IGNORECASE
)
"""How programs of China and Japan, and old ones, say who won."""

_DRAWS: Final = ("0", "draw", "jigo", "和", "和棋", "平局", "引き分け")
_NONE: Final = ("", "?", "void")
_EXACT: Final = re.compile(
    r"Result: (black|white|none) (\d{1,9}(?:\.\d{1,17})?)-(\d{1,9}(?:\.\d{1,17})?) ([a-z-]+)(?: (.*))?"
)


def result_text(result: Result) -> str:
    """`RE`: `B+T`, `0`, `Void` where nobody won and it is no draw."""
    if result.winner is not None:
        return f"{'B' if result.winner is BLACK else 'W'}+{LETTERS.get(result.reason, '')}"
    return "0" if result.black == result.white == 0.5 else "Void"


def result_of(value: str) -> Result | Literal["unknown"] | None:
    """The result of `RE`; None where it says that there is none, `unknown` where it says something else.

    What a file does not say why is taken as decided by its arbiter.
    """
    value = value.strip()
    if value.lower() in _NONE:
        return None
    if value.lower() in _DRAWS:
        return Result(t_ns=0, winner=None, black=0.5, white=0.5, reason="agreement")
    found = _WON.fullmatch(value)
    words = _IN_WORDS.fullmatch(value)
    if found is None and words is None:
        return "unknown"
    if found is not None:
        who, how = found[1].lower(), found[2].lower()
    elif words is not None:
        who, how = "w" if words[1].lower() in ("白", "white") else "b", "r" if words[2] else ""
    winner: Colour = BLACK if who == "b" else WHITE
    return Result(
        t_ns=0,
        winner=winner,
        black=float(winner is BLACK),
        white=float(winner is WHITE),
        reason=_REASON_OF.get(how, "arbiter"),
    )


def exact_text(result: Result) -> str:
    """The whole result as a line for people and for `exact_of`: scores, reason, the stones of a five."""
    line = "".join(f" {NAMES[p]}" for p in result.line)
    scores = f"{_score(result.black)}-{_score(result.white)}"
    return f"Result: {result.winner or 'none'} {scores} {result.reason}{line}"


def _score(score: float) -> str:
    return repr(float(score)).removesuffix(".0")


def exact_of(line: str, reasons: tuple[Reason, ...]) -> Result | None:
    """The result of such a line; None where it is none."""
    found = _EXACT.fullmatch(line)
    if found is None or found[4] not in reasons:
        return None
    points = [point_of(name) for name in (found[5] or "").split(" ") if name]
    stones = tuple(p for p in points if p is not None)
    if len(stones) != len(points):
        return None
    winner = None if found[1] == "none" else Colour(found[1])
    reason: Reason = next(reason for reason in reasons if reason == found[4])
    return Result(
        t_ns=0, winner=winner, black=float(found[2]), white=float(found[3]), reason=reason, line=stones
    )
