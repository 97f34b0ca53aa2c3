"""Set-up, choice, offers and removal (docs/rules.md, sections 4, 5 and 9)."""

import pytest

from firmware_host.board import BLACK, WHITE, Colour, parse_point, point_name
from firmware_host.clock import Player
from firmware_host.referee.rulings import (
    Differs,
    Kept,
    Lapsed,
    Moved,
    Offered,
    OpeningSet,
    Over,
    Pressed,
    PressWithoutStone,
    Refused,
    Swapped,
    Told,
)
from tests.referee.hands import FOUR, SET_UP, Table, designated

SET_UPS = {
    "in order": ("bH8 wI9 bJ8 n", "H8 I9 J8", [], "I3"),
    "in another order": ("wI9 bJ8 bH8 n", "H8 I9 J8", [], "I3"),
    "with a change of mind": ("bH8 wI9 bJ10 -bJ10 bJ8 n", "H8 I9 J8", [], "I3"),
    "pushed right before the press": ("bH8 wI9 bJ9 bJ9>J8 n", "H8 I9 J8", [], "I3"),
    "colourless, in order": ("?H8 ?I9 ?J8 n", "H8 I9 J8", [], "I3"),
    "not on tengen": ("bG8 wI9 bJ8 n", "G8 I9 J8", [("first-not-tengen", "H8")], None),
    "the first black stone off tengen": ("bJ8 wI9 bG8 n", "J8 I9 G8", [("first-not-tengen", "H8")], None),
    "white 2 does not touch": ("bH8 wJ10 bJ8 n", "H8 J10 J8", [("not-an-opening", "J10")], None),
    "black 3 outside the square": ("bH8 wI9 bL8 n", "H8 I9 L8", [("not-an-opening", "L8")], None),
    "a stone too many": ("bH8 wI9 bJ8 bJ9 n", "H8 I9 J8", [("not-an-opening", "J9")], "I3"),
    "three black stones": ("bH8 bI9 bJ8 n", "", [("wrong-colour", "J8")], None),
    "pressed too early": ("bH8 wI9 n bJ8", "H8 I9 J8", [("clock-first", "J8")], "I3"),
    "not pressed": ("bH8 wI9 bJ8", "", [], None),
}  # fmt: skip


@pytest.mark.parametrize(("script", "record", "irregular", "name"), SET_UPS.values(), ids=SET_UPS)
def test_set_up_is_judged_at_the_press(
    script: str, record: str, irregular: list[tuple[str, str]], name: str | None
) -> None:
    table = designated(offers=2)
    table.do(script)
    assert (table.moves, table.irregular) == (record, irregular)
    assert [o.name for o in table.of(OpeningSet)] == ([name] if record else [])


def test_a_press_with_too_few_stones_is_a_press_without_a_stone_and_white_can_give_it_back() -> None:
    table = designated()
    table.do("bH8 n")
    assert [p.side for p in table.of(PressWithoutStone)] == [BLACK]
    assert table.referee.time_of is WHITE
    table.do("f")
    assert table.referee.time_of is BLACK
    table.do("wI9 bJ8 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8", [])


def test_the_set_up_is_one_move_for_the_clock() -> None:
    table = designated(time="5m+3s")
    table.do(SET_UP)
    assert table.left() == (300_000 - 400 + 3000, 300_000)


def test_white_keeps_by_playing_move_4() -> None:
    table = designated(offers=1)
    table.do(FOUR)
    assert [k.side for k in table.of(Kept)] == [WHITE]
    assert table.moves == "H8 I9 J8 I7"


def test_white_keeps_by_word() -> None:
    table = designated()
    table.do(SET_UP)
    table.say("keep", side="white")
    assert table.kinds() == ["keep"]
    table.say("swap", side="white")
    assert table.kinds() == ["refused"]


@pytest.mark.parametrize(
    ("swap", "black_seat", "time_at"), [("bowls", "far", "near"), ("seats", "near", "far")]
)
def test_a_swap_trades_colours_and_is_a_move_for_the_clock(swap: str, black_seat: str, time_at: str) -> None:
    table = designated(time="5m+3s", swap=swap)
    table.do(SET_UP + " +1000")
    table.say("swap", side="white")
    assert [s.black_seat for s in table.of(Swapped)] == [black_seat]
    referee = table.referee
    assert referee.player_of(BLACK) is Player.SECOND
    assert referee.seat_of(Player.FIRST) == time_at, "who held Black plays White 4 now, on his own time"
    assert (referee.time_of, referee.to_move) == (WHITE, WHITE)
    assert table.left() == (300_000 - 1000 - 100 + 3000, 300_000 - 400 + 3000)
    table.do(f"wI7 +100 {time_at[0]}")
    assert table.moves == "H8 I9 J8 I7"
    assert referee.time_of is BLACK


