"""What the arbiter's snapshot has beside the public's: what can be claimed, was decided, and happened."""

from typing import Any, Final

import msgspec

from firmware_host.board import NAMES, Point
from firmware_host.record.game import Found, GameRecord
from firmware_host.referee.irregular import (
    FORBIDDEN,
    FORBIDDEN_CODES,
    IRREGULAR,
    claimable_until,
    remedy_of,
    row_of,
)
from firmware_host.wire import to_wire

TOLD_LIMIT: Final = 50
"""How many of the latest messages to the arbiter are in a snapshot, and of what happened."""

ARTICLES: Final[dict[str, str]] = {
    "penalty": "2.20", "violation": "2.20", "scattered": "4.2", "moved": "4.2", "missing-stone": "4.2",
    "put-back": "4.2", "colours": "5.2", "colours-stand": "5.2", "arrived": "8.4", "split": "8.1",
    "charge": "8.7", "clock-set": "8.8", "set_clock": "8.8", "set_used": "8.8", "add_time": "8.8",
}  # fmt: skip
"""The article about what a message tells, by its ruling, its code, its reason or its command."""


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """What only the arbiter sees of the table: `sensed` is 225 of `.XO?`, `faults` are texts (`stuck H8`)."""

    sensed: str = ""
    masked: frozenset[Point] = frozenset()
    faults: tuple[str, ...] = ()


def for_arbiter(record: GameRecord, table: TableView) -> dict[str, Any]:
    """The keys of the arbiter's snapshot that a record and the sensors give."""
    findings = (*record.irregular, *record.forbidden)
    told = [to_wire(ruling) for ruling in record.log[-TOLD_LIMIT:]]
    return {
        "declared": record.declared,
        "claimable": [_finding(record, found) for found in findings if found.claimable],
        "decisions": [
            {
                "entry": told.entry,
                "do": told.do,
                "by": told.by,
                "side": told.side,
                "what": told.what,
                "reason": told.reason,
                "undoes": told.undoes,
            }
            for told in record.decisions
        ],
        "differences": [
            {"point": NAMES[p], "record": held, "seen": seen} for p, held, seen in record.differences
        ],
        "faults": list(table.faults),
        "masked": [NAMES[p] for p in sorted(table.masked)],
        "told": told,
        "happened": _happened(record, findings, told),
        "sensed": table.sensed,
    }


def _finding(record: GameRecord, found: Found) -> dict[str, Any]:
    """One that was found: who did what where, article and remedy, by whom and until when it is claimed."""
    return {
        "code": found.code,
        "side": found.side,
        "point": None if found.point is None else NAMES[found.point],
        "n": found.n,
        "kind": found.kind,
        "rest": None if found.rest is None else NAMES[found.rest],
        "article": row_of(found.code, found.kind).article,
        "remedy": remedy_of(record.settings, found.code, found.kind),
        "by": record.doer(found).other,
        "until": claimable_until(record.settings, found.code, found.kind),
    }


def _happened(
    record: GameRecord, findings: tuple[Found, ...], told: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The newest of all that was told, found and ended, in the order of time, each with its article."""
    found = [
        {
            "ruling": "forbidden" if each.kind else "irregular",
            "t_ns": each.t_ns,
            "standing": each.standing,
            **_finding(record, each),
        }
        for each in findings
    ]
    ends = [] if record.result is None else [(record.result.t_ns, record.result.reason)]
    over = [{"ruling": "over", "t_ns": t_ns, "reason": reason} for t_ns, reason in ends]
    all_of_it = [*({**each, "article": _article(each)} for each in told), *found, *over]
    return sorted(all_of_it, key=lambda each: int(each["t_ns"]))[-TOLD_LIMIT:]


def _article(told: dict[str, Any]) -> str:
    """The article that a message of the record's log is about; empty where none is."""
    code = told.get("code")
    row = FORBIDDEN if code in FORBIDDEN_CODES else IRREGULAR.get(str(code))
    if row is not None:
        return row.article
    names = (told["ruling"], code, told.get("why"), told.get("do"))
    return next((ARTICLES[name] for name in names if name in ARTICLES), "")
