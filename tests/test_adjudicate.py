"""Whole games by the rules: what is forbidden, what nobody claimed, who has won."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.adjudicate import Findings, Result, Rules, adjudicate
from firmware_host.board import BLACK, NAMES, POINTS, WHITE, Colour
from firmware_host.record.game_files import Played, Turn, read_games
from tests.rules import slow_definition

DATA = Path(__file__).parent / "data"
FIVE = "h8 h9 i8 i9 j8 j9 k8 k9 l8"
DOUBLE_THREE = "h8g6f6g5f7g4h7g3g2a1g7"


def judged(moves: str, **rules: str) -> Findings:
    (game,) = read_games(moves, "moves")
    assert isinstance(game, Played), game
    return adjudicate(game, Rules.of(rules))


def result(moves: str, **rules: str) -> str | None:
    """`winner reason n`, with `?` if it has to be claimed."""
    found = judged(moves, **rules).result
    return found and f"{found.winner} {found.reason} {found.n}{'?' if found.if_claimed else ''}"


def unclaimed(moves: str, **rules: str) -> str | None:
    win = judged(moves, **rules).unclaimed
    return win and f"{win.winner} {win.n} {NAMES[win.point]} {win.reason}"


def forbidden(moves: str, **rules: str) -> list[tuple[int, str, str]]:
    return [(f.n, NAMES[f.point], f.kind) for f in judged(moves, **rules).forbidden]


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ("h8 h9 i10", "D2"),
        ("h8 g7 j10 a1 a2", "I13"),
        ("i10 h9 h8", "D2"),
        ("h8 h9", None),
        ("h8 h10 h9", None),
        ("h8 pass h9 i10 a1", None),
    ],
)
def test_the_opening_is_that_of_the_first_three_stones(moves: str, code: str | None) -> None:
    opening = judged(moves).opening
    assert (opening and opening.code) == code


def test_a_game_that_decides_nothing() -> None:
    found = judged("h8 h9 i10 a1 pass b1")
    assert (found.moves, found.forbidden, found.unclaimed, found.result) == (6, (), None, None)
    assert judged("h8").opening is None


def test_a_five_ends_the_game() -> None:
    assert result(FIVE) == "black five 9"
    assert unclaimed(FIVE) is None
    assert result("a1 h9 c1 i9 e1 j9 g1 k9 i1 l9") == "white five 10"


def test_a_five_that_nobody_saw() -> None:
    assert result(FIVE + " a1 m9") == "black five 9"
    assert unclaimed(FIVE + " a1 m9") == "black 9 L8 five"
    assert unclaimed(FIVE + " pass") == "black 9 L8 five"


def test_a_five_that_must_be_claimed() -> None:
    assert result(FIVE, five="claim") == "black five 9?"
    assert result(FIVE + " a1", five="claim") is None
    assert unclaimed(FIVE + " a1", five="claim") == "black 9 L8 five"
    assert result(FIVE + " l9", five="claim") == "white five 10?"


def test_a_second_six_after_a_five_that_nobody_saw_is_an_overline() -> None:
    moves = FIVE + " a1 m8 a3"
    assert forbidden(moves, five="claim") == [(11, "M8", "overline")]
    assert unclaimed(moves, five="claim") == "black 9 L8 five"
    assert result(moves, five="claim") is None
    assert result(FIVE + " a1 m8", five="claim") == "white forbidden 11?"
    assert result(FIVE + " a1 m8") == "black five 9"


def test_a_forbidden_move_at_the_end_has_to_be_claimed() -> None:
    assert forbidden(DOUBLE_THREE) == [(11, "G7", "double-three")]
    assert result(DOUBLE_THREE) == "white forbidden 11?"
    assert unclaimed(DOUBLE_THREE) is None


def test_a_forbidden_move_lapses_when_white_plays_on() -> None:
    assert result(DOUBLE_THREE + "a3") is None
    assert unclaimed(DOUBLE_THREE + "a3") == "white 11 G7 double-three"
    assert unclaimed(DOUBLE_THREE + "pass") == "white 11 G7 double-three"


def test_a_forbidden_move_ends_the_game_where_no_arbiter_is() -> None:
    assert result(DOUBLE_THREE + "a3", forbidden="automatic") == "white forbidden 11"
    assert result(DOUBLE_THREE, forbidden="automatic") == "white forbidden 11"


def test_without_forbidden_moves() -> None:
    assert forbidden(DOUBLE_THREE + "a3", forbidden="off") == []
    assert result(DOUBLE_THREE + "a3", forbidden="off") is None


SIX = "h8 a1 i8 c1 j8 e1 l8 g1 m8 i1 k8"
SIX_OF_WHITE = "a1 h8 c1 i8 e1 j8 g1 l8 i1 m8 k1 k8"


def test_six_in_a_row() -> None:
    assert forbidden(SIX) == [(11, "K8", "overline")]
    assert result(SIX) == "white forbidden 11?"
    assert result(SIX_OF_WHITE) == "white five 12"
    assert result(SIX, forbidden="off") == "black five 11"
    assert result(SIX, forbidden="off", overline="nothing") is None
    assert result(SIX_OF_WHITE, forbidden="off", overline="nothing") is None
    assert result(SIX_OF_WHITE, overline="nothing") == "white five 12"


def test_a_five_that_is_a_double_four_too_wins() -> None:
    assert result("d8 a1 e8 a3 f8 a5 g8 a7 h5 a9 h6 a11 h7 a13 h8") == "black five 15"


def test_two_passes_in_a_row_are_a_draw() -> None:
    assert result("h8 h9 i10 a1 a2 pass pass") == "None passes 7"
    assert result("h8 h9 i10 a1 a2 pass pass " + "b1 c5") == "None passes 7"
    assert result("h8 h9 i10 a1 a2 pass a4 pass") is None
    assert result("a1 a2 pass pass " + FIVE) == "None passes 4"
    assert result(FIVE + " pass pass") == "black five 9"


def test_a_stone_that_nobody_saw_is_no_pass() -> None:
    turns = (Turn(BLACK, 112), Turn(WHITE, None), Turn(BLACK, None, seen=False))
    assert adjudicate(Played(line=1, game=1, turns=turns), Rules()).result is None


def test_a_full_board_is_a_draw() -> None:
    cells = sorted(range(POINTS), key=lambda p: (p // 15 // 2 + p % 15) % 2)
    turns = [Turn(Colour.BLACK if i <= 112 else Colour.WHITE, p) for i, p in enumerate(cells)]
    found = adjudicate(Played(line=1, game=1, turns=tuple(turns)), Rules(forbidden="off", overline="nothing"))
    assert found.result == Result(winner=None, reason="full-board", n=225)
    short = adjudicate(Played(line=1, game=1, turns=tuple(turns[:-1])), Rules(forbidden="off"))
    assert short.result is None


def test_colours_are_those_of_the_turns() -> None:
    turns = tuple(Turn(BLACK, p) for p in range(5))
    assert adjudicate(Played(line=1, game=1, turns=turns), Rules()).result == Result(
        winner=BLACK, reason="five", n=5
    )


@pytest.mark.parametrize(
    ("recorded", "contradicts"),
    [
        (None, False),
        ((BLACK, "five"), False),
        ((BLACK, "time"), False),
        ((WHITE, "time"), True),
        ((None, "agreement"), True),
    ],
)
def test_a_file_that_tells_another_winner(
    recorded: tuple[Colour | None, str] | None, contradicts: bool
) -> None:
    (game,) = read_games(FIVE, "moves")
    assert isinstance(game, Played)
    found = adjudicate(Played(line=1, game=1, turns=game.turns, recorded=recorded), Rules())
    assert (found.recorded, found.contradicts) == (recorded, contradicts)
    claimed = adjudicate(Played(line=1, game=1, turns=game.turns, recorded=recorded), Rules(five="claim"))
    assert not claimed.contradicts


def test_rules_asked_for_go_before_those_of_the_file() -> None:
    assert Rules.of({}) == Rules(forbidden="claim", overline="wins", five="ends")
    file = {"forbidden": "off", "overline": "nothing"}
    assert Rules.of({"forbidden": "claim", "five": None}, file) == Rules(overline="nothing")


def test_the_games_of_the_corpus_are_counted() -> None:
    games = list(read_games((DATA / "forbidden-games.txt").read_text(), "moves"))
    found = [adjudicate(game, Rules()) for game in games if isinstance(game, Played)]
    assert (len(games), len(found), sum(f.moves for f in found)) == (38, 38, 2096)
    assert len({f.opening.code for f in found if f.opening}) == 26
    results = Counter(f.result and (f.result.winner, f.result.reason) for f in found)
    assert results == {(WHITE, "five"): 17, (BLACK, "five"): 14, None: 7}
    assert Counter(f.unclaimed.reason for f in found if f.unclaimed) == {"double-three": 8}
    assert sum(len(f.forbidden) for f in found) == 8


@given(st.lists(st.integers(0, POINTS - 1), unique=True, max_size=60))
def test_each_move_is_judged_by_the_position_before_it(points: list[int]) -> None:
    game = Played(line=1, game=1, turns=tuple(Turn(list(Colour)[n % 2], p) for n, p in enumerate(points)))
    found = {(f.n, f.point): f.kind for f in adjudicate(game, Rules()).forbidden}
    text = ["."] * POINTS
    for n, p in enumerate(points, 1):
        if n % 2:
            board = {(i % 15, i // 15): cell for i, cell in enumerate(text)}
            kind = slow_definition.kind(board, (p % 15, p // 15))
            assert found.get((n, p)) == (None if kind in ("legal", "five") else kind)
        text[p] = "XO"[1 - n % 2]