def test_the_choice_is_white_s_alone_and_only_there() -> None:
    table = designated()
    assert [r.why for r in table.say("swap", side="white")] == ["there is no choice of colours now"]
    table.do(SET_UP)
    assert [r.why for r in table.say("swap", side="black")] == ["the choice is white's"]
    table.do("wI7")
    assert [type(r) for r in table.say("swap", side="white")] == [Refused]


def test_without_swap_by_setting_white_plays_on() -> None:
    table = designated(designated_swap="no", offers=1)
    table.do(SET_UP)
    assert table.referee.step.do == "move"
    table.do("wI7 f bH6 n wK9 f")
    assert table.moves == "H8 I9 J8 I7 H6 K9"


OFFERS = {
    "three, two taken away": ("bG10 bH6 bK11 n -bG10 -bK11 wK9 f", "H6 K9", []),
    "move 6 before the removal": ("bG10 bH6 bK11 n wK9 -bG10 -bK11 f", "H6 K9", []),
    "White changes his mind": ("bG10 bH6 bK11 n -bG10 -bH6 wK9 bH6 -bK11 f", "H6 K9", []),
    "one too few": ("bG10 bH6 n -bG10 wK9 f", "H6 K9", [("offers-wrong", None)]),
    "one too many": ("bG10 bH6 bK11 bA1 n", "", [("offers-wrong", None)]),
    "one taken up again before the press": ("bG10 bH6 bK11 bA1 -bA1 n", "", []),
    "none taken away": ("bG10 bH6 bK11 n wK9 f", "- K9", [("wrong-removal", None)]),
    "put right after the press": ("bG10 bH6 bK11 n wK9 f -bG10 -bH6", "K11 K9", [("wrong-removal", None)]),
    "all taken away": ("bG10 bH6 bK11 n -bG10 -bH6 -bK11 wK9 f", "- K9", [("wrong-removal", None)]),
    "another stone too": ("bG10 bH6 bK11 n -bG10 -bK11 -bJ8 wK9 f", "H6 K9", [("wrong-removal", None)]),
    "another stone, and White's six comes": (
        "bG10 bH6 bK11 n -bG10 -bK11 -wI9 wK9 f", "H6 K9", [("wrong-removal", None)],
    ),
    "one offer and another stone": ("bG10 bH6 bK11 n -bG10 -wI9 wK9 f", "- K9", [("wrong-removal", None)]),
    "another stone only": ("bG10 bH6 bK11 n -wI9 wK9 f", "- K9", [("wrong-removal", None)]),
    "another stone, put back before the press": (
        "bG10 bH6 bK11 n -bG10 -bK11 -wI9 wK9 wI9 f", "H6 K9", [],
    ),
    "a stone that was gone before": ("-wI9 bG10 bH6 bK11 n -bG10 -bK11 wK9 f", "H6 K9", []),
    "nothing done yet": ("bG10 bH6 bK11 n -bG10", "", []),
    "white 6 slides": ("bG10 bH6 bK11 n -bG10 -bK11 wK9>L9 f", "H6 L9", [("slide", "K9")]),
    "white 6 is replaced": ("bG10 bH6 bK11 n wK9 -wK9 wL9 -bG10 -bK11 f", "H6 L9", [("replace", "K9")]),
    "white 6 where an offer was": ("bG10 bH6 bK11 n -bG10 -bK11 wK11 f", "H6 K11", []),
    "white 6 where an offer was, then the rest": ("bG10 bH6 bK11 n -bK11 wK11 -bG10 f", "H6 K11", []),
    "white among the offers": ("bG10 wH6 bK11", "", [("wrong-colour", "H6")]),
    "Black plays on": ("bG10 bH6 bK11 n -bG10 -bK11 wK9 bA1", "H6 K9 A1", []),
    "pressed for without a stone": ("n bG10 bH6 bK11 -bG10 -bH6 wK9 f", "K11 K9", [("clock-first", "K11")]),
    "White presses without move 6": ("bG10 bH6 bK11 n -bG10 -bK11 f wK9", "H6 K9", [("clock-first", "K9")]),
}  # fmt: skip


