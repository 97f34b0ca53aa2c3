"""The devices of a table, each picked by its name in the configuration."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from hw import Buzzer, DeviceError, Faces, KeyName, Keys, Scanner, Seat
from hw.buzzer import NoBuzzer, QwiicBuzzer
from hw.faces import Ht16k33Faces, NoFaces
from hw.gpio_scanner import open_gpio_scanner
from hw.i2c import I2cBus, open_smbus
from hw.i2c_scanner import open_i2c_scanner
from hw.keys import GpioKeys, NoKeys, pin_factory
from hw.piezo import PiezoBuzzer
from hw.simulator.chips import VirtualBuzzer, VirtualHt16k33
from hw.simulator.i2c_bus import VirtualBus
from hw.simulator.miswired import Miswired
from hw.simulator.scanner import SimulatedKeys, SimulatedScanner
from hw.simulator.sensors import LinearSensors, SwitchSensors
from hw.simulator.table import SimulatedTable

SCANNERS: Final = ("simulator", "serial", "gpio", "i2c")
FACES: Final = ("simulator", "ht16k33", "none")
BUZZERS: Final = ("simulator", "qwiic", "piezo", "none")
KEYS: Final = ("simulator", "lgpio", "rpigpio", "native", "mock", "none")

PINS: Final[dict[KeyName, int]] = {"near": 17, "far": 27, "near-call": 22, "far-call": 23, "arbiter": 24}
"""The usual BCM pins of the keys."""

OTHER_SIDE: Final[dict[KeyName, KeyName]] = {
    "near": "far", "far": "near", "near-call": "far-call", "far-call": "near-call",
}  # fmt: skip
"""Which key of a clock lies where another one does when the clock stands on the other side of the board."""


class VirtualClock:
    """The virtual chips of a clock on their bus: what faces and buzzer really do, to be read back."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self.faces: dict[Seat, VirtualHt16k33] = {"near": VirtualHt16k33(), "far": VirtualHt16k33()}
        self.buzzer = VirtualBuzzer(now_ns)
        self.bus = VirtualBus()
        self.addresses: dict[str, int] = {}
        """Where `near`, `far` and `buzzer` answer; those that are simulated."""


class Devices:
    """What a table consists of. `table` and `clock` are there when something of it is simulated."""

    def __init__(
        self,
        scanner: Scanner,
        faces: Faces,
        buzzer: Buzzer,
        keys: Keys,
        table: SimulatedTable | None,
        clock: VirtualClock | None,
        buses: list[I2cBus],
    ) -> None:
        self.scanner = scanner
        self.faces = faces
        self.buzzer = buzzer
        self.keys = keys
        self.table = table
        self.clock = clock
        self.buses = buses

    def faults(self) -> list[str]:
        """A sentence for what does not work of sensors and keys, each lost bus, each chip that fails."""
        buses = [told for bus in self.buses for told in bus.faults]
        return [*self.scanner.faults(), *self.pin_faults(), *buses]

    def pin_faults(self) -> list[str]:
        """A sentence for each key, and for a piezo, that does not work."""
        piezo = self.buzzer.faults() if isinstance(self.buzzer, PiezoBuzzer | NoBuzzer) else []
        return [*self.keys.faults(), *piezo]

    def health(self) -> dict[str, Any]:
        """State and counters of the `board` and of each bus by its name; brown-outs of the `faces`."""
        told = {"board": self.scanner.health(), **{bus.name: bus.health() for bus in self.buses}}
        if isinstance(self.faces, Ht16k33Faces):
            told["faces"] = {"brown_outs": self.faces.brown_outs}
        return told

    def close(self) -> None:
        """Blank, silence, and let go of everything; safe to call twice."""
        self.scanner.close()
        self.keys.close()
        self.faces.close()
        self.buzzer.close()
        for bus in self.buses:
            bus.close()


