"""Claims, and what the arbiter makes of them (docs/rules.md, section 5)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.referee.irregular import SEEN
from firmware_host.referee.rulings import (
    Claimed,
    Decided,
    Over,
    Paused,
    Penalised,
    Rejected,
    Resumed,
    Revealed,
    Upheld,
    Waived,
)
from tests.referee.hands import DOUBLE_THREE, Table


def test_a_claim_stops_the_clocks_and_reveals_what_it_names() -> None:
    table = Table(time="5m")
    table.do("bH8 n wE5>E6 f +1000")
    table.say("claim", side="black", code="slide", point="E5")
    assert [(c.code, c.side, c.audience) for c in table.of(Claimed)] == [("slide", BLACK, "public")]
    assert [(r.code, r.why) for r in table.of(Revealed)] == [("slide", "claimed")]
    before = table.left()
    table.do("+5000")
    assert table.left() == before
    assert table.referee.phase == "paused"


def test_a_waived_stone_out_of_turn_stands() -> None:
    table = Table()
    table.do("bH8 n bJ9")
    table.say("waive", code="out-of-turn", point="J9", side="white")
    assert (table.moves, table.differences()) == ("H8 J9", [])
    assert [w.code for w in table.of(Waived)] == ["out-of-turn"]


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no forbidden move there": ("bH8 n", {"code": "double-three", "point": "H8"}, "makes no forbidden move"),
    "lapsed": ("bH8 n wE5>E6 f bA1", {"code": "slide", "point": "E5"}, "has lapsed and can no longer"),
    "nothing found": ("bH8 n", {"code": "slide", "point": "H8"}, "no slide at H8 was found"),
    "no five": ("bH8 n", {"code": "five"}, "there is no five on the board"),
    "no five there": ("bH8 n", {"code": "five", "point": "H8"}, "H8 is in no five"),
    "no flag": ("bH8 n", {"code": "flag"}, "no flag has fallen"),
}


@pytest.mark.parametrize(("script", "fields", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_upheld_is_refused_in_one_sentence_and_changes_nothing(
    script: str, fields: dict[str, Any], why: str
) -> None:
    table = Table()
    table.do(script)
    phase, record = table.referee.phase, table.moves
    (refused,) = table.say("uphold", **fields)
    assert why in refused.why
    assert (table.referee.phase, table.moves) == (phase, record)


def test_after_a_rejected_claim_the_game_goes_on_on_the_claimant_s_time() -> None:
    table = Table(time="5m")
    table.do("bH8 n wE5>E6")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("reject")
    assert [r.code for r in table.of(Rejected)] == ["slide"]
    assert [r.running for r in table.of(Resumed)] == [BLACK]
    assert [type(r).__name__ for r in table.say("uphold", code="slide", point="E5")] == ["Refused"]


def test_what_the_arbiter_rejects_before_anybody_claims_it_is_told_to_nobody_else() -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("reject", code="slide", point="E5")
    assert [(r.code, r.audience) for r in table.of(Rejected)] == [("slide", "arbiter")]
    assert not [r for r in table.rulings if r.audience != "arbiter"]


@pytest.mark.parametrize(("setting", "violations"), [("none", 0), ("violation", 1), ("time", 0)])
def test_a_wrong_claim_costs_what_the_event_says(setting: str, violations: int) -> None:
    table = Table(wrong_claim=setting)
    table.do("bH8 n")
    table.say("claim", side="white", code="double-three", point="H8")
    table.say("reject")
    assert len(table.of(Penalised)) == violations


def test_a_second_claim_waits_for_the_first() -> None:
    table = Table()
    table.do("bH8 n")
    table.say("claim", side="white", code="wrong-hand")
    assert [r.do for r in table.say("claim", side="black", code="flag")] == ["claim"]
    assert [r.why for r in table.say("resume")] == [
        "white has claimed wrong-hand: uphold, reject or waive that first"
    ]
    table.say("uphold")
    table.say("resume")
    assert table.referee.phase == "playing"


def test_what_only_a_person_sees_enters_when_it_is_upheld() -> None:
    table = Table()
    table.do("bH8 n wA1")
    table.say("claim", side="black", code="drop", point="A1")
    assert table.irregular == []
    table.say("uphold")
    assert table.irregular == [("drop", "A1")]
    assert table.moves == "H8"
    table.do("-wA1")
    table.say("resume")
    table.do("wB2 f")
    assert table.moves == "H8 B2"


def test_a_player_cannot_waive_his_own_action() -> None:
    table = Table()
    table.do("bH8 n wE5>E6")
    assert [type(r).__name__ for r in table.say("waive", by="far", code="slide")] == ["Refused"]
    assert [type(r).__name__ for r in table.say("waive", by="near", code="slide")] == [
        "Waived",
        "Revealed",
        "Decided",
    ]


def test_upholding_without_a_claim_pauses_the_game() -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("uphold", code="slide", point="E5")
    assert [p.why for p in table.of(Paused)] == ["correction"]
    assert table.referee.position[parse_point("E5")] is BLACK


def test_a_claimed_slide_does_not_lapse_by_a_stone_that_the_arbiter_enters() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("place", point="A1", colour="black")
    assert [m.standing for m in table.referee.matters] == ["claimed"]


@pytest.mark.parametrize("do", ["reject", "waive"])
def test_an_answer_to_nothing_is_refused(do: str) -> None:
    assert [r.do for r in Table().say(do, code="slide")] == [do]


def test_a_waived_claim_lets_the_game_go_on() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("waive")
    assert (table.referee.phase, table.moves) == ("playing", "H8 E6")


def test_a_rejected_claim_waits_for_the_board_when_that_has_changed() -> None:
    table = Table()
    table.do("bH8 n")
    table.say("claim", side="white", code="double-three", point="H8")
    table.do("-bH8")
    table.say("reject")
    assert (table.referee.phase, table.referee.why) == ("paused", "arbiter")


def test_nobody_claims_what_he_did_himself() -> None:
    table = Table()
    table.do("bE5>E6")
    table.say("claim", side="black", code="slide", point="E5")
    assert not table.of(Revealed)


def test_upholding_something_else_leaves_the_claim_waiting() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 wJ9 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("uphold", code="double-move", point="J9")
    table.do("-wJ9")
    assert [r.why for r in table.say("resume")] == [
        "black has claimed slide: uphold, reject or waive that first"
    ]


@pytest.mark.parametrize("mode", ["claim", "automatic"])
def test_nobody_profits_by_claiming_his_own_action(mode: str) -> None:
    table = Table(forbidden=mode)
    table.do("bE5>E6")
    table.say("claim", side="black", code="slide", point="E5")
    if mode == "claim":
        assert [r.why for r in table.say("uphold")] == ["black did it, and only white can claim it"]
        table.say("reject")
    assert [r.code for r in table.of(Rejected)] == ["slide"]
    assert [x.code for x in table.referee.claimable] == ["slide"], "White can still claim it"


def test_time_for_a_wrong_claim_is_what_the_arbiter_says() -> None:
    table = Table(time="5m", wrong_claim="time")
    table.do("bH8 n")
    table.say("claim", side="white", code="double-three", point="H8")
    assert "a wrong claim costs" in table.say("reject", ms=0)[0].why
    before = table.left()
    table.say("reject", ms=30_000)
    assert table.left() == (before[0], before[1] - 30_000)
    assert [(p.side, p.kind, p.reason) for p in table.of(Penalised)] == [(WHITE, "time", "wrong claim")]
    assert table.referee.phase == "playing"


@pytest.mark.parametrize("setting", ["none", "violation"])
def test_a_wrong_claim_costs_time_only_where_the_event_says_so(setting: str) -> None:
    table = Table(time="5m", wrong_claim=setting)
    table.do("bH8 n")
    table.say("claim", side="white", code="double-three", point="H8")
    assert [type(r).__name__ for r in table.say("reject", ms=30_000)] == ["Refused"]
    assert table.referee.paused


def test_time_for_a_wrong_claim_may_end_the_game() -> None:
    table = Table(time="20s", wrong_claim="time")
    table.do("bH8 n")
    table.say("claim", side="white", code="double-three", point="H8")
    table.say("reject", ms=30_000)
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "time")]


def test_a_claim_during_a_scattered_board_leaves_it_stopped() -> None:
    table = Table()
    table.do("bH8 n wI9 f bJ10 n")
    table.scatter("H8", "I9")
    table.say("claim", side="white", code="double-three", point="J10")
    table.say("reject")
    assert (table.referee.phase, table.referee.why) == ("restoring", "scattered")


@pytest.mark.parametrize("code", [code for code in SEEN if code != "offers-not-declared"])
@pytest.mark.parametrize("claimed", [True, False])
def test_what_people_see_is_upheld_with_and_without_a_claim(code: str, claimed: bool) -> None:
    table = Table()
    table.do("bH8 n wI9 f")
    point = {} if code in ("wrong-hand", "bad-draw-offer") else {"point": "I9"}
    if claimed:
        table.say("claim", side="black", code=code, **point)
    table.say("uphold", code=code, **point)
    assert [(u.code, u.side) for u in table.of(Upheld)] == [(code, WHITE)]
    assert table.irregular == [(code, point.get("point"))]
    taken = code in ("drop", "occupied", "wrong-colour")
    assert table.moves == ("H8" if taken else "H8 I9")
    table.do("-wI9 wJ9 f bA1" if taken else "bA1")
    assert table.moves == ("H8 J9 A1" if taken else "H8 I9 A1")


@pytest.mark.parametrize("code", SEEN)
def test_what_was_only_claimed_and_is_rejected_was_not_found(code: str) -> None:
    table = Table()
    table.do("bH8 n wI9 f")
    point = {} if code in ("wrong-hand", "offers-not-declared", "bad-draw-offer") else {"point": "I9"}
    table.say("claim", side="black", code=code, **point)
    table.say("reject")
    record = GameRecord.new(Header(), table.referee.settings).fold_all(table.log)
    assert (table.irregular, record.irregular) == ([], ())
    assert not table.referee.paused


@pytest.mark.parametrize("code", ["drop", "wrong-hand"])
def test_the_opponent_of_what_people_see_is_not_the_one_to_waive_it(code: str) -> None:
    table = Table()
    table.do("bH8 n wI9 f")
    table.say("claim", side="black", code=code, point="I9")
    assert [r.do for r in table.say("waive", by="far")] == ["waive"]
    assert table.irregular == []
    table.say("waive", by="near")
    assert table.irregular == [(code, "I9")]


@pytest.mark.parametrize(
    ("script", "said", "claim"),
    [
        (DOUBLE_THREE + " wA9 f", (), {"side": "white", "code": "double-three", "point": "G8"}),
        ("bH8 n wE5>E6 f bA1 n", (), {"side": "black", "code": "slide", "point": "E5"}),
        ("bH8 n wE5>E6 f", ("waive",), {"side": "black", "code": "slide", "point": "E6"}),
        ("bH8 n wE5>E6 f", ("waive",), {"side": "black", "code": "replace", "point": "E5"}),
    ],
)
def test_a_claim_of_what_all_know_to_be_past_is_refused_at_once(
    script: str, said: tuple[str, ...], claim: dict[str, Any]
) -> None:
    table = Table(time="5m")
    table.do(script)
    for word in said:
        table.say(word)
    (refused,) = table.say("claim", **claim)
    assert (refused.do, "can no longer be claimed" in refused.why) == ("claim", True)
    assert not table.referee.paused


def test_a_rejection_that_nobody_was_told_of_refuses_no_claim() -> None:
    table = Table()
    table.do(DOUBLE_THREE)
    table.say("reject", code="double-three")
    table.say("claim", side="white", code="double-three", point="G8")
    assert table.referee.paused


ON = {"resume": "", "stone": "wB3", "press": "f", "reject": ""}


@pytest.mark.parametrize("on", ON)
def test_a_claim_that_could_not_be_upheld_is_rejected_by_going_on(on: str) -> None:
    table = Table(time="5m", wrong_claim="violation")
    table.do("bH8 n wI9 f bJ10 n +1000")
    table.say("claim", side="white", code="double-three", point="J10")
    assert [r.do for r in table.say("uphold")] == ["uphold"]
    table.do("+5000")
    if ON[on]:
        table.do(ON[on])
    else:
        table.say(on)
    assert [(r.code, r.audience) for r in table.of(Rejected)] == [("double-three", "public")]
    assert [(p.side, p.kind) for p in table.of(Penalised)] == [(WHITE, "violation")]
    assert not table.referee.paused
    assert table.referee.time_of is (BLACK if on == "press" else WHITE)
    table.do("wB3" if on == "press" else "")
    assert table.moves == ("H8 I9 J10 B3" if on in ("press", "stone") else "H8 I9 J10")


def test_resuming_rejects_a_claim_of_nothing_and_no_claim_of_something() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    assert [r.do for r in table.say("resume")] == ["resume"]
    table.say("reject")
    table.say("claim", side="black", code="double-move")
    table.say("resume")
    assert [r.code for r in table.of(Rejected)] == ["slide", "double-move"]
    assert [d.do for d in table.of(Decided)] == ["reject", "resume"]
    assert not table.referee.paused


def test_nobody_plays_on_over_a_claim_that_the_arbiter_has_not_looked_at() -> None:
    table = Table()
    table.do("bH8 n wI9 f bJ10 n")
    table.say("claim", side="white", code="double-three", point="J10")
    table.do("wB3 f")
    assert (table.moves, table.referee.paused) == ("H8 I9 J10", True)


@pytest.mark.parametrize(("found", "said"), [("wE5>E6", "replace"), ("wE5 -wE5 wE6", "slide")])
def test_slide_and_replace_stand_for_each_other(found: str, said: str) -> None:
    real = "slide" if said == "replace" else "replace"
    for answer in ("uphold", "waive"):
        table = Table()
        table.do(f"bH8 n {found} f")
        table.say("claim", side="black", code=said, point="E5")
        table.say(answer, code=said, point="E5")
        assert table.irregular == [(real, "E5")]
        assert [x.standing for x in table.referee.matters] == ["upheld" if answer == "uphold" else "waived"]
        assert table.moves == ("H8 E5" if answer == "uphold" else "H8 E6")
    table = Table()
    table.do(f"bH8 n {found} f")
    table.say("reject", code=said, point="E5")
    assert [x.standing for x in table.referee.matters] == ["rejected"]


def test_who_was_wrong_about_the_name_alone_may_claim_again() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="replace", point="E5")
    table.say("reject")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("uphold")
    assert table.moves == "H8 E5"


def test_a_claim_means_what_the_opponent_did_even_if_the_claimant_did_the_like_since() -> None:
    table = Table()
    table.do("bE5>E6 n wG5>G6")
    table.say("claim", side="white", code="slide")
    table.say("reject")
    assert [(x.side, x.standing) for x in table.referee.matters] == [(BLACK, "lapsed"), (WHITE, "open")]
    table.say("claim", side="black", code="slide")
    table.say("uphold")
    assert table.moves == "E6 G5"


def test_rejecting_what_nobody_has_claimed_is_no_answer_to_the_claim_that_waits() -> None:
    table = Table(time="5m")
    table.do("bH8 n wE5>E6 f ~wE6")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("reject", code="bad-adjust", point="E6")
    assert [(r.code, r.audience) for r in table.of(Rejected)] == [("bad-adjust", "arbiter")]
    assert table.referee.why == "claim"
    table.say("uphold")
    assert [(u.code, u.point) for u in table.of(Upheld)] == [("slide", parse_point("E5"))]
