"""Certificates: the board's own and those of files, and what is wrong with one, in a sentence."""

import datetime
import ipaddress
import ssl
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption

from firmware_host.errors import ConfigError
from firmware_host.service import machine, own_certificate
from firmware_host.service.machine import addresses, names, shown_host
from firmware_host.service.tls import NAME, TlsFiles, fingerprint
from firmware_host.service.web_settings import Web

OWN = Web(tls="self-signed")
DAY_NS = 24 * 3600 * 1_000_000_000


class Calendar:
    """Wall time that a test sets."""

    def __init__(self, now_ns: int) -> None:
        self.now_ns = now_ns

    def wall_ns(self) -> int:
        return self.now_ns


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    """A day in 2026."""
    given = Calendar(1_790_000_000 * 1_000_000_000)
    monkeypatch.setattr(own_certificate, "wall_ns", given.wall_ns)
    return given


def certificate(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / NAME).read_bytes())


def test_the_own_certificate_is_for_this_machine_and_its_key_for_its_owner(
    tmp_path: Path, calendar: Calendar
) -> None:
    made = TlsFiles(OWN, tmp_path)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    read = certificate(tmp_path)
    known = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert known.get_values_for_type(x509.DNSName) == names()
    assert known.get_values_for_type(x509.IPAddress) == addresses()
    assert "localhost" in names()
    assert ipaddress.ip_address("127.0.0.1") in addresses()
    assert read.not_valid_after_utc - read.not_valid_before_utc == datetime.timedelta(days=397)
    assert read.fingerprint(hashes.SHA256()).hex(":").upper() == made.fingerprint
    assert len(made.fingerprint) == 95
    assert made.context.minimum_version == ssl.TLSVersion.TLSv1_2


def test_it_is_kept_while_it_is_good_and_renewed_in_time(tmp_path: Path, calendar: Calendar) -> None:
    first = TlsFiles(OWN, tmp_path)
    begun_ns = calendar.now_ns
    calendar.now_ns = begun_ns + 330 * DAY_NS
    assert TlsFiles(OWN, tmp_path).fingerprint == first.fingerprint
    assert not first.renew()
    calendar.now_ns = begun_ns + 340 * DAY_NS
    assert not first.renew()  # a daemon that runs keeps it until its last week
    at_start = TlsFiles(OWN, tmp_path)
    assert at_start.fingerprint != first.fingerprint
    calendar.now_ns += 390 * DAY_NS
    assert at_start.renew()
    assert at_start.fingerprint == TlsFiles(OWN, tmp_path).fingerprint
    assert certificate(tmp_path).not_valid_after_utc.timestamp() * 1e9 > calendar.now_ns + 390 * DAY_NS


def test_a_clock_that_was_wrong_and_another_name_make_a_new_one(
    tmp_path: Path, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = TlsFiles(OWN, tmp_path)
    calendar.now_ns -= 900 * DAY_NS
    assert running.renew()
    before = running.fingerprint
    monkeypatch.setattr(own_certificate, "names", lambda: ["board-7", "board-7.local", "localhost"])
    assert TlsFiles(OWN, tmp_path).fingerprint != before


@pytest.mark.parametrize("spoilt", [b"", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_spoilt_own_one_is_made_again(tmp_path: Path, spoilt: bytes) -> None:
    (tmp_path / NAME).write_bytes(spoilt)
    assert len(TlsFiles(OWN, tmp_path).fingerprint) == 95


def test_certificates_of_files_are_taken_with_their_chain(tmp_path: Path) -> None:
    for name in ("board", "other"):
        own_certificate.make(tmp_path / name)
    board, other = ((tmp_path / name).read_text() for name in ("board", "other"))
    begin = board.index("-----BEGIN CERT")
    (tmp_path / "key.pem").write_text(board[:begin])
    (tmp_path / "chain.pem").write_text(
        "a comment\n" + board[begin:] + other[other.index("-----BEGIN CERT") :]
    )
    web = Web(tls="files", certificate=f"{tmp_path}/chain.pem", key=f"{tmp_path}/key.pem")
    files = TlsFiles(web, tmp_path)
    assert files.fingerprint == fingerprint(board)
    assert not files.renew()
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize(
    ("certificate", "key", "why"),
    [
        ("nowhere.pem", "board", "No such file"),
        ("board", "other", "KEY_VALUES_MISMATCH"),
        ("empty", "board", "PEM"),
        ("board", "locked", "the key has a password"),
        ("folder", "board", "directory"),
    ],
)
def test_files_that_cannot_be_used_are_one_sentence(
    tmp_path: Path, certificate: str, key: str, why: str
) -> None:
    for name in ("board", "other"):
        own_certificate.make(tmp_path / name)
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    locked = own_certificate.ec.generate_private_key(own_certificate.ec.SECP256R1()).private_bytes(
        own_certificate.Encoding.PEM,
        own_certificate.PrivateFormat.PKCS8,
        BestAvailableEncryption(b"secret"),
    )
    (tmp_path / "locked").write_bytes(locked)
    web = Web(tls="files", certificate=f"{tmp_path}/{certificate}", key=f"{tmp_path}/{key}")
    with pytest.raises(ConfigError, match=why) as refused:
        TlsFiles(web, tmp_path)
    assert str(refused.value).startswith("web.tls = files is not possible: ")
    assert f"{tmp_path}/{certificate} and {tmp_path}/{key}" in str(refused.value)


def test_without_its_package_the_own_certificate_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "firmware_host.service.own_certificate", None)
    monkeypatch.delattr("firmware_host.service.own_certificate", raising=False)
    with pytest.raises(ConfigError, match=r"web.tls = self-signed .* pip install 'renju-board\[tls\]'"):
        TlsFiles(OWN, tmp_path)


def test_nothing_else_needs_that_package() -> None:
    looked = "import sys, firmware_host.service.daemon; sys.exit('cryptography' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", looked], check=False).returncode == 0


def test_a_link_names_an_address_that_others_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [ipaddress.ip_address(each) for each in ("192.0.2.7", "2001:db8::7", "127.0.0.1", "::1")]
    monkeypatch.setattr(machine, "addresses", lambda: found)
    everywhere = ("0.0.0.0", "::")  # noqa: S104
    assert [shown_host(bound) for bound in (*everywhere, "127.0.0.1", "::1")] == [
        "192.0.2.7", "[2001:db8::7]", "127.0.0.1", "[::1]",
    ]  # fmt: skip
