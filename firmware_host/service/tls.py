"""TLS of the web pages: a certificate from files, or the board's own, which is renewed in time.

The own one is kept as long as it is good, since people know it by its fingerprint: a new address alone makes
no new one. It is renewed at a start with less than 60 days left, and while the daemon runs in its last week.
"""

import hashlib
import ssl
from pathlib import Path
from types import ModuleType
from typing import Final

from firmware_host.errors import ConfigError
from firmware_host.service.web_settings import Web

NAME: Final = "tls.pem"
"""The own certificate and its key, beside the journal."""

START_DAYS: Final = 60
RUNNING_DAYS: Final = 7
BEGIN: Final = "-----BEGIN CERTIFICATE-----"
END: Final = "-----END CERTIFICATE-----"


class TlsFiles:
    """What a board speaks TLS with."""

    def __init__(self, web: Web, folder: Path) -> None:
        """`folder`: where the own certificate is kept. Raises ConfigError, RecordError in one sentence."""
        self._web = web
        self._own = folder / NAME
        self._maker = _maker() if web.tls == "self-signed" else None
        if self._maker is not None and not self._maker.is_good(self._own, START_DAYS):
            self._maker.make(self._own)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.fingerprint = ""
        """SHA-256 of the certificate, `AA:BB:..`."""
        self._load()

    @property
    def made(self) -> bool:
        """Whether the certificate is the board's own."""
        return self._maker is not None

    def renew(self) -> bool:
        """Make a new certificate if the own one is about to end; gives whether it was. Call it now and then.

        Connections that there are keep the old one.
        """
        if self._maker is None or self._maker.is_good(self._own, RUNNING_DAYS):
            return False
        self._maker.make(self._own)
        self._load()
        return True

    def _load(self) -> None:
        web = self._web
        files = (self._own, self._own) if self._maker is not None else (Path(web.certificate), Path(web.key))
        try:
            self.context.load_cert_chain(*files, password=_no_password)
            self.fingerprint = fingerprint(files[0].read_text("ascii", "replace"))
        except (OSError, ValueError) as error:
            raise ConfigError(
                "web.tls",
                web.tls,
                f"with a certificate and its key in PEM that this user can read, {files[0]} and {files[1]}",
                shown=web.tls,
                why=str(getattr(error, "reason", None) or getattr(error, "strerror", None) or error),
            ) from error


def fingerprint(pem: str) -> str:
    """SHA-256 of the first certificate of a file, as browsers and people write it."""
    first = pem[pem.index(BEGIN) : pem.index(END)] + END
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(first)).digest().hex(":").upper()


def _maker() -> ModuleType:
    try:
        from firmware_host.service import own_certificate
    except ImportError as error:
        raise ConfigError(
            "web.tls",
            "self-signed",
            "off, files, and self-signed where the package cryptography is installed: pip install"
            " 'renju-board[tls]'",
            shown="self-signed",
            why=str(error),
        ) from error
    return own_certificate


def _no_password() -> str:
    raise ValueError("the key has a password, and nobody is there to type it")
