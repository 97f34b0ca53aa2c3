"""The values that a record is made of, each readable without knowing the rulings that it was folded from.

Instants (`..._ns`) are nanoseconds on the axis of the rulings, durations whole milliseconds. A `side` is the
colour that somebody held at that instant; `swapped` says whether the players held the other colours than at
the start then, so that `GameRecord.doer` and `GameRecord.who` find the player.
"""

from typing import Final, Literal

import msgspec

from firmware_host.board import Colour, Point
from firmware_host.referee.inputs import Giver
from firmware_host.referee.irregular import FORBIDDEN_CODES, SAME_ACT
from firmware_host.referee.rulings import ForbiddenKind, Reason

Standing = Literal["open", "claimed", "upheld", "rejected", "waived", "lapsed"]
Difference = tuple[Point, Colour | None, str | None]
"""A point, what the record holds there, and what was seen there: a colour, `unknown` or None."""


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


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """How the opening went on after `after` moves: `add` of swap2, `one` or `ten` of taraguchi-10."""

    t_ns: int
    after: int
    side: Colour
    branch: str


class Offers(msgspec.Struct, frozen=True, kw_only=True):
    """Fifth offers that did not stay as they were: put right, taken back, or of a game that began again.

    `t_ns` is the instant at which they went.
    """

    t_ns: int
    points: tuple[Point, ...]


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


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim of `side`, and what came of it; `side` None: nobody claimed, the arbiter answered by himself.

    `code` None: something that was not named. `answer` None: it waits, or the game ended before an answer.
    `words`: the remedy of what was upheld, or why a claim was rejected. `correction`: whether the remedy was
    carried out as a `whole`, in `part`, or `refused` [competition rules 6.3]; for the arbiter.
    """

    t_ns: int
    side: Colour | None
    code: str | None = None
    point: Point | None = None
    swapped: bool = False
    answer: Literal["upheld", "rejected", "waived"] | None = None
    answered_ns: int | None = None
    words: str = ""
    correction: Literal["whole", "part", "refused"] | None = None

    def meant_by(self, code: str) -> bool:
        """Whether an answer with `code` can be to this claim: the same, or another name of the same act."""
        own = self.code
        alike = own in FORBIDDEN_CODES and code in (*FORBIDDEN_CODES, "forbidden")
        return own in (None, code) or alike or SAME_ACT.get(own or "") == code


class Penalty(msgspec.Struct, frozen=True, kw_only=True):
    """A penalty [competition rules 2.20]: `violation`, `time`, `loss` or `disqualification` of `side`.

    `count` is how many violations the player had then. `ms`: the time that it took. `by` gave it. `entry` is
    the number of the decision, `undone` whether that was undone; both are for the arbiter.
    """

    t_ns: int
    side: Colour
    kind: str
    count: int
    reason: str | None = None
    by: Giver = "arbiter"
    swapped: bool = False
    ms: int | None = None
    entry: int | None = None
    undone: bool = False


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that was carried out, number `entry`; `undoes` another one, or was `undone_by` another one.

    `do` is the command, `what` its decision, kind or code. `before` and `after`: the stones as 225 of `.XO`,
    where it is about stones or changed them.
    """

    t_ns: int
    entry: int
    do: str
    by: Giver
    side: Colour | None = None
    what: str | None = None
    reason: str | None = None
    undoes: int | None = None
    undone_by: int | None = None
    before: str | None = None
    after: str | None = None
    swapped: bool = False


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks stood from `t_ns` until `until_ns`; None: they did not go on.

    `why`: `adjourned`, `arbiter`, `call`, `claim`, `correction`, `restart`, `scattered` and the like; `side`
    called or claimed, None is the arbiter's own key. `running` is whose clock went on. Several may overlap:
    a call while the clocks stand is one of its own.
    """

    t_ns: int
    why: str
    side: Colour | None = None
    swapped: bool = False
    until_ns: int | None = None
    running: Colour | None = None


class ClockChange(msgspec.Struct, frozen=True, kw_only=True):
    """A named entry in the books of one side: `added_ms` may be negative, `left_ms` is what it then had."""

    t_ns: int
    side: Colour
    added_ms: int
    left_ms: int
    reason: str
    swapped: bool = False


class Flag(msgspec.Struct, frozen=True, kw_only=True):
    """A time ran out at `t_ns`. `periods_left`: byo-yomi periods not used up; None: the flag has fallen."""

    t_ns: int
    side: Colour
    periods_left: int | None = None
    swapped: bool = False


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """`side` offered a draw; `answer` None: it was never answered."""

    t_ns: int
    side: Colour
    swapped: bool = False
    answer: Literal["accept", "refuse"] | None = None
    answered_ns: int | None = None


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """A player who had been absent came to the table."""

    t_ns: int
    side: Colour
    swapped: bool = False


class Restart(msgspec.Struct, frozen=True, kw_only=True):
    """The game began again. `why`: `colours`, `replay`, `undone`. `traded`: with the colours traded."""

    t_ns: int
    why: str
    traded: bool = False


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What was told and changed nothing: `late`, `away`, `nothing-to-claim`, `press-without-stone` and so on.

    `rest`: where a stone lay that was on `point` before. `refused`: a command that could not be. `accepted`:
    the board was taken as it lay, though it differed at `points`.
    """

    t_ns: int
    code: str
    side: Colour | None = None
    point: Point | None = None
    rest: Point | None = None
    text: str | None = None
    points: tuple[Difference, ...] = ()
    swapped: bool = False


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wrote about the game as it stood after `after` moves: a comment of a file, a note.

    A note of the arbiter's, such as an appeal [competition rules 8.11], has its instant `t_ns`, and with
    `side` the one that it is about.
    """

    after: int
    text: str
    t_ns: int | None = None
    side: Colour | None = None


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


Deed = Found | Penalty | Decision | Stop | ClockChange | Flag | Draw | Arrival | Notice | Claim
"""What a side did or met, with the colours as they were then."""

DEEDS: Final = (
    "irregular", "forbidden", "claims", "penalties", "decisions", "stops", "clock_changes", "flags", "draws",
    "arrivals", "notices",
)  # fmt: skip
"""The fields of a record that hold them."""
