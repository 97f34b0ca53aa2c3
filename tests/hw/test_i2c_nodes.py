"""Unmodified smbus2 and the whole driver stack through `/dev/i2c-N` of a preloaded library."""

import json
import sys
import textwrap
import time
from pathlib import Path

import pytest

from hw.i2c_board import Wiring
from hw.segments import encode
from hw.simulator.chips import VirtualBuzzer, VirtualHt16k33
from hw.simulator.expanders import VirtualMcp23017
from hw.simulator.i2c_board import TWO_PLANES, USUAL, VirtualI2cBoard
from hw.simulator.i2c_bus import VirtualBus
from hw.simulator.sensors import SwitchSensors
from hw.simulator.table import SimulatedTable
from tests.i2c_nodes import ROOT, nodes, run
from tests.programs import started

SMBUS2 = """
    import errno, time
    from smbus2 import SMBus, i2c_msg

    def refused(call, *arguments):
        try:
            call(*arguments)
        except OSError as error:
            known = {errno.EOPNOTSUPP: "EOPNOTSUPP"}  # errorcode calls it ENOTSUP
            return known.get(error.errno, errno.errorcode[error.errno])
        return "done"

    bus = SMBus(1)
    bus.write_byte_data(0x20, 0x0C, 0x5A)
    bus.write_word_data(0x20, 0x14, 0x1234)
    print(bus.read_byte_data(0x20, 0x0C), hex(bus.read_word_data(0x20, 0x14)))
    bus.write_byte(0x70, 0x21)
    bus.write_i2c_block_data(0x70, 0, list(range(16)))
    print(bus.read_i2c_block_data(0x70, 2, 4), bus.read_byte(0x70))
    bus.write_quick(0x70)
    register, answer = i2c_msg.write(0x20, [0x14]), i2c_msg.read(0x20, 2)
    bus.i2c_rdwr(register, answer)
    print(list(answer))
    print(refused(bus.read_byte, 0x33), refused(bus.write_quick, 0x33))
    print(refused(bus.i2c_rdwr, *[i2c_msg.write(0x70, [0])] * 42))
    print(refused(bus.i2c_rdwr, *[i2c_msg.write(0x70, [0])] * 43))
    print(refused(bus.i2c_rdwr, i2c_msg.read(0x70, 1), i2c_msg.write(0x70, [0])))
    print(refused(SMBus, 2), refused(SMBus, "/dev/i2c-99"))
"""


def program(code: str) -> str:
    return textwrap.dedent(code)


def test_smbus2_meets_the_kernel_s_bus_and_its_limits(tmp_path: Path) -> None:
    bus = VirtualBus({0x20: VirtualMcp23017(), 0x70: VirtualHt16k33()})
    with nodes(tmp_path, {1: bus}) as environ:
        told = run(program(SMBUS2), environ).splitlines()
    assert told == [
        "90 0x1234",
        "[2, 3, 4, 5] 6",
        "[52, 18]",
        "EREMOTEIO EREMOTEIO",
        "done",
        "EINVAL",
        "EOPNOTSUPP",
        "ENOENT ENOENT",
    ]


def test_a_stall_costs_the_time_out_that_is_set_and_an_adapter_that_goes_is_gone(tmp_path: Path) -> None:
    bus = VirtualBus({0x70: VirtualHt16k33()})
    bus.stick()
    code = """
        import errno, sys, time
        from hw.i2c import open_smbus
        from smbus2 import i2c_msg

        def wanted():
            began = time.monotonic()
            try:
                device.i2c_rdwr(i2c_msg.write(0x70, [0x21]))
            except OSError as error:
                return errno.errorcode[error.errno], round(time.monotonic() - began, 2)

        device = open_smbus(1)
        print(*wanted(), flush=True)
        sys.stdin.readline()
        print(wanted()[0])
        device.close()
        try:
            open_smbus(1)
        except OSError as error:
            print(errno.errorcode[error.errno])
    """
    with (
        nodes(tmp_path, {1: bus}) as environ,
        started([sys.executable, "-c", program(code)], env=environ, cwd=ROOT) as process,
    ):
        assert process.stdout is not None
        name, seconds = process.stdout.readline().split()
        assert name == "ETIMEDOUT"
        assert 0.05 <= float(seconds) < 0.9, "a second without it"
        bus.unplug()
        out, _ = process.communicate("\n", timeout=20)
        assert out.split() == ["ENODEV", "ENOENT"]


