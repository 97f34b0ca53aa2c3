"""The files of the pages, and the words that they need."""

import json
import re
from importlib import resources
from typing import get_args

import pytest

from firmware_host.referee.irregular import IRREGULAR
from firmware_host.referee.rulings import ForbiddenKind, Reason
from firmware_host.referee.settings import CHOICES
from tests.service.web_table import Table, ask


def test_a_page_that_a_browser_has_already_is_not_sent_again() -> None:
    first = ask(Table(), "GET", "/web/board.js")
    assert first.headers["cache-control"] == "no-cache"
    again = ask(Table(), "GET", "/web/board.js", headers={"If-None-Match": f'"x", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/web/../service/web.py", "/web/%2e%2e/cli.py", "/web/index.html", "/locale/"]
)
def test_nothing_but_the_pages_files_is_served(path: str) -> None:
    assert ask(Table(), "GET", path).status_code == 404


def test_the_catalogues_have_the_same_keys_and_blanks_and_the_pages_know_no_other() -> None:
    root = resources.files("firmware_host")
    catalogues = {
        tag: json.loads(root.joinpath(f"locale/{tag}.json").read_text("utf-8")) for tag in ("zh", "en", "ja")
    }
    blanks = {
        tag: {key: sorted(re.findall(r"\{\w+\}", words)) for key, words in catalogue.items()}
        for tag, catalogue in catalogues.items()
    }
    assert blanks["zh"] == blanks["en"] == blanks["ja"]
    used: set[str] = set()
    for entry in root.joinpath("web").iterdir():
        text = entry.read_text("utf-8")
        used |= set(re.findall(r'\bt\(\s*"([^"]+)"', text))
        used |= set(re.findall(r'data-t(?:-label)?="([^"]+)"', text))
    assert used
    assert used <= set(catalogues["en"])


def test_every_word_that_a_snapshot_can_hold_has_a_translation() -> None:
    english = json.loads(resources.files("firmware_host").joinpath("locale/en.json").read_text("utf-8"))
    wanted = {
        *(f"procedure.{name}" for name in CHOICES["opening"]),
        *(f"reason.{reason}" for reason in get_args(Reason)),
        *(f"forbidden.{kind}" for kind in get_args(ForbiddenKind)),
        *(f"irregular.{code}" for code in IRREGULAR),
    }
    assert wanted <= set(english)
