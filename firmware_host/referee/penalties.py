"""Commands about clocks, penalties, colours and the result. Every function answers one command.

Source: competition rules 2.20, 5.2, 8.8, 8.10; `docs/rules.md`, sections 5 to 7.
"""

from typing import Final

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.clock import MS
from firmware_host.referee import timing
from firmware_host.referee.begin_again import begin_again, trade_before_start
from firmware_host.referee.inputs import Command, Giver
from firmware_host.referee.rulings import Over, Penalised, Reason, Told
from firmware_host.referee.state import Match

COLOURS_UNTIL_NS: Final = 15 * 60 * 1000 * MS
"""Wrong colours are put right within so long after the start [5.2] .."""

MOVES_UNTIL: Final = 4
""".. and before this move lies on the board."""


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
    timing.tell_clocks(m, side, before, reason)


def set_used(m: Match, given: Command) -> None:
    """A replaced clock is set to the time that a side has used, as decided [8.8]."""
    ms = given.ms or 0
    if ms < 0:
        m.refuse(given, f"a side cannot have used {ms} ms; allowed: 0 or more")
        return
    side = given.side or BLACK
    if not m.clock.used_says_left(m.player_of(side), m.t_ns):
        what = "the flag has fallen" if m.player_of(side) in m.clock.fallen else "periods are renewed now"
        m.refuse(given, f"{what}: the time used does not say what is left; set the time left")
        return
    before = m.clock
    m.clock = before.set_used(m.player_of(side), ms * MS, m.t_ns, given.reason or given.do)
    timing.tell_clocks(m, side, before, given.reason or given.do)


def split(m: Match, given: Command) -> None:
    """Each side has half of what is left of a shared limit, on a clock of its own [8.1]."""
    if not m.clock.control.shared:
        m.refuse(given, f"the time of this match, {m.clock.control.text}, is not shared")
        return
    if m.clock.fallen:
        m.refuse(given, "nothing is left of the shared time: set the clock first")
        return
    before, m.clock = m.clock, m.clock.split(m.t_ns)
    for side in Colour:
        timing.tell_clock(m, side, before, given.reason or given.do)


def charge(m: Match, given: Command) -> None:
    """The time that the table was off is charged: to a side, or without one half to each [8.7]."""
    if not m.away_ms or not m.control.limited:
        m.refuse(given, "there is no time to be charged")
        return
    ms, m.away_ms = m.away_ms, 0
    for side in Colour if given.side is None else (given.side,):
        take_time(m, side, ms * MS if given.side else ms * MS // 2, given.reason or "restart")


def penalise(m: Match, side: Colour, kind: str, reason: str | None, by: Giver = "arbiter") -> None:
    """Enter a penalty; a loss ends the game, and after its end takes the score of that side alone [2.20]."""
    player = m.player_of(side)
    if kind == "violation":
        m.violations[player] += 1
    m.tell(Penalised(t_ns=m.t_ns, side=side, kind=kind, count=m.violations[player], reason=reason, by=by))
    if kind not in ("loss", "disqualification"):
        return
    if m.over is None:
        m.end("penalty", side.other)
    elif m.over.result[side] > 0:
        winner = m.over.winner if m.over.winner is side.other else None
        over_again(m, winner, {**m.over.result, side: 0.0}, "penalty")


def penalty(m: Match, given: Command) -> None:
    """A penalty of a player."""
    side = given.side or BLACK
    kind = "violation" if given.do == "violation" else given.kind or "violation"
    if kind == "time" and (not given.ms or given.ms < 0 or not m.control.limited):
        m.refuse(given, "a time penalty needs ms above 0, and a match with a time limit")
        return
    if kind in ("loss", "disqualification"):
        chief_decides(m, given)
    penalise(m, side, kind, given.reason or given.kind, given.by)
    if kind == "time" and given.ms:
        take_time(m, side, given.ms * MS, "penalty")


def take_time(m: Match, side: Colour, ns: int, reason: str) -> None:
    """Take time from a side, by an entry in its books."""
    before = m.clock
    m.clock = m.clock.add(m.player_of(side), -ns, m.t_ns, reason)
    timing.tell_clocks(m, side, before, reason)


def chief_decides(m: Match, given: Command) -> None:
    """Tell whose decision it is, where somebody else has given it; the decision says who did [2.20, 4.2]."""
    disqualified = given.kind == "disqualification"
    if given.by != "organiser" and (disqualified or given.by != "chief"):
        who = "the organiser approves it, in writing" if disqualified else "it is the chief arbiter's"
        what = given.kind if given.do == "penalty" else given.decision
        m.tell(Told(t_ns=m.t_ns, code="whose-decision", side=given.side, text=f"{what}: {who}"))


def colours(m: Match, given: Command) -> None:
    """Wrong colours: the game stands, or begins again with colours put right and clocks reset [5.2]."""
    if given.decision == "stands":
        m.told("colours-stand")
    elif m.phase == "waiting":
        trade_before_start(m)
    elif len(m.entries) >= MOVES_UNTIL or m.t_ns - m.started_ns >= COLOURS_UNTIL_NS:
        m.refuse(given, "move 4 lies on the board or 15 minutes have gone: the game stands")
    else:
        begin_again(m, "colours", trade=True)


def result(m: Match, given: Command) -> None:
    """The arbiter's decision: one score a side; a game that has ended otherwise has this result instead."""
    black, white = given.black or 0.0, given.white or 0.0
    if black + white > 1:
        m.refuse(
            given, f"the scores {black:g} and {white:g} are more than one point; allowed: up to 1 together"
        )
        return
    winner = BLACK if black > white else WHITE if white > black else None
    scores = {BLACK: black, WHITE: white}
    if m.over is None:
        m.end("arbiter", winner, scores=scores)
    else:
        over_again(m, winner, scores, "arbiter")


def over_again(m: Match, winner: Colour | None, scores: dict[Colour, float], reason: Reason) -> None:
    """A game that is over has another result; the one before was told, and undoing tells it again."""
    m.over = Over(t_ns=m.t_ns, winner=winner, result=scores, reason=reason)
    m.tell(m.over)
