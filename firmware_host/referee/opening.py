"""The steps of an opening procedure: set-up, choice, offers, removal; each judged as a whole at the press.

While Black lays the set-up or the fifth offers, the stones are a `draft`: they come and go as Black likes,
and their order does not matter, unless the sensors tell no colour. Move 5 is an entry of kind `offers` from
Black's press until White has left one stone; moves after it are told when it is decided.
Source: competition rules 2.9, 2.10, 3.2, 6.1.1-6.1.3.
"""

from typing import Final

from firmware_host.board import BLACK, TENGEN, WHITE, Colour, Point
from firmware_host.referee import timing
from firmware_host.referee.board_watch import missing
from firmware_host.referee.ends import play_on
from firmware_host.referee.entries import Entry, position_of
from firmware_host.referee.procedures import Do
from firmware_host.referee.rulings import Kept, Offered, OpeningSet, Swapped, Unmoved
from firmware_host.referee.state import EMPTY, Match, other_seat
from firmware_host.rules import TOUCHING, offers_symmetric, opening_of

SET_UP: Final[tuple[Colour, ...]] = (BLACK, WHITE, BLACK)
"""The stones of an opening in the order of the moves; colourless sensors take them in this order."""


# -- the stones of a draft


def takes(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone belongs to the draft of the step at hand; else it is one of alternate play.

    While White has not pressed after move 4, what is not black is still White's.
    """
    if m.step.do == "set-up":
        return True
    if m.step.do != "offers":
        return False
    if colour is WHITE and m.awaited is BLACK:
        return False
    return colour is BLACK or not m.unpressed(WHITE)


def add_to_draft(m: Match, p: Point, colour: Colour | None, t_ns: int, since_ns: int | None = None) -> None:
    """One stone more in the draft; after a press without enough of them it may complete it."""
    if m.step.do == "offers":
        if colour is WHITE:
            white_among_offers(m, p, t_ns)
            return
        colour = BLACK
    elif colour is None:
        colour = next_of_set_up(m)
    timing.arrive(m, BLACK)
    last = Entry(colour, t_ns, point=p, first=p, since_ns=since_ns)
    m.draft.append(last)
    wanted = len(SET_UP) if m.step.do == "set-up" else m.offers_n or 1
    if m.awaited is not BLACK or len(m.draft) < wanted:
        return
    pressed_ns, clock = m.awaited_ns, m.awaited_clock
    m.awaited = None
    before = len(m.entries)
    at_press(m, BLACK)
    for entry in m.entries[before:]:
        entry.pressed = entry.credited = True
    if len(m.entries) > before and last.came_after(pressed_ns):
        m.irregular("clock-first", BLACK, point=p, entry=m.entries[-1], clock=clock)


def next_of_set_up(m: Match) -> Colour:
    """The colour of the next stone of a set-up, where the sensors tell none."""
    return SET_UP[min(len(m.draft), len(SET_UP) - 1)]


def white_among_offers(m: Match, p: Point, t_ns: int) -> None:
    """A white stone before Black's press: move 6 after a single offer, else a stone of the wrong colour."""
    if m.offers_n != 1 or len(m.draft) != 1:
        m.irregular("wrong-colour", BLACK, point=p)
        return
    at_press(m, BLACK)
    timing.arrive(m, WHITE)
    if play_on(m, WHITE):
        entry = Entry(WHITE, t_ns, point=p, first=p)
        m.append(entry)
        after_move(m, entry)


def draft_pushed(m: Match, laid: Entry, rest: Point) -> None:
    """A stone of the draft was pushed along: it counts where it lies at the press."""
    if m.position[rest] is None and drafted(m, rest) in (None, laid):
        laid.point = rest
    else:
        m.draft.remove(laid)


def drafted(m: Match, p: Point | None) -> Entry | None:
    """The stone of the draft on a point."""
    return next((e for e in m.draft if e.point == p and p is not None), None)


# -- judging


def at_press(m: Match, colour: Colour) -> None:
    """Judge the step that this side's press ends, if it does."""
    step = m.step
    if step.do == "set-up" and colour is BLACK:
        close_set_up(m)
    elif step.do == "offers" and colour is BLACK and m.to_move is BLACK:
        close_offers(m)
    elif m.removal_open and colour is WHITE:
        close_removal(m)


def set_up_given_back(m: Match, colour: Colour) -> bool:
    """White presses after a set-up that was pressed for and is not complete: the time is Black's again."""
    if m.step.do != "set-up" or colour is not WHITE:
        return False
    m.awaited = None
    return True


def close_set_up(m: Match) -> None:
    """The three stones are on the board: moves 1 to 3, judged as a whole. With fewer nothing happens."""
    blacks = [e for e in m.draft if e.colour is BLACK]
    whites = [e for e in m.draft if e.colour is WHITE]
    if len(blacks) < 2 or not whites:
        wrong = next((e for e in (*blacks[2:], *whites[1:])), None)
        if wrong is not None and len(m.draft) >= len(SET_UP):
            m.irregular("wrong-colour", BLACK, point=wrong.point)
        return
    first = next((e for e in blacks if e.point == TENGEN), blacks[0])
    third = next(e for e in blacks if e is not first)
    extra = [e for e in m.draft if e not in (first, third, whites[0])]
    m.draft = []
    for entry in (first, whites[0], third):
        entry.pressed = entry.credited = entry is not third
        entry.used_ms = None if entry is third else 0  # the set-up is one move for the clock, and told once
        m.append(entry)
    next_step(m)
    judge_set_up(m, extra[-1] if extra else None)


def judge_set_up(m: Match, extra: Entry | None = None) -> None:
    """Name the opening of moves 1 to 3; `extra` is a stone too many. Off H8 nothing else is judged yet."""
    first, white, third = m.entries[: len(SET_UP)]
    found = opening_of(m.position)
    m.tell(OpeningSet(t_ns=m.t_ns, name=found.code if found else None, offers=m.offers_n))
    if first.point != TENGEN:
        m.irregular("first-not-tengen", BLACK, point=TENGEN, rest=first.point, entry=first)
    elif extra is not None:
        m.irregular("not-an-opening", BLACK, point=extra.point)
    elif found is None:
        wrong = white if white.point not in TOUCHING else third
        m.irregular("not-an-opening", BLACK, point=wrong.point, entry=wrong)


def close_offers(m: Match) -> None:
    """The fifth stones are on the board: their number, and no two of the same shape [2.10]."""
    points = tuple(e.point for e in m.draft if e.point is not None)
    if not points:
        return
    four = m.position
    contact = min(e.contact_ns for e in m.draft)
    m.draft = []
    m.offers = points
    m.removal_open = True
    m.removal_judged = False
    m.missing_before = missing(m)
    m.fifth = Entry(BLACK, contact, kind="offers")
    m.append(m.fifth)
    next_step(m)
    m.tell(Offered(t_ns=m.t_ns, points=points))
    if (m.offers_n is not None and len(points) != m.offers_n) or offers_symmetric(four, points):
        m.irregular("offers-wrong", BLACK, entry=m.fifth)


def offers_left(m: Match) -> list[Point]:
    """The fifth stones that still lie on the board; a blind point keeps its stone until `remove`."""
    return [p for p in m.offers if m.sensed[p] in ("X", "?") and m.position[p] is not WHITE]


def offer_removed(m: Match) -> None:
    """White took a fifth stone away: with move 6 on the board and one offer left, move 5 is decided."""
    left = offers_left(m)
    if len(left) == 1 and after_fifth(m):
        decide_fifth(m, left[0])


def is_white_s(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone is played by White, who removes offers, and none that was taken up elsewhere."""
    return m.removal_open and colour is not BLACK


def after_fifth(m: Match) -> list[Entry]:
    """The moves after move 5."""
    return m.entries[m.entries.index(m.fifth) + 1 :] if m.fifth in m.entries and m.fifth else []


def decide_fifth(m: Match, p: Point) -> None:
    """Move 5 stands on `p`; the moves after it can be told."""
    fifth = m.fifth
    if fifth is None or fifth.point == p or m.position[p] is not None:
        return
    undecided = fifth.kind == "offers"
    fifth.kind, fifth.first = "stone", p
    m.restand(fifth, p)
    for entry in after_fifth(m) if undecided else []:
        m.tell_move(entry)


def close_removal(m: Match) -> None:
    """White presses, or Black plays on: all but one of the offers must be gone, and no other stone [2.10]."""
    left = offers_left(m)
    fifth = m.fifth
    if len(left) == 1:
        decide_fifth(m, left[0])
        m.removal_open = False
        m.offers = ()
    elif not after_fifth(m) and left == list(m.offers):
        return
    elif fifth is not None and fifth.kind == "offers":
        fifth.kind = "missing"
        for entry in (fifth, *after_fifth(m)):
            m.tell_move(entry)
    if (len(left) != 1 or missing(m) - m.missing_before) and not m.removal_judged:
        m.removal_judged = True
        m.irregular("wrong-removal", WHITE)


# -- moves and choices within a procedure


def before_move(m: Match, colour: Colour) -> None:
    """A move of alternate play is about to be entered: keeping, or the end of the removal by playing on."""
    if m.step.do == "choice" and colour is WHITE:
        keep(m)
    elif m.removal_open and colour is BLACK:
        close_removal(m)
        m.removal_open = False
        m.offers = ()


def after_move(m: Match, entry: Entry) -> None:
    """A move was entered: the step that it was is done."""
    if m.step.do == "offers" and entry.kind == "missing":
        m.step_index = len(m.procedure.steps) - 1
        return
    if m.step.do == "move" and entry.colour is m.step.side:
        next_step(m)
    elif m.removal_open and entry.colour is WHITE:
        offer_removed(m)
    if m.step.do == "removal" and entry.colour is WHITE:
        next_step(m)


def next_step(m: Match) -> None:
    """On to the next row of the procedure."""
    m.step_index += 1


def keep(m: Match) -> None:
    """White keeps the colours."""
    next_step(m)
    m.tell(Kept(t_ns=m.t_ns, side=WHITE))


def swap(m: Match) -> None:
    """The players trade colours: one move for the clock, and it is the new White's turn [2.1, 2.9]."""
    side = m.step.side or WHITE
    if not play_on(m, side):
        return
    timing.credit(m, side)
    swapper = m.player_of(side)
    next_step(m)
    m.black = m.black.other
    if m.settings.swap == "seats":
        m.seats = {player: other_seat(seat) for player, seat in m.seats.items()}
    m.tell(Swapped(t_ns=m.t_ns, black_seat=m.seats[m.player_of(BLACK)]))
    m.run(m.colour_of(swapper.other))


def declare_offers(m: Match, offers: int) -> None:
    """N is named, with the set-up or before the offers are judged."""
    m.offers_n = offers
    found = opening_of(position_of(m.entries[: len(SET_UP)]))
    m.tell(OpeningSet(t_ns=m.t_ns, name=found.code if found else None, offers=offers))


# -- put right after a correction


def draft_from_board(m: Match) -> None:
    """While Black sets up or offers, what lies on the board beside the record is the draft."""
    if m.step.do not in ("set-up", "offers") or m.to_move is not BLACK:
        return
    m.draft = [e for e in m.draft if e.point is not None and m.sensed[e.point] != EMPTY]
    for p, seen in enumerate(m.sensed):
        if seen == EMPTY or p in m.blind or m.position[p] is not None or drafted(m, p):
            continue
        colour = {"X": BLACK, "O": WHITE}.get(seen)
        if colour is None:
            colour = next_of_set_up(m) if m.step.do == "set-up" else BLACK
        if m.step.do == "set-up" or colour is BLACK:
            m.draft.append(Entry(colour, m.t_ns, point=p, first=p))


def back_to(m: Match, do: Do) -> None:
    """Back to a step of the procedure, with what lies on the board."""
    m.step_index = next(i for i, step in enumerate(m.procedure.steps) if step.do == do)
    m.removal_open = False
    m.offers = ()
    draft_from_board(m)


def reopen_removal(m: Match) -> None:
    """White has to press again after the removal; move 5 is open until then."""
    m.removal_judged = False
    fifth = m.fifth
    if fifth is not None and fifth.kind == "missing":
        m.tell(Unmoved(t_ns=m.t_ns, n=m.number(fifth)))
        fifth.kind = "offers"
    for entry in after_fifth(m):
        entry.pressed = False
