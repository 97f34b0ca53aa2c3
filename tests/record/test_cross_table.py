"""Cross tables: who met whom, with which colour, for how much, in every way in which an event is untidy."""

import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_host.board import BLACK, WHITE
from firmware_host.record.cross_table import CrossTable, Line, cross_table
from firmware_host.record.cross_table_page import LANGUAGES, WORDS, points_text, to_csv, to_html
from firmware_host.record.game import Choice, GameRecord, Result
from firmware_host.record.header import Header, Person
from firmware_host.referee.rulings import Reason
from tests.record.arbitrary_records import HEADERS, RESULTS

ANNA, BO, CY = Person(name="Anna", id="1"), Person(name="Bo", id="2"), Person(name="Cy")
NOBODY = Person()


def game(
    first: Person,
    second: Person,
    black: float | None,
    white: float = 0.0,
    *,
    round: int | None = 1,  # noqa: A002
    reason: Reason = "five",
    table: str = "1",
) -> GameRecord:
    header = Header(first=first, second=second, round=round, table=table, event="Open")
    if black is None:
        return GameRecord(header=header)
    winner = BLACK if black > white else WHITE if white > black else None
    result = Result(t_ns=0, winner=winner, black=black, white=white, reason=reason)
    return GameRecord(header=header, result=result)


def line(table: CrossTable, name: str) -> Line:
    return next(line for line in table.lines if line.person.name == name)


def met(table: CrossTable, name: str) -> list[list[str]]:
    """`Bo b1` by round."""
    return [
        [
            f"{'bye' if e.opponent is None else table.lines[e.opponent].person.name} {e.colour[0]}"
            f"{'*' if e.score is None else points_text(e.score)}{'!' if e.forfeit else ''}"
            for e in mets
        ]
        for mets in line(table, name).rounds
    ]


def test_players_by_rounds_with_colours_and_points() -> None:
    table = cross_table(
        [
            game(ANNA, BO, 1),
            game(CY, ANNA, 0.5, 0.5, round=2),
            game(BO, CY, 0, 1, round=3),
        ]
    )
    assert (table.event, table.rounds, table.games, table.sums) == ("Open", (1, 2, 3), 3, (1, 1, 1))
    assert [(x.person.name, x.points, x.place, x.last_place) for x in table.lines] == [
        ("Anna", 1.5, 1, 2),
        ("Cy", 1.5, 1, 2),
        ("Bo", 0, 3, 3),
    ]
    assert met(table, "Anna") == [["Bo b1"], ["Cy w½"], []]
    assert met(table, "Bo") == [["Anna w0"], [], ["Cy b0"]]
    anna = line(table, "Anna")
    assert (anna.games, anna.wins, anna.draws, anna.losses) == (2, 1, 1, 0)


def test_after_a_swap_the_points_are_those_of_who_holds_the_colour_then() -> None:
    swapped = replace(game(ANNA, BO, 1), choices=(Choice(t_ns=0, after=3, swap=True),))
    table = cross_table([swapped])
    assert met(table, "Bo") == [["Anna b1"]]
    assert met(table, "Anna") == [["Bo w0"]]


def test_the_same_players_twice_in_a_round_and_over_again() -> None:
    table = cross_table(
        [game(ANNA, BO, 1), game(BO, ANNA, 0.5, 0.5, table="2"), game(ANNA, BO, 0, 1, round=2)]
    )
    assert met(table, "Anna") == [["Bo b1", "Bo w½"], ["Bo b0"]]
    assert [(x.points, x.games) for x in table.lines] == [(1.5, 3), (1.5, 3)]


def test_forfeits_byes_double_forfeits_and_games_that_are_not_over() -> None:
    table = cross_table(
        [
            game(ANNA, BO, 1, reason="absence"),
            game(CY, NOBODY, 1, reason="absence"),
            game(ANNA, CY, 0, 0, round=2, reason="absence"),
            game(BO, NOBODY, None, round=2),
            game(ANNA, BO, None, round=3),
            game(NOBODY, NOBODY, 1, round=3),
        ]
    )
    assert met(table, "Anna") == [["Bo b1!"], ["Cy b0!"], ["Bo b*"]]
    assert met(table, "Cy") == [["bye b1!"], ["Anna w0!"], []]
    assert met(table, "Bo") == [["Anna w0!"], ["bye b*"], ["Anna w*"]]
    assert (table.unfinished, table.nameless, table.games) == (2, 1, 6)
    cy = line(table, "Cy")
    assert (cy.points, cy.games, cy.wins, cy.losses) == (1, 1, 0, 1), "a bye is no game that was won"


