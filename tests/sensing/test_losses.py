"""Lost frames in bundles: the first at once, no count forgotten, and few words however long it goes on."""

from itertools import pairwise

import pytest

from firmware_host.board import POINTS
from firmware_host.pipeline import Pipeline
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import FramesLost
from firmware_host.sensing.losses import Losses
from firmware_host.sensing.watcher import BoardWatcher

MS = 1_000_000
SECOND = 1000 * MS
PERIOD_NS = 5 * MS


def told(lost: dict[int, int], seconds: float) -> list[tuple[float, int]]:
    """When (in seconds) how many were told; `lost` is by milliseconds."""
    losses = Losses()
    counts = [
        (ms / 1000, losses.count(ms * MS, lost.get(ms, 0))) for ms in range(0, round(seconds * 1000), 5)
    ]
    return [(at_s, count) for at_s, count in counts if count]


def test_the_first_is_told_at_once_and_the_next_when_a_second_is_over() -> None:
    assert told({100: 3, 200: 1, 700: 2}, 5) == [(0.1, 3), (1.1, 3)]


def test_after_a_quiet_time_the_next_is_told_at_once() -> None:
    assert told({100: 3, 1500: 1}, 5) == [(0.1, 3), (1.5, 1)]


def test_a_loss_in_the_bundle_after_a_bundle_waits_for_its_end() -> None:
    assert told({0: 1, 500: 1, 1500: 4}, 8) == [(0.0, 1), (1.0, 1), (3.0, 4)]


def test_an_hour_of_losses_takes_some_seventy_words_and_no_count_is_forgotten() -> None:
    lost = dict.fromkeys(range(0, 3_600_000, 80), 1)
    heard = told(lost, 3600)
    assert len(heard) == 65
    assert max(b[0] - a[0] for a, b in pairwise(heard)) == pytest.approx(60)
    untold = sum(1 for ms in lost if ms / 1000 > heard[-1][0])
    assert sum(count for _, count in heard) == len(lost) - untold


@pytest.mark.parametrize("sensors", ["linear", "switch"])
def test_a_quiet_board_tells_a_bundle_in_time(sensors: str) -> None:
    """Frames that are all equal are hardly looked at, and the bundle is told all the same."""
    watcher = BoardWatcher(sensors)  # type: ignore[arg-type]
    events = []
    for n in range(800):
        lost = {200: 2, 210: 5}.get(n, 0)
        events += watcher.frame(n * PERIOD_NS, bytes(POINTS), lost)
    assert [e for e in events if isinstance(e, FramesLost)] == [
        FramesLost(t_ns=1000 * MS, count=2),
        FramesLost(t_ns=2000 * MS, count=5),
    ]


def test_what_is_still_untold_at_the_end_is_told_then() -> None:
    pipeline = Pipeline(BoardWatcher("linear"), Referee(match_settings({"opening": "free"})))
    pipeline.keys_seen(2 * SECOND)
    for n in range(300):
        pipeline.frame(n * PERIOD_NS, bytes(POINTS), {200: 2, 210: 5}.get(n, 0))
    steps = [*pipeline.advance(), *pipeline.finish(300 * PERIOD_NS)]
    counts = [step.given.count for step in steps if isinstance(step.given, FramesLost)]
    assert counts == [2, 5]
