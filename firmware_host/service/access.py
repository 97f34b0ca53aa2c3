"""What a configuration says of who may come in: its PINs, and where sessions are kept."""

from typing import NamedTuple

from firmware_host.service.client_address import is_loopback
from firmware_host.service.config import Config, journal_path
from firmware_host.service.pins import NAME as PINS
from firmware_host.service.pins import Pins, Role, shown
from firmware_host.service.session_file import NAME as SESSIONS
from firmware_host.service.session_file import SessionFile
from firmware_host.service.sign_in import SignIn


class Access(NamedTuple):
    """Who may come in, and what whoever started the board is told of it, line by line."""

    signing: SignIn
    told: list[str]


def access_of(config: Config, host: str, now_ns: int) -> Access:
    """The PINs and sessions of a table that listens at `host`; `now_ns`: the monotonic clock now.

    Beyond this machine nobody comes in without a PIN: if there is none, one is made, and told this once.
    Raises RecordError where it cannot be kept.
    """
    path = journal_path(config)
    kept = SessionFile(path.with_name(SESSIONS))
    given: dict[Role, str] = {"arbiter": config.web.arbiter_pin, "operator": config.web.operator_pin}
    pins = Pins(given, path.with_name(PINS), kept.salt)
    told = []
    if not is_loopback(host) and (pin := pins.make_first()):
        told.append(f"arbiter's PIN    {shown(pin)}    shown this once; `renju-board pin` sets another")
    if pins.locked and pins.trouble:
        told.append(f"note: {pins.trouble}")
    return Access(SignIn(pins, kept, now_ns), told)
