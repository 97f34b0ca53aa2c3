"""What people have reported of tournament clocks, at the live table: faces, sounds, pages, journal."""

import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from firmware_host.referee.rulings import FlagFallen, PeriodUsed
from hw.segments import decode
from hw.simulator.scanner import SimulatedKeys
from tests.service.virtual_table import MS, SECOND, VirtualTable

LATE_NS: Final = 20 * MS
"""So long after its edge a press is known."""

Scene = Callable[["Watched"], Awaitable[None]]


class Watched(VirtualTable):
    """A table that notes what faces and pages show at each turn; its keys are known late."""

    def __init__(self, folder: Path, *settings: str) -> None:
        super().__init__(folder, *settings)
        self.devices.keys = SimulatedKeys(self.hand, now_ns=lambda: self.now_ns - LATE_NS)
        self.faces: dict[str, list[str]] = {"near": [], "far": []}
        self.pages: dict[str, list[str]] = {"black": [], "white": []}
        self.looking = False

    @property
    def referee(self) -> Any:
        return self.table.live.referee

    def turn(self) -> None:
        super().turn()
        if self.looking:
            for seat, shown in self.faces.items():
                shown.append(decode(*self.face(seat)))
            for side, texts in self.pages.items():
                texts.append(self.public["clock"][side]["text"])

    async def until(self, t_ns: int, step_ms: int = 30) -> None:
        """Time passes up to an instant of the table's axis."""
        end_ns = self.table.axis.monotonic_ns(t_ns)
        while self.now_ns < end_ns:
            self.now_ns = min(end_ns, self.now_ns + step_ms * MS)
            self.turn()
            await self.told()

    def sounds(self) -> list[tuple[int, int, int]]:
        """Tones so far: when on the axis, frequency in Hz and length in ms."""
        for bus in self.devices.buses:
            assert bus.flush(10.0)
        assert self.devices.clock is not None
        tones = self.devices.clock.buzzer.tones
        return [(self.table.axis.at(t.start_ns), t.frequency_hz, t.duration_ms) for t in tones]

    def ruled(self, kind: type[Any]) -> list[Any]:
        return [r for r in self.table.live.arbiter.log if isinstance(r, kind)]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    """Open a table, start the round, and let a scene happen at it."""
    opened: list[Watched] = []

    def at(scene: Scene, *settings: str, folder: Path = tmp_path) -> Watched:
        while opened:
            opened.pop().close()
        table = Watched(folder, *settings)
        opened.append(table)

        table.play(scene)
        return table

    yield at
    for table in opened:
        table.close()


def seconds(text: str) -> float:
    """Seconds of a face or a page: `14:59`, `  9.9`, `0:58`, `3 58`."""
    minutes, _, rest = text.strip().rpartition(":")
    return 60 * float(minutes or 0) + float(rest.split()[-1])


@pytest.mark.parametrize(("before_ns", "in_time"), [(1, True), (0, False)])
def test_a_move_at_zero_lost_on_time_although_it_was_pressed_in_time(
    play: Callable[..., Watched], before_ns: int, in_time: bool
) -> None:
    """The press is known 20 ms after the time was out: until then nobody may see or hear a flag."""

    async def scene(table: Watched) -> None:
        end_ns = table.referee.deadline_ns
        await table.until(end_ns - 3 * SECOND)
        await table.sim.hand({"do": "place", "point": "H8", "colour": "black"})
        await table.until(end_ns - before_ns)
        table.looking = True
        await table.sim.hand({"do": "press", "key": "near"})
        await table.until(end_ns + 300 * MS, 5)
        fallen = [] if in_time else [end_ns]
        assert [flag.t_ns for flag in table.ruled(FlagFallen)] == fallen

    table = play(scene, "match.time=10s")
    assert any("F" in shown for shown in table.faces["near"]) is not in_time
    assert (table.pages["black"][-1] == "0:00") is not in_time
    if in_time:
        assert "0:00" not in table.pages["black"]
        assert table.sounds() == []
        assert table.referee.clock.running is table.referee.player_at("far")


@pytest.mark.parametrize(("before_ns", "periods"), [(1, 3), (0, 2)])
def test_byo_yomi_was_not_reset_after_a_move(
    play: Callable[..., Watched], before_ns: int, periods: int
) -> None:
    """Pressed in the last nanosecond of a period and known later: the period is whole again, and no sound."""

    async def scene(table: Watched) -> None:
        end_ns = table.referee.clock.next_event_ns
        await table.sim.hand({"do": "place", "point": "H8", "colour": "black"})
        await table.until(end_ns - before_ns)
        table.looking = True
        await table.sim.hand({"do": "press", "key": "near"})
        await table.until(end_ns + 300 * MS, 5)

    table = play(scene, "match.time=3x3s byo-yomi")
    assert {shown[0] for shown in table.faces["near"]} == ({"3"} if periods == 3 else {"3", "2"})
    assert table.faces["near"][-1] == f"{periods} 3.0"
    assert table.pages["black"][-1] == "3.0"
    assert len(table.ruled(PeriodUsed)) == 3 - periods
    if periods == 3:
        assert [ms for _, _, ms in table.sounds() if ms == 150] == [], "no period has ended"


