"""White leaves one of the fifth stones (docs/rules.md, section 9)."""

import pytest

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.referee.rulings import Moved, Told
from tests.referee.hands import FOUR, Table, designated

OFFERS = {
    "three, two taken away": ("bG10 bH6 bK11 n -bG10 -bK11 wK9 f", "H6 K9", []),
    "move 6 before the removal": ("bG10 bH6 bK11 n wK9 -bG10 -bK11 f", "H6 K9", []),
    "White changes his mind": ("bG10 bH6 bK11 n -bG10 -bH6 wK9 bH6 -bK11 f", "H6 K9", []),
    "one too few": ("bG10 bH6 n -bG10 wK9 f", "H6 K9", [("offers-wrong", None)]),
    "one too many": ("bG10 bH6 bK11 bA1 n", "", [("offers-wrong", None)]),
    "one taken up again before the press": ("bG10 bH6 bK11 bA1 -bA1 n", "", []),
    "none taken away": ("bG10 bH6 bK11 n wK9 f", "", [("wrong-removal", None)]),
    "put right after the press": ("bG10 bH6 bK11 n wK9 f -bG10 -bH6", "K11 K9", [("wrong-removal", None)]),
    "all taken away": ("bG10 bH6 bK11 n -bG10 -bH6 -bK11 wK9 f", "", [("wrong-removal", None)]),
    "another stone too": ("bG10 bH6 bK11 n -bG10 -bK11 -bJ8 wK9 f", "H6 K9", [("wrong-removal", None)]),
    "another stone, and White's six comes": (
        "bG10 bH6 bK11 n -bG10 -bK11 -wI9 wK9 f", "H6 K9", [("wrong-removal", None)],
    ),
    "one offer and another stone": ("bG10 bH6 bK11 n -bG10 -wI9 wK9 f", "", [("wrong-removal", None)]),
    "another stone only": ("bG10 bH6 bK11 n -wI9 wK9 f", "", [("wrong-removal", None)]),
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


MOVED = {
    "White takes the moved one away": ("-bF10 bF11 -bF11 wA1 f", "J9 A1", []),
    "moved twice, and left": ("-bF10 bF11 -bF11 bF12 -bJ9 wA1 f", "F10 A1", ["F10", "F12"]),
    "pushed, and left": ("bF10>F11 -bJ9 wA1 f", "F10 A1", ["F10", "F11"]),
    "put back": ("-bF10 bF11 -bF11 bF10 -bJ9 wA1 f", "F10 A1", []),
    "Black replies at once": ("wA1 -bF10 f bF11 n", "J9 A1 F11", []),
}
"""What happens to an offer after Black's press -> move 5 on, and where the board differs."""


@pytest.mark.parametrize(("script", "record", "differ"), MOVED.values(), ids=MOVED)
def test_white_answers_for_no_offer_that_was_moved(script: str, record: str, differ: list[str]) -> None:
    table = Table(opening="rif-classic")
    table.do(FOUR + " bJ9 bF10 n " + script)
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 " + record, [])
    assert sorted(table.differences()) == sorted(differ)


@pytest.mark.parametrize("removed", ["", "-bJ9 -bF10 "])
@pytest.mark.parametrize(
    "then",
    ["bB5", {"do": "waive", "side": "black", "code": "wrong-removal"}, {"do": "resign", "side": "black"}],
)
def test_that_move_5_is_open_is_told_when_nothing_can_be_claimed_any_more(
    removed: str, then: str | dict[str, str]
) -> None:
    table = Table(opening="rif-classic")
    table.do(FOUR + f" bJ9 bF10 n {removed}wA1 f")
    assert table.moves == "H8 I9 J8 I7"
    told = table.do(then) if isinstance(then, str) else table.say(**then)
    assert [x.n for x in told if isinstance(x, Moved)][:2] == [5, 6]
    assert table.moves.startswith("H8 I9 J8 I7 - A1")


def test_an_offer_that_lies_there_again_when_black_plays_on_is_told() -> None:
    table = Table(opening="rif-classic")
    table.do(FOUR + " bJ9 bF10 n wA1 -bF10 bF10 bB5")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 J9 A1 B5", [("wrong-removal", None)])
    assert [(t.code, t.point) for t in table.rulings if isinstance(t, Told)] == [
        ("differs", parse_point("F10"))
    ]
    assert table.differences() == ["F10"]


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


def test_offers_left_that_black_accepts_leave_move_5_open_until_somebody_says_which_it_is() -> None:
    table = designated(offers=3)
    table.do(FOUR + " bG10 bH6 bK11 n -bG10 wK9 f bA1 n")
    assert table.moves == "H8 I9 J8 I7 - K9 A1"
    assert [type(r).__name__ for r in table.log].count("Lapsed") == 1, "who plays on has accepted"
    assert table.differences() == ["H6", "K11"]
    table.say("place", point="H6", colour="black")
    table.do("-bK11 wC3 f")
    assert (table.moves, table.differences()) == ("H8 I9 J8 I7 H6 K9 A1 C3", [])
