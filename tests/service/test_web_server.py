"""The daemon's doors with real connections: the first start, TLS, a restart, and who listens where."""

import asyncio
import re
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from firmware_host.errors import ConfigError
from firmware_host.service import own_certificate, web_server
from firmware_host.service.config import load_config
from firmware_host.service.machine import addresses
from firmware_host.service.tls import NAME
from firmware_host.service.web_server import WebServer, listen
from tests.daemon_process import Daemon
from tests.patience import wait_for

EVERYWHERE = "web.host=0.0.0.0"
Start = Callable[..., tuple[Daemon, dict[str, str]]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start daemons of one folder; gives what each said on its console, by the first words of a line."""
    daemons: list[Daemon] = []

    def start_one(*settings: str) -> tuple[Daemon, dict[str, str]]:
        daemon = Daemon(tmp_path, *settings)
        daemons.append(daemon)
        said: dict[str, str] = {}
        assert daemon.process.stdout is not None
        while "journal" not in said:
            line = daemon.process.stdout.readline()
            assert line, said
            name, _, rest = line.rstrip().partition("  ")
            said[name] = rest.strip()
        return daemon, said

    yield start_one
    for daemon in daemons:
        daemon.kill()


def begun(browser: httpx.Client) -> tuple[float, float]:
    """Not before and not after which instant the daemon that answers has begun."""
    asked_s = time.monotonic()
    uptime_s = browser.get("/health").json()["uptime_s"]
    return asked_s - uptime_s - 0.05, time.monotonic() - uptime_s + 0.05  # it is told in tenths


def test_first_start_pairing_sign_in_restart_and_second_start_over_tls(tmp_path: Path, start: Start) -> None:
    daemon, said = start(EVERYWHERE, "web.tls=self-signed", "web.tls_port=0")
    pin = re.fullmatch(r"(\d{4} \d{4})    shown this once; .*", said["arbiter's PIN"])
    assert pin is not None
    secure = re.fullmatch(r"https://.*:(\d+)/arbiter", said["arbiter"])
    assert secure is not None
    fingerprint = said["certificate"].removeprefix("SHA-256 ")
    trusted = ssl.create_default_context(cafile=str(tmp_path / NAME))
    base = f"https://127.0.0.1:{secure[1]}"
    with httpx.Client(base_url=base, verify=trusted, timeout=60) as browser:
        state = browser.get("/arbiter/sign-in").json()
        assert state == {"pin": True, "role": None, "clear": False, "fingerprint": fingerprint}
        assert browser.get("/arbiter.json").status_code == 401
        assert browser.post("/arbiter/sign-in", json={"pin": "0"}).status_code == 401
        assert browser.post("/arbiter/sign-in", json={"pin": pin[1]}).json()["role"] == "arbiter"
        assert browser.post("/command", json={"do": "note", "text": "over TLS"}).status_code == 200
        with browser.stream("GET", "/arbiter/events") as answer:
            assert next(answer.iter_lines()) == "event: arbiter"
        reached = [each for each in addresses() if each.version == 4 and not each.is_loopback]
        for address in reached:  # beyond this machine: the public's pages, and the way to TLS
            clear = f"http://{address}:{daemon.port}"
            assert browser.get(f"{clear}/game.json").status_code == 200
            assert browser.get(f"{clear}/arbiter.json").status_code == 403
            moved = browser.get(f"{clear}/arbiter", headers={"Accept": "text/html"})
            assert moved.headers["location"] == f"https://{address}:{secure[1]}/arbiter"
        # Begun anew by an operator: the same ports, the same session; who asks meanwhile waits.
        _, before = begun(browser)
        assert browser.post("/devices/restart", json={}).json() == {"done": True}
        wait_for(lambda: begun(browser)[0] > before, "the board is not begun anew")
        assert browser.get("/arbiter.json").status_code == 200
        assert any(each.get("text") == "over TLS" for each in browser.get("/arbiter.json").json()["told"])
        cookies = dict(browser.cookies.items())
    status, errors = daemon.stop()
    assert (status, errors) == (0, "")

    daemon, said = start(EVERYWHERE, "web.tls=self-signed", f"web.tls_port={secure[1]}")
    assert "arbiter's PIN" not in said
    assert said["certificate"] == f"SHA-256 {fingerprint}"
    with httpx.Client(base_url=base, verify=trusted, timeout=60, cookies=cookies) as browser:
        assert browser.get("/arbiter.json").status_code == 200
    assert daemon.stop()[0] == 0


def test_a_certificate_is_renewed_while_the_board_runs_and_a_full_disk_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [f"journal.path={tmp_path}/journal.db", "web.port=0", "web.tls_port=0", "web.tls=self-signed"]
    server = WebServer(load_config(None, asked))
    before = server.tls()
    tries = 0

    async def slept(_: float) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            (tmp_path / f".{NAME}.new").mkdir()
        if tries == 2:
            (tmp_path / f".{NAME}.new").rmdir()
        if tries == 3:
            raise EOFError

    monkeypatch.setattr(web_server, "RENEW_S", 0)
    monkeypatch.setattr(own_certificate, "is_good", lambda *_: False)
    monkeypatch.setattr(asyncio, "sleep", slept)
    with pytest.raises(EOFError):
        asyncio.run(server._renew())
    said = capsys.readouterr()
    assert re.match(r"note: .*tls.pem cannot be written: ", said.err)
    after = server.tls()
    assert before is not None
    assert after is not None
    assert (before != after, said.out) == (True, f"new certificate  SHA-256 {after.fingerprint}\n")
    server.close()


def test_a_board_for_this_machine_alone_makes_no_pin_and_says_nothing_of_one(
    tmp_path: Path, start: Start
) -> None:
    daemon, said = start()
    assert set(said) == {"simulated table", "arbiter", "journal"}  # the live board's line gave the port
    assert said["arbiter"] == f"http://127.0.0.1:{daemon.port}/arbiter"
    assert daemon.ask("/arbiter/sign-in")["pin"] is False
    assert not (tmp_path / "pins.json").exists()


@pytest.mark.parametrize("settings", [[], ["web.arbiter_pin=4711"]])
def test_without_being_told_it_listens_on_this_machine_only(tmp_path: Path, settings: list[str]) -> None:
    config = load_config(None, [f"journal.path={tmp_path}/journal.db", "web.port=0", *settings])
    server = WebServer(config)
    assert server._clear.getsockname()[0] == "127.0.0.1"
    assert (server.tls(), server.told(), server.secure_address) == (None, [], server.address)
    server.close()


def test_in_the_clear_over_a_network_the_console_is_told(tmp_path: Path) -> None:
    config = load_config(
        None, [f"journal.path={tmp_path}/journal.db", "web.port=0", EVERYWHERE, "web.arbiter_pin=4711"]
    )
    server = WebServer(config)
    assert server.told() == ["note: the arbiter's page goes over the network in the clear; see web.tls"]
    server.close()


def test_a_pin_that_was_made_is_told_once_also_when_the_daemon_begins_anew(tmp_path: Path) -> None:
    server = WebServer(load_config(None, [f"journal.path={tmp_path}/journal.db", "web.port=0", EVERYWHERE]))
    pin, note = server.told()
    assert pin.startswith("arbiter's PIN    ")
    assert server.told() == [note]
    server.close()


def test_a_file_of_pins_that_is_damaged_is_told_and_locks(tmp_path: Path) -> None:
    (tmp_path / "pins.json").write_text("{")
    config = load_config(None, [f"journal.path={tmp_path}/journal.db", "web.port=0"])
    server = WebServer(config)
    (line,) = server.told()
    assert re.match(r"note: .*pins.json is not a file of PINs: .*; `renju-board pin` sets a new PIN", line)
    assert server.access.signing.pins.locked
    server.close()


def test_a_port_that_is_taken_is_named_and_nothing_stays_open(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken, listen("127.0.0.1", 0) as free:
        port, other = taken.getsockname()[1], free.getsockname()[1]
        free.close()
        asked = [f"web.port={other}", f"web.tls_port={port}", "web.tls=self-signed"]
        config = load_config(None, [f"journal.path={tmp_path}/journal.db", *asked])
        with pytest.raises(ConfigError, match=rf"web.tls_port = {port} is not possible"):
            WebServer(config)
        listen("127.0.0.1", other).close()
