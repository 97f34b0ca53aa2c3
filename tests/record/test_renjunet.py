import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, NAMES, WHITE, parse_point
from firmware_host.errors import RecordError
from firmware_host.record import renjunet, renjunet_xml
from firmware_host.record.game import Choice, GameRecord, Remark
from firmware_host.record.header import Header, Person
from firmware_host.record.psq import won
from firmware_host.record.reading import Game
from firmware_host.record.renjunet import RULES, games, holdable, read, write, write_all
from firmware_host.record.renjunet_xml import LIMIT_BYTES, LIMIT_DEPTH, TABLES
from firmware_host.referee.settings import CHOICES, MatchSettings
from firmware_host.rules import OPENINGS
from tests.record.arbitrary_records import HEADERS, RESULTS, SETTINGS, move_lists, moves_of, texts

FILE = Path(__file__).parents[1] / "data" / "records" / "renjunet.rif"


@st.composite
def arbitrary_games(draw: st.DrawFn) -> GameRecord:
    chosen = draw(SETTINGS)
    times = st.sampled_from(RULES[chosen.opening][1] or (3,)) | st.integers(0, 6)
    choice = st.builds(Choice, t_ns=st.integers(0, 9), after=times, swap=st.booleans())
    remark = st.builds(Remark, after=st.integers(0, 3), text=texts())
    moves = draw(move_lists())
    offers = draw(st.lists(st.integers(0, 224), unique=True, max_size=4))
    if len(moves) > 4 and moves[4].point is not None and draw(st.booleans()):
        offers = list(dict.fromkeys([*offers, moves[4].point]))
    return GameRecord(
        header=draw(HEADERS),
        settings=chosen,
        moves=moves,
        opening=draw(st.none() | st.sampled_from([opening.code for opening in OPENINGS])),
        offers=tuple(offers),
        choices=tuple(sorted(draw(st.lists(choice, max_size=3)), key=lambda made: made.after)),
        result=draw(st.none() | RESULTS),
        remarks=tuple(draw(st.lists(remark, max_size=2))),
    )


@given(arbitrary_games())
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_what_the_format_holds_comes_back(record: GameRecord) -> None:
    assert read(write(record)) == (holdable(record),)
    assert holdable(holdable(record)) == holdable(record)
    assert holdable(record).name(BLACK) == holdable(record).person(BLACK).name


@given(st.lists(arbitrary_games(), max_size=4))
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
def test_many_games_come_back_in_their_order(records: list[GameRecord]) -> None:
    for was, now in zip(records, read(write_all(records)), strict=True):
        held = holdable(was)
        assert (now.moves, now.result, now.remarks) == (held.moves, held.result, held.remarks)
        assert (now.person(BLACK), now.person(WHITE)) == (held.person(BLACK), held.person(WHITE))


def test_a_full_board_comes_back() -> None:
    record = GameRecord(moves=moves_of(*range(225)))
    assert read(write(record)) == (holdable(record),)


def test_every_procedure_has_its_rule() -> None:
    assert set(RULES) == set(CHOICES["opening"])
    for opening in RULES:
        assert holdable(GameRecord(settings=MatchSettings(opening=opening))).settings.opening == opening


def points(record: GameRecord) -> str:
    return " ".join(NAMES[move.point] for move in record.moves if move.point is not None)


def test_a_database_file_with_all_its_tables() -> None:
    found = [game for game in games(FILE.read_bytes()) if isinstance(game, Game)]
    two_fifths, ten, bare = (game.record for game in found)
    anna = Person(name="Anna Mägi", federation="Estonia")
    yamada = Person(name="山田", federation="Japan")
    assert points(two_fifths) == "H8 H9 H7 H6 I9 G7"
    assert two_fifths.header == Header(
        id="1", event="Open & closed", place="Tallinn, Estonia", first=yamada, second=anna
    )
    assert (two_fifths.person(BLACK), two_fifths.settings.opening) == (anna, "rif-classic")
    assert (two_fifths.opening, two_fifths.result) == ("D8", won(None))
    assert [NAMES[p] for p in two_fifths.offers] == ["I9", "I8"]
    assert two_fifths.choices == (Choice(t_ns=0, after=3, swap=True),)

    assert (ten.header.id, ten.header.round, ten.header.date) == ("171548", 8, "2019-03-09")
    assert (ten.person(BLACK), ten.result, ten.opening) == (yamada, won(BLACK), "D6")
    assert [(choice.after, choice.swap) for choice in ten.choices] == [
        (1, True),
        (2, False),
        (3, False),
        (4, True),
        (5, False),
    ]
    assert ten.remarks == (Remark(after=0, text="B=1245"),)
    assert ten.offers == ()

    assert (bare.moves, bare.name(BLACK), bare.name(WHITE)) == ((), "山田", "")
    assert bare.result == won(WHITE)
    assert [(game.line, game.notes) for game in found] == [
        (32, ("round 'F2' is not known, and left out",)),
        (35, ("alt '51' is not known, and left out",)),
        (39, ("rule 'Rule of the house' is not known, and left out",)),
    ]


