"""The settings of a match: one table says the name, what is allowed and the default of each.

Source: `docs/rules.md`, sections 3, 4, 6, 9 and 10; the same names stand in a trace header and in the config.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from firmware_host.errors import ConfigError

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
    "designated_swap": ("yes", "no"),
    "wrong_claim": ("none", "time", "violation"),
}  # fmt: skip


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
    for key, value in given.items():
        if key not in MatchSettings.__struct_fields__:
            raise ConfigError(
                prefix + key, value, f"a setting among {', '.join(MatchSettings.__struct_fields__)}"
            )
        if key in CHOICES and value not in CHOICES[key]:
            raise ConfigError(prefix + key, value, ", ".join(CHOICES[key]))
        if key == "offers" and not (
            isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 221
        ):
            raise ConfigError(prefix + key, value, "a whole number from 1 to 221")
        if key in ("time", "late") and not isinstance(value, str):
            raise ConfigError(prefix + key, value, "a text such as 15m, 1h30m or 5m+3s")
    return MatchSettings(**given)  # type: ignore[arg-type]
