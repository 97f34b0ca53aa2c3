"""Stones and presses in alternate play (docs/rules.md, sections 4 and 5)."""

import pytest

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.referee.rulings import (
    Differs,
    Forbidden,
    Irregular,
    Lapsed,
    Moved,
    Over,
    Pressed,
    PressWithoutStone,
    Revealed,
    Told,
)
from firmware_host.sensing.events import Placed, Slid
from tests.referee.hands import MS, Table

# script -> record, irregular actions
ORDER_OF_PLAY = {
    "three clean moves": ("bH8 n wI9 f bJ10 n", "H8 I9 J10", []),
    "three stones before any press": ("bH8 wI9 bJ10", "H8 I9 J10", []),
    "both have played, the running side presses": ("bH8 wI9 n bJ10 n", "H8 I9 J10", []),
    "both have played, the other side presses first": ("bH8 wI9 f n bJ10", "H8 I9 J10", []),
    "double move": ("bH8 n wI9 wJ9 f bJ10", "H8 I9 J9 J10", [("double-move", "J9")]),
    "a second stone after the press": ("bH8 n bJ9", "H8", [("out-of-turn", "J9")]),
    "stone out of turn, then accepted by playing on": (
        "bH8 n bJ9 wI9",
        "H8 J9 I9",
        [("out-of-turn", "J9")],
    ),
    "stone out of turn, taken back": ("bH8 n bJ9 -bJ9 wI9 f", "H8 I9", [("out-of-turn", "J9")]),
    "White's stone in Black's turn": ("bH8 n wI9 f wJ9", "H8 I9", [("out-of-turn", "J9")]),
    "White's stone before move 1": ("wI9", "", [("out-of-turn", "I9")]),
    "press before the stone": ("n bH8 wI9 f", "H8 I9", [("clock-first", "H8")]),
    "press before the stone, and again after it": ("n bH8 n wI9 f", "H8 I9", [("clock-first", "H8")]),
    "and again, and then the stone": (
        "n n bH8 n wI9 f", "H8 I9", [("out-of-turn", None), ("clock-first", "H8")],
    ),
    "stone not seen, the opponent plays": ("bH8 n f bJ10 n", "H8 - J10", []),
    "press by the side that is not to move": ("f", "", [("out-of-turn", None)]),
    "second press": ("bH8 n n", "H8", []),
    "second press with no stone seen": ("n n wI9", "- I9", [("out-of-turn", None)]),
    "press in the opponent's turn": ("bH8 n wI9 f bJ10 f", "H8 I9 J10", [("out-of-turn", None)]),
    "slide of a new stone": ("bE5>E6 n", "E6", [("slide", "E5")]),
    "slide of the stone just played": ("bE5 bE5>E6 n", "E6", [("slide", "E5")]),
    "slide that rests on the way": ("bE5>E6 bE5>E6>E7 n", "E7", [("slide", "E5")]),
    "slide there and back": ("bE5 bE5>E6>E5 n", "E5", []),
    "two slides": ("bE5 bE5>E6 bE6>E7 n", "E7", [("slide", "E5")]),
    "slides of two stones in a row": (
        "bH8 n wE5>E6 wJ9>K9 f", "H8 E6 K9", [("slide", "E5"), ("double-move", "K9"), ("slide", "J9")],
    ),
    "slide after the press is a moved stone": ("bE5 n bE5>E6", "E5", []),
    "slide of another stone": ("bE5 n wH8 bE5>E6 f", "E5 H8", []),
    "pressed, then slid in": ("n bE5>E6", "E6", [("clock-first", "E6"), ("slide", "E5")]),
    "replace": ("bI9 -bI9 bH10 n", "H10", [("replace", "I9")]),
    "replace twice": ("bI9 -bI9 bH10 -bH10 bH11 n", "H11", [("replace", "I9")]),
    "taken up and put back": ("bI9 -bI9 bI9 n", "I9", []),
    "lifted after the press and put elsewhere": ("bI9 n -bI9 bH10", "I9", []),
    "an old stone put elsewhere is no move": ("bH8 n wI9 f -bH8 bJ8", "H8 I9", []),
    "after a moved stone a new one is a move": ("bH8 n wI9 f -bH8 bJ8 bK8 n", "H8 I9 K8", []),
    "it was the move if nothing else follows": ("bH8 n wI9 f -bH8 bJ8 n", "H8 I9 J8", []),
    "or if the opponent plays on": ("bH8 n wI9 f -bH8 bJ8 wK8 f n", "H8 I9 J8 K8", []),
    "but not when the other has given the time back": ("bH8 n wI9 f -bH8 bJ8 bK8 n f n", "H8 I9 K8", []),
    "a stone of the turn before is moved for good": ("bH8 n -bH8 bJ8 wI9 f n", "H8 I9", []),
    "taken up once more": ("bH8 n wI9 f -bH8 bJ8 -bJ8 n", "H8 I9", []),
    "a stone gone for long swallows nothing": ("bH8 n wI9 f -bH8 +5000 bJ8", "H8 I9 J8", []),
    "nor one out of turn": ("bH8 n -bH8 +5000 bJ8", "H8", [("out-of-turn", "J8")]),
    "own stone straightened on one's own time": ("bH8 n wI9 f ~bH8", "H8 I9", []),
    "own stone straightened on the other's time": ("bH8 n ~bH8", "H8", [("bad-adjust", "H8")]),
    "straightened before the press": ("bH8 ~bH8 n", "H8", []),
    "slide onto a point whose stone is gone": ("bH8 n wA1 f bG8 -bH8 bG8>H8 n", "H8 A1 G8", []),
    "a stone out of turn slides": ("bH8 n bJ9 bJ9>K9 wA1", "H8 K9 A1", [("out-of-turn", "J9")]),
    "put down where another colour was": ("bH8 n -bH8 wH8", "H8", []),
    "a stone on top of another": ("bH8 n wH8", "H8", [("occupied", "H8")]),
}  # fmt: skip


