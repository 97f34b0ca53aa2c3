"""Games out of a journal: which go, that the chain holds over them, and what is refused."""

from pathlib import Path
from sqlite3 import SQLITE_ATTACH, SQLITE_DENY, SQLITE_OK, Connection

import pytest

from firmware_host.board import BLACK
from firmware_host.errors import RecordError
from firmware_host.referee.inputs import Command, Tick
from firmware_host.referee.match import Referee
from firmware_host.service import journal_prune
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal, held
from firmware_host.service.journal_file import connect
from firmware_host.service.journal_prune import DAY_NS, plan, prune
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_repair import repair
from firmware_host.service.journal_summary import summary
from firmware_host.service.journal_verify import verify
from firmware_host.service.wall_clock import wall_ns
from tests.service.journals import FREE, change, write_games


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three games that are over, and a fourth that is not."""
    path = tmp_path / "journal.db"
    write_games(path, 3)
    with Journal.open(path) as journal:
        journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
        referee = Referee(FREE)
        for given in (Command(t_ns=0, do="start"), Command(t_ns=1, do="note", text="x" * 3_000_000)):
            journal.append(given, referee.rule(given))
    return path


def said_of(path: Path, head: str = "") -> list[tuple[str, bool]]:
    with JournalReader.open(path) as reader:
        return [tuple(said) for said in verify(reader, head)]


def numbers(planned: journal_prune.Plan) -> list[int]:
    return [candidate.game.number for candidate in planned.go]


def test_what_was_removed_is_noted_and_the_chain_holds_over_it(path: Path) -> None:
    with JournalReader.open(path) as reader:
        heads = [reader.head(game) for game in reader.games()]
        rows = {n: reader.entry_rows(n) for n in (1, 2, 3, 4)}
    planned = plan(path, numbers=(1, 3))
    assert (numbers(planned), planned.stay) == ([1, 3], ())
    prune(path, planned)
    said = said_of(path, heads[0])
    assert not any(wrong for _, wrong in said), said
    assert said[0][0].startswith("game 1: its 6 entries were pruned on 2")
    assert said[-1][0].endswith("is that of game 1, which was pruned, as noted then")
    with Journal.open(path) as journal:
        assert journal.notes == ()
        games = journal.reader.games()
        assert [journal.reader.entry_rows(n) for n in (1, 2, 3, 4)] == [[], rows[2], [], rows[4]]
        assert [journal.reader.head(game) for game in games] == heads
        found = summary(journal.reader, games[0])
        assert (found.state, found.moves, found.entries, found.head) == ("pruned", 1, 6, heads[0])
        assert found.result is not None
        assert found.result.reason == "resignation"
        assert journal.append(Tick(t_ns=9), ()).result(5) == 3
    assert not any(wrong for _, wrong in said_of(path))
    done = repair(path)
    assert done.missing == ()
    assert not any(wrong for _, wrong in said_of(done.path))


def test_a_journal_goes_on_after_its_last_game_was_pruned(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_games(path, 2)
    prune(path, plan(path, numbers=(1, 2)))
    write_games(path, 1)
    with JournalReader.open(path) as reader:
        assert [game.number for game in reader.games()] == [1, 2, 3]
    assert not any(wrong for _, wrong in said_of(path))


def test_changes_around_what_was_pruned_are_still_seen(path: Path) -> None:
    prune(path, plan(path, numbers=(2,)))
    change(path, "UPDATE pruned SET last = upper(last)")
    assert ("game 3: its row or what stands before it is not what was written", True) in said_of(path)
    change(path, "UPDATE pruned SET last = lower(last)")
    change(path, "UPDATE entries SET game = 2 WHERE game = 3 AND seq = 6")
    assert any("and entries of it are there all the same" in sentence for sentence, _ in said_of(path))


def test_a_game_that_is_not_over_stays(path: Path) -> None:
    planned = plan(path, numbers=(4,))
    assert planned == ((), ("game 4 is not over; it stays as it is",))
    planned = plan(path, older_than_days=0)
    assert (numbers(planned), planned.stay) == ([1, 2, 3], ("game 4 is not over; it stays as it is",))


def test_only_games_older_than_that_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert plan(path, older_than_days=1) == ((), ())
    monkeypatch.setattr(journal_prune, "wall_ns", lambda: wall_ns() + 2 * DAY_NS)
    assert numbers(plan(path, older_than_days=1)) == [1, 2, 3]
    assert plan(path, older_than_days=3) == ((), ())


def test_the_oldest_go_until_the_file_is_small_enough(path: Path) -> None:
    assert plan(path, down_to_mb=1 + (path.stat().st_size >> 20)) == ((), ())
    assert numbers(plan(path, down_to_mb=0)) == [1, 2, 3]


def test_the_room_is_given_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        for _ in range(3):
            journal.begin_game(settings=FREE, sensors="linear", rules_version=RULES_VERSION)
            referee = Referee(FREE)
            for given in (
                Command(t_ns=0, do="start"),
                Command(t_ns=1, do="note", text="x" * (2 << 20)),
                Command(t_ns=2, do="resign", side=BLACK),
            ):
                journal.append(given, referee.rule(given))
    planned = plan(path, down_to_mb=5)
    assert numbers(planned) in ([1], [1, 2])
    before = path.stat().st_size
    prune(path, planned)
    assert path.stat().st_size < before - (2 << 20)
    assert b"x" * 1000 in path.read_bytes()
    prune(path, plan(path, older_than_days=0))
    assert b"x" * 1000 not in path.read_bytes()


def test_room_that_cannot_be_given_back_is_no_failure_of_the_removal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is when people prune, and giving the room back needs some."""

    def full(path: Path, mode: str) -> Connection:
        connection = connect(path, mode)
        connection.set_authorizer(lambda action, *_: SQLITE_DENY if action == SQLITE_ATTACH else SQLITE_OK)
        return connection

    planned = plan(path, numbers=(1,))
    monkeypatch.setattr(journal_prune, "connect", full)
    told = prune(path, planned)
    assert told.startswith(f"{path}: its room was not given back: ")
    with JournalReader.open(path) as reader:
        assert list(reader.pruned()) == [1]
    monkeypatch.undo()
    assert prune(path, plan(path, numbers=(2,))) == ""


def test_what_is_wrong_is_not_pruned_away(path: Path) -> None:
    change(path, "UPDATE entries SET wall_ns = 1 WHERE game = 2 AND seq = 3")
    with pytest.raises(RecordError, match=r"not pruned while something is wrong with it: game 2: entry 3 or"):
        plan(path, numbers=(1,))


def test_a_number_that_is_not_there_is_refused(path: Path) -> None:
    with pytest.raises(RecordError, match="game 9 is not in the journal; allowed: 1, 2, 3, 4"):
        plan(path, numbers=(9,))


def test_a_daemon_that_has_it_keeps_it(path: Path) -> None:
    with (
        Journal.open(path),
        pytest.raises(RecordError, match="is being written by another renju-board"),
        held(path),
    ):
        pass
