"""What the referee concluded. Every ruling says who may know it.

`t_ns` is the time of the thing itself (a move's first contact, a flag's deadline), so it may go back.
`audience` is the widest circle that may be told **now**. An `Irregular` or `Forbidden` ruling is for the
arbiter; when it becomes known to all (claimed, waived, lapsed for good, game over) one `Revealed` with the
same facts follows for the public, and the first is never changed. So whoever folds over rulings takes
everything for the arbiter as it comes, and for the public only what has the audience `public`.
"""

from typing import Literal

import msgspec

from firmware_host.board import Colour, Point
from firmware_host.referee.inputs import Giver, Seat

Audience = Literal["arbiter", "players", "public"]
Reason = Literal[
    "five",
    "forbidden",
    "time",
    "resignation",
    "agreement",
    "passes",
    "full-board",
    "absence",
    "penalty",
    "left",
    "arbiter",
]
ForbiddenKind = Literal["overline", "double-four", "double-three"]


class Ruling(msgspec.Struct, frozen=True, tag_field="ruling", kw_only=True):
    """Root of the rulings."""

    t_ns: int
    audience: Audience = "public"


class Started(Ruling, frozen=True, tag="started"):
    """The round began."""


class Arrived(Ruling, frozen=True, tag="arrived"):
    """A player is at the table."""

    side: Colour


class Moved(Ruling, frozen=True, tag="move"):
    """Move `n` (from 1) stands on `point`; None is a pass.

    Told again with the same `n` when the stone comes to rest elsewhere before the press, or when an
    arbiter corrects the record: the last one told is the record. `used_ms` is the time used for it so far,
    and once it is complete the time that it took. `left_ms`: of a pass, which ends its turn without a press,
    what its mover has left then in the period at hand. `corrected_ns`: when a complete move was told again.
    `missing`: the side pressed for it and no stone was seen; an open entry until `place` fills it, no pass.
    """

    n: int
    point: Point | None
    colour: Colour
    used_ms: int | None = None
    missing: bool = False
    left_ms: int | None = None
    corrected_ns: int | None = None


class Unmoved(Ruling, frozen=True, tag="unmove"):
    """Moves from `n` on are off the record (taken back by an arbiter, or undecided again).

    `black_seat`: where Black sits now, if colours were swapped after them; that is undone too.
    """

    n: int
    black_seat: Seat | None = None


class Pressed(Ruling, frozen=True, tag="press"):
    """A press took effect: `side` has pressed, `running` is whose time runs now; times as of `t_ns`.

    `n` is the last move it completed, None when it completed none.
    """

    side: Colour
    running: Colour | None
    n: int | None
    used_ms: int | None = None
    remaining_ms: dict[Colour, int] | None = None


class PressWithoutStone(Ruling, frozen=True, tag="press-without-stone", kw_only=True):
    """A press with no stone seen: not irregular by itself (a sensor may have missed the stone).

    For the arbiter: with a stone in the opponent's turn it becomes `clock-first`.
    """

    audience: Audience = "arbiter"
    side: Colour


class OpeningSet(Ruling, frozen=True, tag="opening"):
    """The opening's stones stand; `name` is its code (`D4`, `I13`) or None; `offers` is N once entered.

    For the arbiter until the opponent plays on or the game is over: that there is no name would tell him that
    there is something to claim [6.1.1, 6.1.2].
    """

    name: str | None
    offers: int | None = None


class Swapped(Ruling, frozen=True, tag="swap"):
    """The players traded colours: from now on `black_seat` is where Black sits.

    A move for the clock: `used_ms` is the time that it took, `left_ms` what its player has left then. None
    where a press has told them.
    """

    black_seat: Seat
    used_ms: int | None = None
    left_ms: int | None = None


class Kept(Ruling, frozen=True, tag="keep"):
    """A side that might have swapped keeps its colour: by word, or by playing on.

    `used_ms` and `left_ms` as for a swap, where that ends its turn.
    """

    side: Colour
    used_ms: int | None = None
    left_ms: int | None = None


