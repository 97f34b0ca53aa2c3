"""The score sheet: what is on it for whom, where it lies, and the sheets that are kept."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from firmware_host.board import BLACK, NAMES, parse_point
from firmware_host.record.drawing import Box, Circle, Drawing, Line, Text, text_width
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.sheet import draw_pages, draw_sheet
from firmware_host.record.sheet_board import Diagram, draw_stones, letter
from firmware_host.record.sheet_facts import MOST_PAGES
from firmware_host.record.sheet_list import GRIDS, time_text
from firmware_host.record.svg import to_svg
from firmware_host.referee.rulings import AnyRuling, Audience, Paused, Pressed, Resumed
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.sheets import LANGUAGES
from tests.arbitrary import any_of
from tests.record.sample_sheets import FOLDER, HASH, header, kept, points, record, rulings, sheet


def texts(drawing: Drawing) -> list[str]:
    return [command.text for command in drawing.commands if isinstance(command, Text)]


def whole(drawing: Drawing) -> str:
    return "\n".join(texts(drawing))


@pytest.mark.parametrize("name", list(kept()))
def test_the_kept_sheets_are_what_is_drawn(name: str) -> None:
    """`python -m tests.record.sample_sheets` draws them anew; look at them then."""
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == to_svg(kept()[name])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moves", [0, 9, 60, 61, 120, 121, 225])
def test_every_move_is_on_the_list_and_on_the_diagram(moves: int, language: str) -> None:
    drawing = draw_sheet(record(moves, language), sheet(language))
    said = texts(drawing)
    for n, name in enumerate(points(moves), 1):
        stone = 0 if n == 42 else 1
        assert said.count(str(n)) >= 1 + stone, n
        if stone:
            assert name in said or f"{name}*" in said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ranges", [False, True])
@pytest.mark.parametrize("moves", [9, 60, 120, 225])
def test_nothing_leaves_the_page(moves: int, ranges: bool, language: str) -> None:
    drawing = draw_sheet(record(moves, language), sheet(language, ranges=ranges))
    assert_on_the_page(drawing)


def assert_on_the_page(drawing: Drawing) -> None:
    for command in drawing.commands:
        match command:
            case Text():
                wide = text_width(command.text, command.size)
                left = command.x - {"start": 0, "middle": wide / 2, "end": wide}[command.anchor]
                assert left > 12, command
                assert left + wide < 198, command
                assert 10 < command.y < 291, command
            case Line():
                assert 12 < min(command.x1, command.x2) <= max(command.x1, command.x2) < 198
            case Circle() | Box():
                assert 12 < command.x < 198
                assert 10 < command.y < 291


def test_the_diagram_has_the_proportions_of_the_board() -> None:
    diagram = Diagram(x=10, y=20, pitch=7.2)
    (left, low), (right, high) = diagram.at(parse_point("A1")), diagram.at(parse_point("O15"))
    assert (right - left) / (low - high) == pytest.approx(24 / 25)


@pytest.mark.parametrize("grid", GRIDS)
def test_three_digits_fit_a_stone(grid: object) -> None:
    pitch = grid.pitch
    diagram = Diagram(x=0, y=0, pitch=pitch)
    stones = list(draw_stones(diagram, record(225)))
    radius = min(command.r for command in stones if isinstance(command, Circle))
    for command in stones:
        if isinstance(command, Text) and command.text.isdigit():
            half, up = text_width(command.text, command.size) / 2, command.size * 0.714 / 2
            assert (half**2 + up**2) ** 0.5 < radius


def test_black_is_filled_and_white_is_open() -> None:
    diagram = Diagram(x=0, y=0, pitch=7)
    black, one, white, two = list(draw_stones(diagram, record(2)))
    assert isinstance(black, Circle)
    assert isinstance(white, Circle)
    assert isinstance(one, Text)
    assert isinstance(two, Text)
    assert (black.fill, one.colour) == ("#1a1a1a", "#ffffff")
    assert (white.fill, two.colour) == ("#ffffff", "#1a1a1a")


def test_only_offers_that_did_not_stay_are_dashed() -> None:
    drawing = draw_sheet(record(9), sheet())
    dashed = [c for c in drawing.commands if isinstance(c, Circle) and c.dashed]
    assert len(dashed) == 1
    assert "a J11, b F9" in texts(drawing)
    assert "stayed: b F9" in texts(drawing)
    assert [letter(i) for i in (0, 25, 26, 27, 51, 52)] == ["a", "z", "aa", "ab", "az", "ba"]


def test_two_diagrams_part_the_numbers() -> None:
    drawing = draw_sheet(record(225), sheet(ranges=True))
    assert {"Moves 1 to 100", "Moves 101 to 225"} <= set(texts(drawing))
    stones = [c for c in drawing.commands if isinstance(c, Circle) and not c.dashed and c.r > 2]
    assert len(stones) == 2 + 99 + 224
    one = draw_sheet(record(60), sheet(ranges=True))
    assert one == draw_sheet(record(60), sheet())


def test_what_the_arbiter_sees() -> None:
    said = whole(draw_sheet(record(9), sheet()))
    for words in ("Arbiter's copy", "SECRET-REASON", "SECRET-CLOCK", "double three", "pushed along", HASH):
        assert words in said


@pytest.mark.parametrize("audience", ["players", "public"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_other_copies_hold_no_secret(audience: Audience, language: str) -> None:
    """Even of findings that are known by now nothing is on them."""
    said = to_svg(draw_sheet(record(37, language, audience), sheet(language)))
    for words in ("SECRET", "三三", "三々", "double three", "推盘", "滑らせ", "pushed", "penalt", "处罚"):
        assert words not in said


@given(st.lists(any_of(AnyRuling), max_size=12))
@settings(max_examples=60)
def test_a_copy_differs_only_by_its_audiences_record(rulings: list[AnyRuling]) -> None:
    """The players' sheet of a whole game is that of the rulings which players may know."""
    for_players = [ruling for ruling in rulings if ruling.audience != "arbiter"]
    told, all_told = (
        GameRecord.new(Header(), MatchSettings(), "players").fold_all(each) for each in (for_players, rulings)
    )
    drawing = draw_sheet(all_told, sheet())
    assert drawing == draw_sheet(told, sheet())
    assert to_svg(drawing) == to_svg(draw_sheet(told, sheet()))


