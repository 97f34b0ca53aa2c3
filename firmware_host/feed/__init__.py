"""What is shown of a game, to whom and when."""

from firmware_host.feed.arbiter import TOLD_LIMIT, TableView
from firmware_host.feed.public import REST_NS, Publication, PublicFeed, before_the_game
from firmware_host.feed.snapshot import ClockView, SideClock, snapshot

__all__ = [
    "REST_NS", "TOLD_LIMIT", "ClockView", "PublicFeed", "Publication", "SideClock", "TableView",
    "before_the_game", "snapshot",
]  # fmt: skip
