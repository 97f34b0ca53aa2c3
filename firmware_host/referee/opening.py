"""The steps of an opening procedure: set-up, choice, moves, offers, removal, by the rows of `procedures`.

While a side lays a set-up or the fifth offers, the stones are a `draft`: they come and go as it likes, and
their order does not matter, unless the sensors tell no colour; they are judged as a whole at the press. Other
moves of the opening are judged at the press, or when the opponent plays on. Move 5 is an entry of kind
`offers` from Black's press until White has left one stone; moves after it are told when it is decided.
Source: competition rules 2.1, 2.9, 2.10, 3.2, 6.1.1-6.1.3; `docs/rules.md`, "Opening procedures".
"""

from collections import Counter

from firmware_host.board import BLACK, TENGEN, WHITE, Colour, Point
from firmware_host.referee import fifths, timing
from firmware_host.referee.board_watch import missing, tell_differences
from firmware_host.referee.ends import play_on
from firmware_host.referee.entries import Entry, position_of
from firmware_host.referee.procedures import SHAPE, SQUARES, Choice, Do, Step
from firmware_host.referee.rulings import Chosen, Kept, Offered, OpeningSet, Swapped
from firmware_host.referee.state import EMPTY, Match, other_seat
from firmware_host.rules import TOUCHING, offers_symmetric, opening_of

# -- the stones of a draft


def draft_step(m: Match) -> Step | None:
    """The step whose draft a new stone may join: the one at hand, or the one that playing on leads to."""
    step = m.step
    if step.do == "choice" and not step.undecided:
        step = m.procedure.steps[m.procedure.after(m.step_index, step.choices[0])]
    return step if step.drafted or step.undecided else None


