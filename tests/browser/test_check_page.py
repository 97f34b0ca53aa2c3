"""The sensors' page in a real browser: readings, what is asked, what was found, in three languages."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.board import parse_point
from firmware_host.sensing.sensor_report import CAUSES
from firmware_host.service import check_screen

pytestmark = pytest.mark.browser

LOCALES = sorted((Path(check_screen.__file__).parents[1] / "locale").glob("*.json"))


def view(**other: Any) -> dict[str, Any]:
    """What the page is given, with stones' readings by name."""
    readings = [0.0] * 225
    for point, value in other.pop("stones", {}).items():
        readings[parse_point(point)] = value
    return {
        "sensors": "linear",
        "step": "stones",
        "readings": readings,
        "noise": [1.5] * 225,
        "seen": [],
        "asked": None,
        "colour": "",
        "findings": [],
        "frames_per_s": 199.6,
        **other,
    }


@pytest.fixture
def show(stage: Any) -> Callable[[dict[str, Any]], None]:
    """Give the page another picture."""

    def publish(shown: dict[str, Any]) -> None:
        stage.view = shown
        stage.call(stage.sensed.publish)

    return publish


def test_readings_become_stones(visit: Callable[..., Page], show: Callable[[dict[str, Any]], None]) -> None:
    show(view(stones={"A1": 92, "O15": -92, "H8": 40, "C3": 4, "D4": 1}))
    page = visit("/check")
    radius = {"A1": 11.2, "O15": 11.2, "H8": 4.9}
    for point, r in radius.items():
        cell = page.locator(".reading").nth(parse_point(point))
        assert float(cell.locator("circle").get_attribute("r") or 0) == pytest.approx(r, abs=0.1)
    assert page.locator(".reading.black").count() == 2
    assert page.locator(".reading.white").count() == 1
    expect(page.locator(".reading").nth(parse_point("O15")).locator("text")).to_have_text("-92")
    expect(page.locator(".reading").nth(parse_point("C3")).locator("text")).to_have_text("4")
    expect(page.locator(".reading").nth(parse_point("D4")).locator("text")).to_have_text("")
    expect(page.locator("#rate")).to_have_text("200 frames a second")
    show(view(step="done"))
    expect(page.locator("#step")).to_have_text("Done")
    assert page.locator(".reading.black").count() == 0


def test_what_is_asked_and_what_was_found(
    visit: Callable[..., Page], show: Callable[[dict[str, Any]], None]
) -> None:
    findings = [
        {"kind": "dead", "points": ["C4"], "lines": [], "fails": True},
        {"kind": "sense-swapped", "points": [], "lines": ["E", "F"], "fails": True},
        {"kind": "weak-sensor", "points": ["M13"], "lines": [], "fails": False},
    ]
    show(view(asked="H8", colour="black", findings=findings))
    page = visit("/check", locale="zh-CN")
    expect(page.locator("#asked")).to_have_text("请在H8放一枚黑子")
    expect(page.locator("#findings .where")).to_have_text(["C4", "E · F", "M13"])
    expect(page.locator("#findings .what")).to_have_text(["读数始终不变", "检测线接反", "对棋子的读数偏小"])
    assert page.locator("#findings .fails").count() == 2
    assert page.locator(".board .fault").count() == 31
    assert page.locator(".board .here").count() == 1
    page.locator("#languages button[lang=ja]").click()
    expect(page.locator("#asked")).to_have_text("H8に黒石を置いてください")
    page.locator("#languages button[lang=en]").click()
    expect(page.locator("#asked")).to_have_text("Lay a black stone on H8")


def test_a_point_tells_its_figures(
    visit: Callable[..., Page],
    show: Callable[[dict[str, Any]], None],
    place_of: Callable[[Page, str], tuple[float, float]],
) -> None:
    show(view(stones={"L12": 87.3}))
    page = visit("/check")
    page.mouse.click(*place_of(page, "L12"))
    expect(page.locator("#point")).to_have_text("L12: 87.3, noise 1.5")


def test_a_sweep_shows_what_is_left(
    visit: Callable[..., Page], show: Callable[[dict[str, Any]], None]
) -> None:
    show(view(step="sweep", seen=list(range(224))))
    page = visit("/check")
    expect(page.locator("#asked")).to_have_text("1 point to go")
    assert page.locator(".board .unseen").count() == 1


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (3840, 2160)])
def test_it_fits_any_screen(
    visit: Callable[..., Page], show: Callable[[dict[str, Any]], None], width: int, height: int
) -> None:
    findings = [{"kind": kind, "points": ["C4"], "lines": [], "fails": True} for kind in ("dead", "noisy")]
    show(view(asked="H8", colour="white", findings=findings))
    page = visit("/check", width, height)
    page.wait_for_selector("#findings .what")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator(".board").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_every_finding_and_step_has_its_words_in_every_language() -> None:
    assert len(LOCALES) == 3
    for path in LOCALES:
        words = json.loads(path.read_text(encoding="utf-8"))
        missing = [f"finding.{kind}" for kind in CAUSES if not words.get(f"finding.{kind}")]
        missing += [f"finding.{kind}.do" for kind in CAUSES if not words.get(f"finding.{kind}.do")]
        missing += [
            f"check.step.{step}" for step in check_screen.STEPS if not words.get(f"check.step.{step}")
        ]
        assert missing == [], path.name
        assert {key for key in words if key.startswith("finding.")} == {
            f"finding.{kind}{end}" for kind in CAUSES for end in ("", ".do")
        }
