"""The scanner of a board on I2C: passes over the board at a steady rate, and what becomes of those that fail.

A frame's instant is the middle of its pass, so no sensor was read further from it than half of that: 1.6 ms
on the wire at 400 kHz, and what 15 ioctls cost beside it. A pass that fails is a lost frame, never an empty
board; the next pass sets the expanders up anew.
"""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from hw import DeviceError, Frame, LinkError, Sensors
from hw.expanders import KINDS, PINS, parse_pins
from hw.i2c import Counters, Device, State, open_smbus, why
from hw.i2c_board import I2cBoard, PassFailed, Wiring, judges
from hw.pacer import Pacer
from hw.reset_line import ResetLine

SILENT_NS: Final = 500_000_000
"""So long without a good frame, and the link is told to be gone and begun anew."""
AUDIT_NS: Final = 1_000_000_000
"""How often those settings are read back that a pass does not prove by itself."""
TOLD_NS: Final = 5_000_000_000
"""How long a fault that has mended itself is shown."""


class I2cScanner:
    """Frames of an I2C board; the thread that reads is the only user of the bus.

    `open_device` opens the bus, again after each LinkError: whoever reads then tries again. `reset`, if the
    expanders have a reset line or a switched supply, pulls it before that. `wait` waits for seconds.
    """

    def __init__(
        self,
        open_device: Callable[[], Device],
        wiring: Wiring,
        rate_hz: int = 200,
        *,
        name: str = "the board's bus",
        reset: Callable[[], None] | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self.sensors: Sensors = "switch"
        self.rate_hz = rate_hz
        self.counters = Counters()
        self.brown_outs = 0
        self.reset_fault = ""
        """Why the reset line that there should be is missing."""
        self._open_device = open_device
        self._wiring = wiring
        self._planes = judges(wiring)
        self._name = name
        self._reset = reset
        self._now_ns = now_ns
        self._closing = threading.Event()
        self._pacer = Pacer(rate_hz, now_ns, wait or self._closing.wait)
        self._reading = threading.Lock()
        self._board: I2cBoard | None = None
        self._opened = False
        self._was_open = False
        self._gone = False
        self._audited_ns = 0
        self._failing_since_ns = -1
        self._trouble = ""
        self._trouble_ns = 0

    def read(self) -> Frame | None:
        """Wait for the next frame; None once closed.

        `lost` of a frame counts those that failed, or that the host was too busy for. Raises LinkError when
        the bus fails, when no pass has succeeded for half a second, and when the lines tell nothing.
        """
        with self._reading:
            frame = None
            while frame is None and not self._closing.is_set():
                self._pacer.wait()
                if not self._closing.is_set():
                    frame = self._try()
            if frame is None:
                self._let_go()
            return frame

    def close(self) -> None:
        """End a waiting `read`, and let go of the bus; safe to call twice."""
        self._closing.set()
        with self._reading:
            self._let_go()

    @property
    def state(self) -> State:
        """How the board is: `lost` from a LinkError to the next good frame, `degraded` with any fault."""
        return "lost" if self._gone else "degraded" if self.faults() else "ok"

    def faults(self) -> list[str]:
        """What is wrong although frames come, a sentence each."""
        board = self._board
        reset = [self.reset_fault] if self.reset_fault else []
        if board is None:
            return reset
        mended = self._failing_since_ns < 0 and self._recent(self._now_ns())
        return [*([self._trouble] if mended else []), *board.doubts(), *reset]

    def health(self) -> dict[str, Any]:
        """State and counters, for the health page."""
        return {
            "state": self.state,
            "transfers": self.counters.transfers,
            "retries": self.counters.retries,
            "failures": self.counters.failures,
            "reopened": self.counters.reopened,
            "lost": self._pacer.lost,
            "brown_outs": self.brown_outs,
        }

    def _recent(self, now_ns: int) -> bool:
        """Whether the last trouble is still to be told."""
        return bool(self._trouble) and now_ns - self._trouble_ns < TOLD_NS

    def _try(self) -> Frame | None:
        """A frame, or None if the pass failed. Raises LinkError."""
        try:
            board = self._board or self._open()
            began_ns = self._now_ns()
            if began_ns - self._audited_ns >= AUDIT_NS:
                self._audited_ns = began_ns
                board.audit()
                began_ns = self._now_ns()
            readings = board.scan(began_ns)
            took_ns = self._now_ns() - began_ns
        except PassFailed as failure:
            self._failed(failure)
            return None
        except LinkError:
            self.counters.failures += 1
            self._gone = True
            raise
        self._failing_since_ns, self._gone = -1, False
        return Frame(began_ns + took_ns // 2, readings, self._pacer.taken(took_ns))

    def _failed(self, failure: PassFailed) -> None:
        now_ns = self._now_ns()
        self.counters.failures += 1
        self.brown_outs += failure.brown_out
        trouble = f"{self._name}: {failure}"
        if not self._recent(now_ns) or failure.brown_out:
            # A bus that misses now this chip's acknowledge and now another's is one trouble, told once.
            self._trouble = trouble
        self._trouble_ns = now_ns
        if self._failing_since_ns < 0:
            self._failing_since_ns = now_ns
        if failure.gone or now_ns - self._failing_since_ns >= SILENT_NS:
            self._let_go()
            self._gone = True
            self._trouble = trouble
            raise LinkError(trouble) from failure

    def _open(self) -> I2cBoard:
        if self._opened:
            self.counters.reopened += 1
            if self._reset is not None:
                self._reset()
        self._opened = True
        try:
            device = self._open_device()
        except OSError as error:
            raise PassFailed(why(error, was_there=self._was_open), gone=True) from error
        self._was_open = True
        self._audited_ns = self._now_ns()
        self._board = I2cBoard(device, self._wiring, self.counters, self._planes)
        return self._board

    def _let_go(self) -> None:
        if self._board is not None:
            self._board.close()
            self._board = None


def open_i2c_scanner(
    given: Mapping[str, Any],
    rate_hz: int,
    clock_bus: int | None,
    pin_factory: Callable[[], Any],
    *,
    now_ns: Callable[[], int] = time.monotonic_ns,
) -> I2cScanner:
    """The scanner that a configuration describes: its wiring (see `read_wiring`), i2c_bus, reset_pin.

    `clock_bus`: the bus that the clock's chips are on, None without any. `pin_factory` gives gpiozero's, for
    the reset pin. The bus is opened by the first read. Raises DeviceError.
    """
    number = given.get("i2c_bus", 3)
    if number == clock_bus:
        raise DeviceError(
            f"i2c_scanner.i2c_bus = {number} is the clock's bus; allowed: a bus of its own, for a board that"
            " hangs must not stop the clock"
        )
    wiring = read_wiring(given)
    pin = given.get("reset_pin")
    reset, fault = None, ""
    if pin is not None:
        try:
            reset = ResetLine(pin, pin_factory())
        except DeviceError as error:  # frames come without it
            fault = f"{error}; tried again at the next start"
    name = f"the board on /dev/i2c-{number}"
    scanner = I2cScanner(lambda: open_smbus(number), wiring, rate_hz, name=name, reset=reset, now_ns=now_ns)
    scanner.reset_fault = fault
    return scanner


def read_wiring(given: Mapping[str, Any]) -> Wiring:
    """The wiring that a configuration describes; a key that is not given has its default.

    Keys: planes (one, poles), select_chip and sense_chip (pca9555, mcp23017), select_address, sense_address,
    second_address, select_pins, sense_pins, diodes, settle_us. Raises DeviceError for a board that cannot be.
    """
    poles = given.get("planes", "one") == "poles"
    select, sense = (KINDS[given.get(key, "pca9555")] for key in ("select_chip", "sense_chip"))
    select_pins = _pins("select_pins", given, PINS)
    sense_pins = _pins("sense_pins", given, PINS if poles else 2 * PINS)
    unsafe = [pin for pin in sense_pins if not sense.safe_inputs >> pin % PINS & 1]
    if unsafe:
        raise DeviceError(
            f"i2c_scanner.sense_pins has pin {unsafe[0]}, which an {sense.name} has as an output only;"
            " allowed: pins without 7, 15, 23 and 31, or a pca9555 as i2c_scanner.sense_chip"
        )
    addresses = [given.get("sense_address", 0x21)]
    if poles or max(sense_pins) >= PINS:
        addresses.append(given.get("second_address", 0x22))
    taken = [given.get("select_address", 0x20), *addresses]
    if len(set(taken)) < len(taken):
        shown = ", ".join(f"{address:#04x}" for address in taken)
        raise DeviceError(
            f"i2c_scanner: its expanders are at {shown}; allowed: an address of its own for each"
        )
    return Wiring(
        select, taken[0], select_pins, sense, tuple(addresses), sense_pins,
        poles=poles, diodes=given.get("diodes", True), settle_us=given.get("settle_us", 0),
    )  # fmt: skip


def _pins(key: str, given: Mapping[str, Any], most: int) -> tuple[int, ...]:
    try:
        return parse_pins(given.get(key, "0-14"), most)
    except ValueError as error:
        raise DeviceError(
            f"i2c_scanner.{key}: {error}; allowed: 15 different pins from 0 to {most - 1}, such as 0-14"
        ) from error
