"""The menus on the faces: what is offered, what the keys do, how one gets out."""

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, WHITE
from firmware_host.menu import ITEMS, NUMBER, OPEN_NS, SURE, Menus, offered
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.procedures import PROCEDURES
from firmware_host.referee.rulings import Irregular, Refused
from hw.segments import SEGMENTS, drawing, segments
from tests.referee.hands import MS, Table

HELD = {"nm": "near-menu", "fm": "far-menu"}
SET_UP = "bH8 wH9 bI10 n"
FIVE = f"{SET_UP} wG7 f bJ9 n -bJ9 bJ9"


class Desk(Table):
    """The referee's table with the menus before it. `nm`, `fm`: a call key is held."""

    def __init__(self, script: str = "", **settings: Any) -> None:
        self.menus = Menus()
        self.commands: list[Command] = []
        self.keys: list[str] = []
        super().__init__(**settings)
        self.do(script)

    def input(self, token: str) -> Any:
        if token in HELD:
            return KeyPress(t_ns=self.t_ns, key=HELD[token])  # type: ignore[arg-type]
        return super().input(token)

    def give(self, *given: Any) -> Any:
        passed = []
        for one in given:
            self.menus, on = self.menus.take(self.referee, one)
            if on is not None:
                passed.append(on)
            if isinstance(on, Command) and on is not one:
                self.commands.append(on)
            if isinstance(on, KeyPress):
                self.keys.append(on.key)
        return super().give(*passed)

    def word(self, seat: Any) -> str | None:
        shown = self.menus.word(self.referee, seat, self.t_ns)
        return shown and shown[0]

    def words(self, seat: Any) -> list[str]:
        return [item.word for item in offered(self.referee, seat)]


def test_a_held_call_key_opens_the_menu_of_its_own_seat_and_calls_nobody() -> None:
    desk = Desk("nm", time="5m")
    assert (desk.word("near"), desk.word("far")) == ("drAu", None)
    assert desk.keys == []
    assert desk.rulings == []
    assert desk.referee.phase == "playing"


def test_while_it_is_open_the_clock_key_steps_and_the_clock_runs_on() -> None:
    desk = Desk("bH8 nm", time="5m")
    seen = []
    for _ in range(4):
        seen.append(desk.word("near"))
        desk.do("n")
    assert seen == ["drAu", "LoSE", "ESC ", "drAu"]
    assert desk.keys == []
    assert desk.referee.clock.running is desk.referee.player_of(BLACK)


def test_the_other_seat_s_keys_are_what_they_always_are() -> None:
    desk = Desk("nm f fc", time="5m")
    assert desk.keys == ["far", "far-call"]


def test_a_taken_item_is_one_command_of_the_seat_at_the_instant_of_the_key() -> None:
    desk = Desk("nm nc")
    assert desk.commands == [Command(t_ns=desk.t_ns, do="draw", by="near", answer="offer")]
    assert desk.kinds() == ["draw"]
    assert desk.word("near") is None


WAYS_OUT = {
    "hold again": "nm nm",
    "the last item": "nm n n nc",
    "ten seconds without a key": f"nm +{OPEN_NS // MS}",
    "a stone of one's own": "nm bH8",
}


@pytest.mark.parametrize("way", WAYS_OUT.values(), ids=WAYS_OUT)
def test_a_player_who_opened_it_by_mistake_gets_out_and_then_presses_his_clock(way: str) -> None:
    desk = Desk(way)
    assert desk.word("near") is None
    desk.do("n nc")
    assert desk.keys == ["near", "near-call"]
    assert desk.commands == []


def test_each_key_gives_ten_more_seconds() -> None:
    desk = Desk("nm +9000 n +9000 n")
    assert desk.word("near") == "ESC "
    assert desk.keys == []


def test_a_stone_closes_no_menu_of_a_player_whose_clock_stands() -> None:
    desk = Desk("fm bH8")
    assert desk.word("far") == "LoSE"


def test_what_cannot_be_taken_back_is_asked_once_more() -> None:
    desk = Desk("nm n nc")
    assert desk.word("near") == "SurE"
    assert desk.commands == []
    desk.do("n")
    assert desk.word("near") == "LoSE"
    desk.do("nc nc")
    assert [(c.do, c.by) for c in desk.commands] == [("resign", "near")]
    assert desk.referee.phase == "over"


def test_nothing_that_cannot_be_taken_back_is_one_press_away() -> None:
    ends = {"accept", "swap", "white", "black", "add", "one", "ten", "pass", "resign"}
    assert {item.name for item in ITEMS if item.sure} == ends


def test_n_is_stepped_through_and_named_by_the_call_key() -> None:
    desk = Desk("bH8 wH9 bI10 nm", opening="designated")
    assert desk.word("near") == "n --"
    desk.do("nc")
    assert desk.word("near") == "n  1"
    desk.do("n n")
    assert desk.word("near") == "n  3"
    desk.do("nc")
    assert desk.commands == [Command(t_ns=desk.t_ns, do="opening", by="near", offers=3)]
    assert desk.referee.offers_wanted == 3
    desk.do("nm")
    assert desk.word("near") == "n  3"


