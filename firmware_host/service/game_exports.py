"""Games out to standard output and files: names, formats, and each file replaced as a whole."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from firmware_host.errors import RecordError
from firmware_host.record.formats import FORMATS
from firmware_host.record.game import GameRecord
from firmware_host.record.lost import lost
from firmware_host.service.game_sources import Complain, Source
from firmware_host.service.safe_files import replace_files, safe_name

WRITTEN: Final = tuple(form for form, row in FORMATS.items() if row.write is not None)
NAME_BYTES: Final = 50
"""The longest part of a file's name, of which there are three; file systems take 255 bytes for all of it."""


def rendered(form: str, record: GameRecord) -> bytes:
    """A game in a format of `WRITTEN`."""
    write = FORMATS[form].write
    assert write is not None  # noqa: S101
    return _as_bytes(write(record))


def joined(form: str, sources: Sequence[Source]) -> bytes:
    """All games in one piece; raises RecordError for a format of which a file holds one game."""
    if len(sources) == 1:
        return rendered(form, sources[0].record)
    write_all = FORMATS[form].write_all
    if write_all is None:
        raise RecordError(
            f"a file of the format {form} holds one game, and these are {len(sources)};"
            " give a folder with --out FOLDER/"
        )
    return _as_bytes(write_all(source.record for source in sources))


def _as_bytes(written: str | bytes) -> bytes:
    return written if isinstance(written, bytes) else written.encode("utf-8", "replace")


def into_folder(folder: Path, form: str, sources: Iterable[Source]) -> list[Path]:
    """A file for each game in a folder that is made if need be; raises RecordError naming the file."""
    suffix = FORMATS[form].suffixes[0]
    names = Names()
    files = ((names.of(source.record) + suffix, rendered(form, source.record)) for source in sources)
    return replace_files(folder, files)


class Names:
    """Names for the files of games, no two alike."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def of(self, record: GameRecord) -> str:
        """`round-2-table-4-Anna-Bo`; a second one of that name ends with `-2`."""
        header = record.header
        parts = [] if header.round is None else [f"round-{header.round}"]
        parts.append(f"table-{safe_name(header.table, 'x', NAME_BYTES)}")
        parts += [safe_name(person.name, "", NAME_BYTES) for person in (header.first, header.second)]
        stem = "-".join(filter(None, parts))
        count = self._taken[stem.casefold()] = self._taken.get(stem.casefold(), 0) + 1
        return stem if count == 1 else self.of_number(stem, count)

    def of_number(self, stem: str, count: int) -> str:
        """`stem-2`, or the next number that is free."""
        while (name := f"{stem}-{count}").casefold() in self._taken:
            count += 1
        self._taken[name.casefold()] = 1
        return name


def tell_losses(form: str, sources: Iterable[Source], complain: Complain) -> None:
    """Say once for each kind of thing what the format does not hold of these games, and of how many."""
    row = FORMATS[form]
    counts: dict[str, int] = {}
    total = 0
    for source in sources:
        total += 1
        if row.read is None or row.write is None:
            continue
        (back,) = row.read(row.write(source.record))
        for thing in lost(source.record, back):
            counts[thing] = counts.get(thing, 0) + 1
    if row.read is None:
        for sentence in row.cannot:
            complain(f"{form} cannot hold {sentence}")
    for thing, count in counts.items():
        of = "" if total == 1 else f" (of {count} games)" if count > 1 else " (of 1 game)"
        complain(f"{form} does not hold all of this: {thing}{of}")
