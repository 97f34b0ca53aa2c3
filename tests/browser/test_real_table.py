"""The pages before the real daemon: what a hand does in one is what the other shows."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.demo_table import demo_table

pytestmark = pytest.mark.browser


@pytest.fixture
def opening() -> str:
    """The opening procedure of the demo table."""
    return "free"


@pytest.fixture
def address(tmp_path: Path, opening: str) -> Iterator[str]:
    """A demo table."""
    with demo_table(tmp_path, f"match.opening={opening}") as address:
        yield address


def test_a_game_played_by_hand_is_the_game_that_is_shown(
    page_for: Callable[[str], Page], place_of: Callable[[Page, str], tuple[float, float]], address: str
) -> None:
    table = page_for("en-GB")
    live = page_for("zh-CN")
    table.goto(f"{address}/table")
    live.goto(f"{address}/")
    expect(table.locator("#status")).to_have_text("Black to move")
    for n, point in enumerate(["H8", "I9", "I8", "J9", "G8", "K9", "F8", "L9"]):
        table.mouse.click(*place_of(table, point))
        expect(table.locator("#status")).to_contain_text(f"Move {n + 1} · {point}")
        with table.expect_response("**/sim/hand"):
            table.locator(f"#key-{('near', 'far')[n % 2]}").click()
    expect(live.locator(".stone .number")).to_have_text([str(n + 1) for n in range(8)])
    expect(live.locator("#black")).to_have_class("player running")
    assert table.locator("#face-far .lit").count() > 8
    table.mouse.click(*place_of(table, "J8"))
    expect(live.locator("#outcome")).to_have_text("黑胜")
    expect(live.locator(".five")).to_have_count(1)
    for page in (table, live):
        page.goto("about:blank")


def tell(page: Page, url: str, do: str, **fields: str) -> None:
    """Give an order to the daemon or the hand."""
    answer = page.request.post(url, data={"do": do, **fields})
    assert answer.ok, answer.text()


def test_an_arbiter_decides_from_the_page_alone(
    page_for: Callable[[str], Page], place_of: Callable[[Page, str], tuple[float, float]], address: str
) -> None:
    desk = page_for("en-GB")
    desk.goto(f"{address}/arbiter")
    hand = partial(tell, desk, f"{address}/sim/hand")
    status, said, why = (desk.locator(name) for name in ("#status", "#said", "#why"))
    press = partial(press_button, desk)
    expect(status).to_have_text("Black to move")
    for n, point in enumerate(["H8", "I9", "I8", "J9", "G8", "K9"]):
        hand("place", point=point, colour=("black", "white")[n % 2])
        hand("press", key=("near", "far")[n % 2])
    hand("place", point="F5", colour="black")
    hand("slide", **{"from": "F5", "to": "F6"})
    desk.locator("#claimable").get_by_role("button", name="Uphold").click()
    expect(status).to_have_text("Move 7 · F5 · Clocks stopped · a correction to be made")
    expect(desk.locator("#guide li > .what")).to_have_text(["Move the black stone from F6 to F5"])
    expect(desk.locator("#guide .differs")).to_have_text(
        ["F6: nothing in the record, Black on the board", "F5: Black in the record, nothing on the board"]
    )
    expect(desk.locator(".board .extra, .board .missing")).to_have_count(2)
    expect(desk.get_by_role("button", name="Go on")).to_have_count(0)
    hand("slide", **{"from": "F6", "to": "F5"})
    expect(desk.locator("#guide .done")).to_have_count(1)
    expect(status).to_contain_text("the board is right: play goes on with the next act")
    desk.get_by_role("button", name="Go on").click()
    hand("press", key="near")
    press("claim", "Claim", nth=1, code="wrong-hand")
    expect(desk.locator("#claim .what")).to_have_text("White claims: clock with the other hand")
    desk.locator("#answers").get_by_role("button", name="Reject").click()
    expect(said).to_contain_text("rejected")
    desk.locator("#decisions summary").click()
    expect(desk.locator("#decisions li").first).to_contain_text("rejected · clock with the other hand")
    press("clock", "Give time", ms="1:30", reason="late start")
    expect(said).to_have_text(re.compile(r"clock set · Black · \+1:30, now \d+:\d\d · late start"))
    desk.mouse.click(*place_of(desk, "A1"))
    at_point = desk.locator("#at-point")
    expect(at_point.locator("h2")).to_have_text("A1: nothing in the record, nothing on the board")
    at_point.get_by_role("button", name="White stone").click()
    expect(status).to_have_text("Move 8 · A1")
    press("hand", "Black stone", point="H8")
    expect(why).to_have_text("there is a stone on that point already")
    at_point.get_by_role("button", name="Take the stone away").click()
    expect(status).to_have_text("Move 7 · F5")
    press("players", "Offers a draw", nth=1)
    expect(desk.locator("#choices .what")).to_have_text("White has offered a draw")
    desk.get_by_role("button", name="Black refuses the draw").click()
    expect(desk.locator("#choices")).to_be_hidden()
    press("penalty", "Violation", nth=1, reason="noise")
    expect(desk.locator("#group-penalty summary")).to_contain_text("White: 1 × violation")
    press("result", "Black wins 1 : 0", reason="White is ill")
    desk.get_by_role("button", name="Yes, do it").click()
    expect(status).to_have_text("Black wins · Arbiter's decision")
    desk.locator("#undo").click()
    expect(status).to_contain_text("Move 7 · F5 · Clocks stopped")
    expect(desk.locator("#decisions li").first).to_contain_text("undone")
    press("players", "Resigns", nth=1)
    desk.get_by_role("button", name="Yes, do it").click()
    expect(status).to_have_text("Black wins · Resignation")
    press("notes", "Everything is done")
    expect(said).to_contain_text("finished")
    desk.goto("about:blank")


def press_button(page: Page, group: str, button: str, *, nth: int = 0, **fields: str) -> None:
    """Fill a form of the arbiter's page and press one of its buttons."""
    form = page.locator(f"#group-{group}")
    if form.get_attribute("open") is None:
        form.locator("summary").click()
    for name, value in fields.items():
        where = page.locator(f"#{group}-{name}")
        is_choice = where.evaluate("element => element.tagName") == "SELECT"
        (where.select_option if is_choice else where.fill)(value)
    form.get_by_role("button", name=button).nth(nth).click()


