import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.clock import (
    INCREMENT,
    MOVES_NOT_MADE,
    RENEWAL,
    SECOND,
    SPLIT,
    Clock,
    Crossing,
    Entry,
    Player,
    TimeControl,
    parse_control,
)
from tests.clock.controls import CONTROLS

FIRST, SECOND_PLAYER = Player
S = SECOND


def clock(text: str, now_ns: int = 0, running: Player | None = FIRST) -> Clock:
    new = Clock.new(parse_control(text))
    return new.run(running, now_ns) if running else new.stop(now_ns)


# -- absolute


def test_at_the_deadline_is_out_and_just_before_it_in_time() -> None:
    start = clock("10s", 5 * S)
    assert start.deadline_ns == 15 * S
    assert start.next_event_ns == 15 * S
    assert start.moved(FIRST, 15 * S - 1).run(SECOND_PLAYER, 15 * S - 1).fallen == ()
    assert start.at(15 * S).fallen == (FIRST,)
    assert start.at(99 * S).first.fell_ns == 15 * S
    assert start.crossings(15 * S - 1) == []
    assert start.crossings(15 * S) == [Crossing(15 * S, FIRST, "flag", 0)]


def test_only_the_running_clock_goes_down() -> None:
    game = clock("10s").run(SECOND_PLAYER, 3 * S).stop(5 * S)
    assert [game.remaining_ns(p, 60 * S) for p in Player] == [7 * S, 8 * S]
    assert [game.used_ns(p, 60 * S) for p in Player] == [3 * S, 2 * S]
    assert game.deadline_ns is None
    assert game.next_event_ns is None
    assert game.crossings(10**20) == []


def test_a_fallen_clock_can_run_on_and_shows_nothing_left() -> None:
    late = clock("10s").at(13 * S)
    assert late.remaining_ns(FIRST, 14 * S) == 0
    assert late.used_ns(FIRST, 14 * S) == 14 * S
    assert late.deadline_ns is None
    assert late.next_event_ns is None
    assert late.crossings(20 * S) == []
    assert late.books.first.left_ns == -3 * S
    assert late.books.balanced


def test_the_first_one_out_is_named_first() -> None:
    both = clock("10s", running=SECOND_PLAYER).run(FIRST, 10 * S).at(30 * S)
    assert both.fallen == (SECOND_PLAYER, FIRST)


def test_an_instant_that_is_past_changes_nothing() -> None:
    game = clock("10s").at(4 * S)
    assert game.at(3 * S) == game
    assert game.remaining_ns(FIRST, 0) == 6 * S
    assert game.run(SECOND_PLAYER, 2 * S).as_of_ns == 4 * S


def test_without_a_limit_time_is_only_counted() -> None:
    game = clock("none").moved(FIRST, 5 * S).run(SECOND_PLAYER, 5 * S)
    assert game.remaining_ns(FIRST, 9 * S) is None
    assert game.periods_left(FIRST, 9 * S) is None
    assert game.used_ns(FIRST, 9 * S) == 5 * S
    assert game.used_ns(SECOND_PLAYER, 9 * S) == 4 * S
    assert game.deadline_ns is None
    assert game.at(10**18).fallen == ()
    assert game.set_remaining(FIRST, S, 9 * S, "x").add(FIRST, S, 9 * S, "x") == game.at(9 * S)
    assert game.set_back(clock("none"), 9 * S, "x") == game.at(9 * S)
    assert game.at(9 * S).books.balanced


# -- Fischer


def test_the_increment_comes_after_the_press_from_move_1() -> None:
    game = clock("5s+2s").moved(FIRST, 4 * S).run(SECOND_PLAYER, 4 * S)
    assert game.remaining_ns(FIRST, 4 * S) == 3 * S
    assert game.books.first.entries == (Entry(4 * S, 2 * S, INCREMENT),)
    assert clock("5s+2s").moved(FIRST, 5 * S).fallen == (FIRST,)
    assert clock("5s+2s").moved(FIRST, 5 * S).remaining_ns(FIRST, 5 * S) == 0


def test_a_move_made_again_earns_nothing_more() -> None:
    game = clock("5m+3s").moved(FIRST, 0).moved(FIRST, 0, again=True)
    assert game.remaining_ns(FIRST, 0) == 303 * S
    game = clock("2 moves/10s then 1m").moved(FIRST, 0).moved(FIRST, 0, again=True)
    assert game.remaining_ns(FIRST, 0) == 10 * S


