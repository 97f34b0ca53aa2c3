"""The stones that one side lays together, of both colours: entered and judged as a whole at its press.

Source: competition rules 2.1, 6.1.1, 6.1.2, 6.2; `docs/rules.md`, "Opening procedures".
"""

from collections import Counter
from collections.abc import Sequence

from firmware_host.board import BLACK, TENGEN, Colour
from firmware_host.referee.board_watch import tell_differences
from firmware_host.referee.entries import Entry
from firmware_host.referee.places import judge_set_up
from firmware_host.referee.procedures import SHAPE
from firmware_host.referee.state import Match
from firmware_host.referee.steps import next_step


def close_set_up(m: Match) -> None:
    """The stones of a set-up are on the board, judged as a whole. With fewer nothing happens."""
    step, side = m.step, m.step.side or BLACK
    room = Counter(step.stones)
    surplus = []
    for entry in m.draft:
        room[entry.colour] -= 1
        if room[entry.colour] < 0:
            surplus.append(entry)
    if any(left > 0 for left in room.values()):
        if surplus and len(m.draft) >= len(step.stones):
            m.irregular("wrong-colour", side, point=surplus[0].point)
        return
    enter_set_up(m)


def enter_set_up(m: Match) -> None:
    """What was laid is the set-up; a stone of the wrong colour counts only where none of the right one is."""
    step, side = m.step, m.step.side or BLACK
    in_order = sorted(m.draft, key=lambda e: e.colour is not BLACK or e.point != TENGEN)
    stones: list[Entry] = []
    for colour in step.stones:
        left = [e for e in in_order if e not in stones]
        stone = next((e for e in left if e.colour is colour), None) or left[-1]
        stone.colour = colour
        stones.append(stone)
    extra = [e for e in m.draft if e not in stones]
    m.draft = []
    counted = next(e for e in reversed(stones) if e.colour is side)
    for entry in stones:
        entry.pressed = entry.credited = entry is not counted
        entry.used_ms = None if entry is counted else 0  # the set-up is one move for the clock, and told once
        entry.step = m.step_index
        m.append(entry)
    next_step(m)
    if step.stones == SHAPE:
        m.tell_opening()
    judge_set_up(m, extra[-1] if extra else None)
    if extra:
        tell_differences(m)


def lies_complete(m: Match, laid: Sequence[Entry]) -> bool:
    """Whether these are the stones of the set-up at hand, and nobody has pressed for it."""
    wanted = Counter(m.step.stones) if m.step.do == "set-up" else None
    return m.awaited is None and Counter(e.colour for e in laid) == wanted


def played_on_set_up(m: Match, presser: Colour) -> list[Entry]:
    """The opponent's stone after a set-up that nobody has pressed for, at a press of either side.

    It ends the turn [2.1]: the set-up stands as it lies there, and its press is still owed. Where the sensors
    tell no colour it is the opponent's if he is the one that presses.
    """
    if not lies_complete(m, m.draft[:-1]):
        return []
    *laid, last = m.draft
    colour = m.step.stones[-1].other
    unknown = last.point is not None and m.sensed[last.point] == "?"
    his = colour is presser if unknown else colour is last.colour
    if colour is m.step.side or not his:
        return []
    last.colour = colour
    m.draft = laid
    enter_set_up(m)
    return [last]


def stands_as_laid(m: Match) -> bool:
    """A set-up with a stone of the wrong colour was played on over: it counts for what it should be [6.2]."""
    if m.step.do != "set-up" or len(m.draft) < len(m.step.stones):
        return False
    before = len(m.entries)
    enter_set_up(m)
    tell_differences(m)
    return pressed_before(m, before)


def pressed_before(m: Match, n: int) -> bool:
    """The moves after the first `n` were pressed for already; False if there are none."""
    for entry in m.entries[n:]:
        entry.pressed = entry.credited = True
    return len(m.entries) > n


def laid_by(m: Match, entry: Entry) -> Colour:
    """Who laid the stone of a move: in a set-up one side lays both colours."""
    side = None if entry.step is None else m.procedure.steps[entry.step].side
    return side or entry.colour


def last_laid_with(m: Match, entry: Entry) -> int:
    """The number of the last move that the same press completes: those of a set-up stand together."""
    n = m.number(entry)
    while entry.step is not None and n < len(m.entries) and m.entries[n].step == entry.step:
        n += 1
    return n
