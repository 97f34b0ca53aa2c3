"""Virtual chips against their data sheets, through the calls of smbus2 on the virtual bus."""

import errno
import os

import pytest
from smbus2 import i2c_msg

from hw.simulator.chips import Tone, VirtualBuzzer, VirtualHt16k33
from hw.simulator.i2c_bus import VirtualBus, VirtualSMBus

FACE, BUZZER = 0x70, 0x34


class Time:
    def __init__(self) -> None:
        self.ns = 0

    def __call__(self) -> int:
        return self.ns


@pytest.fixture
def face() -> VirtualHt16k33:
    return VirtualHt16k33()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def buzzer(time: Time) -> VirtualBuzzer:
    return VirtualBuzzer(time)


@pytest.fixture
def bus(face: VirtualHt16k33, buzzer: VirtualBuzzer) -> VirtualBus:
    return VirtualBus({FACE: face, BUZZER: buzzer})


@pytest.fixture
def smbus(bus: VirtualBus) -> VirtualSMBus:
    return bus.open()


def test_ht16k33_power_on_defaults(face: VirtualHt16k33) -> None:
    assert (face.oscillator, face.display, face.blink_hz, face.brightness) == (False, False, 0.0, 15)
    assert face.picture().segments == bytes(4)


@pytest.mark.parametrize(
    ("command", "attribute", "value"),
    [
        (0x21, "oscillator", True), (0x20, "oscillator", False),
        (0x81, "display", True), (0x80, "display", False),
        (0x83, "blink_hz", 2.0), (0x85, "blink_hz", 1.0), (0x87, "blink_hz", 0.5), (0x81, "blink_hz", 0.0),
        (0xE0, "brightness", 0), (0xE7, "brightness", 7), (0xEF, "brightness", 15),
    ],
)  # fmt: skip
def test_ht16k33_commands(
    face: VirtualHt16k33, smbus: VirtualSMBus, command: int, attribute: str, value: object
) -> None:
    smbus.write_byte(FACE, command)
    assert getattr(face, attribute) == value


def test_ht16k33_ram_counts_up_wraps_and_reads_back(face: VirtualHt16k33, smbus: VirtualSMBus) -> None:
    smbus.write_i2c_block_data(FACE, 0x00, range(1, 17))
    assert bytes(face.ram) == bytes(range(1, 17))
    smbus.write_i2c_block_data(FACE, 0x0E, [0xAA, 0xBB, 0xCC])
    assert (face.ram[14], face.ram[15], face.ram[0]) == (0xAA, 0xBB, 0xCC)
    assert smbus.read_i2c_block_data(FACE, 0x0E, 4) == [0xAA, 0xBB, 0xCC, 2]
    assert smbus.read_byte(FACE) == 3
    answer = i2c_msg.read(FACE, 3)
    smbus.i2c_rdwr(i2c_msg.write(FACE, [0x01]), answer)
    assert bytes(answer) == b"\x02\x03\x04"


def test_ht16k33_shows_only_when_oscillator_and_display_are_on(
    face: VirtualHt16k33, smbus: VirtualSMBus
) -> None:
    smbus.write_i2c_block_data(FACE, 0x00, [0x06, 0, 0x66, 0, 0x02, 0, 0x6D, 0, 0x6F])
    for command in (0x21, 0x20, 0x81):
        smbus.write_byte(FACE, command)
        assert face.picture().segments == bytes(4)
    smbus.write_byte(FACE, 0x21)
    assert face.picture()[:2] == (b"\x06\x66\x6d\x6f", True)
    face.power_on(b"\x55" * 16)
    assert face.picture().segments == bytes(4)
    assert smbus.read_byte_data(FACE, 0x03) == 0x55


def test_buzzer_registers_at_power_on(smbus: VirtualSMBus) -> None:
    expected = [0x5E, 0x00, 0x01, 2730 >> 8, 2730 & 0xFF, 4, 0, 0, 0, 0, 0x34]
    assert smbus.read_i2c_block_data(BUZZER, 0x00, 11) == expected
    assert smbus.read_i2c_block_data(BUZZER, 0x0A, 3) == [0x34, 0xFF, 0xFF]


def test_buzzer_read_only_bits_stay(smbus: VirtualSMBus) -> None:
    smbus.write_i2c_block_data(BUZZER, 0x00, [1, 2, 3])
    smbus.write_byte_data(BUZZER, 0x05, 0xFF)
    assert smbus.read_i2c_block_data(BUZZER, 0x00, 6) == [0x5E, 0x00, 0x01, 2730 >> 8, 2730 & 0xFF, 7]


def test_a_tone_ends_by_itself(buzzer: VirtualBuzzer, smbus: VirtualSMBus, time: Time) -> None:
    time.ns = 1_000
    smbus.write_i2c_block_data(BUZZER, 0x03, [1000 >> 8, 1000 & 0xFF, 2, 0, 100, 1])
    assert buzzer.sounding() == Tone(1_000, 1000, 100, 2)
    time.ns += 99_999_999
    assert buzzer.sounding() is not None
    assert smbus.read_byte_data(BUZZER, 0x08) == 1
    time.ns += 1
    assert buzzer.sounding() is None
    assert smbus.read_byte_data(BUZZER, 0x08) == 0