@pytest.mark.parametrize(("script", "record", "irregular"), OFFERS.values(), ids=OFFERS)
def test_offers_and_removal(script: str, record: str, irregular: list[tuple[str, str | None]]) -> None:
    table = designated(offers=3)
    table.do(FOUR + " " + script)
    assert (table.moves, table.irregular) == (f"H8 I9 J8 I7 {record}".strip(), irregular)


def test_offers_of_the_same_shape() -> None:
    table = designated(offers=2)
    table.do("bH8 wH9 bH7 n wH10 f bG8 bI8 n")
    assert table.irregular == [("offers-wrong", None)]


def test_the_offers_are_told_at_the_press_and_move_5_when_it_is_decided() -> None:
    table = designated(offers=2)
    table.do(FOUR + " bG10 bH6")
    assert not table.of(Offered)
    table.do("n")
    assert [o.points for o in table.of(Offered)] == [(parse_point("G10"), parse_point("H6"))]
    table.do("wK9")
    assert [m.n for m in table.of(Moved)] == [1, 2, 3, 4]
    table.do("-bG10")
    assert [m.n for m in table.of(Moved)] == [1, 2, 3, 4, 5, 6]


def test_the_offers_are_one_move_for_the_clock() -> None:
    table = designated(offers=2, time="5m+3s")
    table.do("bH8 wI9 bJ8 n wI7 f bG10 bH6 n")
    assert table.left() == (300_000 - 400 - 300 + 6000, 300_000 - 200 + 3000)


def test_colourless_offers_and_removal() -> None:
    table = designated(offers=3)
    table.do("?H8 ?I9 ?J8 n ?I7 f ?G10 ?H6 ?K11 n -?G10 -?K11 ?K9 f ?A1 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9 A1", [])


COLOURLESS_SIX = {
    "where an offer was": ("?G10 ?H6 n -?G10 ?G10 f", "H6 G10"),
    "where one of three was": ("?G10 ?H6 ?K11 n -?G10 -?K11 ?G10 f", "H6 G10"),
    "after a change of mind": ("?G10 ?H6 n -?G10 ?G10 -?H6 ?K9 f", "G10 K9"),
    "none yet, and an offer is back": ("?G10 ?H6 ?K11 n -?G10 -?H6 ?G10 -?K11 f", "G10"),
}


@pytest.mark.parametrize(("script", "record"), COLOURLESS_SIX.values(), ids=COLOURLESS_SIX)
def test_a_colourless_six(script: str, record: str) -> None:
    table = designated()
    table.do("?H8 ?I9 ?J8 n ?I7 f " + script)
    assert (table.moves, table.irregular) == (f"H8 I9 J8 I7 {record}".strip(), [])


def test_another_stone_taken_with_the_offers_on_a_colourless_board() -> None:
    table = designated(offers=2)
    table.do("?H8 ?I9 ?J8 n ?I7 f ?G10 ?H6 n -?G10 -?I9 ?K9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9", [("wrong-removal", None)])
    assert table.differences() == ["I9"]


def test_a_single_offer_before_the_press_can_be_answered_at_once() -> None:
    table = designated(offers=1)
    table.do(FOUR + " bH6 wK9 n f bA1 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9 A1", [])


def test_white_4_is_still_white_s_while_he_has_not_pressed() -> None:
    table = designated(offers=1)
    table.do(SET_UP + " wI7 -wI7 wI6 f bH6 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I6", [("replace", "I7")])


def test_a_missing_white_4_stays_open_when_black_offers() -> None:
    table = designated(offers=2)
    table.do(SET_UP + " f bG10 bH6 n -bG10 wK9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 - H6 K9", [])


@pytest.mark.parametrize(
    ("opening", "offers", "refused"),
    [("designated", 30, False), ("yamaguchi", 12, False), ("yamaguchi", 13, True), ("rif-classic", 3, True)],
)
def test_n_is_named_within_the_procedure(opening: str, offers: int, refused: bool) -> None:
    table = Table(opening=opening)
    table.do(SET_UP)
    table.say("opening", offers=offers)
    assert table.kinds() == (["refused"] if refused else ["opening"])


