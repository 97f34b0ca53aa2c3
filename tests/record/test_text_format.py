import unicodedata

import pytest
from msgspec.structs import replace

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.text_format import circled, one_line, to_text
from firmware_host.record.values import Remark
from firmware_host.referee.rulings import (
    AnyRuling,
    Audience,
    Called,
    ClockSet,
    DrawOffer,
    Forbidden,
    Irregular,
    Moved,
    Offered,
    OpeningSet,
    Over,
    Pressed,
    Restored,
    Started,
    Swapped,
    Told,
    Unmoved,
    Upheld,
)
from firmware_host.referee.settings import MatchSettings

S = 1_000_000_000
P = parse_point
LEFT = {BLACK: 888_000, WHITE: 900_000}

GAME: list[AnyRuling] = [
    Started(t_ns=0),
    Moved(t_ns=1 * S, n=1, point=P("H8"), colour=BLACK),
    Moved(t_ns=2 * S, n=2, point=P("H9"), colour=WHITE),
    Moved(t_ns=3 * S, n=3, point=P("I10"), colour=BLACK),
    Pressed(t_ns=12 * S, side=BLACK, running=WHITE, n=3, used_ms=12_000, remaining_ms=LEFT),
    OpeningSet(t_ns=12 * S, name="D2", offers=2),
    Swapped(t_ns=20 * S, black_seat="far"),
    Moved(t_ns=30 * S, n=4, point=P("G7"), colour=WHITE, used_ms=1_234),
    Offered(t_ns=40 * S, points=(P("J9"), P("F10"))),
    Moved(t_ns=45 * S, n=5, point=P("F10"), colour=BLACK),
    Moved(t_ns=46 * S, n=6, point=P("H11"), colour=WHITE),
    Irregular(
        t_ns=46 * S,
        audience="arbiter",
        code="slide",
        side=WHITE,
        article="6.1.5",
        point=P("H12"),
        rest=P("H11"),
        n=6,
    ),
    Called(t_ns=47 * S, side=BLACK),
    Upheld(t_ns=48 * S, code="slide", point=P("H12"), remedy="back to H12"),
    ClockSet(t_ns=49 * S, side=WHITE, added_ms=-60_000, remaining_ms=840_000, reason="penalty"),
    Over(t_ns=3700 * S, winner=BLACK, result={BLACK: 1, WHITE: 0}, reason="resignation"),
]
HEADER = Header(
    event="Spring Open",
    table="4",
    round=2,
    first=Person(name="Anna"),
    second=Person(name="Bo"),
    date="2025-05-01 14:00",
)


def text_of(rulings: list[AnyRuling], header: Header = HEADER, audience: Audience = "arbiter") -> str:
    return to_text(GameRecord.new(header, MatchSettings(time="15m"), audience).fold_all(rulings))


def test_a_whole_record() -> None:
    head, moves, events, diagram = text_of(GAME).split("\n\n")
    assert head.splitlines() == [
        "Spring Open",
        "Table 4, round 2",
        "Black: Bo",
        "White: Anna",
        "Date: 2025-05-01 14:00 (the clock of the controller was not synchronised)",
        "Time: 15 minutes each; opening: designated; forbidden moves: claim",
        "Opening: D2 溪月 渓月 Keigetsu",
        "Fifth offers declared: 2",
        "Fifth offers: J9 F10, F10 stayed",
        "After move 3: the players swapped colours",
        "Result: 1 : 0, Black wins, resignation",
    ]
    assert moves.splitlines() == [
        "move  point   used      left",
        "①     H8",
        "2     H9",
        "③     I10       0:12.0   14:48.0",
        "4     G7        0:01.2",
        "⑤     F10",
        "6     H11",
    ]
    assert events.splitlines() == [
        "  0:46.0  irregular action, slide of white at H12, resting on H11, move 6 [6.1.5]: upheld",
        "  0:47.0  black: the arbiter is called",
        "  0:48.0  slide at H12 upheld: back to H12",
        "  0:49.0  white's clock -60 s to 14:00.0 (penalty)",
    ]
    assert diagram.splitlines()[4].split() == ["11", *".......O......."]