CLOCK = """
    import time
    from hw.devices import open_devices
    from hw.segments import encode

    devices = open_devices(
        {"clock": {"faces": "ht16k33", "buzzer": "qwiic"}, "keys": {"factory": "none"}}
    )
    devices.faces.show("near", *encode("14:59"))
    devices.faces.show("far", *encode("15:00"))
    devices.buzzer.tone(1000, 60000, latest_ns=time.monotonic_ns() + 10**10)
    assert devices.buses[0].flush(10)
    print(devices.faults())
    print(devices.buses[0].state, devices.buses[0].name)
"""


def test_the_clock_s_chips_are_driven_through_their_node(tmp_path: Path) -> None:
    near, far, buzzer = VirtualHt16k33(), VirtualHt16k33(), VirtualBuzzer(time.monotonic_ns)
    bus = VirtualBus({0x70: near, 0x71: far, 0x34: buzzer})
    with nodes(tmp_path, {1: bus}) as environ:
        assert run(program(CLOCK), environ).splitlines() == ["[]", "ok /dev/i2c-1"]
    assert near.picture()[:2] == encode("14:59")
    assert far.picture()[:2] == encode("15:00")
    assert buzzer.tones[-1][1:] == (1000, 60000, 3)


def test_a_missing_chip_stops_neither_the_others_nor_the_start(tmp_path: Path) -> None:
    far = VirtualHt16k33()
    with nodes(tmp_path, {1: VirtualBus({0x71: far})}) as environ:
        told = run(program(CLOCK), environ)
    assert "near face (0x70): does not answer: no power, a loose wire or another address (/dev/i2c-1)" in told
    assert "buzzer (0x34)" in told
    assert told.endswith("degraded /dev/i2c-1\n")
    assert far.picture().segments


def test_a_bus_that_is_not_there_is_told_and_the_start_goes_on(tmp_path: Path) -> None:
    with nodes(tmp_path, {3: VirtualBus()}) as environ:
        told = run(program(CLOCK).replace("assert devices.buses[0].flush(10)", ""), environ)
    assert "I2C bus /dev/i2c-1: the bus is not there: I2C is off" in told
    assert "lost /dev/i2c-1" in told


SCANNER = """
    import json, sys
    from hw import LinkError
    from hw.devices import open_devices

    devices = open_devices(
        {
            "scanner": {"kind": "i2c", "rate_hz": 400},
            "i2c_scanner": {"planes": PLANES},
            "clock": {"faces": "none", "buzzer": "none"},
            "keys": {"factory": "none"},
        }
    )
    scanner = devices.scanner

    def stones(frames):
        for _ in range(frames):
            frame = scanner.read()
        return {n: reading for n, reading in enumerate(frame.readings) if reading}, frame.lost

    print(json.dumps(stones(5)), flush=True)
    sys.stdin.readline()
    try:
        while True:
            scanner.read()
    except LinkError as error:
        print(error, flush=True)
    sys.stdin.readline()
    print(json.dumps(stones(1)))
    print(devices.health()["board"]["state"], devices.faults() != [])
    devices.close()
"""


@pytest.mark.parametrize("wiring", [USUAL, TWO_PLANES])
def test_the_board_is_scanned_through_its_node_lost_and_found_again(tmp_path: Path, wiring: Wiring) -> None:
    table = SimulatedTable(electronics=SwitchSensors(1, poles=wiring.poles))
    table.set_up({"H8": "black", "I9": "white"})
    board = VirtualI2cBoard(table, time.monotonic_ns, wiring)
    expected = {"112": 92, "128": 256 - 92} if wiring.poles else {"112": 1, "128": 1}
    code = program(SCANNER).replace("PLANES", repr("poles" if wiring.poles else "one"))
    with (
        nodes(tmp_path, {3: board.bus}) as environ,
        started([sys.executable, "-W", "error", "-c", code], env=environ, cwd=ROOT) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())[0] == expected
        board.bus.stick()
        process.stdin.write("\n")
        process.stdin.flush()
        assert "the board on /dev/i2c-3: the bus is stalled" in process.stdout.readline()
        board.bus.free()
        out, _ = process.communicate("\n", timeout=20)
    stones, lost = json.loads(out.splitlines()[0])
    assert stones == expected
    assert lost >= 1
    assert out.splitlines()[1] == "degraded True"
