"""Commands about the round, the clocks, results and manual entry. Every function answers one command.

Source: competition rules 2.20, 2.21, 4.2, 5.2, 8.8; `docs/rules.md`, sections 4 to 7.
"""

from firmware_host.board import BLACK, WHITE, Colour, point_name
from firmware_host.clock import MS, Clock, Player
from firmware_host.referee import opening
from firmware_host.referee.board_watch import differences, forget_hands, guide, put, show_differences, take
from firmware_host.referee.ends import judge, play_on
from firmware_host.referee.entries import Entry
from firmware_host.referee.inputs import Command
from firmware_host.referee.play import leave_open, stone
from firmware_host.referee.procedures import offers_allowed, offers_range
from firmware_host.referee.rulings import (
    Called,
    ClockSet,
    DrawOffer,
    Penalised,
    Refused,
    Restored,
    Started,
    Told,
)
from firmware_host.referee.state import EMPTY, Match

EARLIEST_PASS = 6
"""The first move that may be a pass [2.21]."""

COLOURS_UNTIL_NS = 15 * 60 * 1000 * MS
"""Wrong colours are put right within so long after the start [5.2]."""


def refuse(m: Match, given: Command, why: str) -> None:
    """Answer a command with one sentence, and change nothing."""
    m.tell(Refused(t_ns=m.t_ns, do=given.do, why=why))


# -- the round


def start(m: Match, _given: Command) -> None:
    """The round begins: Black's clock, or the clock of the player who is not there [8.4, 8.5]."""
    m.phase = "playing"
    m.started_ns = m.t_ns
    m.clock = m.clock.at(m.t_ns)
    m.stopped_before_ns = m.clock.stopped_ns
    m.tell(Started(t_ns=m.t_ns))
    away = {m.colour_of(player) for player in m.absent}
    m.run(WHITE if away == {WHITE} else BLACK)
    opening.draft_from_board(m)
    if differences(m):
        m.told("stones-at-start")


def pause(m: Match, _given: Command) -> None:
    """The arbiter stops the clocks."""
    m.pause("arbiter")


def adjourn(m: Match, _given: Command) -> None:
    """The game is broken off, to be resumed later."""
    m.pause("adjourned")


def resume(m: Match, given: Command) -> None:
    """The clocks go on, if the board is what the record holds and no claim waits."""
    if m.claim is not None:
        refuse(m, given, f"{m.claim.side} has claimed {m.claim.code}: uphold, reject or waive that first")
    elif m.unseen:
        refuse(m, given, "the board has not been seen since the restart: wait for it, or accept the board")
    elif found := differences(m):
        names = ", ".join(point_name(p) for p, _, _ in found[:8])
        refuse(m, given, f"the board differs from the record at {names}: put it right, or accept the board")
    else:
        forget_hands(m)
        opening.draft_from_board(m)
        m.resume()


def finish(m: Match, _given: Command) -> None:
    """The game is over and everything about it is done."""
    m.told("finished")


def arrive(m: Match, given: Command) -> None:
    """A player is at the table."""
    side = given.side or BLACK
    if m.player_of(side) not in m.absent:
        refuse(m, given, f"{side} is at the table already")
    else:
        m.arrive(side)


def call(m: Match, given: Command) -> None:
    """A player calls the arbiter: the clocks stand."""
    called(m, given.side)


def called(m: Match, side: Colour | None) -> None:
    """The arbiter is called by a side; None is the arbiter's own key."""
    if m.phase == "playing":
        m.stop("call")
    m.tell(Called(t_ns=m.t_ns, side=side))


# -- the opening


def name_offers(m: Match, given: Command) -> None:
    """N of the fifth offers."""
    n = given.offers or 0
    if not offers_allowed(m.procedure, n):
        refuse(
            m,
            given,
            f"offers = {n} is not possible in {m.settings.opening}; allowed: {offers_range(m.procedure)}",
        )
    elif len(m.entries) > 4:
        refuse(m, given, "the offers are on the board already")
    elif given.by in ("near", "far") and given.side is WHITE:
        refuse(m, given, "Black names the number of offers")
    else:
        opening.declare_offers(m, n)


def choose_colours(m: Match, given: Command) -> None:
    """Swap or keep, where the opening procedure gives the choice."""
    if m.step.do != "choice" or m.awaited is not None or m.phase != "playing":
        refuse(m, given, "there is no choice of colours now")
    elif given.side is not m.step.side:
        refuse(m, given, f"the choice is {m.step.side}'s")
    elif given.do == "swap":
        opening.swap(m)
    else:
        opening.keep(m)


# -- what players say


