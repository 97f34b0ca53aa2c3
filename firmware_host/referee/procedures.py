"""Opening procedures as tables: who does what, in which order, until play is free.

A procedure is a row of steps. A step says what is done, which colour does it, and the article it comes from:

| do | what |
|---|---|
| `set-up` | the side lays the three stones of an opening; judged at its press; one move for the clock |
| `choice` | the side may swap (one move for the clock), keep by word, or keep by playing its move |
| `move` | one stone of the side |
| `offers` | the side lays N fifth stones; judged as a whole at its press; one move for the clock |
| `removal` | the side leaves one of them, plays its move and presses; judged as a whole at that press |
| `play` | alternate play; always last |

Source: competition rules 2.9, 2.10, 3.2, 3.3; `docs/rules.md`, "Opening procedures".
"""

from typing import Final, Literal, NamedTuple

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.errors import ConfigError
from firmware_host.referee.settings import MatchSettings

Do = Literal["set-up", "choice", "move", "offers", "removal", "play"]


class Step(NamedTuple):
    """One row of a procedure; `side` is None where both act by turns."""

    do: Do
    side: Colour | None
    article: str


class Procedure(NamedTuple):
    """Steps, and the fewest and most fifth offers that may be named (0, 0: there are none)."""

    steps: tuple[Step, ...]
    fewest_offers: int = 0
    most_offers: int = 0


PLAY: Final = Step("play", None, "4.1")

_OPENING: Final = (
    Step("set-up", BLACK, "3.2"),
    Step("choice", WHITE, "2.9"),
    Step("move", WHITE, "4.1"),
    Step("offers", BLACK, "2.10"),
    Step("removal", WHITE, "2.10"),
    PLAY,
)

MOST_OFFERS: Final = 221
"""The points that four stones leave empty."""

PROCEDURES: Final[dict[str, Procedure]] = {
    "free": Procedure((Step("play", None, "3.3"),)),
    "designated": Procedure(_OPENING, 1, MOST_OFFERS),
    "rif-classic": Procedure(_OPENING, 2, 2),
    "yamaguchi": Procedure(_OPENING, 1, 12),
}


def procedure_of(settings: MatchSettings) -> Procedure:
    """The procedure that a match names; raises ConfigError for one that is not supported, or a wrong N.

    N of a match without fifth offers is ignored, so that the opening of a recorded match can be overridden.
    """
    procedure = PROCEDURES.get(settings.opening)
    if procedure is None:
        raise ConfigError(
            "match.opening", settings.opening, f"{', '.join(PROCEDURES)} (the others are not supported yet)"
        )
    wanted = settings.offers if procedure.most_offers else None
    if wanted is not None and not offers_allowed(procedure, wanted):
        raise ConfigError("match.offers", wanted, offers_range(procedure))
    if settings.designated_swap == "no":
        procedure = procedure._replace(steps=tuple(s for s in procedure.steps if s.do != "choice"))
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
