"""What hands and sensors did: the events of the board, in the board's own coordinates.

`t_ns` of every event is the instant that orders it among presses and commands: the first contact of a
stone, the beginning of a lift, the end of a slide. Names are past participles.
"""

import msgspec

from firmware_host.board import Colour, Point


class BoardEvent(msgspec.Struct, frozen=True, tag_field="event", kw_only=True):
    """Root of the board events."""

    t_ns: int


class Placed(BoardEvent, frozen=True, tag="placed"):
    """A stone settled; `t_ns` is its first contact. `colour` is None where the sensors cannot tell.

    `since_ns`: the last instant at which it surely did not lie there, the frame before; None where unknown.
    """

    point: Point
    colour: Colour | None
    since_ns: int | None = None


class Lifted(BoardEvent, frozen=True, tag="lifted"):
    """A settled stone left its point; `t_ns` is the beginning of the lift, until which it was seen there."""

    point: Point
    colour: Colour | None


class Slid(BoardEvent, frozen=True, tag="slid"):
    """A stone crossed to a neighbouring point without leaving the board.

    `path` holds every point from the first contact to the rest; `t_ns` is the arrival at the last one. A
    slide that rests on the way is told again with the longer path.
    """

    path: tuple[Point, ...]
    colour: Colour | None
    first_contact_ns: int


class Adjusted(BoardEvent, frozen=True, tag="adjusted"):
    """A stone was lifted or nudged and is back on its point; `t_ns` is the beginning."""

    point: Point
    colour: Colour | None


class Scattered(BoardEvent, frozen=True, tag="scattered"):
    """Several settled stones moved at once; `points` are those that stones left. A `Seen` follows at rest."""

    points: tuple[Point, ...]


class Seen(BoardEvent, frozen=True, tag="seen"):
    """The stones that are there: 225 characters, `.` empty, `X` black, `O` white, `?` colour unknown.

    `since_ns`: several of them came after this instant, while no frame told; no sensor says whose they are.
    """

    stones: str
    since_ns: int | None = None


class Fault(BoardEvent, frozen=True, tag="fault"):
    """A sensor or a whole line of them cannot be trusted and is masked: exactly one of point and line is set.

    `line` is `1`..`15` (a rank) or `A`..`O`; `kind`: stuck, noisy, dead, closed-at-start,
    or silent: a line that showed no stone at the start, where several should lie, may be dead.
    """

    kind: str
    point: Point | None = None
    line: str | None = None


class Cleared(BoardEvent, frozen=True, tag="cleared"):
    """A fault or an interference is over; both None: the interference."""

    point: Point | None = None
    line: str | None = None


class Interference(BoardEvent, frozen=True, tag="interference"):
    """A magnetic field from outside lies over the board; nothing is decided from readings under it."""


class Weak(BoardEvent, frozen=True, tag="weak"):
    """A stone whose magnet is weak: it counts, and the arbiter is told."""

    point: Point


class FramesLost(BoardEvent, frozen=True, tag="frames-lost"):
    """`count` frames are known to be missing before `t_ns`; a missing frame is never an empty board.

    The first loss is told at once, what is lost soon after it in bundles (`losses`).
    """

    count: int


AnyBoardEvent = (
    Placed | Lifted | Slid | Adjusted | Scattered | Seen | Fault | Cleared | Interference | Weak | FramesLost
)
