from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.disk import in_memory
from tests.crash.nursery import Nursery, nursery


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder where a sync takes no time: what a disk does here is for the tests to say."""
    with in_memory() as folder:
        yield folder


@pytest.fixture(scope="session")
def parent() -> Iterator[Nursery]:
    """The parent of all daemons of these tests."""
    with nursery() as started:
        yield started
