"""Commands about the round, the opening and what players say (docs/rules.md, sections 4 and 6)."""

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.referee.rulings import (
    Called,
    DrawOffer,
    Over,
    Told,
)
from tests.referee.hands import Table

SIX = "bH8 n wI9 f bJ10 n wA1 f bA3 n"


def test_black_s_clock_runs_from_the_start() -> None:
    table = Table(time="5m", start=False)
    table.do("+4000")
    table.say("start")
    table.do("+1000")
    assert table.left() == (299_000, 300_000)
    assert [r.do for r in table.say("start")] == ["start"]


def test_pause_and_resume() -> None:
    table = Table(time="5m")
    table.do("bH8 n +1000")
    table.say("pause")
    table.do("+5000")
    table.say("resume")
    table.do("+1000")
    assert table.left() == (300_000 - 200, 300_000 - 2_100)


def test_the_arbiter_s_key_pauses_and_resumes() -> None:
    table = Table()
    table.do("ak")
    assert table.referee.phase == "paused"
    table.do("ak")
    assert table.referee.phase == "playing"


@pytest.mark.parametrize("key", ["nc", "fc"])
def test_a_call_key_stops_the_clocks(key: str) -> None:
    table = Table(time="5m")
    table.do(f"{key} +1000")
    assert [c.side for c in table.of(Called)] == [BLACK if key == "nc" else WHITE]
    assert table.left() == (299_900, 300_000)


def test_two_passes_are_a_draw_and_hand_the_clock_over() -> None:
    table = Table(time="5m+3s")
    table.do(SIX)
    left = table.left()
    table.say("pass", side="white")
    assert table.moves.endswith("A3 -")
    assert table.left() == (left[0], left[1] - 100 + 3_000)
    assert table.referee.time_of is BLACK
    table.say("pass", side="black")
    assert [(o.winner, o.reason, o.result) for o in table.of(Over)] == [
        (None, "passes", {BLACK: 0.5, WHITE: 0.5})
    ]


def test_a_pass_is_for_the_side_to_move() -> None:
    table = Table()
    table.do(SIX)
    assert [r.why for r in table.say("pass", side="black")] == ["it is white's turn"]


def test_a_pass_before_move_6_is_refused_and_an_irregular_action() -> None:
    table = Table()
    table.say("pass", side="black")
    assert table.kinds() == ["irregular", "refused"]
    assert table.irregular == [("early-pass", None)]
    assert table.moves == ""


@pytest.mark.parametrize(("do", "reason"), [("resign", "resignation"), ("left", "left")])
def test_giving_up(do: str, reason: str) -> None:
    table = Table()
    table.say(do, side="black")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(WHITE, reason)]


def test_a_draw_is_offered_on_one_s_own_time_and_agreed() -> None:
    table = Table()
    table.do("bH8")
    table.say("draw", side="black", answer="offer")
    table.do("n")
    table.say("draw", side="white", answer="accept")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(None, "agreement")]


def test_playing_on_refuses_a_draw() -> None:
    table = Table()
    table.do("bH8")
    table.say("draw", side="black", answer="offer")
    table.do("n wI9")
    assert [(d.side, d.answer) for d in table.of(DrawOffer)] == [(BLACK, "offer"), (WHITE, "refuse")]
    assert [r.do for r in table.say("draw", side="white", answer="accept")] == ["draw"]


def test_a_draw_offered_on_the_other_s_time_is_irregular() -> None:
    table = Table()
    table.do("bH8 n")
    table.say("draw", side="black", answer="offer")
    assert table.kinds() == ["irregular", "draw"]
    assert table.irregular == [("bad-draw-offer", None)]


def test_a_bad_draw_offer_may_be_accepted() -> None:
    table = Table()
    table.do("bH8 n")
    table.say("draw", side="black", answer="offer")
    table.say("draw", side="white", answer="accept")
    assert [o.reason for o in table.of(Over)] == ["agreement"]


def test_an_upheld_bad_draw_offer_does_not_stand() -> None:
    table = Table()
    table.do("bH8 n")
    table.say("draw", side="black", answer="offer")
    table.say("claim", side="white", code="bad-draw-offer")
    table.say("uphold")
    assert [(d.side, d.answer) for d in table.of(DrawOffer)] == [(BLACK, "offer"), (WHITE, "refuse")]
    assert [r.why for r in table.say("draw", side="white", answer="accept")] == [
        "no draw has been offered to white"
    ]


