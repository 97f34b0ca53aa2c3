"""Set-up, choice, offers and removal (docs/rules.md, sections 4, 5 and 9)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, Colour, parse_point, point_name
from firmware_host.clock import Player
from firmware_host.referee.rulings import (
    Chosen,
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
from tests.referee.hands import Table

SET_UP = "bH8 wI9 bJ8 n"  # I3, the indirect opening with Black 3 on J8
FOUR = SET_UP + " wI7 f"


def designated(**settings: Any) -> Table:
    return Table(opening="designated", **settings)


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


# -- moves one by one, with a choice after each


def tarannikov(**settings: Any) -> Table:
    return Table(opening="tarannikov", **settings)


def taraguchi(**settings: Any) -> Table:
    return Table(opening="taraguchi-10", **settings)


FOUR_BY_ONE = "bH8 n wI9 f bJ8 n wI7 f"

ONE_BY_ONE = {
    "all inside": ("bH8 n wI9 f bJ8 n wI7 f bL12 n wA1 f", "H8 I9 J8 I7 L12 A1", []),
    "first off tengen": ("bG8 n", "G8", [("first-not-tengen", "H8")]),
    "2 outside 3 x 3": ("bH8 n wJ9 f", "H8 J9", [("not-an-opening", "J9")]),
    "3 outside 5 x 5": ("bH8 n wI9 f bK8 n", "H8 I9 K8", [("not-an-opening", "K8")]),
    "4 outside 7 x 7": ("bH8 n wI9 f bJ8 n wL7 f", "H8 I9 J8 L7", [("not-an-opening", "L7")]),
    "5 outside 9 x 9": (FOUR_BY_ONE + " bM8 n", "H8 I9 J8 I7 M8", [("not-an-opening", "M8")]),
    "not pressed yet": ("bH8 n wJ9", "H8 J9", []),
    "White plays on before the press": ("bG8 wI9", "G8 I9", [("first-not-tengen", "H8")]),
    "Black plays on before the press": ("bH8 n wJ9 bJ8", "H8 J9 J8", [("not-an-opening", "J9")]),
    "slid inside before the press": ("bH8 n wK9 wK9>J9>I9 f", "H8 I9", [("slide", "K9")]),
    "slid outside before the press": (
        "bH8 n wI9 wI9>J9 f", "H8 J9", [("slide", "I9"), ("not-an-opening", "J9")],
    ),
    "two stones in a row": ("bH8 bH9 n wI9 f", "H8 H9 I9", [("double-move", "H9")]),
    "colourless": ("?H8 n ?J9 f", "H8 J9", [("not-an-opening", "J9")]),
    "after a press without a stone": ("n bG8", "G8", [("first-not-tengen", "H8"), ("clock-first", "G8")]),
}  # fmt: skip


@pytest.mark.parametrize(("script", "record", "irregular"), ONE_BY_ONE.values(), ids=ONE_BY_ONE)
@pytest.mark.parametrize("opening", ["tarannikov", "taraguchi-10"])
def test_moves_of_the_opening_are_judged_at_the_press_or_when_the_opponent_plays_on(
    opening: str, script: str, record: str, irregular: list[tuple[str, str]]
) -> None:
    table = Table(opening=opening)
    table.do(script)
    assert (table.moves, sorted(table.irregular)) == (record, sorted(irregular))


def test_the_name_is_told_once_three_stones_stand() -> None:
    table = tarannikov()
    table.do("bH8 n wI9 f bJ8")
    assert not table.of(OpeningSet)
    table.do("n")
    assert [(o.name, o.offers) for o in table.of(OpeningSet)] == [("I3", None)]
    table.do("wI7 f bL12 n wA1 f")
    assert len(table.of(OpeningSet)) == 1


def test_without_a_black_stone_on_tengen_there_is_no_name() -> None:
    table = tarannikov()
    table.do("bG8 n wI9 f bJ8 n")
    assert [o.name for o in table.of(OpeningSet)] == [None]


@pytest.mark.parametrize(
    ("script", "point", "again", "record"),
    [
        ("bH8 n wJ9 f", "J9", "-wJ9 wI9 f", "H8 I9"),
        ("bH8 n wI9 f bK8 n", "K8", "-bK8 bJ8 n", "H8 I9 J8"),
        (FOUR_BY_ONE + " bM8 n", "M8", "-bM8 bL8 n", "H8 I9 J8 I7 L8"),
    ],
)
def test_a_stone_outside_its_square_is_taken_back_and_another_point_is_chosen(
    script: str, point: str, again: str, record: str
) -> None:
    table = tarannikov(time="5m+3s")
    table.do(script)
    moves_before = table.moves
    side = "black" if len(moves_before.split()) % 2 == 0 else "white"
    table.say("claim", side=side, code="not-an-opening", point=point)
    table.say("uphold")
    assert table.referee.step.do == "move"
    assert (table.moves, table.differences()) == (" ".join(moves_before.split()[:-1]), [point])
    table.do(again.split()[0])
    assert table.differences() == []
    table.say("resume")
    assert table.referee.time_of is Colour(side).other
    table.do(" ".join(again.split()[1:]))
    assert table.moves == record
    assert len(table.irregular) == 1
    assert table.referee.step.do == "choice"


def test_the_first_stone_is_moved_to_tengen() -> None:
    table = tarannikov()
    table.do("bG8 n")
    table.say("claim", side="white", code="first-not-tengen")
    table.say("uphold")
    assert (table.moves, sorted(table.differences())) == ("H8", ["G8", "H8"])
    table.do("-bG8 bH8")
    table.say("resume")
    table.do("wI9 f")
    assert (table.moves, len(table.irregular)) == ("H8 I9", 1)


def test_what_was_not_an_opening_lapses_when_the_opponent_plays_on() -> None:
    table = tarannikov()
    table.do("bH8 n wJ9 f bJ8 n")
    assert [r.why for r in table.say("uphold", code="not-an-opening", point="J9")] == [
        "not-an-opening at J9 has lapsed and can no longer be claimed"
    ]


@pytest.mark.parametrize(
    ("script", "side"),
    [
        ("bH8 n", "white"), ("bH8 n wI9 f", "black"), ("bH8 n wI9 f bJ8 n", "white"), (FOUR_BY_ONE, "black"),
        (FOUR_BY_ONE + " bG6 n", "white"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("opening", ["tarannikov", "taraguchi-10"])
def test_a_swap_is_offered_to_who_did_not_lay_the_last_stone(opening: str, script: str, side: str) -> None:
    table = Table(opening=opening, time="5m+3s")
    table.do(script)
    other = "black" if side == "white" else "white"
    assert [r.why for r in table.say("swap", side=other)] == [f"the choice is {side}'s"]
    player = table.referee.player_of(Colour(side))
    table.say("swap", side=side)
    assert table.kinds() == ["swap"]
    assert table.referee.player_of(Colour(other)) is player
    assert (table.referee.time_of, table.referee.to_move) == (side, side), "the other player goes on"
    assert [r.why for r in table.say("swap", side=side)] == ["there is no choice of colours now"]


def test_every_swap_of_a_game_can_be_made() -> None:
    table = tarannikov(time="5m+3s")
    for stone, key, side in [
        ("bH8", "n", "white"), ("wI9", "n", "black"), ("bJ8", "n", "white"), ("wI7", "n", "black"),
        ("bG6", "n", "white"),
    ]:  # fmt: skip
        table.do(f"{stone} {key}")
        table.say("swap", side=side)
        assert table.kinds() == ["swap"]
    table.do("wA1 n bA2 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G6 A1 A2", [])
    assert len(table.of(Swapped)) == 5
    assert table.referee.player_of(BLACK) is Player.SECOND


def test_a_swap_before_the_press_is_no_debt_and_the_press_changes_no_clock() -> None:
    table = tarannikov(time="5m+3s")
    table.do("bH8")
    table.say("swap", side="white")
    assert (table.referee.time_of, table.referee.seat_of(table.referee.player_of(WHITE))) == (WHITE, "near")
    table.do("n")
    assert (table.kinds(), table.referee.time_of) == (["told"], WHITE)
    table.do("wI9 n")
    assert (table.moves, table.referee.time_of, table.irregular) == ("H8 I9", BLACK, [])


def test_a_swap_that_was_pressed_for_instead_of_said() -> None:
    table = designated(time="5m+3s")
    table.do(SET_UP + " f")
    assert table.of(PressWithoutStone)
    table.say("swap", side="white")
    assert table.kinds() == ["swap"]
    assert table.left() == (300_000 - 100 + 3000, 300_000 - 400 - 100 + 3000)
    assert (table.referee.time_of, table.referee.to_move) == (WHITE, WHITE)
    table.do("wI7 n")
    assert table.moves == "H8 I9 J8 I7"


# -- taraguchi-10: one fifth stone or ten


TEN = "bG10 bH6 bK11 bA1 bB3 bC5 bD9 bE13 bF14 bM4"

BRANCHES = {
    "one": ("bG10 n wA1 f", "G10 A1", [], ["one"]),
    "one outside 9 x 9": ("bM8 n", "M8", [("not-an-opening", "M8")], ["one"]),
    "one, White answers at once": ("bG10 wA1 n f", "G10 A1", [], ["one"]),
    "ten": (TEN + " n -bG10 -bH6 -bK11 -bA1 -bB3 -bC5 -bD9 -bE13 -bF14 wA1 f", "M4 A1", [], ["ten"]),
    "a change of mind": ("bG10 bH6 -bG10 n wA1 f", "H6 A1", [], ["one"]),
    "nine": (TEN.removesuffix(" bM4") + " n", "", [("offers-wrong", None)], ["ten"]),
    "two of the same shape": (TEN + " -bM4 bG6 n", "", [("offers-wrong", None)], ["ten"]),
    "white among several": ("bG10 bH6 wA1", "", [("wrong-colour", "A1")], []),
    "colourless one": ("?G10 n ?A1 f", "G10 A1", [], ["one"]),
    "pressed for without a stone": ("n bG10", "G10", [("clock-first", "G10")], ["one"]),
}  # fmt: skip


@pytest.mark.parametrize(("script", "record", "irregular", "branch"), BRANCHES.values(), ids=BRANCHES)
def test_the_press_decides_the_branch(
    script: str, record: str, irregular: list[tuple[str, str | None]], branch: list[str]
) -> None:
    table = taraguchi()
    table.do(FOUR_BY_ONE + " " + script)
    assert (table.moves, table.irregular) == (f"H8 I9 J8 I7 {record}".strip(), irregular)
    assert [c.branch for c in table.of(Chosen)] == branch


def test_ten_said_beforehand_and_one_stone_is_too_few() -> None:
    table = taraguchi()
    table.do(FOUR_BY_ONE)
    table.say("choose", branch="ten")
    assert (table.referee.step.do, table.referee.offers_wanted) == ("offers", 10)
    table.do("bG10 n")
    assert table.irregular == [("offers-wrong", None)]


def test_one_said_beforehand_and_a_second_stone_is_a_double_move() -> None:
    table = taraguchi()
    table.do(FOUR_BY_ONE)
    table.say("choose", branch="one", side="black")
    table.do("bG10 bH6 n")
    assert table.irregular == [("double-move", "H6")]


def test_one_can_be_said_when_the_stone_lies_there_and_not_when_several_do() -> None:
    table = taraguchi()
    table.do(FOUR_BY_ONE + " bG10 bH6")
    assert [r.why for r in table.say("choose", branch="one")] == [
        "several fifth stones lie on the board: take all but one away first"
    ]
    table.do("-bH6")
    table.say("choose", branch="one")
    assert table.moves == "H8 I9 J8 I7 G10"
    table.do("n")
    assert (table.referee.step.do, table.referee.step.side, table.referee.time_of) == ("choice", WHITE, WHITE)


def test_a_branch_that_is_none_is_refused_with_those_there_are() -> None:
    table = taraguchi()
    assert [r.why for r in table.say("choose", branch="ten")] == ["there is no choice now"]
    table.do(FOUR_BY_ONE)
    assert [r.why for r in table.say("choose", branch="two")] == [
        "branch = 'two' is not possible now; allowed: keep, swap, one, ten"
    ]
    assert [r.why for r in table.say("choose", branch="ten", side="white")] == ["the choice is black's"]
    table.say("keep", side="black")
    assert [r.why for r in table.say("choose", branch="keep")] == [
        "branch = 'keep' is not possible now; allowed: one, ten"
    ]


def test_after_a_swap_there_is_one_fifth_stone() -> None:
    table = taraguchi()
    table.do(FOUR_BY_ONE)
    table.say("swap", side="black")
    assert (table.referee.step.do, table.referee.step.where) == ("move", "9x9")
    table.do("bG10 f wA1 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G10 A1", [])


def test_offers_too_few_of_ten_are_put_right() -> None:
    table = taraguchi()
    table.do(FOUR_BY_ONE + " " + TEN.removesuffix(" bM4") + " n")
    table.say("claim", side="white", code="offers-wrong")
    table.say("uphold")
    table.say("resume")
    assert table.referee.time_of is BLACK
    table.do("bM4 n")
    assert len(table.of(Offered)[-1].points) == 10
    assert table.irregular == [("offers-wrong", None)]


# -- soosyrv-8: White names N with move 4, then Black may swap


def test_white_names_n_with_move_4_and_nobody_else() -> None:
    table = Table(opening="soosyrv-8")
    assert [r.why for r in table.say("opening", by="far", offers=3)] == [
        "the number of offers is named with move 4"
    ]
    table.do(SET_UP)
    table.say("keep", side="white")
    assert [r.why for r in table.say("opening", by="near", offers=3)] == ["White names the number of offers"]
    assert [r.why for r in table.say("opening", by="far", offers=9)] == [
        "offers = 9 is not possible in soosyrv-8; allowed: 1 to 8"
    ]
    table.do("wI7")
    table.say("opening", by="far", offers=3)
    assert [o.offers for o in table.of(OpeningSet)] == [None, 3]
    table.do("f")
    assert [r.why for r in table.say("opening", by="far", offers=2)] == [
        "3 offers have been named; only an arbiter can change that now"
    ]
    table.say("opening", offers=2)
    assert table.referee.offers_wanted == 2


@pytest.mark.parametrize("swaps", [False, True])
def test_the_second_choice_of_soosyrv(swaps: bool) -> None:
    table = Table(opening="soosyrv-8", time="5m+3s")
    table.do(FOUR)
    table.say("opening", offers=2)
    assert (table.referee.step.do, table.referee.to_move) == ("choice", BLACK)
    near, far = "nf"
    if swaps:
        assert [r.why for r in table.say("swap", side="white")] == ["the choice is black's"]
        table.say("swap", side="black")
        near, far = "fn"
        assert table.referee.time_of is BLACK
    table.do(f"bG10 bH6 {near} -bG10 wK9 {far}")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 H6 K9", [])
    assert len(table.of(Kept)) == (1 if swaps else 2)


def test_without_n_of_soosyrv_only_symmetry_is_judged_and_offers_follow_the_choice_by_playing_on() -> None:
    table = Table(opening="soosyrv-8")
    table.do("?H8 ?I9 ?J8 n ?I7 f ?G10 ?H6 ?K11 n -?G10 -?H6 ?K9 f")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 K11 K9", [])


def test_a_press_without_stones_for_the_offers_of_soosyrv() -> None:
    table = Table(opening="soosyrv-8")
    table.do(FOUR + " n bG10")
    assert table.irregular == [("clock-first", "G10")]
    table = Table(opening="soosyrv-8")
    table.do(FOUR + " n wA1 f")
    assert (table.moves, table.referee.step.do) == ("H8 I9 J8 I7 - A1", "play")


def test_who_named_n_names_it_after_a_swap_too() -> None:
    table = designated()
    table.do(SET_UP)
    table.say("swap", side="white")
    assert [r.why for r in table.say("opening", by="far", offers=3)] == ["Black names the number of offers"]
    table.say("opening", by="near", offers=3)
    assert table.kinds() == ["opening"]


# -- swap2


def swap2(**settings: Any) -> Table:
    return Table(opening="swap2", **settings)


THREE = "bA1 wC3 bB2 n"


def test_the_set_up_of_swap2_may_lie_anywhere() -> None:
    table = swap2()
    assert table.referee.settings.forbidden == "off"
    table.do(THREE)
    assert (table.moves, table.irregular) == ("A1 C3 B2", [])
    assert [o.name for o in table.of(OpeningSet)] == [None]
    table = swap2()
    table.do(SET_UP)
    assert [o.name for o in table.of(OpeningSet)] == ["I3"]


SET_UPS_2 = {
    "three black stones": ("bA1 bC3 bB2 n", "", [("wrong-colour", "B2")]),
    "a stone too many": ("bA1 wC3 bB2 bD4 n", "A1 C3 B2", [("not-an-opening", "D4")]),
    "colourless": ("?A1 ?C3 ?B2 n", "A1 C3 B2", []),
}


@pytest.mark.parametrize(("script", "record", "irregular"), SET_UPS_2.values(), ids=SET_UPS_2)
def test_the_stones_of_swap2(script: str, record: str, irregular: list[tuple[str, str]]) -> None:
    table = swap2()
    table.do(script)
    assert (table.moves, table.irregular) == (record, irregular)


@pytest.mark.parametrize(
    ("word", "swaps"), [("white", False), ("black", True), ("keep", False), ("swap", True)]
)
def test_staying_white_and_taking_black(word: str, swaps: bool) -> None:
    table = swap2(time="5m+3s")
    table.do(THREE)
    if word in ("keep", "swap"):
        table.say(word, side="white")
    else:
        table.say("choose", by="far", branch=word)
    assert table.kinds() == (["swap"] if swaps else ["keep"])
    referee = table.referee
    assert referee.player_of(BLACK) is (Player.SECOND if swaps else Player.FIRST)
    assert (referee.time_of, referee.to_move, referee.step.do) == (WHITE, WHITE, "play")
    table.do("wH8 n" if swaps else "wH8 f")
    assert (table.moves, referee.time_of) == ("A1 C3 B2 H8", BLACK)


def test_playing_on_is_staying_white() -> None:
    table = swap2()
    table.do(THREE + " wH8 f bH9 n")
    assert (table.moves, [k.side for k in table.of(Kept)]) == ("A1 C3 B2 H8 H9", [WHITE])


def added(*, time: str = "5m+3s", order: str = "wD4 bE5") -> Table:
    table = swap2(time=time)
    table.do(THREE)
    table.say("choose", side="white", branch="add")
    assert (table.kinds(), table.referee.time_of) == (["choose"], WHITE)
    table.do(f"{order} f")
    return table


@pytest.mark.parametrize("order", ["wD4 bE5", "bE5 wD4", "?D4 ?E5", "wD5 -wD5 wD4 bE5", "wD3>D4 bE5"])
def test_two_stones_more_are_one_move_for_the_clock_and_the_choice_goes_back(order: str) -> None:
    table = added(order=order)
    assert (table.moves, table.irregular) == ("A1 C3 B2 D4 E5", [])
    referee = table.referee
    assert (referee.step.do, referee.step.side) == ("choice", BLACK)
    assert (referee.time_of, referee.to_move) == (BLACK, BLACK)
    assert [p.n for p in table.of(Pressed)] == [3, 5]
    assert table.left()[0] == 300_000 - 400 + 3000
    assert 302_000 < table.left()[1] < 303_000


@pytest.mark.parametrize("how", ["choose", "keep", "press"])
def test_the_one_who_set_up_stays_black_and_white_goes_on(how: str) -> None:
    table = added()
    if how == "choose":
        table.say("choose", side="black", branch="black")
    elif how == "keep":
        table.say("keep", side="black")
    else:
        table.do("n")
    assert [k.side for k in table.of(Kept)] == [BLACK]
    assert (table.referee.time_of, table.referee.to_move) == (WHITE, WHITE)
    assert table.left()[0] == 300_000 - 400 - 100 + 6000
    table.do("wH8 f")
    assert (table.moves, table.irregular) == ("A1 C3 B2 D4 E5 H8", [])


def test_the_one_who_set_up_takes_white_and_goes_on_himself() -> None:
    table = added()
    assert [r.why for r in table.say("choose", side="white", branch="white")] == ["the choice is black's"]
    table.say("choose", side="black", branch="white")
    referee = table.referee
    assert referee.player_of(WHITE) is Player.FIRST
    assert (referee.time_of, referee.seat_of(Player.FIRST)) == (WHITE, "near")
    table.do("wH8 n")
    assert (table.moves, referee.time_of) == ("A1 C3 B2 D4 E5 H8", BLACK)


def test_no_stone_of_the_one_who_chooses_is_a_move_while_the_choice_waits() -> None:
    table = added()
    table.do("bH8")
    assert (table.moves, table.irregular) == ("A1 C3 B2 D4 E5", [("out-of-turn", "H8")])
    assert [r.why for r in table.say("pass", side="white")] == ["it is black's turn"]


@pytest.mark.parametrize("stone", ["wH8", "?H8"])
@pytest.mark.parametrize("presses", ["", "f", "n f", "f n"])
def test_white_plays_on_while_black_has_not_said_that_he_stays(stone: str, presses: str) -> None:
    table = added()
    table.do(stone)
    assert [k.side for k in table.of(Kept)] == [BLACK]
    assert table.referee.time_of is BLACK
    table.do(presses)
    assert (table.moves, table.irregular) == ("A1 C3 B2 D4 E5 H8", [])
    assert (table.referee.time_of, table.referee.to_move) == (BLACK, BLACK)
    assert table.left()[0] == 300_000 - 400 - 100 * (2 + len(presses.split())) + 100 + 6000
    table.do("bH9 n")
    assert (table.moves, table.irregular) == ("A1 C3 B2 D4 E5 H8 H9", [])


LAID = {
    "one white stone": ("wD4", "f", "D4", [], [WHITE]),
    "one without colour": ("?D4", "f", "D4", [], [WHITE]),
    "white and black": ("wD4 bE5", "f", "D4 E5", [], []),
    "black and white": ("bE5 wD4", "f", "D4 E5", [], []),
    "two without colour": ("?D4 ?E5", "f", "D4 E5", [], []),
    "a change of mind": ("wC9 bE5 -wC9 wD4", "f", "D4 E5", [], []),
    "only white after all": ("wD4 bE5 -bE5", "f", "D4", [], [WHITE]),
    "Black's reply": ("wD4 bE5", "n", "D4 E5", [], [WHITE]),
    "Black's reply without colour": ("?D4 ?E5", "n", "D4 E5", [], [WHITE]),
    "three by turns": ("wD4 bE5 wF6", "f", "D4 E5 F6", [], [WHITE]),
    "two white stones": ("wD4 wE5", "f", "D4 E5", [("double-move", "E5")], [WHITE]),
    "a slide": ("wD3>D4", "f", "D4", [("slide", "D3")], [WHITE]),
    "Black out of turn": ("bE5", "n", "", [("out-of-turn", "E5")], []),
    "two of Black": ("bE5 bE6", "", "", [("out-of-turn", "E5"), ("out-of-turn", "E6")], []),
    "Black presses out of turn": ("wD4", "n", "", [("out-of-turn", None)], []),
    "pressed for too early": ("bE5", "f wD4", "D4 E5", [("clock-first", "D4")], []),
}  # fmt: skip


@pytest.mark.parametrize(("stones", "press", "record", "irregular", "kept"), LAID.values(), ids=LAID)
def test_what_white_lays_says_what_he_chooses(
    stones: str, press: str, record: str, irregular: list[tuple[str, str | None]], kept: list[Colour]
) -> None:
    table = swap2()
    table.do(f"{THREE} {stones} {press}")
    assert (table.moves, table.irregular) == (f"A1 C3 B2 {record}".strip(), irregular)
    assert [k.side for k in table.of(Kept)] == kept


def test_white_and_black_without_a_word_are_one_move_for_the_clock_and_the_choice_goes_back() -> None:
    table = swap2(time="5m+3s")
    table.do(THREE + " wD4 bE5 f")
    assert [c.branch for c in table.of(Chosen)] == ["add"]
    assert [p.n for p in table.of(Pressed)] == [3, 5]
    referee = table.referee
    assert (referee.step.do, referee.step.side, referee.time_of) == ("choice", BLACK, BLACK)
    assert table.left()[1] == 300_000 - 300 + 3000
    table.say("swap", side="black")
    table.do("wH8 n bH9 f")
    assert (table.moves, table.irregular) == ("A1 C3 B2 D4 E5 H8 H9", [])


def test_what_was_laid_is_not_told_to_anybody_before_it_is_decided() -> None:
    table = swap2()
    table.do(THREE)
    assert [r for r in table.do("wD4 bE5") if r.audience != "arbiter"] == []
    assert table.differences() == []


def test_whose_reply_it_was_runs_the_clock_of_white_until_he_presses() -> None:
    table = swap2(time="5m+3s")
    table.do(THREE + " wD4 bE5 n")
    assert (table.referee.time_of, table.referee.to_move) == (WHITE, WHITE)
    table.do("f wF6 f")
    assert (table.moves, table.irregular, table.referee.time_of) == ("A1 C3 B2 D4 E5 F6", [], BLACK)


@pytest.mark.parametrize(
    ("before", "said", "after", "record"),
    [
        ("wD4", {"do": "choose", "branch": "add"}, "bE5 f", "D4 E5"),
        ("?D4", {"do": "choose", "branch": "add"}, "?E5 f", "D4 E5"),
        ("wD4 bE5", {"do": "choose", "branch": "add"}, "f", "D4 E5"),
        ("wD4 bE5 f", {"do": "choose", "branch": "add"}, "", "D4 E5"),
        ("wD4", {"do": "choose", "branch": "white"}, "f", "D4"),
        ("wD4", {"do": "keep"}, "f bE5 n", "D4 E5"),
        ("wD4 bE5", {"do": "keep"}, "n f", "D4 E5"),
    ],
)
def test_a_word_after_the_stones(before: str, said: dict[str, str], after: str, record: str) -> None:
    table = swap2()
    table.do(THREE + " " + before)
    table.say(**said, side="white")
    assert "refused" not in table.kinds()
    table.do(after)
    assert (table.moves, table.irregular) == (f"A1 C3 B2 {record}", [])


@pytest.mark.parametrize("word", ["swap", "choose"])
def test_who_has_laid_a_stone_takes_it_away_before_he_takes_black(word: str) -> None:
    table = swap2()
    table.do(THREE + " wD4")
    said = {"do": word, "side": "white"} | ({"branch": "black"} if word == "choose" else {})
    assert [r.why for r in table.say(**said)] == [
        "stones lie on the board that keep the colours: take them away first"
    ]
    table.do("-wD4")
    table.say(**said)
    assert table.kinds() == ["swap"]


def test_black_gives_the_time_back_when_only_his_own_colour_was_laid() -> None:
    table = swap2()
    table.do(THREE + " bE5 f n")
    assert (table.referee.time_of, table.irregular) == (WHITE, [])
    table.do("wD4 f")
    assert (table.moves, table.irregular) == ("A1 C3 B2 D4 E5", [])


def test_a_claim_against_the_set_up_lapses_with_the_first_white_stone_not_with_a_black_one() -> None:
    table = swap2()
    table.do("bA1 wC3 bB2 bD4 n bE5")
    assert table.of(Lapsed) == []
    table.do("wF6")
    assert [lapsed.code for lapsed in table.of(Lapsed)] == ["not-an-opening"]


def test_a_second_press_of_who_added_is_none() -> None:
    table = added()
    table.do("f")
    assert (table.kinds(), table.irregular, table.referee.time_of) == (["told"], [], BLACK)


ADDED_WRONG = {
    "two white stones": ("wD4 wE5 f", "A1 C3 B2", [("wrong-colour", "E5")]),
    "a stone too many": ("wD4 bE5 wF6 f", "A1 C3 B2 D4 E5", [("not-an-opening", "F6")]),
    "only one": ("wD4 f", "A1 C3 B2", []),
    "pressed too early": ("wD4 f bE5", "A1 C3 B2 D4 E5", [("clock-first", "E5")]),
}


@pytest.mark.parametrize(("script", "record", "irregular"), ADDED_WRONG.values(), ids=ADDED_WRONG)
def test_the_two_stones_more(script: str, record: str, irregular: list[tuple[str, str]]) -> None:
    table = swap2()
    table.do(THREE)
    table.say("choose", side="white", branch="add")
    table.do(script)
    assert (table.moves, table.irregular) == (record, irregular)


def test_black_gives_the_time_back_when_a_stone_is_wanting() -> None:
    table = swap2()
    table.do(THREE)
    table.say("choose", side="white", branch="add")
    table.do("wD4 f n")
    assert table.referee.time_of is WHITE
    table.do("bE5 f")
    assert (table.moves, table.irregular, table.referee.time_of) == ("A1 C3 B2 D4 E5", [], BLACK)


def test_a_stone_too_many_among_the_two_is_put_right() -> None:
    table = swap2()
    table.do(THREE)
    table.say("choose", side="white", branch="add")
    table.do("wD4 bE5 wF6 f")
    table.say("claim", side="black", code="not-an-opening")
    table.say("uphold")
    assert (table.moves, table.referee.step.do, table.referee.step.side) == ("A1 C3 B2", "set-up", WHITE)
    table.do("-wF6")
    table.say("resume")
    assert table.referee.time_of is WHITE
    table.do("f")
    assert table.moves == "A1 C3 B2 D4 E5"


def test_a_five_of_the_set_up_is_none_and_six_win_in_swap2() -> None:
    table = swap2()
    table.do("bA1 wO15 bA2 n wO13 f bA3 n wO11 f bA5 n wO9 f bA6 n wM1 f bA4 n")
    assert [o.reason for o in table.of(Over)] == ["five"]


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
