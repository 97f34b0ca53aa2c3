"""A board of switches on the Pi's own pins: a 74HC154 selects a line, 15 pins sense it.

The decoder pulls one of its outputs low; each closed switch of that line pulls its sense line low through
its diode, against the pull-up of the sense pin. Lines are selected in the order of a Gray code, so that one
select pin changes at a time and the decoder never passes over a line that is not meant. The code of the 16th
output, to which nothing is connected, is part of that round: with it no line may conduct.

Sources: 74HC154 data sheet (inputs A0..A3, outputs low when selected); linux/gpio.h, the version 2 requests.
"""

import ctypes
import glob
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from hw import DeviceError, Frame, LinkError, PinInUse, Sensors
from hw.lines import LINES
from hw.pacer import Pacer
from hw.pins import import_pin_library
from hw.switch_matrix import SwitchMatrix

SELECT_PINS: Final = (4, 5, 6, 7)
SENSE_PINS: Final = (8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 25, 26)
"""BCM numbers; with the usual pins of five keys and the I2C bus they leave GPIO0 and GPIO1 free."""

HEADER_CHIPS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the GPIO chip that drives the header of a Pi 5, a Pi 4 and older ones [pinctrl drivers]."""

IDLE: Final = LINES
"""The code of the output that is not connected."""
GRAY: Final = tuple(n ^ n >> 1 for n in range(LINES + 1))

BACKENDS: Final = ("gpiod", "rpigpio")
CONSUMER: Final = "renju-board"
SPIN_US: Final = 100
"""So short a time is waited for in a loop: to sleep takes longer, and changing threads costs as much. Thus a
frame is one piece of work, and a busy event loop cannot come between its lines."""


class MatrixPort(Protocol):
    """The pins of a matrix. Every call raises OSError when the pins are gone."""

    def select(self, code: int) -> None:
        """Put a code 0..15 on the select pins."""

    def sense(self) -> int:
        """The sense lines that conduct (are low); bit 0 is the first."""

    def close(self) -> None:
        """Let go of the pins."""


class GpioScanner:
    """Frames of a switch matrix, `rate_hz` a second; those that the host was too busy for are lost.

    `open_port` claims the pins for the first frame, and again after they have gone; `settle_us` is waited
    between selecting a line and sensing it: the line before it discharges, this one charges.
    """

    sensors: Sensors = "switch"

    def __init__(
        self,
        open_port: Callable[[], MatrixPort],
        rate_hz: int = 200,
        *,
        settle_us: int = 50,
        matrix: SwitchMatrix | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
        settle: Callable[[float], None] | None = None,
    ) -> None:
        self.rate_hz = rate_hz
        self._open_port = open_port
        self._settle_s = settle_us / 1e6
        self._settle = settle or (_spin if settle_us <= SPIN_US else time.sleep)
        self._matrix = matrix or SwitchMatrix()
        self._now_ns = now_ns
        self._pacer = Pacer(rate_hz, now_ns, sleep)
        self._closed = False
        self._lock = threading.Lock()
        self._port: MatrixPort | None = None

    def read(self) -> Frame | None:
        """Wait for the next frame; None once closed. Raises LinkError, and claims the pins again next time.

        A frame's instant is that at which its scan began.
        """
        self._pacer.wait()
        with self._lock:
            if self._closed:
                return None
            t_ns = self._now_ns()
            try:
                words = self._scan()
            except DeviceError as error:
                self._let_go()
                raise LinkError(str(error)) from error
            except OSError as error:
                self._let_go()
                raise LinkError(f"gpio scanner: its pins are gone: {error.strerror or error}") from error
        readings = self._matrix.readings(t_ns, words[:IDLE], words[IDLE])
        return Frame(t_ns, readings, self._pacer.taken(self._now_ns() - t_ns))

    def faults(self) -> list[str]:
        """A sentence for everything that is wrong with the matrix, while frames come all the same."""
        return [f"switch matrix: {said}" for said in self._matrix.faults()] if self._port else []

    def health(self) -> dict[str, Any]:
        """State, and frames that the host was too busy for."""
        state = "lost" if self._port is None else "degraded" if self._matrix.faults() else "ok"
        return {"state": state, "lost": self._pacer.lost}

    def close(self) -> None:
        """Let go of the pins, and end `read` within one frame's time; safe to call twice."""
        with self._lock:
            self._closed = True
            self._let_go()

    def _scan(self) -> list[int]:
        """What conducts with each code 0..15."""
        if self._port is None:
            self._port = self._open_port()
        port, settle_s, settle = self._port, self._settle_s, self._settle
        words = [0] * len(GRAY)
        for code in GRAY:
            port.select(code)
            if settle_s:
                settle(settle_s)
            words[code] = port.sense()
        return words

    def _let_go(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()


class _Values(ctypes.Structure):
    """struct gpio_v2_line_values of linux/gpio.h: a bit for each line in the order of the request."""

    _fields_ = (("bits", ctypes.c_uint64), ("mask", ctypes.c_uint64))
    bits: int


# PyDLL: these calls take some microseconds, and to let other threads in between costs more.
_ioctl: Final = ctypes.PyDLL(None, use_errno=True).ioctl
_ioctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.POINTER(_Values))


