"""Torn copies of a journal open to all that was told, or say why not; a disk that lies is found out."""

from pathlib import Path

import pytest

from tests.crash.disk import Disk
from tests.crash.io_order import Call, Op
from tests.crash.torn import Copy, Recording, judge, record, record_take_over, report, try_all
from tests.preloaded import ROOT


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Three lives of a journal: killed, ended, killed."""
    return record(tmp_path_factory.mktemp("recording"), seed=1, entries=10, lives=("kill", "close", "kill"))


def test_copies_at_every_step_open_to_what_was_told_or_say_why_not(recording: Recording) -> None:
    count, wrong = try_all(recording, seed=1, cuts=1, share=0.35)
    assert not wrong, report(count)
    for what in ("killed", "power cut", "promised"):
        assert count[what, "whole"] > 0, report(count)
        assert not count[what, "short"]
    assert count["journal.db-wal truncated", "short"] > 0, "a cut that takes nothing proves nothing"


def test_a_journal_of_the_older_version_is_whole_whenever_the_power_goes(tmp_path: Path) -> None:
    """Before, while and after it is taken over."""
    recording = record_take_over(tmp_path, ROOT / "tests" / "data" / "journal-v1")
    count, wrong = try_all(recording, seed=1, cuts=2, share=0.2)
    assert not wrong, report(count)
    assert count["power cut", "whole"] > 10, report(count)


def test_a_disk_that_lies_is_found_out(tmp_path: Path) -> None:
    unsynced = record(tmp_path, seed=1, entries=8, lives=("kill",), unsynced=1)
    _, wrong = try_all(unsynced, seed=1, cuts=2, share=0.2)
    assert any("had been told" in line for line in wrong)


def test_an_entry_that_was_never_appended_is_found_out(recording: Recording, tmp_path: Path) -> None:
    disk = Disk(recording.folder)
    for call in recording.calls:
        disk.take(call)
    whole = Copy("killed", len(recording.calls), disk.as_written(), (1, 1))
    (game, entries), *_ = recording.content.values()
    other = recording.content | {game.number: (game, [*entries[:-2], entries[-1]])}
    assert judge(whole, recording.content, tmp_path, writing=False).word == "whole"
    assert "never appended" in judge(whole, other, tmp_path, writing=False).wrong


def test_a_disk_promises_what_was_written_before_a_sync_began() -> None:
    folder = Path("/there")
    path = "/there/file"
    disk = Disk(folder)

    def take(op: Op, name: str = path, data: bytes = b"", offset: int = 0) -> None:
        disk.take(Call(op, name, offset, data))

    take(Op.WRITE, data=b"one")
    take(Op.SYNC)
    take(Op.WRITE, data=b"two", offset=3)
    take(Op.SYNCED)
    assert disk.promised() == {}, "its name is not synced yet"
    take(Op.SYNC, "/there")
    take(Op.SYNCED, "/there")
    assert disk.promised() == {"file": b"one"}
    assert disk.as_written() == {"file": b"onetwo"}
    take(Op.TRUNCATE, offset=1)
    take(Op.RENAME, data=b"/there/other")
    assert disk.as_written() == {"other": b"o"}
    assert disk.promised() == {"file": b"one"}
    take(Op.UNLINK, "/there/other")
    assert disk.as_written() == {}
