"""The clock with two faces as an immutable value.

Every instant is an integer of nanoseconds on one axis that the caller chooses and passes in; nothing here
reads a clock. `Clock` holds what stood at `as_of_ns`; time after it is reckoned when asked for, so the exact
instant of a flag or of the end of a period never depends on how often anybody looks.

A side's time is a chain: main time first, then byo-yomi periods. While it runs it eats main time, then the
period at hand, then the next one; when the last of the chain is gone the flag falls. Sources: competition
rules 8 (time controls), 2.1 (a move counts for the clock when it has been pressed).
"""

from enum import StrEnum
from typing import Final, Literal

import msgspec

from firmware_host.clock.control import TimeControl

INCREMENT: Final = "increment"
RENEWAL: Final = "byo-yomi"


class Player(StrEnum):
    """A player, whatever colour is held now: FIRST held Black at the start."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> "Player":
        """The opponent."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST


class Entry(msgspec.Struct, frozen=True):
    """A named adjustment in the books of one side at `t_ns`; `ns` was given (> 0) or taken (< 0)."""

    t_ns: int
    ns: int
    reason: str


class Crossing(msgspec.Struct, frozen=True):
    """The exact instant at which a running clock ends a part of its time.

    `kind`: `main` (main time is over, byo-yomi begins), `period` (a period is used up), `flag` (the last of
    the time is gone). `periods_left` counts the periods not used up from then on.
    """

    at_ns: int
    player: Player
    kind: Literal["main", "period", "flag"]
    periods_left: int


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side's time as it stood at the clock's `as_of_ns`.

    `main_ns` is what is left of main time; below 0 only when the flag has fallen and the clock ran on.
    `periods` counts the periods not used up; `period_ns` is what is left of the first of them.
    """

    main_ns: int
    periods: int
    period_ns: int
    ran_ns: int = 0
    fell_ns: int | None = None
    entries: tuple[Entry, ...] = ()


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """The books of one side: left = given - ran + the sum of the entries.

    `left_ns` is all that is left, periods to come included; below 0 it is the time since the flag fell.
    """

    given_ns: int
    ran_ns: int
    left_ns: int
    entries: tuple[Entry, ...]

    @property
    def balanced(self) -> bool:
        """Whether the account is right to the nanosecond."""
        return self.left_ns == self.given_ns - self.ran_ns + sum(entry.ns for entry in self.entries)


class Books(msgspec.Struct, frozen=True, kw_only=True):
    """Where the time went since the clock was first told a time: both sides' ran + stopped = elapsed."""

    first: Account
    second: Account
    stopped_ns: int
    elapsed_ns: int

    @property
    def balanced(self) -> bool:
        """Whether both accounts and the sum over both sides are right to the nanosecond."""
        ran = self.first.ran_ns + self.second.ran_ns
        return self.first.balanced and self.second.balanced and ran + self.stopped_ns == self.elapsed_ns


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of one game. Each change gives a new value; the old one still tells what stood then.

    An instant before `as_of_ns` counts as `as_of_ns`: time never goes back. At the deadline a player is out
    of time, one nanosecond before it in time [competition rules 8]. A side whose flag has fallen gets no
    credit for moves; its clock can run on (`flag = "claim"`) and shows nothing left.

    `origin` is the clock as it stood when something last happened to it, None if nothing but that: who asks
    seldom can still learn which instants were passed since then.
    """

    control: TimeControl
    first: Side
    second: Side
    running: Player | None = None
    as_of_ns: int = 0
    began_ns: int | None = None
    stopped_ns: int = 0
    origin: "Clock | None" = None

    @classmethod
    def new(cls, control: TimeControl) -> "Clock":
        """A clock that stands, both sides with all that `control` gives."""
        side = Side(main_ns=control.main_ns, periods=control.periods, period_ns=control.period_ns)
        return cls(control=control, first=side, second=side)

    # -- what it shows

    def side(self, player: Player) -> Side:
        """The stored time of one side, as of `as_of_ns`."""
        return self.first if player is Player.FIRST else self.second

    def remaining_ns(self, player: Player, now_ns: int) -> int | None:
        """Time left in the period at hand (main time, or one byo-yomi period), >= 0; None without a limit."""
        if not self.control.limited:
            return None
        side = self.at(now_ns).side(player)
        if side.main_ns > 0:
            return side.main_ns
        return side.period_ns if side.periods else 0

    def periods_left(self, player: Player, now_ns: int) -> int | None:
        """Byo-yomi periods not used up, the one at hand included; None without a limit."""
        return self.at(now_ns).side(player).periods if self.control.limited else None

    def in_byo_yomi(self, player: Player, now_ns: int) -> bool:
        """Whether main time is over and a period is at hand."""
        side = self.at(now_ns).side(player)
        return side.periods > 0 and side.main_ns <= 0

    def used_ns(self, player: Player, now_ns: int) -> int:
        """How long this side's clock has run, whatever was set or added."""
        return self.at(now_ns).side(player).ran_ns

    @property
    def deadline_ns(self) -> int | None:
        """When the running side's last time ends; None if none runs, none is limited, or it has fallen."""
        if self.running is None or not self.control.limited:
            return None
        side = self.side(self.running)
        return None if side.fell_ns is not None else self.as_of_ns + self._left(side)

    @property
    def next_event_ns(self) -> int | None:
        """The instant of the next crossing if nothing else happens; None when there is none to come."""
        if self.running is None or not self.control.limited:
            return None
        side = self.side(self.running)
        if side.fell_ns is not None:
            return None
        return self.as_of_ns + (side.main_ns if side.main_ns > 0 else side.period_ns)

    def crossings(self, until_ns: int) -> list[Crossing]:
        """Every crossing after `as_of_ns`, `until_ns` included, in order, if nothing else happens."""
        if self.running is None or not self.control.limited:
            return []
        side = self.side(self.running)
        if side.fell_ns is not None:
            return []
        player = self.running
        found: list[Crossing] = []
        at = self.as_of_ns
        left = side.periods
        if side.main_ns > 0:
            at += side.main_ns
            found.append(Crossing(at, player, "main" if left else "flag", left))
        while left:
            at += side.period_ns if left == side.periods else self.control.period_ns
            left -= 1
            found.append(Crossing(at, player, "period" if left else "flag", left))
        return [crossing for crossing in found if crossing.at_ns <= until_ns]

    @property
    def fallen(self) -> tuple[Player, ...]:
        """Whose flag has fallen by `as_of_ns`, the first one out first."""
        out = [(self.side(p).fell_ns, p) for p in Player]
        return tuple(p for _, p in sorted((fell, p) for fell, p in out if fell is not None))

    @property
    def books(self) -> Books:
        """The books as of `as_of_ns`."""
        began = self.as_of_ns if self.began_ns is None else self.began_ns
        return Books(
            first=self._account(self.first),
            second=self._account(self.second),
            stopped_ns=self.stopped_ns,
            elapsed_ns=self.as_of_ns - began,
        )

    # -- what happens to it

    def at(self, now_ns: int) -> "Clock":
        """The same clock when time has come to `now_ns`."""
        if self.began_ns is None:
            return msgspec.structs.replace(self, as_of_ns=now_ns, began_ns=now_ns)
        elapsed = now_ns - self.as_of_ns
        if elapsed <= 0:
            return self
        origin = self.origin or self
        if self.running is None:
            stopped = self.stopped_ns + elapsed
            return msgspec.structs.replace(self, as_of_ns=now_ns, stopped_ns=stopped, origin=origin)
        side = self.side(self.running)
        fell = side.fell_ns
        if fell is None and self.control.limited and self._left(side) <= elapsed:
            fell = self.as_of_ns + self._left(side)
        side = msgspec.structs.replace(self._take(side, elapsed), ran_ns=side.ran_ns + elapsed, fell_ns=fell)
        return msgspec.structs.replace(self._with(self.running, side), as_of_ns=now_ns, origin=origin)

    def run(self, player: Player, now_ns: int) -> "Clock":
        """From `now_ns` on the clock of `player` runs, and the other one stands."""
        return self._running(player, now_ns)

    def stop(self, now_ns: int) -> "Clock":
        """From `now_ns` on both stand."""
        return self._running(None, now_ns)

    def moved(self, player: Player, now_ns: int) -> "Clock":
        """Credit for a completed move: the increment, or exactly one whole period [competition rules 8].

        Which clock runs does not change. A period is there for one move: what was given to it or taken from
        it does not outlast the move, so the entry of the renewal may be below 0.
        """
        now = self.at(now_ns)
        side = now.side(player)
        if not self.control.limited or side.fell_ns is not None:
            return now
        if self.control.increment_ns:
            return now.add(player, self.control.increment_ns, now_ns, INCREMENT)
        spent = self.control.period_ns - side.period_ns
        if side.periods and side.main_ns <= 0:
            return now.add(player, spent, now_ns, RENEWAL)
        return now

    def add(self, player: Player, ns: int, now_ns: int, reason: str) -> "Clock":
        """Give time (`ns` > 0) to the period at hand or take it (< 0); an entry of the books under `reason`.

        Taking more than is at hand goes on into the periods that follow, and lets the flag fall at `now_ns`
        when nothing is left. Without a limit nothing changes.
        """
        now = self.at(now_ns)
        if not self.control.limited or not ns:
            return now
        side = now.side(player)
        if ns < 0:
            side = self._take(side, -ns)
        elif side.main_ns > 0 or not side.periods:
            side = msgspec.structs.replace(side, main_ns=side.main_ns + ns)
        else:
            side = msgspec.structs.replace(side, period_ns=side.period_ns + ns)
        return now._entered(player, side, ns, reason)

    def set_remaining(self, player: Player, ns: int, now_ns: int, reason: str) -> "Clock":
        """Set what is left in the period at hand to `ns` >= 0; the difference is an entry under `reason`.

        A side whose flag had fallen plays on with `ns` of main time. Without a limit nothing changes.
        Raises ValueError below 0.
        """
        if ns < 0:
            raise ValueError(f"a clock cannot be set to {ns} ns; allowed: 0 or more")
        now = self.at(now_ns)
        side = now.side(player)
        at_hand = side.period_ns if side.periods and side.main_ns <= 0 else side.main_ns
        return now.add(player, ns - at_hand, now_ns, reason)

    def set_back(self, player: Player, earlier: "Clock", now_ns: int, reason: str) -> "Clock":
        """Give `player` the time and periods that stood at `earlier.as_of_ns`; an entry under `reason`."""
        now = self.at(now_ns)
        old = earlier.side(player)
        side = msgspec.structs.replace(
            now.side(player), main_ns=old.main_ns, periods=old.periods, period_ns=old.period_ns
        )
        difference = self._left(side) - self._left(now.side(player))
        return now._entered(player, side, difference, reason) if self.control.limited else now

    # -- within

    def _running(self, player: Player | None, now_ns: int) -> "Clock":
        now = self.at(now_ns)
        return now if now.running is player else msgspec.structs.replace(now, running=player, origin=None)

    def _left(self, side: Side) -> int:
        """All the time of a side, periods to come included; below 0 after the flag."""
        if not side.periods:
            return side.main_ns
        return side.main_ns + side.period_ns + (side.periods - 1) * self.control.period_ns

    def _take(self, side: Side, ns: int) -> Side:
        """The side with `ns` > 0 less: from main time, then from period after period, then below 0."""
        main, periods, period = side.main_ns, side.periods, side.period_ns
        if main > 0 or not periods:
            spent = min(main, ns) if periods else ns
            main -= spent
            ns -= spent
        while ns and periods:
            if ns < period:
                period -= ns
                ns = 0
            else:
                ns -= period
                periods -= 1
                period = self.control.period_ns
        return msgspec.structs.replace(side, main_ns=main - ns, periods=periods, period_ns=period)

    def _entered(self, player: Player, side: Side, ns: int, reason: str) -> "Clock":
        """This clock with a changed side and its entry; the flag falls or rises as the time left says."""
        out = self._left(side) <= 0
        fell = (self.as_of_ns if side.fell_ns is None else side.fell_ns) if out else None
        entries = (*side.entries, Entry(self.as_of_ns, ns, reason)) if ns else side.entries
        changed = msgspec.structs.replace(side, fell_ns=fell, entries=entries)
        return msgspec.structs.replace(self._with(player, changed), origin=None)

    def _with(self, player: Player, side: Side) -> "Clock":
        if player is Player.FIRST:
            return msgspec.structs.replace(self, first=side)
        return msgspec.structs.replace(self, second=side)

    def _account(self, side: Side) -> Account:
        return Account(
            given_ns=self.control.given_ns,
            ran_ns=side.ran_ns,
            left_ns=self._left(side),
            entries=side.entries,
        )
