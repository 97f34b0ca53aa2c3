"""The messages of the public feed: what kind each is, and the game that every one of them holds whole.

A reader can be as naive as it likes: it may take nothing from a message but the game and show that, since no
message says only what is different. `kind` and `ply` are for readers that want to know what has happened.
"""

from typing import Any, Final, Literal

import msgspec

from firmware_host.feed.snapshot import ClockView, clock_of

Kind = Literal["snapshot", "begin", "move", "revise", "clock", "change", "end"]

KINDS: Final[dict[Kind, str]] = {
    "snapshot": "the game as it is now, for a reader that joins or missed messages; nothing has happened",
    "begin": "another game is on the board",
    "move": "a move was made, the one with the number `ply`",
    "revise": "what was told is corrected: from the move `ply` on, or, with `ply` null, the result",
    "clock": "nothing but the clocks: the other side's runs, they stand, time was given, a period is used up",
    "change": "anything else: colours were swapped, offers made, a finding became known",
    "end": "the game is over; there is one such message a game, also if its result is changed afterwards",
}
"""Every kind of message, and what it says has happened."""

TIMED: Final = ("clock", "phase", "moves")
"""What of a game may differ when nothing but the clocks has changed; of the moves only the times used."""


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """What a message says beside the game.

    `feed` and `seq`: the message's id is `feed-seq`; `seq` counts the changes of this feed without a gap, and
    a snapshot has that of the newest one. `released_at`: when the message was released, UTC by the board's
    clock, which is only as right as `synchronised` says; the clocks of the game are those of this instant,
    or with a delay those of `delay_s` before it. `resync`: this snapshot stands for messages that
    were missed.
    """

    kind: Kind
    ply: int | None
    feed: str
    seq: int
    released_at: str
    synchronised: bool
    delay_s: int
    resync: bool


def body_of(game: dict[str, Any]) -> bytes:
    """What stays the same of a message's text while its clocks run."""
    return msgspec.json.encode({key: value for key, value in game.items() if key != "clock"})


def message(envelope: Envelope, body: bytes, clock: ClockView) -> bytes:
    """The text of a message: the keys of the envelope and of the game beside each other, in one object."""
    head = msgspec.json.encode(envelope)
    return b'%b,%b,"clock":%b}' % (head[:-1], body[1:-1], msgspec.json.encode(clock_of(clock)))


def kind_of(before: dict[str, Any] | None, now: dict[str, Any], *, ended: bool) -> tuple[Kind, int | None]:
    """What has happened between two publications, and to which move; `ended`: an end was told already."""
    if before is None or before["id"] != now["id"]:
        return ("end" if now["result"] and not ended else "begin"), None
    old, new = _plies(before), _plies(now)
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    other = new[same:] or old[same:]
    ply = other[0][0] if other else None
    if now["result"] and not ended:
        return "end", ply
    if same < len(old) or (ended and before["result"] != now["result"]):
        return "revise", ply
    if ply is not None:
        return "move", ply
    same_but_times = all(before[key] == now[key] for key in now if key not in TIMED)
    return ("clock" if same_but_times else "change"), None


def _plies(game: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The moves without their times."""
    return [(m["n"], m["point"], m["colour"], m.get("missing", False)) for m in game["moves"]]
