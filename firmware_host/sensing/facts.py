"""What a single point went through, before anybody asks what the hand meant.

The front ends (`linear`, `switches`) turn readings into these; `moves` turns these into board events.
`sign` is 1 for black, -1 for white, 0 where the sensors cannot tell. `strength` is the share of a sound
stone's reading, 1.0 for switches.
"""

from typing import Final, NamedTuple, Protocol

from firmware_host.board import Point
from firmware_host.sensing.settings import MS

AWAY_NS: Final = 1000 * MS
"""Nobody knows what happened between two frames that are so far apart."""


class Settled(NamedTuple):
    """A magnet has come to rest on a point.

    `contact_ns` is its first contact, `rise_ns` the instant at which half of it was there.
    """

    point: Point
    sign: int
    contact_ns: int
    rise_ns: int
    strength: float
    level: float = 1.0


class Passed(NamedTuple):
    """A magnet was on a point and gone again before it had settled; `left_ns` is when half of it was gone."""

    point: Point
    sign: int
    contact_ns: int
    rise_ns: int
    left_ns: int
    strength: float
    level: float = 1.0


class Left(NamedTuple):
    """A settled stone has left its point: it began to go at `begin_ns`, half of it was gone at `left_ns`."""

    point: Point
    begin_ns: int
    left_ns: int
    strength: float = 1.0
    level: float = 1.0


class Departure(NamedTuple):
    """How a magnet left a point: `level` is what it read there."""

    point: Point
    left_ns: int
    strength: float
    level: float


class Alarm(NamedTuple):
    """Readings of a point or a line cannot be trusted from now on (`over`: can be trusted again).

    `kind` as in `events.Fault`, or `interference` with neither point nor line.
    """

    kind: str
    point: Point | None = None
    line: str | None = None
    over: bool = False


Fact = Settled | Passed | Left | Alarm


class FrontEnd(Protocol):
    """Readings in, facts out."""

    def frame(self, t_ns: int, readings: bytes, lost: bool) -> list[Fact]:
        """Facts known with this frame; `lost` where frames are missing just before it."""

    def away(self, t_ns: int) -> None:
        """The frame of `t_ns`, which comes next, is the first for `AWAY_NS` or longer."""

    @property
    def started(self) -> bool:
        """Whether the stones that lay there at the start are known."""

    @property
    def idle(self) -> bool:
        """Whether nothing is under way at any point."""

    @property
    def due_ns(self) -> int:
        """Until this instant an equal frame changes nothing."""

    @property
    def pending_ns(self) -> int | None:
        """The earliest instant at which something undecided may turn out to have happened."""

    def signs(self) -> list[str]:
        """The stones as the sensors show them, 225 of `.XO?`."""

    def may_slide(self, left: Departure, fact: Settled | Passed) -> bool:
        """Whether the magnet that left one point can be the one of `fact`, pushed along the board."""

    def near(self, p: Point) -> bool:
        """Whether an undecided magnet is at `p` or beside it."""

    def sees(self, p: Point, sign: int) -> bool:
        """Whether the sensor of `p` itself still sees something of a magnet of this sign."""

    def lies_again(self, p: Point) -> bool:
        """Whether the stone that left `p` last is surely there again."""

    def frozen(self, p: Point) -> bool:
        """Whether the sensor of `p` shows no life just now: what it reads may be nothing."""

    def strays(self) -> int:
        """How many magnets are on the way where no stone lies."""

    @property
    def disturbed(self) -> bool:
        """Whether an outside field lies over the board."""

    def moving(self, t_ns: int) -> bool:
        """Whether a reading changes just now."""

    def rest(self) -> None:
        """After a scatter: take the board as it lies."""

    def expect(self, stones: str) -> None:
        """What should lie there, 225 of `.XO?`."""

    def mask(self, p: Point) -> None:
        """Believe nothing of a point."""

    def unmask(self, p: Point) -> None:
        """Believe it again."""

    @property
    def masked(self) -> frozenset[Point]:
        """Points that are not believed."""
