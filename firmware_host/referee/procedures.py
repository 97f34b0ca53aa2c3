"""Opening procedures as tables: who does what, where, in which order, until play is free.

The referee, the console and the documentation read the same rows. A step says what is done, which colour does
it, where its stones may lie, and the article or the rule that it comes from:

| do | what |
|---|---|
| `set-up` | the side lays all the `stones`; judged as a whole at its press; one move for the clock |
| `choice` | the side makes one of the `choices` by word; playing on is the first of them |
| `move` | one stone of the side, judged at its press or when the opponent plays on |
| `fifth` | the side lays one stone (`one`) or the offers (`ten`); its press decides if it has not said |
| `offers` | the side lays N fifth stones; judged as a whole at its press; one move for the clock |
| `removal` | the side leaves one of them, plays its move and presses; judged as a whole at that press |
| `play` | alternate play; always last |

A choice with `stones` can be made by laying them: all are its branch, the side's own alone its first choice.
A swap is one move for the clock [2.1]. The time is always that of the side whose step is at hand, so after a
choice it is the time of the side that the next step names, whoever holds that colour then.
Source: competition rules 2.1, 2.9, 2.10, 3.2, 3.3; RIF for the procedures that have its name; swap2 is
gomoku's. `docs/rules.md`, "Opening procedures".
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from firmware_host.board import BLACK, POINTS, WHITE, Colour, Point
from firmware_host.errors import ConfigError
from firmware_host.referee.settings import MatchSettings
from firmware_host.rules import CENTRAL

Do = Literal["set-up", "choice", "move", "fifth", "offers", "removal", "play"]
Where = Literal["anywhere", "opening", "tengen", "3x3", "5x5", "7x7", "9x9"]

SQUARES: Final[Mapping[Where, frozenset[Point]]] = {
    "anywhere": frozenset(range(POINTS)),
    "opening": frozenset(range(POINTS)),
    "tengen": CENTRAL[1],
    "3x3": CENTRAL[3],
    "5x5": CENTRAL[5],
    "7x7": CENTRAL[7],
    "9x9": CENTRAL[9],
}
"""Where -> the points that a stone may lie on; an `opening` is judged by the shape of its three."""


class Choice(NamedTuple):
    """One choice: its name, what it does with the colours, and the label of the step that follows.

    `branch`: nothing, it says how the opening goes on. Without a label the next step follows.
    """

    name: str
    does: Literal["keep", "swap", "branch"]
    to: str = ""


class Step(NamedTuple):
    """One row of a procedure; `side` is None where both act by turns. `n`: the move that its first stone is.

    `stones`: what a set-up, or the branch of a choice, lays, in the order of the moves. `declares`: the side
    names N with this step.
    """

    do: Do
    side: Colour | None
    article: str
    n: int = 0
    where: Where = "anywhere"
    stones: tuple[Colour, ...] = ()
    choices: tuple[Choice, ...] = ()
    declares: bool = False
    label: str = ""

    @property
    def drafted(self) -> bool:
        """Whether its stones come and go as the side likes until the press."""
        return self.do in ("set-up", "fifth", "offers")

    @property
    def undecided(self) -> bool:
        """Whether it is a choice that can be made by what is laid."""
        return self.do == "choice" and bool(self.stones)


class Procedure(NamedTuple):
    """Steps, and the fewest and most fifth offers that may be named (0, 0: there are none)."""

    steps: tuple[Step, ...]
    fewest_offers: int = 0
    most_offers: int = 0

    def after(self, index: int, choice: Choice) -> int:
        """The step that follows a choice made in step `index`."""
        if not choice.to:
            return index + 1
        return next(i for i, step in enumerate(self.steps) if step.label == choice.to)

    @property
    def declaring(self) -> Step | None:
        """The step with which N is named; None where N is fixed, or there are no offers."""
        return next((step for step in self.steps if step.declares), None)


PLAY: Final = Step("play", None, "4.1", label="play")
SHAPE: Final = (BLACK, WHITE, BLACK)
ADDED: Final = (WHITE, BLACK)
KEEP: Final = Choice("keep", "keep")
SWAP: Final = Choice("swap", "swap")

MOST_OFFERS: Final = 221
"""The points that four stones leave empty."""


def _choice(side: Colour, article: str, *choices: Choice, stones: tuple[Colour, ...] = ()) -> Step:
    return Step("choice", side, article, choices=choices or (KEEP, SWAP), stones=stones)


def _opening(article: str, *, declares: bool = True) -> tuple[Step, ...]:
    return (
        Step("set-up", BLACK, "3.2", 1, "opening", SHAPE, declares=declares),
        _choice(WHITE, "2.9"),
        Step("move", WHITE, "4.1", 4),
        *_offers(article),
        PLAY,
    )


def _offers(article: str) -> tuple[Step, ...]:
    return (
        Step("offers", BLACK, article, 5, label="offers"),
        Step("removal", WHITE, article, 6),
    )


SOOSYRV: Final = "RIF, Soosyrv-8"
TARAGUCHI: Final = "RIF, Taraguchi-10"
TARANNIKOV: Final = "RIF, Tarannikov"
SWAP2: Final = "gomoku, swap2"

PROCEDURES: Final[dict[str, Procedure]] = {
    "free": Procedure((Step("play", None, "3.3"),)),
    "designated": Procedure(_opening("2.10"), 1, MOST_OFFERS),
    "rif-classic": Procedure(_opening("professional rules", declares=False), 2, 2),
    "yamaguchi": Procedure(_opening("RIF, Yamaguchi"), 1, 12),
    "soosyrv-8": Procedure(
        (
            Step("set-up", BLACK, SOOSYRV, 1, "opening", SHAPE),
            _choice(WHITE, SOOSYRV),
            Step("move", WHITE, SOOSYRV, 4, declares=True),
            _choice(BLACK, SOOSYRV),
            *_offers(SOOSYRV),
            PLAY,
        ),
        1,
        8,
    ),
    "taraguchi-10": Procedure(
        (
            Step("move", BLACK, TARAGUCHI, 1, "tengen"),
            _choice(WHITE, TARAGUCHI),
            Step("move", WHITE, TARAGUCHI, 2, "3x3"),
            _choice(BLACK, TARAGUCHI),
            Step("move", BLACK, TARAGUCHI, 3, "5x5"),
            _choice(WHITE, TARAGUCHI),
            Step("move", WHITE, TARAGUCHI, 4, "7x7"),
            _choice(
                BLACK, TARAGUCHI,
                KEEP, Choice("swap", "swap", "one"), Choice("one", "branch", "one"),
                Choice("ten", "branch", "offers"),
            ),
            Step(
                "fifth", BLACK, TARAGUCHI, 5,
                choices=(Choice("one", "branch", "one"), Choice("ten", "branch", "offers")),
            ),
            Step("move", BLACK, TARAGUCHI, 5, "9x9", label="one"),
            _choice(WHITE, TARAGUCHI, Choice("keep", "keep", "play"), Choice("swap", "swap", "play")),
            *_offers(TARAGUCHI),
            PLAY,
        ),
        10,
        10,
    ),
    "tarannikov": Procedure(
        (
            Step("move", BLACK, TARANNIKOV, 1, "tengen"),
            _choice(WHITE, TARANNIKOV),
            Step("move", WHITE, TARANNIKOV, 2, "3x3"),
            _choice(BLACK, TARANNIKOV),
            Step("move", BLACK, TARANNIKOV, 3, "5x5"),
            _choice(WHITE, TARANNIKOV),
            Step("move", WHITE, TARANNIKOV, 4, "7x7"),
            _choice(BLACK, TARANNIKOV),
            Step("move", BLACK, TARANNIKOV, 5, "9x9"),
            _choice(WHITE, TARANNIKOV),
            PLAY,
        )
    ),
    "swap2": Procedure(
        (
            Step("set-up", BLACK, SWAP2, 1, stones=SHAPE),
            _choice(
                WHITE, SWAP2,
                Choice("white", "keep", "play"), Choice("black", "swap", "play"), Choice("add", "branch"),
                stones=ADDED,
            ),
            Step("set-up", WHITE, SWAP2, 4, stones=ADDED),
            _choice(BLACK, SWAP2, Choice("black", "keep", "play"), Choice("white", "swap", "play")),
            PLAY,
        )
    ),
}  # fmt: skip
"""The procedures by name. The side that may choose is the one that did not place the last stone."""

SWAP_BY_SETTING: Final = ("designated", "rif-classic", "yamaguchi")
"""Where `designated_swap` decides whether there is a choice of colours at all (`docs/rules.md`, 10)."""


def procedure_of(settings: MatchSettings) -> Procedure:
    """The procedure that a match names; raises ConfigError for a wrong N, or one that has no table.

    N of a match without fifth offers is ignored, so that the opening of a recorded match can be overridden.
    """
    procedure = PROCEDURES.get(settings.opening)
    if procedure is None:
        raise ConfigError("match.opening", settings.opening, ", ".join(PROCEDURES))
    wanted = settings.offers if procedure.most_offers else None
    if wanted is not None and not offers_allowed(procedure, wanted):
        raise ConfigError("match.offers", wanted, offers_range(procedure))
    if settings.designated_swap == "no" and settings.opening in SWAP_BY_SETTING:
        procedure = procedure._replace(steps=tuple(s for s in procedure.steps if s.do != "choice"))
    if settings.free_first == "tengen" and settings.opening == "free":
        first = Step("move", BLACK, "general rules 1", 1, "tengen")
        procedure = procedure._replace(steps=(first, *procedure.steps))
    return procedure


def offers_allowed(procedure: Procedure, offers: int) -> bool:
    """Whether N may be `offers`."""
    return procedure.fewest_offers <= offers <= procedure.most_offers and offers > 0


def offers_range(procedure: Procedure) -> str:
    """What N may be, in words."""
    if not procedure.most_offers:
        return "nothing: there are no fifth offers in this opening"
    if procedure.fewest_offers == procedure.most_offers:
        return str(procedure.most_offers)
    return f"{procedure.fewest_offers} to {procedure.most_offers}"
