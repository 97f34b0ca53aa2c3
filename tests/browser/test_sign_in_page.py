"""The PIN before the arbiter's page, in a real browser."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

PIN = "4711"


@pytest.fixture
def locked(new_stage: Callable[[str], Any]) -> Iterator[Any]:
    """A stage of its own, behind a PIN."""
    stage = new_stage(PIN)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = stage.serve(listening)
        yield stage
        stage.stop()
        thread.join(10)
        assert not thread.is_alive()


def test_the_pin_is_asked_for_once_and_opens_the_page(page_for: Callable[[str], Page], locked: Any) -> None:
    page = page_for("en-GB")
    page.goto(f"http://127.0.0.1:{locked.port}/arbiter")
    field = page.get_by_label("PIN of this table")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("type", "password")
    page.keyboard.type("0000")
    page.keyboard.press("Enter")
    expect(page.locator("#why")).to_have_text("This is not the arbiter's PIN.")
    field.fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#status")).to_have_text("The game has not begun")
    page.reload()
    expect(page.locator("#status")).to_have_text("The game has not begun")
    assert page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#why")).to_have_text("the game is over")
    assert locked.done == [{"do": "start"}]
    page.get_by_role("button", name="Sign out").click()
    expect(field).to_be_visible()
    page.goto("about:blank")


def test_a_session_that_has_ended_brings_the_pin_back(page_for: Callable[[str], Page], locked: Any) -> None:
    page = page_for("en-GB")
    page.goto(f"http://127.0.0.1:{locked.port}/arbiter")
    page.get_by_label("PIN of this table").fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("The game has not begun")
    page.context.clear_cookies()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("PIN of this table")).to_be_visible()
    assert locked.done == []
    page.goto("about:blank")
