"""What a program gave to the disk and to the world, in its order: the log that `io_order.c` writes."""

import os
import struct
from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

from tests.preloaded import built

SOURCE: Final = Path(__file__).with_suffix(".c")
HEAD: Final = struct.Struct("<IIQQ")


class Op(IntEnum):
    """A call, as the library names it there."""

    OUT = 1
    WRITE = 2
    TRUNCATE = 3
    SYNC = 4
    SYNCED = 5
    RENAME = 6
    UNLINK = 7
    LINK = 8


class Phase(IntEnum):
    """What a journal's files are going through."""

    IDLE = 0
    LOG_WRITE = 1
    LOG_WRITTEN = 2
    LOG_SYNC = 3
    PAGE_WRITE = 4
    PAGES_WRITTEN = 5
    PAGE_SYNC = 6


class Call(NamedTuple):
    """One call; `offset`: a place in the file, or its new size; `data`: what was given, or the new name."""

    op: Op
    path: str
    offset: int
    data: bytes


def environment(journal: Path, **settings: object) -> dict[str, str]:
    """The environment in which a program is watched; `log`, `state`, `slow_us` .. : see the library."""
    named = {f"IO_ORDER_{name.upper()}": str(value) for name, value in settings.items()}
    return {"LD_PRELOAD": str(built(SOURCE)), "IO_ORDER_JOURNAL": str(journal), **named}


def read_log(path: Path) -> list[Call]:
    """The calls of a log; a record that a SIGKILL cut short is the last and is left out."""
    data, at, calls = path.read_bytes(), 0, []
    while at + HEAD.size <= len(data):
        op, path_size, offset, size = HEAD.unpack_from(data, at)
        at += HEAD.size
        name, at = data[at : at + path_size], at + path_size
        given, at = data[at : at + size], at + size
        if at <= len(data):
            calls.append(Call(Op(op), os.fsdecode(name), offset, given))
    return calls


def phase_of(state: Path) -> Phase:
    """What the journal went through when the program ended, by the page that it shared."""
    data = state.read_bytes() if state.exists() else b""
    return Phase(struct.unpack_from("<I", data)[0]) if len(data) >= 4 else Phase.IDLE
