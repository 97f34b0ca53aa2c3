"""Wall time for the record: the instant, whether it can be trusted, and which boot it belongs to.

A Raspberry Pi without a clock chip starts at the time of its last shutdown, so wall time is kept beside the
monotonic one and marked; no duration is ever computed from it.
"""

import ctypes
import functools
import time
from pathlib import Path
from typing import Final, NamedTuple

TIME_ERROR: Final = 5  # adjtimex(2): the kernel's clock is not synchronised
STAMP_OF_TIMESYNCD: Final = Path("/run/systemd/timesync/synchronized")


def wall_ns() -> int:
    """Nanoseconds since 1970, UTC."""
    return time.time_ns()


@functools.cache
def boot_id() -> str:
    """The kernel's name of this boot; `unknown` where the kernel has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"


def synchronised() -> bool:
    """Whether the wall clock follows a time server.

    Source: adjtimex(2); where a service may not call it (systemd's ProtectClock), the stamp of timesyncd.
    """
    # 256 bytes are more than any `struct timex`; all zero, `modes` 0 included, asks and sets nothing.
    state = int(_libc().adjtimex(ctypes.create_string_buffer(256)))
    return 0 <= state < TIME_ERROR or STAMP_OF_TIMESYNCD.exists()


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


class Stamp(NamedTuple):
    """A wall time, and whether it can be trusted."""

    wall_ns: int
    synchronised: bool


def stamp() -> Stamp:
    """This instant."""
    return Stamp(wall_ns(), synchronised())


def stamp_text(wall: int) -> str:
    """`2026-05-01T14:03:07.123Z` of nanoseconds since 1970, as programs read it (RFC 3339)."""
    seconds, ns = divmod(wall, 1_000_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{ns // 1_000_000:03}Z"


def wall_text(wall: int) -> str:
    """`2026-05-01 14:03:07 UTC` of nanoseconds since 1970."""
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(wall // 1_000_000_000))