def _os_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


def _spin(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


class GpiodPort:
    """Pins of a GPIO character device, claimed through gpiod; each group is read or written by one call.

    `chip`: a path such as /dev/gpiochip0, a label, or "" for the chip of the Pi's header.
    """

    _GET_VALUES: Final = 0xC010B40E
    _SET_VALUES: Final = 0xC010B40F
    """GPIO_V2_LINE_GET_VALUES_IOCTL and GPIO_V2_LINE_SET_VALUES_IOCTL of linux/gpio.h, with what was prepared
    once; gpiod's own calls make a dictionary of enums for each of 32 calls a frame."""

    def __init__(
        self,
        chip: str = "",
        select: Sequence[int] = SELECT_PINS,
        sense: Sequence[int] = SENSE_PINS,
        enable: int | None = None,
    ) -> None:
        gpiod = _library("gpiod")
        line = gpiod.line
        low = gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=line.Value.INACTIVE)
        high = gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=line.Value.ACTIVE)
        pulled_up = gpiod.LineSettings(
            direction=line.Direction.INPUT, bias=line.Bias.PULL_UP, active_low=True
        )
        outputs: dict[Any, Any] = {tuple(select): high}
        if enable is not None:
            outputs[enable] = low
        device = _open_chip(gpiod, chip)
        with device:
            try:
                self._outputs = device.request_lines(outputs, consumer=CONSUMER)
            except (OSError, ValueError) as error:
                raise _refused(device, (*select, enable), error) from error
            try:
                self._inputs = device.request_lines({tuple(sense): pulled_up}, consumer=CONSUMER)
            except (OSError, ValueError) as error:
                self._outputs.release()
                raise _refused(device, sense, error) from error
        self._codes = [_Values(code, 0b1111) for code in range(LINES + 1)]
        self._sensed = _Values(0, (1 << LINES) - 1)
        self._fds = self._outputs.fd, self._inputs.fd

    def select(self, code: int) -> None:
        """Put a code 0..15 on the select pins."""
        if _ioctl(self._fds[0], self._SET_VALUES, self._codes[code]):
            raise _os_error()

    def sense(self) -> int:
        """The sense lines that conduct; bit 0 is the first."""
        if _ioctl(self._fds[1], self._GET_VALUES, self._sensed):
            raise _os_error()
        return self._sensed.bits

    def close(self) -> None:
        """Let go of the pins."""
        self._fds = (-1, -1)
        self._outputs.release()
        self._inputs.release()


