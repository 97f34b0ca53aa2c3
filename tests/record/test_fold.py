"""The record of whole games that a referee ruled: what happened can be read without knowing rulings."""

import typing
from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.record.fold import LOGGED, STEPS
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.values import DEEDS
from firmware_host.referee.rulings import AnyRuling, Audience
from tests.referee.hands import SET_UP, Table

P = parse_point
ANNA, BO = Person(name="Anna"), Person(name="Bo")
HEADER = Header(first=ANNA, second=BO)
THREE = "bH8 n wI9 f bJ10 n"


def folded(table: Table, audience: Audience = "arbiter") -> GameRecord:
    return GameRecord.new(HEADER, table.referee.settings, audience).fold_all(table.log)


def shown(values: tuple[Any, ...], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(getattr(value, name) for name in names) for value in values]


def test_every_kind_of_ruling_is_folded_into_values() -> None:
    assert set(STEPS) == set(typing.get_args(AnyRuling))
    assert set(LOGGED) <= set(STEPS)


# -- claims


@pytest.mark.parametrize(
    ("answer", "words"), [("uphold", "back to the first point"), ("reject", ""), ("waive", "")]
)
def test_a_claim_and_its_answer(answer: str, words: str) -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("claim", side="white", code="slide", point="E5")
    table.say(answer)
    (claim,) = folded(table).claims
    answered = {"uphold": "upheld", "reject": "rejected", "waive": "waived"}[answer]
    assert (claim.side, claim.code, claim.point, claim.answer) == (WHITE, "slide", P("E5"), answered)
    assert claim.answered_ns == claim.t_ns + 100_000_000
    assert bool(claim.words) is bool(words)
    assert folded(table, "public").claims == folded(table).claims


def test_a_claim_by_the_other_name_of_the_act_is_answered_too() -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("claim", side="white", code="replace", point="E6")
    table.say("uphold")
    assert shown(folded(table).claims, "side", "code", "answer") == [(WHITE, "replace", "upheld")]


def test_what_the_arbiter_answers_by_himself_is_no_claim_of_anybody() -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("claim", side="black", code="five")
    table.say("reject", code="slide", point="E5")
    record = folded(table)
    assert shown(record.claims, "side", "code", "answer") == [
        (BLACK, "five", None),
        (None, "slide", "rejected"),
    ]
    assert shown(folded(table, "public").claims, "code") == [("five",)]


def test_an_answer_that_was_undone_is_asked_for_again() -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("claim", side="white", code="slide", point="E5")
    table.say("waive")
    table.say("compensate", entry=1)
    (claim,) = folded(table).claims
    assert (claim.answer, claim.answered_ns) == (None, None)
    assert shown(folded(table).decisions, "entry", "undoes", "undone_by") == [(1, None, 2), (2, 1, None)]


def test_how_a_correction_was_carried_out_stands_with_its_claim() -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("claim", side="white", code="slide", point="E5")
    table.say("uphold")
    table.do("-bE6 bE5")
    assert shown(folded(table).claims, "answer", "correction") == [("upheld", "whole")]
    assert shown(folded(table, "public").claims, "answer", "correction") == [("upheld", None)]


# -- penalties and decisions


def test_penalties_with_what_they_took_and_who_gave_them() -> None:
    table = Table(time="5m")
    table.say("violation", side="black", reason="noise")
    table.say("penalty", side="white", kind="time", ms=10_000, by="chief")
    record = folded(table)
    assert shown(record.penalties, "side", "kind", "count", "reason", "by", "ms", "entry") == [
        (BLACK, "violation", 1, "noise", "arbiter", None, 1),
        (WHITE, "time", 0, "time", "chief", 10_000, 2),
    ]
    assert shown(record.clock_changes, "side", "added_ms", "left_ms", "reason") == [
        (WHITE, -10_000, 290_000, "penalty")
    ]
    assert folded(table, "public").penalties == ()
    assert shown(folded(table, "players").penalties, "kind", "entry") == [("violation", None), ("time", None)]


def test_a_violation_that_is_undone_and_done_again_is_one() -> None:
    table = Table()
    table.say("violation", side="black", reason="first")
    table.say("violation", side="black", reason="second")
    table.say("compensate", entry=1)
    record = folded(table)
    assert shown(record.penalties, "reason", "undone") == [("first", True), ("second", False)]
    assert (record.violations(BLACK), folded(table, "players").violations(BLACK)) == (1, 1)
    table.say("compensate", entry=3)
    record = folded(table)
    assert shown(record.penalties, "reason", "undone") == [("first", False), ("second", False)]
    assert (record.violations(BLACK), folded(table, "players").violations(BLACK)) == (2, 2)
    table.say("compensate", entry=4)
    assert shown(folded(table).penalties, "reason", "undone") == [("first", True), ("second", False)]
    assert shown(folded(table).decisions, "entry", "undone_by") == [
        (1, 3), (2, None), (3, None), (4, 5), (5, None),
    ]  # fmt: skip


