"""Commands about the round, the opening, and what players say. Every function answers one command.

Source: competition rules 2.9, 2.21, 8.4, 8.8; `docs/rules.md`, sections 4 and 6.
"""

from typing import Final

from firmware_host.board import BLACK, WHITE, Colour, point_name
from firmware_host.referee import claims, correction, draft, next_act, offers, opening, set_up, steps, timing
from firmware_host.referee.board_watch import differences, in_the_way
from firmware_host.referee.ends import play_on
from firmware_host.referee.entries import Entry
from firmware_host.referee.inputs import Command
from firmware_host.referee.play import leave_open, play_stones
from firmware_host.referee.procedures import offers_allowed, offers_range
from firmware_host.referee.rulings import Called, DrawOffer, Started, Told
from firmware_host.referee.state import Match

EARLIEST_PASS: Final = 6
"""The first move that may be a pass [2.21]."""


# -- the round


def start(m: Match, given: Command) -> None:
    """The round begins: Black's clock, or the clock of the player who is not there [8.4, 8.5].

    Where both are absent the clock of `side`, Black's without it.
    """
    m.absent |= {m.player_of(side) for side in Colour if given.absent in (side, "both")}
    m.phase = "playing"
    m.started_ns = m.t_ns
    m.clock = m.clock.at(m.t_ns)
    m.stopped_before_ns = m.clock.stopped_ns
    m.tell(Started(t_ns=m.t_ns))
    away = {m.colour_of(player) for player in m.absent}
    both = away == set(Colour)
    m.run(WHITE if away == {WHITE} or (both and given.side is WHITE) else BLACK)
    draft.from_board(m)
    if differences(m):
        m.told("stones-at-start")


def pause(m: Match, _given: Command) -> None:
    """The arbiter stops the clocks."""
    m.pause("arbiter")


def adjourn(m: Match, _given: Command) -> None:
    """The game is broken off, to be resumed later."""
    m.pause("adjourned")


def resume(m: Match, given: Command) -> None:
    """The clocks go on, if nothing is in the way; a claim of what was not found is rejected."""
    why = cannot_resume(m)
    if why is not None:
        m.refuse(given, why)
        return
    if m.claim is not None:
        claims.reject(m, Command(t_ns=m.t_ns, do="reject", by=given.by))
    if m.phase == "stopped":
        correction.go_on(m)


def cannot_resume(m: Match) -> str | None:
    """Why the clocks cannot go on, for a claim that needs an answer or for the board; None if they can."""
    if m.claim is not None and not claims.hollow(m):
        return f"{m.claim.side} has claimed {m.claim.code}: uphold, reject or waive that first"
    if m.unseen:
        return "the board has not been seen since the restart: wait for it, or accept the board"
    if found := in_the_way(m):
        names = ", ".join(point_name(p) for p, _, _ in found[:8])
        return f"the board differs from the record at {names}: put it right, or accept the board"
    if offers.owed(m):
        return "the number of offers was not named, and must be given first"
    return None


def finish(m: Match, _given: Command) -> None:
    """The game is over and everything about it is done."""
    m.told("finished")


def arrive(m: Match, given: Command) -> None:
    """A player is at the table."""
    side = given.side or BLACK
    if m.player_of(side) not in m.absent:
        m.refuse(given, f"{side} is at the table already")
    else:
        timing.arrive(m, side)


def call(m: Match, given: Command) -> None:
    """A player calls the arbiter: the clocks stand."""
    called(m, given.side)


def called(m: Match, side: Colour | None) -> None:
    """The arbiter is called by a side; None is the arbiter's own key. Without an arbiter it is a claim."""
    if side is not None and m.phase == "playing" and m.settings.forbidden == "automatic":
        claims.by_call(m, side)
        return
    if m.phase == "playing":
        m.stop("call")
    m.tell(Called(t_ns=m.t_ns, side=side))


# -- the opening


def name_offers(m: Match, given: Command) -> None:
    """N of the fifth offers, by the player whose it is to name, or by an arbiter."""
    n = given.offers or 0
    by_player = given.by in ("near", "far")
    why = cannot_name_offers(m, given.side if by_player else None)
    if not offers_allowed(m.procedure, n):
        allowed = offers_range(m.procedure)
        m.refuse(given, f"offers = {n} is not possible in {m.settings.opening}; allowed: {allowed}")
    elif why is not None:
        m.refuse(given, why)
    else:
        offers.declare_offers(m, n)


def cannot_name_offers(m: Match, side: Colour | None) -> str | None:
    """Why N cannot be named now by the player of a side, or by an arbiter (None); None if it can."""
    step = m.procedure.declaring
    laid = any(each.do == "offers" for each in m.procedure.steps[: m.step_index])
    if laid and not offers.owed(m):
        return "the offers are on the board already"
    if step is None:
        return None if side is None else "the number of offers is fixed in this opening"
    at = m.procedure.steps.index(step)
    if step.do == "move" and m.step_index < at:
        return f"the number of offers is named with move {step.n}"
    if side is not None and not offers.declares_n(m, side):
        return f"{str(step.side).capitalize()} names the number of offers"
    if side is not None and m.offers_n is not None and m.step_index > at:
        return f"{m.offers_n} offers have been named; only an arbiter can change that now"
    return None


