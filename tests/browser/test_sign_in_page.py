"""The PIN before the arbiter's page, in a real browser."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

PIN = "4711"
OPERATOR = "1122 33"


@pytest.fixture
def locked(new_stage: Callable[..., Any]) -> Iterator[Any]:
    """A stage of its own, behind PINs."""
    stage = new_stage(PIN, "112233")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = stage.serve(listening)
        yield stage
        stage.stop()
        thread.join(60)
        assert not thread.is_alive()


def test_the_pin_is_asked_for_once_and_opens_the_page(page_for: Callable[[str], Page], locked: Any) -> None:
    page = page_for("en-GB")
    page.goto(f"http://127.0.0.1:{locked.port}/arbiter")
    field = page.get_by_label("PIN of this table")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("type", "password")
    page.keyboard.type("0000")
    page.keyboard.press("Enter")
    expect(page.locator("#why")).to_have_text("This is not the PIN.")
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


def test_an_operator_comes_to_the_devices_and_to_no_decision(
    page_for: Callable[[str], Page], locked: Any
) -> None:
    page = page_for("en-GB")
    home = f"http://127.0.0.1:{locked.port}"
    page.goto(f"{home}/arbiter")
    page.get_by_label("PIN of this table").fill(OPERATOR)
    page.keyboard.press("Enter")
    page.wait_for_url("**/check")
    expect(page.locator("#parts")).to_have_text("All parts work")
    expect(page.get_by_text("None. Touch a point to mask its sensor.")).to_be_visible()
    locked.view = {
        "sensors": "linear", "step": "watch", "readings": [0.0] * 225, "noise": [1.5] * 225, "seen": [],
        "asked": None, "colour": "", "findings": [], "frames_per_s": 200.0,
    }  # fmt: skip
    locked.call(locked.sensed.publish)
    expect(page.locator("#rate")).to_have_text("200 frames a second")
    box = page.locator(".board").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("button", name="Mask ").click()
    expect(page.locator("#refused")).to_have_text("the game is over")
    locked.secret["masked"] = ("C4",)
    page.get_by_role("button", name="Unmask C4").click()
    page.get_by_role("button", name="Restart the board").click()
    expect(page.get_by_role("dialog")).to_contain_text("its clocks stand until the arbiter resumes them")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Restart the board").click()
    with page.expect_response("**/devices/restart"):
        page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert [each["do"] for each in locked.done] == ["mask", "unmask", "restart"]
    page.get_by_role("button", name="Measure the empty board").click()
    expect(page.get_by_role("dialog")).to_contain_text("Clear the board first.")
    with page.expect_response("**/devices/measure"):
        page.get_by_role("button", name="Yes").click()
    assert [each["do"] for each in locked.done[3:]] == ["restart"]
    assert {each.get("by", "organiser") for each in locked.done} == {"organiser"}
    page.goto(f"{home}/arbiter")
    expect(page.locator("#who")).to_have_text("You are signed in as an operator. This page is the arbiter's.")
    page.get_by_role("link", name="Your page").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("PIN of this table")).to_be_visible()
    page.goto("about:blank")


@pytest.mark.parametrize(
    ("locale", "line"),
    [
        ("en-GB", "This connection is not encrypted: others on the same network could read along."),
        ("zh-CN", "此连接未加密：同一网络中的其他人可能看到内容。"),
        ("ja-JP", "この接続は暗号化されていません。同じネットワークの他の人に内容が見えることがあります。"),
    ],
)
def test_in_the_clear_over_a_network_the_page_says_so(
    page_for: Callable[[str], Page], locked: Any, locale: str, line: str
) -> None:
    """A name that is not this machine's own is the network, whatever carries it."""
    page = page_for(locale)
    page.goto(f"http://board.localhost:{locked.port}/arbiter")
    expect(page.locator("#door")).to_have_text(line)
    page.locator("#pin").fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#status")).not_to_be_empty()
    expect(page.locator("#door")).to_have_text(line)
    page.goto(f"http://127.0.0.1:{locked.port}/arbiter")
    page.locator("#pin").fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#status")).not_to_be_empty()
    expect(page.locator("#door")).to_be_empty()
    page.context.clear_cookies()
    page.goto("about:blank")
