"""Stones and presses in alternate play. Every function rules on one event of the board or one press.

Source: competition rules 2.1, 4.1, 4.2, 6.1; `docs/rules.md`, "The course of a game".
"""

from typing import Final

from firmware_host.board import BLACK, WHITE, Colour, Point
from firmware_host.clock import MS
from firmware_host.referee import board_watch, draft, opening, removal, set_up, steps, strays, timing
from firmware_host.referee.board_watch import CHARS, forget_gone, put, slide, take, tell_differences
from firmware_host.referee.ends import judge, play_on, taken_back
from firmware_host.referee.entries import Bare, Entry
from firmware_host.referee.inputs import Seat
from firmware_host.referee.rulings import Pressed, PressWithoutStone
from firmware_host.referee.state import EMPTY, Match
from firmware_host.sensing.events import Adjusted, Lifted, Placed, Seen, Slid

IN_HAND_NS: Final = 5_000 * MS
"""A stone of the record that is put elsewhere has been in the hand for no longer than this."""


def placed(m: Match, event: Placed) -> None:
    """A stone came down: a move, a stone put back or put elsewhere, or one that should not be there."""
    p = event.point
    board_watch.judged_unseen(m, event.since_ns)
    was = put(m, p, event.colour)
    if m.removal_open and p in m.offers and event.colour is not WHITE:
        if event.colour is None and was == EMPTY:
            m.put_down.append(Entry(WHITE, event.t_ns, point=p, first=p, since_ns=event.since_ns))
        return
    if was != EMPTY:
        if event.colour is not None and event.colour is m.position[p]:
            m.stone_gone(p)
        elif event.colour is not None and was not in ("?", CHARS[event.colour]):
            m.irregular("occupied", event.colour, point=p)
        return
    recorded = m.position[p]
    if recorded is not None:
        entry = m.entry_at(p)
        if entry is not None:
            entry.in_hand = False
        m.lifted.pop(p, None)
        m.told("put-back" if event.colour in (None, recorded) else "differs", p, event.colour)
        return
    if draft.takes(m, event.colour):
        opening.add_to_draft(m, p, event.colour, event.t_ns, event.since_ns)
        return
    colour = event.colour or belongs(m)
    own = (e for e in reversed(m.entries) if e.in_hand and e.colour is colour)
    held = next((e for e in own if just_played(m, e)), None)
    if held is not None:
        replaced(m, held, p)
    elif removal.is_white_s(m, event.colour) or not put_elsewhere(m, event):
        stone(m, colour, p, p, event.t_ns, since_ns=event.since_ns)


def seen(m: Match, event: Seen) -> None:
    """What lies on the board, told as a whole: no move, but of a draft it says what belongs to it."""
    board_watch.seen(m, event)
    strays.keep_true(m)
    forget_gone(m)
    draft.from_board(m)


def just_played(m: Match, entry: Entry) -> bool:
    """Whether what its mover does to the stone is still part of the move: not once it was answered."""
    return entry.touchable and all(later.colour is entry.colour for later in m.entries[m.number(entry) :])


def belongs(m: Match) -> Colour:
    """Whose a stone is where the sensors tell no colour: of the side that has yet to press, or is to move.

    After a press without a stone the next stone is still the presser's.
    """
    if m.awaited is not None:
        return m.awaited
    owing = next((e.colour for e in reversed(m.entries) if not e.pressed), None)
    return owing or m.to_move


def put_elsewhere(m: Match, event: Placed) -> bool:
    """Whether the stone was taken up elsewhere just before: it has moved, and is no move [4.2].

    Unless no other stone follows in this turn: then it was the move after all (`played_after_all`).
    """
    for q, since_ns in sorted(m.lifted.items()):
        offered = removal.on_offer(m, q)
        held = BLACK if offered else m.position[q]
        if held is None or m.sensed[q] != EMPTY or q in m.blind or event.colour not in (None, held):
            continue
        if event.t_ns - since_ns <= IN_HAND_NS:
            del m.lifted[q]
            m.went[event.point] = m.went.pop(q, q)
            p, colour = event.point, event.colour or belongs(m)
            m.put_down.append(Entry(colour, event.t_ns, point=p, first=p, since_ns=event.since_ns))
            m.astray.update([q] if offered else ())
            m.told("moved", q, held, rest=p)
            return True
    return False


def played_after_all(m: Match, colour: Colour) -> None:
    """The turn of a side is over and no other stone was seen: what seemed a stone put elsewhere was its move.

    The stone that is off its point is told again, as a difference. A stone without colour on the point of an
    offer that White took away is White's move if it leaves one offer, else the offer put back.
    """
    found = next((e for e in reversed(m.put_down) if e.colour is colour), None)
    if found is None or found.point is None or m.to_move is not colour:
        return
    if found.point in m.offers and len(removal.offers_left(m)) != 2:
        return
    stone(m, colour, found.point, found.point, found.contact_ns, since_ns=found.since_ns)
    tell_differences(m)


