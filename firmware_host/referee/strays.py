"""Stones out of turn that lie on the board: no moves, until the opponent plays on and they are [6.2].

`Match.strays` holds each with its finding. While a clock runs, one that is taken up is one no more. While the
clocks stand stones come and go; before they go on, or the board is accepted, or a finding is waived, each is
looked for on the board. Source: competition rules 4.1, 6.2; `docs/rules.md`, section 5.
"""

from firmware_host.board import Colour, Point
from firmware_host.referee.board_watch import CHARS, COLOURS, in_the_way
from firmware_host.referee.entries import Entry
from firmware_host.referee.state import Match


def lies(m: Match, stray: Entry) -> bool:
    """Whether a stone out of turn is seen where it was put, as far as the sensors can tell."""
    p = stray.point
    return p is not None and (p in m.blind or m.sensed[p] in (CHARS[stray.colour], CHARS[None]))


def lying_on(m: Match, p: Point) -> bool:
    """Whether a stone out of turn lies on a point."""
    return any(stray.point == p and lies(m, stray) for stray, _ in m.strays)


def keep_true(m: Match) -> bool:
    """What lies there no more is no stone out of turn; put elsewhere while the clocks stood, it lies there.

    True if one is gone. Of stones of one colour it does not matter which is which; where more have come than
    were taken up, none is taken for one of them.
    """
    astray = [(stray, matter) for stray, matter in m.strays if not lies(m, stray)]
    come = in_the_way(m) if astray and m.phase == "stopped" else ()
    before = len(m.strays)
    for side in Colour:
        places = [p for p, held, seen in come if held is None and seen in (side, COLOURS["?"])]
        its = [found for found in astray if found[0].colour is side]
        if len(places) > len(its):
            places = []
        for (stray, matter), p in zip(its, places, strict=False):
            stray.point = stray.first = p
            m.rests(matter, p)
        for gone, _ in its[len(places) :]:
            m.told("taken-back", gone.point, side)
            taken(m, gone.point)
    return len(m.strays) < before


def taken(m: Match, p: Point | None) -> None:
    """The stone out of turn on a point is gone, if one lay there: no time runs on its account now [4.1]."""
    for stray, matter in m.strays:
        if stray.point == p:
            m.strays.remove((stray, matter))
            matter.until = m.clock.at(m.t_ns)
            return
