import json
from typing import Any

import pytest
from hypothesis import given

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Command, Input, KeyPress
from firmware_host.referee.rulings import AnyRuling, Differs, Irregular, Moved, Offered, Pressed
from firmware_host.sensing.events import Fault, Placed, Slid
from firmware_host.wire import input_from_wire, ruling_from_wire, to_wire
from tests.arbitrary import any_of


def through_json(wire: dict[str, Any]) -> dict[str, Any]:
    back: dict[str, Any] = json.loads(json.dumps(wire, allow_nan=False))
    return back


@given(any_of(Input))
def test_every_input_comes_back(thing: Input) -> None:
    assert input_from_wire(through_json(to_wire(thing))) == thing


@given(any_of(AnyRuling))
def test_every_ruling_comes_back(thing: AnyRuling) -> None:
    assert ruling_from_wire(through_json(to_wire(thing))) == thing


def test_points_are_names() -> None:
    slide = Irregular(
        t_ns=5, audience="arbiter", code="slide", side=WHITE, article="6.1.5", point=112, rest=113
    )
    assert to_wire(slide) == {
        "ruling": "irregular",
        "t_ns": 5,
        "audience": "arbiter",
        "code": "slide",
        "side": "white",
        "article": "6.1.5",
        "point": "H8",
        "rest": "I8",
    }
    assert to_wire(Slid(t_ns=9, path=(47, 48), colour=BLACK, first_contact_ns=1))["path"] == ["C4", "D4"]
    assert to_wire(Offered(t_ns=1, points=(0, 224)))["points"] == ["A1", "O15"]
    assert to_wire(Differs(t_ns=1, points=((112, BLACK, None),)))["points"] == [["H8", "black", None]]


def test_the_line_of_a_fault_is_a_text() -> None:
    assert to_wire(Fault(t_ns=1, kind="dead", line="12")) == {
        "event": "fault",
        "t_ns": 1,
        "kind": "dead",
        "line": "12",
    }


def test_null_where_it_says_something() -> None:
    assert to_wire(Moved(t_ns=1, n=6, point=None, colour=WHITE))["point"] is None
    assert "used_ms" not in to_wire(Moved(t_ns=1, n=6, point=None, colour=WHITE))
    assert to_wire(Placed(t_ns=1, point=0, colour=None))["colour"] is None
    assert to_wire(Pressed(t_ns=1, side=BLACK, running=None, n=None))["running"] is None


def test_text_in_texts_stays_as_it_is() -> None:
    note = Command(t_ns=1, do="note", text="王\n<b>H8</b>\u2028")
    assert input_from_wire(through_json(to_wire(note))) == note


@pytest.mark.parametrize(
    ("given_wire", "says"),
    [
        (
            {"event": "placed", "t_ns": 1, "point": "P16", "colour": None},
            "'P16' is not a point; allowed: A1 to O15",
        ),
        (
            {"event": "placed", "t_ns": 1, "point": 112, "colour": None},
            "112 is not a point; allowed: A1 to O15",
        ),
        ({"event": "placed", "t_ns": 1, "point": "H8", "colour": "red"}, "Invalid enum value 'red'"),
        ({"event": "key", "t_ns": "now", "key": "near"}, "Expected `int`, got `str`"),
        ({"event": "dropped", "t_ns": 1}, "Invalid value 'dropped'"),
        ({"t_ns": 1}, "missing required field `event`"),
        (
            {"event": "slid", "t_ns": 1, "path": [[]], "colour": None, "first_contact_ns": 0},
            "\\[\\] is not a point",
        ),
    ],
)
def test_a_wrong_object_is_named(given_wire: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError, match=says):
        input_from_wire(given_wire)


def test_what_was_given_is_not_changed() -> None:
    wire = to_wire(KeyPress(t_ns=1, key="near")) | {"point": "H8"}
    input_from_wire(wire)
    assert wire["point"] == "H8"
    assert parse_point("H8") == 112
