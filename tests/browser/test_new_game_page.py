"""A game begun by its organiser in a real browser, before the real daemon."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.demo_table import demo_table

pytestmark = pytest.mark.browser


@pytest.fixture
def show(page_for: Callable[[str], Page]) -> Iterator[Callable[..., Page]]:
    """The page of a new game, ready."""
    shown: list[Page] = []

    def go(
        address: str, locale: str = "en-GB", width: int = 1280, height: int = 800, asked: str = ""
    ) -> Page:
        page = page_for(locale)
        shown.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{address}/arbiter/new{asked}")
        expect(page.locator("#summary")).not_to_be_empty()
        return page

    yield go
    for page in shown:
        page.goto("about:blank")


def tell(page: Page, url: str, **given: str) -> None:
    """Give an order to the daemon or the hand."""
    answer = page.request.post(url, data=given)
    assert answer.ok, answer.text()


def test_a_game_begins_from_the_page_and_its_record_has_what_was_entered(
    show: Callable[..., Page], tmp_path: Path
) -> None:
    with demo_table(tmp_path) as address:
        page = show(address)
        page.locator("#table-black").fill("Wu Di")
        page.locator("#table-white").fill("伊藤")
        page.get_by_text("Number, federation, rating, title").first.click()
        page.locator("#table-black_federation").fill("CHN")
        page.locator("#table-event").fill("Open <b>")
        page.locator("#table-round").fill("4")
        page.locator("#openings summary").click()
        page.get_by_role("radio", name="Free opening").check()
        expect(page.locator("#offers")).to_be_hidden()
        page.locator("#control").select_option("5m+3s")
        expect(page.locator("#summary")).to_have_text(
            "Wu Di – 伊藤 · Free opening · 5 minutes each and 3 seconds more after each move"
        )
        page.locator("#more > summary").click()
        page.get_by_label("A wrong claim").select_option("violation")
        expect(page.locator("#changed")).to_have_text("1 not as usual")
        expect(page.locator("#field-match-wrong_claim .usual")).to_have_text("usual: nothing")
        page.get_by_role("button", name="Start the game").click()
        expect(page.locator("#status")).to_have_text("Black to move")
        for n, point in enumerate(["H8", "I9"]):
            tell(page, f"{address}/sim/hand", do="place", point=point, colour=("black", "white")[n])
            tell(page, f"{address}/sim/hand", do="press", key=("near", "far")[n])
        expect(page.locator("#status")).to_have_text("Move 2 · I9")
        game = page.request.get(f"{address}/arbiter.json").json()
        assert [game["players"][side]["name"] for side in ("black", "white")] == ["Wu Di", "伊藤"]
        assert (game["event"], game["round"]) == ("Open <b>", 4)
        assert (game["settings"]["time"], game["wrong_claim"]) == ("5m+3s", "violation")
        sheet = page.request.get(f"{address}/arbiter/sheet.svg").text()
        assert all(words in sheet for words in ("Wu Di", "伊藤", "Open &lt;b&gt;"))
        page = show(address)
        expect(page.locator("#busy")).to_have_text(
            "A game is running. When it is over, the next one can begin here."
        )
        expect(page.get_by_role("button", name="Start the game")).to_be_disabled()
        tell(page, f"{address}/command", do="resign", side="black")
        page.goto(f"{address}/arbiter")
        again = page.get_by_role("link", name="Next game, colours exchanged")
        expect(again).to_have_attribute("href", "/arbiter/new?exchanged")
    with demo_table(tmp_path, "table.start=command") as address:
        page = show(address, width=390, height=844, asked="?exchanged")
        expect(page.locator("#table-black")).to_have_value("伊藤")
        expect(page.locator("#party-black .seat")).to_have_text("far seat")
        expect(page.locator("#table-white")).to_have_value("Wu Di")
        expect(page.locator("#table-white_federation")).to_have_value("CHN")
        start = page.get_by_role("button", name="Start the game")
        expect(start).to_be_in_viewport(ratio=1)
        start.click()
        expect(page.locator("#status")).to_have_text("Black to move")
        expect(page).to_have_url(f"{address}/arbiter")


def test_what_cannot_be_is_said_beside_its_field_and_nothing_is_lost(
    show: Callable[..., Page], tmp_path: Path
) -> None:
    with demo_table(tmp_path, "match.opening=yamaguchi") as address:
        page = show(address)
        page.locator("#table-black").fill("Wu Di")
        page.locator("#control").select_option("own")
        time = page.locator("#match-time")
        expect(time).to_be_focused()
        time.fill("40 moves/2h then ")
        expect(page.locator("#match-time-wrong")).to_have_text(
            "Something is missing at the end: a time is missing"
        )
        time.fill("40 moves/2h then 1q")
        wrong = page.locator("#match-time-wrong")
        expect(wrong).to_have_text("Character 18, “1q”, cannot be read: 1 has no unit (h, m, s or ms)")
        page.locator("#party-white summary").click()
        page.locator("#table-white_rating").fill("strong")
        page.locator("#party-white summary").click()
        page.locator("#match-offers").fill("13")
        page.get_by_role("button", name="Start the game").click()
        expect(page.locator("#why")).to_have_text("Something above cannot be so; nothing was begun.")
        expect(page.locator("#table-white_rating-wrong")).to_have_text(
            "A whole number from 0 to 9999, or empty"
        )
        expect(page.locator("#table-white_rating")).to_be_focused()
        expect(page.locator("#table-black")).to_have_value("Wu Di")
        page.locator("#languages").get_by_text("中文").click()
        expect(wrong).to_have_text("第 18 个字符“1q”处无法识别")
        expect(page.locator("#table-black")).to_have_value("Wu Di")
        page.locator("#languages").get_by_text("English").click()
        page.locator("#table-white_rating").fill("2100")
        time.fill("40 moves/2h then 1h")
        expect(page.locator("#said")).to_have_text("40 moves in 2 hours, then 1 hour")
        expect(page.locator("#match-offers-wrong")).to_have_text("A whole number from 1 to 12, or empty")
        page.locator("#match-offers").fill("12")
        expect(page.locator(".wrong:not(:empty)")).to_have_count(0)
        page.locator("#party-white").get_by_label("is here").uncheck()
        expect(page.locator("#summary")).to_contain_text("White is absent and his clock runs")
        page.locator("#more > summary").click()
        page.get_by_label("Late by at most").fill("1h30m")
        expect(page.locator("#said-late")).to_have_text("1 hour 30 minutes")
        page.get_by_role("button", name="Start the game").click()
        expect(page.locator("#status")).to_contain_text("White is not here yet")
        page = show(address)
        page.locator("#table-black").fill("Wu Di Er")
        page.get_by_role("button", name="Stop the clocks").click()
        expect(page.locator("#busy")).to_be_empty()
        page.get_by_role("button", name="Start the game").click()
        expect(page).to_have_url(f"{address}/arbiter")
        assert page.request.get(f"{address}/game.json").json()["players"]["black"]["name"] == "Wu Di Er"
        page.evaluate("localStorage.clear()")


def test_a_game_is_prepared_with_the_keyboard_alone(show: Callable[..., Page], tmp_path: Path) -> None:
    with demo_table(tmp_path) as address:
        page = show(address, "ja-JP")
        page.locator("#table-black").focus()
        page.keyboard.type("中村")
        page.locator("#openings summary").press("Enter")
        page.get_by_role("radio", name="指定打ち", exact=False).first.press("ArrowUp")
        expect(page.locator("#opening strong")).to_have_text("自由打ち")
        page.locator("#wait").press("Enter")
        expect(page.locator("#status")).to_have_text("対局開始前")
        live = page.request.get(f"{address}/game.json").json()
        assert (live["players"]["black"]["name"], live["phase"]) == ("中村", "waiting")


def test_nothing_is_wider_than_the_screen(show: Callable[..., Page], tmp_path: Path) -> None:
    with demo_table(
        tmp_path, f"table.black={'W' * 60}", f"table.event={'E' * 60}", "match.late=90s"
    ) as address:
        for width, height in ((390, 844), (1440, 900)):
            page = show(address, "zh-CN", width, height)
            page.locator("#openings summary").click()
            page.locator("#more > summary").click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            expect(page.locator("#start")).to_be_in_viewport(ratio=1)
