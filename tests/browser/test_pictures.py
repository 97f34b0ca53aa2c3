"""A picture of every page, as phones and desks show it, in build/pictures: to be looked at.

What a test can see in them is held here: nothing hangs over the edge, no word is missing, nobody complains.
"""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_host.board import NAMES, parse_moves
from tests.demo_table import demo_table

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "build" / "pictures"
WORDS = json.loads((ROOT / "firmware_host" / "locale" / "en.json").read_text())
GAME = "h8h9h10g9f9g8f7g7g6g10g11j7i8h7k7i9"
"""The beginning of a game; its next move is pushed along the board."""

DEVICES: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
    "desk": {"viewport": {"width": 1440, "height": 900}},
}
PAGES = {
    "live": "/",
    "replay": "/",
    "overlay": "/overlay?show=both&numbers=last5",
    "table": "/table",
    "arbiter": "/arbiter",
    "new-game": "/arbiter/new",
    "sheet": "/arbiter/sheet",
    "check": "/check",
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One demo table for all."""
    settings = ("match.opening=free", "match.time=30m + 5x1m byo-yomi")
    with demo_table(tmp_path_factory.mktemp("pictures"), *settings) as address:
        yield address


def tell(page: Page, url: str, do: str, **fields: str) -> None:
    """Give an order to the daemon or the hand."""
    answer = page.request.post(url, data={"do": do, **fields})
    assert answer.ok, answer.text()


@pytest.fixture(scope="module")
def scene(browser: Browser, address: str) -> str:
    """The address, once a game has come to a slide that can be claimed."""
    page = browser.new_page()
    hand = partial(tell, page, f"{address}/sim/hand")
    for n, p in enumerate(parse_moves(GAME)):
        hand("place", point=NAMES[p], colour=("black", "white")[n % 2])
        hand("press", key=("near", "far")[n % 2])
    hand("place", point="J9", colour="black")
    hand("slide", **{"from": "J9", "to": "J10"})
    page.goto(f"{address}/arbiter")
    expect(page.locator("#claimable")).to_contain_text("J9")
    page.close()
    return address


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("device", DEVICES)
def test_every_page(browser: Browser, scene: str, device: str, language: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    locale = {"zh": "zh-CN", "en": "en-GB"}[language]
    context = browser.new_context(locale=locale, reduced_motion="reduce", **DEVICES[device])
    said: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"{page.url}: {error}"))
    page.on("request", lambda asked: asked.url.startswith(scene) or said.append(asked.url))
    for name, path in PAGES.items():
        page.goto(scene + path)
        expect(page.locator("html")).to_have_attribute("lang", re.compile(language))
        if name not in ("new-game", "sheet", "check"):
            expect(page.locator(".stone").nth(len(GAME) // 3)).to_be_visible()
        if name == "replay":
            for _ in range(5):
                page.keyboard.press("ArrowLeft")
        page.wait_for_load_state("networkidle" if name in ("new-game", "sheet") else "load")
        page.screenshot(path=PICTURES / f"{name}-{device}-{language}.png", omit_background=name == "overlay")
        wide, text = page.evaluate("[document.documentElement.scrollWidth, document.body.innerText]")
        assert wide <= DEVICES[device]["viewport"]["width"], f"{name} is wider than a {device}"
        missing = [word for word in re.findall(r"[a-z]+(?:\.[a-z_-]+)+", text) if word in WORDS]
        assert not missing, f"{name} shows keys in place of words"
    context.close()
    assert said == []
