import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.referee.rulings import (
    AnyRuling,
    Audience,
    Called,
    Claimed,
    Differs,
    Forbidden,
    Irregular,
    Kept,
    Lapsed,
    Moved,
    Offered,
    OpeningSet,
    Over,
    Pressed,
    Rejected,
    Reopened,
    Restarted,
    Restored,
    Revealed,
    Standing,
    Started,
    Swapped,
    Told,
    Unmoved,
    Upheld,
    Waived,
)
from firmware_host.referee.settings import MatchSettings
from tests.arbitrary import any_of

P = parse_point
HEADER = Header(first=Person(name="Anna"), second=Person(name="Bo"))


def move(n: int, point: str | None, t_ns: int = 0) -> Moved:
    colour = BLACK if n % 2 else WHITE
    return Moved(t_ns=t_ns, n=n, point=None if point is None else P(point), colour=colour, used_ms=n)


def record_of(*rulings: AnyRuling, audience: Audience = "arbiter") -> GameRecord:
    return GameRecord.new(HEADER, MatchSettings(), audience).fold_all(rulings)


SLIDE = Irregular(
    t_ns=5, audience="arbiter", code="slide", side=BLACK, article="6.1.5", point=P("E5"), rest=P("E6"), n=1
)
DOUBLE_THREE = Forbidden(t_ns=5, audience="arbiter", n=7, point=P("H8"), kind="double-three")


def test_a_stone_that_comes_to_rest_elsewhere_is_one_finding() -> None:
    record = record_of(SLIDE, msgspec.structs.replace(SLIDE, rest=P("E7")))
    assert [(found.point, found.rest) for found in record.irregular] == [(P("E5"), P("E7"))]


# -- moves


def test_a_press_completes_a_move() -> None:
    record = record_of(
        Started(t_ns=1),
        move(1, "H8", 10),
        Pressed(t_ns=20, side=BLACK, running=WHITE, n=1, used_ms=19, remaining_ms={BLACK: 500, WHITE: 900}),
    )
    (first,) = record.moves
    assert (first.t_ns, first.pressed_ns, first.used_ms, first.left_ms) == (10, 20, 19, 500)
    assert record.started_ns == 1


def test_a_press_completes_the_moves_before_it_as_well() -> None:
    press = Pressed(t_ns=20, side=BLACK, running=WHITE, n=3, used_ms=99)
    record = record_of(move(1, "H8"), move(2, "H9"), move(3, "I10"), press)
    assert [m.pressed_ns for m in record.moves] == [20, 20, 20]
    assert [m.used_ms for m in record.moves] == [1, 2, 99]


def test_a_press_after_two_stones_of_both_colours_is_for_the_one_of_its_side() -> None:
    stones = [move(n, point, n) for n, point in enumerate(("A1", "C3", "B2", "D4", "E5"), 1)]
    left = {BLACK: 7_000, WHITE: 5_000}
    pressed = Pressed(t_ns=9, side=WHITE, running=BLACK, n=5, used_ms=800, remaining_ms=left)
    record = record_of(*stones, pressed)
    fourth, fifth = record.moves[3:]
    assert (fourth.used_ms, fourth.left_ms, fourth.pressed_ns) == (800, 5_000, 9)
    assert (fifth.used_ms, fifth.left_ms, fifth.pressed_ns) == (5, None, 9)


def test_the_last_telling_of_a_move_is_the_record() -> None:
    record = record_of(move(1, "H8"), move(1, "I8"))
    assert [m.point for m in record.moves] == [P("I8")]
    assert record.corrections == ()
    assert dict(record.position.stones()) == {P("I8"): BLACK}


def test_a_completed_move_that_is_changed_or_taken_off_is_a_correction() -> None:
    press = Pressed(t_ns=20, side=BLACK, running=WHITE, n=1, used_ms=7)
    upheld = Upheld(t_ns=30, code="slide")
    corrected = record_of(move(1, "H8"), press, upheld, move(1, "I8"))
    assert [(m.point, m.used_ms) for m in corrected.moves] == [(P("I8"), 7)]
    taken = corrected.fold(Unmoved(t_ns=40, n=1))
    assert [(c.t_ns, c.was, c.now, c.off) for c in taken.corrections] == [
        (30, P("H8"), P("I8"), False),
        (40, P("I8"), None, True),
    ]
    assert taken.moves == ()


