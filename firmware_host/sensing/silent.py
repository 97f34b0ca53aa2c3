"""Lines of which nothing is seen at the start although stones should lie there: dead rather than cleared.

A switch that is open and one on a broken wire read the same. So the stones that should lie there decide:
hands that take stones away do not take just those of a whole line, and no others.
"""

from collections.abc import Callable
from typing import Final

from firmware_host.board import Point
from firmware_host.sensing.geometry import LINES

FEWEST: Final = 2
"""One stone alone that is not seen is taken for gone, or its sensor for dead: both are answered by hand."""
MOST: Final = 2
"""So many lines fail at once at most; where more would have to, the board was cleared."""


def silent_lines(expected: str, seen: Callable[[Point], bool]) -> list[str]:
    """The lines (`1`..`15`, `A`..`O`) that may be dead; `expected`: what should lie there, 225 of `.XO?`."""
    stones = {p for p, sign in enumerate(expected) if sign != "."}
    missing = {p for p in stones if not seen(p)}
    dark = [(name, missing.intersection(points)) for name, points in LINES if not any(map(seen, points))]
    found: list[str] = []
    while missing != stones and len(found) <= MOST:
        name, gone = max(dark, key=lambda line: len(line[1]), default=("", set[Point]()))
        if len(gone) < FEWEST:
            return found
        found.append(name)
        dark = [(other, points - gone) for other, points in dark]
    return []
