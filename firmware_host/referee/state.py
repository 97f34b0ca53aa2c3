"""The state of one match, and the few changes that everything else is made of.

`Match` is what the functions of `play`, `opening`, `board_watch`, `claims` and `orders` work on; each of them
rules by calling `tell`. It holds no table and decides nothing about renju by itself.
"""

from collections.abc import Sequence
from typing import Any, Literal

from firmware_host.board import BLACK, POINTS, WHITE, Colour, Point, Position
from firmware_host.clock import MS, Clock, Player, parse_control, parse_duration_ns
from firmware_host.referee.entries import Bare, Entry, position_of
from firmware_host.referee.inputs import Command, Seat
from firmware_host.referee.irregular import LYING, Matter
from firmware_host.referee.procedures import SHAPE, Do, Step, procedure_of
from firmware_host.referee.rulings import (
    AnyRuling,
    Audience,
    Claimed,
    DrawOffer,
    Forbidden,
    ForbiddenKind,
    Irregular,
    Lapsed,
    Moved,
    OpeningSet,
    Over,
    Paused,
    Reason,
    Refused,
    Resumed,
    Revealed,
    Told,
    Unmoved,
)
from firmware_host.referee.settings import MatchSettings
from firmware_host.rules import opening_of

Phase = Literal["waiting", "playing", "stopped", "over"]
EMPTY = "."


def other_seat(seat: Seat) -> Seat:
    """The seat across the board."""
    return "far" if seat == "near" else "near"


def lapsed(m: "Match", matter: Matter, audience: Audience = "public") -> Lapsed:
    """A finding can no longer be claimed."""
    code = matter.kind or matter.code
    return Lapsed(t_ns=m.t_ns, audience=audience, code=code, point=matter.point, side=matter.side)


