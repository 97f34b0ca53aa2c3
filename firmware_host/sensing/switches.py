"""Switches: closed or open, with bounce; no strength, and no polarity but where each pole has its own switch.

A closed switch reads 1; where there is one for each pole, it reads 92 for black and -92 for white.

A contact counts from the first closed frame on and is open only after it has been so for `BOUNCE_NS`. A
contact that flutters is not believed the sooner the more it does so; one that goes on fluttering is noisy,
or, under a stone that lay still before, a weak magnet: the stone stays.
"""

from collections import deque
from typing import Final

import numpy as np

from firmware_host.board import POINTS, SIZE, Point
from firmware_host.sensing.facts import Alarm, Departure, Fact, Left, Passed, Settled
from firmware_host.sensing.geometry import LINE_POINTS, NEIGHBOURS
from firmware_host.sensing.settings import MS, SensingSettings
from firmware_host.sensing.silent import silent_lines

BOUNCE_NS: Final = 20 * MS
EXTRA_QUIET_NS: Final = 20 * MS
"""Added to the settle time for each change beyond the third within a second: bounce makes no more."""
FEW_CHANGES: Final = 3
SETTLE_FRAMES: Final = 8
LONGEST_PERIOD_NS: Final = 20 * MS
"""A contact that flutters at random keeps still for fewer scans than that."""
BOUNCE_FRAMES: Final = 3
"""Changes within so many scans are counted as one where a contact has only passed."""
NOISY_CHANGES: Final = 12
NOISY_SPAN_NS: Final = 300 * MS
DIAGONAL: Final = 1.25
"""The way to a point across the corner is longer by 1.4, and yet a hand takes more."""
FIELD_SENSORS: Final = 3
FIELD_NS: Final = 60 * MS
"""So many contacts beside one another that close within this time: no hands do that, a phone does."""
UNSEEN_SENSORS: Final = 6
"""The same where they closed while no frame came: a few stones laid meanwhile may lie side by side."""
FIELD_OVER_NS: Final = 500 * MS
"""The field has gone when for so long no two contacts have been closed by it."""
SECOND_NS: Final = 1000 * MS
QUIET_NS: Final = 5000 * MS
"""A noisy contact that has kept quiet for so long is believed again."""
NEVER: Final = 1 << 62


class _Contact:
    """A point whose switch has changed lately."""

    __slots__ = (
        "changes",
        "closed",
        "closed_ns",
        "field",
        "last_ns",
        "noisy",
        "open_ns",
        "settled",
        "settled_ns",
        "stood_ns",
        "weak",
    )

    def __init__(self, t_ns: int) -> None:
        self.changes: deque[int] = deque()
        self.closed = False  # with bounce taken out
        self.closed_ns = t_ns
        self.open_ns = -1  # since when the raw contact is open, -1: it is closed
        self.last_ns = t_ns
        self.settled = False
        self.settled_ns = 0
        self.stood_ns = -NOISY_SPAN_NS  # until when it last held a stone for long
        self.noisy = False
        self.weak = False
        self.field = False  # closed by an outside field


def _bursts(changes: deque[int], bounce_ns: int) -> int:
    """How many changes there are, those of one bounce taken as one."""
    count, since_ns = 0, -bounce_ns
    for t_ns in changes:
        if t_ns - since_ns >= bounce_ns:
            count, since_ns = count + 1, t_ns
    return count


def _group(p: Point, among: set[Point]) -> set[Point]:
    """The points among these that hang together with `p`."""
    group, edge = {p}, [p]
    while edge:
        found = among.intersection(NEIGHBOURS[edge.pop()]) - group
        group |= found
        edge.extend(found)
    return group


