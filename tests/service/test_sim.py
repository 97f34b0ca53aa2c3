"""The simulated table as the pages see it, in virtual time."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import NotationError
from hw.segments import encode
from tests.service.virtual_table import MS, VirtualTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[VirtualTable]:
    table = VirtualTable(tmp_path, "match.time=15m")
    yield table
    table.close()


def lying(table: VirtualTable) -> list[str]:
    """The points of the sensor plane on which stones lie."""
    return sorted(stone.point for stone in table.hand.stones(table.now_ns) if stone.point)


def live(table: VirtualTable, *verbs: dict[str, Any]) -> list[list[str]]:
    """Do verbs one after the other, and come to what lies there after each."""
    after = []

    async def whole() -> None:
        telling = asyncio.create_task(table.table.tell())
        table.table.start()
        await table.run(0.3)
        for verb in verbs:
            await table.sim.hand(verb)
            after.append(lying(table))
        telling.cancel()

    asyncio.run(whole())
    return after


def test_each_verb_does_what_its_name_says_and_comes_back_when_the_hand_has_let_go(
    table: VirtualTable,
) -> None:
    done = {
        "H8": {"do": "place", "point": "H8", "colour": "black"},
        "H10": {"do": "slide", "from": "H8", "to": "H10"},
        "A1": {"do": "move", "from": "H10", "to": "A1"},
        "A1 again": {"do": "adjust", "point": "A1"},
        "A1 B2": {"do": "place", "point": "B2", "colour": "white"},
        "B2": {"do": "lift", "point": "A1"},
        "": {"do": "clear"},
    }
    expected = [after.replace(" again", "").split() for after in done]
    assert live(table, *done.values()) == expected


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "do = None is nothing that a hand does"),
        ({"do": ["place"]}, "nothing that a hand does"),
        ({"do": "place", "point": "H8"}, "place takes point and colour as texts"),
        ({"do": "place", "point": "H8", "colour": "black", "x": ""}, "place takes point and colour as texts"),
        ({"do": "place", "point": 8, "colour": "black"}, "place takes point and colour as texts"),
        (
            {"do": "place", "point": "H8", "colour": "red"},
            "colour = 'red' is no stone; allowed: black, white",
        ),
        ({"do": "place", "point": "P16", "colour": "red"}, "colour = 'red'"),
        ({"do": "lift", "point": "P16"}, "'P16' is not a point"),
        ({"do": "lift", "point": "H8"}, "there is no stone on H8"),
        ({"do": "press", "key": "left"}, "key = 'left' does not exist; allowed: near, far, near-call"),
        ({"do": "press", "key": "near-menu"}, "'near-menu' does not exist; allowed: near, far, near-call"),
        ({"do": "hold", "key": "near"}, "'near' is not a key that can be held; allowed: near-call, far-call"),
        ({"do": "clear", "point": "H8"}, "clear takes no field"),
    ],
)
def test_what_no_hand_can_do_is_one_sentence_and_changes_nothing(
    table: VirtualTable, given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(NotationError) as told:
        live(table, given)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)
    assert lying(table) == []


def test_the_state_is_what_the_chips_and_the_table_hold(table: VirtualTable) -> None:
    live(table, {"do": "place", "point": "B1", "colour": "white"})
    clock = table.devices.clock
    assert clock is not None
    table.devices.faces.show("near", *encode("12:34"))
    table.devices.buzzer.tone(2730, 500)
    assert table.devices.buses[0].flush(10)
    state = table.sim.state()
    assert [stone["colour"] for stone in state["stones"]] == ["white"]
    assert state["faces"]["near"] == {
        "on": True, "blink": None, "brightness": 8, "digits": list(encode("12:34")[0]), "colon": True,
    }  # fmt: skip
    assert state["buzzer"] == {"sounding": True, "frequency_hz": 2730, "volume": 3}
    table.now_ns += 600 * MS
    assert table.sim.state()["buzzer"] == {"sounding": False, "frequency_hz": 0, "volume": 0}


def test_a_table_without_faces_shows_dark_ones(tmp_path: Path) -> None:
    table = VirtualTable(tmp_path, "clock.faces=none", "clock.buzzer=none")
    assert not table.sim.state()["faces"]["far"]["on"]
    assert not table.sim.state()["buzzer"]["sounding"]
    table.close()


def test_with_black_at_the_far_side_points_and_stones_are_turned(tmp_path: Path) -> None:
    table = VirtualTable(tmp_path, "match.black_sits=far")
    live(table, {"do": "place", "point": "A1", "colour": "black"})
    assert lying(table) == ["O15"]
    assert table.sim.state()["turned"]
    table.sim.lay("." * 224 + "O")
    assert lying(table) == ["A1", "O15"]
    table.close()
