import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import firmware_host.record.renlib as renlib
from firmware_host.board import BLACK, NAMES, WHITE
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord, Remark, Result
from firmware_host.record.header import Header, Person
from firmware_host.record.renlib import holdable, read, write, write_all
from firmware_host.record.renlib_tree import Node, Tree, build, parse
from tests.record.arbitrary_records import HEADERS, RESULTS, move_lists, moves_of, texts
from tests.record.test_renlib_tree import HEAD_300, of_file


def games() -> st.SearchStrategy[GameRecord]:
    remark = st.builds(Remark, after=st.integers(-1, 14), text=texts())
    return st.builds(
        GameRecord,
        header=HEADERS,
        moves=move_lists(),
        result=st.none() | RESULTS,
        remarks=st.lists(remark, max_size=3).map(tuple),
    )


def names(record: GameRecord) -> str:
    return " ".join("pass" if move.point is None else NAMES[move.point] for move in record.moves)


@given(games())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_what_the_format_holds_comes_back(record: GameRecord) -> None:
    assert read(write(record)) == (holdable(record),)
    assert holdable(holdable(record)) == holdable(record)


def test_a_full_board_comes_back() -> None:
    record = GameRecord(moves=moves_of(*range(225)))
    assert read(write(record)) == (holdable(record),)


def test_h8_and_the_corners() -> None:
    record = GameRecord(moves=moves_of("H8", "A1", "O15", "A15", "O1"))
    assert write(record) == HEAD_300 + bytes.fromhex("7800 e100 0f00 0100 ef40")


def test_a_library_is_read_as_its_lines() -> None:
    read_games = read(of_file("opening-tree.lib.hex"))
    assert [names(game) for game in read_games] == ["H8 H9 J9", "H8 I9", "H8 I8"]
    assert [game.remarks for game in read_games] == [
        (Remark(after=2, text="Four "),),
        (),
        (Remark(after=2, text="Last\na\nb"),),
    ]
    with_passes = read(of_file("root-and-pass.lib.hex"))
    assert [names(game) for game in with_passes] == ["A15 O1 pass A1 pass", "A15 O1 pass O14"]
    assert {game.remarks for game in with_passes} == {(Remark(after=0, text="Open"),)}


def event_game(first: str, second: str, moves: str, black: float, **fields: object) -> GameRecord:
    winner = {1.0: BLACK, 0.0: WHITE}.get(black)
    return GameRecord(
        header=Header(event="Open", round=1, table="2", first=Person(name=first), second=Person(name=second)),
        moves=moves_of(*moves.split()),
        result=Result(t_ns=0, winner=winner, black=black, white=1 - black, reason="five"),
        **fields,  # type: ignore[arg-type]
    )


def test_all_games_of_an_event_are_one_tree_with_comments() -> None:
    anna = event_game("Anna", "王", "H8 H9 H10", 1.0)
    berta = event_game("Berta", "C", "H8 H9 J9", 0.0, remarks=(Remark(after=1, text="late"),))
    prefix = event_game("D", "E", "H8 H9", 0.5)
    tree = parse(write_all([anna, berta, prefix, anna]))
    assert [(NAMES[n.point or 0], n.parent, n.text) for n in tree.nodes] == [
        ("H8", -1, "late"),
        ("H9", 0, "D - E 0.5-0.5\nOpen, round 1, table 2"),
        ("H10", 1, "Anna - 王 1-0\nOpen, round 1, table 2"),
        ("J9", 1, "Berta - C 0-1\nOpen, round 1, table 2"),
    ]


@given(st.lists(games(), max_size=5))
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_the_lines_of_an_events_tree_are_the_games_that_no_other_goes_on_from(
    records: list[GameRecord],
) -> None:
    held = [tuple(move.point for move in holdable(record).moves) for record in records] or [()]
    whole = {line for line in held if not any(other[: len(line)] == line != other for other in held)}
    lines = [tuple(move.point for move in game.moves) for game in read(write_all(records))]
    assert sorted(lines, key=repr) == sorted(whole, key=repr)


def test_a_record_is_not_changed_by_the_order_of_its_remarks() -> None:
    record = GameRecord(moves=moves_of("H8"), remarks=(Remark(after=1, text="b"), Remark(after=0, text="a")))
    swapped = replace(record, remarks=record.remarks[::-1])
    assert write(record) == write(swapped)


def test_more_lines_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fan = Tree(tuple(Node(parent=-1, point=p) for p in range(225)))
    assert len(read(build(fan))) == 225
    monkeypatch.setattr(renlib, "LIMIT_GAMES", 224)
    with pytest.raises(RecordError, match="the library has more than 224 lines; allowed: 224"):
        read(build(fan))
