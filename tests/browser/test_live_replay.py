"""Looking back on the live board, its numbers, its list of moves and its address, in a real browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
NewGame = Callable[..., Any]
MOVES = "h8 i9 j7 i7 g10 g8 k8 j8 h6 k9 k6 i10"
LINE = ["I6", "I7", "I8", "I9", "I10"]


def numbers(page: Page) -> list[str]:
    return page.locator(".stone .number").all_text_contents()


def test_the_list_has_every_move_with_its_time_and_shows_the_newest(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    shown = new_game("h8 i9 j7")
    shown["moves"][1]["used_ms"] = 83_999
    shown["moves"][2] |= {"used_ms": None, "point": None}
    stage.game = shown
    page = visit()
    moves = page.locator("#moves button")
    expect(moves).to_have_count(3)
    labels = [move.get_attribute("aria-label") for move in moves.all()]
    assert labels == ["Move 1, Black, H8, 0:04", "Move 2, White, I9, 1:23", "Move 3, Black, pass"]
    expect(page.locator("#moves [aria-current]")).to_have_text("3pass")


def test_keys_buttons_slider_and_list_all_lead_through_the_game(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game(MOVES)
    page = visit()
    stones = page.locator(".stone")
    expect(stones).to_have_count(12)
    expect(page.locator("#live")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(stones).to_have_count(11)
    expect(page.locator("#move")).to_have_text("Move 11 of 12 · K6")
    expect(page.locator(".stone:has(.last) .number")).to_have_text("11")
    page.keyboard.press("Home")
    expect(stones).to_have_count(0)
    expect(page.locator("#move")).to_have_text("Empty board")
    page.keyboard.press("ArrowRight")
    expect(stones).to_have_count(1)
    page.locator("#moves button", has_text="J7").click()
    expect(stones).to_have_count(3)
    page.get_by_role("button", name="One move on").click()
    expect(stones).to_have_count(4)
    page.get_by_role("slider", name="Move shown").fill("7")
    expect(stones).to_have_count(7)
    page.get_by_role("slider").press("ArrowRight")
    expect(stones).to_have_count(8)
    page.get_by_role("button", name="To the start").click()
    expect(stones).to_have_count(0)
    page.keyboard.press("End")
    expect(stones).to_have_count(12)
    expect(page.locator("#live")).to_be_disabled()


def test_a_swipe_over_the_board_is_one_move_and_a_tap_is_none(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game(MOVES)
    page = visit(width=390, height=844)

    def swipe(by_px: int) -> None:
        page.locator("#board").evaluate(
            """(board, by) => {
                const touch = { pointerId: 5, pointerType: "touch", isPrimary: true, clientY: 200 };
                board.dispatchEvent(new PointerEvent("pointerdown", { ...touch, clientX: 200 }));
                board.dispatchEvent(new PointerEvent("pointerup", { ...touch, clientX: 200 + by }));
            }""",
            by_px,
        )

    swipe(90)
    expect(page.locator(".stone")).to_have_count(11)
    swipe(90)
    expect(page.locator(".stone")).to_have_count(10)
    swipe(3)
    swipe(-90)
    expect(page.locator(".stone")).to_have_count(11)


def test_who_looks_back_stays_there_is_told_of_new_moves_and_is_one_tap_from_the_present(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game(MOVES)
    page = visit()
    page.locator("#moves button", has_text="I7").click()
    live = page.locator("#live")
    expect(live).to_have_text("Back to live ")
    before = live.bounding_box()
    stage.show(new_game(MOVES + " a1"))
    expect(live).to_have_text("Back to live 1 new move")
    stage.show(new_game(MOVES + " a1 b1"))
    expect(live).to_have_text("Back to live 2 new moves")
    assert live.bounding_box() == before
    expect(page.locator(".stone")).to_have_count(4)
    expect(page.locator("#moves [aria-current]")).to_have_text(re.compile("I7"))
    live.click()
    expect(page.locator(".stone")).to_have_count(14)
    expect(live).to_have_text("Live")


def test_another_game_or_moves_taken_back_end_a_look_that_has_nothing_to_look_at(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game(MOVES)
    page = visit("/?move=11")
    expect(page.locator(".stone")).to_have_count(11)
    stage.show(new_game("h8 i9"))
    expect(page.locator(".stone")).to_have_count(2)
    expect(page.locator("#live")).to_have_text("Live")
    page.keyboard.press("Home")
    expect(page.locator(".stone")).to_have_count(0)
    stage.show(new_game("h8", id="2"))
    expect(page.locator(".stone")).to_have_count(1)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("", ["1", "2", "3", "4", "5"]),
        ("?numbers=last2", ["4", "5"]),
        ("?numbers=none", []),
        ("?numbers=last0", ["1", "2", "3", "4", "5"]),
        ("?numbers=last2&move=3", ["2", "3"]),
    ],
)
def test_the_address_says_which_stones_are_numbered(
    visit: Visit, stage: Any, new_game: NewGame, asked: str, shown: list[str]
) -> None:
    stage.game = new_game("h8 i9 j7 i7 i8")
    page = visit("/" + asked)
    expect(page.locator(".stone")).to_have_count(3 if "move" in asked else 5)
    assert numbers(page) == shown


def test_what_is_chosen_is_kept_in_the_address(visit: Visit, stage: Any, new_game: NewGame) -> None:
    stage.game = new_game(MOVES)
    page = visit()
    page.get_by_label("Numbers").select_option("last5")
    page.keyboard.press("Tab")
    expect(page.locator(".stone .number")).to_have_count(5)
    page.wait_for_url("**/?numbers=last5")
    page.locator("#moves button", has_text="K8").click()
    page.wait_for_url("**/?numbers=last5&move=7")
    page.reload()
    expect(page.locator(".stone")).to_have_count(7)
    assert numbers(page) == ["3", "4", "5", "6", "7"]
    page.locator("#live").click()
    page.wait_for_url("**/?numbers=last5")


def test_what_was_released_stands_at_its_move_in_words(visit: Visit, stage: Any, new_game: NewGame) -> None:
    stage.game = new_game(
        MOVES,
        phase="over",
        to_move=None,
        irregular=[
            {"code": "slide", "side": "white", "point": "J8", "n": 8, "after": 9},
            {"code": "early-pass", "side": "white", "point": None, "n": None, "after": 10},
        ],
        forbidden=[{"n": 11, "point": "K6", "kind": "double-three"}],
        result={"winner": "white", "black": 0, "white": 1, "reason": "forbidden", "line": []},
    )
    page = visit()
    expect(page.locator("#moves .note")).to_have_text(
        ["stone pushed along the board", "Known after move 10 · pass too early", "double three"]
    )
    expect(page.locator(".marks path")).to_have_count(3)
    page.locator("#moves button", has_text="J8").click()
    expect(page.locator("#notes li")).to_have_text(["stone pushed along the board"])
    expect(page.locator(".board .mark")).to_have_count(1)
    expect(page.locator("#live")).to_have_text("To the end")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#notes li")).to_have_count(0)
    expect(page.locator(".board .mark")).to_have_count(0)


def test_the_five_is_drawn_only_where_it_lies(visit: Visit, stage: Any, new_game: NewGame) -> None:
    over = {"winner": "black", "black": 1, "white": 0, "reason": "five", "line": LINE}
    stage.game = new_game("i6 a1 i7 a2 i8 a4 i9 a5 i10", phase="over", to_move=None, result=over)
    page = visit()
    expect(page.locator(".five")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".five")).to_have_count(0)
    expect(page.locator("#outcome")).to_have_text("Black wins")


def test_only_a_stone_that_comes_alone_is_put_down_before_the_eyes(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9")
    page = visit()
    expect(page.locator(".stone")).to_have_count(2)
    expect(page.locator(".stone.arrives")).to_have_count(0)
    stage.show(new_game("h8 i9 j7"))
    expect(page.locator(".stone.arrives .number")).to_have_text("3")
    animation = "e => getComputedStyle(e).animationName"
    assert page.locator(".stone.arrives .body").evaluate(animation) == "arrive"
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".stone.arrives .body").evaluate(animation) == "none"
    page.emulate_media(reduced_motion="null")


def test_the_page_is_passed_on_as_a_picture_and_as_a_link(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game(MOVES)
    page = visit("/?numbers=last5")
    page.get_by_role("button", name="Share").click()
    home = f"http://127.0.0.1:{stage.port}/"
    expect(page.get_by_role("img", name=f"QR code of {home}")).to_be_visible()
    expect(page.locator("#page")).to_have_text(home + "?numbers=last5")
    expect(page.locator("#share-why")).to_have_text(
        "This address opens only on the machine of the board itself"
    )
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("#share-why")).to_have_text("Copied")
    page.keyboard.press("Escape")
    expect(page.locator("#sharing")).not_to_be_visible()
    expect(page.locator("#live")).to_be_disabled()  # Escape closed the panel and did nothing else


@pytest.mark.parametrize(("width", "height", "scheme"), [(390, 844, "light"), (1280, 720, "dark")])
def test_what_is_written_stands_out_and_fits(
    visit: Visit, stage: Any, new_game: NewGame, width: int, height: int, scheme: Any
) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 : 1."""
    stage.game = new_game(
        MOVES,
        opening={"code": "I7", "zh": "浦月", "ja": "浦月", "romaji": "Hogetsu"},
        irregular=[{"code": "slide", "side": "white", "point": "J8", "n": 8}],
        event="An event",
    )
    page = visit("/?move=8", width=width, height=height)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    expect(page.locator("#moves [aria-current]")).to_be_in_viewport()
    named = ".name, .time time, #opening, #event, #move, #notes li"
    small = "#moves span:not(.disc), #terms, .languages button, .tools *, #live"
    poor = page.locator(f"{named}, {small}").evaluate_all(
        """all => {
            const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const light = (colour) => {
                canvas.fillStyle = colour;
                canvas.fillRect(0, 0, 1, 1);
                const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
                    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const under = (e) => {
                const colour = getComputedStyle(e).backgroundColor;
                return colour === "rgba(0, 0, 0, 0)" && e.parentElement ? under(e.parentElement) : colour;
            };
            return all.filter((e) => e.textContent).map((e) => {
                const [a, b] = [light(getComputedStyle(e).color), light(under(e))];
                return [e.className || e.id, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
            }).filter(([, ratio]) => ratio < 4.5);
        }"""
    )
    page.emulate_media(color_scheme="null", reduced_motion="null")
    assert poor == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_offers_are_seen_again_before_the_move_they_led_to(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9 i7 g9 f10 e5", offered={"n": 5, "points": ["J9", "F10"]})
    page = visit("/?move=4")
    expect(page.locator(".stone.offer .number")).to_have_text(["A", "B"])
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stone.offer")).to_have_count(0)
    expect(page.locator(".stone")).to_have_count(5)


def test_a_delay_is_said_and_the_language_of_an_address_is_changed_with_the_readers(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8", delay_s=300)
    page = visit("/?lang=zh")
    expect(page.locator("#terms")).to_have_text(re.compile("延迟 05:00 播出$"))
    page.get_by_role("button", name="English").click()
    page.wait_for_url("**/?lang=en")
    expect(page.locator("#terms")).to_have_text(re.compile("Shown 05:00 late$"))


def test_a_hall_screen_has_the_code_beside_its_clocks_and_does_not_pass_that_on(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    shown = new_game("h8")
    shown["clock"]["white"]["remaining_ms"] = 2 * 3_600_000
    stage.game = shown
    page = visit("/?qr=1&numbers=none", width=1280, height=720)
    home = f"http://127.0.0.1:{stage.port}/"
    code = page.locator("#white").get_by_role("img", name=f"QR code of {home}")
    expect(code).to_be_visible()
    expect(page.locator("#white time")).to_have_text("2:00:00")
    time, picture = page.locator("#white time").bounding_box(), code.bounding_box()
    assert time is not None
    assert picture is not None
    assert time["x"] + time["width"] <= picture["x"]
    assert picture["width"] > 100
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#page")).to_have_text(home + "?numbers=none")
