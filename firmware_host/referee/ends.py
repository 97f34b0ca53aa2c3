"""What a stone does to the game: five, a forbidden move, a full board; and what playing on lets lapse.

Source: competition rules 2.19, 6.2; general rules 5 and 6; `docs/rules.md`, "The course of a game".
"""

from collections.abc import Iterator
from typing import Literal

from firmware_host.board import BLACK, WHITE, Colour, Point, Position
from firmware_host.referee.entries import Entry
from firmware_host.referee.irregular import Matter
from firmware_host.referee.state import EMPTY, Match, lapsed
from firmware_host.rules import five_line, forbidden_at


def five_of(m: Match, p: Point, position: Position | None = None) -> tuple[Point, ...] | None:
    """The winning row through a stone of the record, or of an earlier position, by this match's rules."""
    mode: Literal["exact", "wins"] | None = None
    if m.settings.forbidden == "off":
        mode = "wins" if m.settings.overline == "wins" else "exact"
    return five_line(position or m.position, p, overline=mode)


def fives(m: Match) -> Iterator[tuple[Entry, tuple[Point, ...]]]:
    """Each move that made a winning row when it was played, in order, with that row."""
    stones: dict[Point, Colour] = {}
    for entry in m.entries:
        if entry.point is not None:
            stones[entry.point] = entry.colour
            line = five_of(m, entry.point, Position.from_stones(stones))
            if line is not None:
                yield entry, line


def judge(m: Match, entry: Entry) -> None:
    """Judge the stone of a move where it rests: a five, a forbidden move, a full board."""
    if entry.kind != "stone" or entry.point is None or m.phase == "over":
        return
    if five_of(m, entry.point) is None and entry.colour is BLACK and m.settings.forbidden != "off":
        kind = forbidden_at(m.position.take(entry.point), entry.point)
        if kind is not None:
            m.forbidden(entry, kind)
            if m.settings.forbidden == "automatic":
                m.end("forbidden", WHITE)
            return
    ends(m, entry)


def ends(m: Match, entry: Entry) -> None:
    """End the game if the stone of a move ends it and nothing about that stone can still be claimed.

    A five under a claimable irregular action waits until that is waived or has lapsed; so does a full board.
    """
    if entry.point is None or m.phase == "over" or any(x.entry is entry and x.claimable for x in m.matters):
        return
    line = five_of(m, entry.point)
    if line is not None:
        if m.settings.five == "ends":
            m.end("five", entry.colour, line=line)
    elif 0 not in m.position.cells:
        m.end("full-board", None)


def play_on(m: Match, colour: Colour) -> bool:
    """A side acts on: what its opponent did can no longer be claimed. False if that has ended the game.

    To play on is the first contact of one's next stone, a pass or a swap [competition rules 6.2].
    """
    m.refuse_draw(colour)
    if m.opening_lies:
        m.tell_opening("public")
    taken_back(m, colour.other)
    offender = m.player_of(colour.other)
    for matter in list(m.matters):
        if matter.player is not offender or matter.standing != "open":
            continue
        if matter.kind == "overline" and m.settings.overline_claim == "any-time":
            continue
        matter.standing = "lapsed"
        m.tell(lapsed(m, matter))
        m.reveal(matter, "lapsed")
        accepted(m, matter)
        if m.phase == "over":
            return False
    return True


def taken_back(m: Match, colour: Colour) -> None:
    """A second stone that its side took away again before its press is no move; it stays found."""
    last = m.entries[-1] if m.entries else None
    if last is None or last.point is None or last.colour is not colour or last.pressed:
        return
    second = any(x.code == "double-move" and x.entry is last and x.claimable for x in m.matters)
    if second and m.sensed[last.point] == EMPTY and last.point not in m.blind:
        p = last.point
        m.lifted.pop(p, None)
        m.unmove(last)
        m.told("taken-back", p, colour)


def stray_gone(m: Match, p: Point) -> Entry | None:
    """The stone out of turn on a point is gone, if one lay there: no time runs on its account now [4.1]."""
    for stray, matter in m.strays:
        if stray.point == p:
            m.strays.remove((stray, matter))
            matter.until = m.clock.at(m.t_ns)
            return stray
    return None


def accepted(m: Match, matter: Matter) -> None:
    """What was irregular stands from now on: a stone out of turn becomes a move, a five counts."""
    entry = matter.entry
    for stray in m.strays:
        if stray[1] is matter:
            m.strays.remove(stray)
            if stray[0].point is not None and m.position[stray[0].point] is None:
                m.append(stray[0])
                judge(m, stray[0])
            return
    if entry in m.entries and entry is not None:
        ends(m, entry)