# -- byo-yomi


def test_a_move_made_again_within_its_period_costs_nothing() -> None:
    game = clock("0s + 3x5s byo-yomi").moved(FIRST, 0).run(FIRST, 0).moved(FIRST, 3 * S, again=True)
    assert (game.remaining_ns(FIRST, 3 * S), game.periods_left(FIRST, 3 * S)) == (5 * S, 3)


def test_the_chain_of_main_time_and_periods() -> None:
    game = clock("30s + 3x5s byo-yomi")
    assert game.deadline_ns == 45 * S
    assert game.next_event_ns == 30 * S
    assert game.crossings(45 * S) == [
        Crossing(30 * S, FIRST, "main", 3),
        Crossing(35 * S, FIRST, "period", 2, byo_yomi=True),
        Crossing(40 * S, FIRST, "period", 1, byo_yomi=True),
        Crossing(45 * S, FIRST, "flag", 0, byo_yomi=True),
    ]
    seen = [
        (game.remaining_ns(FIRST, t), game.periods_left(FIRST, t), game.in_byo_yomi(FIRST, t))
        for t in (0, 30 * S - 1, 30 * S, 35 * S - 1, 35 * S, 41 * S, 45 * S)
    ]
    assert seen == [
        (30 * S, 3, False),
        (1, 3, False),
        (5 * S, 3, True),
        (1, 3, True),
        (5 * S, 2, True),
        (4 * S, 1, True),
        (0, 0, False),
    ]


def test_a_move_within_the_period_costs_nothing() -> None:
    game = clock("30s + 3x5s").moved(FIRST, 37 * S).run(SECOND_PLAYER, 37 * S)
    assert (game.remaining_ns(FIRST, 37 * S), game.periods_left(FIRST, 37 * S)) == (5 * S, 2)
    assert game.books.first.entries == (Entry(37 * S, 2 * S, RENEWAL),)
    assert game.periods_left(SECOND_PLAYER, 67 * S) == 3


def test_a_move_in_main_time_is_not_renewed() -> None:
    game = clock("30s + 3x5s").moved(FIRST, 29 * S)
    assert game.remaining_ns(FIRST, 29 * S) == S
    assert game.books.first.entries == ()


def test_the_last_period_is_renewed_until_it_is_used_up() -> None:
    game = clock("1x5s")
    for n in range(1, 100):
        game = game.moved(FIRST, n * 4 * S)
    assert game.fallen == ()
    assert game.deadline_ns == 99 * 4 * S + 5 * S


# -- stages with moves to make


def shown(game: Clock, now_ns: int) -> tuple[int | None, int | None]:
    """What is left of the period at hand, and the moves to make in it."""
    return game.remaining_ns(FIRST, now_ns), game.to_make(FIRST, now_ns)


def test_moves_that_are_not_made_when_their_time_is_out_are_the_flag() -> None:
    game = clock("2 moves/10s then 1h").moved(FIRST, 4 * S)
    assert shown(game, 4 * S) == (6 * S, 1)
    assert game.deadline_ns == 10 * S
    assert game.crossings(60 * S) == [Crossing(10 * S, FIRST, "flag", 0)]
    out = game.at(12 * S)
    assert out.fallen == (FIRST,)
    assert out.books.first.left_ns == -2 * S
    assert out.books.first.entries == (Entry(10 * S, -3600 * S, MOVES_NOT_MADE),)
    assert out.books.balanced


def test_what_is_left_when_the_moves_are_made_goes_on_into_the_next_stage() -> None:
    game = clock("2 moves/10s then 3 moves/20s").moved(FIRST, 4 * S).moved(FIRST, 9 * S)
    assert shown(game, 9 * S) == (21 * S, 3)
    assert game.deadline_ns == 30 * S
    assert game.books.first.entries == ()
    assert game.books.balanced


def test_a_stage_without_moves_ends_with_its_time() -> None:
    game = clock("10s then 2 moves/5s repeating")
    assert game.crossings(60 * S) == [Crossing(10 * S, FIRST, "stage", 0), Crossing(15 * S, FIRST, "flag", 0)]
    assert shown(game.moved(FIRST, 9 * S), 9 * S) == (S, None)
    assert shown(game, 10 * S) == (5 * S, 2)