@pytest.mark.parametrize(("script", "record", "irregular"), ORDER_OF_PLAY.values(), ids=ORDER_OF_PLAY)
def test_order_of_play(script: str, record: str, irregular: list[tuple[str, str | None]]) -> None:
    table = Table()
    table.do(script)
    assert (table.moves, table.irregular) == (record, irregular)
    assert all(i.audience == "arbiter" for i in table.of(Irregular))


COLOURLESS = {
    "alternate": ("?H8 n ?I9 f ?J10 n", "H8 I9 J10", []),
    "a second stone before the press": ("?H8 n ?I9 ?J9 f ?J10", "H8 I9 J9 J10", [("double-move", "J9")]),
    "the stone after a press without one": ("?H8 n f ?I9 ?J10 n", "H8 I9 J10", [("clock-first", "I9")]),
    "an old stone put elsewhere, then a move": ("?H8 n ?I9 f -?H8 ?J8 ?K8 n ?A1 f", "H8 I9 K8 A1", []),
    "an old stone put elsewhere after the move": ("?H8 n ?I9 f ?K8 -?H8 ?J8 n f", "H8 I9 K8", []),
    "an old stone put elsewhere, and another second stone": (
        "?H8 n ?I9 f ?K8 -?H8 ?J8 ?L8 n",
        "H8 I9 K8 L8",
        [("double-move", "L8")],
    ),
    "an old stone gone, and the next move": ("?H8 n ?I9 f -?H8 ?J8 n ?A1 f", "H8 I9 J8 A1", []),
    "replace": ("?H8 n ?I9 -?I9 ?H10 f", "H8 H10", [("replace", "I9")]),
    "slide": ("?H8 n ?C4>D4>E4>F4 f", "H8 F4", [("slide", "C4")]),
}


@pytest.mark.parametrize(("script", "record", "irregular"), COLOURLESS.values(), ids=COLOURLESS)
def test_a_stone_without_colour_belongs_to_the_side_to_move(
    script: str, record: str, irregular: list[tuple[str, str | None]]
) -> None:
    table = Table()
    table.do(script)
    assert (table.moves, table.irregular) == (record, irregular)


def test_a_stone_that_touched_before_the_press_and_was_still_sliding_is_no_clock_first() -> None:
    table = Table()
    table.do("n")
    press_ns = table.t_ns
    table.give(Slid(t_ns=press_ns + 5, path=(64, 79), colour=BLACK, first_contact_ns=press_ns - 5))
    assert (table.moves, table.irregular) == ("E6", [("slide", "E5")])


