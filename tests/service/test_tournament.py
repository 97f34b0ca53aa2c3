"""The documents for pollers and folder watchers, made of games that are really played and of the journal."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import msgspec
import pytest

from firmware_host.feed.forms import schema
from firmware_host.record import sgf
from firmware_host.service import tournament
from firmware_host.service.folder_keeper import FolderKeeper
from firmware_host.service.poll_pages import PollPages
from firmware_host.service.tournament import TournamentFiles
from firmware_host.service.web import create_app
from tests.patience import LONG_S, wait_for
from tests.service.virtual_table import VirtualTable

EVENT = ("table.event=Open", "table.round=2", "table.black=Anna", "table.white=Bo", "match.time=10m")
FIVE = ["H8", "A1", "I8", "C1", "J8", "E1", "K8", "G1", "L8"]


class Daemon:
    """A table with its documents, as the daemon puts them together, for the length of a story."""

    def __init__(self, folder: Path, *settings: str) -> None:
        folder.mkdir(exist_ok=True)
        self.table = VirtualTable(folder, *EVENT, *settings)
        self.files = TournamentFiles(
            self.table.table.public, self.table.journal.path, self.table.table.live.game.number
        )
        routes = PollPages(self.table.table.public, self.files).routes()
        transport = httpx.ASGITransport(create_app(self.table.table, polled=routes))
        self.browser = httpx.AsyncClient(transport=transport, base_url="http://board")

    async def ready(self) -> None:
        """Until the earlier games are read."""
        async with asyncio.timeout(LONG_S):
            while not self.files.documents:
                await asyncio.sleep(0.01)

    async def get(self, path: str, known: str = "") -> httpx.Response:
        return await self.browser.get(path, headers={"If-None-Match": known} if known else {})

    async def play(self, moves: list[str]) -> None:
        if self.table.table.live.over:
            await self.table.sim.hand({"do": "clear"})
            await self.table.run(1)
            await self.table.order("start")
        self.table.table.start()
        await self.table.run(0.4)
        for n, point in enumerate(moves):
            await self.table.move(point, ("black", "white")[n % 2])
        await self.table.run(1.2)


def story(folder: Path, tell: Callable[[Daemon], Awaitable[None]], *settings: str) -> None:
    """A life of a daemon."""

    async def whole() -> None:
        daemon = Daemon(folder, *settings)
        telling = asyncio.create_task(daemon.table.table.tell())
        try:
            await daemon.ready()
            await tell(daemon)
        finally:
            telling.cancel()
            await daemon.browser.aclose()
            daemon.table.close()

    asyncio.run(whole())


def test_the_games_of_the_event_before_and_after_a_restart(tmp_path: Path) -> None:
    seen: dict[str, Any] = {}

    async def first(daemon: Daemon) -> None:
        await daemon.play(FIVE[:4])
        index = (await daemon.get("/round-2/index.json")).json()
        defs = schema()["$defs"]
        for document, form in (
            (index, "Round"),
            ((await daemon.get("/tournament.json")).json(), "Tournament"),
        ):
            jsonschema.validate(document, {"$ref": f"#/$defs/{form}", "$defs": defs})
        (pairing,) = index["pairings"]
        assert (index["event"], index["round"], index["delay_s"]) == ("Open", 2, 0)
        assert (pairing["game"], pairing["black"]["name"], pairing["white"]["name"]) == (1, "Anna", "Bo")
        assert (pairing["live"], pairing["moves"], pairing["result"]) == (True, 4, None)
        summary = (await daemon.get("/tournament.json")).json()
        assert (summary["name"], summary["rounds"]) == ("Open", [{"round": 2, "count": 1, "live": 1}])
        await daemon.play(FIVE[4:])
        (pairing,) = (await daemon.get("/round-2/index.json")).json()["pairings"]
        assert (pairing["live"], pairing["result"]["winner"]) == (False, "black")
        game = await daemon.get("/round-2/game-1.json")
        assert game.json() == (await daemon.get("/game.json")).json()
        assert game.json()["result"]["line"] == ["H8", "I8", "J8", "K8", "L8"]
        seen["game"] = game.json()
        record = sgf.read((await daemon.get("/game.sgf")).content)[0]
        assert len(record.moves) == 9
        for end, begins in (("psq", b"Piskvorky "), ("rif", b"<?xml")):
            file = await daemon.get(f"/game.{end}")
            assert file.content.startswith(begins)
            assert (await daemon.get(f"/game.{end}", file.headers["etag"])).status_code == 304

    async def second(daemon: Daemon) -> None:
        before = await daemon.get("/round-2/game-1.json")
        other = ("feed", "seq", "released_at", "synchronised")
        assert {k: v for k, v in before.json().items() if k not in other} == {
            k: v for k, v in seen["game"].items() if k not in other
        }
        assert (await daemon.get("/round-2/game-1.json", before.headers["etag"])).status_code == 304
        await daemon.play(["H8"])
        pairings = (await daemon.get("/round-2/index.json")).json()["pairings"]
        assert [(p["game"], p["live"], p["moves"]) for p in pairings] == [(1, False, 9), (2, True, 1)]
        now = await daemon.get("/round-2/game-2.json")
        assert [move["point"] for move in now.json()["moves"]] == ["H8"]
        await daemon.table.run(3)
        assert (await daemon.get("/round-2/game-2.json", now.headers["etag"])).status_code == 304
        for path in ("/round-1/index.json", "/round-2/game-3.json", "/round-02/index.json"):
            assert (await daemon.get(path)).status_code == 404, path

    story(tmp_path, first)
    story(tmp_path, second)


def test_what_is_no_round_is_a_page_that_is_not_there(tmp_path: Path) -> None:
    async def asked(daemon: Daemon) -> None:
        for number in ("x", "-1", "02", "9" * 5000):
            for path in (f"/round-{number}/index.json", f"/round-2/game-{number}.json"):
                assert (await daemon.get(path)).status_code == 404, path

    story(tmp_path, asked)


def test_other_events_are_not_of_this_tournament(tmp_path: Path) -> None:
    async def played(daemon: Daemon) -> None:
        await daemon.play(FIVE)

    async def listed(daemon: Daemon) -> None:
        assert (await daemon.get("/tournament.json")).json()["rounds"] == [
            {"round": 7, "count": 1, "live": 0}
        ]
        assert len((await daemon.get("/round-7/index.json")).json()["pairings"]) == 1

    story(tmp_path, played)
    for event in ("Closed", ""):
        story(tmp_path, listed, f"table.event={event}", "table.round=7")


def test_with_a_delay_a_restart_shows_nothing_too_early(tmp_path: Path) -> None:
    """The journal has the whole game, and nobody can say any more what of it was public."""

    async def played(daemon: Daemon) -> None:
        await daemon.play(FIVE)

    async def again(daemon: Daemon) -> None:
        for path in ("/round-2/game-1.json", "/round-2/game-2.json", "/game.json"):
            game = (await daemon.get(path)).json()
            assert (game["phase"], game["moves"], game["result"]) == ("waiting", [], None), path
            assert game["clock"]["black"]["remaining_ms"] == 600_000
        pairings = (await daemon.get("/round-2/index.json")).json()["pairings"]
        assert [(p["moves"], p["result"], p["live"]) for p in pairings] == [(0, None, False)] * 2

    story(tmp_path, played)
    (tmp_path / "feed").unlink()
    story(tmp_path, again, "publish.delay_s=3600")


def test_after_a_restart_no_document_is_ahead_of_the_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wall clock says that the end was long ago, and the time the board was off counts for nothing."""
    monkeypatch.setattr(tournament, "away_ns", lambda _: 1 << 60)

    async def played(daemon: Daemon) -> None:
        await daemon.play(FIVE)
        await daemon.play(FIVE)

    async def again(daemon: Daemon) -> None:
        counts = []
        for _ in range(60):
            await daemon.table.run(0.3)
            sent = [raw for _, raw in daemon.table.table.public._kept]
            kept = [msgspec.json.decode(raw.split(b"\ndata: ")[1]) for raw in sent]
            over = {message["id"] for message in kept if message["kind"] == "end"}
            pairings = (await daemon.get("/round-2/index.json")).json()["pairings"]
            paths = [f"/round-2/game-{each['game']}.json" for each in pairings]
            games = [(await daemon.get(path)).json() for path in paths]
            assert {each["id"] for each in pairings if each["result"]} == over
            assert {each["id"] for each in games if each["result"]} == over
            counts.append(len(over))
        assert sorted(set(counts)) == [0, 1, 2]
        assert [(each["game"], each["moves"]) for each in pairings] == [(1, 9), (2, 9), (3, 0)]

    story(tmp_path, played, "publish.delay_s=14")
    story(tmp_path, again, "publish.delay_s=14", "table.start=command")


