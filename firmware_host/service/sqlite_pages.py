"""The records of a damaged SQLite file, read page by page without SQLite.

Source: SQLite's "Database File Format", 1.3 (header), 1.6 (b-tree pages), 2.1 (record format), 4.1-4.2
(write-ahead log). Nothing is trusted: what does not fit is left out, in time that grows with the file only.
"""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

Value = int | str | bytes | float | None
Row = tuple[Value, ...]

PAGE_SIZES: Final = tuple(512 << n for n in range(8))
USUAL_PAGE_SIZE: Final = 4096
WAL_HEADER: Final = 32
FRAME_HEADER: Final = 24
TABLE_LEAF, INDEX_LEAF, TABLE_INTERIOR, INDEX_INTERIOR = 13, 10, 5, 2
CELLS_AT: Final = {TABLE_LEAF: 8, INDEX_LEAF: 8, INDEX_INTERIOR: 12}
"""How long a b-tree page's header is; the pointers to its cells follow it."""
MOST_COLUMNS: Final = 100
HEADER_BYTES: Final = (7, 30)
"""How long the header of a record can be that is looked for: of 6 columns and more."""
INT_BYTES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class Found(NamedTuple):
    """One record: `rowid` of a table's, None of an index's (a table WITHOUT ROWID is one).

    `sound`: it does not come from behind a damaged place of the write-ahead log.
    """

    rowid: int | None
    row: Row
    sound: bool


class Frame(NamedTuple):
    """One page in a write-ahead log. `sound`: its checksum is right, and all those before it."""

    page: int
    data: bytes
    sound: bool


