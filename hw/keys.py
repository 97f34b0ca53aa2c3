"""The clock keys, call keys and the arbiter's key on GPIO pins, through gpiozero.

A key closes its pin to ground. A press carries the time of its first edge. Whose time that is depends on the
pin factory: `lgpio` passes on the kernel's stamp; `rpigpio` and `native` stamp in this process when they hear
of the edge, which on a busy Pi is some milliseconds later [gpiozero 2.0.1: lgpio.py, rpigpio.py, native.py].
Contacts bounce, and wires catch sparks: `Contact` decides from the edges alone what was a press. The kernel
keeps a few edges a line; when more come at once the last may be missed, so the levels are looked at as well.

The pin factory is named by the configuration and nothing else: gpiozero's own search falls back silently.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hw import MENU_OF, DeviceError, KeyName, PinInUse, Press
from hw.pins import import_pin_library, reason

FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "native": ("gpiozero.pins.native", "NativeFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}

MS: Final = 1_000_000
SPIKE_NS: Final = 2 * MS
"""A contact that closes for less, bounces added up, is a spark on the wire."""
GAP_NS: Final = 5 * MS
"""A contact that opens for so long before it has been closed for `SPIKE_NS` sparked: bounces are shorter."""
DECIDE_NS: Final = 50 * MS
"""A contact that has not been closed for `SPIKE_NS` by then is not being pressed, however often it sparks."""
BOUNCE_NS: Final = 15 * MS
"""A contact that has not been open for so long has not been let go."""
STEADY_NS: Final = 50 * MS
"""A hand leaves a contact alone for so long between two edges, bounces aside."""
FLUTTER_NS: Final = 500 * MS
"""A contact that has not been steady for so long is worn, or its wire is loose."""
QUIET_NS: Final = 1000 * MS
"""A contact that has been steady for so long flutters no more."""
HELD_NS: Final = 1000 * MS
"""A call key that stays closed for so long asks for the menu."""
DELIVERY_NS: Final = 5 * MS
"""Edges are taken to arrive within this time of being stamped."""
LOOK_NS: Final = 50 * MS
"""How often the levels are looked at; one that differs from the edges for so long has an edge missing."""
RETRY_NS: Final = 5_000 * MS
"""How often pins are tried that could not be had."""
STUCK_NS: Final = 30_000 * MS
"""A key that is closed for so long is told: nobody presses it."""


class Contact:
    """One key: edges in, presses out. Pure; the caller gives the times.

    A clock key's press is its first closing edge, told once it has been closed for `SPIKE_NS` in all. A call
    key's is the edge at which it opened, told once it has been open for `BOUNCE_NS`, or the instant at which
    it had been closed for `HELD_NS`. One that was closed from the start (`closed_since_ns`) is no press.

    A wire that flutters makes one press when it first closes for longer than a spark: nothing tells that from
    a tap until more edges come, and no press waits for them. It makes no other as long as it flutters.
    """

    def __init__(self, key: KeyName, closed_since_ns: int | None = None) -> None:
        self.key = key
        self.closed = self.at_start = closed_since_ns is not None
        self._call = key in MENU_OF
        self._edge_ns = self._steady_ns = closed_since_ns or 0
        self._pressed_ns = closed_since_ns
        self._closed_ns = 0
        """How long it was closed since `_pressed_ns`, the time since the last edge left aside."""
        self._real = self._told = self.closed

    def edge(self, t_ns: int, closed: bool) -> list[Press]:
        """Take an edge; edges come in time order, and one that changes nothing is ignored."""
        presses = self.until(t_ns)
        if closed != self.closed:
            if t_ns - self._edge_ns >= STEADY_NS:
                self._steady_ns = t_ns
            if self.closed:
                self._closed_ns += t_ns - self._edge_ns
            self.closed, self._edge_ns, self.at_start = closed, t_ns, False
            if closed and self._pressed_ns is None:
                self._press_began(t_ns)
        return presses

    def until(self, t_ns: int) -> list[Press]:
        """What has become certain by `t_ns`."""
        self._judge(t_ns)
        pressed_ns = self._pressed_ns
        if pressed_ns is None or not self._real:
            return []
        presses = []
        if not self._told and not self._call:
            self._told = True
            presses.append(Press(pressed_ns, self.key))
        if self.closed:
            if not self._told and t_ns - pressed_ns >= HELD_NS:
                self._told = True
                presses.append(Press(pressed_ns + HELD_NS, MENU_OF[self.key]))
        elif t_ns - self._edge_ns >= BOUNCE_NS:
            if not self._told:
                presses.append(Press(self._edge_ns, self.key))
            self._pressed_ns = None
        return presses

    def flutters(self, now_ns: int) -> bool:
        """Whether it opens and closes as no hand does."""
        return now_ns - self._edge_ns < QUIET_NS and self._edge_ns - self._steady_ns >= FLUTTER_NS

    def _press_began(self, t_ns: int) -> None:
        self._pressed_ns, self._closed_ns, self._real, self._told = t_ns, 0, False, False

    def _judge(self, t_ns: int) -> None:
        """Whether what began is a press: once it has been closed for long enough, or not at all."""
        if self._pressed_ns is None or self._real:
            return
        decided_ns = self._pressed_ns + DECIDE_NS
        if not self.closed:
            if t_ns >= min(decided_ns, self._edge_ns + GAP_NS):
                self._pressed_ns = None
            return
        if decided_ns < min(t_ns, self._edge_ns + SPIKE_NS - self._closed_ns):
            self._press_began(self._edge_ns)
        self._real = t_ns - self._edge_ns + self._closed_ns >= SPIKE_NS

    def closed_for_ns(self, now_ns: int) -> int:
        """How long the contact has been closed, bounces left aside; 0 when it is open."""
        return now_ns - self._pressed_ns if self.closed and self._pressed_ns is not None else 0

    @property
    def pending_ns(self) -> int | None:
        """The instant that a press may still be told to have; None when there can be none before now.

        A call key that is held down waits for its opening or the end of its second, which are yet to come: it
        holds nobody else up.
        """
        if self._pressed_ns is None or self._told or (self._call and self.closed):
            return None
        return self._edge_ns if self._call else self._pressed_ns


class GpioKeys:
    """Keys on pins (BCM numbers), with the factory of that name; a factory object serves tests.

    Raises DeviceError for a factory whose library cannot be had. Pins that cannot, because the chip is not
    there or they belong to somebody else, are told by `faults` and tried again; the other keys work. So is a
    key that is closed already, which works once it has opened.
    """

    def __init__(
        self,
        pins: Mapping[KeyName, int],
        factory: Any = "lgpio",
        *,
        now_ns: Callable[[], int] = time.monotonic_ns,
        wall_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._now_ns = now_ns
        self._wall_ns = wall_ns
        self._lock = threading.Lock()
        self._presses: deque[Press] = deque()
        self._looked_ns = now_ns()
        self._make: Callable[[], Any] = _library(factory) if isinstance(factory, str) else lambda: factory
        self._factory: Any = None
        self._inputs: list[_Input] = []
        self._missing = dict(pins)
        self._refusals: list[str] = []
        self._claim()

    def poll(self) -> tuple[Sequence[Press], int]:
        """Presses since the last poll in time order, and the instant up to which all presses are known."""
        if self._missing and self._now_ns() - self._tried_ns >= RETRY_NS:
            self._claim()
        with self._lock:
            now_ns = self._now_ns() - DELIVERY_NS
            seen_ns = now_ns
            if now_ns - self._looked_ns >= LOOK_NS:
                self._looked_ns = now_ns
                for given in self._inputs:
                    self._presses.extend(given.look(now_ns))
            for given in self._inputs:
                self._presses.extend(given.contact.until(now_ns))
                pending_ns = given.contact.pending_ns
                if pending_ns is not None:
                    seen_ns = min(seen_ns, pending_ns - 1)
            presses = sorted(self._presses)
            self._presses.clear()
            return presses, seen_ns

    def faults(self) -> list[str]:
        """A sentence for each key that does what no hand does: it stays closed, or flutters."""
        with self._lock:
            now_ns = self._now_ns()
            return self._refusals + [said for given in self._inputs if (said := given.fault(now_ns))]

    def close(self) -> None:
        """Let go of the pins."""
        for given in self._inputs:
            given.pin.when_changed = None
            given.pin.close()
        self._inputs = []
        self._missing = {}
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    def _claim(self) -> None:
        """Take the pins that have not been had."""
        self._tried_ns = self._now_ns()
        refusals = []
        try:
            self._factory = self._factory or self._make()
            for key, number in list(self._missing.items()):
                try:
                    pin = _claim(self._factory, number, key)
                except DeviceError as error:
                    refusals.append(str(error))
                    continue
                with self._lock:  # edges that come meanwhile are taken afterwards
                    self._inputs.append(_Input(self, key, number, pin, self._now_ns()))
                del self._missing[key]
        except Exception as error:  # each factory has its own
            refusals = [f"keys: the pins of this machine cannot be had: {reason(error)}"]
        self._refusals = refusals

    def _edge(self, given: "_Input", ticks: float, closed: bool) -> None:
        with self._lock:
            given.differs = False
            self._presses.extend(given.contact.edge(self._monotonic(ticks), closed))

    def _monotonic(self, ticks: float) -> int:
        """A factory's time stamp on the monotonic clock: lgpio's may be wall time, by the kernel's age."""
        t_ns = round(ticks * 1e9)
        now_ns = self._now_ns()
        if abs(now_ns - t_ns) < 2_000 * MS:
            return min(t_ns, now_ns)
        age_ns = self._wall_ns() - t_ns
        return now_ns - age_ns if 0 <= age_ns < 2_000 * MS else now_ns


