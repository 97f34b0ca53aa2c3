from collections.abc import Iterator

import pytest

from tests.crash.nursery import Nursery, nursery


@pytest.fixture(scope="session")
def parent() -> Iterator[Nursery]:
    """The parent of all daemons of these tests."""
    with nursery() as started:
        yield started
