r"""The lower half of SGF: bytes to characters, characters to games, each the nodes of its main line.

The main line is everything up to the first closing bracket, as the format means it (SGF FF[3], "Game
Collections"); what follows is counted, checked for its form and dropped, so that a library of a million
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
"""A file of ten thousand games with comments has about so much."""

MAX_NODES: Final = 1_000_000
"""Nodes of a file, variations included."""

MAX_LINE: Final = 1_000
"""Nodes of a main line: more than any game can have."""

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

    def values(self, name: str) -> list[str]:
        """All values of one property."""
        return [value for key, value in self.properties if key == name]

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
        raise RecordError(
            f"byte {error.start + 1} of the file is not {charset}, {said}", line=line
        ) from error
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
    at = count = nodes = 0
    place = _Place(text)
    while (start := _START.search(text, at)) is not None:
        count += 1
        if count > MAX_GAMES:
            place.refuse(start.start(), f"more than {MAX_GAMES} games in a file")
        tree, at, nodes = _tree(text, start.start(), place, nodes)
        yield tree


class _Place:
    """Where in a text something stands; asked from left to right it reads the text once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1

    def line_of(self, at: int) -> int:
        self.line += self.text.count("\n", self.at, at)
        self.at = at
        return self.line

    def refuse(self, at: int, why: str) -> NoReturn:
        begin = self.text.rfind("\n", 0, at) + 1
        raise RecordError(f"character {at - begin + 1}: {why}", line=self.text.count("\n", 0, at) + 1)


def _tree(text: str, start: int, place: _Place, count: int) -> tuple[Tree, int, int]:
    """One game from its bracket on, where it ends, and the number of nodes so far."""
    line = place.line_of(start)
    nodes: list[Node] = []
    properties: list[tuple[str, str]] = []
    at = start
    depth = others = 0
    main = True
    name: str | None = None
    before = ""
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            _broken(text, at, place, start)
        here, at = at, found.end()
        kind = found.lastgroup
        if kind == "value":
            if name is None:
                place.refuse(found.start("value"), "a value without a property")
            if main:
                properties.append((name, found["value"]))
            before = "value"
            continue
        if before == "name":
            place.refuse(found.start(found.lastgroup or 0), f"the property {short(name)} has no value")
        if kind == "name":
            if before in ("(", ")"):
                place.refuse(found.start("name"), f"{short(found['name'])} outside of a node; allowed: ; ( )")
            name, before = _capitals(found["name"]), "name"
            continue
        mark = found["mark"]
        name = None
        if mark == ";":
            if before == ")":
                place.refuse(at - 1, "a node after a variation; allowed: ( or )")
            count += 1
            if count > MAX_NODES:
                place.refuse(at - 1, f"more than {MAX_NODES} nodes in a file")
            if main:
                if nodes:
                    nodes[-1] = msgspec.structs.replace(nodes[-1], properties=tuple(properties))
                if len(nodes) == MAX_LINE:
                    place.refuse(at - 1, f"more than {MAX_LINE} nodes in one line are no game")
                properties = []
                nodes.append(Node(place.line_of(here + len(found[0]) - 1), ()))
        elif before == "(":
            place.refuse(at - 1, "a game or a variation without a node")
        elif mark == "(":
            others += not main
            depth += 1
        else:
            if main:
                nodes[-1] = msgspec.structs.replace(nodes[-1], properties=tuple(properties))
            main = False
            depth -= 1
            if depth == 0:
                return Tree(line, tuple(nodes), others), at, count
        before = mark


def _broken(text: str, at: int, place: _Place, start: int) -> NoReturn:
    """What cannot be read: an open value, the end of the file, or a character that means nothing."""
    at += len(text[at : at + MAX_BYTES]) - len(text[at : at + MAX_BYTES].lstrip())
    if at >= len(text):
        line = text.count("\n", 0, start) + 1
        place.refuse(at, f"the file ends within the game that begins in line {line}")
    if text[at] == "[":
        place.refuse(at, "the value that begins here has no end")
    place.refuse(at, f"{short(text[at])} has no meaning here; allowed: ; ( ) [ and names of properties")
