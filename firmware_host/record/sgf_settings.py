"""The settings of a match in SGF: `RU` has them all, `TM` and `OT` the time again as other programs know it.

`RU[Renju, opening yamaguchi, time 5m+3s]`: `Renju` or, without forbidden moves, `Gomoku`, and each setting
that is not what it is by default. What other programs write there is told by the words that it has in it.
"""

import re
from typing import Final

from msgspec import to_builtins

from firmware_host.clock import SECOND, control_words, duration_text, parse_control
from firmware_host.errors import ConfigError, NotationError
from firmware_host.record.sgf_values import ms_of, seconds
from firmware_host.referee.settings import MatchSettings, match_settings

_GAMES: Final[dict[str, MatchSettings]] = {
    "Renju": MatchSettings(),
    "Gomoku": MatchSettings(forbidden="off", opening="free"),
}

WORDS: Final[dict[str, dict[str, str]]] = {
    "renju": {},
    "rif": {},
    "gomoku": {"forbidden": "off", "opening": "free"},
    "freestyle": {"forbidden": "off", "opening": "free"},
    "standard": {"forbidden": "off", "opening": "free", "overline": "nothing"},
    "swap2": {"forbidden": "off", "opening": "swap2"},
    "yamaguchi": {"opening": "yamaguchi"},
    "soosyrv": {"opening": "soosyrv-8"},
    "soosõrv": {"opening": "soosyrv-8"},
    "soosorv": {"opening": "soosyrv-8"},
    "taraguchi": {"opening": "taraguchi-10"},
    "tarannikov": {"opening": "tarannikov"},
}
"""Words of a foreign `RU`, in small letters, and what they set."""

_WORD: Final = re.compile(r"[^\W\d_]+2?")


def rules_text(settings: MatchSettings) -> str:
    """`RU`: the game and each setting that differs from its default."""
    game = "Gomoku" if settings.forbidden == "off" else "Renju"
    given, default = to_builtins(settings), to_builtins(_GAMES[game])
    return ", ".join([game, *(f"{key} {value}" for key, value in given.items() if value != default[key])])


def rules_of(value: str) -> MatchSettings | None:
    """The settings of a `RU`; None where no word of it is known."""
    game, *parts = value.split(", ")
    if game in _GAMES:
        given: dict[str, object] = dict(to_builtins(_GAMES[game]))
        try:
            for part in parts:
                key, _, setting = part.partition(" ")
                given[key] = int(setting) if key == "offers" and setting.isdecimal() else setting
            return match_settings(given)
        except (ConfigError, NotationError, ValueError):
            pass
    words = [word for word in _WORD.findall(value[:200].lower()) if word in WORDS]
    if not words:
        return None
    return match_settings({key: setting for word in words for key, setting in WORDS[word].items()})


# Time


def times_text(time: str) -> tuple[str, str]:
    """`TM` and `OT` of a time control, each empty where there is nothing to say."""
    control = parse_control(time)
    if not control.limited:
        return "", ""
    main = control.stages[0]
    absolute = len(control.stages) == 1 and control.text == duration_text(main.ns)
    whole = not main.byo_yomi and not control.shared and main.ns % 1_000_000 == 0
    return (
        seconds(main.ns // 1_000_000) if whole else "0" if main.byo_yomi else "",
        "" if absolute else control_words(control, "en"),
    )


_OVERTIMES: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"(\d{1,3})\s*x\s*(\d{1,5}) byo-?yomi"), "{main} + {0}x{1}s"),
    (re.compile(r"(\d{1,3})\s*/\s*(\d{1,5}) canadian"), "{main} then {0} moves/{1}s repeating"),
    (re.compile(r"(\d{1,5}) (?:fischer|increment)"), "{main}+{0}s"),
)
"""How other programs write their overtime (`OT`): CGoban and those after it."""


def time_of(main: str | None, overtime: str | None) -> str | None:
    """A time control of `TM` and `OT` (None: not there); None where they say something unknown."""
    ms = 0 if main is None else ms_of(main)
    if ms is None:
        return None
    text = duration_text(ms * (SECOND // 1000)) if ms else "0s"
    if overtime:
        found = [(pattern.fullmatch(overtime.strip().lower()), form) for pattern, form in _OVERTIMES]
        text = next((form.format(*match.groups(), main=text) for match, form in found if match), "")
    elif not ms:
        return "none"
    try:
        return parse_control(text).text
    except NotationError:
        return None
