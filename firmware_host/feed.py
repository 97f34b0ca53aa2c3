"""What is shown of a game, to whom and when: snapshots of the whole game, and the public feed of them.

Redaction is the record's: a record for the public has never taken in what is not public. The feed adds
*when*. A stone may still slide, or be taken up again, before its mover presses; the public sees it once one
of these has come: a press that completes it, the opponent's next stone, the end of the game, or `REST_NS` in
which the record did not change about it; until then what was shown before stays. A second stone of one side
in a row waits for the opponent's stone, however long it rests. Times used are shown from the press on, so
nobody can reckon when a stone first touched. The feed looks at nothing else: an irregular action or a
forbidden move changes neither what is published, nor when, nor how often, before it is revealed.
"""

from collections.abc import Container
from functools import lru_cache
from typing import Any, Final

import msgspec

from firmware_host.board import BLACK, NAMES, WHITE, Colour, Point
from firmware_host.clock import LANGUAGES, MS, SECOND, Clock, Player, control_words, parse_control
from firmware_host.faces import clock_text
from firmware_host.record.game import Found, GameRecord, Move
from firmware_host.referee.irregular import claimable_until, remedy_of, row_of
from firmware_host.rules import OPENINGS
from firmware_host.wire import to_wire

REST_NS: Final = 1 * SECOND
"""So long a stone must lie still before it is shown without a press."""

TOLD_LIMIT: Final = 50
"""How many of the latest messages to the arbiter are in a snapshot."""

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


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """What only the arbiter sees of the table: `sensed` is 225 of `.XO?`, `faults` are texts (`stuck H8`)."""

    sensed: str = ""
    masked: frozenset[Point] = frozenset()
    faults: tuple[str, ...] = ()


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
        "opening": _opening(record),
        "clock": _clock(clock),
        "irregular": [_irregular(found) for found in record.irregular],
        "forbidden": [_forbidden(found) for found in record.forbidden],
        "result": _result(record),
    }
    if record.audience == "arbiter":
        built |= _for_arbiter(record, table or TableView())
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


def _opening(record: GameRecord) -> dict[str, str] | None:
    opening = _OPENINGS.get(record.opening or "")
    answered = len(record.moves) > 3 or record.result is not None or any(c.swap for c in record.choices)
    if opening is None or len(record.moves) < 3 or (record.audience == "public" and not answered):
        return None
    return {"code": opening.code, "zh": opening.zh, "ja": opening.ja, "romaji": opening.romaji}


@lru_cache(16)
def _time_words(text: str) -> dict[str, str]:
    control = parse_control(text)
    return {language: control_words(control, language) for language in LANGUAGES}


def _clock(view: ClockView) -> dict[str, Any]:
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


def _for_arbiter(record: GameRecord, table: TableView) -> dict[str, Any]:
    findings = (*record.irregular, *record.forbidden)
    return {
        "declared": record.declared,
        "claimable": [
            _irregular(found)
            | {
                "kind": found.kind,
                "rest": _name(found.rest),
                "article": row_of(found.code, found.kind).article,
                "remedy": remedy_of(record.settings, found.code, found.kind),
                "by": record.doer(found).other,
                "until": claimable_until(record.settings, found.code, found.kind),
            }
            for found in findings
            if found.claimable
        ],
        "decisions": [
            {
                "entry": told.entry,
                "do": told.do,
                "by": told.by,
                "side": told.side,
                "what": told.what,
                "reason": told.reason,
                "undoes": told.undoes,
            }
            for told in record.decisions
        ],
        "differences": [
            {"point": NAMES[p], "record": held, "seen": seen} for p, held, seen in record.differences
        ],
        "faults": list(table.faults),
        "masked": [NAMES[p] for p in sorted(table.masked)],
        "told": [to_wire(ruling) for ruling in record.log[-TOLD_LIMIT:]],
        "sensed": table.sensed,
    }


def _while_it_runs(record: GameRecord) -> GameRecord:
    """Of a record only what a snapshot shows of it, for a game that is not over."""
    last = record.moves[-1] if record.moves else None
    moves = record.moves
    if last is not None and last.pressed_ns is None:
        moves = (*moves[:-1], msgspec.structs.replace(last, used_ms=None, left_ms=None))
    return msgspec.structs.replace(
        GameRecord.new(record.header, record.settings, record.audience),
        black_seat=record.black_seat,
        started_ns=record.started_ns,
        moves=moves,
        opening=record.opening if _opening(record) else None,
        offers=record.offers,
        fifth=record.fifth,
        choices=record.choices,
    )


