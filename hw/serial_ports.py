"""Which serial port a scanner may be at, and why one cannot be opened, in a sentence."""

import contextlib
import errno
import grp
import os
import termios
from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path
from typing import Final

from serial import Serial
from serial.tools import list_ports

from hw import LinkError

BAUD: Final = 921_600
"""For a scanner on a UART; USB does not care."""
PICO_VID: Final = 0x2E8A
"""Raspberry Pi's vendor number. Other ports are not touched when the scanner is looked for: opening one may
reset what is behind it."""
WRITE_TIMEOUT_S: Final = 0.5


def find_ports(device: str) -> Sequence[str]:
    """The ports to try for a configured `device`: a path, a pattern with `*`, or empty: any Pico's.

    Raises LinkError when there is none.
    """
    if not device:
        found = sorted(port.device for port in list_ports.comports() if port.vid == PICO_VID)
        if not found:
            raise LinkError(
                "no serial scanner is there: no USB port has a Raspberry Pi Pico at it"
                " (unplugged, a cable for charging only, or serial_scanner.device is another one)"
            )
        return found
    found = sorted(glob(device)) if "*" in device else [device] if os.path.exists(device) else []
    if not found:
        raise LinkError(f"serial scanner {device} is not there (unplugged, or without power)")
    return found


def open_port(path: str) -> Serial:
    """Open a port for nobody but us; raises LinkError with the likely cause."""
    try:
        port = Serial(path, BAUD, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
    except (OSError, ValueError, termios.error) as error:
        raise LinkError(_why(path, error)) from error
    return port


def _why(path: str, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return f"serial scanner {path} may not be opened: this user must be in the group {_group(path)}"
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"serial scanner {path} is in use by {holder(path) or 'another program'}"
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"serial scanner {path} is not there (unplugged, or without power)"
    return f"serial scanner {path} cannot be opened: {error}"


def _group(path: str) -> str:
    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def _open_files(folder: Path) -> Iterator[str]:
    for descriptor in os.listdir(folder):
        with contextlib.suppress(OSError):  # closed meanwhile
            yield os.readlink(f"{folder}/{descriptor}")


def holder(path: str) -> str | None:
    """Name and number of a process that has a file open, as far as this user may see; None: not seen."""
    wanted = os.path.realpath(path)
    own = str(os.getpid())
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if folder.name != own and wanted in _open_files(folder / "fd"):
                return f"{(folder / 'comm').read_text().strip()} (process {folder.name})"
        except OSError:
            continue
    return None
