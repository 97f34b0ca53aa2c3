"""The file in which sessions outlive a restart: after a crash in mid-game nobody types a PIN.

JSON, one object, mode 0600, beside the journal: `{"format": "renju-board-sessions", "version": 1, "salt":
hex, "sessions": {SHA-256 of a token: {"role": "arbiter", "until_s": seconds since 1970, "pin": hash}}}`. No
token is in it. A file that cannot be read is as good as none: everybody signs in again.
"""

import contextlib
import secrets
from pathlib import Path
from typing import Final

import msgspec

from firmware_host.errors import RecordError
from firmware_host.service.pins import Role
from firmware_host.service.safe_files import replace_private
from firmware_host.service.sign_in import SECOND, SESSION_NS, Session
from firmware_host.service.small_file import read_small_file
from firmware_host.service.wall_clock import wall_ns

FORMAT: Final = "renju-board-sessions"
NAME: Final = "sessions.json"
MOST_BYTES: Final = 100_000


class KeptSession(msgspec.Struct, frozen=True):
    """A session with its end in wall time: nothing else is left of time after a reboot."""

    role: Role
    until_s: int
    pin: str


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds; see the module."""

    format: str = FORMAT
    version: int = 1
    salt: str
    sessions: dict[str, KeptSession]


class SessionFile:
    """The sessions of one table."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept = _read(path)
        self.salt = bytes.fromhex(self._kept.salt)
        """The salt of PINs that are in the configuration: with the same one their sessions go on."""

    def load(self, now_ns: int) -> dict[str, Session]:
        """Those that have not ended; none for longer than a session lasts, whatever the time of day is."""
        found = {}
        for token, kept in self._kept.sessions.items():
            left_ns = min(kept.until_s * SECOND - wall_ns(), SESSION_NS)
            if left_ns > 0:
                found[token] = Session(kept.role, now_ns + left_ns, kept.pin)
        return found

    def save(self, sessions: dict[str, Session], now_ns: int) -> None:
        """Replace the file; where that fails the sessions end with the daemon."""
        rows = {
            token: KeptSession(each.role, (wall_ns() + each.until_ns - now_ns) // SECOND, each.pin)
            for token, each in sessions.items()
        }
        kept = Kept(salt=self.salt.hex(), sessions=rows)
        with contextlib.suppress(RecordError):
            replace_private(self._path, msgspec.json.encode(kept) + b"\n")


def _read(path: Path) -> Kept:
    with contextlib.suppress(RecordError, ValueError):
        read = read_small_file(path, Kept, "a file of sessions", MOST_BYTES, (FORMAT, 1))
        if len(bytes.fromhex(read.salt)) >= 16:
            return read
    return Kept(salt=secrets.token_hex(16), sessions={})