class PublicFeed:
    """The public snapshots of one game in their order; ids count up without a gap.

    Give it the public record and the clocks after every step of the game and when `next_change_ns` has come.
    `last_id` is the last id of a feed that this one goes on from.
    """

    def __init__(self, last_id: int = 0) -> None:
        self.shown: GameRecord | None = None
        """The record as far as it has been shown; None before the first publication."""
        self.next_change_ns: int | None = None
        """When a stone will have lain long enough to be shown; None when none waits for that."""
        self._id = last_id
        self._content: Any = None
        self._published: dict[str, Any] = {}
        self._shown: dict[int, Move] = {}
        self._lying: dict[int, tuple[Move, int]] = {}

    def update(
        self, record: GameRecord, clock: ClockView, in_hand: Container[Point] = ()
    ) -> tuple[int, dict[str, Any]] | None:
        """The next publication if anything but a running clock has changed by `clock.at_ns`, or None.

        `in_hand`: points of the record on which nothing lies now; a stone in a hand does not rest.
        Raises ValueError for a record that is not the public's: it could hold what the public may not know.
        """
        if record.audience != "public":
            raise ValueError(f"a feed is made of a record for the public, not of one for {record.audience!r}")
        moves = self._visible(record, clock.at_ns, in_hand)
        self._shown = {move.n: move for move in moves}
        shown = msgspec.structs.replace(record, moves=moves)
        built = snapshot(shown, clock)
        content = built | {"clock": _lasting(clock)}
        if content == self._content:
            return None
        self._id += 1
        self._content = content
        self._published = built
        self.shown = shown if shown.result is not None else _while_it_runs(shown)
        return self._id, built

    def current(self, clock: ClockView) -> tuple[int, dict[str, Any]]:
        """The last publication with the clocks as they are now; before the first id 0, the clocks alone."""
        return self._id, self._published | {"clock": _clock(clock)}

    def _visible(self, record: GameRecord, now_ns: int, in_hand: Container[Point]) -> tuple[Move, ...]:
        """The moves that the public may see, up to the first that is new and held back."""
        self._lying = {
            move.n: (move, now_ns if move.point in in_hand else self._since(move, now_ns))
            for move in record.moves
        }
        self.next_change_ns = None
        last = {move.colour: i for i, move in enumerate(record.moves)}
        visible: list[Move] = []
        for i, move in enumerate(record.moves):
            answered = last.get(move.colour.other, -1) > i
            if answered or not self._held(record, i, now_ns):
                visible.append(move)
                continue
            before = self._shown.get(move.n)
            if before is None or before.colour is not move.colour:
                break
            visible.append(before)
        return tuple(visible)

    def _held(self, record: GameRecord, i: int, now_ns: int) -> bool:
        """Whether the unanswered move at `i` must wait; if for its rest, `next_change_ns` says until when."""
        move = record.moves[i]
        if record.result is not None or move.point is None:
            return False
        if _second_in_a_row(record, i):
            return True
        rested_ns = self._lying[move.n][1] + REST_NS
        if move.pressed_ns is not None or now_ns >= rested_ns:
            return False
        self.next_change_ns = min(rested_ns, self.next_change_ns or rested_ns)
        return True

    def _since(self, move: Move, now_ns: int) -> int:
        """Since when the feed has known this stone to lie where it lies."""
        known, since_ns = self._lying.get(move.n, (None, now_ns))
        same = known is not None and (known.point, known.colour) == (move.point, move.colour)
        return since_ns if same else now_ns


def _second_in_a_row(record: GameRecord, i: int) -> bool:
    """Whether this move and the one before it are stones of one side, and that is not known to all."""
    move = record.moves[i]
    before = record.moves[i - 1] if i else None
    if before is None or before.colour is not move.colour or before.n != move.n - 1:
        return False
    known = any(found.code == "double-move" and found.point == move.point for found in record.irregular)
    return not known


def _lasting(clock: ClockView) -> Any:
    """The clocks as something that stays equal while they merely run: the end of the running side's time."""
    sides = []
    for colour, side in ((BLACK, clock.black), (WHITE, clock.white)):
        left_ns = -side.used_ns if side.remaining_ns is None else side.remaining_ns
        if (colour is clock.running or (clock.shared and clock.running)) and side.remaining_ns != 0:
            left_ns += clock.at_ns
        sides.append((left_ns, side.periods_left, side.byo_yomi, side.to_make))
    return clock.running, sides
