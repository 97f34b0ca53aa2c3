r"""The lower half of SGF: bytes to characters, characters to games, each the nodes of its main line.

The main line is everything up to the first closing bracket, as the format means it (SGF FF[3], "Game
Collections"); what follows is counted, checked for its form and dropped, so that a library of many
variations costs no more memory than one game. Nothing here is recursive and no tree is built.

Why not the grammar of sgfmill: it works on bytes before they are decoded, so a character of Shift_JIS, GBK
or Big5 whose second byte is that of `\` or `]` (Shift_JIS 表) ends a value too late; it makes a list
of all tokens and a tree of all variations without a limit; its errors name no place; and of the properties of
a node it keeps no order. Tests read what is written here with it, and compare what texts mean.
"""

import codecs
import re
from collections.abc import Iterator
from typing import Final, NoReturn

import msgspec

from firmware_host.errors import RecordError
from firmware_host.record.reading import short

MAX_BYTES: Final = 16 << 20
"""A file of ten thousand games has about so much."""

MAX_NODES: Final = 500_000
"""Nodes of a file, variations included."""

MAX_VALUES: Final = 1_000_000
"""Values of all its properties."""

MAX_KEPT: Final = 50_000
"""Values of one main line, which are kept while it is read."""

MAX_LINE: Final = 1_000
"""Nodes of a main line, and moves: more than any game can have."""

MAX_GAMES: Final = 20_000

CHARSETS: Final[dict[str, str]] = {
    "utf8": "utf-8",
    "unicode11utf8": "utf-8",
    "ascii": "ascii",
    "usascii": "ascii",
    **dict.fromkeys(("latin1", "iso88591", "iso885915", "cp1252", "windows1252"), "cp1252"),
    "iso88591": "latin-1",
    "latin1": "latin-1",
    "iso885915": "iso8859-15",
    "iso88592": "iso8859-2",
    "iso88595": "iso8859-5",
    "windows1251": "cp1251",
    "cp1251": "cp1251",
    "windows1250": "cp1250",
    "koi8r": "koi8-r",
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "cp936", "euccn", "gb231280"), "gb18030"),
    **dict.fromkeys(("big5", "cp950", "big5hkscs"), "cp950"),
    **dict.fromkeys(("shiftjis", "sjis", "xsjis", "mskanji", "cp932", "windows31j", "ms932"), "cp932"),
    "eucjp": "euc-jp",
    "iso2022jp": "iso2022-jp",
    **dict.fromkeys(("euckr", "ksc5601", "ksc56011987", "cp949", "uhc", "ms949"), "cp949"),
}
"""Names of `CA` in small letters without `-`, `_` and spaces, and how Python calls them. GB 2312 and GBK are
parts of GB 18030, and what names itself by the smaller set often uses the larger one."""

UNTOLD: Final = "latin-1"
"""What a file without `CA` is in, by FF[4]; what is valid UTF-8 is read as that all the same."""


class Node(msgspec.Struct, frozen=True):
    """One node: properties in the order of the file, each value as it stands there, with its escapes."""

    line: int
    properties: tuple[tuple[str, str], ...]

    def value(self, name: str) -> str | None:
        """The first value of one property, None where there is none."""
        return next((value for key, value in self.properties if key == name), None)


