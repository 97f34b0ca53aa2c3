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
from typing import Any, Final

import msgspec

from firmware_host.board import BLACK, WHITE, Point
from firmware_host.clock import SECOND
from firmware_host.feed.snapshot import ClockView, clock_of, opening_of, snapshot
from firmware_host.record.game import GameRecord, Move

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
        return self._id, self._published | {"clock": clock_of(clock)}

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
