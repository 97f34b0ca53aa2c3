"""The tables of opening procedures."""

from pathlib import Path

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.errors import ConfigError
from firmware_host.referee.match import Referee
from firmware_host.referee.procedures import PROCEDURES, SHAPE, SQUARES, Procedure, Step, procedure_of
from firmware_host.referee.settings import CHOICES, MatchSettings


def test_every_opening_that_a_match_can_name_has_its_table() -> None:
    assert list(PROCEDURES) == list(CHOICES["opening"])


@pytest.mark.parametrize("name", PROCEDURES)
def test_every_procedure_ends_in_play_and_each_step_names_its_article(name: str) -> None:
    steps = PROCEDURES[name].steps
    assert [step.do for step in steps].index("play") == len(steps) - 1
    assert all(step.article for step in steps)
    assert all(step.side in (BLACK, WHITE) for step in steps[:-1])


@pytest.mark.parametrize("name", PROCEDURES)
def test_every_choice_is_offered_leads_on_and_begins_with_what_playing_on_means(name: str) -> None:
    procedure = PROCEDURES[name]
    for i, step in enumerate(procedure.steps):
        assert bool(step.choices) == (step.do in ("choice", "fifth"))
        assert all(procedure.after(i, choice) > i for choice in step.choices)
        assert step.do != "choice" or step.choices[0].does == "keep"


def paths(procedure: Procedure, i: int = 0) -> list[list[int]]:
    """Every way through the steps, without swaps."""
    step = procedure.steps[i]
    if step.do == "play":
        return [[i]]
    on = {procedure.after(i, c) for c in step.choices if c.does != "swap"} or {i + 1}
    return [[i, *rest] for nxt in on for rest in paths(procedure, nxt)]


@pytest.mark.parametrize("name", PROCEDURES)
def test_on_every_way_the_moves_alternate_and_the_choice_is_of_who_did_not_lay_last(name: str) -> None:
    procedure = PROCEDURES[name]
    for path in paths(procedure):
        n, last = 1, WHITE
        for step in (procedure.steps[i] for i in path):
            if step.do in ("move", "set-up", "offers", "removal"):
                assert step.n == n
                colours = step.stones or (step.side,)
                assert list(colours) == [(BLACK, WHITE)[(n + k + 1) % 2] for k in range(len(colours))]
                n, last = n + len(colours), step.side
            elif step.do == "choice":
                assert step.side is last.other


SWAPS = {
    "free": 0, "designated": 1, "rif-classic": 1, "yamaguchi": 1, "soosyrv-8": 2, "taraguchi-10": 5,
    "tarannikov": 5, "swap2": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", PROCEDURES)
def test_how_often_colours_may_change(name: str) -> None:
    assert sum(c.does == "swap" for step in PROCEDURES[name].steps for c in step.choices) == SWAPS[name]


@pytest.mark.parametrize(
    ("where", "points"), [("tengen", 1), ("3x3", 9), ("5x5", 25), ("7x7", 49), ("9x9", 81), ("anywhere", 225)]
)
def test_the_squares_about_tengen(where: str, points: int) -> None:
    assert len(SQUARES[where]) == points


RANGES = {
    "designated": (1, 221), "rif-classic": (2, 2), "yamaguchi": (1, 12), "soosyrv-8": (1, 8),
    "taraguchi-10": (10, 10), "free": (0, 0), "tarannikov": (0, 0), "swap2": (0, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", PROCEDURES)
def test_n_and_who_names_it(name: str) -> None:
    procedure = PROCEDURES[name]
    fewest, most = RANGES[name]
    assert (procedure.fewest_offers, procedure.most_offers) == (fewest, most)
    step = procedure.declaring
    named = None if step is None else (step.side, step.n)
    by_white = {"soosyrv-8": (WHITE, 4)}
    assert named == (by_white.get(name, (BLACK, 1)) if fewest < most else None)


@pytest.mark.parametrize(
    ("opening", "offers"), [("rif-classic", 3), ("yamaguchi", 13), ("soosyrv-8", 9), ("taraguchi-10", 9)]
)
def test_offers_out_of_the_procedure_s_range_are_refused(opening: str, offers: int) -> None:
    with pytest.raises(ConfigError, match=r"match\.offers"):
        Referee(MatchSettings(opening=opening, offers=offers))


@pytest.mark.parametrize("opening", ["free", "tarannikov", "swap2"])
def test_n_means_nothing_without_fifth_offers(opening: str) -> None:
    assert Referee(MatchSettings(opening=opening, offers=3)).offers_wanted is None


def test_an_opening_without_a_table_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(ConfigError, match=r"match\.opening = 'pente'.*allowed: free, designated"):
        Referee(MatchSettings(opening="pente"))


@pytest.mark.parametrize("name", PROCEDURES)
def test_the_setting_about_a_swap_is_for_designated_openings_alone(name: str) -> None:
    steps = procedure_of(MatchSettings(opening=name, designated_swap="no")).steps
    kept = sum(step.do == "choice" for step in steps)
    designated = PROCEDURES[name].steps[0].where == "opening" and name != "soosyrv-8"
    assert kept == (0 if designated else sum(step.do == "choice" for step in PROCEDURES[name].steps))


def test_the_first_stone_of_a_free_opening_is_a_step_if_it_belongs_on_tengen() -> None:
    steps = procedure_of(MatchSettings(opening="free", free_first="tengen")).steps
    assert [(step.do, step.where) for step in steps] == [("move", "tengen"), ("play", "anywhere")]


def test_a_set_up_of_three_is_black_white_black() -> None:
    assert SHAPE == (BLACK, WHITE, BLACK)


def in_words(procedure: Procedure) -> str:
    """The steps of a procedure as `docs/rules.md` writes them; `[x]` is where a choice leads to."""
    return "; ".join(f"[{step.label}] {said}" if step.label else said for step, said in words(procedure))


def words(procedure: Procedure) -> list[tuple[Step, str]]:
    names = {
        "set-up": "{side} lays {n} to {last} ({where})", "move": "{side} {n} ({where})",
        "choice": "{side}: {choices}", "fifth": "{side} 5: {choices}", "offers": "{side} offers N fifths",
        "removal": "{side} leaves one, plays {n}", "play": "play",
    }  # fmt: skip
    told = []
    for step in procedure.steps:
        said = names[step.do].format(
            side=str(step.side).capitalize(),
            n=step.n,
            last=step.n + len(step.stones) - 1,
            where=step.where,
            choices=", ".join(f"`{c.name}`" + (f" [{c.to}]" if c.to else "") for c in step.choices),
        )
        told.append((step, said + (", names N" if step.declares else "")))
    return told


@pytest.mark.parametrize("name", PROCEDURES)
def test_the_document_has_the_steps_of_the_table(name: str) -> None:
    document = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")
    procedure = PROCEDURES[name]
    fewest, most = procedure.fewest_offers, procedure.most_offers
    n = "" if not most else str(most) if fewest == most else f"{fewest} to {most}"
    sources = ", ".join(dict.fromkeys(step.article for step in procedure.steps if step.article != "4.1"))
    assert f"| `{name}` | {in_words(procedure)} | {n} | {sources} |" in document
