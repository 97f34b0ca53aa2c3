"""The feed's channel: numbering, catching up, and what a slow or vanished follower costs."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import pytest

from firmware_host.service.sse import ALIVE, Channel


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


def read(message: bytes) -> tuple[str, int, Any]:
    lines = message.decode().split("\n")
    assert lines[3:] == ["", ""]
    fields = dict(line.split(": ", 1) for line in lines[:3])
    return fields["event"], int(fields["id"]), msgspec.json.decode(fields["data"])


class Counter:
    """A state with one number."""

    def __init__(self, **options: Any) -> None:
        self.n = 0
        self.channel = Channel("game", lambda: {"n": self.n}, **options)

    def change(self) -> None:
        self.n += 1
        self.channel.publish()


def test_the_state_comes_first_and_then_every_change_with_its_number() -> None:
    async def story() -> None:
        counter = Counter(last_id=7)
        stream = counter.channel.follow()
        assert read(await anext(stream)) == ("game", 7, {"n": 0})
        counter.change()
        counter.change()
        assert [read(await anext(stream)) for _ in range(2)] == [
            ("game", 8, {"n": 1}),
            ("game", 9, {"n": 2}),
        ]
        await stream.aclose()

    run(story)


def test_a_returning_follower_gets_what_it_missed_and_the_newest_as_it_is_now() -> None:
    async def story() -> None:
        counter = Counter()
        for _ in range(5):
            counter.change()
        counter.n = 50  # a clock that ran on: no change of its own, but true now
        stream = counter.channel.follow("2")
        got = [read(await anext(stream)) for _ in range(4)]
        assert got == [*(("game", n, {"n": n}) for n in (3, 4, 5)), ("game", 5, {"n": 50})]
        await stream.aclose()

    run(story)


@pytest.mark.parametrize("last_seen", ["", "0", "2", "6", "1000000000", "x", "9" * 99, "\u0665", "-1"])
def test_a_follower_from_nowhere_gets_the_newest_alone(last_seen: str) -> None:
    async def story() -> None:
        counter = Counter(keep=2)
        for _ in range(5):
            counter.change()
        stream = counter.channel.follow(last_seen)
        assert read(await anext(stream)) == ("game", 5, {"n": 5})
        counter.change()
        assert read(await anext(stream)) == ("game", 6, {"n": 6})
        await stream.aclose()

    run(story)


def test_who_falls_behind_further_than_is_kept_goes_on_from_the_newest() -> None:
    async def story() -> None:
        counter = Counter(keep=3)
        stream = counter.channel.follow()
        await anext(stream)
        for _ in range(100):
            counter.change()
        assert read(await anext(stream)) == ("game", 100, {"n": 100})
        counter.change()
        assert read(await anext(stream)) == ("game", 101, {"n": 101})
        await stream.aclose()

    run(story)


def test_quiet_spells_have_a_heartbeat() -> None:
    async def story() -> None:
        counter = Counter(heartbeat_s=0.005)
        stream = counter.channel.follow(alive=ALIVE)
        await anext(stream)
        assert [await anext(stream) for _ in range(2)] == [ALIVE, ALIVE]
        counter.change()
        assert read(await anext(stream)) == ("game", 1, {"n": 1})
        await stream.aclose()

    run(story)


def test_a_sampled_state_is_published_when_it_differs_and_only_then() -> None:
    async def story() -> None:
        counter = Counter(sample_s=0.002, heartbeat_s=0.02)
        stream = counter.channel.follow()
        await anext(stream)
        assert await anext(stream) == b": alive\n\n"
        assert counter.channel.last_id == 0
        counter.n = 3
        assert read(await anext(stream)) == ("game", 1, {"n": 3})
        await stream.aclose()

    run(story)


def test_closing_ends_the_followers_and_no_subscription_is_left() -> None:
    async def story() -> None:
        counter = Counter()
        streams = [counter.channel.follow() for _ in range(3)]
        for stream in streams:
            await anext(stream)
        assert counter.channel.followers == 3
        await streams[0].aclose()
        assert counter.channel.followers == 2
        counter.channel.close()
        assert [[message async for message in stream] for stream in streams[1:]] == [[], []]
        assert counter.channel.followers == 0

    run(story)


def test_the_arbiters_feed_ends_with_the_session() -> None:
    async def test() -> None:
        allowed = True
        channel = Channel("arbiter", lambda: {"claimable": []})
        messages = channel.follow(allowed=lambda: allowed)
        assert b"claimable" in await anext(messages)
        allowed = False
        channel.publish()
        assert [message async for message in messages] == []

    asyncio.run(test())
