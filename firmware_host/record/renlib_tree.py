"""RenLib's library file as bytes and as a tree of values: moves with variants, comments, marks, board texts.

What is known of the format is RenLib's own code (gomoku/RenLib: `LibraryFile.cpp` for the head,
`MoveNode.cpp` for the flags, `RenLibDoc.cpp`, `AddLibrary` and `WriteMove`, for the stream). A head of 20
bytes: `FF RenLib FF`, major and minor version, ten bytes `FF`; without one a file begins with H8 at once.
Then the nodes, depth first. A node is two bytes, the point (low nibble column 1..15, high nibble row 0..14
from the top; H8 is 78; 00 the root or a pass) and its flags; with the flag `EXTENSION` two bytes more, of
which the second has the flag of a board text. A comment and then a board text follow where the flags say
so, ended by 00 and filled to an even length; byte 08 parts a comment's first line from the rest. The older
comments end with a byte that has its highest bit set and are Swedish ASCII. `DOWN` (80) says that a sibling
of this node follows after all that is below it, `RIGHT` (40) that nothing is below. Version 3.00 has no
root, begins with H8 and has no passes; 3.04 begins with a root, 00.

Where sources differ: RenLib takes the first 00 that it meets for the root; here the first node is the root
or none is, so that a pass is a pass. Figrid skips extensions; here they are read. RenLib reads a file that
ends anywhere; here the last node must be an end and every announced sibling there, or the file was cut.

RenLib stores its texts as the Windows that it runs on does. They are written here as UTF-8, and read as
UTF-8 or, where they are none, as Windows-1252, unless an encoding is named.
"""

import re
from typing import Final

import msgspec

from firmware_host.board import NAMES, SIZE, TENGEN, Point, col_row
from firmware_host.board import point as point_at
from firmware_host.errors import RecordError
from firmware_host.record.held import LIMIT_MOVES

LIMIT_BYTES: Final = 8 * 1024 * 1024
LIMIT_NODES: Final = 250_000

_MAGIC: Final = b"\xffRenLib\xff"
_HEAD: Final = 20
_NEWEST: Final = (3, 4)
_ROOTLESS: Final = (3, 0)

_DOWN: Final = 0x80
_RIGHT: Final = 0x40
_OLD_COMMENT: Final = 0x20
_MARK: Final = 0x10
_COMMENT: Final = 0x08
_START: Final = 0x04
_NO_MOVE: Final = 0x02
_EXTENSION: Final = 0x01
_BOARD_TEXT: Final = 0x01
"""In the second byte of the extension."""

_ENDED: Final = -2
"""In the place of the current node: nothing is to come."""

