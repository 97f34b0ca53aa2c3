"""Ten thousand presses, known late and in another order than they happened: not a nanosecond is lost.

What a player has used and has left is reckoned a second time, from nothing but how long he thought about each
move. A time below 0 is how long ago the flag fell.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest

from firmware_host.clock import MS, SECOND, Clock, Player
from firmware_host.pipeline import Pipeline
from firmware_host.referee.inputs import Command, Input, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling, FlagFallen
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Placed
from firmware_host.sensing.watcher import BoardWatcher
from tests.delivery import deliver

S: Final = SECOND
M: Final = 60 * S
H: Final = 60 * M
PRESSES: Final = 1_700
"""Of each control."""
MOVES: Final = 220
"""A game is over before the board is full."""
LATEST_NS: Final = 900 * MS
EVER: Final = 1000 * H

Left = tuple[int, int]
"""What is left of the period at hand, and the byo-yomi periods."""
Thoughts = Sequence[int]
"""How long a side thought about each move, and last about the one that is not played yet."""


def fifteen_minutes(mine: Thoughts, _his: Thoughts) -> Left:
    return 15 * M - sum(mine), 0


def fischer(mine: Thoughts, _his: Thoughts) -> Left:
    return 5 * M - sum(mine) + 3 * S * (len(mine) - 1), 0


def byo_yomi(mine: Thoughts, _his: Thoughts) -> Left:
    main, periods = 30 * S, 3
    left = main
    for thought in mine:
        over = thought - main
        if over >= 5 * S * periods:
            return 5 * S * periods - over, 0
        periods -= max(0, over) // (5 * S)
        left = -over if over < 0 else 5 * S - over % (5 * S)
        main = max(0, -over)
    return left, periods


def forty_moves(mine: Thoughts, _his: Thoughts) -> Left:
    return 2 * H - sum(mine) + (1 * H if len(mine) > 40 else 0), 0


def ten_moves_again(mine: Thoughts, _his: Thoughts) -> Left:
    main, period = 60 * M, 5 * M
    left, made = main, -1
    for thought in mine:
        if made == 10:
            left, made = period, 0
        left -= thought
        if made < 0 and left <= 0:
            left, made = left + period, 0
        made += made >= 0
    return left, 0


def shared(mine: Thoughts, his: Thoughts) -> Left:
    return 3 * H - sum(mine) - sum(his), 0


CONTROLS: Final[dict[str, tuple[Callable[[Thoughts, Thoughts], Left], int]]] = {
    "15m": (fifteen_minutes, 6 * S),
    "5m+3s": (fischer, 5 * S),
    "30s + 3x5s byo-yomi": (byo_yomi, 3 * S),
    "40 moves/2h then 1h": (forty_moves, 90 * S),
    "60m then 10 moves/5m repeating": (ten_moves_again, 50 * S),
    "shared 3h": (shared, 45 * S),
}
"""Each with its reckoning, and how long a move takes."""


class Watched(Referee):
    """A referee that keeps the clock as it stood after each press."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(match_settings({"opening": "free", "forbidden": "off", "five": "claim", **settings}))
        self.presses: list[tuple[int, Clock]] = []

    def rule(self, given: Input) -> list[AnyRuling]:
        rulings = super().rule(given)
        if isinstance(given, KeyPress) and self.over is None:
            self.presses.append((given.t_ns, self.clock))
        return rulings


def a_game(chance: random.Random, control: str, most: int) -> int:
    """Play a game up to its end or so many moves, and compare; gives the presses in it."""
    reckon, usual_ns = CONTROLS[control]
    t_ns = chance.randrange(10**15)
    given: list[Input] = [Command(t_ns=t_ns, do="start")]
    mine, his = [0], [0]
    expected: list[tuple[int, list[tuple[int, Left]]]] = []
    fell_ns = None
    for n in range(min(most, MOVES)):
        in_time_ns = EVER + reckon([*mine[:-1], EVER], his)[0]
        usual = 1 + int(chance.expovariate(1 / min(usual_ns, in_time_ns / 6)))
        thought = chance.choices((usual, in_time_ns - 1, in_time_ns), (500, 5, 1))[0]
        touched_ns = t_ns + 1 + chance.randrange(max(1, thought))
        t_ns += thought
        mine[-1] = thought
        given.append(Placed(t_ns=min(touched_ns, t_ns), point=n, colour=None))
        given.append(KeyPress(t_ns=t_ns, key="far" if n % 2 else "near"))
        if thought >= in_time_ns:
            fell_ns = t_ns + in_time_ns - thought
            break
        mine.append(0)
        sides = [(sum(each), reckon(each, other)) for each, other in ((mine, his), (his, mine))]
        expected.append((t_ns, sides if n % 2 == 0 else sides[::-1]))
        mine, his = his, mine
    referee = Watched(time=control)
    steps = deliver(
        Pipeline(BoardWatcher("switch"), referee),
        given,
        [chance.randrange(LATEST_NS) for _ in given],
        t_ns,
    )
    assert [step for step in steps if step.late_ns] == []
    assert [at_ns for at_ns, _ in referee.presses[: len(expected)]] == [at_ns for at_ns, _ in expected]
    for (at_ns, clock), (_, sides) in zip(referee.presses, expected, strict=False):
        for player, (used_ns, (left_ns, periods)) in zip(Player, sides, strict=True):
            assert clock.used_ns(player, at_ns) == used_ns
            assert clock.remaining_ns(player, at_ns) == left_ns
            assert clock.periods_left(player, at_ns) == periods
        assert clock.books.balanced
    flags = [ruling.t_ns for step in steps for ruling in step.rulings if isinstance(ruling, FlagFallen)]
    assert flags == ([] if fell_ns is None else [fell_ns])
    return len(expected)


@pytest.mark.parametrize("control", CONTROLS)
def test_not_a_nanosecond_is_lost_in_ten_thousand_presses(control: str) -> None:
    chance = random.Random(control)  # noqa: S311
    presses = 0
    while presses < PRESSES:
        presses += a_game(chance, control, PRESSES - presses)
