"""Piskvork's PSQ: a head, one line `x,y,milliseconds` a move, the names of the two players, how it ended.

What is known of the format is what its programs do:
Piskvork (`source/game.cpp` of plastovicka/Piskvork, `openPsq` and `savePsq`) heads a file with
`Piskvorky WIDTHxHEIGHT, LEVEL:LEVEL, START`; a level is 0 for a human, and START is 1 where the second player
begins. `x,y,ms` follow, 1-based, from the top left corner; the time may be missing. After the moves come the
names, `homo-1` and `homo-2` for humans, first player first, and a line with a code of how it ended.
Gomocup's judge (`server/server.py` of Gomocup/GomocupJudge) writes the levels `11:11` for everybody, `-1` for
the code, and one line more, `WINNER,EVENT`: 0 a draw, 1 or 2 the winner. It counts there by the players as
they were drawn, so after an opening with an odd number of stones, each of 0 ms, 1 is the second name.
Some programs and files count from 0. A 0 among the coordinates is proof of that, a 15 of the opposite; where
neither is there 1-based is taken. The game's notes say which it was.
"""

import re
from typing import Final

from firmware_host.board import BLACK, SIZE, WHITE, Colour, Point, col_row
from firmware_host.board import point as point_at
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord, Move, Result
from firmware_host.record.header import Header, Person
from firmware_host.record.held import LIMIT_MOVES, bare, in_turn, take
from firmware_host.record.reading import Game, Games
from firmware_host.record.text_format import one_line

CANNOT: Final[tuple[str, ...]] = (
    "a pass, a stone out of turn or one that was not seen: the game ends before it",
    "the time that is left, and instants (a time used of 0 ms reads as not known)",
    "event, round, table, date, place and arbiter",
    "of the players more than their names",
    "a name that is a number or reads as a move, and what is longer than 200 characters",
    "opening, swaps, N and fifth offers (the names are those of Black and White in the end)",
    "irregular actions, claims, penalties, corrections and remarks",
    "why the game ended, a result that is no win and no draw, and the stones of a five",
)

LIMIT_BYTES: Final = 65_536
LIMIT_NAME: Final = 200
LIMIT_MS: Final = 9_999_999_999

_HEAD: Final = re.compile(r"Piskvorky (\d{1,3})x(\d{1,3}), ?(\d{1,3}):(\d{1,3}), ?(\d)")
_MOVE: Final = re.compile(r"(-?\d{1,10})\s*,\s*(-?\d{1,10})(?:\s*,\s*(-?\d{1,10})\s*)?")
_CODE: Final = re.compile(r"-?\d+")
_ENDED: Final = re.compile(r"([012]),(.*)")
_HUMANS: Final = ("homo-1", "homo-2")
_EVENT: Final = "renju-board"
"""In the place of Gomocup's event: files with it count winners by the names."""


# Model -> text


def write(record: GameRecord) -> str:
    """The game as PSQ, lines ended by a line feed. What the format cannot hold is left out (`CANNOT`)."""
    held = holdable(record)
    lines = [f"Piskvorky {SIZE}x{SIZE}, 11:11, 0"]
    for move in held.moves:
        if move.point is not None:
            col, row = col_row(move.point)
            lines.append(f"{col + 1},{SIZE - row},{move.used_ms or 0}")
    names = (held.header.first.name, held.header.second.name)
    lines += [name or human for name, human in zip(names, _HUMANS, strict=True)]
    lines.append("-1" if held.result is not None else "0")
    if held.result is not None:
        lines.append(f"{_WINNERS.index(held.result.winner)},{_EVENT}")
    return "\n".join(lines) + "\n"


def holdable(record: GameRecord) -> GameRecord:
    """The record with only what PSQ can hold."""
    return GameRecord(
        header=Header(
            first=Person(name=_name(record.name(BLACK))), second=Person(name=_name(record.name(WHITE)))
        ),
        moves=tuple(bare(move.n, move.point, _ms(move.used_ms)) for move in in_turn(record, passes=False)),
        result=won(record.result.winner) if record.result is not None and decided(record.result) else None,
    )


_WINNERS: Final[tuple[Colour | None, ...]] = (None, BLACK, WHITE)


def won(winner: Colour | None) -> Result:
    """The result of a file that says only who won; why is then what its arbiter decided."""
    black = 0.5 if winner is None else float(winner is BLACK)
    return Result(t_ns=0, winner=winner, black=black, white=1 - black, reason="arbiter")


def decided(result: Result) -> bool:
    """Whether a result is a plain win or draw: penalties may give both a loss, or other scores."""
    plain = won(result.winner)
    return (plain.black, plain.white) == (result.black, result.white)


def _name(name: str) -> str:
    plain = one_line(name, LIMIT_NAME).strip()
    mistaken = plain in _HUMANS or _MOVE.fullmatch(plain) or _CODE.fullmatch(plain) or _ENDED.fullmatch(plain)
    return "" if mistaken else plain


def _ms(used: int | None) -> int | None:
    return used if used is not None and 0 < used <= LIMIT_MS else None


# Text -> model


def read(data: str | bytes) -> tuple[GameRecord, ...]:
    """The one game of a PSQ text. Raises RecordError naming the line (or the byte) and the reason."""
    return (_read(data).record,)


