"""A board's expanders read through the virtual bus: wirings, transfers, faults of chips and of wires."""

import pytest

from hw.expanders import MCP23017, PCA9555, parse_pins
from hw.ghosts import QUIET_NS
from hw.i2c import Counters
from hw.i2c_board import I2cBoard, PassFailed, Wiring, judges
from hw.simulator.i2c_board import TWO_PLANES, USUAL, VirtualI2cBoard
from hw.simulator.physics import sensor_index
from hw.simulator.sensors import SwitchSensors
from hw.simulator.table import SimulatedTable

LOST = "has lost its settings"
SECOND = 1_000_000_000
PERIOD_NS = 40_000_000
STONES = {"A1": "black", "O1": "white", "H8": "black", "I8": "white", "C13": "white", "A15": "black"}
EMPTY = bytes(225)

SHUFFLED = (3, 14, 0, 7, 9, 1, 12, 15, 4, 2, 11, 5, 8, 10, 6)
SPREAD = parse_pins("0-6 8-14 16", 32)
WIRINGS = [
    USUAL,
    USUAL._replace(select_kind=MCP23017, select_pins=SHUFFLED),
    USUAL._replace(sense_pins=SHUFFLED, select_pins=SHUFFLED[::-1]),
    USUAL._replace(sense_kind=MCP23017, sense_addresses=(0x21, 0x22), sense_pins=SPREAD),
    USUAL._replace(diodes=False),
    USUAL._replace(select_kind=MCP23017, diodes=False),
    USUAL._replace(settle_us=1),
]


