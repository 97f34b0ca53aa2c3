"""SGF as it is written, and back: everything that it can hold, and the words for what it cannot."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sgfmill import sgf_grammar

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.record import sgf
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.sgf_text import decode, trees
from firmware_host.record.sgf_values import POINT_TEXTS, escaped, text_of
from firmware_host.record.values import Choice, Correction, Flag, Found, Penalty, Remark, Result
from firmware_host.referee.settings import MatchSettings
from tests.record.arbitrary_records import TIMES, moves_of, records, texts

P = parse_point
GOLDEN = Path(__file__).parent / "golden.sgf"


@given(records())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_game_comes_back_with_all_that_sgf_can_hold(record: GameRecord) -> None:
    held = sgf.holdable(record)
    assert sgf.read(sgf.write(record)) == (held,)
    assert sgf.holdable(held) == held
    assert sgf.read(sgf.write(held) * 3) == (held, held, held)
