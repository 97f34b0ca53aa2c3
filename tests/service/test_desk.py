"""What the arbiter's page is told of a referee."""

from typing import Any

import pytest

from firmware_host.service.desk import desk_of
from tests.referee.hands import Table

SLIDES = "bH8 n wI9 f bF5>F6 n"


def claimed(code: str, script: str = SLIDES) -> dict[str, Any]:
    table = Table()
    table.do(script)
    table.say("claim", side="white", code=code)
    claim: dict[str, Any] = desk_of(table.referee)["claim"]
    return claim


@pytest.mark.parametrize(
    ("code", "stands"), [("slide", True), ("wrong-hand", True), ("overline", False), ("flag", False)]
)
def test_a_claim_says_whether_it_could_be_upheld(code: str, stands: bool) -> None:
    assert claimed(code) == {"side": "white", "code": code, "point": None, "stands": stands}


def test_the_numbers_that_can_be_undone_are_told() -> None:
    table = Table()
    table.say("violation", side="black")
    assert desk_of(table.referee)["undoable"] == [1]
    table.say("compensate", entry=1)
    assert desk_of(table.referee)["undoable"] == [2]


@pytest.mark.parametrize(
    ("script", "says", "colours"),
    [
        ("", {}, ["black"]),
        ("bH8 n", {}, ["white"]),
        ("bH8 n f wA1", {}, ["black"]),
        ("bH8 n f", {}, ["black", "white"]),
        ("bH8 n", {"opening": "designated"}, ["black", "white"]),
    ],
)
def test_the_colours_that_can_be_entered_by_hand_are_told(
    script: str, says: dict[str, str], colours: list[str]
) -> None:
    table = Table(**says)
    table.do(script)
    assert desk_of(table.referee)["may_place"] == colours
    for colour in ("black", "white"):
        table_again = Table(**says)
        table_again.do(script)
        (first, *_) = table_again.say("place", point="C3", colour=colour)
        assert (type(first).__name__ != "Refused") is (colour in colours), colour


def test_nothing_can_be_entered_before_the_round_and_after_the_game() -> None:
    table = Table(start=False)
    assert desk_of(table.referee)["may_place"] == []
    table.say("start")
    table.say("resign", side="black")
    assert desk_of(table.referee)["may_place"] == []