class SwitchBoard:
    """Front end of a board of switches; see `facts.FrontEnd`."""

    def __init__(self, settings: SensingSettings) -> None:
        self._settle_ns = int(settings.settle_ms * MS)
        self._bounce_ns = BOUNCE_NS
        self._start_frames = 0
        self._hop_ns = int(settings.hop_ms * MS)
        self._raw = np.zeros(POINTS, np.uint8)
        self._contacts: dict[Point, _Contact] = {}
        self._masked: set[Point] = set()
        self._closed_at_start: set[Point] = set()
        self._told: list[str] = ["."] * POINTS
        self._signs = [0] * POINTS
        """The pole of the magnet that last closed a contact: 1 black, -1 white, 0 unknown."""
        self._expected: str | None = None
        self._start_ns: int | None = None
        self._t_ns = 0
        self._back_ns = -1
        """The first frame after the last long gap between frames."""
        self._silent: set[str] = set()
        """Lines that showed nothing at the start though stones should lie there."""
        self._field: set[Point] = set()
        """Where an outside field closed a contact."""
        self._field_ns = 0
        self._left_ns: deque[int] = deque(maxlen=2)
        self.started = False
        self.idle = False
        self.due_ns = 0

    def expect(self, stones: str) -> None:
        """What should lie there, 225 of `.XO?`; before the start a closed switch elsewhere is at fault."""
        self._expected = stones
        for p in self._closed_at_start:
            if stones[p] != ".":
                self._told[p] = self._mark(p)

    def away(self, t_ns: int) -> None:
        """The frame of `t_ns` is the first for long: what has changed with it did so at any time before."""
        self._back_ns = t_ns

    def frame(self, t_ns: int, readings: bytes, lost: bool) -> list[Fact]:  # noqa: ARG002
        """Facts known with this frame. A loss needs no care: contacts are judged by what was seen."""
        self._t_ns = t_ns
        raw = np.frombuffer(readings, np.uint8) != 0
        facts: list[Fact] = []
        if not self.started:
            for p in np.flatnonzero(raw).tolist():
                self._look_at_pole(p, readings)
            return self._start(t_ns, raw)
        changed = np.flatnonzero(raw != self._raw)
        if changed.size:
            self._raw = raw.astype(np.uint8)
            for p in changed.tolist():
                self._look_at_pole(p, readings)
                self._change(p, t_ns, bool(raw[p]), facts)
            self._judge_field(t_ns, facts)
        self.due_ns = NEVER
        if self._field:
            self._watch_field(t_ns, facts)
        for p, contact in list(self._contacts.items()):
            if self._contacts.get(p) is contact:
                self._let_time_pass(p, contact, t_ns, facts)
        return facts

    def _start(self, t_ns: int, raw: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> list[Fact]:
        self._start_frames += 1
        if self._start_ns is None:
            self._start_ns = t_ns
        else:
            for p in np.flatnonzero(raw != self._raw).tolist():
                self._contact(p, t_ns).changes.append(t_ns)
        self._raw = raw.astype(np.uint8)
        if t_ns - self._start_ns < self._settle_ns + BOUNCE_NS:
            return []
        fluttered = {
            p
            for p, c in self._contacts.items()
            if len(c.changes) > FEW_CHANGES or t_ns - c.changes[-1] < BOUNCE_NS
        }
        self._contacts.clear()
        self.started = True
        period_ns = min(LONGEST_PERIOD_NS, (t_ns - self._start_ns) // max(1, self._start_frames - 1))
        self._settle_ns = max(self._settle_ns, SETTLE_FRAMES * period_ns)
        self._bounce_ns = max(BOUNCE_NS, BOUNCE_FRAMES * period_ns)
        facts: list[Fact] = []
        if self._expected is not None:
            self._silent = set(silent_lines(self._expected, lambda p: bool(raw[p])))
            for name in sorted(self._silent):
                self._masked.update(LINE_POINTS[name])
                facts.append(Alarm("silent", line=name))
        for p in np.flatnonzero(raw).tolist():
            if p in fluttered or p in self._masked:
                continue
            if self._expected is not None and self._expected[p] == ".":
                self._closed_at_start.add(p)
                self._masked.add(p)
                facts.append(Alarm("closed-at-start", p))
            else:
                contact = self._contact(p, t_ns)
                contact.closed = contact.settled = True
                contact.settled_ns = t_ns
                self._told[p] = self._mark(p)
        for p in fluttered - self._masked:
            contact = self._contact(p, t_ns)
            contact.changes.extend([t_ns] * (FEW_CHANGES + 2))
            contact.closed = bool(raw[p])
            contact.open_ns = -1 if raw[p] else t_ns
        return facts

    def _look_at_pole(self, p: Point, readings: bytes) -> None:
        """Note which pole closed a contact; an open one keeps its last."""
        if readings[p]:
            self._signs[p] = 0 if readings[p] == 1 else -1 if readings[p] >= 0x80 else 1

    def _mark(self, p: Point) -> str:
        return "?XO"[self._signs[p]]

    def _contact(self, p: Point, t_ns: int) -> _Contact:
        contact = self._contacts.get(p)
        if contact is None:
            contact = self._contacts[p] = _Contact(t_ns)
        return contact

    def _change(self, p: Point, t_ns: int, closed: bool, facts: list[Fact]) -> None:
        if p in self._closed_at_start:
            if not closed:
                self._closed_at_start.discard(p)
                self._masked.discard(p)
                self._told[p] = "."
                facts.append(Alarm("closed-at-start", p, over=True))
            return
        contact = self._contact(p, t_ns)
        contact.changes.append(t_ns)
        still_ns = t_ns - max(contact.last_ns, contact.settled_ns)
        contact.last_ns = t_ns
        if closed:
            contact.open_ns = -1
            if not contact.closed:
                contact.closed = True
                contact.closed_ns = t_ns
                contact.settled = False
        elif contact.open_ns < 0:
            contact.open_ns = t_ns
            if contact.settled and still_ns >= NOISY_SPAN_NS:
                contact.stood_ns = t_ns

    def _judge_field(self, t_ns: int, facts: list[Fact]) -> None:
        """Contacts that have closed just now: by a field, if they do so side by side."""
        fresh = {
            p
            for p, c in self._contacts.items()
            if self._may_be_stone(c) and c.open_ns < 0 and t_ns - c.closed_ns <= FIELD_NS
        } - self._masked
        group: set[Point] = set()
        if self._field:
            group = {p for p in fresh if not self._field.isdisjoint((p, *NEIGHBOURS[p]))}
        elif len(fresh) >= FIELD_SENSORS and not self._knocked(t_ns):
            unseen = any(self._contacts[p].closed_ns == self._back_ns for p in fresh)
            least = UNSEEN_SENSORS if unseen else FIELD_SENSORS
            groups = (_group(p, fresh) for p in fresh)
            group = next((g for g in groups if len(g) >= least), group)
            if group:
                facts.append(Alarm("interference"))
        for p in group:
            self._contacts[p].field = True
        self._field |= group

    def _knocked(self, t_ns: int) -> bool:
        """Whether stones have left their points just now: they may be those that come down side by side."""
        opened = sum(c.settled and c.open_ns >= 0 for c in self._contacts.values())
        return opened + sum(t_ns - left_ns < SECOND_NS for left_ns in self._left_ns) >= 2

    def _watch_field(self, t_ns: int, facts: list[Fact]) -> None:
        """Whether the field has gone; a contact that stays closed then is a stone that came under it."""
        under = [self._contacts[p] for p in self._field if p in self._contacts]
        if sum(c.open_ns < 0 for c in under) > 1:
            self._field_ns = t_ns
        if t_ns - self._field_ns < FIELD_OVER_NS:
            self.due_ns = self._field_ns + FIELD_OVER_NS
            return
        for c in under:
            c.field = False
            c.changes.clear()
            c.closed = c.open_ns < 0
        self._field.clear()
        facts.append(Alarm("interference", over=True))

    def _let_time_pass(self, p: Point, c: _Contact, t_ns: int, facts: list[Fact]) -> None:
        if c.field:
            return
        while c.changes and t_ns - c.changes[0] > SECOND_NS:
            c.changes.popleft()
        count = len(c.changes)
        if c.noisy or c.weak:
            quiet_ns = SECOND_NS if c.weak else QUIET_NS
            if t_ns - c.last_ns < quiet_ns:
                self.due_ns = min(self.due_ns, c.last_ns + quiet_ns)
                return
            if c.noisy:
                self._masked.discard(p)
                facts.append(Alarm("noisy", p, over=True))
                c.settled, c.closed, c.closed_ns = False, c.open_ns < 0, t_ns
            c.noisy = c.weak = False
        elif count >= NOISY_CHANGES and c.changes[-1] - c.changes[0] >= NOISY_SPAN_NS:
            self.due_ns = t_ns
            if c.stood_ns >= c.changes[0] - NOISY_SPAN_NS:
                c.weak = True
                facts.append(Alarm("weak", p))
                if not c.settled:
                    c.closed = c.settled = True
                    self._told[p] = self._mark(p)
                    facts.append(Settled(p, self._signs[p], c.closed_ns, c.closed_ns, 1.0))
            elif p not in self._masked:
                c.noisy = True
                self._masked.add(p)
                facts.append(Alarm("noisy", p))
            return
        if p in self._masked:
            self._hear(p, c, t_ns, facts)
            return
        if c.open_ns >= 0:
            if not c.closed:
                if not count:
                    del self._contacts[p]
                return
            if t_ns - c.open_ns < BOUNCE_NS:
                self.due_ns = min(self.due_ns, c.open_ns + BOUNCE_NS)
                return
            if c.settled and self._field and not self._field.isdisjoint(NEIGHBOURS[p]):
                return
            c.closed = False
            if c.settled:
                self._left_ns.append(c.open_ns)
                facts.append(Left(p, c.open_ns, c.open_ns))
            elif _bursts(c.changes, self._bounce_ns) <= FEW_CHANGES + 2:
                facts.append(Passed(p, self._signs[p], c.closed_ns, c.closed_ns, c.open_ns, 1.0))
            c.settled = False
            self._told[p] = "."
        elif not c.settled:
            until = c.last_ns + self._settle_ns + EXTRA_QUIET_NS * max(0, count - FEW_CHANGES)
            until = max(until, c.closed_ns + self._settle_ns) if count <= FEW_CHANGES else until
            for q in NEIGHBOURS[p]:
                other = self._contacts.get(q)
                if other and self._may_be_stone(other) and 0 <= other.closed_ns - c.closed_ns <= FIELD_NS:
                    until = max(until, other.closed_ns + self._settle_ns)
            if t_ns < until:
                self.due_ns = min(self.due_ns, until)
                return
            c.settled = True
            c.settled_ns = t_ns
            self._told[p] = self._mark(p)
            facts.append(Settled(p, self._signs[p], c.closed_ns, c.closed_ns, 1.0))

    def _hear(self, p: Point, c: _Contact, t_ns: int, facts: list[Fact]) -> None:
        """A contact of a silent line that has closed, and keeps quiet, shows that the line works."""
        lines = [name for name in self._silent if p in LINE_POINTS[name]]
        if not lines or c.open_ns >= 0:
            return
        if t_ns - c.last_ns < SECOND_NS:
            self.due_ns = min(self.due_ns, c.last_ns + SECOND_NS)
            return
        for name in lines:
            self._silent.discard(name)
            facts.append(Alarm("silent", line=name, over=True))
            for q in LINE_POINTS[name]:
                self.unmask(q)

    @property
    def pending_ns(self) -> int | None:
        """The first contact of anything unsettled, or the opening of what may be a lift."""
        least = None
        for p, c in self._contacts.items():
            if c.noisy or c.weak or c.field or p in self._masked:
                continue
            at = (
                c.open_ns
                if c.settled and c.open_ns >= 0
                else c.closed_ns
                if c.closed and not c.settled
                else None
            )
            if at is not None and (least is None or at < least):
                least = at
        return least

    def signs(self) -> list[str]:
        """The stones as the switches show them."""
        return list(self._told)

    def may_slide(self, left: Departure, fact: Settled | Passed) -> bool:
        """Whether the gap between the two contacts, all of it seen, is too short for a hand."""
        if left.left_ns <= self._back_ns <= fact.contact_ns:
            return False
        straight = abs(left.point - fact.point) in (1, SIZE)
        return 0 <= fact.contact_ns - left.left_ns <= self._hop_ns * (1.0 if straight else DIAGONAL)

    def near(self, p: Point) -> bool:
        """Whether an unsettled contact is at `p` or beside it."""
        return any(
            self._may_be_stone(c) for q in (p, *NEIGHBOURS[p]) if (c := self._contacts.get(q)) is not None
        )

    def sees(self, p: Point, sign: int) -> bool:  # noqa: ARG002
        """An open contact sees nothing."""
        return False

    def lies_again(self, p: Point) -> bool:  # noqa: ARG002
        """A contact does not tell one stone from another."""
        return False

    def frozen(self, p: Point) -> bool:  # noqa: ARG002
        """A switch does not tremble."""
        return False

    def strays(self) -> int:
        """How many contacts are closed and not settled."""
        return sum(self._may_be_stone(c) for c in self._contacts.values())

    @staticmethod
    def _may_be_stone(c: _Contact) -> bool:
        return c.closed and not c.settled and not c.noisy and not c.field

    @property
    def disturbed(self) -> bool:
        """Whether an outside field lies over the board."""
        return bool(self._field)

    def moving(self, t_ns: int) -> bool:
        """Whether a contact is unsettled just now."""
        return any(not c.noisy and t_ns - c.last_ns < 100 * MS for c in self._contacts.values() if c.changes)

    def rest(self) -> None:
        """Nothing to do: a closed contact is a stone."""

    def mask(self, p: Point) -> None:
        """Believe nothing of a point."""
        self._masked.add(p)
        self._contacts.pop(p, None)

    def unmask(self, p: Point) -> None:
        """Believe it again: what it shows is taken as it is."""
        self._masked.discard(p)
        self._closed_at_start.discard(p)
        self._contacts.pop(p, None)
        if self._raw[p]:
            contact = self._contact(p, self._t_ns)
            contact.closed = contact.settled = True
        self._told[p] = self._mark(p) if self._raw[p] else "."

    @property
    def masked(self) -> frozenset[Point]:
        """Points that are not believed."""
        return frozenset(self._masked)