def test_the_public_text_holds_nothing_that_is_for_the_arbiter() -> None:
    hidden = [
        *GAME[:-4],
        Forbidden(t_ns=S, audience="arbiter", n=5, point=P("F10"), kind="overline"),
        Told(t_ns=S, code="late"),
    ]
    words = ("slide", "overline", "irregular", "forbidden move,", "6.1.5", "late")
    arbiter, public = text_of(hidden), text_of(hidden, audience="public")
    assert all(word in arbiter for word in words)
    assert not any(word in public for word in words)


def test_numbers_in_circles() -> None:
    for n in range(1, 51):
        assert unicodedata.numeric(circled(n)) == n
    assert circled(51) == "(51)"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a\nb\t\x1b[31mc", "a b [31mc"),
        ("\u202eevil\u2028x", "evil x"),
        ("王" * 61, "王" * 59 + "…"),
        ("王" * 60, "王" * 60),
        ("<b>x</b>", "<b>x</b>"),
    ],
)
def test_names_stay_on_their_line(given: str, shown: str) -> None:
    assert one_line(given) == shown
    assert f"White: {shown}" in text_of([], Header(second=Person(name=given))).splitlines()


def test_passes_stones_not_seen_corrections_and_draws_are_written() -> None:
    text = text_of(
        [
            Moved(t_ns=1, n=6, point=None, colour=WHITE),
            Moved(t_ns=1, n=7, point=None, colour=BLACK, missing=True),
            Moved(t_ns=1, n=8, point=P("A1"), colour=WHITE),
            Pressed(t_ns=2 * S, side=WHITE, running=BLACK, n=8),
            Moved(t_ns=61 * S, n=8, point=P("A2"), colour=WHITE),
            Unmoved(t_ns=62 * S, n=8),
            DrawOffer(t_ns=63 * S, side=BLACK, answer="offer"),
            Over(t_ns=64 * S, winner=None, result={BLACK: 0.5, WHITE: 0.5}, reason="agreement"),
        ]
    )
    assert "6     pass\n⑦     not seen" in text
    assert "move 8 corrected: A1 -> A2" in text
    assert "  1:02.0  move 8 corrected: A2 taken off" in text
    assert "black: draw, offer" in text
    assert "Result: 0.5 : 0.5, a draw, agreement" in text


def test_all_that_is_known_of_the_players_the_place_and_the_file_is_written() -> None:
    header = Header(
        place="Town\nhall",
        arbiter="C. Arbiter",
        first=Person(name="王一", id="CHN-17", federation="CHN", rating=2310, title="5段"),
        second=Person(rating=0),
    )
    record = GameRecord.new(header, MatchSettings()).fold_all(
        [
            Moved(t_ns=1, n=1, point=P("H8"), colour=BLACK),
            Offered(t_ns=2, points=(P("J9"), P("F10"))),
            Offered(t_ns=3, points=(P("J9"), P("F11"))),
            Over(t_ns=4, winner=WHITE, result={BLACK: 0, WHITE: 1}, reason="resignation"),
            Over(t_ns=5, winner=None, result={BLACK: 0, WHITE: 0}, reason="arbiter"),
            Told(t_ns=6, code="note", text="an appeal"),
            Restored(t_ns=7, accepted=True, correction="part"),
        ]
    )
    remarks = (*record.remarks, Remark(after=1, text="a good\nmove"))
    text = to_text(replace(record, remarks=remarks, journal_head="ab" * 32))
    for line in (
        "Place: Town hall",
        "Arbiter: C. Arbiter",
        "Black: 王一 (5段, CHN, 2310, CHN-17)",
        "White: - (0)",
        "Fifth offers before: J9 F10",
        "Result before: 0 : 1, White wins, resignation",
        "Result: 0 : 0, no winner, arbiter",
        "Journal: " + "ab" * 32,
        "  0:00.0  note: an appeal",
        "  0:00.0  the board was accepted as it lay, correction carried out: part",
        "after move 1: a good move",
    ):
        assert line in text.splitlines()
    assert text.count("an appeal") == 1
