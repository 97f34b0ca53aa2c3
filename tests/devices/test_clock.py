"""Faces and buzzer through smbus2 on /dev/i2c-1: pictures, brown-outs, missing chips, a bus that is stuck."""

import errno
import os
import threading
import time

import pytest
from smbus2 import SMBus, i2c_msg

from hw.buzzer import QwiicBuzzer
from hw.faces import Ht16k33Faces
from hw.i2c import I2cBus, open_smbus
from hw.segments import encode
from tests.patience import wait_for

LONG_S = 20.0
FACES = {"near": 0x70, "far": 0x71}


@pytest.fixture
def bus(clock):
    bus = I2cBus("/dev/i2c-1", lambda: open_smbus(1))
    yield bus
    bus.close()


def test_smbus2_reads_and_writes_registers(clock):
    with SMBus(1) as bus:
        assert bus.read_byte_data(0x34, 0x00) == 0x5E
        bus.write_i2c_block_data(0x70, 0x00, list(range(16)))
        assert bus.read_i2c_block_data(0x70, 0x00, 16) == list(range(16))
        with pytest.raises(OSError, match=f"Errno {errno.EREMOTEIO}"):
            bus.read_byte(0x55)


def test_a_second_read_in_a_transfer_is_refused_as_by_a_pi_0_to_4(clock):
    with SMBus(1) as bus:
        with pytest.raises(OSError, match=f"Errno {errno.EOPNOTSUPP}"):
            bus.i2c_rdwr(i2c_msg.read(0x70, 1), i2c_msg.read(0x71, 1))
        bus.i2c_rdwr(i2c_msg.write(0x70, [0]), i2c_msg.read(0x70, 1))


def test_faces_show_and_the_buzzer_sounds(clock, bus):
    faces, buzzer = Ht16k33Faces(bus, FACES), QwiicBuzzer(bus)
    faces.show("near", *encode("14:59"))
    faces.show("far", *encode(" 9.8"))
    buzzer.tone(2000, 300)
    assert bus.flush(LONG_S)
    assert clock.near.picture()[:2] == encode("14:59")
    assert clock.far.picture()[:2] == encode(" 9.8")
    assert clock.buzzer.tones[-1][1:] == (2000, 300, 3)


def test_a_brown_out_is_found_and_mended(clock, bus):
    faces = Ht16k33Faces(bus, FACES)
    faces.show("near", *encode("14:59"))
    assert bus.flush(LONG_S)
    clock.near.power_on(b"\xa5" * 16)
    faces.refresh()
    assert bus.flush(LONG_S)
    assert clock.near.picture()[:2] == encode("14:59")
    assert faces.brown_outs == 1


def test_a_held_bus_costs_the_time_out_that_is_set(clock):
    device = open_smbus(1)
    clock.bus.stick()
    took = []
    for _ in range(5):  # of which a busy machine spoils one or the other
        began = time.monotonic()
        with pytest.raises(OSError, match=f"Errno {errno.ETIMEDOUT}"):
            device.i2c_rdwr(i2c_msg.write(0x70, [0x21]))
        took.append(time.monotonic() - began)
    device.close()
    assert 0.04 < min(took) < 0.9, "without it it is a second"


def test_a_stuck_bus_is_told_and_comes_back(clock, bus):
    faces = Ht16k33Faces(bus, FACES)
    assert bus.flush(LONG_S)
    clock.bus.stick()
    faces.show("near", *encode("1:23"))
    wait_for(lambda: bus.troubles)
    assert "the bus is stalled" in str(bus.troubles[0x70])
    clock.bus.free()
    wait_for(lambda: clock.near.picture()[:2] == encode("1:23"))
    assert bus.counters.reopened


def test_missing_acknowledges_are_tried_again(clock, bus):
    faces = Ht16k33Faces(bus, FACES)
    assert bus.flush(LONG_S)
    clock.bus.fail_often(0.2, seed=1)
    for second in range(20):
        text = encode(f"14:{second:02d}")
        faces.show("near", *text)
        assert bus.flush(LONG_S)
        assert clock.near.picture()[:2] == text
    assert bus.counters.retries > 2
    assert bus.state == "ok"


def test_a_slow_bus_shows_the_newest_picture_and_no_queue_of_old_ones(clock, bus):
    faces = Ht16k33Faces(bus, FACES)
    assert bus.flush(LONG_S)
    inside, go = threading.Event(), threading.Event()

    def wait(_):
        inside.set()
        go.wait(LONG_S)

    clock.bus.on_transfer = wait
    transfers = bus.counters.transfers
    for second in range(60):
        faces.show("near", *encode(f"14:{second:02d}"))
    assert inside.wait(LONG_S)
    clock.bus.on_transfer = None
    go.set()
    assert bus.flush(LONG_S)
    assert clock.near.picture()[:2] == encode("14:59")
    assert bus.counters.replaced > 50
    assert bus.counters.transfers - transfers < 6
    assert bus.state == "ok"


def test_an_adapter_that_is_unplugged_comes_back(clock, bus):
    faces = Ht16k33Faces(bus, FACES)
    assert bus.flush(LONG_S)
    clock.relay.unplug()
    faces.show("near", *encode("4:56"))
    wait_for(lambda: bus.troubles)
    wait_for(lambda: not os.path.exists("/dev/i2c-1"))
    clock.relay.close()
    clock.plug_in()
    wait_for(lambda: clock.near.picture()[:2] == encode("4:56"))
    wait_for(lambda: not bus.troubles)
