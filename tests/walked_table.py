"""A table for random games: stones that really lie there, keys, commands; every step is checked.

`WalkedTable` keeps a board of stones as the hands left it, tells the pipeline about it as sensing would,
folds the rulings into both records and the public feed as the service does, and holds the invariants after
each step. It draws nothing by itself: `tests/test_match_machine.py` says what happens.
"""

import copy
from typing import Any, Final

import msgspec

from firmware_host import wire
from firmware_host.board import BLACK, NAMES, POINTS, WHITE, Colour, Point, parse_point
from firmware_host.clock import Player
from firmware_host.feed import ClockView, PublicFeed, TableView, snapshot
from firmware_host.pipeline import Pipeline, Step
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.referee.board_watch import CHARS
from firmware_host.referee.commands import parse_command
from firmware_host.referee.final import final
from firmware_host.referee.inputs import Command, Input, KeyPress
from firmware_host.referee.irregular import SEEN, Matter
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling, Decided, Moved, Over, Pressed, Refused, Told, Upheld
from firmware_host.referee.settings import MatchSettings
from firmware_host.sensing.events import (
    Adjusted,
    Cleared,
    Fault,
    Lifted,
    Placed,
    Scattered,
    Seen,
    Slid,
)
from firmware_host.sensing.watcher import BoardWatcher

MS: Final = 1_000_000
SECOND: Final = 1000 * MS
BEFORE_NS: Final = 100 * SECOND
LOOK_EVERY: Final = 8
GONE: Final = ("upheld", "rejected", "waived", "lapsed", "gone")


