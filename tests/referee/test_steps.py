"""From step to step: choices, swaps, playing on, moves taken back (docs/rules.md, section 9)."""

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.clock import Player
from firmware_host.referee.rulings import (
    Kept,
    Over,
    Refused,
    Swapped,
)
from tests.referee.hands import FOUR, SET_UP, Table, designated


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


def test_a_move_taken_off_the_record_takes_a_draft_begun_after_it_along() -> None:
    table = designated(offers=2)
    table.do(FOUR + " bG10")
    table.say("remove", point="I7")
    assert (table.referee.step.do, table.referee.to_move) == ("move", WHITE)
    table.do("wI7 f")
    assert (table.moves, table.differences()) == ("H8 I9 J8 I7", [])


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
