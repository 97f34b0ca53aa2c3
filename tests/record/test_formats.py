"""The table of formats: the page states it, the command line knows it, each row writes and reads."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from firmware_host.cli import FORMS
from firmware_host.record.formats import FORMATS, format_of
from firmware_host.record.game import GameRecord
from firmware_host.record.values import Remark
from tests.record.arbitrary_records import moves_of, records

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
RECORD = GameRecord(moves=moves_of("H8", "I9", "J10"), remarks=(Remark(after=2, text="a"),))


def stated() -> dict[str, tuple[list[str], str, list[str]]]:
    """Name -> suffixes, `text` or `bytes` with what it can do, and what it cannot hold, as the page says."""
    section = PAGE.read_text("utf-8").split("## Formats of games", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `([a-z]+)` \| (.*?) \| (.*?) \|.*\|$", section, re.MULTILINE)
    cannot = dict(re.findall(r"^`([a-z]+)` cannot hold:\n\n((?:\* .*\n)+)", section, re.MULTILINE))
    return {
        name: (suffixes.replace("`", "").split(), kind, re.findall(r"^\* (.*)$", cannot.get(name, ""), re.M))
        for name, suffixes, kind in rows
    }


def test_the_page_states_the_table() -> None:
    assert stated() == {
        name: (
            list(row.suffixes),
            ("bytes" if row.binary else "text")
            + (", written" if row.write else "")
            + (", read" if row.read else ""),
            list(row.cannot),
        )
        for name, row in FORMATS.items()
    }


def test_the_command_line_knows_what_can_be_judged() -> None:
    assert sorted(FORMS) == sorted(name for name, row in FORMATS.items() if row.games)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_row_writes_what_it_says_and_reads_it(name: str) -> None:
    row = FORMATS[name]
    assert row.write is not None
    written = row.write(RECORD)
    assert isinstance(written, bytes if row.binary else str)
    if row.read is not None:
        (record,) = row.read(written)
        assert [move.point for move in record.moves] == [move.point for move in RECORD.moves]
        raw = written if isinstance(written, bytes) else written.encode()
        assert format_of("-", raw) == name
        assert all(format_of("x" + suffix.upper(), raw) == name for suffix in row.suffixes)
    if not row.cannot:
        assert row.read is not None
        assert row.read(written) == (RECORD,)


@given(records())
@settings(max_examples=10, deadline=None)
def test_every_row_writes_any_record(record: GameRecord) -> None:
    for row in FORMATS.values():
        assert row.write is not None
        assert row.write(record)


def test_a_file_is_told_by_its_name_and_else_by_its_beginning() -> None:
    assert format_of("games.JSONL", b"h8 i9") == format_of("a.json", b"") == "json"
    assert format_of("games.txt", b"{}") == "moves"
    assert format_of("-", b'\n {"moves": []}') == format_of("x.dat", b"\xef\xbb\xbf[]") == "json"
    assert format_of("-", b"h8") == format_of("json", b"") == format_of("-", b"\xff\x00") == "moves"