class Desk:
    def __init__(self, wiring: Wiring = USUAL, *, pull_ups: bool = True) -> None:
        self.now_ns = SECOND
        self.table = SimulatedTable(electronics=SwitchSensors(1, poles=wiring.poles))
        self.virtual = VirtualI2cBoard(self.table, lambda: self.now_ns, wiring, pull_ups=pull_ups)
        self.counters = Counters()
        self.bus = self.virtual.bus
        self.board = I2cBoard(self.bus.open(), wiring, self.counters, judges(wiring))

    def scan(self) -> bytes:
        self.now_ns += PERIOD_NS
        return self.board.scan(self.now_ns)

    def lay(self, stones: dict[str, str]) -> None:
        self.table.set_up(stones)  # type: ignore[arg-type]

    def put(self, *points: str) -> None:
        for point in points:
            self.now_ns = self.table.place(self.now_ns, point, "black").end_ns + SECOND

    def closed(self) -> set[str]:
        for _ in range(QUIET_NS // PERIOD_NS + 2):  # so long what changes may be judged otherwise
            readings = self.scan()
        return {p for p in _names() if readings[sensor_index(p)]}


@pytest.fixture
def desk_of_five() -> Desk:
    desk = Desk()
    desk.lay(dict.fromkeys(("A8", "C8", "H8", "I8", "O8", "H9", "C3"), "black"))
    return desk


def _names() -> list[str]:
    return [f"{c}{r}" for r in range(1, 16) for c in "ABCDEFGHIJKLMNO"]


@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("pull_ups", [True, False])
def test_stones_are_read_where_they_lie(wiring: Wiring, pull_ups: bool) -> None:
    desk = Desk(wiring, pull_ups=pull_ups)
    desk.lay(STONES)
    for _ in range(3):
        assert desk.closed() == set(STONES)
    assert desk.board.doubts() == []


def test_every_point_is_its_own() -> None:
    for point in ("A1", "B1", "A2", "O15", "H8"):
        desk = Desk()
        desk.put(point)
        assert desk.closed() == {point}


def test_two_planes_tell_the_colour() -> None:
    desk = Desk(TWO_PLANES)
    desk.lay(STONES)
    for _ in range(2):
        readings = desk.scan()
        told = {p: readings[sensor_index(p)] for p in _names() if readings[sensor_index(p)]}
        assert told == {p: 92 if colour == "black" else 256 - 92 for p, colour in STONES.items()}


def test_both_poles_at_once_are_neither() -> None:
    desk = Desk(TWO_PLANES)
    desk.lay({"H8": "black"})
    desk.scan()
    south = desk.virtual.chips[0x22]
    outside = south.outside
    h8 = 1 << 7
    select = desk.virtual.chips[0x20]
    south.outside = lambda: outside() & ~(0 if select.latch & h8 else h8)
    assert desk.scan() == EMPTY
    assert any("H8" in told and "both poles" in told for told in desk.board.doubts())
    south.outside = outside
    assert desk.scan()[112] == 92
    assert desk.board.doubts() == []


@pytest.mark.parametrize(
    ("wiring", "transfers"), [(USUAL, 30), (TWO_PLANES, 45), (WIRINGS[1], 30), (WIRINGS[3], 45)]
)
def test_what_a_pass_costs(wiring: Wiring, transfers: int) -> None:
    desk = Desk(wiring)
    desk.scan()
    seen: list[int] = []
    desk.bus.on_transfer = seen.append
    for _ in range(4):
        desk.scan()
    assert len(seen) == 4 * transfers


@pytest.mark.parametrize("pull_ups", [True, False])
@pytest.mark.parametrize("chip", [0x20, 0x21])
@pytest.mark.parametrize("wiring", WIRINGS)
def test_a_brown_out_at_any_instant_makes_no_stone_and_no_empty_board(
    wiring: Wiring, chip: int, pull_ups: bool
) -> None:
    desk = Desk(wiring, pull_ups=pull_ups)
    desk.lay(STONES)
    desk.scan()
    dropped: list[PassFailed] = []
    cuts = range(1, 46, 4)
    for after in cuts:  # its power fails after so many transfers
        left = after

        def cut(_: int) -> None:
            nonlocal left
            if left == 0:
                desk.virtual.chips[chip].power_on()
            left -= 1

        desk.bus.on_transfer = cut
        good = 0
        for _ in range(4):
            try:
                assert desk.closed() == set(STONES)
                good += 1
            except PassFailed as failure:
                dropped.append(failure)
        assert good >= 3
    select_or_bare = chip == wiring.select_address or not wiring.sense_kind.inputs_kept
    assert len(dropped) >= len(cuts) - 2 if select_or_bare else not dropped
    assert all(f.brown_out and f"the expander at {chip:#04x} {LOST}" in str(f) for f in dropped)


def test_another_chip_at_the_address_is_named() -> None:
    desk = Desk(USUAL._replace(select_kind=MCP23017))
    desk.bus.attach(0x20, desk.virtual.chips[0x21])
    with pytest.raises(PassFailed, match=f"0x20 {LOST}.*another chip"):
        desk.scan()


def test_an_mcp23017_that_was_left_with_the_other_banks_is_set_right() -> None:
    desk = Desk(USUAL._replace(select_kind=MCP23017))
    desk.lay(STONES)
    desk.virtual.chips[0x20].write(b"\x0a\xa0")
    assert desk.closed() == set(STONES)


def test_missing_acknowledges_are_tried_again() -> None:
    desk = Desk()
    desk.lay(STONES)
    desk.bus.fail_often(0.05, seed=4)
    for _ in range(30):  # three tries for each transfer, however many of a pass need them
        assert desk.closed() == set(STONES)
    assert desk.counters.retries > 40


def test_an_expander_that_is_gone_is_named() -> None:
    desk = Desk()
    desk.scan()
    chip = desk.bus.detach(0x21)
    with pytest.raises(PassFailed, match="the expander at 0x21 does not answer: no power") as caught:
        desk.scan()
    assert not caught.value.gone
    desk.bus.attach(0x21, chip)
    assert desk.closed() == set()


def test_a_stalled_bus_is_the_bus_s_fault() -> None:
    desk = Desk()
    desk.bus.stick()
    with pytest.raises(PassFailed, match="the bus is stalled") as caught:
        desk.scan()
    assert caught.value.gone


def test_a_cut_line_and_swapped_lines_do_what_wires_do() -> None:
    desk = Desk()
    desk.lay({"A1": "black", "C2": "black", "O15": "black"})
    desk.virtual.planes.swap("1", "2")
    assert desk.closed() == {"A2", "C1", "O15"}
    desk.virtual.planes.cut("15")
    assert desk.closed() == {"A2", "C1"}  # one stone may have been lifted
    desk.virtual.planes.cut("C")
    assert desk.closed() == {"A2"}


def test_a_line_that_breaks_keeps_its_stones(desk_of_five: Desk) -> None:
    desk = desk_of_five
    stones = desk.closed()
    desk.virtual.planes.cut("8")
    assert desk.closed() == stones
    assert desk.board.doubts() == [
        "select line 8 lost all its stones at once, so it is broken: its points stay as they were"
    ]
    desk.put("O15")
    assert desk.closed() == stones | {"O15"}


def test_without_diodes_three_corners_read_as_four_and_the_filter_believes_neither_of_the_new_ones() -> None:
    desk = Desk(USUAL._replace(diodes=False))
    desk.virtual.planes.remove_diode()
    desk.put("H8", "K8", "B3")
    assert desk.closed() == {"H8", "K8", "B3"}
    desk.put("H11")
    assert desk.closed() == {"H8", "K8", "B3"}
    (told,) = desk.board.doubts()
    assert told == (
        "a stone or a ghost at H11 and K11, so not taken for a stone; if a stone lies there, enter it by hand"
    )
    desk.now_ns = desk.table.lift(desk.now_ns, "K8").end_ns + SECOND
    assert desk.closed() == {"H8", "B3", "H11"}
    assert desk.board.doubts() == []


def test_a_diode_missing_at_one_point_makes_one_ghost() -> None:
    desk = Desk(USUAL._replace(diodes=False))
    desk.virtual.planes.remove_diode("H11")
    desk.put("H8", "H11")
    assert desk.closed() == {"H8", "H11"}
    desk.put("K11")
    assert desk.closed() == {"H8", "H11"}
    assert "a stone or a ghost at K8 and K11" in desk.board.doubts()[0]


def test_driven_lines_make_no_ghosts() -> None:
    desk = Desk()
    desk.virtual.planes.remove_diode()
    desk.put("H8", "K8", "H11")
    assert desk.closed() == {"H8", "K8", "H11"}


@pytest.mark.parametrize(
    ("text", "why"),
    [("0-13", "names 14"), ("0-14 3", "names 15"), ("1-16", "pin 16"), ("a-c", "'a-c'"), ("", "names 0")],
)
def test_pins_that_cannot_be(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_pins(text, 16)


def test_pins_are_written_as_ranges() -> None:
    assert parse_pins("14-0", 16) == tuple(range(14, -1, -1))
    assert parse_pins("7-0, 8-13, 15", 16) == (7, 6, 5, 4, 3, 2, 1, 0, 8, 9, 10, 11, 12, 13, 15)


def test_safe_inputs_are_known() -> None:
    assert (PCA9555.safe_inputs, MCP23017.safe_inputs) == (0xFFFF, 0x7F7F)