def test_what_seemed_a_moved_stone_is_a_move_from_its_first_contact_and_the_gap_is_told() -> None:
    table = Table()
    table.do("bH8 n wI9 f -bH8 bJ8")
    contact_ns = table.t_ns
    table.do("n")
    assert [(m.n, m.t_ns) for m in table.of(Moved)][-1] == (3, contact_ns)
    assert [d.points for d in table.of(Differs)] == [((parse_point("H8"), BLACK, None),)]
    assert not table.of(PressWithoutStone)


@pytest.mark.parametrize("script", ["bH8 n wI9 f -bH8 bJ8", "bH8 n wI9 f bH8>I8>J8"])
def test_a_moved_stone_is_told_with_where_it_was_and_where_it_lies(script: str) -> None:
    table = Table()
    told = next(r for r in table.do(script) if isinstance(r, Told) and r.code == "moved")
    assert (told.point, told.rest) == (parse_point("H8"), parse_point("J8"))


def test_every_move_is_told_once_and_a_slide_again_with_the_same_number() -> None:
    table = Table()
    table.do("bH8 n wI9 wI9>J9 f")
    assert [(m.n, m.colour) for m in table.of(Moved)] == [(1, BLACK), (2, WHITE), (2, WHITE)]


def test_a_press_hands_the_time_to_the_side_to_move() -> None:
    table = Table(time="5m")
    table.do("bH8 n")
    assert table.rulings[-1] == Pressed(
        t_ns=table.t_ns,
        side=BLACK,
        running=WHITE,
        n=1,
        used_ms=200,
        remaining_ms={BLACK: 299_800, WHITE: 300_000},
    )


def test_both_have_played_and_the_presser_is_to_move_so_his_clock_goes_on() -> None:
    table = Table(time="5m")
    table.do("bH8 wI9 n +1000 f +1000")
    assert table.left() == (300_000 - 2_400, 300_000)
    assert [(p.side, p.running, p.n) for p in table.of(Pressed)] == [(BLACK, BLACK, 1), (WHITE, BLACK, 2)]


def test_a_press_by_the_other_seat_changes_no_clock() -> None:
    table = Table(time="5m")
    table.do("bH8 f +500")
    assert table.referee.time_of is BLACK
    assert table.left() == (300_000 - 700, 300_000)


def test_a_press_without_a_stone_changes_the_clocks_and_accuses_nobody() -> None:
    table = Table(time="5m")
    table.do("n +500")
    assert table.of(PressWithoutStone)[0].side is BLACK
    assert table.irregular == []
    assert table.left() == (299_900, 299_500)


def test_the_arbiter_hears_of_a_stone_that_nobody_saw() -> None:
    table = Table()
    table.do("n wI9")
    assert [(m.n, m.point, m.missing) for m in table.of(Moved)] == [(1, None, True), (2, 128, False)]
    assert ("missing-stone", BLACK) in [(x.code, x.side) for x in table.of(Told)]


def test_playing_on_lets_what_happened_lapse_and_tells_everybody() -> None:
    table = Table()
    table.do("bE5>E6 n")
    assert not table.of(Revealed)
    table.do("wI9")
    assert [(x.code, x.point, x.audience) for x in table.of(Lapsed)] == [("slide", 64, "public")]
    assert [(x.code, x.why, x.audience) for x in table.of(Revealed)] == [("slide", "lapsed", "public")]


@pytest.mark.parametrize("script", ["n", "~wI9", "nc"])
def test_a_press_straightening_or_a_call_is_not_playing_on(script: str) -> None:
    table = Table()
    table.do("bH8 n wI9>J9 f")
    table.do(script)
    assert not table.of(Lapsed)


FIVE = "bH8 n wH9 f bI8 n wI9 f bJ8 n wJ9 f bK8 n wK9 f"


def test_five_ends_the_game_at_its_first_contact_and_nothing_after_it_is_told() -> None:
    table = Table()
    table.do(FIVE + " bL8")
    over = table.of(Over)
    assert [(o.winner, o.reason, o.t_ns) for o in over] == [(BLACK, "five", table.t_ns)]
    assert table.do("n -wH9 -bH8 bH8 wH8 f nc ak wO15 +60000") == []
    assert len(table.of(Over)) == 1
    assert table.moves.endswith("K9 L8")