class RpiGpioPort:
    """Pins through RPi.GPIO (a Pi 0 to 4) or rpi-lgpio, one call a pin."""

    def __init__(
        self,
        select: Sequence[int] = SELECT_PINS,
        sense: Sequence[int] = SENSE_PINS,
        enable: int | None = None,
    ) -> None:
        gpio = _library("RPi.GPIO")
        self._gpio = gpio
        self._select = tuple(select)
        self._sense = tuple(sense)
        self._code = IDLE
        self._claimed: list[int] = []
        gpio.setmode(gpio.BCM)
        for pin in self._select:
            self._claim(pin, gpio.OUT, initial=gpio.HIGH)
        for pin in self._sense:
            self._claim(pin, gpio.IN, pull_up_down=gpio.PUD_UP)
        if enable is not None:
            self._claim(enable, gpio.OUT, initial=gpio.LOW)

    def select(self, code: int) -> None:
        """Put a code 0..15 on the select pins: those that change."""
        changed = code ^ self._code
        try:
            for bit, pin in enumerate(self._select):
                if changed >> bit & 1:
                    self._gpio.output(pin, code >> bit & 1)
        except Exception as error:
            raise LinkError(f"gpio scanner: its pins are gone: {error}") from error
        self._code = code

    def sense(self) -> int:
        """The sense lines that conduct; bit 0 is the first."""
        read = self._gpio.input
        word = 0
        try:
            for bit, pin in enumerate(self._sense):
                if not read(pin):
                    word |= 1 << bit
        except Exception as error:
            raise LinkError(f"gpio scanner: its pins are gone: {error}") from error
        return word

    def close(self) -> None:
        """Let go of the pins."""
        if self._claimed:
            self._gpio.cleanup(self._claimed)
            self._claimed = []

    def _claim(self, pin: int, direction: Any, **how: Any) -> None:
        try:
            self._gpio.setup(pin, direction, **how)
        except Exception as error:
            self.close()
            if "busy" in str(error).lower():
                raise PinInUse(f"GPIO{pin} (gpio scanner) is in use by somebody else: {error}") from error
            raise DeviceError(f"GPIO{pin} cannot be a pin of the gpio scanner: {error}") from error
        self._claimed.append(pin)


def open_gpio_scanner(
    config: Mapping[str, Any], rate_hz: int = 200, *, now_ns: Callable[[], int] = time.monotonic_ns
) -> GpioScanner:
    """The scanner that a configuration describes; a key that is not given has its default.

    `backend` (gpiod, rpigpio), `chip`, `select` (4 BCM pins, the lowest bit first), `sense` (15 BCM pins, A
    to O), `enable` (a BCM pin, or None: wired to ground), `settle_us`. The first read claims the pins.
    Raises DeviceError for a backend that there is none of.
    """
    backend = config.get("backend", "gpiod")
    select = config.get("select", SELECT_PINS)
    sense = config.get("sense", SENSE_PINS)
    enable = config.get("enable")

    def open_port() -> MatrixPort:
        if backend == "rpigpio":
            return RpiGpioPort(select, sense, enable)
        return GpiodPort(config.get("chip", ""), select, sense, enable)

    if backend not in BACKENDS:
        raise DeviceError(
            f"gpio_scanner.backend = {backend!r} is not possible; allowed: {', '.join(BACKENDS)}"
        )
    return GpioScanner(open_port, rate_hz, settle_us=config.get("settle_us", 50), now_ns=now_ns)


def _library(name: str) -> Any:
    try:
        return import_pin_library(name)
    except Exception as error:  # RPi.GPIO raises RuntimeError where it does not run
        raise DeviceError(f"gpio scanner: {name} cannot be had here: {error}") from error


def _open_chip(gpiod: Any, wanted: str) -> Any:
    """The chip of a path or label; "": of the header. Raises DeviceError, and says what there is."""
    seen = []
    for path in sorted(glob.glob("/dev/gpiochip*")):
        try:
            chip = gpiod.Chip(path)
        except OSError as error:
            seen.append(f"{path} ({error.strerror})")
            continue
        label = chip.get_info().label
        if wanted in (path, label) or (not wanted and label in HEADER_CHIPS):
            return chip
        chip.close()
        seen.append(f"{path} ({label})")
    looked_for = wanted or f"labelled {', '.join(HEADER_CHIPS)}"
    there = "; there is " + ", ".join(seen) if seen else "; there is no /dev/gpiochip*"
    raise DeviceError(f"gpio scanner: there is no GPIO chip {looked_for}{there}")


def _refused(device: Any, pins: Sequence[int | None], error: Exception) -> DeviceError:
    """Why a claim was refused, in one sentence."""
    for pin in pins:
        if pin is None:
            continue
        try:
            line = device.get_line_info(pin)
        except (OSError, ValueError):
            return DeviceError(f"gpio scanner: there is no GPIO{pin} on {device.path}")
        if line.used:
            return PinInUse(f"GPIO{pin} (gpio scanner) is in use by {line.consumer or 'the kernel'!r}")
    return DeviceError(f"gpio scanner: {device.path} refuses its pins: {error}")
