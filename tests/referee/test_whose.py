"""Stones without colour that came while no frame told: whose they are is asked, and nobody is accused."""

import pytest

from firmware_host.board import BLACK, parse_point
from firmware_host.referee.rulings import Irregular, Lapsed, Over, Told
from firmware_host.sensing.events import Placed, Seen
from tests.referee.hands import FIVE, Table

MS = 1_000_000


def gap(table: Table, presses: str, *points: str) -> None:
    """No frame tells while these keys close; then stones lie on these points as well."""
    since_ns = table.t_ns
    table.do(presses)
    come_back(table, since_ns, *points)


def come_back(table: Table, since_ns: int, *points: str) -> None:
    cells = list(table.referee.sensed)
    for point in points:
        cells[parse_point(point)] = "?"
    table.t_ns += 100 * MS
    table.give(Seen(t_ns=table.t_ns, stones="".join(cells), since_ns=since_ns))


def test_the_arbiter_is_asked_and_one_word_is_enough_where_both_have_pressed() -> None:
    table = Table()
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8")
    assert table.kinds() == ["paused", "differs"]
    assert (table.moves, table.irregular) == ("H8 H9", [])
    assert (table.referee.why, table.referee.next_stone) == ("whose", "black")
    assert table.referee.of_nobody == {parse_point("I8"), parse_point("J8")}
    table.say("place", point="J8", colour="black")
    assert table.moves == "H8 H9 J8 I8"
    assert table.kinds() == ["move", "press", "move", "press", "restored"]
    table.do("?G7 n ?G8 f")
    assert (table.moves, table.irregular) == ("H8 H9 J8 I8 G7 G8", [])


@pytest.mark.parametrize(("presses", "then"), [("n", "f"), ("", "n f"), ("n f n", ""), ("n f", "")])
def test_whatever_was_pressed_nobody_is_accused_and_play_goes_on(presses: str, then: str) -> None:
    table = Table()
    table.do("?H8 n ?H9 f")
    points = ["J8", "I8", "G8"][: max(2, len(presses.split()))]
    gap(table, presses, *points)
    for point in points:
        if parse_point(point) in table.referee.of_nobody:
            table.say("place", point=point)
    table.do(then)
    assert table.moves == " ".join(["H8", "H9", *points])
    assert not table.referee.differences()
    table.do("?G7 n ?G6 f" if len(points) == 2 else "?G7 f ?G6 n")
    assert (table.moves[-5:], table.irregular) == ("G7 G6", [])


def test_what_was_used_for_the_moves_is_known_by_the_presses() -> None:
    table = Table(time="5m")
    table.do("?H8 n ?H9 f")
    since_ns = table.t_ns
    table.do("+900 n +1900 f +10000")
    come_back(table, since_ns, "J8", "I8")
    table.say("place", point="I8")
    used = {e.point: e.used_ms for e in table.referee.entries[2:]}
    assert used == {parse_point("I8"): 1000, parse_point("J8"): 2000}


def test_an_increment_is_earned_for_each_of_the_moves_once() -> None:
    table = Table(time="5m+10s")
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8")
    table.say("place", point="J8")
    assert table.left() == (300_000 - 400 + 20_000, 300_000 - 300 + 20_000)


def test_a_word_taken_back_leaves_the_stones_to_nobody_again() -> None:
    table = Table(time="5m+10s")
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8")
    table.say("place", point="J8")
    table.say("remove", point="I8")
    table.say("remove", point="J8")
    assert (table.moves, table.differences()) == ("H8 H9", ["I8", "J8"])
    table.say("place", point="I8")
    assert (table.moves, table.differences()) == ("H8 H9 I8 J8", [])
    assert table.left() == (300_000 - 400 + 20_000, 300_000 - 300 + 20_000)
    table.do("?G7 n ?G8 f")
    assert (table.moves, table.irregular) == ("H8 H9 I8 J8 G7 G8", [])


def test_a_five_ends_the_game_and_the_stone_after_it_is_nobodys() -> None:
    table = Table()
    table.do(FIVE.removesuffix("bL8 n").replace("b", "?").replace("w", "?"))
    gap(table, "n f", "L8", "A9")
    table.say("place", point="L8")
    assert [(r.reason, r.winner) for r in table.of(Over)] == [("five", "black")]
    assert table.moves.split()[-1] == "L8"


def test_a_set_up_takes_them_in_an_order_that_makes_an_opening() -> None:
    table = Table(opening="designated")
    gap(table, "", "H8", "I9", "J8")
    assert table.referee.why == ""
    table.do("n")
    assert (table.moves, table.irregular) == ("H8 I9 J8", [])


