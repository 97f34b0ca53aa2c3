"""SGF as it is written, and back: everything that it can hold, and the words for what it cannot."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sgfmill import sgf_grammar

from firmware_host import __version__
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
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_game_comes_back_with_all_that_sgf_can_hold(record: GameRecord) -> None:
    held = sgf.holdable(record)
    assert sgf.read(sgf.write(record)) == (held,)
    assert sgf.holdable(held) == held
    assert sgf.read(sgf.write(held) * 3) == (held, held, held)


def golden() -> GameRecord:
    """A game with a swap, offers, a pass, a stone that nobody saw, a slide, a note and a double-three."""
    points = ["H8", "H9", "I10", "G7", "J9", "K8", "I8", "J8"]
    moves = tuple(
        replace(move, t_ns=move.n * 10**9, pressed_ns=move.n * 10**9 + 1, left_ms=900_000 - 12_345 * move.n)
        for move in (*moves_of(*points, None, "I7"),)
    )
    moves = (*moves, replace(moves_of(*["A1"] * 10, None)[10], t_ns=11 * 10**9, missing=True))
    return GameRecord(
        header=Header(
            id="2026-3-2",
            table="2",
            event="第1回 名人戦 [予選]",
            round=3,
            place="東京",
            arbiter="Mägi, Ants",
            first=Person(name="王 小明", federation="CHN", rating=2345, title="5 dan"),
            second=Person(name="Anna\\Bo", federation="EST", title="3 dan"),
            date="2026-11-30 17:45",
        ),
        settings=MatchSettings(time="15m + 3x30s", offers=2),
        moves=moves,
        opening="D2",
        declared=2,
        offers=(P("J9"), P("F10")),
        choices=(Choice(t_ns=3, after=3, swap=True),),
        irregular=(
            Found(
                t_ns=6 * 10**9, code="slide", side=WHITE, article="6.1.5", point=P("K8"), rest=P("K9"), n=6,
                swapped=True, standing="lapsed",
            ),
        ),
        corrections=(Correction(t_ns=9, n=8, was=P("J7"), now=P("J8")),),
        penalties=(Penalty(t_ns=8 * 10**9, side=BLACK, kind="violation", count=1, reason="talking"),),
        flags=(Flag(t_ns=7 * 10**9, side=BLACK, periods_left=2, swapped=True),),
        remarks=(Remark(after=7, text="[*] a \\ b:\nsecond line"),),
        result=Result(t_ns=12, winner=WHITE, black=0, white=1, reason="forbidden"),
    )  # fmt: skip


def test_the_file_of_a_whole_game_is_the_same_byte_for_byte() -> None:
    wanted = GOLDEN.read_text("utf-8").replace("[renju-board:0.1.0]", f"[renju-board:{__version__}]")
    assert sgf.write(golden()).decode() == wanted


def test_another_reader_finds_the_same_moves_and_texts() -> None:
    record = golden()
    (tree,) = sgf_grammar.parse_sgf_collection(sgf.write(record))
    nodes = list(sgf_grammar.main_sequence_iter(tree))
    told = [(name, node[name][0].decode()) for node in nodes for name in ("B", "W") if name in node]
    assert told == [
        (move.colour[0].upper(), "" if move.point is None else POINT_TEXTS[move.point])
        for move in record.moves
    ]
    root = {name: sgf_grammar.simpletext_value(values[0]).decode() for name, values in nodes[0].items()}
    assert (root["FF"], root["GM"], root["SZ"], root["CA"]) == ("4", "4", "15", "UTF-8")
    assert (root["PB"], root["PW"], root["EV"]) == ("Anna\\Bo", "王 小明", "第1回 名人戦 [予選]")
    assert sgf_grammar.text_value(nodes[7]["C"][0]).decode() == record.remarks[0].text
    assert [sgf_grammar.parse_compose(label) for label in nodes[4]["LB"]] == [(b"jg", b"a"), (b"ff", b"b")]


@given(texts())
@settings(max_examples=100, deadline=None)
def test_texts_mean_the_same_to_another_reader(text: str) -> None:
    value = escaped(text)
    assert sgf_grammar.is_valid_property_value(value.encode())
    ours, _ = decode(f"(;GM[4]CA[UTF-8]C[{value}])".encode())
    (tree,) = trees(ours)
    assert text_of(tree.nodes[0].value("C") or "") == sgf_grammar.text_value(value.encode()).decode()


@given(st.text(alphabet="a\\]\n\r\t: ", max_size=12))
@settings(max_examples=200, deadline=None)
def test_escapes_and_soft_breaks_mean_the_same_to_another_reader(value: str) -> None:
    if sgf_grammar.is_valid_property_value(value.encode()):
        text, _ = decode(f"(;GM[4]CA[UTF-8]C[{value}])".encode())
        (tree,) = trees(text)
        assert text_of(tree.nodes[0].value("C") or "") == sgf_grammar.text_value(value.encode()).decode()


def test_points_are_counted_from_the_top() -> None:
    assert [POINT_TEXTS[P(name)] for name in ("H8", "A1", "O15", "A15", "O1")] == [
        "hh",
        "ao",
        "oa",
        "aa",
        "oo",
    ]


@given(st.sampled_from(TIMES))
def test_the_time_is_told_to_other_programs_too(time: str) -> None:
    text = sgf.write(GameRecord(settings=MatchSettings(time=time))).decode()
    assert ("TM[" in text or "OT[" in text) == (time != "none")


def test_the_time_of_usual_controls() -> None:
    for time, told in (
        ("15m", "RU[Renju, time 15m]\nTM[900])\n"),
        ("5m+3s", "RU[Renju, time 5m+3s]\nTM[300]\nOT[5 minutes each and 3 seconds more after each move])\n"),
        ("3x5s", "RU[Renju, time 3x5s]\nTM[0]\nOT[byo-yomi, 3 periods of 5 seconds])\n"),
        ("shared 3h", "RU[Renju, time shared 3h]\nOT[3 hours for both sides together])\n"),
    ):
        written = sgf.write(GameRecord(settings=MatchSettings(time=time))).decode()
        assert written.endswith(told), written


def test_a_double_forfeit_and_a_penalty_after_the_end() -> None:
    lost = Result(t_ns=0, winner=None, black=0, white=0, reason="absence")
    penalty = Result(t_ns=0, winner=WHITE, black=0, white=0, reason="penalty")
    for result, told in ((lost, "RE[Void]\nGC[Result: none 0-0 absence]"), (penalty, "RE[W+F]")):
        written = sgf.write(GameRecord(result=result))
        assert told in written.decode()
        assert sgf.read(written)[0].result == result


def test_a_reason_that_is_told_is_not_found_out() -> None:
    row = moves_of("H1", "G1", "H2", "G2", "H3", "G3", "H4", "G4", "H5")
    for black in (0, 1):
        decided = Result(t_ns=0, winner=BLACK, black=black, white=0, reason="arbiter")
        assert sgf.read(sgf.write(GameRecord(moves=row, result=decided)))[0].result == decided


def test_labels_beyond_the_alphabet() -> None:
    record = GameRecord(moves=moves_of("H8", "H9", "I10", "G7"), offers=tuple(range(30)))
    text = sgf.write(record).decode()
    assert ":z]" in text
    assert ":aa]" in text
    assert ":ad]" in text
    assert sgf.read(text.encode())[0].offers == record.offers


def test_what_others_label_is_no_offer() -> None:
    (record,) = sgf.read(b"(;GM[4];B[hh];W[hg];B[if];W[gi]LB[jg:a][ff:b];B[jg])")
    assert record.offers == ()
