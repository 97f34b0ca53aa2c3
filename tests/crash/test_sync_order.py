"""A move is synced before the first byte of it leaves; a daemon or a disk that does otherwise is seen."""

from pathlib import Path

import pytest

from tests.crash.io_order import Call, Op, read_log
from tests.crash.lives import Table
from tests.crash.nursery import Nursery
from tests.crash.sync_order import Leak, check

OUTPUTS = 4
"""Two streams and two snapshots; a snapshot goes to a new socket each time."""


def watched_game(
    parent: Nursery, folder: Path, moves: int, **watched: object
) -> tuple[list[Leak], dict[str, int]]:
    """A whole game of a daemon, its calls checked."""
    table = Table(parent, folder / "table", seed=1)
    table.live(moves=moves, log=folder / "calls", **watched)
    (folder / "copies").mkdir()
    return check(read_log(folder / "calls"), folder / "copies", folder / "table" / "journal.db")


def test_every_move_was_synced_before_it_left_for_any_output(folder: Path, parent: Nursery) -> None:
    leaks, ways = watched_game(parent, folder, 5, slow_us=20_000)
    assert not leaks
    assert len(ways) == 5
    assert min(ways.values()) >= OUTPUTS


@pytest.mark.parametrize("fault", [{"unsynced": 1}, {"told_at_once": 1, "slow_us": 1_000_000}])
def test_a_disk_that_lies_and_a_daemon_that_does_not_wait_are_found_out(
    folder: Path, parent: Nursery, fault: dict[str, int]
) -> None:
    leaks, ways = watched_game(parent, folder, 2, **fault)
    assert leaks
    assert len(ways) == 2


def test_a_file_of_any_other_kind_tells_of_the_whole_game(folder: Path, parent: Nursery) -> None:
    """A sheet in PDF cannot be read here and holds every move: it may not come before the last is synced."""
    table = Table(parent, folder / "table", seed=1)
    table.live(moves=1, log=folder / "calls")
    calls = read_log(folder / "calls")
    sheet = Call(Op.OUT, "/events/game-1.pdf", 0, b"%PDF")
    (folder / "copies").mkdir()
    journal = folder / "table" / "journal.db"
    by_chance = Call(Op.OUT, "pipe:[1]", 0, b'%PDF "O15"')
    early, _ = check([sheet, *calls], folder / "copies", journal)
    late, _ = check([*calls, sheet, by_chance], folder / "copies", journal)
    assert [leak.path for leak in early] == ["/events/game-1.pdf"]
    assert not late