def choose(m: Match, given: Command) -> None:
    """Swap, keep or a branch, where the opening procedure gives the choice.

    A swap, which is to play on, also closes a set-up that lies there complete and was not pressed for [2.1].
    """
    lies = set_up.lies_complete(m, m.draft)
    step = m.procedure.steps[m.step_index + 1] if lies else m.step
    side = given.side or step.side or m.to_move
    open_now = [c for c in step.choices if c.does == "swap" or not lies]
    fits = {c.name: c for c in open_now if given.do == "choose" or c.does == given.do}
    choice = fits.get(given.branch or "") if given.do == "choose" else next(iter(fits.values()), None)
    pressed = (
        m.awaited is not None and m.awaited is step.side and choice is not None and choice.does == "swap"
    )
    if not next_act.spoken(m):
        m.refuse(given, "the clocks stand")
    elif steps.has_said(m, side, given.branch):
        m.told("chosen", side=side)
    elif m.awaited is not None and not pressed:
        m.refuse(given, f"{m.awaited} has pressed and the stone was not seen: enter it first")
    elif not fits:
        m.refuse(given, f"there is no choice{' of colours' if given.do != 'choose' else ''} now")
    elif side is not step.side:
        m.refuse(given, f"the choice is {step.side}'s")
    elif choice is None:
        m.refuse(given, f"branch = {given.branch!r} is not possible now; allowed: {', '.join(fits)}")
    elif choice.does == "branch" and choice.to == "one" and len(m.draft) > 1:
        m.refuse(given, "several fifth stones lie on the board: take all but one away first")
    elif choice.does == "swap" and m.draft and not lies:
        m.refuse(given, "stones lie on the board that keep the colours: take them away first")
    else:
        timing.arrive(m, side)
        if m.phase == "stopped":
            next_act.go_on(m)
        m.bare.clear()
        if lies:
            set_up.enter_set_up(m)
        laid = draft.taken_up(m) if choice.does == "keep" else []
        steps.choose(m, choice, pressed=pressed)
        play_stones(m, laid)


# -- what players say


def on_turn(m: Match, side: Colour) -> bool:
    """Whether a move of this side comes next."""
    return side is m.acts and not steps.waits_for_choice(m)


def too_early_to_pass(m: Match, side: Colour) -> bool:
    """Whether the next move of a side is one that cannot be a pass [2.21]."""
    return len(m.entries) + (m.awaited is not None) + 1 < EARLIEST_PASS or draft.takes(m, side)


def give_up_move(m: Match, given: Command) -> None:
    """A side passes: from move 6 on; it ends the turn, and no press is owed. Two in a row are a draw."""
    side = given.side or m.to_move
    if not next_act.spoken(m):
        m.refuse(given, "the clocks stand")
        return
    if not on_turn(m, side):
        m.refuse(given, f"it is {m.acts}'s turn")
        return
    timing.arrive(m, side)
    if too_early_to_pass(m, side):
        m.irregular("early-pass", side)
        m.refuse(given, f"a pass is possible from move {EARLIEST_PASS} on")
        return
    if m.phase == "stopped":
        next_act.go_on(m)
    leave_open(m)
    steps.before_move(m, side)
    if not play_on(m, side):
        return
    opening.at_press(m, side)
    used_ms = m.used_ms(m.player_of(side))
    timing.complete(m, side)
    timing.credit(m, side, len(m.entries) + 1)
    left_ms = timing.left_ms(m, side)
    passed = Entry(side, m.t_ns, kind="pass", pressed=True, credited=True, used_ms=used_ms, left_ms=left_ms)
    m.append(passed)
    steps.after_move(m, passed)
    if m.time_of is side:
        m.run(m.to_move)
    if [e.kind for e in m.entries[-2:]] == ["pass", "pass"]:
        m.end("passes", None)


def resign(m: Match, given: Command) -> None:
    """A side gives up the game."""
    m.end("resignation", (given.side or BLACK).other)


def left(m: Match, given: Command) -> None:
    """A side has left the game."""
    m.end("left", (given.side or BLACK).other)


def draw(m: Match, given: Command) -> None:
    """A draw is offered, on one's own time [6.1.9], accepted, or refused."""
    side = given.side or BLACK
    if given.answer == "offer":
        if m.phase != "playing":
            m.refuse(given, "the clocks stand")
        elif m.draw_offer is not None:
            who = m.colour_of(m.draw_offer)
            m.refuse(given, f"{who} has offered a draw already: it waits for an answer")
        else:
            if m.time_of is not side:
                m.irregular("bad-draw-offer", side)
            m.draw_offer = m.player_of(side)
            m.tell(DrawOffer(t_ns=m.t_ns, side=side, answer="offer"))
    elif m.draw_offer is not m.player_of(side.other):
        m.refuse(given, f"no draw has been offered to {side}")
    elif given.answer == "accept":
        m.tell(DrawOffer(t_ns=m.t_ns, side=side, answer="accept"))
        m.end("agreement", None)
    else:
        m.refuse_draw(side)


def note(m: Match, given: Command) -> None:
    """A remark for the record."""
    m.tell(Told(t_ns=m.t_ns, code="note", side=given.side, text=given.text))
