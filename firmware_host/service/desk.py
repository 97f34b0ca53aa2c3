"""What the arbiter's page has to know of a referee: what can be ordered now, and what waits for an answer."""

from typing import Any

from firmware_host.board import NAMES, Colour
from firmware_host.referee.match import Referee
from firmware_host.referee.procedures import procedure_of


def desk_of(referee: Referee) -> dict[str, Any]:
    """What an arbiter can order in this phase, and what waits for an answer.

    `may`: names of commands; `may_resume`: whether nothing is in the way of that one; `may_place`: colours of
    which a stone can be entered; `undoable`: numbers of decisions that can be undone. `claim`: the claim that
    waits, and whether it can `stand`. `absent`: sides that are not there yet. `away_ms`: how long the board
    was off, while that can be charged.
    """
    claim = referee.claim
    named = claim and {
        "side": claim.side,
        "code": claim.code,
        "point": None if claim.point is None else NAMES[claim.point],
        "stands": referee.claim_stands,
    }
    return {
        "step": step_at_hand(referee),
        "to_move": referee.to_move if referee.over is None else None,
        "offers_wanted": referee.offers_wanted,
        "offers_range": offers_open(referee),
        "offers_left": [NAMES[p] for p in referee.offers if referee.sensed[p] != "."],
        "phase": referee.phase,
        "why": referee.why,
        "may": [*referee.open_orders, *(["start"] if referee.over is not None else [])],
        "may_resume": referee.may_resume,
        "may_place": [colour for colour in Colour if referee.may_place(colour)],
        "undoable": list(referee.undoable),
        "claim": named,
        "absent": sorted(referee.absent),
        "draw_offer": referee.draw_offer if referee.over is None else None,
        "violations": {side: referee.violations(side) for side in Colour},
        "wrong_claim": referee.settings.wrong_claim,
        "away_ms": referee.away_ms,
    }


def offers_open(referee: Referee) -> tuple[int, int] | None:
    """The fewest and most fifth offers that may be declared now; None when there is nothing to declare."""
    procedure = procedure_of(referee.settings)
    if referee.to_move is None or procedure.declaring is None or not referee.may_name_offers:
        return None
    return procedure.fewest_offers, procedure.most_offers


def step_at_hand(referee: Referee) -> dict[str, Any]:
    """The row of the opening's table that is at hand; `n` is the move that comes next, or its first one.

    `leads_to`: what the side to act does by playing on, where it has a choice.
    """
    step = referee.step
    return {
        "do": step.do,
        "side": step.side,
        "n": step.n or len(referee.entries) + 1,
        "where": step.where,
        "stones": step.stones,
        "choices": [choice.name for choice in step.choices],
        "leads_to": referee.next_step.do,
        "declares": step.declares and referee.offers_wanted is None,
        "article": step.article,
    }
