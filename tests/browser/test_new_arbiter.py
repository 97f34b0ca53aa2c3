"""What a new arbiter meets, with a phone before the real daemon: settled in two taps once it shows."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.demo_table import demo_table
from tests.patience import wait_for

pytestmark = pytest.mark.browser

SIX = ("H8", "I9", "I8", "J9", "G8", "K9")
FOUR_BLACK = ("H8", "A1", "I8", "A3", "J9", "A5", "J10", "A7")
"""With J8 Black makes a double three."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One demo table for all."""
    with demo_table(tmp_path_factory.mktemp("table"), "match.opening=free", "match.time=15m") as address:
        yield address


class Phone:
    """The arbiter's page on a phone, the players' hands, and how often the arbiter has tapped."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.taps = 0

    def tell(self, path: str, do: str, **fields: str) -> None:
        answer = self.page.request.post(self.address + path, data={"do": do, **fields})
        assert answer.ok, answer.text()

    def hand(self, do: str, **fields: str) -> None:
        self.tell("/sim/hand", do, **fields)

    def sensed(self) -> str:
        """The board as the sensors have it, 225 of `.XO?`."""
        seen: str = self.page.request.get(f"{self.address}/arbiter.json").json()["sensed"]
        return seen

    def play(self, *points: str) -> None:
        """Black and White in turn, each with a press."""
        for n, point in enumerate(points):
            self.hand("place", point=point, colour=("black", "white")[n % 2])
            self.hand("press", key=("near", "far")[n % 2])

    def tap(self, where: Locator) -> None:
        self.taps += 1
        where.click()

    def button(self, part: str, name: str, nth: int = 0) -> Locator:
        return self.page.locator(part).get_by_role("button", name=name).nth(nth)

    def status(self, words: str) -> None:
        expect(self.page.locator("#status")).to_contain_text(words)


@pytest.fixture
def phone(page_for: Callable[[str], Page], address: str) -> Iterator[Phone]:
    """A game that has just begun on an empty board."""
    page = page_for("en-GB")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/arbiter")
    held = Phone(page, address)
    expect(page.locator("#status")).not_to_be_empty()
    held.hand("clear")
    wait_for(lambda: not held.sensed().strip("."), "the board is not seen to be empty")
    if page.locator("body").get_attribute("data-phase") == "over":
        held.tell("/command", "start")
    held.status("Black to move")
    yield held
    if page.locator("body").get_attribute("data-phase") != "over":
        held.tell("/command", "resign", side="white")
    expect(page.locator("body")).to_have_attribute("data-phase", "over")
    page.goto("about:blank")


def test_a_slide_is_claimed(phone: Phone) -> None:
    phone.play(*SIX)
    phone.hand("place", point="F5", colour="black")
    phone.hand("slide", **{"from": "F5", "to": "F6"})
    found = phone.page.locator("#claimable li")
    expect(found).to_contain_text("stone pushed along the board · Black · Move 7 · from F5 to F6 [6.1.5]")
    phone.hand("press", key="far-call")
    phone.status("a player calls the arbiter")
    uphold = phone.button("#claimable", "Uphold")
    expect(uphold).to_be_in_viewport()
    phone.tap(uphold)
    expect(phone.page.locator("#guide [aria-current] .what")).to_have_text(
        "Move the black stone from F6 to F5"
    )
    phone.hand("slide", **{"from": "F6", "to": "F5"})
    expect(phone.page.locator("#guide .done")).to_have_count(1)
    go_on = phone.button("#orders", "Go on")
    expect(go_on).to_be_in_viewport()
    phone.tap(go_on)
    expect(phone.page.locator("body")).to_have_attribute("data-phase", "playing")
    phone.status("Move 7 · F5")
    expect(phone.page.locator("#happened")).to_contain_text("upheld")
    assert phone.taps == 2


def test_a_forbidden_move_is_claimed(phone: Phone) -> None:
    phone.play(*FOUR_BLACK)
    phone.hand("place", point="J8", colour="black")
    found = phone.page.locator("#claimable li")
    expect(found).to_contain_text("double three · Black · Move 9 · J8 [2.19]")
    uphold = phone.button("#claimable", "Uphold")
    expect(uphold).to_be_in_viewport()
    expect(uphold).to_contain_text("Upheld: Black has lost; the game is over")
    phone.tap(uphold)
    expect(phone.page.locator("#sure-what")).to_have_text(
        "The claim is upheld: double three J8; the game is over"
    )
    phone.tap(phone.page.get_by_role("button", name="Yes, do it"))
    phone.status("White wins · Forbidden move · double three")
    expect(phone.page.locator("#orders a")).to_have_text(
        ["Next game, colours exchanged", "New game", "Score sheet"]
    )
    assert phone.taps == 2


def test_a_stone_is_knocked_away(phone: Phone) -> None:
    phone.play(*SIX)
    phone.hand("slide", **{"from": "I8", "to": "I7"})
    steps = phone.page.locator("#guide li > .what")
    expect(steps).to_have_text(["Move the black stone from I7 to I8"])
    expect(phone.page.locator(".signs .extra")).to_have_count(1)
    expect(phone.page.locator(".signs .missing")).to_have_count(1)
    back = phone.button("#settle", "Put back")
    expect(back).to_contain_text("Moved stones are put back")
    phone.tap(back)
    phone.status("Clocks stopped")
    phone.hand("slide", **{"from": "I7", "to": "I8"})
    expect(phone.page.locator("#guide-end")).to_have_text("The board equals the record.")
    phone.tap(phone.button("#orders", "Go on"))
    expect(phone.page.locator("body")).to_have_attribute("data-phase", "playing")
    expect(phone.page.locator("#differences")).to_be_hidden()
    assert phone.taps == 2


def test_time_is_taken_as_a_penalty_and_given_back(phone: Phone) -> None:
    phone.play(*SIX)
    phone.tap(phone.page.locator("#group-penalty summary"))
    take = phone.button("#group-penalty", "Take time", 1)
    expect(take).to_contain_text("Penalty: 1:00 are taken from White")
    phone.tap(take)
    said = phone.page.locator("#said")
    expect(said).to_contain_text("penalty · Take time · White")
    assert phone.taps == 2
    expect(phone.page.locator("#face-white .digits")).to_have_text(re.compile(r"1[34]:\d\d"))
    expect(phone.page.locator("#happened li").first).to_contain_text("clock set · White · −1:00")
    phone.tap(phone.page.locator("#undo"))
    expect(phone.page.locator("#happened li").nth(1)).to_contain_text("clock set · White · +1:00")
    phone.tap(phone.page.locator("#decisions summary"))
    expect(phone.page.locator("#decisions li")).to_have_count(2)
    expect(phone.page.locator("#decisions li").nth(1).get_by_role("button")).to_have_count(0)


def test_a_draw_is_offered_and_agreed(phone: Phone) -> None:
    phone.play(*SIX)
    phone.tap(phone.page.locator("#group-players summary"))
    phone.tap(phone.button("#group-players", "Offers a draw"))
    assert phone.taps == 2
    expect(phone.page.locator("#choices .what")).to_have_text("Black has offered a draw")
    accept = phone.page.get_by_role("button", name="White accepts the draw")
    phone.taps = 0
    phone.tap(accept)
    expect(phone.page.locator("#sure-what")).to_have_text("White accepts the draw; the game is over")
    phone.tap(phone.page.get_by_role("button", name="Yes, do it"))
    phone.status("Draw · By agreement")
    assert phone.taps == 2
