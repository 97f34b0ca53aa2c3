"""The final line: moves, irregular actions, result, exact times."""

import pytest

from firmware_host.referee.final import exact_ms, final
from firmware_host.referee.inputs import KeyPress, Tick
from tests.referee.hands import Table


def test_while_the_game_runs() -> None:
    table = Table()
    table.do("bH8 n wI9 wJ9 f")
    assert final(table.referee) == {
        "moves": ["H8", "I9", "J9"],
        "irregular": [{"code": "double-move", "point": "J9"}],
        "winner": None,
        "result": None,
        "reason": None,
        "remaining_ms": None,
        "periods_left": None,
    }


def test_after_the_end() -> None:
    table = Table(time="1m + 3x5s byo-yomi")
    table.do("bH8 n")
    table.say("resign", side="white")
    assert final(table.referee, table.t_ns + 10**12) == {
        "moves": ["H8"],
        "irregular": [],
        "winner": "black",
        "result": {"black": 1.0, "white": 0.0},
        "reason": "resignation",
        "remaining_ms": {"black": 59_800, "white": 59_900},
        "periods_left": {"black": 3, "white": 3},
    }


def test_what_was_claimed_waived_or_lapsed_stays_in_the_list_in_order_and_forbidden_moves_are_not_in_it() -> (
    None
):
    table = Table()
    table.do("bE5>E6 n wI9 wJ9 f n")
    table.say("waive", code="double-move")
    assert table.irregular == [
        ("slide", "E5"),
        ("double-move", "J9"),
    ]


@pytest.mark.parametrize(("ns", "ms"), [(5_000_000, 5), (5_000_001, 5.000001), (0, 0), (1_234_000, 1.234)])
def test_milliseconds_lose_nothing(ns: int, ms: float) -> None:
    assert exact_ms(ns) == ms


def test_a_press_at_a_known_microsecond_is_exact() -> None:
    table = Table(time="1m+2s")
    start_ns = table.t_ns
    table.do("?H8")
    table.give(KeyPress(t_ns=start_ns + 1_234_567_000, key="near"))
    table.give(Tick(t_ns=start_ns + 3_234_567_000))
    assert final(table.referee)["remaining_ms"] == {"black": 60_765.433, "white": 58_000}
