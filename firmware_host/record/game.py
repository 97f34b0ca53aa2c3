"""The record of one game, folded from the rulings: `record = record.fold(ruling)`, one after the other.

A record is kept for an audience and takes in only what that audience may know: the public's record has never
heard of a forbidden move before it is revealed. Records read the rulings and judge nothing themselves.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec.structs import replace

from firmware_host.board import BLACK, WHITE, Colour, Point, Position
from firmware_host.record.header import Header, Person
from firmware_host.referee.inputs import Seat
from firmware_host.referee.irregular import FORBIDDEN_CODES
from firmware_host.referee.rulings import (
    AnyRuling,
    Arrived,
    Audience,
    Called,
    Chosen,
    Claimed,
    ClockSet,
    Decided,
    Differs,
    DrawOffer,
    FlagFallen,
    Forbidden,
    ForbiddenKind,
    Irregular,
    Kept,
    Lapsed,
    Moved,
    Offered,
    OpeningSet,
    Over,
    Paused,
    Penalised,
    PeriodUsed,
    Pressed,
    PressWithoutStone,
    Reason,
    Refused,
    Rejected,
    Reopened,
    Restarted,
    Restored,
    Resumed,
    Revealed,
    Started,
    Swapped,
    Told,
    Unmoved,
    Upheld,
    Waived,
)
from firmware_host.referee.rulings import Standing as StandingAgain
from firmware_host.referee.settings import MatchSettings

CIRCLES: Final[tuple[Audience, ...]] = ("public", "players", "arbiter")
"""The audiences, from the one that may know least to the one that may know all."""

Standing = Literal["open", "claimed", "upheld", "rejected", "waived", "lapsed"]

LOGGED: Final = (
    Arrived, Chosen, PressWithoutStone, Lapsed, Claimed, Upheld, Rejected, Waived, Called, Paused, Resumed,
    ClockSet, FlagFallen, PeriodUsed, DrawOffer, Differs, Restored, Told, Penalised, Decided, Restarted,
    Reopened, Refused,
)  # fmt: skip
"""What the record keeps as it was ruled; moves, findings and the result have a form of their own."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One move: `point` None is a pass, or a stone that nobody saw (`missing`).

    `t_ns` is the first contact. `pressed_ns` is the press that completed it, its mover's or a later one, and
    of a pass, which owes none, its own instant; then
    `used_ms` is the time it took and `left_ms` what its mover had left in the period at hand.
    """

    n: int
    point: Point | None
    colour: Colour
    t_ns: int
    missing: bool = False
    used_ms: int | None = None
    left_ms: int | None = None
    pressed_ns: int | None = None


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of colours after `after` moves: a swap, or none.

    Where it was a move for the clock of its own: `used_ms` is the time that it took, `left_ms` what was left.
    """

    t_ns: int
    after: int
    swap: bool
    used_ms: int | None = None
    left_ms: int | None = None


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """An irregular action or, with `kind`, a forbidden move; `known` once everybody may know of it.

    `side` did it, as the colours were then: `swapped` or not (`GameRecord.swapped`).
    """

    t_ns: int
    code: str
    side: Colour
    article: str = ""
    point: Point | None = None
    rest: Point | None = None
    n: int | None = None
    kind: ForbiddenKind | None = None
    swapped: bool = False
    standing: Standing = "open"
    known: bool = False

    @property
    def claimable(self) -> bool:
        """Whether it can still be claimed or is claimed and not yet decided."""
        return self.standing in ("open", "claimed")

    def answers_to(self, code: str | None, point: Point | None) -> bool:
        """Whether a claim or an answer with `code` at `point` (None: not named) means this one."""
        named = code in FORBIDDEN_CODES if self.kind else code == self.code
        return named and (point is None or point in (self.point, self.rest))


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wrote about the game as it stood after `after` moves: a comment of a file, a note."""

    after: int
    text: str


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """A move that had been completed was changed from `was` to `now`, or taken `off` the record.

    `t_ns` is the instant of the correction.
    """

    t_ns: int
    n: int
    was: Point | None
    now: Point | None = None
    off: bool = False


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How the game ended: one score for each side, and the stones of a five."""

    t_ns: int
    winner: Colour | None
    black: float
    white: float
    reason: Reason
    line: tuple[Point, ...] = ()


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one game that its `audience` may know. Times are on the axis of the rulings.

    `declared` is N, the number of fifth offers; `offers` are those that were made, for move number `fifth`.
    `ahead` holds presses for a move that is not told yet (the offers, until one of them is chosen).
    `former_choices` are those before the game began again. `latest_ns` is the latest instant of any ruling.
    """

    header: Header = Header()
    settings: MatchSettings = MatchSettings()
    audience: Audience = "arbiter"
    black_seat: Seat = "near"
    started_ns: int | None = None
    latest_ns: int = 0
    moves: tuple[Move, ...] = ()
    opening: str | None = None
    declared: int | None = None
    offers: tuple[Point, ...] = ()
    fifth: int = 5
    ahead: tuple[Pressed, ...] = ()
    choices: tuple[Choice, ...] = ()
    former_choices: tuple[Choice, ...] = ()
    irregular: tuple[Found, ...] = ()
    forbidden: tuple[Found, ...] = ()
    corrections: tuple[Correction, ...] = ()
    log: tuple[AnyRuling, ...] = ()
    differences: tuple[tuple[Point, Colour | None, str | None], ...] = ()
    result: Result | None = None
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def new(cls, header: Header, settings: MatchSettings, audience: Audience = "arbiter") -> "GameRecord":
        """The record of a game that has not begun."""
        seat: Seat = "far" if settings.black_sits == "far" else "near"
        return cls(header=header, settings=settings, audience=audience, black_seat=seat)

    def fold(self, ruling: AnyRuling) -> "GameRecord":
        """The record with one ruling more; the same record when the ruling is not for its audience."""
        if CIRCLES.index(ruling.audience) > CIRCLES.index(self.audience):
            return self
        kind = type(ruling)
        log = (*self.log, ruling) if kind in LOGGED else self.log
        record = replace(self, log=log, latest_ns=max(self.latest_ns, ruling.t_ns))
        step = _FOLD.get(kind)
        return record if step is None else step(record, ruling)

    def fold_all(self, rulings: Iterable[AnyRuling]) -> "GameRecord":
        """The record with all these rulings, in order."""
        record = self
        for ruling in rulings:
            record = record.fold(ruling)
        return record

    def move(self, n: int) -> Move | None:
        """Move `n`, from 1; None when there is none."""
        return next((move for move in self.moves if move.n == n), None)

    @property
    def swapped(self) -> bool:
        """Whether the players hold the other colours than at the start."""
        return sum(choice.swap for choice in self.choices) % 2 == 1

    def person(self, colour: Colour) -> Person:
        """The player who holds `colour` now."""
        return self.header.first if (colour is BLACK) != self.swapped else self.header.second

    def name(self, colour: Colour) -> str:
        """The name of the player who holds `colour` now."""
        return self.person(colour).name

    def doer(self, found: Found) -> Colour:
        """The colour that the player who did what was found holds now."""
        return found.side if found.swapped is self.swapped else found.side.other

    def seat(self, colour: Colour) -> Seat:
        """Where the player who holds `colour` sits now."""
        if colour is BLACK:
            return self.black_seat
        return "far" if self.black_seat == "near" else "near"

    @property
    def on_offer(self) -> tuple[Point, ...]:
        """The fifth stones on offer, as long as none of them is chosen."""
        return self.offers if self.move(self.fifth) is None else ()

    @property
    def kept(self) -> Point | None:
        """The fifth stone that was chosen among the offers."""
        fifth = self.move(self.fifth)
        return fifth.point if fifth is not None and self.offers else None

    @property
    def position(self) -> Position:
        """The stones of the moves, without those on offer."""
        return Position.from_stones({m.point: m.colour for m in self.moves if m.point is not None})


def _started(record: GameRecord, ruling: Started) -> GameRecord:
    return replace(record, started_ns=ruling.t_ns)


def _moved(record: GameRecord, ruling: Moved) -> GameRecord:
    old = record.move(ruling.n)
    move = Move(
        n=ruling.n,
        point=ruling.point,
        colour=ruling.colour,
        t_ns=ruling.t_ns,
        missing=ruling.missing,
        used_ms=ruling.used_ms,
    )
    if ruling.point is None and not ruling.missing:
        move = replace(move, left_ms=ruling.left_ms, pressed_ns=ruling.t_ns)
    corrections = record.corrections
    if old is not None and old.pressed_ns is not None:
        move = replace(move, used_ms=old.used_ms, left_ms=old.left_ms, pressed_ns=old.pressed_ns)
        if old.point != ruling.point:
            at_ns = record.latest_ns if ruling.corrected_ns is None else ruling.corrected_ns
            changed = Correction(t_ns=at_ns, n=ruling.n, was=old.point, now=ruling.point)
            corrections = (*corrections, changed)
    for press in record.ahead:
        if press.n == ruling.n:
            move = _completed(move, press)
    return replace(
        record,
        moves=_in_order([move, *(m for m in record.moves if m.n != move.n)]),
        ahead=tuple(press for press in record.ahead if press.n != ruling.n),
        corrections=corrections,
    )


def _in_order(moves: Iterable[Move]) -> tuple[Move, ...]:
    return tuple(sorted(moves, key=lambda move: move.n))


def _completed(move: Move, press: Pressed) -> Move:
    """The move after the press that was for it."""
    left_ms = (press.remaining_ms or {}).get(move.colour)
    return replace(move, pressed_ns=press.t_ns, used_ms=press.used_ms, left_ms=left_ms)


def _pressed(record: GameRecord, ruling: Pressed) -> GameRecord:
    n = ruling.n
    if n is None:
        return record
    last, before = record.move(n), record.move(n - 1)
    laid_for = last is not None and last.colour is not ruling.side and before is not None
    counted = n - 1 if laid_for else n  # swap2: a side lays a stone of its own and one of the other's
    first = _first_of_turn(record, counted)
    moves = [
        _completed(move, ruling)
        if move.n == first
        else replace(move, pressed_ns=ruling.t_ns, used_ms=0)
        if first < move.n <= counted
        else replace(move, pressed_ns=ruling.t_ns)
        if move.n <= n and move.pressed_ns is None
        else move
        for move in record.moves
    ]
    ahead = record.ahead if record.move(n) else (*record.ahead, ruling)
    return replace(record, moves=tuple(moves), ahead=ahead)


def _first_of_turn(record: GameRecord, n: int) -> int:
    """The first of the stones of one side in a row that end with move `n` and are pressed for together.

    The turn's time is that of the first one: nobody can tell by it whether more stones followed.
    """
    last, before = record.move(n), record.move(n - 1)
    while (
        last is not None and before is not None and before.colour is last.colour and before.pressed_ns is None
    ):
        last, before = before, record.move(before.n - 1)
    return n if last is None else last.n


def _unmoved(record: GameRecord, ruling: Unmoved) -> GameRecord:
    off = [
        Correction(t_ns=record.latest_ns, n=move.n, was=move.point, off=True)
        for move in record.moves
        if move.n >= ruling.n and move.pressed_ns is not None
    ]
    return replace(
        record,
        moves=tuple(move for move in record.moves if move.n < ruling.n),
        ahead=tuple(press for press in record.ahead if press.n is not None and press.n < ruling.n),
        corrections=(*record.corrections, *off),
        choices=tuple(choice for choice in record.choices if choice.after < ruling.n),
        black_seat=ruling.black_seat or record.black_seat,
        opening=record.opening if ruling.n > 3 else None,
        offers=record.offers if ruling.n >= record.fifth else (),
    )


def _opening(record: GameRecord, ruling: OpeningSet) -> GameRecord:
    declared = record.declared if ruling.offers is None else ruling.offers
    return replace(record, opening=ruling.name, declared=declared)


def _offered(record: GameRecord, ruling: Offered) -> GameRecord:
    return replace(record, offers=ruling.points, fifth=ruling.n)


def _swapped(record: GameRecord, ruling: Swapped) -> GameRecord:
    choice = _choice(record, ruling, swap=True)
    return replace(record, black_seat=ruling.black_seat, choices=(*record.choices, choice))


def _kept(record: GameRecord, ruling: Kept) -> GameRecord:
    return replace(record, choices=(*record.choices, _choice(record, ruling, swap=False)))


def _choice(record: GameRecord, ruling: Swapped | Kept, *, swap: bool) -> Choice:
    after, used_ms, left_ms = len(record.moves), ruling.used_ms, ruling.left_ms
    return Choice(t_ns=ruling.t_ns, after=after, swap=swap, used_ms=used_ms, left_ms=left_ms)


def _irregular(record: GameRecord, ruling: Irregular) -> GameRecord:
    found = Found(
        t_ns=ruling.t_ns,
        code=ruling.code,
        side=ruling.side,
        article=ruling.article,
        point=ruling.point,
        rest=ruling.rest,
        n=ruling.n,
        swapped=record.swapped,
        known=ruling.audience == "public",
    )
    fact = (found.t_ns, found.code, found.side, found.point)
    for old in record.irregular:
        if (old.t_ns, old.code, old.side, old.point) == fact and old.rest != found.rest:
            return _with(record, old, replace(old, rest=found.rest))
    return replace(record, irregular=(*record.irregular, found))


def _forbidden(record: GameRecord, ruling: Forbidden) -> GameRecord:
    found = Found(
        t_ns=ruling.t_ns,
        code="forbidden",
        side=BLACK,
        point=ruling.point,
        n=ruling.n,
        kind=ruling.kind,
        swapped=record.swapped,
        known=ruling.audience == "public",
    )
    return replace(record, forbidden=(*record.forbidden, found))


def _revealed(record: GameRecord, ruling: Revealed) -> GameRecord:
    """What the record knows already becomes known to all; what it did not know is new to it."""
    findings = record.forbidden if ruling.kind else record.irregular
    fact = (ruling.code, ruling.side, ruling.kind, ruling.point)
    for found in findings:
        if not found.known and (found.code, found.side, found.kind, found.point) == fact:
            return _with(record, found, replace(found, known=True, rest=ruling.rest))
    found = Found(
        t_ns=ruling.t_ns,
        code=ruling.code,
        side=ruling.side,
        article=ruling.article,
        point=ruling.point,
        rest=ruling.rest,
        n=ruling.n,
        kind=ruling.kind,
        swapped=record.swapped,
        standing=_REVEALED.get(ruling.why, "open"),
        known=True,
    )
    if ruling.kind:
        return replace(record, forbidden=(*record.forbidden, found))
    return replace(record, irregular=(*record.irregular, found))


def _with(record: GameRecord, old: Found, new: Found) -> GameRecord:
    """The record with one finding replaced."""
    if new.kind:
        return replace(record, forbidden=tuple(new if f is old else f for f in record.forbidden))
    return replace(record, irregular=tuple(new if f is old else f for f in record.irregular))


def _answered(record: GameRecord, ruling: Claimed | Upheld | Rejected | Waived | Lapsed) -> GameRecord:
    """A claim or an answer to it changes the standing of the last finding that it means, if there is one."""
    side = ruling.side
    if isinstance(ruling, Rejected) and side is None:
        return record  # what was claimed had not been found
    of_one = side is not None and isinstance(ruling, Upheld | Waived | Lapsed)
    for found in reversed((*record.irregular, *record.forbidden)):
        fits_side = record.doer(found).other if isinstance(ruling, Claimed) else found.side
        fits = side in (None, fits_side) and found.answers_to(ruling.code, ruling.point)
        if fits and found.claimable and (found.point == ruling.point or not of_one):
            return _with(record, found, replace(found, standing=_ANSWERS[type(ruling)]))
    return record


def _standing(record: GameRecord, ruling: StandingAgain) -> GameRecord:
    """A decision about a finding was undone; the last one that the facts fit stands as before."""
    findings = record.forbidden if ruling.kind else record.irregular
    fact = (ruling.code, ruling.side, ruling.kind, ruling.point)
    standing = _STANDINGS[ruling.standing]
    for found in reversed(findings):
        if (found.code, found.side, found.kind, found.point) == fact and found.standing != standing:
            return _with(record, found, replace(found, standing=standing))
    return record


def _restarted(record: GameRecord, ruling: Restarted) -> GameRecord:
    """Nothing is left of the moves but the corrections that took them off; what was found stays found.

    Where a restart is undone, the choices before it stand again; its moves are told again.
    """
    header = record.header
    if ruling.traded:
        header = replace(header, first=header.second, second=header.first)
    return replace(
        record,
        header=header,
        black_seat=ruling.black_seat,
        moves=(),
        opening=None,
        declared=None,
        offers=(),
        ahead=(),
        choices=record.former_choices if ruling.why == "undone" else (),
        former_choices=record.choices,
    )


def _reopened(record: GameRecord, _: Reopened) -> GameRecord:
    return replace(record, result=None)


def _differs(record: GameRecord, ruling: Differs) -> GameRecord:
    return replace(record, differences=ruling.points)


def _restored(record: GameRecord, _: Restored) -> GameRecord:
    return replace(record, differences=())


def _over(record: GameRecord, ruling: Over) -> GameRecord:
    result = Result(
        t_ns=ruling.t_ns,
        winner=ruling.winner,
        black=ruling.result.get(BLACK, 0),
        white=ruling.result.get(WHITE, 0),
        reason=ruling.reason,
        line=ruling.line,
    )
    return replace(record, result=result)


_STANDINGS: Final[dict[str, Standing]] = {word: word for word in get_args(Standing)} | {"gone": "lapsed"}

_REVEALED: Final[dict[str, Standing]] = {"claimed": "claimed", "waived": "waived", "lapsed": "lapsed"}

_ANSWERS: Final[dict[type, Standing]] = {
    Claimed: "claimed",
    Upheld: "upheld",
    Rejected: "rejected",
    Waived: "waived",
    Lapsed: "lapsed",
}

_FOLD: Final[dict[type, Callable[[GameRecord, Any], GameRecord]]] = {
    Started: _started,
    Moved: _moved,
    Unmoved: _unmoved,
    Pressed: _pressed,
    OpeningSet: _opening,
    Offered: _offered,
    Swapped: _swapped,
    Kept: _kept,
    Irregular: _irregular,
    Forbidden: _forbidden,
    Revealed: _revealed,
    Claimed: _answered,
    Upheld: _answered,
    Rejected: _answered,
    Waived: _answered,
    Lapsed: _answered,
    Differs: _differs,
    Restored: _restored,
    StandingAgain: _standing,
    Restarted: _restarted,
    Reopened: _reopened,
    Over: _over,
}