def open_devices(
    config: Mapping[str, Mapping[str, Any]], *, now_ns: Callable[[], int] = time.monotonic_ns
) -> Devices:
    """Open what the configuration names; a section or key that is not given has its default.

    `scanner`: kind (simulator, serial, gpio, i2c), sensors (linear, switch), rate_hz. `serial_scanner`:
    device. `gpio_scanner`, `i2c_scanner`: see `open_gpio_scanner`, `open_i2c_scanner`. `clock`: faces
    (simulator, ht16k33, none), buzzer (simulator, qwiic, piezo, none), i2c_bus, near_address, far_address,
    buzzer_address, piezo_pin. `keys`: factory (simulator, lgpio, rpigpio, native, mock, none) and a BCM pin
    for near, far, near_call, far_call, arbiter; with `clock.mirror` faces and keys change seats. `simulator`:
    seed, noise, mistakes (see `Miswired`). Raises DeviceError, naming what is allowed, and whatever has been
    opened is closed again. A bus that does not work is no error here: it is one of the `faults`.
    """
    opening = _Opening(config, now_ns)
    try:
        return opening.devices()
    except BaseException:
        for scanner in opening.scanners:
            scanner.close()
        if opening.piezo is not None:
            opening.piezo.close()
        for bus in opening.buses:
            bus.close()
        raise


