"""Devices picked by name from a configuration."""

import time
from typing import Any

import pytest

from hw import DeviceError, LinkError
from hw.buzzer import NoBuzzer
from hw.devices import PINS, key_pins, open_devices
from hw.faces import NoFaces
from hw.keys import NoKeys
from hw.segments import encode

LONG_S = 10.0


def test_the_default_is_a_whole_simulated_table() -> None:
    devices = open_devices({})
    try:
        assert (devices.scanner.sensors, devices.scanner.rate_hz) == ("linear", 200)
        frame = devices.scanner.read()
        assert frame is not None
        assert len(frame.readings) == 225
        assert devices.health()["board"] == {"state": "ok", "lost": 0}
        assert devices.table is not None
        devices.table.press(0, "near")
        assert [p.key for p in devices.keys.poll()[0]] == ["near"]
        devices.faces.show("near", *encode("14:59"))
        devices.faces.show("far", *encode("15:00"))
        devices.buzzer.tone(1000, 60_000, latest_ns=time.monotonic_ns() + 10_000_000_000)
        assert devices.buses[0].flush(LONG_S)
        assert devices.clock is not None
        assert devices.clock.faces["near"].picture()[:2] == encode("14:59")
        assert devices.clock.faces["far"].picture()[:2] == encode("15:00")
        sounding = devices.clock.buzzer.sounding()
        assert sounding is not None
        assert sounding[1:] == (1000, 60_000, 3)
    finally:
        devices.close()
    assert devices.clock.faces["near"].picture()[:2] == (bytes(4), False)
    assert devices.clock.buzzer.sounding() is None
    assert devices.scanner.read() is None
    devices.close()


def test_the_configuration_reaches_the_simulator() -> None:
    devices = open_devices(
        {
            "scanner": {"kind": "simulator", "sensors": "switch", "rate_hz": 100},
            "clock": {"faces": "none", "buzzer": "none"},
            "keys": {"factory": "none"},
            "simulator": {"seed": 4, "noise": 0.0},
        }
    )
    assert (devices.scanner.sensors, devices.scanner.rate_hz) == ("switch", 100)
    assert isinstance(devices.faces, NoFaces)
    assert isinstance(devices.buzzer, NoBuzzer)
    assert isinstance(devices.keys, NoKeys)
    assert (devices.clock, devices.buses) == (None, [])
    devices.close()


def test_a_clock_on_the_other_side_has_its_faces_and_keys_change_seats() -> None:
    devices = open_devices({"clock": {"mirror": True, "near_address": 0x72}})
    devices.faces.show("near", *encode("14:59"))
    devices.faces.show("far", *encode("15:00"))
    assert devices.buses[0].flush(LONG_S)
    assert devices.clock is not None
    chips = {address: devices.clock.bus.detach(address) for address in (0x71, 0x72)}
    assert chips == {0x71: devices.clock.faces["near"], 0x72: devices.clock.faces["far"]}
    devices.close()
    assert key_pins({}) == PINS
    mirrored = {"near": 27, "far": 5, "near-call": 23, "far-call": 22, "arbiter": 24}
    assert key_pins({"near": 5}, mirror=True) == mirrored


def test_the_same_seed_reads_the_same() -> None:
    def first(seed: int, noise: float) -> bytes:
        devices = open_devices({"simulator": {"seed": seed, "noise": noise}}, now_ns=lambda: 0)
        devices.close()
        assert devices.table is not None
        return devices.table.readings(0)

    assert first(1, 1.0) == first(1, 1.0)
    assert first(1, 1.0) != first(2, 1.0)
    assert first(1, 0.0) != first(1, 5.0)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {"scanner": {"kind": "parallel"}},
            "scanner.kind = 'parallel' is not possible; allowed: simulator, serial",
        ),
        (
            {"scanner": {"sensors": "optical"}},
            "scanner.sensors = 'optical' is not possible; allowed: linear, switch",
        ),
        (
            {"clock": {"faces": "max7219"}},
            "clock.faces = 'max7219' is not possible; allowed: simulator, ht16k33, none",
        ),
        (
            {"clock": {"buzzer": "gong"}},
            "clock.buzzer = 'gong' is not possible; allowed: simulator, qwiic, piezo, none",
        ),
        (
            {"keys": {"factory": "pigpio"}},
            "keys.factory = 'pigpio' is not possible; allowed: simulator, lgpio",
        ),
        (
            {"scanner": {"kind": "i2c"}, "i2c_scanner": {"i2c_bus": 1}, "clock": {"faces": "ht16k33"}},
            "i2c_scanner.i2c_bus = 1 is the clock's bus; allowed: a bus of its own, for a board that hangs",
        ),
        (
            {"scanner": {"kind": "i2c"}, "i2c_scanner": {"sense_chip": "mcp23017"}},
            "i2c_scanner.sense_pins has pin 7, which an mcp23017 has as an output only",
        ),
        (
            {"scanner": {"kind": "i2c"}, "i2c_scanner": {"select_pins": "0-15"}},
            "i2c_scanner.select_pins: '0-15' names 16 different pins; allowed: 15 different pins",
        ),
        (
            {"scanner": {"kind": "i2c"}, "i2c_scanner": {"planes": "poles", "second_address": 0x20}},
            "its expanders are at 0x20, 0x21, 0x20; allowed: an address of its own for each",
        ),
        ({"keys": {"factory": "rpigpio"}}, "the pin factory 'rpigpio' cannot be had here"),
    ],
)
def test_what_cannot_be_opened_is_named(config: dict[str, Any], message: str) -> None:
    with pytest.raises(DeviceError) as caught:
        open_devices(config)
    assert message in str(caught.value)


def test_a_piezo_and_a_reset_line_without_their_pins_are_faults_and_not_the_end() -> None:
    devices = open_devices(
        {
            "scanner": {"kind": "i2c"},
            "i2c_scanner": {"i2c_bus": 30, "reset_pin": 5},
            "clock": {"faces": "none", "buzzer": "piezo"},
            "keys": {"factory": "none"},
        }
    )
    faults = devices.faults()
    devices.close()
    assert [fault.split(": the pin factory 'lgpio' cannot be had here: ")[0] for fault in faults] == [
        "reset line (i2c_scanner.reset_pin)",
        "piezo (clock.piezo_pin)",
    ]
    assert all(fault.endswith("; tried again at the next start") for fault in faults)


def test_a_piezo_on_pins_that_make_no_tone_says_why() -> None:
    devices = open_devices({"clock": {"faces": "none", "buzzer": "piezo"}, "keys": {"factory": "mock"}})
    faults = devices.faults()
    devices.close()
    assert faults == [
        "GPIO18 cannot drive a piezo (clock.piezo_pin): PinPWMUnsupported; tried again at the next start"
    ]


def test_a_board_on_i2c_that_is_not_there_is_a_fault_and_not_the_end() -> None:
    devices = open_devices(
        {
            "scanner": {"kind": "i2c", "rate_hz": 100},
            "i2c_scanner": {"i2c_bus": 30},
            "clock": {"faces": "ht16k33", "buzzer": "qwiic", "i2c_bus": 31},
            "keys": {"factory": "none"},
        }
    )
    assert (devices.scanner.sensors, devices.scanner.rate_hz, devices.table) == ("switch", 100, None)
    with pytest.raises(LinkError, match="the board on /dev/i2c-30: the bus is not there"):
        devices.scanner.read()
    assert devices.faults()[0].startswith("I2C bus /dev/i2c-31: the bus is not there")
    health = devices.health()
    assert (health["board"]["state"], health["/dev/i2c-31"]["state"]) == ("lost", "lost")
    devices.close()
