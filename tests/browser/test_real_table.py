"""The pages before the real daemon: what a hand does in one is what the other shows."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

RUN = "from firmware_host.cli import main; main()"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A demo table on a free port."""
    command = [
        sys.executable,
        "-c",
        RUN,
        "demo",
        "--set",
        "web.port=0",
        "--set",
        f"journal.path={tmp_path / 'j'}",
    ]
    command += ["--set", "match.opening=free"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        found = re.search(r"http://\S+(?=/)", daemon.stdout.readline())
        assert found
        yield found[0]
        daemon.send_signal(signal.SIGTERM)
        daemon.stdout.read()
        assert daemon.wait(10) == 0


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
        table.locator(f"#key-{('near', 'far')[n % 2]}").click()
    expect(live.locator(".stone .number")).to_have_text([str(n + 1) for n in range(8)])
    expect(live.locator("#black")).to_have_class("player running")
    assert table.locator("#face-far .lit").count() > 8
    table.mouse.click(*place_of(table, "J8"))
    expect(live.locator("#outcome")).to_have_text("黑胜")
    expect(live.locator(".five")).to_have_count(1)
    for page in (table, live):
        page.goto("about:blank")
