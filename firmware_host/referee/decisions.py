"""Decisions, and their undoing by a compensating decision; nothing that was told is ever erased.

Every command of `DECIDING` that was not refused is a decision: it gets the next number and is told as one
`Decided`, with who gave it and the record before and after. `compensate` names such a number. What a
decision counted or gave (violations, time) is taken off again whenever it is undone. What it did to the game
(a result, an answer to a claim, the board accepted) is put back from a copy of the match as it stood before;
so only as long as nothing has happened in the game since. What the clocks were given since stays given, and
what ran since stays used. A compensation is a decision itself: undoing it is doing the first one again.

Source: competition rules 2.20, 8.8, 8.10; `docs/rules.md`, section 7.
"""

import copy
from dataclasses import dataclass, field
from typing import Any, Final

from firmware_host.board import Colour, Position
from firmware_host.clock import Clock, Player
from firmware_host.referee import timing
from firmware_host.referee.begin_again import tell_restart
from firmware_host.referee.board_watch import differences, guide
from firmware_host.referee.entries import Entry
from firmware_host.referee.inputs import Command
from firmware_host.referee.irregular import Matter
from firmware_host.referee.rulings import (
    Decided,
    Offered,
    Paused,
    Penalised,
    Reopened,
    Unmoved,
)
from firmware_host.referee.rulings import Standing as StandingTold
from firmware_host.referee.state import Match, lapsed

DECIDING: Final = frozenset(
    (
        "accept_board", "add_time", "charge", "colours", "compensate", "draw", "left", "moved", "penalty",
        "reject", "resign", "result", "set_clock", "set_used", "split", "uphold", "violation", "waive",
    )
)  # fmt: skip
"""The commands that decide; of `draw` only what is accepted. A `resume` that rejects a claim does too."""

KEPT: Final = frozenset(
    (
        "settings", "procedure", "control", "late_ns", "out", "t_ns", "started_ns", "stopped_before_ns",
        "clock", "fallen", "absent", "violations", "sensed", "masked", "faulty", "unseen", "interference",
        "weak", "lifted", "put_down", "turn_of", "lay_at_turn", "stone_seen",
        "shown_differences", "decisions",
    )
)  # fmt: skip
"""What no undoing changes: what was agreed, what is counted apart, and what the sensors have said."""

PASSING: Final = frozenset(
    (
        "phase", "why", "guiding", "stopped_for", "denied", "to_correct", "turn_began_ran_ns", "went",
        "away_ms", "before_stop", "astray", "of_nobody", "asked_ns",
    )
)  # fmt: skip
"""What changes when the clocks stop and go on, and stones are put right: no game is played by that."""

COPIES: Final = 8
"""So many of the newest decisions keep their copy of the match."""


class Saved:
    """The match as it stood before a decision, and what that left; a fork of the referee shares it."""

    def __init__(self, m: Match) -> None:
        self.values: dict[str, Any] = copy.deepcopy({k: v for k, v in vars(m).items() if k not in KEPT})
        self.clock = m.clock.at(m.t_ns)
        self.violations = dict(m.violations)
        self.state = self.state_after = state_of(m)
        self.clock_after = self.clock

    def leaves(self, m: Match) -> None:
        """The decision has been carried out."""
        self.state_after, self.clock_after = state_of(m), m.clock.at(m.t_ns)

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Saved":
        return self


@dataclass(eq=False, slots=True)
class Decision:
    """One decision: what it counted, the clocks and the game as they stood before and after it.

    `saved` is None where the game itself was not changed, or `forgotten`: too many have been made since.
    `shared`: it ended a shared limit (True) or joined it again (False). `undone_by` is the number of its
    compensation.
    """

    entry: int
    do: str
    violations: dict[Player, int] = field(default_factory=dict)
    clocks: tuple[Clock, Clock] | None = None
    saved: Saved | None = None
    forgotten: bool = False
    shared: bool | None = None
    undone_by: int | None = None


def state_of(m: Match) -> object:
    """What must be the same for an undoing: all that an undoing puts back, but what time alone changes."""
    return {k: plain(v) for k, v in vars(m).items() if k not in KEPT and k not in PASSING}


