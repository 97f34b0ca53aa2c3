"""Names that are markup are shown as they are written; none becomes a part of a page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

SCRIPT = '<img src=x onerror="window.owned=1">&lt;b&gt;\'"</text><script>owned=1</script>'
LINK = "javascript:owned=1//\u202e<svg onload=owned=1>"
OWNED = """() => [window.owned ?? null, document.querySelectorAll("[onerror], [onload], img[src='x']").length,
    [...document.scripts].filter((script) => !script.src).length]"""


@pytest.mark.parametrize(
    ("path", "shows"),
    [("/", True), ("/arbiter", True), ("/overlay?board=both", False), ("/table", False)],
)
def test_a_name_is_a_text_on_every_page(
    visit: Visit, stage: Any, new_game: Callable[..., Any], path: str, shows: bool
) -> None:
    players = {"black": {"name": SCRIPT, "seat": "near"}, "white": {"name": LINK, "seat": "far"}}
    stage.game = new_game("h8 i9 j7", players=players, event=SCRIPT, table="<b>3</b>", round=1)
    stage.secret = {**stage.secret, "faults": [SCRIPT], "notes": [LINK], "why": SCRIPT}
    page = visit(path)
    expect(page.locator("svg").first).to_be_visible()
    if shows:
        expect(page.get_by_text(SCRIPT).first).to_be_attached()
    stage.show(stage.game)
    stage.show({**stage.game, "moves": new_game("h8 i9 j7 g8")["moves"]})
    expect(page.locator("svg").first).to_be_visible()
    assert page.evaluate(OWNED) == [None, 0, 0]
