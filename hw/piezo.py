"""A piezo on a GPIO pin in place of a buzzer with a chip of its own, through gpiozero's TonalBuzzer.

The pin's tone is made by this program, which must also end it: a thread does, after the time that was asked
for. There is no volume: 0 is silence, everything else the same.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hw import DeviceError, PinInUse
from hw.buzzer import LATEST_START_NS, check_tone
from hw.pins import reason

OCTAVES: Final = 4
"""About the A of 440 Hz: 27.5 to 7040 Hz. A tone beyond that is sounded at the end of the range."""


class _Wanted(NamedTuple):
    frequency_hz: int
    duration_ms: int
    latest_ns: int


class PiezoBuzzer:
    """A piezo on a pin (BCM number) of a gpiozero pin factory. Nothing here waits for a tone to end.

    A newer tone takes the place of the one that sounds. Raises PinInUse and DeviceError.
    """

    def __init__(self, pin: int, factory: Any, *, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        from gpiozero import TonalBuzzer  # type: ignore[import-untyped]
        from gpiozero.tones import Tone  # type: ignore[import-untyped]

        self._now_ns = now_ns
        self._note: Callable[[float], Any] = Tone.from_frequency
        try:
            self._piezo = TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory)
        except Exception as error:
            if "busy" in str(error).lower() or "in use" in str(error).lower():
                raise PinInUse(f"GPIO{pin} (clock.piezo_pin) belongs to somebody else: {error}") from error
            raise DeviceError(f"GPIO{pin} cannot drive a piezo (clock.piezo_pin): {reason(error)}") from error
        self._changed = threading.Condition()
        self._wanted: _Wanted | None = None
        self._silence = False
        self._fault = ""
        self._closing = False
        self._thread = threading.Thread(target=self._play, name="piezo", daemon=True)
        self._thread.start()

    def tone(
        self, frequency_hz: int, duration_ms: int, volume: int = 3, latest_ns: int | None = None
    ) -> None:
        """Sound 1..20000 Hz for 1..65535 ms, by `latest_ns` or not at all; volume 0 is silence.

        Raises ValueError outside these ranges.
        """
        check_tone(frequency_hz, duration_ms, volume)
        if not volume:
            self.silence()
            return
        latest_ns = self._now_ns() + LATEST_START_NS if latest_ns is None else latest_ns
        with self._changed:
            self._wanted = _Wanted(frequency_hz, duration_ms, latest_ns)
            self._changed.notify_all()

    def refresh(self) -> None:
        """Nothing to look for: it cannot answer."""

    def faults(self) -> list[str]:
        """A sentence when the last tone could not be sounded."""
        return [self._fault] if self._fault else []

    def silence(self) -> None:
        """Cut short what sounds, and forget what waits."""
        with self._changed:
            self._wanted, self._silence = None, True
            self._changed.notify_all()

    def close(self) -> None:
        """Silence, and let go of the pin; safe to call twice."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(2)
        self._piezo.close()

    def _play(self) -> None:
        low, high = self._piezo.min_tone.frequency, self._piezo.max_tone.frequency
        with self._changed:
            while not self._closing:
                wanted, self._wanted, self._silence = self._wanted, None, False
                if wanted is None:
                    self._changed.wait()
                    continue
                if self._now_ns() > wanted.latest_ns:
                    continue
                try:
                    self._piezo.play(self._note(min(max(wanted.frequency_hz, low), high)))
                    self._changed.wait_for(
                        lambda: self._wanted is not None or self._silence or self._closing,
                        wanted.duration_ms / 1000,
                    )
                    self._piezo.stop()
                except Exception as error:  # a driver's mistake must not silence the tones to come
                    self._fault = f"the piezo (clock.piezo_pin) does not sound: {reason(error)}"
                else:
                    self._fault = ""