def give_up_move(m: Match, given: Command) -> None:
    """A side passes: from move 6 on; it ends the turn, and no press is owed. Two in a row are a draw."""
    side = given.side or m.to_move
    if m.phase != "playing":
        refuse(m, given, "the clocks stand")
        return
    if side is not m.to_move:
        refuse(m, given, f"it is {m.to_move}'s turn")
        return
    m.arrive(side)
    if len(m.entries) + (m.awaited is not None) + 1 < EARLIEST_PASS or opening.takes(m, side):
        m.irregular("early-pass", side)
        refuse(m, given, f"a pass is possible from move {EARLIEST_PASS} on")
        return
    leave_open(m)
    opening.before_move(m, side)
    if not play_on(m, side):
        return
    opening.at_press(m, side)
    owed = m.unpressed(side)
    m.credit(side, 1 + sum(not entry.credited for entry in owed))
    for entry in owed:
        entry.pressed = entry.credited = True
    passed = Entry(side, m.t_ns, kind="pass", pressed=True, credited=True)
    m.append(passed)
    opening.after_move(m, passed)
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
    """A draw is offered on one's own time, accepted, or refused."""
    side = given.side or BLACK
    if given.answer == "offer":
        if m.time_of is not side or m.phase != "playing":
            m.irregular("bad-draw-offer", side)
            refuse(m, given, "a draw is offered on one's own time")
        else:
            m.draw_offer = side
            m.tell(DrawOffer(t_ns=m.t_ns, side=side, answer="offer"))
    elif m.draw_offer is not side.other:
        refuse(m, given, f"no draw has been offered to {side}")
    elif given.answer == "accept":
        m.tell(DrawOffer(t_ns=m.t_ns, side=side, answer="accept"))
        m.end("agreement", None)
    else:
        m.refuse_draw(side)


# -- the board


def restore(m: Match, given: Command) -> None:
    """Guide the board back to the record; after a restart nothing is known of it until it has been seen."""
    restart = given.reason == "restart"
    m.unseen = restart
    guide(m, "restart" if restart else "arbiter")


def accept_board(m: Match, _given: Command) -> None:
    """Take the board as it is; a single stone more, of the side to move, is its move now."""
    found = differences(m)
    for p, _, _ in found:
        m.tolerated[p] = m.sensed[p]
    m.unseen = False
    m.guiding = False
    m.shown_differences = None
    forget_hands(m)
    opening.draft_from_board(m)
    m.tell(Restored(t_ns=m.t_ns, accepted=True))
    if len(found) == 1:
        p, recorded, seen = found[0]
        if recorded is None and seen in (m.to_move, "unknown"):
            del m.tolerated[p]
            stone(m, m.to_move, p, p, m.t_ns, by_hand=False)


def moved_stones(m: Match, given: Command) -> None:
    """The decision about stones that moved or a scattered board [4.2]."""
    if given.decision == "back":
        guide(m, "arbiter")
    elif given.decision == "stands":
        let_stand(m, given)
    elif given.decision == "loss" and given.side is None:
        refuse(m, given, "a loss needs the side that loses")
    elif given.decision == "loss":
        m.end("penalty", (given.side or BLACK).other)
    elif given.decision == "draw":
        m.end("arbiter", None)
    else:
        m.end("arbiter", None, draw=False)


def let_stand(m: Match, given: Command) -> None:
    """One stone that moved counts where it lies now."""
    found = differences(m)
    gone = [(p, recorded) for p, recorded, seen in found if recorded is not None and seen is None]
    come = [(p, seen) for p, recorded, seen in found if recorded is None]
    entry = m.entry_at(gone[0][0]) if len(gone) == 1 else None
    if entry is None or len(come) != 1 or come[0][1] not in (entry.colour, "unknown"):
        refuse(m, given, "the board does not show one stone that moved: put the others back first")
        return
    entry.first = come[0][0]
    m.restand(entry, come[0][0])
    m.lifted.clear()
    judge(m, entry)
    show_differences(m)


def place(m: Match, given: Command) -> None:
    """A stone that the sensors did not tell: an open entry's, in its place in the order, or the next move."""
    p, colour = given.point, given.colour
    if p is None or m.position[p] is not None:
        refuse(m, given, "there is a stone of the record on that point already")
        return
    gap = next((e for e in m.entries if e.kind == "missing" and colour in (None, e.colour)), None)
    if gap is m.fifth and m.removal_open:
        gap = None
    if gap is not None:
        put(m, p, gap.colour)
        gap.kind = "stone"
        gap.first = p
        m.restand(gap, p)
        judge(m, gap)
        return
    side = colour or m.awaited or m.to_move
    if opening.takes(m, side):
        put(m, p, colour)
        opening.add_to_draft(m, p, colour, m.t_ns)
    elif side not in (m.awaited, m.to_move):
        refuse(m, given, f"it is {m.to_move}'s turn, and no {side} stone is missing")
    else:
        put(m, p, side)
        stone(m, side, p, p, m.t_ns, by_hand=False)


