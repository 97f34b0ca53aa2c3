"""Every command has its control on the arbiter's page, and is sent by it as the vocabulary wants it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, get_args

import pytest
from playwright.sync_api import Locator, Page, expect

from firmware_host.referee.commands import COMMANDS, DECISIONS, parse_command
from firmware_host.referee.decisions import DECIDING
from firmware_host.referee.irregular import (
    AT_ANY_TIME,
    CLAIM_CODES,
    FORBIDDEN,
    IRREGULAR,
    LOSS,
)
from firmware_host.referee.phases import ORDERS
from firmware_host.referee.rulings import AnyRuling
from tests.browser.contrast import CONTRAST
from tests.browser.steps import step

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
NewGame = Callable[..., dict[str, Any]]

NAMED = {"code": "slide", "point": "F5"}
WHITE_CLAIMS = {"side": "white", "code": "slide", "point": "F5", "stands": True}
SLIDE = {
    "code": "slide", "kind": None, "side": "black", "n": 7, "point": "F5", "rest": "F6", "article": "6.1.5",
    "remedy": IRREGULAR["slide"].remedy, "by": "white", "until": IRREGULAR["slide"].until,
}  # fmt: skip
DIFFERS = [{"point": "A1", "record": None, "seen": "white"}]
DECIDED = {
    "entry": 3, "do": "penalty", "by": "chief", "side": "white", "what": "time", "reason": "noise",
    "undoes": None,
}  # fmt: skip

OFF = {"why": "restart", "away_ms": 151_000}
LEFT = {
    "remaining_ms": 60_000,
    "used_ms": 0,
    "periods_left": 0,
    "byo_yomi": False,
    "to_make": None,
    "text": "1:00",
}
SHARED = {"running": "black", "shared": True, "black": LEFT, "white": LEFT}


@dataclass(frozen=True)
class Row:
    """A phase, where the button is, its words, what the fields of its group hold, and what is sent.

    `sure`: whether it is asked once more. `nth`: which of the buttons of that name, Black's before White's.
    """

    sends: dict[str, Any]
    button: str
    group: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    phase: str = "playing"
    secret: dict[str, Any] = field(default_factory=dict)
    sure: bool = False
    nth: int = 0
    moves: str = "h8 i9 i8 j9 g8 k9"


def now(do: str, button: str, phase: str = "playing", **more: Any) -> Row:
    """A button above the forms."""
    return Row({"do": do, **more.pop("also", {})}, button, phase=phase, **more)


ROWS = [
    now("start", "Start the game", "waiting"),
    now("start", "Start without White", "waiting", also={"absent": "white"}),
    now("start", "Same settings again", "over"),
    now("pause", "Stop the clocks"),
    now("resume", "Go on", "paused", secret={"why": "arbiter", "may_resume": True}),
    now("accept_board", "Accept the board as it is", "restoring", secret={"differences": DIFFERS}),
    now(
        "opening", "Declare", "opening", also={"offers": 4}, fields={"#declare input": "4"},
        secret={"offers_range": [1, 12], "step": step("designated", 2)},
    ),
    now(
        "keep", "White keeps the colour", "opening", also={"side": "white"},
        secret={"step": step("designated", 1)},
    ),
    now("swap", "White swaps colours", "opening", also={"side": "white"},
        secret={"step": step("designated", 1)}),
    now(
        "choose", "White adds two stones", "opening", also={"side": "white", "branch": "add"},
        secret={"step": step("swap2", 1)},
    ),
    now("charge", "White pays 02:31", "paused", also={"side": "white"}, secret=OFF),
    now("charge", "Each pays half of 02:31", "restoring", secret=OFF),
    now("arrive", "White is here now", also={"side": "white"}, secret={"absent": ["white"]}),
    now("uphold", "Uphold", "paused", also=NAMED,
        secret={"why": "claim", "claim": WHITE_CLAIMS, "claimable": [SLIDE]}),
    now("reject", "Reject", "paused", also=NAMED, secret={"why": "claim", "claim": WHITE_CLAIMS}),
    now(
        "reject", "Reject", "paused", also={**NAMED, "ms": 90_000}, fields={"#cost input": "1:30"},
        secret={"why": "claim", "claim": WHITE_CLAIMS, "wrong_claim": "time"},
    ),
    now(
        "uphold", "Uphold", "paused", sure=True, also={"code": "five"},
        secret={"why": "claim", "claim": WHITE_CLAIMS | {"code": "five", "point": None}},
    ),
    *(
        Row({"do": do, "code": "slide", "point": "F5"}, do.capitalize(), "claimable",
            secret={"claimable": [SLIDE]})
        for do in ("uphold", "reject", "waive")
    ),
    Row(
        {"do": "uphold", "code": "slide", "point": "F5"}, "Uphold", "claimable", sure=True,
        secret={"claimable": [SLIDE | {"remedy": LOSS}]},
    ),
    Row({"do": "compensate", "entry": 3}, "Undo", "decisions",
        secret={"decisions": [DECIDED], "undoable": [3]}),
    Row({"do": "claim", "side": "white", "code": "wrong-hand"}, "Claim", "claim",
        {"code": "wrong-hand"}, nth=1),
    Row(
        {"do": "claim", "side": "white", "code": "drop", "point": "H8"}, "Claim", "claim",
        {"code": "drop", "point": "h8"}, nth=1,
    ),
    Row({"do": "pass", "side": "black"}, "Passes", "players"),
    Row({"do": "draw", "side": "black", "answer": "offer"}, "Offers a draw", "players"),
    Row(
        {"do": "draw", "side": "black", "answer": "accept"}, "Accepts the draw", "players", sure=True,
        secret={"draw_offer": "white"},
    ),
    Row(
        {"do": "draw", "side": "black", "answer": "refuse"}, "Refuses the draw", "players",
        secret={"draw_offer": "white"},
    ),
    Row({"do": "call", "side": "black"}, "Calls the arbiter", "players"),
    Row({"do": "arrive", "side": "white"}, "Is here now", "players",
        secret={"absent": ["white"]}),
    Row({"do": "resign", "side": "black"}, "Resigns", "players", sure=True),
    Row({"do": "left", "side": "black"}, "Has left the game", "players", sure=True),
    Row({"do": "moved", "decision": "back"}, "Put back", "moved"),
    Row(
        {"do": "moved", "decision": "stands", "side": "white", "kind": "accident", "reason": "sleeve"},
        "Let stand", "moved", {"side": "white", "kind": "accident", "reason": "sleeve"},
    ),
    Row({"do": "moved", "decision": "draw"}, "Draw", "moved", sure=True),
    Row({"do": "moved", "decision": "replay"}, "Play the game again", "moved", sure=True),
    Row(
        {"do": "moved", "decision": "loss", "side": "white", "kind": "purpose"}, "Loss", "moved",
        {"side": "white", "kind": "purpose"}, sure=True,
    ),
    Row({"do": "place", "colour": "black", "point": "O15"}, "Black stone", "hand", {"point": "o15"}),
    Row({"do": "place", "colour": "white", "point": "A1"}, "White stone", "hand", {"point": "A1"}),
    Row({"do": "remove", "point": "A1"}, "Take the stone away", "hand", {"point": "A1"}),
    Row({"do": "mask", "point": "A1"}, "Mask the sensor", "hand", {"point": "A1"}),
    Row(
        {"do": "unmask", "point": "A1"}, "Trust the sensor again", "hand", {"point": "A1"},
        secret={"masked": ["A1"]},
    ),
    Row({"do": "restore"}, "Compare again", "hand"),
    Row({"do": "accept_board"}, "Accept the board as it is", "hand"),
    Row(
        {"do": "set_clock", "side": "black", "ms": 3_723_000, "reason": "new clock"},
        "Set the time left to this", "clock", {"ms": "1:02:03", "reason": "new clock"},
    ),
    Row(
        {"do": "set_used", "side": "black", "ms": 720_000, "reason": "it stood still"},
        "Set the time used to this", "clock", {"ms": "12:00", "reason": "it stood still"},
    ),
    Row({"do": "add_time", "side": "black", "ms": 90_000}, "Give time", "clock",
        {"ms": "1:30"}),
    Row(
        {"do": "split", "reason": "slow"}, "Split the shared time", "clock", {"reason": "slow"},
        secret={"clock": SHARED},
    ),
    Row({"do": "add_time", "side": "black", "ms": -5000}, "Take time", "clock",
        {"ms": "0:05"}),
    Row({"do": "violation", "side": "white", "reason": "noise"}, "Violation", "penalty",
        {"reason": "noise"}, nth=1),
    Row(
        {"do": "penalty", "kind": "time", "side": "white", "ms": 60_000}, "Take time", "penalty",
        {"ms": "1:00"}, nth=1,
    ),
    Row({"do": "penalty", "kind": "loss", "side": "white"}, "Loss", "penalty", nth=1, sure=True),
    Row(
        {"do": "penalty", "kind": "disqualification", "side": "white"}, "Disqualification", "penalty",
        nth=1, phase="over", sure=True,
    ),
    Row({"do": "result", "black": 1, "white": 0}, "Black wins 1 : 0", "result", sure=True),
    Row({"do": "result", "black": 0.5, "white": 0.5}, "Draw ½ : ½", "result", sure=True),
    Row({"do": "result", "black": 0, "white": 1}, "White wins 0 : 1", "result", sure=True),
    Row(
        {"do": "result", "black": 0, "white": 0, "reason": "both late"}, "Both lose 0 : 0", "result",
        {"reason": "both late"}, sure=True,
    ),
    Row({"do": "colours", "decision": "restart"}, "Wrong colours: begin again", "result", phase="waiting"),
    Row({"do": "colours", "decision": "restart"}, "Wrong colours: begin again", "result", sure=True,
        moves="h8 i9 i8"),
    Row({"do": "colours", "decision": "stands"}, "Wrong colours: the game stands", "result"),
    Row(
        {"do": "note", "text": "appeal", "side": "white"}, "Note it", "notes",
        {"text": "appeal", "side": "white"},
        phase="over",
    ),
    Row(
        {"do": "note", "text": "Appeal: the five", "side": "white"}, "Note an appeal", "notes",
        {"text": "the five", "side": "white"},
    ),
    Row({"do": "adjourn"}, "Adjourn", "notes"),
    Row({"do": "finish"}, "Everything is done", "notes", phase="over"),
]  # fmt: skip


def test_the_rows_hold_every_command_and_every_decision() -> None:
    assert {row.sends["do"] for row in ROWS} == set(COMMANDS)
    for (do, name), words in DECISIONS.items():
        sent = {row.sends.get(name) for row in ROWS if row.sends["do"] == do}
        left = set(words) - sent - ({"violation"} if do == "penalty" else {"outside"})
        assert left == set(), (do, name)
    for row in ROWS:
        parse_command(row.sends, 0)


def opened(page: Page, group: str) -> Locator:
    """A group of the page, unfolded."""
    if group == "claimable":
        return page.locator("#claimable")
    names = {"": "#orders, #answers, #settle, #choices", "decisions": "#decisions"}
    found = page.locator(names.get(group, f"#group-{group}"))
    if group and found.get_attribute("open") is None:
        found.locator("summary").click()
    return found


def fill(page: Page, row: Row) -> None:
    """Put the row's values into its fields, and nothing into the others."""
    for each in (
        page.locator(f"#group-{row.group} input, #group-{row.group} select").all() if row.group else []
    ):
        if each.evaluate("element => element.value && !(element.value = '')"):
            each.dispatch_event("input")
    for name, value in row.fields.items():
        where = page.locator(name if name.startswith("#") else f"#{row.group}-{name}")
        if where.evaluate("element => element.tagName") == "SELECT":
            where.select_option(value)
        else:
            where.fill(value)