def test_a_five_that_slid_wins_only_when_the_slide_has_lapsed() -> None:
    table = Table()
    table.do(FIVE + " bM8>L8 n")
    assert not table.of(Over)
    table.do("wA1")
    assert [o.reason for o in table.of(Over)] == ["five"]
    assert not table.moves.endswith("A1"), "White's stone came when the game was over"


def test_a_five_of_a_double_move_wins_only_when_it_is_waived() -> None:
    table = Table()
    table.do("bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bK8 bL8 n")
    assert not table.of(Over)
    table.say("waive", code="double-move", point="L8")
    assert [o.winner for o in table.of(Over)] == [BLACK]


DOUBLE_THREE = "bH8 n wA1 f bI8 n wA3 f bG9 n wA5 f bG10 n wA7 f"


def test_a_forbidden_move_is_for_the_arbiter_and_lapses_when_white_plays_on() -> None:
    table = Table()
    table.do(DOUBLE_THREE + " bG8 n")
    assert [(x.kind, x.audience) for x in table.of(Forbidden)] == [("double-three", "arbiter")]
    assert not [r for r in table.rulings if r.audience != "arbiter" and "forbidden" in repr(r)]
    table.do("wA9")
    assert [x.code for x in table.of(Lapsed)] == ["double-three"]
    assert [(x.code, x.kind, x.audience) for x in table.of(Revealed)] == [
        ("forbidden", "double-three", "public")
    ]
    assert not table.of(Over)


@pytest.mark.parametrize(
    ("setting", "ended"), [("claim", []), ("automatic", [(WHITE, "forbidden")]), ("off", [])]
)
def test_the_forbidden_setting(setting: str, ended: list[object]) -> None:
    table = Table(forbidden=setting)
    table.do(DOUBLE_THREE + " bG8")
    assert [(o.winner, o.reason) for o in table.of(Over)] == ended
    assert bool(table.of(Forbidden)) == (setting != "off")


def test_a_forbidden_stone_that_slides_on_is_forbidden_no_more() -> None:
    table = Table()
    table.do(DOUBLE_THREE + " bG8 bG8>F8 n")
    assert [(x.code, x.audience) for x in table.of(Lapsed)] == [("double-three", "arbiter")]
    assert not [m for m in table.referee.claimable if m.kind]


OVERLINE = "bC8 n wA1 f bD8 n wA3 f bE8 n wA5 f bG8 n wA7 f bH8 n wA9 f bF8 n wA11 f"


@pytest.mark.parametrize(
    ("settings", "lapses", "winner"),
    [
        ({}, ["overline"], None),
        ({"overline_claim": "any-time"}, [], None),
        ({"forbidden": "off"}, [], BLACK),
        ({"forbidden": "off", "overline": "nothing"}, [], None),
    ],
)
def test_overlines(settings: dict[str, str], lapses: list[str], winner: object) -> None:
    table = Table(**settings)
    table.do(OVERLINE)
    assert [x.code for x in table.of(Lapsed)] == lapses
    assert [o.winner for o in table.of(Over)] == ([winner] if winner else [])


def test_free_first_tengen() -> None:
    table = Table(free_first="tengen")
    table.do("bI8 n")
    assert table.irregular == [("first-not-tengen", "H8")]