def test_n_of_rif_classic_is_two_from_the_start() -> None:
    table = Table(opening="rif-classic")
    assert table.referee.offers_wanted == 2
    table.do(FOUR + " bH6 n")
    assert table.irregular == [("offers-wrong", None)]


def test_without_n_only_symmetry_is_judged() -> None:
    table = designated()
    table.do(FOUR + " bH6 bG10 n")
    assert table.irregular == []


def test_n_cannot_be_named_after_the_offers_are_on_the_board_nor_by_white() -> None:
    table = designated()
    table.do(SET_UP)
    assert [r.why for r in table.say("opening", by="far", offers=2)] == ["Black names the number of offers"]
    assert table.say("opening", by="near", offers=2) != []
    table.do("wI7 f bH6 bG10 n")
    assert [r.why for r in table.say("opening", offers=3)] == ["the offers are on the board already"]


def test_a_pass_before_move_6_is_refused_and_recorded_in_every_step() -> None:
    table = designated(offers=1)
    for script, side in (("", "black"), (SET_UP, "white"), ("wI7 f", "black")):
        table.do(script)
        table.say("pass", side=side)
        assert table.kinds() == ["irregular", "refused"]
    assert table.irregular == [("early-pass", None)] * 3


def test_white_may_pass_instead_of_move_6() -> None:
    table = designated(offers=2)
    table.do(FOUR + " bH6 bG10 n -bG10")
    table.say("pass", side="white")
    assert table.moves == "H8 I9 J8 I7 H6 -"
    assert (table.irregular, table.of(Over)) == ([], [])


def test_the_time_of_a_set_up_stands_in_the_record_once() -> None:
    table = Table(opening="designated", time="15m")
    told = table.do("bH8 +3000 wH9 bI10 n")
    assert [(r.n, r.used_ms) for r in told if isinstance(r, Moved)] == [(1, 0), (2, 0), (3, 3400)]
    assert [(r.n, r.used_ms) for r in told if isinstance(r, Pressed)] == [(3, 3400)]


# -- offers that were pressed for too early and are not complete


def test_white_gives_the_time_back_when_offers_are_wanting() -> None:
    table = designated(offers=2)
    table.do(FOUR + " n bG10 f")
    assert (table.referee.time_of, table.referee.step.do, table.irregular) == (BLACK, "offers", [])
    table.do("bH6 n -bG10 wK9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9", [])


def test_white_plays_on_when_offers_are_wanting() -> None:
    table = designated(offers=2)
    table.do(FOUR + " n bG10 wK9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G10 K9", [("offers-wrong", None)])


def test_a_move_taken_off_the_record_takes_a_draft_begun_after_it_along() -> None:
    table = designated(offers=2)
    table.do(FOUR + " bG10")
    table.say("remove", point="I7")
    assert (table.referee.step.do, table.referee.to_move) == ("move", WHITE)
    table.do("wI7 f")
    assert (table.moves, table.differences()) == ("H8 I9 J8 I7", [])


# -- what the opponent did before is accepted by laying the first stone of a draft


def test_the_first_offer_is_playing_on() -> None:
    table = designated(offers=2)
    table.do(SET_UP + " wI6>I7 f bG10")
    assert table.irregular == [("slide", "I6")]
    assert "lapsed" in [type(r).__struct_config__.tag for r in table.log]


# -- taking a move off the record leads back to its step


@pytest.mark.parametrize(
    ("opening", "script", "step"),
    [
        ("tarannikov", "bH8 n wI9 f bJ8", "move"),
        ("designated", SET_UP + " wI7", "move"),
        ("designated", FOUR + " bG10 bH6 n -bG10 wK9", "removal"),
        ("designated", SET_UP, "set-up"),
    ],
)
def test_a_move_taken_off_the_record_is_that_step_again(opening: str, script: str, step: str) -> None:
    table = Table(opening=opening)
    table.do(script)
    last = table.moves.split()[-1]
    table.say("remove", point=last)
    assert table.referee.step.do == step
    colour = "b" if table.referee.to_move is BLACK else "w"
    key = "n" if colour == "b" else "f"
    table.do(f"{colour}{last} {key}")
    assert table.moves.split()[-1] == last
    assert table.irregular == []


