"""Whether a game of the journal has ended."""

from typing import Any

import pytest

from firmware_host.referee.inputs import Tick
from firmware_host.referee.rulings import AnyRuling
from firmware_host.service.game import is_over
from firmware_host.service.journal_rows import Entry
from tests.referee.hands import Table


def journalled(*commands: tuple[str, dict[str, Any]]) -> list[Entry]:
    """What the journal holds of a round with these commands."""
    table = Table()
    entries = []
    for seq, (do, fields) in enumerate(commands, 1):
        rulings: list[AnyRuling] = table.say(do, **fields)
        entries.append(
            Entry(
                game=1,
                seq=seq,
                t_ns=table.t_ns,
                boot_id="",
                wall_ns=0,
                synchronised=False,
                given=Tick(t_ns=table.t_ns),
                rulings=tuple(rulings),
            )
        )
    return entries


RESULT = ("result", {"black": 1, "white": 0})
UNDONE = ("compensate", {"entry": 1})
REDONE = ("compensate", {"entry": 2})


@pytest.mark.parametrize(
    ("commands", "over"),
    [([], False), ([RESULT], True), ([RESULT, UNDONE], False), ([RESULT, UNDONE, REDONE], True)],
)
def test_a_game_whose_end_was_undone_is_not_over(commands: list[Any], over: bool) -> None:
    assert is_over(journalled(*commands)) is over
