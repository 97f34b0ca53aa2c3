"""The port expanders against the tables of their data sheets, through the calls of smbus2."""

import pytest
from smbus2 import i2c_msg

from hw.simulator.expanders import VirtualMcp23017, VirtualPca9555
from hw.simulator.i2c_bus import VirtualBus, VirtualSMBus

PCA, MCP = 0x20, 0x24

# DS20001952 table 3-5: register, address with BANK = 0, address with BANK = 1, value after a reset.
MCP_TABLE = [
    ("IODIRA", 0x00, 0x00, 0xFF), ("IODIRB", 0x01, 0x10, 0xFF),
    ("IPOLA", 0x02, 0x01, 0x00), ("IPOLB", 0x03, 0x11, 0x00),
    ("GPINTENA", 0x04, 0x02, 0x00), ("GPINTENB", 0x05, 0x12, 0x00),
    ("DEFVALA", 0x06, 0x03, 0x00), ("DEFVALB", 0x07, 0x13, 0x00),
    ("INTCONA", 0x08, 0x04, 0x00), ("INTCONB", 0x09, 0x14, 0x00),
    ("IOCON", 0x0A, 0x05, 0x00), ("IOCON again", 0x0B, 0x15, 0x00),
    ("GPPUA", 0x0C, 0x06, 0x00), ("GPPUB", 0x0D, 0x16, 0x00),
    ("INTFA", 0x0E, 0x07, 0x00), ("INTFB", 0x0F, 0x17, 0x00),
    ("INTCAPA", 0x10, 0x08, 0x00), ("INTCAPB", 0x11, 0x18, 0x00),
    ("OLATA", 0x14, 0x0A, 0x00), ("OLATB", 0x15, 0x1A, 0x00),
]  # fmt: skip


class Bench:
    def __init__(self) -> None:
        self.pca, self.mcp = VirtualPca9555(), VirtualMcp23017()
        self.bus = VirtualBus({PCA: self.pca, MCP: self.mcp})
        self.smbus: VirtualSMBus = self.bus.open()

    def read(self, address: int, register: int, length: int) -> list[int]:
        return self.smbus.read_i2c_block_data(address, register, length)

    def write(self, address: int, register: int, *data: int) -> None:
        self.smbus.write_i2c_block_data(address, register, data)


@pytest.fixture
def bench() -> Bench:
    return Bench()


# NXP PCA9555 data sheet, tables 5 to 12: command byte, value after a reset.
@pytest.mark.parametrize(
    ("command", "value"), [(2, 0xFF), (3, 0xFF), (4, 0x00), (5, 0x00), (6, 0xFF), (7, 0xFF)]
)
def test_pca9555_registers_at_power_on_and_as_written(bench: Bench, command: int, value: int) -> None:
    assert bench.read(PCA, command, 1) == [value]
    bench.write(PCA, command, 0xA5)
    assert bench.read(PCA, command, 1) == [0xA5]
    assert bench.read(PCA, command ^ 1, 1) == [0x00 if command in (4, 5) else 0xFF]
    bench.pca.power_on()
    assert bench.read(PCA, command, 1) == [value]


@pytest.mark.parametrize("first", range(8))
def test_pca9555_data_goes_to_a_pair_in_turn_and_never_beyond(bench: Bench, first: int) -> None:
    bench.pca.outside = lambda: 0x55AA
    bench.write(PCA, first, 1, 2, 3)
    expected = [0xAA, 0x55] if first < 2 else [3, 2]
    assert bench.read(PCA, first, 3) == [*(expected[::-1] if first == 1 else expected), expected[first == 1]]


def test_pca9555_a_restart_goes_on_where_the_read_stopped(bench: Bench) -> None:
    bench.pca.outside = lambda: 0x1234
    assert bench.read(PCA, 1, 2) == [0x12, 0x34]
    assert bench.smbus.read_byte(PCA) == 0x12
    assert bench.smbus.read_byte(PCA) == 0x34
    bench.read(PCA, 0, 2)
    answer = i2c_msg.read(PCA, 2)
    bench.smbus.i2c_rdwr(answer)
    assert bytes(answer) == b"\x34\x12"


def test_pca9555_inputs_show_the_pins_and_polarity_turns_inputs_alone(bench: Bench) -> None:
    bench.pca.outside = lambda: 0xFF00
    bench.write(PCA, 2, 0x3C, 0x81)
    assert bench.read(PCA, 0, 2) == [0x00, 0xFF]
    bench.write(PCA, 6, 0xF0, 0x0F)
    assert bench.read(PCA, 0, 2) == [0x0C, 0x8F]
    bench.write(PCA, 4, 0xFF, 0xFF)
    assert bench.read(PCA, 0, 2) == [0xFC, 0x80]
    assert (bench.pca.driven, bench.pca.latch, bench.pca.pull_ups) == (0xF00F, 0x813C, 0xFFFF)
    bench.write(PCA, 0, 0x11, 0x22)
    assert bench.read(PCA, 2, 2) == [0x3C, 0x81]


