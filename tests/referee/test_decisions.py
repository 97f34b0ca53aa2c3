"""Decisions are numbered, told with who gave them, and undone by another (docs/rules.md, section 7)."""

import copy

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header
from firmware_host.referee.rulings import ClockSet, Decided, Over, Penalised, Refused, Reopened, Standing
from tests.referee.hands import Table

THREE = "bH8 n wI9 f bJ10 n"


def undo(table: Table, entry: int) -> list[str]:
    table.say("compensate", entry=entry, reason="mistaken")
    return table.kinds()


def refusal(table: Table, entry: int) -> str:
    (refused,) = table.say("compensate", entry=entry)
    return str(refused.why)


def folded(table: Table) -> GameRecord:
    """The arbiter's record of everything told so far."""
    record = GameRecord.new(Header(), table.referee.settings)
    return record.fold_all(table.log)


def test_every_decision_has_a_number_and_tells_who_gave_it() -> None:
    table = Table(time="5m")
    table.say("violation", side="black", reason="noise")
    table.say("penalty", side="white", kind="time", ms=10_000, by="chief")
    table.say("note", text="nothing is decided by a note")
    table.say("set_clock", side="white", ms=-1)
    table.say("result", black=1, white=0, by="organiser")
    assert [(d.entry, d.do, d.by, d.what, d.reason) for d in table.of(Decided)] == [
        (1, "violation", "arbiter", None, "noise"),
        (2, "penalty", "chief", "time", None),
        (3, "result", "organiser", None, None),
    ]
    assert {d.audience for d in table.of(Decided)} == {"arbiter"}


def test_an_undone_violation_is_counted_off_and_done_again_on() -> None:
    table = Table()
    table.say("violation", side="black")
    table.say("violation", side="black")
    assert undo(table, 1) == ["penalty", "decided"]
    assert undo(table, 3) == ["penalty", "decided"]
    assert [p.count for p in table.of(Penalised)] == [1, 2, 1, 2]
    assert [d.undoes for d in table.of(Decided)] == [None, None, 1, 3]


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("penalty", {"kind": "time", "ms": 10_000}),
        ("add_time", {"ms": -10_000}),
        ("set_clock", {"ms": 250_000}),
    ],
)
def test_undone_time_is_given_back_whatever_has_run_since(do: str, fields: dict[str, object]) -> None:
    table = Table(time="5m")
    table.do("bH8 n")
    table.say(do, side="black", **fields)
    taken = 300_000 - 200 - table.left()[0]
    table.do("wI9 f +1000")
    before = table.left()[0]
    undo(table, 1)
    assert table.left()[0] == before - 100 + taken
    undo(table, 2)
    assert table.left()[0] == before - 200
    assert table.referee.clock.at(table.t_ns).books.balanced
    assert [c.reason for c in table.of(ClockSet)][1:] == ["decision 1 undone", "decision 2 undone"]


def test_an_undone_result_lets_the_game_go_on_from_where_it_stood_with_the_clocks_stopped() -> None:
    table = Table(time="5m")
    table.do(THREE)
    table.say("result", black=1, white=0)
    left = table.left()
    table.do("+60000")
    assert undo(table, 1) == ["reopened", "paused", "decided"]
    assert (table.referee.over, table.referee.phase, table.left()) == (None, "paused", left)
    assert folded(table).result is None
    table.say("resume")
    table.do("wA1 f")
    assert table.moves == "H8 I9 J10 A1"
    assert table.referee.clock.at(table.t_ns).books.balanced


def test_an_undone_result_can_be_given_again() -> None:
    table = Table()
    table.say("result", black=1, white=0)
    undo(table, 1)
    assert undo(table, 2) == ["over", "decided"]
    assert [o.result for o in table.of(Over)] == [{BLACK: 1, WHITE: 0}] * 2
    assert table.referee.phase == "over"
    undo(table, 3)
    assert table.referee.phase == "paused"
    table.say("result", black=0, white=1)
    assert table.of(Over)[-1].winner is WHITE


