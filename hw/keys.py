"""The clock keys, call keys and the arbiter's key on GPIO pins, through gpiozero.

A key closes its pin to ground. A press carries the time of its first edge, as the kernel stamped it where the
pin factory passes that on (lgpio does), not the time at which a callback ran. Contacts bounce, and wires
catch sparks: `Contact` decides from the edges alone what was a press.

The pin factory is named by the configuration and nothing else: gpiozero's own search falls back silently.
"""

import importlib
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hw import MENU_OF, DeviceError, KeyName, PinInUse, Press

FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}

MS: Final = 1_000_000
SPIKE_NS: Final = 2 * MS
"""A contact that closes for less is a spark on the wire."""
BOUNCE_NS: Final = 15 * MS
"""A contact that has not been open for so long has not been let go."""
HELD_NS: Final = 1000 * MS
"""A call key that stays closed for so long asks for the menu."""
DELIVERY_NS: Final = 5 * MS
"""Edges are taken to arrive within this time of being stamped."""


class Contact:
    """One key: edges in, presses out. Pure; the caller gives the times.

    A clock key's press is its first closing edge, told once it has been closed for `SPIKE_NS`. A call key's
    is the edge at which it opened, told once it has been open for `BOUNCE_NS`, or the instant at which it had
    been closed for `HELD_NS`.
    """

    def __init__(self, key: KeyName) -> None:
        self.key = key
        self._call = key in MENU_OF
        self._closed = False
        self._edge_ns = 0
        self._pressed_ns: int | None = None
        self._told = False

    def edge(self, t_ns: int, closed: bool) -> list[Press]:
        """Take an edge; edges come in time order, and one that changes nothing is ignored."""
        presses = self.until(t_ns)
        if closed != self._closed:
            self._closed, self._edge_ns = closed, t_ns
            if closed and self._pressed_ns is None:
                self._pressed_ns, self._told = t_ns, False
        return presses

    def until(self, t_ns: int) -> list[Press]:
        """What has become certain by `t_ns`."""
        pressed_ns = self._pressed_ns
        if pressed_ns is None:
            return []
        presses = []
        for_ns = t_ns - self._edge_ns
        if self._closed:
            if not self._told and not self._call and for_ns >= SPIKE_NS:
                self._told = True
                presses.append(Press(pressed_ns, self.key))
            if not self._told and self._call and t_ns - pressed_ns >= HELD_NS:
                self._told = True
                presses.append(Press(pressed_ns + HELD_NS, MENU_OF[self.key]))
        elif for_ns >= BOUNCE_NS:
            long_enough = self._edge_ns - pressed_ns >= SPIKE_NS
            if not self._told and long_enough:
                presses.append(Press(self._edge_ns if self._call else pressed_ns, self.key))
            self._pressed_ns = None
        return presses

    @property
    def open_since_ns(self) -> int | None:
        """The instant that a press may still be told to have; None when there can be none before now.

        A call key that is held down waits for its opening or the end of its second, which are yet to come: it
        holds nobody else up.
        """
        if self._pressed_ns is None or self._told or (self._call and self._closed):
            return None
        return self._edge_ns if self._call else self._pressed_ns


class GpioKeys:
    """Keys on pins (BCM numbers), with the factory of that name; a factory object serves tests.

    Raises PinInUse for a pin that belongs to somebody else, DeviceError for a factory that cannot be had.
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
        self._factory = _factory(factory) if isinstance(factory, str) else factory
        self._inputs: list[_Input] = []
        try:
            for key, number in pins.items():
                self._inputs.append(_Input(self, key, _claim(self._factory, number, key)))
        except BaseException:
            self.close()
            raise

    def poll(self) -> tuple[Sequence[Press], int]:
        """Presses since the last poll in time order, and the instant up to which all presses are known."""
        with self._lock:
            now_ns = self._now_ns() - DELIVERY_NS
            seen_ns = now_ns
            for given in self._inputs:
                self._presses.extend(given.contact.until(now_ns))
                pending_ns = given.contact.open_since_ns
                if pending_ns is not None:
                    seen_ns = min(seen_ns, pending_ns - 1)
            presses = sorted(self._presses)
            self._presses.clear()
            return presses, seen_ns

    def close(self) -> None:
        """Let go of the pins."""
        for given in self._inputs:
            given.pin.when_changed = None
            given.pin.close()
        self._inputs = []
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    def _edge(self, contact: Contact, ticks: float, closed: bool) -> None:
        with self._lock:
            self._presses.extend(contact.edge(self._monotonic(ticks), closed))

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

    def __init__(self, keys: GpioKeys, key: KeyName, pin: Any) -> None:
        self.contact = Contact(key)
        self.pin = pin
        self._keys = keys
        pin.edges = "both"
        pin.when_changed = self._changed

    def _changed(self, ticks: float, state: Any) -> None:
        self._keys._edge(self.contact, ticks, not state)


def _factory(name: str) -> Any:
    if name not in FACTORIES:
        raise DeviceError(f"keys: {name!r} is not a pin factory; allowed: {', '.join(FACTORIES)}")
    module, cls = FACTORIES[name]
    try:
        return getattr(importlib.import_module(module), cls)()
    except Exception as error:
        raise DeviceError(f"keys: the pin factory {name!r} cannot be had here: {error}") from error


def _claim(factory: Any, number: int, key: KeyName) -> Any:
    try:
        pin = factory.pin(f"GPIO{number}")
        pin.input_with_pull("up")
        pin.bounce = None
    except Exception as error:
        if "busy" in str(error).lower():
            raise PinInUse(f"GPIO{number} (key {key}) belongs to somebody else: {error}") from error
        raise DeviceError(f"GPIO{number} cannot be the key {key}: {error}") from error
    return pin


class NoKeys:
    """A table without keys: presses come from elsewhere."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._now_ns = now_ns

    def poll(self) -> tuple[Sequence[Press], int]:
        """No presses, up to now."""
        return (), self._now_ns()

    def close(self) -> None:
        """Nothing to let go of."""