@pytest.mark.parametrize("group", sorted({row.group for row in ROWS}))
def test_each_control_sends_its_command_and_shows_the_answer(
    visit: Visit, stage: Any, new_game: NewGame, group: str
) -> None:
    page = visit("/arbiter")
    for n, row in enumerate(ROWS):
        if row.group != group:
            continue
        stage.clear()
        stage.answer = f"answer {n}"
        stage.secret |= row.secret
        stage.show(new_game(row.moves if row.phase != "waiting" else "", phase=row.phase))
        place = opened(page, row.group)
        button = place.get_by_role("button", name=row.button, exact=True).nth(row.nth)
        expect(button).to_be_visible()
        fill(page, row)
        says = button.locator("small")
        title = (says.inner_text() if says.count() else button.get_attribute("title")) or ""
        assert re.fullmatch(r"(?!writes\.)[^…]+", title), (row, title)
        button.click()
        if row.sure:
            expect(page.locator("#sure-what")).to_contain_text("over" if row.group == "claimable" else title)
            assert stage.done == []
            page.locator("#sure-yes").click()
        expect(page.locator("#why")).to_have_text(stage.answer)
        assert stage.done == [row.sends]


def test_no_form_offers_what_the_phase_does_not_allow(visit: Visit, stage: Any, new_game: NewGame) -> None:
    stage.secret |= {"step": step("designated", 1), "masked": ["A1"], "absent": ["black", "white"]}
    page = visit("/arbiter")
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    forms = [row for row in ROWS if row.group not in ("", "claimable", "decisions")]
    moves = ""
    for n, phase in enumerate(("waiting", "opening", "playing", "paused", "restoring", "over")):
        stage.show(new_game(moves, phase=phase))
        expect(page.locator(".stone")).to_have_count(n)
        moves += f" {'hi'[n % 2]}{n + 1}"
        shown = page.locator("#groups").evaluate(
            """groups => [...groups.querySelectorAll(".orders button")].filter((one) => one.checkVisibility())
              .map((one) => one.closest("details").id + " " + one.getAttribute("aria-label"))"""
        )
        inside = {"opening": "playing", "paused": "stopped", "restoring": "stopped"}.get(phase, phase)
        for row in forms:
            allowed = inside in ORDERS[row.sends["do"]].phases
            assert allowed or f"group-{row.group} {row.button}" not in shown, (phase, row)
        assert "group-notes Note it" in shown


