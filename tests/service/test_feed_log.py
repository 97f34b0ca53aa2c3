"""What was published, over restarts: orderly ones, crashes, damage; with a delay and without."""

import asyncio
import errno
import os
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_host.service import feed_log
from firmware_host.service.broadcast import Broadcast
from firmware_host.service.feed_log import FeedLog, old, read
from tests.patience import wait_for
from tests.service.virtual_table import VirtualTable

Message = dict[str, Any]


def content(raw: bytes) -> Message:
    return dict(msgspec.json.decode(raw.split(b"\ndata: ")[1]))


def id_of(raw: bytes) -> str:
    return raw.split(b"\n")[1].removeprefix(b"id: ").decode()


async def greeted(public: Broadcast, last: str = "") -> list[bytes]:
    """What a reader is sent who comes now."""
    return public.greeting(last)


def life(
    folder: Path, story: Callable[[VirtualTable], Awaitable[Any]], *settings: str, crash: bool = False
) -> Any:
    """One life of a table; a crash leaves the file as far as it was written."""
    table = VirtualTable(folder, "match.time=10m", *settings)

    async def whole() -> Any:
        telling = asyncio.create_task(table.table.tell())
        try:
            return await story(table)
        finally:
            telling.cancel()

    try:
        return asyncio.run(whole())
    finally:
        if crash:
            table.feed_log._add = lambda _: None  # type: ignore[method-assign]
        table.close()


async def three_moves(table: VirtualTable) -> dict[str, Any]:
    table.table.start()
    await table.run(0.5)
    for point, colour in (("H8", "black"), ("A1", "white"), ("I8", "black")):
        await table.move(point, colour)
        await table.run(0.6)
    return {"name": table.table.public.name, "sent": [raw for _, raw in table.published]}


async def look(table: VirtualTable) -> Message:
    return content(table.table.public.state(missed=False))


def test_after_an_orderly_stop_a_reader_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    first = life(tmp_path, three_moves)

    async def again(table: VirtualTable) -> None:
        public = table.table.public
        assert public.name == first["name"]
        *missed, state = public.greeting(id_of(first["sent"][2]))
        assert missed[:-1] == first["sent"][3:]
        stopped = content(missed[-1])
        assert (stopped["kind"], stopped["clock"]["running"]) == ("clock", None)
        assert stopped["seq"] == content(first["sent"][-1])["seq"] + 1
        assert (content(state)["kind"], content(state)["resync"]) == ("snapshot", False)
        assert [move["point"] for move in content(state)["moves"]] == ["H8", "A1", "I8"]

    life(tmp_path, again)
    life(tmp_path, again)  # and once more: what was kept is kept


def test_a_stone_that_was_shown_before_its_press_stays_so_over_a_restart(tmp_path: Path) -> None:
    async def laid(table: VirtualTable) -> None:
        table.table.start()
        await table.run(0.5)
        await table.sim.hand({"do": "place", "point": "H8", "colour": "black"})
        await table.run(1.5)
        assert [move["point"] for move in table.public["moves"]] == ["H8"]

    async def still(table: VirtualTable) -> None:
        assert [content(raw)["kind"] for _, raw in table.table.public._kept][-1] == "clock"
        assert [move["point"] for move in table.public["moves"]] == ["H8"]

    life(tmp_path, laid)
    life(tmp_path, still)


def test_after_a_crash_the_feed_has_another_name_and_every_reader_a_fresh_snapshot(tmp_path: Path) -> None:
    first = life(tmp_path, three_moves, crash=True)

    async def again(table: VirtualTable) -> None:
        public = table.table.public
        assert public.name != first["name"]
        (state,) = public.greeting(id_of(first["sent"][2]))
        assert (content(state)["kind"], content(state)["resync"]) == ("snapshot", True)
        assert [move["point"] for move in content(state)["moves"]] == ["H8", "A1", "I8"]

    life(tmp_path, again)


@pytest.mark.parametrize("crash", [False, True])
def test_the_delay_goes_on_where_it_was(tmp_path: Path, crash: bool) -> None:
    """Two moves of three are public when the daemon ends; the third waits for the rest of its time."""
    late = "publish.delay_s=5"

    async def begun(table: VirtualTable) -> None:
        await three_moves(table)
        await table.run(3.8)
        assert [move["point"] for move in table.public["moves"]] == ["H8", "A1"]
        assert table.public["clock"]["running"] == "black"

    async def again(table: VirtualTable) -> None:
        shown = await look(table)
        assert [move["point"] for move in shown["moves"]] == ["H8", "A1"]
        assert shown["clock"]["running"] == "black", "as it was then"
        assert table.table.live.referee.clock.running is None
        await table.run(0.05)
        assert [move["point"] for move in table.public["moves"]] == ["H8", "A1"]
        await table.run(1.5)
        assert [move["point"] for move in table.public["moves"]] == ["H8", "A1", "I8"]
        assert table.public["clock"]["running"] == "white"
        await table.run(5)
        assert table.public["clock"]["running"] is None

    life(tmp_path, begun, late)
    life(tmp_path, again, late, crash=crash)
    life(tmp_path, look, late)