class WalkedTable:
    """One match on `sensors` (linear or switch: without colours) from the first order on."""

    def __init__(self, settings: MatchSettings, sensors: str, absent: frozenset[Colour]) -> None:
        self.settings = settings
        self.coloured = sensors == "linear"
        self.absent = absent
        self.now_ns = BEFORE_NS
        self.stones: dict[Point, Colour] = {}
        self.by_hand: set[Point] = set()
        self.steps: list[Step] = []
        watcher = BoardWatcher("linear" if self.coloured else "switch")
        self.pipeline = Pipeline(watcher, Referee(settings, absent))
        self.public = GameRecord.new(Header(), settings, "public")
        self.arbiter = GameRecord.new(Header(), settings, "arbiter")
        self.feed = PublicFeed()
        self.feed_id = 0
        self.shown: dict[str, Any] = {}
        self.named: set[Point] = set()
        self.lain_since: dict[Point, int] = {}
        self.may_be_shown: set[Point] = set()

    @property
    def referee(self) -> Referee:
        return self.pipeline.referee

    # -- what hands, keys and the arbiter do

    def colour(self, colour: Colour) -> Colour | None:
        return colour if self.coloured else None

    def place(self, p: Point, colour: Colour) -> None:
        """A stone is put down; on top of another one only the sensors' last word counts."""
        self._advance()
        self.stones[p] = colour
        self.give(Placed(t_ns=self.now_ns, point=p, colour=self.colour(colour)))

    def lift(self, p: Point) -> None:
        self._advance()
        colour = self.stones.pop(p)
        self.give(Lifted(t_ns=self.now_ns, point=p, colour=self.colour(colour)))

    def adjust(self, p: Point) -> None:
        self.give(Adjusted(t_ns=self.now_ns, point=p, colour=self.colour(self.stones[p])))

    def slide(self, path: tuple[Point, ...], colour: Colour) -> None:
        """A stone goes along a path whose later points are empty; a new one if the first is empty too."""
        self._advance()
        self.stones.pop(path[0], None)
        self.stones[path[-1]] = colour
        began_ns = max(0, self.now_ns - 50 * MS)
        self.give(Slid(t_ns=self.now_ns, path=path, colour=self.colour(colour), first_contact_ns=began_ns))

    def scatter(self, gone: tuple[Point, ...], lands: dict[Point, Colour]) -> None:
        """Several stones leave their points; when all is at rest what lies there is seen."""
        self._advance()
        for p in gone:
            del self.stones[p]
        self.give(Scattered(t_ns=self.now_ns, points=gone))
        self.stones |= lands
        self.now_ns += 500 * MS
        self.see()

    def see(self) -> None:
        cells = ["."] * POINTS
        for p, colour in self.stones.items():
            cells[p] = CHARS[self.colour(colour)]
        self.give(Seen(t_ns=self.now_ns, stones="".join(cells)))

    def fault(self, p: Point) -> None:
        self.give(Fault(t_ns=self.now_ns, kind="stuck", point=p))

    def cleared(self, p: Point) -> None:
        self.give(Cleared(t_ns=self.now_ns, point=p))

    def key(self, key: str) -> None:
        self.give(KeyPress(t_ns=self.now_ns, key=key))  # type: ignore[arg-type]

    def press(self, side: Colour) -> None:
        self.key(self.referee.seat_of(self.referee.player_of(side)))

    def order(self, do: str, **fields: Any) -> list[AnyRuling]:
        return self.give(parse_command({"do": do, **fields}, self.now_ns))

    def wait(self, ns: int) -> None:
        """Time goes by; the journal's heartbeat falls in it."""
        self.now_ns += ns
        self._advance()
        self._take(self.pipeline.tick(), self.before())

    def give(self, given: Input, late_ns: int = 0) -> list[AnyRuling]:
        """Let an input come and be ruled, after what time alone has brought; the rulings of that step."""
        self._advance()
        self.pipeline.put(msgspec.structs.replace(given, t_ns=max(0, given.t_ns - late_ns)))
        return self._advance()

    def restart(self) -> None:
        """The service ends and comes back: the journal is ruled again, and the board is seen."""
        again = Referee(self.settings, self.absent)
        for step in self.steps:
            again.rule(step.given)
        assert final(again) == final(self.referee)
        assert (again.phase, again.to_move, again.differences()) == (
            self.referee.phase,
            self.referee.to_move,
            self.referee.differences(),
        )
        ruled_ns = self.pipeline.ruled_ns
        self.pipeline = Pipeline(BoardWatcher("linear" if self.coloured else "switch"), again)
        self.pipeline.begin_at(ruled_ns)
        if again.phase != "waiting":
            before = self.before()
            restore = Command(t_ns=ruled_ns, do="restore", reason="restart")
            self._take(self.pipeline.rule_now(restore), before)
        self.now_ns += SECOND
        self.see()

    # -- what follows

    def _advance(self) -> list[AnyRuling]:
        self.pipeline.keys_seen(self.now_ns)
        self.pipeline.blind(self.now_ns)
        self._look_at_faces()
        before = self.before()
        rulings: list[AnyRuling] = []
        for step in self.pipeline.advance():
            self._take(step, before)
            before = self.before()
            rulings += step.rulings
        return rulings

    def _look_at_faces(self) -> None:
        """What the faces show at once, now and then: it costs a copy of the referee."""
        if len(self.steps) % LOOK_EVERY:
            return
        preview = self.pipeline.preview()
        for seat in ("near", "far"):
            word = preview.menus.word(preview.referee, seat, self.now_ns)  # type: ignore[arg-type]
            assert word is None or len(word[0]) == 4

    def before(self) -> tuple[Any, ...]:
        """What a refused command must leave as it is."""
        r = self.referee
        return (
            [(e.kind, e.point, e.colour, e.pressed) for e in r.entries],
            [(m.code, m.point, m.standing, m.revealed) for m in r.matters],
            r.clock.at(self.now_ns).books if r.clock.began_ns is not None else None,
            (r.step, r.offers, r.phase, r.why, r.black_seat, r.time_of, r.draw_offer, r.offers_wanted),
            r.over,
        )

    def _take(self, step: Step, before: tuple[Any, ...]) -> None:
        self.steps.append(step)
        self.public = self.public.fold_all(step.rulings)
        self.arbiter = self.arbiter.fold_all(step.rulings)
        self._rested(step)
        r = self.referee
        view = ClockView.of(r.clock, r.player_of(BLACK), self.now_ns)
        sensed = r.sensed
        in_hand = frozenset(p for p, _ in r.position.stones() if sensed[p] == ".") - r.masked
        published = self.feed.update(self.public, view, in_hand)
        if published is not None:
            self.feed_id += 1
            assert published[0] == self.feed_id, "ids of the public feed have no gap"
            self.shown = published.game
        shown = self.shown
        msgspec.json.encode(shown)
        msgspec.json.encode(snapshot(self.arbiter, view, TableView(sensed=sensed)))
        for thing in (step.given, *step.rulings):
            msgspec.json.encode(wire.to_wire(thing))
        self._check(step, shown, before)

    def _rested(self, step: Step) -> None:
        """Where the public may see a stone from now on: it lay there at a press, or for a second."""
        r = self.referee
        sensed = r.sensed
        lying = {p for p in range(POINTS) if sensed[p] != "."}
        if isinstance(step.given, Command) and step.given.point is not None:
            self.by_hand.add(step.given.point)
        for ruling in step.rulings:
            if isinstance(ruling, Upheld):
                self.may_be_shown |= {p for m in r.matters for p in (m.point, m.rest) if p is not None}
            elif isinstance(ruling, Decided):
                self.may_be_shown |= {p for p, _ in r.position.stones()}
        told = [ruling.point for ruling in step.rulings if isinstance(ruling, Moved)]
        pressed = {move.n for move in self.arbiter.moves if move.pressed_ns is not None}
        if any(isinstance(ruling, Moved) and ruling.n in pressed for ruling in step.rulings):
            self.may_be_shown |= lying  # a move that was pressed for has been corrected
        elif told:
            answered = lying | {p for p, _ in r.position.stones()}
            self.may_be_shown |= answered - {told[-1]}
        ends_a_turn = any(isinstance(ruling, Pressed | Over) for ruling in step.rulings)
        colours = {e.colour for e in r.entries if not e.pressed}
        if ends_a_turn or len(colours) > 1 or isinstance(step.given, Command | KeyPress):
            self.may_be_shown |= lying
        for p in lying:
            since_ns = self.lain_since.setdefault(p, step.given.t_ns)
            if self.now_ns - since_ns >= SECOND:
                self.may_be_shown.add(p)
        for p in set(self.lain_since) - lying:
            del self.lain_since[p]

    # -- what always holds

    def _check(self, step: Step, shown: dict[str, Any], before: tuple[Any, ...]) -> None:
        self._one_side_to_move()
        self._result_when_over(shown)
        self._books()
        self._records(shown)
        self._board(step)
        self._refused(step, before)
        self._standings(step, before)

    def _one_side_to_move(self) -> None:
        r = self.referee
        if r.phase in ("waiting", "over"):
            assert r.to_move is None
            assert r.clock.running is None
            return
        assert r.to_move in (BLACK, WHITE)
        assert r.time_of in (BLACK, WHITE)
        runs = r.phase in ("opening", "playing")
        assert r.clock.running is (r.player_of(r.time_of) if runs else None)
        assert bool(r.why) is not runs

    def _result_when_over(self, shown: dict[str, Any]) -> None:
        r = self.referee
        ended = r.over is not None
        assert ended is (r.phase == "over") is (self.public.result is not None)
        assert self.public.result == self.arbiter.result
        assert (shown["result"] is not None) is ended
        if r.over is not None:
            assert set(r.over.result) == {BLACK, WHITE}
            assert final(r)["result"] == {
                "black": self.public.result.black,
                "white": self.public.result.white,
            }  # type: ignore[union-attr]

    def _books(self) -> None:
        r = self.referee
        now = r.clock.at(self.now_ns)
        books = now.books
        assert books.balanced, books
        assert books.elapsed_ns == now.as_of_ns - (now.began_ns or 0) or now.began_ns is None
        for player, account in zip(Player, (books.first, books.second), strict=True):
            assert account.ran_ns >= 0
            assert all(entry.reason and entry.ns for entry in account.entries)
            left = now.remaining_ns(player, self.now_ns)
            if left is None:
                assert not account.entries
                continue
            fallen = player in now.fallen or (now.control.shared and bool(now.fallen))
            assert fallen is (account.left_ns <= 0)
            deadline_ns = now.run(player, self.now_ns).deadline_ns
            assert (deadline_ns is None) is fallen
            if deadline_ns is not None:
                unmade = now.to_make(player, self.now_ns)
                assert deadline_ns - now.as_of_ns == (left if unmade else account.left_ns), account
        assert r.deadline_ns is None or r.deadline_ns > r.now_ns

    def _records(self, shown: dict[str, Any]) -> None:
        """The record that the rulings tell is the referee's; the public's is the same and knows less."""
        r = self.referee
        told = [(m.n, m.point, m.colour, m.missing) for m in self.arbiter.moves]
        entries = []
        for n, entry in enumerate(r.entries, 1):
            if entry.kind == "offers":
                break
            entries.append((n, entry.point, entry.colour, entry.kind == "missing"))
        assert told == entries
        assert [(m.n, m.point, m.colour, m.missing) for m in self.public.moves] == entries
        assert self.arbiter.black_seat == self.public.black_seat == r.black_seat
        claimable = sorted(
            (m.code, m.side, m.kind or "", -1 if m.point is None else m.point) for m in r.claimable
        )
        found = (*self.arbiter.irregular, *self.arbiter.forbidden)
        assert claimable == sorted(
            (f.code, f.side, f.kind or "", -1 if f.point is None else f.point) for f in found if f.claimable
        )
        revealed = sorted((m.code, m.side, m.kind or "") for m in r.matters if m.revealed)
        known = (*self.public.irregular, *self.public.forbidden)
        assert revealed == sorted((f.code, f.side, f.kind or "") for f in known)
        for move in shown["moves"]:
            p = None if move["point"] is None else parse_point(move["point"])
            assert p is None or p in self.may_be_shown | self.by_hand, (
                f"{move['point']} is shown, and no stone rested there"
            )

    def _board(self, step: Step) -> None:
        """Sensed is what lies there; record and sensed differ nowhere without a word about it."""
        r = self.referee
        match, sensed, position = r._match, r.sensed, r.position
        unsure = r.masked | self.by_hand
        if not match.unseen:
            lies = {p: CHARS[self.colour(colour)] for p, colour in self.stones.items()}
            wrong = [p for p in range(POINTS) if sensed[p] != lies.get(p, ".") and p not in unsure]
            assert not wrong, f"{NAMES[wrong[0]]}: {lies.get(wrong[0])} lies there"
        if any(isinstance(ruling, Told) and ruling.code == "stones-at-start" for ruling in step.rulings):
            self.named |= {p for p, _, _ in r.differences()}
        if step.rulings:
            self.named |= {p for thing in (step.given, *step.rulings) for p in points_in(thing)}
        listed = {p for p, _, _ in r.differences()}
        drafted = {e.point for e in match.draft}
        for p in range(POINTS):
            recorded, seen = position[p], sensed[p]
            if seen == "." and recorded is None and p not in listed:
                self.named.discard(p)
                continue
            if seen == CHARS[recorded] if recorded else seen == ".":
                assert p not in listed
                self.named.discard(p)
                continue
            if recorded and seen == "?":
                assert p not in listed
                continue
            explained = (
                p in r.masked
                or match.tolerated.get(p) == seen
                or p in r.offers
                or p in drafted
                or (match.drafting and recorded is None)
            )
            assert explained or p in listed, f"{NAMES[p]}: {recorded} recorded, {seen} seen, and not listed"
            if p in listed and r.phase in ("opening", "playing"):
                strays = {stray.point for stray, _ in match.strays}
                assert p in self.named | strays, f"{NAMES[p]}: {recorded} recorded, {seen} seen, never told"

    def _refused(self, step: Step, before: tuple[Any, ...]) -> None:
        refused = [ruling for ruling in step.rulings if isinstance(ruling, Refused)]
        assert len(refused) <= 1
        if not refused:
            return
        assert isinstance(step.given, Command | KeyPress)
        assert refused[0].why
        assert refused[0].why.isascii()
        if any(not isinstance(ruling, Refused) for ruling in step.rulings):
            return  # early-pass and bad-draw-offer are found and refused; a flag fell before the command
        assert self.before() == before, f"{refused[0].do} was refused and changed something"

    def _standings(self, step: Step, before: tuple[Any, ...]) -> None:
        """What is settled stays settled, but for the undoing of a decision."""
        undone = isinstance(step.given, Command) and step.given.do == "compensate"
        for (code, point, was, revealed), matter in zip(before[1], self.referee.matters, strict=False):
            assert (code, matter.code) == (code, code)
            if was in GONE and not undone:
                assert matter.standing == was, f"{code} at {point} was {was} and is {matter.standing}"
            assert matter.revealed or not revealed, "what all know they go on knowing"

    def nothing_settled_can_be_claimed(self) -> None:
        """Each finding that is settled, upheld at a fork: refused, and nothing changes."""
        r = self.referee
        if r.phase in ("waiting", "over"):
            return
        settled = {(m.kind or m.code, m.point): m for m in r.matters if m.standing in GONE}
        for (code, point), matter in settled.items():
            if any(m.answers_to(code, point) for m in r.claimable) or self.done_anew(matter):
                continue
            name = {} if point is None else {"point": NAMES[point]}
            rulings = copy.deepcopy(r).rule(
                parse_command({"do": "uphold", "code": code, **name}, self.now_ns)
            )
            if point is None and r._match.claim is not None:
                continue
            assert [type(ruling) for ruling in rulings] == [Refused], (code, point, rulings)

    def done_anew(self, matter: Matter) -> bool:
        """Whether an answer would be about another press, or another stone on the point of a finding."""
        m = self.referee._match
        if matter.code == "wrong-hand":
            side = (m.time_of or m.to_move).other
            return m.player_of(side) is not matter.player or m.pressed_ns.get(matter.player, 0) > matter.t_ns
        entry = None if matter.point is None else m.entry_at(matter.point)
        return matter.code in SEEN and entry is not None and entry.contact_ns > matter.t_ns


def points_in(thing: Input | AnyRuling) -> list[Point]:
    """The points that an input or a ruling names."""
    found = [getattr(thing, name, None) for name in ("point", "rest")]
    several = (*getattr(thing, "points", ()), *getattr(thing, "path", ()))
    found += [each[0] if isinstance(each, tuple) else each for each in several]
    return [p for p in found if p is not None]
