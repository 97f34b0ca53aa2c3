"""Records that sheets are tried with, and the sheets that are kept: `python -m tests.record.sample_sheets`.

The kept ones are looked at before they are committed; a test compares.
"""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from firmware_host.board import BLACK, NAMES, WHITE, parse_moves, parse_point
from firmware_host.record.drawing import Drawing
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.sheet import Sheet, draw_sheet
from firmware_host.record.svg import to_svg
from firmware_host.referee.rulings import (
    AnyRuling,
    Audience,
    ClockSet,
    Forbidden,
    Irregular,
    Moved,
    Offered,
    OpeningSet,
    Over,
    Penalised,
    Pressed,
    Started,
    Swapped,
    Upheld,
)
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.sheets import catalogue, qr_code

FOLDER: Final = Path(__file__).parents[1] / "data" / "sheets"
P = parse_point
MS: Final = 1_000_000
HASH: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
ADDRESS: Final = "http://board-4.local:8080/"

GAME: Final = [
    NAMES[p]
    for p in parse_moves(
        "h8 h9 i10 g9 f9 g8 f7 g7 g6 g10 g11 j7 i8 h7 k7 i9 j9 f10 h5 i4 d9 e8 e10 f11 d13 c8 f8 f5 d12 d11"
        " k8 j8 k10 l11 k9 k6 k11"
    )
]
"""The first game of tests/games/two-games.txt."""

WORDS: Final = {
    "en": ("Example Open", "Player One", "Player Two", "Main hall", "The arbiter"),
    "zh": ("示例公开赛", "棋手甲", "棋手乙", "主赛场", "裁判员甲"),
    "ja": ("見本大会", "対局者一", "対局者二", "本会場", "審判一"),
}


def header(language: str) -> Header:
    event, first, second, place, arbiter = WORDS[language]
    return Header(
        id="1ee3f3b103884bc28bccc6bfc82cad7d",
        table="4",
        event=event,
        round=2,
        place=place,
        arbiter=arbiter,
        first=Person(name=first, id="1234", federation="ABC", rating=2130, title="3 dan"),
        second=Person(name=second, id="77", federation="XYZ", rating=1988),
        date="2026-05-01 14:03:07 UTC",
        synchronised=True,
    )


def points(moves: int) -> list[str]:
    """The game's moves, then every other point, row by row."""
    return [*GAME, *(name for name in NAMES if name not in GAME)][:moves]


def rulings(moves: int) -> list[AnyRuling]:
    """A game with a swap, two offers, a corrected slide, a forbidden move, a penalty, a pass at 42."""
    left = {BLACK: 900_000, WHITE: 900_000}
    t_ns = 0
    told: list[AnyRuling] = [Started(t_ns=0)]
    for n, name in enumerate(points(moves), 1):
        side = BLACK if n % 2 else WHITE
        used = 1_000 + n * 7919 % (7_000 if moves > 60 else 25_000)
        left[side] = max(1_000, left[side] - used)
        t_ns += used * MS
        point = None if n == 42 else P("G7" if n == 6 else name)
        if n == 5:
            told.append(Offered(t_ns=t_ns, points=(P("J11"), P(name))))
        told.append(Moved(t_ns=t_ns, n=n, point=point, colour=side))
        told.append(
            Pressed(t_ns=t_ns, side=side, running=side.other, n=n, used_ms=used, remaining_ms=dict(left))
        )
        told += beside(n, t_ns, left[WHITE])
    five = tuple(map(P, ("K7", "K8", "K9", "K10", "K11"))) if moves == len(GAME) else ()
    reason = "five" if five else "resignation"
    told.append(Over(t_ns=t_ns, winner=BLACK, result={BLACK: 1, WHITE: 0}, reason=reason, line=five))
    return told


def beside(n: int, t_ns: int, left_ms: int) -> list[AnyRuling]:
    """What happens after a move."""
    if n == 3:
        return [
            OpeningSet(t_ns=t_ns, name="D2", offers=2),
            Swapped(t_ns=t_ns, black_seat="far", used_ms=8_000),
        ]
    if n == 6:
        slide = Irregular(
            t_ns=t_ns, audience="arbiter", code="slide", side=WHITE, article="6.1.5", point=P("G8"),
            rest=P("G7"), n=6,
        )  # fmt: skip
        return [
            slide,
            Upheld(t_ns=t_ns, code="slide", point=P("G8"), side=WHITE),
            Moved(t_ns=t_ns, n=6, point=P("G8"), colour=WHITE, corrected_ns=t_ns),
            Penalised(t_ns=t_ns, side=WHITE, kind="violation", count=1, reason="SECRET-REASON"),
            ClockSet(t_ns=t_ns, side=WHITE, added_ms=-60_000, remaining_ms=left_ms, reason="SECRET-CLOCK"),
        ]
    if n == 7:
        return [Forbidden(t_ns=t_ns, audience="arbiter", n=7, point=P("F7"), kind="double-three")]
    return []


def record(moves: int, language: str = "en", audience: Audience = "arbiter") -> GameRecord:
    new = GameRecord.new(header(language), MatchSettings(time="15m"), audience)
    return replace(new.fold_all(rulings(moves)), journal_head=HASH)


def sheet(language: str = "en", *, ranges: bool = False, blank: bool = False) -> Sheet:
    return Sheet(
        words=catalogue(language),
        language=language,
        address="" if blank else ADDRESS,
        code=() if blank else qr_code(ADDRESS),
        version="0.1.0",
        ranges=ranges,
        blank=blank,
    )


def kept() -> dict[str, Drawing]:
    """The sheets that are kept, by name."""
    return {
        "en-9-arbiter": draw_sheet(record(9), sheet()),
        "zh-37-players": draw_sheet(record(37, "zh", "players"), sheet("zh")),
        "ja-225-two": draw_sheet(record(225, "ja"), sheet("ja", ranges=True)),
        "zh-blank": draw_sheet(GameRecord(), sheet("zh", blank=True)),
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, drawing in kept().items():
        (FOLDER / f"{name}.svg").write_text(to_svg(drawing), encoding="utf-8")