@pytest.mark.parametrize("rhythm_ms", [7, 13, 29])
def test_the_beeps_were_a_different_number_and_seconds_off_the_flag(
    play: Callable[..., Watched], rhythm_ms: int
) -> None:
    ends: list[int] = []

    async def scene(table: Watched) -> None:
        table.looking = True
        ends.append(table.referee.clock.deadline_ns)
        await table.until(ends[0] + SECOND, rhythm_ms)

    table = play(scene, "match.time=2s + 1x12s byo-yomi")
    end_ns = ends[0]
    main = [(-12_000, 2000, 150), (-11_800, 2730, 150)]
    marks = [(-10_000 + n * 150, 2730, 60) for n in range(3)]
    last = [(-1000 * n, 2400, 40) for n in (4, 3, 2, 1)]
    due = [*main, *marks, *last, (0, 2730, 1000)]
    heard = table.sounds()
    assert [(hz, ms) for _, hz, ms in heard] == [(hz, ms) for _, hz, ms in due]
    for (at_ns, *_), (after_ms, *_) in zip(heard, due, strict=True):
        assert 0 <= at_ns - (end_ns + after_ms * MS) <= LATE_NS + rhythm_ms * MS
    assert [flag.t_ns for flag in table.ruled(FlagFallen)] == [end_ns]
    out = next(n for n, shown in enumerate(table.faces["near"]) if "F" in shown)
    assert set(table.faces["near"][out:]) == {"F0:00"}


def test_the_time_jumped_back_at_each_move(play: Callable[..., Watched]) -> None:
    """On faces and pages a time never rises by more than a displayed unit, though presses are known late."""

    async def scene(table: Watched) -> None:
        table.looking = True
        for n, point in enumerate(["H8", "H9", "I8", "J9", "J8", "K9"]):
            await table.until(table.table.axis.now_ns() + (1_370 + 311 * n) * MS, 7)
            await table.move(point, ("black", "white")[n % 2])

    table = play(scene, "match.time=15m")
    for side, seat in (("black", "near"), ("white", "far")):
        faces = [seconds(shown) for shown in table.faces[seat]]
        pages = [seconds(shown) for shown in table.pages[side]]
        for shown in (faces, pages):
            rises = [after - before for before, after in pairwise(shown)]
            assert max(rises) <= 1
            assert sum(rise for rise in rises if rise > 0) <= 1
            assert shown[0] - shown[-1] > 5
        assert max(abs(face - page) for face, page in zip(faces, pages, strict=True)) <= 1


@pytest.mark.parametrize("sits", ["near", "far"])
@pytest.mark.parametrize("swap", ["bowls", "seats"])
def test_the_time_was_the_other_side_s_when_the_clock_stood_on_the_other_side(
    play: Callable[..., Watched], sits: str, swap: str
) -> None:
    """A face is its seat's: whose clock runs sees his own time go, also after colours were swapped."""
    across = {"near": "far", "far": "near"}
    seen: list[tuple[str, str]] = []

    async def scene(table: Watched) -> None:
        async def look(s: float) -> None:
            await table.run(s)
            seen.append((decode(*table.face(sits)), decode(*table.face(across[sits]))))

        await look(4.6)
        await table.move("H8", "black", key=sits)
        await table.order("swap")
        await table.order("set_clock", side="white", ms=100_000)
        await table.order("set_clock", side="black", ms=200_000)
        await look(0.1)
        clocks = table.public["clock"]
        seen.append((clocks["running"], clocks["black"]["text"]))

    play(
        scene, "match.time=5m", "match.opening=taraguchi-10", f"match.black_sits={sits}", f"match.swap={swap}"
    )
    assert seen[0] == ("04:56", "05:00")
    first, second = seen[1]
    assert (first, second) == (("01:40", "03:20") if swap == "bowls" else ("03:20", "01:40"))
    assert seen[2][1] in ("3:20", "3:19")


def test_the_remaining_time_changed_when_a_time_server_set_the_clock(
    play: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Wall time steps in the middle of a turn and over a restart: only the journal's stamps know of it."""
    wall_ns = [0]
    monkeypatch.setattr(time, "time_ns", lambda: wall_ns[0])
    monkeypatch.setattr(time, "time", lambda: wall_ns[0] / 1e9)

    def game(folder: Path, step_s: int) -> list[Any]:
        seen: list[Any] = []
        wall_ns[0] = 1_777_644_187 * SECOND

        def look(table: Watched) -> None:
            seen.append((decode(*table.face("near")), decode(*table.face("far"))))
            seen.append((table.public["clock"], table.public["moves"]))

        async def before(table: Watched) -> None:
            await table.move("H8", "black")
            await table.run(3)
            wall_ns[0] += step_s * SECOND
            await table.run(4)
            await table.move("H9", "white")
            look(table)

        async def after(table: Watched) -> None:
            look(table)
            await table.order("resume")
            wall_ns[0] += step_s * SECOND
            await table.run(2)
            look(table)
            entries = table.journal.entries(table.journal.last_game())
            seen.append([(entry.t_ns, entry.given, entry.rulings) for entry in entries])
            assert {entry.wall_ns // SECOND for entry in entries} == {
                1_777_644_187 + n * step_s for n in range(3)
            }

        folder.mkdir()
        play(before, "match.time=15m", folder=folder)
        play(after, "match.time=15m", folder=folder)
        return seen

    expected = game(tmp_path / "steady", 0)
    assert game(tmp_path / "forward", 6 * 3600) == expected
    assert game(tmp_path / "back", -2 * 3600) == expected
