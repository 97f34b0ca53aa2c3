"""A check of whole simulated tables with a maker's mistakes in them, in virtual time."""

from pathlib import Path
from typing import Any

import pytest

from firmware_host.service.check import Check, Report, is_simulated, only
from firmware_host.service.config import load_config
from firmware_host.service.maker import Nobody, SimulatedMaker
from firmware_host.service.sensor_bench import BoardView, Time, VirtualTime
from hw import KeyName
from hw.devices import open_devices
from hw.probe import Machine

LINEAR, SWITCH = "linear", "switch"


def checked(
    *settings: str, maker: Any = None, views: list[BoardView] | None = None, root: Path | None = None
) -> Report:
    """The report of a check of a configuration."""
    clock = VirtualTime()
    said: list[str] = []
    config = load_config(None, settings)
    check = Check(
        config,
        maker(clock) if maker else SimulatedMaker(clock.now_ns, said.append),
        Time(clock.now_ns, clock.sleep),
        show=views.append if views is not None else lambda _: None,
        machine=Machine(root) if root else None,
    )
    return check.run()


def found(report: Report) -> set[str]:
    return {f"{finding.kind} {finding.where}".strip() for finding in report.findings}


@pytest.mark.parametrize("sensors", [LINEAR, SWITCH])
def test_a_board_without_mistakes_passes(sensors: str) -> None:
    views: list[BoardView] = []
    report = checked(f"scanner.sensors={sensors}", views=views)
    assert report.passed, report.text()
    assert report.findings == ()
    assert {part.status for part in report.parts} == {"ok"}
    assert len(report.parts) == 9
    assert {view.step for view in views} == {"look", "empty", "stones", "done"}
    assert report.text().startswith("PASS")
    assert report.sensors["H8"][2] > (60 if sensors == LINEAR else 0.9)


@pytest.mark.parametrize(
    ("sensors", "mistakes", "expected"),
    [
        (LINEAR, "dead C4", {"dead C4"}),
        (LINEAR, "stuck G7", {"stuck G7"}),
        (LINEAR, "noisy K10", {"noisy K10"}),
        (LINEAR, "weak M13", {"weak-sensor M13"}),
        (LINEAR, "reversed D4", {"sensor-reversed D4"}),
        (LINEAR, "reversed magnets", {"magnets-reversed"}),
        (LINEAR, "select 3 4", {"select-swapped ranks 3 and 4"}),
        (LINEAR, "select 3 4, sense C D", {"select-swapped ranks 3 and 4", "sense-swapped files C and D"}),
        (LINEAR, "turned", {"plane-turned"}),
        (LINEAR, "mirrored", {"plane-mirrored the sense lines, A to O"}),
        (LINEAR, "crossed", {"plane-crossed"}),
        (LINEAR, "crossed, reversed magnets", {"plane-crossed", "magnets-reversed"}),
        (SWITCH, "stuck C9", {"stuck C9"}),
        (SWITCH, "noisy D12", {"noisy D12"}),
        (SWITCH, "dead E5", {"unseen E5"}),
        (SWITCH, "sense A B", {"sense-swapped files A and B"}),
        (SWITCH, "diode A1", {"diode-missing A1"}),
    ],
)
def test_each_mistake_is_found_and_nothing_else(sensors: str, mistakes: str, expected: set[str]) -> None:
    report = checked(f"scanner.sensors={sensors}", f"simulator.mistakes={mistakes}")
    assert found(report) == expected
    assert report.passed is (mistakes == "weak M13")
    text = report.text()
    assert all(finding.figures in text for finding in report.findings)
    assert len(report.wire()["sensors"]) == 225


@pytest.mark.parametrize("rate_hz", [50, 400])
def test_the_rate_of_the_scanner_does_not_matter(rate_hz: int) -> None:
    report = checked(f"scanner.rate_hz={rate_hz}", "simulator.mistakes=dead C6, select 3 4")
    assert found(report) == {"dead C6", "select-swapped ranks 3 and 4"}


def test_many_mistakes_at_once() -> None:
    report = checked("simulator.mistakes=dead C4, stuck G7, noisy K10, reversed D4, sense A B")
    assert found(report) == {
        "dead C4",
        "stuck G7",
        "noisy K10",
        "sensor-reversed D4",
        "sense-swapped files A and B",
    }