class _Input:
    """A pin, its contact, and the callback that gpiozero holds weakly."""

    def __init__(self, keys: GpioKeys, key: KeyName, number: int, pin: Any, now_ns: int) -> None:
        self.pin = pin
        self.differs = False
        """At the last look the level was another one than the edges say."""
        self._number = number
        self._keys = keys
        pin.edges = "both"
        pin.when_changed = self._changed
        self.contact = Contact(key, None if pin.state else now_ns)

    def look(self, now_ns: int) -> list[Press]:
        """Take an edge that has been missed: two looks at the level agree, and no edge came between them."""
        closed = not self.pin.state
        differed, self.differs = self.differs, closed != self.contact.closed
        if not (differed and self.differs):
            return []
        self.differs = False
        return self.contact.edge(now_ns, closed)

    def fault(self, now_ns: int) -> str:
        """A sentence when the key seems stuck, or flutters."""
        if self.contact.flutters(now_ns):
            return f"key {self.contact.key} (GPIO{self._number}) flutters: a worn contact or a loose wire"
        closed_ns = self.contact.closed_for_ns(now_ns)
        at_start = self.contact.at_start
        if not at_start and closed_ns < STUCK_NS:
            return ""
        since = "since the start" if at_start else f"for {closed_ns // (1000 * MS)} s"
        return (
            f"key {self.contact.key} (GPIO{self._number}) has been closed {since}: "
            "it is stuck, or its wire touches ground"
        )

    def _changed(self, ticks: float, state: Any) -> None:
        self._keys._edge(self, ticks, not state)


