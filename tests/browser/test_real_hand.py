"""The simulated table before the real daemon: what a hand does is seen as what it is, what breaks is told.

One daemon serves all tests here, and each begins a new game on a clear board.
"""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.board import NAMES
from firmware_host.referee.inputs import Tick
from firmware_host.sensing.events import Scattered, Slid
from firmware_host.service.journal_reader import JournalReader
from tests.demo_table import demo_table
from tests.patience import wait_for

pytestmark = pytest.mark.browser

PlaceOf = Callable[[Page, str], tuple[float, float]]
LIMIT_S = 60.0
LIMIT_MS = LIMIT_S * 1000


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the table writes down what it sees."""
    return tmp_path_factory.mktemp("table") / "j"


@pytest.fixture(scope="module")
def address(journal: Path) -> Iterator[str]:
    """One demo table for all."""
    with demo_table(journal.parent, "match.opening=free") as address:
        yield address


@pytest.fixture
def table(page_for: Callable[[str], Page], address: str) -> Iterator[Page]:
    """The simulated table's page, a game on it that has just begun."""
    page = page_for("en-GB")
    page.goto(f"{address}/table")
    expect(page.locator("#orders button").first).to_be_visible(timeout=LIMIT_MS)
    again = page.locator("#orders").get_by_role("button", name="Begin again")
    if again.count():
        again.click()
        page.locator("#sure-yes").click()
    expect(page.locator("#status")).to_have_text("Black to move", timeout=LIMIT_MS)
    expect(page.locator(".board g:not(.overlay) > .stone")).to_have_count(0)
    yield page
    page.goto("about:blank")


@pytest.fixture
def events(journal: Path) -> Callable[[int], list[Any]]:
    """What the game at the table was told, once there are so many things: `events(n)`."""

    def told(wanted: int) -> list[Any]:
        until = time.monotonic() + LIMIT_S
        while True:
            with JournalReader.open(journal) as reader:
                game = reader.last_game()
                assert game is not None
                given = [each.given for each in reader.entries(game) if not isinstance(each.given, Tick)]
            seen = [each for each in given if type(each).__name__ not in ("Command", "Seen", "FramesLost")]
            if len(seen) >= wanted:
                return seen
            assert time.monotonic() < until, seen
            time.sleep(0.1)

    return told


def in_words(event: Any) -> str:
    """`Placed H8`."""
    if isinstance(event, Slid):
        return f"Slid {' '.join(NAMES[p] for p in event.path)}"
    if isinstance(event, Scattered):
        return f"Scattered {' '.join(sorted(NAMES[p] for p in event.points))}"
    return f"{type(event).__name__} {event.key if hasattr(event, 'key') else NAMES[event.point]}"


def test_each_thing_a_hand_does_is_seen_as_what_it_is(
    table: Page, place_of: PlaceOf, events: Callable[[int], list[Any]]
) -> None:
    count = 0

    def does(act: Callable[[], Any], *expected: str) -> None:
        """The hand has done it and let go, and the table has seen it."""
        nonlocal count
        with table.expect_response("**/sim/hand", timeout=LIMIT_MS) as answer:
            act()
        assert answer.value.ok, answer.value.text()
        assert [in_words(each) for each in events(count + len(expected))[count:]] == list(expected)
        count += len(expected)

    def tap(point: str) -> None:
        table.mouse.click(*place_of(table, point))

    def choose(point: str, name: str) -> None:
        wanted = table.get_by_role("menuitem", name=name)

        def shown() -> bool:
            """A second tap soon after the first one on a point is no other wish: it may take several."""
            if not wanted.is_visible():
                tap(point)
            return wanted.is_visible()

        wait_for(shown, f"no menu at {point}")
        wanted.click()

    def drag(*points: str) -> None:
        table.mouse.move(*place_of(table, points[0]))
        table.mouse.down()
        for point in points[1:]:
            table.mouse.move(*place_of(table, point), steps=6)
        table.mouse.up()

    def carry(point: str, to: str) -> None:
        choose(point, "Lift it and put it elsewhere")
        tap(to)

    def armed(name: str, act: Callable[[], None]) -> None:
        table.get_by_role("button", name=name).click()
        act()

    near, far = (table.locator(f"#key-{seat}") for seat in ("near", "far"))
    does(lambda: table.mouse.dblclick(*place_of(table, "H8")), "Placed H8")
    does(near.click, "KeyPress near")
    does(lambda: tap("I9"), "Placed I9")
    does(lambda: choose("I9", "Set it straight"), "Adjusted I9")
    does(lambda: drag("I9", "J9", "J10"), "Slid I9 J9 J10")
    does(lambda: choose("J10", "Take it away"), "Lifted J10")
    does(lambda: tap("J9"), "Placed J9")
    does(lambda: carry("J9", "I9"), "Lifted J9", "Placed I9")
    does(far.click, "KeyPress far")
    does(lambda: armed("Let a stone fall", lambda: tap("E5")), "Placed E5")
    does(near.click, "KeyPress near")
    for point, key, name in (
        ("C12", far, "far"), ("D12", near, "near"), ("C13", far, "far"), ("D13", near, "near"),
    ):  # fmt: skip
        does(lambda at=point: tap(at), f"Placed {point}")  # type: ignore[misc]
        does(key.click, f"KeyPress {name}")
    does(lambda: armed("Knock stones over", lambda: drag("B12", "F13")), "Scattered C12 C13 D12 D13")
    expect(table.locator("#status")).to_contain_text("The board differs from the record on", timeout=LIMIT_MS)
    does(table.locator("#key-arbiter").click, "KeyPress arbiter")
    does(lambda: table.locator("#call-far").click(), "KeyPress far-call")


