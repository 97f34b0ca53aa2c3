"""The vocabulary of commands: what is read, and what is refused in one sentence."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import BLACK, TENGEN, WHITE
from firmware_host.errors import NotationError
from firmware_host.referee.commands import COMMANDS, absent_at_start, parse_command
from firmware_host.referee.inputs import Command
from firmware_host.referee.phases import ORDERS


def test_a_command_is_read_with_all_its_fields() -> None:
    given = {"do": "claim", "by": "far", "side": "white", "code": "double-three", "point": "h8"}
    assert parse_command(given, 7) == Command(
        t_ns=7, do="claim", by="far", side=WHITE, code="double-three", point=TENGEN
    )


def test_scores_are_numbers_from_0_to_1() -> None:
    assert parse_command({"do": "result", "black": 1, "white": 0.5}, 0).black == 1.0


def test_a_player_s_side_is_known_by_his_seat() -> None:
    assert parse_command({"do": "resign", "by": "near"}, 0).side is None
    assert parse_command({"do": "resign", "side": "black"}, 0).side is BLACK


REFUSED: dict[str, tuple[Any, str]] = {
    "unknown": ({"do": "fly"}, r"do = 'fly' is not a command; allowed: start, pause"),
    "no name": ({}, r"do = None is not a command"),
    "a list for a name": ({"do": ["start"]}, r"is not a command"),
    "unknown field": ({"do": "start", "point": "H8"}, r"start takes no 'point'; allowed: by"),
    "missing field": ({"do": "place"}, r"place needs 'point': A1 to O15"),
    "missing side": ({"do": "resign"}, r"resign needs 'side': black, white"),
    "null for a field": ({"do": "place", "point": None}, r"place needs 'point'"),
    "point": ({"do": "place", "point": "P16"}, r"'P16' is not a point; allowed: A1 to O15"),
    "point as a number": ({"do": "place", "point": 112}, r"place: point = 112 is not possible"),
    "side": ({"do": "resign", "side": "red"}, r"resign: side = 'red' is not possible; allowed: black, white"),
    "giver": ({"do": "start", "by": "me"}, r"start: by = 'me' is not possible; allowed: arbiter, chief"),
    "code": ({"do": "claim", "side": "black", "code": "magic"}, r"code = 'magic' is not possible"),
    "answer": ({"do": "draw", "side": "black", "answer": "maybe"}, r"allowed: offer, accept, refuse"),
    "decision": ({"do": "moved", "decision": "dance"}, r"allowed: back, stands, draw, replay, loss"),
    "offers": ({"do": "opening", "offers": 0}, r"offers = 0 .*whole number from 1 to 221"),
    "offers true": ({"do": "opening", "offers": True}, r"offers = True"),
    "ms": ({"do": "set_clock", "side": "black", "ms": 1.5}, r"ms = 1.5 .*whole milliseconds"),
    "score": ({"do": "result", "black": 2, "white": 0}, r"black = 2 .*a score from 0 to 1"),
    "score not a number": ({"do": "result", "black": float("nan"), "white": 0}, r"a score from 0 to 1"),
    "text too long": ({"do": "note", "text": "x" * 2001}, r"a text of at most 2000 characters"),
}


@pytest.mark.parametrize(("given", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused_in_one_sentence(given: Any, why: str) -> None:
    with pytest.raises(NotationError, match=why) as refused:
        parse_command(given, 0)
    assert "\n" not in str(refused.value)


def test_every_word_has_its_order_and_every_order_its_word() -> None:
    assert set(COMMANDS) == set(ORDERS)


@pytest.mark.parametrize("do", COMMANDS)
def test_every_field_is_one_that_a_command_has(do: str) -> None:
    row = COMMANDS[do]
    assert set(row.must + row.may) <= set(Command.__struct_fields__)


@pytest.mark.parametrize(
    ("commands", "black_sits", "absent"),
    [
        ([], "near", set()),
        ([{"do": "start"}, {"do": "pause"}], "near", set()),
        ([{"do": "arrive", "side": "white"}], "near", {WHITE}),
        ([{"do": "arrive", "side": "black"}, {"do": "arrive", "side": "white"}], "near", {BLACK, WHITE}),
        ([{"do": "arrive", "by": "near"}], "near", {BLACK}),
        ([{"do": "arrive", "by": "near"}], "far", {WHITE}),
        ([{"do": "arrive", "side": "red"}], "near", set()),
    ],
)
def test_who_arrives_later_is_absent_at_the_start(
    commands: list[dict[str, str]], black_sits: str, absent: set[Any]
) -> None:
    assert absent_at_start(commands, black_sits) == absent


def documented() -> dict[str, tuple[set[str], set[str]]]:
    """Name -> fields that must stand and fields that may, as docs/commands.md has them."""
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text("utf-8")
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        must, _, may = cells[1].partition("(")
        must = re.sub(r": (`[a-z-]+` ?)+", " ", must)
        fields = tuple(set(re.findall(r"`([a-z_]+)`", part)) for part in (must, may))
        for name in re.findall(r"`([a-z_]+)`", cells[0]):
            found[name] = fields
    return found


def test_the_page_of_commands_tells_every_command_with_its_fields() -> None:
    assert documented() == {do: (set(row.must), set(row.may)) for do, row in COMMANDS.items()}