@pytest.mark.parametrize("do", ["resign", "left"])
def test_a_game_given_up_by_mistake_goes_on(do: str) -> None:
    table = Table()
    table.do(THREE)
    table.say(do, side="black")
    undo(table, 1)
    table.say("resume")
    assert (table.referee.phase, table.referee.to_move) == ("playing", WHITE)


def test_an_undone_upholding_puts_the_record_and_the_claim_back() -> None:
    table = Table(time="5m")
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    table.say("uphold")
    assert table.moves == "H8 E5"
    kinds = undo(table, 1)
    assert kinds == ["standing", "move", "paused", "decided"]
    assert (table.moves, table.referee.why, table.differences()) == ("H8 E6", "claim", [])
    assert [(s.code, s.standing, s.audience) for s in table.of(Standing)] == [("slide", "claimed", "public")]
    assert [found.standing for found in folded(table).irregular] == ["claimed"]
    table.say("reject")
    assert table.referee.phase == "playing"


def test_an_undone_upholding_can_be_done_again() -> None:
    table = Table()
    table.do("bH8 n wI9 wJ9 f")
    table.say("uphold", code="double-move", point="J9")
    undo(table, 1)
    assert table.moves == "H8 I9 J9"
    undo(table, 2)
    assert (table.moves, table.differences()) == ("H8 I9", ["J9"])
    table.do("-wJ9 bA1 n")
    assert table.moves == "H8 I9 A1"


def test_a_forbidden_move_wrongly_upheld_is_open_again_and_stays_known() -> None:
    table = Table()
    table.do("bH8 n wA1 f bI8 n wA3 f bG9 n wA5 f bG10 n wA7 f bG8 n")
    table.say("uphold", code="double-three", point="G8")
    undo(table, 1)
    assert [(x.kind, x.standing, x.revealed) for x in table.referee.matters] == [
        ("double-three", "open", True)
    ]
    table.say("waive", code="double-three", point="G8")
    assert undo(table, 3)[0] == "standing"


def test_clocks_set_back_are_set_forth_again() -> None:
    table = Table(time="5m")
    table.do("+900 n +2000 bH8 +3000")
    before = table.left()
    table.say("uphold", code="clock-first", point="H8")
    assert table.left() != before
    undo(table, 1)
    assert table.left() == (before[0], before[1] - 100)
    assert table.referee.clock.at(table.t_ns).books.balanced


def test_an_undone_rejection_counts_nothing_and_what_was_thought_since_is_used() -> None:
    table = Table(time="5m", wrong_claim="violation")
    table.do("bH8 n wE5>E6")
    table.say("claim", side="black", code="slide", point="E5")
    left = table.left()
    table.say("reject")
    table.do("+5000")
    undo(table, 1)
    assert (table.left(), table.referee.why) == ((left[0] - 5_100, left[1]), "claim")
    assert [p.count for p in table.of(Penalised)] == [1, 0]


def test_a_board_accepted_by_mistake_is_guided_again() -> None:
    table = Table()
    table.do(THREE)
    table.scatter("H8")
    table.say("accept_board")
    undo(table, 1)
    assert (table.referee.phase, table.differences()) == ("restoring", ["H8"])


def test_what_the_game_has_gone_past_is_not_undone() -> None:
    table = Table()
    table.do("bH8 n wE5>E6")
    table.say("waive", code="slide", point="E5", side="black")
    table.do("f bA1")
    assert refusal(table, 1) == (
        "the game has gone on since decision 1 (waive): "
        "take moves off the record one by one, or decide by result"
    )


def test_what_cannot_be_undone_is_refused_in_one_sentence() -> None:
    table = Table()
    assert refusal(table, 1) == "there is no decision 1; none was made"
    table.say("violation", side="black")
    assert refusal(table, 2) == "there is no decision 2; the last one is 1"
    undo(table, 1)
    assert refusal(table, 1) == "decision 1 was undone by 2: undo that one to do 1 again"


def test_a_result_before_the_round_is_undone_to_before_the_round() -> None:
    table = Table(start=False)
    table.say("result", black=1, white=0)
    undo(table, 1)
    assert table.referee.phase == "waiting"
    table.say("start")
    assert table.referee.phase == "playing"