BROKEN: list[dict[str, tuple[str, str]]] = [
    {
        "Dead sensor": ("C3", "C3"),
        "Stuck sensor": ("D4", "D4"),
        "Noisy sensor": ("E5", "E5"),
        "Dead row": ("F7", "B7"),
        "Dead column": ("N1", "N3"),
        "Near face silent": ("", "near face.*does not answer"),
        "Buzzer silent": ("", "buzzer.*does not answer"),
    },
    {"Scanner unplugged": ("", "scanner is unplugged"), "Bus hangs": ("", "the bus is stalled")},
    {"Clock without power": ("", "far face.*does not answer")},
    {"Bus adapter gone": ("", "its adapter was taken away")},
]
"""Faults at the same time: each, the point that is tapped for it, and what the arbiter's page says of it."""


def test_what_breaks_is_told_to_the_arbiter_until_it_is_whole_again(
    table: Page, page_for: Callable[[str], Page], place_of: PlaceOf, address: str
) -> None:
    desk = page_for("en-US")
    desk.goto(f"{address}/arbiter")
    faults = desk.locator("#faults")
    chips = table.locator("#broken button")
    table.locator("#tab-faults").click()
    for together in BROKEN:
        for name, (point, _) in together.items():
            table.get_by_role("button", name=name, exact=True).click()
            if point:
                table.mouse.click(*place_of(table, point))
        for _, sentence in together.values():
            expect(faults).to_contain_text(re.compile(sentence), timeout=LIMIT_MS)
        expect(chips).to_have_count(len(together) + (len(together) > 1))
        chips.last.click()
        expect(chips).to_have_count(0)
        for _, sentence in together.values():
            expect(faults).not_to_contain_text(re.compile(sentence), timeout=LIMIT_MS)
    desk.goto("about:blank")


def test_a_field_lost_frames_and_weak_magnets_are_told(
    table: Page, page_for: Callable[[str], Page], place_of: PlaceOf, address: str
) -> None:
    desk = page_for("en-US")
    desk.goto(f"{address}/arbiter")
    happened = desk.locator("#happened")
    table.locator("#tab-faults").click()

    def breaks(name: str) -> None:
        table.get_by_role("button", name=name).click()

    breaks("A magnet over the board")
    expect(happened).to_contain_text("outside magnetic field", timeout=LIMIT_MS)
    table.get_by_role("button", name="A magnet over the board", pressed=True).click()
    expect(table.locator("#broken button")).to_have_count(0)
    breaks("Lost frames")
    expect(happened).to_contain_text("readings lost", timeout=LIMIT_MS)
    breaks("Weak magnets in the bowls")
    table.mouse.click(*place_of(table, "K11"))
    expect(happened).to_contain_text(re.compile("K11.*weak magnet|weak magnet.*K11"), timeout=LIMIT_MS)
    table.get_by_role("button", name="Put all right").click()
    expect(table.locator("#broken button")).to_have_count(0)
    desk.goto("about:blank")


SGF = "(;GM[4]FF[4]SZ[15]PB[B]PW[W];B[hh];W[ig];B[jf];W[ii];B[gi];W[jh];B[fj])"


def test_a_game_is_loaded_stepped_through_and_played_to_its_end(table: Page) -> None:
    table.locator("#tab-game").click()
    title, progress, status = (table.locator(name) for name in ("#game-title", "#progress", "#status"))
    table.get_by_label("Paste a game").fill(SGF)
    table.get_by_role("button", name="Load it").click()
    expect(title).to_have_text("B – W")
    expect(progress).to_have_text("0 of 7 · H8")
    forth = table.get_by_role("button", name="Lay the next stone")
    back = table.get_by_role("button", name="Take the last stone back")
    for n, point in enumerate(("H8", "I9", "J10"), 1):
        forth.click()
        expect(status).to_contain_text(f"Move {n} · {point}", timeout=LIMIT_MS)
        expect(progress).to_contain_text(f"{n} of 7")
    back.click()
    expect(progress).to_have_text("2 of 7 · J10")
    expect(table.locator(".board g:not(.overlay) > .stone")).to_have_count(2)
    forth.click()
    expect(progress).to_have_text("3 of 7 · I7")
    table.get_by_label("Thinks for").fill("7")
    expect(table.locator("#pace-shown")).to_have_text("0.1 s")
    table.get_by_role("button", name="Play to the end").click()
    expect(progress).to_have_text("7 of 7", timeout=LIMIT_MS)
    expect(status).to_contain_text("Move 7 · F6", timeout=LIMIT_MS)
    table.get_by_role("button", name="Another game").click()
    table.get_by_label("Paste a game").fill("h8 i9 z3")
    table.get_by_role("button", name="Load it").click()
    expect(table.locator("#why")).to_contain_text("'z3' is not a point")
    table.get_by_label("Open a file").set_input_files(
        {"name": "two.txt", "mimeType": "text/plain", "buffer": b"h8 i9\na1 b2 c3\n"}
    )
    games = table.get_by_role("combobox", name="Game")
    expect(games.get_by_role("option")).to_have_text(["Game 1 · 2 moves", "Game 2 · 3 moves"])
    games.select_option("Game 2 · 3 moves")
    expect(progress).to_have_text("0 of 3 · A1")
    expect(table.locator("#unfit")).to_contain_text("Another game lies on the board.")
    expect(table.get_by_role("button", name="Play to the end")).to_be_disabled()
