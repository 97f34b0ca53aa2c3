import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.clock import (
    LONGEST_NS,
    MS,
    SECOND,
    Stage,
    TimeControl,
    duration_text,
    parse_control,
    parse_duration_ns,
)
from firmware_host.errors import NotationError
from tests.clock.controls import CONTROLS

S = SECOND
MINUTE = 60 * S


MAIN = Stage(ns=30 * S)
FIVE = Stage(ns=5 * S, moves=1, count=3, renewed=True)


@pytest.mark.parametrize(
    ("text", "stages", "written"),
    [
        ("15m", [Stage(ns=15 * MINUTE)], "15m"),
        ("1h", [Stage(ns=60 * MINUTE)], "1h"),
        ("1h30m", [Stage(ns=90 * MINUTE)], "1h30m"),
        ("90s", [Stage(ns=90 * S)], "1m30s"),
        ("1h 30m 5s 250ms", [Stage(ns=90 * MINUTE + 5 * S + 250 * MS)], "1h30m5s250ms"),
        ("500ms", [Stage(ns=500 * MS)], "500ms"),
        ("10 s", [Stage(ns=10 * S)], "10s"),
        ("1 h 30 m + 5 s", [Stage(ns=90 * MINUTE, increment_ns=5 * S)], "1h30m+5s"),
        ("5m+3s", [Stage(ns=5 * MINUTE, increment_ns=3 * S)], "5m+3s"),
        ("2h + 30s", [Stage(ns=120 * MINUTE, increment_ns=30 * S)], "2h+30s"),
        ("10s+0s", [Stage(ns=10 * S)], "10s"),
        ("30 s + 3 x 5 s byo-yomi", [MAIN, FIVE], "30s + 3x5s byo-yomi"),
        ("30s+3x5s", [MAIN, FIVE], "30s + 3x5s byo-yomi"),
        ("30s then 3x5s", [MAIN, FIVE], "30s + 3x5s byo-yomi"),
        (
            "90M + 5X1M BYO-YOMI",
            [Stage(ns=90 * MINUTE), Stage(ns=MINUTE, moves=1, count=5, renewed=True)],
            "1h30m + 5x1m byo-yomi",
        ),
        ("3x5s byo-yomi", [FIVE], "3x5s byo-yomi"),
        ("0s + 3 x 5s", [FIVE], "3x5s byo-yomi"),
        ("10 moves/10m", [Stage(ns=10 * MINUTE, moves=10)], "10 moves/10m"),
        ("1 move / 10m", [Stage(ns=10 * MINUTE, moves=1)], "1 moves/10m"),
        (
            "60m then 10 moves/5m repeating",
            [Stage(ns=60 * MINUTE), Stage(ns=5 * MINUTE, moves=10, renewed=True)],
            "1h then 10 moves/5m repeating",
        ),
        (
            "40 moves/2h+30s then 20 moves/1h then 30m + 3x5s",
            [
                Stage(ns=120 * MINUTE, moves=40, increment_ns=30 * S),
                Stage(ns=60 * MINUTE, moves=20),
                Stage(ns=30 * MINUTE),
                FIVE,
            ],
            "40 moves/2h+30s then 20 moves/1h then 30m + 3x5s byo-yomi",
        ),
    ],
)
def test_the_controls_that_are_played(text: str, stages: list[Stage], written: str) -> None:
    control = parse_control(text)
    assert control == TimeControl(stages=tuple(stages))
    assert control.text == written
    assert parse_control(written) == control


def test_a_shared_limit() -> None:
    control = parse_control("Shared 3h")
    assert control == TimeControl(stages=(Stage(ns=180 * MINUTE),), shared=True)
    assert control.text == "shared 3h"


def test_tenths_are_shown_unless_the_control_says_otherwise() -> None:
    assert parse_control("15m").tenths
    control = parse_control("5m + 3x30s  Without Tenths ")
    assert not control.tenths
    assert control.text == "5m + 3x30s byo-yomi without tenths"
    assert parse_control(control.text) == control
    assert parse_control("shared 3h without tenths").text == "shared 3h without tenths"


def test_no_limit() -> None:
    assert parse_control(" None ") == TimeControl()
    assert parse_control("none").text == "none"


def test_all_that_is_given_counts_each_period_once() -> None:
    control = parse_control("10 moves/5m then 30s + 3x5s")
    assert control.given_ns == 345 * S
    assert control.after_ns(0) == 45 * S
    assert control.byo_yomi_periods == 3
    assert parse_control("1h then 10 moves/5m repeating").byo_yomi_periods == 0


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("", 1, "a time is missing"),
        ("15", 1, "15 has no unit"),
        ("15 + 3 s", 1, "15 has no unit"),
        ("5 s 3 m", 5, "3 m does not follow a longer unit"),
        ("15x", 4, "a time is missing"),
        ("5m+", 4, "a time is missing"),
        ("5m 3s+fast", 7, "'fast' is not a time"),
        ("5s3m", 3, "3m does not follow a longer unit"),
        ("5m6m", 3, "6m does not follow a longer unit"),
        ("0m", 1, "no main time"),
        ("0s+3s", 1, "no main time"),
        ("5m-3s", 3, "'-3s' where + or then is due"),
        ("5m+3s+2s", 7, "a third time"),
        ("5m+3s+2x5s", 7, "an increment and byo-yomi together"),
        ("30s + 0x5s", 7, "0 periods, not 1 to 99"),
        ("30s + 100x5s", 7, "100 periods, not 1 to 99"),
        ("30s + 3x0s", 9, "a period without time"),
        ("30s + 3x5s byo", 12, "'byo' after the byo-yomi"),
        ("none at all", 6, "'at all' after none"),
        ("1 move/5m+3s repeating", 14, "an increment and byo-yomi together"),
        ("5m+3s then 1 move/1m repeating", 12, "an increment and byo-yomi together"),
        ("none without tenths", 6, "'without ' after none"),
        ("without tenths", 1, "'without ' is not a time"),
        ("5m without", 4, "'without' where + or then is due"),
        ("60m then", 9, "a time is missing"),
        ("60m than 5m", 5, "'than 5m' where + or then is due"),
        ("0 moves/5m", 1, "0 moves, not 1 to 225"),
        ("226 moves/5m", 1, "226 moves, not 1 to 225"),
        ("10 moves/0s", 10, "moves to make without time"),
        ("10 moves", 1, "10 has no unit"),
        ("5m repeating", 4, "a stage repeats that has no moves to make"),
        ("10 moves/5m repeating then 5m", 23, "'then 5m' after the stage that repeats"),
        ("5m + 10 moves/5m", 6, "10 has no unit"),
        ("5m+3s + 10 moves/5m", 9, "a third time"),
        ("1h then 0s", 9, "a stage without time"),
        ("3x5s then 5m", 6, "'then 5m' after the byo-yomi"),
        ("shared", 7, "a time is missing"),
        ("shared 0s", 8, "a shared limit without time"),
        ("shared 1h + 3x5s", 11, "'+ 3x5s' after the shared limit"),
        ("then".join(["1m "] * 10), 64, "more than 9 stages"),
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


@given(CONTROLS)
def test_the_text_of_a_control_is_read_back(control: TimeControl) -> None:
    assert parse_control(control.text) == control


@given(st.integers(0, LONGEST_NS // MS))
def test_the_text_of_a_duration_is_read_back(ms: int) -> None:
    assert parse_duration_ns(duration_text(ms * MS)) == ms * MS