def test_after_the_greatest_n_comes_the_smallest() -> None:
    desk = Desk("nm nc" + " n" * 11, opening="yamaguchi")
    assert desk.word("near") == "n 12"
    desk.do("n")
    assert desk.word("near") == "n  1"


SITUATIONS: dict[str, tuple[dict[str, Any], str, list[str], list[str]]] = {
    # settings, what happened before, then what near and far may choose
    "free, move 1": ({}, "", ["drAu", "LoSE", "ESC "], ["LoSE", "ESC "]),
    "free, after the stone": ({}, "bH8", ["drAu", "LoSE", "ESC "], ["LoSE", "ESC "]),
    "set-up": ({"opening": "designated"}, "", ["n --", "drAu", "LoSE", "ESC "], ["LoSE", "ESC "]),
    "the choice of colours": (
        {"opening": "designated"}, SET_UP,
        ["n --", "LoSE", "ESC "], ["SUAP", "StAY", "drAu", "LoSE", "ESC "],
    ),
    "no choice": (
        {"opening": "designated", "designated_swap": "no"}, SET_UP,
        ["n --", "LoSE", "ESC "], ["drAu", "LoSE", "ESC "],
    ),
    "N is agreed": ({"opening": "rif-classic"}, "", ["drAu", "LoSE", "ESC "], ["LoSE", "ESC "]),
    "the offers": (
        {"opening": "rif-classic"}, f"{SET_UP} wG7 f", ["drAu", "LoSE", "ESC "], ["LoSE", "ESC "],
    ),
    "the removal": (
        {"opening": "rif-classic"}, f"{SET_UP} wG7 f bJ9 bF10 n",
        ["LoSE", "ESC "], ["PASS", "drAu", "LoSE", "ESC "],
    ),
    "soosyrv-8, the choice": (
        {"opening": "soosyrv-8"}, SET_UP,
        ["LoSE", "ESC "], ["SUAP", "StAY", "drAu", "LoSE", "ESC "],
    ),
    "soosyrv-8, move 4": (
        {"opening": "soosyrv-8"}, f"{SET_UP} wG7",
        ["SUAP", "StAY", "LoSE", "ESC "], ["n --", "drAu", "LoSE", "ESC "],
    ),
    "taraguchi-10, after move 1": (
        {"opening": "taraguchi-10"}, "bH8 n",
        ["LoSE", "ESC "], ["SUAP", "StAY", "drAu", "LoSE", "ESC "],
    ),
    "taraguchi-10, after move 4": (
        {"opening": "taraguchi-10"}, "bH8 n wH9 f bI10 n wG7 f",
        ["SUAP", "StAY", "onE ", "tEn ", "drAu", "LoSE", "ESC "], ["LoSE", "ESC "],
    ),
    "swap2": (
        {"opening": "swap2"}, "bA1 wB2 bC3 n",
        ["LoSE", "ESC "], ["uhit", "bLAC", "Add ", "drAu", "LoSE", "ESC "],
    ),
    "move 6": (
        {}, "bH8 n wH9 f bI10 n wA1 f bC1 n", ["LoSE", "ESC "], ["PASS", "drAu", "LoSE", "ESC "],
    ),
    "a draw is offered": ({}, "bH8 nm nc n", ["LoSE", "ESC "], ["=YES", "= no", "LoSE", "ESC "]),
    "the clocks stand": ({}, "bH8 n ak", ["LoSE", "ESC "], ["LoSE", "ESC "]),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "script", "near", "far"), SITUATIONS.values(), ids=SITUATIONS)
def test_what_is_offered(settings: dict[str, Any], script: str, near: list[str], far: list[str]) -> None:
    desk = Desk(script, **settings)
    assert (desk.words("near"), desk.words("far")) == (near, far)
    assert_true_to_the_referee(desk.referee)


def assert_true_to_the_referee(referee: Referee) -> None:
    """What is offered is what the referee would take without remark: the same commands, tried on forks of it.

    But one with other names for it, what a press without a stone leaves possible, and a swap said before the
    set-up was pressed for: the menu waits for the press.
    """
    for seat in ("near", "far"):
        names = {item.name for item in offered(referee, seat)}
        for item in ITEMS:
            early = referee.step.do == "set-up" and item.name in ("swap", "black")
            if item.command is None or early:
                continue
            fields = {"offers": 1} if item.number else {}
            order = Command(t_ns=referee.now_ns, by=seat, **item.command, **fields)  # type: ignore[arg-type]
            told = copy.deepcopy(referee).rule(order)
            side = BLACK if referee.black_seat == seat else WHITE
            refused = any(
                isinstance(r, Refused) or (isinstance(r, Irregular) and r.side is side) for r in told
            )
            if item.name in names or not (names & {"white", "black"} or referee._match.awaited):
                assert refused == (item.name not in names), (seat, item.name, told)


