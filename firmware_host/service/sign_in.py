"""Who may come to the arbiter's side: one PIN for the table, and a session for each browser that knew it.

Sessions live in memory: a restart of the daemon ends them. After a few wrong PINs everybody waits, longer
each time, whichever machine they came from; who is signed in already is not held up.
"""

import hmac
import secrets
from typing import Final

from firmware_host.errors import BoardError

SECOND: Final = 1_000_000_000
SESSION_NS: Final = 16 * 3600 * SECOND
"""A session lasts for a day of play."""

SESSIONS: Final = 16
"""So many browsers at once; with one more the oldest must sign in again."""

FREE_TRIES: Final = 3
FIRST_WAIT_NS: Final = 2 * SECOND
LONGEST_WAIT_NS: Final = 60 * SECOND
"""Wrong PINs in a row that cost nothing; the wait after the next one, which doubles up to the longest."""


class NotSignedIn(BoardError):
    """A PIN that is not accepted, in one sentence. `wait_s`: so long none is; 0: the next is read at once."""

    def __init__(self, sentence: str, wait_s: int) -> None:
        super().__init__(sentence)
        self.wait_s = wait_s


class SignIn:
    """The PIN of a table and its sessions. Instants are nanoseconds of the caller's monotonic clock."""

    def __init__(self, pin: str) -> None:
        """`pin`: 4 to 12 digits."""
        self._pin = pin.encode()
        self._sessions: dict[str, int] = {}
        self._wrong = 0
        self._wait_until_ns = 0

    def sign_in(self, pin: str, now_ns: int) -> str:
        """The token of a new session; raises NotSignedIn for a wrong PIN, and for any while one must wait."""
        if now_ns < self._wait_until_ns:
            wait_s = self._wait_s(now_ns)
            raise NotSignedIn(f"too many wrong PINs: try again in {wait_s} s", wait_s)
        if not hmac.compare_digest(pin.encode(), self._pin):
            self._wrong += 1
            beyond = self._wrong - FREE_TRIES
            if beyond > 0:
                wait_ns = min(FIRST_WAIT_NS << min(beyond - 1, 10), LONGEST_WAIT_NS)
                self._wait_until_ns = now_ns + wait_ns
            raise NotSignedIn("this is not the arbiter's PIN", self._wait_s(now_ns))
        self._wrong = 0
        token = secrets.token_urlsafe(32)
        while len(self._sessions) >= SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[token] = now_ns + SESSION_NS
        return token

    def knows(self, token: str, now_ns: int) -> bool:
        """Whether a token is that of a session that has not ended."""
        until_ns = self._sessions.get(token)
        if until_ns is not None and now_ns >= until_ns:
            del self._sessions[token]
            return False
        return until_ns is not None

    def sign_out(self, token: str) -> None:
        """End a session, if there is one."""
        self._sessions.pop(token, None)

    def _wait_s(self, now_ns: int) -> int:
        return max(0, -((now_ns - self._wait_until_ns) // SECOND))
