"""What a player does while the clocks stand: told, or, where nobody has to say so, the act that goes on.

While a correction lasts (`why == "correction"`) or a board is scattered the guide shows what belongs where.
Once the board equals the record the first contact of a stone of the side to move, its pass or its choice, or
a press by the side whose time it is, resumes at its own instant. So it does when the arbiter could not uphold
a claim: that rejects it. Every other stop (arbiter, call, restart, adjourned, a claim that can be upheld)
needs its word.
Source: competition rules 4.2, 6.1, 6.3; `docs/rules.md`, "Irregular actions and their remedies".
"""

from typing import Final

from firmware_host.board import Colour
from firmware_host.clock import MS
from firmware_host.referee import claims, correction, draft, play
from firmware_host.referee.board_watch import in_the_way, watch
from firmware_host.referee.inputs import Command, Seat
from firmware_host.referee.state import EMPTY, Match
from firmware_host.sensing.events import Placed, Slid

WHOSE: Final = "whose"
"""Why the clocks stand where stones came unseen and nobody knows whose they are."""
UNNOTICED_NS: Final = 1_000 * MS
"""The clocks stand since the frame with those stones: a press so soon after it is one of play."""
BETWEEN: Final = ("call", "claim")
"""Why a player stops the clocks who has seen a press without a stone; the stone may still be in the hand."""


def goes_on(m: Match) -> bool:
    """Whether the next act in turn resumes: the board is right, and no word is waited for."""
    if m.claim is None:
        return correction.complete(m)
    by_itself = m.stopped_for in claims.OVER_WITH_THE_ANSWER
    return m.claim == m.denied and claims.hollow(m) and by_itself and correction.right(m)


def go_on(m: Match) -> None:
    """The clocks go on; a claim that could not be upheld is rejected by that."""
    if m.claim is not None:
        claims.reject(m, Command(t_ns=m.t_ns, do="reject"))
    else:
        correction.go_on(m)


def placed(m: Match, event: Placed) -> None:
    """A stone while the clocks stand: one of the side to move is its move where nobody has to resume."""
    new = m.sensed[event.point] == EMPTY and m.position[event.point] is None
    judged = new and is_judged(m, event.colour)
    if new and not judged and event.colour is None and m.why == WHOSE and event.point not in m.blind:
        m.of_nobody[event.point] = event.t_ns if event.since_ns is None else event.since_ns
    (play.placed if judged else watch)(m, event)


def slid(m: Match, event: Slid) -> None:
    """A stone pushed along while the clocks stand: a new one is played as `placed` says."""
    new = all(m.sensed[p] == EMPTY for p in event.path) and m.position[event.path[-1]] is None
    (play.slid if new and is_judged(m, event.colour) else watch)(m, event)


def is_judged(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone of this colour (None: not known) is judged as in play; one in turn goes on first.

    One out of turn is found, and the clocks stand on, until the opponent goes on and so accepts it [6.2].
    """
    if not goes_on(m):
        return was_pressed_for(m, colour)
    if in_turn(m, colour):
        go_on(m)
        return True
    return not (m.drafting or m.removal_open)


def was_pressed_for(m: Match, colour: Colour | None) -> bool:
    """Whether a stone is the one that its side pressed for before the clocks were stopped [6.1.8]."""
    if m.awaited is None or m.why not in BETWEEN or m.guiding or in_the_way(m):
        return False
    return draft.takes(m, colour) if m.step.drafted else (colour or m.awaited) is m.awaited


def in_turn(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone of this colour (None: not known) is an act of the side to move."""
    if m.step.do in ("set-up", "offers") and draft.takes(m, colour):
        return True
    return (colour or play.belongs(m)) is m.to_move


def spoken(m: Match) -> bool:
    """Whether a side can pass or choose by word now: a clock runs, or goes on by that."""
    return m.phase == "playing" or goes_on(m)


def press(m: Match, seat: Seat) -> None:
    """A press while the clocks stand: told, unless it goes on."""
    colour = m.colour_at(seat)
    if goes_on(m) and colour is (m.claim.side if m.claim else m.time_of):
        go_on(m)
        play.press(m, seat)
    elif m.why == WHOSE and m.of_nobody and colour is m.time_of and m.t_ns - m.asked_ns <= UNNOTICED_NS:
        play.press(m, seat)
    else:
        m.told("press-while-stopped", side=colour)