def test_taking_moves_off_takes_what_depends_on_them() -> None:
    opening = (move(1, "H8"), move(2, "H9"), move(3, "I10"), OpeningSet(t_ns=1, name="D2", offers=2))
    offers = (move(4, "A1"), Offered(t_ns=2, points=(P("J9"), P("F10"))))
    record = record_of(*opening, *offers)
    assert record.fold(Unmoved(t_ns=3, n=5)).offers == record.offers
    assert record.fold(Unmoved(t_ns=3, n=4)).offers == ()
    assert record.fold(Unmoved(t_ns=3, n=4)).opening == "D2"
    assert record.fold(Unmoved(t_ns=3, n=3)).opening is None


def test_offers_lie_there_until_the_move_that_they_are_for_is_told() -> None:
    two_in_a_row = (move(4, "A1"), move(5, "A3"))
    record = record_of(*two_in_a_row, Offered(t_ns=2, points=(P("J9"), P("F10")), n=6))
    assert (record.on_offer, record.kept) == ((P("J9"), P("F10")), None)
    assert record.fold(Unmoved(t_ns=3, n=5)).offers == ()
    record = record.fold(move(6, "J9"))
    assert (record.on_offer, record.kept) == ((), P("J9"))


def test_moves_stand_in_their_order_whenever_they_are_told() -> None:
    record = record_of(move(1, "H8"), move(3, "I10"), move(2, None))
    assert [(m.n, m.point) for m in record.moves] == [(1, P("H8")), (2, None), (3, P("I10"))]
    assert record.move(2) == record.moves[1]
    assert record.move(4) is None


# -- the opening


def test_the_offers_and_the_one_that_stayed() -> None:
    four = [move(n, p) for n, p in enumerate(["H8", "H9", "I10", "G7"], 1)]
    offered = Offered(t_ns=9, points=(P("J9"), P("F10")))
    press = Pressed(t_ns=10, side=BLACK, running=WHITE, n=5, used_ms=77, remaining_ms={BLACK: 5, WHITE: 6})
    record = record_of(*four, offered, press)
    assert record.on_offer == (P("J9"), P("F10"))
    assert record.kept is None
    chosen = record.fold(move(5, "F10")).fold(move(6, "H11"))
    assert chosen.on_offer == ()
    assert chosen.offers == (P("J9"), P("F10"))
    assert chosen.kept == P("F10")
    fifth = chosen.moves[4]
    assert (fifth.used_ms, fifth.left_ms, fifth.pressed_ns) == (77, 5, 10)
    assert chosen.ahead == ()


def test_a_swap_with_bowls_and_one_with_seats() -> None:
    bowls = record_of(Swapped(t_ns=1, black_seat="far"))
    assert [(bowls.name(c), bowls.seat(c)) for c in (BLACK, WHITE)] == [("Bo", "far"), ("Anna", "near")]
    seats = record_of(Swapped(t_ns=1, black_seat="near"))
    assert [(seats.name(c), seats.seat(c)) for c in (BLACK, WHITE)] == [("Bo", "near"), ("Anna", "far")]
    twice = record_of(Swapped(t_ns=1, black_seat="far"), Swapped(t_ns=2, black_seat="near"))
    assert twice.name(BLACK) == "Anna"


def test_choices_are_kept_in_order() -> None:
    record = record_of(move(1, "H8"), Kept(t_ns=3, side=WHITE))
    assert [(c.after, c.swap) for c in record.choices] == [(1, False)]
    assert record.name(BLACK) == "Anna"


def test_black_may_sit_on_the_far_side() -> None:
    record = GameRecord.new(HEADER, MatchSettings(black_sits="far"))
    assert [record.seat(c) for c in (BLACK, WHITE)] == ["far", "near"]


# -- what was found


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (Claimed(t_ns=6, code="slide", side=WHITE, point=P("E5")), "claimed"),
        (Claimed(t_ns=6, code="slide", side=WHITE, point=P("E6")), "claimed"),
        (Upheld(t_ns=6, code="slide"), "upheld"),
        (Rejected(t_ns=6, code="slide", point=P("E5"), side=BLACK), "rejected"),
        (Rejected(t_ns=6, code="slide", point=P("E5")), "open"),
        (Waived(t_ns=6, code="slide", point=P("E5")), "waived"),
        (Lapsed(t_ns=6, audience="arbiter", code="slide", point=P("E5")), "lapsed"),
        (Upheld(t_ns=6, code="replace", point=P("E5")), "open"),
        (Upheld(t_ns=6, code="slide", point=P("E7")), "open"),
        (Claimed(t_ns=6, code=None, side=WHITE), "open"),
    ],
)
def test_answers_change_the_standing_of_what_they_mean(answer: AnyRuling, standing: str) -> None:
    record = record_of(SLIDE, answer)
    assert [found.standing for found in record.irregular] == [standing]
    assert answer in record.log


