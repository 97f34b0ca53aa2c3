"""The referee of one match: inputs in the order of time go in, rulings come out.

Before an input is judged, time comes to its instant: periods and flags fall at their own exact instants,
however rarely anybody looks. A command that cannot be is answered by one `Refused` and changes nothing; a
player's mistake is an `Irregular` ruling; no input raises.
"""

import msgspec

from firmware_host.board import Colour, Point, Position
from firmware_host.clock import Clock, Player
from firmware_host.referee import (
    board_watch,
    by_hand,
    claims,
    correction,
    decisions,
    orders,
    seen,
    timing,
    whose,
)
from firmware_host.referee.commands import COMMANDS
from firmware_host.referee.entries import Entry
from firmware_host.referee.inputs import Command, Input, Seat, Tick
from firmware_host.referee.irregular import Matter
from firmware_host.referee.phases import ORDERS, PHASE_WORDS, TRANSITIONS
from firmware_host.referee.procedures import Step
from firmware_host.referee.rulings import AnyRuling, Claimed, Over, Refused
from firmware_host.referee.settings import MatchSettings
from firmware_host.referee.state import Match


class Referee:
    """Rules on one match; deterministic, and `copy.deepcopy` of it is a fork.

    `absent`: the colours of players who are not at the table at the start. Raises ConfigError for a
    number of offers that the opening does not allow, NotationError for a time control that cannot be read.
    """

    def __init__(self, settings: MatchSettings, absent: frozenset[Colour] = frozenset()) -> None:
        self._match = Match(settings, absent)

    def rule(self, given: Input) -> list[AnyRuling]:
        """What this input leads to. Inputs come in the order of `inputs.order`; a late one counts as now."""
        m = self._match
        m.out = []
        timing.time_comes(m, given.t_ns)
        if isinstance(given, Command):
            self._order(given)
        elif not isinstance(given, Tick):
            TRANSITIONS[m.phase][type(given)](m, given)
        correction.after_input(m)
        seen.look(m)
        return m.out

    def _order(self, given: Command) -> None:
        m = self._match
        if given.unread is not None:
            m.refuse(given, given.unread)
            return
        row, order = COMMANDS.get(given.do), ORDERS.get(given.do)
        if row is None or order is None:
            m.refuse(given, f"{given.do!r} is not a command; allowed: {', '.join(COMMANDS)}")
            return
        if given.by == "near" or given.by == "far":
            side = m.colour_at(given.by)
            if not row.player:
                m.refuse(given, f"{given.by} ({side}) cannot give this command")
                return
            if given.side not in (None, side):
                m.refuse(given, f"{given.by} is {side} and speaks for nobody else")
                return
            given = msgspec.structs.replace(given, side=side)
        missing = [name for name in row.must if getattr(given, name) is None]
        if missing:
            m.refuse(given, f"{given.do} needs {', '.join(missing)}")
        elif given.do == "resume" and m.phase == "playing":
            m.told("running")
        elif m.phase not in order.phases:
            m.refuse(given, f"{given.do} is not possible: {PHASE_WORDS[m.phase]}")
        else:
            before = len(m.out)
            saved = decisions.decides(m, given)
            order.handler(m, given)
            if len(m.out) == before:
                m.told(given.do, given.point, given.side)
            if saved is not None and not any(isinstance(ruling, Refused) for ruling in m.out[before:]):
                decisions.enter(m, given, saved)

    # -- what can be seen of it

    @property
    def settings(self) -> MatchSettings:
        """What was agreed for the match."""
        return self._match.settings

    @property
    def now_ns(self) -> int:
        """The instant up to which everything was ruled."""
        return self._match.t_ns

    @property
    def deadline_ns(self) -> int | None:
        """The next instant at which time alone changes something; None if there is none."""
        return timing.deadline_ns(self._match)

    @property
    def phase(self) -> str:
        """`waiting`, `opening`, `playing`, `paused`, `restoring` or `over`."""
        m = self._match
        if m.phase == "stopped":
            return "restoring" if m.guiding else "paused"
        return "opening" if m.phase == "playing" and m.step.do != "play" else m.phase

    @property
    def why(self) -> str:
        """Why the clocks stand, as `phases` lists it; empty while they do not."""
        return self._match.why

    @property
    def step(self) -> Step:
        """The step of the opening procedure at hand."""
        return self._match.step

    @property
    def next_step(self) -> Step:
        """The step that follows by playing on, whatever the choices of this one; itself when play is free."""
        m = self._match
        if m.step.do == "play":
            return m.step
        on = m.step.choices[:1]
        return m.procedure.steps[m.procedure.after(m.step_index, on[0]) if on else m.step_index + 1]

    @property
    def clock(self) -> Clock:
        """The clock; `clock.at(now)` tells the times at an instant."""
        return self._match.clock

    @property
    def time_of(self) -> Colour | None:
        """The side whose clock runs, or will run when the clocks go on; None before the round."""
        return self._match.time_of

    @property
    def stone_seen(self) -> bool:
        """Whether a stone has come since the turn began, whichever it is; see `seen`."""
        return self._match.stone_seen

    @property
    def position(self) -> Position:
        """The stones of the record, where they rest."""
        return self._match.position

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The moves of the record in order."""
        return tuple(self._match.entries)

    @property
    def sensed(self) -> str:
        """What lies on the board by the sensors: 225 of `.XO?`."""
        return "".join(self._match.sensed)

    @property
    def offers(self) -> tuple[Point, ...]:
        """The fifth stones that were put on offer, while White chooses."""
        return self._match.offers

    @property
    def offers_wanted(self) -> int | None:
        """N, the number of fifth offers; None until it is entered, or where there are none."""
        return self._match.offers_n

    @property
    def may_name_offers(self) -> bool:
        """Whether an arbiter may enter N now."""
        return orders.cannot_name_offers(self._match, None) is None

    def names_offers(self, side: Colour) -> bool:
        """Whether it is open what N is, and for the player of this side to name it."""
        return orders.cannot_name_offers(self._match, side) is None

    @property
    def may_resume(self) -> bool:
        """Whether `resume` would not be refused now."""
        return self.paused and orders.cannot_resume(self._match) is None

    @property
    def may_speak(self) -> bool:
        """Whether a side can choose or pass as all may know: a clock runs, or goes on by that.

        While a claim waits nothing shows whether it could be upheld.
        """
        return self._match.phase == "playing" or correction.complete(self._match)

    def may_pass(self, side: Colour) -> bool:
        """Whether a pass by this side would stand now."""
        m = self._match
        return self.may_speak and orders.on_turn(m, side) and not orders.too_early_to_pass(m, side)

    @property
    def to_move(self) -> Colour | None:
        """The side whose action is next; None before the round and after the game."""
        return self._match.acts if self._match.phase in ("playing", "stopped") else None

    @property
    def next_stone(self) -> Colour | None:
        """The side whose stone is the next one that is due: of who has pressed without one, else to move."""
        return self._match.awaited or self.to_move

    @property
    def of_nobody(self) -> frozenset[Point]:
        """Points of stones that came while no frame told, until the arbiter has said whose they are."""
        return frozenset(self._match.of_nobody)

    def asked_whose(self, p: Point) -> Colour | None:
        """Whose move a stone is that lies on a point, as the arbiter is asked; None where he is not.

        He is for stones that came while no frame told, and for one that lies there too much while a side has
        pressed without a stone that was seen.
        """
        return whose.asked(self._match, p)

    @property
    def drafted(self) -> int:
        """How many stones of a step that is judged at its press lie on the board."""
        return len(self._match.draft)

    @property
    def draw_offer(self) -> Colour | None:
        """The side whose draw offer waits for an answer."""
        offered = self._match.draw_offer
        return None if offered is None else self._match.colour_of(offered)

    @property
    def black_seat(self) -> Seat:
        """Where Black sits now."""
        return self._match.seats[self._match.black]

    @property
    def open_orders(self) -> tuple[str, ...]:
        """The commands that the phase at hand allows; what one asks for may still be refused."""
        return tuple(do for do, order in ORDERS.items() if self._match.phase in order.phases)

    @property
    def claim(self) -> Claimed | None:
        """The claim that waits for the arbiter's answer."""
        return self._match.claim

    @property
    def claim_stands(self) -> bool:
        """Whether a claim waits that could be upheld: something of the kind was found, or people see it."""
        return self._match.claim is not None and not claims.hollow(self._match)

    @property
    def undoable(self) -> tuple[int, ...]:
        """The numbers of the decisions that `compensate` would not refuse to undo."""
        return decisions.undoable(self._match)

    def may_place(self, colour: Colour) -> bool:
        """Whether `place` of a stone of this colour on an empty point makes sense now."""
        return self._match.phase in ("playing", "stopped") and by_hand.may_place(self._match, colour)

    @property
    def absent(self) -> frozenset[Colour]:
        """The sides that are not at the table yet."""
        return frozenset(self._match.colour_of(player) for player in self._match.absent)

    def violations(self, side: Colour) -> int:
        """How many violations are counted against the player of a side."""
        return self._match.violations[self._match.player_of(side)]

    @property
    def over(self) -> Over | None:
        """The end of the game, once it is over."""
        return self._match.over

    @property
    def matters(self) -> tuple[Matter, ...]:
        """Every irregular action and forbidden move that was found, in order, whatever became of it."""
        return tuple(self._match.matters)

    @property
    def claimable(self) -> tuple[Matter, ...]:
        """What can be claimed now; for the arbiter alone."""
        return tuple(matter for matter in self._match.matters if matter.claimable)

    @property
    def masked(self) -> frozenset[Point]:
        """Points that the sensors tell nothing about, by the arbiter's word or by a fault."""
        return frozenset(self._match.blind)

    @property
    def away_ms(self) -> int:
        """How long the table was off while a clock should have run, while that can still be charged."""
        return self._match.away_ms

    @property
    def paused(self) -> bool:
        """Whether the round has begun and the clocks stand, the game not being over."""
        return self._match.phase == "stopped"

    @property
    def guiding(self) -> bool:
        """Whether the differences between board and record are being put right."""
        return self._match.guiding

    def player_at(self, seat: Seat) -> Player:
        """Who sits at a seat now."""
        return self._match.player_of(self._match.colour_at(seat))

    def player_of(self, colour: Colour) -> Player:
        """Who holds a colour now."""
        return self._match.player_of(colour)

    def seat_of(self, player: Player) -> Seat:
        """Where a player sits now."""
        return self._match.seats[player]

    def differences(self) -> tuple[board_watch.Difference, ...]:
        """Where the board is not what the record holds: the point, the record's stone, what is seen."""
        return board_watch.differences(self._match)