def test_after_the_end_commands_are_answered_and_none_ends_the_game_again() -> None:
    table = Table()
    table.say("resign", side="black")
    for do, fields in {
        "resign": {"side": "white"},
        "pause": {},
        "place": {"point": "H8"},
    }.items():
        assert [r.why for r in table.say(do, **fields)] == [f"{do} is not possible: the game is over"]
    table.say("note", text="an appeal")
    table.say("penalty", side="white", kind="loss")
    table.say("finish")
    assert [t.code for t in table.of(Told)] == ["note", "whose-decision", "finished"]
    assert [over.result for over in table.of(Over)] == [{BLACK: 0, WHITE: 1}, {BLACK: 0, WHITE: 0}]


def test_arriving_twice_is_refused() -> None:
    assert [r.why for r in Table().say("arrive", side="black")] == ["black is at the table already"]


def test_players_speak_for_themselves_and_not_for_the_arbiter() -> None:
    table = Table(black_sits="far")
    assert [r.why for r in table.say("pause", by="near")] == ["near (white) cannot give this command"]
    assert [r.why for r in table.say("resign", by="near", side="black")] == [
        "near is white and speaks for nobody else"
    ]
    table.say("resign", by="near")
    assert [o.winner for o in table.of(Over)] == [BLACK]


def test_a_player_is_said_to_have_left_by_his_seat() -> None:
    table = Table(black_sits="far")
    assert [r.why for r in table.say("left", by="near", side="black")] == [
        "near is white and speaks for nobody else"
    ]
    table.say("left", by="far", side="black")
    assert [o.winner for o in table.of(Over)] == [WHITE]


def test_a_pass_needs_no_side() -> None:
    table = Table()
    table.do(SIX)
    table.say("pass")
    assert table.moves.endswith("A3 -")


def test_resuming_what_runs_changes_nothing() -> None:
    table = Table(time="5m")
    table.do("bH8 n +1000")
    (told,) = table.say("resume")
    assert (type(told), told.code, told.audience) == (Told, "running", "arbiter")
    assert table.left() == (299_800, 298_900)


def test_an_adjourned_game_is_resumed() -> None:
    table = Table(time="5m")
    table.do("bH8 n")
    table.say("adjourn")
    table.do("+3600000")
    table.say("resume")
    table.do("wI9 f")
    assert (table.moves, table.left()) == ("H8 I9", (300_000 - 200, 300_000 - 300))


def test_a_draw_is_refused_by_word() -> None:
    table = Table()
    table.do("bH8")
    table.say("draw", side="black", answer="offer")
    table.say("draw", side="white", answer="refuse")
    assert [d.answer for d in table.of(DrawOffer)] == ["offer", "refuse"]


def test_nobody_passes_while_the_clocks_stand() -> None:
    table = Table()
    table.do(SIX)
    table.say("pause")
    assert [r.why for r in table.say("pass", side="white")] == ["the clocks stand"]


def test_a_pass_settles_the_presses_that_were_owed() -> None:
    table = Table()
    table.do("bH8 n wI9 f bJ10 n wA1 f bA3 wA5 n")
    table.say("pass", side="black")
    assert table.referee.time_of is WHITE, "White has played and owes his press; it is his turn again"
    table.do("f")
    assert table.irregular == []


def test_a_draw_offer_waits_for_its_answer_and_is_made_while_clocks_run() -> None:
    table = Table()
    table.say("draw", side="black", answer="offer")
    assert [r.why for r in table.say("draw", side="black", answer="offer")] == [
        "black has offered a draw already: it waits for an answer"
    ]
    table.do("bH8 n")
    assert [r.why for r in table.say("draw", side="white", answer="offer")] == [
        "black has offered a draw already: it waits for an answer"
    ]
    table.say("draw", side="white", answer="refuse")
    table.say("pause")
    assert [r.why for r in table.say("draw", side="white", answer="offer")] == ["the clocks stand"]
    assert table.irregular == []


def test_a_draw_offered_with_a_move_is_accepted_after_it() -> None:
    table = Table()
    table.say("draw", side="black", answer="offer")
    table.do("bH8 n")
    table.say("draw", side="white", answer="accept")
    assert [(o.winner, o.reason, o.result) for o in table.of(Over)] == [
        (None, "agreement", {BLACK: 0.5, WHITE: 0.5})
    ]


def test_a_pass_and_a_swap_refuse_a_draw_as_a_move_does() -> None:
    table = Table(opening="designated", offers=1)
    table.say("draw", side="black", answer="offer")
    table.do("bH8 wI9 bJ8 n")
    table.say("swap", side="white")
    assert [(d.side, d.answer) for d in table.of(DrawOffer)] == [(BLACK, "offer"), (WHITE, "refuse")]