def test_a_loss_given_after_the_end_takes_the_score_of_one_side_alone() -> None:
    table = cross_table([game(ANNA, BO, 0, 0, reason="penalty")])
    assert [x.points for x in table.lines] == [0, 0]
    assert met(table, "Anna") == [["Bo b0"]]


def test_a_player_is_known_by_the_number_and_without_one_by_the_name() -> None:
    other_name = Person(name="Anna M.", id=" 1 ", rating=2100, federation="EST")
    namesake = Person(name="Anna", id="9")
    table = cross_table([game(ANNA, BO, 1), game(other_name, namesake, 1, round=2)])
    assert [(x.person.name, x.person.rating, x.points) for x in table.lines] == [
        ("Anna", 2100, 2),
        ("Anna", None, 0),
        ("Bo", None, 0),
    ]
    table = cross_table([game(CY, BO, 1), game(Person(name=" Cy "), BO, 1, round=2)])
    assert len(table.lines) == 2


def test_games_without_a_round_come_last() -> None:
    table = cross_table(
        [game(ANNA, BO, 1, round=None), game(ANNA, BO, 1, round=10), game(ANNA, BO, 1, round=2)]
    )
    assert table.rounds == (2, 10, None)


def test_an_empty_event() -> None:
    table = cross_table([])
    assert (table.lines, table.rounds) == ((), ())
    assert "<table>" in to_html(table)
    assert to_csv(table).count("\r\n") == 1


@pytest.mark.parametrize(
    ("score", "text"), [(0, "0"), (0.5, "½"), (1, "1"), (2.5, "2½"), (10, "10"), (0.25, "0.25")]
)
def test_points_as_people_write_them(score: float, text: str) -> None:
    assert points_text(score) == text


GAMES = st.lists(
    st.builds(lambda h, r: GameRecord(header=h, result=r), HEADERS, st.none() | RESULTS), max_size=8
)


@given(GAMES)
@settings(max_examples=40, deadline=None)
def test_every_point_of_every_game_stands_in_the_table_once(games: list[GameRecord]) -> None:
    table = cross_table(games)
    given_points = sum(
        {BLACK: r.result.black, WHITE: r.result.white}[colour]
        for r in games
        if r.result is not None
        for colour in (BLACK, WHITE)
        if r.person(colour).name.split() or r.person(colour).id.split()
    )
    assert sum(x.points for x in table.lines) == pytest.approx(given_points) == pytest.approx(sum(table.sums))
    for at, own in enumerate(table.lines):
        for n, mets in enumerate(own.rounds):
            for e in mets:
                if e.opponent is not None and e.opponent != at:
                    back = [b.colour for b in table.lines[e.opponent].rounds[n] if b.opponent == at]
                    assert e.colour.other in back


# -- the page and the file


def test_every_language_has_the_same_words() -> None:
    assert set(WORDS) == set(LANGUAGES)
    assert {frozenset(words) for words in WORDS.values()} == {frozenset(WORDS["en"])}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_asks_for_nothing_elsewhere_and_escapes_what_people_wrote(language: str) -> None:
    wild = Person(name='<script>alert("x")</script>', title="a&b")
    page = to_html(cross_table([game(wild, BO, 1), game(BO, NOBODY, None, round=2)]), language)
    assert f'<html lang="{language}">' in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    for word in ("http:", "https:", "//", "src=", "@import", "url("):
        assert word not in page.replace("<!doctype html>", "")
    assert WORDS[language]["points"] in page
    assert WORDS[language]["unfinished"].format(n=1) in page


def test_the_file_for_spreadsheets() -> None:
    wild = Person(name='=HYPERLINK("x"),1', federation="+CHN", rating=2100)
    text = to_csv(cross_table([game(wild, BO, 1, reason="absence"), game(BO, NOBODY, 1, round=2)]))
    assert text.startswith("\ufeff")
    rows = list(csv.reader(text.removeprefix("\ufeff").splitlines()))
    assert rows[0][:3] == ["#", "Place", "Player"]
    assert rows[0][7:] == ["Round 1", "Round 2", "Points", "Games", "W", "D", "L"]
    assert rows[1] == [
        "1",
        "1–2",
        '\'=HYPERLINK("x"),1',
        "",
        "'+CHN",
        "2100",
        "",
        "2b+",
        "",
        "1",
        "1",
        "1",
        "0",
        "0",
    ]
    assert rows[2] == ["2", "1–2", "Bo", "2", "", "", "", "1w−", "bye 1", "1", "1", "0", "0", "1"]
