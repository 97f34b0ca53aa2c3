"""Claims, answers and remedies (docs/rules.md, section 5)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.record.game import GameRecord, Header
from firmware_host.referee.irregular import IRREGULAR, SEEN
from firmware_host.referee.rulings import (
    Claimed,
    ClockSet,
    Decided,
    Differs,
    Over,
    Paused,
    Penalised,
    Rejected,
    Restored,
    Resumed,
    Revealed,
    Unmoved,
    Upheld,
    Waived,
)
from tests.referee.hands import Table

DOUBLE_THREE = "bH8 n wA1 f bI8 n wA3 f bG9 n wA5 f bG10 n wA7 f bG8 n"


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


def test_an_upheld_slide_goes_back_to_the_first_contact_and_the_guide_asks_for_it() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("uphold")
    assert table.moves == "H8 E5"
    assert [u.remedy for u in table.of(Upheld)] == [IRREGULAR["slide"].remedy]
    assert [d.points for d in table.of(Differs)] == [((64, WHITE, None), (79, None, WHITE))]
    assert table.referee.phase == "restoring"
    assert [r.do for r in table.say("resume")] == ["resume"]
    table.do("-wE6 wE5")
    assert [r.accepted for r in table.of(Restored)] == [False]
    table.say("resume")
    table.do("bA1 n")
    assert table.moves == "H8 E5 A1"


def test_an_upheld_replacement_goes_back_to_the_first_empty_point() -> None:
    table = Table()
    table.do("bI9 -bI9 bH10 n")
    table.say("uphold", code="replace", point="I9")
    assert table.moves == "I9"
    assert table.differences() == ["I9", "H10"]


def test_an_upheld_double_move_takes_back_the_second_stone() -> None:
    table = Table()
    table.do("bH8 n wI9 wJ9 f")
    table.say("uphold", code="double-move", point="J9")
    assert (table.moves, table.differences()) == ("H8 I9", ["J9"])
    assert [u.n for u in table.of(Unmoved)] == [3]
    table.do("-wJ9")
    table.say("resume")
    assert table.referee.to_move is BLACK


def test_an_upheld_stone_out_of_turn_is_asked_away() -> None:
    table = Table()
    table.do("bH8 n bJ9")
    table.say("uphold", code="out-of-turn", point="J9")
    assert (table.moves, table.differences()) == ("H8", ["J9"])


def test_a_waived_stone_out_of_turn_stands() -> None:
    table = Table()
    table.do("bH8 n bJ9")
    table.say("waive", code="out-of-turn", point="J9", side="white")
    assert (table.moves, table.differences()) == ("H8 J9", [])
    assert [w.code for w in table.of(Waived)] == ["out-of-turn"]


def test_an_upheld_clock_first_sets_the_clocks_back_to_the_press() -> None:
    table = Table(time="5m")
    table.do("+900 n +2000 bH8 +3000")
    table.say("claim", side="white", code="clock-first", point="H8")
    table.say("uphold")
    assert table.left() == (299_000, 300_000)
    assert [(c.side, c.added_ms) for c in table.of(ClockSet)] == [(BLACK, 0), (WHITE, 5_200)]
    assert table.moves == "H8"
    table.say("resume")
    assert table.referee.time_of is WHITE


def test_a_clock_set_back_keeps_one_increment() -> None:
    table = Table(time="5m+3s")
    table.do("n +2000 bH8")
    table.say("uphold", code="clock-first")
    assert table.left() == (300_000 - 100 + 3000, 300_000)


def test_an_upheld_forbidden_move_loses_whichever_kind_is_named() -> None:
    table = Table()
    table.do(DOUBLE_THREE)
    table.say("claim", side="white", code="overline", point="G8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, "forbidden")]


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


@pytest.mark.parametrize("code", ["drop", "replace"])
def test_the_professional_sheet_makes_a_loss_of_it(code: str) -> None:
    table = Table(**{code: "loss"})
    table.do("bH8 -bH8 bI9 n" if code == "replace" else "bH8")
    table.say("claim", side="white", code=code, point="H8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, "penalty")]


def test_a_player_cannot_waive_his_own_action() -> None:
    table = Table()
    table.do("bH8 n wE5>E6")
    assert [type(r).__name__ for r in table.say("waive", by="far", code="slide")] == ["Refused"]
    assert [type(r).__name__ for r in table.say("waive", by="near", code="slide")] == [
        "Waived",
        "Revealed",
        "Decided",
    ]


def test_not_an_opening_upheld_begins_the_set_up_again_from_what_lies_there() -> None:
    table = Table(opening="designated")
    table.do("bH8 wJ10 bJ8 n")
    table.say("claim", side="white", code="not-an-opening")
    table.say("uphold")
    assert (table.moves, table.referee.step.do) == ("", "set-up")
    table.do("-wJ10 wI9")
    table.say("resume")
    table.do("n")
    assert table.moves == "H8 I9 J8"


def test_first_not_tengen_upheld_moves_the_stone_and_judges_the_opening_then() -> None:
    table = Table(opening="designated")
    table.do("bG8 wI9 bJ8 n")
    table.say("uphold", code="first-not-tengen")
    assert table.moves == "H8 I9 J8"
    assert table.irregular == [("first-not-tengen", "H8")]
    table = Table(opening="designated")
    table.do("bG8 wI9 bN8 n")
    table.say("uphold", code="first-not-tengen")
    assert table.irregular == [("first-not-tengen", "H8"), ("not-an-opening", "N8")]


def test_wrong_offers_upheld_are_put_right_and_a_second_press_is_none() -> None:
    table = Table(opening="designated", offers=3)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 n")
    table.say("claim", side="white", code="offers-wrong")
    table.say("uphold")
    assert table.referee.step.do == "offers"
    table.do("bK11")
    table.say("resume")
    assert table.referee.time_of is WHITE
    table.do("n -bG10 -bK11 wK9 f")
    assert table.moves == "H8 I9 J8 I7 H6 K9"
    assert table.irregular == [("offers-wrong", None)]


def test_a_wrong_removal_upheld_is_put_right_and_a_second_press_is_none() -> None:
    table = Table(opening="designated", offers=3)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 bK11 n -bG10 wK9 f")
    table.say("claim", side="black", code="wrong-removal")
    table.say("uphold")
    table.do("-bK11")
    table.say("resume")
    assert table.referee.time_of is BLACK
    table.do("f bA1 n")
    assert table.moves == "H8 I9 J8 I7 H6 K9 A1"


@pytest.mark.parametrize("setting", ["automatic", "claim"])
def test_the_flag(setting: str) -> None:
    table = Table(time="1s", flag=setting)
    table.do("bH8 n +1500")
    assert ([o.reason for o in table.of(Over)] == ["time"]) == (setting == "automatic")
    if setting == "claim":
        table.say("claim", side="black", code="flag")
        table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "time")]


def test_of_two_fallen_flags_the_first_loses() -> None:
    table = Table(time="1s", flag="claim")
    table.do("+500 bH8 n wA1 +2000 f +3000")
    table.say("uphold", code="flag")
    assert [o.winner for o in table.of(Over)] == [BLACK]


def test_upholding_without_a_claim_pauses_the_game() -> None:
    table = Table()
    table.do("bE5>E6 n")
    table.say("uphold", code="slide", point="E5")
    assert [p.why for p in table.of(Paused)] == ["correction"]
    assert table.referee.position[parse_point("E5")] is BLACK


def test_without_an_arbiter_the_controller_answers_claims_and_resumes_when_the_board_is_right() -> None:
    table = Table(forbidden="automatic")
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    assert table.kinds() == ["claimed", "revealed", "upheld", "move", "paused", "differs"]
    table.do("-wE6 wE5")
    assert table.referee.phase == "playing"
    table.say("claim", side="white", code="slide")
    assert table.kinds() == ["claimed", "rejected", "resumed"]
    table.say("claim", side="white", code="wrong-hand")
    assert table.referee.phase == "paused", "what only a person sees needs one to judge"


def test_a_claimed_slide_does_not_lapse_by_a_stone_that_the_arbiter_enters() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("place", point="A1", colour="black")
    assert [m.standing for m in table.referee.matters] == ["claimed"]


def test_a_five_after_the_press_wins_when_the_clocks_are_set_back() -> None:
    table = Table()
    table.do("bH8 n wH9 f bI8 n wI9 f bJ8 n wJ9 f bK8 n wK9 f n bL8")
    assert not table.of(Over)
    table.say("uphold", code="clock-first")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


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


# -- who may claim what, and wrong claims


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


def test_three_stones_in_a_row_go_back_to_the_first() -> None:
    table = Table()
    table.do("bH8 n wI9 wJ9 wK9>K10 f")
    table.say("uphold", code="double-move", point="J9")
    assert (table.moves, table.differences()) == ("H8 I9", ["J9", "K10"])
    assert not table.referee.claimable, "what the stones taken back did is gone with them"


# -- without an arbiter


def test_a_call_key_claims_what_the_opponent_did() -> None:
    table = Table(forbidden="automatic")
    table.do("bH8 n wE5>E6 f")
    table.do("nc")
    assert table.kinds()[:3] == ["claimed", "revealed", "upheld"]
    table.do("-wE6 wE5 bA1 n")
    assert table.moves == "H8 E5 A1"


def test_a_call_key_with_nothing_to_claim_says_so_and_the_game_goes_on() -> None:
    table = Table(forbidden="automatic")
    table.do("bE5>E6 n")
    table.do("nc")
    (told,) = table.rulings
    assert (told.code, told.audience, told.text) == (
        "nothing-to-claim", "players", "nothing of white can be claimed now",
    )  # fmt: skip
    assert table.referee.phase == "playing"


def test_a_call_key_calls_the_arbiter_where_there_is_one() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.do("nc")
    assert table.kinds() == ["called"]
    assert [x.standing for x in table.referee.matters] == ["open"]


def test_a_call_key_claims_a_fallen_flag_and_an_unnoticed_five() -> None:
    table = Table(forbidden="automatic", flag="claim", time="1s")
    table.do("bH8 n +1500 nc")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "time")]
    table = Table(forbidden="automatic", five="claim")
    table.do(FIVE + " fc")
    assert not table.of(Over), "White has no five"
    table.do("nc")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


def test_a_claim_that_the_controller_rejects_is_answered_in_words() -> None:
    table = Table(forbidden="automatic", wrong_claim="violation")
    table.do("bH8 n wI9 f")
    table.say("claim", by="near", code="slide", point="I9")
    assert [(r.why, r.audience) for r in table.of(Rejected)] == [("no slide at I9 was found", "public")]
    assert [p.side for p in table.of(Penalised)] == [BLACK]
    assert table.referee.phase == "playing"


AUTOMATIC: dict[str, tuple[dict[str, str], str, str, str, str]] = {
    "double-move": ({}, "bH8 n wI9 wJ9 f nc", "-wJ9", "bA1 n", "H8 I9 A1"),
    "replace": ({}, "bI9 -bI9 bH10 n fc", "-bH10 bI9", "wA1 f", "I9 A1"),
    "out-of-turn": ({}, "bH8 n bJ9 fc", "-bJ9", "wA1 f", "H8 A1"),
    "clock-first": ({}, "n bH8 fc", "", "wA1 f", "H8 A1"),
    "bad-adjust": ({}, "bH8 n wI9 f ~wI9 nc", "", "bA1 n", "H8 I9 A1"),
    "wrong-removal": (
        {"opening": "designated", "offers": "3"},
        "bH8 wI9 bJ8 n wI7 f bG10 bH6 bK11 n -bG10 wK9 f nc",
        "-bK11",
        "f bA1 n",
        "H8 I9 J8 I7 H6 K9 A1",
    ),
    "offers-wrong": (
        {"opening": "designated", "offers": "3"},
        "bH8 wI9 bJ8 n wI7 f bG10 bH6 n fc",
        "bK11",
        "n -bG10 -bK11 wK9 f",
        "H8 I9 J8 I7 H6 K9",
    ),
    "not-an-opening": ({"opening": "designated"}, "bH8 wJ10 bJ8 n fc", "-wJ10 wI9", "n", "H8 I9 J8"),
    "first-not-tengen": ({"opening": "designated"}, "bG8 wI9 bJ8 n fc", "-bG8 bH8", "wA1 f", "H8 I9 J8 A1"),
}


@pytest.mark.parametrize(
    ("settings", "done", "put_right", "goes_on", "record"), AUTOMATIC.values(), ids=AUTOMATIC
)
def test_every_remedy_is_guided_without_an_arbiter(
    settings: dict[str, Any], done: str, put_right: str, goes_on: str, record: str
) -> None:
    settings = {key: int(value) if key == "offers" else value for key, value in settings.items()}
    table = Table(forbidden="automatic", **settings)
    table.do(done)
    assert [type(r) for r in table.of(Upheld)] == [Upheld]
    table.do(put_right)
    assert not table.differences()
    table.do(goes_on)
    assert (table.moves, table.referee.phase in ("playing", "opening")) == (record, True)


# -- five and overline


FIVE = "bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bK8 n wA7 f bL8 n"


@pytest.mark.parametrize(("setting", "over"), [("ends", True), ("claim", False)])
def test_an_unnoticed_five(setting: str, over: bool) -> None:
    table = Table(five=setting)
    table.do(FIVE)
    assert bool(table.of(Over)) is over
    if setting == "claim":
        table.do("wA9 f bC3 n")
        table.say("claim", side="black", code="five", point="L8")
        table.say("uphold")
        assert [(o.winner, o.reason, len(o.line)) for o in table.of(Over)] == [(BLACK, "five", 5)]


def test_a_sixth_stone_does_not_undo_a_five_that_was_made_before() -> None:
    table = Table(five="claim")
    table.do(FIVE + " wA9 f bM8 n")
    assert [x.kind for x in table.referee.claimable] == ["overline"]
    table.say("claim", side="black", code="five", point="M8")
    assert "M8 is in no five" in table.say("uphold")[0].why
    table.say("reject")
    table.say("claim", side="black", code="five", point="H8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


def test_a_second_six_after_an_unnoticed_five_is_white_s_to_claim() -> None:
    table = Table(five="claim")
    table.do(FIVE + " wA9 f bM8 n")
    table.say("claim", side="white", code="overline", point="M8")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, "forbidden")]


def test_of_two_unnoticed_fives_the_first_wins() -> None:
    table = Table(five="claim")
    table.do("bH8 n wA1 f bI8 n wA2 f bJ8 n wA3 f bK8 n wA4 f bL8 n wA5 f")
    table.say("uphold", code="five")
    assert [o.winner for o in table.of(Over)] == [BLACK]


def test_a_five_under_an_open_action_is_not_claimed_past_it() -> None:
    table = Table()
    table.do("bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bK8 n wA7 f bM8>L8 n")
    table.say("claim", side="black", code="five", point="L8")
    assert "slide of the five's last stone can still be claimed" in table.say("uphold")[0].why
    table.say("waive", code="slide")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


OVERLINE = "bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bL8 n wA7 f bM8 n wA9 f bK8 n"


@pytest.mark.parametrize(("setting", "lapsed"), [("at-once", True), ("any-time", False)])
def test_an_overline_lapses_or_may_be_claimed_at_any_time(setting: str, lapsed: bool) -> None:
    table = Table(overline_claim=setting)
    table.do(OVERLINE + " wC9 f bC3 n wD5 f")
    assert bool(table.of(Revealed)) is lapsed, "until the end nobody else may know"
    refused = [type(r).__name__ for r in table.say("uphold", code="overline", point="K8")] == ["Refused"]
    assert refused is lapsed
    assert bool(table.of(Over)) is not lapsed


@pytest.mark.parametrize("answer", ["reject", "waive"])
def test_what_was_laid_while_a_claim_waited_is_the_set_up_that_lies_there(answer: str) -> None:
    table = Table(opening="designated")
    table.do("bH8 wI9")
    table.say("claim", side="white", code="wrong-hand")
    table.do("-wI9 bI9 wH9 -bI9")
    table.say(answer)
    table.do("bH10 n")
    found = [("wrong-hand", None)] if answer == "waive" else []
    assert (table.moves, table.irregular) == ("H8 H9 H10", found)


@pytest.mark.parametrize("code", SEEN)
@pytest.mark.parametrize("claimed", [True, False])
def test_what_people_see_is_upheld_with_and_without_a_claim(code: str, claimed: bool) -> None:
    table = Table()
    table.do("bH8 n wI9 f")
    point = {} if code in ("wrong-hand", "offers-not-declared", "bad-draw-offer") else {"point": "I9"}
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


@pytest.mark.parametrize("point", [None, "A9"])
def test_a_claim_of_a_forbidden_move_that_never_was_one_stops_the_clocks_whatever_lapsed_before(
    point: str | None,
) -> None:
    table = Table()
    table.do(DOUBLE_THREE + " wA9 f bO1 n")
    table.say("claim", side="white", code="double-three", **({"point": "O1"} if point else {}))
    assert table.referee.paused


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


@pytest.mark.parametrize("act", ["wJ9", "bJ10 f"])
def test_an_upheld_act_out_of_turn_sets_the_clocks_back_to_it(act: str) -> None:
    table = Table(time="5m")
    table.do("bH8 n wI9 f " + act)
    at_the_act = table.left()
    table.do("+5000")
    table.say("uphold", code="out-of-turn")
    assert table.left() == at_the_act
    assert [c.reason for c in table.of(ClockSet)] == ["out-of-turn", "out-of-turn"]


@pytest.mark.parametrize(("mode", "by", "audience"), [
    ("automatic", "far", "players"), ("automatic", "arbiter", "arbiter"), ("claim", "far", "arbiter"),
])  # fmt: skip
def test_without_an_arbiter_a_player_hears_why_not(mode: str, by: str, audience: str) -> None:
    table = Table(forbidden=mode)
    table.do("bH8 n")
    refused = table.say("pass", by=by, **({} if by == "far" else {"side": "white"}))[-1]
    assert (refused.audience, refused.__struct_config__.tag) == (audience, "refused")


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