def test_players_events_and_openings_stand_once_and_are_named_by_id() -> None:
    anna, berta = Person(name="Anna", federation="Estonia"), Person(name="王", federation="Estonia")
    first = GameRecord(
        header=Header(
            id="7", event="Open", place="Tallinn", round=1, date="2026-11-29 10:00", first=anna, second=berta
        ),
        moves=moves_of("H8", "H9", "I8", "A1", "B2"),
        opening="D6",
        offers=(parse_point("C3"), parse_point("B2")),
        choices=(Choice(t_ns=5, after=3, swap=True),),
        result=won(BLACK),
    )
    second = GameRecord(
        header=Header(event="Open", place="Tallinn", date="2026-11-30", first=berta, second=anna)
    )
    root = ET.fromstring(write_all([first, second]))  # noqa: S314
    assert [table.tag for table in root] == list(TABLES)
    assert [len(table) for table in root] == [1, 1, 0, 1, 1, 2, 1, 2]
    game, other = root.findall("games/game")
    assert game.attrib == {
        "id": "7",
        "tournament": "1",
        "round": "1",
        "rule": "1",
        "black": "1",
        "white": "2",
        "bresult": "1",
        "opening": "19",
        "alt": "c3",
        "swap": "R",
    }
    assert game.findtext("move") == "h8 h9 i8 a1 b2"
    assert other.attrib == {"id": "1", "tournament": "1", "rule": "1", "black": "1", "white": "2"}
    assert root[5][0].attrib == {"id": "1", "surname": "王", "country": "1"}
    assert root[6][0].attrib == {
        "id": "1", "name": "Open", "city": "1", "year": "2026", "start": "2026-11-29", "end": "2026-11-30"
    }  # fmt: skip


def test_games_keep_their_numbers_and_others_get_free_ones() -> None:
    ids = ["2", "", "2", "g7", "1"]
    games_of = read(write_all(GameRecord(header=Header(id=own)) for own in ids))
    assert [game.header.id for game in games_of] == ["2", "3", "4", "5", "1"]


def of_game(inside: str, **attributes: str) -> str:
    shown = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<database>\n<games>\n<game{shown}>{inside}</game></games></database>"


BOMB = """<?xml version="1.0"?>
<!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<database><games><game id="1"><move>&b;</move></game></games></database>"""
OUTSIDE = '<!DOCTYPE database SYSTEM "file:///etc/passwd"><database/>'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "line 1: not XML: no element found"),
        ("<html></html>", "line 1: <html> is no RenjuNet database; allowed: <database>"),
        ("<database>\n<games></database>", "line 2: not XML: mismatched tag"),
        (of_game("<move>h8 &copy;</move>"), "line 3: not XML: undefined entity"),
        (BOMB, "line 2: a document type is not read; allowed: XML without one"),
        (OUTSIDE, "line 1: a document type is not read"),
        ("<database>" + "<a>" * 100_000, f"line 1: elements are nested deeper than {LIMIT_DEPTH}"),
        (
            of_game("<move>h8 h9 z9</move>", id="4"),
            "line 3: game '4': 'z9' is not a point; allowed: A1 to O15",
        ),
        (of_game("<move>h8 h9 h8</move>"), "line 3: move 3: H8 is occupied"),
        (of_game("<move></move>", bresult="2"), "line 3: bresult = '2' is not possible; allowed: 1, 0.5, 0"),
        (of_game(f"<move>{'h8 ' * 2000}</move>"), "line 3: 6000 characters of moves; allowed: 4000"),
        ("\n<database>\n<a b='" + "c" * 200_000, "line 3: a tag of more than 131072 bytes"),
        (b"<database>\xff</database>", "line 1: not XML: not well-formed"),
        (b'<?xml version="1.0" encoding="klingon"?><database/>', "line 1: not XML: unknown encoding"),
        (b" " * (LIMIT_BYTES + 1), "33554433 bytes are too many; allowed: 33554432"),
    ],
)
def test_what_is_no_such_file_is_refused_with_place_and_reason(data: str | bytes, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        read(data.encode() if isinstance(data, str) else data)


def test_a_game_that_is_wrong_does_not_hide_the_others() -> None:
    text = "<database><games><game><move>h8 h8</move></game>\n<game><move>a1</move></game></games></database>"
    wrong, right = games(text.encode())
    assert isinstance(wrong, RecordError)
    assert (wrong.line, wrong.move, wrong.reason) == (1, 2, "H8 is occupied")
    assert isinstance(right, Game)
    assert (right.line, points(right.record)) == (2, "A1")


def test_more_games_or_elements_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"<database><games>" + b"<game/>\n" * 9 + b"</games></database>"
    monkeypatch.setattr(renjunet, "LIMIT_GAMES", 8)
    with pytest.raises(RecordError, match="line 9: more than 8 games"):
        read(text)
    monkeypatch.setattr(renjunet_xml, "LIMIT_ELEMENTS", 7)
    with pytest.raises(RecordError, match="line 6: more than 7 elements"):
        read(text)


def test_other_encodings_that_the_file_names_are_read() -> None:
    text = FILE.read_text(encoding="utf-8").replace("山田", "Yamada")
    for encoding in ("ISO-8859-1", "UTF-16"):
        named = text.replace("UTF-8", encoding).encode(encoding)
        assert read(named)[0].name(BLACK) == "Anna Mägi"


def test_every_cut_of_a_file_is_refused() -> None:
    whole = FILE.read_bytes().rstrip()
    for end in range(0, len(whole), 7):
        with pytest.raises(RecordError, match=r"line \d+: "):
            read(whole[:end])


@given(st.binary(max_size=60) | st.text(max_size=40))
@settings(max_examples=60)
def test_arbitrary_texts_are_read_or_refused(data: bytes | str) -> None:
    raw = data if isinstance(data, bytes) else data.encode()
    for given_ in (raw, b"<database><games><game>" + raw + b"<move>h8</move></game></games></database>"):
        try:
            games_read = read(given_)
        except RecordError:
            continue
        assert len(games_read) <= 1
