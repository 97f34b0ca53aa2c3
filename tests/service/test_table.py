"""The live table in virtual time: what is shown at once, what waits for the disk, who is told what."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_host.errors import BoardError
from firmware_host.referee.inputs import Command, KeyPress, Tick
from firmware_host.sensing.events import FramesLost
from firmware_host.service import table as table_module
from firmware_host.service.game import away_ns
from firmware_host.service.journal_rows import Entry
from firmware_host.service.trace_keeper import TraceKeeper
from firmware_host.service.wall_clock import boot_id
from hw.segments import encode
from tests.service.virtual_table import PERIOD_NS, SECOND, VirtualTable

TIMED = "match.time=15m"
Play = Callable[[VirtualTable], Awaitable[None]]


def points(snapshot: dict[str, Any]) -> list[str | None]:
    return [move["point"] for move in snapshot["moves"]]


async def five(table: VirtualTable) -> None:
    for n, point in enumerate(["H8", "H9", "I8", "I9", "J8", "J9", "K8", "K9", "L8"]):
        await table.move(point, ("black", "white")[n % 2])


def test_a_game_from_hands_to_the_result(run: Callable[..., VirtualTable]) -> None:
    table = run(five, TIMED)
    assert table.public["result"]["reason"] == table.arbiter["result"]["reason"] == "five"
    assert len(points(table.public)) == 9
    assert table.public["clock"]["running"] is None


def test_every_step_of_an_opening_is_told_to_the_arbiter(run: Callable[..., VirtualTable]) -> None:
    steps: list[dict[str, Any]] = []

    async def opening(table: VirtualTable) -> None:
        steps.append(table.arbiter["step"])
        await table.move("H8", "black")
        steps.append(table.arbiter["step"])

    table = run(opening, "match.opening=taraguchi-10")
    assert [(s["do"], s["side"], s["n"], s["where"], s["leads_to"]) for s in steps] == [
        ("move", "black", 1, "tengen", "choice"),
        ("choice", "white", 2, "anywhere", "move"),
    ]
    assert steps[1]["choices"] == ["keep", "swap"]
    assert (table.arbiter["to_move"], table.arbiter["offers_range"]) == ("white", None)


@pytest.mark.parametrize(
    ("name", "told"),
    [("yamaguchi", [(1, 12), ((1, 12), 3)]), ("soosyrv-8", [None, (None, None)])],
)
def test_where_the_number_of_offers_is_named_it_can_be_entered(
    run: Callable[..., VirtualTable], name: str, told: list[Any]
) -> None:
    ranges: list[Any] = []

    async def opening(table: VirtualTable) -> None:
        ranges.append(table.arbiter["offers_range"])
        await table.order("opening", offers=3)
        ranges.append((table.arbiter["offers_range"], table.arbiter["offers_wanted"]))

    run(opening, f"match.opening={name}")
    assert ranges == told


def test_a_set_up_and_fifth_offers_are_shown_at_the_press_however_long_they_lie(
    run: Callable[..., VirtualTable],
) -> None:
    shown: list[tuple[int, list[str]]] = []

    async def opening(table: VirtualTable) -> None:
        async def lay(*stones: tuple[str, str]) -> None:
            for point, colour in stones:
                await table.sim.hand({"do": "place", "point": point, "colour": colour})
            await table.run(5)
            shown.append((len(table.public["moves"]), table.public["offers"]))
            await table.press("near")
            shown.append((len(table.public["moves"]), table.public["offers"]))

        await lay(("H8", "black"), ("H9", "white"), ("I9", "black"))
        await table.move("G7", "white")
        await lay(("J9", "black"), ("F10", "black"))

    run(opening, "match.opening=designated", "match.offers=2")
    assert shown == [(0, []), (3, []), (4, []), (4, ["J9", "F10"])]


def test_a_stone_that_lies_where_none_belongs_is_a_difference_while_the_game_goes_on(
    run: Callable[..., VirtualTable],
) -> None:
    shown: list[list[tuple[str, str | None, str | None]]] = []

    async def scene(table: VirtualTable) -> None:
        await table.move("H8", "black")
        await table.move("I9", "white")
        for hand in (
            {"do": "lift", "point": "H8"},
            {"do": "place", "point": "E5", "colour": "black"},
            {"do": "lift", "point": "E5"},
            {"do": "place", "point": "H8", "colour": "black"},
        ):
            await table.sim.hand(hand)
            await table.run(0.8)
            shown.append([tuple(each.values()) for each in table.arbiter["differences"]])

    run(scene, "match.opening=free")
    assert shown == [[], [("E5", None, "black"), ("H8", "black", None)], [], []]


def test_face_page_and_referee_agree_at_every_press(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        for n, (point, colour) in enumerate([("H8", "black"), ("H9", "white"), ("I8", "black")]):
            await table.run(1.7)
            await table.move(point, colour)
            public = table.public["clock"]
            assert public == table.arbiter["clock"]
            assert public["running"] == ("white", "black")[n % 2]
            for seat, side in (("near", "black"), ("far", "white")):
                assert table.face(seat) == encode(public[side]["text"])

    run(scene, TIMED)


@pytest.mark.parametrize("in_time", [True, False])
def test_a_period_ends_for_the_public_when_it_is_certain(
    run: Callable[..., VirtualTable], in_time: bool
) -> None:
    shown: list[tuple[bool, bool]] = []

    async def move(table: VirtualTable) -> None:
        live, axis = table.table.live, table.table.axis
        end_ns = live.referee.clock.next_event_ns
        assert end_ns is not None
        table.hand.place(axis.monotonic_ns(end_ns) - SECOND // 3, "H8", "black", strength=0.35)
        table.hand.press(axis.monotonic_ns(end_ns) - in_time, "near")
        while axis.now_ns() < end_ns + SECOND:
            await table.run(0.03)
            shown.append((live.pipeline.ruled_ns >= end_ns, table.public["clock"]["black"]["byo_yomi"]))

    run(move, "match.time=3s + 3x5s byo-yomi")
    assert [byo_yomi for certain, byo_yomi in shown if not certain].count(True) == 0
    assert {byo_yomi for certain, byo_yomi in shown if certain} == {not in_time}


def test_a_press_is_on_the_faces_before_the_disk_has_it(
    run: Callable[..., VirtualTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "SLOW_DISK_S", 0.2)

    async def scene(table: VirtualTable) -> None:
        await table.sim.hand({"do": "place", "point": "H8", "colour": "black"})
        await table.run(0.5)
        with table.disk_held():
            table.hand.press(table.now_ns, "near")
            seen_ns = table.now_ns + 10_000_000
            table.now_ns = seen_ns
            table.turn()
            before = table.face("far")
            table.now_ns += 5_000_000_000
            table.table.display.show(table.table._showing().referee, table.now_ns)
            assert table.face("far") != before, "the opponent's time runs"
            assert table.public["moves"] == [] or table.public["moves"][0]["used_ms"] is None

    run(scene, TIMED)


def test_a_disk_that_stops_holds_nothing_up_for_longer_each_time(
    run: Callable[..., VirtualTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "SLOW_DISK_S", 1.0)

    async def scene(table: VirtualTable) -> None:
        with table.disk_held():
            began = time.monotonic()
            for n, point in enumerate(["H8", "H9", "I8", "I9", "J8", "J9"]):
                table.hand.place(table.now_ns, point, ("black", "white")[n % 2])
                await table.pass_by(0.4)
                table.hand.press(table.now_ns, ("near", "far")[n % 2])
                await table.pass_by(0.4)
            await table.told()
            took_s = time.monotonic() - began
            assert points(table.arbiter) == ["H8", "H9", "I8", "I9", "J8", "J9"]
        assert took_s < 10, "twelve steps, each told 1 s after it was written, not one after the other"

    table = run(scene, TIMED)
    table.journal.close()


def test_a_chip_that_fails_is_told_while_nothing_happens_and_stays_told(
    run: Callable[..., VirtualTable],
) -> None:
    async def scene(table: VirtualTable) -> None:
        clock = table.devices.clock
        assert clock is not None
        await table.order("pause")
        told = table.table.arbiter.last_id
        chip = clock.bus.detach(0x71)
        await table.run(6)
        assert table.table.arbiter.last_id > told
        for _ in range(2):
            assert "0x71" in table.arbiter["faults"][0]
            assert table.table.health()["status"] == "degraded"
            await table.run(1)
        clock.bus.attach(0x71, chip)
        told = table.table.arbiter.last_id
        await table.run(6)
        assert table.table.arbiter.last_id > told
        assert table.arbiter["faults"] == []

    run(scene, TIMED)


def test_a_device_that_fails_is_an_incident_of_which_a_trace_is_kept_once(
    run: Callable[..., VirtualTable], tmp_path: Path
) -> None:
    """A device that comes and goes fills no disk: what a saved trace holds is not saved again."""
    keeper = TraceKeeper(tmp_path / "journal.db", sensors="linear", rate_hz=200, match={}, pace_s=0)
    faults: list[str] = []

    async def scene(table: VirtualTable) -> None:
        table.table.device_faults = lambda: faults
        await table.run(1.1)
        for _ in range(5):
            faults.append("the face at 0x70 has fallen off")
            await table.run(1.1)
            assert table.arbiter["faults"] == faults
            faults.clear()
            await table.run(1.1)
        keeper.close()

    run(scene, TIMED, keeper=keeper)
    (trace,) = tmp_path.glob("*.trace.gz")
    assert trace.name.endswith("-device-fault.trace.gz")


def test_frames_that_are_lost_all_the_time_cost_the_journal_little(
    run: Callable[..., VirtualTable],
) -> None:
    async def scene(table: VirtualTable) -> None:
        for _ in range(400):
            table._frame_ns += PERIOD_NS
            table.lost = 1
            await table.run(0.075)
        counts = [
            e.given.count
            for e in table.journal.entries(table.table.live.game)
            if isinstance(e.given, FramesLost)
        ]
        assert len(counts) == 5
        assert sum(counts) <= 400
        assert counts[0] == 1

    run(scene, TIMED)


def test_an_orderly_stop_writes_down_every_frame_that_was_lost(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        for lost in (3, 4, 5):
            table._frame_ns += lost * PERIOD_NS
            table.lost = lost
            await table.run(0.15)
        table.table.leave()
        await table.told()
        given = [e.given for e in table.journal.entries(table.table.live.game)]
        assert [each.count for each in given if isinstance(each, FramesLost)] == [3, 9]
        told = [r.text for r in table.table.live.arbiter.log if getattr(r, "code", "") == "frames-lost"]
        assert told == ["3", "9"]
        table.table.leave()
        await table.told()
        assert len(table.journal.entries(table.table.live.game)) == len(given)

    run(scene, TIMED)


def test_a_trace_that_cannot_be_saved_is_no_news_for_the_public(
    run: Callable[..., VirtualTable], tmp_path: Path
) -> None:
    keeper = TraceKeeper(
        tmp_path / "journal.db", sensors="linear", rate_hz=200, match={}, reserve_bytes=1 << 62
    )

    async def scene(table: VirtualTable) -> None:
        before = table.table.health()
        await table.move("H8", "black")
        await table.sim.hand({"do": "place", "point": "H9", "colour": "white"})
        await table.run(0.3)
        await table.sim.hand({"do": "slide", "from": "H9", "to": "H11"})
        await table.run(0.5)
        assert [found["code"] for found in table.arbiter["irregular"]] == ["slide"]
        keeper.close()
        assert "slide" in table.arbiter["faults"][0]
        assert table.table.health() == before

    run(scene, TIMED, keeper=keeper)


def test_the_next_game_knows_what_lies_there_and_which_sensors_are_masked(
    run: Callable[..., VirtualTable],
) -> None:
    async def scene(table: VirtualTable) -> None:
        await table.order("mask", point="A15")
        await five(table)
        rulings = await table.order("start")
        assert [r.get("code", r["ruling"]) for r in rulings] == ["started", "stones-at-start"]
        assert table.table.live.game.number == 2
        assert "A15" in table.arbiter["masked"]
        assert table.table.live.referee.masked == {224 - 14}
        assert points(table.public) == []
        await table.sim.hand({"do": "clear"})
        await table.run(1.5)
        await table.move("H8", "black")
        assert points(table.public) == ["H8"]

    run(scene, TIMED)


def test_without_frames_the_clocks_go_on(run: Callable[..., VirtualTable]) -> None:
    async def scene(table: VirtualTable) -> None:
        table._frame_ns = 1 << 62
        await table.run(11)
        assert table.public["result"]["reason"] == "time"

    run(scene, "match.time=10s")


def test_what_is_shown_is_never_further_ahead_of_the_journal_than_a_heartbeat(
    run: Callable[..., VirtualTable],
) -> None:
    """With the time that a slow card takes: an instant is safe so long after it was handed to the journal."""
    card_ns = SECOND // 5
    worst_ns = 0

    async def scene(table: VirtualTable) -> None:
        nonlocal worst_ns
        handed: list[tuple[int, int]] = []
        for _ in range(100):
            await table.run(0.03)
            game = table.journal.last_game()
            assert game is not None
            entries = table.journal.entries(game)
            handed += [(table.now_ns, entry.t_ns) for entry in entries[len(handed) :]]
            safe_ns = max((t_ns for at_ns, t_ns in handed if at_ns <= table.now_ns - card_ns), default=None)
            if safe_ns is not None:
                worst_ns = max(worst_ns, table.table.axis.now_ns() - safe_ns)

    run(scene, TIMED)
    assert SECOND // 2 < worst_ns <= SECOND


@pytest.mark.parametrize("answered", [False, True])
def test_the_stone_of_a_press_that_was_not_seen_is_offered_as_its_move(
    run: Callable[..., VirtualTable], answered: bool
) -> None:
    """Its sensor was masked; trusted again, it shows the stone, before or after the opponent's next."""

    async def scene(table: VirtualTable) -> None:
        await table.move("H8", "black")
        await table.move("H9", "white")
        await table.order("mask", point="J9")
        await table.move("J9", "black")
        if answered:
            await table.move("K10", "white")
        await table.order("unmask", point="J9")
        await table.run(1)
        assert table.arbiter["differences"] == [
            {"point": "J9", "record": None, "seen": "black", "whose": "black"}
        ]
        await table.order("place", point="J9", colour="black")
        await table.run(0.5)
        assert table.arbiter["differences"] == []
        assert points(table.arbiter) == ["H8", "H9", "J9", *(["K10"] if answered else [])]

    run(scene)


