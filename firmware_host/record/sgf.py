"""SGF, the Smart Game Format: FF[4] of GM[4], gomoku and renju, on a board of 15 x 15.

Points are two letters, columns from the left and rows from the top: H8 is `hh`, A1 `ao` (`sgf_values`). `BL`
and `WL` are the seconds that a move left its player, `OB` and `OW` the byo-yomi periods; the fifth stones on
offer are labels a, b, c at the move before; what happened besides stands in comments. `RE` is what every
program knows of a result, the line `Result: ..` in `GC` all of it. `US` is the arbiter, `BT` and `WT` the
federations, `RO` the round and the table.

What is read may be FF[1] to FF[4]. Of several games each is one record; of variations the first is the game,
and a note says how many there were. Source: the specification of FF[4] at red-bean.com/sgf; layers:
`sgf_text` (characters, nodes), `sgf_values` and `sgf_settings` (properties), `sgf_read` and this module.
"""

from typing import Final

from msgspec.structs import replace

import firmware_host
from firmware_host.board import BLACK, SIZE, WHITE
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.reading import records
from firmware_host.record.sgf_comments import told
from firmware_host.record.sgf_read import games
from firmware_host.record.sgf_settings import rules_text, times_text
from firmware_host.record.sgf_values import (
    APP,
    POINT_TEXTS,
    UNSEEN,
    as_simple,
    as_text,
    escaped,
    exact_text,
    rank,
    result_text,
    round_text,
    seconds,
)
from firmware_host.record.values import Move, Remark
from firmware_host.rules import OPENINGS

__all__ = ["CANNOT", "games", "holdable", "read", "write"]

CANNOT: Final[tuple[str, ...]] = (
    "the time that a move took, instants, and who sat where",
    "swaps, N, irregular actions, forbidden moves, penalties and corrections but as words in comments",
    "claims, decisions, stops, changes of clocks, flags, draw offers, arrivals, notices and the log",
    "whose remark it is and when it was made; several at one move are one",
    "the numbers of the players in their federation, and the time of the day",
    "line breaks, tabs and the like in names",
)

WIDTH: Final = 78
_OPENINGS: Final = {opening.code: opening for opening in OPENINGS}


# What can be held


def holdable(record: GameRecord) -> GameRecord:
    """The record with only what SGF can hold; the players are those who hold the colours in the end."""
    header = record.header
    moves = tuple(
        Move(n=n, point=m.point, colour=m.colour, t_ns=0, missing=m.missing, left_ms=m.left_ms)
        for n, m in enumerate(record.moves, 1)
    )
    offered = bool(record.offers) and 0 < record.fifth <= len(moves) + 1
    return GameRecord(
        header=Header(
            id=as_simple(header.id),
            table=as_simple(header.table),
            event=as_simple(header.event),
            round=header.round,
            place=as_simple(header.place),
            arbiter=as_simple(header.arbiter),
            first=_person(record.person(BLACK)),
            second=_person(record.person(WHITE)),
            date=_day(as_simple(header.date)),
        ),
        settings=record.settings,
        moves=moves,
        opening=record.opening if record.opening in _OPENINGS else None,
        offers=tuple(dict.fromkeys(record.offers)) if offered else (),
        fifth=record.fifth if offered else 5,
        result=None if record.result is None else replace(record.result, t_ns=0),
        remarks=_remarks(record, len(moves)),
    )


def _person(person: Person) -> Person:
    return replace(
        person,
        name=as_simple(person.name),
        id="",
        federation=as_simple(person.federation),
        title=as_simple(person.title),
    )


def _day(date: str) -> str:
    """The day of a date with a time, as `DT` wants it; another text as it is."""
    day, rest = date[:10], date[10:11]
    whole = len(day) == 10 and day[4] == day[7] == "-" and day.replace("-", "").isdecimal()
    return day if whole and rest in (" ", "T") else date


