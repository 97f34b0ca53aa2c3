"""The point on a face that says "a stone was seen": the same whatever the referee makes of the stone."""

import pytest

from tests.referee.hands import Table


def seen(script: str, **settings: str) -> list[bool]:
    """What the point says after each token of a script."""
    table = Table(**settings)
    said = []
    for token in script.split():
        table.do(token)
        said.append(table.referee.stone_seen)
    return said


def test_it_is_lit_from_the_stone_to_the_press() -> None:
    assert seen("bH8 n wI9 -wI9 wI9 f") == [True, False, True, False, True, False]


def test_it_is_dark_while_the_clocks_stand() -> None:
    table = Table()
    table.do("bH8")
    table.say("pause")
    assert not table.referee.stone_seen
    table.say("resume")
    assert table.referee.stone_seen


@pytest.mark.parametrize(
    ("irregular", "plain"),
    [
        ("bH8 n wE5>E6 f bI8", "bH8 n wE6 f bI8"),
        ("bH8 n bI9 f", "bH8 n wI9 f"),
        ("bH8 n wA1 wA2 f bI8", "bH8 n wA1 +100 f bI8"),
        (
            "bH8 n wA1 f bI8 n wC1 f bJ9 n wE1 f bJ10 n wG1 f bJ8 n",
            "bH8 n wA1 f bI8 n wC1 f bJ9 n wE1 f bJ10 n wG1 f bA8 n",
        ),
    ],
)
def test_it_says_the_same_of_every_stone(irregular: str, plain: str) -> None:
    assert seen(irregular) == seen(plain)


def test_a_stone_that_was_pressed_for_does_not_show_that_it_came_late() -> None:
    late, in_time = seen("bH8 n f wI8 bJ8 n"), seen("bH8 n wI8 f bJ8 n")
    assert late == [True, False, False, False, True, False]
    assert in_time == [True, False, True, False, True, False]


@pytest.mark.parametrize(
    ("late", "opening"),
    [("n bH8 wI9 bJ8", "designated"), ("bH8 wI9 bJ8 n wI7 f n bJ9 bF10", "rif-classic")],
)
def test_stones_that_were_pressed_for_show_on_nobody_s_face(late: str, opening: str) -> None:
    assert seen(late, opening=opening)[-1] is False


def test_an_offer_taken_away_and_a_stone_put_down_is_a_stone_seen() -> None:
    said = seen("bH8 wI9 bJ8 n wI7 f bJ9 bF10 n -bF10 wA1", opening="rif-classic")
    assert said[-3:] == [False, False, True]


def test_the_opponent_s_own_stone_shows_although_one_is_owed() -> None:
    assert seen("bH8 n f bI8 n wI9")[-1] is True


def test_after_a_move_was_taken_back_the_next_stone_shows() -> None:
    table = Table()
    table.do("bH8 n wA1 wC1 f")
    table.say("uphold", code="double-move")
    table.do("-wC1")
    table.say("resume")
    assert not table.referee.stone_seen
    side = "b" if table.referee.to_move == "black" else "w"
    table.do(f"{side}E1")
    assert table.referee.stone_seen
