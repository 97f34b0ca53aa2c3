"""A correction that was made: the game goes on by the next act in turn, and what was left undone is told.

While a correction lasts (`why == "correction"`) the guide shows what belongs where. Once the board equals the
record nobody has to say so: the first contact of a stone of the side to move, or a press by the side whose
time it is, resumes at its own instant. Every other stop (arbiter, call, claim, scattered, restart, adjourned)
needs its word. Source: competition rules 6.1, 6.3; `docs/rules.md`, "Irregular actions and their remedies".
"""

from typing import Literal

from firmware_host.board import Colour
from firmware_host.referee import opening, play
from firmware_host.referee.board_watch import differences, forget_hands, watch
from firmware_host.referee.inputs import Seat
from firmware_host.referee.state import EMPTY, Match
from firmware_host.sensing.events import Placed, Slid

Correction = Literal["whole", "part", "refused"]


def complete(m: Match) -> bool:
    """Whether the match stands for a correction alone, and the board is what the record holds."""
    waits = m.claim is not None or m.guiding or m.unseen
    return m.phase == "stopped" and m.why == "correction" and not waits and not differences(m)


def without_arbiter(m: Match) -> None:
    """In club play (`forbidden = "automatic"`) the clocks go on as soon as a correction is complete."""
    if m.settings.forbidden == "automatic" and complete(m):
        go_on(m)


def go_on(m: Match) -> None:
    """The clocks go on, with what lies on the board."""
    forget_hands(m)
    opening.draft_from_board(m)
    opening.close_put_right(m)
    m.resume()


def placed(m: Match, event: Placed) -> None:
    """A stone while the clocks stand: after a correction one of the side to move is its move."""
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
    """Whether a new stone of this colour (None: not known) would be an act in turn after a correction."""
    if not complete(m):
        return False
    if m.step.do in ("set-up", "offers") and opening.takes(m, colour):
        return True
    return (colour or play.belongs(m)) is m.to_move


def press(m: Match, seat: Seat) -> None:
    """A press while the clocks stand: told, unless it goes on after a correction."""
    colour = m.colour_at(seat)
    if colour is m.time_of and complete(m):
        go_on(m)
        play.press(m, seat)
    else:
        m.told("press-while-stopped", side=colour)
