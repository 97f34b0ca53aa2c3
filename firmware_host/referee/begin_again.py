"""The game begins again from an empty board: wrong colours put right, or a game that is to be replayed.

Source: competition rules 4.2, 5.2; `docs/rules.md`, section 5.
"""

from firmware_host.board import BLACK, Colour
from firmware_host.clock import Clock
from firmware_host.referee import timing
from firmware_host.referee.board_watch import guide
from firmware_host.referee.rulings import Restarted
from firmware_host.referee.state import Match, lapsed, other_seat


def begin_again(m: Match, why: str, *, trade: bool = False) -> None:
    """Back to before move 1 with the clocks as given; `trade`: the players hold the other colours.

    The clocks stand and the guide asks for an empty board; the game begins by `resume`.
    """
    for matter in m.matters:
        if matter.claimable:
            matter.standing = "lapsed"
            m.tell(lapsed(m, matter))
            m.reveal(matter, "lapsed")
    m.claim = None
    if m.entries:
        m.unmove(m.entries[0])
    colours_as_at_start(m, trade=trade)
    clocks_reset(m, why)
    m.clear_board()
    m.tolerated.clear()
    m.offers_n = m.offers_at_start
    m.time_of = BLACK
    tell_restart(m, why, traded=trade)
    guide(m, "arbiter")


def trade_before_start(m: Match) -> None:
    """The colours are put right before the round; nothing else has begun."""
    colours_as_at_start(m, trade=True)
    tell_restart(m, "colours", traded=True)


def colours_as_at_start(m: Match, *, trade: bool) -> None:
    """Colours and seats as the game began; `trade`: and as it should have begun."""
    if trade:
        m.black_at_start = m.black_at_start.other
        if m.settings.swap == "seats":
            m.seats_at_start = {player: other_seat(seat) for player, seat in m.seats_at_start.items()}
    m.black, m.seats = m.black_at_start, dict(m.seats_at_start)


def clocks_reset(m: Match, reason: str) -> None:
    """Both sides have what the time control gives, by an entry in the books of each [5.2]."""
    before = m.clock.stop(m.t_ns)
    given = Clock.new(m.control)
    if given.control.shared and not before.control.shared:
        given = given.split(m.t_ns)
    m.clock = before.set_back(given, m.t_ns, reason)
    m.fallen = []
    for side in Colour if m.control.limited else ():
        timing.tell_clock(m, side, before, reason)


def tell_restart(m: Match, why: str, *, traded: bool) -> None:
    """Tell that the record is empty, and who is Black where."""
    m.tell(Restarted(t_ns=m.t_ns, why=why, black_seat=m.seats[m.black], traded=traded))
