"""Stones and presses within an opening procedure, by the step at hand.

The stones of a set-up or of the fifth offers are judged as a whole at the press, other moves of the opening
there or when the opponent plays on. Move 5 is an entry of kind `offers` from Black's press until White has
left one stone; moves after it are told when it is decided.
Source: competition rules 2.1, 2.9, 2.10, 3.2, 6.1.1-6.1.3; `docs/rules.md`, "Opening procedures".
"""

from firmware_host.board import BLACK, WHITE, Colour, Point
from firmware_host.referee import removal, timing
from firmware_host.referee.draft import begins_draft, next_of_set_up, press_of, taken_up, wanted
from firmware_host.referee.ends import play_on
from firmware_host.referee.entries import Bare, Entry
from firmware_host.referee.offers import close_fifth, close_offers
from firmware_host.referee.places import settle
from firmware_host.referee.set_up import close_set_up, pressed_before
from firmware_host.referee.state import Match
from firmware_host.referee.steps import acts_on, after_move, before_move, choose


def add_to_draft(
    m: Match,
    p: Point,
    colour: Colour | None,
    t_ns: int,
    since_ns: int | None = None,
    *,
    first: Point | None = None,
) -> None:
    """One stone more in the draft, pushed there from `first`; it may complete what was pressed for."""
    side = m.step.side or BLACK
    if begins_draft(m, side, colour):
        (acts_on if m.step.undecided else before_move)(m, side)
        if not play_on(m, side):
            return
    if not m.step.stones:
        if colour is WHITE:
            white_among_offers(m, p, t_ns)
            return
        colour = BLACK
    elif colour is None:
        colour = next_of_set_up(m)
    if not m.step.undecided or colour is side:
        timing.arrive(m, side)
    last = Entry(colour, t_ns, point=p, first=p if first is None else first, since_ns=since_ns)
    m.draft = [*(e for e in m.draft if e.point != p), last]
    which = press_of(m, side, last)
    if which is None or len(m.draft) < wanted(m):
        return
    press = m.bare[which]
    if close_late(m, side, which) and last.came_after(press.t_ns):
        m.irregular("clock-first", side, point=p, entry=m.entries[-1], clock=press.clock)


def white_among_offers(m: Match, p: Point, t_ns: int) -> None:
    """A white stone before Black's press: move 6 after a single offer, else a stone of the wrong colour."""
    single = m.offers_n == 1 or m.step.do == "fifth"
    if not single or len(m.draft) != 1:
        m.irregular("wrong-colour", BLACK, point=p)
        return
    at_press(m, BLACK)
    timing.arrive(m, WHITE)
    before_move(m, WHITE)
    if play_on(m, WHITE):
        entry = Entry(WHITE, t_ns, point=p, first=p)
        m.append(entry)
        after_move(m, entry)


def undecided_stones(m: Match, *, presses: Colour | None = None) -> list[Entry]:
    """The stones of a choice that turn out to be moves of alternate play; so its side has kept.

    They are when another stone comes, or at a press (`presses`): the side's own after a single stone, the
    opponent's once he has laid one.
    """
    side = m.step.side
    if not m.step.undecided or not m.draft or (presses is not None and m.awaited is not None):
        return []
    lying = [e.colour for e in m.draft]
    if presses is side and lying != [side]:
        return []
    if presses is not None and presses is not side and presses not in lying:
        return []
    stones = taken_up(m)
    if side in lying:
        choose(m, m.step.choices[0])
    return stones


def close_late(m: Match, side: Colour, which: int = -1) -> bool:
    """The draft of a side that pressed too early stands as it lies; False if it is nothing yet.

    `which` of the presses without a stone was for it; those after it are of the moves that follow.
    """
    if not m.draft or m.bare[which].side is not side:
        return False
    bare, before = m.bare, len(m.entries)
    m.bare = []
    at_press(m, side)
    closed = pressed_before(m, before)
    m.bare = bare if not closed else bare[which + 1 :] if which >= 0 else []
    return closed


def at_press(m: Match, colour: Colour) -> None:
    """Judge the step that this side's press ends, if it does.

    A side that chooses and does not move next answers by its press: it keeps its colour.
    """
    settle(m, colour)
    step = m.step
    if m.put_right is not None and colour is (BLACK if m.put_right == "offers" else WHITE):
        m.put_right = None
    if m.removal_open and colour is WHITE:
        removal.close_removal(m)
    elif step.side is not colour:
        return
    elif step.do == "set-up":
        close_set_up(m)
    elif step.undecided and len(m.draft) == len(step.stones):
        choose(m, next(c for c in step.choices if c.does == "branch"))
        close_set_up(m)
    elif step.do == "choice" and m.to_move is not colour and m.awaited is None:
        choose(m, step.choices[0])
    elif m.to_move is colour and step.do == "offers":
        close_offers(m)
    elif m.to_move is colour and step.do == "fifth":
        close_fifth(m)


def given_back(m: Match, colour: Colour) -> bool:
    """The opponent presses after a draft that was pressed for and is not complete: the time goes back."""
    if colour is m.step.side or not (m.step.do == "set-up" or m.draft):
        return False
    m.bare.append(Bare(colour, m.t_ns, m.used_ms(m.player_of(colour)), m.clock))
    return True
