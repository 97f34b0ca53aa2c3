import pytest
from msgspec.structs import replace

from firmware_host.board import BLACK
from firmware_host.record.formats import FORMATS
from firmware_host.record.game import Found, GameRecord, Move, Remark, Result
from firmware_host.record.header import Header, Person
from firmware_host.record.lost import THINGS, lost

NEW = GameRecord()
MOVE = Move(n=1, point=0, colour=BLACK, t_ns=5)


@pytest.mark.parametrize(
    ("record", "things"),
    [
        (NEW, []),
        (replace(NEW, moves=(MOVE,)), ["moves, their order or their colours"]),
        (replace(NEW, header=Header(first=Person(name="A"))), ["names of players"]),
        (replace(NEW, remarks=(Remark(after=0, text="x"),)), ["remarks"]),
        (
            replace(NEW, irregular=(Found(t_ns=0, code="slide", side=BLACK),), journal_head="ab"),
            ["irregular actions and forbidden moves", "the journal's hash"],
        ),
        (
            replace(NEW, result=Result(t_ns=0, winner=None, black=0, white=0, reason="absence")),
            ["the result or its reason"],
        ),
    ],
)
def test_what_does_not_come_back_is_named(record: GameRecord, things: list[str]) -> None:
    assert list(lost(record, NEW)) == things
    assert lost(record, record) == ()
    assert lost(NEW, record) == (), "what was never said cannot be lost"


def test_json_loses_nothing_and_moves_alone_all_but_the_moves() -> None:
    record = replace(NEW, moves=(replace(MOVE, used_ms=1000),), header=Header(event="Open"))
    for form, things in (
        ("json", ()),
        ("moves", ("times of moves", "event, round, table, place, arbiter or date")),
    ):
        row = FORMATS[form]
        assert row.write is not None
        assert row.read is not None
        (back,) = row.read(row.write(record))
        assert lost(record, back) == things
    assert len(THINGS) == 15
