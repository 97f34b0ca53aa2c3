"""The simulated table in a real browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.referee.procedures import PROCEDURES
from tests.browser.steps import step

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
PlaceOf = Callable[[Page, str], tuple[float, float]]


def laid(page: Page, colour: str = "stone") -> Any:
    """The stones on the board, without the ones that only hover."""
    return page.locator(f".board g:not(.overlay) > .stone.{colour}")


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def test_a_click_puts_the_stone_down_whose_turn_it_is(visit: Visit, stage: Any, place_of: PlaceOf) -> None:
    page = visit("/table")
    page.mouse.click(*place_of(page, "H8"))
    expect(laid(page, "black")).to_have_count(1)
    page.mouse.click(*place_of(page, "I9"))
    expect(laid(page, "white")).to_have_count(1)
    page.get_by_role("radio", name="White").check(force=True)
    page.mouse.click(*place_of(page, "O15"))
    expect(laid(page, "white")).to_have_count(2)
    assert stage.done == [
        {"do": "place", "point": "H8", "colour": "black"},
        {"do": "place", "point": "I9", "colour": "white"},
        {"do": "place", "point": "O15", "colour": "white"},
    ]


def test_a_drag_pushes_a_stone_and_takes_it_away_beyond_the_edge(
    visit: Visit, stage: Any, place_of: PlaceOf
) -> None:
    stage.lay("C4", "black")
    page = visit("/table")
    expect(laid(page)).to_have_count(1)
    with page.expect_response("**/sim/hand"):
        drag(page, place_of(page, "C4"), place_of(page, "D5"))
    expect(laid(page)).to_have_attribute("transform", "translate(73.5 252)")
    drag(page, place_of(page, "D5"), (3, 300))
    expect(laid(page)).to_have_count(0)
    assert stage.done == [{"do": "slide", "from": "C4", "to": "D5"}, {"do": "lift", "point": "D5"}]


def test_a_drag_over_the_bare_board_does_nothing(visit: Visit, stage: Any, place_of: PlaceOf) -> None:
    page = visit("/table")
    drag(page, place_of(page, "C4"), place_of(page, "F9"))
    with page.expect_response("**/sim/hand"):
        page.get_by_role("button", name="Clock key: near seat").click()
    assert stage.done == [{"do": "press", "key": "near"}]


def test_the_keyboard_is_enough(visit: Visit, stage: Any) -> None:
    page = visit("/table")
    expect(page.locator("#key-near .disc")).to_be_attached()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    for key in ("Enter", "Shift+ArrowUp", "Delete", "n", "f"):
        with page.expect_response("**/sim/hand"):
            page.keyboard.press(key)
    assert stage.done == [
        {"do": "place", "point": "I8", "colour": "black"},
        {"do": "slide", "from": "I8", "to": "I9"},
        {"do": "lift", "point": "I9"},
        {"do": "press", "key": "near"},
        {"do": "press", "key": "far"},
    ]


def test_a_call_key_is_pressed_or_held_with_the_mouse_and_the_keyboard(visit: Visit, stage: Any) -> None:
    page = visit("/table")
    key = page.get_by_role("button", name="Call key: far seat")
    expect(key).to_have_attribute("title", re.compile("Held for a second: open or close the menu"))
    with page.expect_response("**/sim/hand"):
        key.click()
    key.hover()
    with page.expect_response("**/sim/hand"):
        page.mouse.down()
        expect(key).to_have_class("call down")
    page.mouse.up()
    expect(key).to_have_class("call")
    page.locator("#board .board").focus()
    with page.expect_response("**/sim/hand"):
        page.keyboard.press("Shift+N")
    with page.expect_response("**/sim/hand"):
        page.keyboard.down("Shift")
        page.keyboard.down("F")
    page.keyboard.up("F")
    page.keyboard.up("Shift")
    key.focus()
    with page.expect_response("**/sim/hand"):
        page.keyboard.press("Enter")
    assert stage.done == [
        {"do": "press", "key": "far-call"},
        {"do": "hold", "key": "far-call"},
        {"do": "press", "key": "near-call"},
        {"do": "hold", "key": "far-call"},
        {"do": "press", "key": "far-call"},
    ]


def test_a_finger_that_leaves_its_page_has_pressed_nothing(visit: Visit, stage: Any) -> None:
    page = visit("/table")
    page.locator("#call-near").dispatch_event("pointerdown", {"button": 0, "pointerId": 1})
    expect(page.locator("#call-near")).to_have_class("call down")
    page.locator("#call-near").dispatch_event("pointercancel", {"pointerId": 1})
    expect(page.locator("#call-near")).to_have_class("call")
    with page.expect_response("**/sim/hand"):
        page.locator("#key-near").click()
    assert stage.done == [{"do": "press", "key": "near"}]


def test_what_a_hand_cannot_do_is_said(visit: Visit, complaints: list[str]) -> None:
    page = visit("/table")
    page.keyboard.press("Tab")
    page.keyboard.press("Delete")
    expect(page.locator("#why")).to_have_text("there is no stone on H8")
    assert all("400" in each for each in complaints)
    complaints.clear()


def test_offered_fifths_are_all_black_and_play_alternates_after_a_pass(
    visit: Visit, stage: Any, new_game: Callable[..., Any], place_of: PlaceOf
) -> None:
    stage.game = new_game("h8 i9 i7 g9")
    for point, colour in (
        ("H8", "black"),
        ("I9", "white"),
        ("I7", "black"),
        ("G9", "white"),
        ("J9", "black"),
    ):
        stage.lay(point, colour)
    page = visit("/table")
    expect(page.locator("#key-near .disc")).to_be_attached()
    page.mouse.click(*place_of(page, "F10"))
    expect(laid(page, "black")).to_have_count(4)
    passed = new_game("h8 i9 i7 g9 j9 f10")
    passed["moves"].append({"n": 7, "point": None, "colour": "black", "used_ms": None})
    stage.show(passed)
    expect(page.locator("#status")).to_contain_text("Move 7")
    page.mouse.click(*place_of(page, "A1"))
    expect(laid(page, "white")).to_have_count(3)


def test_the_faces_show_the_memory_of_their_chips(visit: Visit, stage: Any) -> None:
    stage.faces["far"] = {
        "on": True,
        "blink": "1",
        "brightness": 4,
        "digits": [0, 0x66, 0x4F, 0xDB],
        "colon": True,
    }
    stage.faces["near"] = {"on": False, "blink": None, "brightness": 4, "digits": [0x7F] * 4, "colon": True}
    page = visit("/table")
    expect(page.locator("#face-far .lit")).to_have_count(4 + 5 + 6 + 2)
    expect(page.locator("#face-far .face")).to_have_attribute("data-blink", "1")
    expect(page.locator("#face-near .lit")).to_have_count(0)


def test_restoring_is_said_and_the_board_can_be_accepted(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8 i9", phase="restoring", why="restart")
    stage.secret["differences"] = [{"point": "I9", "record": "white", "seen": None}]
    page = visit("/table")
    expect(page.locator("#status")).to_contain_text(
        "Clocks stopped · The board differs from the record on 1 point. "
    )
    expect(page.locator(".mark")).to_have_count(1)
    page.get_by_role("button", name="Accept the board as it is").click()
    expect(page.locator("#why")).to_have_text("the game is over")
    assert stage.done == [{"do": "accept_board"}]


def test_a_double_click_is_one_stone(visit: Visit, stage: Any, place_of: PlaceOf) -> None:
    page = visit("/table")
    page.mouse.dblclick(*place_of(page, "H8"))
    expect(laid(page)).to_have_count(1)
    assert stage.done == [{"do": "place", "point": "H8", "colour": "black"}]


def test_a_new_game_is_offered_on_an_empty_board_only(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    result = {"winner": None, "black": 0.5, "white": 0.5, "reason": "agreement", "line": []}
    stage.game = new_game("h8", phase="over", to_move=None, result=result)
    stage.lay("H8", "black")
    page = visit("/table")
    buttons = page.locator("#orders button")
    expect(buttons).to_have_text(["Clear the board"])
    stage.stones.clear()
    stage.call(stage.channel.publish)
    expect(buttons).to_have_text(["New game"])


def test_stones_that_differ_in_play_can_be_accepted(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8")
    stage.secret["differences"] = [{"point": "A1", "record": None, "seen": "white"}]
    page = visit("/table")
    expect(page.locator("#orders button")).to_have_text(["Accept the board as it is", "Stop the clocks"])


def test_the_opening_says_what_comes_next_and_offers_the_swap_only_then(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8 h9 i10", phase="opening")
    stage.secret["step"] = step("designated", 1)
    page = visit("/table")
    expect(page.locator("#status")).to_contain_text("White swaps colours, or plays move 4 and presses")
    swap = page.get_by_role("button", name="White swaps colours")
    expect(swap).to_have_count(1)
    stage.secret["step"] = step("designated", 2)
    stage.show(stage.game)
    expect(page.locator("#status")).to_contain_text("White plays move 4 and presses")
    expect(swap).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
def test_every_step_of_every_opening_is_said(visit: Visit, language: str) -> None:
    page = visit("/table", locale=language)
    every = [(name, i) for name, table in PROCEDURES.items() for i in range(len(table.steps) - 1)]
    said = page.evaluate(
        """async (steps) => {
            const { choicesOf, stepText } = await import("/web/words.js");
            const games = steps.map((step) => ({ phase: "opening", step }));
            return games.map((game) => [stepText(game), ...choicesOf(game).map((each) => each.words)]);
        }""",
        [step(name, i) for name, i in every],
    )
    for (name, i), words in zip(every, said, strict=True):
        assert len(words) == 1 + len(PROCEDURES[name].steps[i].choices)
        assert all(text and not re.search(r"[{}]|[a-z]\.[a-z]|  ", text) for text in words), (name, i, words)
