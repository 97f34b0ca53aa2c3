"""The overlay for a picture of the hall, in a real browser."""

import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
NewGame = Callable[..., Any]


def corner_alpha(png: bytes) -> int:
    """The alpha of the upper left pixel, which no filter of a first line changes, of 8 bits of RGBA."""
    assert png[24:26] == b"\x08\x06"
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return zlib.decompress(data)[4]


@pytest.mark.parametrize(
    ("show", "width", "height"),
    [("both", 1280, 720), ("both", 400, 700), ("board", 600, 500), ("clocks", 960, 90), ("clocks", 300, 400)],
)
def test_there_is_nothing_behind_it_and_all_of_it_is_in_the_frame(
    visit: Visit, stage: Any, new_game: NewGame, show: str, width: int, height: int
) -> None:
    stage.game = new_game("h8 i9 j7")
    page = visit(f"/overlay?show={show}", width=width, height=height)
    page.wait_for_selector("body[data-phase=playing]")
    assert corner_alpha(page.screenshot(omit_background=True)) == 0
    parts = [page.locator(name) for name in ("#board", "#black", "#white")]
    assert [part.is_visible() for part in parts] == [show != "clocks", show != "board", show != "board"]
    for part in page.locator(".board, .plate, .plate time, .plate .name").all():
        box = part.bounding_box() if part.is_visible() else None
        if box:
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= width + 0.5
            assert box["y"] + box["height"] <= height + 0.5
    expect(page.locator("#told")).to_be_empty()
    assert page.locator("button, a, input, select").count() == 0


def test_the_newest_are_numbered_as_asked_and_clocks_run(visit: Visit, stage: Any, new_game: NewGame) -> None:
    shown = new_game("h8 i9 j7")
    shown["clock"]["running"] = "white"
    shown["clock"]["white"]["remaining_ms"] = 9000
    stage.game = shown
    page = visit("/overlay?numbers=last2&board=1")
    expect(page.locator(".stone .number")).to_have_text(["2", "3"])
    expect(page.locator("#white")).to_have_class("player running")
    tenths = page.locator("#white .tenths")
    first = tenths.text_content() or ""
    expect(tenths).not_to_have_text(first)
    stage.show(new_game("h8 i9 j7 i7"))
    expect(page.locator(".stone .number")).to_have_text(["3", "4"])
    expect(page.locator(".stone.arrives .number")).to_have_text("4")


def test_what_is_wrong_with_its_address_is_told_and_the_usual_is_shown(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9 j7")
    page = visit("/overlay?numbers=last999&show=<b>&lang=fr&nubmers=1&board=7")
    expect(page.locator("#told li")).to_have_text(
        [
            "nubmers is no parameter of this overlay; there are: board, lang, numbers, show",
            "lang = fr is not possible: zh, en, ja. Shown is en",
            "numbers = last999 is not possible: all, none, last1 … last225. Shown is all",
            "show = <b> is not possible: both, board, clocks. Shown is both",
            "Table 7 is not here; this is table 1",
        ]
    )
    expect(page.locator(".stone .number")).to_have_text(["1", "2", "3"])


def test_it_comes_back_by_itself_and_speaks_the_language_asked_for(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8")
    page = visit("/overlay?lang=zh")
    expect(page.locator("#black .name")).to_have_text("黑方")
    page.evaluate("""() => {
        window.was = [];
        const keep = () => window.was.push(document.body.className);
        new MutationObserver(keep).observe(document.body, { attributeFilter: ["class"] });
    }""")
    stage.game = new_game("h8 i9")
    stage.call(stage.drop_followers)
    expect(page.locator(".stone")).to_have_count(2)
    expect(page.locator("body")).to_have_class("overlay")
    assert "overlay unlinked" in page.evaluate("window.was")