def test_a_forbidden_move_is_claimed_by_its_point_whatever_it_is_called() -> None:
    record = record_of(DOUBLE_THREE, Claimed(t_ns=6, code="overline", side=WHITE, point=P("H8")))
    assert [found.standing for found in record.forbidden] == ["claimed"]
    other = record_of(DOUBLE_THREE, Claimed(t_ns=6, code="overline", side=WHITE, point=P("H9")))
    assert [found.standing for found in other.forbidden] == ["open"]


def test_the_latest_of_two_is_meant() -> None:
    record = record_of(SLIDE, SLIDE, Upheld(t_ns=6, code="slide"))
    assert [found.standing for found in record.irregular] == ["open", "upheld"]


def test_what_is_revealed_is_known_in_one_record_and_new_in_the_other() -> None:
    revealed = Revealed(
        t_ns=9, code="slide", side=BLACK, why="lapsed", article="6.1.5", point=P("E5"), rest=P("E6"), n=1
    )
    arbiter = record_of(SLIDE, revealed)
    public = record_of(SLIDE, revealed, audience="public")
    assert [(f.t_ns, f.known) for f in arbiter.irregular] == [(5, True)]
    assert [(f.t_ns, f.known, f.standing) for f in public.irregular] == [(9, True, "lapsed")]
    again = record_of(SLIDE, revealed, SLIDE, revealed)
    assert [f.known for f in again.irregular] == [True, True]


def test_a_forbidden_move_is_revealed_among_the_forbidden_moves() -> None:
    revealed = Revealed(
        t_ns=9,
        code="forbidden",
        side=BLACK,
        why="over",
        article="2.19",
        point=P("H8"),
        n=7,
        kind="double-three",
    )
    assert [f.known for f in record_of(DOUBLE_THREE, revealed).forbidden] == [True]
    (public,) = record_of(DOUBLE_THREE, revealed, audience="public").forbidden
    assert (public.kind, public.n, public.standing) == ("double-three", 7, "open")


# -- the rest


def test_differences_last_until_the_board_is_restored() -> None:
    differs = Differs(t_ns=1, points=((P("H8"), BLACK, None),))
    assert record_of(differs).differences == ((P("H8"), BLACK, None),)
    assert record_of(differs, Restored(t_ns=2)).differences == ()


def test_the_result() -> None:
    five = tuple(map(P, ["H8", "H9", "H10", "H11", "H12"]))
    record = record_of(Over(t_ns=9, winner=WHITE, result={WHITE: 1}, reason="five", line=five))
    assert record.result is not None
    assert (record.result.black, record.result.white, record.result.line) == (0, 1, five)


def test_each_audience_hears_its_own() -> None:
    call = Called(t_ns=1, side=BLACK)
    players = Called(t_ns=2, side=BLACK, audience="players")
    told = Told(t_ns=3, code="late")
    assert record_of(call, players, told).log == (call, players, told)
    assert record_of(call, players, told, audience="players").log == (call, players)
    assert record_of(call, players, told, audience="public").log == (call,)


@given(st.lists(any_of(AnyRuling), max_size=15), st.sampled_from(["public", "players"]))
@settings(max_examples=40)
def test_a_record_is_that_of_the_rulings_for_its_audience(
    rulings: list[AnyRuling], audience: Audience
) -> None:
    heard = {"public": ["public"], "players": ["public", "players"]}[audience]
    own = [ruling for ruling in rulings if ruling.audience in heard]
    assert record_of(*rulings, audience=audience) == record_of(*own, audience=audience)


# -- decisions undone, and a game that begins again


def test_a_result_that_is_undone_is_none_for_everybody() -> None:
    over = Over(t_ns=9, winner=WHITE, result={WHITE: 1}, reason="arbiter")
    for audience in ("public", "players", "arbiter"):
        assert record_of(over, Reopened(t_ns=10), audience=audience).result is None
    again = record_of(over, Reopened(t_ns=10), over)
    assert again.result == record_of(over).result