@given(st.text(max_size=300), st.text(max_size=300))
@settings(max_examples=60)
def test_names_of_any_length_and_letters_have_room(name: str, event: str) -> None:
    person = Person(name=name, title=name, federation=name, id=name)
    head = Header(first=person, second=person, event=event, place=name, arbiter=name, date=event, table=event)
    assert_on_the_page(draw_sheet(GameRecord(header=head), sheet("zh")))


def test_much_that_was_irregular_is_counted() -> None:
    base = record(9)
    many = changed(base, penalties=base.penalties * 60)
    for ranges, moves in ((False, base), (True, record(225))):
        drawing = draw_sheet(changed(moves, penalties=many.penalties), sheet(ranges=ranges))
        assert_on_the_page(drawing)
        assert sum("lines more in the record" in text for text in texts(drawing)) == 1


@pytest.mark.parametrize("ranges", [False, True])
def test_what_has_no_room_follows_on_pages_of_its_own(ranges: bool) -> None:
    base = record(225)
    (one,) = draw_pages(base, sheet(ranges=ranges))
    assert one == draw_sheet(base, sheet(ranges=ranges))
    reasons = [f"reason {n}." for n in range(300)]
    many = changed(base, penalties=tuple(changed(base.penalties[0], reason=reason) for reason in reasons))
    first, *more = draw_pages(many, sheet(ranges=ranges))
    assert first == draw_sheet(many, sheet(ranges=ranges))
    said = "\n".join(map(whole, more))
    assert [reason for reason in reasons if reason not in said] == []
    assert "lines more" not in said
    for page in more:
        assert_on_the_page(page)
        assert {"Example Open", "Player One", "Arbiter's copy", "Arbiter, signature"} <= set(texts(page))


def test_the_pages_have_an_end() -> None:
    base = record(9)
    _, *more = draw_pages(changed(base, penalties=base.penalties * 9_000), sheet())
    assert len(more) == MOST_PAGES
    assert ["lines more in the record" in whole(page) for page in more] == [False] * 19 + [True]


def test_a_blank_sheet_has_sixty_numbers_and_no_names() -> None:
    said = texts(draw_sheet(GameRecord(), sheet(blank=True)))
    assert {str(n) for n in range(1, 61)} <= set(said)
    assert not any("copy" in text or HASH in text for text in said)


def test_times_are_rounded_as_on_the_faces() -> None:
    assert time_text(None) == ""
    assert (time_text(59_999), time_text(59_001, up=True)) == ("0:59", "1:00")
    assert time_text(3_661_000) == "1:01:01"


def test_points_of_the_sample_are_all_different() -> None:
    assert sorted(points(225)) == sorted(NAMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_adjournments_are_on_the_arbiters_sheet_alone(language: str) -> None:
    words = sheet(language).words
    told: list[AnyRuling] = []
    for ruling in rulings(9)[:-1]:
        told.append(ruling)
        if isinstance(ruling, Pressed) and ruling.n in (4, 9):
            told.append(Paused(t_ns=ruling.t_ns + 1, why="adjourned"))
            if ruling.n == 4:
                told.append(Resumed(t_ns=ruling.t_ns + 2, running=BLACK))
    for audience in ("arbiter", "players", "public"):
        new = GameRecord.new(header(language), MatchSettings(time="15m"), audience)
        said = texts(draw_sheet(new.fold_all(told), sheet(language)))
        shown = [words["sheet.adjourned"], words["sheet.after"].format(n=4)]
        shown.append(words["sheet.and"].join((words["sheet.after"].format(n=9), words["sheet.waiting"])))
        assert [text in said for text in shown] == [audience == "arbiter"] * 3


@pytest.mark.parametrize("audience", ["players", "public"])
def test_the_hash_of_a_running_game_is_on_the_arbiters_sheet_alone(audience: Audience) -> None:
    running = changed(record(9), result=None)
    assert HASH in whole(draw_sheet(running, sheet()))
    assert HASH not in whole(draw_sheet(changed(running, audience=audience), sheet()))
    assert HASH in whole(draw_sheet(record(9, audience=audience), sheet()))
