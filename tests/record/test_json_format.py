import json
import tracemalloc
from pathlib import Path

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.errors import RecordError
from firmware_host.record.game import CIRCLES, GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.json_format import SIZE_LIMIT, from_json, holdable, read, to_json
from firmware_host.record.json_schema import schema, schema_text
from firmware_host.record.values import Remark
from firmware_host.referee.rulings import (
    AnyRuling,
    Audience,
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
from tests.record.arbitrary_records import records

NEW = GameRecord.new(
    Header(id="g1", event="Open\n杯", round=3, first=Person(name="A"), second=Person(name="王")),
    MatchSettings(time="5m+3s"),
)


@given(st.lists(any_of(AnyRuling), max_size=20), st.sampled_from(CIRCLES))
@settings(max_examples=40, deadline=None)
def test_every_record_comes_back(rulings: list[AnyRuling], audience: Audience) -> None:
    record = GameRecord.new(NEW.header, NEW.settings, audience).fold_all(rulings)
    assert from_json(to_json(record)) == record


@given(records())
@settings(max_examples=25, deadline=None)
def test_every_record_that_could_have_been_comes_back(record: GameRecord) -> None:
    text = to_json(record)
    assert read(text) == read(text.encode()) == (holdable(record),) == (record,)
    VALIDATOR.validate(json.loads(text))


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


MOVE = {"n": 1, "point": "H8", "colour": "black", "t_ns": 0}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{\n nonsense", "line 2: not JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        ("[]", 'allowed: an object with "format": "renju-board-record"'),
        ("{}", "not a record of a game"),
        (edited(version=2), "version = 2 is not known; allowed: 1"),
        (edited(version=True), "version = True is not known; allowed: 1"),
        (edited(offers=["P16"]), r"'P16' is not a point.* - at `\$.offers\[0\]`"),
        (edited(moves=[MOVE, MOVE | {"point": 7}]), r"7 is not a point.* - at `\$.moves\[1\].point`"),
        (edited(offers=[[]]), r"\[\] is not a point.* - at `\$.offers\[0\]`"),
        (edited(moves=[{"n": 1}]), r"missing required field `point` - at `\$.moves\[0\]`"),
        (edited(black_seat="left"), "Invalid enum value 'left' - at `\\$.black_seat`"),
        (edited(moves=[MOVE | {"colr": 1}]), r"no such thing in a record as `\$.moves\[0\].colr`"),
        (edited(settings={"time": "5 minutes"}), r"settings.time = '5 minutes' is not possible"),
        (edited(settings={"opening": "anything"}), r"settings.opening = 'anything' is not possible"),
        ('{"format": 1,\n "format": 2}', "the key 'format' stands twice in one object"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": 1e999}', "'1e999' is no number that can be held"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON"),
        ('{"a": "\\ud800"}', "half of a character"),
        ('{"a": "\ud800"}', "half of a character"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_its_reason(text: str | bytes, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        from_json(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 17, "line 1: brackets within brackets, more than 16 deep"),
        ("\n" + "[" * 5_000_000, "line 2: brackets within brackets, more than 16 deep"),
        ('{"a":' * 200_000, "more than 16 deep"),
        (" " * (SIZE_LIMIT + 1), "bytes are too many; allowed: 16777216"),
        ('"' + "\\" * 2_000_000, "not JSON"),
        ('"' + '\\"' * 1_000_000, "not JSON"),
    ],
)
def test_what_is_too_big_or_too_deep_is_refused_before_it_is_parsed(text: str, says: str) -> None:
    tracemalloc.start()
    with pytest.raises(RecordError, match=says):
        from_json(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3 * len(text) + (1 << 20)


@pytest.mark.parametrize("text", ["[" + "0,\n" * 1_000_000, "[" + '"",' * 500_000])
def test_what_has_too_many_values_is_refused_before_it_is_parsed(text: str) -> None:
    line = text.count("\n") or 1
    with pytest.raises(RecordError, match=f"line {line}: more than 1000000 texts, commas and brackets"):
        from_json(text)


def test_a_number_of_any_size_comes_back_in_the_same_form() -> None:
    huge, small = (msgspec.structs.replace(NEW, latest_ns=n) for n in (2**70, 7))
    assert from_json(to_json(huge)) == huge
    assert to_json(huge).replace(str(2**70), "7") == to_json(small)


def test_brackets_in_texts_are_no_depth() -> None:
    deep = msgspec.structs.replace(NEW, remarks=(Remark(after=0, text='"\\[' * 1000),))
    assert from_json(to_json(deep)) == deep


@given(st.binary(max_size=200) | st.text(max_size=200))
@settings(deadline=None)
def test_nothing_but_the_one_error_comes_of_a_foreign_text(text: str | bytes) -> None:
    with pytest.raises(RecordError):
        from_json(text)


def json_values() -> st.SearchStrategy[object]:
    leaf = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
    return st.recursive(
        leaf | st.sampled_from(["H8", "black"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["point", "points", "n", "ruling"]), inner, max_size=3)
        ),
        max_leaves=6,
    )


@given(st.sampled_from(GameRecord.__struct_fields__), json_values())
@settings(max_examples=50, deadline=None)
def test_a_field_of_any_kind_is_read_whole_or_refused(field: str, value: object) -> None:
    text = edited(**{field: value})
    try:
        record = from_json(text)
    except RecordError:
        return
    assert from_json(to_json(record)) == record


def test_several_records_are_read_one_after_the_other_in_lines_or_in_an_array() -> None:
    other = msgspec.structs.replace(NEW, declared=2)
    texts = [to_json(NEW), to_json(other)]
    lines = [json.dumps(json.loads(text)) for text in texts]
    for whole in ("".join(texts), "\n".join(lines), f" [{','.join(texts)}] ", "".join(lines)):
        assert read(whole) == (NEW, other)
    with pytest.raises(RecordError, match="2 records; allowed: one"):
        from_json("".join(texts))
    with pytest.raises(RecordError, match="record 2: not a record of a game"):
        read(texts[0] + "[]")
    assert read("[]") == ()


# -- the schema


SCHEMA = schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_in_the_docs_is_that_of_the_structs() -> None:
    path = Path(__file__).parents[2] / "docs" / "record.schema.json"
    assert path.read_text(encoding="utf-8") == schema_text()
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(st.lists(any_of(AnyRuling), max_size=20), st.sampled_from(CIRCLES))
@settings(max_examples=30, deadline=None)
def test_every_record_is_as_the_schema_says(rulings: list[AnyRuling], audience: Audience) -> None:
    record = GameRecord.new(NEW.header, NEW.settings, audience).fold_all(rulings)
    VALIDATOR.validate(json.loads(to_json(record)))


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"format": "other"},
        {"moves": [MOVE | {"point": 112}]},
        {"moves": [MOVE | {"point": "H16"}]},
        {"moves": [MOVE | {"more": 1}]},
        {"offers": ["H8", "I16"]},
        {"log": [{"ruling": "nothing", "t_ns": 1}]},
        {"differences": [[112, "black", None]]},
        {"audience": "everybody"},
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(change: dict[str, object]) -> None:
    text = edited(**change)
    assert not VALIDATOR.is_valid(json.loads(text))
    with pytest.raises(RecordError):
        from_json(text)
