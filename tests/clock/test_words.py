import pytest
from hypothesis import given

from firmware_host.clock import GRADES, LANGUAGES, MS, TimeControl, control_words, parse_control, time_words
from tests.clock.controls import CONTROLS


@pytest.mark.parametrize(
    ("text", "en", "zh", "ja"),
    [
        ("none", "no time limit", "不限时", "時間無制限"),
        ("1h", "1 hour each", "每方1小时", "持ち時間1時間"),
        ("1h30m", "1 hour 30 minutes each", "每方1小时30分钟", "持ち時間1時間30分"),
        (
            "5m+3s",
            "5 minutes each and 3 seconds more after each move",
            "每方5分钟，每着加3秒",
            "持ち時間5分、一手ごとに3秒加算",
        ),
        (
            "90m + 5x1m byo-yomi",
            "1 hour 30 minutes each, then byo-yomi, 5 periods of 1 minute",
            "每方1小时30分钟，之后读秒5次，每次1分钟",
            "持ち時間1時間30分、その後秒読み1分5回",
        ),
        ("1x1m", "byo-yomi, one period of 1 minute", "读秒，每着1分钟", "一手1分"),
        ("10 moves/10m", "10 moves in 10 minutes", "10分钟内走10着", "10分で10手"),
        (
            "60m then 10 moves/5m repeating",
            "1 hour each, then 10 moves in each 5 minutes",
            "每方1小时，之后每5分钟走10着",
            "持ち時間1時間、その後5分ごとに10手",
        ),
        ("shared 3h", "3 hours for both sides together", "双方共用3小时", "両者共用3時間"),
    ],
)
def test_a_control_in_words(text: str, en: str, zh: str, ja: str) -> None:
    assert [control_words(parse_control(text), language) for language in LANGUAGES] == [en, zh, ja]


@given(CONTROLS)
def test_every_control_can_be_said(control: TimeControl) -> None:
    said = [control_words(control, language) for language in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)
    assert not any(mark in text for text in said for mark in "{}")


def test_the_usual_controls_are_written_as_they_are_printed() -> None:
    assert [parse_control(text).text for text in GRADES] == list(GRADES)


def test_times() -> None:
    assert time_words(0, "en") == "0 seconds"
    assert time_words(3_661_001 * MS, "en") == "1 hour 1 minute 1 second 1 ms"
