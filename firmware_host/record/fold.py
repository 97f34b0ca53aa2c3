"""What folds a ruling into a record: a table with a step `(record, ruling) -> record` for every kind.

What the audience of a record may not know never comes here (`GameRecord.fold`).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from firmware_host.record.fold_findings import FINDINGS
from firmware_host.record.fold_moves import MOVES
from firmware_host.record.fold_table import TABLE
from firmware_host.referee.rulings import (
    AnyRuling,
    Arrived,
    Called,
    Chosen,
    Claimed,
    ClockSet,
    Decided,
    Differs,
    DrawOffer,
    FlagFallen,
    Lapsed,
    Paused,
    Penalised,
    PeriodUsed,
    PressWithoutStone,
    Refused,
    Rejected,
    Reopened,
    Restarted,
    Restored,
    Resumed,
    Told,
    Upheld,
    Waived,
)

if TYPE_CHECKING:
    from firmware_host.record.game import GameRecord

LOGGED: Final = (
    Arrived, Chosen, PressWithoutStone, Lapsed, Claimed, Upheld, Rejected, Waived, Called, Paused, Resumed,
    ClockSet, FlagFallen, PeriodUsed, DrawOffer, Differs, Restored, Told, Penalised, Decided, Restarted,
    Reopened, Refused,
)  # fmt: skip
"""What the record keeps as it was ruled, too; of moves, findings and the result only the values."""

STEPS: Final[dict[type[AnyRuling], Callable[["GameRecord", Any], "GameRecord"]]] = {
    **MOVES,
    **FINDINGS,
    **TABLE,
}
