"""The sensors of a table that plays, and what a calibration file does to it."""

from pathlib import Path

import pytest

from firmware_host.sensing.stored import StoredCalibration
from firmware_host.service.calibration_file import NAME
from firmware_host.service.sensor_view import SensorView
from tests.daemon_process import Daemon

PERIOD_NS = 5_000_000


def test_means_noise_and_rate_of_the_newest_frames() -> None:
    stored = StoredCalibration(zero=(2.0,) * 225, gain=(0.0,) * 225)
    view = SensorView("linear", stored)
    assert set(view.build()["readings"]) == {-2.0}
    for n in range(100):
        row = bytearray(225)
        row[112] = 90 if n % 2 else 94
        view.frame((n * PERIOD_NS, bytes(row)))
    built = view.build()
    assert built["readings"][112] == pytest.approx(90.0)
    assert built["noise"][112] == pytest.approx(2.0)
    assert (built["step"], built["findings"], built["frames_per_s"]) == ("watch", [], 200.0)


def test_a_damaged_calibration_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"format": "renju-board-calibration"')
    daemon = Daemon(tmp_path, "match.opening=free")
    try:
        daemon.wait_for("ready", phase="playing", differences=[])
        daemon.hand("place", point="H8", colour="black")
        daemon.wait_for("the move", "/game.json", moves=1)
        assert any(
            note.startswith("the board is not calibrated: ") for note in daemon.ask("/arbiter.json")["notes"]
        )
    finally:
        code, errors = daemon.stop()
    assert code == 0
    assert f"note: the board is not calibrated: {tmp_path / NAME} is not a calibration" in errors
