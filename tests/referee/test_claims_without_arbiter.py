"""Claims that the controller answers itself, and the call key (docs/rules.md, section 5)."""

from typing import Any

import pytest

from firmware_host.board import BLACK
from firmware_host.referee.rulings import (
    Over,
    Penalised,
    Rejected,
    Upheld,
)
from tests.referee.hands import FIVE, Table


def test_without_an_arbiter_the_controller_answers_claims_and_resumes_when_the_board_is_right() -> None:
    table = Table(forbidden="automatic")
    table.do("bH8 n wE5>E6 f")
    table.say("claim", side="black", code="slide", point="E5")
    assert table.kinds() == ["claimed", "revealed", "upheld", "move", "paused", "differs"]
    table.do("-wE6 wE5")
    assert table.referee.phase == "playing"
    table.say("claim", side="white", code="slide")
    assert table.kinds() == ["claimed", "rejected", "resumed"]
    table.say("claim", side="black", code="wrong-hand")
    assert table.referee.phase == "paused", "what only a person sees needs one to judge"


def test_a_call_key_claims_what_the_opponent_did() -> None:
    table = Table(forbidden="automatic")
    table.do("bH8 n wE5>E6 f")
    table.do("nc")
    assert table.kinds()[:3] == ["claimed", "revealed", "upheld"]
    table.do("-wE6 wE5 bA1 n")
    assert table.moves == "H8 E5 A1"


def test_a_call_key_with_nothing_to_claim_says_so_and_the_game_goes_on() -> None:
    table = Table(forbidden="automatic")
    table.do("bE5>E6 n")
    table.do("nc")
    (told,) = table.rulings
    assert (told.code, told.audience, told.text) == (
        "nothing-to-claim", "players", "nothing of white can be claimed now",
    )  # fmt: skip
    assert table.referee.phase == "playing"


def test_a_call_key_calls_the_arbiter_where_there_is_one() -> None:
    table = Table()
    table.do("bH8 n wE5>E6 f")
    table.do("nc")
    assert table.kinds() == ["called"]
    assert [x.standing for x in table.referee.matters] == ["open"]


def test_a_call_key_claims_a_fallen_flag_and_an_unnoticed_five() -> None:
    table = Table(forbidden="automatic", flag="claim", time="1s")
    table.do("bH8 n +1500 nc")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "time")]
    table = Table(forbidden="automatic", five="claim")
    table.do(FIVE + " fc")
    assert not table.of(Over), "White has no five"
    table.do("nc")
    assert [(o.winner, o.reason) for o in table.of(Over)] == [(BLACK, "five")]


def test_a_claim_that_the_controller_rejects_is_answered_in_words() -> None:
    table = Table(forbidden="automatic", wrong_claim="violation")
    table.do("bH8 n wI9 f")
    table.say("claim", by="near", code="slide", point="I9")
    assert [(r.why, r.audience) for r in table.of(Rejected)] == [("no slide at I9 was found", "public")]
    assert [p.side for p in table.of(Penalised)] == [BLACK]
    assert table.referee.phase == "playing"


AUTOMATIC: dict[str, tuple[dict[str, str], str, str, str, str]] = {
    "double-move": ({}, "bH8 n wI9 wJ9 f nc", "-wJ9", "bA1 n", "H8 I9 A1"),
    "replace": ({}, "bI9 -bI9 bH10 n fc", "-bH10 bI9", "wA1 f", "I9 A1"),
    "out-of-turn": ({}, "bH8 n bJ9 fc", "-bJ9", "wA1 f", "H8 A1"),
    "clock-first": ({}, "n bH8 fc", "", "wA1 f", "H8 A1"),
    "bad-adjust": ({}, "bH8 n wI9 f ~wI9 nc", "", "bA1 n", "H8 I9 A1"),
    "wrong-removal": (
        {"opening": "designated", "offers": "3"},
        "bH8 wI9 bJ8 n wI7 f bG10 bH6 bK11 n -bG10 wK9 f nc",
        "-bK11",
        "f bA1 n",
        "H8 I9 J8 I7 H6 K9 A1",
    ),
    "offers-wrong": (
        {"opening": "designated", "offers": "3"},
        "bH8 wI9 bJ8 n wI7 f bG10 bH6 n fc",
        "bK11",
        "n -bG10 -bK11 wK9 f",
        "H8 I9 J8 I7 H6 K9",
    ),
    "not-an-opening": ({"opening": "designated"}, "bH8 wJ10 bJ8 n fc", "-wJ10 wI9", "n", "H8 I9 J8"),
    "first-not-tengen": ({"opening": "designated"}, "bG8 wI9 bJ8 n fc", "-bG8 bH8", "wA1 f", "H8 I9 J8 A1"),
}


@pytest.mark.parametrize(
    ("settings", "done", "put_right", "goes_on", "record"), AUTOMATIC.values(), ids=AUTOMATIC
)
def test_every_remedy_is_guided_without_an_arbiter(
    settings: dict[str, Any], done: str, put_right: str, goes_on: str, record: str
) -> None:
    settings = {key: int(value) if key == "offers" else value for key, value in settings.items()}
    table = Table(forbidden="automatic", **settings)
    table.do(done)
    assert [type(r) for r in table.of(Upheld)] == [Upheld]
    table.do(put_right)
    assert not table.differences()
    table.do(goes_on)
    assert (table.moves, table.referee.phase in ("playing", "opening")) == (record, True)


@pytest.mark.parametrize(("mode", "by", "audience"), [
    ("automatic", "far", "players"), ("automatic", "arbiter", "arbiter"), ("claim", "far", "arbiter"),
])  # fmt: skip
def test_without_an_arbiter_a_player_hears_why_not(mode: str, by: str, audience: str) -> None:
    table = Table(forbidden=mode)
    table.do("bH8 n")
    refused = table.say("pass", by=by, **({} if by == "far" else {"side": "white"}))[-1]
    assert (refused.audience, refused.__struct_config__.tag) == (audience, "refused")