def test_a_full_board_is_a_draw() -> None:
    # Columns of colours that never make five: pairs of rows trade places every second column.
    table = Table(forbidden="off", overline="nothing")
    black = [c + str(r) for i, c in enumerate("ABCDEFGHIJKLMNO") for r in range(1, 16) if (i // 2 + r) % 2]
    white = [
        c + str(r) for i, c in enumerate("ABCDEFGHIJKLMNO") for r in range(1, 16) if not (i // 2 + r) % 2
    ]
    while len(black) > 113:
        white.append(black.pop())
    while len(black) < 113:
        black.append(white.pop())
    for n in range(225):
        table.do(f"b{black[n // 2]} n" if n % 2 == 0 else f"w{white[n // 2]} f")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(None, "full-board")]


def test_with_five_claimed_officials_are_silent_until_it_is() -> None:
    table = Table(five="claim")
    table.do(FIVE + " bL8 n wA1 f")
    assert not table.of(Over)
    table.say("claim", side="black", code="five")
    table.say("uphold")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


def test_a_stone_that_came_after_its_press_has_the_time_up_to_the_press_and_is_told_as_pressed() -> None:
    """Whoever sees the moves and their times alone cannot tell which stone came late."""
    table = Table(time="5m")
    table.do("+900 n")
    told = table.do("+500 bH8")
    assert [r.used_ms for r in told if isinstance(r, Moved)] == [1000]
    assert [(r.n, r.used_ms) for r in told if isinstance(r, Pressed)] == [(1, 1000)]


def test_a_press_between_the_frame_without_the_stone_and_the_one_with_it_is_no_clock_first() -> None:
    for since_ms, codes in ((195, []), (200, ["clock-first"]), (None, ["clock-first"])):
        table = Table()
        table.do("n")
        since_ns = None if since_ms is None else since_ms * MS
        told = table.give(Placed(t_ns=205 * MS, point=parse_point("H8"), colour=BLACK, since_ns=since_ns))
        assert [r.code for r in told if isinstance(r, Irregular)] == codes


STONES_THAT_SHOULD_NOT_LIE_THERE: dict[str, tuple[str, str, list[str]]] = {
    "on another, taken off": ("bH8 n wH8 bH8", "occupied", ["gone"]),
    "on another, both taken off": ("bH8 n wH8 -wH8", "occupied", ["gone"]),
    "on another, left there": ("bH8 n wH8", "occupied", ["open"]),
    "on another twice": ("bH8 n wH8 bH8 wH8", "occupied", ["gone", "open"]),
}


@pytest.mark.parametrize(
    ("script", "code", "standings"),
    STONES_THAT_SHOULD_NOT_LIE_THERE.values(),
    ids=STONES_THAT_SHOULD_NOT_LIE_THERE,
)
def test_a_stone_that_was_taken_away_is_claimable_no_more(
    script: str, code: str, standings: list[str]
) -> None:
    table = Table()
    table.do(script)
    assert [(x.code, x.standing) for x in table.referee.matters] == [(code, s) for s in standings]
    assert len(table.referee.claimable) == standings.count("open")


def test_a_wrong_stone_among_offers_is_found_once_and_claimable_while_it_lies_there() -> None:
    table = Table(opening="designated", offers=2)
    table.do("bH8 wI9 bJ8 n wI7 f bG10 wK10")
    assert [(x.code, x.standing) for x in table.referee.claimable] == [("wrong-colour", "open")]
    table.do("-wK10")
    assert not table.referee.claimable
    table.do("bH6 n")
    assert table.irregular == [("wrong-colour", "K10")]


def test_two_presses_for_a_wrong_stone_in_a_set_up_find_it_once() -> None:
    table = Table(opening="designated")
    table.do("bH8 wI9 wJ8 n n")
    assert [code for code, _ in table.irregular].count("wrong-colour") == 1


def test_a_stone_that_was_answered_before_its_press_is_no_longer_slid_but_moved() -> None:
    table = Table()
    table.do("bH8 wA1 bH8>H9")
    assert (table.moves, table.irregular) == ("H8 A1", [])
    assert table.differences() == ["H8", "H9"]


def test_what_lapsed_is_not_found_anew_when_the_stone_is_pushed_on() -> None:
    table = Table()
    table.do("bE5>E6 wA1 bE6>E7")
    assert (table.moves, table.irregular) == ("E6 A1", [("slide", "E5")])
    assert table.referee.claimable == ()


@pytest.mark.parametrize("on", ["n", "wA1"])
def test_a_second_stone_that_its_mover_takes_back_is_no_move(on: str) -> None:
    table = Table()
    table.do(f"bH8 n wI9 f bJ10 bK11 -bK11 {on}")
    assert (table.moves.startswith("H8 I9 J10"), table.differences()) == (True, [])
    assert table.irregular == [("double-move", "K11")]
    assert ("taken-back", parse_point("K11")) in [(t.code, t.point) for t in table.of(Told)]
