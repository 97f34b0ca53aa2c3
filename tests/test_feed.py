import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import BLACK, WHITE, Colour, parse_point
from firmware_host.clock import SECOND, Clock, Player, parse_control
from firmware_host.feed import (
    REST_NS,
    ClockView,
    Publication,
    PublicFeed,
    TableView,
    before_the_game,
    snapshot,
)
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.referee.inputs import Command, Input, KeyPress, Tick
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import (
    AnyRuling,
    Audience,
    Chosen,
    Claimed,
    Decided,
    Differs,
    Forbidden,
    Irregular,
    Kept,
    Lapsed,
    Moved,
    Offered,
    OpeningSet,
    Over,
    Penalised,
    Pressed,
    Refused,
    Restored,
    Revealed,
    Started,
    Told,
    Unmoved,
    Upheld,
)
from firmware_host.referee.settings import MatchSettings
from firmware_host.sensing.events import Placed, Slid
from tests.arbitrary import any_of, arbitrary, plausible_moves

S = SECOND
P = parse_point
FREE = MatchSettings(opening="free", time="15m")
HEADER = Header(id="g1", event="Open", first=Person(name="Anna"), second=Person(name="Bo"))


def view(now_ns: int = 0, running: Colour | None = BLACK, control: str = "15m") -> ClockView:
    clock = Clock.new(parse_control(control)).stop(0)
    if running is not None:
        clock = clock.run(Player.FIRST if running is BLACK else Player.SECOND, 0)
    return ClockView.of(clock, Player.FIRST, now_ns)


def record_of(
    *rulings: AnyRuling, audience: Audience = "public", settings: MatchSettings = FREE
) -> GameRecord:
    return GameRecord.new(HEADER, settings, audience).fold_all([Started(t_ns=0), *rulings])


def move(n: int, point: str | None, colour: Colour | None = None, t_ns: int = 0) -> Moved:
    side = colour or (BLACK if n % 2 else WHITE)
    return Moved(t_ns=t_ns, n=n, point=None if point is None else P(point), colour=side, used_ms=n)


def pressed(n: int, running: Colour = WHITE) -> Pressed:
    return Pressed(t_ns=0, side=running.other, running=running, n=n, used_ms=100 * n)


def points(built: dict[str, Any]) -> list[str | None]:
    return [each["point"] for each in built["moves"]]


SLIDE = Irregular(
    t_ns=0, audience="arbiter", code="slide", side=BLACK, article="6.1.5", point=P("E5"), rest=P("E6"), n=1
)


# -- the snapshot


def test_a_snapshot_in_mid_game() -> None:
    record = record_of(move(1, "H8"), pressed(1), move(2, "H9"))
    assert json.loads(json.dumps(snapshot(record, view(S + 1, WHITE)))) == {
        "format": "renju-board-game",
        "version": 1,
        "id": "g1",
        "table": "1",
        "event": "Open",
        "round": None,
        "players": {"black": {"name": "Anna", "seat": "near"}, "white": {"name": "Bo", "seat": "far"}},
        "settings": {
            "opening": "free",
            "time": "15m",
            "time_words": {"en": "15 minutes each", "zh": "每方15分钟", "ja": "持ち時間15分"},
            "forbidden": "claim",
        },
        "phase": "playing",
        "to_move": "black",
        "moves": [
            {"n": 1, "point": "H8", "colour": "black", "used_ms": 100},
            {"n": 2, "point": "H9", "colour": "white", "used_ms": None},
        ],
        "offers": [],
        "offered": None,
        "opening": None,
        "clock": {
            "running": "white",
            "shared": False,
            "tenths": True,
            "black": {
                "remaining_ms": 900_000,
                "used_ms": 0,
                "periods_left": 0,
                "byo_yomi": False,
                "to_make": None,
                "text": "15:00",
            },
            "white": {
                "remaining_ms": 898_999,
                "used_ms": 1_000,
                "periods_left": 0,
                "byo_yomi": False,
                "to_make": None,
                "text": "14:59",
            },
        },
        "irregular": [],
        "forbidden": [],
        "result": None,
    }


def test_the_clock_of_a_snapshot_in_byo_yomi_and_without_limit() -> None:
    black = snapshot(record_of(), view(11 * S, control="10s + 3x5s"))["clock"]["black"]
    assert black == {
        "remaining_ms": 4000,
        "used_ms": 11_000,
        "periods_left": 3,
        "byo_yomi": True,
        "to_make": None,
        "text": "4.0",
    }
    black = snapshot(record_of(), view(11 * S, control="none"))["clock"]["black"]
    assert black == {
        "remaining_ms": None,
        "used_ms": 11_000,
        "periods_left": None,
        "byo_yomi": False,
        "to_make": None,
        "text": "0:11",
    }