def test_after_a_restart_the_arbiter_s_masks_hold_and_the_board_is_compared(
    run: Callable[..., VirtualTable],
) -> None:
    async def first(table: VirtualTable) -> None:
        await table.move("H8", "black")
        await table.order("mask", point="A15")
        await table.order("mask", point="O1")
        await table.order("unmask", point="O1")

    async def second(table: VirtualTable) -> None:
        await table.run(1)
        assert table.arbiter["phase"] == "paused"
        assert table.arbiter["masked"] == ["A15"]
        assert points(table.arbiter) == ["H8"]
        assert await table.order("resume")
        await table.move("H9", "white")
        assert points(table.public) == ["H8", "H9"]

    run(first, TIMED).close()
    run(second, TIMED)


def test_how_long_the_board_was_off_is_shown_and_charged_by_the_arbiter_alone(
    run: Callable[..., VirtualTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def first(table: VirtualTable) -> None:
        await table.move("H8", "black")

    async def second(table: VirtualTable) -> None:
        await table.run(1)
        assert 150_000 <= table.arbiter["away_ms"] < 200_000
        assert "away_ms" not in table.public
        before = table.arbiter["clock"]["white"]["remaining_ms"]
        await table.order("charge", side="white")
        assert table.arbiter["clock"]["white"]["remaining_ms"] < before - 150_000
        assert table.arbiter["away_ms"] == 0

    run(first, TIMED).close()
    later_ns = time.time_ns() + 150_000_000_000
    monkeypatch.setattr("firmware_host.service.game.wall_ns", lambda: later_ns)
    run(second, TIMED)


def test_time_is_not_said_to_have_passed_where_the_time_of_day_cannot_be_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last = Entry(
        game=1, seq=1, t_ns=0, boot_id="another", wall_ns=0, synchronised=True, given=Tick(t_ns=0), rulings=()
    )
    monkeypatch.setattr("firmware_host.service.game.wall_ns", lambda: 60_000_000_000)
    for now_trusted, last_trusted, away_s in ((True, True, 60), (False, True, 0), (True, False, 0)):
        monkeypatch.setattr("firmware_host.service.game.synchronised", lambda trusted=now_trusted: trusted)
        assert away_ns(msgspec.structs.replace(last, synchronised=last_trusted)) == away_s * 1_000_000_000
    assert away_ns(msgspec.structs.replace(last, boot_id=boot_id())) == 60_000_000_000
    assert away_ns(msgspec.structs.replace(last, boot_id=boot_id(), wall_ns=90_000_000_000)) == 0


def test_what_a_menu_gives_is_in_the_journal_and_a_restart_closes_it(
    run: Callable[..., VirtualTable],
) -> None:
    async def first(table: VirtualTable) -> None:
        for do in ("hold", "press"):
            await table.sim.hand({"do": do, "key": "near-call"})
            await table.run(0.1)
        await table.sim.hand({"do": "hold", "key": "far-call"})
        await table.run(0.1)
        assert table.face("far") == encode("=YES")
        game = table.journal.last_game()
        assert game is not None
        given = [entry.given for entry in table.journal.entries(game)]
        assert [(each.do, each.by) for each in given if isinstance(each, Command)] == [
            ("start", "organiser"),
            ("draw", "near"),
        ]
        assert not [each for each in given if isinstance(each, KeyPress)]

    async def second(table: VirtualTable) -> None:
        await table.run(1)
        assert table.face("far")[0] == encode("15:00")[0]
        assert await table.order("resume")
        for do in ("hold", "press", "press"):
            await table.sim.hand({"do": do, "key": "far-call"})
            await table.run(0.1)
        assert table.public["result"]["reason"] == "agreement"

    run(first, TIMED).close()
    run(second, TIMED)


def test_an_order_that_nobody_can_answer_is_told_in_one_sentence(
    run: Callable[..., VirtualTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "ANSWER_S", 0.01)

    async def scene(table: VirtualTable) -> None:
        with pytest.raises(BoardError, match="pause has been noted, and no answer came"):
            await table.table.command({"do": "pause"})
        await table.run(0.1)
        assert table.arbiter["phase"] == "paused", "noted is noted"

    run(scene, TIMED)


def test_entries_that_would_be_ruled_otherwise_make_one_note(
    run: Callable[..., VirtualTable], tmp_path: Path
) -> None:
    async def first(table: VirtualTable) -> None:
        for point, colour in (("H8", "black"), ("H9", "white"), ("I8", "black")):
            await table.move(point, colour)

    async def nothing(table: VirtualTable) -> None:
        pass

    run(first, TIMED).close()
    with sqlite3.connect(tmp_path / "journal.db") as journal:
        journal.execute("UPDATE entries SET rulings = replace(rulings, 'used_ms\":', 'used_ms\":1')")
    journal.close()
    notes = [note for note in run(nothing, TIMED).arbiter["notes"] if isinstance(note, str)]
    assert len(notes) == 1
    assert "would be ruled otherwise by this version" in notes[0]


async def ordinary(table: VirtualTable) -> None:
    await table.sim.hand({"do": "place", "point": "M13", "colour": "black"})


async def forbidden(table: VirtualTable) -> None:
    await table.sim.hand({"do": "place", "point": "J8", "colour": "black"})


async def slid(table: VirtualTable) -> None:
    await table.sim.hand({"do": "place", "point": "M11", "colour": "black"})
    await table.run(0.1)
    await table.sim.hand({"do": "slide", "from": "M11", "to": "M13"})


@pytest.mark.parametrize(
    ("hidden", "code", "press_s", "messages"),
    [(forbidden, "double-three", 3.0, 2), (slid, "slide", 0.9, 1)],
    ids=["forbidden", "slid"],
)
def test_what_is_for_the_arbiter_changes_no_byte_and_no_instant_for_the_public(
    tmp_path: Path, opened: list[VirtualTable], hidden: Play, code: str, press_s: float, messages: int
) -> None:
    """Black H8 I8 J9 J10, then a double-three on J8, or a stone that slides to M13, or one put on M13.

    A message is due when the stone has lain for a second, and at the press.
    """

    async def whole(table: VirtualTable, fifth: Play) -> list[tuple[int, bytes]]:
        telling = asyncio.create_task(table.table.tell())
        table.table.start()
        await table.run(0.3)
        for n, point in enumerate(["H8", "A1", "I8", "C1", "J9", "E1", "J10", "G1"]):
            await table.move(point, ("black", "white")[n % 2])
        sent = len(table.published)
        at_ns = table.now_ns + round(press_s * SECOND)
        await fifth(table)
        await table.run((at_ns - table.now_ns) / SECOND)
        await table.press("near")
        await table.run(2)
        telling.cancel()
        table.published.append((table.now_ns, msgspec.json.encode(table.table.health())))
        return [(t_ns, message.replace(b"J8", b"M13")) for t_ns, message in table.published[sent:]]

    def play(name: str, fifth: Play) -> list[tuple[int, bytes]]:
        (tmp_path / name).mkdir()
        table = VirtualTable(tmp_path / name, TIMED)
        opened.append(table)
        return asyncio.run(whole(table, fifth))

    plain, other = play("plain", ordinary), play("other", hidden)
    found = opened[-1].arbiter["claimable"]
    assert code in {found[0]["code"], found[0]["kind"]}
    assert [t for t, _ in other] == [t for t, _ in plain]
    assert len(plain) == messages + 1, "and the health at the end"

    def without_names(message: bytes) -> bytes:
        for table in opened:
            for name in (table.table.live.game.id, table.table.public.name):
                message = message.replace(name.encode(), b"-")
        return message

    assert [without_names(m) for _, m in other] == [without_names(m) for _, m in plain]
