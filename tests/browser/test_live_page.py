"""The live board in a real browser."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
OPENING = {"code": "I7", "zh": "浦月", "ja": "浦月", "romaji": "Hogetsu"}
CLOCK: dict[str, Any] = {
    "running": "white",
    "shared": False,
    "black": {
        "remaining_ms": 421_000,
        "periods_left": None,
        "byo_yomi": False,
        "to_make": None,
        "text": "7:01",
    },
    "white": {
        "remaining_ms": 872_400,
        "periods_left": None,
        "byo_yomi": False,
        "to_make": None,
        "text": "14:33",
    },
}


def test_the_board_has_the_proportions_of_the_real_one(visit: Visit) -> None:
    page = visit()
    boxes = page.locator(".board .coordinates text").evaluate_all(
        "all => all.map(e => { const b = e.getBoundingClientRect();"
        " return [e.textContent, b.x + b.width / 2, b.y + b.height / 2]; })"
    )
    at = {name: (x, y) for name, x, y in boxes}
    across = at["O"][0] - at["A"][0]
    along = at["1"][1] - at["15"][1]
    assert across / along == pytest.approx(24 / 25, abs=0.002)
    assert [name for name, _, _ in boxes if name.isalpha()] == list("ABCDEFGHIJKLMNO")


@pytest.mark.parametrize("path", ["/", "/table", "/arbiter"])
def test_a_phone_never_scrolls_sideways(
    visit: Visit, stage: Any, new_game: Callable[..., Any], path: str
) -> None:
    names = {"black": {"name": "长" * 60, "seat": "near"}, "white": {"name": "W" * 200, "seat": "far"}}
    stage.game = new_game("h8 i9 j7", opening=OPENING, players=names, clock=CLOCK)
    page = visit(path, width=360, height=640)
    expect(page.locator(".board .stone, #key-near .disc").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_moves_numbers_and_the_newest_are_shown(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8 i9 j7 i7", opening=OPENING, clock=CLOCK)
    page = visit()
    expect(page.locator(".stone .number")).to_have_text(["1", "2", "3", "4"])
    expect(page.locator(".stone:has(.last) .number")).to_have_text("4")
    expect(page.locator("#opening")).to_have_text("Hogetsu  I7")
    expect(page.locator("#move")).to_have_text("Move 4 · I7")


def test_the_running_clock_runs_and_the_other_stands(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8 i9 j7", clock={**CLOCK, "white": {**CLOCK["white"], "remaining_ms": 9_000}})
    page = visit()
    white = page.locator("#white .tenths")
    expect(page.locator("#white")).to_have_class("player running")
    expect(white).to_have_text(re.compile(r"\.\d"))
    tenths = {white.text_content()}
    while len(tenths) < 4:
        expect(white).not_to_have_text(re.compile("|".join(map(re.escape, tenths))))
        tenths.add(white.text_content())
    assert page.locator("#black time").text_content() == "07:01"


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (1024, 768), (390, 844), (1920, 1080)])
def test_the_last_tenths_are_on_the_screen_and_the_time_keeps_its_place(
    visit: Visit, stage: Any, new_game: Callable[..., Any], width: int, height: int
) -> None:
    stage.game = new_game("h8 i9 j7", clock=CLOCK | {"running": None})
    page = visit(width=width, height=height)
    expect(page.locator("#white time")).to_have_text("14:33")
    before = page.locator("#white .time").bounding_box()
    last = CLOCK["white"] | {"remaining_ms": 8_800}
    stage.show(new_game("h8 i9 j7", clock=CLOCK | {"running": None, "white": last}))
    expect(page.locator("#white .tenths")).to_have_text(".8")
    assert before is not None
    assert (page.locator("#white .time").bounding_box() or {})["height"] == pytest.approx(
        before["height"], abs=1
    )
    for part in page.locator("#white .time > *").all():
        box = part.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width


def test_a_clock_that_runs_for_an_absent_player_is_said_and_a_finished_game_has_no_turn(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game(phase="opening", clock=CLOCK)
    page = visit()
    expect(page.locator("#move")).to_have_text("Black to move · White's clock runs")
    lost = {"winner": "black", "black": 1, "white": 0, "reason": "absence", "line": []}
    stage.show(new_game(phase="over", to_move=None, result=lost, clock=CLOCK | {"running": None}))
    expect(page.locator("#outcome")).to_have_text("Black wins")
    expect(page.locator("#move")).to_be_empty()


def test_moves_to_make_and_byo_yomi_stand_beside_the_name(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    black = CLOCK["black"] | {"to_make": 39, "periods_left": 3}
    stage.game = new_game("h8", clock=CLOCK | {"black": black, "shared": True, "running": "white"})
    page = visit()
    expect(page.locator("#black .periods")).to_have_text("39 moves to make · 3 × byo-yomi")
    expect(page.locator("#white .periods")).to_have_text("")
    expect(page.locator("#black time")).to_have_text(
        re.compile(r"0[0-6]:\d\d")
    )  # the shared limit runs for both


def test_names_are_text_on_one_line(visit: Visit, stage: Any, new_game: Callable[..., Any]) -> None:
    names = {
        "black": {"name": "<img src=x onerror=alert(1)>\n&lt;b&gt;", "seat": "near"},
        "white": {"name": "长" * 60, "seat": "far"},
    }
    stage.game = new_game("h8", players=names)
    page = visit()
    expect(page.locator("#black .name")).to_have_text("<img src=x onerror=alert(1)> &lt;b&gt;")
    assert page.locator("img").count() == 0
    assert page.locator("#white .name").evaluate("e => e.clientHeight") < 60
    assert page.locator("#white .name").evaluate("e => e.scrollWidth > e.clientWidth")


def test_offers_are_lettered_until_one_is_left(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8 i9 i7 g9", offers=["J9", "F10"], phase="opening")
    page = visit()
    expect(page.locator(".stone.offer .number")).to_have_text(["A", "B"])
    stage.show(new_game("h8 i9 i7 g9 f10 e5"))
    expect(page.locator(".stone.offer")).to_have_count(0)
    expect(page.locator(".stone")).to_have_count(6)


def test_the_result_stands_beside_its_five(visit: Visit, stage: Any, new_game: Callable[..., Any]) -> None:
    line = ["I6", "I7", "I8", "I9", "I10"]
    over = {"winner": "black", "black": 1, "white": 0, "reason": "five", "line": line}
    stage.game = new_game("i6 a1 i7 a2 i8 a4 i9 a5 i10", phase="over", to_move=None, result=over)
    page = visit(locale="zh-CN")
    expect(page.locator("#outcome")).to_have_text("黑胜")
    expect(page.locator("#reason")).to_have_text("五连")
    expect(page.locator(".score")).to_have_text(["0", "1"])
    five = page.locator(".five").bounding_box()
    stones = page.locator(".stone.black .body").evaluate_all(
        "all => all.map(e => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.right, b.bottom]; })"
    )
    assert five is not None
    assert all(five["x"] <= x and five["y"] <= y for x, y, _, _ in stones)
    assert all(r <= five["x"] + five["width"] and b <= five["y"] + five["height"] for _, _, r, b in stones)


def test_the_reader_chooses_the_language_and_keeps_it(visit: Visit, stage: Any) -> None:
    page = visit(locale="fr-FR")
    expect(page.locator("#move")).to_have_text("The game has not begun")
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("#move")).to_have_text("対局開始前")
    page.reload()
    expect(page.locator("#move")).to_have_text("対局開始前")


def test_a_lost_connection_is_said_and_taken_up_where_it_ended(
    visit: Visit, stage: Any, new_game: Callable[..., Any]
) -> None:
    stage.game = new_game("h8")
    page = visit()
    expect(page.locator(".stone")).to_have_count(1)
    stage.show(new_game("h8 i9"))
    expect(page.locator(".stone")).to_have_count(2)
    last_id = stage.public.last_id
    page.evaluate("""() => {
        window.was = [];
        const link = document.querySelector("#link");
        new MutationObserver(() => window.was.push(link.textContent)).observe(link, { childList: true });
    }""")
    stage.game = new_game("h8 i9 j7")
    with page.expect_request("**/events?alive=1") as again:
        stage.call(stage.drop_followers)
        expect(page.locator(".stone")).to_have_count(3)
    expect(page.locator("#link")).to_be_empty()
    assert "No connection to the board. Trying again." in page.evaluate("window.was")
    assert again.value.all_headers()["last-event-id"] == str(last_id)


def test_clock_texts_agree_with_the_faces(visit: Visit) -> None:
    """Rounded up, tenths below ten seconds, noughts only when the time is out."""
    page = visit()
    texts = page.evaluate(
        """async () => {
            const { formatLeft } = await import("/web/clocks.js");
            return [3723001, 900000, 899001, 60000, 10000, 9901, 9900, 9801, 1, 0, -5].map(
                (ms) => { const { text, tenths } = formatLeft(ms); return text + tenths; });
        }"""
    )
    assert " ".join(texts) == ("1:02:04 15:00 15:00 01:00 00:10 00:10 00:09.9 00:09.9 00:00.1 00:00 00:00")


def test_offer_letters_never_repeat(visit: Visit) -> None:
    page = visit()
    letters = page.evaluate(
        """async () => {
            const { offerLetter } = await import("/web/words.js");
            return Array.from({ length: 221 }, (_, i) => offerLetter(i));
        }"""
    )
    assert letters[:3] + letters[25:28] == ["A", "B", "C", "Z", "AA", "AB"]
    assert len(set(letters)) == 221
    assert all(len(a) <= len(b) for a, b in pairwise(letters))
