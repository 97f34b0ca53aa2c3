"""Tables in virtual time, for all tests of this room."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from firmware_host.service.trace_keeper import TraceKeeper
from tests.service.virtual_table import VirtualTable

Play = Callable[[VirtualTable], Awaitable[None]]


@pytest.fixture
def opened() -> Iterator[list[VirtualTable]]:
    tables: list[VirtualTable] = []
    yield tables
    for table in tables:
        table.close()


@pytest.fixture
def run(tmp_path: Path, opened: list[VirtualTable]) -> Callable[..., VirtualTable]:
    """Open a table, and let a play happen at it; the journal stays for the next one."""

    def play(
        scene: Play, *settings: str, keeper: TraceKeeper | None = None, fresh: bool = False
    ) -> VirtualTable:
        table = VirtualTable(tmp_path, *settings, keeper=keeper, fresh=fresh)
        opened.append(table)

        table.play(scene)
        return table

    return play
