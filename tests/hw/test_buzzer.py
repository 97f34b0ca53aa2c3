"""The buzzer driver on the virtual bus."""

import contextlib
import threading
from collections.abc import Iterator

import pytest

from hw import BusError
from hw.buzzer import NoBuzzer, QwiicBuzzer
from hw.i2c import I2cBus
from hw.simulator.chips import Tone, VirtualBuzzer, VirtualHt16k33
from hw.simulator.i2c_bus import VirtualBus

LONG_S = 10.0
MS = 1_000_000


class Desk:
    def __init__(self) -> None:
        self.now_ns = 1000 * MS
        self.chip = VirtualBuzzer(lambda: self.now_ns)
        self.virtual = VirtualBus({0x34: self.chip})
        self.bus = I2cBus("bus", self.virtual.open, back_off_s=(0.001, 0.004), now_ns=lambda: self.now_ns)
        self.buzzer = QwiicBuzzer(self.bus, now_ns=lambda: self.now_ns)

    def settle(self) -> None:
        assert self.bus.flush(LONG_S)

    def hold(self) -> threading.Event:
        inside, go = threading.Event(), threading.Event()

        def wait(_: int) -> None:
            self.virtual.on_transfer = None
            inside.set()
            assert go.wait(LONG_S)

        self.settle()
        self.virtual.on_transfer = wait
        self.bus.post("held", 0x34, lambda wire: wire.write(0x34, b"\x00"))
        assert inside.wait(LONG_S)
        return go


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.virtual.free()
    desk.bus.close()


def test_a_tone_is_sounded_and_ends_by_itself(desk: Desk) -> None:
    desk.buzzer.tone(2730, 120, 2)
    desk.settle()
    assert desk.chip.sounding() == Tone(1000 * MS, 2730, 120, 2)
    desk.now_ns += 120 * MS
    assert desk.chip.sounding() is None
    desk.buzzer.tone(20_000, 65_535, 4)
    desk.settle()
    assert desk.chip.sounding() == Tone(1120 * MS, 20_000, 65_535, 4)
    assert desk.chip.saves == 0


def test_no_tone_is_without_a_length(desk: Desk) -> None:
    with pytest.raises(ValueError, match="allowed: 1 to 20000 Hz"):
        desk.buzzer.tone(1000, 0)


@pytest.mark.parametrize(
    ("hz", "ms", "volume"), [(0, 100, 3), (20_001, 100, 3), (1000, 65_536, 3), (1000, 100, 5)]
)
def test_tones_that_cannot_be(desk: Desk, hz: int, ms: int, volume: int) -> None:
    with pytest.raises(ValueError, match="is not possible"):
        desk.buzzer.tone(hz, ms, volume)
    desk.settle()
    assert not desk.chip.tones


def test_a_slow_bus_never_plays_a_tone_late(desk: Desk) -> None:
    go = desk.hold()
    desk.buzzer.tone(1000, 100)
    desk.now_ns += 51 * MS
    go.set()
    desk.settle()
    assert not desk.chip.tones
    go = desk.hold()
    desk.buzzer.tone(1000, 100, latest_ns=desk.now_ns + 500 * MS)
    desk.now_ns += 400 * MS
    go.set()
    desk.settle()
    assert len(desk.chip.tones) == 1


def test_tones_do_not_queue_up(desk: Desk) -> None:
    go = desk.hold()
    for hz in range(1000, 1020):
        desk.buzzer.tone(hz, 100)
    go.set()
    desk.settle()
    assert [t.frequency_hz for t in desk.chip.tones] == [1019]


def test_after_a_stall_the_tone_is_left_out(desk: Desk) -> None:
    desk.settle()
    desk.virtual.stick()

    def later(_: int) -> None:
        desk.now_ns += 200 * MS

    desk.virtual.on_transfer = later
    desk.buzzer.tone(1000, 100)
    desk.settle()
    assert desk.bus.counters.too_late == 1
    assert not desk.chip.tones


def test_a_buzzer_that_is_missing_is_told_once(desk: Desk) -> None:
    desk.settle()
    desk.virtual.detach(0x34)
    desk.buzzer.tone(1000, 100)
    desk.settle()
    with pytest.raises(BusError, match="0x34"):
        desk.buzzer.tone(1000, 100)
    desk.settle()
    desk.buzzer.tone(1000, 100)


def test_another_chip_at_its_address_is_named() -> None:
    virtual = VirtualBus({0x34: VirtualHt16k33()})
    bus = I2cBus("bus", virtual.open)
    QwiicBuzzer(bus)
    assert bus.flush(LONG_S)
    error = bus.take_error(0x34)
    assert "is no Qwiic Buzzer: its identity is 0x00, not 0x5e" in str(error)
    assert virtual.opened == 1
    bus.close()


def test_a_wrong_chip_gets_no_tone_and_stays_told_until_a_buzzer_is_there(desk: Desk) -> None:
    desk.settle()
    wrong = VirtualHt16k33()
    desk.virtual.attach(0x34, wrong)
    desk.buzzer.refresh()
    desk.settle()
    for cry in (lambda: desk.buzzer.tone(1000, 100), desk.buzzer.silence, desk.buzzer.refresh):
        with contextlib.suppress(BusError):
            cry()
        desk.settle()
        assert desk.bus.faults == ["buzzer (0x34): is no Qwiic Buzzer: its identity is 0x00, not 0x5e"]
    desk.virtual.attach(0x34, desk.chip)
    desk.buzzer.refresh()
    desk.settle()
    assert desk.bus.faults == []
    desk.buzzer.tone(1000, 100)
    desk.settle()
    assert len(desk.chip.tones) == 1


def test_a_tone_is_cut_short_and_one_that_waits_is_forgotten(desk: Desk) -> None:
    desk.buzzer.tone(1000, 60_000)
    desk.settle()
    desk.buzzer.silence()
    desk.settle()
    assert desk.chip.sounding() is None
    go = desk.hold()
    desk.buzzer.tone(2000, 60_000)
    desk.buzzer.silence()
    go.set()
    desk.settle()
    assert [t.frequency_hz for t in desk.chip.tones] == [1000]


def test_closing_is_silence(desk: Desk) -> None:
    desk.buzzer.tone(1000, 60_000)
    desk.settle()
    desk.buzzer.close()
    assert desk.chip.sounding() is None


def test_a_table_without_a_buzzer() -> None:
    buzzer = NoBuzzer()
    buzzer.tone(1000, 100)
    buzzer.silence()
    buzzer.close()