def test_a_finding_stands_again_as_it_did() -> None:
    upheld = Upheld(t_ns=6, code="slide", point=P("E5"))
    standing = Standing(t_ns=7, code="slide", side=BLACK, point=P("E5"), standing="claimed")
    assert [f.standing for f in record_of(SLIDE, upheld).irregular] == ["upheld"]
    assert [f.standing for f in record_of(SLIDE, upheld, standing).irregular] == ["claimed"]
    elsewhere = Standing(t_ns=7, code="slide", side=BLACK, point=P("A1"), standing="open")
    assert [f.standing for f in record_of(SLIDE, upheld, elsewhere).irregular] == ["upheld"]


@pytest.mark.parametrize(("traded", "black"), [(False, "Anna"), (True, "Bo")])
def test_a_game_that_begins_again_has_no_moves_and_keeps_what_was_found(traded: bool, black: str) -> None:
    swap = Swapped(t_ns=4, black_seat="far")
    opening = OpeningSet(t_ns=3, name="D1", offers=2)
    restarted = Restarted(t_ns=9, why="colours", black_seat="near", traded=traded)
    record = record_of(move(1, "H8"), opening, swap, SLIDE, restarted)
    assert (record.moves, record.opening, record.declared, record.choices) == ((), None, None, ())
    assert [f.code for f in record.irregular] == ["slide"]
    assert (record.name(BLACK), record.black_seat) == (black, "near")
    assert [m.point for m in record.fold(move(1, "I9")).moves] == [P("I9")]


def test_an_answer_means_the_finding_of_the_side_that_did_it() -> None:
    both = [Irregular(t_ns=n, audience="arbiter", code="out-of-turn", side=side, article="4.1")
            for n, side in enumerate((WHITE, BLACK))]  # fmt: skip
    record = record_of(*both, Lapsed(t_ns=3, code="out-of-turn", side=WHITE))
    assert [(f.side, f.standing) for f in record.irregular] == [(WHITE, "lapsed"), (BLACK, "open")]
    claimed = record_of(*both, Claimed(t_ns=3, code="out-of-turn", side=BLACK))
    assert [(f.side, f.standing) for f in claimed.irregular] == [(WHITE, "claimed"), (BLACK, "open")]


def test_the_time_of_a_turn_is_that_of_its_first_stone() -> None:
    """Else the public, who must not know of a second stone, could tell by the time that there is one."""
    record = record_of(
        Moved(t_ns=80, n=1, point=P("H8"), colour=BLACK, used_ms=80),
        Moved(t_ns=500, n=2, point=P("I9"), colour=BLACK, used_ms=500),
        Pressed(t_ns=1900, side=BLACK, running=WHITE, n=2, used_ms=1900, remaining_ms={BLACK: 7, WHITE: 9}),
    )
    assert [(m.used_ms, m.left_ms, m.pressed_ns) for m in record.moves] == [(1900, 7, 1900), (0, None, 1900)]


def test_two_findings_of_the_same_facts_stand_again_both() -> None:
    one = Irregular(t_ns=1, audience="arbiter", code="out-of-turn", side=WHITE, article="4.1")
    lapsed = Lapsed(t_ns=2, code="out-of-turn", side=WHITE)
    again = Standing(t_ns=3, code="out-of-turn", side=WHITE, standing="open")
    record = record_of(one, one, lapsed, lapsed, again, again)
    assert [found.standing for found in record.irregular] == ["open", "open"]


def test_what_a_player_did_stays_his_through_a_swap() -> None:
    did = Irregular(t_ns=5, audience="arbiter", code="out-of-turn", side=BLACK, article="4.1")
    record = record_of(did, Swapped(t_ns=6, black_seat="far"))
    assert record.doer(record.irregular[0]) is WHITE
    own, other = (record.fold(Claimed(t_ns=7, code="out-of-turn", side=side)) for side in (WHITE, BLACK))
    assert [own.irregular[0].standing, other.irregular[0].standing] == ["open", "claimed"]


def test_choices_stand_again_when_a_restart_is_undone() -> None:
    swapped = record_of(Kept(t_ns=1, side=WHITE), Swapped(t_ns=2, black_seat="far"))
    again = swapped.fold(Restarted(t_ns=3, why="replay", black_seat="near"))
    undone = again.fold(Restarted(t_ns=4, why="undone", black_seat="far"))
    assert (again.choices, again.name(BLACK)) == ((), "Anna")
    assert (undone.choices, undone.name(BLACK), undone.seat(BLACK)) == (swapped.choices, "Bo", "far")
    assert undone.fold(Restarted(t_ns=5, why="undone", black_seat="near")).choices == ()