def test_a_penalty_stays_its_players_after_a_swap_and_a_trade() -> None:
    table = Table(opening="designated", offers=1)
    table.say("violation", side="black")
    table.do(SET_UP)
    table.say("swap", side="white")
    record = folded(table)
    (penalty,) = record.penalties
    assert (record.who(penalty), record.doer(penalty), record.violations(WHITE)) == (ANNA, WHITE, 1)
    table = Table()
    table.say("violation", side="black")
    table.do(THREE)
    table.say("colours", decision="restart")
    record = folded(table)
    (penalty,) = record.penalties
    assert shown(record.restarts, "why", "traded") == [("colours", True)]
    assert (record.name(BLACK), record.who(penalty), record.violations(WHITE)) == ("Bo", ANNA, 1)


# -- the clocks


def test_stops_with_why_and_until_when() -> None:
    table = Table(time="5m")
    table.do("bH8 n fc +1000")
    table.say("resume")
    table.say("adjourn")
    table.do("+5000")
    table.say("resume")
    table.do("wI9 f")
    table.say("pause")
    record = folded(table)
    assert shown(record.stops, "why", "side", "running") == [
        ("call", WHITE, WHITE),
        ("adjourned", None, WHITE),
        ("arbiter", None, None),
    ]
    call, adjourned, last = record.stops
    assert (call.until_ns or 0) - call.t_ns == 1_100_000_000
    assert (adjourned.until_ns or 0) - adjourned.t_ns == 5_100_000_000
    assert last.until_ns is None
    assert record.adjournments == (adjourned,)


def test_flags_and_periods() -> None:
    table = Table(time="1s + 2x1s byo-yomi")
    table.do("+5000")
    record = folded(table)
    assert shown(record.flags, "side", "periods_left") == [(BLACK, 2), (BLACK, 1), (BLACK, None)]
    assert record.result is not None
    assert record.result.reason == "time"


# -- people


def test_draws_arrivals_and_notes() -> None:
    table = Table(start=False, time="5m", late="5m")
    table.say("start", absent="white")
    table.do("+2000")
    table.say("arrive", side="white")
    table.do("bH8 n")
    table.say("draw", side="white", answer="offer")
    table.say("draw", side="black", answer="refuse")
    table.say("note", text="appeal: noise in the hall", side="white")
    record = folded(table)
    assert shown(record.arrivals, "side") == [(WHITE,)]
    assert shown(record.draws, "side", "answer") == [(WHITE, "refuse")]
    assert shown(record.remarks, "after", "text", "side") == [(1, "appeal: noise in the hall", WHITE)]
    public = folded(table, "public")
    assert (public.draws, public.remarks) == ((), ())


def test_what_was_told_and_refused_is_a_notice() -> None:
    table = Table()
    table.do("n")
    table.say("uphold", code="slide")
    record = folded(table)
    assert shown(record.notices, "code", "side") == [("press-without-stone", BLACK), ("refused", None)]
    assert record.notices[-1].text == "uphold: no slide was found"
    assert folded(table, "public").notices == ()


def test_a_board_that_was_accepted_as_it_lay() -> None:
    table = Table()
    table.do(THREE)
    table.say("restore", reason="restart")
    table.see(X="H8", O="I9")
    table.say("accept_board")
    (taken,) = [notice for notice in folded(table).notices if notice.code == "accepted"]
    assert taken.points == ((P("J10"), BLACK, None),)
    assert shown(folded(table).stops, "why") == [("restart",)]


# -- the opening and the result


def test_offers_that_were_put_right_and_branches() -> None:
    table = Table(opening="rif-classic")
    table.do("bH8 wI9 bJ8 n wI7 f bJ9 bF10 n")
    record = folded(table)
    assert (record.offers, record.former_offers) == ((P("J9"), P("F10")), ())
    table.say("moved", decision="replay")
    record = folded(table)
    assert (record.offers, shown(record.former_offers, "points")) == ((), [((P("J9"), P("F10")),)])
    assert shown(record.restarts, "why") == [("replay",)]


def test_the_branch_of_an_opening_is_known() -> None:
    table = Table(opening="swap2")
    table.do("bH8 wI9 bJ10 n")
    table.say("choose", side="white", branch="add")
    table.do("wA1 bB2 f")
    assert shown(folded(table).branches, "after", "side", "branch") == [(3, WHITE, "add")]


def test_a_result_that_was_replaced_or_undone_is_kept() -> None:
    table = Table()
    table.say("resign", side="black")
    table.say("result", black=0.5, white=0.5)
    table.say("compensate", entry=2)
    record = folded(table)
    assert record.result is not None
    assert record.result.reason == "resignation"
    assert shown(record.former_results, "reason", "black") == [("resignation", 0.0), ("arbiter", 0.5)]
    table.say("compensate", entry=1)
    assert folded(table).result is None


def test_a_record_for_the_public_holds_no_deed_that_is_for_the_arbiter() -> None:
    table = Table(time="5m")
    table.do("bE5>E6 n n")
    table.say("violation", side="black")
    table.say("note", text="a note")
    assert [name for name in DEEDS if getattr(folded(table, "public"), name)] == []
    assert [name for name in DEEDS if getattr(folded(table), name)] == [
        "irregular",
        "penalties",
        "decisions",
        "notices",
    ]
