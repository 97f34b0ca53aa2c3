"""The one place where anything becomes public: the delay, who joins and who comes back, and what is sent."""

import asyncio
import bisect
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import httpx
import jsonschema
import msgspec

from firmware_host.feed.forms import schema, schema_text
from firmware_host.feed.message import Kind
from firmware_host.service.web import create_app
from tests.service.virtual_table import BUNDLE_NS, SECOND, VirtualTable

Message = dict[str, Any]


def read(raw: bytes) -> tuple[str, Message]:
    """The id and the content of a message."""
    event, id_, data, *rest = raw.decode().split("\n")
    assert (event, rest) == ("event: game", ["", ""])
    built: Message = msgspec.json.decode(data.removeprefix("data: "))
    assert id_ == f"id: {built['feed']}-{built['seq']}"
    return id_.removeprefix("id: "), built


def play(folder: Path, story: Callable[[VirtualTable], Any], *settings: str) -> Any:
    """A story at a table in virtual time."""
    folder.mkdir(exist_ok=True)
    table = VirtualTable(folder, *settings)

    async def whole() -> Any:
        telling = asyncio.create_task(table.table.tell())
        try:
            return await story(table)
        finally:
            telling.cancel()
            table.close()

    return asyncio.run(whole())


async def game(table: VirtualTable) -> None:
    """A short game with a correction in it: five stones in a row, one of them put elsewhere first."""
    table.table.start()
    await table.run(0.5)
    for n, point in enumerate(["H8", "A1", "I8", "C1", "J8", "E1", "K8"]):
        await table.move(point, ("black", "white")[n % 2])
        await table.run(1)
    await table.sim.hand({"do": "place", "point": "G1", "colour": "white"})
    await table.run(1.5)
    await table.sim.hand({"do": "lift", "point": "G1"})
    await table.run(0.5)
    await table.move("I1", "white")
    await table.move("L8", "black")
    await table.run(2)


def told(table: VirtualTable) -> list[tuple[int, Message]]:
    return [(t_ns, read(raw)[1]) for t_ns, raw in table.published]


VALIDATOR = jsonschema.Draft202012Validator(schema())


def test_the_schema_in_the_docs_is_that_of_the_forms() -> None:
    path = Path(__file__).parents[2] / "docs" / "feed.schema.json"
    assert path.read_text(encoding="utf-8") == schema_text(), (
        "python -c 'from firmware_host.feed.forms import schema_text; print(schema_text(), end=\"\")'"
    )
    jsonschema.Draft202012Validator.check_schema(schema())
    assert set(schema()["$defs"]["Message"]["properties"]["kind"]["enum"]) == set(get_args(Kind))


def test_every_message_of_a_game_with_swap_offers_and_a_claim_is_as_the_schema_says(tmp_path: Path) -> None:
    async def story(table: VirtualTable) -> list[Message]:
        table.table.start()
        await table.run(0.3)
        for point, colour in (("H8", "black"), ("I9", "white"), ("J8", "black")):
            await table.sim.hand({"do": "place", "point": point, "colour": colour})
            await table.run(0.1)
        await table.press("near")
        await table.order("swap", by="far")
        await table.move("I7", "white", "near")
        for point in ("J9", "F10"):
            await table.sim.hand({"do": "place", "point": point, "colour": "black"})
            await table.run(0.1)
        await table.press("far")
        await table.run(1)
        await table.sim.hand({"do": "lift", "point": "F10"})
        await table.run(0.6)
        await table.sim.hand({"do": "place", "point": "G7", "colour": "white"})
        await table.run(0.1)
        await table.sim.hand({"do": "slide", "from": "G7", "to": "G6"})
        await table.run(0.6)
        await table.press("near")
        await table.order("claim", side="black", code="slide")
        await table.order("uphold")
        await table.order("result", black=0, white=1, reason="arbiter")
        await table.run(1)
        return [message for _, message in told(table)]

    messages = play(tmp_path, story, "match.opening=rif-classic", "match.time=5s + 3x5s byo-yomi")
    for message in messages:
        VALIDATOR.validate(message)
    seen = {key for message in messages for key, value in message.items() if value}
    assert seen >= {"offers", "offered", "opening", "irregular", "result", "to_move", "ply"}
    assert {"begin", "move", "change", "revise", "end"} <= {message["kind"] for message in messages}


def test_the_schema_refuses_what_is_not_in_it(tmp_path: Path) -> None:
    async def story(table: VirtualTable) -> Message:
        await table.run(0.1)
        return dict(told(table)[0][1])

    good = play(tmp_path, story)
    VALIDATOR.validate(good)
    for change in ({"more": 1}, {"kind": "other"}, {"phase": "late"}, {"offers": ["P1"]}, {"seq": "1"}):
        assert not VALIDATOR.is_valid(good | change), change
    assert not VALIDATOR.is_valid({k: v for k, v in good.items() if k != "result"})