def test_a_stone_too_many_is_told_where_only_the_first_one_is_judged() -> None:
    table = Table(opening="designated")
    table.do("bH10 wH9 bI9 wJ12 n")
    assert table.irregular == [("first-not-tengen", "H8")]
    assert table.differences() == [point_name(p) for p, _, _ in table.of(Differs)[-1].points] == ["J12"]


def test_a_set_up_that_was_laid_unseen_is_pressed_for_like_any_other() -> None:
    table = Table(opening="designated")
    table.do("bA1")
    table.see(X="H8 I10", O="H9")
    table.do("n")
    assert (table.moves, table.irregular) == ("H8 H9 I10", [])


def test_an_offer_that_lies_there_again_when_black_plays_on_is_told() -> None:
    table = Table(opening="rif-classic")
    table.do(FOUR + " bJ9 bF10 n wA1 -bF10 bF10 bB5")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 J9 A1 B5", [("wrong-removal", None)])
    assert [(t.code, t.point) for t in table.rulings if isinstance(t, Told)] == [
        ("differs", parse_point("F10"))
    ]
    assert table.differences() == ["F10"]


# -- what was put right, or not pressed for


def test_a_wrong_colour_in_the_set_up_is_put_right_and_the_press_came_after_the_stones() -> None:
    table = designated(time="5m+3s")
    table.do("bH8 wI9 wJ8 n")
    table.say("uphold", code="wrong-colour", point="J8")
    table.do("-wJ8 bJ8")
    table.say("resume")
    assert table.referee.time_of is BLACK
    table.do("n")
    assert (table.moves, table.irregular) == ("H8 I9 J8", [("wrong-colour", "J8")])
    assert table.referee.time_of is WHITE


@pytest.mark.parametrize("opening", ["designated", "swap2"])
def test_a_set_up_put_right_is_closed_by_white_s_stone_and_press(opening: str) -> None:
    table = Table(opening=opening)
    table.do("bH8 wI9 wJ8 n")
    table.say("uphold", code="wrong-colour", point="J8")
    table.do("-wJ8 bJ8 wI7 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7", [("wrong-colour", "J8")])
    assert (table.referee.time_of, table.referee.to_move) == (BLACK, BLACK)


NOT_PRESSED = {
    "White plays and presses": ("bH8 wI9 bJ8 wI7 f", "H8 I9 J8 I7", [], [WHITE]),
    "without colours": ("?H8 ?I9 ?J8 ?I7 f", "H8 I9 J8 I7", [], [WHITE]),
    "Black presses after all": ("bH8 wI9 bJ8 wI7 f n", "H8 I9 J8 I7", [], [WHITE]),
    "Black lays four and presses": ("bH8 wI9 bJ8 wI7 n", "H8 I9 J8", [("not-an-opening", "I7")], []),
    "off H8": ("bG8 wI9 bJ8 wI7 f", "G8 I9 J8 I7", [("first-not-tengen", "H8")], [WHITE]),
    "White presses over two": ("bH8 wI9 wJ8 f", "", [("out-of-turn", None)], []),
    "a wrong colour stands": ("bH8 wI9 wJ8 n wI7 f", "H8 I9 J8 I7", [("wrong-colour", "J8")], [WHITE]),
}  # fmt: skip


@pytest.mark.parametrize(("script", "record", "irregular", "kept"), NOT_PRESSED.values(), ids=NOT_PRESSED)
def test_a_set_up_that_white_plays_on_over(
    script: str, record: str, irregular: list[tuple[str, str | None]], kept: list[Colour]
) -> None:
    table = designated()
    table.do(script)
    assert (table.moves, table.irregular) == (record, irregular)
    assert [k.side for k in table.of(Kept)] == kept


def test_a_stone_of_the_wrong_colour_that_was_accepted_is_told_as_a_difference() -> None:
    table = designated()
    table.do("bH8 wI9 wJ8 n wI7 f")
    assert [lapsed.code for lapsed in table.of(Lapsed)] == ["wrong-colour"]
    assert table.differences() == ["J8"]
    table.do("-wJ8 bJ8")
    assert table.differences() == []


def wrong_offers(*, offers: int | None = 2, stones: str = "bG10 bH6 bK11", time: str = "5m+3s") -> Table:
    table = designated(offers=offers, time=time)
    table.do(f"{FOUR} {stones} n")
    table.say("claim", side="white", code="offers-wrong")
    table.say("uphold")
    return table