def test_the_end_of_a_game_waits_also_when_another_one_is_begun_after_a_restart(tmp_path: Path) -> None:
    late = "publish.delay_s=5"

    async def ended(table: VirtualTable) -> str:
        await three_moves(table)
        await table.order("result", black=1, white=0, reason="arbiter")
        assert table.table.live.over
        return table.table.live.game.id

    old_id = life(tmp_path, ended, late)

    async def another(table: VirtualTable) -> None:
        assert table.table.live.game.id != old_id
        await table.run(4.5)
        assert (table.public["id"], table.public["result"]) == (old_id, None)
        await table.run(1)
        assert (table.public["id"], table.public["phase"]) == (table.table.live.game.id, "waiting")
        sent = [content(raw) for _, raw in table.table.public._kept]
        assert [(m["kind"], m["id"] == old_id) for m in sent[-2:]] == [("end", True), ("begin", False)]
        assert [m["seq"] for m in sent] == list(range(sent[0]["seq"], sent[-1]["seq"] + 1))

    life(tmp_path, another, late, "table.start=command")


def test_an_end_is_told_once_also_when_the_result_is_undone_and_the_daemon_restarted(tmp_path: Path) -> None:
    async def undone(table: VirtualTable) -> None:
        await three_moves(table)
        await table.order("result", black=1, white=0, reason="arbiter")
        (decision,) = table.arbiter["decisions"]
        await table.order("compensate", entry=decision["entry"], reason="a slip")
        assert table.public["result"] is None

    async def again(table: VirtualTable) -> None:
        await table.order("accept_board")
        await table.order("result", black=0.5, white=0.5, reason="arbiter")
        sent = [content(raw) for _, raw in table.table.public._kept]
        assert [m["kind"] for m in sent if m["kind"] in ("begin", "end")] == ["begin", "end"]
        assert (sent[-1]["kind"], sent[-1]["ply"], sent[-1]["result"]["black"]) == ("revise", None, 0.5)

    life(tmp_path, undone)
    life(tmp_path, again)


NO_GAME = b'{"type":"put","n":99,"at_ns":1,"record":{},"seq":9,"kind":"end"}'


def checked(text: bytes) -> bytes:
    """A line as the file has it."""
    return b"%08x " % zlib.crc32(text) + text


@pytest.mark.parametrize(
    "damage",
    [
        "torn",
        "noise",
        "empty",
        "another version",
        "cut in the middle",
        "no game",
        "one letter",
        "unchecked",
    ],
)
def test_a_damaged_file_is_no_reason_to_fail(tmp_path: Path, damage: str) -> None:
    first = life(tmp_path, three_moves)
    path = tmp_path / "feed"
    data = path.read_bytes()
    lines = data.split(b"\n")
    path.write_bytes(
        {
            "torn": data[:-30],
            "noise": os.urandom(5000),
            "empty": b"",
            "another version": b"\n".join([checked(lines[0][9:].replace(b":1}", b":2}")), *lines[1:]]),
            "no game": data + checked(NO_GAME) + b"\n",
            "one letter": data.replace(b'"H8"', b'"H9"'),
            "unchecked": b"\n".join(line[9:] for line in lines),
            "cut in the middle": b"\n".join([*lines[:4], b"{", *lines[7:]]),
        }[damage]
    )

    async def again(table: VirtualTable) -> None:
        public = table.table.public
        assert [move["point"] for move in (await look(table))["moves"]] == ["H8", "A1", "I8"]
        greeting = public.greeting(id_of(first["sent"][0]))
        assert content(greeting[-1])["resync"]
        assert len(greeting) == 1
        await table.move("C1", "white")

    life(tmp_path, again)
    life(tmp_path, look)


def test_a_file_that_grows_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_log, "MOST_BYTES", 8_000)
    first = life(tmp_path, three_moves)
    path = tmp_path / "feed"
    assert old(path).exists()
    assert path.stat().st_size + old(path).stat().st_size < 40_000
    assert path.stat().st_mode & 0o077 == 0, "it has what is not public yet"

    async def again(table: VirtualTable) -> None:
        assert table.table.public.name == first["name"]
        missed = table.table.public.greeting(id_of(first["sent"][-2]))
        assert missed[0] == first["sent"][-1]

    life(tmp_path, again)


def test_a_full_disk_is_told_and_the_feed_begins_anew_after_the_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = FeedLog(tmp_path / "feed")
    log.begin("one", 0)
    wait_for(lambda: (tmp_path / "feed").exists() and (tmp_path / "feed").stat().st_size)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as broken:
        broken.setattr(feed_log, "_append", full)
        log.released(1)
        wait_for(lambda: log.fault)
    assert "No space left on device" in log.fault
    assert "begins anew" in log.fault
    log.close(2)
    assert read(tmp_path / "feed") is None