def test_a_clock_set_to_nothing_by_mistake_did_not_lose() -> None:
    table = Table(time="5m")
    table.say("set_clock", side="white", ms=0)
    assert table.referee.phase == "over"
    undo(table, 1)
    assert (table.referee.phase, table.left()[1]) == ("paused", 300_000)
    assert table.of(Reopened)
    table.say("resume")
    table.do("bH8 n +1000")
    assert not table.referee.over


def test_a_fork_of_the_referee_undoes_the_same() -> None:
    table = Table()
    table.do(THREE)
    table.say("result", black=1, white=0)
    fork = copy.deepcopy(table)
    assert undo(table, 1) == undo(fork, 1)
    table.say("result", black=0, white=1)
    assert (fork.referee.phase, table.referee.phase) == ("paused", "over")


def test_only_the_newest_decisions_keep_a_copy_and_an_older_one_is_refused() -> None:
    table = Table()
    table.say("result", black=1, white=0)
    for entry in range(1, 10):
        undo(table, entry)
    assert "the game has gone on since decision 2" not in refusal(table, 2)
    table = Table()
    table.do("bH8 n wE5>E6")
    table.say("waive", code="slide", point="E5", side="black")
    for _ in range(8):
        table.say("violation", side="black")
    assert "the game has gone on since decision 1" in refusal(table, 1)


def test_players_undo_nothing() -> None:
    table = Table()
    table.say("violation", side="black")
    (refused,) = table.say("compensate", by="near", entry=1)
    assert refused.why == "near (black) cannot give this command"


def test_a_loss_after_the_end_is_undone_to_the_result_that_stood() -> None:
    table = Table()
    table.say("result", black=1, white=0)
    table.say("penalty", side="black", kind="loss", by="chief")
    assert undo(table, 2) == ["over", "decided"]
    assert [over.result[BLACK] for over in table.of(Over)] == [1, 0, 1]


def test_an_arbiter_decides_against_the_controller_after_the_end() -> None:
    table = Table(time="5m", forbidden="automatic")
    table.do("bH8 n +300000")
    assert table.of(Over)[-1].reason == "time"
    table.say("result", black=0, white=1, by="chief", reason="his clock was broken")
    assert (table.kinds(), table.referee.phase) == (["over", "decided"], "over")
    assert table.of(Over)[-1].result == {BLACK: 0, WHITE: 1}
    assert folded(table).result.reason == "arbiter"
    assert undo(table, 1) == ["over", "decided"]
    assert (table.of(Over)[-1].reason, table.referee.phase) == ("time", "over")


def test_a_result_is_one_point_at_most() -> None:
    table = Table()
    (refused,) = table.say("result", black=1, white=0.5)
    assert refused.why == "the scores 1 and 0.5 are more than one point; allowed: up to 1 together"
    table.say("result", black=0, white=0)
    assert table.of(Over)[-1].result == {BLACK: 0, WHITE: 0}


@pytest.mark.parametrize(
    ("steps", "undoable"),
    [
        ([], ()),
        ([("violation", {"side": "black"})], (1,)),
        ([("violation", {"side": "black"}), ("compensate", {"entry": 1})], (2,)),
        ([("add_time", {"side": "white", "ms": 5000}), "bA1 n wA2 f"], (1,)),
        ([("resign", {"side": "white"})], (1,)),
        (["bF5>F6", ("waive", {"code": "slide"})], (1,)),
        (["bF5>F6", ("waive", {"code": "slide"}), "n wA2 f"], ()),
    ],
)
def test_what_can_be_undone_is_what_compensate_does_not_refuse(
    steps: list[str | tuple[str, dict[str, object]]], undoable: tuple[int, ...]
) -> None:
    table = Table(time="5m")
    for step in steps:
        if isinstance(step, str):
            table.do(step)
        else:
            table.say(step[0], **step[1])
    assert table.referee.undoable == undoable
    for decision in table.of(Decided):
        fork = copy.deepcopy(table)
        told = fork.say("compensate", entry=decision.entry)
        assert any(isinstance(r, Refused) for r in told) is (decision.entry not in undoable)
