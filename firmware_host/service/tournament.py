"""The tournament of one table for programs that ask now and then: the games of its event, as far as released.

The game on the board is as the broadcast has released it. Games that were played before the daemon began are
read from the journal, in a thread, and listed when the delay has passed since their last entry; where nobody
can say how long ago that was, it counts from now.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from firmware_host.board import BLACK
from firmware_host.clock import SECOND
from firmware_host.errors import BoardError
from firmware_host.feed import ClockView, before_the_game, snapshot
from firmware_host.feed.documents import Release, round_index, round_of, tournament
from firmware_host.feed.message import Envelope, body_of, message
from firmware_host.record.game import GameRecord
from firmware_host.referee.inputs import Tick
from firmware_host.referee.match import Referee
from firmware_host.service.broadcast import Broadcast
from firmware_host.service.folder_keeper import Files
from firmware_host.service.game import away_ns, record_of
from firmware_host.service.http_body import tag_of
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_rows import Entry, Game
from firmware_host.service.wall_clock import Stamp, stamp_text

INDEX: Final = "tournament.json"

FOREVER_NS: Final = 1 << 62


class Document(NamedTuple):
    """One document, and its entity tag."""

    data: bytes
    etag: str


class Listed(NamedTuple):
    """A game as it was released last. `place` orders the games as they began."""

    place: tuple[int, int]
    record: GameRecord
    message: bytes


class Past(NamedTuple):
    """A game of the journal, number `number`: its record for the public, its clocks at the end, and when.

    `away_ns`: how long ago that is; 0 where nobody can say.
    """

    number: int
    record: GameRecord
    clock: ClockView
    at: Stamp
    away_ns: int


class TournamentFiles:
    """The documents by their paths (`round-2/game-1.json`), always of what is public.

    Belongs to the running event loop. `journal` has the earlier games, those before number `first`. There are
    no documents while these are being read, so that no game changes its place.
    """

    def __init__(self, broadcast: Broadcast, journal: Path, first: int) -> None:
        self.documents: dict[str, Document] = {}
        self._watching: list[Callable[[Files], None]] = []
        self._broadcast = broadcast
        self._journal = journal
        self._first = first
        self._loop = asyncio.get_running_loop()
        self._read: dict[str, bool] = {"": True}
        """The events whose earlier games are read, or being read."""
        self._games: dict[str, Listed] = {}
        self._shown: set[str] = set()
        """The games that the broadcast has shown; these are listed as it shows them."""
        self._said: dict[str, Any] = {}
        broadcast.on_release.append(self.released)
        self.released()

    @property
    def event(self) -> str:
        """The event whose games are listed: that of the game that is shown."""
        return self._broadcast.record.header.event

    @property
    def game_file(self) -> str:
        """The path of the file of the game that is shown; empty while there is none."""
        placed = self._placed().get(self._broadcast.record.header.id)
        return placed[0] if placed and self.documents else ""

    def released(self) -> None:
        """The broadcast has released something."""
        record, data = self._broadcast.record, self._broadcast.body()[0]
        shown = record.header.id
        self._shown.add(shown)
        place = self._games[shown].place if shown in self._games else (1, len(self._games))
        others = {i: g for i, g in self._games.items() if i != shown and g.record.started_ns is not None}
        self._games = {**others, shown: Listed(place, record, data)}
        if self.event not in self._read:
            self._read[self.event] = False
            work = partial(self._read_past, self.event)
            threading.Thread(target=work, name="earlier games", daemon=True).start()
        self._build()

    def watch(self, tell: Callable[[Files], None]) -> None:
        """Tell of all there is now, and of every change: paths, and what gives the bytes."""
        self._watching.append(tell)
        self.documents, self._said = {}, {}
        self._build()

    def _read_past(self, event: str) -> None:
        """In a thread: what the journal has of an event."""
        try:
            games = past_games(self._journal, event, self._first)
        except Exception:  # whatever is wrong with earlier games: the journal's state is told elsewhere
            games = []
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._add_past, event, games)

    def _add_past(self, event: str, games: list[Past]) -> None:
        """List earlier games, those whose delay has not passed as if they had not begun."""
        for past in games:
            if (id_ := past.record.header.id) in self._shown:
                self._games[id_] = self._games[id_]._replace(place=(0, past.number))
                continue  # as far as the broadcast has released it
            wait_s = self._broadcast.delay_s - past.away_ns / SECOND
            record, clock = past.record, past.clock
            is_coming = self._broadcast.is_coming(id_)
            if wait_s > 0 or is_coming:
                blank = before_the_game(record.header, record.settings, 0)
                record, clock = blank.record, blank.clock
            if wait_s > 0 and not is_coming:
                self._loop.call_later(wait_s, self._add_past, event, [past._replace(away_ns=FOREVER_NS)])
            envelope = Envelope(
                kind="snapshot",
                ply=None,
                feed="",
                seq=0,
                released_at=stamp_text(past.at.wall_ns + self._broadcast.delay_s * SECOND),
                synchronised=past.at.synchronised,
                delay_s=self._broadcast.delay_s,
                resync=False,
            )
            text = message(envelope, body_of(snapshot(record, clock)), clock)
            self._games[id_] = Listed((0, past.number), record, text)
        self._read[event] = True
        self._build()

    def _build(self) -> None:
        """Make every document anew; one that says nothing new stays as it was released."""
        if not self._read.get(self.event):
            self.documents = {}
            return
        at = self._broadcast.stamp()
        release = Release(
            released_at=stamp_text(at.wall_ns),
            synchronised=at.synchronised,
            delay_s=self._broadcast.delay_s,
        )
        live = self._broadcast.record.header.id
        placed = self._placed()
        games = [listed.record for _, listed in placed.values()]
        built: dict[str, Any] = {INDEX: tournament(games, live, release)}
        for number in {round_of(record) for record in games}:
            of_round = [record for record in games if round_of(record) == number]
            built[f"round-{number}/index.json"] = round_index(of_round, live, release)
        files: Files = {}
        documents: dict[str, Document] = {}
        for path, document in built.items():
            said = msgspec.structs.replace(document, released_at="")
            if self._said.get(path) == said:
                documents[path] = self.documents[path]
                continue
            self._said[path] = said
            documents[path] = _document(msgspec.json.encode(document))
            files[path] = partial(bytes, documents[path].data)
        for path, listed in placed.values():
            documents[path] = _document(listed.message)
            if self.documents.get(path) != documents[path]:
                files[path] = partial(bytes, listed.message)
                files[path.removesuffix("json") + "sgf"] = partial(sgf_of, listed.record)
        self.documents = documents
        if self._broadcast.has_released:
            for tell in self._watching:
                tell(files)

    def _placed(self) -> dict[str, tuple[str, Listed]]:
        """The games that are listed by their ids, each with the path of its file."""
        placed: dict[str, tuple[str, Listed]] = {}
        count: dict[int, int] = {}
        for id_, listed in sorted(self._games.items(), key=lambda item: item[1].place):
            if listed.record.header.event == self.event:
                number = round_of(listed.record)
                count[number] = count.get(number, 0) + 1
                placed[id_] = f"round-{number}/game-{count[number]}.json", listed
        return placed


def _document(data: bytes) -> Document:
    return Document(data, tag_of(data))


def past_games(path: Path, event: str, before: int) -> list[Past]:
    """The games of an event that begin before game number `before` of a journal, in order.

    Games that never began, were pruned or cannot be read any more are left out. Raises RecordError for a
    journal that cannot be read.
    """
    found = []
    with JournalReader.open(path) as reader:
        pruned = reader.pruned()
        for game in reader.games():
            if game.number >= before or game.number in pruned or game.header.event != event:
                continue
            try:
                entries = reader.entries(game)
                record = record_of(game, entries, "public")
                if record.started_ns is not None:
                    found.append(_past(game, entries, record))
            except BoardError:
                continue
    return found


def _past(game: Game, entries: list[Entry], record: GameRecord) -> Past:
    """Ruled again for the clocks; beats of a running clock that gave nothing are left out."""
    referee, last = Referee(game.settings), entries[-1]
    for entry in entries:
        if entry.rulings or not isinstance(entry.given, Tick):
            referee.rule(entry.given)
    clock = ClockView.of(referee.clock, referee.player_of(BLACK), last.t_ns)
    return Past(game.number, record, clock, Stamp(last.wall_ns, last.synchronised), away_ns(last))


def sgf_of(record: GameRecord) -> bytes:
    """A game as SGF."""
    from firmware_host.record import sgf  # when files are written, not at the start of a daemon

    return sgf.write(record)