class _Opening:
    def __init__(self, config: Mapping[str, Mapping[str, Any]], now_ns: Callable[[], int]) -> None:
        self.scanner = config.get("scanner", {})
        self.serial = config.get("serial_scanner", {})
        self.gpio = config.get("gpio_scanner", {})
        self.board = config.get("i2c_scanner", {})
        self.clock = config.get("clock", {})
        self.keys = config.get("keys", {})
        self.simulator = config.get("simulator", {})
        self.now_ns = now_ns
        self.buses: list[I2cBus] = []
        self.scanners: list[Scanner] = []
        self.piezo: PiezoBuzzer | None = None
        self._virtual: tuple[I2cBus, VirtualClock] | None = None
        self._real: I2cBus | None = None

    def devices(self) -> Devices:
        scanner = _one_of("scanner.kind", self.scanner.get("kind", "simulator"), SCANNERS)
        keys = _one_of("keys.factory", self.keys.get("factory", "simulator"), KEYS)
        table = self.simulated_table() if "simulator" in (scanner, keys) else None
        return Devices(
            self.open_scanner(scanner, table),
            self.faces(_one_of("clock.faces", self.clock.get("faces", "simulator"), FACES)),
            self.buzzer(_one_of("clock.buzzer", self.clock.get("buzzer", "simulator"), BUZZERS)),
            self.open_keys(keys, table),
            table,
            self._virtual[1] if self._virtual else None,
            self.buses,
        )

    def open_scanner(self, kind: str, table: SimulatedTable | None) -> Scanner:
        rate_hz = self.scanner.get("rate_hz", 200)
        if kind == "serial":
            # Imported late: a table without a serial scanner does without pyserial.
            from hw.serial_scanner import SerialScanner

            return SerialScanner(self.serial.get("device", ""), rate_hz, now_ns=self.now_ns)
        if kind == "gpio":
            scanner = open_gpio_scanner(self.gpio, rate_hz, now_ns=self.now_ns)
            self.scanners.append(scanner)
            return scanner
        if kind == "i2c":
            real = self.clock.get("faces") == "ht16k33" or self.clock.get("buzzer") == "qwiic"
            taken = self.clock.get("i2c_bus", 1) if real else None
            return open_i2c_scanner(self.board, rate_hz, taken, self.reset_factory, now_ns=self.now_ns)
        assert table is not None  # noqa: S101 - for the type checker
        return SimulatedScanner(table, rate_hz, now_ns=self.now_ns)

    def simulated_table(self) -> SimulatedTable:
        seed = self.simulator.get("seed", 1)
        kind = _one_of("scanner.sensors", self.scanner.get("sensors", "linear"), ("linear", "switch"))
        noise = self.simulator.get("noise", 2.0)
        sensors = SwitchSensors(seed) if kind == "switch" else LinearSensors(seed, noise_counts=noise)
        mistakes = self.simulator.get("mistakes", "")
        if not mistakes:
            return SimulatedTable(seed=seed, electronics=sensors)
        try:
            return SimulatedTable(seed=seed, electronics=Miswired(sensors, mistakes))
        except ValueError as error:
            raise DeviceError(f"simulator.mistakes: {error}") from error

    def faces(self, kind: str) -> Faces:
        addresses: dict[Seat, int] = {
            "near": self.clock.get("near_address", 0x70),
            "far": self.clock.get("far_address", 0x71),
        }
        if self.clock.get("mirror"):
            addresses = {"near": addresses["far"], "far": addresses["near"]}
        if kind == "none":
            return NoFaces()
        if kind == "ht16k33":
            return Ht16k33Faces(self.real_bus(), addresses)
        bus, virtual = self.virtual_bus()
        for seat, address in addresses.items():
            virtual.bus.attach(address, virtual.faces[seat])
            virtual.addresses[seat] = address
        return Ht16k33Faces(bus, addresses)

    def buzzer(self, kind: str) -> Buzzer:
        address = self.clock.get("buzzer_address", 0x34)
        if kind == "none":
            return NoBuzzer()
        if kind == "qwiic":
            return QwiicBuzzer(self.real_bus(), address, now_ns=self.now_ns)
        if kind == "piezo":
            pin = self.clock.get("piezo_pin", 18)
            try:
                self.piezo = PiezoBuzzer(pin, self.pin_factory("piezo (clock.piezo_pin)"), now_ns=self.now_ns)
            except DeviceError as error:
                return NoBuzzer(f"{error}; tried again at the next start")
            return self.piezo
        bus, virtual = self.virtual_bus()
        virtual.bus.attach(address, virtual.buzzer)
        virtual.addresses["buzzer"] = address
        return QwiicBuzzer(bus, address, now_ns=self.now_ns)

    def open_keys(self, kind: str, table: SimulatedTable | None) -> Keys:
        if kind == "none":
            return NoKeys(self.now_ns)
        if kind == "simulator" and table is not None:
            return SimulatedKeys(table, now_ns=self.now_ns)
        pins = key_pins(self.keys, mirror=bool(self.clock.get("mirror")))
        return GpioKeys(pins, kind, now_ns=self.now_ns)

    def reset_factory(self) -> Any:
        """The factory for the reset line of a board."""
        return self.pin_factory("reset line (i2c_scanner.reset_pin)")

    def pin_factory(self, what: str) -> Any:
        """Gpiozero's factory for pins that are `what`: that of the keys, or lgpio where these have none."""
        name = self.keys.get("factory", "simulator")
        return pin_factory("lgpio" if name in ("simulator", "none") else name, what)

    def virtual_bus(self) -> tuple[I2cBus, VirtualClock]:
        """The bus of the virtual chips, and these."""
        if self._virtual is None:
            clock = VirtualClock(self.now_ns)
            bus = I2cBus("virtual I2C bus", clock.bus.open, now_ns=self.now_ns)
            self.buses.append(bus)
            self._virtual = (bus, clock)
        return self._virtual

    def real_bus(self) -> I2cBus:
        """The clock's bus on this machine."""
        if self._real is None:
            number = self.clock.get("i2c_bus", 1)
            self._real = I2cBus(f"/dev/i2c-{number}", lambda: open_smbus(number), now_ns=self.now_ns)
            self.buses.append(self._real)
        return self._real


def key_pins(given: Mapping[str, Any], *, mirror: bool = False) -> dict[KeyName, int]:
    """The BCM pin of each key: as `given`, else the usual one; `mirror`: the clock's keys change seats."""
    pins = {key: given.get(key.replace("-", "_"), pin) for key, pin in PINS.items()}
    return {key: pins[OTHER_SIDE.get(key, key)] for key in pins} if mirror else pins


def _one_of(key: str, value: object, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise DeviceError(f"{key} = {value!r} is not possible; allowed: {', '.join(allowed)}")
    return str(value)