RIGHT = {
    "one too many": (2, "bG10 bH6 bK11", "-bK11", "G10", "-bH6"),
    "two too many": (2, "bG10 bH6 bK11 bK12", "-bK12 -bK11", "G10", "-bH6"),
    "the same shape": (2, "bG10 bG6", "-bG6 bK11", "G10", "-bK11"),
    "the same shape, N not entered": (None, "bG10 bG6", "-bG6", "G10", ""),
}  # fmt: skip


@pytest.mark.parametrize(("n", "stones", "right", "left", "removed"), RIGHT.values(), ids=RIGHT)
@pytest.mark.parametrize("presses", ["", " n"])
def test_offers_put_right_need_no_second_press(
    n: int | None, stones: str, right: str, left: str, removed: str, presses: str
) -> None:
    table = wrong_offers(offers=n, stones=stones)
    credited = table.left()[0]
    table.do(right)
    table.say("resume")
    assert (table.referee.step.do, table.referee.time_of) == ("removal", WHITE)
    assert table.left()[0] == credited
    table.do(f"{presses} {removed} wK9 f bM4 n")
    assert (table.moves, table.irregular) == (f"H8 I9 J8 I7 {left} K9 M4", [("offers-wrong", None)])


def test_offers_that_are_not_right_yet_are_black_s_time_and_judged_at_his_press() -> None:
    table = wrong_offers(stones="bG10 bH6 bK11 bK12")
    table.do("-bK12")
    table.say("resume")
    assert (table.referee.step.do, table.referee.time_of) == ("offers", BLACK)
    table.do("n")
    assert table.irregular == [("offers-wrong", None)] * 2


def test_offers_that_lie_there_complete_are_not_closed_by_a_pause() -> None:
    table = designated(offers=2)
    table.do(FOUR + " bG10 bH6")
    table.say("pause")
    table.say("resume")
    assert (table.referee.step.do, table.referee.time_of) == ("offers", BLACK)


def test_offers_laid_anew_after_an_earlier_correction_wait_for_their_press() -> None:
    table = wrong_offers()
    table.do("-bK11")
    table.say("resume")
    table.do("n")
    assert [t.code for t in table.of(Told)][-1] == "press-again"


@pytest.mark.parametrize("presses", ["", "f "])
def test_a_removal_put_right_needs_no_second_press(presses: str) -> None:
    table = designated(offers=3, time="5m+3s")
    table.do(FOUR + " bG10 bH6 bK11 n -bH6 wK9 f")
    table.say("claim", side="black", code="wrong-removal")
    table.say("uphold")
    table.do("-bK11")
    table.say("resume")
    assert (table.moves, table.referee.time_of) == ("H8 I9 J8 I7 G10 K9", BLACK)
    table.do(presses + "bM4 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G10 K9 M4", [("wrong-removal", None)])


def test_a_removal_that_is_not_right_yet_is_white_s_time_and_judged_at_his_press() -> None:
    table = designated(offers=3)
    table.do(FOUR + " bG10 bH6 bK11 n -bH6 wK9 f")
    table.say("uphold", code="wrong-removal")
    table.say("resume")
    assert table.referee.time_of is WHITE
    table.do("-bK11 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G10 K9", [("wrong-removal", None)])


@pytest.mark.parametrize("resume", [True, False])
def test_a_white_stone_among_the_offers_is_put_right(resume: bool) -> None:
    table = designated(offers=2)
    table.do(FOUR + " bG10 wH6 n")
    table.say("claim", side="white", code="wrong-colour", point="H6")
    table.say("uphold")
    table.do("-wH6 bH6")
    if resume:
        assert "refused" not in [type(r).__struct_config__.tag for r in table.say("resume")]
    table.do("n -bH6 wK9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G10 K9", [("wrong-colour", "H6")])


def test_a_white_stone_beside_enough_offers_is_its_own_finding_only() -> None:
    table = designated(offers=2)
    table.do(FOUR + " bG10 bK11 wH6 n")
    assert table.irregular == [("wrong-colour", "H6")]


def test_offers_are_too_few_whatever_colour_one_of_them_has() -> None:
    table = designated(offers=3)
    table.do(FOUR + " bG10 wH6 n")
    assert table.irregular == [("wrong-colour", "H6"), ("offers-wrong", None)]
