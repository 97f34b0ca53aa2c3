"""The face driver on the virtual bus."""

import errno
import threading
from collections.abc import Iterator

import pytest

from hw import BusError
from hw.faces import Ht16k33Faces, NoFaces
from hw.i2c import I2cBus
from hw.segments import encode
from hw.simulator.chips import Picture, VirtualHt16k33
from hw.simulator.i2c_bus import VirtualBus

LONG_S = 10.0
BLANK = (bytes(4), False)


class Clock:
    def __init__(self) -> None:
        self.near, self.far = VirtualHt16k33(), VirtualHt16k33()
        self.near.power_on(b"\xff" * 16)
        self.virtual = VirtualBus({0x70: self.near, 0x71: self.far})
        self.bus = I2cBus("bus", self.virtual.open, back_off_s=(0.001, 0.004))
        self.faces = Ht16k33Faces(self.bus, {"near": 0x70, "far": 0x71})

    def settle(self) -> None:
        assert self.bus.flush(LONG_S)


@pytest.fixture
def clock() -> Iterator[Clock]:
    clock = Clock()
    clock.settle()
    yield clock
    clock.virtual.free()
    clock.bus.close()


def test_faces_begin_blank_and_lit(clock: Clock) -> None:
    assert clock.near.oscillator
    assert clock.near.display
    assert clock.near.picture()[:2] == clock.far.picture()[:2] == BLANK


def test_what_the_ram_held_at_power_on_is_never_seen() -> None:
    seen = []
    near = VirtualHt16k33()
    near.power_on(b"\xff" * 16)
    virtual = VirtualBus({0x70: near})
    virtual.on_transfer = lambda _: seen.append(near.picture().segments)
    bus = I2cBus("bus", virtual.open)
    Ht16k33Faces(bus, {"near": 0x70}).show("near", *encode("14:59"))
    bus.close()
    assert set(seen) <= {bytes(4), encode("14:59")[0]}


def test_digits_and_colon_go_where_the_backpack_has_them(clock: Clock) -> None:
    clock.faces.show("near", b"\x06\x66\x6d\x6f", True, 3)
    clock.faces.show("far", b"\x3f\xbf\x3f\x3f", False)
    clock.settle()
    assert bytes(clock.near.ram) == bytes([0x06, 0, 0x66, 0, 0x02, 0, 0x6D, 0, 0x6F] + [0] * 7)
    assert clock.near.picture() == Picture(b"\x06\x66\x6d\x6f", True, 3, 0.0)
    assert clock.far.picture() == Picture(b"\x3f\xbf\x3f\x3f", False, 8, 0.0)


def test_a_picture_that_stands_costs_no_transfer(clock: Clock) -> None:
    clock.faces.show("near", *encode("14:59"))
    clock.settle()
    before = clock.virtual.transfers
    for _ in range(10):
        clock.faces.show("near", *encode("14:59"))
    clock.settle()
    assert clock.virtual.transfers == before
    clock.faces.show("near", *encode("14:58"))
    clock.settle()
    assert clock.virtual.transfers == before + 1


def test_a_brown_out_is_mended_by_the_next_refresh(clock: Clock) -> None:
    clock.faces.show("near", *encode("14:59"))
    clock.settle()
    for ram in (bytes(16), bytes(clock.near.ram), b"\x55" * 16):
        clock.near.power_on(ram)
        assert clock.near.picture()[:2] == BLANK
        clock.faces.refresh()
        clock.settle()
        assert clock.near.picture() == Picture(*encode("14:59"), 8, 0.0)
    assert clock.faces.brown_outs == 2  # one of the three left the RAM as it was


def test_a_face_that_is_gone_is_told_once_and_shows_the_newest_when_it_is_back(clock: Clock) -> None:
    chip = clock.virtual.detach(0x70)
    clock.faces.show("near", *encode("14:59"))
    clock.settle()
    with pytest.raises(BusError) as caught:
        clock.faces.show("far", *encode("10:00"))
    assert caught.value.address == 0x70
    assert str(caught.value).startswith("near face (0x70): does not answer")
    clock.faces.show("near", *encode("14:57"))
    clock.settle()
    assert clock.far.picture()[:2] == encode("10:00")
    clock.virtual.attach(0x70, chip)
    clock.near.power_on()
    clock.faces.show("near", *encode("14:57"))
    clock.settle()
    assert clock.near.picture() == Picture(*encode("14:57"), 8, 0.0)


def test_a_bus_that_stalled_once_recovers_by_itself(clock: Clock) -> None:
    clock.virtual.fail_next(1, errno.ETIMEDOUT)
    clock.faces.show("near", *encode("14:59"))
    clock.settle()
    assert clock.near.picture()[:2] == encode("14:59")


def test_show_does_not_wait_for_the_bus(clock: Clock) -> None:
    inside, go = threading.Event(), threading.Event()

    def wait(_: int) -> None:
        inside.set()
        assert go.wait(LONG_S)

    clock.virtual.on_transfer = wait
    for n in range(10, 60):
        clock.faces.show("near", *encode(f"14:{n}"))
    assert inside.wait(LONG_S)
    clock.virtual.on_transfer = None
    go.set()
    clock.settle()
    assert clock.near.picture()[:2] == encode("14:59")
    assert clock.bus.counters.transfers < 30


@pytest.mark.parametrize(("segments", "brightness"), [(b"\0\0\0", 8), (b"\0\0\0\0", 16), (b"\0\0\0\0", -1)])
def test_what_is_no_picture(clock: Clock, segments: bytes, brightness: int) -> None:
    with pytest.raises(ValueError, match="is no picture"):
        clock.faces.show("near", segments, False, brightness)


def test_closing_blanks_them(clock: Clock) -> None:
    clock.faces.show("near", *encode("14:59"))
    clock.faces.close()
    assert clock.near.picture()[:2] == BLANK


def test_a_table_without_faces() -> None:
    faces = NoFaces()
    faces.show("near", bytes(4), False)
    faces.refresh()
    faces.close()
