"""Time controls in the words of people: English, Chinese, Japanese; and the usual ones.

Source of the usual grades: competition rules 8.1, and the general rules' four grades (15 minutes, 1, 2 and 5
hours).
"""

from typing import Final

from firmware_host.clock.control import UNITS, Stage, TimeControl

LANGUAGES: Final = ("en", "zh", "ja")

_UNITS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "en": {
        "h": ("hour", "hours"),
        "m": ("minute", "minutes"),
        "s": ("second", "seconds"),
        "ms": ("ms", "ms"),
    },
    "zh": {"h": ("小时",) * 2, "m": ("分钟",) * 2, "s": ("秒",) * 2, "ms": ("毫秒",) * 2},
    "ja": {"h": ("時間",) * 2, "m": ("分",) * 2, "s": ("秒",) * 2, "ms": ("ミリ秒",) * 2},
}

_PHRASES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "none": "no time limit",
        "shared": "{time} for both sides together",
        "main": "{time} each",
        "stage": "{time}",
        "moves": "{moves} moves in {time}",
        "repeating": "{moves} moves in each {time}",
        "increment": " and {time} more after each move",
        "byo-yomi": "byo-yomi, {count} periods of {time}",
        "byo-yomi once": "byo-yomi, one period of {time}",
        "then": ", then ",
        "no tenths": ", no tenths shown",
        "unit": "{n} {unit}",
        "and": " ",
    },
    "zh": {
        "none": "不限时",
        "shared": "双方共用{time}",
        "main": "每方{time}",
        "stage": "{time}",
        "moves": "{time}内走{moves}着",
        "repeating": "每{time}走{moves}着",
        "increment": "，每着加{time}",
        "byo-yomi": "读秒{count}次，每次{time}",
        "byo-yomi once": "读秒，每着{time}",
        "then": "，之后",
        "no tenths": "，不显示十分之一秒",
        "unit": "{n}{unit}",
        "and": "",
    },
    "ja": {
        "none": "時間無制限",
        "shared": "両者共用{time}",
        "main": "持ち時間{time}",
        "stage": "{time}",
        "moves": "{time}で{moves}手",
        "repeating": "{time}ごとに{moves}手",
        "increment": "、一手ごとに{time}加算",
        "byo-yomi": "秒読み{time}{count}回",
        "byo-yomi once": "一手{time}",
        "then": "、その後",
        "no tenths": "、10分の1秒の表示なし",
        "unit": "{n}{unit}",
        "and": "",
    },
}


GRADES: Final = (
    "15m", "1h", "2h", "5h", "5m+3s", "15m+10s", "30m + 3x30s byo-yomi", "1h30m + 5x1m byo-yomi", "2h+30s",
    "1h then 10 moves/5m repeating", "shared 3h",
)  # fmt: skip
"""The usual grades of [8.1] first, then one of each kind."""


def time_words(ns: int, language: str) -> str:
    """`1 hour 30 minutes`, `1小时30分钟`; `ns` >= 0, below 1 ms is cut off; `language` of `LANGUAGES`."""
    phrases, units = _PHRASES[language], _UNITS[language]
    parts = []
    for unit, size in UNITS.items():
        n, ns = divmod(ns, size)
        if n:
            parts.append(phrases["unit"].format(n=n, unit=units[unit][n != 1]))
    return phrases["and"].join(parts) or phrases["unit"].format(n=0, unit=units["s"][1])


def control_words(control: TimeControl, language: str) -> str:
    """A control in words, `language` one of `LANGUAGES`: `1 hour each, then 10 moves in each 5 minutes`."""
    phrases = _PHRASES[language]
    if not control.limited:
        return phrases["none"]
    if control.shared:
        words = phrases["shared"].format(time=time_words(control.stages[0].ns, language))
    else:
        stages = [_stage(stage, "stage" if i else "main", language) for i, stage in enumerate(control.stages)]
        words = phrases["then"].join(stages)
    return words if control.tenths else words + phrases["no tenths"]


def _stage(stage: Stage, plain: str, language: str) -> str:
    phrases = _PHRASES[language]
    kind = plain
    if stage.byo_yomi:
        kind = "byo-yomi" if stage.count > 1 else "byo-yomi once"
    elif stage.moves:
        kind = "repeating" if stage.renewed else "moves"
    text = phrases[kind].format(time=time_words(stage.ns, language), moves=stage.moves, count=stage.count)
    if stage.increment_ns:
        text += phrases["increment"].format(time=time_words(stage.increment_ns, language))
    return text