def test_a_stage_that_repeats_begins_whole_when_its_moves_are_made() -> None:
    game = clock("2 moves/5s repeating").moved(FIRST, 2 * S)
    assert shown(game, 2 * S) == (3 * S, 1)
    game = game.moved(FIRST, 4 * S)
    assert shown(game, 4 * S) == (5 * S, 2)
    assert game.books.first.entries == (Entry(4 * S, 4 * S, RENEWAL),)
    assert game.deadline_ns == 9 * S


def test_moves_are_not_counted_by_time_that_stands() -> None:
    game = clock("2 moves/10s then 1h").moved(FIRST, 4 * S).stop(4 * S)
    assert shown(game, 500 * S) == (6 * S, 1)
    assert shown(game.run(FIRST, 600 * S).moved(FIRST, 605 * S), 605 * S) == (3601 * S, None)


def test_made_moves_before_byo_yomi_leave_their_time_to_be_used_up() -> None:
    game = clock("1 move/10s + 3x5s").moved(FIRST, 4 * S)
    assert shown(game, 4 * S) == (6 * S, 0)
    assert game.crossings(10 * S) == [Crossing(10 * S, FIRST, "main", 3)]
    assert clock("1 move/10s + 3x5s").crossings(60 * S) == [Crossing(10 * S, FIRST, "flag", 0)]


def test_each_stage_has_its_own_increment() -> None:
    game = clock("1 move/10s+2s then 20s+3s").moved(FIRST, 4 * S)
    assert shown(game, 4 * S) == (28 * S, None)
    assert shown(game.moved(FIRST, 5 * S), 5 * S) == (30 * S, None)


def test_time_given_after_the_flag_is_no_part_of_the_control() -> None:
    out = clock("2 moves/5s repeating").at(5 * S)
    game = out.set_remaining(FIRST, 60 * S, 9 * S, "arbiter")
    assert shown(game, 9 * S) == (60 * S, None)
    assert shown(game.moved(FIRST, 10 * S), 10 * S) == (59 * S, None)
    fischer = clock("5s+2s").at(5 * S).set_remaining(FIRST, 9 * S, 5 * S, "arbiter")
    assert shown(fischer.moved(FIRST, 6 * S), 6 * S) == (10 * S, None)


# -- a shared limit


def test_both_sides_use_a_shared_limit() -> None:
    game = clock("shared 60s").run(SECOND_PLAYER, 10 * S).at(25 * S)
    assert [game.remaining_ns(p, 25 * S) for p in Player] == [35 * S, 35 * S]
    assert [game.used_ns(p, 25 * S) for p in Player] == [10 * S, 15 * S]
    assert (game.books.first.lent_ns, game.books.second.lent_ns) == (15 * S, 10 * S)
    assert game.at(60 * S).fallen == (SECOND_PLAYER,)
    assert game.at(70 * S).books.balanced
    given = game.add(FIRST, 5 * S, 25 * S, "accident")
    assert [given.remaining_ns(p, 25 * S) for p in Player] == [40 * S, 40 * S]


def test_a_shared_limit_is_split_into_two_equal_halves() -> None:
    game = clock("shared 60s").run(SECOND_PLAYER, 10 * S).split(25 * S + 1)
    half = (35 * S - 1) // 2
    assert [game.remaining_ns(p, 25 * S + 1) for p in Player] == [half, half]
    assert game.at(26 * S).remaining_ns(FIRST, 26 * S) == half
    assert game.books.balanced
    assert game.books.first.entries == (Entry(25 * S + 1, half - (35 * S - 1), SPLIT),)
    with pytest.raises(ValueError, match="nothing is left to be shared of 15m"):
        clock("15m").split(0)


# -- the arbiter's entries


def test_time_is_given_and_taken_by_name() -> None:
    game = (
        clock("60s").add(FIRST, -20 * S, 10 * S, "violation").add(SECOND_PLAYER, 20 * S, 10 * S, "violation")
    )
    assert [game.remaining_ns(p, 10 * S) for p in Player] == [30 * S, 80 * S]
    assert game.books.first.entries == (Entry(10 * S, -20 * S, "violation"),)