def test_without_a_time_limit_there_are_no_forms_about_time(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    words = {"en": "no time limit"}
    settings = {"opening": "free", "time": "none", "time_words": words, "forbidden": "claim"}
    stage.game = new_game("h8 i9", settings=settings)
    page = visit("/arbiter")
    expect(page.locator("#group-penalty")).to_be_visible()
    expect(page.locator("#group-clock")).to_be_hidden()
    opened(page, "penalty")
    shown = page.locator("#group-penalty button .label:visible")
    expect(shown).to_have_text(["Violation", "Loss", "Disqualification"] * 2)
    expect(page.locator("#penalty-ms, #group-penalty .quick")).to_have_count(2)
    assert not page.locator("#penalty-ms, #group-penalty .quick button").filter(visible=True).count()


def test_what_a_form_needs_is_asked_for_at_its_field(visit: Visit, stage: Any, new_game: NewGame) -> None:
    stage.game = new_game("h8 i9")
    page = visit("/arbiter")
    clock = opened(page, "clock")
    give = clock.get_by_role("button", name="Give time").nth(1)
    for wrong in ("", "soon", "90", "1:75"):
        page.locator("#clock-ms").fill(wrong)
        give.click()
        expect(page.locator("#clock-ms")).to_be_focused()
    hand = opened(page, "hand")
    for wrong in ("", "P1", "A16", "H"):
        page.locator("#hand-point").fill(wrong)
        hand.get_by_role("button", name="Black stone").click()
        expect(page.locator("#hand-point")).to_be_focused()
    assert stage.done == []
    page.locator("#clock-ms").fill("1:30")
    give.click()
    expect(page.locator("#why")).not_to_be_empty()
    assert stage.done == [{"do": "add_time", "side": "white", "ms": 90_000}]


def test_a_click_on_the_board_names_the_point(
    visit: Visit, stage: Any, new_game: NewGame, place_of: Callable[[Page, str], tuple[float, float]]
) -> None:
    stage.game = new_game("h8 i9")
    page = visit("/arbiter")
    expect(page.locator(".stone")).to_have_count(2)
    page.mouse.click(*place_of(page, "L4"))
    expect(page.locator("#hand-point")).to_have_value("L4")
    page.get_by_role("button", name="Black stone").click()
    expect(page.locator("#why")).not_to_be_empty()
    assert stage.done == [{"do": "place", "colour": "black", "point": "L4"}]


def test_who_gives_an_order_is_said_with_it_and_a_loss_is_the_chiefs(
    visit: Visit, stage: Any, new_game: NewGame
) -> None:
    stage.game = new_game("h8 i9")
    page = visit("/arbiter")
    penalty = opened(page, "penalty")
    loss = penalty.get_by_role("button", name="Loss").nth(1)
    loss.click()
    expect(page.locator("#sure-whose")).to_contain_text("chief arbiter's to decide")
    page.get_by_role("button", name="Cancel").click()
    assert stage.done == []
    loss.click()
    page.get_by_role("button", name="The chief arbiter has decided so").click()
    expect(page.locator("#why")).not_to_be_empty()
    assert stage.done.pop() == {"do": "penalty", "kind": "loss", "side": "white", "by": "chief"}
    stage.answer = "another answer"
    loss.click()
    page.get_by_role("button", name="Enter it without that").click()
    expect(page.locator("#why")).to_have_text("another answer")
    assert stage.done.pop() == {"do": "penalty", "kind": "loss", "side": "white"}
    stage.answer = "a third answer"
    page.get_by_label("I am").select_option("chief")
    loss.click()
    expect(page.locator("#sure-signed")).to_be_hidden()
    expect(page.locator("#sure-whose")).to_have_text("")
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.locator("#why")).to_have_text("a third answer")
    assert stage.done == [{"do": "penalty", "kind": "loss", "side": "white", "by": "chief"}]
    page.reload()
    expect(page.get_by_label("I am")).to_have_value("chief")
    opened(page, "penalty").get_by_role("button", name="Disqualification").first.click()
    expect(page.locator("#sure-whose")).to_contain_text("the organiser's approval, in writing")
    page.keyboard.press("Escape")
    expect(page.locator("#sure")).to_be_hidden()


