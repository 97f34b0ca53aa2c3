"""A snapshot of the whole game and its clocks, ready for JSON, for the audience of its record.

Redaction is the record's: a record for the public has never taken in what is not public.
"""

from functools import lru_cache
from typing import Any, Final

import msgspec

from firmware_host.board import BLACK, NAMES, WHITE, Colour, Point
from firmware_host.clock import LANGUAGES, MS, Clock, Player, control_words, parse_control
from firmware_host.faces import clock_text, time_text
from firmware_host.feed.arbiter import TableView, for_arbiter
from firmware_host.record.game import Found, GameRecord, Move
from firmware_host.rules import OPENINGS

OPENING_MOVES: Final[dict[str, int]] = {
    "free": 0, "swap2": 3, "designated": 5, "rif-classic": 5, "yamaguchi": 5, "soosyrv-8": 5,
    "taraguchi-10": 5, "tarannikov": 5,
}  # fmt: skip
"""Up to which move a game is in its opening, by procedure [competition rules 3.2, 3.3]."""

_OPENINGS: Final = {opening.code: opening for opening in OPENINGS}


class SideClock(msgspec.Struct, frozen=True, kw_only=True):
    """One side's time at an instant: left in the period at hand (None: no limit), or used; both in ns.

    `to_make`: the moves to be made in the period at hand, None where none are asked for.
    """

    remaining_ns: int | None
    used_ns: int
    periods_left: int | None
    byo_yomi: bool
    to_make: int | None
    text: str


class ClockView(msgspec.Struct, frozen=True, kw_only=True):
    """Both clocks at `at_ns`, by colour."""

    at_ns: int
    running: Colour | None
    shared: bool
    tenths: bool
    black: SideClock
    white: SideClock

    @classmethod
    def of(cls, clock: Clock, black: Player, now_ns: int) -> "ClockView":
        """What `clock` shows at `now_ns`, `black` being the player who holds Black."""
        now = clock.at(now_ns)
        running = None if now.running is None else BLACK if now.running is black else WHITE
        return cls(
            at_ns=now_ns,
            running=running,
            shared=clock.control.shared,
            tenths=clock.control.tenths,
            black=_side(now, black),
            white=_side(now, black.other),
        )

    def at(self, now_ns: int) -> "ClockView":
        """The same clocks when time has come to `now_ns` and nothing else has happened.

        A period that would be over by then has its last instant left: that it is over must be told first.
        """
        side = None if self.running is None else self.side(self.running)
        ran_ns = max(0, now_ns - self.at_ns)
        if side is not None and side.remaining_ns:
            ran_ns = min(ran_ns, side.remaining_ns - 1)
        if side is None or not ran_ns:
            return self
        black, white = self._later(BLACK, ran_ns), self._later(WHITE, ran_ns)
        return msgspec.structs.replace(self, at_ns=self.at_ns + ran_ns, black=black, white=white)

    def side(self, colour: Colour) -> SideClock:
        """The time of one side."""
        return self.black if colour is BLACK else self.white

    def _later(self, colour: Colour, ran_ns: int) -> SideClock:
        side, runs = self.side(colour), colour is self.running
        if not (runs or self.shared):
            return side
        used_ns = side.used_ns + (ran_ns if runs else 0)
        left_ns = None if side.remaining_ns is None else max(0, side.remaining_ns - ran_ns)
        text = time_text(left_ns, used_ns, tenths=self.tenths)
        return msgspec.structs.replace(side, remaining_ns=left_ns, used_ns=used_ns, text=text)


def _side(clock: Clock, player: Player) -> SideClock:
    now_ns = clock.as_of_ns
    return SideClock(
        remaining_ns=clock.remaining_ns(player, now_ns),
        used_ns=clock.used_ns(player, now_ns),
        periods_left=clock.periods_left(player, now_ns),
        byo_yomi=clock.in_byo_yomi(player, now_ns),
        to_make=clock.to_make(player, now_ns),
        text=clock_text(clock, player, now_ns),
    )


