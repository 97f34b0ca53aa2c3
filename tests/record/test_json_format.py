import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.json_format import from_json, to_json
from firmware_host.referee.rulings import (
    AnyRuling,
    Irregular,
    Moved,
    Offered,
    Over,
    Pressed,
    Started,
    Unmoved,
)
from firmware_host.referee.settings import MatchSettings
from tests.arbitrary import any_of

NEW = GameRecord.new(
    Header(id="g1", event="Open\n杯", round=3, first=Person(name="A"), second=Person(name="王")),
    MatchSettings(time="5m+3s"),
)


@given(st.lists(any_of(AnyRuling), max_size=20))
@settings(max_examples=40)
def test_every_record_comes_back(rulings: list[AnyRuling]) -> None:
    record = NEW.fold_all(rulings)
    assert from_json(to_json(record)) == record


def test_points_are_names_and_times_are_exact() -> None:
    h8, i8 = parse_point("H8"), parse_point("I8")
    record = NEW.fold_all(
        [
            Started(t_ns=1),
            Moved(t_ns=123_456_789_012_345_678, n=1, point=h8, colour=BLACK),
            Pressed(t_ns=5, side=BLACK, running=WHITE, n=1, used_ms=4, remaining_ms={BLACK: 1, WHITE: 2}),
            Irregular(
                t_ns=2, audience="arbiter", code="slide", side=BLACK, article="6.1.5", point=h8, rest=i8
            ),
            Offered(t_ns=6, points=(h8, i8)),
            Over(t_ns=7, winner=BLACK, result={BLACK: 1, WHITE: 0}, reason="five", line=(h8, i8)),
        ]
    )
    given_back = json.loads(to_json(record))
    assert (given_back["format"], given_back["version"]) == ("renju-board-record", 1)
    assert given_back["moves"][0]["point"] == "H8"
    assert given_back["moves"][0]["t_ns"] == 123_456_789_012_345_678
    assert (given_back["irregular"][0]["point"], given_back["irregular"][0]["rest"]) == ("H8", "I8")
    assert given_back["offers"] == ["H8", "I8"]
    assert given_back["result"]["line"] == ["H8", "I8"]
    off = json.loads(to_json(record.fold(Unmoved(t_ns=9, n=1))))
    assert off["corrections"][0] == {
        "t_ns": 123_456_789_012_345_678,
        "n": 1,
        "was": "H8",
        "now": None,
        "off": True,
    }


def edited(**changes: object) -> str:
    return json.dumps(json.loads(to_json(NEW)) | changes)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{\n nonsense", "line 2: not JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        ("[]", 'allowed: an object with "format": "renju-board-record"'),
        ("{}", "not a record of a game"),
        (edited(version=2), "version = 2 is not known; allowed: 1"),
        (edited(offers=["P16"]), "'P16' is not a point; allowed: A1 to O15"),
        (edited(moves=[{"n": 1}]), r"missing required field `point` - at `\$.moves\[0\]`"),
        (edited(black_seat="left"), "Invalid enum value 'left' - at `\\$.black_seat`"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_its_reason(text: str | bytes, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        from_json(text)
