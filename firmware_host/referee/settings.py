"""The settings of a match: one table says the name, what is allowed and the default of each.

Source: `docs/rules.md`, sections 3, 4, 6, 9 and 10; the same names stand in a trace header and in the config.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

import msgspec

from firmware_host.clock import parse_control, parse_duration_ns
from firmware_host.errors import ConfigError, NotationError

YES_NO: Final = ("yes", "no")

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "opening": (
        "free", "designated", "rif-classic", "yamaguchi", "soosyrv-8", "taraguchi-10", "tarannikov", "swap2",
    ),
    "forbidden": ("claim", "automatic", "off"),
    "black_sits": ("near", "far"),
    "swap": ("bowls", "seats"),
    "flag": ("automatic", "claim"),
    "overline": ("wins", "nothing"),
    "five": ("ends", "claim"),
    "drop": ("back", "loss"),
    "replace": ("back", "loss"),
    "overline_claim": ("at-once", "any-time"),
    "free_first": ("anywhere", "tengen"),
    "designated_swap": YES_NO,
    "wrong_claim": ("none", "time", "violation"),
}  # fmt: skip


class TimeText(NamedTuple):
    """A setting that is a text of times: what reads it, and what is allowed in words."""

    read: Callable[[str], object]
    allowed: str


TIMES: Final[dict[str, TimeText]] = {
    "time": TimeText(parse_control, "a text such as 15m, 5m+3s, 30s + 3x5s, 10 moves/10m, shared 3h or none"),
    "late": TimeText(parse_duration_ns, "a text such as 15m, 90s or 1h"),
}

DEFAULTS_OF: Final[dict[str, dict[str, str]]] = {"swap2": {"forbidden": "off"}}
"""Where an opening has a default of its own for what is not given: swap2 is gomoku's [docs/rules.md, 9]."""

TRUTH: Final[dict[bool | str, str]] = {True: "yes", False: "no", "true": "yes", "false": "no"}
"""Where `yes` and `no` are allowed, files may say it in their own way."""


class MatchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What was agreed for the match. `time` and `late` are texts of `clock.parse_control` and durations."""

    opening: str = "designated"
    offers: int | None = None
    forbidden: str = "claim"
    black_sits: Literal["near", "far"] = "near"
    swap: Literal["bowls", "seats"] = "bowls"
    time: str = "none"
    flag: str = "automatic"
    late: str = "15m"
    overline: str = "wins"
    five: str = "ends"
    drop: str = "back"
    replace: str = "back"
    overline_claim: str = "at-once"
    free_first: str = "anywhere"
    designated_swap: str = "yes"
    wrong_claim: str = "none"


def match_settings(given: Mapping[str, object], prefix: str = "match.") -> MatchSettings:
    """Check names and values of settings; raises ConfigError with the key, its value and what is allowed."""
    opening = given.get("opening")
    values = {**(DEFAULTS_OF.get(opening, {}) if isinstance(opening, str) else {}), **given}
    for key, value in given.items():
        if key not in MatchSettings.__struct_fields__:
            raise ConfigError(
                prefix + key, value, f"a setting among {', '.join(MatchSettings.__struct_fields__)}"
            )
        if CHOICES.get(key) == YES_NO and isinstance(value, bool | str):
            values[key] = TRUTH.get(value, value)
        if key in CHOICES and values[key] not in CHOICES[key]:
            raise ConfigError(prefix + key, value, ", ".join(CHOICES[key]))
        if key == "offers" and not (value is None or (type(value) is int and 1 <= value <= 221)):
            raise ConfigError(prefix + key, value, "a whole number from 1 to 221, or not given")
        if key in TIMES:
            _check_time(prefix + key, value, TIMES[key])
    return MatchSettings(**values)  # type: ignore[arg-type]


def _check_time(key: str, value: object, time: TimeText) -> None:
    """Raise ConfigError for a value that is no such text; a text is refused in its reader's words."""
    if not isinstance(value, str):
        raise ConfigError(key, value, time.allowed)
    try:
        time.read(value)
    except NotationError as error:
        why, _, allowed = str(error).removeprefix(f"{value!r}, ").partition("; allowed: ")
        raise ConfigError(key, value, allowed, why=why) from error