def games(data: str | bytes) -> Games:
    """The one game, or what is wrong with it; its notes say what was taken where the text leaves it open."""
    try:
        yield _read(data)
    except RecordError as error:
        yield error


def _read(data: str | bytes) -> Game:
    lines = _decoded(data).split("\n")
    start = _head(lines[0].strip())
    rows: list[tuple[int, int, int, int | None]] = []
    n = 1
    while n < len(lines) and (found := _MOVE.fullmatch(lines[n].strip())) is not None:
        if found[3] is None and n == len(lines) - 1:
            raise RecordError("the text ends in the middle of a move", line=n + 1)
        rows.append((n + 1, int(found[1]), int(found[2]), None if found[3] is None else int(found[3])))
        n += 1
        if len(rows) > LIMIT_MOVES:
            raise RecordError(f"more than {LIMIT_MOVES} moves; allowed: {SIZE * SIZE}", line=n)
    base, said = _base(rows)
    taken: set[Point] = set()
    moves: list[Move] = []
    for line, x, y, ms in rows:
        p = _point(x, y, base, line)
        take(p, taken, line, len(moves) + 1)
        moves.append(bare(len(moves) + 1, p, _ms(ms)))
    names, winner, ended = _foot(lines[n:], n + 1)
    if not ended:
        said.append("the text has no line that says how the game ended: it may have been cut off")
    if start:
        names = (names[1], names[0])
    result = None
    if winner is not None:
        number, event = winner
        if event != _EVENT and number and _odd_opening(moves):
            number = 3 - number
        result = won(_WINNERS[number])
    record = GameRecord(
        header=Header(first=Person(name=names[0]), second=Person(name=names[1])),
        moves=tuple(moves),
        result=result,
    )
    return Game(line=1, record=record, notes=tuple(said))


def _decoded(data: str | bytes) -> str:
    if len(data) > LIMIT_BYTES:
        raise RecordError(f"{len(data)} bytes are too many for one game; allowed: {LIMIT_BYTES}")
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8 at byte {error.start + 1}") from error


def _head(line: str) -> bool:
    """Whether the second player begins."""
    found = _HEAD.fullmatch(line)
    if found is None:
        raise RecordError("not a PSQ file; allowed: Piskvorky 15x15, 11:11, 0", line=1)
    if (int(found[1]), int(found[2])) != (SIZE, SIZE):
        raise RecordError(f"a board of {found[1]}x{found[2]} is not known; allowed: {SIZE}x{SIZE}", line=1)
    if found[5] not in "01":
        raise RecordError(f"{found[5]} begins; allowed: 0 (first player), 1 (second player)", line=1)
    return found[5] == "1"


def _base(rows: list[tuple[int, int, int, int | None]]) -> tuple[int, list[str]]:
    """Where coordinates count from, by the edges that occur, and what is to be said of it."""
    zero = next((line for line, x, y, _ in rows if 0 in (x, y)), None)
    last = next((line for line, x, y, _ in rows if SIZE in (x, y)), None)
    if zero is not None and last is not None:
        raise RecordError(
            f"a coordinate 0, but {SIZE} in line {last}; allowed: 0 to 14 or 1 to 15", line=zero
        )
    if zero is not None:
        return 0, [f"coordinates count from 0: line {zero} has a 0"]
    if last is not None:
        return 1, [f"coordinates count from 1: line {last} has a {SIZE}"]
    return 1, [
        "coordinates are taken to count from 1: no move lies on an edge that would tell"
    ] if rows else []


def _point(x: int, y: int, base: int, line: int) -> Point:
    col, down = x - base, y - base
    if not (0 <= col < SIZE and 0 <= down < SIZE):
        raise RecordError(
            f"{x},{y} is not on the board; allowed: {base} to {base + SIZE - 1} each", line=line
        )
    return point_at(col, SIZE - 1 - down)


def _foot(lines: list[str], first: int) -> tuple[tuple[str, str], tuple[int, str] | None, bool]:
    """The names, the winner's number with the event it is of, and whether the text says how it ended."""
    texts = [(n, line.strip()) for n, line in enumerate(lines, first) if line.strip()]
    names: list[str] = []
    while texts and len(names) < 2 and _CODE.fullmatch(texts[0][1]) is None:
        line, text = texts.pop(0)
        if _MOVE.fullmatch(text) or one_line(text, LIMIT_NAME) != text:
            raise RecordError(
                f"not a name: {text[:40]!a}; allowed: a move x,y,ms or a name of at most {LIMIT_NAME}"
                " characters",
                line=line,
            )
        names.append("" if text in _HUMANS else text)
    ended = bool(texts) and _CODE.fullmatch(texts[0][1]) is not None
    if ended and not names and len(texts) == 1 and texts[0][1] == lines[-1].strip():
        ended = texts[0][1].startswith("-")  # else it may be the beginning of a move
    winner = _ENDED.fullmatch(texts[1][1]) if ended and len(texts) > 1 else None
    return (
        (names[0] if names else "", names[1] if len(names) > 1 else ""),
        None if winner is None else (int(winner[1]), winner[2]),
        ended,
    )


def _odd_opening(moves: list[Move]) -> bool:
    """Whether the moves begin with an odd number of stones that took no time, a drawn opening's."""
    opening = next((n for n, move in enumerate(moves) if move.used_ms is not None), len(moves))
    return opening % 2 == 1