class Chosen(Ruling, frozen=True, tag="choose"):
    """How the opening goes on: `add` of swap2, `one` or `ten` of taraguchi-10."""

    side: Colour
    branch: str


class Offered(Ruling, frozen=True, tag="offers"):
    """The fifth stones on offer, as they stand at Black's press, in order of first contact.

    `n`: the number of the move that one of them becomes; 5, unless two stones in a row came before and stand.
    """

    points: tuple[Point, ...]
    n: int = 5


class Irregular(Ruling, frozen=True, tag="irregular"):
    """An irregular action of RULES.md 5; `point` is the remedy's point, `rest` where the stone lies."""

    code: str
    side: Colour
    article: str
    point: Point | None = None
    rest: Point | None = None
    n: int | None = None


class Forbidden(Ruling, frozen=True, tag="forbidden"):
    """Black's move `n` is forbidden. For the arbiter until claimed, over, or lapsed for good."""

    n: int
    point: Point
    kind: ForbiddenKind


class Revealed(Ruling, frozen=True, tag="revealed"):
    """An irregular action or a forbidden move that all may know from now on; the facts of its first ruling.

    `kind` is set for a forbidden move, and `code` is then `forbidden`. `why`: claimed, waived, lapsed, over.
    """

    code: str
    side: Colour
    why: str
    article: str
    point: Point | None = None
    rest: Point | None = None
    n: int | None = None
    kind: ForbiddenKind | None = None


class Lapsed(Ruling, frozen=True, tag="lapsed"):
    """What was claimable no longer is: the opponent played on. `side` did it.

    For the arbiter alone: the stone has left the point where it was forbidden, before anybody claimed it.
    """

    code: str
    point: Point | None = None
    side: Colour | None = None


class Claimed(Ruling, frozen=True, tag="claimed"):
    """A player claimed; the clocks stand."""

    code: str | None
    side: Colour
    point: Point | None = None


class Upheld(Ruling, frozen=True, tag="upheld"):
    """The claim stands; `remedy` says in words what follows. `side` did it."""

    code: str
    point: Point | None = None
    side: Colour | None = None
    remedy: str = ""


class Rejected(Ruling, frozen=True, tag="rejected"):
    """The claim does not stand; `why` in words. For the arbiter alone: nobody had claimed.

    `side`: who did what was found; None where nothing was.
    """

    code: str
    point: Point | None = None
    side: Colour | None = None
    why: str | None = None


class Waived(Ruling, frozen=True, tag="waived"):
    """Accepted by the opponent or the arbiter. `side` did it."""

    code: str
    point: Point | None = None
    side: Colour | None = None


class Called(Ruling, frozen=True, tag="called"):
    """A player called the arbiter; the clocks stand."""

    side: Colour | None


class Paused(Ruling, frozen=True, tag="paused"):
    """The clocks stand. `why`: arbiter, adjourned, correction, restart, scattered, whose."""

    why: str


class Resumed(Ruling, frozen=True, tag="resumed"):
    """The clock of `running` goes on."""

    running: Colour | None


class ClockSet(Ruling, frozen=True, tag="clock-set"):
    """A named entry in the books of one side: `added_ms` may be negative."""

    side: Colour
    added_ms: int
    remaining_ms: int
    reason: str


class FlagFallen(Ruling, frozen=True, tag="flag"):
    """A side's time is out; `t_ns` is the deadline itself."""

    side: Colour


class PeriodUsed(Ruling, frozen=True, tag="period"):
    """A byo-yomi period is used up, or main time is over; `left` counts the periods not used up."""

    side: Colour
    left: int


class DrawOffer(Ruling, frozen=True, tag="draw", kw_only=True):
    """A draw is offered, accepted or refused."""

    audience: Audience = "players"
    side: Colour
    answer: Literal["offer", "accept", "refuse"]