def _library(name: str, what: str = "keys") -> Callable[[], Any]:
    if name not in FACTORIES:
        raise DeviceError(f"{what}: {name!r} is not a pin factory; allowed: {', '.join(FACTORIES)}")
    module, cls = FACTORIES[name]
    try:
        factory: Callable[[], Any] = getattr(import_pin_library(module), cls)
    except Exception as error:
        raise DeviceError(f"{what}: the pin factory {name!r} cannot be had here: {reason(error)}") from error
    return factory


def pin_factory(name: str, what: str) -> Any:
    """The pin factory of that name, for pins that are `what`; raises DeviceError, which names that."""
    make = _library(name, what)
    try:
        return make()
    except Exception as error:
        raise DeviceError(f"{what}: the pin factory {name!r} cannot be had here: {reason(error)}") from error


def _claim(factory: Any, number: int, key: KeyName) -> Any:
    try:
        pin = factory.pin(f"GPIO{number}")
        pin.input_with_pull("up")
        pin.bounce = None
    except Exception as error:
        if "busy" in str(error).lower():
            owner = _owner(factory, number)
            raise PinInUse(f"GPIO{number} (key {key}) is in use by {owner}: {error}") from error
        raise DeviceError(f"GPIO{number} cannot be the key {key}: {reason(error)}") from error
    return pin


def _owner(factory: Any, number: int) -> str:
    """Who has a pin, as far as its chip tells."""
    lgpio: Any = sys.modules.get("lgpio")
    chip = getattr(factory, "chip", None)
    if lgpio is None or chip is None:
        return "somebody else"
    handle = lgpio.gpiochip_open(chip)
    try:
        _, _, _, _, consumer = lgpio.gpio_get_line_info(handle, number)
    finally:
        lgpio.gpiochip_close(handle)
    return repr(consumer) if consumer else "the kernel"


class NoKeys:
    """A table without keys: presses come from elsewhere."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._now_ns = now_ns

    def poll(self) -> tuple[Sequence[Press], int]:
        """No presses, up to now."""
        return (), self._now_ns()

    def faults(self) -> list[str]:
        """Nothing to be wrong."""
        return []

    def close(self) -> None:
        """Nothing to let go of."""
