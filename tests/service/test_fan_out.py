"""Messages to many connections: in order, a few at a time, past those that are full."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from firmware_host.service.fan_out import BATCH, FanOut, Reader


class Wire:
    """A connection in memory."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.is_full = False
        self.call: Callable[[], None] | None = None

    def write(self, piece: bytes) -> None:
        assert not self.is_full
        self.got.append(piece)

    def when_writable(self, call: Callable[[], None] | None) -> None:
        self.call = call

    def empty(self) -> None:
        self.is_full = False
        assert self.call is not None
        self.call()


class Hall:
    """A channel's messages, the newest few of which are kept, and its readers."""

    def __init__(self, keep: int = 32, heartbeat_s: float = 60.0) -> None:
        self.last = 0
        self.keep = keep
        self.fan = FanOut(self.after, heartbeat_s)

    def after(self, seen: int) -> list[tuple[int, bytes]]:
        first = max(seen + 1, self.last - self.keep + 1)
        return [(n, b"%d" % n) for n in range(first, self.last + 1)]

    def publish(self) -> None:
        self.last += 1
        self.fan.publish()

    def join(self, allowed: Callable[[], bool] = lambda: True) -> tuple[Wire, Reader]:
        wire = Wire()
        reader = Reader(wire, b"alive", allowed)
        reader.sent = self.last
        self.fan.add(reader)
        return wire, reader


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


async def until(so: Callable[[], object]) -> None:
    while not so():
        await asyncio.sleep(0.001)


def test_everybody_gets_everything_in_order_a_batch_in_each_turn() -> None:
    async def story() -> None:
        hall = Hall()
        wires = [hall.join()[0] for _ in range(3 * BATCH)]
        hall.publish()
        assert not any(wire.got for wire in wires), "publishing waits for nobody"
        turns = []
        for _ in range(3):
            await asyncio.sleep(0)
            turns.append(sum(len(wire.got) for wire in wires))
        assert turns == [BATCH, 2 * BATCH, 3 * BATCH]
        hall.publish()
        hall.publish()
        await until(lambda: all(len(wire.got) == 3 for wire in wires))
        assert {tuple(wire.got) for wire in wires} == {(b"1", b"2", b"3")}

    run(story)


def test_a_message_in_the_middle_of_a_round_reaches_everybody_once() -> None:
    async def story() -> None:
        hall = Hall()
        wires = [hall.join()[0] for _ in range(2 * BATCH)]
        hall.publish()
        await asyncio.sleep(0)
        hall.publish()
        await until(lambda: all(wire.got[-1:] == [b"2"] for wire in wires))
        assert {tuple(wire.got) for wire in wires} == {(b"1", b"2")}

    run(story)


def test_who_is_full_costs_nobody_and_goes_on_with_the_newest_that_are_kept() -> None:
    async def story() -> None:
        hall = Hall(keep=2)
        deaf, _ = hall.join()
        other, _ = hall.join()
        deaf.is_full = True
        for n in range(1, 6):
            hall.publish()
            await until(lambda n=n: len(other.got) == n)
        assert deaf.got == []
        deaf.empty()
        assert deaf.got == [b"4", b"5"]

    run(story)


def test_who_may_not_read_any_more_is_ended_before_the_message() -> None:
    async def story() -> None:
        hall = Hall()
        may = True
        wire, reader = hall.join(lambda: may)
        may = False
        hall.publish()
        await reader.ended
        assert wire.got == []

    run(story)


def test_heartbeats_come_in_quiet_spells_only() -> None:
    async def story() -> None:
        hall = Hall(heartbeat_s=0.05)
        wire, reader = hall.join()
        await until(lambda: len(wire.got) == 2)
        assert wire.got == [b"alive", b"alive"]
        wire.is_full = True
        await asyncio.sleep(0.12)
        wire.empty()
        assert wire.got == [b"alive", b"alive"], "what one missed of them is nothing"
        hall.fan.remove(reader)
        assert wire.call is None
        hall.publish()
        await asyncio.sleep(0.06)
        assert len(wire.got) == 2

    run(story)


def test_closing_ends_everybody_with_the_last_message_and_whoever_comes_then() -> None:
    async def story() -> None:
        hall = Hall()
        wire, reader = hall.join()
        hall.publish()
        hall.fan.close()
        await reader.ended
        assert wire.got == [b"1"]
        late, too_late = hall.join()
        await too_late.ended
        assert late.got == []

    run(story)
