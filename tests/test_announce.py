from hypothesis import given
from hypothesis import strategies as st

from firmware_host.announce import ENDS, LAST_MINUTE, MARKS, Signal, due
from firmware_host.clock import SECOND, Clock, Player, parse_control

FIRST, OTHER = Player
S = SECOND


def running(text: str) -> Clock:
    return Clock.new(parse_control(text)).run(FIRST, 0)


def told(clock: Clock, since_s: float, until_s: float) -> list[tuple[float, str]]:
    return [(s.at_ns / S, s.kind) for s in due(clock, int(since_s * S), int(until_s * S))]


def test_a_minute_is_counted_at_30_40_50_and_56_to_59() -> None:
    assert told(running("1x60s"), 0, 100) == [
        (30, "mark"), (40, "mark"), (50, "mark"), (56, "mark"), (57, "mark"), (58, "mark"), (59, "mark"),
        (60, "flag"),
    ]  # fmt: skip


def test_other_lengths_are_counted_before_their_end() -> None:
    assert told(running("1x90s"), 0, 85) == [(60, "mark"), (70, "mark"), (80, "mark")]
    assert told(running("2x5s"), 0, 5) == [(1, "mark"), (2, "mark"), (3, "mark"), (4, "mark"), (5, "period")]
    assert told(running("1x30s"), 0, 15) == [(10, "mark")]
    assert told(running("5s + 1x30s"), 0, 15) == [(5, "main"), (15, "mark")]


def test_main_time_is_not_counted_aloud_and_its_end_is_told() -> None:
    assert told(running("40s + 1x60s"), 0, 69.9) == [(40, "main")]
    assert told(running("40s"), 0, 100) == [(40, "flag")]
    assert told(running("40s+3s"), 0, 100) == [(40, "flag")]


def test_the_last_minute_is_told_whichever_stage_it_begins_in() -> None:
    for control, at_s in (("40s then 30s", 10), ("90s then 40s", 70), ("5m", 240)):
        found = due(running(control), 0, 600 * S, last_minute=True)
        assert [s.at_ns // S for s in found if s.kind == "mark"] == [at_s]


def test_the_patterns_are_told_apart() -> None:
    patterns = [*ENDS.values(), *{mark.pattern for mark in (*MARKS, LAST_MINUTE)}]
    assert len(set(patterns)) == len(patterns)


def test_a_stage_entered_by_moves_takes_back_no_end_that_will_not_come() -> None:
    clock = running("2 moves/10s then 20s").at(4 * S).moved(FIRST, 4 * S).moved(FIRST, 5 * S)
    assert told(clock.at(11 * S), 0, 11) == []


def test_the_last_minute_of_all_time_is_told_only_where_it_is_allowed() -> None:
    def warned(text: str) -> list[float]:
        signals = due(running(text), 0, 1000 * S, last_minute=True)
        return [s.at_ns / S for s in signals if s.seconds_left == 60]

    assert warned("90s") == [30]
    assert warned("90s+5s") == [30]
    assert warned("30s then 90s") == [60]
    assert warned("60s") == []
    assert warned("90s + 2x60s") == []
    assert all(s.seconds_left != 60 for s in due(running("90s"), 0, 1000 * S))


def test_a_stage_without_byo_yomi_ends_with_a_tone_and_is_not_counted() -> None:
    assert told(running("40s then 3 moves/50s repeating"), 0, 100) == [(40, "stage"), (90, "flag")]


def test_a_move_begins_the_count_anew() -> None:
    clock = running("1x60s").moved(FIRST, 29 * S)
    assert told(clock, 29, 70) == [(59, "mark"), (69, "mark")]
    assert told(clock.run(OTHER, 29 * S), 29, 70) == [(59, "mark"), (69, "mark")]
    assert due(clock.run(OTHER, 29 * S), 29 * S, 70 * S)[0].player is OTHER


def test_nothing_sounds_while_the_clocks_stand_or_time_has_no_limit() -> None:
    assert told(running("1x60s").stop(S), 0, 1000) == []
    assert told(running("none"), 0, 1000) == []
    assert told(running("10s").at(10 * S), 10, 1000) == []


def test_a_clock_that_has_come_further_still_tells_what_it_passed() -> None:
    late = running("10s + 1x60s").at(40 * S).at(70 * S)
    assert told(late, 39.9, 70) == [
        (40, "mark"),
        (50, "mark"),
        (60, "mark"),
        *[(s, "mark") for s in range(66, 70)],
        (70, "flag"),
    ]
    assert told(late.stop(70 * S), 69.9, 80) == [(70, "flag")]


def test_the_flag_sounds_though_the_game_is_over_at_that_instant() -> None:
    assert told(running("10s").stop(10 * S), 9.9, 11) == [(10, "flag")]
    assert told(running("10s").stop(10 * S), 10, 11) == []


def test_no_mark_from_before_the_clock_ran() -> None:
    resumed = running("1x60s").stop(29 * S).run(FIRST, 35 * S).at(36 * S)
    assert told(resumed, 28, 40) == [(36, "mark")]
    assert told(running("1x60s").moved(FIRST, 29 * S).at(31 * S), 0, 40) == []


def test_the_tones_are_those_of_the_table() -> None:
    signals = due(running("2x60s"), 0, 120 * S)
    assert [s.pattern for s in signals[:7]] == [mark.pattern for mark in MARKS]
    assert signals[7] == Signal(60 * S, FIRST, "period", ENDS["period"])
    assert signals[-1] == Signal(120 * S, FIRST, "flag", ENDS["flag"])


@given(st.lists(st.integers(1, 20 * S), max_size=30))
def test_each_signal_is_told_once_however_often_one_asks(waits: list[int]) -> None:
    clock = running("25s + 3x40s")
    asked = clock
    now = 0
    heard: list[Signal] = []
    for wait in waits:
        heard += due(asked, now, now + wait)
        now += wait
        asked = asked.at(now)
    assert heard == due(clock, 0, now)


def test_no_tones_of_a_pattern_reach_into_the_next_mark() -> None:
    marks = [mark.seconds_left for mark in MARKS]
    for mark, following in zip(MARKS, [*marks[1:], 0], strict=True):
        length_ms = sum(tone.ms + tone.rest_ms for tone in mark.pattern)
        assert length_ms < (mark.seconds_left - following) * 1000