def test_taking_goes_on_into_the_periods_and_lets_the_flag_fall() -> None:
    game = clock("10s + 3x5s", running=None)
    taken = game.add(FIRST, -17 * S, S, "penalty")
    assert (taken.remaining_ns(FIRST, S), taken.periods_left(FIRST, S)) == (3 * S, 2)
    out = game.add(FIRST, -25 * S, 7 * S, "penalty")
    assert out.fallen == (FIRST,)
    assert out.first.fell_ns == 7 * S


@pytest.mark.parametrize("added", [10 * S, -3 * S])
def test_a_move_renews_exactly_one_period_whatever_the_arbiter_did_to_the_last(added: int) -> None:
    game = clock("2x5s").add(FIRST, added, S, "disturbed")
    assert game.remaining_ns(FIRST, S) == 4 * S + added
    game = game.moved(FIRST, S)
    assert (game.remaining_ns(FIRST, S), game.periods_left(FIRST, S)) == (5 * S, 2)
    assert [(e.ns, e.reason) for e in game.books.first.entries] == [
        (added, "disturbed"),
        (S - added, RENEWAL),
    ]
    assert game.books.balanced


def test_setting_the_time_at_hand() -> None:
    game = clock("10s + 2x5s")
    assert game.set_remaining(FIRST, 7 * S, 4 * S, "replaced").remaining_ns(FIRST, 4 * S) == 7 * S
    period = game.set_remaining(FIRST, 4 * S, 12 * S, "replaced")
    assert (period.remaining_ns(FIRST, 12 * S), period.periods_left(FIRST, 12 * S)) == (4 * S, 2)
    assert period.books.first.entries == (Entry(12 * S, S, "replaced"),)
    with pytest.raises(ValueError, match="-1 ns; allowed: 0 or more"):
        game.set_remaining(FIRST, -1, 0, "replaced")


def test_a_fallen_flag_rises_when_time_is_set() -> None:
    game = clock("10s").at(12 * S).set_remaining(FIRST, 3 * S, 12 * S, "replaced")
    assert game.fallen == ()
    assert game.deadline_ns == 15 * S
    assert game.books.balanced


def test_a_clock_set_back_shows_what_it_showed() -> None:
    pressed = clock("10s + 3x5s").at(11 * S)
    later = pressed.at(18 * S).set_back(pressed, 18 * S, "clock-first")
    assert (later.remaining_ns(FIRST, 18 * S), later.periods_left(FIRST, 18 * S)) == (4 * S, 3)
    assert later.books.first.entries == (Entry(18 * S, 7 * S, "clock-first", used=True),)
    assert later.used_ns(FIRST, 18 * S) == 11 * S  # the seven were not used


def test_what_was_given_and_taken_since_stays_when_a_clock_is_set_back() -> None:
    act = clock("10s + 3x5s").at(11 * S)
    since = act.add(FIRST, -3 * S, 12 * S, "penalty").add(SECOND_PLAYER, 2 * S, 13 * S, "given")
    back = since.set_back(act, 18 * S, "out-of-turn", entries_since=act)
    assert (back.remaining_ns(FIRST, 18 * S), back.periods_left(FIRST, 18 * S)) == (S, 3)
    assert back.remaining_ns(SECOND_PLAYER, 18 * S) == 12 * S
    assert back.books.balanced


def test_what_ran_after_the_act_was_over_stays_used() -> None:
    act = clock("10s + 3x5s").at(11 * S)
    over = act.at(13 * S)
    back = act.at(30 * S).set_back(act, 30 * S, "out-of-turn", entries_since=act, ran_since=over)
    assert act.at(30 * S).fallen == (FIRST,)
    assert (back.fallen, back.books.balanced) == ((FIRST,), True)
    back = act.at(20 * S).set_back(act, 20 * S, "out-of-turn", entries_since=act, ran_since=over)
    assert (back.remaining_ns(FIRST, 20 * S), back.periods_left(FIRST, 20 * S)) == (2 * S, 2)


def test_moves_made_since_stay_made_and_a_period_renewed_since_is_whole() -> None:
    act = clock("2 moves/10s then 1m").at(3 * S)
    since = act.moved(FIRST, 5 * S)
    assert since.set_back(act, 6 * S, "x", entries_since=act).to_make(FIRST, 6 * S) == 1
    act = clock("0s + 3x5s").at(1 * S)
    since = act.moved(FIRST, 3 * S)
    assert since.set_back(act, 4 * S, "x", entries_since=act).remaining_ns(FIRST, 4 * S) == 5 * S


