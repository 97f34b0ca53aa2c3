"""Records of games that could have been, for the round trips of every format: `records()`.

Legal-ish: stones lie on points of their own, times do not go back, what refers to a move refers to one that
is there. Texts are not tame: Chinese and Japanese, brackets, backslashes, colons, quotes, markup, line breaks
of all systems, spaces at the ends. What no codec may be asked for (half of a surrogate pair) is left out.
"""

import typing
from typing import Any, get_args

from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_host.board import BLACK, NAMES, POINTS, WHITE, Colour, Point
from firmware_host.record.fold import LOGGED
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.values import (
    DEEDS,
    Branch,
    Choice,
    Correction,
    Found,
    Move,
    Notice,
    Offers,
    Remark,
    Restart,
    Result,
    Standing,
)
from firmware_host.referee.irregular import IRREGULAR
from firmware_host.referee.rulings import Audience, ForbiddenKind, Pressed, Reason
from firmware_host.referee.settings import CHOICES, MatchSettings
from firmware_host.rules import OPENINGS
from tests.arbitrary import arbitrary

TIMES = ("none", "15m", "1h", "5m+3s", "30m + 3x30s byo-yomi", "3x5s", "10 moves/10m then 1h", "shared 3h",
         "40 moves/2h then 1h then 3x60s", "2h without tenths", "90s + 500ms")  # fmt: skip
LONGEST = 12
"""Moves of an ordinary example; now and then there is a long one."""

NAMED = st.sampled_from(
    ["", "Anna", "王 小明", "山田 太郎", "Mägi, Ants", "O'Brien", "<b>&amp;</b>", "a]b", "back\\slash", "c:d",
     " two  spaces ", "last\\", "line\nbreak", '"quoted"', "한국", "Иванов", "王" * 60, "12", "5 d, 12", "-",
     "(;B[hh])", "# 7", "\u2028", "🂡", "A1", "Black: x"]
)  # fmt: skip


def texts(max_size: int = 30) -> st.SearchStrategy[str]:
    """Texts of one or several lines, tame and wild."""
    free = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=max_size)
    pointed = st.text(alphabet="ab 王\n\r\t[]()\\:;,<>&\"'=-.0", max_size=max_size)
    return NAMED | pointed | free


PERSONS = st.builds(
    Person,
    name=texts(),
    id=texts(8),
    federation=texts(8),
    rating=st.none() | st.integers(0, 4000),
    title=texts(8),
)

HEADERS = st.builds(
    Header,
    id=texts(8),
    table=st.just("1") | texts(8),
    event=texts(),
    round=st.none() | st.integers(1, 99),
    place=texts(),
    arbiter=texts(),
    first=PERSONS,
    second=PERSONS,
    date=st.sampled_from(["", "2026-11-30", "2026-11-30 17:45", "2026-11-30T17:45:10+08:00"]) | texts(12),
    synchronised=st.booleans(),
)


SETTINGS = st.builds(MatchSettings, time=st.sampled_from(TIMES)) | st.builds(
    MatchSettings,
    time=st.sampled_from(TIMES),
    late=st.sampled_from(["15m", "90s", "1h"]),
    offers=st.none() | st.integers(1, 221),
    **{key: st.sampled_from(values) for key, values in CHOICES.items()},  # type: ignore[arg-type]
)
"""Usual ones, and every setting that the table of settings allows."""

MILLISECONDS = st.none() | st.integers(0, 36_000_000)
TIME = st.integers(0, 10**12)


@st.composite
def move_lists(draw: st.DrawFn, most: int = LONGEST) -> tuple[Move, ...]:
    """Moves by turns, now and then two of one side; each point once; passes, and stones that nobody saw."""
    points = iter(draw(st.lists(st.integers(0, POINTS - 1), unique=True, max_size=most)))
    moves: list[Move] = []
    colour, t_ns = BLACK, 0
    for n in range(1, draw(st.integers(0, most)) + 1):
        kind = draw(st.sampled_from(["stone"] * 8 + ["pass", "missing"]))
        p = next(points, None) if kind == "stone" else None
        t_ns += draw(st.integers(0, 10**11))
        move = Move(
            n=n,
            point=p,
            colour=colour,
            t_ns=t_ns,
            missing=p is None and kind == "missing",
            used_ms=draw(MILLISECONDS),
            left_ms=draw(MILLISECONDS),
        )
        if draw(st.booleans()):
            t_ns += draw(st.integers(0, 10**9))
            move = replace(move, pressed_ns=t_ns)
        moves.append(move)
        colour = colour if draw(st.integers(0, 9)) == 0 else colour.other
    return tuple(moves)


def moves_of(*points: Point | str | None) -> tuple[Move, ...]:
    """Moves by turns without times; None is a pass."""
    return tuple(
        Move(n=n, point=NAMES.index(p) if isinstance(p, str) else p, colour=BLACK if n % 2 else WHITE, t_ns=0)
        for n, p in enumerate(points, 1)
    )


LONG_GAMES = st.builds(
    lambda step, first: moves_of(*((first + step * n) % POINTS for n in range(120))),
    st.sampled_from([1, 14, 16, 17, 112]),  # none shares a factor with 225: no point is met twice
    st.integers(0, POINTS - 1),
)
"""More than a hundred moves. (A full board is longer than what hypothesis is willing to show.)"""


