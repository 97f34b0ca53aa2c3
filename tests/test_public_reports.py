"""What people have reported of other boards, clocks and programs, each with its right answer."""

from typing import Any

import pytest

from firmware_host.board import BLACK, NAMES, WHITE, Colour, Position, parse_moves, parse_point
from firmware_host.clock import Clock, Player, parse_control
from firmware_host.pipeline import Pipeline
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling, Forbidden, Irregular, Moved, Over, Pressed
from firmware_host.referee.settings import match_settings
from firmware_host.rules import five_line, forbidden_at, forbidden_points, offers_symmetric
from firmware_host.sensing.watcher import BoardWatcher
from hw import Sensors
from hw.simulator.table import SimulatedTable
from tests.referee.hands import Table

MS = 1_000_000


def black(names: str) -> Position:
    return Position.from_stones(dict.fromkeys(parse_moves(names), BLACK))


def game(moves: str, *, n: int = 0) -> str:
    """A script in which Black and White play and press; `n` moves have been made."""
    return " ".join(
        f"b{name} n" if (n + i) % 2 == 0 else f"w{name} f" for i, name in enumerate(moves.upper().split())
    )


def ended(table: Table) -> list[tuple[Colour | None, str]]:
    return [(over.winner, over.reason) for over in table.of(Over)]


# Forbidden moves


def test_a_three_whose_straight_four_is_forbidden_is_none() -> None:
    position = black("f8 i8 h9 h10 g4 g5 g6 g7")
    assert forbidden_at(position, parse_point("h8")) is None
    assert forbidden_at(position, parse_point("h7")) == "double-three"
    found = forbidden_points(position)
    assert parse_point("h8") not in found
    assert found[parse_point("h7")] == "double-three"


REPORTED = "h8g6f6g5f7g4h7g3g2a1"


def test_the_only_stop_of_a_four_may_be_a_double_three() -> None:
    position = Position.from_moves(parse_moves(REPORTED))
    assert [NAMES[p] for p in forbidden_points(position)] == ["G7"]
    assert forbidden_at(position, parse_point("g7")) == "double-three"
    stop = position.put(parse_point("g7"), WHITE)
    assert five_line(stop, parse_point("g7")) == tuple(parse_moves("g3 g4 g5 g6 g7"))


def test_it_may_be_played_and_white_may_claim_it() -> None:
    table = Table()
    table.do(game("h8 g6 f6 g5 f7 g4 h7 g3 g2 a1 g7"))
    assert table.moves.endswith("A1 G7")
    assert ended(table) == []
    assert [(f.kind, NAMES[f.point]) for f in table.of(Forbidden)] == [("double-three", "G7")]
    table.say("claim", side="white", code="double-three", point="G7")
    table.say("uphold")
    assert ended(table) == [(WHITE, "forbidden")]


def test_it_stands_when_white_plays_on() -> None:
    table = Table()
    table.do(game("h8 g6 f6 g5 f7 g4 h7 g3 g2 a1 g7 a2"))
    assert [r.why for r in table.say("uphold", code="double-three", point="G7")] != []
    assert ended(table) == []


# Five and more


SIX = "h8 i8 j8 l8 m8 k8"
RENJU: dict[str, Any] = {}
FREESTYLE: dict[str, Any] = {"forbidden": "off", "overline": "wins"}
STANDARD: dict[str, Any] = {"forbidden": "off", "overline": "nothing"}


@pytest.mark.parametrize(
    ("colour", "settings", "winner"),
    [
        (WHITE, RENJU, WHITE),
        (BLACK, FREESTYLE, BLACK),
        (WHITE, FREESTYLE, WHITE),
        (BLACK, STANDARD, None),
        (WHITE, STANDARD, None),
        (BLACK, RENJU, None),
    ],
)
def test_six_in_a_row(colour: Colour, settings: dict[str, Any], winner: Colour | None) -> None:
    table = Table(**settings)
    sixes, others = SIX.split(), ["a1", "c1", "e1", "g1", "i1", "k1"]
    pairs = zip(sixes, others, strict=True) if colour is BLACK else zip(others, sixes, strict=True)
    table.do(game(" ".join(" ".join(pair) for pair in pairs)))
    assert ended(table) == ([(winner, "five")] if winner else [])
    assert [f.kind for f in table.of(Forbidden)] == (
        ["overline"] if (colour, settings) == (BLACK, RENJU) else []
    )


def test_six_of_black_lose_in_renju() -> None:
    table = Table()
    table.do(game("h8 a1 i8 c1 j8 e1 l8 g1 m8 i1 k8"))
    table.say("claim", side="white", code="overline", point="K8")
    table.say("uphold")
    assert ended(table) == [(WHITE, "forbidden")]


@pytest.mark.parametrize(
    ("stones", "others"),
    [
        ("d8 e8 f8 g8 h5 h6 h7 i9 j10 k11", "two fours in other lines"),
        ("d8 e8 f8 g8 h3 h4 h5 h6 h7", "six in another line"),
        ("d8 e8 f8 g8 h6 h7 i9 j10", "two threes in other lines"),
    ],
)
@pytest.mark.parametrize("forbidden", ["claim", "automatic"])
def test_a_five_wins_whatever_else_its_stone_makes(stones: str, others: str, forbidden: str) -> None:
    assert forbidden_at(black(stones), parse_point("h8")) is None, others
    whites = ["a1", "c1", "e1", "g1", "i1", "k1", "m1", "o1", "a3", "c3"]
    moves = [name for pair in zip(stones.split(), whites, strict=False) for name in pair]
    table = Table(forbidden=forbidden)
    table.do(game(" ".join([*moves, "h8"])))
    assert ended(table) == [(BLACK, "five")]
    assert table.of(Forbidden) == []


