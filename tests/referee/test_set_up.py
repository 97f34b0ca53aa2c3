"""Stones that one side lays together (docs/rules.md, section 9)."""

import pytest

from firmware_host.board import BLACK, WHITE, Colour, point_name
from firmware_host.referee.rulings import (
    Differs,
    Kept,
    Lapsed,
    Moved,
    OpeningSet,
    Pressed,
    PressWithoutStone,
)
from tests.referee.hands import SET_UP, Table, designated

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


def test_the_time_of_a_set_up_stands_in_the_record_once() -> None:
    table = Table(opening="designated", time="15m")
    told = table.do("bH8 +3000 wH9 bI10 n")
    assert [(r.n, r.used_ms) for r in told if isinstance(r, Moved)] == [(1, 0), (2, 0), (3, 3400)]
    assert [(r.n, r.used_ms) for r in told if isinstance(r, Pressed)] == [(3, 3400)]


def test_a_stone_too_many_is_told_where_only_the_first_one_is_judged() -> None:
    table = Table(opening="designated")
    table.do("bH10 wH9 bI9 bJ12 n")
    assert table.irregular == [("first-not-tengen", "H8")]
    assert table.differences() == [point_name(p) for p, _, _ in table.of(Differs)[-1].points] == ["J12"]


def test_a_set_up_that_was_laid_unseen_is_pressed_for_like_any_other() -> None:
    table = Table(opening="designated")
    table.do("bA1")
    table.see(X="H8 I10", O="H9")
    table.do("n")
    assert (table.moves, table.irregular) == ("H8 H9 I10", [])


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
    "White plays and Black presses": ("bH8 wI9 bJ8 wI7 n", "H8 I9 J8 I7", [], [WHITE]),
    "Black lays four and presses": ("bH8 wI9 bJ8 bI7 n", "H8 I9 J8", [("not-an-opening", "I7")], []),
    "Black lays four without colours": ("?H8 ?I9 ?J8 ?I7 n", "H8 I9 J8", [("not-an-opening", "I7")], []),
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
