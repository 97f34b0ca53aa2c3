"""The PINs of a table: what opens the arbiter's and the operator's side, kept as salted scrypt hashes.

A PIN comes from the configuration, or from `pins.json` beside the journal, one JSON object with mode 0600:
`{"format": "renju-board-pins", "version": 1, "pins": {"arbiter": {"salt": hex, "hash": hex, "n": 16384,
"r": 8, "p": 1}}}`. The file is looked at again whenever it has changed, so that a new PIN holds at once. One
that cannot be read lets nobody in.
Source: RFC 7914 (scrypt).
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from firmware_host.errors import NotationError, RecordError
from firmware_host.service.safe_files import replace_private
from firmware_host.service.small_file import read_small_file

Role = Literal["arbiter", "operator"]

FORMAT: Final = "renju-board-pins"
VERSION: Final = 1
NAME: Final = "pins.json"
DIGITS: Final = 8
"""A PIN that is made has so many; one that is chosen has as many as `FEWEST` to `MOST`."""
FEWEST: Final = 6
MOST: Final = 12
MOST_BYTES: Final = 10_000

COST: Final = 2**14
BLOCK: Final = 8
"""With these one try costs 16 MB and some tens of milliseconds; more would hold up a small Pi."""

Hex = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2}){16,64}\Z")]


class Hashed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A PIN as it is kept."""

    salt: Hex
    hash: Hex
    n: Annotated[int, msgspec.Meta(ge=2, le=2**16)]
    r: Annotated[int, msgspec.Meta(ge=1, le=16)] = BLOCK
    p: Annotated[int, msgspec.Meta(ge=1, le=16)] = 1

    @classmethod
    def of(cls, pin: str, salt: bytes = b"") -> "Hashed":
        """A PIN with this salt, or one of its own."""
        salt = salt or secrets.token_bytes(16)
        return cls(salt=salt.hex(), hash=_scrypt(pin, salt, COST, BLOCK, 1).hex(), n=COST)

    def holds(self, pin: str) -> bool:
        """Whether it is of this PIN; takes as long whether it is or not."""
        found = _scrypt(pin, bytes.fromhex(self.salt), self.n, self.r, self.p)
        return hmac.compare_digest(found, bytes.fromhex(self.hash))


class PinFile(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds; see the module."""

    pins: dict[Role, Hashed]
    format: str = FORMAT
    version: int = VERSION


class Pins:
    """The PINs that hold now, those of the configuration before those of the file."""

    def __init__(
        self, given: Mapping[Role, str] | None = None, path: Path | None = None, salt: bytes = b""
    ) -> None:
        """`given`: PINs by role, empty ones left out, and the salt they get. `path`: the file; None: none."""
        self.path = path
        self._given = {role: Hashed.of(pin, salt) for role, pin in (given or {}).items() if pin}
        self._read: dict[Role, Hashed] = {}
        self._stamp: tuple[int, int, int] | None = None
        self.trouble = ""
        """Why the file cannot be used, in one sentence; empty when it can, or there is none."""

    @property
    def known(self) -> Mapping[Role, Hashed]:
        """The PIN of each role that has one."""
        self._look()
        return {**self._read, **self._given}

    @property
    def locked(self) -> bool:
        """Whether a PIN is asked for: there is one, or a file that should hold one."""
        return bool(self.known or self.trouble)

    def role_of(self, pin: str) -> Role | None:
        """Whose PIN it is. It costs a hash for each role, so do it in a thread."""
        found: Role | None = None
        for role, hashed in self.known.items():
            if hashed.holds(pin):
                found = role
        return found

    def make_first(self) -> str:
        """Make the arbiter's PIN and give it; empty if there is one already. Raises RecordError."""
        if self.path is None or "arbiter" in self.known or self.trouble:
            return ""
        pin = new_pin()
        save(self.path, "arbiter", pin)
        return pin

    def _look(self) -> None:
        """Read the file again if it is another one."""
        if self.path is None:
            return
        try:
            status = self.path.stat()
            stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        except FileNotFoundError:
            self._read, self._stamp, self.trouble = {}, None, ""
            return
        except OSError as error:
            self._read, self._stamp = {}, None
            self.trouble = f"{self.path} cannot be read: {error.strerror or error}"
            return
        if stamp == self._stamp:
            return
        try:
            self._read, self.trouble = load(self.path), ""
        except RecordError as error:
            self._read, self.trouble = {}, f"{error}; `renju-board pin` sets a new PIN"
        self._stamp = stamp  # last: another thread that looks meanwhile reads too


def new_pin() -> str:
    """A random PIN."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def shown(pin: str) -> str:
    """A PIN as people read it: `4821 7735`."""
    return " ".join(pin[i : i + 4] for i in range(0, len(pin), 4))


def plain(text: str) -> str:
    """A PIN as it is typed, without blanks and hyphens."""
    return "".join(text.split()).replace("-", "")


def chosen(text: str) -> str:
    """A PIN that somebody has chosen; raises NotationError for one that is none or is too easy to guess."""
    pin = plain(text)
    if not (pin.isascii() and pin.isdigit() and FEWEST <= len(pin) <= MOST) or len(set(pin)) < 3:
        raise NotationError(f"this is no PIN; allowed: {FEWEST} to {MOST} digits, three of them different")
    return pin


def load(path: Path) -> dict[Role, Hashed]:
    """The PINs of a file; raises RecordError, which names the file and what is wrong in it."""
    return read_small_file(path, PinFile, "a file of PINs", MOST_BYTES, (FORMAT, VERSION)).pins


def save(path: Path, role: Role, pin: str) -> None:
    """Set the PIN of a role in a file.

    A file that cannot be read is replaced by one with this PIN alone. Raises RecordError for one that cannot
    be written, NotationError for a PIN that is the other role's.
    """
    try:
        pins = load(path)
    except RecordError:
        pins = {}
    pins.pop(role, None)
    if any(other.holds(pin) for other in pins.values()):
        raise NotationError("this is the other role's PIN; allowed: any other")
    pins[role] = Hashed.of(pin)
    replace_private(path, msgspec.json.format(msgspec.json.encode(PinFile(pins=pins)), indent=1) + b"\n")


def _scrypt(pin: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=r, p=p, maxmem=256 * n * r + 2**20, dklen=32)
