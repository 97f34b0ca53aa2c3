"""A pin that resets the chips of a board: wired to their RESET, or to a switch in their supply."""

import time
from typing import Any, Final

from hw import DeviceError
from hw.pins import reason

LOW_S: Final = 0.02
"""An MCP23017 needs 1 us [DS20001952, RSTL]; a supply must fall below the chips' reset threshold."""
AFTER_S: Final = 0.02


class ResetLine:
    """Holds a pin (BCM number) of a gpiozero pin factory high, and pulls it low when called."""

    def __init__(self, pin: int, factory: Any) -> None:
        from gpiozero import OutputDevice  # type: ignore[import-untyped]

        try:
            self._line = OutputDevice(pin, initial_value=True, pin_factory=factory)
        except Exception as error:
            raise DeviceError(f"GPIO{pin} cannot be i2c_scanner.reset_pin: {reason(error)}") from error

    def __call__(self) -> None:
        """Reset, and give the chips the time to come back; 40 ms in all."""
        self._line.off()
        time.sleep(LOW_S)
        self._line.on()
        time.sleep(AFTER_S)
