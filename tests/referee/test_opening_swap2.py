"""Swap2 (docs/rules.md, section 9)."""

from typing import Any

import pytest

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.clock import Player
from firmware_host.referee.rulings import (
    Chosen,
    Kept,
    Lapsed,
    OpeningSet,
    Over,
    Pressed,
)
from tests.referee.hands import SET_UP, Table


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