def plain(value: object) -> object:
    """A value that stays as it is: of moves and findings what they are, not how the stone lies there."""
    if isinstance(value, Entry):
        return value.kind, value.point, value.colour, value.pressed
    if isinstance(value, Matter):
        return value.code, value.standing
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else copy.copy(value)


def decides(m: Match, given: Command) -> Saved | None:
    """The match before a command that decides; None for every other command."""
    rejects = given.do == "resume" and m.claim is not None
    return Saved(m) if rejects or (given.do in DECIDING and given.answer in (None, "accept")) else None


def enter(m: Match, given: Command, saved: Saved) -> None:
    """Number a decision that was carried out, and tell it."""
    saved.leaves(m)
    decision = Decision(
        len(m.decisions) + 1,
        given.do,
        {p: m.violations[p] - saved.violations[p] for p in Player},
        (saved.clock, saved.clock_after),
        saved if saved.state_after != saved.state else None,
    )
    shared = saved.clock.control.shared
    if shared is not saved.clock_after.control.shared:
        decision.shared = shared
    m.decisions.append(decision)
    for old in m.decisions[:-COPIES]:
        old.forgotten, old.saved = old.forgotten or old.saved is not None, None
    before: Position = saved.values["position"]
    moved = given.do == "moved" or before != m.position
    m.tell(
        Decided(
            t_ns=m.t_ns,
            entry=decision.entry,
            do=given.do,
            by=given.by,
            side=given.side,
            what=given.decision or given.kind or given.code,
            reason=given.reason,
            undoes=given.entry,
            before=before.text() if moved else None,
            after=m.position.text() if moved else None,
        )
    )


def cannot_undo(m: Match, n: int, state: object = None) -> str | None:
    """Why decision `n` cannot be undone now, or None. `state`: the match's `state_of`, where it is known."""
    if not 1 <= n <= len(m.decisions):
        last = f"the last one is {len(m.decisions)}" if m.decisions else "none was made"
        return f"there is no decision {n}; {last}"
    decision = m.decisions[n - 1]
    if decision.undone_by is not None:
        return f"decision {n} was undone by {decision.undone_by}: undo that one to do {n} again"
    saved = decision.saved
    if decision.forgotten or (saved is not None and saved.state_after != (state or state_of(m))):
        return (
            f"the game has gone on since decision {n} ({decision.do}): "
            "take moves off the record one by one, or decide by result"
        )
    if decision.shared is not None and (m.clock.control.shared is decision.shared or m.clock.fallen):
        why = "a flag has fallen" if m.clock.fallen else "the time was parted otherwise"
        return f"{why} since decision {n} ({decision.do}): set the clocks"
    return None


def undoable(m: Match) -> tuple[int, ...]:
    """The numbers of the decisions that can be undone now."""
    if not m.decisions:
        return ()
    state = state_of(m)
    return tuple(each.entry for each in m.decisions if cannot_undo(m, each.entry, state) is None)


def compensate(m: Match, given: Command) -> None:
    """Undo a decision, whichever is named by its number."""
    n = given.entry or 0
    why = cannot_undo(m, n)
    if why is not None:
        m.refuse(given, why)
        return
    decision = m.decisions[n - 1]
    if decision.shared is not None:
        share_again(m, decision)
    elif decision.saved is not None:
        put_back(m, decision.saved, n)
    else:
        give_back(m, decision)
    for player, count in decision.violations.items():
        if count:
            m.violations[player] -= count
            m.tell(
                Penalised(
                    t_ns=m.t_ns,
                    side=m.colour_of(player),
                    kind="violation",
                    count=m.violations[player],
                    reason=f"decision {n} undone",
                    by=given.by,
                )
            )
    decision.undone_by = len(m.decisions) + 1


def share_again(m: Match, decision: Decision) -> None:
    """What both sides have left is one limit again; or each has half of it again [8.1]."""
    before, reason = m.clock, f"decision {decision.entry} undone"
    m.clock = before.join(m.t_ns, reason) if decision.shared else before.split(m.t_ns)
    for side in Colour:
        timing.tell_clock(m, side, before, reason)