class Match:
    """Everything that the referee knows.

    `time_of` is the side whose clock runs, or will run when the clocks go on. `bare` are the presses without
    a stone since the last move, each taken back by the next: of an odd number the last one is `awaited`.
    `of_nobody`: points of stones that came while no frame told, and since when; whose they are is not known.
    `asked_ns`: since when the clocks stand for that.
    `draft` are the stones of a step that is judged at its
    press, `offers` the fifth stones on offer, `fifth` the move that one of them becomes; `missing_before` are
    the stones of the record that were not seen already when they were offered, `astray` the offers that were
    moved or scattered: off their points, and not taken away by White. `put_right`: which step is put
    right after an upheld claim. `declarer` is who had to name N, once that step is over; `owing` has traded
    colours before pressing for the last move.

    `played_on_ns`, `pressed_ns`: when each player has played on, and pressed, last. `rejected`: the claims
    that were rejected where nothing was found. `denied`: the one that the arbiter would have upheld there.
    `before_stop`: record and board as they were when the clocks stopped; None if all is to be put right.

    `swaps`: the steps of the opening at which colours were traded. `credited`: the last move of each player
    that has earned its increment.

    `lifted`: since when a stone of the record has been off its point. `put_down`: stones of this turn that
    seem to be such stones put elsewhere, or offers put back; one of them is a move if no other follows.
    `went`: where a stone was seen to go, and the point that it came from. `away_ms`: how long the table was
    off while a clock should have run, until somebody has been charged for it or play goes on.
    `stone_seen`: whether a stone has come since the turn of `turn_of` began, when `lay_at_turn` lay there.
    """

    def __init__(self, settings: MatchSettings, absent: frozenset[Colour] = frozenset()) -> None:
        self.settings = settings
        self.procedure = procedure_of(settings)
        self.control = parse_control(settings.time)
        self.late_ns = parse_duration_ns(settings.late)
        self.out: list[AnyRuling] = []
        self.t_ns = 0
        self.phase: Phase = "waiting"
        self.why = ""
        self.guiding = False
        first: Seat = settings.black_sits
        self.seats: dict[Player, Seat] = {Player.FIRST: first, Player.SECOND: other_seat(first)}
        self.black = Player.FIRST
        self.clock = Clock.new(self.control)
        self.time_of: Colour | None = None
        self.started_ns = 0
        self.away_ms = 0
        self.stopped_before_ns = 0
        self.absent: set[Player] = {self.player_of(colour) for colour in absent}
        self.fallen: list[Player] = []
        self.violations: dict[Player, int] = dict.fromkeys(Player, 0)
        self.sensed = [EMPTY] * POINTS
        self.masked: set[Point] = set()
        self.faulty: set[Point] = set()
        self.unseen = False
        self.tolerated: dict[Point, str] = {}
        self.interference = False
        self.weak: set[Point] = set()
        self.shown_differences: object = None
        self.to_correct: tuple[object, ...] = ()
        self.matters: list[Matter] = []
        self.played_on_ns: dict[Player, int] = dict.fromkeys(Player, -1)
        self.pressed_ns: dict[Player, int] = {}
        self.rejected: list[Claimed] = []
        self.claim: Claimed | None = None
        self.denied: Claimed | None = None
        self.stopped_for = ""
        self.before_stop: tuple[Sequence[int], Sequence[str]] | None = None
        fewest, most = self.procedure.fewest_offers, self.procedure.most_offers
        branches = any(step.do == "fifth" for step in self.procedure.steps)
        self.offers_n = (
            None if branches else most if fewest == most > 0 else settings.offers if most else None
        )
        self.black_at_start, self.seats_at_start = self.black, dict(self.seats)
        self.offers_at_start = self.offers_n
        self.decisions: list[Any] = []
        self.clear_board()

    def clear_board(self) -> None:
        """Back to before move 1; clocks, seats, colours and what was found stay."""
        self.entries: list[Entry] = []
        self.position = Position()
        self.step_index = 0
        self.swaps: list[int] = []
        self.declarer: Player | None = None
        self.owing: Player | None = None
        self.bare: list[Bare] = []
        self.of_nobody: dict[Point, int] = {}
        self.asked_ns = 0
        self.turn_began_ran_ns: dict[Player, int] = dict.fromkeys(Player, 0)
        self.credited: dict[Player, int] = dict.fromkeys(Player, 0)
        self.draft: list[Entry] = []
        self.offers: tuple[Point, ...] = ()
        self.astray: set[Point] = set()
        self.fifth: Entry | None = None
        self.removal_open = False
        self.removal_judged = False
        self.missing_before: set[Point] = set()
        self.put_right: Do | None = None
        self.strays: list[tuple[Entry, Matter]] = []
        self.lifted: dict[Point, int] = {}
        self.put_down: list[Entry] = []
        self.turn_of: Player | None = None
        self.lay_at_turn: tuple[str, ...] = ()
        self.stone_seen = False
        self.went: dict[Point, Point] = {}
        self.draw_offer: Player | None = None
        self.over: Over | None = None

    # -- who is who

    def player_of(self, colour: Colour) -> Player:
        """Who holds a colour now."""
        return self.black if colour is BLACK else self.black.other

    def colour_of(self, player: Player) -> Colour:
        """The colour that a player holds now."""
        return BLACK if player is self.black else WHITE

    def colour_at(self, seat: Seat) -> Colour:
        """The colour of the player at a seat."""
        return next(self.colour_of(player) for player, at in self.seats.items() if at == seat)

    @property
    def step(self) -> Step:
        """The step of the opening procedure at hand; `play` when it is over."""
        return self.procedure.steps[self.step_index]

    @property
    def awaited(self) -> Colour | None:
        """The side that has pressed without a stone, and whose opponent has done nothing since."""
        return self.bare[-1].side if len(self.bare) % 2 else None

    @property
    def to_move(self) -> Colour:
        """The side whose action is next; after a press without a stone the opponent's turn has begun."""
        if self.awaited is not None:
            return self.awaited.other
        return self.entries[-1].colour.other if self.entries else BLACK

    @property
    def acts(self) -> Colour:
        """The side whose step it is: who chooses colours may be the one that laid the last stone."""
        if self.awaited is None and self.step.do == "choice" and self.step.side is not None:
            return self.step.side
        return self.to_move

    @property
    def drafting(self) -> bool:
        """Whether the stones that come and go are those of a step that is judged as a whole at its press."""
        return self.step.drafted and self.to_move is self.step.side

    def unpressed(self, colour: Colour) -> list[Entry]:
        """The moves of a side after which it has not pressed yet."""
        return [e for e in self.entries if e.colour is colour and not e.pressed]

    def number(self, entry: Entry) -> int:
        """The number of a move, from 1."""
        return self.entries.index(entry) + 1

    def entry_at(self, p: Point) -> Entry | None:
        """The move whose stone the record holds on a point."""
        return next((e for e in self.entries if e.point == p), None)

    @property
    def blind(self) -> set[Point]:
        """Points that the sensors tell nothing about: masked by the arbiter, or faulty."""
        return self.masked | self.faulty

    # -- telling

    def refuse(self, given: Command, why: str) -> None:
        """Answer a command with one sentence, and change nothing; without an arbiter a player hears it."""
        alone = self.settings.forbidden == "automatic" and given.by in ("near", "far")
        audience: Audience = "players" if alone else "arbiter"
        self.tell(Refused(t_ns=self.t_ns, audience=audience, do=given.do, why=why))

    def tell(self, ruling: AnyRuling) -> None:
        """Add a ruling to what this input led to."""
        self.out.append(ruling)

    def told(
        self,
        code: str,
        point: Point | None = None,
        side: Colour | None = None,
        *,
        rest: Point | None = None,
    ) -> None:
        """Tell the arbiter a thing that changes nothing; `rest`: where a stone lies that was on `point`."""
        self.tell(Told(t_ns=self.t_ns, code=code, point=point, side=side, rest=rest))

    def tell_fault(self, code: str, point: Point | None, text: str | None) -> None:
        """Tell the arbiter about sensors."""
        self.tell(Told(t_ns=self.t_ns, code=code, point=point, text=text))

    # -- the record

    @property
    def opening_lies(self) -> bool:
        """Whether three stones lie there that may be no opening, and nobody has answered them yet."""
        step = self.entries[-1].step if len(self.entries) == len(SHAPE) else None
        return step is not None and self.procedure.steps[step].where != "anywhere"

    def tell_opening(self, audience: Audience | None = None) -> None:
        """Tell the name of the first three stones, by their position, and N as far as it is known."""
        found = opening_of(position_of(self.entries[: len(SHAPE)]))
        self.tell(
            OpeningSet(
                t_ns=self.t_ns,
                audience=audience or ("arbiter" if self.opening_lies else "public"),
                name=found.code if found else None,
                offers=self.offers_n,
            )
        )

    def append(self, entry: Entry) -> None:
        """A move more; told at once unless its number waits for an undecided move before it."""
        self.entries.append(entry)
        if self.awaited is None:
            self.bare.clear()
        self.put_down.clear()
        self.position = position_of(self.entries)
        self.tell_move(entry)

    def tell_move(self, entry: Entry) -> None:
        """Tell where a move stands; nothing while move 5 or a move before this one is still on offer."""
        n = self.number(entry)
        if any(e.kind == "offers" for e in self.entries[:n]):
            return
        player = self.player_of(entry.colour)
        if entry.used_ms is None or not entry.pressed:
            entry.used_ms = self.used_ms(player)
        again, entry.told = entry.told and entry.pressed, True
        self.tell(
            Moved(
                t_ns=entry.contact_ns,
                n=n,
                point=entry.point,
                colour=entry.colour,
                used_ms=entry.used_ms,
                missing=entry.kind == "missing",
                left_ms=entry.left_ms,
                corrected_ns=self.t_ns if again else None,
            )
        )

    def leave_fifth_open(self) -> None:
        """Which of the offers is move 5 nobody can say, and play has gone on: it is told as an open entry."""
        fifth = self.fifth
        if fifth in self.entries[:-1] and fifth is not None and fifth.kind == "offers":
            fifth.kind = "missing"
            for entry in self.entries[self.number(fifth) - 1 :]:
                self.tell_move(entry)

    def restand(self, entry: Entry, p: Point) -> None:
        """The stone of a move rests on another point; a forbidden move that it made before is gone."""
        entry.point = p
        self.position = position_of(self.entries)
        self.withdraw(entry)
        self.tell_move(entry)

    def withdraw(self, entry: Entry, *, every: bool = False) -> None:
        """Forget that a stone was forbidden where it lay before; `every`: its move is off the record."""
        for matter in self.matters:
            if matter.entry is entry and (matter.kind or every) and matter.claimable:
                matter.standing = "gone"
                self.tell(lapsed(self, matter, "arbiter"))

    def trade_colours(self) -> None:
        """The players hold the other colours now, and have changed their seats where that is agreed."""
        self.black = self.black.other
        if self.settings.swap == "seats":
            self.seats = {player: other_seat(seat) for player, seat in self.seats.items()}

    def swaps_undone(self) -> bool:
        """Trade back what was traded at the step at hand or after it; whether there was any."""
        undone = [step for step in self.swaps if step >= self.step_index]
        self.swaps = [step for step in self.swaps if step not in undone]
        if len(undone) % 2:
            self.trade_colours()
            self.owing = None
            self.time_of = self.time_of and self.time_of.other
        return bool(undone)

    def unmove(self, entry: Entry) -> None:
        """Take a move and everything after it off the record, back to the step of the opening that it was.

        The stones of a set-up stand together: what is left of them is laid anew. A swap is a move too [2.1].
        """
        off = self.entries[self.number(entry) - 1 :]
        steps = [e.step for e in off if e.step is not None]
        if steps:
            self.step_index = min(self.step_index, *steps)
            self.draft = []
            if self.step.do == "set-up":
                self.draft = [e for e in self.entries if e.step == self.step_index and e not in off]
                off = [*self.draft, *off]
        n = self.number(off[0])
        for gone in off:
            self.withdraw(gone, every=True)
        del self.entries[n - 1 :]
        self.position = position_of(self.entries)
        seat = self.seats[self.black] if self.swaps_undone() else None
        self.tell(Unmoved(t_ns=self.t_ns, n=n, black_seat=seat))
        self.put_right = None
        if self.fifth not in self.entries:
            self.fifth = None
            self.removal_open = False
            self.offers = ()

    # -- what is claimable

    def irregular(
        self,
        code: str,
        side: Colour,
        *,
        point: Point | None = None,
        rest: Point | None = None,
        entry: Entry | None = None,
        t_ns: int | None = None,
        clock: Clock | None = None,
    ) -> Matter:
        """An irregular action was found; told to the arbiter."""
        for known in self.matters if code in LYING else ():
            if (known.code, known.point, known.side) == (code, point, side) and known.claimable:
                return known
        t = self.t_ns if t_ns is None else t_ns
        matter = Matter(code, self.player_of(side), side, t, point, rest, entry, clock=clock)
        self.matters.append(matter)
        self.tell_found(matter)
        return matter

    def tell_found(self, matter: Matter) -> None:
        """Tell an irregular action; again, with the same instant, when its stone lies elsewhere now."""
        entry = matter.entry
        self.tell(
            Irregular(
                t_ns=matter.t_ns,
                audience="public" if matter.revealed else "arbiter",
                code=matter.code,
                side=matter.side,
                article=matter.article,
                point=matter.point,
                rest=matter.rest,
                n=self.number(entry) if entry in self.entries and entry else None,
            )
        )

    def rests(self, matter: Matter, p: Point) -> None:
        """The stone of a finding lies on another point now than it was told."""
        if matter.rest != p:
            matter.rest = p
            self.tell_found(matter)

    def stone_gone(self, p: Point) -> None:
        """A stone that should not lie there was taken away again: nothing is left to be claimed."""
        for matter in self.matters:
            if matter.code in LYING and matter.point == p and matter.standing == "open":
                matter.standing = "gone"
                self.tell(lapsed(self, matter, "arbiter"))

    def forbidden(self, entry: Entry, kind: ForbiddenKind) -> Matter:
        """Black's move is forbidden; told to the arbiter only."""
        matter = Matter(
            "forbidden", self.player_of(BLACK), BLACK, entry.contact_ns, entry.point, entry=entry, kind=kind
        )
        self.matters.append(matter)
        if entry.point is not None:
            n, t = self.number(entry), entry.contact_ns
            self.tell(Forbidden(t_ns=t, audience="arbiter", n=n, point=entry.point, kind=kind))
        return matter

    def reveal(self, matter: Matter, why: str) -> None:
        """From now on all may know of a matter; told once."""
        if matter.revealed or matter.standing == "gone":
            return
        matter.revealed = True
        entry = matter.entry
        self.tell(
            Revealed(
                t_ns=self.t_ns,
                code=matter.code,
                side=matter.side,
                why=why,
                article=matter.article,
                point=matter.point,
                rest=matter.rest,
                n=self.number(entry) if entry in self.entries and entry else None,
                kind=matter.kind,
            )
        )

    # -- the clock

    def used_ms(self, player: Player) -> int:
        """Time used since the player's last completed move, whole milliseconds."""
        return (self.clock.at(self.t_ns).side(player).ran_ns - self.turn_began_ran_ns[player]) // MS

    def run(self, colour: Colour | None) -> None:
        """From now on this side's time runs; while the clocks stand, from their resumption on."""
        self.time_of = colour
        if self.phase != "playing" or colour is None:
            self.clock = self.clock.stop(self.t_ns)
        else:
            self.clock = self.clock.run(self.player_of(colour), self.t_ns)

    # -- the course of the game

    def stop(self, why: str, *, guiding: bool = False) -> None:
        """The clocks stand, and nothing on the board is a move, until `resume`."""
        self.guiding = self.guiding or guiding
        if self.phase == "playing":
            self.phase = "stopped"
            self.before_stop = self.position.cells, tuple(self.sensed)
            self.clock = self.clock.stop(self.t_ns)
        self.why = why

    def pause(self, why: str, *, guiding: bool = False) -> None:
        """Stop and tell so."""
        self.stop(why, guiding=guiding)
        self.tell(Paused(t_ns=self.t_ns, why=why))

    def resume(self) -> None:
        """The clocks go on with the side whose time it is, or the player who is not there yet."""
        self.phase = "playing"
        self.of_nobody.clear()
        self.away_ms = 0
        self.why = ""
        self.guiding = False
        self.run(self.time_of)
        self.tell(Resumed(t_ns=self.t_ns, running=self.time_of))

    def end(
        self,
        reason: Reason,
        winner: Colour | None,
        *,
        t_ns: int | None = None,
        line: tuple[Point, ...] = (),
        scores: dict[Colour, float] | None = None,
        draw: bool = True,
    ) -> None:
        """The game is over: what was hidden is told, then the one `over`. `draw`: without a winner."""
        self.clock = self.clock.stop(self.t_ns)
        self.phase = "over"
        self.why = ""
        self.guiding = False
        self.claim = None
        if self.opening_lies:
            self.tell_opening("public")
        self.leave_fifth_open()
        for matter in self.matters:
            self.reveal(matter, "over")
        if scores is None:
            none = 0.5 if draw else 0.0
            scores = {c: none if winner is None else float(c is winner) for c in Colour}
        self.over = Over(
            t_ns=self.t_ns if t_ns is None else t_ns, winner=winner, result=scores, reason=reason, line=line
        )
        self.tell(self.over)

    def refuse_draw(self, side: Colour) -> None:
        """A side acts otherwise than by accepting: a draw offered to it is refused."""
        if self.draw_offer is self.player_of(side.other):
            self.draw_offer = None
            self.tell(DrawOffer(t_ns=self.t_ns, side=side, answer="refuse"))