def _remarks(record: GameRecord, moves: int) -> tuple[Remark, ...]:
    """One remark a move: what was remarked, and in words what else happened."""
    lines: dict[int, list[str]] = {}
    for after, text in (*((remark.after, remark.text) for remark in record.remarks), *told(record)):
        lines.setdefault(min(max(after, 0), moves), []).append(as_text(text))
    texts = ((after, "\n".join(line for line in lines[after] if line)) for after in sorted(lines))
    return tuple(Remark(after=after, text=text) for after, text in texts if text)


# Writing


def write(record: GameRecord) -> bytes:
    """The game as SGF in UTF-8. What the format cannot hold is left out (`CANNOT`)."""
    held = holdable(record)
    remarks = {remark.after: _property("C", remark.text) for remark in held.remarks}
    head = f"(;FF[4]GM[4]SZ[{SIZE}]CA[UTF-8]" + _property("AP", f"{APP}:{firmware_host.__version__}")
    lines = [head, *_info(held)]
    first = _labels(held, 0) + remarks.get(0, "")
    lines += [first] if first else []
    row = ""
    for move in held.moves:
        node = f";{_move(move)}{_periods_left(record, move.n)}{_labels(held, move.n)}"
        comment = remarks.get(move.n, "")
        if row and len(row) + len(node) > WIDTH:
            lines.append(row)
            row = ""
        row += node + comment
        if comment:
            lines.append(row)
            row = ""
    lines += [row] if row else []
    return ("\n".join(lines) + ")\n").encode()


def _property(name: str, text: str) -> str:
    return f"{name}[{escaped(text)}]" if text else ""


def _info(held: GameRecord) -> list[str]:
    """A line for each property of the game that is known."""
    header, result = held.header, held.result
    main, overtime = times_text(held.settings.time)
    opening = _OPENINGS.get(held.opening or "")
    texts = {
        "GN": header.id,
        "EV": header.event,
        "RO": round_text(header.round, header.table),
        "PC": header.place,
        "DT": header.date,
        "PB": header.first.name,
        "BR": rank(header.first),
        "BT": header.first.federation,
        "PW": header.second.name,
        "WR": rank(header.second),
        "WT": header.second.federation,
        "US": header.arbiter,
        "RU": rules_text(held.settings),
        "TM": main,
        "OT": overtime,
        "ON": "" if opening is None else f"{opening.code} {opening.zh} {opening.ja} {opening.romaji}",
        "RE": "" if result is None else result_text(result),
        "GC": "" if result is None else exact_text(result),
    }
    return [line for line in (_property(name, text) for name, text in texts.items()) if line]


def _move(move: Move) -> str:
    letter = "B" if move.colour is BLACK else "W"
    name = _property("N", UNSEEN) if move.missing else ""
    left = "" if move.left_ms is None else f"{letter}L[{seconds(move.left_ms)}]"
    return f"{letter}[{'' if move.point is None else POINT_TEXTS[move.point]}]{name}{left}"


def _periods_left(record: GameRecord, n: int) -> str:
    """The byo-yomi periods that the mover of a move still had, once main time was over."""
    move = record.moves[n - 1]
    until_ns = move.t_ns if move.pressed_ns is None else move.pressed_ns
    left = [
        flag.periods_left
        for flag in record.flags
        if flag.t_ns <= until_ns and record.doer(flag) is move.colour and flag.periods_left is not None
    ]
    return f"O{'B' if move.colour is BLACK else 'W'}[{left[-1]}]" if left and left[-1] >= 0 else ""


def _labels(held: GameRecord, n: int) -> str:
    """The fifth stones on offer, at the move before the one that they are for."""
    if not held.offers or n != held.fifth - 1:
        return ""
    return "LB" + "".join(f"[{POINT_TEXTS[p]}:{_label(n)}]" for n, p in enumerate(held.offers))


def _label(n: int) -> str:
    """A .. z, then aa, ab and so on."""
    return (_label(n // 26 - 1) if n >= 26 else "") + chr(97 + n % 26)


# Reading


def read(data: bytes) -> tuple[GameRecord, ...]:
    """The games of a collection; raises RecordError naming the line, the character or move, and why."""
    return records(games(data))
