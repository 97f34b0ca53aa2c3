"""What a time looks like: four characters and a colon on a face, a text on a page.

One rule for both, so that face, page and record agree within one displayed unit: a time that runs down is
rounded **up** to the unit shown (a second, a tenth below ten seconds), so that nothing but zeros says "out of
time"; a time that is only counted, without a limit, is cut to whole seconds. The segments of a digit are the
driver's business.

| face | means |
|---|---|
| ` 1:23`, colon winking once a second | an hour and 23 minutes, running |
| `14:59`, `05:03` | minutes and seconds |
| `  9.9` | seconds and tenths, unless the control is `without tenths` |
| `3 58`, `3 9.9`, `3.1:30` | byo-yomi: three periods left; 58 seconds, 9.9, a minute and a half in this one |
| `0.4:58`, `04.:58` | several stages: the point of a digit says which of the first three |
| `14:58.` | a stone has been seen since the other side pressed, whichever stone and wherever |
| `F0:00` | the flag has fallen |
| `PASS` and the time, by turns | a menu is open ([menus](../docs/menus.md)) |

While the game is paused the colons of both faces wink.
"""

from typing import Final

import msgspec

from firmware_host.clock import MS, SECOND, Clock, Player

TENTH: Final = 100 * MS
TENTHS_BELOW: Final = 99
"""Up to so many tenths are left, tenths are shown."""

WORD_NS: Final = 1_200 * MS
TURNS_NS: Final = 2_000 * MS
"""A menu's word is shown for so long of each of its turns with the time; a key begins with the word."""

LONGEST_S: Final = 99 * 3600 + 59 * 60 + 59


class Face(msgspec.Struct, frozen=True):
    """One face: four characters (digits, blank or `F`), the colon, and the point after each digit."""

    chars: str
    colon: bool
    points: tuple[bool, bool, bool, bool] = (False, False, False, False)


class _Shown(msgspec.Struct, frozen=True):
    """A time in the unit that is shown: whole seconds, or tenths when `tenths` is not None."""

    seconds: int
    tenths: int | None


def _shown(clock: Clock, player: Player, now_ns: int) -> _Shown:
    remaining = clock.remaining_ns(player, now_ns)
    return _in_units(remaining, clock.used_ns(player, now_ns), tenths=clock.control.tenths)


def _in_units(remaining_ns: int | None, used_ns: int, *, tenths: bool) -> _Shown:
    if remaining_ns is None:
        return _Shown(min(used_ns // SECOND, LONGEST_S), None)
    left = -(-remaining_ns // TENTH)
    if tenths and 0 < left <= TENTHS_BELOW:
        return _Shown(0, left)
    return _Shown(min(-(-remaining_ns // SECOND), LONGEST_S), None)


def clock_text(clock: Clock, player: Player, now_ns: int) -> str:
    """The time of a side for a page: `1:23:45`, `14:59`, `0:58`, `9.9`; `0:00` only when it is out.

    In byo-yomi the time in the period at hand; without a limit the time used.
    """
    remaining = clock.remaining_ns(player, now_ns)
    return time_text(remaining, clock.used_ns(player, now_ns), tenths=clock.control.tenths)


def time_text(remaining_ns: int | None, used_ns: int, *, tenths: bool) -> str:
    """The same of what is left of a time, or without a limit (None) of what was used of it."""
    shown = _in_units(remaining_ns, used_ns, tenths=tenths)
    if shown.tenths is not None:
        return f"{shown.tenths // 10}.{shown.tenths % 10}"
    minutes, seconds = divmod(shown.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def word_face(word: str, since_ns: int, now_ns: int, time: Face) -> Face:
    """What a face with an open menu shows at `now_ns`: the word or the time; `since_ns` is the last key's."""
    return Face(word, False) if (now_ns - since_ns) % TURNS_NS < WORD_NS else time


def face_text(clock: Clock, player: Player, now_ns: int, *, paused: bool = False, seen: bool = False) -> Face:
    """What the face of `player` shows at `now_ns`; see the table above. `seen`: its last point is lit."""
    shown = _shown(clock, player, now_ns)
    lit = now_ns % SECOND < SECOND // 2
    colon = lit or not paused
    if player in clock.at(now_ns).fallen:
        return Face("F000", colon)
    periods = clock.periods_left(player, now_ns) or 0
    counted = f"{periods} " if clock.in_byo_yomi(player, now_ns) and periods <= 9 else None
    if shown.tenths is not None:
        return Face(f"{counted or '  '}{shown.tenths:02}", False, (False, False, True, seen))
    minutes, seconds = divmod(shown.seconds, 60)
    if counted is not None and not minutes:
        return Face(f"{counted}{seconds:02}", False, (False, False, False, seen))
    if counted is not None and minutes < 10:
        return Face(f"{periods}{minutes}{seconds:02}", colon, (True, False, False, seen))
    hours, minutes_of_hour = divmod(minutes, 60)
    points = (*_stage_points(clock, player, now_ns), seen)
    if hours:
        running = clock.running is player
        return Face(f"{hours:2}{minutes_of_hour:02}", lit if running else colon, points)
    return Face(f"{minutes:02}{seconds:02}", colon, points)


def _stage_points(clock: Clock, player: Player, now_ns: int) -> tuple[bool, bool, bool]:
    """The point of the digit that counts the stage at hand, where there are several without byo-yomi."""
    stages = [stage for stage in clock.control.stages if not stage.byo_yomi]
    at = clock.stage(player, now_ns) if len(stages) > 1 else None
    return at == 0, at == 1, at == 2
