"""Pages keep to their own policy: nothing inline, nothing from elsewhere, no text taken for markup."""

import re
from html.parser import HTMLParser
from importlib import resources

import pytest
from defusedxml.ElementTree import fromstring
from msgspec.structs import replace

from firmware_host.record.cross_table import cross_table
from firmware_host.record.cross_table_page import to_html
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.svg import to_svg
from firmware_host.service.sheets import LANGUAGES, pages_of

WEB = resources.files("firmware_host").joinpath("web")
FILES = sorted(entry.name for entry in WEB.iterdir())
NASTY = "<img src=x onerror=a()>&lt;'\"</text>]]>\x00\x1b[2J"
TAKES_MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    r"|createContextualFragment|setHTMLUnsafe"
)


class Inline(HTMLParser):
    """Collects what the policy would stop."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if (tag == "script" and not named.get("src")) or tag in (
            "style",
            "iframe",
            "object",
            "embed",
            "base",
        ):
            self.found.append(tag)
        self.found += [f"{tag} {name}" for name in named if name == "style" or name.startswith("on")]
        for name in ("src", "href", "action"):
            if re.match(r"\s*(?:[a-z]+:|//)", named.get(name) or "", re.IGNORECASE):
                self.found.append(f"{tag} {name}={named[name]}")


def inline(text: str) -> list[str]:
    parser = Inline()
    parser.feed(text)
    return parser.found


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".html")])
def test_a_page_has_nothing_inline_and_nothing_from_elsewhere(name: str) -> None:
    assert inline(WEB.joinpath(name).read_text("utf-8")) == []


def test_what_is_inline_is_found() -> None:
    text = '<script>a()</script><p style="x" onclick="a()"><a href="//elsewhere.example">x</a><style>'
    assert inline(text) == ["script", "p style", "p onclick", "a href=//elsewhere.example", "style"]


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js")])
def test_no_script_takes_a_text_for_markup(name: str) -> None:
    assert TAKES_MARKUP.findall(WEB.joinpath(name).read_text("utf-8")) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_and_cross_tables_show_a_name_as_a_text(language: str) -> None:
    nasty = Person(name=NASTY, federation=NASTY, title=NASTY)
    header = Header(first=nasty, second=replace(nasty, id="2"), event=NASTY, place=NASTY, round=1)
    record = GameRecord(header=header)
    for page in pages_of(record, language=language):
        tags = {element.tag.rpartition("}")[2] for element in fromstring(to_svg(page)).iter()}
        assert "img" not in tags
        assert "script" not in tags
    assert "<img" not in to_html(cross_table([record]), language)
