"""The simulated table as the pages see it, in virtual time."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import NAMES, parse_point
from firmware_host.errors import NotationError
from firmware_host.sensing.events import Slid
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
        "A1 once more": {"do": "nudge", "point": "A1"},
        "A1 B2": {"do": "place", "point": "B2", "colour": "white"},
        "B2": {"do": "lift", "point": "A1"},
        "": {"do": "clear"},
    }
    expected = [after.replace(" again", "").replace(" once more", "").split() for after in done]
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
        ({"do": "nudge", "point": "H8"}, "there is no stone on H8"),
        ({"do": "drop", "point": "H8", "colour": "red"}, "colour = 'red' is no stone"),
        ({"do": "sweep", "from": "A1", "to": "C3"}, "there is no stone between A1 and C3"),
        (
            {"do": "sweep", "from": "A1", "to": "C3", "speed": 9},
            "speed = 9 is not possible; allowed: 40 to 2000 mm/s",
        ),
        ({"do": "slide", "from": "A1", "to": "C3", "via": "Z9"}, "'Z9' is not a point"),
        ({"do": "slide", "from": "A1", "to": "C3", "via": 3}, "via is a text of at most 100 points"),
        (
            {"do": "slide", "from": "A1", "to": "C3", "via": "B2 " * 101},
            "via is a text of at most 100 points",
        ),
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


def test_a_stone_slides_the_way_it_is_pushed_as_fast_as_it_is_pushed(table: VirtualTable) -> None:
    slide = {"do": "slide", "from": "H8", "to": "J9", "via": "I8 J8"}
    before_ns = table.now_ns
    live(
        table,
        {"do": "place", "point": "H8", "colour": "black"},
        {**slide, "speed": 50},
        {"do": "press", "key": "near"},
        {"do": "drop", "point": "A1", "colour": "white"},
    )
    slid = [each for each in table.journal.entries(table.table.live.game) if isinstance(each.given, Slid)]
    assert slid[-1].given.path == tuple(map(parse_point, ("H8", "I8", "J8", "J9")))
    assert table.now_ns - before_ns > 73 / 50 * 1e9


@pytest.mark.parametrize(("way", "left"), [(("C4", "G4"), ["H8"]), (("D4", "D4"), ["G4", "H8"])])
def test_a_sleeve_takes_the_stones_on_its_way_with_it(
    table: VirtualTable, way: tuple[str, str], left: list[str]
) -> None:
    stones = ["C4", "D4", "G4", "H8"]
    sweep = {"do": "sweep", "from": way[0], "to": way[1]}
    after = live(table, *({"do": "place", "point": p, "colour": "black"} for p in stones), sweep)[-1]
    assert set(left) == set(stones) & set(after)


@pytest.mark.parametrize("black_sits", ["near", "far"])
def test_what_breaks_is_named_as_the_board_names_it_and_is_whole_again(
    tmp_path: Path, black_sits: str
) -> None:
    table = VirtualTable(tmp_path, f"match.black_sits={black_sits}")
    broken = [("dead", "C3"), ("line", "2"), ("line", "B")]

    async def whole() -> None:
        telling = asyncio.create_task(table.table.tell())
        await table.run(3)
        for kind, at in broken:
            table.sim.fault({"do": "break", "kind": kind, "at": at.lower()})
            table.sim.fault({"do": "break", "kind": kind, "at": at})
        await table.run(3)
        assert [(each["kind"], each["at"]) for each in table.sim.state()["faults"]] == broken
        lines = {name for name in NAMES if name[0] == "B" or name[1:] == "2"}
        assert set(table.arbiter["masked"]) == {"C3", *lines}
        table.sim.fault({"do": "mend", "kind": "dead", "at": "C3"})
        table.sim.fault({"do": "mend-all"})
        await table.run(4)
        assert (table.arbiter["masked"], table.sim.state()["faults"]) == ([], [])
        telling.cancel()

    asyncio.run(whole())
    table.close()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"do": "smash"}, "that is no fault; allowed: do = break or mend with kind and at, mend-all"),
        ({"do": "break", "kind": "dead", "at": "A1", "x": 1}, "that is no fault"),
        ({"do": "break", "kind": 3}, "kind and at are texts"),
        ({"do": "break", "kind": "rust"}, "fault 'rust' is not possible at this table; allowed: dead, stuck"),
        ({"do": "break", "kind": "dead"}, "the fault dead needs the name of a point"),
        ({"do": "break", "kind": "dead", "at": "P16"}, "'P16' is not a point"),
        ({"do": "break", "kind": "line"}, "the fault line needs the name of a line"),
        ({"do": "break", "kind": "line", "at": "16"}, "'16' is not a line; allowed: 1 to 15, A to O"),
        ({"do": "break", "kind": "scanner", "at": "A1"}, "the fault scanner names no place"),
    ],
)
def test_what_cannot_break_is_one_sentence(table: VirtualTable, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotationError) as told:
        table.sim.fault(given)
    assert sentence in str(told.value)
    assert table.sim.state()["faults"] == []


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
    begun = {"at_ms": table.now_ns // MS, "frequency_hz": 2730, "duration_ms": 500, "volume": 3}
    assert state["buzzer"] == {"sounding": True, "frequency_hz": 2730, "volume": 3, "tones": [begun]}
    table.now_ns += 600 * MS
    silent = {"sounding": False, "frequency_hz": 0, "volume": 0, "tones": [begun]}
    assert table.sim.state()["buzzer"] == silent
    assert state["robot"] is None
    assert state["faults"] == []


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
    with pytest.raises(NotationError, match="is not a line"):
        table.sim.fault({"do": "break", "kind": "line", "at": "1" * 5000})
    table.sim.lay("." * 224 + "O")
    assert lying(table) == ["A1", "O15"]
    table.close()