@pytest.mark.parametrize(("presses", "then"), [("n", "f"), ("n f", "")])
def test_where_several_orders_make_an_opening_the_arbiter_is_told_that_one_was_guessed(
    presses: str, then: str
) -> None:
    table = Table(opening="designated", offers=2)
    gap(table, presses, "H8", "I9", "J8", "I7")
    assert [r.code for r in table.rulings if isinstance(r, Told)] == ["order-unknown"]
    table.do(then)
    assert (table.moves, table.irregular) == ("H8 I9 I7 J8", [])
    assert table.referee.clock.running is table.referee.player_of(BLACK)
    table.do("?G7 ?K4 n")
    assert (table.irregular, table.referee.offers) == ([], (parse_point("G7"), parse_point("K4")))


def test_taken_away_again_they_are_laid_in_turn() -> None:
    table = Table()
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8")
    table.do("-?J8 -?I8")
    assert table.kinds()[-1] == "restored"
    table.do("?J8 n ?I8 f")
    assert (table.moves, table.irregular) == ("H8 H9 J8 I8", [])


def test_accepted_as_they_are_they_are_no_moves() -> None:
    table = Table()
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8")
    table.say("accept_board")
    table.say("resume")
    assert (table.moves, table.irregular, table.referee.of_nobody) == ("H8 H9", [], frozenset())


def test_the_first_of_two_presses_is_that_of_the_one_stone_that_came() -> None:
    table = Table()
    table.do("bH8 n wH9 f")
    since_ns = table.t_ns
    table.do("n f")
    table.t_ns += 100 * MS
    table.give(Placed(t_ns=table.t_ns, point=parse_point("J8"), colour=BLACK, since_ns=since_ns))
    assert table.kinds() == ["move", "press"]
    assert table.referee.next_stone == "white"
    table.do("n wI8 f bG7 n")
    assert (table.moves, table.irregular) == ("H8 H9 J8 I8 G7", [])


def test_a_stone_that_came_right_after_the_gap_is_asked_for_too_and_the_guide_ends() -> None:
    table = Table()
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8")
    table.do("?G7")
    assert table.referee.of_nobody == {parse_point(p) for p in ("J8", "I8", "G7")}
    table.say("place", point="J8")
    table.say("place", point="I8")
    assert (table.moves, table.differences()) == ("H8 H9 J8 I8 G7", [])
    assert table.referee.phase == "paused"
    table.do("n ?G8 f")
    assert (table.moves, table.irregular) == ("H8 H9 J8 I8 G7 G8", [])


def test_a_press_before_anybody_can_know_that_the_clocks_stand_is_one_of_play() -> None:
    table = Table()
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8", "G7")
    table.do("n")
    table.say("place", point="J8")
    table.say("place", point="I8")
    table.do("?G8 f")
    assert (table.moves, table.irregular) == ("H8 H9 J8 I8 G7 G8", [])


def test_a_press_long_after_the_clocks_were_stopped_is_none() -> None:
    table = Table()
    table.do("?H8 n ?H9 f")
    gap(table, "n f", "J8", "I8")
    table.do("+2000 n")
    assert [r.code for r in table.rulings if isinstance(r, Told)] == ["press-while-stopped"]


def test_a_gap_over_an_opening_and_more_is_entered_move_by_move() -> None:
    table = Table(opening="designated", offers=2)
    table.do("?H8")
    gap(table, "n f n f n", "I9", "J8", "I7", "G7", "K4", "A1")
    assert (table.referee.why, table.irregular) == ("whose", [])
    for point in ("I9", "J8", "I7", "G7", "K4"):
        table.say("place", point=point, colour=table.referee.asked_whose(parse_point(point)))
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G7 K4 A1", [])
    table.do("?A3 f ?A5 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G7 K4 A1 A3 A5", [])


def test_the_last_stone_of_a_gap_can_be_the_fifth_stone_on_offer() -> None:
    table = Table(opening="designated", offers=1)
    table.do("?H8 ?I9 ?J8 n")
    gap(table, "f n", "I7", "G7")
    table.say("place", point="I7")
    assert (table.moves, table.referee.offers) == ("H8 I9 J8 I7", (parse_point("G7"),))
    table.do("?K4 f ?A1 n")
    assert (table.moves, table.irregular) == ("H8 I9 J8 I7 G7 K4 A1", [])


def test_what_a_press_in_a_gap_found_of_offers_nobody_can_know() -> None:
    table = Table(opening="designated", offers=2)
    table.do("?H8 ?I9 ?J8 n ?I7 f ?G7")
    gap(table, "n f", "K4", "A1")
    assert (table.referee.why, list(table.referee.claimable)) == ("whose", [])
    assert [r.code for r in table.of(Irregular)] == [r.code for r in table.of(Lapsed)] == ["offers-wrong"]