class Tree(msgspec.Struct, frozen=True):
    """One game of a collection: the nodes of its main line, and how many variations there were besides."""

    line: int
    nodes: tuple[Node, ...]
    others: int


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The characters of a file, line ends as line feeds, and what is to be said; raises RecordError."""
    if len(data) > MAX_BYTES:
        raise RecordError(f"{len(data)} bytes are too many; allowed: {MAX_BYTES}")
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise RecordError("the file is in UTF-16; allowed: UTF-8, and what CA names: GB18030, Shift_JIS, ..")
    data = data.removeprefix(codecs.BOM_UTF8)
    told = _charset(data)
    notes: tuple[str, ...] = ()
    if told is None:
        charset, said = "utf-8", "which a file without CA has to be"
        try:
            data.decode(charset)
        except UnicodeDecodeError:
            charset = UNTOLD
            notes = ("there is no CA and the text is not UTF-8: it is read as ISO-8859-1",)
    else:
        key = re.sub(r"[-_ .:]", "", told).lower()
        if key not in CHARSETS:
            raise RecordError(f"CA = {short(told)} is not known; allowed: UTF-8, GBK, Shift_JIS, EUC-KR, ..")
        charset, said = CHARSETS[key], f"which CA[{told}] names"
    try:
        text = data.decode(charset)
    except UnicodeDecodeError as error:
        line = len(_ENDS.findall(data[: error.start].decode("latin-1"))) + 1
        raise RecordError(f"byte {error.start + 1} is not {charset}, {said}", line=line) from error
    return _ENDS.sub("\n", text), notes


_ENDS: Final = re.compile(r"\r\n|\n\r|\n|\r")


def _charset(data: bytes) -> str | None:
    """What the `CA` of the first game names: it stands in its first node, among letters of ASCII."""
    start = _START_BYTES.search(data)
    if start is None:
        return None
    text = data[start.end() : start.end() + 65_536].decode("latin-1")
    at = 0
    name = ""
    while (found := _TOKEN.match(text, at)) is not None and found["mark"] is None:
        at = found.end()
        if found["name"] is not None:
            name = _capitals(found["name"])
        elif name == "CA":
            return found["value"][:40].strip()
    return None


_START_BYTES: Final = re.compile(rb"\(\s*+;")
_START: Final = re.compile(r"\(\s*+;")
_SPACE: Final = re.compile(r"\s*+")
_TOKEN: Final = re.compile(
    r"\s*+(?:(?P<mark>[;()])|(?P<name>[A-Za-z]{1,64}+)|\[(?P<value>[^\\\]]*+(?:\\.[^\\\]]*+)*+)\])", re.DOTALL
)


def _capitals(name: str) -> str:
    """A name as FF[4] has it: before that, small letters could stand between, and mean nothing."""
    return name if name.isupper() else "".join(c for c in name if "A" <= c <= "Z")


def trees(text: str) -> Iterator[Tree]:
    """The games of a collection; raises RecordError, with its line and character, where the form is broken.

    What stands before, between and after games is skipped, as the format says.
    """
    scanner = _Scanner(text)
    count = 0
    while (start := _START.search(text, scanner.at)) is not None:
        count += 1
        if count > MAX_GAMES:
            scanner.refuse(start.start(), f"more than {MAX_GAMES} games in a file")
        scanner.at = start.start()
        yield scanner.tree()


class _Scanner:
    """Goes through a text once, from left to right; `nodes` and `values` count those of the whole file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.nodes = 0
        self.values = 0
        self.lined = 0
        self.line = 1

    def line_of(self, at: int) -> int:
        """The line of a place that is not before the last one asked for."""
        self.line += self.text.count("\n", self.lined, at)
        self.lined = at
        return self.line

    def refuse(self, at: int, why: str) -> NoReturn:
        begin = self.text.rfind("\n", 0, at) + 1
        raise RecordError(f"character {at - begin + 1}: {why}", line=self.text.count("\n", 0, at) + 1)

    def tree(self) -> Tree:
        """The game that begins here."""
        start, line = self.at, self.line_of(self.at)
        kept = 0
        lines: list[int] = []
        properties: list[list[tuple[str, str]]] = []
        depth = others = 0
        main = True
        name, before = "", ""
        while True:
            found = _TOKEN.match(self.text, self.at)
            if found is None:
                self._broken(start)
            self.at = found.end()
            kind = found.lastgroup or ""
            here = found.start(kind)
            if kind == "value":
                self._count_value(here, named=before in ("name", "value"))
                if main:
                    kept += 1
                    if kept > MAX_KEPT:
                        self.refuse(here, f"more than {MAX_KEPT} values in one line are no game")
                    properties[-1].append((name, found["value"]))
                before = kind
                continue
            if before == "name":
                self.refuse(here, f"the property {short(name)} has no value")
            if kind == "name":
                if before in ("(", ")"):
                    self.refuse(here, f"{short(found['name'])} outside of a node; allowed: ; ( )")
                name, before = _capitals(found["name"]), kind
                continue
            mark = found["mark"]
            if mark == ";":
                self._count_node(here, before)
                if main:
                    if len(lines) == MAX_LINE:
                        self.refuse(here, f"more than {MAX_LINE} nodes in one line are no game")
                    lines.append(self.line_of(here))
                    properties.append([])
            elif before == "(":
                self.refuse(here, "a game or a variation without a node")
            elif mark == "(":
                others += not main
                depth += 1
            else:
                main = False
                depth -= 1
                if depth == 0:
                    nodes = (Node(n, tuple(held)) for n, held in zip(lines, properties, strict=True))
                    return Tree(line, tuple(nodes), others)
            before = mark

    def _count_value(self, here: int, *, named: bool) -> None:
        if not named:
            self.refuse(here, "a value without a property")
        self.values += 1
        if self.values > MAX_VALUES:
            self.refuse(here, f"more than {MAX_VALUES} values in a file")

    def _count_node(self, here: int, before: str) -> None:
        if before == ")":
            self.refuse(here, "a node after a variation; allowed: ( or )")
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.refuse(here, f"more than {MAX_NODES} nodes in a file")

    def _broken(self, start: int) -> NoReturn:
        """What cannot be read: an open value, the end of the file, or a character that means nothing."""
        at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        if at >= len(self.text):
            line = self.text.count("\n", 0, start) + 1
            self.refuse(at, f"the file ends within the game that begins in line {line}")
        if self.text[at] == "[":
            self.refuse(at, "the value that begins here has no end")
        what = short(self.text[at])
        self.refuse(at, f"{what} has no meaning here; allowed: ; ( ) [ and names of properties")