def test_a_folder_has_the_documents_as_they_are_released(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    keeper = FolderKeeper(folder)

    async def played(daemon: Daemon) -> None:
        daemon.files.watch(keeper.put)
        await daemon.play(FIVE[:2])
        assert keeper.wait(LONG_S)
        assert not list(folder.iterdir()), "nothing is released yet"
        await daemon.table.run(10)
        assert keeper.wait(LONG_S)
        index = json.loads((folder / "round-2" / "index.json").read_bytes())
        assert (index["delay_s"], index["pairings"][0]["moves"]) == (10, 2)
        game = json.loads((folder / "round-2" / "game-1.json").read_bytes())
        assert [move["point"] for move in game["moves"]] == FIVE[:2]
        assert len(sgf.read((folder / "round-2" / "game-1.sgf").read_bytes())[0].moves) == 2
        names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        assert names == {
            "tournament.json", "round-2/index.json", "round-2/game-1.json", "round-2/game-1.sgf",
        }  # fmt: skip

    story(tmp_path, played, "publish.delay_s=10")
    keeper.close()


@pytest.mark.parametrize("trouble", ["missing", "file in the way", "full"])
def test_a_folder_that_cannot_be_written_is_told_and_caught_up_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    folder = tmp_path / "stick"
    if trouble == "file in the way":
        folder.write_bytes(b"")
    if trouble == "full":
        folder.mkdir()
    with monkeypatch.context() as broken:
        if trouble == "full":

            def no_space(*_: object) -> int:
                raise OSError(28, "No space left on device")

            broken.setattr(Path, "write_bytes", no_space)
        keeper = FolderKeeper(folder, again_s=0.02)
        keeper.put({"a.json": lambda: b"1", "round-1/b.json": lambda: b"2"})
        wait_for(lambda: keeper.fault)
        assert ("No space left" if trouble == "full" else "there is no such folder") in keeper.fault
        keeper.put({"a.json": lambda: b"3"})
    if trouble == "file in the way":
        folder.unlink()
    folder.mkdir(exist_ok=True)
    assert keeper.wait(LONG_S)
    assert keeper.fault == ""
    assert (folder / "a.json").read_bytes() == b"3"
    assert (folder / "round-1" / "b.json").read_bytes() == b"2"
    assert not list(folder.rglob(".*")), "nothing half written is left"
    keeper.close()


def test_a_file_that_cannot_be_made_keeps_no_other_one_back(tmp_path: Path) -> None:
    keeper = FolderKeeper(tmp_path, again_s=0.02)

    def cannot() -> bytes:
        raise ValueError("no such form")

    keeper.put({"a.sgf": cannot, "b.json": lambda: b"2"})
    wait_for(lambda: (tmp_path / "b.json").exists())
    wait_for(lambda: "ValueError: no such form" in keeper.fault)
    keeper.put({"a.sgf": lambda: b"1"})
    assert keeper.wait(LONG_S)
    assert (keeper.fault, (tmp_path / "a.sgf").read_bytes()) == ("", b"1")
    keeper.close()
