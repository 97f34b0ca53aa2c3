"""The irregular actions: one row each with its article and remedy; and a matter, one of them that happened.

Source: competition rules 6, 2.21, 4.2; `docs/rules.md`, "Irregular actions and their remedies".
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from firmware_host.board import Colour, Point
from firmware_host.clock import Clock, Player
from firmware_host.referee.entries import Entry
from firmware_host.referee.rulings import ForbiddenKind
from firmware_host.referee.settings import MatchSettings


class Kind(NamedTuple):
    """A row of the table: the article that names the action, what upholding it leads to, who finds it.

    `point`: where the remedy puts things right, in words. `until`: how long the opponent can claim it [6.2].
    """

    article: str
    remedy: str
    sensed: bool
    point: str = ""
    until: str = "the opponent plays on"


WHILE_IT_LIES: Final = "the opponent plays on, or the stone is taken away"

IRREGULAR: Final[dict[str, Kind]] = {
    "first-not-tengen": Kind("6.1.1", "the stone is moved to H8", True, "H8"),
    "not-an-opening": Kind(
        "6.1.2", "the opening is set up again; a single stone is taken back", True, "the stone concerned"
    ),
    "offers-not-declared": Kind("6.1.3", "the number of offers must be given", False),
    "offers-wrong": Kind("2.10", "the offers are put right", True),
    "wrong-removal": Kind("2.10", "the removal is put right", True),
    "out-of-turn": Kind("4.1", "it is taken back, and the clocks are set back", True, "the stone, if any"),
    "early-pass": Kind("2.21", "a move must be made", True),
    "double-move": Kind("6.1.4", "the second stone is taken back", True, "the second stone"),
    "slide": Kind(
        "6.1.5", "back to the first intersection that the stone touched", True, "that intersection"
    ),
    "replace": Kind("6.1.6", "back to the first empty point that the stone was put on", True, "that point"),
    "drop": Kind("6.1.7", "the stone is taken back and any point may be chosen", False, "the fallen stone"),
    "clock-first": Kind("6.1.8", "the clocks are set back to the press", True, "the stone that came late"),
    "wrong-hand": Kind("6.1.8", "the hand that plays presses", False),
    "bad-draw-offer": Kind("6.1.9", "the offer does not stand", True),
    "bad-adjust": Kind("6.1.10", "stones are straightened in one's own time after notice", True, "the stone"),
    "occupied": Kind("4.2", "the stone is taken back", True, "the stone below", WHILE_IT_LIES),
    "wrong-colour": Kind("4.1", "the stone is taken back", True, "the stone", WHILE_IT_LIES),
}
"""Code -> its row. `sensed`: the controller can find it by itself."""

FORBIDDEN: Final = Kind("2.19", "Black has lost", True, "the stone", "White plays on")
"""The row of a forbidden move."""

AT_ANY_TIME: Final = "the game is over"
"""Until when an overline can be claimed with `overline_claim = "any-time"`."""

LOSS: Final = "the side that did it has lost"
"""The remedy of `drop` and `replace` where their setting is `loss`."""

LYING: Final = ("occupied", "wrong-colour")
"""Actions that are nothing but a stone that lies there: found once, and gone when it is taken away."""

SEEN: Final = (
    *(code for code, row in IRREGULAR.items() if not row.sensed),
    *LYING,
    "bad-adjust",
    "bad-draw-offer",
)
"""What people see, whether or not the sensors felt it: entered when the arbiter upholds or waives it."""

SAME_ACT: Final = {"slide": "replace", "replace": "slide"}
"""Two names for a stone that came to lie elsewhere: nobody need know whether it left the board."""


def row_of(code: str, kind: ForbiddenKind | None) -> Kind:
    """The row of a finding; `kind` is set for a forbidden move, whose code is none of the table's."""
    return FORBIDDEN if kind else IRREGULAR.get(code, FORBIDDEN)


def claimable_until(settings: MatchSettings, code: str, kind: ForbiddenKind | None) -> str:
    """Until when a finding can be claimed, in words."""
    if kind == "overline" and settings.overline_claim == "any-time":
        return AT_ANY_TIME
    return row_of(code, kind).until


def remedy_of(settings: MatchSettings, code: str, kind: ForbiddenKind | None = None) -> str:
    """What upholding a claim leads to, in words."""
    lost = {"replace": settings.replace, "drop": settings.drop}.get(code) == "loss"
    return LOSS if lost else row_of(code, kind).remedy


FORBIDDEN_CODES: Final = ("double-three", "double-four", "overline", "forbidden")
"""What a claim may call a forbidden move; it is judged by its point, whichever kind is named."""

OTHER_CLAIMS: Final = ("five", "flag")

CLAIM_CODES: Final = (*IRREGULAR, *FORBIDDEN_CODES, *OTHER_CLAIMS)

Standing = Literal["open", "claimed", "upheld", "rejected", "waived", "lapsed", "gone"]


@dataclass(eq=False, slots=True)
class Matter:
    """An irregular action or a forbidden move that was found, and what has become of it.

    `player` did it, as `side` at that time; `entry` is the move it belongs to, if any. A remedy gives back
    what ran from `clock` to `until`, None as long as that is not over. `kind` is set for a forbidden move.
    `standing` "gone": the stone left.
    """

    code: str
    player: Player
    side: Colour
    t_ns: int
    point: Point | None = None
    rest: Point | None = None
    entry: Entry | None = None
    kind: ForbiddenKind | None = None
    clock: Clock | None = None
    until: Clock | None = None
    standing: Standing = "open"
    revealed: bool = False

    @property
    def claimable(self) -> bool:
        """Whether it can still be claimed, upheld, rejected or waived."""
        return self.standing in ("open", "claimed")

    @property
    def article(self) -> str:
        """The article that names it."""
        return row_of(self.code, self.kind).article

    def answers_to(self, code: str | None, point: Point | None) -> bool:
        """Whether a claim of `code` at `point` (None: not named) means this matter."""
        named = code is None or code == self.code or (self.kind is not None and code in FORBIDDEN_CODES)
        return named and (point is None or point in (self.point, self.rest))

    def meant_by(self, code: str | None, point: Point | None) -> bool:
        """Whether `code` at `point` is this matter under its own name or the other one of the same act."""
        return self.answers_to(code, point) or self.answers_to(SAME_ACT.get(code or "", code), point)
