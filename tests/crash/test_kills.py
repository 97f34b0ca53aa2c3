"""A few kills in every run; `make crash-test` makes a thousand. And that what must not be would be seen."""

import shutil
from pathlib import Path

from firmware_host.board import BLACK, parse_point
from firmware_host.referee.rulings import Moved
from firmware_host.sensing.events import Placed
from firmware_host.service.journal import Journal
from tests.crash.io_order import Phase
from tests.crash.kills import report, run, wrong
from tests.crash.lives import Death, Kill, Table
from tests.crash.nursery import Nursery

AT_ITS_START = Kill("at its start", 0, "write 1 0")


def test_ten_kills_lose_invent_and_change_nothing_that_was_shown(folder: Path) -> None:
    outcome = run(folder, kills=10, seed=5, tables=2)
    assert not wrong(outcome.deaths)
    assert report(outcome).splitlines()[-3].split()[:5] == ["all", "10", "0", "0", "0"]
    assert outcome.moves > 2


def test_a_clock_that_comes_back_too_far_is_found_out_and_a_machine_that_stalls_is_not() -> None:
    sound = Death("at any instant", Phase.IDLE, 0, 0, 0, gained_ms=900, taken_ms=0, stalled_ms=0, told="")
    assert not wrong([sound, sound._replace(gained_ms=1100, stalled_ms=150)])
    (line,) = wrong([sound._replace(gained_ms=1100, stalled_ms=50)])
    assert line.endswith("a clock came back with 1100 ms more than was shown")
    (line,) = wrong([sound._replace(taken_ms=40, stalled_ms=150)])
    assert line.endswith("the clocks came back with 40 ms less than they can have had")


def killed_with_a_move(table: Table) -> None:
    """Lives until one was killed after a move had been shown."""
    while not any(table.shown.values()):
        table.live(Kill("after a while", 0.7))


def test_a_journal_that_forgets_is_found_out(folder: Path, parent: Nursery) -> None:
    table = Table(parent, folder / "table", seed=1)
    table.live(AT_ITS_START)
    shutil.copytree(folder / "table", folder / "earlier")
    killed_with_a_move(table)
    shutil.rmtree(folder / "table")
    shutil.copytree(folder / "earlier", folder / "table")
    table.live()
    assert sum(death.lost for death in table.deaths) >= 1
    assert any("shown" in line for line in wrong(table.deaths))


def test_a_move_that_no_hand_made_and_one_that_became_another_are_found_out(
    folder: Path, parent: Nursery
) -> None:
    table = Table(parent, folder / "table", seed=1)
    killed_with_a_move(table)
    (shown,) = table.shown.values()
    other, more = [parse_point(p) for p in ("A1", "A2", "A3") if (p, "black") not in shown][:2]
    with Journal.open(folder / "table" / "journal.db") as journal:
        t_ns = 1 << 40
        for n, point in ((1, other), (len(shown) + 5, more)):
            moved = Moved(t_ns=t_ns, n=n, point=point, colour=BLACK)
            journal.append(Placed(t_ns=t_ns, point=point, colour=BLACK), [moved]).result()
    table.live()
    assert table.deaths[-1].changed == 1
    assert table.deaths[-1].invented >= 1
