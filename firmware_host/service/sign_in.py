"""Who may come to the arbiter's side: a PIN for each role, and a session for each browser that knew one.

Sessions outlive a restart of the daemon where they are kept (`service/session_file.py`), and end with a new
PIN. After a few wrong PINs an address waits, longer each time. Over all strangers together only so many are
tried in a time, whatever addresses they come from. Neither holds up who is signed in, nor, beyond its own
wait, an address where the right PIN was given before, nor the board's own machine: whoever tries PINs can
make strangers wait, and cannot keep the arbiter out.
"""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from typing import Final, NamedTuple, Protocol

from firmware_host.errors import BoardError
from firmware_host.service.pins import Pins, Role, plain

SECOND: Final = 1_000_000_000
SESSION_NS: Final = 16 * 3600 * SECOND
"""A session lasts for a day of play."""

SESSIONS: Final = 16
"""So many browsers a role at once; with one more the oldest must sign in again."""

FREE_TRIES: Final = 3
FIRST_WAIT_NS: Final = 2 * SECOND
LONGEST_WAIT_NS: Final = 60 * SECOND
"""Wrong PINs in a row that cost an address nothing; the wait after the next one, which doubles up to the
longest."""

TRIES: Final = 30
TRY_NS: Final = 20 * SECOND
"""So many wrong PINs all strangers have together, and one more after each such time: 4,320 a day, of the
hundred million that a PIN of eight digits may be."""

ADDRESSES: Final = 1000
"""So many addresses are remembered; the one that was quiet longest is forgotten first."""


class NotSignedIn(BoardError):
    """A PIN that is not accepted, in one sentence. `wait_s`: so long none is; 0: the next is read at once."""

    def __init__(self, sentence: str, wait_s: int) -> None:
        super().__init__(sentence)
        self.wait_s = wait_s


class Session(NamedTuple):
    """One browser: its role, when it ends, and the hash of the PIN that it came with."""

    role: Role
    until_ns: int
    pin: str


class SessionStore(Protocol):
    """Where sessions outlive the daemon, by the hash of their token."""

    def load(self, now_ns: int) -> dict[str, Session]:
        """Those that have not ended."""

    def save(self, sessions: dict[str, Session], now_ns: int) -> None:
        """Keep these, and no others; called in a thread."""


class _Address:
    """What is known of one address."""

    def __init__(self) -> None:
        self.wrong = 0
        self.wait_until_ns = 0
        self.known_until_ns = 0


class SignIn:
    """The PINs of a table and its sessions. Instants are nanoseconds of the caller's monotonic clock."""

    def __init__(self, pins: Pins, store: SessionStore | None = None, now_ns: int = 0) -> None:
        """`store`: where sessions are kept; None: they end with the daemon."""
        self.pins = pins
        self._store = store
        self._sessions = store.load(now_ns) if store is not None else {}
        self._addresses: OrderedDict[str, _Address] = OrderedDict()
        self._tries_at_ns = now_ns - TRIES * TRY_NS
        """When the strangers' store of tries was empty, as if it had filled without a bound since."""
        self._one = asyncio.Lock()

    async def sign_in(self, pin: str, address: str, now_ns: int, *, here: bool = False) -> tuple[str, Role]:
        """The token of a new session and its role; `here`: it comes from the board's own machine.

        Raises NotSignedIn for a wrong PIN, and for any while one must wait.
        """
        known = self._address(address)
        stranger = not here and now_ns >= known.known_until_ns
        wait_ns = max(known.wait_until_ns, self._tries_at_ns + TRY_NS if stranger else 0) - now_ns
        if wait_ns > 0:
            wait_s = _seconds(wait_ns)
            raise NotSignedIn(f"too many wrong PINs: try again in {wait_s} s", wait_s)
        # It counts as wrong until it is known to be right: tries at the same time are no way around the wait.
        self._count(known, now_ns, stranger=stranger)
        async with self._one:
            role = await asyncio.to_thread(self.pins.role_of, plain(pin))
        if role is None:
            raise NotSignedIn("this is not the PIN", max(0, _seconds(known.wait_until_ns - now_ns)))
        if stranger:
            self._tries_at_ns -= TRY_NS
        known.wrong = known.wait_until_ns = 0
        known.known_until_ns = now_ns + SESSION_NS
        return await self._begin(role, now_ns), role

    def role(self, token: str, now_ns: int) -> Role | None:
        """Whose session a token is; None if there is none, or it has ended."""
        key = _hash(token)
        session = self._sessions.get(key)
        if session is None:
            return None
        hashed = self.pins.known.get(session.role)
        if now_ns >= session.until_ns or hashed is None or hashed.hash != session.pin:
            del self._sessions[key]
            return None
        return session.role

    async def sign_out(self, token: str, now_ns: int) -> None:
        """End a session, if there is one."""
        if self._sessions.pop(_hash(token), None):
            await self._keep(now_ns)

    async def _begin(self, role: Role, now_ns: int) -> str:
        of_role = [key for key, session in self._sessions.items() if session.role == role]
        for key in of_role[: max(0, len(of_role) + 1 - SESSIONS)]:
            del self._sessions[key]
        token = secrets.token_urlsafe(32)
        hashed = self.pins.known.get(role)
        self._sessions[_hash(token)] = Session(role, now_ns + SESSION_NS, hashed.hash if hashed else "")
        await self._keep(now_ns)
        return token

    async def _keep(self, now_ns: int) -> None:
        if self._store is not None:
            async with self._one:
                await asyncio.to_thread(self._store.save, dict(self._sessions), now_ns)

    def _address(self, address: str) -> _Address:
        found = self._addresses.setdefault(address, _Address())
        self._addresses.move_to_end(address)
        if len(self._addresses) > ADDRESSES:
            self._addresses.popitem(last=False)
        return found

    def _count(self, known: _Address, now_ns: int, *, stranger: bool) -> None:
        known.wrong += 1
        beyond = known.wrong - FREE_TRIES
        if beyond > 0:
            known.wait_until_ns = now_ns + min(FIRST_WAIT_NS << min(beyond - 1, 10), LONGEST_WAIT_NS)
        if stranger:
            self._tries_at_ns = max(self._tries_at_ns, now_ns - TRIES * TRY_NS) + TRY_NS


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _seconds(ns: int) -> int:
    return -(-ns // SECOND)
