"""The file in which a calibration is kept, in the state directory.

JSON, one object: `{"format": "renju-board-calibration", "version": 1, "board": "serial", "measured":
"2026-05-01 14:03:07 UTC", "synchronised": true, "temperature_c": 31.5 or null, "zero": [225 numbers], "gain":
[225 numbers], "noise": [225 numbers]}`; counts, A1 .. O15 of the sensor plane, noise as standard deviation.
`board` tells whose sensors they are: a calibration of other ones is not used. The file is replaced as a whole
or not at all. One that cannot be used is as good as none: the game goes on, and the console says why.
"""

import os
from pathlib import Path
from typing import Final

import msgspec

from firmware_host.errors import BoardError, ConfigError, RecordError
from firmware_host.sensing.stored import StoredCalibration, read_stored
from firmware_host.service.config import Config, journal_path
from firmware_host.service.journal_file import sync
from firmware_host.service.small_file import read_small_file

FORMAT: Final = "renju-board-calibration"
VERSION: Final = 1
NAME: Final = "calibration.json"
MOST_BYTES: Final = 100_000


class CalibrationFile(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds; see the module. `read_stored` checks `zero` and `gain`."""

    format: str = FORMAT
    version: int = VERSION
    board: str
    measured: str
    synchronised: bool
    temperature_c: float | None = None
    zero: tuple[float, ...]
    gain: tuple[float, ...]
    noise: tuple[float, ...] = ()

    def stored(self) -> StoredCalibration:
        """What sensing takes of it; raises ConfigError."""
        return read_stored(msgspec.structs.asdict(self))


def calibration_path(config: Config) -> Path:
    """`calibration.json` beside the journal."""
    return journal_path(config).with_name(NAME)


def board_name(config: Config) -> str:
    """Whose sensors a configuration reads: `serial`, or for a simulated board `simulator, seed 1`."""
    kind = str(config.scanner.kind)
    return f"{kind}, seed {config.simulator.seed}" if kind == "simulator" else kind


def load(path: Path) -> CalibrationFile:
    """Read a calibration; raises RecordError, which names the file and what is wrong in it."""
    read = read_small_file(path, CalibrationFile, "a calibration", MOST_BYTES, (FORMAT, VERSION))
    try:
        read.stored()
    except msgspec.MsgspecError as error:
        raise RecordError(f"{path} is not a calibration: {error}") from error
    except ConfigError as error:
        raise RecordError(f"{path}: {error}") from error
    return read


def save(path: Path, kept: CalibrationFile) -> None:
    """Replace the file with `kept`, whole and synced, or leave it as it was; raises RecordError."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
        with fresh.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync(path.parent)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from error


def stored_calibration(config: Config) -> tuple[StoredCalibration | None, str]:
    """What sensing starts from, and a sentence if there is a calibration that it cannot start from."""
    path = calibration_path(config)
    if not path.exists():
        return None, ""
    try:
        read = load(path)
    except BoardError as error:
        return None, f"the board is not calibrated: {error}"
    if read.board != board_name(config):
        return None, (
            f"the board is not calibrated: {path} is of another one ({read.board}, not {board_name(config)});"
            " `renju-board calibrate` makes one for this board"
        )
    return read.stored(), ""
