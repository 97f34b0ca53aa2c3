"""The arbiter's page in a real browser: what it tells, and which orders it offers when."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.referee.irregular import IRREGULAR
from tests.browser.steps import step

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
NewGame = Callable[..., dict[str, Any]]


CLAIM = {"side": "white", "code": "slide", "point": "I8"}


def test_the_arbiter_sees_what_can_be_claimed_and_the_public_does_not(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9 i7")
    stage.secret["claimable"] = [
        {"code": "forbidden", "kind": "double-three", "side": "black", "point": "I7", "n": 3}
    ]
    public = visit("/")
    expect(public.locator(".stone")).to_have_count(3)
    assert "three" not in (public.locator("body").text_content() or "")
    desk = visit("/arbiter")
    expect(desk.locator("#claimable li")).to_contain_text("double three · Black · Move 3 · I7")
    desk.get_by_role("button", name="Uphold").click()
    expect(desk.locator("#sure-what")).to_contain_text(
        "The claim is upheld: double three I7; the game is over"
    )
    desk.keyboard.press("Escape")
    expect(desk.locator("#sure")).to_be_hidden()
    assert stage.done == []
    desk.get_by_role("button", name="Uphold").click()
    with desk.expect_response("**/command"):
        desk.get_by_role("button", name="Yes, do it").click()
    assert stage.done == [{"do": "uphold", "code": "double-three", "point": "I7"}]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_nothing_moves_when_something_is_found(
    visit: Visit, stage: Any, new_game: NewGame, width: int, height: int
) -> None:
    stage.game = new_game("h8 i9 i7")
    page = visit("/arbiter", width=width, height=height)
    groups = page.locator("#groups")
    expect(page.locator("#group-notes")).to_be_visible()
    before = groups.bounding_box()
    stage.secret["claimable"] = [
        {
            "code": "slide", "side": "black", "point": "I7", "rest": "I8", "n": 3, "by": "white",
            "article": "6.1.5", "remedy": IRREGULAR["slide"].remedy, "until": IRREGULAR["slide"].until,
        }
    ]  # fmt: skip
    stage.show(stage.game)
    expect(page.locator("#claimable li")).to_contain_text("[6.1.5]claimable by White until White plays on")
    assert groups.bounding_box() == before


DIFFERS = [{"point": "A1", "record": None, "seen": "white"}]
AWAY = [{"point": "I9", "record": "white", "seen": None}, {"point": "A1", "record": None, "seen": "white"}]
STARTS = ["Start without Black", "Start without White", "Start without either"]
OFFER = {"draw_offer": "white"}


@pytest.mark.parametrize(
    ("changed", "secret", "bar", "now"),
    [
        ({"phase": "waiting"}, {}, ["Start the game"], STARTS),
        ({"phase": "playing"}, {}, ["Stop the clocks"], []),
        (
            {"phase": "opening"},
            {"step": step("designated", 1)},
            ["Stop the clocks"],
            ["White keeps the colour", "White swaps colours"],
        ),
        ({"phase": "opening"}, {"step": step("designated", 2)}, ["Stop the clocks"], []),
        (
            {"phase": "opening"},
            {"step": step("swap2", 1)},
            ["Stop the clocks"],
            ["White plays White", "White plays Black", "White adds two stones"],
        ),
        (
            {"phase": "playing"},
            {"differences": DIFFERS},
            ["Stop the clocks"],
            ["Put back", "Accept the board as it is"],
        ),
        (
            {"phase": "playing"},
            {"differences": AWAY},
            ["Stop the clocks"],
            ["Put back", "Let stand", "Accept the board as it is"],
        ),
        (
            {"phase": "playing"},
            OFFER,
            ["Stop the clocks"],
            ["Black accepts the draw", "Black refuses the draw"],
        ),
        ({"phase": "paused"}, {"why": "call", "may_resume": True}, ["Go on"], []),
        (
            {"phase": "restoring"},
            {"why": "correction", "differences": AWAY},
            [],
            ["Accept the board as it is"],
        ),
        (
            {"phase": "restoring"},
            {"why": "scattered", "differences": AWAY},
            [],
            [
                "Let stand",
                "Black by accident: put back",
                "White by accident: put back",
                "Accept the board as it is",
            ],
        ),
        ({"phase": "paused"}, {"why": "claim", "claim": CLAIM | {"stands": True}}, [], ["Uphold", "Reject"]),
        ({"phase": "paused"}, {"why": "claim", "claim": CLAIM | {"stands": False}}, [], ["Reject"]),
        (
            {"phase": "over", "to_move": None},
            {},
            ["Next game, colours exchanged", "New game", "Score sheet"],
            ["Same settings again"],
        ),
    ],
)
def test_only_what_is_possible_can_be_ordered_what_needs_a_decision_at_once(
    visit: Visit,
    stage: Any,
    new_game: NewGame,
    changed: dict[str, Any],
    secret: dict[str, Any],
    bar: list[str],
    now: list[str],
) -> None:
    stage.game = new_game("h8 h9 i10", **changed)
    stage.secret |= secret
    page = visit("/arbiter")
    expect(page.locator("#status")).not_to_be_empty()
    expect(page.locator("#orders :is(.label, a):visible")).to_have_text(bar)
    expect(
        page.locator("#answers .label:visible, #settle .label:visible, #choices .label:visible")
    ).to_have_text(now)
    writes = page.locator("#orders small, #answers small, #settle small, #choices small").all_text_contents()
    assert all(writes)
    assert not any("writes." in words for words in writes)


def test_a_claim_of_what_was_not_found_says_so(visit: Visit, stage: Any, new_game: NewGame) -> None:
    stage.game = new_game("h8 i9", phase="paused")
    stage.secret |= {"why": "claim", "claim": CLAIM | {"stands": False}}
    page = visit("/arbiter")
    expect(page.locator("#claim")).to_contain_text("The board has found nothing of the kind")
    stage.secret |= {"claim": CLAIM | {"stands": True}}
    stage.show(stage.game)
    expect(page.locator("#claim")).not_to_contain_text("found nothing")


def test_the_way_back_to_the_record_is_ticked_off_as_the_sensors_see_it(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    game = new_game("h8 i9 i8", phase="restoring")
    stage.game = game
    missing = {"point": "I9", "record": "white", "seen": None}
    extra = {"point": "K9", "record": None, "seen": "white"}
    wrong = {"point": "I8", "record": "black", "seen": "white"}
    other = {"point": "A1", "record": None, "seen": "black"}
    stage.secret |= {"why": "scattered", "differences": [missing, extra, other]}
    page = visit("/arbiter")
    steps, done = page.locator("#guide li > .what"), page.locator("#guide .done .what")
    now = page.locator("#guide [aria-current=step] .what")
    expect(steps).to_have_text(["Take the black stone off A1", "Move the white stone from K9 to I9"])
    expect(page.locator("#guide .differs")).to_have_text(
        [
            "A1: nothing in the record, Black on the board",
            "K9: nothing in the record, White on the board",
            "I9: White in the record, nothing on the board",
        ]
    )
    expect(page.locator(".board .extra")).to_have_count(2)
    expect(page.locator(".board .missing")).to_have_count(1)
    stage.secret["differences"] = [missing, extra]
    stage.show(game)
    expect(done).to_have_text(["Take the black stone off A1"])
    expect(now).to_have_text("Move the white stone from K9 to I9")
    stage.secret["differences"] = [missing]
    stage.show(game)
    expect(page.locator("#guide .differs")).to_have_text(["I9: White in the record, nothing on the board"])
    expect(now).to_have_text("Move the white stone from K9 to I9")
    stage.secret["differences"] = [missing, wrong]
    stage.show(game)
    expect(steps).to_have_text(
        ["Take the black stone off A1", "Move the white stone from I8 to I9", "Put a black stone on I8"]
    )
    expect(page.locator(".board .wrong")).to_have_count(1)
    stage.secret |= {"differences": [], "may_resume": True}
    stage.show(new_game("h8 i9 i8", phase="paused"))
    expect(done).to_have_count(3)
    expect(page.locator("#guide-end")).to_have_text("The board equals the record.")
    stage.secret["why"] = ""
    stage.show(new_game("h8 i9 i8"))
    expect(page.locator("#differences")).to_be_hidden()


def test_the_board_shows_record_and_sensors_together_or_each_alone(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9")
    seen = dict.fromkeys(range(225), ".") | {7 + 7 * 15: "X", 0: "O", 4: "?"}
    stage.secret |= {
        "sensed": "".join(seen.values()), "masked": ["C3"],
        "differences": [
            {"point": "I9", "record": "white", "seen": None},
            {"point": "A1", "record": None, "seen": "white"},
        ],
    }  # fmt: skip
    page = visit("/arbiter")
    expect(page.locator(".stone")).to_have_count(4)
    expect(page.locator(".stone.offer .number")).to_have_text(["2"])
    expect(page.locator("#legend")).to_have_text("C3: sensor masked, stones are entered by hand")
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".stone .number")).to_have_text(["1", "2"])
    expect(page.locator(".stone")).to_have_count(2)
    page.get_by_role("button", name="Sensors").click()
    expect(page.locator(".stone .number")).to_have_count(0)
    expect(page.locator(".stone")).to_have_count(3)
    stage.secret |= {"differences": [], "masked": [], "sensed": ""}
    stage.show(stage.game)
    expect(page.locator("#views")).to_be_hidden()
    expect(page.locator(".stone .number")).to_have_text(["1", "2"])


def test_the_number_of_offers_is_declared_while_it_may_be(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game(phase="opening")
    stage.secret |= {"step": step("designated", 0), "offers_wanted": None, "offers_range": [1, 12]}
    page = visit("/arbiter")
    expect(page.locator("#status")).to_have_text("Black sets up three stones, then presses")
    field = page.get_by_label("Number of fifth stones that Black offers")
    declare = page.get_by_role("button", name="Declare")
    for impossible in ("", "0", "13", "2.5"):
        field.fill(impossible)
        declare.click()
        assert field.evaluate("field => !field.validity.valid")
    field.fill("3")
    with page.expect_response("**/command"):
        field.press("Enter")
    assert stage.done == [{"do": "opening", "offers": 3}]
    stage.secret |= {"step": step("designated", 3), "offers_wanted": 3}
    stage.show(new_game("h8 i9 j8 g7", phase="opening"))
    expect(page.locator("#status")).to_contain_text("Black puts down 3 fifth stones, then presses")
    expect(declare).to_be_hidden()
    field.fill("4")
    expect(declare).to_be_visible()
    stage.show(new_game("h8 i9 j8 g7", phase="opening", table="2"))
    expect(field).to_have_value("4")
    stage.secret |= {"step": step("designated", 4), "offers_range": None, "offers_left": ["G10"]}
    stage.show(new_game("h8 i9 j8 g7", phase="opening", offers=["K11", "G10"]))
    expect(field).to_be_hidden()
    expect(page.locator(".stone.offer .number")).to_have_text(["B"])
    expect(page.locator("#status")).to_contain_text("Fifth stones on offer: 1 · White takes away all")


def test_a_stone_that_lies_elsewhere_is_told_with_both_points(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9 j8")
    stage.secret["claimable"] = [
        {"code": "slide", "side": "black", "point": "J8", "rest": "K8", "n": 3},
        {"code": "first-not-tengen", "side": "black", "point": "H8", "rest": "G7", "n": 1},
        {"code": "wrong-colour", "side": "black", "point": "J9", "rest": None, "n": None},
    ]
    lines = visit("/arbiter").locator("#claimable li")
    expect(lines).to_contain_text(
        [
            "stone pushed along the board · Black · Move 3 · from J8 to K8",
            "first stone not on tengen · Black · Move 1 · H8, the stone lies on G7",
            "wrong colour · Black · J9",
        ]
    )


SIDE = {
    "remaining_ms": 30_000,
    "used_ms": 0,
    "periods_left": 2,
    "byo_yomi": True,
    "to_make": 1,
    "text": "0:30",
}
RUNS = {
    "running": "white",
    "shared": False,
    "black": SIDE,
    "white": SIDE | {"periods_left": 0, "to_make": None},
}


def test_who_is_not_there_and_what_is_left_beside_the_time_is_shown(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game(phase="opening", clock=RUNS)
    stage.secret["absent"] = ["white"]
    page = visit("/arbiter")
    expect(page.locator("#status")).to_contain_text("White is not here yet: White's clock runs")
    expect(page.locator("#choices").get_by_role("button", name="White is here now")).to_be_visible()
    expect(page.locator("#times")).to_contain_text("1 move to make · 2 × byo-yomi")


def test_the_times_speak_the_readers_language_while_they_stand(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9", phase="paused", clock=RUNS | {"running": None})
    page = visit("/arbiter")
    expect(page.locator("#face-black")).to_contain_text(re.compile(r"Black\s+00:30"))
    page.get_by_role("button", name="中文").click()
    expect(page.locator("#face-black")).to_contain_text(re.compile(r"黑方\s+00:30"))


@pytest.mark.parametrize("path", ["/", "/arbiter"])
def test_without_a_connection_that_is_seen_at_the_top_nothing_moves_and_the_clocks_stand(
    visit: Visit, stage: Any, new_game: NewGame, complaints: list[str], path: str
) -> None:
    stage.game = new_game("h8 i9", clock=RUNS)
    page = visit(path, width=390, height=844)
    times = page.locator("#white .time" if path == "/" else "#face-white")
    expect(times).to_contain_text(re.compile(r"00:[0-2]\d"))
    before = page.locator("main").bounding_box()
    page.route("**/events*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")
    link = page.locator("#link")
    expect(link).to_have_text("No connection to the board. Trying again.")
    expect(link).to_be_in_viewport()
    assert (link.bounding_box() or {})["y"] == 0
    assert page.locator("main").bounding_box() == before
    stood = times.text_content()
    page.wait_for_timeout(1100)
    assert times.text_content() == stood
    page.unroute("**/events*")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(link).to_be_empty()
    expect(times).not_to_have_text(stood or "")
    assert all("net::ERR_FAILED" in words for words in complaints)
    complaints.clear()


def test_a_stop_says_that_the_clocks_stand_and_when_the_board_is_right(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9", phase="restoring")
    stage.secret |= {"why": "correction", "differences": DIFFERS}
    page = visit("/arbiter")
    status = page.locator("#status")
    expect(status).to_have_text("Move 2 · I9 · Clocks stopped · a correction to be made")
    stage.secret |= {"differences": [], "may_resume": True}
    stage.show(new_game("h8 i9", phase="paused"))
    expect(status).to_have_text(
        "Move 2 · I9 · Clocks stopped · the board is right: play goes on with the next act"
    )


def test_remarks_say_what_was_done(visit: Visit, stage: Any, new_game: NewGame) -> None:
    stage.game = new_game("h8 i9")
    penalty = {
        "entry": 1, "do": "penalty", "by": "arbiter", "side": "white", "what": "loss", "reason": None,
        "undoes": None,
    }  # fmt: skip
    undone = penalty | {"entry": 2, "do": "compensate", "side": None, "what": None, "undoes": 1}
    stage.secret |= {
        "decisions": [penalty, undone], "undoable": [2],
        "happened": [
            {"ruling": "draw", "side": "white", "answer": "refuse"},
            {"ruling": "swap", "black_seat": "far"},
            {
                "ruling": "clock-set", "side": "white", "added_ms": -90_000, "remaining_ms": 65_000,
                "reason": "late",
            },
            {"ruling": "penalty", "side": "white", "kind": "loss", "count": 0, "reason": "loss",
             "article": "2.20"},
        ],
    }  # fmt: skip
    page = visit("/arbiter")
    expect(page.locator("#happened > ul p")).to_have_text(
        [
            "penalty · Loss · White [2.20]",
            "clock set · White · −1:30, now 1:05 · came late",
            "colours swapped: Black is at the far seat now",
            "draw refused · White",
        ]
    )
    page.locator("#decisions summary").click()
    made = page.locator("#decisions li")
    expect(made.first).to_contain_text("No. 2 · undone · No. 1 · penalty · Loss · White")
    expect(made.first.get_by_role("button", name="Undo")).to_be_visible()
    expect(made.nth(1)).to_contain_text("undone")
    expect(made.nth(1).get_by_role("button")).to_have_count(0)


def test_whose_a_stone_is_that_came_unseen_is_said_with_one_button(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9", phase="restoring")
    stone = {"record": None, "seen": "unknown", "whose": "black"}
    stage.secret |= {"why": "whose", "differences": [{"point": "A1", **stone}, {"point": "C2", **stone}]}
    page = visit("/arbiter", width=390, height=844)
    expect(page.locator("#status")).to_contain_text("stones came unseen: the arbiter says whose each is")
    lines = page.locator("#unseen li")
    expect(lines.first).to_contain_text("A1: nothing in the record, a stone of unknown colour on the board")
    expect(page.locator(".stone.unknown")).to_have_count(2)
    mine = page.get_by_role("button", name="C2 is Black's move")
    expect(mine).to_be_visible()
    expect(mine).to_contain_text("A black stone lies on C2, entered by hand")
    mine.click()
    expect(page.locator("#why")).to_have_text(stage.answer)
    assert stage.done[-1] == {"do": "place", "point": "C2", "colour": "black"}


def test_a_fifth_stone_seen_before_a_gap_can_be_taken_off_first(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9 j8 g7", phase="restoring")
    lies = dict.fromkeys(range(225), ".")
    lies |= dict.fromkeys((112, 128, 114, 96, 20, 31, 33), "?")
    stone = {"record": None, "seen": "unknown", "whose": "black"}
    stage.secret |= {
        "why": "whose", "sensed": "".join(lies.values()), "step": step("designated", 3),
        "differences": [{"point": "B3", **stone}, {"point": "D3", **stone}],
    }  # fmt: skip
    page = visit("/arbiter")
    expect(page.locator("#guide-end")).to_contain_text("take it off the record first")
    first = page.get_by_role("button", name="F2 is not the fifth stone that stays")
    expect(page.locator("#settle .label")).to_have_text(
        [
            "F2 is not the fifth stone that stays",
            "B3 is Black's move",
            "D3 is Black's move",
            "Accept the board as it is",
        ]
    )
    first.click()
    expect(page.locator("#why")).to_have_text(stage.answer)
    assert stage.done == [{"do": "remove", "point": "F2"}]


def test_a_refusal_goes_when_it_has_been_read_and_play_has_gone_on(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9")
    page = visit("/arbiter")
    why = page.locator("#why")
    page.get_by_role("button", name="Stop the clocks").click()
    expect(why).to_have_text(stage.answer)
    stage.show(new_game("h8 i9 i7"))
    expect(page.locator(".stone")).to_have_count(3)
    expect(why).to_have_text(stage.answer)  # nobody can have read it yet
    page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 6000 }")
    stage.show(new_game("h8 i9 i7 g7"))
    expect(why).to_have_text("")


def test_on_a_phone_names_come_before_the_words_beside_them_and_no_word_is_broken(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    names = {
        "black": {"name": "Nakamura Ai", "seat": "near"},
        "white": {"name": "White-Smith", "seat": "far"},
    }
    stage.game = new_game("h8 i9", clock=RUNS, players=names)
    page = visit("/arbiter", width=390, height=844)
    for side in ("black", "white"):
        name = page.locator(f"#face-{side} .name")
        expect(name).to_have_text(names[side]["name"])
        assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth")
    stage.show(new_game("h8 i9", phase="over", players=names))
    link = page.locator(".bar").get_by_role("link", name="Next game, colours exchanged")
    lines = """(link) => {
      const [range, text] = [document.createRange(), link.firstChild];
      return [...text.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length;
      });
    }"""
    assert link.evaluate(lines) == [1, 1, 1, 1]


def test_on_a_phone_the_foot_of_the_page_can_be_scrolled_above_the_bar(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9", phase="over")
    page = visit("/arbiter", width=390, height=844)
    again = page.get_by_role("button", name="Same settings again")
    again.click()
    expect(page.locator("#why")).to_have_text(stage.answer)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.locator("#languages").bounding_box() or {}
    assert last["y"] + last["height"] < (page.locator(".bar").bounding_box() or {})["y"]
    page.get_by_role("button", name="中文").click(timeout=5000)
    expect(page.locator("html")).to_have_attribute("lang", re.compile("zh"))
    page.get_by_role("button", name="English").click()
