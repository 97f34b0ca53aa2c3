"""The settings of sensing: what each means, its unit, its range, and why it has its value."""

from typing import Final, NamedTuple

import msgspec

from firmware_host.errors import ConfigError

MS: Final = 1_000_000


class Allowed(NamedTuple):
    """The range of one setting, both ends included, its unit, and why the default is what it is."""

    low: float
    high: float
    unit: str
    why: str


ALLOWED: Final[dict[str, Allowed]] = {
    "settle_ms": Allowed(10, 500, "ms", "a bounce lasts 1 ms, a stone pushed on stays 50 ms or more"),
    "adjust_ms": Allowed(
        100, 900, "ms", "a stone set right is back sooner; a hand that takes one away is not"
    ),
    "hop_ms": Allowed(50, 400, "ms", "no hand lifts a stone and puts it down beside in less than 300 ms"),
    "hover_ms": Allowed(50, 900, "ms", "a hand cannot hold a stone as still as the board does for so long"),
    "rest_s": Allowed(1, 600, "s", "a slide goes on after a rest shorter than this"),
    "scatter_ms": Allowed(100, 2000, "ms", "an arm knocks all its stones within this time"),
    "scatter_stones": Allowed(3, 20, "stones", "two players tidy up with four hands, one stone in each"),
    "on_counts": Allowed(8, 60, "counts", "a magnet of 30 % over the least sensitive sensor reads 19"),
    "sound_counts": Allowed(40, 127, "counts", "what a sound stone reads over an average sensor"),
    "field_counts": Allowed(4, 60, "counts", "more than drift leaves over, less than a phone makes"),
    "lag_ms": Allowed(500, 5000, "ms", "how long something undecided may hold up the table"),
}


class SensingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How readings become stones. Ranges and reasons are in `ALLOWED`.

    `settle_ms`: a reading that has kept its place so long is believed. `adjust_ms`: a stone back on its
    point within it was adjusted. `hop_ms`: a gap shorter than this between two neighbouring points is a
    slide. `hover_ms`: the settle time of a reading too weak for a sound stone. `rest_s`: the path of a slide
    is continued after a rest up to this. `scatter_ms`, `scatter_stones`: as many settled stones that leave
    their points within this time, with stones where none should be, are a scattered board. `on_counts`: the
    least reading of a stone. `sound_counts`: that of a sound stone. `field_counts`: an outside field.
    `lag_ms`: how long an undecided contact or lift may hold back `seen_until_ns`.
    """

    settle_ms: float = 40
    adjust_ms: float = 400
    hop_ms: float = 200
    hover_ms: float = 250
    rest_s: float = 10
    scatter_ms: float = 600
    scatter_stones: int = 4
    on_counts: float = 16
    sound_counts: float = 92
    field_counts: float = 8
    lag_ms: float = 1000

    def __post_init__(self) -> None:
        for key, allowed in ALLOWED.items():
            value = getattr(self, key)
            if not allowed.low <= value <= allowed.high:
                raise ConfigError(f"sensing.{key}", value, f"{allowed.low} to {allowed.high} {allowed.unit}")