_PARTED: Final = "\b"
_LAST: Final = re.compile(rb"[\x80-\xff]")
_WINDOWS: Final = {
    byte: bytes((byte,)).decode("cp1252")
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
"""Windows-1252 where it is not Latin-1; the bytes that it leaves open stay what they are."""
_SWEDISH: Final = str.maketrans("}{|][\\", "åäöÅÄÖ")


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """One node, somewhere below `parent` (an index into the tree's nodes; -1 is the root).

    `point` None is a pass. Without `stone` it is no move, and only carries its `label`, a text on the board.
    """

    parent: int
    point: Point | None
    stone: bool = True
    text: str = ""
    label: str = ""
    mark: bool = False
    start: bool = False


class Tree(msgspec.Struct, frozen=True):
    """A library: its nodes depth first, each after its parent, and the root's comment."""

    nodes: tuple[Node, ...] = ()
    text: str = ""


# Bytes -> tree


class _Bytes:
    """The bytes of a file, taken from the front."""

    def __init__(self, data: bytes, at: int, encoding: str | None) -> None:
        self.data, self.at, self.encoding = data, at, encoding

    @property
    def done(self) -> bool:
        return self.at >= len(self.data)

    def pair(self, what: str) -> tuple[int, int]:
        if self.at + 2 > len(self.data):
            raise _wrong(len(self.data), f"the file ends in {what}")
        self.at += 2
        return self.data[self.at - 2], self.data[self.at - 1]

    def text(self, what: str) -> str:
        """A text that ends with 00, filled to an even length."""
        start, end = self.at, self.data.find(b"\0", self.at)
        if end < 0:
            raise _wrong(len(self.data), f"the file ends in {what} that begins at byte {start + 1}")
        self.at = end + 1 + (end + 1 - start) % 2
        if self.at > len(self.data):
            raise _wrong(len(self.data), f"the file ends in {what} that begins at byte {start + 1}")
        return self._decoded(start, end)

    def old_text(self) -> str:
        """A text whose last byte has its highest bit set, filled to an even length."""
        start, last = self.at, _LAST.search(self.data, self.at)
        self.at = len(self.data) + 1 if last is None else last.end() + (last.end() - start) % 2
        if last is None or self.at > len(self.data):
            raise _wrong(len(self.data), f"the file ends in a comment that begins at byte {start + 1}")
        raw = self.data[start : last.start()] + bytes((self.data[last.start()] & 0x7F,))
        return raw.replace(b"\0", b"").decode("ascii").translate(_SWEDISH)

    def _decoded(self, start: int, end: int) -> str:
        raw = self.data[start:end]
        if self.encoding is not None:
            try:
                return raw.decode(self.encoding)
            except UnicodeDecodeError as error:
                raise _wrong(start + error.start, f"not {self.encoding}") from error
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("latin-1").translate(_WINDOWS)


def _wrong(at: int, reason: str) -> RecordError:
    """`at` counts from 0, messages from 1."""
    return RecordError(f"byte {at + 1}: {reason}")


def parse(data: bytes, encoding: str | None = None) -> Tree:
    """The tree of a library file. Raises RecordError naming the byte (from 1) and the reason.

    A stone on an occupied point, a move below a text on the board and an end that does not close the tree are
    refused; so is what is too long or too deep to be a library of games on 225 points.
    """
    if len(data) > LIMIT_BYTES:
        raise RecordError(f"{len(data)} bytes are too many; allowed: {LIMIT_BYTES}")
    source = _Bytes(data, _head(data), encoding)
    nodes: list[Node] = []
    taken: list[int] = []  # the occupied points at each node, a bit each
    depths: list[int] = []
    waiting: list[int] = []  # the parents of siblings that are announced
    current = -1
    root = ""
    ends = False
    first = True
    while not source.done:
        at = source.at
        if len(nodes) >= LIMIT_NODES:
            raise _wrong(at, f"more than {LIMIT_NODES} nodes")
        if current == _ENDED:
            raise _wrong(at, "the tree has ended, but bytes follow")
        node, flags = _node(source, current)
        if first and node.point is None:
            root = node.text
        else:
            if node.point is not None and node.stone and _mask(taken, current) >> node.point & 1:
                raise _wrong(at, f"{NAMES[node.point]} is occupied")
            if current >= 0 and not nodes[current].stone:
                raise _wrong(at, "a move below a text on the board")
            depth = depths[current] + 1 if current >= 0 else 1
            if depth > LIMIT_MOVES:
                raise _wrong(at, f"more than {LIMIT_MOVES} moves in one line")
            if flags & _DOWN:
                waiting.append(current)
            stone = 0 if node.point is None or not node.stone else 1 << node.point
            taken.append(_mask(taken, current) | stone)
            depths.append(depth)
            nodes.append(node)
            current = len(nodes) - 1
        first = False
        ends = bool(flags & _RIGHT)
        if ends:
            current = waiting.pop() if waiting else _ENDED
    if first or not ends:
        raise _wrong(len(data), "the file ends, but its last node is not the end of a line: it was cut off")
    if current != _ENDED:
        raise _wrong(
            len(data),
            "the file ends before a variant that it announces: it was cut off, or not saved whole",
        )
    return Tree(tuple(nodes), root)


def _mask(taken: list[int], node: int) -> int:
    return taken[node] if node >= 0 else 0


def _head(data: bytes) -> int:
    """Where the nodes begin."""
    if data[:1] == b"\x78":
        return 0
    if not data.startswith(_MAGIC):
        raise _wrong(0, "not a RenLib library; allowed: FF RenLib FF, or no head and H8 at once")
    if len(data) < _HEAD:
        raise _wrong(len(data), "the file ends in its head")
    version = data[8], data[9]
    if version > _NEWEST:
        raise _wrong(8, f"version {version[0]}.{version[1]:02} is not known; allowed: up to 3.04")
    return _HEAD


def _node(source: _Bytes, parent: int) -> tuple[Node, int]:
    at = source.at
    where, flags = source.pair("a node")
    more = source.pair("a node")[1] if flags & _EXTENSION else 0
    text = ""
    if flags & _OLD_COMMENT:
        text = source.old_text()
    elif flags & _COMMENT:
        text = source.text("a comment")
    label = source.text("a text on the board") if more & _BOARD_TEXT else ""
    return (
        Node(
            parent=parent,
            point=_point(where, at),
            stone=not flags & _NO_MOVE,
            text=_lines(text),
            label=label,
            mark=bool(flags & _MARK),
            start=bool(flags & _START),
        ),
        flags,
    )


def _point(where: int, at: int) -> Point | None:
    if where == 0:
        return None
    col, down = where & 0x0F, where >> 4
    if col == 0 or down == SIZE:
        raise _wrong(at, f"{where:02x} is no point; allowed: 01 to ef, the low digit 1 to f, or 00")
    return point_at(col - 1, SIZE - 1 - down)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace(_PARTED, "\n", 1)


# Tree -> bytes


def build(tree: Tree) -> bytes:
    """The bytes of a library: version 3.00 where that can hold it, as RenLib writes it, and else 3.04."""
    nodes = tree.nodes
    last_child = {node.parent: n for n, node in enumerate(nodes)}
    at_top = [node for node in nodes if node.parent < 0]
    rootless = (
        not tree.text
        and len(at_top) == 1
        and at_top[0].point == TENGEN
        and at_top[0].stone
        and all(node.point is not None for node in nodes)
    )
    parts = [_MAGIC, bytes(_ROOTLESS if rootless else _NEWEST), b"\xff" * 10]
    if not rootless:
        root = Node(parent=-1, point=None, text=tree.text)
        parts.append(_written(root, 0 if nodes else _RIGHT))
    for n, node in enumerate(nodes):
        parts.append(_written(node, (last_child[node.parent] != n) * _DOWN | (n not in last_child) * _RIGHT))
    return b"".join(parts)


def _written(node: Node, flags: int) -> bytes:
    flags |= (
        bool(node.text) * _COMMENT | node.mark * _MARK | node.start * _START | (not node.stone) * _NO_MOVE
    )
    flags |= bool(node.label) * _EXTENSION
    where = 0
    if node.point is not None:
        col, row = col_row(node.point)
        where = (SIZE - 1 - row) << 4 | col + 1
    parts = [bytes((where, flags))]
    if node.label:
        parts.append(bytes((0, _BOARD_TEXT)))
    if node.text:
        first, part, rest = node.text.partition("\n")
        parts.append(_zero_ended(first + part.replace("\n", _PARTED) + rest.replace("\n", "\r\n")))
    if node.label:
        parts.append(_zero_ended(node.label))
    return b"".join(parts)


def _zero_ended(text: str) -> bytes:
    raw = text.encode("utf-8") + b"\0"
    return raw + b"\0" * (len(raw) % 2)