def takes(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone belongs to the draft of the step at hand; else it is one of alternate play.

    While White has not pressed after move 4, what is not black is still White's.
    """
    step = draft_step(m)
    if step is None:
        return False
    if step.do == "set-up":
        return not answers_set_up(m, colour)
    if step.undecided:
        return joins_undecided(m, colour)
    if m.step.do == "choice" and (colour is WHITE or BLACK not in (m.to_move, m.awaited)):
        return False
    if colour is WHITE and m.awaited is BLACK:
        return False
    return colour is BLACK or not m.unpressed(WHITE)


def answers_set_up(m: Match, colour: Colour | None) -> bool:
    """Whether a stone plays on over a set-up that was pressed for with a stone of the wrong colour [6.2]."""
    step = m.step
    if colour is not step.stones[-1].other or m.awaited is not step.side:
        return False
    lying = [e.colour for e in m.draft]
    return len(lying) >= len(step.stones) and lying.count(colour) >= step.stones.count(colour)


def joins_undecided(m: Match, colour: Colour | None) -> bool:
    """Whether a new stone may be one of those that say the branch of a choice: one of each colour can be."""
    if m.to_move is not m.step.side and not m.draft:
        return False
    lying = [e.colour for e in m.draft]
    return len(lying) < len(m.step.stones) and (colour or next_of_set_up(m)) not in lying


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


def taken_up(m: Match) -> list[Entry]:
    """The stones of the draft, which is empty then."""
    stones, m.draft = m.draft, []
    return stones


def begins_draft(m: Match, side: Colour, colour: Colour | None) -> bool:
    """Whether this stone is the first of the draft that surely is its side's: so it plays on."""
    if not m.step.undecided:
        return not m.draft
    return (colour or next_of_set_up(m)) is side


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
    if m.put_right == "offers" and m.offers_n is not None:
        close_put_right(m)
        return
    if m.awaited is not side or len(m.draft) < wanted(m):
        return
    pressed_ns, clock = m.awaited_ns, m.awaited_clock
    if close_late(m, side) and last.came_after(pressed_ns):
        m.irregular("clock-first", side, point=p, entry=m.entries[-1], clock=clock)


def close_late(m: Match, side: Colour) -> bool:
    """The draft of a side that pressed too early stands as it lies; False if it is nothing yet."""
    if not m.draft or m.awaited is not side:
        return False
    m.awaited = None
    before = len(m.entries)
    at_press(m, side)
    return pressed_before(m, before)


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


def wanted(m: Match) -> int:
    """How many stones complete the draft, as far as that is known."""
    return len(m.step.stones) or m.offers_n or 1


def next_of_set_up(m: Match) -> Colour:
    """The colour of the next stone of a set-up, where the sensors tell none: in the order of the moves."""
    stones = m.step.stones
    return stones[min(len(m.draft), len(stones) - 1)]


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
    """Judge the step that this side's press ends, if it does.

    A side that chooses and does not move next answers by its press: it keeps its colour.
    """
    settle(m, colour)
    step = m.step
    if m.put_right is not None and colour is (BLACK if m.put_right == "offers" else WHITE):
        m.put_right = None
    if m.removal_open and colour is WHITE:
        fifths.close_removal(m)
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
    m.awaited = None
    return True


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
        name_opening(m)
    judge_set_up(m, extra[-1] if extra else None)
    if extra:
        tell_differences(m)


def played_on_set_up(m: Match, colour: Colour) -> list[Entry]:
    """The stone that the opponent has laid after a set-up which nobody pressed for, at his press.

    His press closes the set-up that lies there; the press for it is still owed.
    """
    step, size = m.step, len(m.step.stones)
    if step.do != "set-up" or colour is step.side or colour is not step.stones[-1].other:
        return []
    if m.awaited is not None or len(m.draft) != size + 1:
        return []
    *laid, last = m.draft
    of_his = last.colour is colour or (last.point is not None and m.sensed[last.point] == "?")
    if not of_his or Counter(e.colour for e in laid) != Counter(step.stones):
        return []
    last.colour = colour
    m.draft = laid
    enter_set_up(m)
    return [last]


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


def name_opening(m: Match) -> None:
    """Tell the name of the first three stones, by their position, and N as far as it is known."""
    found = opening_of(position_of(m.entries[: len(SHAPE)]))
    m.tell(OpeningSet(t_ns=m.t_ns, name=found.code if found else None, offers=m.offers_n))


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
        name_opening(m)
    if entry.point in SQUARES[step.where]:
        return
    if step.where == "tengen":
        m.irregular("first-not-tengen", entry.colour, point=TENGEN, rest=entry.point, entry=entry)
    else:
        m.irregular("not-an-opening", entry.colour, point=entry.point, entry=entry)


def judge_again(m: Match, entry: Entry) -> None:
    """A correction put or found the stone of a move elsewhere: its place in the opening is judged again."""
    if entry.step is None:
        return
    if m.procedure.steps[entry.step].do != "set-up":
        judge_place(m, entry)
    elif m.entries[-1].step == entry.step:
        if len(m.entries) == len(SHAPE):
            name_opening(m)
        judge_set_up(m)


def close_fifth(m: Match) -> None:
    """Move 5 as the press finds it: one stone is the move, several are the offers."""
    if not m.draft:
        return
    one, ten = m.step.choices
    if len(m.draft) > 1:
        choose(m, ten)
        close_offers(m)
        return
    choose(m, one)
    settle(m, BLACK)


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
    m.fifth = Entry(BLACK, contact, kind="offers", step=m.step_index)
    m.append(m.fifth)
    next_step(m)
    m.tell(Offered(t_ns=m.t_ns, points=points))
    right = (None, len(points), len(points) + fifths.wrong_colours(m))
    if m.offers_n not in right or offers_symmetric(four, points):
        m.irregular("offers-wrong", BLACK, entry=m.fifth)


# -- moves and choices within a procedure


def waits_for_choice(m: Match) -> bool:
    """Whether a side has a choice to make before the other one may play its move: no stone is a move then."""
    return m.acts is not m.to_move


def acts_on(m: Match, colour: Colour) -> None:
    """The opponent's move is complete, and owes this side nothing more."""
    settle(m, colour.other)
    if m.owing is m.player_of(colour):
        m.owing = None


def before_move(m: Match, colour: Colour) -> None:
    """A side acts on: keeping by playing on, or the end of the removal; the opponent's move is complete."""
    acts_on(m, colour)
    if waits_for_choice(m) and colour is m.to_move:
        keep_unsaid(m)
    if m.step.do == "choice" and colour is m.step.side:
        choose(m, m.step.choices[0])
    elif m.removal_open and colour is BLACK:
        fifths.close_removal(m)
        left = [p for p in m.offers if m.sensed[p] != EMPTY and m.position[p] is None]
        m.removal_open = False
        m.offers = ()
        for p in left:
            m.told("differs", p, BLACK)


def after_move(m: Match, entry: Entry) -> None:
    """A move was entered: the step that it was is done."""
    step = m.step
    if step.drafted and step.do != "set-up" and entry.kind == "missing":
        m.step_index = len(m.procedure.steps) - 1
        return
    if m.removal_open and entry.colour is WHITE:
        fifths.offer_removed(m)
    if step.do in ("move", "removal") and entry.colour is step.side:
        entry.step = m.step_index
        next_step(m)
        if entry.pressed and entry.kind == "stone":
            judge_place(m, entry)


def next_step(m: Match) -> None:
    """On to the next row of the procedure; branches end where play is free."""
    to_step(m, m.step_index + 1)


def to_step(m: Match, index: int) -> None:
    """On to a step; who had to name N with the one before is remembered."""
    if m.step.declares and m.step.side is not None:
        m.declarer = m.player_of(m.step.side)
    m.step_index = index


def choose(m: Match, choice: Choice, *, pressed: bool = False) -> None:
    """The side whose choice it is makes it; `pressed`: a press that ended its turn has been counted already.

    A swap is one move for the clock, and to play on [2.1, 6.2]; so is any choice that ends the side's turn.
    """
    side = m.step.side or BLACK
    chooser = m.player_of(side)
    ends_turn = choice.does == "swap" or waits_for_choice(m)
    if ends_turn:
        settle(m, side.other)
        if not play_on(m, side):
            return
        if m.unpressed(side.other):
            m.owing = chooser.other
            timing.complete(m, side.other)
        if not pressed:
            timing.credit(m, side)
    to_step(m, m.procedure.after(m.step_index, choice))
    if choice.does == "keep":
        m.tell(Kept(t_ns=m.t_ns, side=side))
    elif choice.does == "branch":
        branch_off(m, side, choice)
    else:
        m.black = m.black.other
        if m.settings.swap == "seats":
            m.seats = {player: other_seat(seat) for player, seat in m.seats.items()}
        m.tell(Swapped(t_ns=m.t_ns, black_seat=m.seats[m.player_of(BLACK)]))
    if ends_turn:
        timing.hand_over(m)


def keep_unsaid(m: Match) -> None:
    """A side that chooses and does not move next has said nothing, and its opponent plays: it has kept.

    That is its move for the clock; its press is still owed, and it may still claim what lies there.
    """
    side = m.step.side or BLACK
    timing.credit(m, side)
    m.owing = m.player_of(side)
    to_step(m, m.procedure.after(m.step_index, m.step.choices[0]))
    m.tell(Kept(t_ns=m.t_ns, side=side))


def has_said(m: Match, side: Colour, branch: str | None) -> bool:
    """Whether the stones that this side laid last have said already that the opening goes on by a branch."""
    last = None if not m.entries else m.entries[-1].step
    if last is None or m.procedure.steps[last].side is not side:
        return False
    before = m.procedure.steps[last - 1].choices
    return any(c.name == branch and c.does == "branch" for c in before)


def branch_off(m: Match, side: Colour, choice: Choice) -> None:
    """The opening goes on by a branch; a fifth stone that lies there already is the move, if there is one."""
    m.tell(Chosen(t_ns=m.t_ns, side=side, branch=choice.name))
    if m.step.do == "offers":
        m.offers_n = m.procedure.most_offers
    elif m.step.do == "move" and m.draft:
        entry = m.draft[0]
        m.draft = []
        m.append(entry)
        after_move(m, entry)


def declares_n(m: Match, side: Colour) -> bool:
    """Whether the player of a side names N: who lays the set-up, or plays the move, that it comes with."""
    step = m.procedure.declaring
    if step is None or step.side is None:
        return False
    return (m.declarer or m.player_of(step.side)) is m.player_of(side)


def declare_offers(m: Match, offers: int) -> None:
    """N is named, with the set-up or before the offers are judged."""
    m.offers_n = offers
    name_opening(m)


# -- put right after a correction


def draft_from_board(m: Match) -> None:
    """While a side sets up or offers, what lies on the board beside the record is the draft."""
    if not m.drafting:
        return
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
    m.put_right = do
    draft_from_board(m)


def lay_again(m: Match) -> None:
    """A side puts right the colours of what it has laid: a set-up, or the offers."""
    if m.step.do == "set-up":
        m.draft = []
        m.awaited = None
        m.time_of = m.step.side
    elif m.removal_open and m.fifth is not None and m.fifth.kind == "offers":
        m.unmove(m.fifth)
        back_to(m, "offers")
        m.time_of = BLACK


def close_put_right(m: Match) -> None:
    """The clocks go on after a correction of offers or removal: if it is right, nobody need press again.

    Else it is the time of the side that has to put it right, and its press judges.
    """
    if m.put_right == "offers" and m.step.do == "offers" and fifths.offers_right(m):
        close_offers(m)
    elif (
        m.put_right == "removal"
        and m.removal_open
        and len(fifths.offers_left(m)) == 1
        and fifths.after_fifth(m)
    ):
        fifths.close_removal(m)
    else:
        return
    m.put_right = None
    for entry in m.entries[m.number(fifth) - 1 :] if (fifth := m.fifth) else []:
        entry.pressed = entry.credited = True
    timing.hand_over(m)