@pytest.mark.parametrize(("name", "straight", "banked", "value"), MCP_TABLE)
def test_mcp23017_registers_at_power_on(
    bench: Bench, name: str, straight: int, banked: int, value: int
) -> None:
    assert bench.read(MCP, straight, 1) == [value]
    bench.write(MCP, 0x0A, 0x80)
    assert bench.read(MCP, banked, 1) == [0x80 if name.startswith("IOCON") else value]


@pytest.mark.parametrize(("name", "straight", "banked", "value"), MCP_TABLE)
def test_mcp23017_what_can_be_written(
    bench: Bench, name: str, straight: int, banked: int, value: int
) -> None:
    bench.write(MCP, straight, 0x0E)
    fixed = name.startswith(("INTF", "INTCAP"))
    assert bench.read(MCP, straight, 1) == [value if fixed else 0x0E]
    if name.startswith("IOCON"):
        assert bench.read(MCP, 0x0A, 2) == [0x0E, 0x0E]
    bench.mcp.power_on()
    assert bench.read(MCP, straight, 1) == [value]


def test_mcp23017_bank_1_finds_the_same_registers(bench: Bench) -> None:
    bench.write(MCP, 0x0C, 0x12, 0x34)
    bench.write(MCP, 0x0A, 0x80)
    assert bench.read(MCP, 0x06, 1) == [0x12]
    assert bench.read(MCP, 0x16, 1) == [0x34]
    assert bench.read(MCP, 0x0B, 5) == [0, 0, 0, 0, 0]
    bench.write(MCP, 0x05, 0x00)
    assert bench.read(MCP, 0x0C, 2) == [0x12, 0x34]


def test_mcp23017_sequential_mode_counts_up_and_rolls_over(bench: Bench) -> None:
    bench.write(MCP, 0x14, 0xAB, 0xCD, 0x7F)
    assert bench.read(MCP, 0x00, 1) == [0x7F]
    assert bench.read(MCP, 0x14, 4) == [0xAB, 0xCD, 0x7F, 0xFF]
    assert bench.read(MCP, 0x00, 22)[-2:] == [0xAB, 0xCD]


@pytest.mark.parametrize(("control", "expected"), [(0x20, [4, 128, 4, 128]), (0xA0, [4, 4, 4, 4])])
def test_mcp23017_byte_mode_toggles_a_pair_or_stays(bench: Bench, control: int, expected: list[int]) -> None:
    bench.write(MCP, 0x14, 0x04, 0x80)
    bench.write(MCP, 0x00, 0x00, 0x00)
    bench.write(MCP, 0x0A, control)
    assert bench.read(MCP, 0x09 if control & 0x80 else 0x12, 4) == expected


def test_mcp23017_writing_the_port_writes_the_latch(bench: Bench) -> None:
    bench.write(MCP, 0x00, 0x00, 0x00)
    bench.write(MCP, 0x12, 0x5A, 0xA5)
    assert bench.read(MCP, 0x14, 2) == [0x5A, 0xA5]
    assert bench.read(MCP, 0x12, 2) == [0x5A, 0xA5]
    assert (bench.mcp.driven, bench.mcp.latch) == (0xFFFF, 0xA55A)


def test_mcp23017_the_seventh_pins_are_outputs_only(bench: Bench) -> None:
    assert bench.read(MCP, 0x12, 2) == [0x7F, 0x7F]
    bench.write(MCP, 0x02, 0xFF, 0xFF)
    assert bench.read(MCP, 0x12, 2) == [0x00, 0x00]
    bench.write(MCP, 0x00, 0x7F, 0x7F)
    bench.write(MCP, 0x14, 0x80, 0x80)
    assert bench.read(MCP, 0x12, 2) == [0x80, 0x80]


def test_mcp23017_pull_ups_are_off_until_asked_for(bench: Bench) -> None:
    assert bench.mcp.pull_ups == 0
    bench.write(MCP, 0x0C, 0xFF, 0x7F)
    assert bench.mcp.pull_ups == 0x7FFF


def test_a_message_without_data_changes_nothing(bench: Bench) -> None:
    for address in (PCA, MCP):
        bench.smbus.i2c_rdwr(i2c_msg.write(address, []))
    assert bench.read(PCA, 6, 2) == [0xFF, 0xFF]