def remove(m: Match, given: Command) -> None:
    """A stone that the sensors did not see go: of a draft or an offer; or the last move off the record."""
    p = given.point
    if p is None:
        return
    laid = opening.drafted(m, p)
    entry = m.entry_at(p)
    if laid is not None:
        take(m, p)
        m.draft.remove(laid)
    elif m.removal_open and p in m.offers:
        take(m, p)
        opening.offer_removed(m)
    elif entry is not None and entry is m.entries[-1]:
        take(m, p)
        was_running = m.time_of
        m.unmove(entry)
        if was_running is not None and not m.unpressed(entry.colour):
            m.run(m.to_move)
    elif entry is not None:
        refuse(m, given, f"{point_name(p)} is not the last move; only that can be taken off the record")
    elif m.sensed[p] != EMPTY:
        take(m, p)
        m.strays = [stray for stray in m.strays if stray[0].point != p]
    else:
        refuse(m, given, f"there is no stone on {point_name(p)}")


def mask(m: Match, given: Command) -> None:
    """A sensor is not to be trusted, or is again."""
    if given.point is not None:
        change = m.masked.add if given.do == "mask" else m.masked.discard
        change(given.point)
        if given.do == "unmask":
            m.faulty.discard(given.point)
        m.told(f"{given.do}ed", given.point)


# -- clocks and penalties


def account_ns(clock: Clock, player: Player) -> int:
    """All that a player has left, periods to come included."""
    books = clock.books
    return (books.first if player is Player.FIRST else books.second).left_ns


def tell_clock(m: Match, side: Colour, before: Clock, reason: str) -> None:
    """Tell the entry that a change of the clock made in one side's books."""
    player = m.player_of(side)
    added = account_ns(m.clock, player) - account_ns(before.at(m.t_ns), player)
    left = m.clock.remaining_ns(player, m.t_ns) or 0
    m.tell(ClockSet(t_ns=m.t_ns, side=side, added_ms=added // MS, remaining_ms=left // MS, reason=reason))
    m.fallen = [p for p in m.fallen if p in m.clock.fallen]
    m.flags()


def set_clock(m: Match, given: Command) -> None:
    """The arbiter sets a clock, or gives or takes time [8.8]."""
    side, ms, reason = given.side or BLACK, given.ms or 0, given.reason or given.do
    if not m.control.limited:
        refuse(m, given, "this match has no time limit")
        return
    if given.do == "set_clock" and ms < 0:
        refuse(m, given, f"a clock cannot be set to {ms} ms; allowed: 0 or more")
        return
    before = m.clock
    change = m.clock.set_remaining if given.do == "set_clock" else m.clock.add
    m.clock = change(m.player_of(side), ms * MS, m.t_ns, reason)
    tell_clock(m, side, before, reason)


def penalise(m: Match, side: Colour, kind: str, reason: str | None) -> None:
    """Enter a penalty; a loss ends the game [2.20]."""
    player = m.player_of(side)
    if kind == "violation":
        m.violations[player] += 1
    m.tell(Penalised(t_ns=m.t_ns, side=side, kind=kind, count=m.violations[player], reason=reason))
    if kind in ("loss", "disqualification") and m.phase != "over":
        m.end("penalty", side.other)


def penalty(m: Match, given: Command) -> None:
    """A penalty of a player."""
    side = given.side or BLACK
    kind = "violation" if given.do == "violation" else given.kind or "violation"
    if kind == "time" and (not given.ms or given.ms < 0 or not m.control.limited):
        refuse(m, given, "a time penalty needs ms above 0, and a match with a time limit")
        return
    penalise(m, side, kind, given.reason or given.kind)
    if kind == "time" and given.ms:
        before = m.clock
        m.clock = m.clock.add(m.player_of(side), -given.ms * MS, m.t_ns, "penalty")
        tell_clock(m, side, before, "penalty")


def colours(m: Match, given: Command) -> None:
    """Wrong colours: the game stands, or would begin again with the colours traded [5.2]."""
    if given.decision == "stands":
        m.told("colours-stand")
        return
    started = m.t_ns if m.started_ns is None else m.started_ns
    if len(m.entries) >= 4 or m.t_ns - started >= COLOURS_UNTIL_NS:
        refuse(m, given, "move 4 lies on the board or 15 minutes have gone: the game stands")
        return
    refuse(m, given, "restarting is not supported: finish this game by result, and start another one")


def result(m: Match, given: Command) -> None:
    """The arbiter's decision: one score a side."""
    black, white = given.black or 0.0, given.white or 0.0
    winner = BLACK if black > white else WHITE if white > black else None
    m.end("arbiter", winner, scores={BLACK: black, WHITE: white})


def note(m: Match, given: Command) -> None:
    """A remark for the record."""
    m.tell(Told(t_ns=m.t_ns, code="note", side=given.side, text=given.text))


def unsupported(m: Match, given: Command) -> None:
    """A command that this version knows by name only."""
    refuse(m, given, f"{given.do} is not supported in this version")