def give_back(m: Match, decision: Decision) -> None:
    """Take from each player the time that a decision gave, or give what it took."""
    reason = f"decision {decision.entry} undone"
    if decision.clocks is None:
        return
    then, after = decision.clocks
    for player in Player:
        if then.side(player).entries != after.side(player).entries:
            before = m.clock
            m.clock = before.undo(player, then, after, m.t_ns, reason)
            timing.tell_clock(m, m.colour_of(player), before, reason)


def put_back(m: Match, saved: Saved, n: int) -> None:
    """The match stands again as it was before a decision, with the clocks stopped."""
    values = copy.deepcopy(saved.values)
    was_over, entries, known, declared = m.over, m.entries, m.matters, m.offers
    black, first_black = m.black, m.black_at_start
    vars(m).update(values)
    clocks_as_before(m, saved, f"decision {n} undone")
    m.matters = matters_as_before(m, m.matters, known)
    if m.black is not black or m.black_at_start is not first_black:
        tell_restart(m, "undone", traded=m.black_at_start is not first_black)
        entries = []
    tell_record(m, entries, declared)
    if m.phase == "over" and m.over is not None:
        for matter in m.matters:
            m.reveal(matter, "over")
        m.tell(m.over)
        return
    if was_over is not None:
        m.tell(Reopened(t_ns=m.t_ns))
    if m.phase == "playing":
        m.phase, m.why = "stopped", "arbiter"
    if m.phase == "stopped":
        if m.guiding or differences(m):
            guide(m, m.why)
        else:
            m.tell(Paused(t_ns=m.t_ns, why=m.why))


def clocks_as_before(m: Match, saved: Saved, reason: str) -> None:
    """The clocks stand, without what the decision gave or took: an entry for each side that it changed."""
    before = m.clock.stop(m.t_ns)
    after = saved.clock_after
    m.clock = before.set_back(saved.clock, m.t_ns, reason, entries_since=after, ran_since=after)
    for player in Player:
        if timing.account_ns(before, player) != timing.account_ns(m.clock, player):
            timing.tell_clock(m, m.colour_of(player), before, reason)


def matters_as_before(m: Match, before: list[Matter], known: list[Matter]) -> list[Matter]:
    """The findings as they stood; what all know they know, and what came of the decision itself is gone."""
    for matter, later in zip(before, known, strict=False):
        matter.revealed = later.revealed
        if matter.standing != later.standing:
            m.tell(
                StandingTold(
                    t_ns=m.t_ns,
                    audience="public" if matter.revealed else "arbiter",
                    code=matter.code,
                    side=matter.side,
                    point=matter.point,
                    kind=matter.kind,
                    standing=matter.standing,
                )
            )
    found_since = known[len(before) :]
    for matter in found_since:
        if matter.claimable:
            m.tell(lapsed(m, matter, "arbiter"))
        matter.standing = "gone"
    return [*before, *found_since]


def without_open(entries: list[Entry]) -> list[Entry]:
    """The moves that are told: those before offers of which none is chosen yet."""
    kinds = [entry.kind for entry in entries]
    return entries[: kinds.index("offers")] if "offers" in kinds else entries


def tell_record(m: Match, told: list[Entry], offered: tuple[int, ...]) -> None:
    """Tell the record as it is now, where it differs from the moves `told` before."""
    told, entries = without_open(told), without_open(m.entries)
    same = 0
    pairs = list(zip(told, entries, strict=False))
    while same < len(pairs) and pairs[same][0].colour is pairs[same][1].colour:
        same += 1
    if len(told) > same:
        m.tell(Unmoved(t_ns=m.t_ns, n=same + 1))
    if len(told) < 3 <= len(m.entries) and len(m.procedure.steps) > 1:
        m.tell_opening()
    for n, entry in enumerate(entries):
        was = told[n] if n < same else None
        if was is None or (was.kind, was.point) != (entry.kind, entry.point):
            m.tell_move(entry)
    if m.fifth is not None and m.offers and (m.offers != offered or len(told) > same):
        m.tell(Offered(t_ns=m.t_ns, points=m.offers, n=m.number(m.fifth)))
