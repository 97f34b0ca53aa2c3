"""The tables of opening procedures."""

import pytest

from firmware_host.board import BLACK, WHITE
from firmware_host.errors import ConfigError
from firmware_host.referee.match import Referee
from firmware_host.referee.procedures import PROCEDURES
from firmware_host.referee.settings import CHOICES, MatchSettings


@pytest.mark.parametrize("name", PROCEDURES)
def test_every_procedure_ends_in_play_and_each_step_names_its_article(name: str) -> None:
    steps = PROCEDURES[name].steps
    assert [step.do for step in steps].index("play") == len(steps) - 1
    assert all(step.article for step in steps)
    assert all(step.side in (BLACK, WHITE) for step in steps[:-1])


@pytest.mark.parametrize("name", sorted(set(CHOICES["opening"]) - set(PROCEDURES)))
def test_a_procedure_without_a_table_is_refused_with_those_that_have_one(name: str) -> None:
    with pytest.raises(ConfigError, match=rf"match\.opening = '{name}'.*allowed: free, designated"):
        Referee(MatchSettings(opening=name))


@pytest.mark.parametrize(("opening", "offers"), [("rif-classic", 3), ("yamaguchi", 13)])
def test_offers_out_of_the_procedure_s_range_are_refused(opening: str, offers: int) -> None:
    with pytest.raises(ConfigError, match=r"match\.offers"):
        Referee(MatchSettings(opening=opening, offers=offers))


def test_n_means_nothing_in_a_free_opening() -> None:
    assert Referee(MatchSettings(opening="free", offers=3)).offers_wanted is None
