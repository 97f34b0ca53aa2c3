"""What can break at a simulated table while it runs: each fault by its name, switched on and off again.

A row of `KINDS` says what a fault is of; `Faults` does it to whatever of the table is simulated.
"""

from collections.abc import Callable
from typing import Final, Literal

from hw import Scanner
from hw.devices import VirtualClock
from hw.simulator.i2c_bus import Chip
from hw.simulator.scanner import SimulatedScanner
from hw.simulator.sensors import FaultKind
from hw.simulator.table import HandError, SimulatedTable

Of = Literal["point", "line", "table"]

WEAK: Final = 0.35
"""The strength of a magnet that is weak."""
LOSING: Final = 0.3
"""The share of frames that a bad cable loses."""

KINDS: Final[dict[str, Of]] = {
    "dead": "point",
    "stuck": "point",
    "noisy": "point",
    "line": "line",
    "weak": "table",
    "field": "table",
    "frames": "table",
    "scanner": "table",
    "face-near": "table",
    "face-far": "table",
    "buzzer": "table",
    "power": "table",
    "bus": "table",
    "adapter": "table",
}
"""Every fault and what it is of: a sensor, a line of them (`1`..`15`, `A`..`O`), or a part of the table.

`dead`, `stuck`, `noisy`: a sensor. `line`: a whole one reads nothing. `weak`: the bowls hold stones with weak
magnets. `field`: something strongly magnetic lies over the board. `frames`: some get lost on their way.
`scanner`: unplugged. `face-near`, `face-far`, `buzzer`: the chip does not answer. `power`: the clock has
none. `bus`, `adapter`: the clock's bus hangs, is not there.
"""


class Faults:
    """The faults of one table; all instants in ns on the table's axis.

    `scanner`, `clock`: None, or a real one, has no faults to be switched on.
    """

    def __init__(self, table: SimulatedTable, scanner: Scanner | None, clock: VirtualClock | None) -> None:
        self._table = table
        self._scanner = scanner if isinstance(scanner, SimulatedScanner) else None
        self._clock = clock
        self._silent: dict[int, set[str]] = {}
        self._on: dict[tuple[str, str], Callable[[int], None]] = {}
        self.strength = 1.0
        """Of the magnets in the bowls, 1 being a full one."""

    @property
    def kinds(self) -> list[str]:
        """What can break here, in the order of `KINDS`."""
        sensors = ("dead", "stuck", "noisy", "line", "weak", "field", "frames", "scanner")
        chips = {"near": "face-near", "far": "face-far", "buzzer": "buzzer"}
        parts = [chips[part] for part in chips if self._clock is not None and part in self._clock.addresses]
        bus = ["power", "bus", "adapter"] if parts else []
        return [*(sensors if self._scanner is not None else ()), *parts, *bus]

    @property
    def on(self) -> list[tuple[str, str]]:
        """What is broken now, oldest first: kinds and, for a sensor or a line, its name in the plane."""
        return list(self._on)

    def begin(self, t_ns: int, kind: str, at: str = "") -> None:
        """Break something; nothing if it is broken so already. Raises HandError for what cannot be."""
        if kind not in self.kinds:
            raise HandError(f"fault {kind!r} is not possible at this table; allowed: {', '.join(self.kinds)}")
        of = KINDS[kind]
        if (of == "table") is bool(at):
            needs = "names no place" if of == "table" else f"needs the name of a {of}"
            raise HandError(f"the fault {kind} {needs}")
        if (kind, at) not in self._on:
            try:
                self._on[kind, at] = self._break(t_ns, kind, at)
            except ValueError as error:
                raise HandError(str(error)) from error

    def end(self, t_ns: int, kind: str, at: str = "") -> None:
        """Put it right; nothing if it is not broken."""
        mend = self._on.pop((kind, at), None)
        if mend is not None:
            mend(t_ns)

    def end_all(self, t_ns: int) -> None:
        """Put everything right."""
        for kind, at in self.on:
            self.end(t_ns, kind, at)

    def _break(self, t_ns: int, kind: str, at: str) -> Callable[[int], None]:
        """Do it; gives what undoes it at an instant."""
        match kind:
            case "dead" | "stuck" | "noisy":
                return self._sensors(t_ns, kind, point=at)
            case "line":
                return self._sensors(t_ns, "dead", line=at)
            case "weak":
                self.strength = WEAK
                return lambda _: setattr(self, "strength", 1.0)
            case "field":
                self._table.phone(t_ns, None)
                return self._table.phone_gone
            case "frames" | "scanner":
                return self._link(kind)
            case "face-near" | "face-far" | "buzzer":
                return self._chips(kind, kind.removeprefix("face-"))
            case "power":
                return self._chips(kind, "near", "far", "buzzer")
        return self._bus(kind)

    def _sensors(
        self, t_ns: int, kind: FaultKind, *, point: str | None = None, line: str | None = None
    ) -> Callable[[int], None]:
        fault = self._table.fault(t_ns, kind, point=point, line=line)
        return lambda end_ns: self._table.mend(end_ns, fault)

    def _link(self, kind: str) -> Callable[[int], None]:
        scanner = self._scanner
        assert scanner is not None  # noqa: S101 - else it is not among the kinds
        if kind == "scanner":
            scanner.unplug()
            return lambda _: scanner.plug()
        scanner.lose(LOSING)
        return lambda _: scanner.lose(0)

    def _chips(self, why: str, *parts: str) -> Callable[[int], None]:
        """Chips that do not answer, for as long as anything is why; without power they forget as well."""
        clock = self._clock
        assert clock is not None  # noqa: S101
        chips: dict[str, Chip] = {
            "near": clock.faces["near"], "far": clock.faces["far"], "buzzer": clock.buzzer,
        }  # fmt: skip
        for part in parts:
            address = clock.addresses.get(part)
            if address is None:
                continue
            if why == "power":
                chips[part].power_on()
            if address in clock.bus:
                clock.bus.detach(address)
            self._silent.setdefault(address, set()).add(why)

        def mend(_: int) -> None:
            for part, address in clock.addresses.items():
                reasons = self._silent.get(address, set())
                if why in reasons:
                    reasons.discard(why)
                    if not reasons:
                        clock.bus.attach(address, chips[part])

        return mend

    def _bus(self, kind: str) -> Callable[[int], None]:
        assert self._clock is not None  # noqa: S101
        bus = self._clock.bus
        if kind == "bus":
            bus.stick()
            return lambda _: bus.free()
        bus.unplug()
        return lambda _: bus.plug()