def records(file: bytes, wal: bytes) -> Iterator[Found]:
    """Every record of every copy of every page: of the file first, then of the log, oldest first.

    Last come those of pages whose own list of their cells is damaged, found by looking at every byte.
    """
    size = page_size(file, wal)
    usable = size - (file[20] if len(file) > 20 and file[20] < 64 else 0)
    in_file = [Frame(n + 1, file[n * size : (n + 1) * size], True) for n in range(len(file) // size)]
    pages = _Pages({frame.page: frame.data for frame in in_file}, usable, set())
    broken = []
    for frame in (*in_file, *frames(wal)):
        pages.of[frame.page] = frame.data
        found, whole = _listed(frame, pages)
        yield from (Found(*read, frame.sound) for read in found)
        if not whole:
            broken.append(frame)
    for frame in broken:
        if frame.page not in pages.overflow:
            yield from (Found(*read, frame.sound) for read in _searched(frame, pages))


def page_size(file: bytes, wal: bytes) -> int:
    """The size of a page by either header, else the usual one."""
    said = struct.unpack_from(">H", file, 16)[0] if len(file) > 18 else 0
    in_log = struct.unpack_from(">I", wal, 8)[0] if len(wal) >= WAL_HEADER else 0
    return next((s for s in (65536 if said == 1 else said, in_log) if s in PAGE_SIZES), USUAL_PAGE_SIZE)


def frames(wal: bytes) -> list[Frame]:
    """The frames of a log up to the last one that ends a transaction, the damaged ones among them too."""
    if len(wal) < WAL_HEADER + FRAME_HEADER:
        return []
    size = page_size(b"", wal)
    order = ">" if wal[3] & 1 else "<"
    sums = _checksum(wal[:24], (0, 0), order)
    sound = sums == struct.unpack_from(">II", wal, 24)
    # Frames of an older use of the file have other salts. Of a damaged header the first frame's are taken.
    salts = wal[16:24] if sound else wal[WAL_HEADER + 8 : WAL_HEADER + 16]
    found: list[Frame] = []
    committed = 0
    for at in range(WAL_HEADER, len(wal) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        head, data = wal[at : at + FRAME_HEADER], wal[at + FRAME_HEADER : at + FRAME_HEADER + size]
        page, ends = struct.unpack_from(">II", head)
        if head[8:16] != salts:
            if sound:
                # A header that was hit is one frame; the log's end is behind it all the same.
                later = wal[at + FRAME_HEADER + size :]
                if later[8:16] != salts:
                    break
            sound = False
            continue
        if sound:
            sums = _checksum(data, _checksum(head[:8], sums, order), order)
            sound = sums == struct.unpack_from(">II", head, 16)
        found.append(Frame(page, data, sound))
        if ends:
            committed = len(found)
    return found[:committed]


def _checksum(data: bytes, start: tuple[int, int], order: str) -> tuple[int, int]:
    """SQLite's checksum of 32-bit words, taken on from `start`."""
    a, b = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for x, y in zip(words[::2], words[1::2], strict=True):
        a = (a + x + b) & 0xFFFFFFFF
        b = (b + y + a) & 0xFFFFFFFF
    return a, b


class _Pages(NamedTuple):
    """The pages by their numbers, how many bytes of each are used, and which were read as overflow pages."""

    of: dict[int, bytes]
    usable: int
    overflow: set[int]


def _listed(frame: Frame, pages: _Pages) -> tuple[list[tuple[int | None, Row]], bool]:
    """The records that a page lists, and whether it is whole; a page that is none of a b-tree is not."""
    data = frame.data
    head = 100 if frame.page == 1 else 0
    kind = data[head] if len(data) > head else 0
    if kind not in CELLS_AT:
        return [], kind == TABLE_INTERIOR
    first = head + CELLS_AT[kind]
    count = struct.unpack_from(">H", data, head + 3)[0]
    listed = range(first, min(first + 2 * count, pages.usable - 1), 2)
    read = [_cell(data, struct.unpack_from(">H", data, at)[0], kind, pages) for at in listed]
    found = [each for each in read if each is not None]
    return found, len(found) == count


def _searched(frame: Frame, pages: _Pages) -> Iterator[tuple[int | None, Row]]:
    """Whatever in a page reads as a record: before it stands its length, and of a table's its rowid."""
    headers = [at for at, byte in enumerate(frame.data) if HEADER_BYTES[0] <= byte <= HEADER_BYTES[1]]
    for at in sorted({at - back for at in headers for back in range(1, 6) if at >= back}):
        for kind in (INDEX_LEAF, TABLE_LEAF):
            read = _cell(frame.data, at, kind, pages)
            if read is not None and len(read[1]) >= HEADER_BYTES[0] - 1:
                yield read


def _cell(data: bytes, at: int, kind: int, pages: _Pages) -> tuple[int | None, Row] | None:
    """The record of a cell; None where there is none."""
    try:
        if kind == INDEX_INTERIOR:
            at += 4
        length, at = _varint(data, at)
        rowid = None
        if kind == TABLE_LEAF:
            rowid, at = _varint(data, at)
        payload, overflow = _payload(data, at, length, kind, pages)
        record = _record(payload)
    except (IndexError, ValueError, struct.error):
        return None
    pages.overflow.update(overflow)
    return rowid, record


def _payload(data: bytes, at: int, length: int, kind: int, pages: _Pages) -> tuple[bytes, list[int]]:
    """The bytes of a record, and the overflow pages that they were gathered from; raises ValueError."""
    usable = pages.usable
    if not 2 <= length <= len(pages.of) * usable:
        raise ValueError("no record")
    most = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    least = (usable - 12) * 32 // 255 - 23
    here = length
    if length > most:
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
    if at + here > len(data):
        raise ValueError("beyond the page")
    parts, missing = [data[at : at + here]], length - here
    following = struct.unpack_from(">I", data, at + here)[0] if missing else 0
    overflow = []
    while missing > 0:
        page = pages.of.get(following)
        if page is None:
            raise ValueError("no such page")
        overflow.append(following)
        parts.append(page[4 : 4 + min(missing, usable - 4)])
        missing -= usable - 4
        following = struct.unpack_from(">I", page)[0]
    return b"".join(parts), overflow


def _record(payload: bytes) -> Row:
    """The columns of a record; raises ValueError or IndexError."""
    length, at = _varint(payload, 0)
    kinds = []
    while at < length:
        kind, at = _varint(payload, at)
        kinds.append(kind)
        if len(kinds) > MOST_COLUMNS:
            raise ValueError("too many columns")
    if at != length:
        raise ValueError("the header does not end where it says")
    values: list[Value] = []
    for kind in kinds:
        size = _size(kind)
        part = payload[at : at + size]
        if len(part) != size:
            raise ValueError("the record is too short")
        at += size
        values.append(_value(kind, part))
    if at != len(payload):
        raise ValueError("the record is too long")
    return tuple(values)


def _size(kind: int) -> int:
    """How many bytes a value of a serial type takes; raises ValueError for a reserved one."""
    if kind >= 12:
        return (kind - 12) // 2
    if kind in (10, 11):
        raise ValueError("a reserved type")
    return 8 if kind == 7 else INT_BYTES.get(kind, 0)


def _value(kind: int, part: bytes) -> Value:
    if kind in INT_BYTES:
        return int.from_bytes(part, "big", signed=True)
    if kind >= 12:
        return part.decode("utf-8", "replace") if kind % 2 else part
    if kind == 7:
        return float(struct.unpack(">d", part)[0])
    return {8: 0, 9: 1}.get(kind)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of 1 to 9 bytes, and where it ends; raises IndexError."""
    value = 0
    for place in range(at, at + 8):
        byte = data[place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64 if value >= 1 << 63 else 0), at + 9
