import re
import tomllib
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from firmware_host.cli import main
from firmware_host.service.config import Config, load_config
from hw import gpio_scanner
from hw.devices import PINS
from tests.hardware_pages import parts, wiring
from tests.hardware_pages.pages import DRAWINGS, MARKED, TABLES, filled
from tests.hardware_pages.sheet import LETTER, PITCH, Sheet
from tests.hardware_pages.wiring import DOCS, ROOT

PAGES = sorted(DOCS.glob("*.md"))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
TOML = re.compile(r"^( *)```toml\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def drawn(sheet: Sheet) -> ElementTree.Element:
    return ElementTree.fromstring(sheet.svg())  # noqa: S314 - it is our own


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", text(path)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_up_to_date(name: str) -> None:
    """`python -m tests.hardware_pages` draws it anew."""
    assert text(DOCS / name) == DRAWINGS[name]().svg()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_tables_of_a_page_are_up_to_date(path: Path) -> None:
    """`python -m tests.hardware_pages` fills them anew."""
    assert text(path) == filled(text(path))


def test_every_table_and_every_drawing_is_on_a_page() -> None:
    everything = "".join(text(path) for path in PAGES)
    assert {found[1] for found in MARKED.findall(everything)} == set(TABLES)
    assert {name for name in DRAWINGS if f"]({name})" in everything} == set(DRAWINGS)
    assert {path.name for path in DOCS.glob("*.svg")} == set(DRAWINGS)


@pytest.mark.parametrize(
    "path", [*PAGES, ROOT / "README.md"], ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_links_lead_somewhere(path: Path) -> None:
    for link in LINK.findall(FENCED.sub("", text(path))):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_the_first_page_leads_to_all_others_and_the_readme_leads_to_it() -> None:
    first = text(DOCS / "README.md")
    assert not [path.name for path in PAGES if path.name != "README.md" and f"]({path.name}" not in first]
    assert "](hw/docs/README.md)" in text(ROOT / "README.md")


def test_lines_are_no_longer_than_those_of_other_pages() -> None:
    long = [
        f"{path.name}: {line}"
        for path in PAGES
        for line in text(path).splitlines()
        if len(line) > 125 and not line.startswith("|")
    ]
    assert not long


def test_no_pin_of_the_header_is_used_twice() -> None:
    """But for the piezo, which nobody needs who has the other buzzer."""
    clock = [*wiring.BUS_1, *wiring.key_pins().values(), wiring.CLOCK.piezo_pin]
    assert max(Counter(clock).values()) == 1
    board = set(wiring.gpio_pins())
    assert len(board) == 19
    assert board & set(clock) == {wiring.CLOCK.piezo_pin}
    assert "A piezo and a `gpio` board meet at one pin" in text(DOCS / "wiring.md")
    for pins in wiring.BUS_3.values():
        assert not set(pins) & set(clock)


def test_numbers_of_pins_are_those_of_the_parts() -> None:
    assert sorted(wiring.HEADER) == list(range(28))
    assert sorted([*wiring.HEADER.values(), *wiring.SUPPLIES]) == list(range(1, 41))
    for chip in (wiring.DECODER, wiring.MULTIPLEXER, wiring.EXPANDER):
        assert sorted(chip.values()) == list(range(1, 25))
    assert len(set(wiring.PICO.values())) == len(wiring.PICO)


def test_the_drivers_have_the_pins_of_the_configuration() -> None:
    assert wiring.GPIO.select == gpio_scanner.SELECT_PINS
    assert wiring.GPIO.sense == gpio_scanner.SENSE_PINS
    keys = msgspec.to_builtins(wiring.KEYS)
    assert {key: keys[key.replace("-", "_")] for key in PINS} == PINS


def test_the_firmware_has_pins_that_a_pico_has() -> None:
    first, sense, leave = wiring.firmware_pins()
    used = [*range(first, first + 8), sense, leave]
    assert len(set(used)) == 10
    assert set(used) <= set(wiring.PICO)
    assert sense in (26, 27, 28)


def snippets() -> list[tuple[str, str]]:
    found = []
    for path in PAGES:
        for indent, body in TOML.findall(text(path)):
            found.append((path.name, re.sub(f"^{indent}", "", body, flags=re.MULTILINE)))
    return found


@pytest.mark.parametrize(("page", "toml"), snippets())
def test_a_configuration_on_a_page_is_one(page: str, toml: str, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(toml, encoding="utf-8")
    assert load_config(path, ()) != Config()
    assert tomllib.loads(toml)


def test_settings_and_commands_on_the_pages_exist() -> None:
    sections = {name: set(value) for name, value in msgspec.to_builtins(Config()).items()}
    for path in PAGES:
        page = text(path)
        for section, key in re.findall(r"`([a-z0-9_]+)\.([a-z0-9_]+)(?: = [^`]*)?`", page):
            if section in sections:
                assert key in sections[section], f"{path.name}: {section}.{key}"
        for command in re.findall(r"`renju-board ([a-z]+)", page):
            assert command in main.commands, f"{path.name}: {command}"


@pytest.mark.parametrize("name", DRAWINGS)
def test_nothing_of_a_drawing_lies_outside(name: str) -> None:
    sheet = DRAWINGS[name]()
    for element in drawn(sheet).iter("{http://www.w3.org/2000/svg}text"):
        x, y, size = (float(element.attrib[key]) for key in ("x", "y", "font-size"))
        width = LETTER * size * len(element.text or "")
        left = (
            x - {"start": 0.0, "middle": 0.5, "end": 1.0}[element.attrib.get("text-anchor", "start")] * width
        )
        assert left >= 0, element.text
        assert left + width <= sheet.width, element.text
        assert size < y < sheet.height - 4, element.text


def test_a_chip_gives_the_points_of_its_pins() -> None:
    sheet = Sheet(200, 200, "a chip")
    chip = sheet.chip(50, 50, 100, "U1", left=("A", "", "B"), right=("C",))
    assert chip["A"][0] < 50 < 150 < chip["C"][0]
    assert chip["B"][1] - chip["A"][1] == 2 * PITCH
    assert set(chip) == {"A", "B", "C"}
    drawn(sheet)


def test_words_are_escaped() -> None:
    sheet = Sheet(100, 100, "a < b")
    assert drawn(sheet).attrib["aria-label"] == "a < b"


def test_sums_are_those_of_their_parts() -> None:
    assert parts.total("clock") == pytest.approx(2 * 18 + 9 + 4 + 2 * 5 + 3 + 15)
    sensors = parts.LOADS["serial"][0]
    assert parts.amperes_at_5v(sensors) == pytest.approx(1.35 * 3.3 / 5 / 0.88)
    assert parts.amperes_at_5v(parts.LOADS["pi"][0]) == pytest.approx(1.3)
    assert [part.number for part in parts.BILLS["serial"][:2]] == [225, 16]