def test_the_clocks_are_those_of_the_colours() -> None:
    clock = Clock.new(parse_control("10s")).run(Player.FIRST, 0)
    swapped = ClockView.of(clock, Player.SECOND, 4 * S)
    assert (swapped.running, swapped.white.remaining_ns, swapped.black.remaining_ns) == (WHITE, 6 * S, 10 * S)


def test_the_phases() -> None:
    waiting = GameRecord.new(HEADER, FREE, "public")
    assert (snapshot(waiting, view())["phase"], snapshot(waiting, view())["to_move"]) == ("waiting", None)
    designated = record_of(settings=MatchSettings())
    assert snapshot(designated, view())["phase"] == "opening"
    assert snapshot(record_of(), view())["phase"] == "playing"
    assert snapshot(record_of(), view(running=None))["phase"] == "paused"
    over = record_of(Over(t_ns=1, winner=None, result={BLACK: 0.5, WHITE: 0.5}, reason="agreement"))
    assert (snapshot(over, view())["phase"], snapshot(over, view())["to_move"]) == ("over", None)
    assert snapshot(over, view())["result"] == {
        "winner": None,
        "black": 0.5,
        "white": 0.5,
        "reason": "agreement",
        "line": [],
    }


def test_the_opening_and_the_offers() -> None:
    three = [move(1, "H8"), move(2, "H9"), move(3, "I10"), OpeningSet(t_ns=1, name="D2", offers=2)]
    record = record_of(*three, move(4, "G7"), Offered(t_ns=2, points=(P("J9"), P("F10"))))
    built = snapshot(record, view())
    assert built["opening"] == {"code": "D2", "zh": "溪月", "ja": "渓月", "romaji": "Keigetsu"}
    assert (built["offers"], built["to_move"]) == (["J9", "F10"], "white")
    chosen = snapshot(record.fold(move(5, "F10")), view())
    assert (chosen["offers"], chosen["to_move"], points(chosen)[4]) == ([], "white", "F10")
    assert chosen["offered"] == built["offered"] == {"n": 5, "points": ["J9", "F10"]}


def test_after_two_stones_more_in_swap2_it_is_for_black_to_choose() -> None:
    stones = [move(n, point) for n, point in enumerate(("A1", "C3", "B2", "D4", "E5"), 1)]
    told = [*stones[:3], Chosen(t_ns=1, side=WHITE, branch="add"), *stones[3:]]
    swap2 = MatchSettings(opening="swap2")
    assert snapshot(record_of(*told, settings=swap2), view())["to_move"] == "black"
    kept = record_of(*told, Kept(t_ns=2, side=BLACK), settings=swap2)
    assert snapshot(kept, view())["to_move"] == "white"


def test_what_is_revealed_is_public() -> None:
    facts = {"side": BLACK, "article": "", "point": P("E5"), "n": 1}
    slide = Revealed(t_ns=1, code="slide", why="claimed", **facts)  # type: ignore[arg-type]
    three = Revealed(t_ns=1, code="forbidden", kind="double-three", why="over", **facts)  # type: ignore[arg-type]
    built = snapshot(record_of(move(1, "E6"), slide, three), view())
    assert built["irregular"] == [{"code": "slide", "side": "black", "point": "E5", "n": 1, "after": 1}]
    assert built["forbidden"] == [{"n": 1, "point": "E5", "kind": "double-three"}]


def test_what_belongs_to_no_move_is_told_with_the_moves_before_it() -> None:
    late = Revealed(t_ns=2 * S, code="out-of-turn", side=BLACK, why="claimed", article="", point=P("E5"))
    record = record_of(move(1, "E6"), move(2, "E7"), late)
    (found,) = snapshot(record, view())["irregular"]
    assert (found["n"], found["after"]) == (None, 2)
    (found,) = snapshot(record.fold(move(3, "E8", t_ns=3 * S)), view())["irregular"]
    assert found["after"] == 2


@pytest.mark.parametrize(
    ("setting", "until"), [("at-once", "White plays on"), ("any-time", "the game is over")]
)
def test_the_arbiter_sees_until_when_a_forbidden_move_can_be_claimed(setting: str, until: str) -> None:
    forbidden = Forbidden(t_ns=1, audience="arbiter", n=1, point=P("H8"), kind="overline")
    settings = MatchSettings(overline_claim=setting)
    record = record_of(move(1, "H8"), forbidden, audience="arbiter", settings=settings)
    (claimable,) = snapshot(record, view(), TableView(sensed="." * 225))["claimable"]
    assert (claimable["remedy"], claimable["until"]) == ("Black has lost", until)
    assert (claimable["by"], claimable["article"]) == ("white", "2.19")


