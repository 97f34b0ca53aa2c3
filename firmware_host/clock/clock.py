"""The clock with two faces as an immutable value.

Every instant is an integer of nanoseconds on one axis that the caller chooses and passes in; nothing here
reads a clock. `Clock` holds what stood at `as_of_ns`; time after it is reckoned when asked for, so the exact
instant of a flag or of the end of a period never depends on how often anybody looks. Sources: competition
rules 8 (time controls), 2.1 (a move counts for the clock when it has been pressed).
"""

from enum import StrEnum

import msgspec

from firmware_host.clock.control import TimeControl
from firmware_host.clock.side import (
    INCREMENT,
    MOVES_NOT_MADE,
    RENEWAL,
    SPLIT,
    EndKind,
    Entry,
    Side,
    again,
    byo_yomi_left,
    ends,
    left_ns,
    made_again_ns,
    moved,
    revived,
    stage_of,
    take,
    to_make,
    untake,
    used_ns,
    whole,
)


class Player(StrEnum):
    """A player, whatever colour is held now: FIRST held Black at the start."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> "Player":
        """The opponent."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST


class Crossing(msgspec.Struct, frozen=True):
    """The exact instant at which a running clock ends a period of its time.

    `kind`: `main` (byo-yomi begins), `stage` (another stage begins), `period` (a period is used up), `flag`
    (the last of the time is gone). `periods_left` counts the byo-yomi periods not used up from then on.
    `byo_yomi`: whether it was one that ended.
    """

    at_ns: int
    player: Player
    kind: EndKind
    periods_left: int
    byo_yomi: bool = False


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """The books of one side: left = given - ran - lent + the sum of the entries.

    `left_ns` is all that is left, periods to come included; below 0 it is the time since the flag fell.
    `lent_ns` is what the opponent has used of a shared limit.
    """

    given_ns: int
    ran_ns: int
    lent_ns: int
    left_ns: int
    entries: tuple[Entry, ...]

    @property
    def balanced(self) -> bool:
        """Whether the account is right to the nanosecond."""
        adjusted = sum(entry.ns for entry in self.entries)
        return self.left_ns == self.given_ns - self.ran_ns - self.lent_ns + adjusted


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
        side = whole(control)
        return cls(control=control, first=side, second=side)

    # -- what it shows

    def side(self, player: Player) -> Side:
        """The stored time of one side, as of `as_of_ns`."""
        return self.first if player is Player.FIRST else self.second

    def remaining_ns(self, player: Player, now_ns: int) -> int | None:
        """Time left in the period at hand, >= 0; None without a limit."""
        return max(0, self.at(now_ns).side(player).ns) if self.control.limited else None

    def periods_left(self, player: Player, now_ns: int) -> int | None:
        """Byo-yomi periods not used up, the one at hand included; None without a limit."""
        return byo_yomi_left(self.control, self.at(now_ns).side(player)) if self.control.limited else None

    def in_byo_yomi(self, player: Player, now_ns: int) -> bool:
        """Whether a byo-yomi period is at hand."""
        side = self.at(now_ns).side(player)
        return side.periods > 0 and stage_of(self.control, side).byo_yomi

    def stage(self, player: Player, now_ns: int) -> int:
        """Which stage of the control is at hand, from 0; past the last one if time was given after a flag."""
        return self.at(now_ns).side(player).stage

    def to_make(self, player: Player, now_ns: int) -> int | None:
        """Moves still to be made in the period at hand; None where none are asked for, and in byo-yomi."""
        side = self.at(now_ns).side(player)
        stage = stage_of(self.control, side)
        return to_make(stage, side) if side.periods and stage.moves and not stage.byo_yomi else None

    def used_ns(self, player: Player, now_ns: int) -> int:
        """What this side has used: how long its clock has run, whatever was added, or as `set_used` says."""
        return used_ns(self.at(now_ns).side(player))

    @property
    def deadline_ns(self) -> int | None:
        """When the running side's last time ends; None if none runs, none is limited, or it has fallen."""
        found = self._ends()
        return self.as_of_ns + found[-1][0] if found else None

    @property
    def next_event_ns(self) -> int | None:
        """The instant of the next crossing if nothing else happens; None when there is none to come."""
        side = None if self.running is None else self.side(self.running)
        return self.as_of_ns + side.ns if side is not None and side.periods else None

    def crossings(self, until_ns: int) -> list[Crossing]:
        """Every crossing after `as_of_ns`, `until_ns` included, in order, if nothing else happens."""
        if self.running is None:
            return []
        found: list[Crossing] = []
        byo_yomi = self.in_byo_yomi(self.running, self.as_of_ns)
        for after_ns, kind, side in self._ends():
            at_ns = self.as_of_ns + after_ns
            if at_ns > until_ns:
                break
            found.append(Crossing(at_ns, self.running, kind, byo_yomi_left(self.control, side), byo_yomi))
            byo_yomi = kind == "main" or byo_yomi
        return found

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
        now = self._eaten(self.running, elapsed)
        return msgspec.structs.replace(now, as_of_ns=now_ns, origin=origin)

    def run(self, player: Player, now_ns: int) -> "Clock":
        """From `now_ns` on the clock of `player` runs, and the other one stands."""
        return self._running(player, now_ns)

    def stop(self, now_ns: int) -> "Clock":
        """From `now_ns` on both stand."""
        return self._running(None, now_ns)

    def moved(self, player: Player, now_ns: int, *, again: bool = False) -> "Clock":
        """Credit for a completed move: the increment, and a period renewed or entered [competition rules 8].

        Which clock runs does not change. Where periods are renewed, exactly one whole period begins. `again`:
        the move has been credited before, and made anew; all that can follow is a whole period for the next.
        """
        now = self.at(now_ns)
        side = now.side(player)
        if not side.periods:
            return now
        if again:
            return now.add(player, made_again_ns(self.control, side), now_ns, RENEWAL)
        now = now.add(player, stage_of(self.control, side).increment_ns, now_ns, INCREMENT)
        side, renewal_ns = moved(self.control, now.side(player))
        now = msgspec.structs.replace(now._with(player, side), origin=None)
        return now.add(player, renewal_ns, now_ns, RENEWAL)

    def add(self, player: Player, ns: int, now_ns: int, reason: str) -> "Clock":
        """Give time (`ns` > 0) to the period at hand or take it (< 0); an entry of the books under `reason`.

        Taking more than is at hand goes on into the periods that follow, and lets the flag fall at `now_ns`
        when nothing is left. Of a shared limit it is both sides'. Without a limit nothing changes.
        """
        now = self.at(now_ns)
        if not self.control.limited or not ns:
            return now
        for each in self._holders(player):
            side, lost = take(self.control, now.side(each), -ns) if ns < 0 else (now.side(each), 0)
            side = side if ns < 0 else msgspec.structs.replace(side, ns=side.ns + ns)
            now = now._entered(each, side, ns, reason, lost)
        return now

    def set_remaining(self, player: Player, ns: int, now_ns: int, reason: str) -> "Clock":
        """Set what is left in the period at hand to `ns` >= 0; the difference is an entry under `reason`.

        A side whose flag had fallen plays on with `ns` of main time. Without a limit nothing changes.
        Raises ValueError below 0.
        """
        if ns < 0:
            raise ValueError(f"a clock cannot be set to {ns} ns; allowed: 0 or more")
        now = self.at(now_ns)
        return now.add(player, ns - now.side(player).ns, now_ns, reason)

    def used_says_left(self, player: Player, now_ns: int) -> bool:
        """Whether the time used says what is left: until periods are renewed, and before the flag."""
        side = self.at(now_ns).side(player)
        return not self.control.limited or (side.periods > 0 and not stage_of(self.control, side).renewed)

    def set_used(self, player: Player, ns: int, now_ns: int, reason: str) -> "Clock":
        """A clock is replaced: this side has used `ns` >= 0, as decided, and what is left follows from it.

        The difference is an entry under `reason`; of a shared limit it is both sides'. Raises ValueError
        below 0, and where the time used does not say what is left [competition rules 8.8].
        """
        if ns < 0 or not self.used_says_left(player, now_ns):
            raise ValueError(f"{ns} ns used do not say what is left; allowed: 0 or more, in a main time")
        now = self.at(now_ns)
        back_ns = used_ns(now.side(player)) - ns
        for each in self._holders(player) if back_ns else ():
            side, lost = now.side(each), 0
            if back_ns > 0:
                side = msgspec.structs.replace(side, ns=side.ns + back_ns)
            else:
                side, lost = take(self.control, side, -back_ns)
            now = now._entered(each, side, back_ns, reason, lost, used_ns=back_ns if each is player else 0)
        return now

    def undo(self, player: Player, before: "Clock", after: "Clock", now_ns: int, reason: str) -> "Clock":
        """Take back what an arbiter's change did to one side: it made of `before` the clock `after`.

        Where nothing but time has passed since, the side is as it would be without the change. Otherwise so
        much is given or taken; but what was given to a period does not outlast its move.
        """
        now = self.at(now_ns)
        side, old, then = now.side(player), before.at(after.as_of_ns).side(player), after.side(player)
        ran_ns = side.ran_ns + side.lent_ns - then.ran_ns - then.lent_ns
        ns = left_ns(self.control, old) - left_ns(self.control, then)
        gone_on, _ = take(self.control, then, ran_ns)
        back, lost = side, 0
        if all(getattr(gone_on, part) == getattr(side, part) for part in ("ns", "stage", "periods", "made")):
            back = again(self.control, old, (), ran_ns)
        elif ns > 0:
            back = untake(self.control, side, ns)
        elif not any(entry.reason is RENEWAL for entry in side.entries[len(then.entries) :]):
            back, lost = take(self.control, side, -ns)
        changed = msgspec.structs.replace(
            side, ns=back.ns, stage=back.stage, periods=back.periods, made=back.made
        )
        ns = left_ns(self.control, changed) + lost - left_ns(self.control, side)
        return now._entered(player, changed, ns, reason, lost, used_ns=used_ns(then) - used_ns(old))

    def set_back(
        self,
        earlier: "Clock",
        now_ns: int,
        reason: str,
        *,
        entries_since: "Clock | None" = None,
        ran_since: "Clock | None" = None,
    ) -> "Clock":
        """Both sides have the time and periods of an earlier clock again; an entry each under `reason`.

        What was given or taken after `entries_since`, and what ran after `ran_since`, stays given, taken and
        used; both are this clock as it stood between `earlier` and now, and None is now.
        """
        now = self.at(now_ns)
        for player in Player if self.control.limited else ():
            side, old = now.side(player), earlier.side(player)
            entries = side.entries[len((entries_since or now).side(player).entries) :]
            ran = (ran_since or now).side(player)
            ran_ns = side.ran_ns + side.lent_ns - ran.ran_ns - ran.lent_ns
            back = again(self.control, old, entries, ran_ns)
            same_period = (back.stage, back.periods) == (side.stage, side.periods)
            used = used_ns(old) + side.ran_ns - ran.ran_ns - sum(entry.ns for entry in entries if entry.used)
            back = msgspec.structs.replace(
                side,
                ns=back.ns,
                stage=back.stage,
                periods=back.periods,
                made=side.made if same_period and entries_since is not None else back.made,
            )
            difference = left_ns(self.control, back) - left_ns(self.control, side)
            now = now._entered(player, back, difference, reason, used_ns=used_ns(side) - used)
        return now

    def split(self, now_ns: int) -> "Clock":
        """A shared limit ends: each side has exactly half of what is left of it [competition rules 8.1].

        Raises ValueError without a shared limit, and when nothing is left of it.
        """
        now = self.at(now_ns)
        left = now.first.ns
        if not self.control.shared or left <= 0:
            raise ValueError(
                f"nothing is left to be shared of {self.control.text}; allowed: shared and a time"
            )
        now = msgspec.structs.replace(now, control=msgspec.structs.replace(self.control, shared=False))
        for player in Player:
            now = now.add(player, left // 2 - left, now_ns, SPLIT)
        return now

    def join(self, now_ns: int, reason: str) -> "Clock":
        """What both sides have left is one limit for both again: the opposite of `split`.

        Raises ValueError where the limit is shared already, and when a flag has fallen.
        """
        now = self.at(now_ns)
        if self.control.shared or not self.control.limited or now.fallen:
            raise ValueError(
                f"{self.control.text} cannot be shared; allowed: a time of each side's own, not out"
            )
        first_ns, second_ns = now.first.ns, now.second.ns
        now = now.add(Player.FIRST, second_ns, now_ns, reason).add(Player.SECOND, first_ns, now_ns, reason)
        return msgspec.structs.replace(now, control=msgspec.structs.replace(self.control, shared=True))

    # -- within

    def _running(self, player: Player | None, now_ns: int) -> "Clock":
        now = self.at(now_ns)
        return now if now.running is player else msgspec.structs.replace(now, running=player, origin=None)

    def _holders(self, player: Player) -> tuple[Player, ...]:
        """Whose time changes with that of `player`."""
        return (player, player.other) if self.control.shared else (player,)

    def _ends(self) -> list[tuple[int, EndKind, Side]]:
        """Every end of a period of the side that runs, if nothing else happens."""
        return [] if self.running is None else ends(self.control, self.side(self.running))

    def _eaten(self, player: Player, ns: int) -> "Clock":
        """This clock with `ns` more that one side has run; its flag falls when nothing is left."""
        side = self.side(player)
        eaten, lost = take(self.control, side, ns)
        fell, entries = side.fell_ns, side.entries
        if side.periods and not eaten.periods:
            fell = self.as_of_ns + self._ends()[-1][0]
            entries += (Entry(fell, -lost, MOVES_NOT_MADE),) if lost else ()
        eaten = msgspec.structs.replace(eaten, ran_ns=side.ran_ns + ns, fell_ns=fell, entries=entries)
        now = self._with(player, eaten)
        if not self.control.shared:
            return now
        lender, _ = take(self.control, self.side(player.other), ns)
        return now._with(player.other, msgspec.structs.replace(lender, lent_ns=lender.lent_ns + ns))

    def _entered(
        self, player: Player, side: Side, ns: int, reason: str, lost: int = 0, *, used_ns: int = 0
    ) -> "Clock":
        """This clock with a changed side and its entries; the flag falls or rises as the time left says.

        Of `ns`, `used_ns` are for time that had been used or not.
        """
        fell = None
        if side.ns <= 0 and self.control.limited:
            fell = self.as_of_ns if side.fell_ns is None else side.fell_ns
        elif not side.periods and self.control.limited:
            side = revived(self.control, side)
        made = (
            Entry(self.as_of_ns, used_ns, reason, used=True),
            Entry(self.as_of_ns, ns - used_ns, reason),
            Entry(self.as_of_ns, -lost, MOVES_NOT_MADE),
        )
        entries = (*side.entries, *(entry for entry in made if entry.ns))
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
            lent_ns=side.lent_ns,
            left_ns=left_ns(self.control, side),
            entries=side.entries,
        )
