"""Every scenario of failing devices, through the real drivers, at a live table."""

import asyncio
from pathlib import Path

import pytest

from tests.scenarios.devices.fault_stage import play, read

FILES = sorted(Path(__file__).parent.glob("*.scenario"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_fault_scenario(file: Path, tmp_path: Path) -> None:
    asyncio.run(play(read(file), tmp_path))
