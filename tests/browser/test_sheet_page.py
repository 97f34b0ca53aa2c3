"""The page of the score sheet: it shows the copy that is chosen as a picture, and gives it as PNG."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.service.sheet_pages import Records
from tests.record.sample_sheets import record

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.fixture
def page(stage: Any, browser: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    shown = Records(record(120, audience="public"), record(120))
    monkeypatch.setattr(type(stage), "sheet_records", lambda _: shown, raising=False)
    page = browser.new_page(locale="zh-CN", accept_downloads=True)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"http://127.0.0.1:{stage.port}/arbiter/sheet")
    yield page
    page.close()
    assert complaints == []


def picture(page: Page) -> str:
    """What the canvas holds, as the text of a PNG; an empty page is a short one."""
    held: str = page.locator("#page").evaluate("(page) => page.toDataURL()")
    return held


def shows(page: Page, query: str) -> str:
    """Wait for a sheet and give its picture."""
    expect(page.locator("#page")).to_have_attribute("data-shows", f"/arbiter/sheet.svg?{query}")
    expect(page.locator("#why")).to_be_empty()
    return picture(page)


def test_each_copy_is_shown_as_a_picture_and_saved_as_png(page: Page, tmp_path: Path) -> None:
    mine = shows(page, "copy=arbiter&lang=zh&ranges=0")
    page.locator("#ranges").check()
    two = shows(page, "copy=arbiter&lang=zh&ranges=1")
    page.locator("#copy").select_option("blank")
    blank = shows(page, "copy=blank&lang=zh&ranges=1")
    assert len({mine, two, blank}) == 3
    assert min(map(len, (mine, two, blank))) > 40_000
    page.get_by_role("button", name="English").click()
    shows(page, "copy=blank&lang=en&ranges=1")
    expect(page.locator("#pdf")).to_have_attribute("href", "/arbiter/sheet.pdf?copy=blank&lang=en&ranges=1")
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG").click()
    assert saved.value.suggested_filename == "game-blank.png"
    saved.value.save_as(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