def test_it_can_be_done_without_a_mouse(visit: Visit, stage: Any, new_game: NewGame) -> None:
    stage.game = new_game("h8 i9")
    page = visit("/arbiter")
    page.locator("#group-notes summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("White speaks to a spectator")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#why")).not_to_be_empty()
    assert stage.done == [{"do": "note", "text": "White speaks to a spectator"}]
    page.locator("#group-players summary").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Resigns").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#sure")).to_be_hidden()
    assert len(stage.done) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_can_be_read_and_nothing_is_wider_than_a_phone(
    visit: Visit, stage: Any, new_game: NewGame, scheme: Any
) -> None:
    stage.game = new_game("h8 i9 i8 j9 g8 k9")
    away = [
        {"point": "I9", "record": "white", "seen": None},
        {"point": "I8", "record": "black", "seen": None},
    ]
    stage.secret |= {
        "claimable": [SLIDE], "differences": [*DIFFERS, *away], "decisions": [DECIDED], "undoable": [3],
        "draw_offer": "white", "violations": {"black": 0, "white": 1}, "masked": ["C3"],
        "happened": [
            SLIDE | {"ruling": "irregular", "t_ns": 0}, {"ruling": "told", "code": "late", "t_ns": 1},
        ],
    }  # fmt: skip
    page = visit("/arbiter", width=390, height=844)
    page.emulate_media(color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    opened(page, "notes").get_by_role("button", name="Adjourn").click()
    expect(page.locator("#why")).not_to_be_empty()
    opened(page, "penalty").get_by_role("button", name="Loss").first.click()
    expect(page.locator("#sure")).to_be_visible()
    texts, faults = page.evaluate(CONTRAST)
    assert texts > 100
    assert faults == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    unnamed = "[...document.querySelectorAll('input, select')].filter((each) => !each.labels.length).length"
    assert page.evaluate(unnamed) == 0
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="light")