def stone(
    m: Match,
    colour: Colour,
    first: Point,
    rest: Point,
    contact_ns: int,
    *,
    since_ns: int | None = None,
    entered: bool = False,
) -> None:
    """A new stone of a side touched `first` at `contact_ns` and rests on `rest`, which the record has free.

    `since_ns`: it may have been there ever since. `entered`: the arbiter says so, and when the stone came is
    not known.
    """
    timing.arrive(m, colour)
    play_undecided(m)
    entry = Entry(colour, contact_ns, point=rest, first=first, since_ns=since_ns)
    if colour is not m.to_move and m.awaited is None and not m.unpressed(colour):
        played_after_all(m, m.to_move)
    press = draft.press_of(m, colour, entry)
    if press is not None:
        late_stone(m, entry, press, entered=entered)
    elif colour is m.to_move:
        leave_open(m)
        if draft.takes(m, colour):
            opening.add_to_draft(m, rest, colour, contact_ns, since_ns)
            return
        steps.before_move(m, colour)
        if not play_on(m, colour, contact_ns):
            return
        m.append(entry)
    elif m.unpressed(colour):
        entry.credited = True
        m.append(entry)
        m.irregular("double-move", colour, point=rest, entry=entry)
    else:
        matter = m.irregular("out-of-turn", colour, point=rest, clock=m.clock.at(m.t_ns))
        entry.pressed = entry.credited = True
        m.strays.append((entry, matter))
        return
    if m.phase == "over":
        return
    if first != rest:
        m.irregular("slide", colour, point=first, rest=rest, entry=entry, t_ns=contact_ns)
    judge(m, entry)
    if m.phase == "playing" or m.phase == "stopped":
        steps.after_move(m, entry)


def play_undecided(m: Match, *, presses: Colour | None = None) -> None:
    """What lay there as a choice without a word was alternate play, if this stone or press shows it."""
    play_stones(m, opening.undecided_stones(m, presses=presses))


def play_stones(m: Match, stones: list[Entry]) -> None:
    """Stones that were a draft are moves of alternate play, in the order in which they came."""
    for e in stones:
        p = e.point if e.point is not None else -1
        stone(m, e.colour, p if e.first is None else e.first, p, e.contact_ns, since_ns=e.since_ns)


def late_stone(m: Match, entry: Entry, which: int, *, entered: bool) -> None:
    """The stone of a side that has pressed already: it is the move; `clock-first` if it surely came after.

    The presses after that one are those of the moves that follow.
    """
    entry.pressed = entry.credited = entry.spare = True
    press, after = m.bare[which], m.bare[which + 1 :]
    entry.used_ms, entry.press = press.used_ms, press
    m.bare.clear()
    steps.before_move(m, entry.colour)
    if not play_on(m, entry.colour, entry.contact_ns):
        return
    m.append(entry)
    m.bare = after
    n = m.number(entry)
    if press.n < n:
        timing.credit(m, entry.colour, n)
    tell_press(m, entry.colour, press.t_ns, n, entry.used_ms)
    if not entered and entry.came_after(press.t_ns):
        m.irregular("clock-first", entry.colour, point=entry.point, entry=entry, clock=press.clock)


def leave_open(m: Match) -> None:
    """The opponent acts while a stone was awaited: its move stays an open entry that `place` can fill."""
    side = m.awaited
    if side is not None and not opening.close_late(m, side) and not set_up.stands_as_laid(m):
        press = m.bare[-1]
        m.bare.clear()
        steps.before_move(m, side)
        entry = Entry(side, press.t_ns, kind="missing", pressed=True, credited=True, used_ms=press.used_ms)
        m.append(entry)
        m.told("missing-stone", side=side)
        steps.after_move(m, entry)


def lifted(m: Match, event: Lifted) -> None:
    """A stone was taken up: an offer, one out of turn, the mover's own, or one that should have stayed."""
    p = event.point
    take(m, p)
    m.put_down = [e for e in m.put_down if e.point != p]
    laid = draft.stone_at(m, p)
    if laid is not None:
        m.draft.remove(laid)
        return
    if removal.taken_up(m, p, event.t_ns) or strays.keep_true(m):
        return
    entry = m.entry_at(p)
    if entry is not None:
        entry.in_hand = just_played(m, entry)
        m.lifted[p] = event.t_ns
        m.told("lifted", p, entry.colour)


def replaced(m: Match, entry: Entry, p: Point) -> None:
    """The stone just played was put down on another point before its mover's press."""
    if entry.point is not None:
        m.lifted.pop(entry.point, None)
    entry.in_hand = False
    stands_on(m, entry, p, "replace", m.t_ns)


