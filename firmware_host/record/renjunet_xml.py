"""RenjuNet's database file as XML and as tables of rows: what stands where, not yet what it means.

What is known of the format is what programs that read the database do: the tables and their attributes from
renju-note/renju-note (`src/database/rif.ts`), whole games from scripts that quote them. `database` holds one
element a table, the table one element a row, each with an `id`: `countries`, `cities`, `months`, `rules`,
`openings`, `players`, `tournaments`, `games`. A game has `move` and `info` inside, a rule may have `info`.

defusedxml reads it, so that entities cannot grow or reach for other files. A document type is refused as a
whole: default attributes grow too. defusedxml's errors have no place, the parser at the time has.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

import msgspec
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from firmware_host.errors import RecordError

LIMIT_BYTES: Final = 32 * 1024 * 1024
LIMIT_ELEMENTS: Final = 500_000
LIMIT_DEPTH: Final = 8
LIMIT_TAG: Final = 131_072
_CHUNK: Final = 65_536

TABLES: Final[dict[str, str]] = {
    "countries": "country",
    "cities": "city",
    "months": "month",
    "rules": "rule",
    "openings": "opening",
    "players": "player",
    "tournaments": "tournament",
    "games": "game",
}
"""Table -> the name of its rows."""

_ROOT: Final = "database"
_RETURN: Final = "\r"
_PARTS: Final = ("move", "info")
_UNFIT: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 text may have [Extensible Markup Language 1.0, 2.2]."""


class Row(msgspec.Struct, frozen=True):
    """One row: the line where it begins, its attributes, the texts of the elements in it."""

    line: int
    attributes: dict[str, str]
    texts: dict[str, str]

    def get(self, name: str) -> str:
        """An attribute; empty where it is missing."""
        return self.attributes.get(name, "")


Database = dict[str, list[Row]]
"""The rows of each table that a file has, in its order."""


def fit(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return _UNFIT.sub("", text)


# Bytes -> tables


class _Tables:
    """Takes the parser's events and keeps the rows; raises RecordError for what is no such database."""

    def __init__(self) -> None:
        self.database: Database = {}
        self.parser: DefusedXMLParser | None = None
        self._path: list[str] = []
        self._row: Row | None = None
        self._text: list[str] | None = None
        self._elements = 0

    @property
    def line(self) -> int:
        """Where the parser is."""
        return 1 if self.parser is None else int(self.parser.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._elements += 1
        if self._elements > LIMIT_ELEMENTS:
            raise RecordError(f"more than {LIMIT_ELEMENTS} elements", line=self.line)
        if len(self._path) >= LIMIT_DEPTH:
            raise RecordError(f"elements are nested deeper than {LIMIT_DEPTH}", line=self.line)
        self._path.append(tag)
        depth = len(self._path)
        if depth == 1 and tag != _ROOT:
            raise RecordError(f"<{tag[:40]}> is no RenjuNet database; allowed: <{_ROOT}>", line=self.line)
        if depth == 3 and TABLES.get(self._path[1]) == tag:
            self._row = Row(self.line, dict(attributes), {})
            self.database.setdefault(self._path[1], []).append(self._row)
        if depth == 4 and self._row is not None and tag in _PARTS:
            self._text = []

    def data(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def end(self, tag: str) -> None:
        depth = len(self._path)
        self._path.pop()
        if depth == 4 and self._row is not None and self._text is not None:
            self._row.texts.setdefault(tag, "".join(self._text))
            self._text = None
        if depth == 3:
            self._row = None

    def close(self) -> Database:
        return self.database


def parse(data: bytes) -> Database:
    """The tables of a file. Raises RecordError naming the line and the reason."""
    if len(data) > LIMIT_BYTES:
        raise RecordError(f"{len(data)} bytes are too many; allowed: {LIMIT_BYTES}")
    target = _Tables()
    parser = DefusedXMLParser(target=target, forbid_dtd=True)
    target.parser = parser
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
            if start - parser.parser.CurrentByteIndex > LIMIT_TAG:
                raise RecordError(f"a tag of more than {LIMIT_TAG} bytes", line=target.line)
        parser.close()
    except ParseError as error:
        raise RecordError(f"not XML: {error}", line=error.position[0]) from error
    except DefusedXmlException as error:
        raise RecordError(
            "a document type is not read; allowed: XML without one", line=target.line
        ) from error
    except (LookupError, ValueError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"not XML: {error}", line=target.line) from error
    return target.database


# Tables -> text


def build(tables: Mapping[str, Iterable[tuple[Mapping[str, str], Mapping[str, str]]]]) -> str:
    """The file of tables of rows, each its attributes and its inner texts; empty attributes are left out."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{_ROOT} version="1.0">']
    for table, name in TABLES.items():
        lines.append(f"<{table}>")
        for attributes, texts in tables.get(table, ()):
            shown = "".join(f' {key}="{_quoted(value)}"' for key, value in attributes.items() if value)
            if texts:
                lines.append(f"<{name}{shown}>")
                lines += [f"<{part}>{_quoted(text, _RETURN)}</{part}>" for part, text in texts.items()]
                lines.append(f"</{name}>")
            else:
                lines.append(f"<{name}{shown} />")
        lines.append(f"</{table}>")
    lines.append(f"</{_ROOT}>")
    return "\n".join(lines) + "\n"


def _quoted(text: str, spaces: str = "\t\n\r") -> str:
    """A text for an attribute, or an element; white space that a parser would change is written by number."""
    plain = escape(fit(text))
    for space in spaces:
        plain = plain.replace(space, f"&#{ord(space)};")
    return plain
