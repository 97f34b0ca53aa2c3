"""Commands about clocks, penalties, colours and the result. Every function answers one command.

Source: competition rules 2.20, 5.2, 8.8, 8.10; `docs/rules.md`, sections 5 to 7.
"""

from typing import Final

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.clock import MS
from firmware_host.referee import timing
from firmware_host.referee.inputs import Command
from firmware_host.referee.rulings import Penalised
from firmware_host.referee.state import Match

COLOURS_UNTIL_NS: Final = 15 * 60 * 1000 * MS
"""Wrong colours are put right within so long after the start [5.2]."""


def set_clock(m: Match, given: Command) -> None:
    """The arbiter sets a clock, or gives or takes time [8.8]."""
    side, ms, reason = given.side or BLACK, given.ms or 0, given.reason or given.do
    if not m.control.limited:
        m.refuse(given, "this match has no time limit")
        return
    if given.do == "set_clock" and ms < 0:
        m.refuse(given, f"a clock cannot be set to {ms} ms; allowed: 0 or more")
        return
    before = m.clock
    change = m.clock.set_remaining if given.do == "set_clock" else m.clock.add
    m.clock = change(m.player_of(side), ms * MS, m.t_ns, reason)
    timing.tell_clock(m, side, before, reason)


def penalise(m: Match, side: Colour, kind: str, reason: str | None) -> None:
    """Enter a penalty; a loss ends the game [2.20]."""
    player = m.player_of(side)
    if kind == "violation":
        m.violations[player] += 1
    m.tell(Penalised(t_ns=m.t_ns, side=side, kind=kind, count=m.violations[player], reason=reason))
    if kind in ("loss", "disqualification") and m.phase != "over":
        m.end("penalty", side.other)


def penalty(m: Match, given: Command) -> None:
    """A penalty of a player."""
    side = given.side or BLACK
    kind = "violation" if given.do == "violation" else given.kind or "violation"
    if kind == "time" and (not given.ms or given.ms < 0 or not m.control.limited):
        m.refuse(given, "a time penalty needs ms above 0, and a match with a time limit")
        return
    penalise(m, side, kind, given.reason or given.kind)
    if kind == "time" and given.ms:
        before = m.clock
        m.clock = m.clock.add(m.player_of(side), -given.ms * MS, m.t_ns, "penalty")
        timing.tell_clock(m, side, before, "penalty")


def colours(m: Match, given: Command) -> None:
    """Wrong colours: the game stands, or would begin again with the colours traded [5.2]."""
    if given.decision == "stands":
        m.told("colours-stand")
        return
    started = m.t_ns if m.started_ns is None else m.started_ns
    if len(m.entries) >= 4 or m.t_ns - started >= COLOURS_UNTIL_NS:
        m.refuse(given, "move 4 lies on the board or 15 minutes have gone: the game stands")
        return
    m.refuse(given, "restarting is not supported: finish this game by result, and start another one")


def result(m: Match, given: Command) -> None:
    """The arbiter's decision: one score a side."""
    black, white = given.black or 0.0, given.white or 0.0
    winner = BLACK if black > white else WHITE if white > black else None
    m.end("arbiter", winner, scores={BLACK: black, WHITE: white})
