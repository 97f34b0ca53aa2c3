"""The board as it is sensed, kept apart from the record, and the guide from one to the other.

`sensed` holds what lies where by all that the sensors have said. While the match is stopped no stone is a
move: changes are told, and while `guiding` the list of differences is shown until the board equals the
record, or is accepted as it is. Source: competition rules 4.2.
"""

from typing import Final

from firmware_host.board import BLACK, LETTERS, POINTS, SIZE, WHITE, Colour, Point
from firmware_host.referee.rulings import Differs, Restored
from firmware_host.referee.state import EMPTY, Match, lapsed
from firmware_host.sensing.events import (
    Adjusted,
    AnyBoardEvent,
    Cleared,
    Fault,
    FramesLost,
    Interference,
    Lifted,
    Placed,
    Scattered,
    Seen,
    Slid,
    Weak,
)

CHARS: Final[dict[Colour | None, str]] = {BLACK: "X", WHITE: "O", None: "?"}
COLOURS: Final[dict[str, Colour | str | None]] = {"X": BLACK, "O": WHITE, "?": "unknown", EMPTY: None}

Difference = tuple[Point, Colour | None, str | None]


def put(m: Match, p: Point, colour: Colour | None) -> str:
    """A stone lies on `p` now; what was there before as a character `.XO?`."""
    was = m.sensed[p]
    m.sensed[p] = CHARS[colour]
    m.tolerated.pop(p, None)
    m.astray.discard(p)
    return was


def take(m: Match, p: Point) -> str:
    """Nothing lies on `p` now; what was there before."""
    was = m.sensed[p]
    m.sensed[p] = EMPTY
    m.tolerated.pop(p, None)
    m.of_nobody.pop(p, None)
    m.stone_gone(p)
    return was


def slide(m: Match, path: tuple[Point, ...], colour: Colour | None) -> Point | None:
    """A stone went along `path`; the point where it lay before, None if it is new on the board."""
    where = next((p for p in reversed(path) if m.sensed[p] != EMPTY), None)
    if where is not None and where != path[-1]:
        m.went[path[-1]] = m.went.pop(where, where)
    for p in path[:-1]:
        take(m, p)
    put(m, path[-1], colour)
    return where


def differences(m: Match) -> tuple[Difference, ...]:
    """Where the board is not what the record holds: the point, the record's stone, what is seen.

    The stones of a set-up or of offers may lie there while they are laid, and offers go while White removes.
    """
    drafting = m.drafting
    blind = m.blind
    astray = offers_astray(m)
    laid = {(e.point, seen) for e in m.draft for seen in (CHARS[e.colour], CHARS[None])}
    found: list[Difference] = []
    for p, (cell, seen) in enumerate(zip(m.position.cells, m.sensed, strict=True)):
        expected = (None, BLACK, WHITE)[cell]
        if p in astray:
            expected = BLACK
        elif seen == (CHARS[expected] if cell else EMPTY) or (cell and seen == "?"):
            continue
        if not cell and drafting and p not in m.of_nobody and (seen != "O" or m.step.do == "set-up"):
            continue
        on_offer = p in m.offers and p not in astray
        if p in blind or m.tolerated.get(p) == seen or on_offer or (p, seen) in laid:
            continue
        found.append((p, expected, COLOURS[seen]))
    return tuple(found)


def judged_unseen(m: Match, since_ns: int | None) -> None:
    """Stones may have come since before a press that was judged: what it found of offers nobody can know."""
    for matter in m.matters:
        unknown = since_ns is not None and since_ns < matter.t_ns < m.t_ns
        if unknown and matter.code in ("offers-wrong", "wrong-removal") and matter.standing == "open":
            matter.standing = "gone"
            m.removal_judged = False
            m.tell(lapsed(m, matter, "arbiter"))


def offers_astray(m: Match) -> list[Point]:
    """Offers that are off their points and that White has not taken away."""
    return [p for p in m.offers if p in m.astray and m.sensed[p] == EMPTY and m.position[p] is not WHITE]


def to_settle(m: Match) -> tuple[Difference, ...]:
    """The differences but for stones out of turn that lie there: those are the opponent's to claim [6.2].

    Once it is that side's turn again, since its move was taken back, they are that no more.
    """
    out_of_turn = [e for e, _ in m.strays if e.colour is not m.to_move]
    strays = {(e.point, seen) for e in out_of_turn for seen in (e.colour, COLOURS["?"])}
    return tuple(found for found in differences(m) if (found[0], found[2]) not in strays)


def in_the_way(m: Match) -> tuple[Difference, ...]:
    """What has to be put right, or accepted, before the clocks go on.

    What differed already when they stopped hinders nobody, unless a guide has asked for it since.
    """
    found = to_settle(m)
    if m.before_stop is None:
        return found
    cells, sensed = m.before_stop
    return tuple(d for d in found if (cells[d[0]], sensed[d[0]]) != (m.position.cells[d[0]], m.sensed[d[0]]))


def missing(m: Match) -> set[Point]:
    """Points where a stone of the record should lie and none is seen."""
    return {p for p, recorded, seen in differences(m) if recorded is not None and seen is None}