def _findings(*, forbidden: bool) -> st.SearchStrategy[Found]:
    """Irregular actions, or forbidden moves."""
    point = st.none() | st.integers(0, POINTS - 1)
    return st.builds(
        Found,
        t_ns=TIME,
        code=st.just("forbidden") if forbidden else st.sampled_from(sorted(IRREGULAR)),
        side=st.just(BLACK) if forbidden else st.sampled_from(Colour),
        article=st.sampled_from(["", "6.1.5", "2.19"]),
        point=point,
        rest=st.none() if forbidden else point,
        n=st.none() | st.integers(1, LONGEST),
        kind=st.sampled_from(get_args(ForbiddenKind)) if forbidden else st.none(),
        swapped=st.booleans(),
        standing=st.sampled_from(get_args(Standing)),
        known=st.booleans(),
    )


SCORE = st.sampled_from([0.0, 0.5, 1.0])
RESULTS = st.builds(
    Result,
    t_ns=TIME,
    winner=st.none() | st.sampled_from(Colour),
    black=SCORE,
    white=SCORE,
    reason=st.sampled_from(get_args(Reason)),
    line=st.lists(st.integers(0, POINTS - 1), unique=True, max_size=6).map(tuple),
)
"""Every reason with every pair of scores, double forfeits and penalties after the end included."""


def _few(strategy: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=most).map(tuple)


POINT_OR_NONE = st.none() | st.integers(0, POINTS - 1)
CHOICES_MADE = _few(
    st.builds(
        Choice,
        t_ns=TIME,
        after=st.integers(0, LONGEST),
        swap=st.booleans(),
        used_ms=MILLISECONDS,
        left_ms=MILLISECONDS,
    )
)
CORRECTION = st.builds(
    Correction, t_ns=TIME, n=st.integers(1, 9), was=POINT_OR_NONE, now=POINT_OR_NONE, off=st.booleans()
)
DIFFERENCE = st.tuples(
    st.integers(0, POINTS - 1), st.sampled_from([BLACK, WHITE, None]), st.just("unknown") | st.none()
)
OTHER_DEEDS = {
    name: _few(arbitrary(typing.get_args(hint)[0]), 1)
    for name, hint in typing.get_type_hints(GameRecord).items()
    if name in DEEDS and name not in ("irregular", "forbidden", "notices")
} | {"notices": _few(arbitrary(Notice, points=_few(DIFFERENCE, 1)), 1)}
"""Claims, penalties, decisions and all else that happened, by the field that holds them."""

_RULINGS = {kind: arbitrary(kind) for kind in LOGGED}

REST: dict[str, st.SearchStrategy[Any]] = {
    "header": HEADERS,
    "settings": SETTINGS,
    "audience": st.sampled_from(get_args(Audience)),
    "black_seat": st.sampled_from(["near", "far"]),
    "started_ns": st.none() | TIME,
    "latest_ns": TIME,
    "opening": st.none() | st.sampled_from([opening.code for opening in OPENINGS]),
    "declared": st.none() | st.integers(1, 12),
    "ahead": _few(arbitrary(Pressed), 1),
    "former_choices": CHOICES_MADE,
    "branches": _few(arbitrary(Branch), 1),
    "former_branches": _few(arbitrary(Branch), 1),
    "former_offers": _few(arbitrary(Offers), 1),
    "irregular": _few(_findings(forbidden=False)),
    "forbidden": _few(_findings(forbidden=True)),
    **OTHER_DEEDS,
    "corrections": _few(CORRECTION),
    "restarts": _few(arbitrary(Restart), 1),
    "log": _few(st.sampled_from(LOGGED).flatmap(_RULINGS.__getitem__)),
    "differences": _few(DIFFERENCE, 1),
    "result": st.none() | RESULTS,
    "former_results": _few(RESULTS, 1),
    "journal_head": st.sampled_from(["", "0" * 64]),
}
"""The fields that do not hang on the moves."""


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """A record with everything that a record can hold."""
    lists = move_lists()
    moves = draw(st.one_of(lists, lists, lists, LONG_GAMES))
    fifth = draw(st.sampled_from([5, 5, 5, 3, 7]))
    after = st.integers(0, len(moves))
    remarks = draw(st.lists(st.builds(Remark, after=after, text=texts(40), t_ns=st.none() | TIME,
                                      side=st.none() | st.sampled_from(Colour)), max_size=3))  # fmt: skip
    rest = {name: draw(strategy) for name, strategy in REST.items()}
    return GameRecord(
        moves=moves,
        fifth=fifth,
        offers=draw(_offers(moves, fifth)),
        choices=tuple(replace(choice, after=min(choice.after, len(moves))) for choice in draw(CHOICES_MADE)),
        remarks=tuple(sorted(remarks, key=lambda remark: remark.after)),
        **rest,
    )


@st.composite
def _offers(draw: st.DrawFn, moves: tuple[Move, ...], fifth: int) -> tuple[Point, ...]:
    """Fifth stones on free points, the one that was chosen among them; often none."""
    if draw(st.booleans()):
        return ()
    earlier = {move.point for move in moves[: fifth - 1]}
    points = draw(st.lists(st.integers(0, POINTS - 1), unique=True, min_size=1, max_size=6))
    offers = [p for p in points if p not in earlier]
    chosen = moves[fifth - 1].point if len(moves) >= fifth else None
    if chosen is not None and chosen not in offers:
        offers.append(chosen)
    return tuple(offers)