def test_the_arbiter_sees_the_numbers_of_the_decisions() -> None:
    told = [
        Decided(t_ns=1, entry=1, do="penalty", by="chief", side=BLACK, what="loss", reason="noise"),
        Decided(t_ns=2, entry=2, do="compensate", by="arbiter", undoes=1),
    ]
    record = record_of(*told, audience="arbiter")
    decisions = snapshot(record, view(), TableView(sensed="." * 225))["decisions"]
    assert [(d["entry"], d["do"], d["by"], d["undoes"]) for d in decisions] == [
        (1, "penalty", "chief", None),
        (2, "compensate", "arbiter", 1),
    ]
    assert record_of(*told).log == ()


def test_the_arbiter_sees_more() -> None:
    told = Told(t_ns=1, code="late", point=P("A1"))
    differs = Differs(t_ns=2, points=((P("H8"), BLACK, "unknown"),))
    record = record_of(move(1, "E6"), SLIDE, told, differs, audience="arbiter")
    table = TableView(sensed="." * 225, masked=frozenset({P("B2"), P("A1")}), faults=("stuck B2",))
    built = json.loads(json.dumps(snapshot(record, view(), table)))
    assert set(built) - set(snapshot(record_of(), view())) == {
        "declared", "claimable", "decisions", "differences", "faults", "masked", "told",
        "happened", "sensed",
    }  # fmt: skip
    assert built["claimable"] == [
        {
            "code": "slide",
            "side": "black",
            "point": "E5",
            "n": 1,
            "kind": None,
            "rest": "E6",
            "article": "6.1.5",
            "remedy": "back to the first intersection that the stone touched",
            "by": "white",
            "until": "the opponent plays on",
        }
    ]
    assert built["differences"] == [{"point": "H8", "record": "black", "seen": "unknown"}]
    assert (built["masked"], built["faults"]) == (["A1", "B2"], ["stuck B2"])
    assert [each["ruling"] for each in built["told"]] == ["told", "differs"]
    assert built["moves"][0]["used_ms"] == 1


def test_what_happened_is_told_in_the_order_of_time_with_its_article() -> None:
    record = record_of(
        move(1, "E6"),
        SLIDE,
        Told(t_ns=5, code="frames-lost", text="3"),
        Upheld(t_ns=6, code="slide", point=P("E5"), side=BLACK),
        Penalised(t_ns=7, side=WHITE, kind="violation", count=1),
        Over(t_ns=9, winner=BLACK, result={BLACK: 1.0, WHITE: 0.0}, reason="resignation"),
        audience="arbiter",
    )
    happened = snapshot(record, view(), TableView(sensed="." * 225))["happened"]
    assert [each["t_ns"] for each in happened] == sorted(each["t_ns"] for each in happened)
    assert {(each["ruling"], each.get("article", "")) for each in happened} == {
        ("irregular", "6.1.5"), ("told", ""), ("upheld", "6.1.5"), ("penalty", "2.20"), ("over", ""),
    }  # fmt: skip
    (slide,) = (each for each in happened if each["ruling"] == "irregular")
    assert (slide["code"], slide["point"], slide["rest"], slide["standing"]) == (
        "slide",
        "E5",
        "E6",
        "upheld",
    )


# -- when


def test_a_stone_that_was_only_passed_over_is_never_shown() -> None:
    feed = PublicFeed()
    feed.update(record_of(), view(0))
    touched = record_of(move(1, "C4"))
    assert feed.update(touched, view(S)) is None
    assert feed.next_change_ns == S + REST_NS
    slid = touched.fold(move(1, "D4"))
    assert feed.update(slid, view(S + REST_NS - 1)) is None
    assert feed.next_change_ns == S + 2 * REST_NS - 1
    assert feed.update(slid, view(S + 2 * REST_NS - 2)) is None
    shown = feed.update(slid, view(S + 2 * REST_NS - 1))
    assert shown is not None
    assert points(shown[1]) == ["D4"]
    assert feed.next_change_ns is None


@pytest.mark.parametrize(
    "release",
    [
        pressed(1),
        move(2, "H9"),
        Over(t_ns=0, winner=BLACK, result={BLACK: 1, WHITE: 0}, reason="five"),
    ],
)
def test_what_shows_a_stone_at_once(release: AnyRuling) -> None:
    feed = PublicFeed()
    touched = record_of(move(1, "H8"))
    feed.update(touched, view(S))
    shown = feed.update(touched.fold(release), view(S + 1))
    assert shown is not None
    assert points(shown[1])[0] == "H8"