def test_with_nobody_there_what_needs_hands_is_not_judged() -> None:
    report = checked("simulator.mistakes=stuck G7, select 3 4", maker=lambda _: Nobody(lambda _: None))
    assert found(report) == {"stuck G7"}
    assert not report.passed
    assert {part.name: part.status for part in report.parts} == {
        "face near": "not judged",
        "face far": "not judged",
        "buzzer": "not judged",
        "keys": "not judged",
        "scanner": "ok",
    }


class Clumsy(SimulatedMaker):
    """Wires of the keys exchanged, and eyes that see another thing."""

    sees_text = True

    def __init__(self, clock: VirtualTime, blind: str = "", silent: KeyName | None = None) -> None:
        super().__init__(clock.now_ns, lambda _: None)
        self.blind = blind
        self.silent = silent

    def press(self, key: KeyName) -> bool:
        other: dict[KeyName, KeyName] = {"near": "far", "far": "near"}
        if key == self.silent:
            return True
        return super().press(other.get(key, key))

    def sees(self, seat: Any, text: str) -> bool | None:
        return False if text == self.blind else super().sees(seat, text)

    def hears(self) -> bool | None:
        return False if self.blind == "deaf" else super().hears()


def part(report: Report, name: str) -> Any:
    return next(part for part in report.parts if part.name == name)


def test_keys_that_are_exchanged_or_open() -> None:
    report = checked(maker=lambda clock: Clumsy(clock, silent="arbiter"))
    assert part(report, "key near").sentence == "the clock key of the far seat closed"
    assert part(report, "key near").cause == "the two wires are exchanged"
    assert part(report, "key near-call").status == "ok"
    assert part(report, "key arbiter").sentence == "was not seen to close"
    assert "GPIO24" in part(report, "key arbiter").cause


def test_faces_that_show_something_else() -> None:
    swapped = checked(maker=lambda clock: Clumsy(clock, blind="nEAr"))
    assert "each other's addresses" in part(swapped, "face near").cause
    unlit = checked(maker=lambda clock: Clumsy(clock, blind="8.8.:8.8."))
    assert "not soldered" in part(unlit, "face far").cause
    assert (
        part(checked(maker=lambda clock: Clumsy(clock, blind="deaf")), "buzzer").sentence
        == "no tone was heard"
    )


def test_a_bus_that_is_not_there_is_named_with_its_cause_and_hides_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "boot/firmware").mkdir(parents=True)
    (tmp_path / "boot/firmware/config.txt").write_text("#dtparam=i2c_arm=on\n")
    report = checked("clock.faces=ht16k33", "clock.buzzer=qwiic", "clock.i2c_bus=30", root=tmp_path)
    clock = [each for each in report.parts if each.name not in ("scanner", "keys")]
    assert len(clock) in (1, 3)
    assert {each.status for each in clock} == {"fault"}
    assert all("/dev/i2c-30" in each.sentence for each in clock)
    assert all("dtoverlay=i2c30" in each.cause for each in clock)
    assert part(report, "scanner").sentence == "simulated (scanner.kind = simulator)"
    assert part(report, "keys").status == "not judged"
    assert not report.passed
    assert "likely: bus 30 is not enabled" in report.text()


def test_what_is_real() -> None:
    assert is_simulated(load_config(None, []))
    assert is_simulated(load_config(None, ["clock.faces=none", "keys.factory=none"]))
    assert not is_simulated(load_config(None, ["clock.faces=ht16k33"]))
    assert not is_simulated(load_config(None, ["keys.factory=lgpio"]))


def test_one_part_alone() -> None:
    config = load_config(None, ["clock.faces=ht16k33", "keys.factory=lgpio"])
    assert only(config, "scanner")["clock"]["faces"] == only(config, "keys")["clock"]["faces"] == "none"
    assert only(config, "clock")["keys"]["factory"] == only(config, "scanner")["keys"]["factory"] == "none"
    assert only(config, "keys")["keys"]["factory"] == "lgpio"


def test_keys_whose_pins_cannot_be_had_are_told() -> None:
    devices = open_devices(only(load_config(None, ["keys.factory=native"]), "keys"))
    assert devices.pin_faults()[0].startswith("keys: the pins of this machine cannot be had")
    assert devices.faults() == devices.pin_faults()
    devices.close()
