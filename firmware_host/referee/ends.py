"""What a stone does to the game: five, a forbidden move, a full board; and what playing on lets lapse.

Source: competition rules 2.19, 6.2; general rules 5 and 6; `docs/rules.md`, "The course of a game".
"""

from collections.abc import Iterator
from typing import Literal

from firmware_host.board import BLACK, WHITE, Colour, Point, Position
from firmware_host.clock import Player
from firmware_host.referee import strays
from firmware_host.referee.entries import Entry, position_of
from firmware_host.referee.irregular import Matter
from firmware_host.referee.rulings import ForbiddenKind
from firmware_host.referee.state import EMPTY, Match, lapsed
from firmware_host.rules import five_line, forbidden_at


def five_of(m: Match, p: Point, position: Position | None = None) -> tuple[Point, ...] | None:
    """The winning row through a stone of the record, or of an earlier position, by this match's rules."""
    mode: Literal["exact", "wins"] | None = None
    if m.settings.forbidden == "off":
        mode = "wins" if m.settings.overline == "wins" else "exact"
    return five_line(position or m.position, p, overline=mode)


def board_after(m: Match, entry: Entry) -> Position:
    """The stones of the record up to a move, where they rest: what came later has made nothing of it."""
    return position_of(m.entries[: m.number(entry)])


def row_made(m: Match, entry: Entry) -> tuple[Point, ...] | None:
    """The winning row that the stone of a move made when it was played."""
    return None if entry.point is None else five_of(m, entry.point, board_after(m, entry))


def made(m: Match, entry: Entry) -> tuple[Point, ...] | ForbiddenKind | None:
    """What the stone of a move was when it was played: a winning row, a forbidden move, or neither."""
    line = row_made(m, entry)
    if line is None and entry.point is not None and entry.colour is BLACK and m.settings.forbidden != "off":
        return forbidden_at(board_after(m, entry).take(entry.point), entry.point)
    return line


def fives(m: Match) -> Iterator[tuple[Entry, tuple[Point, ...]]]:
    """Each move that made a winning row when it was played, in order, with that row."""
    for entry in m.entries:
        line = row_made(m, entry)
        if line is not None:
            yield entry, line


def judge(m: Match, entry: Entry) -> None:
    """Judge the stone of a move where it rests, and those after it: fives, forbidden moves, a full board."""
    for move in m.entries[m.number(entry) - 1 :]:
        if m.phase == "over":
            return
        what = made(m, move)
        if isinstance(what, str):
            judge_forbidden(m, move, what)
        else:
            m.withdraw(move)
            ends(m, move)


def judge_forbidden(m: Match, move: Entry, kind: ForbiddenKind) -> None:
    """Black's move is forbidden: to be claimed at once; what White has played on over has lapsed for good."""
    known = [x for x in m.matters if x.entry is move and x.kind and x.standing != "gone"]
    if any(x.kind == kind or not x.claimable for x in known):
        return
    m.withdraw(move)
    matter = m.forbidden(move, kind)
    if played_on_since(m, matter.player, move.contact_ns):
        lapse(m, matter)
    elif m.settings.forbidden == "automatic":
        m.end("forbidden", WHITE)


def ends(m: Match, entry: Entry) -> None:
    """End the game if the stone of a move ends it and nothing about that stone can still be claimed.

    A five under a claimable irregular action waits until that is waived or has lapsed; so does a full board,
    and one with a five that nobody has claimed yet [1.2].
    """
    if entry.point is None or m.phase == "over" or any(x.entry is entry and x.claimable for x in m.matters):
        return
    line = row_made(m, entry)
    if line is not None:
        if m.settings.five == "ends":
            m.end("five", entry.colour, line=line)
    elif 0 not in m.position.cells and entry is m.entries[-1] and not any(fives(m)):
        m.end("full-board", None)


def play_on(m: Match, colour: Colour, at_ns: int | None = None) -> bool:
    """A side acts on: what its opponent did can no longer be claimed. False if that has ended the game.

    To play on is the first contact of one's next stone, at `at_ns` (None: now), a pass or a swap
    [competition rules 6.2].
    """
    m.refuse_draw(colour)
    if m.opening_lies:
        m.tell_opening("public")
    taken_back(m, colour.other)
    m.played_on_ns[m.player_of(colour)] = m.t_ns if at_ns is None else at_ns
    return accepts(m, colour, m.t_ns)


def accepts(m: Match, colour: Colour, until_ns: int) -> bool:
    """A side has accepted what its opponent did until then. False if that has ended the game."""
    offender = m.player_of(colour.other)
    for matter in list(m.matters):
        claimable = matter.player is offender and matter.standing == "open" and matter.t_ns <= until_ns
        if claimable and lapse(m, matter):
            accepted(m, matter)
        if m.phase == "over":
            return False
    return True


def played_on_since(m: Match, player: Player, t_ns: int) -> bool:
    """Whether the opponent of a player has played on since an instant."""
    return m.played_on_ns[player.other] > t_ns


def lapse(m: Match, matter: Matter) -> bool:
    """The opponent has played on: it can no longer be claimed. False for an overline where that is agreed."""
    if matter.kind == "overline" and m.settings.overline_claim == "any-time":
        return False
    matter.standing = "lapsed"
    m.tell(lapsed(m, matter))
    m.reveal(matter, "lapsed")
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


def accepted(m: Match, matter: Matter) -> None:
    """What was irregular stands from now on: a stone out of turn becomes a move, a five counts."""
    strays.keep_true(m)
    if matter.code == "wrong-removal":
        m.leave_fifth_open()
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
