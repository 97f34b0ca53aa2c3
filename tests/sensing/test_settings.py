"""Settings of sensing: every one has a range that its default lies in, and refuses what is outside."""

import msgspec
import pytest

from firmware_host.errors import ConfigError
from firmware_host.sensing.settings import ALLOWED, SensingSettings


def test_every_setting_has_its_range_and_reason() -> None:
    assert set(ALLOWED) == set(SensingSettings.__struct_fields__)
    for name, allowed in ALLOWED.items():
        assert allowed.low < allowed.high
        assert allowed.unit
        assert allowed.why
        assert allowed.low <= getattr(SensingSettings(), name) <= allowed.high


@pytest.mark.parametrize("name", ALLOWED)
def test_the_ends_of_a_range_and_beyond(name: str) -> None:
    low, high, unit, _ = ALLOWED[name]
    for value in (low, high):
        msgspec.structs.replace(SensingSettings(), **{name: value})
        SensingSettings(**{name: value})
    for value in (low - 1, high + 1):
        with pytest.raises(ConfigError, match=f"sensing.{name} = .* allowed: {low} to {high} {unit}"):
            SensingSettings(**{name: value})