@pytest.mark.parametrize(("locale", "claim"), [("zh-CN", "指出"), ("ja-JP", "指摘する")])
def test_the_page_speaks_the_readers_language(
    visit: Visit, stage: Any, new_game: NewGame, locale: str, claim: str
) -> None:
    stage.game = new_game("h8 i9 i8 j9 g8 k9")
    told: list[dict[str, Any]] = [
        {"ruling": "penalty", "side": "white", "kind": kind, "reason": kind}
        for kind in DECISIONS["penalty", "kind"]
    ]
    change = {"ruling": "clock-set", "side": "white", "added_ms": -90_000, "remaining_ms": 5000}
    reasons = (
        "set_clock", "set_used", "add_time", "late", "split", "restart", "penalty", "wrong claim",
        "clock-first", "colours", "replay", "decision 3 undone",
    )  # fmt: skip
    told += [change | {"reason": reason} for reason in reasons]
    told += [
        {"ruling": "draw", "side": "white", "answer": answer} for answer in ("offer", "accept", "refuse")
    ]
    told += [{"ruling": "swap", "black_seat": "far"}, {"ruling": "restarted", "why": "undone"}]
    told += [{"ruling": "differs", "why": "seen"}]
    stage.secret |= {"claimable": [SLIDE], "decisions": [DECIDED], "happened": told}
    page = visit("/arbiter", locale=locale)
    expect(page.locator("#happened li")).to_have_count(len(told))
    assert "Renju" not in page.title()
    for line in page.locator("#happened li, #decisions li").all_text_contents():
        assert not re.search("[a-z]", line.replace("noise", "")), line
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    expect(page.locator("#group-claim .label").first).to_have_text(claim)
    text = page.locator("main, dialog").all_text_contents()
    titles = page.locator("[title]").evaluate_all("all => all.map((each) => each.title)")
    for words in (*text, *titles):
        assert "order." not in words
        assert "writes." not in words
        assert "field." not in words
    page.locator("#claim-code").select_option("slide")
    page.get_by_role("button", name="English").click()
    expect(page.locator("#group-claim .label").first).to_have_text("Claim")
    expect(page.locator("#claim-code")).to_have_value("slide")


def test_the_catalogue_has_words_for_all_that_the_page_can_be_told(visit: Visit, stage: Any) -> None:
    english = set(json.loads(resources.files("firmware_host").joinpath("locale/en.json").read_text("utf-8")))
    rows = [*IRREGULAR.values(), FORBIDDEN]
    said = {row.remedy for row in rows} | {row.until for row in rows} | {LOSS, AT_ANY_TIME}
    tags = {ruling.__struct_config__.tag for ruling in get_args(AnyRuling)}
    assert {f"said.{words}" for words in said} <= english
    assert {f"told.{tag}" for tag in tags - {"told"}} <= english
    assert {f"did.{do}" for do in DECIDING} <= english
    page = visit("/arbiter")
    options = page.locator("#claim-code option").evaluate_all("all => all.map((each) => each.value)")
    assert sorted(filter(None, options)) == sorted(CLAIM_CODES)
    groups = ("irregular", "forbidden", "claim")
    for code in CLAIM_CODES:
        assert english & {f"{group}.{code}" for group in groups}, code