class Differs(Ruling, frozen=True, tag="differs", kw_only=True):
    """The board differs from the record: what belongs where, point by point, while `restoring`.

    `points` holds a point, what the record holds there, and what is seen there (a colour, `unknown` or None).
    """

    audience: Audience = "arbiter"
    why: str = "restart"
    points: tuple[tuple[Point, Colour | None, str | None], ...] = ()


class Restored(Ruling, frozen=True, tag="restored", kw_only=True):
    """The board equals the record, or was accepted as it is.

    `points`: where it still differed when it was accepted. `correction`, after an upheld irregular action:
    whether it was carried out as a `whole`, in `part`, or `refused` altogether [competition rules 6.3].
    """

    audience: Audience = "arbiter"
    accepted: bool = False
    points: tuple[tuple[Point, Colour | None, str | None], ...] = ()
    correction: Literal["whole", "part", "refused"] | None = None


class Told(Ruling, frozen=True, tag="told", kw_only=True):
    """A sentence for its audience that changes nothing: a late input, a stone that should not be there.

    `rest`: where a stone lies that was on `point` before.
    """

    audience: Audience = "arbiter"
    code: str
    point: Point | None = None
    rest: Point | None = None
    side: Colour | None = None
    text: str | None = None


class Penalised(Ruling, frozen=True, tag="penalty", kw_only=True):
    """A penalty [competition rules 2.20]: violation, time, loss, disqualification; `count` of violations."""

    audience: Audience = "players"
    side: Colour
    kind: str
    count: int
    reason: str | None = None
    by: Giver = "arbiter"


class Decided(Ruling, frozen=True, tag="decided", kw_only=True):
    """A decision was made and carried out: number `entry`, by which `compensate` names it.

    `what`: its decision, kind or code. `undoes`: the decision that it compensates. `before` and `after` hold
    the record as 225 of `.XO`, where the decision is about stones or changed them.
    """

    audience: Audience = "arbiter"
    entry: int
    do: str
    by: Giver
    side: Colour | None = None
    what: str | None = None
    reason: str | None = None
    undoes: int | None = None
    before: str | None = None
    after: str | None = None


class Standing(Ruling, frozen=True, tag="standing"):
    """A finding stands as `standing` again, since the decision about it was undone."""

    code: str
    side: Colour
    standing: Literal["open", "claimed", "upheld", "rejected", "waived", "lapsed", "gone"]
    point: Point | None = None
    kind: ForbiddenKind | None = None


class Restarted(Ruling, frozen=True, tag="restarted"):
    """The record is empty, and the game begins again. `why`: colours, replay, undone.

    `traded`: the players hold the other colours than at the start so far.
    """

    why: str
    black_seat: Seat
    traded: bool = False


class Reopened(Ruling, frozen=True, tag="reopened"):
    """The result does not stand any more: the game goes on from where it stood, the clocks stopped."""


class Refused(Ruling, frozen=True, tag="refused", kw_only=True):
    """A command that cannot be, and why, in one sentence."""

    audience: Audience = "arbiter"
    do: str
    why: str


class Over(Ruling, frozen=True, tag="over"):
    """The game is over: one score a side; `line` holds the stones of a five."""

    winner: Colour | None
    result: dict[Colour, float]
    reason: Reason
    line: tuple[Point, ...] = ()


AnyRuling = (
    Started | Arrived | Moved | Unmoved | Pressed | PressWithoutStone | OpeningSet | Swapped | Kept | Chosen
    | Offered | Irregular | Forbidden | Revealed | Lapsed | Claimed | Upheld | Rejected | Waived | Called
    | Paused | Resumed | ClockSet | FlagFallen | PeriodUsed | DrawOffer | Differs | Restored | Told
    | Penalised | Decided | Standing | Restarted | Reopened | Refused | Over
)  # fmt: skip
