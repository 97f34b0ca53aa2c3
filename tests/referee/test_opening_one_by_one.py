"""Openings of single stones with a choice after each, and soosyrv-8 (docs/rules.md, section 9)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.clock import Player
from firmware_host.referee.rulings import (
    Chosen,
    Kept,
    Offered,
    OpeningSet,
    PressWithoutStone,
    Swapped,
)
from tests.referee.hands import FOUR, SET_UP, Table, designated

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


def test_the_arbiter_hears_the_name_at_the_press_and_all_when_white_has_played_on() -> None:
    table = tarannikov()
    table.do("bH8 n wI9 f bJ8")
    assert not table.of(OpeningSet)
    table.do("n")
    table.say("keep", side="white")
    told = [("arbiter", "I3", None)]
    assert [(o.audience, o.name, o.offers) for o in table.of(OpeningSet)] == told
    table.do("wI7 f bL12 n wA1 f")
    told.append(("public", "I3", None))
    assert [(o.audience, o.name, o.offers) for o in table.of(OpeningSet)] == told


@pytest.mark.parametrize("third", ["J8", "L8"])
def test_all_hear_the_name_when_the_game_ends_unanswered(third: str) -> None:
    table = designated()
    table.do(f"bH8 wI9 b{third} n")
    table.say("resign", side="white")
    told = [(o.audience, o.name) for o in table.of(OpeningSet)]
    name = "I3" if third == "J8" else None
    assert told == [("arbiter", name), ("public", name)]


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
    assert table.kinds()[-1] == "swap"
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
        assert table.kinds()[-1] == "swap"
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
    assert table.kinds() == ["opening", "swap"]
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
    assert [o.offers for o in table.of(OpeningSet)] == [None, None, 3]
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
