"""Where games are taken from: a journal, or files of any format that can be read."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from firmware_host.errors import BoardError, RecordError
from firmware_host.record.formats import FORMATS, format_of, read_whole
from firmware_host.record.game import GameRecord
from firmware_host.referee.rulings import Audience
from firmware_host.service.game import headed
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_rows import Game
from firmware_host.service.wall_clock import wall_text
from firmware_host.wire import ruling_from_wire

STDIN: Final = "-"
FILE_LIMIT: Final = 64 << 20
"""Bytes of one file of games."""

Complain = Callable[[str], None]


class Source(NamedTuple):
    """A game and where it is from, as people call it: `open.sgf, game 2`; `game 7` of a journal.

    `notes`: what a file left open and how it was taken, and what of it was not read.
    """

    name: str
    record: GameRecord
    notes: tuple[str, ...] = ()


def record_in(reader: JournalReader, game: Game, audience: Audience = "arbiter") -> GameRecord:
    """The record of a journalled game for an audience, with the hash for it; see `game.headed`.

    Raises RecordError for a game that was pruned.
    """
    head, record = game.hash, GameRecord.new(game.header, game.settings, audience)
    rows = reader.ruling_rows(game.number)
    if not rows and (left := reader.pruned().get(game.number)) is not None:
        raise RecordError(
            f"{reader.path}: the entries of game {game.number} were pruned on {wall_text(left.wall_ns)}"
        )
    for seq, rulings, head in rows:  # noqa: B007  # the last head is the record's
        try:
            record = record.fold_all(map(ruling_from_wire, msgspec.json.decode(rulings)))
        except (BoardError, msgspec.DecodeError, TypeError) as error:
            raise RecordError(
                f"{reader.path}: entry {seq} of game {game.number} cannot be read: {error}"
            ) from error
    return headed(record, head)


def from_journal(
    reader: JournalReader, games: Iterable[Game], audience: Audience = "arbiter"
) -> Iterator[Source]:
    """The records of some games of a journal, each with a note on every run of entries that are missing."""
    for game in games:
        notes = tuple(f"entries {first} to {last} are missing" for first, last in reader.gaps(game))
        yield Source(f"game {game.number}", record_in(reader, game, audience), notes)


def from_file(path: str, form: str | None = None) -> list[Source]:
    """The games of one file, `-` is standard input; `form` is a key of `FORMATS`, None: as it looks.

    Raises RecordError naming the file, the place in it and why it cannot be read.
    """
    data = _bytes(path)
    kind = form or format_of(path, data)
    try:
        games = read_whole(kind, data if FORMATS[kind].binary else _text(data))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error
    if not games:
        raise RecordError(f"{path} holds no game")
    name = "standard input" if path == STDIN else Path(path).name
    if len(games) == 1:
        return [Source(name, games[0].record, games[0].notes)]
    return [Source(f"{name}, game {n}", game.record, game.notes) for n, game in enumerate(games, 1)]


def from_files(paths: Sequence[str], form: str | None, complain: Complain) -> Iterator[Source]:
    """The games of several files; of one that cannot be read `complain` is told, and the rest goes on."""
    for path in paths:
        try:
            sources = from_file(path, form)
        except RecordError as error:
            complain(str(error))
        else:
            yield from sources


def _bytes(path: str) -> bytes:
    if path == STDIN and sys.stdin is None:
        raise RecordError("standard input is closed; games are read from it")
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(FILE_LIMIT + 1)
        else:
            if Path(path).is_fifo():
                raise RecordError(f"{path} is a pipe; give a file, or - for standard input")
            with Path(path).open("rb") as file:
                data = file.read(FILE_LIMIT + 1)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(data) > FILE_LIMIT:
        raise RecordError(f"{path} has more than {FILE_LIMIT} bytes")
    return data


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"byte 0x{data[error.start]:02x} is not UTF-8", line=line) from error
