"""The table of formats: what each is called, what writes and reads it, and what it cannot hold.

`docs/formats.md` states the same table for people, and a test compares them. To add a format, add a row.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from firmware_host.errors import RecordError
from firmware_host.record import (
    json_format,
    loose_json,
    positions,
    psq,
    renjunet,
    renlib,
    sgf,
    text_format,
)
from firmware_host.record.game import GameRecord
from firmware_host.record.reading import Game, Games, whole


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One format.

    `binary`: what is written and read is bytes, else text (in files UTF-8). `write` gives one game,
    `write_all` several in one file; None where a file holds one game. `read`
    gives all games of a file, or raises RecordError; `games` gives them one after the other, with errors and
    notes among them, for a judge who needs the moves alone. None where the format has no such thing.
    `begins`: whether a file that begins so (its first bytes, without white space and byte order mark) looks
    like it. `cannot`: what of a record it cannot hold.
    """

    suffixes: tuple[str, ...]
    binary: bool = False
    write: Callable[[GameRecord], Any] | None = None
    write_all: Callable[[Iterable[GameRecord]], Any] | None = None
    read: Callable[[Any], tuple[GameRecord, ...]] | None = None
    games: Callable[[Any], Games] | None = None
    begins: Callable[[bytes], bool] = lambda _: False
    cannot: tuple[str, ...] = ()


def in_turn(write: Callable[[GameRecord], str]) -> Callable[[Iterable[GameRecord]], str]:
    """Several games in one text, one after the other."""
    return lambda games: "".join(map(write, games))


CANNOT_TEXT: Final = ("anything for a program: it is for people, and is not read back",)

FORMATS: Final[dict[str, Format]] = {
    "json": Format(
        suffixes=(".json", ".jsonl"),
        write=json_format.to_json,
        write_all=in_turn(json_format.to_json),
        read=json_format.read,
        games=loose_json.games,
        begins=lambda head: head[:1] in (b"{", b"["),
    ),
    "moves": Format(
        suffixes=(".txt", ".pos"),
        write=positions.write,
        write_all=in_turn(positions.write),
        read=positions.read,
        games=positions.games,
        cannot=positions.CANNOT,
    ),
    "sgf": Format(
        suffixes=(".sgf",),
        binary=True,
        write=sgf.write,
        write_all=lambda games: b"".join(map(sgf.write, games)),
        read=sgf.read,
        games=sgf.games,
        begins=lambda head: re.match(rb"\(\s*;", head) is not None,
        cannot=sgf.CANNOT,
    ),
    "psq": Format(
        suffixes=(".psq",),
        write=psq.write,
        read=psq.read,
        games=psq.games,
        begins=lambda head: head.startswith(b"Piskvorky "),
        cannot=psq.CANNOT,
    ),
    "renlib": Format(
        suffixes=(".lib",),
        binary=True,
        write=renlib.write,
        write_all=renlib.write_all,
        read=renlib.read,
        games=renlib.games,
        begins=lambda head: head.startswith(b"\xffRenLib\xff"),
        cannot=renlib.CANNOT,
    ),
    "renjunet": Format(
        suffixes=(".rif", ".xml"),
        binary=True,
        write=renjunet.write,
        write_all=renjunet.write_all,
        read=renjunet.read,
        games=renjunet.games,
        begins=lambda head: head.startswith((b"<?xml", b"<database")),
        cannot=renjunet.CANNOT,
    ),
    "text": Format(
        suffixes=(".txt",),
        write=text_format.to_text,
        write_all=in_turn(text_format.to_text),
        cannot=CANNOT_TEXT,
    ),
    "diagram": Format(
        suffixes=(".txt",),
        write=positions.write_diagram,
        write_all=in_turn(positions.write_diagram),
        cannot=positions.CANNOT_DIAGRAM,
    ),
}
"""By name. Of several with the same suffix the first that reads is meant."""

DEFAULT: Final = "moves"
"""What a file is taken for that looks like nothing else."""

HEAD: Final = 256
"""How many bytes of a file `begins` is shown."""


def format_of(name: str, data: bytes) -> str:
    """The format of a file that can be read: by the end of its name, else by how it begins."""
    readable = {form: row for form, row in FORMATS.items() if row.games is not None}
    for form, row in readable.items():
        if name.lower().endswith(row.suffixes):
            return form
    head = data[: 4 * HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()[:HEAD]
    return next((form for form, row in readable.items() if row.begins(head)), DEFAULT)


def read_whole(form: str, data: Any) -> tuple[Game, ...]:
    """The games of a file with everything in them, and what is to be said of their reading.

    `data` is bytes or text, as the format takes it. Raises the RecordError of the first game that cannot be
    read, and for a format that is not read back.
    """
    row = FORMATS[form]
    if row.read is None:
        raise RecordError(f"the format {form} is for people, and is not read back")
    if row.games is None or row.games is loose_json.games:  # which reads no more than the moves
        return tuple(Game(line=1, record=record) for record in row.read(data))
    return whole(row.games(data))
