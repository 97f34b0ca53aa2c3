"""The strategies make what they say: records of every kind, and JSON holds each of them."""

from collections.abc import Callable
from typing import Final, get_args

from hypothesis import HealthCheck, Phase, given, settings

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


def test_records_of_every_kind_and_json_holds_them_all() -> None:
    found = set()

    @given(records())
    @settings(max_examples=80, phases=[Phase.generate], derandomize=True, deadline=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    def look(record: GameRecord) -> None:
        stones = [move.point for move in record.moves if move.point is not None]
        assert len(stones) == len(set(stones))
        assert [move.n for move in record.moves] == list(range(1, len(record.moves) + 1))
        assert all(remark.after <= len(record.moves) for remark in record.remarks)
        assert not record.offers or record.kept in (None, *record.offers)
        assert from_json(to_json(record)) == record
        found.update(kind for kind, holds in KINDS.items() if holds(record))

    look()
    assert found == set(KINDS)


def test_results_of_every_reason_and_double_forfeits() -> None:
    reasons, scores = set(), set()

    @given(RESULTS)
    @settings(max_examples=400, phases=[Phase.generate], derandomize=True, deadline=None)
    def look(result: Result) -> None:
        reasons.add(result.reason)
        scores.add((result.black, result.white))

    look()
    assert reasons == set(get_args(Reason))
    assert (0, 0) in scores