def test_a_stone_shown_stays_where_it_was_until_it_lies_still_elsewhere() -> None:
    feed = PublicFeed()
    record = record_of(move(1, "H8"))
    feed.update(record, view(0))
    feed.update(record, view(REST_NS))
    moved = record.fold(move(1, "I8"))
    assert feed.update(moved, view(2 * REST_NS)) is None
    shown = feed.update(moved, view(3 * REST_NS))
    assert shown is not None
    assert points(shown[1]) == ["I8"]


def test_a_stone_in_the_hand_does_not_rest() -> None:
    feed = PublicFeed()
    feed.update(record_of(), view(0))
    placed = record_of(move(1, "H8"))
    assert feed.update(placed, view(S)) is None
    assert feed.update(placed, view(S + REST_NS // 2), in_hand={P("H8")}) is None
    assert feed.update(placed, view(S + 2 * REST_NS), in_hand={P("H8")}) is None
    assert feed.next_change_ns == S + 3 * REST_NS
    assert feed.update(placed, view(S + 3 * REST_NS - 1)) is None
    shown = feed.update(placed, view(S + 3 * REST_NS))
    assert shown is not None
    assert [m["point"] for m in shown[1]["moves"]] == ["H8"]


def test_a_pass_is_shown_at_once() -> None:
    feed = PublicFeed()
    shown = feed.update(record_of(move(1, None)), view(0))
    assert shown is not None
    assert points(shown[1]) == [None]


def test_a_stone_that_no_sensor_saw_is_no_pass() -> None:
    unseen = Moved(t_ns=0, n=1, point=None, colour=BLACK, missing=True)
    built = snapshot(record_of(unseen, move(2, None)), view())
    assert [(each["point"], each.get("missing")) for each in built["moves"]] == [(None, True), (None, None)]


def test_a_second_stone_in_a_row_waits_for_the_opponent() -> None:
    feed = PublicFeed()
    record = record_of(move(1, "H8"), move(2, "H9", BLACK), pressed(2))
    first = feed.update(record, view(0))
    assert first is not None
    assert points(first[1]) == ["H8"]
    assert feed.update(record, view(60 * S)) is None
    answered = feed.update(record.fold(move(3, "A1", WHITE)), view(61 * S))
    assert answered is not None
    assert points(answered[1]) == ["H8", "H9"]


def test_a_second_stone_in_a_row_is_shown_when_it_is_known() -> None:
    accepted = Revealed(
        t_ns=1, code="double-move", side=BLACK, why="waived", article="6.1.4", point=P("H9"), n=2
    )
    record = record_of(move(1, "H8"), move(2, "H9", BLACK), pressed(2), accepted)
    shown = PublicFeed().update(record, view(0))
    assert shown is not None
    assert points(shown[1]) == ["H8", "H9"]
    assert shown[1]["irregular"][0]["code"] == "double-move"


def test_a_move_taken_back_goes() -> None:
    feed = PublicFeed()
    record = record_of(move(1, "H8"), pressed(1))
    feed.update(record, view(0))
    gone = feed.update(record.fold(Unmoved(t_ns=1, n=1)), view(1))
    assert gone is not None
    assert points(gone[1]) == []


def test_ids_count_without_a_gap_and_running_clocks_publish_nothing() -> None:
    feed = PublicFeed()
    clock = Clock.new(parse_control("10s + 2x5s")).run(Player.FIRST, 0)

    def at(now_ns: int) -> ClockView:
        return ClockView.of(clock, Player.FIRST, now_ns)

    assert [u and u[0] for u in (feed.update(record_of(), at(t)) for t in (0, S, 3 * S))] == [1, None, None]
    clock = clock.run(Player.SECOND, 4 * S)
    assert [u and u[0] for u in (feed.update(record_of(), at(t)) for t in (4 * S, 5 * S))] == [2, None]
    clock = clock.add(Player.SECOND, S, 6 * S, "arbiter")
    assert [u and u[0] for u in (feed.update(record_of(), at(t)) for t in (6 * S, 7 * S))] == [3, None]
    assert [u and u[0] for u in (feed.update(record_of(), at(t)) for t in (16 * S, 21 * S))] == [4, 5]


def test_without_a_limit_running_clocks_publish_nothing() -> None:
    feed = PublicFeed(before_the_game(HEADER, FREE, 0)._replace(seq=7))
    clock = Clock.new(parse_control("none")).run(Player.FIRST, 5 * S)
    seen = [feed.update(record_of(), ClockView.of(clock, Player.FIRST, t * S)) for t in (5, 6, 99)]
    assert [each and each[0] for each in seen] == [8, None, None]


def test_a_clock_that_runs_on_after_its_flag_publishes_nothing_more() -> None:
    feed = PublicFeed()
    seen = [feed.update(record_of(), view(t * S, control="10s")) for t in (0, 10, 11, 12)]
    assert [each and each[0] for each in seen] == [1, 2, None, None]


def test_a_feed_refuses_the_arbiters_record() -> None:
    with pytest.raises(ValueError, match="not of one for 'arbiter'"):
        PublicFeed().update(record_of(audience="arbiter"), view())


# -- nobody can tell

FOR_THE_ARBITER = st.one_of(
    [
        arbitrary(kind, audience=st.just("arbiter"))
        for kind in (Irregular, Forbidden, Lapsed, Claimed, Upheld, Told, Refused, Differs, Restored)
    ]
)
IN_PUBLIC = (
    plausible_moves()
    | st.builds(pressed, st.integers(1, 12))
    | st.builds(lambda n: Unmoved(t_ns=0, n=n), st.integers(1, 12))
)
STEPS = st.lists(
    st.tuples(st.integers(0, 2 * REST_NS), IN_PUBLIC, st.lists(FOR_THE_ARBITER, max_size=2)), max_size=15
)


@given(STEPS)
@settings(max_examples=40)
def test_what_is_for_the_arbiter_changes_nothing_in_public(
    steps: list[tuple[int, AnyRuling, list[AnyRuling]]],
) -> None:
    """Neither content nor id nor instant nor number of publications depends on the arbiter's rulings."""
    plain, full = PublicFeed(), PublicFeed()
    with_all = without = record_of()
    now_ns = 0
    for wait_ns, ruling, hidden in steps:
        now_ns += wait_ns
        without = without.fold(ruling)
        with_all = with_all.fold_all([*hidden, ruling, *hidden])
        assert full.update(with_all, view(now_ns)) == plain.update(without, view(now_ns))
        assert full.next_change_ns == plain.next_change_ns


@given(st.lists(any_of(AnyRuling), max_size=20))
@settings(max_examples=40)
def test_no_ruling_whatever_brings_its_secret_into_the_public_snapshot(rulings: list[AnyRuling]) -> None:
    public = [ruling for ruling in rulings if ruling.audience == "public"]
    built = snapshot(record_of(*rulings), view())
    assert built == snapshot(record_of(*public), view())
    json.dumps(built)
    json.dumps(snapshot(record_of(*rulings, audience="arbiter"), view()))


def published(inputs: list[Input], settings: MatchSettings) -> list[tuple[int, Publication]]:
    """What the feed of a table publishes, and when, with a look every 10 ms."""
    referee = Referee(settings)
    record = GameRecord.new(HEADER, settings, "public")
    feed = PublicFeed()
    out = []
    waiting = sorted(inputs, key=lambda given: given.t_ns)
    for now_ns in range(0, waiting[-1].t_ns + 3 * S, 10_000_000):
        while waiting and waiting[0].t_ns <= now_ns:
            record = record.fold_all(referee.rule(waiting.pop(0)))
        record = record.fold_all(referee.rule(Tick(t_ns=now_ns)))
        shown = feed.update(record, ClockView.of(referee.clock, Player.FIRST, now_ns))
        if shown is not None:
            out.append((now_ns, shown))
    return out


def test_a_slide_looks_like_any_other_move_until_it_has_lapsed() -> None:
    start = Command(t_ns=0, do="start")
    black, white = KeyPress(t_ns=4 * S, key="near"), KeyPress(t_ns=9 * S, key="far")
    slide = Slid(t_ns=3 * S, path=(P("H8"), P("I8")), colour=BLACK, first_contact_ns=2 * S)
    plain = Placed(t_ns=3 * S, point=P("I8"), colour=BLACK)
    answer = Placed(t_ns=8 * S, point=P("A1"), colour=WHITE)
    ordinary = published([start, plain, black, answer, white], FREE)
    irregular = published([start, slide, black, answer, white], FREE)

    def messages(feed: list[tuple[int, Publication]]) -> list[tuple[int, int, dict[str, Any], str]]:
        return [(t, shown.seq, shown.game, shown.kind) for t, shown in feed if t < answer.t_ns]

    until = messages(irregular)
    assert until == messages(ordinary)
    assert [(t, number, points(shown)) for t, number, shown, _ in until] == [(0, 1, []), (4 * S, 2, ["I8"])]
    assert ordinary[-1][1][1]["irregular"] == []
    assert [each["code"] for each in irregular[-1][1][1]["irregular"]] == ["slide"]
