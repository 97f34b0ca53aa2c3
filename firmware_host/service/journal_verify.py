"""Whether a journal is still what was written: its pages, its chain, what is missing, and its rulings.

Everything that is found is one sentence. What a whole chain proves and what not: `docs/journal.md`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from firmware_host.errors import BoardError, RecordError
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling
from firmware_host.service.game import rule_again
from firmware_host.service.journal_chain import START, link, short
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_rows import Pruned, read_entry
from firmware_host.service.wall_clock import wall_text
from firmware_host.wire import to_wire


class Said(NamedTuple):
    """One sentence about a journal; `wrong`: it is a finding, not only told."""

    sentence: str
    wrong: bool = True


def verify(reader: JournalReader, head: str = "", *, rulings: bool = True) -> Iterator[Said]:
    """All that can be said about a journal as it is at this instant.

    `head`: a hash that was printed or told, or its first digits (8 or more); it is looked for in the chain.
    Without `rulings` no game is ruled again. Raises RecordError for a `head` that is none.
    """
    head = _digits(head)
    with reader.snapshot():
        try:
            reader.check_pages()
            yield from _verify(reader, head, rulings)
        except RecordError as error:
            yield Said(str(error))


def _verify(reader: JournalReader, head: str, rulings: bool) -> Iterator[Said]:
    pruned = reader.pruned()
    tip: str | None = START
    before = 0
    where = ""
    found = ""
    for row in reader.game_rows():
        number = row[0]
        if number != before + 1:
            yield Said(f"{_run('game', before + 1, number - 1)} missing")
            tip = None
        before = number
        if tip is not None and link(tip, "game", row[:-1]) != row[-1]:
            yield Said(f"game {number}: its row or what stands before it is not what was written")
        tip, where = row[-1], f"the row of game {number}"
        found = found or (where if head and tip.startswith(head) else "")
        rows = reader.entry_rows(number)
        if number in pruned:
            yield from _what_was_pruned(pruned[number], rows)
            left = pruned[number]
            tip, where = left.last, f"the last entry of game {number}, which was pruned"
            for hash_, what in ((tip, where), (left.head, f"game {number}, which was pruned, as noted then")):
                found = found or (what if head and hash_.startswith(head) else "")
            continue
        yield from _chain(number, tip, rows)
        if rulings:
            yield from _rulings(reader, row, rows)
        for entry in rows:
            tip, where = entry[-1], f"entry {entry[1]} of game {number}"
            found = found or (where if head and tip.startswith(head) else "")
        game_head = next((entry[-1] for entry in reversed(rows) if entry[7] != "[]"), row[-1])
        count = f"{len(rows)} entries" if len(rows) != 1 else "1 entry"
        yield Said(f"game {number}: {count}, head {short(game_head)}", wrong=False)
    for number, orphans in reader.orphans():
        yield Said(f"game {number}: its row is missing; {orphans} entries of it are there")
    if tip is not None and tip != reader.noted_tip():
        yield Said(
            f"the last row is {where or 'none'}, and another was written after it: "
            "the end is missing or was changed"
        )
    if last := reader.taken_over():
        games = "game 1 was" if last == 1 else f"games 1 to {last} were"
        yield Said(f"{games} taken over from an older journal: the chain holds since then", wrong=False)
    if head and found:
        yield Said(f"hash {short(head)} is that of {found}", wrong=False)
    elif head:
        yield Said(f"hash {short(head)} is not in this journal")


def _digits(head: str) -> str:
    """A hash as it was typed, without spaces, in lower case; raises RecordError."""
    digits = "".join(head.split()).lower()
    if digits and not (8 <= len(digits) <= 64 and set(digits) <= set("0123456789abcdef")):
        raise RecordError(f"{head!r} is not a hash; allowed: 8 to 64 digits 0 to 9 and a to f")
    return digits


def _what_was_pruned(left: Pruned, rows: Sequence[Any]) -> Iterator[Said]:
    when = wall_text(left.wall_ns)
    if rows:
        yield Said(f"game {left.game}: was pruned on {when}, and entries of it are there all the same")
    told = f"game {left.game}: its {left.entries} entries were pruned on {when}, head {short(left.head)}"
    yield Said(told, wrong=False)


def _chain(number: int, tip: str | None, rows: Iterable[Any]) -> Iterator[Said]:
    """Missing entries, and runs of entries whose hash is not that of what stands there."""
    first = last = 0
    before = 0
    for row in rows:
        seq, hash_ = row[1], row[-1]
        if seq != before + 1:
            yield Said(f"game {number}: {_run('entry', before + 1, seq - 1)} missing")
            tip = None
        before = seq
        if tip is not None and link(tip, "entry", row[:-1]) != hash_:
            if last != seq - 1 or not first:
                if first:
                    yield _changed(number, first, last)
                first = seq
            last = seq
        tip = hash_
    if first:
        yield _changed(number, first, last)


def _changed(number: int, first: int, last: int) -> Said:
    which = f"entry {first}" if first == last else f"entries {first} to {last}"
    verb = "is" if first == last else "are"
    return Said(f"game {number}: {which} or what stands before {verb} not what was written")


def _run(what: str, first: int, last: int) -> str:
    """`entry 3 is`, `entries 3 to 5 are`."""
    if first == last:
        return f"{what} {first} is"
    return f"{'entries' if what == 'entry' else what + 's'} {first} to {last} are"


def _rulings(reader: JournalReader, game_row: Sequence[Any], rows: Iterable[Any]) -> Iterator[Said]:
    """Every entry ruled again, up to one that is missing or cannot be read: what follows builds on it."""
    number = game_row[0]
    try:
        referee = Referee(reader.game_of(game_row).settings)
    except BoardError as error:
        yield Said(f"game {number}: cannot be ruled by this version: {error}")
        return
    for seq, row in enumerate(rows, 1):
        try:
            if row[1] != seq:
                yield Said(f"game {number}: what comes after entry {seq - 1} was not ruled again")
                return
            entry = read_entry(reader.path, row)
            today = rule_again(referee, entry)
        except BoardError as error:
            yield Said(f"{error}; what comes after it was not ruled again")
            return
        if today != entry.rulings:
            was, now = _words(entry.rulings), _words(today)
            yield Said(f"game {number}, entry {seq}: was ruled {was}, and today would be {now}")


def _words(rulings: Sequence[AnyRuling]) -> str:
    return msgspec.json.encode([to_wire(ruling) for ruling in rulings]).decode()