def test_each_message_says_what_happened_and_holds_the_whole_game(tmp_path: Path) -> None:
    async def story(table: VirtualTable) -> list[Message]:
        await game(table)
        return [message for _, message in told(table)]

    messages = play(tmp_path, story)
    assert [m["seq"] for m in messages] == list(range(1, len(messages) + 1))
    assert messages[0]["kind"] == "begin"
    assert [m["ply"] for m in messages if m["kind"] == "move"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [(m["ply"], m["moves"][7]["point"]) for m in messages if m["kind"] == "revise"] == [(8, "I1")]
    assert [(m["ply"], m["result"]["reason"]) for m in messages if m["kind"] == "end"] == [(9, "five")]
    assert messages[-1]["kind"] == "end"
    assert {m["format"] for m in messages} == {"renju-board-game"}
    assert all(m["synchronised"] and m["released_at"].startswith("1970-01-01T00:0") for m in messages)


def test_with_a_delay_all_is_as_it_was_then(tmp_path: Path) -> None:
    """Messages, what a poll gets at any instant, the record of the sheet: all of it so much later."""

    async def story(table: VirtualTable) -> tuple[list[Any], list[Any]]:
        polls: list[Any] = []
        look, public, late_ns = table.told, table.table.public, table.config.publish.delay_s * SECOND

        async def told_and_looked() -> None:
            await look()
            message = msgspec.json.decode(public.body()[0])
            clock = message.pop("clock")
            polls.append((table.now_ns - late_ns, clock, (still(message), public.record.moves)))

        table.told = told_and_looked  # type: ignore[method-assign]
        await game(table)
        await table.run(table.config.publish.delay_s)
        return [(t_ns - late_ns, message) for t_ns, message in told(table)], polls

    def still(message: Message) -> Message:
        return {k: v for k, v in message.items() if k not in other}

    other = ("id", "feed", "released_at", "delay_s", "clock")
    plain, polls = play(tmp_path / "plain", story, "match.time=10m")
    late, late_polls = play(tmp_path / "late", story, "match.time=10m", "publish.delay_s=3")
    assert [still(message) for _, message in late] == [still(message) for _, message in plain]
    turns = [late_ns - t_ns for (t_ns, _), (late_ns, _) in zip(plain[1:], late[1:], strict=True)]
    assert all(0 <= turn_ns <= 2 * BUNDLE_NS for turn_ns in turns)
    instants = [t_ns for t_ns, *_ in polls]
    compared = 0
    for t_ns, clock, what in late_polls:
        at = bisect.bisect_right(instants, t_ns) - 1
        if at < 0:
            assert (what[0]["phase"], what[0]["moves"], clock["running"]) == ("waiting", [], None)
            continue
        assert what in [poll[2] for poll in polls[max(0, at - 2) : at + 1]], (
            "at most a turn of the table later"
        )
        if what != polls[at][2]:
            continue
        compared += 1
        then, running = polls[at][1], clock["running"]
        assert then["running"] == running
        for side in ("black", "white"):
            ran_ms = (t_ns - instants[at]) / 1e6 if side == running else 0
            assert abs(then[side]["remaining_ms"] - clock[side]["remaining_ms"] - ran_ms) <= 1
    assert compared > 300


def test_who_comes_back_gets_what_was_missed_as_it_was_and_then_the_clocks_of_now(tmp_path: Path) -> None:
    async def story(table: VirtualTable) -> None:
        public = table.table.public
        table.table.start()
        await table.run(0.5)
        stayed = public.follow()
        first = read(await anext(stayed))[1]
        assert first["kind"] == "snapshot"
        await table.move("H8", "black")
        left = await anext(stayed)
        await table.move("A1", "white")
        await table.run(3)
        seen = [await anext(stayed) for _ in range(public.last_id - read(left)[1]["seq"])]
        back = public.follow(read(left)[0])
        assert [await anext(back) for _ in seen] == seen
        newest = read(await anext(back))[1]
        assert (newest["kind"], newest["resync"], newest["seq"]) == ("snapshot", False, public.last_id)
        assert newest["clock"]["black"]["remaining_ms"] < read(seen[-1])[1]["clock"]["black"]["remaining_ms"]
        for id_ in ("5f0c9a3e-1", f"{public.name}-99", f"{public.name}-x", public.name, "1", "-", "\u0665"):
            other = public.follow(id_)
            fresh = read(await anext(other))[1]
            assert (fresh["kind"], fresh["resync"], fresh["seq"]) == ("snapshot", True, public.last_id), id_
            await other.aclose()
        for stream in (stayed, back):
            await stream.aclose()

    play(tmp_path, story, "match.time=10m")


def test_a_game_that_is_polled_is_sent_again_when_it_has_changed(tmp_path: Path) -> None:
    async def story(table: VirtualTable) -> None:
        transport = httpx.ASGITransport(create_app(table.table))
        async with httpx.AsyncClient(transport=transport, base_url="http://board") as browser:

            async def poll(known: str = "") -> httpx.Response:
                return await browser.get("/game.json", headers={"If-None-Match": known} if known else {})

            table.table.start()
            await table.run(0.5)
            first = await poll()
            await table.run(5)
            again = await poll(f'"x", {first.headers["etag"]}')
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]
            await table.move("H8", "black")
            changed = await poll(first.headers["etag"])
            assert (changed.status_code, changed.json()["moves"][0]["point"]) == (200, "H8")
            assert changed.json()["clock"]["black"]["text"] == "9:55"

    play(tmp_path, story, "match.time=10m")