def tell_differences(m: Match) -> None:
    """Tell, if there is one, each difference between board and record that was seen in the course of play."""
    found = differences(m)
    if found:
        m.tell(Differs(t_ns=m.t_ns, why="seen", points=found))


def show_differences(m: Match) -> None:
    """Tell the list of differences if it changed; the guide ends when it is empty."""
    if not m.guiding or m.unseen:
        return
    found = differences(m)
    if not in_the_way(m):
        forget_hands(m)
        m.guiding = False
        m.shown_differences = None
        m.tell(Restored(t_ns=m.t_ns, points=found, correction="whole" if m.to_correct else None))
    elif found != m.shown_differences:
        m.shown_differences = found
        m.tell(Differs(t_ns=m.t_ns, why=m.why, points=found))


def forget_hands(m: Match) -> None:
    """No stone is in a hand any more: what lies on the board is settled."""
    m.lifted.clear()
    m.put_down.clear()
    for entry in m.entries:
        entry.in_hand = False
    forget_gone(m)


def forget_gone(m: Match) -> None:
    """What does not lie there any more is no stone of the draft."""
    lying = (e for e in m.draft if e.point is not None)
    m.draft = [e for e in lying if m.sensed[e.point or 0] in (CHARS[e.colour], CHARS[None])]


def guide(m: Match, why: str, *, correcting: bool = False) -> None:
    """Stop the match and show what belongs where, until the board equals the record or is accepted.

    `correcting`: an irregular action was upheld, and how far it is put right is told at the end [6.3].
    """
    m.pause(why, guiding=True)
    m.before_stop = None
    m.shown_differences = None
    m.to_correct = to_settle(m) if correcting else ()
    show_differences(m)


def scattered(m: Match, event: Scattered) -> None:
    """Several stones moved at once: the clocks stand for the arbiter, and no stone is a move [4.2]."""
    swept = {p for p in event.points if m.removal_open and p in m.offers and m.sensed[p] != EMPTY}
    sense(m, event)
    m.astray |= swept
    guide(m, "scattered")


def seen(m: Match, event: Seen) -> None:
    """What lies on the board, told as a whole; never a move."""
    sense(m, event)
    m.unseen = False
    if m.guiding:
        show_differences(m)
    elif m.phase in ("playing", "stopped"):
        tell_differences(m)


def sense(m: Match, event: AnyBoardEvent) -> None:
    """Take over what an event says about the board, and nothing else."""
    match event:
        case Placed():
            put(m, event.point, event.colour)
        case Lifted():
            take(m, event.point)
        case Slid():
            slide(m, event.path, event.colour)
        case Scattered():
            for p in event.points:
                take(m, p)
        case Seen():
            told = zip(m.sensed, event.stones, strict=True)
            blind = m.blind
            m.sensed = [old if p in blind else new for p, (old, new) in enumerate(told)]
            m.tolerated = {p: what for p, what in m.tolerated.items() if m.sensed[p] == what}
            m.astray = {p for p in m.astray if m.sensed[p] == EMPTY}
        case _:
            pass


def watch(m: Match, event: AnyBoardEvent) -> None:
    """An event of the board while the match is stopped: no move; told, or shown by the guide."""
    sense(m, event)
    if m.guiding:
        show_differences(m)
    elif not isinstance(event, Adjusted):
        m.told("board-while-stopped", getattr(event, "point", None), getattr(event, "colour", None))


def before_start(m: Match, event: AnyBoardEvent) -> None:
    """An event of the board before the round: told, and no move."""
    sense(m, event)
    if isinstance(event, Placed):
        m.told("before-start", event.point, event.colour)


def points_of(point: Point | None, line: str | None) -> list[Point]:
    """The points of a fault: one, or a rank `1`..`15`, or a file `A`..`O`."""
    if point is not None:
        return [point]
    if line is None:
        return []
    if line in LETTERS:
        return list(range(LETTERS.index(line), POINTS, SIZE))
    first = (int(line) - 1) * SIZE
    return list(range(first, first + SIZE))


def fault(m: Match, event: Fault) -> None:
    """Sensors cannot be trusted: told, and the game goes on with manual entry for them."""
    m.faulty.update(points_of(event.point, event.line))
    m.tell_fault(
        "fault", event.point, event.kind if event.line is None else f"{event.kind} line {event.line}"
    )
    show_differences(m)


def cleared(m: Match, event: Cleared) -> None:
    """A fault or the field from outside is over."""
    if event.point is None and event.line is None:
        m.interference = False
    m.faulty.difference_update(points_of(event.point, event.line))
    m.tell_fault("cleared", event.point, None if event.line is None else f"line {event.line}")
    show_differences(m)


def interference(m: Match, _event: Interference) -> None:
    """A field from outside: told; sensing decides nothing under it."""
    m.interference = True
    m.tell_fault("interference", None, None)


def weak(m: Match, event: Weak) -> None:
    """A weak magnet: the stone counts, and the arbiter is told."""
    m.weak.add(event.point)
    m.tell_fault("weak", event.point, None)


def frames_lost(m: Match, event: FramesLost) -> None:
    """Frames are missing: told."""
    m.tell_fault("frames-lost", None, str(event.count))