def snapshot(record: GameRecord, clock: ClockView, table: TableView | None = None) -> dict[str, Any]:
    """The whole game, ready for JSON, for the record's audience; for the arbiter with more keys.

    The time that a move took is given to the public once a press has completed it or the next move has come.
    A move without a point is a pass, or a stone that no sensor saw: then `missing` is true.
    """
    last = record.moves[-1] if record.moves else None
    over = record.result is not None
    done = over or (last is not None and last.pressed_ns is not None)
    waiting = record.started_ns is None
    built: dict[str, Any] = {
        "format": "renju-board-game",
        "version": 1,
        "id": record.header.id,
        "table": record.header.table,
        "event": record.header.event,
        "round": record.header.round,
        "players": {c: {"name": record.name(c), "seat": record.seat(c)} for c in Colour},
        "settings": {
            "opening": record.settings.opening,
            "time": record.settings.time,
            "time_words": _time_words(record.settings.time),
            "forbidden": record.settings.forbidden,
        },
        "phase": _phase(record, clock),
        "to_move": None if over or waiting else _to_move(record),
        "moves": [_move(record, move, done=move is not last or done) for move in record.moves],
        "offers": [NAMES[p] for p in record.on_offer],
        "offered": _offered(record),
        "opening": opening_of(record),
        "clock": clock_of(clock),
        "irregular": [_irregular(found) | {"after": _made_by(record, found)} for found in record.irregular],
        "forbidden": [_forbidden(found) for found in record.forbidden],
        "result": _result(record),
    }
    if record.audience == "arbiter":
        built |= for_arbiter(record, table or TableView())
    return built


def _phase(record: GameRecord, clock: ClockView) -> str:
    """In the order of the game; paused whenever both clocks stand, whatever the reason."""
    if record.result is not None:
        return "over"
    if record.started_ns is None:
        return "waiting"
    if clock.running is None:
        return "paused"
    early = len(record.moves) < OPENING_MOVES.get(record.settings.opening, 0)
    return "opening" if early or record.on_offer else "playing"


def _to_move(record: GameRecord) -> Colour:
    if record.on_offer:
        return WHITE
    added = len(record.moves) == 5 and any(each.branch == "add" for each in record.branches)
    if added and all(choice.after < 5 for choice in record.choices):
        return BLACK  # swap2: the choice has gone back to who set up
    return record.moves[-1].colour.other if record.moves else BLACK


def _move(record: GameRecord, move: Move, *, done: bool) -> dict[str, Any]:
    built: dict[str, Any] = {
        "n": move.n,
        "point": _name(move.point),
        "colour": move.colour,
        "used_ms": move.used_ms if done or record.audience == "arbiter" else None,
    }
    return built | {"missing": True} if move.missing else built


def _name(p: Point | None) -> str | None:
    return None if p is None else NAMES[p]


def opening_of(record: GameRecord) -> dict[str, str] | None:
    """The opening with its names, once the record's audience may know it."""
    opening = _OPENINGS.get(record.opening or "")
    answered = len(record.moves) > 3 or record.result is not None or any(c.swap for c in record.choices)
    if opening is None or len(record.moves) < 3 or (record.audience == "public" and not answered):
        return None
    return {"code": opening.code, "zh": opening.zh, "ja": opening.ja, "romaji": opening.romaji}


def _offered(record: GameRecord) -> dict[str, Any] | None:
    """The fifth stones that were offered, and the move that one of them became or will become."""
    if not record.offers:
        return None
    return {"n": record.fifth, "points": [NAMES[p] for p in record.offers]}


@lru_cache(16)
def _time_words(text: str) -> dict[str, str]:
    control = parse_control(text)
    return {language: control_words(control, language) for language in LANGUAGES}


def clock_of(view: ClockView) -> dict[str, Any]:
    """Both clocks as a snapshot has them."""
    return {
        "running": view.running,
        "shared": view.shared,
        "tenths": view.tenths,
        **{
            colour: {
                "remaining_ms": None if side.remaining_ns is None else side.remaining_ns // MS,
                "used_ms": side.used_ns // MS,
                "periods_left": side.periods_left,
                "byo_yomi": side.byo_yomi,
                "to_make": side.to_make,
                "text": side.text,
            }
            for colour, side in ((BLACK, view.black), (WHITE, view.white))
        },
    }


def _irregular(found: Found) -> dict[str, Any]:
    return {"code": found.code, "side": found.side, "point": _name(found.point), "n": found.n}


def _made_by(record: GameRecord, found: Found) -> int:
    """How many moves there were when it was found; for the public, when it became known."""
    return sum(move.t_ns <= found.t_ns for move in record.moves)


def _forbidden(found: Found) -> dict[str, Any]:
    return {"n": found.n, "point": _name(found.point), "kind": found.kind}


def _result(record: GameRecord) -> dict[str, Any] | None:
    result = record.result
    if result is None:
        return None
    return {
        "winner": result.winner,
        "black": result.black,
        "white": result.white,
        "reason": result.reason,
        "line": [NAMES[p] for p in result.line],
    }
