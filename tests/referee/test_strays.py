"""Stones out of turn: what lies there when the opponent plays on is a move, and nothing else."""

import pytest

from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.referee.rulings import Irregular, Restored, Told
from tests.referee.hands import Table, point_name


def stopped() -> Table:
    """White has put two stones out of turn, on A2 and A3, and Black has called."""
    table = Table()
    table.do("bH8 n wA1 f wA2 wA3 nc")
    return table


def rests(table: Table) -> list[tuple[str, str]]:
    """Where each stone out of turn lies, by its finding; the record says the same."""
    record = GameRecord.new(Header(), table.referee.settings).fold_all(table.log)
    found = [(point_name(m.point), point_name(m.rest)) for m in table.referee.matters if m.rest is not None]
    told = [(point_name(f.point), point_name(f.rest)) for f in record.irregular if f.rest is not None]
    assert told == found
    return found


@pytest.mark.parametrize(
    ("hands", "record"),
    [
        ("", "H8 A1 A2 A3 J8"),
        ("-wA2", "H8 A1 A3 J8"),
        ("-wA2 -wA3", "H8 A1 J8"),
        ("-wA2 wA2", "H8 A1 A2 A3 J8"),
        ("-wA2 -wA3 wB5", "H8 A1 B5 J8"),
        ("-wA2 -wA3 wB5 wB7", "H8 A1 B5 B7 J8"),
        ("wA2>A4", "H8 A1 A4 A3 J8"),
        ("-wA2 wB5 wB7", "H8 A1 A3 J8"),
    ],
)
def test_what_lies_there_when_the_board_is_accepted_counts_where_it_lies(hands: str, record: str) -> None:
    table = stopped()
    table.do(hands)
    table.say("accept_board")
    table.say("resume")
    table.do("bJ8 n")
    assert table.moves == record


def test_a_stone_that_went_while_it_was_claimed_is_no_move_when_it_is_waived() -> None:
    table = stopped()
    table.say("claim", side="black", code="out-of-turn", point="A3")
    table.do("-wA3")
    table.say("waive")
    table.do("bJ8 n")
    assert (table.moves, table.differences()) == ("H8 A1 A2 J8", [])


def test_a_stone_that_lies_elsewhere_when_it_is_waived_counts_there() -> None:
    table = stopped()
    table.say("claim", side="black", code="out-of-turn", point="A3")
    table.do("-wA3 wB5")
    table.say("waive")
    assert (table.moves, rests(table)) == ("H8 A1 B5", [("A3", "B5")])


def test_a_stone_pushed_on_in_play_is_told_where_it_rests() -> None:
    table = Table()
    table.do("bH8 n wA1 f wA2 wA2>A3 wA3>A4")
    assert rests(table) == [("A2", "A4")]
    assert [point_name(told.rest) for told in table.of(Irregular)[1:]] == ["A3", "A4"]


def test_a_stone_that_went_unseen_is_missed_when_the_board_is_told_as_a_whole() -> None:
    table = Table()
    table.do("bH8 n wA1 f wA2")
    table.see(X="H8", O="A1")
    assert [told.code for told in table.of(Told)] == ["taken-back"]
    table.do("bJ8 n")
    assert table.moves == "H8 A1 J8"


def test_a_scattered_stone_out_of_turn_is_not_asked_for_again() -> None:
    table = Table()
    table.do("bH8 n wA1 f wA2")
    table.scatter("A1", "A2")
    table.do("wA1")
    assert len(table.of(Restored)) == 1
    table.do("bJ8 n")
    assert table.moves == "H8 A1 J8"


def test_a_stone_missing_beside_one_out_of_turn_has_not_moved_there() -> None:
    table = Table()
    table.do("bH8 n wA1 f wA2 nc -wA1")
    table.say("accept_board")
    assert (table.moves, table.differences()) == ("H8 A1", ["A2"])


def test_when_the_move_before_it_is_taken_back_the_stone_is_the_move_if_it_is_accepted() -> None:
    table = Table()
    table.do("bH8 n wA1 f wA2")
    table.say("uphold", code="drop", point="A1")
    table.do("-wA1 bJ8")
    assert (table.moves, table.referee.paused) == ("H8", True)
    table.do("-bJ8")
    table.say("accept_board")
    table.say("resume")
    table.do("f bJ8 n")
    assert (table.moves, table.differences()) == ("H8 A2 J8", [])
