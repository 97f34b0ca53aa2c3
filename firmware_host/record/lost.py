"""What a record lost on its way through a format: the record before it against the one that comes back."""

from collections.abc import Callable
from typing import Any, Final

from firmware_host.record.game import GameRecord

THINGS: Final[dict[str, Callable[[GameRecord], Any]]] = {
    "moves, their order or their colours": lambda r: [(m.point, m.colour, m.missing) for m in r.moves],
    "times of moves": lambda r: [(m.used_ms, m.left_ms) for m in r.moves if m.used_ms or m.left_ms],
    "names of players": lambda r: (r.header.first.name, r.header.second.name),
    "ids, federations, ratings or titles of players": lambda r: [
        (p.id, p.federation, p.rating, p.title) for p in (r.header.first, r.header.second)
    ],
    "event, round, table, place, arbiter or date": lambda r: (
        r.header.event, r.header.round, r.header.table, r.header.place, r.header.arbiter, r.header.date,
    ),
    "match settings": lambda r: r.settings,
    "the opening, N, offers and choices of colours": lambda r: (
        r.opening, r.declared, r.offers, [(c.after, c.swap) for c in r.choices], r.branches,
    ),
    "irregular actions and forbidden moves": lambda r: [
        (f.code, f.kind, f.point, f.rest, f.standing) for f in (*r.irregular, *r.forbidden)
    ],
    "claims, penalties and decisions": lambda r: (r.claims, r.penalties, r.decisions),
    "corrections and former results": lambda r: (r.corrections, r.former_results, r.former_offers),
    "stops, clock changes and flags": lambda r: (r.stops, r.clock_changes, r.flags),
    "draw offers, arrivals and notices": lambda r: (r.draws, r.arrivals, r.notices, r.restarts),
    "the result or its reason": lambda r: (
        None if r.result is None else (r.result.winner, r.result.black, r.result.white, r.result.reason)
    ),
    "remarks": lambda r: [(remark.after, remark.text) for remark in r.remarks],
    "the journal's hash": lambda r: r.journal_head,
}  # fmt: skip
"""By what people call it; instants on the clock's axis and the log of rulings are no thing of their own."""

_NEW: Final = GameRecord()


def lost(record: GameRecord, back: GameRecord) -> tuple[str, ...]:
    """What `record` held and `back` does not hold as it was; what was never said cannot be lost."""
    return tuple(thing for thing, of in THINGS.items() if of(record) not in (of(back), of(_NEW)))