def test_a_second_six_after_an_unnoticed_five() -> None:
    """The stone that makes six is White's to claim; unclaimed, the five before it still wins."""
    moves = "h8 a1 i8 c1 j8 e1 k8 g1 l8 i1 m8"
    claimed, lapsed = Table(five="claim"), Table(five="claim")
    for table in (claimed, lapsed):
        table.do(game(moves))
        assert ended(table) == []
        assert [(f.kind, NAMES[f.point]) for f in table.of(Forbidden)] == [("overline", "M8")]
    claimed.say("claim", side="white", code="overline", point="M8")
    claimed.say("uphold")
    assert ended(claimed) == [(WHITE, "forbidden")]
    lapsed.do("wK1 f")
    lapsed.say("claim", side="black", code="five", point="L8")
    lapsed.say("uphold")
    assert ended(lapsed) == [(BLACK, "five")]
    ends = Table()
    ends.do(game(moves))
    assert ended(ends) == [(BLACK, "five")]


# Time


@pytest.mark.parametrize(("before_ns", "reason"), [(1, None), (0, "time"), (-1, "time")])
@pytest.mark.parametrize("control", ["10s", "0s + 1x10s"])
def test_a_press_exactly_at_the_deadline_is_out(control: str, before_ns: int, reason: str | None) -> None:
    referee = Referee(match_settings({"opening": "free", "time": control}))
    rulings = [*referee.rule(Command(t_ns=0, do="start"))]
    deadline_ns = 10_000 * MS
    assert referee.deadline_ns == deadline_ns
    table = Table(start=False)
    table.t_ns = 5_000 * MS
    rulings += referee.rule(table.input("bH8"))
    rulings += referee.rule(KeyPress(t_ns=deadline_ns - before_ns, key="near"))
    assert [over.reason for over in rulings if isinstance(over, Over)] == ([reason] if reason else [])
    assert bool([r for r in rulings if isinstance(r, Pressed)]) == (reason is None)


def test_the_clock_says_the_same() -> None:
    clock = Clock.new(parse_control("10s")).run(Player.FIRST, 0)
    assert clock.deadline_ns == 10_000 * MS
    assert clock.remaining_ns(Player.FIRST, 10_000 * MS - 1) == 1
    assert clock.remaining_ns(Player.FIRST, 10_000 * MS) == 0


# Stone and press


@pytest.mark.parametrize("sensors", ["linear", "switch"])
def test_a_stone_that_touched_before_its_press_but_settled_after_it_is_no_irregular_action(
    sensors: Sensors,
) -> None:
    hand = SimulatedTable(sensors, seed=1)
    pipeline = Pipeline(BoardWatcher(sensors), Referee(match_settings({"opening": "free", "time": "5m"})))
    pipeline.put(Command(t_ns=0, do="start"))
    act = hand.place(400 * MS, "H8", "black")
    press_ns = act.touch_ns + MS
    pipeline.put(KeyPress(t_ns=press_ns, key="near"))
    ruled: list[AnyRuling] = []
    for t_ns in range(0, act.end_ns + 500 * MS, 5 * MS):
        pipeline.frame(t_ns, hand.readings(t_ns))
        pipeline.keys_seen(t_ns)
        steps = pipeline.advance()
        if t_ns <= press_ns:
            assert not [r for step in steps for r in step.rulings if isinstance(r, Moved)], "not settled yet"
        ruled += [ruling for step in steps for ruling in step.rulings]
    assert [type(r) for r in ruled if isinstance(r, Moved | Pressed | Irregular)] == [Moved, Pressed]
    assert [r.t_ns for r in ruled if isinstance(r, Pressed)] == [press_ns]


# Fifth offers


FOUR = "h8 h9 i8 i9"
"""Mirrored about the line between the columns H and I."""


@pytest.mark.parametrize(
    ("four", "offers", "same"),
    [
        (FOUR, "g7 j7", True),
        (FOUR, "g7 i7", False),
        ("h8 h9 h10 h5", "g8 i8", True),
        ("h8 i9 j8 g9", "h6 j7", False),
        ("h8 h9 j8 j9", "h7 j7", True),  # the column I
        ("h8 i9 g9 h10", "j8 g11", True),  # a rising diagonal
        ("h8 i9 g9 h10", "j8 g7", False),
    ],
)
def test_offers_symmetric_about_an_axis_that_does_not_pass_through_h8(
    four: str, offers: str, same: bool
) -> None:
    found = offers_symmetric(Position.from_moves(parse_moves(four)), parse_moves(offers))
    assert (found is not None) == same


@pytest.mark.parametrize(("offers", "wrong"), [("bG7 bJ7", True), ("bG7 bI7", False)])
def test_such_offers_are_found_at_the_press(offers: str, wrong: bool) -> None:
    table = Table(opening="designated", offers=2)
    table.do(f"bH8 wH9 bI8 n wI9 f {offers} n")
    assert table.irregular == ([("offers-wrong", None)] if wrong else [])
