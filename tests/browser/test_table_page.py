"""The simulated table in a real browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from firmware_host.referee.procedures import PROCEDURES
from hw.simulator.faults import KINDS
from tests.browser.steps import step

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
PlaceOf = Callable[[Page, str], tuple[float, float]]
LONG_MS = 60_000
"""A tone that is still to be read when a busy machine comes to look."""


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
    slid, lifted = stage.done
    assert 120 <= slid.pop("speed") <= 800
    assert (slid, lifted) == ({"do": "slide", "from": "C4", "to": "D5"}, {"do": "lift", "point": "D5"})


def test_a_drag_goes_the_way_that_the_finger_went(visit: Visit, stage: Any, place_of: PlaceOf) -> None:
    stage.lay("C4", "black")
    page = visit("/table")
    expect(laid(page)).to_have_count(1)
    page.mouse.move(*place_of(page, "C4"))
    page.mouse.down()
    for point in ("D4", "E4", "E5"):
        page.mouse.move(*place_of(page, point), steps=3)
    with page.expect_response("**/sim/hand"):
        page.mouse.up()
    slid = stage.done[0]
    assert (slid["from"], slid["via"], slid["to"]) == ("C4", "D4 E4", "E5")


def test_a_drag_back_to_its_own_point_straightens_a_stone(
    visit: Visit, stage: Any, place_of: PlaceOf
) -> None:
    stage.lay("C4", "black")
    page = visit("/table")
    expect(laid(page)).to_have_count(1)
    x, y = place_of(page, "C4")
    with page.expect_response("**/sim/hand"):
        drag(page, (x, y), (x + 14, y))
    assert stage.done == [{"do": "nudge", "point": "C4"}]


def test_a_tap_on_a_stone_says_what_a_hand_can_do_with_it(
    visit: Visit, stage: Any, place_of: PlaceOf
) -> None:
    stage.lay("C4", "black")
    page = visit("/table", 390, 844)
    expect(laid(page)).to_have_count(1)
    menu = page.get_by_role("menu", name="C4")
    page.mouse.click(*place_of(page, "C4"))
    expect(menu.get_by_role("menuitem")).to_have_text(
        ["Take it away", "Set it straight", "Lift it and put it elsewhere"]
    )
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.locator("#board .board")).to_be_focused()
    page.mouse.click(*place_of(page, "C4"))
    menu.get_by_role("menuitem", name="Lift it and put it elsewhere").click()
    expect(page.locator("#armed")).to_contain_text("Tap the point where it goes")
    with page.expect_response("**/sim/hand"):
        page.mouse.click(*place_of(page, "F9"))
    expect(page.locator("#armed")).to_be_hidden()
    page.mouse.click(*place_of(page, "C4"))
    with page.expect_response("**/sim/hand"):
        menu.get_by_role("menuitem", name="Take it away").click()
    assert stage.done == [{"do": "move", "from": "C4", "to": "F9"}, {"do": "lift", "point": "C4"}]


def test_a_finger_opens_the_menu_of_a_stone_and_a_tap_beside_it_only_closes_it(
    browser: Browser, stage: Any, place_of: PlaceOf
) -> None:
    stage.lay("C4", "black")
    size: ViewportSize = {"width": 390, "height": 844}
    with browser.new_context(has_touch=True, locale="en-GB", viewport=size) as finger:
        page = finger.new_page()
        page.goto(f"http://127.0.0.1:{stage.port}/table")
        expect(laid(page)).to_have_count(1)
        page.touchscreen.tap(*place_of(page, "C4"))
        lift = page.get_by_role("menuitem", name="Take it away")
        expect(lift).to_be_focused()
        page.touchscreen.tap(*place_of(page, "L12"))
        expect(lift).to_be_hidden()
        page.touchscreen.tap(*place_of(page, "C4"))
        lift.tap()
        expect(laid(page)).to_have_count(0)
        page.touchscreen.tap(*place_of(page, "C4"))
        expect(laid(page)).to_have_count(1)
    assert [each["do"] for each in stage.done] == ["lift", "place"]


def test_a_stone_falls_and_stones_are_knocked_over_once_each(
    visit: Visit, stage: Any, place_of: PlaceOf
) -> None:
    page = visit("/table")
    expect(page.locator("#key-near .disc")).to_be_attached()
    fall, sweep = (
        page.get_by_role("button", name=name) for name in ("Let a stone fall", "Knock stones over")
    )
    fall.click()
    expect(fall).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/sim/hand"):
        page.mouse.click(*place_of(page, "F5"))
    expect(fall).to_have_attribute("aria-pressed", "false")
    sweep.click()
    with page.expect_response("**/sim/hand"):
        drag(page, place_of(page, "C4"), place_of(page, "F9"))
    sweep.click()
    fall.click()
    expect(sweep).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Never mind").click()
    expect(fall).to_have_attribute("aria-pressed", "false")
    with page.expect_response("**/sim/hand"):
        page.mouse.click(*place_of(page, "A1"))
    assert stage.done == [
        {"do": "drop", "point": "F5", "colour": "black"},
        {"do": "sweep", "from": "C4", "to": "F9"},
        {"do": "place", "point": "A1", "colour": "black"},
    ]


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
    for key in ("Enter", "Shift+ArrowUp", "s", "k", "Delete", "d", "n", "f", "a"):
        with page.expect_response("**/sim/hand"):
            page.keyboard.press(key)
    assert stage.done == [
        {"do": "place", "point": "I8", "colour": "black"},
        {"do": "slide", "from": "I8", "to": "I9"},
        {"do": "adjust", "point": "I9"},
        {"do": "sweep", "from": "I9", "to": "I9"},
        {"do": "lift", "point": "I9"},
        {"do": "drop", "point": "I9", "colour": "black"},
        {"do": "press", "key": "near"},
        {"do": "press", "key": "far"},
        {"do": "press", "key": "arbiter"},
    ]
    stage.done.clear()
    page.keyboard.press("ArrowDown")
    with page.expect_response("**/sim/hand"):
        page.keyboard.press("Enter")
    expect(laid(page)).to_have_count(1)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Set it straight")).to_be_focused()
    with page.expect_response("**/sim/hand"):
        page.keyboard.press("Enter")
    assert [each["do"] for each in stage.done] == ["place", "adjust"]


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


@pytest.mark.parametrize("delay", [0, 100])
def test_a_double_click_is_one_stone(visit: Visit, stage: Any, place_of: PlaceOf, delay: int) -> None:
    page = visit("/table")
    page.mouse.dblclick(*place_of(page, "H8"), delay=delay)
    expect(laid(page)).to_have_count(1)
    expect(page.get_by_role("menu")).to_have_count(0)
    assert stage.done == [{"do": "place", "point": "H8", "colour": "black"}]


def test_a_new_game_begins_on_an_empty_board(visit: Visit, stage: Any, new_game: Callable[..., Any]) -> None:
    result = {"winner": None, "black": 0.5, "white": 0.5, "reason": "agreement", "line": []}
    stage.game = new_game("h8", phase="over", to_move=None, result=result)
    stage.lay("H8", "black")
    page = visit("/table")
    buttons = page.locator("#orders button")
    expect(buttons).to_have_text(["Clear the board, new game"])
    stage.secret["sensed"] = "." * 225
    buttons.click()
    expect(page.locator("#why")).to_have_text("the game is over")
    assert stage.done == [{"do": "clear"}, {"do": "start"}]
    expect(buttons).to_have_text(["New game"])


def test_a_game_that_runs_is_ended_only_when_it_is_said_twice(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8")
    stage.lay("H8", "black")
    page = visit("/table")
    page.get_by_role("button", name="Begin again").click()
    page.get_by_role("button", name="Go on playing").click()
    expect(page.locator("#sure")).to_be_hidden()
    assert stage.done == []
    stage.answer = "not now"
    page.get_by_role("button", name="Begin again").click()
    page.locator("#sure-yes").click()
    expect(page.locator("#why")).to_have_text("not now")
    assert [each["do"] for each in stage.done] == ["result"]


def test_what_is_broken_is_shown_and_put_right(visit: Visit, stage: Any, place_of: PlaceOf) -> None:
    page = visit("/table")
    page.get_by_role("tab", name="Faults").click()
    page.get_by_role("button", name="Dead sensor").click()
    page.mouse.click(*place_of(page, "C3"))
    chips = page.locator("#broken button")
    expect(chips).to_have_text(["Dead sensor C3 ✕"])
    expect(page.locator(".broken-marks .fault")).to_have_count(1)
    page.get_by_role("button", name="Dead row").click()
    page.mouse.click(*place_of(page, "C13"))
    page.get_by_role("button", name="Dead column").click()
    page.mouse.click(*place_of(page, "N2"))
    page.get_by_role("button", name="Scanner unplugged").click()
    expect(chips).to_have_text(
        ["Dead sensor C3 ✕", "Dead row 13 ✕", "Dead column N ✕", "Scanner unplugged ✕", "Put all right"]
    )
    expect(page.get_by_role("tab", name="Faults 4")).to_be_visible()
    page.get_by_role("button", name="Scanner unplugged", pressed=True).click()
    page.get_by_role("button", name="Put right: Dead row 13").click()
    expect(chips).to_have_text(["Dead sensor C3 ✕", "Dead column N ✕", "Put all right"])
    page.get_by_role("button", name="Put all right").click()
    expect(chips).to_have_count(0)
    expect(page.locator(".broken-marks .fault")).to_have_count(0)
    assert stage.done == [
        {"do": "break", "kind": "dead", "at": "C3"},
        {"do": "break", "kind": "line", "at": "13"},
        {"do": "break", "kind": "line", "at": "N"},
        {"do": "break", "kind": "scanner"},
        {"do": "mend", "kind": "scanner"},
        {"do": "mend", "kind": "line", "at": "13"},
        {"do": "mend-all"},
    ]


def test_each_fault_that_there_is_has_a_switch_in_words(visit: Visit) -> None:
    page = visit("/table", locale="zh-CN")
    page.locator("#tab-faults").click()
    switches = page.locator("#breakables button")
    expect(switches).to_have_count(len(KINDS) + 1)  # a line is a row or a column
    assert not any(re.search("[a-z]", words) for words in switches.all_inner_texts())


def test_the_buzzer_is_heard_as_it_was_driven_once_it_is_asked_for(visit: Visit, stage: Any) -> None:
    page = visit("/table")
    expect(page.locator("#tone")).to_have_text("Buzzer silent")
    page.evaluate("""() => {
        window.played = [];
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) {
            window.played.push([this.frequency.value, at]);
            return start.call(this, at);
        };
    }""")
    tone = {"at_ms": 1000, "frequency_hz": 2000, "duration_ms": LONG_MS, "volume": 3}
    stage.tones = [tone]
    stage.call(stage.channel.publish)
    expect(page.locator("#tone")).to_have_text("2000 Hz")
    assert page.evaluate("window.played") == []
    page.get_by_role("button", name="Hear it").click()
    stage.tones = [
        tone, {**tone, "at_ms": 5000}, {**tone, "at_ms": 5200, "frequency_hz": 2730},
    ]  # fmt: skip
    stage.call(stage.channel.publish)
    expect(page.locator("#tone")).to_have_text("2730 Hz")
    (first, begun), (second, then) = page.evaluate("window.played")
    assert (first, second) == (2000, 2730)
    assert then - begun == pytest.approx(0.2)
    page.get_by_role("button", name="Mute it").click()


def test_stones_that_differ_in_play_can_be_accepted(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8")
    stage.secret["differences"] = [{"point": "A1", "record": None, "seen": "white"}]
    page = visit("/table")
    expect(page.locator("#orders button")).to_have_text(
        ["Accept the board as it is", "Stop the clocks", "Begin again"]
    )


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