@pytest.mark.parametrize("words", ["split", "byo-yomi", "moves not made"])
def test_an_arbiter_may_write_any_reason(words: str) -> None:
    act = clock("1m + 3x20s").at(5 * S)
    since = act.at(8 * S).add(FIRST, -10 * S, 8 * S, words)
    assert since.set_back(act, 9 * S, "x", entries_since=act).remaining_ns(FIRST, 9 * S) == 45 * S


def test_a_shared_limit_split_since_is_split_where_it_was_set_back_to() -> None:
    act = clock("shared 1h").at(10 * S)
    since = act.split(20 * S).add(FIRST, -S, 20 * S, "penalty")
    back = since.set_back(act, 25 * S, "x", entries_since=act)
    assert [back.remaining_ns(p, 25 * S) for p in Player] == [1794 * S, 1795 * S]
    assert back.books.balanced


# -- any sequence

STEP = st.tuples(
    st.sampled_from(["run", "stop", "moved", "moved", "add", "set", "back", "split"]),
    st.sampled_from(Player),
    st.integers(-5, 20_000_000_000),
    st.integers(-3 * S, 20 * S),
)


@given(CONTROLS, st.lists(STEP, max_size=25), st.integers(0, 10**18))
def test_the_books_balance_over_any_sequence(
    control: TimeControl, steps: list[tuple[str, Player, int, int]], start: int
) -> None:
    game = Clock.new(control)
    earlier = game
    now = start
    for do, player, wait, amount in steps:
        now += wait
        before = game
        if do == "run":
            game = game.run(player, now)
        elif do == "stop":
            game = game.stop(now)
        elif do == "moved":
            game = game.moved(player, now)
        elif do == "add":
            game = game.add(player, amount, now, "arbiter")
        elif do == "set":
            game = game.set_remaining(player, abs(amount), now, "arbiter")
        elif do == "split":
            game = game.at(now)
            game = game.split(now) if game.control.shared and not game.fallen else game
        else:
            since = earlier if player is FIRST else None
            game, earlier = game.set_back(earlier, now, "arbiter", entries_since=since), before
        now = max(now, game.as_of_ns)
        assert game.books.balanced
        for side in Player:
            left = game.remaining_ns(side, now)
            if left is not None:
                assert left >= 0
                out = bool(game.fallen) if game.control.shared else side in game.fallen
                assert (left == 0) == out


@given(CONTROLS, st.lists(st.integers(1, 10 * S), max_size=20))
def test_how_often_one_looks_changes_nothing(control: TimeControl, waits: list[int]) -> None:
    start = Clock.new(control).run(FIRST, 0)
    ticked = start
    seen: list[Crossing] = []
    now = 0
    for wait in waits:
        now += wait
        seen += ticked.crossings(now)
        ticked = ticked.at(now)
    assert ticked == start.at(now)
    assert seen == start.crossings(now)


@given(CONTROLS, st.integers(0, 10**6))
def test_each_event_is_the_instant_at_which_the_picture_changes(control: TimeControl, skip: int) -> None:
    game = Clock.new(control).run(FIRST, 0).at(skip)
    while (at := game.next_event_ns) is not None:
        crossing, *more = game.crossings(at)
        assert not more
        assert crossing.at_ns == at
        assert game.remaining_ns(FIRST, at - 1) == 1
        assert game.periods_left(FIRST, at) == crossing.periods_left
        assert (crossing.kind == "flag") == (at == game.deadline_ns)
        game = game.at(at)
    assert game.fallen == ((FIRST,) if control.limited else ())


def test_two_halves_of_a_shared_limit_are_joined_again() -> None:
    parted = clock("shared 60s").run(FIRST, 0).split(20 * S).add(FIRST, -S, 20 * S, "penalty")
    game = parted.run(SECOND_PLAYER, 25 * S).join(30 * S, "decision 1 undone")
    assert game.control.shared
    assert [game.remaining_ns(p, 40 * S) for p in (FIRST, SECOND_PLAYER)] == [19 * S, 19 * S]
    assert game.books.balanced
    for other in (game, clock("none")):
        with pytest.raises(ValueError, match="cannot be shared"):
            other.join(30 * S, "again")