def tokens() -> Iterator[str]:
    yield from ("n", "f", "nc", "fc", "nm", "fm", "ak", "bH8", "wH9", "bI10", "wG7", "bJ9", "bF10", "wH11")
    yield from ("-bJ9", "-bF10", "bA1", "wB2", "bH8>I8", "+400")


@settings(deadline=None)
@given(
    st.sampled_from(sorted(PROCEDURES)),
    st.lists(st.sampled_from(list(tokens())), max_size=25),
)
def test_whatever_happens_only_what_the_referee_takes_is_offered(opening: str, script: list[str]) -> None:
    desk = Desk(" ".join(script), opening=opening)
    assert_true_to_the_referee(desk.referee)


@settings(deadline=None)
@given(st.lists(st.sampled_from(list(tokens())), max_size=25))
def test_what_only_the_arbiter_knows_changes_no_menu(script: list[str]) -> None:
    desk = Desk(" ".join(script), opening="designated", time="5m")
    blind = copy.deepcopy(desk.referee)
    blind._match.matters.clear()
    for seat in ("near", "far"):
        assert offered(blind, seat) == offered(desk.referee, seat)  # type: ignore[arg-type]


def test_after_a_correction_the_menu_offers_what_goes_on() -> None:
    desk = Desk("bG8 wH9 bI10 n", opening="designated")
    desk.say("uphold", code="first-not-tengen", point="H8")
    assert desk.words("far") == ["LoSE", "ESC "]
    desk.do("-bG8 bH8")
    assert desk.words("far") == ["SUAP", "StAY", "LoSE", "ESC "]
    desk.do("fm fc fc")
    assert (desk.commands[-1].do, desk.referee.black_seat) == ("swap", "far")


def test_no_menu_shows_that_a_claim_could_not_be_upheld() -> None:
    desk = Desk(SET_UP, opening="designated")
    desk.say("claim", side="white", code="not-an-opening")
    before = desk.words("far")
    desk.say("uphold")
    assert desk.words("far") == before


def test_a_forbidden_move_is_offered_no_other_menu_than_a_plain_one() -> None:
    before = "bH8 n wA1 f bI8 n wA3 f bJ7 n wA5 f bJ6 n wA7 f"
    plain, forbidden = Desk(f"{before} bC12 n"), Desk(f"{before} bJ8 n")
    assert [m.code for m in forbidden.referee.matters] == ["forbidden"]
    assert not plain.referee.matters
    for seat in ("near", "far"):
        assert plain.words(seat) == forbidden.words(seat)


def test_an_item_that_is_possible_no_more_is_gone_and_the_keys_are_keys_again() -> None:
    desk = Desk("bH8 nm nc n fm")
    assert desk.word("far") == "=YES"
    desk.do("wH9 f n")
    assert desk.word("far") is None
    assert desk.keys == ["near", "far", "near"]


def test_there_is_no_menu_before_the_round_and_after_the_end() -> None:
    desk = Desk("nm", start=False)
    assert desk.word("near") is None
    desk = Desk("nm n nc nc nm")
    assert desk.word("near") is None
    assert desk.keys == []


def test_the_player_who_has_swapped_has_the_menu_of_his_new_colour() -> None:
    desk = Desk(f"{SET_UP} fm fc fc", opening="designated")
    assert [c.do for c in desk.commands] == ["swap"]
    assert desk.referee.player_at("far") is desk.referee.player_of(BLACK)
    assert "n --" in desk.words("near"), "who laid the opening names N"
    assert "n --" not in desk.words("far")


def test_the_arbiter_s_key_is_in_no_menu() -> None:
    desk = Desk("nm ak")
    assert desk.keys == ["arbiter"]
    assert desk.referee.phase == "paused"


def test_the_page_of_the_menus_has_every_item_and_its_drawing() -> None:
    page = (Path(__file__).parents[1] / "docs" / "menus.md").read_text("utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.count("|") == 5]
    shown = [(row[1].strip(" `"), row[4].strip() == "yes") for row in rows[2:]]
    assert shown == [(item.word.strip(), item.sure) for item in ITEMS]
    lines = page.splitlines()
    words = {item.word for item in ITEMS} | {SURE, NUMBER.format(12)}
    for word in words:
        drawn = drawing(segments(word)).splitlines()
        places = [(n, line.index(word.strip())) for n, line in enumerate(lines) if is_title(line, word)]
        found = [[lines[n + k][at : at + 15].rstrip() for k in (1, 2, 3)] for n, at in places]
        assert drawn in found, word


def is_title(line: str, word: str) -> bool:
    """Whether a line names four drawings, and this word's among them."""
    return not line.startswith("|") and word.strip() in re.split(r"\s{3,}", line)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_every_word_can_be_drawn_without_stand_ins(item: Any) -> None:
    segments(item.word)
    assert not set(item.word.upper()) & set("KMVWXZ")
    assert set(item.word) <= set(SEGMENTS) | set("abcdefghijklmnopqrstuvwxyz")
