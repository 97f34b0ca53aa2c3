"""`renju-board check`: every configured device, one after the other, for whoever built the table.

Each part is opened by itself, so that one that is missing hides no other. What needs hands or eyes is asked
of the `Maker`. All ends in a `Report` with a verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from firmware_host.board import NAMES, POINTS, Point, parse_point
from firmware_host.sensing.sensor_report import (
    Finding,
    Laid,
    answers,
    judge_corners,
    judge_empty,
    judge_gains,
    judge_laid,
    judge_rate,
)
from firmware_host.service.config import Config
from firmware_host.service.maker import KEY_WORDS, Maker, SimulatedMaker, face_picture
from firmware_host.service.sensor_bench import SECOND, BoardView, SensorBench, Time, in_words, unseen
from hw import DeviceError, KeyName, LinkError, Seat
from hw.devices import Devices, open_devices
from hw.i2c import open_smbus
from hw.probe import Machine, answering, silent_chip
from hw.simulator.scanner import SimulatedScanner

EMPTY_S: Final = 3.0
CORNERS: Final = ("A1", "O1", "A15")
CENTRE: Final = "H8"
DIAGONAL: Final = tuple(f"{letter}{n}" for n, letter in enumerate("ABCDEFGHIJKLMNO", 1))
"""One stone on every line: what exchange of lines there is, this finds."""
ALL_LIT: Final = "8.8.:8.8."
FACE_TEXTS: Final[dict[Seat, str]] = {"near": "nEAr", "far": "FAr"}
TONE: Final = (2730, 400)
"""Hz and ms; the Qwiic Buzzer is loudest there [its data sheet]."""
KEY_WAIT_S: Final = 20.0
SETTLE_S: Final = 0.5

Status = str
"""`ok`, `fault`, or `not judged`."""


class Part(NamedTuple):
    """A device, how it is, and a sentence; for a fault with the likely cause."""

    name: str
    status: Status
    sentence: str = ""
    cause: str = ""


class Report(NamedTuple):
    """All that was found. `sensors`: for each point its zero, noise, and the reading of a stone (0: none)."""

    parts: tuple[Part, ...]
    findings: tuple[Finding, ...]
    sensors: Mapping[str, tuple[float, float, float]]

    @property
    def passed(self) -> bool:
        """Whether nothing was found that makes the table unfit for play."""
        return not any(p.status == "fault" for p in self.parts) and not any(f.fails for f in self.findings)

    def wire(self) -> dict[str, Any]:
        """The report for its JSON file."""
        return {
            "format": "renju-board-check",
            "version": 1,
            "passed": self.passed,
            "parts": [part._asdict() for part in self.parts],
            "findings": [
                {**each._asdict(), "fails": each.fails, "words": in_words(each)} for each in self.findings
            ],
            "sensors": {
                point: {"zero": zero, "noise": noise, "stone": stone}
                for point, (zero, noise, stone) in self.sensors.items()
            },
        }

    def text(self) -> str:
        """The report for people."""
        lines = [f"{'PASS' if self.passed else 'FAIL'}", "", "Devices"]
        for part in self.parts:
            lines.append(f"  {part.status:<10}  {part.name:<12}  {part.sentence}".rstrip())
            lines += [f"{'':28}likely: {part.cause}"] if part.cause else []
        lines += ["", "Sensors"]
        lines += [f"  {'fault' if f.fails else 'note':<10}  {in_words(f)}" for f in self.findings]
        lines += [] if self.findings else ["  nothing wrong was found" if self.sensors else "  not measured"]
        return "\n".join(lines)


class Check:
    """One check of one table. `run` gives the report; `parts` and `findings` grow on the way."""

    def __init__(
        self,
        config: Config,
        maker: Maker,
        time: Time,
        *,
        show: Callable[[BoardView], None] = unseen,
        machine: Machine | None = None,
    ) -> None:
        self.config = config
        self.maker = maker
        self.time = time
        self.parts: list[Part] = []
        self.findings: list[Finding] = []
        self._show = show
        self._machine = machine or Machine()
        self._tested: set[str] = set()
        self._told: list[str] = []
        self._bench: SensorBench | None = None
        self._stone = np.zeros(POINTS, np.float32)

    def run(self) -> Report:
        """Check everything that is configured."""
        for name, kinds, look in (
            ("clock", ("clock.faces", "clock.buzzer"), self._clock),
            ("keys", ("keys.factory",), self._keys),
            ("scanner", ("scanner.kind",), self._scanner),
        ):
            here = {key for key in kinds if self._is_tested(key)}
            self._tested |= here
            if here:
                self._with(name, look)
        bench = self._bench
        sensors = {} if bench is None or not bench.noise.size or bench.step == "look" else {
            NAMES[p]: tuple(round(float(v), 2) for v in (bench.zero[p], bench.noise[p], self._stone[p]))
            for p in range(POINTS)
        }  # fmt: skip
        return Report(tuple(self.parts), tuple(self.findings), sensors)  # type: ignore[arg-type]

    def _with(self, name: str, look: Callable[[Devices], None]) -> None:
        """Open one part with nothing else, and look at it."""
        try:
            devices = open_devices(only(self.config, name), now_ns=self.time.now_ns)
        except (DeviceError, OSError) as error:
            self._part(name, "fault", str(error), self._cause(name))
            return
        with closing(devices):
            if isinstance(self.maker, SimulatedMaker):
                self.maker.table = devices.table
                self.maker.clock = devices.clock
            if refused := devices.pin_faults():
                self._part(name, "fault", "; ".join(refused), self._cause(name))
                return
            look(devices)

    def _is_tested(self, key: str) -> bool:
        """Whether a device is there; of a table with real devices the simulated ones are only named."""
        section, _, name = key.partition(".")
        kind = getattr(getattr(self.config, section), name)
        if kind == "simulator" and not is_simulated(self.config):
            self._part(section, "not judged", f"simulated ({key} = {kind})")
            return False
        return bool(kind != "none")

    def _part(self, name: str, status: Status, sentence: str = "", cause: str = "") -> None:
        self.parts.append(Part(name, status, sentence, cause))
        self.maker.say(f"{name}: {status}{f'. {sentence}' if sentence else ''}")
        if cause:
            self.maker.say(f"    likely: {cause}")

    def _cause(self, name: str) -> str:
        """What a maker would look at first when a part cannot be had; empty where nothing is known."""
        config, machine = self.config, self._machine
        if name == "clock":
            return machine.i2c_trouble(config.clock.i2c_bus)
        if name == "keys":
            return machine.gpio_trouble()
        section = getattr(config, f"{config.scanner.kind}_scanner", None)
        match str(config.scanner.kind):
            case "serial":
                return machine.serial_trouble(getattr(section, "device", ""))
            case "i2c":
                return machine.i2c_trouble(getattr(section, "i2c_bus", 3))
            case "gpio":
                return machine.gpio_trouble()
        return ""

    # Faces and buzzer

    def _clock(self, devices: Devices) -> None:
        if "clock.faces" in self._tested:
            self._face_test(devices)
        if "clock.buzzer" in self._tested:
            self._tone_test(devices)

    def _face_test(self, devices: Devices) -> None:
        seats: tuple[Seat, ...] = ("near", "far")
        lit: dict[Seat, str] = dict.fromkeys(seats, ALL_LIT)
        for text in (lit, FACE_TEXTS):
            for seat in seats:
                try:
                    devices.faces.show(seat, *face_picture(text[seat]), brightness=15)
                except DeviceError:
                    continue  # it stays among the faults of the devices, which are asked next
            self._settle(devices)
            silent = self._silent(devices, ("near", "far"))
            if silent:
                for name, sentence, cause in silent:
                    self._part(f"face {name}", "fault", sentence, cause)
                return
            seen = {seat: self.maker.sees(seat, text[seat]) for seat in seats}
            for seat in seats:
                if seen[seat] is False:
                    self._part(
                        f"face {seat}", "fault", f"does not show {text[seat]}", self._wrong_face(text[seat])
                    )
            if False in seen.values():
                return
        for seat in seats:
            self._part(f"face {seat}", *looked_at(seen[seat], "acknowledges; nobody looked at it"))

    def _wrong_face(self, text: str) -> str:
        if text == ALL_LIT:
            return "a segment or a digit is not soldered, or the backpack has another layout"
        return "the faces have each other's addresses: exchange clock.near_address and clock.far_address"

    def _tone_test(self, devices: Devices) -> None:
        frequency, length = TONE
        failed = ""
        try:
            devices.buzzer.tone(frequency, length, 4, latest_ns=self.time.now_ns() + SECOND)
        except DeviceError as error:
            failed = str(error)
        self._settle(devices)
        on_bus = ("buzzer",) if self.config.clock.buzzer != "piezo" else ()
        for _, sentence, cause in self._silent(devices, on_bus):
            self._part("buzzer", "fault", sentence, cause)
            return
        if failed:
            self._part("buzzer", "fault", failed, self._cause("clock"))
            return
        heard = self.maker.hears()
        if heard is False:
            self._part(
                "buzzer", "fault", "no tone was heard", "its jumper or volume, or a piezo on the wrong pin"
            )
        else:
            self._part("buzzer", *looked_at(heard, "acknowledges; nobody listened"))

    def _settle(self, devices: Devices) -> None:
        """Let the bus's thread do what was left with it."""
        for bus in devices.buses:
            bus.flush(2.0)

    def _silent(self, devices: Devices, names: Sequence[str]) -> list[tuple[str, str, str]]:
        """Which of these chips do not answer: name, sentence, likely cause."""
        told = []
        troubles = {address: str(error) for bus in devices.buses for address, error in bus.troubles.items()}
        lost = [fault for fault in devices.faults() if fault not in troubles.values()]
        for name in names:
            address = getattr(self.config.clock, f"{name}_address")
            if lost or address in troubles:
                told.append((name, lost[0] if lost else troubles[address], self._why_silent(name, address)))
        return told

    def _why_silent(self, name: str, address: int) -> str:
        try:
            bus = open_smbus(self.config.clock.i2c_bus)
        except OSError:
            return self._cause("clock")
        try:
            return silent_chip(f"{name} (0x{address:02x})", address, answering(bus))
        finally:
            bus.close()

    # Keys

    def _keys(self, devices: Devices) -> None:
        devices.keys.poll()
        if not self.maker.wants("Test the five keys?"):
            self._part("keys", "not judged", "their pins could be opened; nobody pressed them")
            return
        for key in KEY_WORDS:
            if not self.maker.press(key):
                self._part(f"key {key}", "not judged", "nobody pressed it")
                continue
            pressed = self._pressed(devices)
            name = key.replace("-", "_")
            pin = getattr(self.config.keys, name)
            if pressed is None:
                self._part(
                    f"key {key}",
                    "fault",
                    "was not seen to close",
                    f"its wire to GPIO{pin} or to ground is open, or keys.{name} is another pin",
                )
            elif pressed != key:
                self._part(
                    f"key {key}", "fault", f"{KEY_WORDS[pressed]} closed", "the two wires are exchanged"
                )
            else:
                self._part(f"key {key}", "ok")

    def _pressed(self, devices: Devices) -> KeyName | None:
        """The key that closes next."""
        until_ns = self.time.now_ns() + int(min(KEY_WAIT_S, self.maker.wait_s) * SECOND)
        while self.time.now_ns() < until_ns and not self.maker.gives_up():
            presses, _ = devices.keys.poll()
            for press in presses:
                if press.key in KEY_WORDS:
                    return press.key
            self.time.sleep(0.05)
        return None

    # Sensors

    def _scanner(self, devices: Devices) -> None:
        scanner = devices.scanner
        if isinstance(scanner, SimulatedScanner) and devices.table is not None:
            rate_hz = self.config.scanner.rate_hz
            scanner = SimulatedScanner(devices.table, rate_hz, now_ns=self.time.now_ns, sleep=self.time.sleep)
        bench = SensorBench(scanner, self._show, clock=self.time)
        bench.findings = self.findings
        self._bench = bench
        try:
            self._sensors(bench)
        except LinkError as error:
            self._part("scanner", "fault", str(error), self._cause("scanner"))
            return
        faults = list(dict.fromkeys([*self._told, *devices.faults()]))
        if faults:
            self._part("scanner", "fault", "; ".join(faults), self._cause("scanner"))
        else:
            self._part("scanner", "ok", f"{self.config.scanner.kind}, {bench.kind} sensors")

    def _sensors(self, bench: SensorBench) -> None:
        bench.read()
        self.maker.clear_board()
        bench.catch_up()
        bench.step = "empty"
        self.maker.say(f"Measuring the empty board for {EMPTY_S:.0f} seconds.")
        board, rate = bench.measure(EMPTY_S)
        self.findings += judge_empty(board, bench.kind)
        self.findings += judge_rate(rate, bench.scanner.rate_hz, bench.lost)
        if self.maker.wants("Lay stones to test wires and magnets? It needs 17 stones and two minutes."):
            self._stones(bench)
        bench.asked = None
        bench.step = "done"
        bench.show()

    def _stones(self, bench: SensorBench) -> None:
        doubtful = frozenset(
            parse_point(finding.where)
            for finding in self.findings
            if finding.kind in ("stuck", "noisy", "stone-left") and finding.where in NAMES
        )
        bench.step = "stones"
        empty = bench.zero
        laid = [self._lay(bench, parse_point(name), 1, doubtful) for name in CORNERS]
        standing = answers(bench.mean(), empty, bench.kind)
        corners = [parse_point(name) for name in CORNERS]
        ghosts = judge_corners(standing.keys() - doubtful, corners) if bench.kind == "switch" else []
        self._told = bench.scanner.faults()  # a matrix tells of diodes itself, and holds their ghosts back
        self.maker.clear_board()
        self._wait_empty(bench, doubtful)
        laid += [self._lay(bench, parse_point(CENTRE), 1, doubtful)]
        self.maker.clear_board()
        self._wait_empty(bench, doubtful)
        laid += [self._lay(bench, parse_point(CENTRE), -1, doubtful)]
        self.maker.clear_board()
        self._wait_empty(bench, doubtful)
        diagonal = [name for name in DIAGONAL if name not in (CENTRE, CORNERS[0])]
        laid += [self._lay(bench, parse_point(name), 1, doubtful) for name in diagonal]
        self.maker.clear_board()
        done = [each for each in laid if each is not None]
        if ghosts:  # the fourth corner is no place that a stone was seen at
            self.findings += ghosts
            done = [each._replace(answers=_near_own(each)) for each in done]
        known = {finding.where for finding in self.findings if finding.kind in ("dead", "stuck")}
        found = judge_laid(done, bench.kind)
        self.findings += [each for each in found if each.kind != "unseen" or each.where not in known]
        if bench.kind == "linear":
            self.findings += judge_gains(self._stone)

    def _lay(self, bench: SensorBench, point: Point, sign: int, ignore: frozenset[Point]) -> Laid | None:
        """Wait for one stone; None if nobody lays it."""
        bench.asked, bench.colour = point, {1: "black", -1: "white"}[sign]
        bench.frames(0.3)
        before = bench.mean()
        if not self.maker.lay(point, sign):
            return None
        found = bench.new_answers(before, self.maker.wait_s, self.maker.gives_up, ignore)
        for p, value in found.items():
            bench.seen.add(p)
            self._stone[p] = max(self._stone[p], abs(value))
        return Laid(point, sign, found)

    def _wait_empty(self, bench: SensorBench, doubtful: frozenset[Point]) -> None:
        """Wait until the board reads as it did when it was empty."""
        start_ns = bench.read().t_ns
        while bench.read().t_ns - start_ns < self.maker.wait_s * SECOND and not self.maker.gives_up():
            left = answers(bench.mean(), bench.zero, bench.kind)
            if not set(left) - doubtful:
                return


def _near_own(laid: Laid) -> Mapping[Point, float]:
    """The answers of a stone, of which only its own counts if that is among them."""
    own = {p: value for p, value in laid.answers.items() if p == laid.point}
    return own or laid.answers


def looked_at(seen: bool | None, unseen: str) -> tuple[Status, str]:
    """Status and sentence of what a person was asked to look at."""
    return ("not judged", unseen) if seen is None else ("ok", "")


def only(config: Config, part: str) -> dict[str, dict[str, Any]]:
    """The configuration of a table that has nothing but one part: `scanner`, `clock` or `keys`."""
    given: dict[str, dict[str, Any]] = msgspec.to_builtins(config)
    if part != "scanner":
        given["scanner"] |= {"kind": "simulator", "sensors": "linear"}
    if part != "clock":
        given["clock"] |= {"faces": "none", "buzzer": "none"}
    if part != "keys":
        given["keys"]["factory"] = "none"
    return given


def is_simulated(config: Config) -> bool:
    """Whether no real device is configured."""
    kinds = (config.scanner.kind, config.clock.faces, config.clock.buzzer, config.keys.factory)
    return all(kind in ("simulator", "none", "mock") for kind in kinds)
