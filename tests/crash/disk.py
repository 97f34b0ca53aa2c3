"""What a disk may hold after a power cut, from the calls that a program made.

POSIX promises only this: what was written before a sync began is there once that sync has returned, and a
name once its folder was synced. Of everything since then any part may be there, in any order, down to single
sectors and torn writes; names change in the order of the calls, as on every file system with a journal.
"""

import contextlib
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.crash.io_order import Call, Op

SECTOR: Final = 512
NOT_KEPT: Final = "-shm"
"""SQLite's index of the write-ahead log: built anew by whoever opens first after a crash."""

Files = dict[str, bytes]
"""Name in the folder -> content."""


@contextlib.contextmanager
def in_memory() -> Iterator[Path]:
    """A folder that no disk makes slow, for what is thrown away; on a disk where there is no such memory."""
    memory = Path("/dev/shm")  # noqa: S108
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


class _File:
    def __init__(self, synced: bytes = b"") -> None:
        self.synced = synced
        self.since: list[Call] = []
        self.covered = 0


class Disk:
    """The files in one folder, `before` the calls; give it those in their order."""

    def __init__(self, folder: Path, before: Files | None = None) -> None:
        self.folder = folder
        self._names = {name: _File(data) for name, data in (before or {}).items()}
        self._synced_names = dict(self._names)
        self._changes: list[Callable[[dict[str, _File]], object]] = []
        self._covered = 0

    def take(self, call: Call) -> None:
        """The next call of the log; what goes elsewhere changes nothing here."""
        if call.op is Op.OUT or call.path.endswith(NOT_KEPT):
            return
        if call.path == str(self.folder):
            self._folder(call.op)
            return
        name = Path(call.path).name
        match call.op:
            case Op.WRITE | Op.TRUNCATE:
                if name not in self._names:
                    file = _File()
                    self._change(lambda names: names.__setitem__(name, file))
                self._names[name].since.append(call)
            case Op.SYNC:
                self._names[name].covered = len(self._names[name].since)
            case Op.SYNCED:
                file = self._names[name]
                file.synced = _with(file.synced, file.since[: file.covered])
                file.since, file.covered = file.since[file.covered :], 0
            case Op.RENAME:
                new = Path(call.data.decode()).name
                self._change(lambda names: names.__setitem__(new, names.pop(name)))
            case Op.LINK:
                second = Path(call.data.decode()).name
                self._change(lambda names: names.__setitem__(second, names[name]))
            case Op.UNLINK:
                self._change(lambda names: names.pop(name, None))

    def _folder(self, op: Op) -> None:
        if op is Op.SYNC:
            self._covered = len(self._changes)
        elif op is Op.SYNCED:
            for change in self._changes[: self._covered]:
                change(self._synced_names)
            self._changes, self._covered = self._changes[self._covered :], 0

    def _change(self, change: Callable[[dict[str, _File]], object]) -> None:
        change(self._names)
        self._changes.append(change)

    def promised(self) -> Files:
        """What is there for certain."""
        return {name: file.synced for name, file in self._synced_names.items()}

    def as_written(self) -> Files:
        """What every program sees, and what is left after a SIGKILL."""
        return {name: _with(file.synced, file.since) for name, file in self._names.items()}

    def after_a_power_cut(self, chance: random.Random) -> Files:
        """One of the many states in which the power may leave it."""
        names = dict(self._synced_names)
        for change in self._changes[: chance.randint(0, len(self._changes))]:
            change(names)
        return {name: _with(file.synced, _some(file.since, chance)) for name, file in names.items()}


def _with(content: bytes, calls: Sequence[Call]) -> bytes:
    if not calls:
        return content
    data = bytearray(content)
    for call in calls:
        if call.op is Op.TRUNCATE:
            del data[call.offset :]
            data.extend(bytes(call.offset - len(data)))
        else:
            data.extend(bytes(max(0, call.offset - len(data))))
            data[call.offset : call.offset + len(call.data)] = call.data
    return bytes(data)


def _some(calls: Sequence[Call], chance: random.Random) -> list[Call]:
    """Some of the calls, some of them in part, in this order or another."""
    match chance.choice(("none", "all", "first", "any", "shuffled")):
        case "none":
            kept: list[Call] = []
        case "all":
            kept = list(calls)
        case "first":
            kept = list(calls[: chance.randint(0, len(calls))])
        case _ as how:
            kept = [call for call in calls if chance.random() < 0.6]
            if how == "shuffled":
                chance.shuffle(kept)
    for i, call in enumerate(kept):
        if call.op is Op.WRITE and chance.random() < 0.3:
            kept[i : i + 1] = [_part(call, chance)]
    return kept


def _part(call: Call, chance: random.Random) -> Call:
    """A write of which only a piece arrived: up to some byte, or one stretch of its sectors."""
    size = len(call.data)
    if size <= SECTOR or chance.random() < 0.5:
        return call._replace(data=call.data[: chance.randint(0, size)])
    first = chance.randrange(0, size, SECTOR)
    last = min(size, first + SECTOR * chance.randint(1, 8))
    return call._replace(offset=call.offset + first, data=call.data[first:last])
