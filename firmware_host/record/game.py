"""The record of one game, folded from the rulings: `record = record.fold(ruling)`, one after the other.

A record is kept for an audience and takes in only what that audience may know: the public's record has never
heard of a forbidden move before it is revealed. Records read the rulings and judge nothing themselves: how
each ruling is folded stands in `record/fold.py`, the values that come of it in `record/values.py`.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from firmware_host.board import BLACK, Colour, Point, Position
from firmware_host.record.fold import LOGGED, STEPS
from firmware_host.record.header import Header, Person
from firmware_host.record.values import (
    Arrival,
    Branch,
    Choice,
    Claim,
    ClockChange,
    Correction,
    Decision,
    Deed,
    Difference,
    Draw,
    Flag,
    Found,
    Move,
    Notice,
    Offers,
    Penalty,
    Remark,
    Restart,
    Result,
    Standing,
    Stop,
)
from firmware_host.referee.inputs import Seat
from firmware_host.referee.rulings import AnyRuling, Audience, Pressed
from firmware_host.referee.settings import MatchSettings

__all__ = [
    "CIRCLES", "Arrival", "Branch", "Choice", "Claim", "ClockChange", "Correction", "Decision", "Deed",
    "Difference", "Draw", "Flag", "Found", "GameRecord", "Move", "Notice", "Offers", "Penalty", "Remark",
    "Restart", "Result", "Standing", "Stop",
]  # fmt: skip

CIRCLES: Final[tuple[Audience, ...]] = ("public", "players", "arbiter")
"""The audiences, from the one that may know least to the one that may know all."""


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one game that its `audience` may know. Times are on the axis of the rulings.

    `declared` is N, the number of fifth offers; `offers` are those that were made, for move number `fifth`.
    `ahead` holds presses for a move that is not told yet (the offers, until one of them is chosen).
    `former_offers` are offers that were put right or taken off; `former_choices` and `former_branches` those
    before the game began again; `former_results` results that were undone or replaced, the oldest first.
    `latest_ns` is the latest instant of any ruling. `log` has, in the order in which they were ruled, the
    rulings of which the other fields were made, without moves, findings and the result.
    `journal_head` is the hash of the game's newest entry in its journal, given from outside; else empty.
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
    branches: tuple[Branch, ...] = ()
    former_branches: tuple[Branch, ...] = ()
    former_offers: tuple[Offers, ...] = ()
    irregular: tuple[Found, ...] = ()
    forbidden: tuple[Found, ...] = ()
    claims: tuple[Claim, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    corrections: tuple[Correction, ...] = ()
    decisions: tuple[Decision, ...] = ()
    stops: tuple[Stop, ...] = ()
    clock_changes: tuple[ClockChange, ...] = ()
    flags: tuple[Flag, ...] = ()
    draws: tuple[Draw, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    restarts: tuple[Restart, ...] = ()
    notices: tuple[Notice, ...] = ()
    log: tuple[AnyRuling, ...] = ()
    differences: tuple[Difference, ...] = ()
    result: Result | None = None
    former_results: tuple[Result, ...] = ()
    remarks: tuple[Remark, ...] = ()
    journal_head: str = ""

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
        record = self
        latest_ns = max(record.latest_ns, ruling.t_ns)
        if kind in LOGGED:
            record = replace(record, log=(*record.log, ruling), latest_ns=latest_ns)
        elif latest_ns != record.latest_ns:
            record = replace(record, latest_ns=latest_ns)
        return STEPS[kind](record, ruling)

    def fold_all(self, rulings: Iterable[AnyRuling]) -> "GameRecord":
        """The record with all these rulings, in order."""
        record = self
        for ruling in rulings:
            record = record.fold(ruling)
        return record

    def move(self, n: int) -> Move | None:
        """Move `n`, from 1; None when there is none."""
        moves = self.moves
        if not moves or n > moves[-1].n:
            return None
        if 1 <= n <= len(moves) and moves[n - 1].n == n:
            return moves[n - 1]
        return next((move for move in moves if move.n == n), None)

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

    def doer(self, deed: Found | Penalty | ClockChange | Flag | Draw | Arrival) -> Colour:
        """The colour that the player who did what was found, or met it, holds now."""
        return deed.side if deed.swapped is self.swapped else deed.side.other

    def who(self, deed: Deed) -> Person | None:
        """The player who did or met something; None where it was nobody's."""
        if deed.side is None:
            return None
        return self.header.first if (deed.side is BLACK) is not deed.swapped else self.header.second

    @property
    def adjournments(self) -> tuple[Stop, ...]:
        """The times at which the game was broken off, to be resumed later."""
        return tuple(stop for stop in self.stops if stop.why == "adjourned")

    def violations(self, colour: Colour) -> int:
        """How many violations the player has who holds `colour` now, as far as the audience may know."""
        return sum(
            penalty.kind == "violation" and not penalty.undone and self.doer(penalty) is colour
            for penalty in self.penalties
        )

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
