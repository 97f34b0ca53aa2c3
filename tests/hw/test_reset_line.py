"""The reset pin of a board, on gpiozero's mock factory."""

import pytest
from gpiozero.pins.mock import MockFactory

from hw import DeviceError
from hw.reset_line import ResetLine


def test_the_line_is_high_and_goes_low_when_called() -> None:
    factory = MockFactory()
    line = ResetLine(25, factory)
    pin = factory.pin("GPIO25")
    pin.clear_states()
    line()
    assert [state.state for state in pin.states] == [True, False, True]


def test_a_pin_that_is_taken_is_named() -> None:
    factory = MockFactory()
    line = ResetLine(25, factory)
    with pytest.raises(DeviceError, match=r"GPIO25 cannot be i2c_scanner\.reset_pin"):
        ResetLine(25, factory)
    line()
