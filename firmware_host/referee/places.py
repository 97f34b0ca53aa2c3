"""Where the stones of an opening may lie: judged when they are complete, and the opening is named.

Source: competition rules 2.1, 3.2, 6.1.1, 6.1.2; `docs/rules.md`, "Opening procedures".
"""

from typing import Final

from firmware_host.board import BLACK, TENGEN, Colour
from firmware_host.referee.entries import Entry
from firmware_host.referee.procedures import SHAPE, SQUARES
from firmware_host.referee.state import Match, lapsed
from firmware_host.rules import TOUCHING, opening_of

PLACES: Final = ("first-not-tengen", "not-an-opening")
"""What is found about the place of a stone, and is gone when it lies elsewhere."""


def settle(m: Match, colour: Colour) -> None:
    """What a side has played within the opening is complete: judge where its stones lie."""
    for entry in m.entries:
        if entry.colour is colour and entry.step is not None and not entry.judged and entry.kind == "stone":
            judge_place(m, entry)


def judge_place(m: Match, entry: Entry) -> None:
    """Judge whether a move of the opening lies where its step allows; name the opening after the third."""
    step = m.procedure.steps[entry.step or 0]
    if step.do != "move" or entry.point is None:
        return
    entry.judged = True
    if step.n == len(SHAPE):
        m.tell_opening()
    if entry.point in SQUARES[step.where]:
        return
    if step.where == "tengen":
        m.irregular("first-not-tengen", entry.colour, point=TENGEN, rest=entry.point, entry=entry)
    else:
        m.irregular("not-an-opening", entry.colour, point=entry.point, entry=entry)


def judge_set_up(m: Match, extra: Entry | None = None) -> None:
    """Judge the set-up that was laid last; `extra` is a stone too many. Off H8 nothing else is judged yet."""
    index = m.entries[-1].step or 0
    step = m.procedure.steps[index]
    stones = [e for e in m.entries if e.step == index]
    if step.where == "opening" and stones[0].point != TENGEN:
        m.irregular("first-not-tengen", BLACK, point=TENGEN, rest=stones[0].point, entry=stones[0])
    elif extra is not None:
        m.irregular("not-an-opening", step.side or BLACK, point=extra.point)
    elif step.where == "opening" and opening_of(m.position) is None:
        _, white, third = stones
        wrong = white if white.point not in TOUCHING else third
        m.irregular("not-an-opening", BLACK, point=wrong.point, entry=wrong)


def judge_again(m: Match, entry: Entry) -> None:
    """A correction put or found the stone of a move elsewhere: its place in the opening is judged again."""
    if entry.step is None:
        return
    for matter in m.matters:
        if matter.code in PLACES and matter.claimable and matter.entry and matter.entry.step == entry.step:
            matter.standing = "gone"
            m.tell(lapsed(m, matter, "arbiter"))
    if m.procedure.steps[entry.step].do != "set-up":
        judge_place(m, entry)
    elif m.entries[-1].step == entry.step:
        if len(m.entries) == len(SHAPE):
            m.tell_opening()
        judge_set_up(m)
