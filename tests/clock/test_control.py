import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.clock import (
    LONGEST_NS,
    MS,
    SECOND,
    TimeControl,
    duration_text,
    parse_control,
    parse_duration_ns,
)
from firmware_host.errors import NotationError

S = SECOND
MINUTE = 60 * S


@pytest.mark.parametrize(
    ("text", "main", "increment", "periods", "period"),
    [
        ("15m", 15 * MINUTE, 0, 0, 0),
        ("1h", 60 * MINUTE, 0, 0, 0),
        ("1h30m", 90 * MINUTE, 0, 0, 0),
        ("90s", 90 * S, 0, 0, 0),
        ("1h 30m 5s 250ms", 90 * MINUTE + 5 * S + 250 * MS, 0, 0, 0),
        ("500ms", 500 * MS, 0, 0, 0),
        ("10 s", 10 * S, 0, 0, 0),
        ("1 h 30 m + 5 s", 90 * MINUTE, 5 * S, 0, 0),
        ("30 s + 3 x 5 s byo-yomi", 30 * S, 0, 3, 5 * S),
        ("5m+3s", 5 * MINUTE, 3 * S, 0, 0),
        ("2h + 30s", 120 * MINUTE, 30 * S, 0, 0),
        ("10s+0s", 10 * S, 0, 0, 0),
        ("30s + 3x5s byo-yomi", 30 * S, 0, 3, 5 * S),
        ("30s+3x5s", 30 * S, 0, 3, 5 * S),
        ("90M + 5X1M BYO-YOMI", 90 * MINUTE, 0, 5, MINUTE),
        ("3x5s byo-yomi", 0, 0, 3, 5 * S),
        ("0s + 3 x 5s", 0, 0, 3, 5 * S),
    ],
)
def test_the_controls_that_are_played(
    text: str, main: int, increment: int, periods: int, period: int
) -> None:
    assert parse_control(text) == TimeControl(
        main_ns=main, increment_ns=increment, periods=periods, period_ns=period
    )


def test_no_limit() -> None:
    assert parse_control(" None ") == TimeControl(limited=False)
    assert parse_control("none").text == "none"


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("", 1, "the end is not a time"),
        ("15", 1, "15 has no unit"),
        ("15 + 3 s", 1, "15 has no unit"),
        ("5 s 3 m", 5, "3 m does not follow a longer unit"),
        ("15x", 4, "the end is not a time"),
        ("5m+", 4, "the end is not a time"),
        ("5m 3s+fast", 7, "'fast' is not a time"),
        ("5s3m", 3, "3m does not follow a longer unit"),
        ("5m6m", 3, "6m does not follow a longer unit"),
        ("0m", 1, "no main time"),
        ("0s+3s", 1, "no main time"),
        ("5m-3s", 3, "'-3s' where + is due"),
        ("5m+3s+2s", 7, "a third time"),
        ("5m+3s+2x5s", 7, "an increment and byo-yomi together"),
        ("30s + 0x5s", 7, "0 periods, not 1 to 99"),
        ("30s + 100x5s", 7, "100 periods, not 1 to 99"),
        ("30s + 3x0s", 9, "a period without time"),
        ("30s + 3x5s byo", 12, "'byo' after the byo-yomi"),
        ("none at all", 6, "'at all' after none"),
        ("100h", 1, "the time is longer than 99h"),
    ],
)
def test_a_wrong_control_is_named_with_its_place(text: str, where: int, why: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_control(text)
    assert f"{text!r}, character {where}: {why}" in str(refused.value)
    assert "allowed: none, 15m, 5m+3s" in str(refused.value)


def test_durations() -> None:
    assert parse_duration_ns("15m") == 15 * MINUTE
    assert parse_duration_ns("0s") == 0
    assert parse_duration_ns("99h") == LONGEST_NS
    with pytest.raises(NotationError, match="character 4: '\\+3s' is too much; allowed: a time such as 15m"):
        parse_duration_ns("15m+3s")


TIMES = st.integers(1, 200_000).map(lambda ms: ms * MS)
CONTROLS = st.one_of(
    st.builds(TimeControl, main_ns=TIMES, increment_ns=TIMES | st.just(0)),
    st.builds(TimeControl, main_ns=TIMES | st.just(0), periods=st.integers(1, 4), period_ns=TIMES),
    st.just(TimeControl(limited=False)),
)


@given(CONTROLS)
def test_the_text_of_a_control_is_read_back(control: TimeControl) -> None:
    assert parse_control(control.text) == control


@given(st.integers(0, LONGEST_NS // MS))
def test_the_text_of_a_duration_is_read_back(ms: int) -> None:
    assert parse_duration_ns(duration_text(ms * MS)) == ms * MS
