"""The rows of the openings' tables, as the arbiter's snapshot tells them."""

from typing import Any

from firmware_host.referee.procedures import PROCEDURES


def step(opening: str, index: int) -> dict[str, Any]:
    """Step `index` of a procedure."""
    steps = PROCEDURES[opening].steps
    row = steps[index]
    choices = [choice.name for choice in row.choices]
    following = PROCEDURES[opening].after(index, row.choices[0]) if choices else index + 1
    n = row.n or steps[following].n or 6
    return row._asdict() | {"n": n, "choices": choices, "leads_to": steps[following].do}
