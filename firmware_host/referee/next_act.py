"""What a player does while the clocks stand: told, or, where nobody has to say so, the act that goes on.

While a correction lasts (`why == "correction"`) or a board is scattered the guide shows what belongs where.
Once the board equals the record the first contact of a stone of the side to move, or a press by the side
whose time it is, resumes at its own instant. So it does when the arbiter could not uphold a claim: that
rejects it. Every other stop (arbiter, call, restart, adjourned, a claim that can be upheld) needs its word.
Source: competition rules 4.2, 6.1, 6.3; `docs/rules.md`, "Irregular actions and their remedies".
"""

from firmware_host.board import Colour
from firmware_host.referee import claims, correction, draft, play
from firmware_host.referee.board_watch import watch
from firmware_host.referee.inputs import Command, Seat
from firmware_host.referee.state import EMPTY, Match
from firmware_host.sensing.events import Placed, Slid


def goes_on(m: Match) -> bool:
    """Whether the next act in turn resumes: the board is right, and no word is waited for."""
    if m.claim is None:
        return correction.complete(m)
    return m.claim == m.denied and m.stopped_for not in claims.NEEDS_ITS_WORD and correction.right(m)


def go_on(m: Match) -> None:
    """The clocks go on; a claim that could not be upheld is rejected by that."""
    if m.claim is not None:
        claims.reject(m, Command(t_ns=m.t_ns, do="reject"))
    else:
        correction.go_on(m)


def placed(m: Match, event: Placed) -> None:
    """A stone while the clocks stand: one of the side to move is its move where nobody has to resume."""
    if in_turn(m, event.colour) and m.sensed[event.point] == EMPTY and m.position[event.point] is None:
        go_on(m)
        play.placed(m, event)
    else:
        watch(m, event)


def slid(m: Match, event: Slid) -> None:
    """A stone pushed along while the clocks stand: a new one is played as `placed` says."""
    new = all(m.sensed[p] == EMPTY for p in event.path) and m.position[event.path[-1]] is None
    if new and in_turn(m, event.colour):
        go_on(m)
        play.slid(m, event)
    else:
        watch(m, event)


def in_turn(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone of this colour (None: not known) would be an act in turn that goes on."""
    if not goes_on(m):
        return False
    if m.step.do in ("set-up", "offers") and draft.takes(m, colour):
        return True
    return (colour or play.belongs(m)) is m.to_move


def press(m: Match, seat: Seat) -> None:
    """A press while the clocks stand: told, unless it goes on."""
    colour = m.colour_at(seat)
    if goes_on(m) and colour is (m.claim.side if m.claim else m.time_of):
        go_on(m)
        play.press(m, seat)
    else:
        m.told("press-while-stopped", side=colour)
