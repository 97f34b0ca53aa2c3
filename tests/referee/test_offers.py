"""The fifth stones of Black, and how many he declares (docs/rules.md, section 9)."""

import pytest

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.referee.rulings import (
    Moved,
    Offered,
    Told,
)
from tests.referee.hands import FOUR, SET_UP, Table, designated


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
