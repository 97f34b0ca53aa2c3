"""A certificate that the board makes for itself; this is the only module that needs `cryptography`.

It is for the names and addresses of this machine and lasts 397 days, since browsers refuse longer ones. Its
key (P-256) is in the same file, which its owner alone can read, so that the two are always a pair.
"""

import datetime
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from firmware_host.service.machine import addresses, names
from firmware_host.service.safe_files import replace_private
from firmware_host.service.wall_clock import wall_ns

DAY: Final = datetime.timedelta(days=1)
LIFE: Final = 397 * DAY
BEFORE: Final = DAY
"""It holds from a day ago: clocks of telephones, and of a Pi without a clock chip, differ."""


def is_good(path: Path, days: int) -> bool:
    """Whether the file has a certificate for this machine's name that holds for so many days from now."""
    try:
        read = x509.load_pem_x509_certificate(path.read_bytes())
        known = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    in_time = read.not_valid_before_utc <= _now() < read.not_valid_after_utc - days * DAY
    return in_time and names()[0] in known.get_values_for_type(x509.DNSName)


def make(path: Path) -> None:
    """Write a new key and its certificate; raises RecordError."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"renju-board {names()[0]}"[:64])])
    alternatives = [*map(x509.DNSName, names()), *map(x509.IPAddress, addresses())]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_now() - BEFORE)
        .not_valid_after(_now() - BEFORE + LIFE)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    replace_private(path, secret + made.public_bytes(Encoding.PEM))


def _now() -> datetime.datetime:
    return datetime.datetime.fromtimestamp(wall_ns() // 1_000_000_000, datetime.UTC)