@pytest.mark.parametrize("opening", ["yamaguchi"])
def test_the_arbiters_page_leads_through_an_opening_with_offers(
    page_for: Callable[[str], Page], address: str
) -> None:
    desk = page_for("en-GB")
    desk.goto(f"{address}/arbiter")
    status = desk.locator("#status")
    offers = desk.locator(".stone.offer .number")
    hand = partial(tell, desk, f"{address}/sim/hand")
    expect(status).to_have_text("Black sets up three stones, then presses")
    for point, colour in (("H8", "black"), ("I9", "white"), ("J8", "black")):
        hand("place", point=point, colour=colour)
    desk.get_by_label("Number of fifth stones that Black offers").fill("3")
    desk.get_by_role("button", name="Declare").click()
    expect(desk.get_by_role("button", name="Declare")).to_be_hidden()
    expect(desk.locator("#why")).to_have_text("")
    hand("press", key="near")
    expect(status).to_contain_text("White swaps colours, or plays move 4 and presses · Kosei")
    desk.get_by_role("button", name="White swaps colours").click()
    expect(status).to_contain_text("White plays move 4 and presses")
    hand("place", point="G7", colour="white")
    hand("press", key="near")
    expect(status).to_contain_text("Black puts down 3 fifth stones, then presses")
    for point in ("G10", "K11", "E5"):
        hand("place", point=point, colour="black")
    hand("press", key="far")
    expect(status).to_contain_text("White takes away all offers but one, plays move 6 and presses")
    expect(offers).to_have_text(["A", "B", "C"])
    expect(desk.locator("#declare")).to_be_hidden()
    hand("lift", point="G10")
    hand("lift", point="K11")
    expect(offers).to_have_text(["C"])
    hand("place", point="A1", colour="white")
    hand("press", key="near")
    expect(status).to_have_text("Move 6 · A1 · Kosei  I3")
    expect(desk.locator("#claimable")).to_be_hidden()
    desk.goto("about:blank")


def test_the_arbiters_page_forgets_what_was_put_right_and_what_is_over(
    page_for: Callable[[str], Page], address: str
) -> None:
    desk = page_for("en-GB")
    desk.goto(f"{address}/arbiter")
    expect(desk.locator("#status")).to_have_text("Black to move")
    hand = partial(tell, desk, f"{address}/sim/hand")
    hand("place", point="H8", colour="black")
    hand("press", key="near")
    hand("place", point="I9", colour="white")
    hand("press", key="far")
    hand("lift", point="H8")
    hand("place", point="K8", colour="black")
    hand("press", key="near")
    expect(desk.locator("#guide .differs")).to_have_text(["H8: Black in the record, nothing on the board"])
    hand("place", point="H8", colour="black")
    expect(desk.locator("#differences")).to_be_hidden()
    hand("place", point="A1", colour="white")
    hand("place", point="C1", colour="white")
    expect(desk.locator("#claimable li")).to_contain_text(["two stones in a row · White · Move 5 · C1"])
    tell(desk, f"{address}/command", "resign", side="white")
    expect(desk.locator("#claimable")).to_be_hidden()
    expect(desk.locator("#orders a")).to_have_text(
        ["Next game, colours exchanged", "New game", "Score sheet"]
    )
    desk.goto("about:blank")
