"""The strategies make what they say: records of every kind, and JSON holds each of them."""

from collections.abc import Callable
from typing import Final, get_args

from hypothesis import HealthCheck, Phase, find, given, settings

from firmware_host.record.game import GameRecord
from firmware_host.record.json_format import from_json, to_json
from firmware_host.record.values import DEEDS, Result
from firmware_host.referee.rulings import Reason
from tests.record.arbitrary_records import RESULTS, records

KINDS: Final[dict[str, Callable[[GameRecord], bool]]] = {
    "a pass": lambda r: any(move.point is None and not move.missing for move in r.moves),
    "a stone not seen": lambda r: any(move.missing for move in r.moves),
    "two in a row": lambda r: any(a.colour is b.colour for a, b in zip(r.moves, r.moves[1:], strict=False)),
    "more than a hundred moves": lambda r: len(r.moves) > 100,
    "a swap": lambda r: r.swapped,
    "offers, one of which stayed": lambda r: len(r.offers) > 1 and r.kept is not None,
    "a remark with brackets": lambda r: any("]" in remark.text for remark in r.remarks),
    "a rating": lambda r: r.header.first.rating is not None,
    "findings": lambda r: bool(r.irregular) and bool(r.forbidden),
    **{name: lambda r, name=name: bool(getattr(r, name)) for name in (*DEEDS, "log", "corrections")},  # type: ignore[misc]
}


UNTIL_ALL = settings(
    max_examples=5000,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
"""Examples are drawn until everything has been met, which takes some hundreds at most."""


@given(records())
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_records_are_sound_and_json_holds_all_of_them(record: GameRecord) -> None:
    stones = [move.point for move in record.moves if move.point is not None]
    assert len(stones) == len(set(stones))
    assert [move.n for move in record.moves] == list(range(1, len(record.moves) + 1))
    assert all(remark.after <= len(record.moves) for remark in record.remarks)
    assert not record.offers or record.kept in (None, *record.offers)
    assert from_json(to_json(record)) == record


def test_records_of_every_kind() -> None:
    met: set[str] = set()

    def all_met(record: GameRecord) -> bool:
        met.update(kind for kind, holds in KINDS.items() if holds(record))
        return met == set(KINDS)

    find(records(), all_met, settings=UNTIL_ALL)
    assert met == set(KINDS)


def test_results_of_every_reason_and_double_forfeits() -> None:
    met: set[object] = set()
    wanted = {*get_args(Reason), (0, 0)}

    def all_met(result: Result) -> bool:
        met.update((result.reason, (result.black, result.white)))
        return wanted <= met

    find(RESULTS, all_met, settings=UNTIL_ALL)
    assert wanted <= met
