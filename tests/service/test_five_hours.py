"""A game of hours at the live table, in virtual time: at every press faces, page and record say the same.

What each side has left is reckoned from the instants of the presses alone; nothing drifts. No scanner is at
this table: the stones are told as sensing tells them.
"""

import asyncio
import random
from pathlib import Path
from typing import Final

import pytest

from firmware_host.board import Colour
from firmware_host.clock import MS, SECOND, Player
from firmware_host.sensing.events import Placed
from firmware_host.service.display import EVERY_NS
from hw.segments import decode
from tests.service.virtual_table import VirtualTable

M: Final = 60 * SECOND
H: Final = 60 * M
MOVES: Final = 120


def left_ns(control: str, thoughts: list[int]) -> int:
    """What is left of the period at hand when these moves have been made, the last one just now."""
    used = sum(thoughts)
    if control == "2h+30s":
        return 2 * H + 30 * SECOND * len(thoughts) - used
    return 90 * M - used if used < 90 * M else M


def on_page(ns: int) -> str:
    """What a page shows: `1:23:45` or `14:59`, rounded up."""
    minutes, s = divmod(-(-ns // SECOND), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{s:02}" if minutes >= 60 else f"{minutes}:{s:02}"


def on_face(ns: int, periods: int) -> str:
    """The four digits of a face; `periods` in byo-yomi."""
    minutes, s = divmod(-(-ns // SECOND), 60)
    if periods:
        return f"{periods} {s:02}" if not minutes else f"{periods}.{minutes}{s:02}"
    return f"{minutes // 60:2}{minutes % 60:02}" if minutes >= 60 else f"{minutes:02}{s:02}"


@pytest.mark.parametrize(("control", "hours"), [("2h+30s", 4.5), ("90m + 5x1m byo-yomi", 3.2)])
def test_faces_page_and_record_agree_for_hours(tmp_path: Path, control: str, hours: float) -> None:
    table = VirtualTable(tmp_path, f"match.time={control}", "match.forbidden=off", "match.five=claim")
    table._frame_ns = 100 * H
    live = table.table.live
    chance = random.Random(7)  # noqa: S311
    thoughts: dict[Player, list[int]] = {player: [] for player in Player}

    async def think(ns: int) -> None:
        """Time passes; a look at the table every ten seconds."""
        end_ns = table.now_ns + ns
        while table.now_ns < end_ns:
            table.now_ns = min(end_ns, table.now_ns + 10 * SECOND)
            table.turn()
            await asyncio.sleep(0)

    async def game() -> None:
        telling = asyncio.create_task(table.table.tell())
        table.table.start()
        await table.run(0.8)
        pressed_ns = live.referee.clock.began_ns
        for n in range(MOVES):
            mover = list(Player)[n % 2]
            long = control == "2h+30s" or sum(thoughts[mover]) < 84 * M
            most_ns = left_ns(control, thoughts[mover]) // 2 if long else 50 * SECOND
            await think(min(chance.randrange(SECOND, 300 * SECOND), most_ns))
            stone = Placed(t_ns=table.table.axis.now_ns(), point=n, colour=list(Colour)[n % 2])
            live.pipeline.put(stone)
            await table.press(("near", "far")[n % 2])
            began_ns, pressed_ns = pressed_ns, live.public.moves[-1].pressed_ns
            assert began_ns is not None
            assert pressed_ns is not None
            thoughts[mover].append(pressed_ns - began_ns)
            agree(mover.other, table.table.axis.now_ns(), pressed_ns)
        telling.cancel()

    def agree(running: Player, now_ns: int, pressed_ns: int) -> None:
        public = table.public
        used_ms = [thoughts[list(Player)[n % 2]][n // 2] // MS for n in range(len(public["moves"]))]
        assert [move["used_ms"] for move in public["moves"]] == used_ms
        clock = live.referee.clock.at(now_ns)
        assert clock.books.balanced
        for player, side, seat in zip(Player, ("black", "white"), ("near", "far"), strict=True):
            since_ns = now_ns - pressed_ns if player is running else 0
            expected = left_ns(control, thoughts[player]) - since_ns
            assert clock.remaining_ns(player, now_ns) == expected
            assert clock.used_ns(player, now_ns) == sum(thoughts[player]) + since_ns
            shown = public["clock"][side]
            assert shown["remaining_ms"] == expected // MS
            assert shown["text"] == on_page(expected)
            periods = shown["periods_left"] if shown["byo_yomi"] else 0
            just_now = (on_face(expected, periods), on_face(expected + EVERY_NS, periods))
            assert decode(table.face(seat)[0]) in just_now

    try:
        asyncio.run(game())
        assert sum(map(sum, thoughts.values())) > hours * H
        assert len(live.public.moves) == MOVES
    finally:
        table.close()
