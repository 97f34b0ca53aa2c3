"""A check as a command of its own, with faces, buzzer and board at I2C nodes."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hw.simulator.chips import VirtualBuzzer, VirtualHt16k33
from hw.simulator.i2c_board import TWO_PLANES, VirtualI2cBoard
from hw.simulator.i2c_bus import VirtualBus
from hw.simulator.sensors import SwitchSensors
from hw.simulator.table import SimulatedTable
from tests.i2c_nodes import ROOT, nodes

SETTINGS = (
    "scanner.kind=i2c",
    "scanner.sensors=switch",
    "i2c_scanner.planes=poles",
    "clock.faces=ht16k33",
    "clock.buzzer=qwiic",
    "keys.factory=none",
)
HOW = ("--no-questions", "--report")


def clock_bus(**chips: int) -> VirtualBus:
    made = {"near": VirtualHt16k33(), "far": VirtualHt16k33(), "buzzer": VirtualBuzzer(time.monotonic_ns)}
    return VirtualBus({address: made[name] for name, address in chips.items()})


def checked(folder: Path, buses: Mapping[int, VirtualBus]) -> tuple[int, dict[str, Any]]:
    """Exit code and report of `renju-board check --no-questions`."""
    given = [part for setting in SETTINGS for part in ("--set", setting)]
    with nodes(folder, buses) as environ:
        done = subprocess.run(
            [sys.executable, "-m", "firmware_host.cli", "check", *given, *HOW, str(folder / "report")],
            env={**environ, "PYTHONPATH": str(ROOT), "STATE_DIRECTORY": str(folder)},
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.stderr == ""
    return done.returncode, json.loads((folder / "report.json").read_text())


@pytest.fixture
def board() -> VirtualI2cBoard:
    table = SimulatedTable(electronics=SwitchSensors(1, poles=True))
    return VirtualI2cBoard(table, time.monotonic_ns, TWO_PLANES)


def parts(report: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {part["name"]: part for part in report["parts"]}


def test_all_chips_answer(tmp_path: Path, board: VirtualI2cBoard) -> None:
    code, report = checked(tmp_path, {1: clock_bus(near=0x70, far=0x71, buzzer=0x34), 3: board.bus})
    assert {name: part["status"] for name, part in parts(report).items()} == {
        "face near": "not judged",
        "face far": "not judged",
        "buzzer": "not judged",
        "scanner": "ok",
    }
    assert [f for f in report["findings"] if f["fails"]] == []
    assert code == 0


def test_a_face_at_another_address_and_no_buzzer(tmp_path: Path, board: VirtualI2cBoard) -> None:
    code, report = checked(tmp_path, {1: clock_bus(near=0x70, far=0x73), 3: board.bus})
    found = parts(report)
    assert code == 1
    assert found["face far"]["status"] == "fault"
    assert "0x71" in found["face far"]["sentence"]
    assert "a face (HT16K33) answers at 0x70, 0x73" in found["face far"]["cause"]
    assert "others answer (0x70, 0x73), so the bus works" in found["buzzer"]["cause"]
    assert found["scanner"]["status"] == "ok"