def test_a_tone_without_a_length_sounds_until_it_is_stopped(
    buzzer: VirtualBuzzer, smbus: VirtualSMBus, time: Time
) -> None:
    smbus.write_byte_data(BUZZER, 0x08, 1)
    time.ns = 3600 * 10**9
    assert buzzer.sounding() == Tone(0, 2730, 0, 4)
    smbus.write_byte_data(BUZZER, 0x08, 0)
    assert buzzer.sounding() is None


def test_the_same_tone_again_while_it_sounds_does_not_begin_anew(
    buzzer: VirtualBuzzer, smbus: VirtualSMBus, time: Time
) -> None:
    tone = [0x03, 0xE8, 2, 0, 100, 1]
    smbus.write_i2c_block_data(BUZZER, 0x03, tone)
    time.ns = 50_000_000
    smbus.write_i2c_block_data(BUZZER, 0x03, tone)
    time.ns = 60_000_000
    smbus.write_i2c_block_data(BUZZER, 0x03, [0x07, 0xD0, 2, 0, 100, 1])
    assert [t.start_ns for t in buzzer.tones] == [0, 60_000_000]


def test_saving_is_counted(buzzer: VirtualBuzzer, smbus: VirtualSMBus) -> None:
    smbus.write_byte_data(BUZZER, 0x09, 1)
    assert buzzer.saves == 1
    assert smbus.read_byte_data(BUZZER, 0x09) == 0


def test_nobody_at_an_address(bus: VirtualBus, smbus: VirtualSMBus) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.EREMOTEIO)):
        smbus.write_byte(0x50, 0)
    chip = bus.detach(FACE)
    with pytest.raises(OSError, match=os.strerror(errno.EREMOTEIO)):
        smbus.read_byte(FACE)
    bus.attach(FACE, chip)
    assert smbus.read_byte(FACE) == 0


def test_a_stuck_bus(bus: VirtualBus, smbus: VirtualSMBus) -> None:
    bus.stick()
    with pytest.raises(OSError, match=os.strerror(errno.ETIMEDOUT)):
        smbus.write_byte(FACE, 0x21)
    bus.free()
    smbus.write_byte(FACE, 0x21)
    bus.stick()
    with pytest.raises(OSError, match="timed out"):
        bus.open().write_byte(FACE, 0x21)


def test_a_chip_without_power_is_as_new_when_it_is_back(bus: VirtualBus, smbus: VirtualSMBus) -> None:
    smbus.write_byte(FACE, 0x21)
    smbus.write_i2c_block_data(BUZZER, 0x03, [1000 >> 8, 1000 & 0xFF, 2, 0, 100, 1])
    for address in (FACE, BUZZER):
        bus.cut_power(address)
        with pytest.raises(OSError, match=os.strerror(errno.EREMOTEIO)):
            smbus.read_byte(address)
        bus.restore_power(address)
    assert smbus.read_i2c_block_data(BUZZER, 0x03, 6) == [2730 >> 8, 2730 & 0xFF, 4, 0, 0, 0]


def test_a_chip_that_hangs_takes_the_bus_with_it(bus: VirtualBus, smbus: VirtualSMBus) -> None:
    bus.hang(BUZZER)
    smbus.write_byte(FACE, 0x21)
    for address in (BUZZER, FACE):
        with pytest.raises(OSError, match=os.strerror(errno.ETIMEDOUT)):
            smbus.read_byte(address)
    bus.free()
    assert smbus.read_byte_data(BUZZER, 0x00) == 0x5E


def test_a_chip_that_often_misses_its_acknowledge(bus: VirtualBus, smbus: VirtualSMBus) -> None:
    bus.fail_often(0.5, seed=1, address=BUZZER)
    failed = {FACE: 0, BUZZER: 0}
    for address in failed:
        for _ in range(100):
            try:
                smbus.read_byte(address)
            except OSError as error:
                failed[address] += error.errno == errno.EREMOTEIO
    assert failed[FACE] == 0
    assert 30 < failed[BUZZER] < 70


def test_an_adapter_that_is_taken_away(bus: VirtualBus, smbus: VirtualSMBus) -> None:
    bus.unplug()
    with pytest.raises(OSError, match=os.strerror(errno.ENODEV)):
        smbus.read_byte(FACE)
    with pytest.raises(OSError, match=os.strerror(errno.ENOENT)):
        bus.open()
    bus.plug()
    assert bus.open().read_byte(FACE) == 0


def test_what_goes_over_the_wire_is_counted(bus: VirtualBus, smbus: VirtualSMBus) -> None:
    smbus.read_i2c_block_data(FACE, 0x00, 16)
    assert (bus.transfers, bus.messages) == (1, 2)
    assert bus.clocks == 2 * 10 + 17 * 9 + 1


def test_failures_on_demand_and_a_closed_handle(bus: VirtualBus) -> None:
    bus.fail_next(2, errno.EIO)
    with bus.open() as smbus:
        for _ in range(2):
            with pytest.raises(OSError, match=os.strerror(errno.EIO)):
                smbus.write_byte(FACE, 0x21)
        smbus.write_byte(FACE, 0x21)
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        smbus.write_byte(FACE, 0x21)


def test_blocks_are_as_long_as_smbus_allows(smbus: VirtualSMBus) -> None:
    with pytest.raises(ValueError, match="32"):
        smbus.write_i2c_block_data(FACE, 0, [0] * 33)
    with pytest.raises(ValueError, match="32"):
        smbus.read_i2c_block_data(FACE, 0, 33)
