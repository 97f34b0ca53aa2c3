"""The clock in the course of the game: credit for moves, flags and periods at their instants, who is there.

Source: competition rules 8; `docs/rules.md`, section 6.
"""

from firmware_host.board import Colour
from firmware_host.clock import MS, Clock, Player
from firmware_host.referee.entries import Entry
from firmware_host.referee.rulings import Arrived, ClockSet, FlagFallen, PeriodUsed
from firmware_host.referee.state import Match


def remaining_ms(m: Match) -> dict[Colour, int] | None:
    """Whole milliseconds left in the period at hand, by colour; None without a limit."""
    if not m.control.limited:
        return None
    left = {c: m.clock.remaining_ns(m.player_of(c), m.t_ns) or 0 for c in Colour}
    return {c: ns // MS for c, ns in left.items()}


def left_ms(m: Match, colour: Colour) -> int | None:
    """Whole milliseconds that a side has left in the period at hand; None without a limit."""
    left = remaining_ms(m)
    return None if left is None else left[colour]


def credit(m: Match, colour: Colour, n: int | None = None) -> None:
    """Move `n` of a side, or its choice after move `n`, is complete: the increment, a period renewed.

    A move that was taken off the record after its press and is made again earns nothing more [8.3].
    """
    player = m.player_of(colour)
    again = n is not None and n <= m.credited[player]
    m.clock = m.clock.moved(player, m.t_ns, again=again)
    m.credited[player] = max(m.credited[player], n or 0)
    begin_turn(m, player)


def begin_turn(m: Match, player: Player) -> None:
    """The time used for a player's next move counts from here."""
    m.turn_began_ran_ns[player] = m.clock.at(m.t_ns).side(player).ran_ns


def complete(m: Match, colour: Colour) -> list[Entry]:
    """The moves that a side had not pressed for are complete; gives those moves."""
    owed = m.unpressed(colour)
    for entry in owed:
        entry.used_ms = m.used_ms(m.player_of(colour))
        if not entry.credited:
            credit(m, colour, m.number(entry))
        entry.pressed = entry.credited = True
    begin_turn(m, m.player_of(colour))
    return owed


def hand_over(m: Match) -> None:
    """Time goes to the side whose step it is; to a player who is not there yet whoever it is [8.5]."""
    away = next(iter(m.absent), None)
    m.run(m.acts if away is None else m.colour_of(away))


def deadline_ns(m: Match) -> int | None:
    """The next instant at which time alone changes something."""
    if m.phase != "playing":
        return None
    ends = [] if m.clock.next_event_ns is None else [m.clock.next_event_ns]
    if m.absent:
        ends.append(limit_ns(m) + 1)
    return min(ends, default=None)


def limit_ns(m: Match) -> int:
    """The last instant at which an absent player can still come: while the clocks stand nobody grows late."""
    return m.started_ns + m.late_ns + stopped_ns(m)


def stopped_ns(m: Match) -> int:
    """How long the clocks have stood since the round began."""
    return m.clock.at(m.t_ns).stopped_ns - m.stopped_before_ns


def time_comes(m: Match, t_ns: int) -> None:
    """Let time come to `t_ns`: periods and flags at their exact instants, and the limit for being late."""
    while (due := deadline_ns(m)) is not None and due <= t_ns:
        if m.absent and due > limit_ns(m):
            absence(m, due)
            break
        m.t_ns = max(m.t_ns, due)
        before = m.clock
        m.clock = m.clock.at(m.t_ns)
        for crossing in before.crossings(m.t_ns):
            if crossing.kind != "flag":
                side = m.colour_of(crossing.player)
                m.tell(PeriodUsed(t_ns=crossing.at_ns, side=side, left=crossing.periods_left))
        flags(m)
    m.t_ns = max(m.t_ns, t_ns)


def absence(m: Match, t_ns: int) -> None:
    """The limit for being late has passed: who is not there has lost, and no time after it is charged."""
    last_ns = limit_ns(m)
    m.clock = m.clock.stop(last_ns)
    m.t_ns = t_ns
    here = next((m.colour_of(p) for p in Player if p not in m.absent), None)
    m.end("absence", here, t_ns=last_ns, draw=False)


def flags(m: Match) -> None:
    """Tell the flags that have fallen; with `flag = "automatic"` the first ends the game.

    Whose fault the end of a shared limit is, no clock can tell: the clocks stand, and the arbiter decides.
    """
    for player in m.clock.fallen:
        fell_ns = m.clock.side(player).fell_ns
        if player in m.fallen or fell_ns is None:
            continue
        m.fallen.append(player)
        side = m.colour_of(player)
        m.tell(FlagFallen(t_ns=fell_ns, side=side))
        if m.clock.control.shared:
            m.pause("shared-limit")
        elif m.settings.flag == "automatic" and m.phase != "over":
            m.end("time", side.other, t_ns=fell_ns)


def account_ns(clock: Clock, player: Player) -> int:
    """All that a player has left, periods to come included."""
    books = clock.books
    return (books.first if player is Player.FIRST else books.second).left_ns


def tell_clock(m: Match, side: Colour, before: Clock, reason: str) -> None:
    """Tell the entry that a change of the clock made in one side's books."""
    player = m.player_of(side)
    added_ns = account_ns(m.clock, player) - account_ns(before.at(m.t_ns), player)
    added_ms = added_ns // MS if added_ns >= 0 else -(-added_ns // MS)  # what is undone is what was done
    left = m.clock.remaining_ns(player, m.t_ns) or 0
    m.tell(ClockSet(t_ns=m.t_ns, side=side, added_ms=added_ms, remaining_ms=left // MS, reason=reason))
    m.fallen = [p for p in m.fallen if p in m.clock.fallen]
    flags(m)


def tell_clocks(m: Match, side: Colour, before: Clock, reason: str) -> None:
    """Tell what a change of one side's clock made in the books; of a shared limit in both sides'."""
    tell_clock(m, side, before, reason)
    if m.clock.control.shared:
        tell_clock(m, side.other, before, reason)


def arrive(m: Match, colour: Colour) -> None:
    """A player is at the table: his lateness is his own time, and the right clock runs from now on [8.5].

    What has run of a limit that both share has run for him too.
    """
    player = m.player_of(colour)
    if player not in m.absent:
        return
    m.absent.discard(player)
    m.tell(Arrived(t_ns=m.t_ns, side=colour))
    if m.phase == "waiting":
        return
    late_ns = m.t_ns - m.started_ns - stopped_ns(m)
    side = m.clock.at(m.t_ns).side(player)
    unpaid_ns = late_ns - side.ran_ns - side.lent_ns
    if unpaid_ns > 0 and m.control.limited:
        before = m.clock
        m.clock = m.clock.add(player, -unpaid_ns, m.t_ns, "late")
        tell_clock(m, colour, before, "late")
    if m.phase != "over":
        hand_over(m)
