"""The last line of a replay: what the game is at the end, as one JSON object."""

from typing import Any

from firmware_host.board import Colour, Point, point_name
from firmware_host.clock import MS
from firmware_host.referee.match import Referee


def _name(p: Point | None) -> str | None:
    return None if p is None else point_name(p)


def exact_ms(ns: int) -> int | float:
    """Milliseconds of `ns` without loss: whole where it is whole."""
    whole, rest = divmod(ns, MS)
    return ns / MS if rest else whole


def moves(referee: Referee) -> list[str | None]:
    """The moves in order, up to a fifth move that is still on offer; None for a pass or an open entry."""
    found: list[str | None] = []
    for entry in referee.entries:
        if entry.kind == "offers":
            break
        found.append(_name(entry.point))
    return found


def final(referee: Referee) -> dict[str, Any]:
    """`{"final": {...}}` as of the last instant ruled; times in exact milliseconds, None without a limit."""
    over, clock, now = referee.over, referee.clock, referee.now_ns
    remaining: dict[Colour, int | float] = {}
    periods: dict[Colour, int] = {}
    for colour in Colour:
        player = referee.player_of(colour)
        left_ns, left = clock.remaining_ns(player, now), clock.periods_left(player, now)
        if left_ns is not None and left is not None:
            remaining[colour] = exact_ms(left_ns)
            periods[colour] = left
    return {
        "final": {
            "moves": moves(referee),
            "irregular": [
                {"code": matter.code, "point": _name(matter.point)}
                for matter in referee.matters
                if matter.kind is None
            ],
            "winner": over.winner if over else None,
            "result": dict(over.result) if over else None,
            "reason": over.reason if over else None,
            "remaining_ms": {str(c): remaining[c] for c in Colour} if remaining else None,
            "periods_left": {str(c): periods[c] for c in Colour} if periods else None,
        }
    }
