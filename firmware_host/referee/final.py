"""What the game is at the end, as one JSON object: the last line of a replay."""

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


def final(referee: Referee, now_ns: int | None = None) -> dict[str, Any]:
    """What stands under `final`, as of `now_ns` or the last instant ruled.

    Times are exact milliseconds; they and the periods are None without a limit.
    """
    now = referee.now_ns if now_ns is None else now_ns
    over, clock = referee.over, referee.clock
    remaining: dict[str, int | float] = {}
    periods: dict[str, int] = {}
    for colour in Colour:
        player = referee.player_of(colour)
        left_ns, left = clock.remaining_ns(player, now), clock.periods_left(player, now)
        if left_ns is not None and left is not None:
            remaining[str(colour)] = exact_ms(left_ns)
            periods[str(colour)] = left
    return {
        "moves": moves(referee),
        "irregular": [
            {"code": matter.code, "point": _name(matter.point)}
            for matter in referee.matters
            if matter.kind is None
        ],
        "winner": over.winner if over else None,
        "result": dict(over.result) if over else None,
        "reason": over.reason if over else None,
        "remaining_ms": remaining or None,
        "periods_left": periods or None,
    }
