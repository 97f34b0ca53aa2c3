"""What the public sees of a game, and when: each change of what may be shown, in its order.

Redaction is the record's: a record for the public has never taken in what is not public. This adds *when*.
A stone may still slide, or be taken up again, before its mover presses; the public sees it once one
of these has come: a press that completes it, the opponent's next stone, the end of the game, or `REST_NS` in
which the record did not change about it; until then what was shown before stays. A second stone of one side
in a row waits for the opponent's stone, however long it rests. Times used are shown from the press on, so
nobody can reckon when a stone first touched. The feed looks at nothing else: an irregular action or a
forbidden move changes neither what is published, nor when, nor how often, before it is revealed.
"""

from collections.abc import Container
from typing import Any, Final, NamedTuple

import msgspec

from firmware_host.board import BLACK, WHITE, Point
from firmware_host.clock import SECOND, Clock, Player, parse_control
from firmware_host.feed.message import Kind, kind_of
from firmware_host.feed.snapshot import ClockView, opening_of, snapshot
from firmware_host.record.game import GameRecord, Move
from firmware_host.record.header import Header
from firmware_host.referee.settings import MatchSettings

REST_NS: Final = 1 * SECOND
"""So long a stone must lie still before it is shown without a press."""


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
        opening=record.opening if opening_of(record) else None,
        offers=record.offers,
        fifth=record.fifth,
        choices=record.choices,
    )


class Publication(NamedTuple):
    """One change of what the public sees.

    `seq` counts from 1; `kind` and `ply` as in `message`; `game` is the whole snapshot, `record` the record
    as far as it is shown, `clock` the clocks that go with it, which run on by themselves.
    """

    seq: int
    game: dict[str, Any]
    kind: Kind
    ply: int | None
    record: GameRecord
    clock: ClockView


def before_the_game(header: Header, settings: MatchSettings, now_ns: int) -> Publication:
    """What there is to be shown before anything of a game may be: who plays, and the clocks full."""
    record = GameRecord.new(header, settings, "public")
    clock = ClockView.of(Clock.new(parse_control(settings.time)), Player.FIRST, now_ns)
    return Publication(0, snapshot(record, clock), "begin", None, record, clock)


class PublicFeed:
    """The publications of one table in their order; they are numbered without a gap.

    Give it the public record and the clocks after every step of the game and when `next_change_ns` has come.
    `last`: the publication that this feed goes on from; `ended`: the id of the game whose end was told last.
    """

    def __init__(self, last: Publication | None = None, ended: str | None = None) -> None:
        self.shown: GameRecord | None = last and last.record
        """The record as far as it may be shown; None before the first publication. After the end of a game
        it takes in what changes no snapshot, too: a note, a remark."""
        self.next_change_ns: int | None = None
        """When a stone will have lain long enough to be shown; None when none waits for that."""
        self._seq = last.seq if last else 0
        self._game: dict[str, Any] | None = last and last.game
        self._times: Any = last and _lasting(last.clock)
        self._ended = ended
        self._shown: dict[int, Move] = {move.n: move for move in last.record.moves} if last else {}
        self._lying: dict[int, tuple[Move, int]] = {}

    def update(
        self, record: GameRecord, clock: ClockView, in_hand: Container[Point] = ()
    ) -> Publication | None:
        """The next publication if anything but a running clock has changed by `clock.at_ns`, or None.

        `in_hand`: points of the record on which nothing lies now; a stone in a hand does not rest.
        Raises ValueError for a record that is not the public's: it could hold what the public may not know.
        """
        if record.audience != "public":
            raise ValueError(f"a feed is made of a record for the public, not of one for {record.audience!r}")
        if self._game is not None and self._game["id"] != record.header.id:
            self._shown = {}
        moves = self._visible(record, clock.at_ns, in_hand)
        self._shown = {move.n: move for move in moves}
        shown = msgspec.structs.replace(record, moves=moves)
        game, times = snapshot(shown, clock), _lasting(clock)
        changed = times != self._times or not _same(game, self._game)
        if shown.result is not None:
            self.shown = self.shown if shown == self.shown else shown
        elif changed:
            self.shown = _while_it_runs(shown)
        if not changed or self.shown is None:
            return None
        kind, ply = kind_of(self._game, game, ended=self._ended == game["id"])
        if kind == "end":
            self._ended = game["id"]
        self._seq += 1
        self._game, self._times = game, times
        return Publication(self._seq, game, kind, ply, self.shown, clock)

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


def _same(game: dict[str, Any], before: dict[str, Any] | None) -> bool:
    """Whether nothing has changed but the clocks."""
    return before is not None and game | {"clock": None} == before | {"clock": None}


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
        used_ns = side.used_ns - (clock.at_ns if colour is clock.running else 0)
        sides.append((left_ns, used_ns, side.periods_left, side.byo_yomi, side.to_make))
    return clock.running, sides