def slid(m: Match, event: Slid) -> None:
    """A stone was pushed along the board."""
    first, rest = event.path[0], event.path[-1]
    where = slide(m, event.path, event.colour)
    laid = draft.stone_at(m, where)
    if laid is not None:
        draft.pushed(m, laid, rest)
        return
    if where is None:
        if m.position[rest] is None and draft.takes(m, event.colour):
            opening.add_to_draft(m, rest, event.colour, event.first_contact_ns, first=first)
        elif m.position[rest] is None:
            stone(m, event.colour or belongs(m), first, rest, event.first_contact_ns)
        else:
            m.told("differs", rest, event.colour)
        return
    entry = m.entry_at(where)
    if entry is not None and just_played(m, entry) and (rest == where or m.position[rest] is None):
        stands_on(m, entry, rest, "slide", event.first_contact_ns)
        return
    for stray, matter in m.strays:
        if stray.point == where:
            stray.point = rest
            m.rests(matter, rest)
            return
    if rest != where and removal.on_offer(m, where):
        m.astray.add(where)
    m.told("moved", where, event.colour, rest=rest)


def stands_on(m: Match, entry: Entry, p: Point, code: str, t_ns: int) -> None:
    """The stone just played rests elsewhere now: irregular once, with the point that it touched first."""
    if p == entry.point:
        return
    m.restand(entry, p)
    known = next((x for x in m.matters if x.entry is entry and x.code == code and x.claimable), None)
    if known is not None:
        m.rests(known, p)
    elif p != entry.first:
        m.irregular(code, entry.colour, point=entry.first, rest=p, entry=entry, t_ns=t_ns)
    judge(m, entry)


def adjusted(m: Match, event: Adjusted) -> None:
    """A stone was straightened: irregular on the other's time [6.1.10], as far as readings can be trusted."""
    entry = m.entry_at(event.point)
    if entry is None or m.time_of is not entry.colour.other or m.interference or event.point in m.weak:
        return
    if not any(x.code == "bad-adjust" and x.point == event.point and x.claimable for x in m.matters):
        m.irregular("bad-adjust", entry.colour, point=event.point)


def press(m: Match, seat: Seat) -> None:
    """A clock key: what was played is complete, and time goes to the side to move."""
    colour = m.colour_at(seat)
    ran = m.time_of is colour
    m.pressed_ns[m.player_of(colour)] = m.t_ns
    timing.arrive(m, colour)
    taken_back(m, colour)
    if m.time_of is colour:
        played_after_all(m, colour)
        if m.phase == "over":
            return
    play_stones(m, set_up.played_on_set_up(m, colour))
    play_undecided(m, presses=colour)
    opening.at_press(m, colour)
    player = m.player_of(colour)
    used_ms = m.used_ms(player)
    n = None
    if m.unpressed(colour):
        n = set_up.last_laid_with(m, timing.complete(m, colour)[-1])
        if m.time_of is colour:
            timing.hand_over(m)
    elif not ran and not (m.absent and m.to_move is colour):
        press_again(m, colour)
        return
    elif opening.given_back(m, colour):
        m.run(m.acts)
    elif m.owing is player and m.to_move is colour:
        m.owing = None
        m.told("press-again", side=colour)
        return
    elif m.to_move is colour:
        press_without_stone(m, colour)
        return
    else:
        timing.hand_over(m)
    tell_press(m, colour, m.t_ns, n, used_ms if n else None)


def tell_press(m: Match, colour: Colour, t_ns: int, n: int | None, used_ms: int | None) -> None:
    """Tell which move a press completed, and the times as they are."""
    m.tell(
        Pressed(
            t_ns=t_ns,
            side=colour,
            running=m.time_of,
            n=n,
            used_ms=used_ms,
            remaining_ms=timing.remaining_ms(m),
        )
    )


def press_again(m: Match, colour: Colour) -> None:
    """A press of a side whose clock stands and that owes none: out of turn, unless it has just played.

    Who pressed without a stone has not, until the stone is seen.
    """
    last = m.entries[-1] if m.entries else None
    answered = m.step.undecided and bool(m.draft)
    if last is not None and colour in (last.colour, set_up.laid_by(m, last)) and not answered:
        last.spare = False
        m.told("press-again", side=colour)
    else:
        m.irregular("out-of-turn", colour, clock=m.clock.at(m.t_ns))


def press_without_stone(m: Match, colour: Colour) -> None:
    """Nothing was seen since this side's turn began: the clocks change, and the stone is awaited.

    Right after such a press of the opponent it only gives the time back to him: neither has moved.
    """
    m.put_down.clear()
    m.tell(PressWithoutStone(t_ns=m.t_ns, audience="arbiter", side=colour))
    used_ms, n = m.used_ms(m.player_of(colour)), 0
    if m.awaited is None:
        n = len(m.entries) + (len(m.step.stones) or 1)
        timing.credit(m, colour, n)
    m.bare.append(Bare(colour, m.t_ns, used_ms, m.clock, n))
    timing.hand_over(m)
    m.bare[-1] = m.bare[-1]._replace(clock=m.clock)
