"""A real board over TLS in a real browser: the warning, the way there from the clear, the sign-in."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from firmware_host.service.pins import save
from tests.daemon_process import Daemon

pytestmark = pytest.mark.browser

PIN = "48217735"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[tuple[Daemon, str, str]]:
    """A daemon with a certificate of its own: its address over TLS, and its fingerprint."""
    save(tmp_path / "pins.json", "arbiter", PIN)
    daemon = Daemon(tmp_path, "web.tls=self-signed", "web.tls_port=0")
    said = ""
    assert daemon.process.stdout is not None
    while "\njournal" not in said:
        line = daemon.process.stdout.readline()
        assert line, said
        said += line
    secure, fingerprint = re.findall(r"https://\S+(?=/arbiter)|(?<=SHA-256 )\S+", said)
    yield daemon, secure, fingerprint
    daemon.kill()


@pytest.fixture
def careless(browser: Browser) -> Iterator[Page]:
    """A page of somebody who goes on past the warning."""
    page = browser.new_page(locale="en-GB", ignore_https_errors=True)
    yield page
    page.context.close()


def test_the_browser_warns_then_the_arbiter_signs_in_over_tls(
    board: tuple[Daemon, str, str], browser: Browser, careless: Page
) -> None:
    daemon, secure, fingerprint = board
    stranger = browser.new_page()
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        stranger.goto(f"{secure}/arbiter")
    stranger.context.close()

    page = careless
    page.goto(f"http://board.localhost:{daemon.port}/")  # a spectator stays in the clear
    assert page.url.startswith("http://")
    page.goto(f"http://board.localhost:{daemon.port}/arbiter")  # who is not this machine's own name is not
    assert page.url == f"https://board.localhost:{secure.rpartition(':')[2]}/arbiter"
    line = f"Encrypted. Certificate SHA-256 {fingerprint}"
    expect(page.locator("#door")).to_have_text(line)
    page.locator("#pin").fill("4821 7735")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).not_to_be_empty()
    expect(page.locator("#door")).to_have_text(line)
    (cookie,) = page.context.cookies()
    assert cookie["name"].startswith("__Host-arbiter-")
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Strict")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#pin")).to_be_visible()
    assert page.context.cookies() == []
