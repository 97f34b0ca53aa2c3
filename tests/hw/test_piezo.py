"""A piezo on a pin of gpiozero's mock factory, which is gpiozero's own."""

import threading
import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hw import DeviceError, PinInUse
from hw.piezo import PiezoBuzzer

LONG_S = 10.0
MS = 1_000_000


class Desk:
    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.buzzer = PiezoBuzzer(18, self.factory)
        self.pin = self.factory.pin("GPIO18")

    def wait_for(self, frequency_hz: float | None) -> float:
        """Wait until this sounds (None: nothing); the instant."""
        end = time.monotonic() + LONG_S
        while (self.pin.frequency or None) != (frequency_hz and pytest.approx(frequency_hz)):
            assert time.monotonic() < end, self.pin.frequency
            threading.Event().wait(0.001)
        return time.monotonic()


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.buzzer.close()


def test_a_tone_sounds_for_its_time(desk: Desk) -> None:
    desk.buzzer.tone(2730, 60)
    began = desk.wait_for(2730)
    assert 0.03 < desk.wait_for(None) - began < 1.0


def test_a_newer_tone_takes_the_place_of_the_one_that_sounds(desk: Desk) -> None:
    desk.buzzer.tone(1000, 60_000)
    desk.wait_for(1000)
    desk.buzzer.tone(2000, 60_000)
    desk.wait_for(2000)


def test_a_tone_is_cut_short_by_silence_by_no_volume_and_by_closing(desk: Desk) -> None:
    for cut in (desk.buzzer.silence, lambda: desk.buzzer.tone(1000, 100, 0), desk.buzzer.close):
        desk.buzzer.tone(1000, 60_000)
        desk.wait_for(1000)
        cut()
        if cut != desk.buzzer.close:
            desk.wait_for(None)
    assert not desk.buzzer._thread.is_alive()
    desk.buzzer.close()


def test_a_tone_that_would_be_late_is_left_out(desk: Desk) -> None:
    desk.buzzer.tone(1000, 60_000, latest_ns=time.monotonic_ns() - MS)
    desk.buzzer.tone(2000, 60_000)
    desk.wait_for(2000)
    desk.buzzer.tone(1000, 60_000, latest_ns=time.monotonic_ns() - MS)
    desk.wait_for(None)


def test_what_a_piezo_cannot_sound_is_sounded_at_the_end_of_its_range(desk: Desk) -> None:
    desk.buzzer.tone(20_000, 60_000)
    desk.wait_for(7040)
    desk.buzzer.tone(1, 60_000)
    desk.wait_for(27.5)


def test_a_tone_that_fails_is_told_and_the_next_one_sounds(desk: Desk, monkeypatch) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("chip gone")

    with monkeypatch.context() as broken:
        broken.setattr(desk.buzzer._piezo, "play", refuse)
        desk.buzzer.tone(1000, 10)
        while not desk.buzzer.faults():
            threading.Event().wait(0.001)
    assert desk.buzzer.faults() == ["the piezo (clock.piezo_pin) does not sound: chip gone"]
    desk.buzzer.tone(2000, 10)
    desk.wait_for(2000)
    desk.wait_for(None)
    while desk.buzzer.faults():
        threading.Event().wait(0.001)


@pytest.mark.parametrize(("hz", "ms", "volume"), [(0, 100, 3), (1000, 0, 3), (1000, 100, 5)])
def test_tones_that_cannot_be(desk: Desk, hz: int, ms: int, volume: int) -> None:
    with pytest.raises(ValueError, match="is not possible"):
        desk.buzzer.tone(hz, ms, volume)


def test_a_pin_that_is_taken_and_one_that_cannot_sound(desk: Desk) -> None:
    with pytest.raises(PinInUse, match=r"GPIO18 \(clock.piezo_pin\) belongs to somebody else"):
        PiezoBuzzer(18, desk.factory)
    with pytest.raises(DeviceError, match="GPIO18 cannot drive a piezo"):
        PiezoBuzzer(18, MockFactory())