@pytest.mark.parametrize(
    ("control", "ran", "moves", "used", "left", "total"),
    [
        ("15m", 20 * S, 0, 100 * S, 800 * S, 800 * S),
        ("15m", 20 * S, 0, 0, 900 * S, 900 * S),
        ("10s then 20s+5s", 11 * S, 2, 10 * S, 30 * S, 30 * S),
        ("5m+3s", 20 * S, 1, 21 * S, 282 * S, 282 * S),
        ("10s + 3x5s", 2 * S, 0, 12 * S, 3 * S, 13 * S),
        ("40 moves/2m then 60s", 100 * S, 40, 90 * S, 90 * S, 90 * S),
    ],
)
def test_a_replaced_clock_has_left_what_was_not_used(
    control: str, ran: int, moves: int, used: int, left: int, total: int
) -> None:
    game = Clock.new(parse_control(control)).run(FIRST, 0)
    for _ in range(moves):
        game = game.moved(FIRST, ran)
    set_to = game.set_used(FIRST, used, ran, "it stood still")
    assert set_to.used_ns(FIRST, ran) == used
    assert set_to.remaining_ns(FIRST, ran) == left
    assert set_to.books.first.left_ns == total
    assert set_to.books.balanced
    assert set_to.used_ns(FIRST, ran + S) == used + S


@pytest.mark.parametrize(("control", "ran"), [("10s + 3x5s", 11 * S), ("3x5s", S), ("10s", 10 * S)])
def test_in_byo_yomi_and_after_the_flag_the_time_used_does_not_say_what_is_left(
    control: str, ran: int
) -> None:
    game = Clock.new(parse_control(control)).run(FIRST, 0).at(ran)
    assert not game.used_says_left(FIRST, ran)
    with pytest.raises(ValueError, match="do not say what is left"):
        game.set_used(FIRST, S, ran, "x")


@pytest.mark.parametrize("control", ["10s + 3x30s", "2 moves/10s then 5s", "2m + 2x30s", "15m"])
@pytest.mark.parametrize("taken", [3 * S, 12 * S, 45 * S, 600 * S])
def test_what_was_taken_and_is_given_back_is_as_it_was(control: str, taken: int) -> None:
    before = Clock.new(parse_control(control)).run(FIRST, 0).at(S)
    after = before.add(FIRST, -taken, S, "penalty")
    undone = after.undo(FIRST, before, after, 2 * S, "undone")
    wanted, side = before.at(2 * S).first, undone.first
    assert (side.ns, side.stage, side.periods, side.made) == (
        wanted.ns, wanted.stage, wanted.periods, wanted.made,
    )  # fmt: skip
    assert undone.fallen == ()
    assert undone.books.balanced


def test_what_was_given_to_a_period_is_gone_with_its_move_and_not_taken_from_the_next() -> None:
    before = Clock.new(parse_control("3x30s")).run(FIRST, 0).at(S)
    after = before.add(FIRST, 40 * S, S, "gift")
    undone = after.moved(FIRST, 2 * S).undo(FIRST, before, after, 3 * S, "undone")
    assert undone.remaining_ns(FIRST, 3 * S) == 29 * S
    assert undone.periods_left(FIRST, 3 * S) == 3


def test_taken_over_a_period_and_given_back_after_its_move() -> None:
    before = Clock.new(parse_control("10s + 3x30s")).run(FIRST, 0).at(S)
    after = before.add(FIRST, -45 * S, S, "penalty")
    undone = after.moved(FIRST, S).undo(FIRST, before, after, S, "undone")
    assert undone.periods_left(FIRST, S) == 3
    assert not undone.in_byo_yomi(FIRST, S)
    assert undone.books.balanced


def test_time_given_after_the_flag_of_byo_yomi_has_no_periods_and_can_be_shown() -> None:
    game = (
        Clock.new(parse_control("2s + 2x5s"))
        .run(FIRST, 0)
        .at(20 * S)
        .set_remaining(FIRST, 9 * S, 20 * S, "x")
    )
    assert game.periods_left(FIRST, 20 * S) == 0
    assert game.remaining_ns(FIRST, 20 * S) == 9 * S
